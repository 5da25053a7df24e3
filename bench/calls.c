/* The cost of one call: rounds of all cases in turn, so that what disturbs one disturbs all. */
#define _GNU_SOURCE
#include <pthread.h>
#include <simmetal.h>
#include <stdbool.h>
#include <stdlib.h>

#include "bench.h"
#include "mtlcap/mtlcap.h"

/* What a compiler makes of a message: GCC's runtime finds the function, the caller calls it. */
extern mtlcap__imp objc_msg_lookup(mtlcap__id object, mtlcap__sel selector);

typedef long ask(mtlcap__id, mtlcap__sel, long);

enum { FAMILIES = 8 }; /* 1001 to 1008; a power of two */
enum { THREADS_MAX = 4 };

/* ---- one measurement ------------------------------------------------------------ */

struct work {
    mtlcap__id device; /* messages go to it */
    ask *function;     /* called instead, if not NULL */
    long calls;
    pthread_barrier_t *start;
    double seconds;
};

static mtlcap__sel selector;
static volatile long sink;

static void send_messages(mtlcap__id device, long calls) {
    long sum = 0;
    for (long i = 0; i < calls; i++)
        sum += ((ask *)objc_msg_lookup(device, selector))(device, selector,
                                                          1001 + (i & (FAMILIES - 1)));
    sink = sum;
}

static void call_function(ask *function, mtlcap__id device, long calls) {
    long sum = 0;
    for (long i = 0; i < calls; i++)
        sum += function(device, selector, 1001 + (i & (FAMILIES - 1)));
    sink = sum;
}

static void *run(void *data) {
    struct work *work = data;
    if (work->start)
        pthread_barrier_wait(work->start);
    const double start = cpu_time();
    if (work->function)
        call_function(work->function, work->device, work->calls);
    else
        send_messages(work->device, work->calls);
    work->seconds = cpu_time() - start;
    return NULL;
}

/* Nanoseconds a call of each thread; of several threads the slowest one's. */
static double measure(struct work work, int threads) {
    if (threads == 1) {
        run(&work);
        return work.seconds * 1e9 / (double)work.calls;
    }
    pthread_barrier_t start;
    pthread_t thread[THREADS_MAX];
    struct work others[THREADS_MAX];
    double slowest = 0;
    pthread_barrier_init(&start, NULL, (unsigned)threads);
    work.start = &start;
    for (int i = 0; i < threads; i++) {
        others[i] = work;
        if (pthread_create(&thread[i], NULL, run, &others[i]))
            fail("no %d threads", threads);
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(thread[i], NULL);
        slowest = others[i].seconds > slowest ? others[i].seconds : slowest;
    }
    pthread_barrier_destroy(&start);
    return slowest * 1e9 / (double)work.calls;
}

/* ---- the cases -------------------------------------------------------------------- */

/* Classes that inherit supportsFamily:, one for each kind of hook, and one that has it itself. */
static mtlcap__id stock, hooked, owning, lume;

enum { STOCK, DECIDED, BOTH_BOUNDS, PASSING };

static const char *const profiles[] = {
    [STOCK] = NULL, [DECIDED] = "apple.min=8", [BOTH_BOUNDS] = "apple=6", [PASSING] = NULL};

