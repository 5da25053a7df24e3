/*
 * Failure injection: in each scenario every allocation and every call of the runtime fails in turn.
 * Afterwards an error has been returned and said, every answer is what it was, the functions of
 * methods are what they were, and the same call succeeds. Each try is a process of its own; under
 * AddressSanitizer it also looks for leaks.
 */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <limits.h>
#include <simmetal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "answers.h"
#include "core/injected.h"
#include "inject.h"
#include "mtlcap/mtlcap.h"
#include "runtime/runtime.h"
#include "scenarios.h"

enum { DEVICES_MAX = 3 };
enum { WENT_WELL = 0, NOTHING_FAILED = 50, WENT_WRONG = 51 };

static char profile_file[] = "faults-profile-XXXXXX";

/* ---- one try ------------------------------------------------------------------ */

struct try {
    const struct scenario *scenario;
    enum injected which;
    unsigned n;
    bool on;
};

static const struct try *current;

/* What a scenario comes to where nothing fails. Shared memory. */
static struct answers *wanted;

#define CHECK(condition, ...)                                                                      \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s, call %u%s of %s: ", current->scenario->name, current->n,          \
                    current->on ? " and later" : "", injected_functions[current->which].what);     \
            fprintf(stderr, __VA_ARGS__);                                                          \
            fputc('\n', stderr);                                                                   \
            exit(WENT_WRONG);                                                                      \
        }                                                                                          \
    } while (0)

static void *devices[DEVICES_MAX];
static struct answers stock[DEVICES_MAX];
static size_t device_count;

static void find_devices(const struct scenario *scenario) {
    CHECK(!mtlcap__rt_open(), "there is no runtime");
    void *(*copy_all_devices)(void);
    *(void **)&copy_all_devices = mtlcap__rt_metal_function("MTLCopyAllDevices");
    void *list = copy_all_devices();
    const uint64_t count = simmetal_ask(list, "count");
    for (uint64_t i = 0; i < count; i++)
        devices[device_count++] = (void *)simmetal_ask_with(list, "objectAtIndex:", (int64_t)i);
    if (scenario->adopted)
        devices[device_count++] = simmetal_create_device(scenario->adopted);
    CHECK(device_count > 0 && devices[device_count - 1], "there is no device");
}

static struct mtlcap_options consent(void) {
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.allow = "metal+mac+beyond-hardware+threadgroup-memory+small-threadgroup-memory+"
                    "working-set+bare-metal+feature";
    return options;
}

static int apply(const char *profile) {
    const struct mtlcap_options options = consent();
    char from_file[sizeof profile_file + 1];
    snprintf(from_file, sizeof from_file, "@%s", profile_file);
    return mtlcap_apply_profile(strcmp(profile, "@") == 0 ? from_file : profile, &options);
}

static int act(const struct scenario *scenario) {
    const struct mtlcap_options options = consent();
    if (scenario->early)
        return mtlcap__injected_apply_early(scenario->profile, &options, devices[device_count - 1]);
    return scenario->profile ? apply(scenario->profile)
                             : mtlcap_adopt_device(devices[device_count - 1]);
}

/* supportsFamily: with a mind of its own. */
static long no_family(mtlcap__id self, mtlcap__sel selector, long family) {
    (void)self;
    (void)selector;
    return family == 3001;
}

static void take_answers(struct answers *answers) {
    for (size_t i = 0; i < device_count; i++)
        answers[i] = answers_of(devices[i]);
}

static void prepare(const struct scenario *scenario) {
    setenv("SIMMETAL_DEVICES", scenario->machine, 1);
    find_devices(scenario);
    take_answers(stock);
    mtlcap_set_log(MTLCAP_LOG_OFF, NULL, NULL);
    CHECK(!scenario->before || !apply(scenario->before), "before: %s", mtlcap_last_error());
    if (!scenario->hides)
        return;
    mtlcap__method method = mtlcap__rt_own_method(mtlcap__rt_class_of(devices[0]),
                                                  mtlcap__rt_selector("supportsFamily:"));
    CHECK(method && mtlcap__rt_set_imp(method, (mtlcap__imp)no_family), "no hook of another's");
}

/* After a failure every answer is as before. After a success each is as the profile says or, where
 * the runtime has said that there is nothing to override or no device, as it was or as it is by
 * itself. */
static void check_answers(const struct answers *now, const struct answers *before, bool succeeded) {
    for (size_t i = 0; i < device_count; i++) {
        const char *differs = answers_differ(&now[i], &before[i]);
        CHECK(!differs || succeeded, "failed, and changed %s of device %zu", differs, i);
        const struct answers *const good[] = {&before[i], &wanted[i], &stock[i]};
        differs = answers_differ_from_all(&now[i], good, 3);
        CHECK(!differs, "%s of device %zu is as nobody wanted it", differs, i);
    }
}

/* What the runtime refuses for ever, or denies for ever, cannot be put back either. */
static void check_methods(const struct own_methods *before) {
    const bool for_ever = current->on && (current->which == INJECTED_SET_IMP ||
                                          current->which == INJECTED_OWN_METHOD);
    for (size_t i = 0; i < device_count && !for_ever; i++) {
        const struct own_methods now = own_methods_of(devices[i]);
        const char *changed = own_methods_changed(&before[i], &now);
        CHECK(!changed, "another function answers %s of device %zu", changed, i);
    }
}

