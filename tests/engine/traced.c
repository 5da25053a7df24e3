/* A trace as the API tells it. */
#include <string.h>

#include "traced.h"

void start_trace(void) {
    assert_ok(mtlcap_trace_start(NULL));
}

struct mtlcap_trace trace_info(void) {
    struct mtlcap_trace trace = MTLCAP_TRACE_INIT;
    assert_ok(mtlcap_trace_info(&trace));
    return trace;
}

struct mtlcap_trace_question question_at(uint32_t index) {
    struct mtlcap_trace_question question = MTLCAP_TRACE_QUESTION_INIT;
    assert_ok(mtlcap_trace_question_info(index, &question));
    return question;
}

static void print_all(const char *what) {
    const uint32_t count = trace_info().question_count;
    print_error("not once in the trace: %s\n", what);
    for (uint32_t i = 0; i < count; i++) {
        const struct mtlcap_trace_question q = question_at(i);
        print_error("  %s %s(%lld, %s) = %s, stock %s, %llu times, of %s %s, by %s %s\n",
                    q.capability, q.selector, (long long)q.argument, q.argument_name, q.answer,
                    q.stock, (unsigned long long)q.count, q.class_name, q.device_name, q.image,
                    q.symbol);
    }
}

/* The only question that fits; an argument of 0, and an answer of NULL: any. */
struct mtlcap_trace_question only(const char *selector, int64_t argument, const char *answer) {
    struct mtlcap_trace_question found = MTLCAP_TRACE_QUESTION_INIT;
    unsigned fitting = 0;
    const uint32_t count = trace_info().question_count;
    for (uint32_t i = 0; i < count; i++) {
        const struct mtlcap_trace_question q = question_at(i);
        if (strcmp(q.selector, selector) != 0 || (argument && q.argument != argument) ||
            (answer && strcmp(q.answer, answer) != 0))
            continue;
        found = q;
        fitting++;
    }
    if (fitting != 1) {
        print_all(selector);
        fail_msg("%s: %u rows, not 1", selector, fitting);
    }
    return found;
}
