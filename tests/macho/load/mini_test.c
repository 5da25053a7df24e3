/* The library for a Mac, for either processor, on a very small Metal. Each test is a process. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mini.h"
#include "mtlcap/mtlcap.h"

static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, #condition,                    \
                    mtlcap_last_error());                                                          \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

/* ---- questions: all of the register -------------------------------------------------------- */

static uint64_t ask(void *device, const char *selector) {
    return ((uint64_t (*)(void *, const void *))mini_method(device, selector))(device, NULL);
}

static uint64_t family(void *device, int64_t number) {
    return ((uint64_t (*)(void *, const void *, int64_t))mini_method(device, "supportsFamily:"))(
        device, NULL, number);
}

/* The struct has words around it that must stay. */
static struct mini_size threads(void *device) {
    struct {
        uint64_t before;
        struct mini_size size;
        uint64_t after;
    } result = {1, {2, 3, 4}, 5};
    result.size = ((struct mini_size(*)(void *, const void *))mini_method(
        device, "maxThreadsPerThreadgroup"))(device, NULL);
    CHECK(result.before == 1 && result.after == 5);
    return result.size;
}

static bool says_yes(uint64_t answer) {
    return (unsigned char)answer == 1;
}

/* With consent to every hazard. */
static int apply_all(const char *profile) {
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    struct mtlcap_hazard hazard = MTLCAP_HAZARD_INIT;
    static char allow[1024];
    allow[0] = '\0';
    for (uint32_t i = 0; mtlcap_hazard_info(i, &hazard) == MTLCAP_OK; i++)
        snprintf(allow + strlen(allow), sizeof allow - strlen(allow), "%s%s", i ? "+" : "",
                 hazard.name);
    options.allow = allow;
    return mtlcap_apply_profile(profile, &options);
}

/* ---- tests ------------------------------------------------------------------------------------
 */

static void apply_query_restore(void) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    CHECK(says_yes(family(mini_paravirtual, 1005)) && !says_yes(family(mini_paravirtual, 1006)));
    CHECK(mtlcap_apply_profile("auto", NULL) == MTLCAP_OK);
    CHECK(family(mini_paravirtual, 1007) == 1);
    CHECK(family(mini_paravirtual, 1008) == 0);
    CHECK(family(mini_paravirtual, 1021) == 0); /* beyond the known ones: as stock, tidied */
    CHECK(!says_yes(family(mini_other, 1006)));
    CHECK(ask(mini_paravirtual, "maxThreadgroupMemoryLength") == 32768);
    CHECK(mtlcap_query(NULL, "apple", &answer) == MTLCAP_OK);
    CHECK(answer.stock.number[0] == 5 && answer.effective.number[0] == 7 && answer.overridden);
    CHECK(strcmp(answer.rule, "auto: apple.min=7") == 0);
    CHECK(strcmp(answer.source, "Metal") == 0);
    CHECK(mtlcap_query(mini_paravirtual, "working_set", &answer) == MTLCAP_OK);
    CHECK(strcmp(answer.effective.text, "11453251584") == 0);
    CHECK(mtlcap_is_active() == 1);
    CHECK(mtlcap_restore() == MTLCAP_OK);
    CHECK(mtlcap_is_active() == 0);
    CHECK(says_yes(family(mini_paravirtual, 1005)) && !says_yes(family(mini_paravirtual, 1006)));
}

static void a_bool_fills_the_register(void) {
    CHECK(ask(mini_paravirtual, "isHeadless") > 1); /* before us it does not */
    CHECK(apply_all("headless=on,unified_memory=off,apple=3") == MTLCAP_OK);
    CHECK(ask(mini_paravirtual, "isHeadless") == 1);
    CHECK(ask(mini_paravirtual, "hasUnifiedMemory") == 0);
    CHECK(family(mini_paravirtual, 1003) == 1);
    CHECK(family(mini_paravirtual, 1004) == 0);
    CHECK(family(mini_paravirtual, 3003) == 1); /* passed through */
    CHECK(mtlcap_restore() == MTLCAP_OK);
    CHECK(ask(mini_paravirtual, "isHeadless") == 0);
    CHECK(ask(mini_paravirtual, "hasUnifiedMemory") == 1);
    CHECK(family(mini_paravirtual, 1005) == 1);
    CHECK(family(mini_paravirtual, 1006) == 0);
}

static void a_struct_is_returned(void) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    CHECK(apply_all("threads_per_threadgroup.max=512x256x64") == MTLCAP_OK);
    const struct mini_size size = threads(mini_paravirtual);
    CHECK(size.width == 512 && size.height == 256 && size.depth == 64);
    CHECK(mtlcap_query(NULL, "threads_per_threadgroup", &answer) == MTLCAP_OK);
    CHECK(strcmp(answer.stock.text, "1024x1024x1024") == 0);
    CHECK(strcmp(answer.effective.text, "512x256x64") == 0);
    CHECK(mtlcap_restore() == MTLCAP_OK);
    const struct mini_size stock = threads(mini_paravirtual);
    CHECK(stock.width == 1024 && stock.height == 1024 && stock.depth == 1024);
}

