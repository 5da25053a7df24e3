/* A copy of the shared library, loaded by path. */
#ifndef TESTS_ENGINE_COPIES_H
#define TESTS_ENGINE_COPIES_H

#include "mtlcap/mtlcap.h"

struct copy {
    void *handle;
    __typeof__(&mtlcap_apply_profile) apply_profile;
    __typeof__(&mtlcap_restore) restore;
    __typeof__(&mtlcap_restore_generation) restore_generation;
    __typeof__(&mtlcap_generation) generation;
    __typeof__(&mtlcap_is_active) is_active;
    __typeof__(&mtlcap_query) query;
    __typeof__(&mtlcap_report_info) report_info;
    __typeof__(&mtlcap_device_count) device_count;
    __typeof__(&mtlcap_adopt_device) adopt_device;
    __typeof__(&mtlcap_machine_info) machine_info;
    __typeof__(&mtlcap_capability_count) capability_count;
    __typeof__(&mtlcap_capability_info) capability_info;
    __typeof__(&mtlcap_trace_start) trace_start;
    __typeof__(&mtlcap_trace_stop) trace_stop;
    __typeof__(&mtlcap_trace_info) trace_info;
    __typeof__(&mtlcap_trace_question_info) trace_question_info;
    __typeof__(&mtlcap_last_error) last_error;
    __typeof__(&mtlcap_last_error_info) last_error_info;
};

/* As Python's ctypes and dlopen() load it: not for all to see. Must succeed. */
struct copy load_copy(const char *path);

#endif
