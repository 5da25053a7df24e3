/* The table of answers.h as data. */
#include "machine.h"

enum { LIVE = true, FIXED = false };

const struct simmetal_rule simmetal_rules[SIMMETAL_ANSWER_COUNT] = {
#define ROW(kind, name, owner, source, apple, mac, yes, no)                                        \
    {#name, SIMMETAL_##kind, source, apple, mac, yes, no},
    SIMMETAL_ANSWERS(ROW)
#undef ROW
};
