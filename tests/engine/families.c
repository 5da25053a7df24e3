/* Families: axes are apart, floors fill holes, ids beyond the known ones stay unless there is a
 * ceiling. */
#include "support.h"

static void check_stock_apple5(void *device) {
    assert_int_equal(highest_family(device, 1000), 1005);
    assert_int_equal(highest_family(device, 3000), 3003);
    assert_int_equal(highest_family(device, 5000), 0);
}

static void a_floor_touches_its_axis_only(void **state) {
    (void)state;
    void *device = device_at(0);
    const struct snapshot before = snapshot_of(device);
    check_stock_apple5(device);
    apply("apple.min=9");
    for (int64_t family = 1001; family <= 1009; family++)
        assert_true(supports_family(device, family));
    assert_false(supports_family(device, 1010));
    const struct snapshot during = snapshot_of(device);
    for (size_t i = 0; i < before.count; i++)
        if (before.entry[i].question[16] != '1') /* "supportsFamily: 1..." */
            assert_int_equal(before.entry[i].answer, during.entry[i].answer);
}

static void a_floor_fills_holes(void **state) {
    (void)state;
    void *device = device_at(0); /* Common families only */
    assert_int_equal(highest_family(device, 1000), 0);
    apply("apple.min=7");
    for (int64_t family = 1001; family <= 1007; family++)
        assert_true(supports_family(device, family));
    assert_int_equal(answer_of(device, "apple").stock.number[0], 0);
    assert_string_equal(answer_of(device, "apple").stock.text, "off");
    assert_int_equal(answer_of(device, "apple").effective.members, 0x7f);
}

static void unknown_families_stay_stock_under_a_floor(void **state) {
    (void)state;
    void *device = device_at(0); /* its driver knows families that this library does not */
    apply("apple.min=9,common.min=3,metal.min=4");
    assert_true(supports_family(device, 1012));
    assert_false(supports_family(device, 1011));
    assert_false(supports_family(device, 1021));
    assert_true(supports_family(device, 3006));
    assert_true(supports_family(device, 5003));
    assert_false(supports_family(device, 5006));
}

static void unknown_families_are_denied_under_a_ceiling(void **state) {
    (void)state;
    void *device = device_at(0);
    assert_true(supports_family(device, 1012));
    apply("apple.max=9,common.max=3,metal.max=3");
    assert_false(supports_family(device, 1012));
    assert_false(supports_family(device, 1021));
    assert_false(supports_family(device, 3006));
    assert_false(supports_family(device, 5003));
    assert_false(supports_family(device, 5006));
    assert_true(supports_family(device, 1005));
    assert_true(supports_family(device, 3003));
    assert_true(supports_family(device, 5001));
    assert_false(supports_family(device, 5002));
    assert_ok(mtlcap_restore());
    assert_true(supports_family(device, 1012));
    assert_true(supports_family(device, 3006));
}

static void a_floor_and_a_ceiling(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=3,apple.max=7");
    assert_int_equal(highest_family(device, 1000), 1005);
    assert_string_equal(answer_of(device, "apple").rule, "apple.min=3, apple.max=7");
    apply("apple.min=7,apple.max=8");
    assert_int_equal(highest_family(device, 1000), 1007);
    apply("apple=6");
    assert_int_equal(highest_family(device, 1000), 1006);
    assert_string_equal(answer_of(device, "apple").rule, "apple=6");
    apply("apple.min=9,apple.max=2"); /* the later one wins */
    assert_int_equal(highest_family(device, 1000), 1002);
}

static void no_families_at_all(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("no-families");
    for (int64_t family = 1001; family < 6000; family++)
        assert_false(supports_family(device, family));
    for (int64_t set = 10000; set < 10010; set++)
        assert_int_equal(simmetal_ask_with(device, "supportsFeatureSet:", set), 0);
    assert_string_equal(answer_of(device, "apple").effective.text, "off");
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1009);
}

static void numbers_that_are_no_family(void **state) {
    (void)state;
    static const int64_t others[] = {0, 1, -1, 1000, 999, 2000, 4999, 6000, INT64_MAX, INT64_MIN};
    void *device = device_at(0);
    apply("apple=7,mac=2,common=3,metal=off,catalyst=off");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_false(supports_family(device, others[i]));
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt-cached", a_floor_touches_its_axis_only),
        ON("paravirt-common3-only", a_floor_fills_holes),
        ON("unknown-families.ini", unknown_families_stay_stock_under_a_floor),
        ON("unknown-families.ini", unknown_families_are_denied_under_a_ceiling),
        ON("paravirt", a_floor_and_a_ceiling),
        ON("m3-pro", no_families_at_all),
        ON("paravirt", numbers_that_are_no_family),
    };
    return RUN_APART(tests);
}
