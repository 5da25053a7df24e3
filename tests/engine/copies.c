/* A copy of the shared library, loaded by path. */
#include "copies.h"

#include <dlfcn.h>

#include "support.h"

struct copy load_copy(const char *path) {
    struct copy copy = {.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
    if (!copy.handle)
        fail_msg("%s", dlerror());
#define LOOK_UP(name)                                                                              \
    *(void **)&copy.name = dlsym(copy.handle, "mtlcap_" #name);                                    \
    assert_non_null(copy.name)
    LOOK_UP(apply_profile);
    LOOK_UP(restore);
    LOOK_UP(restore_generation);
    LOOK_UP(generation);
    LOOK_UP(is_active);
    LOOK_UP(query);
    LOOK_UP(report_info);
    LOOK_UP(device_count);
    LOOK_UP(adopt_device);
    LOOK_UP(machine_info);
    LOOK_UP(capability_count);
    LOOK_UP(capability_info);
    LOOK_UP(trace_start);
    LOOK_UP(trace_stop);
    LOOK_UP(trace_info);
    LOOK_UP(trace_question_info);
    LOOK_UP(last_error);
    LOOK_UP(last_error_info);
#undef LOOK_UP
    return copy;
}
