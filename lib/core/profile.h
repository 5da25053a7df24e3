/*
 * The profile language: parses a profile into items, and resolves the items into rules for one
 * device.
 */
#ifndef MTLCAP_CORE_PROFILE_H
#define MTLCAP_CORE_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "capability.h"

struct mtlcap__host;

/* A parsed profile; immutable. */
struct mtlcap__profile;

/*
 * Parses `text`. On failure (E_PROFILE, E_FILE, E_NO_MEMORY; E_ARGUMENT: it is NULL) *profile is
 * NULL and the thread's error names the item, its column and what would be right.
 */
int mtlcap__profile_parse(const char *text, struct mtlcap__profile **profile);
void mtlcap__profile_free(struct mtlcap__profile *profile);

/* `hide`, which only the injected library can do, is among the items. */
bool mtlcap__profile_hides(const struct mtlcap__profile *profile);

/* One bound of a rule: the value, and the item that set it, as people read it ("apple.min=7",
 * "auto: apple.min=7", "like-m1: apple=7"); the text lives as long as the rule set. */
struct mtlcap__bound {
    bool set;
    uint64_t number[3]; /* as in struct mtlcap__value; FAMILY, COUNT: 0 is off */
    char text[128];
};

/* What a profile says about one capability of one device. If both are set, min <= max. */
struct mtlcap__rule {
    struct mtlcap__bound min, max;
};

struct mtlcap__rules {
    struct mtlcap__rule rule[MTLCAP__CAPABILITY_COUNT];
};

/* The rules of a profile for a device: `auto` means something on a paravirtual device only, and
 * something else on each host. Later items win. Cannot fail. */
void mtlcap__profile_resolve(const struct mtlcap__profile *profile, bool paravirtual,
                             const struct mtlcap__host *host, struct mtlcap__rules *rules);

/* The one of them for a capability. */
void mtlcap__profile_resolve_one(const struct mtlcap__profile *profile, bool paravirtual,
                                 const struct mtlcap__host *host,
                                 const struct mtlcap__capability *capability,
                                 struct mtlcap__rule *rule);

static inline bool mtlcap__rule_is_set(const struct mtlcap__rule *rule) {
    return rule->min.set || rule->max.set;
}

/* What a rule turns a stock value into. */
struct mtlcap__value mtlcap__rule_apply(const struct mtlcap__rule *rule,
                                        const struct mtlcap__capability *capability,
                                        const struct mtlcap__value *stock);

/* The rule as people read it: the text of the bound or bounds, joined by ", ". */
void mtlcap__rule_text(const struct mtlcap__rule *rule, char *text, size_t size);

/* ---- built-in profiles ---- */

struct mtlcap__builtin {
    const char *name;
    const char
        *rules; /* in the profile language; NULL for those that are code: stock, auto, hide */
    const char *shown; /* what mtlcap_profile_info() shows as rules */
    const char *summary;
    const char *source; /* each number's table; "" if it has no numbers */
};

extern const struct mtlcap__builtin mtlcap__builtins[];
extern const size_t mtlcap__builtin_count;

#endif
