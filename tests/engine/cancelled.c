/* A thread that is cancelled while it applies, or waits for its turn: what is under way is finished
 * first, and the library stays usable for the others. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "foreign.h"
#include "support.h"

static void *device;
static pthread_barrier_t reached, go_on;
static atomic_int stops; /* how many more times the original stops */

/* A cancellation point, as there may be in any code of others. */
static void stop(void *self) {
    (void)self;
    if (atomic_fetch_sub(&stops, 1) > 0) {
        pthread_barrier_wait(&reached);
        pthread_barrier_wait(&go_on);
    }
    pthread_testcancel();
}

static atomic_int status;

static void *apply_on_a_thread(void *profile) {
    atomic_store(&status, mtlcap_apply_profile(profile, NULL));
    pthread_testcancel(); /* out here it can be cancelled again */
    return NULL;
}

/* Returns when the thread is in the middle of applying apple.max=3. */
static pthread_t apply_and_stop(void) {
    alarm(60);
    device = device_at(0);
    assert_int_equal(pthread_barrier_init(&reached, NULL, 2), 0);
    assert_int_equal(pthread_barrier_init(&go_on, NULL, 2), 0);
    foreign_calls = stop;
    foreign_below =
        put_method(class_named("AppleParavirtDevice"), "supportsFamily:", (code)foreign_call);
    atomic_store(&stops, 1);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, apply_on_a_thread, (void *)"apple.max=3"), 0);
    pthread_barrier_wait(&reached);
    return thread;
}

static void *result_of(pthread_t thread) {
    void *result;
    assert_int_equal(pthread_join(thread, &result), 0);
    return result;
}

/* Everything works, and nobody has kept the turn. */
static void check_usable(void) {
    assert_int_equal(highest_family(device, 1000), 1003);
    assert_int_equal(answer_of(device, "apple").stock.number[0], 5);
    assert_ok(mtlcap_apply_profile("apple.max=2", NULL));
    assert_int_equal(highest_family(device, 1000), 1002);
    assert_ok(mtlcap_restore());
    assert_int_equal(highest_family(device, 1000), 1005);
}

static void while_it_applies(void **state) {
    (void)state;
    const pthread_t thread = apply_and_stop();
    assert_int_equal(pthread_cancel(thread), 0);
    pthread_barrier_wait(&go_on);
    assert_ptr_equal(result_of(thread), PTHREAD_CANCELED);
    assert_int_equal(atomic_load(&status), MTLCAP_OK);
    check_usable();
}

static void while_it_waits_for_its_turn(void **state) {
    (void)state;
    const pthread_t first = apply_and_stop();
    pthread_t waiting;
    assert_int_equal(pthread_create(&waiting, NULL, apply_on_a_thread, (void *)"apple.max=3"), 0);
    usleep(100000); /* it waits by now, or the test shows less */
    assert_int_equal(pthread_cancel(waiting), 0);
    usleep(100000);
    assert_int_equal(mtlcap_generation(), 0); /* needs the lock */
    pthread_barrier_wait(&go_on);
    assert_null(result_of(first));
    assert_ptr_equal(result_of(waiting), PTHREAD_CANCELED);
    assert_int_equal(atomic_load(&status), MTLCAP_OK);
    check_usable();
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", while_it_applies),
        ON("paravirt", while_it_waits_for_its_turn),
    };
    return RUN_APART(tests);
}
