/* Answers that somebody has sent: what `mtlcap probe --json` has printed, or a trace. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "command.h"
#include "core/trace_read.h"
#include "explain.h"
#include "json_read.h"
#include "output.h"

enum { LARGEST = 16 << 20 };

static int bad(const char *path, const char *problem) {
    complain("'%s': %s", path, problem);
    complain_more("What is read is the output of 'mtlcap probe --json' or 'mtlcap trace --json'.");
    return CODE_DATA;
}

/* What is no such output, but of ours all the same, and how to come to the other. */
static int taken_for(const char *path, const char *what, const char *instead) {
    complain("'%s' is %s", path, what);
    complain_more("%s", instead);
    return CODE_DATA;
}

static int no_text(const char *path, const char *text, size_t length) {
    if (mtlcap__trace_is_table(text, length))
        return taken_for(path, "the file of MTLCAP_TRACE, not JSON",
                         "Make JSON of it: mtlcap trace --from FILE --json | mtlcap explain --from "
                         "-");
    return bad(path, "it has a NUL in it: it is no text");
}

/* What the summary of a trace has in each table; what the program has written may precede it. */
static int no_json(const char *path, const char *text, const struct json_document *document) {
    char problem[160];
    if (strstr(text, ", profile ") != NULL && strstr(text, "Metal's name") != NULL)
        return taken_for(path, "what 'mtlcap trace' writes for people",
                         "Write JSON: mtlcap trace --json -o FILE -- PROGRAM");
    if (strstr(text, "\"mtlcap_trace\": ") != NULL)
        return taken_for(path,
                         "the JSON of 'mtlcap trace', and something else, which the program "
                         "may have written",
                         "Give the JSON a file of its own: mtlcap trace --json -o FILE -- PROGRAM");
    snprintf(problem, sizeof problem, "line %u: %s", document->line, document->problem);
    return bad(path, problem);
}

/* ---- the machine ------------------------------------------------------------------------- */

static void copy(char *text, size_t size, const char *found) {
    snprintf(text, size, "%s", found != NULL ? found : "");
}

static int32_t tristate(const struct json_value *value) {
    return value != NULL && value->kind == JSON_TRUE    ? 1
           : value != NULL && value->kind == JSON_FALSE ? 0
                                                        : MTLCAP_UNKNOWN;
}

static uint64_t whole(const struct json_value *value) {
    return value != NULL && value->kind == JSON_NUMBER && value->whole ? value->number : 0;
}

static void read_machine(const struct json_document *document, struct mtlcap_machine *machine) {
    const struct json_value *value = json_member(document, document->values, "machine");
    mtlcap_init(machine, sizeof *machine);
    copy(machine->chip, sizeof machine->chip, json_member_text(document, value, "chip"));
    copy(machine->model, sizeof machine->model, json_member_text(document, value, "model"));
    copy(machine->os_version, sizeof machine->os_version,
         json_member_text(document, value, "os_version"));
    machine->memory = whole(json_member(document, value, "memory"));
    uint64_t family = whole(json_member(document, value, "chip_family"));
    machine->chip_family = family < 1000 ? (int32_t)family : 0;
    machine->apple_silicon = tristate(json_member(document, value, "apple_silicon"));
    machine->virtual_machine = tristate(json_member(document, value, "virtual_machine"));
    machine->simulated = tristate(json_member(document, value, "simulated")) == 1;
}

/* ---- an answer --------------------------------------------------------------------------- */

/* false: it is not of the capability's kind. */
static bool read_value(const struct json_document *document, const struct json_value *value,
                       int32_t kind, struct mtlcap_value *read) {
    const struct json_value *one = NULL;
    switch (kind) {
    case MTLCAP_KIND_TEXT:
        copy(read->text, sizeof read->text, value->kind == JSON_TEXT ? value->text : NULL);
        return value->kind == JSON_TEXT;
    case MTLCAP_KIND_BOOL:
        read->number[0] = value->kind == JSON_TRUE;
        copy(read->text, sizeof read->text, value->kind == JSON_TRUE ? "yes" : "no");
        return value->kind == JSON_TRUE || value->kind == JSON_FALSE;
    case MTLCAP_KIND_SIZE3:
        if (value->kind != JSON_ARRAY)
            return false;
        one = json_first(document, value);
        for (int i = 0; i < 3; i++, one = json_next(document, one)) {
            if (one == NULL || !one->whole)
                return false;
            read->number[i] = one->number;
        }
        return one == NULL;
    default:
        if (kind == MTLCAP_KIND_FAMILY && value->kind == JSON_NULL) {
            copy(read->text, sizeof read->text, "off");
            return true;
        }
        read->number[0] = whole(value);
        snprintf(read->text, sizeof read->text, "%llu", (unsigned long long)read->number[0]);
        return value->kind == JSON_NUMBER && value->whole;
    }
}

