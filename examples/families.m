/* What the GPU says: the highest Apple family, and its threadgroup memory. A Metal program like any
 * other: it knows nothing of libmtlcap. */
#import <Foundation/Foundation.h>
#import <Metal/Metal.h>

int main(void) {
    @autoreleasepool {
        id<MTLDevice> device = MTLCreateSystemDefaultDevice();
        if (!device) {
            printf("no Metal device\n");
            return 1;
        }
        int family = 0;
        for (int i = 1; i <= 10; i++)
            if ([device supportsFamily:(MTLGPUFamily)(1000 + i)])
                family = i;
        printf("%s: Apple%d, %lu bytes of threadgroup memory\n", [[device name] UTF8String], family,
               (unsigned long)[device maxThreadgroupMemoryLength]);
    }
    return 0;
}
