/* What a profile would do, told without doing it; and what the apply in force did. */
#include "explain.h"

#include <string.h>

#include "device.h"
#include "engine.h"
#include "error.h"
#include "hook.h"
#include "lock.h"
#include "publish.h"
#include "record.h"
#include "structure.h"
#include "study.h"

#define COPY(array, text) mtlcap__copy_text(array, sizeof(array), text, strlen(text))

/* ---- findings ------------------------------------------------------------- */

static void show_finding(struct mtlcap_finding *shown, const struct mtlcap__finding *finding) {
    const struct mtlcap__hazard *hazard = &mtlcap__hazards[finding->hazard];
    shown->refuses = hazard->refuses;
    shown->allowed = finding->allowed;
    COPY(shown->hazard, hazard->name);
    COPY(shown->rule, finding->rule);
    COPY(shown->message, finding->message);
}

/* ---- explain -------------------------------------------------------------- */

/* Calls visit(study, data) with a study of the profile. */
static int with_study(const char *profile, const struct mtlcap_options *options,
                      int (*visit)(const struct mtlcap__study *study, void *data), void *data) {
    if (!profile)
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "profile is NULL");
    mtlcap__hazard_set allowed;
    int status = mtlcap__options_check(options, &allowed);
    struct mtlcap__request *request = NULL;
    if (!status)
        status = mtlcap__request_new(profile, options ? options->allow : NULL, allowed, &request);
    if (status)
        return status;
    /* A study asks devices, and may take their stock answers anew: as in an apply, one at a time.
     */
    mtlcap__devices_prepare();
    status = mtlcap__turn_take();
    if (!status) {
        struct mtlcap__study study;
        void *pool = mtlcap__rt_open() ? NULL : mtlcap__rt_pool_push();
        status = mtlcap__study_begin(&study, MTLCAP__LISTED_DEVICES, request->profile, allowed);
        if (!status) {
            status = visit(&study, data);
            mtlcap__study_end(&study);
        }
        if (pool)
            mtlcap__rt_pool_pop(pool);
        mtlcap__turn_give();
    }
    mtlcap__request_release(request);
    return status;
}

/* The device and capability of the index-th rule; the number of rules if there is none. */
struct rule_at {
    uint32_t index;
    size_t device;
    const struct mtlcap__capability *capability;
};

static uint32_t find_rule(const struct mtlcap__study *study, struct rule_at *at) {
    const size_t devices = study->device_count ? study->device_count : 1;
    uint32_t count = 0;
    for (size_t d = 0; d < devices; d++)
        for (size_t c = 0; c < MTLCAP__CAPABILITY_COUNT; c++)
            if (mtlcap__rule_is_set(&study->rules[d].rule[c]) && count++ == at->index) {
                at->device = d;
                at->capability = &mtlcap__capabilities[c];
            }
    return count;
}

static int explain_profile(const struct mtlcap__study *study, void *data) {
    struct mtlcap_explanation *explanation = data;
    struct rule_at none = {.index = UINT32_MAX};
    explanation->status = study->status;
    explanation->rule_count = find_rule(study, &none);
    explanation->finding_count = (uint32_t)study->finding_count;
    return MTLCAP_OK;
}

int mtlcap__explain_profile(const char *profile, const struct mtlcap_options *options,
                            struct mtlcap_explanation *explanation) {
    int status = mtlcap__structure_check(explanation, sizeof *explanation);
    struct mtlcap_explanation filled = MTLCAP_EXPLANATION_INIT;
    if (!status)
        status = with_study(profile, options, explain_profile, &filled);
    if (!status)
        mtlcap__structure_fill(explanation, &filled, sizeof filled);
    return status;
}

struct rule_wanted {
    struct rule_at at;
    struct mtlcap_rule rule;
};

static int explain_rule(const struct mtlcap__study *study, void *data) {
    struct rule_wanted *wanted = data;
    const uint32_t count = find_rule(study, &wanted->at);
    const struct mtlcap__capability *capability = wanted->at.capability;
    if (!capability)
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "there is no rule %u: there are %u",
                            wanted->at.index, count);
    const size_t c = mtlcap__capability_index(capability);
    const struct mtlcap__rule *rule = &study->rules[wanted->at.device].rule[c];
    COPY(wanted->rule.capability, capability->key);
    mtlcap__rule_text(rule, wanted->rule.rule, sizeof wanted->rule.rule);
    if (!study->device_count)
        return MTLCAP_OK;
    const struct mtlcap__device *device = study->devices[wanted->at.device];
    wanted->rule.device = device->object;
    if (device->support[c] != MTLCAP__SUPPORTED)
        return MTLCAP_OK;
    const struct mtlcap__value effective = mtlcap__rule_apply(rule, capability, &device->stock[c]);
    mtlcap__value_text(&device->stock[c], capability, wanted->rule.stock,
                       sizeof wanted->rule.stock);
    mtlcap__value_text(&effective, capability, wanted->rule.effective,
                       sizeof wanted->rule.effective);
    return MTLCAP_OK;
}

