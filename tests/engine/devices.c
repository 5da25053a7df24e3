/* Devices: the list, those that come later, those that are adopted, and what is no device. */
#include <string.h>

#include "odd_devices.h"
#include "support.h"

static uint32_t device_count(void) {
    uint32_t count = 0;
    assert_ok(mtlcap_device_count(&count));
    return count;
}

static struct mtlcap_device info_of(uint32_t index) {
    struct mtlcap_device info = MTLCAP_DEVICE_INIT;
    assert_ok(mtlcap_device_info(index, &info));
    return info;
}

static void the_list(void **state) {
    (void)state;
    assert_int_equal(device_count(), 2);
    struct mtlcap_device info = info_of(0);
    assert_ptr_equal(info.device, device_at(0));
    assert_int_equal(info.paravirtual, 1);
    assert_int_equal(info.adopted, 0);
    assert_string_equal(info.name, "Apple Paravirtual device");
    assert_string_equal(info.class_name, "AppleParavirtDevice");
    info = info_of(1);
    assert_ptr_equal(info.device, device_at(1));
    assert_int_equal(info.paravirtual, 0);
    assert_string_equal(info.class_name, "OtherVendorDevice");
    assert_fails(mtlcap_device_info(2, &info), MTLCAP_E_NO_DEVICE, "2");
}

static void info_without_count(void **state) {
    (void)state;
    assert_string_equal(info_of(0).name, "Apple M3 Pro");
}

static void the_first_one_is_meant_by_null(void **state) {
    (void)state;
    assert_int_equal(answer_of(NULL, "apple").stock.number[0], 5);
    apply("apple.min=7");
    assert_int_equal(answer_of(NULL, "apple").effective.number[0], 7);
}

/* ---- later ---------------------------------------------------------------- */

static void a_later_device_of_a_hooked_class(void **state) {
    (void)state;
    assert_ok(mtlcap_apply_profile("auto", NULL));
    void *later = device_at(0); /* a new one */
    assert_int_equal(highest_family(later, 1000), 1007);
    void *by_default = MTLCreateSystemDefaultDevice();
    assert_ptr_not_equal(by_default, later);
    assert_int_equal(highest_family(by_default, 1000), 1007);

    struct mtlcap_answer answer = answer_of(later, "apple");
    assert_int_equal(answer.stock_known, 1);
    assert_int_equal(answer.overridden, 1);
    assert_int_equal(answer.stock.number[0], 5);
    assert_int_equal(answer.effective.number[0], 7);
    assert_string_equal(answer.source, "Metal");
    /* Metal computes it from one that has a rule: not separable */
    answer = answer_of(later, "raytracing");
    assert_int_equal(answer.stock_known, 0);
    assert_int_equal(answer.overridden, 0);
    assert_int_equal(answer.derived, 0);
    assert_string_equal(answer.effective.text, "yes");
    assert_string_equal(answer.stock.text, answer.effective.text);

    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(later, 1000), 1005);
    answer = answer_of(later, "raytracing");
    assert_int_equal(answer.stock_known, 1);
    assert_string_equal(answer.stock.text, "no");
}

/* Once nothing is in force, a later device is as good as any. */
static void its_stock_is_taken_when_it_can_be(void **state) {
    (void)state;
    assert_ok(mtlcap_apply_profile("auto", NULL));
    void *later = device_at(0);
    assert_ok(mtlcap_adopt_device(later));
    assert_int_equal(answer_of(later, "raytracing").stock_known, 0);
    assert_ok(mtlcap_restore());
    assert_ok(mtlcap_apply_profile("auto", NULL));
    const struct mtlcap_answer answer = answer_of(later, "raytracing");
    assert_int_equal(answer.stock_known, 1);
    assert_int_equal(answer.derived, 1);
    assert_string_equal(answer.stock.text, "no");
}

static void a_device_of_another_class_is_not_covered(void **state) {
    (void)state;
    apply("apple.min=7");
    void *other = device_of_class("AGXG14GDevice");
    assert_int_equal(highest_family(other, 1000), 1005);
    const struct mtlcap_answer answer = answer_of(other, "apple");
    assert_int_equal(answer.overridden, 0);
    assert_int_equal(answer.effective.number[0], 5);
    assert_int_equal(answer.stock.number[0], 5);
}

