/* When a rule is a hazard on a device. */
#include "hazard.h"

#include <stdio.h>
#include <string.h>

#include "error.h"
#include "host/host.h"
#include "suggest.h"

#define KIB UINT64_C(1024)
#define MOST_THREADGROUP_MEMORY (32 * KIB)

/* The first SDK whose Metal language, 3.1, has bfloat16. */
#define FIRST_SDK_WITH_BF16 14

const struct mtlcap__hazard mtlcap__hazards[MTLCAP__HAZARD_COUNT] = {
#define HAZARD(id, name_, refuses_, when_, breaks_, source_)                                       \
    [MTLCAP__HAZARD_##id] = {.name = (name_),                                                      \
                             .when = (when_),                                                      \
                             .breaks = (breaks_),                                                  \
                             .source = (source_),                                                  \
                             .refuses = (refuses_)},
#include "hazards.def"
#undef HAZARD
};

/* ---- sets --------------------------------------------------------------- */

static int find_hazard(const char *name, size_t length) {
    for (int id = 0; id < MTLCAP__HAZARD_COUNT; id++)
        if (strlen(mtlcap__hazards[id].name) == length &&
            memcmp(mtlcap__hazards[id].name, name, length) == 0)
            return id;
    return MTLCAP__HAZARD_NONE;
}

static int fail_unknown(const char *name, size_t length) {
    struct mtlcap__suggestion suggestion = {.word = name, .length = length};
    const int shown = (int)(length > 64 ? 64 : length);
    char known[512] = "";
    size_t used = 0;

    for (int id = 0; id < MTLCAP__HAZARD_COUNT; id++)
        mtlcap__suggest(&suggestion, mtlcap__hazards[id].name);
    if (suggestion.best != NULL && memchr(name, ',', length) == NULL) /* they are joined by + */
        return mtlcap__fail(MTLCAP_E_ARGUMENT,
                            "there is no hazard '%.*s' to allow; did you mean '%s'?", shown, name,
                            suggestion.best);
    for (int id = 0; id < MTLCAP__HAZARD_COUNT; id++)
        used += (size_t)snprintf(known + used, sizeof known - used, "%s%s", id > 0 ? ", " : "",
                                 mtlcap__hazards[id].name);
    return mtlcap__fail(MTLCAP_E_ARGUMENT,
                        "there is no hazard '%.*s' to allow: write one or more of %s, joined by +",
                        shown, name, known);
}

int mtlcap__hazards_parse(const char *names, mtlcap__hazard_set *set) {
    mtlcap__hazard_set found = 0;

    *set = 0;
    if (names == NULL || names[0] == '\0')
        return MTLCAP_OK;
    for (const char *name = names;;) {
        size_t length = strcspn(name, "+");
        int id = find_hazard(name, length);
        if (id == MTLCAP__HAZARD_NONE)
            return fail_unknown(name, length);
        found |= (mtlcap__hazard_set)1 << id;
        if (name[length] == '\0')
            break;
        name += length + 1;
    }
    *set = found;
    return MTLCAP_OK;
}

/* ---- when --------------------------------------------------------------- */

/* What one rule does to one answer of a device. */
struct effect {
    enum mtlcap__capability_id capability;
    const struct mtlcap__target *target;
    uint64_t stock, effective; /* the first number */
    bool raises, lowers;       /* a ladder with holes can be both */
};

typedef bool condition(const struct effect *effect);

static bool has_column(const struct effect *effect, enum mtlcap__hazard_id hazard) {
    return mtlcap__capabilities[effect->capability].hazard == (int32_t)hazard;
}

static bool metal(const struct effect *effect) {
    return effect->raises && has_column(effect, MTLCAP__HAZARD_METAL);
}

static bool mac(const struct effect *effect) {
    return effect->raises && has_column(effect, MTLCAP__HAZARD_MAC);
}

static bool beyond_hardware(const struct effect *effect) {
    uint64_t hardware = (uint64_t)mtlcap__host_gpu_family(effect->target->host);

    /* A driver knows its own GPU; the paravirtual one knows nothing of the host's. */
    if (!effect->target->paravirtual && hardware < effect->stock)
        hardware = effect->stock;
    return effect->raises && has_column(effect, MTLCAP__HAZARD_BEYOND_HARDWARE) &&
           effect->effective > hardware;
}

static bool threadgroup_memory(const struct effect *effect) {
    return effect->raises && has_column(effect, MTLCAP__HAZARD_THREADGROUP_MEMORY) &&
           effect->effective > MOST_THREADGROUP_MEMORY;
}

static bool small_threadgroup_memory(const struct effect *effect) {
    return effect->lowers && effect->capability == MTLCAP__THREADGROUP_MEMORY &&
           effect->effective < MOST_THREADGROUP_MEMORY;
}

/* Memory that cannot be read is 0: anything is above it. */
static bool working_set(const struct effect *effect) {
    return effect->raises && has_column(effect, MTLCAP__HAZARD_WORKING_SET) &&
           effect->effective > effect->target->host->memory;
}

static bool bare_metal(const struct effect *effect) {
    return effect->raises && !effect->target->paravirtual;
}

static bool macos_14_guest(const struct effect *effect) {
    return effect->raises && effect->target->paravirtual && effect->target->host->os_major == 14;
}

