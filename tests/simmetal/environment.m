/* What the environment selects. This program runs itself: with "list" as its argument it prints the
 * classes of the devices, the default one first, and the chip. */
#import "simmetal_test.h"

#import <sys/wait.h>

static const char *program;
static char output[4096];

static int list_devices(void) {
    id<MTLDevice> device = MTLCreateSystemDefaultDevice();
    printf("%s", device ? object_getClassName(device) : "nil");
    NSArray *all = MTLCopyAllDevices();
    for (NSUInteger i = 0; i < [all count]; i++) {
        id one = [all objectAtIndex:i];
        printf(" %s", object_getClassName(one));
        while ([one respondsToSelector:@selector(baseObject)]) {
            one = [one performSelector:@selector(baseObject)];
            printf(">%s", object_getClassName(one));
        }
    }
    id observer = nil;
    NSArray *observed = MTLCopyAllDevicesWithObserver(&observer, nil);
    printf(" %s %s", [observed isEqual:all] ? "same" : "new", observer ? "observer" : "nil");
    MTLRemoveDeviceObserver(observer);
    char chip[64] = "no machine";
    size_t length = sizeof chip;
    simmetal_sysctlbyname("machdep.cpu.brand_string", chip, &length, NULL, 0);
    printf(" %s", chip);
    [observed release];
    [observer release];
    [all release];
    [device release];
    return 0;
}

/* Runs this program with "NAME=VALUE" set; its output is in `output`, its errors after it. */
static void run(const char *variable, const char *other) {
    char command[1024];
    snprintf(command, sizeof command, "env %s %s %s list 2>&1", variable, other, program);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t length = fread(output, 1, sizeof output - 1, pipe);
    output[length] = '\0';
    assert_int_equal(pclose(pipe), 0);
}

#define BASE "AppleParavirtDevice"

static void devices(void **state) {
    static const struct {
        const char *value, *expected;
    } rows[] = {
        {"", BASE " " BASE " same observer Apple M1 Ultra (Virtual)"},
        {"m1-ultra", "AGXG13XDevice AGXG13XDevice same observer Apple M1 Ultra"},
        {"none", "nil same observer Apple M1 (Virtual)"},
        {"no-default-device", "nil " BASE " same observer Apple M1 Ultra (Virtual)"},
        {"two-vendors", BASE " " BASE " OtherVendorDevice same observer Apple M1 Ultra (Virtual)"},
        {"m2,paravirt-m5", "AGXG14GDevice AGXG14GDevice " BASE " same observer Apple M2"},
        {"intel-amd", "GFX10_MtlDevice MTLIGAccelDevice GFX10_MtlDevice same observer "
                      "Intel(R) Core(TM) i9-9980HK CPU @ 2.40GHz"},
        {"paravirt-fresh", BASE " " BASE " new observer Apple M1 Ultra (Virtual)"},
        {"paravirt-capture",
         "CaptureMTLDevice CaptureMTLDevice>" BASE " same observer Apple M1 Ultra (Virtual)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char variable[128];
        snprintf(variable, sizeof variable, "SIMMETAL_DEVICES=%s", rows[i].value);
        run(variable, "A=B");
        assert_string_equal(output, rows[i].expected);
    }
}

static void wrappers(void **state) {
    static const struct {
        const char *variable, *other, *classes;
    } rows[] = {
        {"MTL_DEBUG_LAYER=1", "A=B", "MTLDebugDevice MTLDebugDevice>" BASE " same"},
        {"METAL_DEVICE_WRAPPER_TYPE=1", "A=B", "MTLDebugDevice MTLDebugDevice>" BASE " same"},
        {"MTL_CAPTURE_ENABLED=1", "A=B", "CaptureMTLDevice CaptureMTLDevice>" BASE " same"},
        {"MTL_DEBUG_LAYER=1", "MTL_CAPTURE_ENABLED=1",
         "CaptureMTLDevice CaptureMTLDevice>MTLDebugDevice>" BASE " same"},
        {"MTL_DEBUG_LAYER=0", "MTL_CAPTURE_ENABLED=0", BASE " " BASE " same"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        run(rows[i].variable, rows[i].other);
        assert_memory_equal(output, rows[i].classes, strlen(rows[i].classes));
    }
}

/* One message, and no device, however good the other names are. */
static void bad_values(void **state) {
    static const struct {
        const char *value, *message;
    } rows[] = {
        {"paravirt,nowhere", "nowhere: no built-in machine is called 'nowhere'"},
        {"nowhere,paravirt", "nowhere: no built-in machine is called 'nowhere'"},
        {"paravirt,", ": no built-in machine is called ''"},
        {"./nowhere", "./nowhere: cannot read: No such file or directory"},
        {"m1,m1,m1,m1,m1,m1,m1,m1,m1", "more than 8 machines"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char variable[128], expected[256];
        snprintf(variable, sizeof variable, "SIMMETAL_DEVICES=%s", rows[i].value);
        snprintf(expected, sizeof expected, "simmetal: SIMMETAL_DEVICES: no device: %s",
                 rows[i].message);
        run(variable, "A=B");
        assert_non_null(strstr(output, expected));
        assert_non_null(strstr(output, "nil same observer no machine"));
        assert_ptr_equal(strchr(output, '\n'), strrchr(output, '\n')); /* one line of error */
    }
}

static void runtime_values(void **state) {
    run("SIMMETAL_RUNTIME=apple", "A=B");
    assert_null(strstr(output, "SIMMETAL_RUNTIME"));
}

int main(int count, char **arguments) {
    program = arguments[0];
    if (count > 1)
        return list_devices();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices),
        cmocka_unit_test(wrappers),
        cmocka_unit_test(bad_values),
        cmocka_unit_test(runtime_values),
    };
    @autoreleasepool {
        return cmocka_run_group_tests(tests, NULL, NULL);
    }
}
