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

#define SIZE(key, kind, n)                                                                         \
    {                                                                                              \
        key, kind, {                                                                               \
            n, n, n                                                                                \
        }                                                                                          \
    }

static const struct builtin {
    const char *name;
    struct {
        const char *key;
        enum item_kind kind;
        uint64_t number[3];
    } items[8];
} builtins[] = {
    {"stock", {{0}}},
    {"auto", {{"apple", ITEM_AUTO, {0}}}},
    {"lume", {SIZE("apple", ITEM_MIN, 9), SIZE("threadgroup_memory", ITEM_MIN, 65536)}},
    {"no-families",
     {SIZE("apple", ITEM_EXACTLY, 0), SIZE("mac", ITEM_EXACTLY, 0), SIZE("common", ITEM_EXACTLY, 0),
      SIZE("catalyst", ITEM_EXACTLY, 0), SIZE("metal", ITEM_EXACTLY, 0),
      SIZE("feature_set", ITEM_EXACTLY, 0)}},
    {"github-runner",
     {SIZE("apple", ITEM_MAX, 5), SIZE("mac", ITEM_MAX, 2), SIZE("common", ITEM_MAX, 3),
      SIZE("metal", ITEM_EXACTLY, 0), SIZE("threadgroup_memory", ITEM_MAX, 32768),
      SIZE("working_set", ITEM_MAX, 5010800640), SIZE("buffer_length", ITEM_MAX, 3758096384)}},
    {"like-m1",
     {SIZE("apple", ITEM_EXACTLY, 7), SIZE("mac", ITEM_MAX, 2), SIZE("metal", ITEM_MAX, 4),
      SIZE("threadgroup_memory", ITEM_MAX, 32768),
      SIZE("threads_per_threadgroup", ITEM_MAX, 1024)}},
    {"like-m4",
     {SIZE("apple", ITEM_EXACTLY, 9), SIZE("mac", ITEM_MAX, 2), SIZE("metal", ITEM_MAX, 4),
      SIZE("threadgroup_memory", ITEM_MAX, 32768),
      SIZE("threads_per_threadgroup", ITEM_MAX, 1024)}},
};

static void add_builtin(struct profile *profile, const struct builtin *builtin) {
    append(profile, builtin->name);
    for (size_t i = 0; i < 8 && builtin->items[i].key; i++) {
        struct item item = {builtin->items[i].kind, row_of(builtin->items[i].key), {0}};
        memcpy(item.number, builtin->items[i].number, sizeof item.number);
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
    struct item item = {ITEM_EXACTLY, r, {0}};
    const char *bound = "";
    if (row->kind != KIND_BOOL && !random_one_in(random, 4)) {
        const bool can_min = row->change & CHANGE_RAISE, can_max = row->change & CHANGE_LOWER;
        item.kind = can_min && (!can_max || random_one_in(random, 2)) ? ITEM_MIN : ITEM_MAX;
        bound = item.kind == ITEM_MIN ? ".min" : ".max";
    }
    char value[96], text[192];
    choose_value(row, &item, value, sizeof value, random);
    snprintf(text, sizeof text, "%s%s=%s", row->key, bound, value);
    append(profile, text);
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

static void set(struct bound *bound, const uint64_t number[3]) {
    bound->set = true;
    memcpy(bound->number, number, sizeof bound->number);
}

static void resolve(struct rule *rule, const struct row *row, enum item_kind kind,
                    const uint64_t number[3]) {
    const bool ladder = row->kind == KIND_FAMILY || row->kind == KIND_COUNT;
    const bool off = ladder && number[0] == 0;
    const bool min = kind != ITEM_MAX && (row->change & CHANGE_RAISE) && !off;
    const bool max = kind != ITEM_MIN && (row->change & CHANGE_LOWER);
    if (kind == ITEM_EXACTLY)
        memset(rule, 0, sizeof *rule);
    if (min)
        set(&rule->min, number);
    if (max)
        set(&rule->max, number);
    for (int i = 0; rule->min.set && rule->max.set && i < 3; i++) {
        if (rule->min.number[i] <= rule->max.number[i])
            continue;
        if (min)
            rule->max.number[i] = rule->min.number[i];
        else
            rule->min.number[i] = rule->max.number[i];
    }
    if (ladder && rule->min.number[0] == 0)
        rule->min.set = false;
}

struct rules profile_rules(const struct profile *profile, bool paravirtual, int host_family) {
    struct rules rules;
    memset(&rules, 0, sizeof rules);
    for (int i = 0; i < profile->count; i++) {
        const struct item *item = &profile->items[i];
        const uint64_t family[3] = {(uint64_t)host_family, 0, 0};
        if (item->kind != ITEM_AUTO)
            resolve(&rules.of[item->row], &rows[item->row], item->kind, item->number);
        else if (paravirtual && host_family)
            resolve(&rules.of[item->row], &rows[item->row], ITEM_MIN, family);
    }
    return rules;
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
