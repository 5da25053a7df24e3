/* A very small Metal. */
#include "mini.h"

#include <dlfcn.h>
#include <errno.h>
#include <objc/message.h>
#include <objc/runtime.h>
#include <stdlib.h>
#include <string.h>

#if defined(__aarch64__)
#define BOOL_TYPE "B"
#else
#define BOOL_TYPE "c"
#endif

@protocol MTLDevice
@end

#pragma GCC diagnostic ignored "-Wobjc-root-class"
@interface NSObject {
    Class isa;
}
- (id)retain;
- (void)release;
@end

@interface _MTLDevice : NSObject <MTLDevice>
@end
@interface AppleParavirtDevice : _MTLDevice
@end
@interface OtherVendorDevice : _MTLDevice
@end

@interface MiniText : NSObject
- (const char *)UTF8String;
@end
@interface MiniArray : NSObject
- (unsigned long)count;
- (id)objectAtIndex:(unsigned long)index;
@end

void *mini_paravirtual, *mini_other;
unsigned mini_count = 1;
const char *mini_refused;
static id array, text;

@implementation NSObject
- (id)retain {
    return self;
}
- (void)release {
}
@end

@implementation _MTLDevice
@end
@implementation AppleParavirtDevice
@end
@implementation OtherVendorDevice
@end

@implementation MiniText
- (const char *)UTF8String {
    return "A device";
}
@end

@implementation MiniArray
- (unsigned long)count {
    return mini_count;
}
- (id)objectAtIndex:(unsigned long)index {
    return (id)(index == 0 ? mini_paravirtual : mini_other);
}
@end

/* ---- what devices answer --------------------------------------------------------------- */

/* A BOOL is the lowest byte of the register; compiled code may leave anything in the rest. */
static uint64_t yes_or_no(int yes) {
    return UINT64_C(0xDEADBEEFCAFEBA00) | (yes != 0);
}

static uint64_t supports_family(id self, SEL selector, int64_t family) {
    (void)self;
    (void)selector;
    return yes_or_no((family > 1000 && family <= 1005) || (family > 3000 && family <= 3003));
}

static uint64_t has_unified_memory(id self, SEL selector) {
    (void)self;
    (void)selector;
    return yes_or_no(1);
}

static uint64_t is_headless(id self, SEL selector) {
    (void)self;
    (void)selector;
    return yes_or_no(0);
}

static uint64_t threadgroup_memory(id self, SEL selector) {
    (void)self;
    (void)selector;
    return 32768;
}

static uint64_t working_set(id self, SEL selector) {
    (void)self;
    (void)selector;
    return UINT64_C(11453251584);
}

static struct mini_size threads(id self, SEL selector) {
    (void)self;
    (void)selector;
    return (struct mini_size){1024, 1024, 1024};
}

static id name(id self, SEL selector) {
    (void)self;
    (void)selector;
    return text;
}

static void add(const char *class_name, const char *selector, void *function, const char *types) {
    if (!class_addMethod((Class)objc_getClass(class_name), sel_registerName(selector),
                         (IMP)function, types))
        abort();
}

void mini_start(void) {
    add("_MTLDevice", "supportsFamily:", (void *)supports_family, BOOL_TYPE "24@0:8q16");
    add("_MTLDevice", "hasUnifiedMemory", (void *)has_unified_memory, BOOL_TYPE "16@0:8");
    add("_MTLDevice", "maxThreadgroupMemoryLength", (void *)threadgroup_memory, "Q16@0:8");
    add("_MTLDevice", "recommendedMaxWorkingSetSize", (void *)working_set, "Q16@0:8");
    add("_MTLDevice", "maxThreadsPerThreadgroup", (void *)threads, "{?=QQQ}16@0:8");
    add("_MTLDevice", "name", (void *)name, "@16@0:8");
    add("AppleParavirtDevice", "isHeadless", (void *)is_headless, BOOL_TYPE "16@0:8");
    add("OtherVendorDevice", "isHeadless", (void *)is_headless, BOOL_TYPE "16@0:8");
    mini_paravirtual = class_createInstance((Class)objc_getClass("AppleParavirtDevice"), 0);
    mini_other = class_createInstance((Class)objc_getClass("OtherVendorDevice"), 0);
    array = class_createInstance((Class)objc_getClass("MiniArray"), 0);
    text = class_createInstance((Class)objc_getClass("MiniText"), 0);
}

/* ---- for tests --------------------------------------------------------------------------- */

mini_code mini_method(void *object, const char *selector) {
    return (mini_code)objc_msg_lookup((id)object, sel_registerName(selector));
}

void mini_make_odd(const char *class_name, const char *selector) {
    add(class_name, selector, (void *)threadgroup_memory, "d16@0:8");
}

#define EXPORTED __attribute__((visibility("default")))

/* Stands before the runtime's. */
EXPORTED BOOL class_addMethod(Class cls, SEL selector, IMP imp, const char *types) {
    static BOOL (*real)(Class, SEL, IMP, const char *);
    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "class_addMethod");
    if (mini_refused && strcmp(class_getName(cls), mini_refused) == 0)
        return NO;
    return real(cls, selector, imp, types);
}

/* ---- Metal, and the machine ---------------------------------------------------------------- */

EXPORTED id MTLCopyAllDevices(void) {
    return array;
}

EXPORTED id MTLCreateSystemDefaultDevice(void) {
    return (id)mini_paravirtual;
}

EXPORTED int simmetal_sysctlbyname(const char *name, void *old, size_t *size, void *new,
                                   size_t new_size);
int simmetal_sysctlbyname(const char *name, void *old, size_t *size, void *new, size_t new_size) {
    static const struct {
        const char *name, *text;
        uint64_t number;
        size_t size;
    } facts[] = {
        {"machdep.cpu.brand_string", "Apple M1 (Virtual)", 0, 0},
        {"kern.osproductversion", "26.5.2", 0, 0},
        {"hw.model", "VirtualMac2,1", 0, 0},
        {"simmetal.program_sdk", "26.0", 0, 0},
        {"kern.hv_vmm_present", NULL, 1, sizeof(int)},
        {"hw.optional.arm64", NULL, 1, sizeof(int)},
        {"sysctl.proc_translated", NULL, 0, sizeof(int)},
        {"hw.memsize", NULL, UINT64_C(16) << 30, sizeof(uint64_t)},
    };
    (void)new;
    (void)new_size;
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        if (strcmp(facts[i].name, name) != 0)
            continue;
        const void *fact = facts[i].text ? (const void *)facts[i].text : &facts[i].number;
        const size_t wanted = facts[i].text ? strlen(facts[i].text) + 1 : facts[i].size;
        if (old && *size < wanted) {
            errno = ENOMEM;
            return -1;
        }
        if (old)
            memcpy(old, fact, wanted);
        *size = wanted;
        return 0;
    }
    errno = ENOENT;
    return -1;
}
