/* What the tests of threads share. */
#define _GNU_SOURCE
#include "support.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>

#include <cmocka.h>
#include <simmetal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mtlcap/mtlcap.h"
#include "runtime/runtime.h"

const char allow_all[] = "metal+mac+beyond-hardware+threadgroup-memory+small-threadgroup-memory+"
                         "working-set+bare-metal+feature+live-internals";

void fail_in_thread(const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    _exit(1);
}

void run_apart(void **state) {
    const struct apart *apart = *state;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        setenv("SIMMETAL_DEVICES", apart->machine, 1);
        REQUIRE(!mtlcap__rt_open(), "there is no runtime");
        apart->run();
        exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* ---- questions ------------------------------------------------------------------ */

struct size3 {
    unsigned long number[3];
};

enum shape { NUMBER, ARGUMENT, SIZE3 };

static const struct question {
    const char *selector;
    enum shape shape;
    long argument;
} questions[QUESTIONS] = {
    {"supportsFamily:", ARGUMENT, 1004},         {"supportsFamily:", ARGUMENT, 1005},
    {"supportsFamily:", ARGUMENT, 1006},         {"supportsFamily:", ARGUMENT, 1007},
    {"supportsFamily:", ARGUMENT, 1021},         {"maxThreadgroupMemoryLength", NUMBER, 0},
    {"maxThreadsPerThreadgroup", SIZE3, 0},      {"hasUnifiedMemory", NUMBER, 0},
    {"recommendedMaxWorkingSetSize", NUMBER, 0}, {"supportsRaytracing", NUMBER, 0},
};

void *device_at(unsigned index) {
    void *(*copy_all_devices)(void);
    *(void **)&copy_all_devices = mtlcap__rt_metal_function("MTLCopyAllDevices");
    return (void *)simmetal_ask_with(copy_all_devices(), "objectAtIndex:", index);
}

static void ask(void *device, const struct question *question, uint64_t number[3]) {
    mtlcap__sel selector = mtlcap__rt_selector(question->selector);
    mtlcap__imp imp = mtlcap__rt_dispatch(device, selector);
    struct size3 size = {{0}};
    if (question->shape == SIZE3)
        size = ((struct size3(*)(mtlcap__id, mtlcap__sel))imp)(device, selector);
    else if (question->shape == ARGUMENT)
        size.number[0] = ((unsigned long (*)(mtlcap__id, mtlcap__sel, long))imp)(
            device, selector, question->argument);
    else
        size.number[0] = ((unsigned long (*)(mtlcap__id, mtlcap__sel))imp)(device, selector);
    for (int i = 0; i < 3; i++)
        number[i] = size.number[i];
}

struct answers ask_all(void *device) {
    struct answers answers;
    for (unsigned q = 0; q < QUESTIONS; q++)
        ask(device, &questions[q], answers.number[q]);
    return answers;
}

void ask_one(void *device, unsigned question, const struct answers *a, const struct answers *b) {
    const unsigned q = question % QUESTIONS;
    uint64_t number[3];
    ask(device, &questions[q], number);
    REQUIRE(memcmp(number, a->number[q], sizeof number) == 0 ||
                memcmp(number, b->number[q], sizeof number) == 0,
            "%s %ld: %" PRIu64 ", which is the answer of nobody", questions[q].selector,
            questions[q].argument, number[0]);
}

static uint64_t highest_apple(const struct answers *answers) {
    uint64_t highest = 0;
    for (int q = 0; q < 4; q++)
        if (answers->number[q][0])
            highest = (uint64_t)questions[q].argument - 1000;
    return highest;
}

void query_one(void *device, const struct answers *stock, const struct answers *plan) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    REQUIRE(!mtlcap_query(device, "apple", &answer), "%s", mtlcap_last_error());
    const uint64_t effective = answer.effective.number[0];
    REQUIRE(answer.stock.number[0] == highest_apple(stock), "stock apple is said to be %s, not %s",
            answer.stock.text, "what it is");
    REQUIRE(effective == highest_apple(stock) || effective == highest_apple(plan),
            "effective apple is said to be %" PRIu64, effective);
    REQUIRE(answer.overridden || effective == highest_apple(stock),
            "effective apple is %" PRIu64 ", and it is not overridden", effective);
}

/* ---- threads -------------------------------------------------------------------- */

static atomic_bool works;

void crew_start(struct crew *crew, void *(*run)(void *), void *data) {
    atomic_store(&works, true);
    REQUIRE(!pthread_create(&crew->thread[crew->count++], NULL, run, data), "no thread");
}

bool crew_works(void) {
    return atomic_load_explicit(&works, memory_order_relaxed);
}

void crew_stop(struct crew *crew) {
    atomic_store(&works, false);
    while (crew->count)
        pthread_join(crew->thread[--crew->count], NULL);
}
