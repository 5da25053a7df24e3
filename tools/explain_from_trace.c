/* Answers that a program got: what `mtlcap trace --json` has written. Only what was asked is known.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "command.h"
#include "explain.h"
#include "json_read.h"
#include "text.h"

/* The first process that has asked something. */
static const struct json_value *find_process(const struct json_document *document) {
    const struct json_value *processes = json_member(document, document->values, "processes");
    if (processes == NULL || processes->kind != JSON_ARRAY)
        return NULL;
    for (const struct json_value *process = json_first(document, processes); process != NULL;
         process = json_next(document, process)) {
        const struct json_value *questions = json_member(document, process, "questions");
        if (questions != NULL && questions->kind == JSON_ARRAY && questions->first != 0)
            return process;
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

/* The first one stays. */
static void add_answer(const struct json_value *value, struct mtlcap_answer *answer,
                       struct explain_known *known) {
    bool yes = value->kind == JSON_TRUE;
    if (known->known)
        return;
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

static void add_value(const struct json_document *document, const struct json_value *question,
                      const struct json_value *value, struct mtlcap_answer *answer,
                      struct explain_known *known) {
    if (answer->kind == MTLCAP_KIND_FAMILY || answer->kind == MTLCAP_KIND_COUNT)
        add_member(document, question, value->kind == JSON_TRUE, answer, known);
    else
        add_answer(value, answer, known);
}

/* ---- what came too late -------------------------------------------------------------------- */

static struct explain_early *early_of(struct explain_answers *answers) {
    uint32_t count = mtlcap_capability_count();
    if (answers->early != NULL)
        return answers->early;
    struct explain_early *early = allocate(1, sizeof *early);
    early->list = allocate(count, sizeof *early->list);
    early->known = allocate(count, sizeof *early->known);
    for (uint32_t i = 0; i < count; i++)
        mtlcap_init(&early->list[i], sizeof early->list[i]);
    return answers->early = early;
}

/* The profile that it was too early for. */
static const char *late_profile(const struct json_document *document,
                                const struct json_value *process, const struct json_value *late) {
    const struct json_value *list = json_member(document, process, "applied");
    const struct json_value *index = json_member(document, late, "applied");
    uint64_t left = index != NULL && index->kind == JSON_NUMBER && index->whole ? index->number : 0;
    if (list == NULL || list->kind != JSON_ARRAY)
        return NULL;
    const struct json_value *applied = json_first(document, list);
    while (applied != NULL && left-- > 0)
        applied = json_next(document, applied);
    return applied != NULL ? json_member_text(document, applied, "profile") : NULL;
}

static void add_early(const struct json_document *document, const struct json_value *process,
                      const struct json_value *question, const struct json_value *late,
                      struct explain_early *early) {
    const char *profile = late_profile(document, process, late);
    const char *name = json_member_text(document, question, "argument_name");
    if (name == NULL)
        name = json_member_text(document, question, "selector");
    if (profile != NULL) {
        free(early->profile);
        early->profile = NULL;
        text_add(&early->profile, "%s", profile);
    }
    text_add(&early->names, "%s%s", early->names != NULL ? ", " : "", name != NULL ? name : "?");
}

/* ---- questions ----------------------------------------------------------------------------- */

/* A question with its first answer, which is the one that a client acts on. */
struct asked {
    const struct json_value *question;
    const char *device, *class_name, *selector;
    uint64_t argument, first;
};

static const char *text_or_empty(const struct json_document *document,
                                 const struct json_value *value, const char *key) {
    const char *text = json_member_text(document, value, key);
    return text != NULL ? text : "";
}

static uint64_t number_or_0(const struct json_document *document, const struct json_value *value,
                            const char *key) {
    const struct json_value *number = json_member(document, value, key);
    return number != NULL && number->kind == JSON_NUMBER && number->whole ? number->number : 0;
}

static int by_question_and_time(const void *left, const void *right) {
    const struct asked *a = left, *b = right;
    int order = strcmp(a->device, b->device);
    if (order == 0)
        order = strcmp(a->class_name, b->class_name);
    if (order == 0)
        order = strcmp(a->selector, b->selector);
    if (order == 0 && a->argument != b->argument)
        order = a->argument < b->argument ? -1 : 1;
    if (order == 0 && a->first != b->first)
        order = a->first < b->first ? -1 : 1;
    return order != 0 ? order : a->question < b->question ? -1 : a->question > b->question;
}

static bool is_same(const struct asked *a, const struct asked *b) {
    return strcmp(a->device, b->device) == 0 && strcmp(a->class_name, b->class_name) == 0 &&
           strcmp(a->selector, b->selector) == 0 && a->argument == b->argument;
}

static int by_place(const void *left, const void *right) {
    const struct asked *a = left, *b = right;
    return a->question < b->question ? -1 : a->question > b->question;
}

/* Each question once, in the order of the file. To be freed. */
static struct asked *first_answers(const struct json_document *document,
                                   const struct json_value *questions, uint32_t *count) {
    uint32_t all = 0;
    for (const struct json_value *question = json_first(document, questions); question != NULL;
         question = json_next(document, question))
        all++;
    struct asked *asked = allocate(all, sizeof *asked);
    all = 0;
    for (const struct json_value *question = json_first(document, questions); question != NULL;
         question = json_next(document, question))
        asked[all++] = (struct asked){question,
                                      text_or_empty(document, question, "device"),
                                      text_or_empty(document, question, "class"),
                                      text_or_empty(document, question, "selector"),
                                      number_or_0(document, question, "argument"),
                                      number_or_0(document, question, "first_ns")};
    qsort(asked, all, sizeof *asked, by_question_and_time);
    *count = 0;
    for (uint32_t i = 0; i < all; i++)
        if (*count == 0 || !is_same(&asked[*count - 1], &asked[i]))
            asked[(*count)++] = asked[i];
    qsort(asked, *count, sizeof *asked, by_place);
    return asked;
}

/* false: its answer is not of the capability's kind. */
static bool add_question(const struct json_document *document, const struct json_value *process,
                         const struct json_value *question, struct explain *explain) {
    const char *key = json_member_text(document, question, "capability");
    const char *name = json_member_text(document, question, "device");
    const struct json_value *value = json_member(document, question, "answer");
    const struct json_value *late = json_member(document, question, "too_early");
    const struct json_value *then = json_member(document, late, "answer");
    if (name == NULL || value == NULL)
        return value != NULL;
    struct explain_answers *answers =
        find_device(explain, name, text_or_empty(document, question, "class"));
    for (uint32_t i = 0; key != NULL && i < mtlcap_capability_count(); i++) {
        struct mtlcap_capability capability = catalog_capability(i);
        if (strcmp(capability.key, key) != 0)
            continue;
        struct mtlcap_answer *answer = &answers->list[i];
        if (!is_of_kind(value, capability.kind) ||
            (then != NULL && !is_of_kind(then, capability.kind)))
            return false;
        const struct json_value *derived = json_member(document, question, "derived");
        struct explain_early *early = early_of(answers);
        answer->kind = early->list[i].kind = capability.kind;
        answer->derived = derived != NULL && derived->kind == JSON_TRUE;
        add_value(document, question, value, answer, &answers->known[i]);
        add_value(document, question, then != NULL ? then : value, &early->list[i],
                  &early->known[i]);
        if (then != NULL)
            add_early(document, process, question, late, early);
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

/* What would have been answered is of interest only if it is another answer. */
static void drop_early(struct explain_answers *answers) {
    if (answers->early != NULL && answers->early->profile == NULL)
        explain_early_free(answers);
}

const char *explain_from_trace(const struct json_document *document, struct explain *explain) {
    static char problem[160];
    const struct json_value *form = json_member(document, document->values, "mtlcap_trace");
    if (form == NULL || !form->whole || form->number != 1)
        return "it is a trace of another form: 'mtlcap_trace' is 1 in what is read";
    const struct json_value *process = find_process(document);
    uint32_t count;
    if (process == NULL)
        return "it is a trace in which nobody has asked anything";
    struct asked *asked =
        first_answers(document, json_member(document, process, "questions"), &count);
    mtlcap_init(&explain->machine, sizeof explain->machine);
    explain->machine.apple_silicon = explain->machine.virtual_machine = MTLCAP_UNKNOWN;
    explain_from_profile(explain, json_member_text(document, process, "profile"));
    explain->answers = allocate(count, sizeof *explain->answers);
    bool good = true;
    for (uint32_t i = 0; i < count && good; i++) {
        const struct json_value *question = asked[i].question;
        good = add_question(document, process, question, explain);
        if (!good)
            snprintf(problem, sizeof problem,
                     "the answer to a question of '%.60s' is not of its kind",
                     text_or_empty(document, question, "capability"));
    }
    free(asked);
    if (!good)
        return problem;
    for (uint32_t i = 0; i < explain->count; i++) {
        drop_early(&explain->answers[i]);
        add_name(&explain->answers[i]);
    }
    return explain->count > 0 ? NULL : "it is a trace without a device's name";
}
