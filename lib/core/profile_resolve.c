/* From the items of a profile to rules for one device, and from a rule and a stock value to the
 * effective one. */
#include <stdio.h>
#include <string.h>

#include "host/host.h"
#include "profile_parts.h"

/* ---- resolve ------------------------------------------------------------ */

static void set_bound(struct mtlcap__bound *bound, const struct mtlcap__item *item) {
    bound->set = true;
    memcpy(bound->number, item->number, sizeof bound->number);
    memcpy(bound->text, item->text, sizeof bound->text);
}

/* Later items win: what contradicts the later one gives way, as far as it does. */
static void apply_item(struct mtlcap__rule *rule, const struct mtlcap__item *item,
                       const struct mtlcap__capability *capability) {
    struct mtlcap__bound *min = &rule->min, *max = &rule->max;

    if (item->replaces)
        memset(rule, 0, sizeof *rule);
    if (item->sets_min)
        set_bound(min, item);
    if (item->sets_max)
        set_bound(max, item);
    if (!min->set || !max->set)
        return;
    bool gave_way = false;
    for (int i = 0; i < 3; i++) {
        if (min->number[i] <= max->number[i])
            continue;
        gave_way = true;
        if (item->sets_min)
            max->number[i] = min->number[i];
        else
            min->number[i] = max->number[i];
    }
    if (gave_way && memcmp(min->number, max->number, sizeof min->number) == 0)
        memcpy(item->sets_min ? max->text : min->text, item->text, sizeof item->text);
    bool is_ladder =
        capability->kind == MTLCAP_KIND_FAMILY || capability->kind == MTLCAP_KIND_COUNT;
    if (is_ladder && min->number[0] == 0)
        memset(min, 0, sizeof *min);
}

/* Never above the silicon. */
static void apply_auto(struct mtlcap__rule *rule, const struct mtlcap__host *host) {
    int family = mtlcap__host_gpu_family(host);
    struct mtlcap__item item = {
        .sets_min = true, .number = {(uint64_t)family}, .text = "auto: apple.min="};
    const struct mtlcap__capability *apple = &mtlcap__capabilities[MTLCAP__APPLE];
    const struct mtlcap__value value = {.number = {(uint64_t)family}};

    if (family == 0)
        return;
    const size_t length = strlen(item.text);
    mtlcap__value_text(&value, apple, item.text + length, sizeof item.text - length);
    apply_item(rule, &item, apple);
}

static size_t target_of(const struct mtlcap__item *item) {
    return item->is_auto ? MTLCAP__APPLE : item->capability;
}

static void resolve_item(struct mtlcap__rule *rule, const struct mtlcap__item *item,
                         bool paravirtual, const struct mtlcap__host *host) {
    if (!item->is_auto)
        apply_item(rule, item, &mtlcap__capabilities[item->capability]);
    else if (paravirtual)
        apply_auto(rule, host);
}

void mtlcap__profile_resolve(const struct mtlcap__profile *profile, bool paravirtual,
                             const struct mtlcap__host *host, struct mtlcap__rules *rules) {
    memset(rules, 0, sizeof *rules);
    for (size_t i = 0; i < profile->count; i++) {
        const struct mtlcap__item *item = &profile->items[i];
        resolve_item(&rules->rule[target_of(item)], item, paravirtual, host);
    }
}

void mtlcap__profile_resolve_one(const struct mtlcap__profile *profile, bool paravirtual,
                                 const struct mtlcap__host *host,
                                 const struct mtlcap__capability *capability,
                                 struct mtlcap__rule *rule) {
    memset(rule, 0, sizeof *rule);
    for (size_t i = 0; i < profile->count; i++) {
        const struct mtlcap__item *item = &profile->items[i];
        if (target_of(item) == mtlcap__capability_index(capability))
            resolve_item(rule, item, paravirtual, host);
    }
}

/* ---- apply -------------------------------------------------------------- */

/* Known members up to the one named `number`. */
static uint64_t members_up_to(const struct mtlcap__capability *capability, uint64_t number) {
    int64_t count = (int64_t)number - capability->named - capability->first + 1;

    if (number == 0 || count <= 0)
        return 0;
    if (count > capability->last - capability->first + 1)
        count = capability->last - capability->first + 1;
    return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

static struct mtlcap__value of_members(const struct mtlcap__capability *capability,
                                       uint64_t members) {
    struct mtlcap__value value = {.members = members};

    for (int64_t i = 0; i <= capability->last - capability->first; i++)
        if ((members >> i & 1) != 0)
            value.number[0] = (uint64_t)(capability->first + i + capability->named);
    return value;
}

struct mtlcap__value mtlcap__rule_apply(const struct mtlcap__rule *rule,
                                        const struct mtlcap__capability *capability,
                                        const struct mtlcap__value *stock) {
    const struct mtlcap__bound *min = &rule->min, *max = &rule->max;
    struct mtlcap__value value = *stock;

    if (capability->kind == MTLCAP_KIND_FAMILY || capability->kind == MTLCAP_KIND_COUNT) {
        uint64_t members = stock->members;
        if (min->set)
            members |= members_up_to(capability, min->number[0]);
        if (max->set)
            members &= members_up_to(capability, max->number[0]);
        return of_members(capability, members);
    }
    for (int i = 0; i < 3; i++) {
        if (min->set && value.number[i] < min->number[i])
            value.number[i] = min->number[i];
        if (max->set && value.number[i] > max->number[i])
            value.number[i] = max->number[i];
    }
    return value;
}

void mtlcap__rule_text(const struct mtlcap__rule *rule, char *text, size_t size) {
    const struct mtlcap__bound *min = &rule->min, *max = &rule->max;
    bool both = min->set && max->set && strcmp(min->text, max->text) != 0;

    const char *one = min->set ? min->text : max->set ? max->text : "";

    if (both)
        snprintf(text, size, "%s, %s", min->text, max->text);
    else
        mtlcap__copy_text(text, size, one, strlen(one));
}
