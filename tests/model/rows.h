/* The questions of rows.def, values, and rules about them. */
#ifndef MODEL_ROWS_H
#define MODEL_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum shape { SHAPE_BOOL, SHAPE_ASK, SHAPE_WORD, SHAPE_SIZE3 };
enum kind { KIND_FAMILY, KIND_COUNT, KIND_BOOL, KIND_SIZE, KIND_TIER, KIND_SIZE3 };
enum { CHANGE_NEITHER, CHANGE_LOWER, CHANGE_RAISE, CHANGE_BOTH };

enum selector_id {
#define SELECTOR(id, ...) SELECTOR_##id,
#define ROW(...)
#include "rows.def"
#undef SELECTOR
#undef ROW
    SELECTOR_COUNT
};

enum raise_hazard {
    HAZARD_NONE,
    HAZARD_HARDWARE,
    HAZARD_MAC,
    HAZARD_METAL,
    HAZARD_THREADGROUP,
    HAZARD_MEMORY,
    HAZARD_FEATURE
};

struct selector {
    const char *name;
    enum shape shape;
    int64_t family; /* the answer is `yes` with this family, 0 without; 0: the driver's own */
    uint64_t yes;
};

struct row {
    const char *key;
    enum selector_id selector;
    enum kind kind;
    int64_t first, last, named;
    int change;
    enum raise_hazard hazard;
};

extern const struct selector selectors[SELECTOR_COUNT];
extern const struct row rows[];
extern const size_t row_count;

enum { ROWS_MAX = 64 };

/* An answer as it comes in registers. */
struct answer {
    uint64_t number[3];
};

/* What a row comes to: see struct mtlcap_value. */
struct value {
    uint64_t number[3];
    uint64_t members;
};

bool value_equal(const struct value *a, const struct value *b);

/* More in any respect. */
bool value_above(const struct value *a, const struct value *b);

struct bound {
    bool set;
    uint64_t number[3]; /* as in profiles; 0: off */
    int item;           /* the profile's, that it comes from */
};

struct rule {
    struct bound min, max;
};

struct rules {
    struct rule of[ROWS_MAX];
};

static inline bool rule_is_set(const struct rule *rule) {
    return rule->min.set || rule->max.set;
}

/* What a rule makes of a value. */
struct value rule_value(const struct row *row, const struct rule *rule, struct value value);

/* What rules make of one answer: decided without asking further down, or to be kept within. */
bool rules_decide(const struct rules *rules, enum selector_id selector, int64_t argument,
                  struct answer *answer);
void rules_limit(const struct rules *rules, enum selector_id selector, struct answer *answer);

#endif
