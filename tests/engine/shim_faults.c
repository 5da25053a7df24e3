/* What goes wrong with the shims that people use today, one test for each fault, named after it. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "foreign.h"
#include "odd_devices.h"
#include "support.h"

/* The published profile. */
#define LUME "lume"

static void writes_the_inherited_method_in_the_superclass(void **state) {
    (void)state;
    void *paravirtual = device_at(0), *sibling = device_at(1);
    const code root = own_code(class_named("_MTLDevice"), "supportsFamily:");
    const struct snapshot before = snapshot_of(sibling);
    assert_ok(mtlcap_apply_profile("auto", NULL));
    assert_int_equal(highest_family(paravirtual, 1000), 1007);
    const struct snapshot after = snapshot_of(sibling);
    assert_same_answers(&before, &after, NULL); /* Apple9 and 32 KiB there: inconsistent */
    assert_ptr_equal(own_code(class_named("_MTLDevice"), "supportsFamily:"), root);
}

static void hooks_only_the_class_of_the_first_device(void **state) {
    (void)state;
    void *first = device_at(0), *paravirtual = device_at(1);
    apply(LUME);
    for (int i = 0; i < 2; i++) {
        void *device = i ? paravirtual : first;
        assert_int_equal(highest_family(device, 1000), 1009);
        assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 65536);
    }
    assert_ok(mtlcap_restore());
    assert_ok(mtlcap_apply_profile("auto", NULL)); /* about the second one only */
    assert_int_equal(highest_family(first, 1000), 1005);
    assert_int_equal(highest_family(paravirtual, 1000), 1007);
}

static void depends_on_a_private_initialiser(void **state) {
    (void)state;
    void *device = device_at(0); /* its class fills in its families without super */
    apply(LUME);                 /* and the device is there already */
    assert_int_equal(highest_family(device, 1000), 1009);
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 65536);
    assert_int_equal(simmetal_devices_created(), 1);
}

/* ---- two threads ----------------------------------------------------------- */

static pthread_barrier_t start;

static void *apply_at_once(void *profile) {
    pthread_barrier_wait(&start);
    for (int i = 0; i < 20; i++)
        assert_ok(apply_allowing(profile, "beyond-hardware+threadgroup-memory+bare-metal"));
    return NULL;
}

static void *create_devices(void *class_name) {
    pthread_barrier_wait(&start);
    for (int i = 0; i < 20; i++) {
        void *device = device_of_class(class_name);
        const int64_t family = highest_family(device, 1000);
        assert_true(family == 1005 || family == 1009); /* and it does not recurse */
    }
    return NULL;
}

static void run_two(void *(*function)(void *), void *first, void *second) {
    pthread_t threads[2];
    assert_int_equal(pthread_barrier_init(&start, NULL, 2), 0);
    assert_int_equal(pthread_create(&threads[0], NULL, function, first), 0);
    assert_int_equal(pthread_create(&threads[1], NULL, function, second), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

/* Saves its own hook as the original, and recurses until the stack is full. */
static void installs_twice_when_two_threads_come_at_once(void **state) {
    (void)state;
    alarm(60);
    void *first = device_at(0), *second = device_at(1);
    const struct snapshot before = snapshot_of(first);
    run_two(apply_at_once, (void *)LUME, (void *)LUME);
    struct mtlcap_report done = report();
    assert_int_equal(done.hook_count, 4); /* two classes, two selectors */
    /* GCC's runtime cannot add methods to a class that others are using: they are there by now */
    run_two(create_devices, (void *)"AppleParavirtDevice", (void *)"OtherVendorDevice");
    assert_int_equal(highest_family(first, 1000), 1009);
    assert_int_equal(highest_family(second, 1000), 1009);
    assert_true(supports_family(second, 3003));
    assert_ok(mtlcap_restore());
    const struct snapshot after = snapshot_of(first);
    assert_same_answers(&before, &after, NULL);
}

/* ---- one thread ------------------------------------------------------------ */

/* Unloading: see pinned.c. */
static void cannot_be_restored_or_asked(void **state) {
    (void)state;
    void *device = device_at(0);
    const struct snapshot before = snapshot_of(device);
    assert_int_equal(mtlcap_is_active(), 0);
    apply(LUME);
    assert_int_equal(mtlcap_is_active(), 1);
    assert_string_equal(report().profile, LUME);
    const struct mtlcap_answer answer = answer_of(device, "threadgroup_memory");
    assert_string_equal(answer.stock.text, "32768");
    assert_string_equal(answer.effective.text, "65536");
    assert_string_equal(answer.rule, "lume: threadgroup_memory.min=64K");
    assert_ok(mtlcap_restore());
    const struct snapshot after = snapshot_of(device);
    assert_same_answers(&before, &after, NULL);
}

static void can_only_raise(void **state) {
    (void)state;
    void *device = device_at(0); /* Apple9 */
    apply("apple.max=7,threadgroup_memory.max=16K");
    assert_int_equal(highest_family(device, 1000), 1007);
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 16384);
}

static void drops_everything_in_silence_at_a_bad_value(void **state) {
    (void)state;
    static const char *const bad[] = {
        "apple.min=1009x",
        "apple.min=0",
        "apple.min=1000",
        "apple.min=2000",
        "apple.min=",
        "apple.min=1999",
        "apple.min=-1",
        "apple.min=9,threadgroup_memory.min=64kk",
        "apple.min=0x3f1k",
        "apple.min=1021",
        "",
    };
    void *device = device_at(0);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct mtlcap_error error = MTLCAP_ERROR_INIT;
        assert_int_equal(apply_allowing(bad[i], every_hazard()), MTLCAP_E_PROFILE);
        assert_ok(mtlcap_last_error_info(&error));
        assert_true(error.column >= 1);
        const char *comma = strrchr(bad[i], ',');
        assert_string_equal(error.item, comma ? comma + 1 : bad[i]);
        assert_int_equal(mtlcap_generation(), 0);
        assert_int_equal(highest_family(device, 1000), 1005);
    }
    apply("apple.min=1009"); /* Metal's own constant */
    assert_int_equal(highest_family(device, 1000), 1009);
}

