/* Making profiles, and resolving them: later items win. */
#include "profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mtlcap/mtlcap.h"

static size_t row_of(const char *key) {
    for (size_t r = 0; r < row_count; r++)
        if (strcmp(rows[r].key, key) == 0)
            return r;
    fprintf(stderr, "model: there is no row %s\n", key);
    abort();
}

static void add(struct profile *profile, struct item item) {
    if (profile->count == ITEMS_MAX)
        abort();
    profile->items[profile->count++] = item;
}

static void append(struct profile *profile, const char *text) {
    const size_t used = strlen(profile->text);
    snprintf(profile->text + used, sizeof profile->text - used, "%s%s", used ? "," : "", text);
}

/* ---- built-in profiles ----------------------------------------------------- */

#define RULE(key, bound, kind, text, n)                                                            \
    {                                                                                              \
        key, bound, kind, text, {                                                                  \
            n, n, n                                                                                \
        }                                                                                          \
    }
#define MIN(key, text, n) RULE(key, ".min", ITEM_MIN, text, n)
#define MAX(key, text, n) RULE(key, ".max", ITEM_MAX, text, n)
#define EXACTLY(key, text, n) RULE(key, "", ITEM_EXACTLY, text, n)
#define OFF(key) EXACTLY(key, "off", 0)

static const struct builtin {
    const char *name;
    struct {
        const char *key, *bound;
        enum item_kind kind;
        const char *text;
        uint64_t number[3];
    } items[8];
} builtins[] = {
    {"stock", {{0}}},
    {"auto", {RULE("apple", ".min", ITEM_AUTO, "", 0)}},
    {"lume", {MIN("apple", "9", 9), MIN("threadgroup_memory", "64K", 65536)}},
    {"no-families",
     {OFF("apple"), OFF("mac"), OFF("common"), OFF("catalyst"), OFF("metal"), OFF("feature_set")}},
    {"github-runner",
     {MAX("apple", "5", 5), MAX("mac", "2", 2), MAX("common", "3", 3), OFF("metal"),
      MAX("threadgroup_memory", "32K", 32768), MAX("working_set", "5010800640", 5010800640),
      MAX("buffer_length", "3758096384", 3758096384)}},
    {"like-m1",
     {EXACTLY("apple", "7", 7), MAX("mac", "2", 2), MAX("metal", "4", 4),
      MAX("threadgroup_memory", "32K", 32768), MAX("threads_per_threadgroup", "1024", 1024)}},
    {"like-m4",
     {EXACTLY("apple", "9", 9), MAX("mac", "2", 2), MAX("metal", "4", 4),
      MAX("threadgroup_memory", "32K", 32768), MAX("threads_per_threadgroup", "1024", 1024)}},
};

static void add_builtin(struct profile *profile, const struct builtin *builtin) {
    append(profile, builtin->name);
    for (size_t i = 0; i < 8 && builtin->items[i].key; i++) {
        struct item item = {builtin->items[i].kind, row_of(builtin->items[i].key), {0}, ""};
        memcpy(item.number, builtin->items[i].number, sizeof item.number);
        snprintf(item.text, sizeof item.text, "%s: %s%s=%s", builtin->name, builtin->items[i].key,
                 builtin->items[i].bound, builtin->items[i].text);
        add(profile, item);
    }
}

/* ---- one rule -------------------------------------------------------------- */

static void write_size(char *text, size_t size, const struct row *row, uint64_t number,
                       struct random *random) {
    static const char *const kib[] = {"K", "KiB", "k"};
    static const char *const gib[] = {"G", "GiB", "g"};
    const bool bytes = row->selector != SELECTOR_SAMPLERS && row->selector != SELECTOR_TASKS &&
                       row->selector != SELECTOR_TRANSFER_RATE;
    const char *unit = "";
    if (bytes && number && number % (1 << 30) == 0 && random_one_in(random, 2)) {
        number >>= 30;
        unit = gib[random_below(random, 3)];
    } else if (bytes && number && number % 1024 == 0 && random_one_in(random, 2)) {
        number >>= 10;
        unit = kib[random_below(random, 3)];
    }
    snprintf(text, size, "%" PRIu64 "%s", number, unit);
}

static void choose_ladder(const struct row *row, struct item *item, char *text, size_t size,
                          struct random *random) {
    const int64_t steps = row->last - row->first + 1;
    const int64_t raw = row->first + random_below(random, (int)steps);
    const bool can_be_off = item->kind != ITEM_MIN;
    if (can_be_off && random_one_in(random, 5)) {
        snprintf(text, size, "off");
        return;
    }
    item->number[0] = (uint64_t)(raw + row->named);
    snprintf(text, size, "%" PRId64, random_one_in(random, 4) ? raw : raw + row->named);
}

