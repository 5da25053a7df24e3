/* mini_inject FILE RECEIPT: the injected library for a Mac, as dyld inserts it, on a very small
 * Metal. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "load.h"
#include "mini.h"

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

static uint64_t family(void *device, int64_t number) {
    return ((uint64_t (*)(void *, const void *, int64_t))mini_method(device, "supportsFamily:"))(
        device, NULL, number);
}

static void *call(void *function) {
    void *(*create)(void);
    memcpy(&create, &function, sizeof function);
    return create();
}

static void check_receipt(const char *path, const char *library) {
    char text[65536] = "", wanted[8192];
    FILE *file = fopen(path, "r");
    CHECK(file != NULL);
    if (file) {
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
    }
    snprintf(wanted, sizeof wanted, "\"library\": \"%s\"", library);
    CHECK(strstr(text, wanted));
    CHECK(strstr(text, "\"stage\": \"applied\""));
    CHECK(strstr(text, "\"interposed\": true"));
    CHECK(strstr(text, "\"apple\": {\"stock\": 5, \"stock_known\": true, \"effective\": 7"));
}

int main(int argc, char **argv) {
    char problem[8192], kept[] = "/elsewhere/libother.dylib", inserted[8192];
    if (argc != 3)
        return 2;
    mini_start();
    unlink(argv[2]);
    snprintf(inserted, sizeof inserted, "%s:%s", argv[1], kept);
    setenv("DYLD_INSERT_LIBRARIES", inserted, 1);
    setenv("MTLCAP_PROFILE", "auto", 1);
    setenv("MTLCAP_RECEIPT", argv[2], 1);
    setenv("MTLCAP_STRICT", "1", 1);
    if (!macho_open(argv[1], MACHO_INSERTED, problem, sizeof problem)) {
        fprintf(stderr, "%s\n", problem);
        return 1;
    }
    CHECK(strcmp(getenv("DYLD_INSERT_LIBRARIES"), kept) == 0); /* its own entry, and no other */
    CHECK((family(mini_paravirtual, 1007) & 0xff) == 0); /* nothing before a device is asked */

    void *metal = macho_linux("MTLCreateSystemDefaultDevice");
    void *door = macho_interposed(metal);
    CHECK(metal && door != metal);
    CHECK(call(door) == mini_paravirtual);
    CHECK(family(mini_paravirtual, 1007) == 1);
    CHECK(family(mini_paravirtual, 1008) == 0);
    CHECK(macho_interposed(macho_linux("MTLCopyAllDevices")) != macho_linux("MTLCopyAllDevices"));
    check_receipt(argv[2], argv[1]);
    printf("%d failures\n", failures);
    return failures != 0;
}
