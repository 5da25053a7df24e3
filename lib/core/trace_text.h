/* What the numbers in a trace are called. */
#ifndef MTLCAP_CORE_TRACE_TEXT_H
#define MTLCAP_CORE_TRACE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "trace_table.h"

/* An argument of the selector of `row`: "MTLGPUFamilyApple7". `speaks`: the row that speaks of it;
 * NULL: none does. */
void mtlcap__trace_argument_text(const struct mtlcap__trace_capability *row,
                                 const struct mtlcap__trace_capability *speaks, int64_t argument,
                                 char *text, size_t size);

/* An answer, but of an object: "yes", "32768", "1024x1024x64". */
void mtlcap__trace_answer_text(const struct mtlcap__trace_capability *row, const uint64_t *answer,
                               char *text, size_t size);

#endif
