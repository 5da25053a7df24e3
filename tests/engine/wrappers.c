/* Tools' wrappers around devices: hooks go into the class below, and are seen through them. */
#include <stdlib.h>
#include <string.h>

#include "support.h"

static void *base_of(void *wrapper) {
    return (void *)(uintptr_t)simmetal_ask(wrapper, "baseObject");
}

static const char *class_of(void *object) {
    return class_getName(object_getClass((id)object));
}

/* Every rule reaches callers of the wrapper and of the device, and no wrapper class is touched. */
static void check_through_the_wrapper(void *wrapper, void *base) {
    static const char *const classes[] = {"MTLToolsObject", "MTLToolsDevice", "MTLDebugDevice",
                                          "CaptureMTLDevice"};
    unsigned counts[4];
    for (int i = 0; i < 4; i++)
        counts[i] = own_method_count(class_named(classes[i]));
    assert_string_equal(class_of(base), "AppleParavirtDevice");

    apply("apple.min=7,threadgroup_memory.min=64K,threads_per_threadgroup.max=256,"
          "unified_memory=off,32bit_float_filtering=on");
    for (int i = 0; i < 2; i++) {
        void *device = i ? base : wrapper;
        assert_int_equal(highest_family(device, 1000), 1007);
        assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 65536);
        assert_int_equal(ask_triple(device, "maxThreadsPerThreadgroup").number[2], 256);
        const struct mtlcap_answer answer = answer_of(device, "apple");
        assert_int_equal(answer.stock.number[0], 5);
        assert_int_equal(answer.effective.number[0], 7);
        assert_int_equal(answer.overridden, 1);
        assert_string_equal(answer.source, "Metal");
        assert_int_equal(answer_of(device, "threads_per_threadgroup").effective.number[1], 256);
        assert_int_equal(answer_of(device, "raytracing").derived, 1);
        /* frame capture's wrapper has no methods for these */
        assert_string_equal(answer_of(device, "unified_memory").effective.text, "no");
        assert_string_equal(answer_of(device, "unified_memory").stock.text, "yes");
        assert_string_equal(answer_of(device, "32bit_float_filtering").effective.text, "yes");
        assert_string_equal(answer_of(device, "name").effective.text, "Apple Paravirtual device");
    }
    for (int i = 0; i < 4; i++)
        assert_int_equal(own_method_count(class_named(classes[i])), counts[i]);
    struct mtlcap_device info = MTLCAP_DEVICE_INIT;
    assert_ok(mtlcap_device_info(0, &info));
    assert_ptr_equal(info.device, wrapper);
    assert_string_equal(info.class_name, "AppleParavirtDevice");
    assert_int_equal(info.paravirtual, 1);

    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(wrapper, 1000), 1005);
    assert_int_equal(highest_family(base, 1000), 1005);
    assert_int_equal(simmetal_ask(wrapper, "maxThreadgroupMemoryLength"), 32768);
}

static void api_validation(void **state) {
    (void)state;
    setenv("MTL_DEBUG_LAYER", "1", 1);
    void *wrapper = device_at(0);
    assert_string_equal(class_of(wrapper), "MTLDebugDevice");
    check_through_the_wrapper(wrapper, base_of(wrapper));
}

static void frame_capture(void **state) {
    (void)state;
    void *wrapper = device_at(0);
    assert_string_equal(class_of(wrapper), "CaptureMTLDevice");
    check_through_the_wrapper(wrapper, base_of(wrapper));
}

static void both(void **state) {
    (void)state;
    setenv("MTL_DEBUG_LAYER", "1", 1);
    setenv("MTL_CAPTURE_ENABLED", "1", 1);
    void *wrapper = device_at(0);
    assert_string_equal(class_of(wrapper), "CaptureMTLDevice");
    assert_string_equal(class_of(base_of(wrapper)), "MTLDebugDevice");
    check_through_the_wrapper(wrapper, base_of(base_of(wrapper)));
}

/* A tool that comes while a profile is in force. */
static void a_wrapper_put_on_later(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=7");
    void *wrapper = simmetal_wrap_device(device, "CaptureMTLDevice");
    assert_int_equal(highest_family(wrapper, 1000), 1007);
    const struct mtlcap_answer answer = answer_of(wrapper, "apple");
    assert_int_equal(answer.stock_known, 1);
    assert_int_equal(answer.stock.number[0], 5);
    assert_int_equal(answer.overridden, 1);
    assert_int_equal(answer_of(wrapper, "raytracing").derived, 1);
    assert_string_equal(answer_of(wrapper, "unified_memory").effective.text, "yes");
}

/* There has to be an end to them. */
static void a_wrapper_around_a_wrapper(void **state) {
    (void)state;
    void *wrapper = device_at(0);
    for (int depth = 1; depth <= 8; depth++)
        wrapper = simmetal_wrap_device(wrapper, "MTLDebugDevice");
    assert_ok(mtlcap_adopt_device(wrapper));
    assert_int_equal(answer_of(wrapper, "apple").stock.number[0], 5);
    wrapper = simmetal_wrap_device(wrapper, "MTLDebugDevice");
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    assert_fails(mtlcap_adopt_device(wrapper), MTLCAP_E_NOT_A_DEVICE, "more than 8 wrappers");
    assert_fails(mtlcap_query(wrapper, "apple", &answer), MTLCAP_E_NOT_A_DEVICE,
                 "more than 8 wrappers");
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", api_validation),
        ON("paravirt-capture", frame_capture),
        ON("paravirt", both),
        ON("paravirt", a_wrapper_put_on_later),
        ON("paravirt", a_wrapper_around_a_wrapper),
    };
    return RUN_APART(tests);
}
