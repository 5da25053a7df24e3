/* A program that uses Metal: asks the default device for a family, and prints the answer. */
#import <Metal/Metal.h>
#include <stdio.h>

int main(void) {
    id<MTLDevice> device = MTLCreateSystemDefaultDevice();
    printf("%d\n", [device supportsFamily:MTLGPUFamilyApple7]);
    return device == nil;
}
