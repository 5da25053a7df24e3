/* Random profiles: the text, and what it means. */
#ifndef MODEL_PROFILE_H
#define MODEL_PROFILE_H

#include "random.h"
#include "rows.h"

enum { ITEMS_MAX = 48 };

struct item {
    enum item_kind { ITEM_AUTO, ITEM_MIN, ITEM_MAX, ITEM_EXACTLY } kind;
    size_t row;
    uint64_t number[3];
    char text[128]; /* as people are shown it */
};

struct profile {
    char text[1024];
    int status; /* of parsing it */
    bool hides;
    int count;
    struct item items[ITEMS_MAX];
};

struct profile profile_valid(struct random *random);
struct profile profile_invalid(struct random *random);

/* Its rules for a device; host_family: what `auto` raises to on a paravirtual one, 0: nothing. */
struct rules profile_rules(const struct profile *profile, bool paravirtual, int host_family);

/* One of these as text: the items that its bounds come from. */
void profile_rule_text(const struct profile *profile, const struct rule *rule, char *text,
                       size_t size);

/* Consent to hazards. */
enum {
    CONSENT_HARDWARE = 1 << 0,
    CONSENT_MAC = 1 << 1,
    CONSENT_METAL = 1 << 2,
    CONSENT_THREADGROUP = 1 << 3,
    CONSENT_SMALL_THREADGROUP = 1 << 4,
    CONSENT_MEMORY = 1 << 5,
    CONSENT_BARE_METAL = 1 << 6,
    CONSENT_FEATURE = 1 << 7,
    CONSENT_MACOS_14 = 1 << 8,
    CONSENT_ALL = (1 << 9) - 1,
};

/* As options.allow takes it. */
void consent_text(unsigned consent, char *text, size_t size);

#endif
