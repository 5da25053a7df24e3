/* Nested profiles: what was in force before comes back, whoever ends which first. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "foreign.h"
#include "support.h"

static uint64_t apply_as(const char *profile, int nested) {
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    uint64_t generation = 0;
    options.generation = &generation;
    options.nested = nested;
    assert_ok(mtlcap_apply_profile(profile, &options));
    assert_int_equal(generation, mtlcap_generation());
    return generation;
}

static uint64_t nest(const char *profile) {
    return apply_as(profile, 1);
}

static uint64_t put(const char *profile) {
    return apply_as(profile, 0);
}

#define assert_in_force(generation_, apple)                                                        \
    do {                                                                                           \
        assert_int_equal(mtlcap_generation(), generation_);                                        \
        assert_int_equal(report().generation, generation_);                                        \
        assert_int_equal(highest_family(device_at(0), 1000), 1000 + (apple));                      \
    } while (0)

static void what_was_before_comes_back(void **state) {
    (void)state;
    const uint64_t first = nest("apple.max=4"), second = nest("apple.min=6"), third = nest("auto");
    assert_in_force(third, 7);
    assert_ok(mtlcap_restore_generation(third));
    assert_in_force(second, 6);
    assert_string_equal(report().profile, "apple.min=6");
    const uint64_t again = nest("stock");
    assert_true(again > third);
    assert_in_force(again, 5);
    assert_ok(mtlcap_restore_generation(third)); /* long ended */
    assert_in_force(again, 5);
    assert_ok(mtlcap_restore_generation(again));
    assert_in_force(second, 6);
    assert_ok(mtlcap_restore_generation(second));
    assert_in_force(first, 4);
    assert_ok(mtlcap_restore_generation(first));
    assert_in_force(0, 5);
    assert_int_equal(mtlcap_is_active(), 0);
}

static void they_end_in_any_order(void **state) {
    (void)state;
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}};
    static const int apple[] = {4, 6, 7};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        const uint64_t generation[] = {nest("apple.max=4"), nest("apple.min=6"), nest("auto")};
        bool ended[3] = {false};
        for (int k = 0; k < 3; k++) {
            assert_ok(mtlcap_restore_generation(generation[orders[i][k]]));
            ended[orders[i][k]] = true;
            int last = 2;
            while (last >= 0 && ended[last])
                last--;
            assert_in_force(last < 0 ? 0 : generation[last], last < 0 ? 5 : apple[last]);
        }
    }
}

/* Whoever applied it need not know of those nested over it, nor they of it. */
static void over_somebody_elses(void **state) {
    (void)state;
    const uint64_t others = put("apple.min=6");
    assert_ok(mtlcap_restore_generation(nest("apple.max=4")));
    assert_in_force(others, 6);
    assert_ok(mtlcap_restore_generation(others));
    assert_in_force(0, 5);

    const uint64_t covered = put("apple.min=6"), ours = nest("apple.max=4");
    assert_ok(mtlcap_restore_generation(covered));
    assert_in_force(ours, 4);
    assert_ok(mtlcap_restore_generation(ours));
    assert_in_force(0, 5);
}

static void apply_and_restore_end_all(void **state) {
    (void)state;
    const uint64_t outer = nest("apple.max=4"), inner = nest("apple.min=6"), new = put("auto");
    assert_ok(mtlcap_restore_generation(inner));
    assert_ok(mtlcap_restore_generation(outer));
    assert_in_force(new, 7);
    const uint64_t over = nest("apple.min=6");
    assert_ok(mtlcap_restore());
    assert_in_force(0, 5);
    assert_ok(mtlcap_restore_generation(over));
    assert_ok(mtlcap_restore_generation(new));
    assert_in_force(0, 5);
}

static void consent_and_file_are_not_asked_for_again(void **state) {
    (void)state;
    char name[] = "/tmp/mtlcap-nested-XXXXXX", profile[64];
    const int file = mkstemp(name);
    assert_int_equal(write(file, "apple.min=9\n", 12), 12);
    assert_int_equal(close(file), 0);
    snprintf(profile, sizeof profile, "@%s", name);
    assert_ok(apply_allowing(profile, "beyond-hardware"));
    assert_int_equal(unlink(name), 0);
    const uint64_t others = mtlcap_generation();
    assert_ok(mtlcap_restore_generation(nest("auto")));
    assert_in_force(others, 9);
    assert_string_equal(report().profile, profile);
    assert_string_equal(report().allowed, "beyond-hardware");
}

