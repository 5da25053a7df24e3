/*
 * A stand-in for llama.cpp's programs: asks the default device for its Apple family as llama.cpp
 * does, from the newest that it can think of downwards, and logs it in the same words.
 */
#import <Metal/Metal.h>
#include <stdio.h>

int main(void) {
    id<MTLDevice> device = MTLCreateSystemDefaultDevice();
    if (device == nil) {
        printf("no GPU\n");
        return 1;
    }
    for (NSInteger family = MTLGPUFamilyApple1 + 20; family >= MTLGPUFamilyApple1; family--)
        if ([device supportsFamily:(MTLGPUFamily)family]) {
            printf("GPU family: MTLGPUFamilyApple%d  (%d)\n", (int)family - 1000, (int)family);
            break;
        }
    return 0;
}