/* The class above is hooked, but its own method comes first. */
static void a_later_class_that_overrides_a_hooked_one(void **state) {
    (void)state;
    void *parent = device_of_class("AGXG13FamilyDevice"), *child = device_of_class("AGXG13GDevice");
    assert_ok(mtlcap_adopt_device(parent));
    Class leaf = class_named("AGXG13GDevice");
    const code inherited = code_for(child, "supportsFamily:");
    put_method(leaf, "supportsFamily:", inherited); /* of its own from now on */
    apply("apple.min=7");
    assert_int_equal(highest_family(parent, 1000), 1007);
    assert_int_equal(highest_family(child, 1000), 1005);
    assert_int_equal(answer_of(child, "apple").overridden, 0);
    assert_int_equal(answer_of(child, "apple").stock.number[0], 5);
    assert_ok(mtlcap_adopt_device(child));
    assert_int_equal(highest_family(child, 1000), 1007);
    assert_int_equal(answer_of(child, "apple").stock.number[0], 5);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(child, 1000), 1005);
}

/* ---- adopting ------------------------------------------------------------- */

static void adopting_before_applying(void **state) {
    (void)state;
    void *device = device_of_class("AGXG14GDevice");
    assert_ok(mtlcap_adopt_device(device));
    assert_int_equal(device_count(), 2);
    const struct mtlcap_device info = info_of(1);
    assert_ptr_equal(info.device, device);
    assert_int_equal(info.adopted, 1);
    apply("apple.min=7");
    assert_int_equal(report().device_count, 2);
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_int_equal(answer_of(device, "raytracing").derived, 1);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1005);
}

/* Metal's own come first, also if nobody has looked at them yet. */
static void adopting_before_the_list_is_looked_at(void **state) {
    (void)state;
    void *device = device_of_class("AGXG14GDevice");
    assert_ok(mtlcap_adopt_device(device));
    assert_string_equal(info_of(0).class_name, "AppleParavirtDevice");
    assert_ptr_equal(info_of(1).device, device);
    apply("apple.min=7");
    assert_int_equal(report().device_count, 2);
}

static void null_is_not_the_adopted_one(void **state) {
    (void)state;
    void *device = device_of_class("AGXG14GDevice");
    assert_ok(mtlcap_adopt_device(device));
    assert_string_equal(answer_of(NULL, "name").effective.text, "Apple M3 Pro");
}

static void adopting_while_applied(void **state) {
    (void)state;
    apply("apple.min=7");
    void *device = device_of_class("AGXG14GDevice");
    assert_ok(mtlcap_adopt_device(device));
    assert_int_equal(highest_family(device, 1000), 1007);
    const struct mtlcap_answer answer = answer_of(device, "apple");
    assert_int_equal(answer.stock_known, 1);
    assert_int_equal(answer.stock.number[0], 5);
    assert_int_equal(answer_of(device, "raytracing").derived, 1); /* its class had no hook */
    assert_int_equal(report().device_count, 2);
    apply("apple.max=3");
    assert_int_equal(highest_family(device, 1000), 1003);
}

static void adopting_again(void **state) {
    (void)state;
    void *device = device_of_class("AGXG14GDevice");
    for (int i = 0; i < 3; i++) {
        assert_ok(mtlcap_adopt_device(device));
        assert_ok(mtlcap_adopt_device(device_at(0)));
        assert_int_equal(device_count(), 2);
    }
    apply("apple.min=7");
    const uint32_t hooks = report().hook_count;
    for (int i = 0; i < 3; i++)
        assert_ok(mtlcap_adopt_device(device));
    assert_int_equal(device_count(), 2);
    assert_int_equal(report().hook_count, hooks);
}

/* The profile in force is refused on it: it is not taken, and stands in nobody's way. */
static void adopting_what_the_profile_is_a_hazard_on(void **state) {
    (void)state;
    void *listed = device_at(0);
    assert_ok(mtlcap_apply_profile("apple.min=7", NULL));
    const uint64_t generation = mtlcap_generation();
    void *bare = simmetal_create_device_of("two-vendors", 1, NULL);
    assert_fails(mtlcap_adopt_device(bare), MTLCAP_E_HAZARD, "bare-metal");
    assert_int_equal(highest_family(bare, 1000), 1005);
    assert_int_equal(highest_family(listed, 1000), 1007);
    assert_int_equal(mtlcap_generation(), generation);
    assert_int_equal(device_count(), 1);
    assert_ok(mtlcap_apply_profile("apple.min=6", NULL));
    assert_ok(mtlcap_restore());
    assert_ok(mtlcap_adopt_device(bare)); /* while nothing is in force */
    assert_int_equal(device_count(), 2);
}

/* It is kept alive: what its owner lets go of may be asked. */
/* Its class keeps a hook, since an added method cannot be removed. That is no rule for the others
 * of the class. */