static bool pytorch_mpp(const struct effect *effect) {
    return effect->raises && effect->target->paravirtual && effect->target->has_torch &&
           effect->capability == MTLCAP__APPLE && effect->effective >= 7;
}

static bool old_sdk_bf16(const struct effect *effect) {
    int sdk = effect->target->host->program_sdk;
    bool is_old = sdk > 0 && sdk < FIRST_SDK_WITH_BF16;
    bool chooses_bf16 =
        (effect->capability == MTLCAP__APPLE && effect->stock < 6 && effect->effective >= 6) ||
        (effect->capability == MTLCAP__METAL && effect->stock < 3 && effect->effective >= 3);

    return effect->raises && is_old && chooses_bf16;
}

static bool live_internals(const struct effect *effect) {
    return effect->lowers && !effect->target->paravirtual;
}

static bool feature(const struct effect *effect) {
    return effect->raises && has_column(effect, MTLCAP__HAZARD_FEATURE);
}

static condition *const conditions[MTLCAP__HAZARD_COUNT] = {
    [MTLCAP__HAZARD_METAL] = metal,
    [MTLCAP__HAZARD_MAC] = mac,
    [MTLCAP__HAZARD_BEYOND_HARDWARE] = beyond_hardware,
    [MTLCAP__HAZARD_THREADGROUP_MEMORY] = threadgroup_memory,
    [MTLCAP__HAZARD_SMALL_THREADGROUP_MEMORY] = small_threadgroup_memory,
    [MTLCAP__HAZARD_WORKING_SET] = working_set,
    [MTLCAP__HAZARD_BARE_METAL] = bare_metal,
    [MTLCAP__HAZARD_MACOS_14_GUEST] = macos_14_guest,
    [MTLCAP__HAZARD_PYTORCH_MPP] = pytorch_mpp,
    [MTLCAP__HAZARD_OLD_SDK_BF16] = old_sdk_bf16,
    [MTLCAP__HAZARD_LIVE_INTERNALS] = live_internals,
    [MTLCAP__HAZARD_FEATURE] = feature,
};

/* ---- findings ----------------------------------------------------------- */

void mtlcap__hazard_add_consent(char *message, size_t size, const char *names) {
    const size_t length = strlen(message);
    snprintf(message + length, size - length, "; to apply it all the same, allow \"%s\"", names);
}

/* Whatever is long in a message is cut before it comes to its end, which tells how to override. */
static void write_finding(struct mtlcap__finding *finding, enum mtlcap__hazard_id id, bool allowed,
                          const struct mtlcap__rule *rule, const struct effect *effect,
                          const struct mtlcap__value *stock,
                          const struct mtlcap__value *effective) {
    const struct mtlcap__capability *capability = &mtlcap__capabilities[effect->capability];
    const struct mtlcap__hazard *hazard = &mtlcap__hazards[id];
    char device[40], before[24], after[24];

    finding->hazard = id;
    finding->allowed = allowed;
    mtlcap__rule_text(rule, finding->rule, sizeof finding->rule);
    mtlcap__copy_text(device, sizeof device, effect->target->device_name,
                      strlen(effect->target->device_name));
    mtlcap__value_text(stock, capability, before, sizeof before);
    mtlcap__value_text(effective, capability, after, sizeof after);
    snprintf(finding->message, sizeof finding->message,
             "hazard %s: %.56s changes %s of %s from %s to %s: %s", hazard->name, finding->rule,
             capability->key, device, before, after, hazard->breaks);
    finding->reason = strlen(finding->message);
    if (!allowed && hazard->refuses)
        mtlcap__hazard_add_consent(finding->message, sizeof finding->message, hazard->name);
    else if (!allowed)
        snprintf(finding->message + finding->reason, sizeof finding->message - finding->reason,
                 "; to silence this warning, allow \"%s\"", hazard->name);
}

static void find_in_rule(enum mtlcap__capability_id id, const struct mtlcap__rule *rule,
                         const struct mtlcap__target *target, mtlcap__hazard_set allowed,
                         struct mtlcap__finding *findings, size_t capacity, size_t *count) {
    const struct mtlcap__capability *capability = &mtlcap__capabilities[id];
    const struct mtlcap__value *stock = &target->stock[id];
    struct mtlcap__value effective = mtlcap__rule_apply(rule, capability, stock);
    struct effect effect = {
        .capability = id,
        .target = target,
        .stock = stock->number[0],
        .effective = effective.number[0],
        .raises = mtlcap__value_above(&effective, stock, capability),
        .lowers = mtlcap__value_above(stock, &effective, capability),
    };

    for (int hazard = 0; hazard < MTLCAP__HAZARD_COUNT; hazard++) {
        if (!conditions[hazard](&effect))
            continue;
        if (*count < capacity)
            write_finding(&findings[*count], (enum mtlcap__hazard_id)hazard,
                          (allowed >> hazard & 1) != 0, rule, &effect, stock, &effective);
        ++*count;
    }
}

void mtlcap__hazards_find(const struct mtlcap__rules *rules, const struct mtlcap__target *target,
                          mtlcap__hazard_set allowed, struct mtlcap__finding *findings,
                          size_t capacity, size_t *count) {
    for (int id = 0; id < MTLCAP__CAPABILITY_COUNT; id++)
        if (mtlcap__rule_is_set(&rules->rule[id]) && target->supported[id])
            find_in_rule((enum mtlcap__capability_id)id, &rules->rule[id], target, allowed,
                         findings, capacity, count);
}
