/* A library whose constructor uses Metal already. To preload. */
#include <stdint.h>
#include <stdio.h>

#include "simmetal.h"

extern void *MTLCreateSystemDefaultDevice(void);

__attribute__((constructor)) static void create(void) {
    void *device = MTLCreateSystemDefaultDevice();
    if (device && (unsigned char)simmetal_ask_with(device, "supportsFamily:", 1007))
        puts("constructor: Apple7");
    else
        puts(device ? "constructor: less" : "constructor: nil");
}
