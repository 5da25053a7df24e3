/* Signatures of methods: those that differ in spelling are known, others are refused and not
 * guessed. */
#include <string.h>

#include "odd_devices.h"
#include "support.h"

static void check_rules_work(void *device) {
    const struct snapshot before = snapshot_of(device);
    apply("apple=7,headless=on,counter_sampling_draw=on,threads_per_threadgroup.max=256,"
          "threadgroup_memory.min=64K,texture_sample_count.max=2,argument_buffers.min=2,"
          "read_write_texture=1");
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_int_equal(simmetal_ask(device, "isHeadless"), 1);
    assert_int_equal(simmetal_ask_with(device, "supportsCounterSampling:", 1), 1);
    assert_int_equal(ask_triple(device, "maxThreadsPerThreadgroup").number[0], 256);
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 65536);
    assert_int_equal(simmetal_ask_with(device, "supportsTextureSampleCount:", 4), 0);
    assert_int_equal(simmetal_ask(device, "argumentBuffersSupport"), 1);
    assert_int_equal(simmetal_ask(device, "readWriteTextureSupport"), 1);
    assert_ok(mtlcap_restore());
    const struct snapshot after = snapshot_of(device);
    assert_same_answers(&before, &after, NULL);
}

static const char *family_encoding(void) {
    return method_getTypeEncoding(own_method(class_named("_MTLDevice"), "supportsFamily:"));
}

static void of_arm64(void **state) {
    (void)state;
    void *device = device_at(0);
    assert_string_equal(family_encoding(), "B24@0:8q16");
    check_rules_work(device);
}

static void of_x86_64(void **state) {
    (void)state;
    void *device = device_at(0);
    assert_string_equal(family_encoding(), "c24@0:8q16");
    check_rules_work(device);
}

static void of_the_compiler(void **state) {
    (void)state;
    void *device = device_at(0);
    assert_string_equal(family_encoding(), "C24@0:8q16");
    check_rules_work(device);
}

/* ---- unexpected ----------------------------------------------------------- */

static void check_refused(void *device, const char *profile, const char *selector) {
    const struct snapshot before = snapshot_of(device_at(0));
    const int status = apply_allowing(profile, every_hazard());
    assert_int_equal(status, MTLCAP_E_UNSUPPORTED);
    if (!strstr(mtlcap_last_error(), "OddDevice") || !strstr(mtlcap_last_error(), selector))
        fail_msg("%s: %s", profile, mtlcap_last_error());
    assert_int_equal(mtlcap_is_active(), 0);
    assert_null(own_method(object_getClass((id)device), selector));
    const struct snapshot after = snapshot_of(device_at(0));
    assert_same_answers(&before, &after, NULL);
}

static void an_unexpected_signature(void **state) {
    (void)state;
    void *odd = make_odd_device();
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    assert_ok(mtlcap_adopt_device(odd));
    assert_fails(mtlcap_query(odd, "buffer_length", &answer), MTLCAP_E_UNSUPPORTED,
                 "maxBufferLength");
    assert_fails(mtlcap_query(odd, "apple", &answer), MTLCAP_E_UNSUPPORTED, "supportsFamily:");
    assert_fails(mtlcap_query(odd, "headless", &answer), MTLCAP_E_UNSUPPORTED, "OddDevice");
    assert_string_equal(answer_of(odd, "unified_memory").effective.text, "no");

    check_refused(odd, "buffer_length.min=1G", "maxBufferLength");
    check_refused(odd, "buffer_length.max=1G", "maxBufferLength");
    check_refused(odd, "apple.min=7", "supportsFamily:");
    check_refused(odd, "apple.max=3", "supportsFamily:");
    check_refused(odd, "headless=off", "isHeadless");
    apply("unified_memory=on"); /* this one is as it should be */
    assert_string_equal(answer_of(odd, "unified_memory").effective.text, "yes");
    assert_int_equal(simmetal_ask(odd, "hasUnifiedMemory"), 1);
}

/* ---- missing -------------------------------------------------------------- */

static void a_missing_method(void **state) {
    (void)state;
    void *sparse = make_sparse_device(), *device = device_at(0);
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    struct mtlcap_check check = MTLCAP_CHECK_INIT;
    assert_ok(mtlcap_adopt_device(sparse));
    assert_fails(mtlcap_query(sparse, "threadgroup_memory", &answer), MTLCAP_E_UNSUPPORTED,
                 "maxThreadgroupMemoryLength");

    /* it meets no expectation, not even that it is not something */
    assert_ok(mtlcap_check_answer(sparse, "threadgroup_memory!=64K", &check));
    assert_int_equal(check.met, 0);
    assert_string_equal(check.found, "");
    assert_string_equal(check.message,
                        "expected threadgroup_memory!=64K, found that it does not answer");

    /* a floor cannot be kept, and is refused for all devices */
    assert_fails(apply_allowing("apple.min=7,threadgroup_memory.min=64K", every_hazard()),
                 MTLCAP_E_UNSUPPORTED, "maxThreadgroupMemoryLength");
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 32768);
    assert_int_equal(highest_family(device, 1000), 1005);

    /* a ceiling over what cannot be asked holds already */
    apply("apple.min=7,threadgroup_memory.max=16K");
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 16384);
    assert_int_equal(highest_family(sparse, 1000), 1007);
    assert_null(own_method(class_named("SparseDevice"), "maxThreadgroupMemoryLength"));
    assert_fails(mtlcap_query(sparse, "threadgroup_memory", &answer), MTLCAP_E_UNSUPPORTED,
                 "SparseDevice");
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(sparse, 1000), 1005);
    assert_int_equal(highest_family(device, 1000), 1005);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", of_arm64),
        ON("encodings-x86-64.ini", of_x86_64),
        ON("encodings-compiler.ini", of_the_compiler),
        ON("paravirt", an_unexpected_signature),
        ON("paravirt", a_missing_method),
    };
    return RUN_APART(tests);
}