static bool read_answer(const struct json_document *document, const struct json_value *value,
                        const struct mtlcap_capability *capability, struct mtlcap_answer *answer) {
    const struct json_value *stock = json_member(document, value, "stock");
    const struct json_value *effective = json_member(document, value, "effective");
    mtlcap_init(answer, sizeof *answer);
    if (value->kind == JSON_NULL) /* not answered */
        return true;
    if (stock == NULL || effective == NULL ||
        !read_value(document, stock, capability->kind, &answer->stock) ||
        !read_value(document, effective, capability->kind, &answer->effective))
        return false;
    copy(answer->capability, sizeof answer->capability, capability->key);
    copy(answer->rule, sizeof answer->rule, json_member_text(document, value, "rule"));
    answer->kind = capability->kind;
    answer->overridden = answer->rule[0] != '\0';
    answer->derived = tristate(json_member(document, value, "derived")) == 1;
    return true;
}

/* ---- devices ----------------------------------------------------------------------------- */

static int read_device(const char *path, const struct json_document *document,
                       const struct json_value *value, struct explain *explain) {
    const struct json_value *capabilities = json_member(document, value, "capabilities");
    char problem[160];
    uint32_t count = mtlcap_capability_count();
    if (capabilities == NULL || capabilities->kind != JSON_OBJECT)
        return bad(path,
                   "a device has no 'capabilities': of two profiles (--diff) nothing is read");
    struct explain_answers *answers = explain_add_device(explain);
    copy(answers->device.name, sizeof answers->device.name,
         json_member_text(document, value, "name"));
    copy(answers->device.class_name, sizeof answers->device.class_name,
         json_member_text(document, value, "class"));
    answers->device.paravirtual = tristate(json_member(document, value, "paravirtual"));
    for (uint32_t i = 0; i < count; i++) {
        struct mtlcap_capability capability = catalog_capability(i);
        const struct json_value *answer = json_member(document, capabilities, capability.key);
        if (answer == NULL)
            continue;
        if (!read_answer(document, answer, &capability, &answers->list[i])) {
            snprintf(problem, sizeof problem, "'%s' is no answer of its kind", capability.key);
            return bad(path, problem);
        }
        answers->known[i] = explain_known_of(&answers->list[i]);
    }
    return CODE_OK;
}

static int read_probe(const char *path, const struct json_document *document,
                      struct explain *explain) {
    const struct json_value *root = document->values;
    const struct json_value *devices = json_member(document, root, "devices");
    if (json_member_text(document, root, "mtlcap") == NULL || devices == NULL ||
        devices->kind != JSON_ARRAY || json_member(document, root, "machine") == NULL ||
        json_member(document, root, "mtlcap_explain") != NULL)
        return bad(path, "it is JSON, but no such output");
    const struct json_value *device = json_first(document, devices);
    if (device == NULL)
        return bad(path, "it has no device");
    uint32_t count = 0;
    for (; device != NULL; device = json_next(document, device))
        count++;
    read_machine(document, &explain->machine);
    explain_from_profile(explain, json_member_text(document, root, "profile"));
    explain->answers = allocate(count, sizeof *explain->answers);
    int code = CODE_OK;
    for (device = json_first(document, devices); code == CODE_OK && device != NULL;
         device = json_next(document, device))
        code = read_device(path, document, device, explain);
    return code;
}

void explain_from_profile(struct explain *explain, const char *profile) {
    if (profile == NULL)
        return;
    explain->profile_copy = allocate(strlen(profile) + 1, 1);
    explain->profile = strcpy(explain->profile_copy, profile);
}

static int read_document(const char *path, const struct json_document *document,
                         struct explain *explain) {
    if (json_member(document, document->values, "mtlcap_receipt") != NULL)
        return taken_for(path, "a receipt, which has only the answers that a profile changed",
                         "All answers, under the same profile: mtlcap probe -p PROFILE --json");
    if (json_member(document, document->values, "mtlcap_trace") == NULL)
        return read_probe(path, document, explain);
    const char *problem = explain_from_trace(document, explain);
    return problem != NULL ? bad(path, problem) : CODE_OK;
}

int explain_from(const char *path, struct explain *explain) {
    struct json_document document;
    size_t length;
    char *text = explain_file(path, LARGEST, &length);
    if (text == NULL)
        return CODE_DATA;
    int code;
    if (memchr(text, '\0', length) != NULL) {
        code = no_text(path, text, length);
        free(text);
        return code;
    }
    if (json_read(text, &document)) {
        code = read_document(path, &document, explain);
    } else {
        code = no_json(path, text, &document);
    }
    json_free(&document);
    free(text);
    return code;
}
