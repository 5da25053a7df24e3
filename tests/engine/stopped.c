/* An apply that is stopped half-way, in others' code: what everybody else sees and can do. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "foreign.h"
#include "support.h"

static void *device;
static pthread_barrier_t reached, go_on;
static atomic_int calls_left; /* of the device's own supportsFamily:, until it stops */
static int calls;

static void count(void *self) {
    (void)self;
    calls++;
}

static void stop(void *self) {
    (void)self;
    if (atomic_load(&calls_left) <= 0 || atomic_fetch_sub(&calls_left, 1) != 1)
        return;
    pthread_barrier_wait(&reached);
    pthread_barrier_wait(&go_on);
}

static void *apply_on_a_thread(void *profile) {
    assert_ok(apply_allowing(profile, every_hazard()));
    return NULL;
}

/* The calls of the device's own method that come with applying `profile`. Leaves hooks in place, so
 * that none is added later: GCC's runtime cannot do that while others ask. */
static int calls_of_applying(const char *profile) {
    apply(profile);
    assert_ok(mtlcap_restore());
    calls = 0;
    apply(profile);
    assert_ok(mtlcap_restore());
    return calls;
}

static void prepare(void) {
    alarm(60);
    device = device_at(0);
    assert_int_equal(pthread_barrier_init(&reached, NULL, 2), 0);
    assert_int_equal(pthread_barrier_init(&go_on, NULL, 2), 0);
    foreign_below =
        put_method(class_named("AppleParavirtDevice"), "supportsFamily:", (code)foreign_call);
    foreign_calls = count;
}

/* Starts `function`, and returns when it is in the last of `last` calls: all has been proved,
 * nothing has been published. */
static pthread_t start_and_stop(void *(*function)(void *), void *argument, int last) {
    assert_true(last > 0);
    foreign_calls = stop;
    atomic_store(&calls_left, last);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, function, argument), 0);
    pthread_barrier_wait(&reached);
    return thread;
}

/* Applies `profile` and stops, with `before` in force; NULL: nothing. */
static pthread_t apply_and_stop(const char *profile, const char *before) {
    prepare();
    int last = calls_of_applying(profile);
    if (before) {
        apply(before);
        calls = 0;
        apply(profile);
        last = calls;
        apply(before);
    }
    return start_and_stop(apply_on_a_thread, (void *)(uintptr_t)profile, last);
}

static void finish(pthread_t thread) {
    pthread_barrier_wait(&go_on);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void nobody_sees_what_is_being_proved(void **state) {
    (void)state;
    const pthread_t thread = apply_and_stop("apple.min=7", NULL);
    assert_int_equal(highest_family(device, 1000), 1005);
    assert_int_equal(mtlcap_is_active(), 0);
    assert_int_equal(mtlcap_generation(), 0);
    assert_int_equal(answer_of(device, "apple").effective.number[0], 5);
    assert_int_equal(report().change_count, 0);
    finish(thread);
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_int_equal(mtlcap_is_active(), 1);
}

static void what_was_in_force_stays_until_then(void **state) {
    (void)state;
    const pthread_t thread = apply_and_stop("apple.min=7", "apple.max=3");
    assert_int_equal(highest_family(device, 1000), 1003);
    assert_int_equal(answer_of(device, "apple").stock.number[0], 5);
    assert_string_equal(answer_of(device, "apple").rule, "apple.max=3");
    assert_int_equal(mtlcap_is_active(), 1);
    finish(thread);
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_int_equal(answer_of(device, "apple").stock.number[0], 5);
}

static void restoring_meanwhile_is_at_once(void **state) {
    (void)state;
    const pthread_t thread = apply_and_stop("apple.min=7", "apple.max=3");
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1005);
    assert_int_equal(mtlcap_is_active(), 0);
    finish(thread); /* the apply that had begun before comes after */
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1005);
}

static void *adopt_on_a_thread(void *object) {
    assert_ok(mtlcap_adopt_device(object));
    return NULL;
}