static const struct bench_case {
    const char *name;
    mtlcap__id *device;
    int state;
    int function; /* 1: the method's function is called; 2: the empty one; 0: a message */
    int threads;
    bool traced;
} cases[] = {
    {"empty function, indirect call", &stock, STOCK, 2, 1, false},
    {"stock, message", &stock, STOCK, 0, 1, false},
    {"stock, message, 2 threads", &stock, STOCK, 0, 2, false},
    {"Lume-style hook, message", &lume, STOCK, 0, 1, false},
    {"rule decides, function", &hooked, DECIDED, 1, 1, false},
    {"rule decides, message", &hooked, DECIDED, 0, 1, false},
    {"rule decides, message, 2 threads", &hooked, DECIDED, 0, 2, false},
    {"floor and ceiling decide, message", &hooked, BOTH_BOUNDS, 0, 1, false},
    {"passes through, added method, message", &hooked, PASSING, 0, 1, false},
    {"passes through, own method, message", &owning, PASSING, 0, 1, false},
    {"traced, rule decides, message", &hooked, DECIDED, 0, 1, true},
    {"traced, rule decides, message, 2 threads", &hooked, DECIDED, 0, 2, true},
    {"traced, rule decides, message, 4 threads", &hooked, DECIDED, 0, 4, true},
    {"traced, passes through, own method, message", &owning, PASSING, 0, 1, true},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static mtlcap__id make(const char *class_name) {
    mtlcap__id device = simmetal_create_device_of("paravirt", 0, class_name);
    if (!device)
        fail("no device of class %s", class_name);
    return device;
}

static void set_up(void) {
    if (mtlcap__rt_open())
        fail("%s", mtlcap__rt_open());
    selector = mtlcap__rt_selector("supportsFamily:");
    stock = make("OtherVendorDevice");
    hooked = make("AppleParavirtDevice"); /* the class of the machine's own device */
    owning = make("FamilyOverridingDevice");
    lume = make("InitOverridingDevice");
    lume_hook(mtlcap__rt_class_of(lume), selector, 1008);
    if (mtlcap_adopt_device(owning))
        fail("%s", mtlcap_last_error());
}

/* A case is worth nothing if its answers are not the ones that it is about. */
static void check(const struct bench_case *c) {
    const long mask = c->state == DECIDED || c->device == &lume ? 0xff
                      : c->state == BOTH_BOUNDS                 ? 0x3f
                                                                : 0x1f;
    for (long i = 0; i < FAMILIES && c->function != 2; i++) {
        ask *function = (ask *)objc_msg_lookup(*c->device, selector);
        if (function(*c->device, selector, 1001 + i) != (mask >> i & 1))
            fail("%s: wrong answer to %ld", c->name, 1001 + i);
    }
}

/* Of a case that is traced, every call has to be in the trace. */
static void check_noted(const struct bench_case *c, long calls) {
    struct mtlcap_trace trace = MTLCAP_TRACE_INIT;
    if (mtlcap_trace_info(&trace))
        fail("%s", mtlcap_last_error());
    if (c->traced && trace.asked != (uint64_t)calls * (uint64_t)c->threads + FAMILIES)
        fail("%s: %llu calls are in the trace", c->name, (unsigned long long)trace.asked);
}

static double run_case(const struct bench_case *c, long calls) {
    if (profiles[c->state])
        apply(profiles[c->state]);
    else
        mtlcap_restore();
    if (c->traced ? mtlcap_trace_start(NULL) : mtlcap_trace_stop())
        fail("%s", mtlcap_last_error());
    check(c);
    struct work work = {.device = *c->device, .calls = calls};
    if (c->function == 1)
        work.function = (ask *)objc_msg_lookup(*c->device, selector);
    else if (c->function == 2)
        work.function = empty_function;
    const double ns = measure(work, c->threads);
    check_noted(c, calls);
    return ns;
}

static double median(struct report *report, int first, const char *name) {
    for (int i = 0; i < CASES; i++)
        if (cases[i].name == name)
            return result_quantile(&report->results[first + i], 0.5);
    fail("there is no case %s", name);
}

void bench_calls(struct report *report, int rounds, long calls) {
    const int first = report->result_count;
    set_up();
    for (int i = 0; i < CASES; i++)
        report_add(report, cases[i].name, "ns", 0);
    for (int round = -1; round < rounds; round++) /* the first one warms up */
        for (int i = 0; i < CASES; i++) {
            const double ns = run_case(&cases[i], calls);
            if (round >= 0)
                result_add(&report->results[first + i], ns);
        }
    const double empty = median(report, first, cases[0].name);
    const double message = median(report, first, cases[5].name);
    const double traced = median(report, first, cases[10].name);
    report_at_most(report, "noted in a trace, beyond the message", traced - message, 100, "ns");
    report_at_most(report, "noted in a trace, 4 threads, beyond the message",
                   median(report, first, cases[12].name) - message, 100, "ns");
    report_at_most(report, "rule decides, function, beyond the empty function",
                   median(report, first, cases[4].name) - empty, 0.5, "ns");
    report_at_most(report, "rule decides, message, of the stock message",
                   message / median(report, first, cases[1].name), 0.75, "x");
    report_at_most(report, "rule decides, message, of the Lume-style hook's",
                   message / median(report, first, cases[3].name), 0.60, "x");
    report_at_least(report, "rule decides, calls of 2 threads, of 1",
                    2 * message / median(report, first, cases[6].name), 1.9, "x");
}