/* Nothing of a profile is seen if one class cannot have all of it. */
static void what_cannot_be_hooked_is_rolled_back(void) {
    mini_count = 2;
    mini_refused = "OtherVendorDevice";
    CHECK(apply_all("apple.max=3,threadgroup_memory.max=16K") == MTLCAP_E_RUNTIME);
    CHECK(strstr(mtlcap_last_error(), "OtherVendorDevice"));
    CHECK(mtlcap_generation() == 0);
    CHECK(says_yes(family(mini_paravirtual, 1005)));
    CHECK(says_yes(family(mini_other, 1005)));
    CHECK(ask(mini_paravirtual, "maxThreadgroupMemoryLength") == 32768);
    mini_refused = NULL;
    CHECK(apply_all("apple.max=3,threadgroup_memory.max=16K") == MTLCAP_OK);
    CHECK(family(mini_paravirtual, 1004) == 0 && family(mini_other, 1004) == 0);
    CHECK(ask(mini_other, "maxThreadgroupMemoryLength") == 16384);
}

static void an_unexpected_encoding_is_refused(void) {
    mini_make_odd("AppleParavirtDevice", "maxThreadgroupMemoryLength");
    CHECK(apply_all("apple.min=7,threadgroup_memory.min=64K") == MTLCAP_E_UNSUPPORTED);
    CHECK(strstr(mtlcap_last_error(), "maxThreadgroupMemoryLength"));
    CHECK(!says_yes(family(mini_paravirtual, 1006)));
    CHECK(apply_all("apple.min=7") == MTLCAP_OK);
    CHECK(family(mini_paravirtual, 1007) == 1);
}

static void *fail_in_thread(void *data) {
    (void)data;
    CHECK(strcmp(mtlcap_last_error(), "") == 0);
    CHECK(mtlcap_apply_profile("nonsense=1", NULL) == MTLCAP_E_PROFILE);
    CHECK(strstr(mtlcap_last_error(), "nonsense"));
    return NULL;
}

/* Text that is put together of many arguments; each thread has its own. */
static void errors_have_words_and_numbers(void) {
    struct mtlcap_error error = MTLCAP_ERROR_INIT;
    pthread_t thread;
    CHECK(mtlcap_apply_profile("auto, apple.min=77", NULL) == MTLCAP_E_PROFILE);
    CHECK(mtlcap_last_error_info(&error) == MTLCAP_OK);
    CHECK(error.column == 7);
    CHECK(strcmp(error.item, "apple.min=77") == 0);
    CHECK(strstr(error.message, "column 7: 'apple.min=77'"));
    CHECK(pthread_create(&thread, NULL, fail_in_thread, NULL) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(strstr(mtlcap_last_error(), "apple.min=77"));
    CHECK(mtlcap_apply_profile("@/no/such/file", NULL) == MTLCAP_E_FILE);
    CHECK(strstr(mtlcap_last_error(), "No such file or directory"));
    CHECK(mtlcap_apply_profile("apple.min=9", NULL) == MTLCAP_E_HAZARD);
    CHECK(strstr(mtlcap_last_error(), "from 5 to 9"));
}

static char logged[1024];

static void log_it(int level, const char *message, void *data) {
    if (level == MTLCAP_LOG_WARNING && data == logged)
        snprintf(logged, sizeof logged, "%s", message);
}

static void the_log_calls_back(void) {
    CHECK(mtlcap_set_log(MTLCAP_LOG_WARNING, log_it, logged) == MTLCAP_OK);
    CHECK(apply_all("apple.max=3") == MTLCAP_OK);
    mini_count = 2;
    CHECK(mtlcap_apply_profile("apple.max=2", NULL) == MTLCAP_OK);
    CHECK(strstr(logged, "live-internals"));
}

static void the_machine_is_read(void) {
    struct mtlcap_machine machine = MTLCAP_MACHINE_INIT;
    struct mtlcap_device device = MTLCAP_DEVICE_INIT;
    CHECK(mtlcap_machine_info(&machine) == MTLCAP_OK);
    CHECK(strcmp(machine.chip, "Apple M1 (Virtual)") == 0 && machine.chip_family == 7);
    CHECK(machine.virtual_machine == 1 && machine.os_major == 26 && machine.os_minor == 5);
    CHECK(machine.memory == UINT64_C(16) << 30);
    CHECK(mtlcap_device_info(0, &device) == MTLCAP_OK);
    CHECK(strcmp(device.name, "A device") == 0);
    CHECK(strcmp(device.class_name, "AppleParavirtDevice") == 0 && device.paravirtual);
    CHECK(mtlcap_device_info(1, &device) == MTLCAP_E_NO_DEVICE);
}

static int run_apart(const char *name, void (*test)(void)) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        test();
        fflush(NULL);
        _exit(failures != 0);
    }
    int status = -1;
    if (child < 0 || waitpid(child, &status, 0) != child)
        status = -1;
    printf("%s %s\n", status == 0 ? "ok  " : "FAIL", name);
    return status != 0;
}

int main(void) {
    int failed = 0;
    mini_start();
#define RUN(test) failed += run_apart(#test, test)
    RUN(apply_query_restore);
    RUN(a_bool_fills_the_register);
    RUN(a_struct_is_returned);
    RUN(what_cannot_be_hooked_is_rolled_back);
    RUN(an_unexpected_encoding_is_refused);
    RUN(errors_have_words_and_numbers);
    RUN(the_log_calls_back);
    RUN(the_machine_is_read);
    return failed != 0;
}
