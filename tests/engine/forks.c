/* A forked child has the library in working order, whatever other threads were doing. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "foreign.h"
#include "support.h"

static void *device;

/* Statuses of the children: where it went wrong. */
static int use_in_child(void *unused) {
    (void)unused;
    alarm(20);
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    if (mtlcap_query(device, "apple", &answer))
        return 1;
    if (mtlcap_apply_profile("apple.max=3", NULL) || highest_family(device, 1000) != 1003)
        return 2;
    if (mtlcap_query(device, "apple", &answer) || answer.stock.number[0] != 5)
        return 3;
    if (mtlcap_restore() || highest_family(device, 1000) != 1005)
        return 4;
    return mtlcap_generation() == 0 ? 0 : 5;
}

static void a_child_of_a_process_with_a_profile(void **state) {
    (void)state;
    device = device_at(0);
    apply("apple.min=7");
    const uint64_t generation = mtlcap_generation();
    assert_int_equal(in_child(use_in_child, NULL), 0);
    assert_int_equal(highest_family(device, 1000), 1007); /* the parent's own */
    assert_int_equal(mtlcap_generation(), generation);
}

static int see_in_child(void *unused) {
    (void)unused;
    return mtlcap_is_active() && highest_family(device, 1000) == 1007 ? 0 : 1;
}

static void a_child_has_its_parents_profile(void **state) {
    (void)state;
    device = device_at(0);
    apply("apple.min=7");
    assert_int_equal(in_child(see_in_child, NULL), 0);
}

/* ---- while another thread is applying ---------------------------------------- */

static pthread_barrier_t reached, go_on;
static atomic_int holds; /* how many more times the original stops */

static void stop_in_the_original(void *self) {
    (void)self;
    if (atomic_load(&holds) <= 0 || atomic_fetch_sub(&holds, 1) != 1)
        return;
    pthread_barrier_wait(&reached);
    pthread_barrier_wait(&go_on);
}

static void *apply_on_a_thread(void *unused) {
    (void)unused;
    assert_ok(apply_allowing("apple.min=7", every_hazard()));
    return NULL;
}

/* Whoever waits for longer than two seconds, on a slow machine, is told so. */
static void *apply_if_it_can(void *unused) {
    (void)unused;
    mtlcap_apply_profile("apple.min=7", NULL);
    return NULL;
}

/* ThreadSanitizer ends a child of several threads that starts one. */
#if defined(__SANITIZE_THREAD__)
enum { CHILD_MAY_HAVE_THREADS = 0 };
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
enum { CHILD_MAY_HAVE_THREADS = 0 };
#else
enum { CHILD_MAY_HAVE_THREADS = 1 };
#endif
#else
enum { CHILD_MAY_HAVE_THREADS = 1 };
#endif

/* Threads of the child wait for each other's turn, and not for a thread that the parent had. */
static int take_turns_in_child(void *unused) {
    (void)unused;
    alarm(20);
    for (int round = 0; round < 20; round++) {
        pthread_t threads[3];
        for (int i = 0; i < 3; i++)
            if (pthread_create(&threads[i], NULL, apply_if_it_can, NULL))
                return 1;
        for (int i = 0; i < 3; i++)
            pthread_join(threads[i], NULL);
    }
    return 0;
}

/* Forks while the other thread is in the n-th call of an original in the middle of an apply: in the
 * snapshot, in the proof. */
static void fork_at_call(int n) {
    pthread_t thread;
    atomic_store(&holds, n);
    assert_int_equal(pthread_create(&thread, NULL, apply_on_a_thread, NULL), 0);
    pthread_barrier_wait(&reached);
    pthread_t waiting; /* for its turn: the child must not wait for it */
    assert_int_equal(pthread_create(&waiting, NULL, apply_if_it_can, NULL), 0);
    usleep(100000);
    assert_int_equal(in_child(use_in_child, NULL), 0);
    if (CHILD_MAY_HAVE_THREADS)
        assert_int_equal(in_child(take_turns_in_child, NULL), 0);
    else
        print_message("not run under ThreadSanitizer: a child that starts threads\n");
    pthread_barrier_wait(&go_on);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(pthread_join(waiting, NULL), 0);
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_ok(mtlcap_restore());
}

static int count_calls;
static void count(void *self) {
    (void)self;
    count_calls++;
}

