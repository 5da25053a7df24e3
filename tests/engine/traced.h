/* A trace as the API tells it. */
#ifndef TESTS_ENGINE_TRACED_H
#define TESTS_ENGINE_TRACED_H

#include "asker.h"
#include "support.h"

/* In memory, without events. Must succeed, as the others. */
void start_trace(void);
struct mtlcap_trace trace_info(void);
struct mtlcap_trace_question question_at(uint32_t index);

/* The only question that fits; an argument of 0, and an answer of NULL: any. Fails if there is
 * none, or more than one. */
struct mtlcap_trace_question only(const char *selector, int64_t argument, const char *answer);

#endif
