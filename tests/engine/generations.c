/* Generations: two users in one process do not undo each other. */
#include <pthread.h>
#include <stdatomic.h>

#include "support.h"

static uint64_t apply_for_generation(const char *profile) {
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    uint64_t generation = 0;
    options.allow = every_hazard();
    options.generation = &generation;
    assert_ok(mtlcap_apply_profile(profile, &options));
    assert_int_equal(generation, mtlcap_generation());
    assert_int_equal(generation, report().generation);
    return generation;
}

static void none_at_first(void **state) {
    (void)state;
    assert_int_equal(mtlcap_generation(), 0);
    assert_int_equal(mtlcap_is_active(), 0);
    assert_int_equal(report().generation, 0);
    assert_ok(mtlcap_restore()); /* nothing to restore */
    assert_fails(mtlcap_restore_generation(0), MTLCAP_E_ARGUMENT, "0");
    assert_fails(mtlcap_restore_generation(1), MTLCAP_E_ARGUMENT, "1");
}

static void they_go_up(void **state) {
    (void)state;
    const uint64_t first = apply_for_generation("apple.min=7");
    const uint64_t second = apply_for_generation("apple.min=7");
    assert_true(first > 0);
    assert_true(second > first);
    assert_ok(mtlcap_restore());
    assert_int_equal(mtlcap_generation(), 0);
    assert_true(apply_for_generation("apple.min=7") > second);
}

static void a_superseded_one_restores_nothing(void **state) {
    (void)state;
    void *device = device_at(0);
    const uint64_t first = apply_for_generation("apple.min=7");
    const uint64_t second = apply_for_generation("apple.min=8");
    assert_ok(mtlcap_restore_generation(first));
    assert_int_equal(highest_family(device, 1000), 1008);
    assert_int_equal(mtlcap_generation(), second);
    assert_ok(mtlcap_restore_generation(second));
    assert_int_equal(highest_family(device, 1000), 1005);
    assert_int_equal(mtlcap_generation(), 0);
    assert_int_equal(mtlcap_is_active(), 0);
}

static void restoring_is_idempotent(void **state) {
    (void)state;
    void *device = device_at(0);
    const uint64_t first = apply_for_generation("apple.min=7");
    for (int i = 0; i < 3; i++) {
        assert_ok(mtlcap_restore_generation(first));
        assert_ok(mtlcap_restore());
        assert_int_equal(highest_family(device, 1000), 1005);
    }
    const uint64_t second = apply_for_generation("apple.min=7");
    assert_ok(mtlcap_restore_generation(first)); /* long gone */
    assert_int_equal(mtlcap_generation(), second);
    assert_int_equal(highest_family(device, 1000), 1007);
}

static void one_that_never_was(void **state) {
    (void)state;
    void *device = device_at(0);
    const uint64_t generation = apply_for_generation("apple.min=7");
    assert_fails(mtlcap_restore_generation(0), MTLCAP_E_ARGUMENT, "never");
    assert_fails(mtlcap_restore_generation(generation + 1), MTLCAP_E_ARGUMENT, "never");
    assert_fails(mtlcap_restore_generation(UINT64_MAX), MTLCAP_E_ARGUMENT, "never");
    assert_int_equal(highest_family(device, 1000), 1007);
}

static void active_is_about_rules(void **state) {
    (void)state;
    apply("apple.min=7");
    assert_int_equal(mtlcap_is_active(), 1);
    assert_ok(mtlcap_restore());
    assert_int_equal(mtlcap_is_active(), 0);
    apply("stock"); /* in force, and overrides nothing */
    assert_int_equal(mtlcap_is_active(), 0);
    assert_true(mtlcap_generation() > 0);
    assert_ok(mtlcap_restore());
    assert_int_equal(mtlcap_generation(), 0);
}

static atomic_bool stop;

static void *restore_for_ever(void *unused) {
    (void)unused;
    while (!atomic_load(&stop))
        mtlcap_restore();
    return NULL;
}

/* The number is there also where another thread has restored at once. */
static void restored_as_soon_as_applied(void **state) {
    (void)state;
    device_at(0);
    apply("apple.min=7"); /* hooks go in before others ask */
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, restore_for_ever, NULL), 0);
    uint64_t last = mtlcap_generation();
    for (int i = 0; i < 300; i++) {
        struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
        uint64_t generation = 0;
        options.generation = &generation;
        assert_ok(mtlcap_apply_profile("apple.min=7", &options));
        assert_true(generation > last);
        last = generation;
    }
    atomic_store(&stop, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void adopting_is_no_new_generation(void **state) {
    (void)state;
    const uint64_t generation = apply_for_generation("apple.min=7");
    void *device = device_of_class("AGXG14GDevice");
    assert_ok(mtlcap_adopt_device(device));
    assert_int_equal(mtlcap_generation(), generation);
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_ok(mtlcap_restore_generation(generation));
    assert_int_equal(highest_family(device, 1000), 1005);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", none_at_first),
        ON("paravirt", they_go_up),
        ON("paravirt", a_superseded_one_restores_nothing),
        ON("paravirt", restoring_is_idempotent),
        ON("paravirt", one_that_never_was),
        ON("paravirt", active_is_about_rules),
        ON("paravirt", restored_as_soon_as_applied),
        ON("paravirt", adopting_is_no_new_generation),
    };
    return RUN_APART(tests);
}