/* The apply has looked at the list of devices before. */
static void adopting_meanwhile_gets_the_new_profile(void **state) {
    (void)state;
    void *other = device_of_class("AGXG14GDevice");
    const pthread_t thread = apply_and_stop("apple.min=7", "apple.max=3");
    pthread_t adopting;
    assert_int_equal(pthread_create(&adopting, NULL, adopt_on_a_thread, other), 0);
    usleep(100000); /* it waits for its turn by now, or for ever */
    finish(thread);
    assert_int_equal(pthread_join(adopting, NULL), 0);
    assert_int_equal(highest_family(other, 1000), 1007);
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_string_equal(answer_of(other, "apple").rule, "apple.min=7");
}

static void restoring_while_a_device_is_adopted(void **state) {
    (void)state;
    void *other = device_of_class("AGXG14GDevice");
    prepare();
    apply("apple.min=7");
    assert_ok(mtlcap_adopt_device(other)); /* its hooks */
    calls = 0;
    assert_ok(mtlcap_adopt_device(other));
    const pthread_t thread = start_and_stop(adopt_on_a_thread, other, calls);
    assert_ok(mtlcap_restore());
    finish(thread); /* adopting is no apply: what was restored stays restored */
    assert_int_equal(mtlcap_is_active(), 0);
    assert_int_equal(mtlcap_generation(), 0);
    assert_int_equal(highest_family(other, 1000), 1005);
    assert_int_equal(highest_family(device, 1000), 1005);
}

static void applying_meanwhile_takes_turns(void **state) {
    (void)state;
    const pthread_t first = apply_and_stop("apple.min=7", NULL);
    pthread_t second;
    assert_int_equal(pthread_create(&second, NULL, apply_on_a_thread, (void *)"apple.max=2"), 0);
    usleep(100000);
    assert_int_equal(highest_family(device, 1000), 1005);
    finish(first);
    assert_int_equal(pthread_join(second, NULL), 0);
    assert_int_equal(highest_family(device, 1000), 1002);
}

static void applying_meanwhile_gives_up_after_two_seconds(void **state) {
    (void)state;
    const pthread_t thread = apply_and_stop("apple.min=7", NULL);
    assert_fails(mtlcap_apply_profile("apple.max=2", NULL), MTLCAP_E_BUSY, "try again");
    finish(thread);
    assert_int_equal(highest_family(device, 1000), 1007);
}

/* In the child no apply goes on, and what was in force is. Statuses say where it went wrong. */
static int fail_to_apply_in_child(void *unused) {
    (void)unused;
    alarm(20);
    if (highest_family(device, 1000) != 1003 || !mtlcap_is_active())
        return 1;
    Class cls = class_named("AppleParavirtDevice"), agent = make_subclass(cls, "Agent");
    put_method(agent, "supportsFamily:", (code)foreign_only_family);
    set_class(device, agent);
    if (apply_allowing("apple.min=8", every_hazard()) != MTLCAP_E_NOT_REACHED)
        return 2;
    set_class(device, cls);
    if (highest_family(device, 1000) != 1003 || !mtlcap_is_active())
        return 3;
    if (mtlcap_restore() || highest_family(device, 1000) != 1005)
        return 4;
    return 0;
}

static void a_child_forked_meanwhile_keeps_what_is_in_force(void **state) {
    (void)state;
    const pthread_t thread = apply_and_stop("apple.min=7", "apple.max=3");
    assert_int_equal(in_child(fail_to_apply_in_child, NULL), 0);
    assert_int_equal(highest_family(device, 1000), 1003);
    finish(thread);
    assert_int_equal(highest_family(device, 1000), 1007);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", nobody_sees_what_is_being_proved),
        ON("paravirt", what_was_in_force_stays_until_then),
        ON("paravirt", restoring_meanwhile_is_at_once),
        ON("paravirt", adopting_meanwhile_gets_the_new_profile),
        ON("paravirt", a_child_forked_meanwhile_keeps_what_is_in_force),
        ON("paravirt", restoring_while_a_device_is_adopted),
        ON("paravirt", applying_meanwhile_takes_turns),
        ON("paravirt", applying_meanwhile_gives_up_after_two_seconds),
    };
    return RUN_APART(tests);
}