static void adopting_leaves_what_is_below(void **state) {
    (void)state;
    const uint64_t outer = nest("apple.min=6"), inner = nest("apple.max=4");
    void *device = device_of_class("AGXG14GDevice");
    assert_ok(mtlcap_adopt_device(device));
    assert_in_force(inner, 4);
    assert_int_equal(highest_family(device, 1000), 1004);
    assert_ok(mtlcap_restore_generation(inner));
    assert_in_force(outer, 6);
    assert_int_equal(highest_family(device, 1000), 1006);
}

/* A refused one is not nested: nothing is to be ended. */
static void refused(void **state) {
    (void)state;
    const uint64_t outer = nest("apple.max=4");
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.nested = 1;
    assert_fails(mtlcap_apply_profile("apple.min=9", &options), MTLCAP_E_HAZARD, "beyond-hardware");
    assert_in_force(outer, 4);
    options.nested = 2;
    assert_fails(mtlcap_apply_profile("auto", &options), MTLCAP_E_ARGUMENT, "nested");
    assert_ok(mtlcap_restore_generation(outer));
    assert_in_force(0, 5);
}

static void a_caller_that_does_not_know_of_it(void **state) {
    (void)state;
    const uint64_t before = put("apple.max=4");
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.struct_size = offsetof(struct mtlcap_options, nested);
    options.nested = 1; /* beyond what it has */
    assert_ok(mtlcap_apply_profile("auto", &options));
    assert_ok(mtlcap_restore_generation(mtlcap_generation()));
    assert_in_force(0, 5);
    assert_ok(mtlcap_restore_generation(before));
}

/* It can be seen that what is in force has come back meanwhile, with the same number. */
static void what_was_published(void **state) {
    (void)state;
    put("apple.max=4");
    const struct mtlcap_report before = report(), same = report();
    assert_int_equal(before.published, same.published);
    assert_ok(mtlcap_restore_generation(nest("auto")));
    const struct mtlcap_report after = report();
    assert_int_equal(before.generation, after.generation);
    assert_true(before.published != after.published);
    assert_ok(mtlcap_restore());
    assert_true(after.published != report().published);
}

/* ---- what cannot come back --------------------------------------------------- */

static uint64_t ending;
static int ended = MTLCAP_OK;

static void end_from_inside(void *self) {
    (void)self;
    if (!ending)
        return;
    const uint64_t generation = ending;
    ending = 0;
    ended = mtlcap_restore_generation(generation);
}

/* Within an apply, none can begin: its end is stock. */
static void what_cannot_come_back(void **state) {
    (void)state;
    alarm(20);
    foreign_calls = end_from_inside;
    foreign_below =
        put_method(class_named("AppleParavirtDevice"), "supportsFamily:", (code)foreign_call);
    const uint64_t outer = nest("apple.max=4");
    const uint64_t inner = nest("apple.min=6");
    ending = inner;
    const uint64_t last = nest("threadgroup_memory.max=32K");
    assert_int_equal(ended, MTLCAP_E_BUSY);
    assert_in_force(last, 5);
    assert_ok(mtlcap_restore_generation(outer)); /* has gone, too */
    assert_ok(mtlcap_restore_generation(last));
    assert_in_force(0, 5);
}

/* ---- threads ----------------------------------------------------------------- */

static void *nest_and_end(void *unused) {
    (void)unused;
    for (int i = 0; i < 100; i++) {
        struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
        uint64_t generation = 0;
        options.generation = &generation;
        options.nested = 1;
        assert_ok(mtlcap_apply_profile(i % 2 ? "apple.min=6" : "apple.max=4", &options));
        assert_ok(mtlcap_restore_generation(generation));
    }
    return NULL;
}

static void by_many_threads(void **state) {
    (void)state;
    const uint64_t before = put("auto"); /* hooks go in before others ask */
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, nest_and_end, NULL), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_in_force(before, 7);
    assert_ok(mtlcap_restore_generation(before));
    assert_in_force(0, 5);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", what_was_before_comes_back),
        ON("paravirt", they_end_in_any_order),
        ON("paravirt", over_somebody_elses),
        ON("paravirt", apply_and_restore_end_all),
        ON("paravirt", consent_and_file_are_not_asked_for_again),
        ON("paravirt", adopting_leaves_what_is_below),
        ON("paravirt", refused),
        ON("paravirt", a_caller_that_does_not_know_of_it),
        ON("paravirt", what_was_published),
        ON("paravirt", what_cannot_come_back),
        ON("paravirt", by_many_threads),
    };
    return RUN_APART(tests);
}
