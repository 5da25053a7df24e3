/* The table of capabilities, and values of them. */
#ifndef MTLCAP_CORE_CAPABILITY_H
#define MTLCAP_CORE_CAPABILITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mtlcap/mtlcap.h"

enum mtlcap__capability_id {
#define CAPABILITY(id, ...) MTLCAP__##id,
#include "capabilities.def"
#undef CAPABILITY
    MTLCAP__CAPABILITY_COUNT
};

/* Signature of a capability's method. */
enum mtlcap__shape {
    MTLCAP__ASK_BOOL,   /* BOOL f(id, SEL) */
    MTLCAP__ASK_ID,     /* BOOL f(id, SEL, NSInteger) */
    MTLCAP__ASK_COUNT,  /* BOOL f(id, SEL, NSUInteger) */
    MTLCAP__ASK_WORD,   /* NSUInteger f(id, SEL) */
    MTLCAP__ASK_WORD32, /* uint32_t f(id, SEL) */
    MTLCAP__ASK_SIZE3,  /* MTLSize f(id, SEL) */
    MTLCAP__ASK_OBJECT, /* id f(id, SEL) */
    MTLCAP__TELL,       /* void f(id, SEL): no capability's, but that of Metal's own methods */
    MTLCAP__SHAPE_COUNT
};

struct mtlcap__capability {
    const char *key;
    const char *selector;
    enum mtlcap__shape shape;
    int32_t kind;        /* MTLCAP_KIND_... */
    int64_t first, last; /* known arguments, or raw tiers */
    int64_t named;       /* number in Metal's name minus Metal's raw number */
    const char *unit;
    int32_t change; /* MTLCAP_CAN_... */
    int32_t hazard; /* enum mtlcap__hazard_id */
    const char *summary;
};

extern const struct mtlcap__capability mtlcap__capabilities[MTLCAP__CAPABILITY_COUNT];

/* By key, of `length` bytes; NULL if there is none. */
const struct mtlcap__capability *mtlcap__capability_by_key(const char *key, size_t length);

/* By key, or by Metal's selector where only one row has it; NULL if there is none. */
const struct mtlcap__capability *mtlcap__capability_by_name(const char *name);

/* The keys of the rows that have Metal's selector `selector`: "apple, mac, ..."; false if none has.
 */
bool mtlcap__capability_keys(const char *selector, size_t length, char *keys, size_t size);

/* The key that looks most like `key`, for error messages; NULL if none is near. `to_be_set`: not
 * one that can be asked only. */
const char *mtlcap__capability_suggest(const char *key, size_t length, bool to_be_set);

/* The rows that share a row's selector, which stand together: their number, and the first. */
size_t mtlcap__capability_rows(const struct mtlcap__capability *capability,
                               const struct mtlcap__capability **first);

/* Is `argument` one that a rule for this row of ASK_ID or ASK_COUNT speaks of? */
bool mtlcap__capability_speaks_of(const struct mtlcap__capability *capability, int64_t argument);

/* The last such argument. */
int64_t mtlcap__capability_reach(const struct mtlcap__capability *capability);

static inline size_t mtlcap__capability_index(const struct mtlcap__capability *capability) {
    return (size_t)(capability - mtlcap__capabilities);
}

/*
 * A value, as struct mtlcap_value without its text. FAMILY and COUNT: number[0] is the named number
 * of the highest member, 0 if there is none. BOOL: 0 or 1. TIER: the named number.
 */
struct mtlcap__value {
    uint64_t number[3];
    uint64_t members;
};

bool mtlcap__value_equal(const struct mtlcap__value *a, const struct mtlcap__value *b);

/* Is `a` more than `b`: raised from it? For SIZE3: in any dimension. */
bool mtlcap__value_above(const struct mtlcap__value *a, const struct mtlcap__value *b,
                         const struct mtlcap__capability *capability);

/* As people and profiles write it: "7", "off", "32768", "1024x1024x64", "yes". Not for TEXT. */
void mtlcap__value_text(const struct mtlcap__value *value,
                        const struct mtlcap__capability *capability, char *text, size_t size);

#endif