static void a_device_that_cannot_be_adopted(void **state) {
    (void)state;
    apply("apple.min=7,metal=off");
    void *device = device_of_class("OtherVendorDevice"),
         *other = device_of_class("OtherVendorDevice");
    Class agent = make_subclass(class_named("OtherVendorDevice"), "Agent");
    put_method(agent,
               "supportsFamily:", code_for(device, "supportsFamily:")); /* hides the class's */
    set_class(device, agent);
    assert_fails(mtlcap_adopt_device(device), MTLCAP_E_NOT_REACHED, "apple");
    assert_non_null(own_method(class_named("OtherVendorDevice"), "supportsFamily:"));
    for (int i = 0; i < 2; i++) {
        const struct mtlcap_answer answer = answer_of(i ? other : device, "apple");
        assert_int_equal(answer.overridden, 0);
        assert_int_equal(answer.effective.number[0], 5);
        assert_string_equal(answer.rule, "");
        assert_int_equal(answer_of(i ? other : device, "metal").overridden, 0);
        assert_int_equal(highest_family(i ? other : device, 1000), 1005);
    }
}

static void an_adopted_device_is_kept_alive(void **state) {
    (void)state;
    void *device = device_of_class("AGXG14GDevice");
    assert_ok(mtlcap_adopt_device(device));
    simmetal_release(device);
    apply("apple.min=7");
    assert_int_equal(answer_of(device, "apple").effective.number[0], 7);
    assert_string_equal(info_of(1).class_name, "AGXG14GDevice");
}

static void a_class_made_at_run_time(void **state) {
    (void)state;
    void *device = device_of_class("AGXG14GDevice");
    Class observer = make_subclass(class_named("AGXG14GDevice"), "NSKVONotifying_AGXG14GDevice");
    set_class(device, observer);
    apply("apple.min=7");
    assert_ok(mtlcap_adopt_device(device));
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_int_equal(own_method_count(observer), 0);
    assert_string_equal(info_of(1).class_name, "AGXG14GDevice");
}

static void a_wrapper(void **state) {
    (void)state;
    void *device = device_of_class("AGXG14GDevice");
    void *wrapper = simmetal_wrap_device(device, "MTLDebugDevice");
    apply("apple.min=7");
    assert_ok(mtlcap_adopt_device(wrapper));
    assert_ok(mtlcap_adopt_device(wrapper));
    assert_ok(mtlcap_adopt_device(device)); /* known, below the wrapper */
    assert_int_equal(device_count(), 2);
    assert_string_equal(info_of(1).class_name, "AGXG14GDevice");
    assert_int_equal(highest_family(wrapper, 1000), 1007);
    assert_int_equal(highest_family(device, 1000), 1007);
}

/* ---- no device ------------------------------------------------------------ */

static void check_is_none(void *object, const char *part) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    assert_fails(mtlcap_query(object, "apple", &answer), MTLCAP_E_NOT_A_DEVICE, part);
    assert_fails(mtlcap_adopt_device(object), MTLCAP_E_NOT_A_DEVICE, part);
}

static void what_is_no_device(void **state) {
    (void)state;
    void *device = device_at(0);
    check_is_none(make_string(), "MTLDevice");
    check_is_none(make_plain_object(), "NSObject");
    check_is_none(class_of_string(), "MTLDevice");
    check_is_none((void *)class_named("AppleParavirtDevice"), "MTLDevice");
    check_is_none((void *)1, "not an object");
    check_is_none((void *)4095, "not an object");
    check_is_none((char *)device + 1, "not an object");
    check_is_none((char *)device + 4, "not an object");
    check_is_none((void *)(UINT64_C(1) << 63 | (uint64_t)(uintptr_t)device), "not an object");
    check_is_none((void *)UINT64_MAX, "not an object");
    assert_fails(mtlcap_adopt_device(NULL), MTLCAP_E_ARGUMENT, "NULL");
    assert_int_equal(device_count(), 1);
    apply("apple.min=7");
    check_is_none(make_string(), "MTLDevice");
    assert_int_equal(highest_family(device, 1000), 1007);
}

int main(void) {
    static const struct apart tests[] = {
        ON("two-vendors", the_list),
        ON("m3-pro", info_without_count),
        ON("paravirt", the_first_one_is_meant_by_null),
        ON("paravirt-fresh", a_later_device_of_a_hooked_class),
        ON("paravirt-fresh", its_stock_is_taken_when_it_can_be),
        ON("paravirt", a_device_of_another_class_is_not_covered),
        ON("paravirt", a_later_class_that_overrides_a_hooked_one),
        ON("paravirt", adopting_before_applying),
        ON("paravirt", adopting_before_the_list_is_looked_at),
        ON("m3-pro", null_is_not_the_adopted_one),
        ON("paravirt", adopting_while_applied),
        ON("paravirt", adopting_again),
        ON("paravirt", adopting_what_the_profile_is_a_hazard_on),
        ON("paravirt", a_device_that_cannot_be_adopted),
        ON("paravirt", an_adopted_device_is_kept_alive),
        ON("paravirt", a_class_made_at_run_time),
        ON("paravirt", a_wrapper),
        ON("paravirt", what_is_no_device),
    };
    return RUN_APART(tests);
}