int mtlcap__explain_rule(const char *profile, const struct mtlcap_options *options, uint32_t index,
                         struct mtlcap_rule *rule) {
    int status = mtlcap__structure_check(rule, sizeof *rule);
    struct rule_wanted wanted = {.at = {.index = index}};
    if (!status)
        status = with_study(profile, options, explain_rule, &wanted);
    if (!status)
        mtlcap__structure_fill(rule, &wanted.rule, sizeof wanted.rule);
    return status;
}

struct finding_wanted {
    uint32_t index;
    struct mtlcap_finding finding;
};

static int explain_finding(const struct mtlcap__study *study, void *data) {
    struct finding_wanted *wanted = data;
    if (wanted->index >= study->finding_count)
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "there is no finding %u: there are %zu",
                            wanted->index, study->finding_count);
    show_finding(&wanted->finding, &study->findings[wanted->index]);
    return MTLCAP_OK;
}

int mtlcap__explain_finding(const char *profile, const struct mtlcap_options *options,
                            uint32_t index, struct mtlcap_finding *finding) {
    int status = mtlcap__structure_check(finding, sizeof *finding);
    struct finding_wanted wanted = {.index = index};
    if (!status)
        status = with_study(profile, options, explain_finding, &wanted);
    if (!status)
        mtlcap__structure_fill(finding, &wanted.finding, sizeof wanted.finding);
    return status;
}

/* ---- report --------------------------------------------------------------- */

struct hook_count {
    uint32_t hooks, classes;
};

static void count_hook(struct mtlcap__hook *hook, void *data) {
    struct hook_count *count = data;
    count->hooks++;
    /* The first hook of its class, in whatever order: no earlier one has the class. */
    count->classes += mtlcap__hook_is_first_of_class(hook);
}

int mtlcap__report_info(struct mtlcap_report *report) {
    int status = mtlcap__structure_check(report, offsetof(struct mtlcap_report, published));
    if (status)
        return status;
    struct mtlcap_report filled = MTLCAP_REPORT_INIT;
    struct hook_count count = {0, 0};
    mtlcap__lock();
    mtlcap__hooks_each(count_hook, &count);
    filled.hook_count = count.hooks;
    filled.class_count = count.classes;
    filled.published = mtlcap__publications();
    const struct mtlcap__record *record = mtlcap__record_in_force();
    if (record) {
        filled.generation = record->generation;
        filled.device_count = (uint32_t)record->device_count;
        filled.change_count = (uint32_t)record->change_count;
        for (size_t i = 0; i < record->change_count; i++)
            filled.derived_count += record->changes[i].derived != 0;
        filled.finding_count = (uint32_t)record->finding_count;
        COPY(filled.profile, record->request->text);
        COPY(filled.allowed, record->request->allow);
    }
    mtlcap__unlock();
    mtlcap__structure_fill(report, &filled, sizeof filled);
    return MTLCAP_OK;
}

int mtlcap__report_change(uint32_t index, struct mtlcap_change *change) {
    int status = mtlcap__structure_check(change, sizeof *change);
    if (status)
        return status;
    struct mtlcap_change filled = MTLCAP_CHANGE_INIT;
    mtlcap__lock();
    const struct mtlcap__record *record = mtlcap__record_in_force();
    const size_t count = record ? record->change_count : 0;
    if (index < count)
        filled = record->changes[index];
    mtlcap__unlock();
    if (index >= count)
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "there is no change %u: there are %zu", index,
                            count);
    mtlcap__structure_fill(change, &filled, sizeof filled);
    return MTLCAP_OK;
}

int mtlcap__report_finding(uint32_t index, struct mtlcap_finding *finding) {
    int status = mtlcap__structure_check(finding, sizeof *finding);
    if (status)
        return status;
    struct mtlcap_finding filled = MTLCAP_FINDING_INIT;
    mtlcap__lock();
    const struct mtlcap__record *record = mtlcap__record_in_force();
    const size_t count = record ? record->finding_count : 0;
    if (index < count)
        show_finding(&filled, &record->findings[index]);
    mtlcap__unlock();
    if (index >= count)
        return mtlcap__fail(MTLCAP_E_ARGUMENT, "there is no finding %u: there are %zu", index,
                            count);
    mtlcap__structure_fill(finding, &filled, sizeof filled);
    return MTLCAP_OK;
}