static void raises_threadgroup_memory_with_the_family(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple.min=9");
    assert_int_equal(simmetal_ask(device, "maxThreadgroupMemoryLength"), 32768);
    assert_int_equal(answer_of(device, "threadgroup_memory").overridden, 0);
}

/* Says that it leaves everything as it is, and installs with the next device. */
static void installs_later_what_the_first_device_cannot_take(void **state) {
    (void)state;
    void *sparse = make_sparse_device();
    assert_ok(mtlcap_adopt_device(sparse)); /* has no recommendedMaxWorkingSetSize */
    assert_fails(apply_allowing("apple.min=9,working_set.min=12G", every_hazard()),
                 MTLCAP_E_UNSUPPORTED, "recommendedMaxWorkingSetSize");
    void *later = device_of_class("OtherVendorDevice");
    void *listed = device_at(0);
    assert_int_equal(highest_family(sparse, 1000), 1005);
    assert_int_equal(highest_family(listed, 1000), 1005);
    assert_int_equal(highest_family(later, 1000), 1005);
    assert_ok(mtlcap_adopt_device(later));
    assert_int_equal(highest_family(later, 1000), 1005);
    assert_int_equal(report().hook_count, 0);
}

/* Then hooks its own hook with the next device. */
static void leaves_a_part_behind_when_one_replacement_fails(void **state) {
    (void)state;
    void *device = device_at(0);
    Class cls = class_named("AppleParavirtDevice");
    Class agent = make_subclass(cls, "Agent"); /* hides the class's supportsFamily: */
    put_method(agent, "supportsFamily:", (code)foreign_only_family);
    const code memory = own_code(cls, "maxThreadgroupMemoryLength");
    const struct snapshot before = snapshot_of(device);
    set_class(device, agent);
    for (int i = 0; i < 2; i++)
        assert_fails(apply_allowing(LUME, every_hazard()), MTLCAP_E_NOT_REACHED, "apple");
    assert_ptr_equal(own_code(cls, "maxThreadgroupMemoryLength"), memory);
    set_class(device, cls);
    const struct snapshot after = snapshot_of(device);
    assert_same_answers(&before, &after, NULL);
    apply(LUME);
    assert_int_equal(highest_family(device, 1000), 1009);
    assert_ok(mtlcap_restore());
    const struct snapshot restored = snapshot_of(device);
    assert_same_answers(&before, &restored, NULL);
}

/* ---- an original that is not there yet ---------------------------------------- */

static atomic_bool stop;
static atomic_uint wrong;

static void *keep_asking(void *device) {
    const SEL selector = sel_registerName("maxThreadgroupMemoryLength");
    pthread_barrier_wait(&start);
    while (!atomic_load(&stop)) {
        const uint64_t memory =
            AS_ASK(code_for(device, "maxThreadgroupMemoryLength"))(device, selector);
        if (memory != 32768 && memory != 65536)
            atomic_fetch_add(&wrong, 1);
    }
    return NULL;
}

/* A caller that comes between the replacement and the note of what was replaced calls NULL. An
 * owned method: replacing it under callers is safe with GCC's runtime, too. */
static void stores_the_original_after_the_replacement(void **state) {
    (void)state;
    alarm(60);
    void *device = device_at(0);
    pthread_t thread;
    assert_int_equal(pthread_barrier_init(&start, NULL, 2), 0);
    assert_int_equal(pthread_create(&thread, NULL, keep_asking, device), 0);
    pthread_barrier_wait(&start);
    for (int i = 0; i < 50; i++) {
        assert_ok(apply_allowing("threadgroup_memory.min=64K", "threadgroup-memory"));
        assert_ok(mtlcap_restore());
    }
    atomic_store(&stop, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_int_equal(atomic_load(&wrong), 0);
}

int main(void) {
    static const struct apart tests[] = {
        ON("two-vendors", writes_the_inherited_method_in_the_superclass),
        ON("other-vendor-first.ini", hooks_only_the_class_of_the_first_device),
        ON("override-in-init", depends_on_a_private_initialiser),
        ON("two-vendors", installs_twice_when_two_threads_come_at_once),
        ON("paravirt", cannot_be_restored_or_asked),
        ON("m3-pro", can_only_raise),
        ON("paravirt", drops_everything_in_silence_at_a_bad_value),
        ON("paravirt", raises_threadgroup_memory_with_the_family),
        ON("paravirt", installs_later_what_the_first_device_cannot_take),
        ON("paravirt", leaves_a_part_behind_when_one_replacement_fails),
        ON("paravirt", stores_the_original_after_the_replacement),
    };
    return RUN_APART(tests);
}
