/* Answers that a program got: what `mtlcap trace --json` has written. Only what was asked is known.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "command.h"
#include "explain.h"
#include "json_read.h"

/* The first process that has asked something. */
static const struct json_value *find_questions(const struct json_document *document,
                                               const char **profile) {
    const struct json_value *processes = json_member(document, document->values, "processes");
    if (processes == NULL || processes->kind != JSON_ARRAY)
        return NULL;
    for (const struct json_value *process = json_first(document, processes); process != NULL;
         process = json_next(document, process)) {
        const struct json_value *questions = json_member(document, process, "questions");
        if (questions != NULL && questions->kind == JSON_ARRAY && questions->first != 0) {
            *profile = json_member_text(document, process, "profile");
            return questions;
        }
    }
    return NULL;
}

/* Devices are told apart by name and class. */
static struct explain_answers *find_device(struct explain *explain, const char *name,
                                           const char *class_name) {
    for (uint32_t i = 0; i < explain->count; i++)
        if (strcmp(explain->answers[i].device.name, name) == 0 &&
            strcmp(explain->answers[i].device.class_name, class_name) == 0)
            return &explain->answers[i];
    struct explain_answers *answers = explain_add_device(explain);
    struct mtlcap_device *device = &answers->device;
    snprintf(device->name, sizeof device->name, "%s", name);
    snprintf(device->class_name, sizeof device->class_name, "%s", class_name);
    device->paravirtual =
        class_name[0] == '\0' ? MTLCAP_UNKNOWN : strcmp(class_name, "AppleParavirtDevice") == 0;
    return answers;
}

/* The number in "MTLGPUFamilyApple7"; 0: there is none. */
static uint64_t number_in_name(const char *name) {
    size_t length = name != NULL ? strlen(name) : 0, digits = 0;
    while (digits < length && digits < 4 && name[length - digits - 1] >= '0' &&
           name[length - digits - 1] <= '9')
        digits++;
    return digits > 0 ? strtoull(name + length - digits, NULL, 10) : 0;
}

/* A "supports N?": the highest that is answered yes, the lowest that is answered no. */
static void add_member(const struct json_document *document, const struct json_value *question,
                       bool yes, struct mtlcap_answer *answer, struct explain_known *known) {
    const struct json_value *argument = json_member(document, question, "argument");
    uint64_t raw = argument != NULL && argument->whole ? argument->number : 0;
    uint64_t number = answer->kind == MTLCAP_KIND_FAMILY
                          ? number_in_name(json_member_text(document, question, "argument_name"))
                          : raw;
    if (number == 0)
        return;
    if (!known->known)
        known->below = UINT64_MAX;
    known->known = true;
    if (yes && number > answer->effective.number[0])
        answer->effective.number[0] = number;
    if (!yes && raw % 1000 == 1) /* the first of its axis */
        number = 1;
    if (!yes && number < known->below)
        known->below = number;
    if (answer->effective.number[0] > 0)
        snprintf(answer->effective.text, sizeof answer->effective.text, "%llu",
                 (unsigned long long)answer->effective.number[0]);
    else
        snprintf(answer->effective.text, sizeof answer->effective.text, "off");
}

static void add_answer(const struct json_value *value, struct mtlcap_answer *answer,
                       struct explain_known *known) {
    bool yes = value->kind == JSON_TRUE;
    known->known = true;
    answer->effective.number[0] = value->kind == JSON_NUMBER && value->whole ? value->number : yes;
    if (value->kind == JSON_TEXT)
        snprintf(answer->effective.text, sizeof answer->effective.text, "%s", value->text);
    else if (value->kind == JSON_NUMBER)
        snprintf(answer->effective.text, sizeof answer->effective.text, "%llu",
                 (unsigned long long)answer->effective.number[0]);
    else
        snprintf(answer->effective.text, sizeof answer->effective.text, "%s", yes ? "yes" : "no");
}

static bool is_of_kind(const struct json_value *value, int32_t kind) {
    switch (kind) {
    case MTLCAP_KIND_TEXT:
        return value->kind == JSON_TEXT;
    case MTLCAP_KIND_SIZE3:
        return value->kind == JSON_ARRAY;
    case MTLCAP_KIND_SIZE:
    case MTLCAP_KIND_TIER:
        return value->kind == JSON_NUMBER && value->whole;
    default: /* also "is it of this family?", "are there so many?" */
        return value->kind == JSON_TRUE || value->kind == JSON_FALSE;
    }
}

/* false: its answer is not of the capability's kind. */
static bool add_question(const struct json_document *document, const struct json_value *question,
                         struct explain *explain) {
    const char *key = json_member_text(document, question, "capability");
    const char *name = json_member_text(document, question, "device");
    const char *class_name = json_member_text(document, question, "class");
    const struct json_value *value = json_member(document, question, "answer");
    if (name == NULL || value == NULL)
        return value != NULL;
    struct explain_answers *answers =
        find_device(explain, name, class_name != NULL ? class_name : "");
    for (uint32_t i = 0; key != NULL && i < mtlcap_capability_count(); i++) {
        struct mtlcap_capability capability = catalog_capability(i);
        if (strcmp(capability.key, key) != 0)
            continue;
        struct mtlcap_answer *answer = &answers->list[i];
        if (!is_of_kind(value, capability.kind))
            return false;
        answer->kind = capability.kind;
        const struct json_value *derived = json_member(document, question, "derived");
        answer->derived = derived != NULL && derived->kind == JSON_TRUE;
        if (capability.kind == MTLCAP_KIND_FAMILY || capability.kind == MTLCAP_KIND_COUNT)
            add_member(document, question, value->kind == JSON_TRUE, answer, &answers->known[i]);
        else
            add_answer(value, answer, &answers->known[i]);
    }
    return true;
}

/* A device's own name is known with every question. */
static void add_name(struct explain_answers *answers) {
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        struct mtlcap_answer *answer = &answers->list[i];
        if (strcmp(catalog_capability(i).key, "name") != 0)
            continue;
        answer->kind = MTLCAP_KIND_TEXT;
        answers->known[i].known = true;
        snprintf(answer->effective.text, sizeof answer->effective.text, "%s", answers->device.name);
    }
}

const char *explain_from_trace(const struct json_document *document, struct explain *explain) {
    static char problem[160];
    const char *profile = NULL;
    const struct json_value *form = json_member(document, document->values, "mtlcap_trace");
    if (form == NULL || !form->whole || form->number != 1)
        return "it is a trace of another form: 'mtlcap_trace' is 1 in what is read";
    const struct json_value *questions = find_questions(document, &profile);
    uint32_t count = 0;
    if (questions == NULL)
        return "it is a trace in which nobody has asked anything";
    for (const struct json_value *question = json_first(document, questions); question != NULL;
         question = json_next(document, question))
        count++;
    mtlcap_init(&explain->machine, sizeof explain->machine);
    explain->machine.apple_silicon = explain->machine.virtual_machine = MTLCAP_UNKNOWN;
    explain_from_profile(explain, profile);
    explain->answers = allocate(count, sizeof *explain->answers);
    for (const struct json_value *question = json_first(document, questions); question != NULL;
         question = json_next(document, question)) {
        if (add_question(document, question, explain))
            continue;
        const char *key = json_member_text(document, question, "capability");
        snprintf(problem, sizeof problem, "the answer to a question of '%.60s' is not of its kind",
                 key != NULL ? key : "");
        return problem;
    }
    for (uint32_t i = 0; i < explain->count; i++)
        add_name(&explain->answers[i]);
    return explain->count > 0 ? NULL : "it is a trace without a device's name";
}
