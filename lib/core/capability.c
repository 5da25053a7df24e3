/* The table of capabilities, and finding a row in it. */
#include "capability.h"

#include <stdio.h>
#include <string.h>

#include "hazard.h"
#include "suggest.h"

#define CHANGE_ASK 0
#define CHANGE_LOWER MTLCAP_CAN_LOWER
#define CHANGE_RAISE MTLCAP_CAN_RAISE
#define CHANGE_BOTH (MTLCAP_CAN_LOWER | MTLCAP_CAN_RAISE)

const struct mtlcap__capability mtlcap__capabilities[MTLCAP__CAPABILITY_COUNT] = {
#define CAPABILITY(id, key_, selector_, shape_, kind_, first_, last_, named_, unit_, change_,      \
                   hazard_, summary_)                                                              \
    [MTLCAP__##id] = {.key = (key_),                                                               \
                      .selector = (selector_),                                                     \
                      .shape = MTLCAP__##shape_,                                                   \
                      .kind = MTLCAP_KIND_##kind_,                                                 \
                      .first = (first_),                                                           \
                      .last = (last_),                                                             \
                      .named = (named_),                                                           \
                      .unit = (unit_),                                                             \
                      .change = CHANGE_##change_,                                                  \
                      .hazard = MTLCAP__HAZARD_##hazard_,                                          \
                      .summary = (summary_)},
#include "capabilities.def"
#undef CAPABILITY
};

static const struct mtlcap__capability *end(void) {
    return mtlcap__capabilities + MTLCAP__CAPABILITY_COUNT;
}

static bool is_word(const char *text, const char *word, size_t length) {
    return length > 0 && *text == *word && strncmp(text, word, length) == 0 && text[length] == '\0';
}

const struct mtlcap__capability *mtlcap__capability_by_key(const char *key, size_t length) {
    for (const struct mtlcap__capability *row = mtlcap__capabilities; row < end(); row++)
        if (is_word(row->key, key, length))
            return row;
    return NULL;
}

/* NULL also if several rows share the selector: which of them is meant cannot be told. */
static const struct mtlcap__capability *by_selector(const char *selector, size_t length) {
    const struct mtlcap__capability *found = NULL;

    for (const struct mtlcap__capability *row = mtlcap__capabilities; row < end(); row++) {
        if (!is_word(row->selector, selector, length))
            continue;
        if (found != NULL)
            return NULL;
        found = row;
    }
    return found;
}

const struct mtlcap__capability *mtlcap__capability_by_name(const char *name) {
    size_t length = strlen(name);
    const struct mtlcap__capability *row = mtlcap__capability_by_key(name, length);

    return row != NULL ? row : by_selector(name, length);
}

bool mtlcap__capability_keys(const char *selector, size_t length, char *keys, size_t size) {
    size_t used = 0;

    keys[0] = '\0';
    for (const struct mtlcap__capability *row = mtlcap__capabilities; row < end(); row++) {
        if (!is_word(row->selector, selector, length))
            continue;
        snprintf(keys + used, size - used, "%s%s", used > 0 ? ", " : "", row->key);
        used = strlen(keys);
    }
    return used > 0;
}

static bool contains(const char *text, size_t length, const char *word) {
    const size_t word_length = strlen(word);

    for (size_t i = 0; i + word_length <= length; i++)
        if (memcmp(text + i, word, word_length) == 0)
            return true;
    return false;
}

/* The axis of one of Metal's names for a family: MTLGPUFamilyApple7, MTLGPUFamilyMacCatalyst1. */
static const char *axis_of_family(const char *name, size_t length) {
    static const char prefix[] = "MTLGPUFamily";
    char lower[64];
    const char *found = NULL;

    if (length < sizeof prefix || length > sizeof lower ||
        memcmp(name, prefix, sizeof prefix - 1) != 0)
        return NULL;
    for (size_t i = 0; i < length; i++)
        lower[i] = name[i] >= 'A' && name[i] <= 'Z' ? (char)(name[i] - 'A' + 'a') : name[i];
    for (const struct mtlcap__capability *row = mtlcap__capabilities; row < end(); row++)
        if (row->kind == MTLCAP_KIND_FAMILY && contains(lower, length, row->key) &&
            (found == NULL || strlen(row->key) > strlen(found)))
            found = row->key;
    return found;
}

const char *mtlcap__capability_suggest(const char *key, size_t length, bool to_be_set) {
    const struct mtlcap__capability *named_by_metal = by_selector(key, length);
    struct mtlcap__suggestion suggestion = {.word = key, .length = length};

    if (named_by_metal != NULL)
        return named_by_metal->key;
    suggestion.best = axis_of_family(key, length);
    if (suggestion.best != NULL)
        return suggestion.best;
    for (const struct mtlcap__capability *row = mtlcap__capabilities; row < end(); row++)
        if (!to_be_set || row->change != 0)
            mtlcap__suggest(&suggestion, row->key);
    return suggestion.best;
}

size_t mtlcap__capability_rows(const struct mtlcap__capability *capability,
                               const struct mtlcap__capability **first) {
    const struct mtlcap__capability *last = capability;

    *first = capability;
    while (*first > mtlcap__capabilities &&
           strcmp((*first)[-1].selector, capability->selector) == 0)
        --*first;
    while (last + 1 < end() && strcmp(last[1].selector, capability->selector) == 0)
        last++;
    return (size_t)(last - *first) + 1;
}

/* How far an axis reaches beyond the families that are known: clients probe those too. */
enum { AXIS_SPAN = 999 };

int64_t mtlcap__capability_reach(const struct mtlcap__capability *capability) {
    switch (capability->kind) {
    case MTLCAP_KIND_FAMILY:
        return capability->first - capability->first % 1000 + AXIS_SPAN;
    case MTLCAP_KIND_COUNT:
        return INT64_MAX;
    default:
        return capability->last;
    }
}

bool mtlcap__capability_speaks_of(const struct mtlcap__capability *capability, int64_t argument) {
    return argument >= capability->first && argument <= mtlcap__capability_reach(capability);
}