static void choose_size(const struct row *row, struct item *item, char *text, size_t size,
                        struct random *random) {
    static const uint64_t sizes[] = {0,
                                     1,
                                     2,
                                     7,
                                     64,
                                     96,
                                     1000,
                                     1 << 10,
                                     4096,
                                     1 << 14,
                                     32768,
                                     65536,
                                     1000000,
                                     1 << 30,
                                     3 << 28,
                                     UINT64_C(11) << 30,
                                     UINT64_C(40) << 30};
    item->number[0] = sizes[random_below(random, sizeof sizes / sizeof sizes[0])];
    item->number[1] = item->number[2] = item->number[0];
    write_size(text, size, row, item->number[0], random);
}

static void choose_value(const struct row *row, struct item *item, char *text, size_t size,
                         struct random *random) {
    static const char *const words[2][4] = {{"off", "no", "false", "0"},
                                            {"on", "yes", "true", "1"}};
    switch (row->kind) {
    case KIND_FAMILY:
    case KIND_COUNT:
        choose_ladder(row, item, text, size, random);
        break;
    case KIND_BOOL:
        item->number[0] = (uint64_t)random_below(random, 2);
        snprintf(text, size, "%s", words[item->number[0]][random_below(random, 4)]);
        break;
    case KIND_TIER:
        item->number[0] = (uint64_t)(row->first + row->named +
                                     random_below(random, (int)(row->last - row->first + 1)));
        snprintf(text, size, "%" PRIu64, item->number[0]);
        break;
    case KIND_SIZE3:
        for (int i = 0; i < 3; i++)
            item->number[i] = (uint64_t)1 << random_below(random, 12);
        snprintf(text, size, "%" PRIu64 "x%" PRIu64 "x%" PRIu64, item->number[0], item->number[1],
                 item->number[2]);
        break;
    default:
        choose_size(row, item, text, size, random);
    }
}

static void add_rule(struct profile *profile, struct random *random) {
    /* Families and threadgroup memory are what people set. */
    size_t r = (size_t)random_below(random, random_one_in(random, 2) ? 6 : (int)row_count);
    while (rows[r].change == CHANGE_NEITHER)
        r = (size_t)random_below(random, (int)row_count);
    const struct row *row = &rows[r];
    struct item item = {ITEM_EXACTLY, r, {0}, ""};
    const char *bound = "";
    if (row->kind != KIND_BOOL && !random_one_in(random, 4)) {
        const bool can_min = row->change & CHANGE_RAISE, can_max = row->change & CHANGE_LOWER;
        item.kind = can_min && (!can_max || random_one_in(random, 2)) ? ITEM_MIN : ITEM_MAX;
        bound = item.kind == ITEM_MIN ? ".min" : ".max";
    }
    char value[80];
    choose_value(row, &item, value, sizeof value, random);
    snprintf(item.text, sizeof item.text, "%s%s=%s", row->key, bound, value);
    append(profile, item.text);
    add(profile, item);
}

struct profile profile_valid(struct random *random) {
    struct profile profile = {.status = MTLCAP_OK};
    const int count = 1 + random_below(random, random_one_in(random, 6) ? 5 : 2);
    for (int i = 0; i < count; i++) {
        if (random_one_in(random, 3))
            add_builtin(&profile,
                        &builtins[random_below(random, sizeof builtins / sizeof *builtins)]);
        else
            add_rule(&profile, random);
    }
    return profile;
}

