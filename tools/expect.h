/* Expectations of answers: KEY=VALUE, KEY!=VALUE, KEY>=VALUE, KEY<=VALUE. */
#ifndef TOOLS_EXPECT_H
#define TOOLS_EXPECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mtlcap/mtlcap.h>

struct expectation {
    const char *spec;    /* as given */
    uint32_t capability; /* index */
    int32_t kind;
    enum { EXPECT_EQUAL, EXPECT_NOT_EQUAL, EXPECT_AT_LEAST, EXPECT_AT_MOST } comparison;
    uint64_t number[3];
    const char *text; /* of a capability whose answer is text */
};

/* False: `problem` says what is wrong, and what would be right. */
bool expect_parse(const char *spec, struct expectation *expectation, char *problem, size_t size);

/* Is it met by what callers get now? One that the device does not answer meets none. */
bool expect_met(const struct expectation *expectation, const struct mtlcap_answer *answer);

#endif
