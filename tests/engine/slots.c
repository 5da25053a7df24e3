/* There are as many hooks as were compiled in: when they run out, apply says so, and does nothing.
 */
#include "support.h"

/* Concrete classes; the abstract ones above them would do, too. */
static const char *const classes[] = {
    "OtherVendorDevice", "FamilyOverridingDevice", "InitOverridingDevice", "AGXG13GDevice",
    "AGXG13XDevice",     "AGXG14GDevice",          "AGXG14XDevice",        "AGXG15GDevice",
    "AGXG15XDevice",     "AGXG16GDevice",          "AGXG16XDevice",        "AGXG17GDevice",
    "AGXG17XDevice",
};
enum { CLASSES = sizeof classes / sizeof classes[0] };

/* Six selectors of one kind on every class: more than there are hooks. */
#define GREEDY                                                                                     \
    "apple.max=3,feature_set=off,texture_sample_count.max=2,vertex_amplification.max=1,"           \
    "rasterization_rate_layers.max=1,counter_sampling_stage=off"

static void make_devices(void *devices[CLASSES]) {
    for (int i = 0; i < CLASSES; i++)
        devices[i] = device_of_class(classes[i]);
}

static void adopt_all(void *devices[CLASSES]) {
    for (int i = 0; i < CLASSES; i++)
        assert_ok(mtlcap_adopt_device(devices[i]));
}

static void nothing_is_applied(void **state) {
    (void)state;
    void *devices[CLASSES];
    make_devices(devices);
    adopt_all(devices);
    struct snapshot before[CLASSES];
    for (int i = 0; i < CLASSES; i++)
        before[i] = snapshot_of(devices[i]);
    const unsigned methods = own_method_count(class_named("AppleParavirtDevice"));
    assert_fails(apply_allowing(GREEDY, every_hazard()), MTLCAP_E_SLOTS, "fewer");
    assert_int_equal(mtlcap_is_active(), 0);
    assert_int_equal(mtlcap_generation(), 0);
    assert_int_equal(report().hook_count, 0);
    assert_int_equal(own_method_count(class_named("AppleParavirtDevice")), methods);
    for (int i = 0; i < CLASSES; i++) {
        const struct snapshot after = snapshot_of(devices[i]);
        assert_same_answers(&before[i], &after, NULL);
    }
    /* and a smaller one fits */
    apply("apple.max=3");
    for (int i = 0; i < CLASSES; i++)
        assert_int_equal(highest_family(devices[i], 1000), 1003);
}

static void what_was_in_force_stays(void **state) {
    (void)state;
    void *devices[CLASSES];
    make_devices(devices);
    adopt_all(devices);
    apply("apple.min=7");
    const uint64_t generation = mtlcap_generation();
    const uint32_t hooks = report().hook_count;
    for (int round = 0; round < 3; round++) {
        assert_fails(apply_allowing(GREEDY, every_hazard()), MTLCAP_E_SLOTS, "fewer");
        assert_int_equal(mtlcap_generation(), generation);
        assert_int_equal(report().hook_count, hooks);
        for (int i = 0; i < CLASSES; i++)
            assert_int_equal(highest_family(devices[i], 1000), 1007);
    }
}

/* Devices that come one by one: the one that does not fit is not taken, the others stay covered. */
static void adopting_one_too_many(void **state) {
    (void)state;
    void *devices[CLASSES];
    make_devices(devices);
    apply(GREEDY);
    int adopted = 0, status = MTLCAP_OK;
    while (adopted < CLASSES && status == MTLCAP_OK)
        status = mtlcap_adopt_device(devices[adopted++]);
    assert_int_equal(status, MTLCAP_E_SLOTS);
    adopted--;
    assert_true(adopted >= 5);
    for (int i = 0; i < adopted; i++)
        assert_int_equal(highest_family(devices[i], 1000), 1003);
    assert_int_equal(highest_family(devices[adopted], 1000), 1005);

    uint32_t count = 0;
    assert_ok(mtlcap_device_count(&count));
    assert_int_equal(count, 1 + adopted);
    apply(GREEDY); /* what fitted before fits again */
    assert_ok(mtlcap_restore());
    for (int i = 0; i < adopted; i++)
        assert_int_equal(highest_family(devices[i], 1000), 1005);
}

/* Foreign hooks that hide ours, each another function, cost one more each time. */
#define SAYS_NO(n)                                                                                 \
    static uint64_t says_no_##n(void *self, SEL selector, int64_t family) {                        \
        (void)self;                                                                                \
        (void)selector;                                                                            \
        return family == -(n); /* a function of its own, for every linker */                       \
    }
#define NAME_OF(n) (code) says_no_##n,
#define TEN(F, t) F(t##0) F(t##1) F(t##2) F(t##3) F(t##4) F(t##5) F(t##6) F(t##7) F(t##8) F(t##9)
#define SEVENTY(F) TEN(F, 1) TEN(F, 2) TEN(F, 3) TEN(F, 4) TEN(F, 5) TEN(F, 6) TEN(F, 7)
SEVENTY(SAYS_NO)
static const code says_no[] = {SEVENTY(NAME_OF)};

static void running_out_above_others(void **state) {
    (void)state;
    void *device = device_at(0);
    Class cls = class_named("AppleParavirtDevice");
    int status = MTLCAP_OK, rounds = 0;
    while (status == MTLCAP_OK && rounds < 70) {
        status = apply_allowing("apple.min=7", every_hazard());
        if (status == MTLCAP_OK) {
            assert_int_equal(highest_family(device, 1000), 1007);
            put_method(cls, "supportsFamily:", says_no[rounds]);
            rounds++;
        }
    }
    assert_int_equal(status, MTLCAP_E_SLOTS);
    assert_true(rounds >= 20);
    assert_int_equal(highest_family(device, 1000), 0);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 0);
    assert_int_equal(mtlcap_is_active(), 0);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", nothing_is_applied),
        ON("paravirt", what_was_in_force_stays),
        ON("paravirt", adopting_one_too_many),
        ON("paravirt", running_out_above_others),
    };
    return RUN_APART(tests);
}