/* Copies of the library meet in the first call of any of its functions. */
static bool is_early(enum injected which) {
    return which == INJECTED_FIND_TABLE || which == INJECTED_PUBLISH_TABLE;
}

static int run_try(const struct try *try) {
    const struct scenario *scenario = try->scenario;
    const bool is_failure = injected_functions[try->which].verdict == FAILURE;
    struct answers before[DEVICES_MAX], now[DEVICES_MAX];
    struct own_methods methods[DEVICES_MAX];
    current = try;
    if (is_early(try->which))
        inject_start(try->which, try->n, try->on);
    prepare(scenario);
    take_answers(before);
    for (size_t i = 0; i < device_count; i++)
        methods[i] = own_methods_of(devices[i]);
    const int active = mtlcap_is_active();
    const uint64_t generation = mtlcap_generation();

    if (!is_early(try->which))
        inject_start(try->which, try->n, try->on);
    const int status = act(scenario);
    if (!inject_stop()) {
        CHECK(!status, "failed by itself: %s", mtlcap_last_error());
        take_answers(wanted);
        return NOTHING_FAILED;
    }
    CHECK(status || !is_failure, "succeeded all the same");
    CHECK(!status || mtlcap_last_error()[0], "failed without a word");
    take_answers(now);
    check_answers(now, before, !status);
    if (status) {
        CHECK(mtlcap_is_active() == active, "is_active is %d", mtlcap_is_active());
        CHECK(mtlcap_generation() == generation, "the generation changed");
        check_methods(methods);
    }

    /* What was said once about a device is believed: only after a failure it has to work now. */
    const int second = act(scenario);
    CHECK(!second || !is_failure, "failed the second time: %s", mtlcap_last_error());
    take_answers(now);
    check_answers(now, before, !second);
    for (size_t i = 0; i < device_count && is_failure; i++)
        CHECK(!answers_differ(&now[i], &wanted[i]), "not as wanted the second time");

    CHECK(!mtlcap_restore() && !mtlcap_is_active(), "not restored");
    take_answers(now);
    for (size_t i = 0; i < device_count && !scenario->hides; i++) {
        const char *differs = answers_differ(&now[i], &stock[i]);
        CHECK(!differs, "%s of device %zu was not restored", differs, i);
    }
    return WENT_WELL;
}

/* ---- all of them ---------------------------------------------------------------- */

/* A sanitizer looks for leaks in exit, not in _exit. It takes its time: after failures only. */
static int in_child(const struct try *try) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        const int result = run_try(try);
        if (injected_functions[try->which].verdict == FAILURE)
            exit(result);
        fflush(NULL);
        _exit(result);
    }
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

/* Fails the first call, the second, ... until there is none; returns how many there were. */
static unsigned fail_in_turn(const struct scenario *scenario, enum injected which, bool on) {
    struct try try = {.scenario = scenario, .which = which, .n = 1, .on = on};
    for (;; try.n++) {
        const int status = in_child(&try);
        if (status == NOTHING_FAILED)
            return try.n - 1;
        if (status != WENT_WELL)
            fail_msg("%s, call %u%s of %s: %d", scenario->name, try.n, on ? " and later" : "",
                     injected_functions[which].what, status);
    }
}

static void test_scenario(void **state) {
    const struct scenario *scenario = *state;
    const struct try control = {.scenario = scenario, .n = UINT_MAX};
    assert_int_equal(in_child(&control), NOTHING_FAILED);
    unsigned calls[INJECTED_COUNT];
    for (int i = 0; i < INJECTED_COUNT; i++) {
        calls[i] = fail_in_turn(scenario, (enum injected)i, false);
        fail_in_turn(scenario, (enum injected)i, true);
        print_message("%5u calls of %s\n", calls[i], injected_functions[i].what);
    }
    assert_true(calls[INJECTED_ALLOCATION] >= scenario->allocations);
    assert_true(calls[INJECTED_SET_IMP] + calls[INJECTED_ADD_METHOD] >= scenario->refusals);
    for (int i = INJECTED_METAL_FUNCTION; i < INJECTED_COUNT && !scenario->before; i++)
        if (!scenario->early || i != INJECTED_METAL_FUNCTION)
            assert_true(calls[i] > 0);
    if (scenario->early) /* Metal's list is being made */
        assert_int_equal(calls[INJECTED_METAL_FUNCTION], 0);
}

int main(void) {
    struct CMUnitTest tests[16];
    const int file = mkstemp(profile_file);
    static const char text[] = "# of a file\napple.min=7\nthreadgroup_memory.max=16K\n";
    if (file < 0 || write(file, text, sizeof text - 1) < 0 || close(file) != 0)
        return 1;
    wanted = mmap(NULL, DEVICES_MAX * sizeof *wanted, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (wanted == MAP_FAILED)
        return 1;
    for (size_t i = 0; i < scenario_count; i++)
        tests[i] = (struct CMUnitTest){.name = scenarios[i].name,
                                       .test_func = test_scenario,
                                       .initial_state = (void *)&scenarios[i]};
    const int failed = _cmocka_run_group_tests("faults", tests, scenario_count, NULL, NULL);
    unlink(profile_file);
    return failed;
}