struct profile profile_invalid(struct random *random) {
    static const struct {
        const char *item;
        int status;
    } bad[] = {
        {"aple.min=7", MTLCAP_E_PROFILE},
        {"apple.min=11", MTLCAP_E_PROFILE},
        {"apple.min=off", MTLCAP_E_PROFILE},
        {"apple=1011", MTLCAP_E_PROFILE},
        {"apple.low=7", MTLCAP_E_PROFILE},
        {"apple", MTLCAP_E_PROFILE},
        {"apple.min=7 ,,mac=2", MTLCAP_E_PROFILE},
        {"autoo", MTLCAP_E_PROFILE},
        {"threadgroup_memory.max=64KB", MTLCAP_E_PROFILE},
        {"threadgroup_memory.max=-1", MTLCAP_E_PROFILE},
        {"working_set.min=99999999999999999999", MTLCAP_E_PROFILE},
        {"threads_per_threadgroup=8x8", MTLCAP_E_PROFILE},
        {"threads_per_threadgroup.min=8", MTLCAP_E_PROFILE},
        {"argument_buffers.max=1", MTLCAP_E_PROFILE},
        {"read_write_texture=3", MTLCAP_E_PROFILE},
        {"raytracing.min=on", MTLCAP_E_PROFILE},
        {"raytracing=maybe", MTLCAP_E_PROFILE},
        {"name=Apple M1", MTLCAP_E_PROFILE},
        {"registry_id=1", MTLCAP_E_PROFILE},
        {"@/nonexistent/profile", MTLCAP_E_FILE},
        {"hide", MTLCAP_OK},
    };
    struct profile profile = {.status = MTLCAP_E_PROFILE};
    if (random_one_in(random, 20))
        return profile; /* the empty text */
    const int first = random_below(random, sizeof bad / sizeof *bad);
    if (random_one_in(random, 2))
        profile = profile_valid(random);
    append(&profile, bad[first].item);
    profile.status = bad[first].status;
    profile.hides = profile.status == MTLCAP_OK;
    return profile;
}

/* ---- what it means --------------------------------------------------------- */

/* What contradicts a later item gives way, and is that item's from then on. */
static void resolve(struct rule *rule, const struct row *row, enum item_kind kind,
                    const struct bound *bound) {
    const bool ladder = row->kind == KIND_FAMILY || row->kind == KIND_COUNT;
    const bool off = ladder && bound->number[0] == 0;
    const bool min = kind != ITEM_MAX && (row->change & CHANGE_RAISE) && !off;
    const bool max = kind != ITEM_MIN && (row->change & CHANGE_LOWER);
    if (kind == ITEM_EXACTLY)
        memset(rule, 0, sizeof *rule);
    if (min)
        rule->min = *bound;
    if (max)
        rule->max = *bound;
    for (int i = 0; rule->min.set && rule->max.set && i < (row->kind == KIND_SIZE3 ? 3 : 1); i++) {
        struct bound *giving_way = min ? &rule->max : &rule->min;
        if (rule->min.number[i] <= rule->max.number[i])
            continue;
        giving_way->number[i] = bound->number[i];
        giving_way->item = bound->item;
    }
    if (ladder && rule->min.number[0] == 0)
        rule->min.set = false;
}

struct rules profile_rules(const struct profile *profile, bool paravirtual, int host_family) {
    struct rules rules;
    memset(&rules, 0, sizeof rules);
    for (int i = 0; i < profile->count; i++) {
        const struct item *item = &profile->items[i];
        struct bound bound = {.set = true, .item = i};
        memcpy(bound.number, item->number, sizeof bound.number);
        if (item->kind == ITEM_AUTO)
            bound.number[0] = (uint64_t)host_family;
        if (item->kind != ITEM_AUTO)
            resolve(&rules.of[item->row], &rows[item->row], item->kind, &bound);
        else if (paravirtual && host_family)
            resolve(&rules.of[item->row], &rows[item->row], ITEM_MIN, &bound);
    }
    return rules;
}

/* `auto` is shown with what it comes to. */
static void bound_text(const struct profile *profile, const struct bound *bound, char *text,
                       size_t size) {
    const struct item *item = &profile->items[bound->item];
    if (item->kind == ITEM_AUTO)
        snprintf(text, size, "%s%" PRIu64, item->text, bound->number[0]);
    else
        snprintf(text, size, "%s", item->text);
}

void profile_rule_text(const struct profile *profile, const struct rule *rule, char *text,
                       size_t size) {
    char min[160] = "", max[160] = "";
    if (rule->min.set)
        bound_text(profile, &rule->min, min, sizeof min);
    if (rule->max.set)
        bound_text(profile, &rule->max, max, sizeof max);
    const bool both = min[0] && max[0] && strcmp(min, max) != 0;
    snprintf(text, size, "%s%s%s", min, both ? ", " : "", both || !min[0] ? max : "");
}

void consent_text(unsigned consent, char *text, size_t size) {
    static const char *const names[] = {
        "beyond-hardware",          "mac",         "metal",      "threadgroup-memory",
        "small-threadgroup-memory", "working-set", "bare-metal", "feature",
        "macos-14-guest",
    };
    text[0] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const size_t used = strlen(text);
        if (consent >> i & 1)
            snprintf(text + used, size - used, "%s%s", used ? "+" : "", names[i]);
    }
}
