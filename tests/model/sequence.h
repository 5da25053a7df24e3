/* One sequence of random operations, in a process of its own. */
#ifndef MODEL_SEQUENCE_H
#define MODEL_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LENGTH_MAX = 500 };

struct sequence {
    uint64_t seed;
    int length;
    bool skip[LENGTH_MAX]; /* operations that are left out */
    bool tell;             /* tell each operation on stderr */
};

/* What the simulated Metal is by itself: see sequence_learn(). */
struct learnt;
extern const size_t learnt_size;

/* Asks Metal, in a process of its own where nothing is overridden. */
void sequence_learn(struct learnt *learnt);

/* Runs it against the library in this process, which must not have used the runtime. Returns NULL,
 * or what was wrong. */
const char *sequence_run(const struct sequence *sequence, const struct learnt *learnt);

#endif
