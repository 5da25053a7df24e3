/* The library in an image that interposes Metal's functions, as the injected one does: it asks
 * Metal itself, and not its own image. */
#include <dlfcn.h>
#include <string.h>

#include "runtime/runtime.h"
#include "support.h"

static unsigned calls;

__attribute__((visibility("default"))) void *MTLCopyAllDevices(void) {
    calls++;
    void *(*real)(void);
    *(void **)&real = dlsym(RTLD_NEXT, "MTLCopyAllDevices");
    void *volatile devices = real();
    return devices;
}

static void metal_itself_is_asked(void **state) {
    (void)state;
    uint32_t count;
    assert_ok(mtlcap_device_count(&count));
    assert_int_equal(count, 1);
    assert_ok(mtlcap_apply_profile("auto", NULL));
    assert_int_equal(calls, 0);
    assert_true(supports_family(device_at(0), 1007));
    assert_int_equal(calls, 1); /* of device_at() */
}

static void the_function_is_metals(void **state) {
    (void)state;
    assert_null(mtlcap__rt_open());
    Dl_info info;
    assert_int_not_equal(dladdr(mtlcap__rt_metal_function("MTLCopyAllDevices"), &info), 0);
    assert_non_null(strstr(info.dli_fname, "libsimmetal"));
    assert_null(mtlcap__rt_metal_function("MTLNoSuchFunction"));
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", metal_itself_is_asked),
        ON("paravirt", the_function_is_metals),
    };
    return RUN_APART(tests);
}