static void a_child_of_a_process_that_is_applying(void **state) {
    (void)state;
    alarm(60);
    device = device_at(0);
    assert_int_equal(pthread_barrier_init(&reached, NULL, 2), 0);
    assert_int_equal(pthread_barrier_init(&go_on, NULL, 2), 0);
    foreign_below =
        put_method(class_named("AppleParavirtDevice"), "supportsFamily:", (code)foreign_call);
    foreign_calls = count;
    apply("apple.min=7");
    assert_ok(mtlcap_restore());
    count_calls = 0;
    apply("apple.min=7"); /* nothing is added from here on */
    assert_ok(mtlcap_restore());
    const int last = count_calls;
    assert_true(last > 4);
    foreign_calls = stop_in_the_original;
    fork_at_call(1);
    fork_at_call(last / 2);
    fork_at_call(last);
}

/* ---- while another thread has the lock ------------------------------------ */

static atomic_bool stop;

static void *restore_for_ever(void *unused) {
    (void)unused;
    while (!atomic_load(&stop))
        mtlcap_restore();
    return NULL;
}

static int restore_in_child(void *unused) {
    (void)unused;
    alarm(10);
    return mtlcap_restore() || mtlcap_generation() ? 1 : 0;
}

/* Nothing has been applied yet. */
static void a_child_of_a_process_that_is_restoring(void **state) {
    (void)state;
    pthread_t thread;
    assert_ok(mtlcap_restore());
    assert_int_equal(pthread_create(&thread, NULL, restore_for_ever, NULL), 0);
    int status = 0;
    for (int i = 0; i < 100 && !status; i++)
        status = in_child(restore_in_child, NULL);
    atomic_store(&stop, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(status, 0);
}

/* ---- in others' fork handlers ----------------------------------------------- */

static int handled, handled_badly;

static void use_in_handler(void) {
    handled++;
    handled_badly += use_in_child(NULL) != 0;
}

static int see_handled(void *unused) {
    (void)unused;
    return handled == 2 && !handled_badly && !use_in_child(NULL) ? 0 : 1;
}

/* Handlers that were there before ours run while ours have the locks. */
static void fork_handlers_that_call_the_library(void **state) {
    (void)state;
    alarm(60);
    device = device_at(0);
    assert_int_equal(pthread_atfork(use_in_handler, use_in_handler, use_in_handler), 0);
    assert_ok(mtlcap_restore()); /* the first call */
    assert_int_equal(in_child(see_handled, NULL), 0);
    assert_int_equal(handled, 2); /* before and after; the other after is the child's */
    assert_int_equal(handled_badly, 0);
    assert_int_equal(use_in_child(NULL), 0);
}

/* ---- while another thread is in the very first call --------------------------- */

static atomic_bool slow;

/* In the place of the runtime's, for the library too, which calls it under a lock. */
__attribute__((visibility("default"))) void objc_registerClassPair(Class cls) {
    if (atomic_exchange(&slow, false)) {
        pthread_barrier_wait(&reached);
        usleep(100000); /* forking waits for this call, so it cannot wait for the fork */
    }
    void (*next)(Class);
    *(void **)&next = dlsym(RTLD_NEXT, "objc_registerClassPair");
    next(cls);
}

static void *call_first(void *unused) {
    (void)unused;
    assert_ok(mtlcap_restore());
    pthread_barrier_wait(&go_on); /* a thread that had ended would count as leaked in the child */
    return NULL;
}

static void a_child_of_a_process_in_its_first_call(void **state) {
    (void)state;
    alarm(60);
    device = device_at(0);
    assert_int_equal(pthread_barrier_init(&reached, NULL, 2), 0);
    assert_int_equal(pthread_barrier_init(&go_on, NULL, 2), 0);
    atomic_store(&slow, true);
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, call_first, NULL), 0);
    pthread_barrier_wait(&reached);
    assert_int_equal(in_child(restore_in_child, NULL), 0);
    pthread_barrier_wait(&go_on);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", a_child_of_a_process_with_a_profile),
        ON("paravirt", a_child_has_its_parents_profile),
        ON("paravirt", a_child_of_a_process_that_is_applying),
        ON("paravirt", a_child_of_a_process_that_is_restoring),
        ON("paravirt", fork_handlers_that_call_the_library),
        ON("paravirt", a_child_of_a_process_in_its_first_call),
    };
    return RUN_APART(tests);
}
