/* The diagnosis as JSON: docs/doctor.md. */
#include <stdio.h>

#include <mtlcap/mtlcap.h>

#include "doctor.h"

static void key_string(struct json *json, const char *key, const char *text) {
    json_key(json, key);
    json_string(json, text);
}

static void key_bool(struct json *json, const char *key, bool value) {
    json_key(json, key);
    json_bool(json, value);
}

/* 0 stands for what is not there. */
static void key_number(struct json *json, const char *key, uint64_t number) {
    json_key(json, key);
    if (number != 0)
        json_number(json, number);
    else
        json_null(json);
}

/* ---- facts ------------------------------------------------------------------------------ */

static void write_entitlements(struct json *json, const struct doctor_slice *slice) {
    const struct doctor_entitlements *form = slice->der.there ? &slice->der : &slice->xml;
    json_key(json, "entitlements");
    json_begin(json, '{', JSON_INLINE);
    for (int i = 0; i < DOCTOR_ENTITLEMENTS; i++)
        if (form->place[i] != 0)
            key_bool(json, doctor_entitlement_names[i], form->is_true[i]);
    json_end(json, '}');
}

static void write_signature(struct json *json, const struct doctor_slice *slice) {
    static const char *const states[] = {"none", "good", "malformed"};
    bool changed = slice->pages.wrong > 0 || slice->pages.wrong_entitlements;
    char flags[160];
    mtlcap__macho_flags_text(slice->flags, flags, sizeof flags);
    key_string(json, "signature", changed ? "changed" : states[slice->signature]);
    json_key(json, "flags");
    json_number(json, slice->flags);
    key_string(json, "flag_names", flags);
    key_string(json, "identifier", slice->identifier[0] != '\0' ? slice->identifier : NULL);
    key_string(json, "team", slice->team[0] != '\0' ? slice->team : NULL);
    key_number(json, "platform_byte", slice->platform_byte);
    write_entitlements(json, slice);
}

static void write_slice(struct json *json, const struct doctor_slice *slice) {
    char sdk[32], minimum[32];
    doctor_version_text(slice->sdk, sdk, sizeof sdk);
    doctor_version_text(slice->minimum, minimum, sizeof minimum);
    json_begin(json, '{', JSON_LINES);
    key_string(json, "arch", slice->cpu);
    json_key(json, "place");
    json_number(json, slice->place);
    key_number(json, "platform", slice->platform);
    key_string(json, "minimum", slice->minimum != 0 ? minimum : NULL);
    key_string(json, "sdk", slice->sdk != 0 ? sdk : NULL);
    key_string(json, "metal_language", doctor_metal_language(slice->sdk));
    key_bool(json, "restrict_section", slice->restrict_place != 0);
    key_string(json, "starts", slice->child[0] != '\0' ? slice->child : NULL);
    write_signature(json, slice);
    json_end(json, '}');
}

static void write_file(struct json *json, const char *key, const struct doctor_file *file) {
    json_key(json, key);
    json_begin(json, '{', JSON_LINES);
    key_string(json, "path", file->path);
    key_bool(json, "assumed", file->assumed);
    key_string(json, "problem", file->problem[0] != '\0' ? file->problem : NULL);
    json_key(json, "slices");
    json_begin(json, '[', JSON_LINES);
    for (uint32_t i = 0; i < file->count; i++)
        write_slice(json, &file->slices[i]);
    json_end(json, ']');
    json_end(json, '}');
}

/* ---- cases ------------------------------------------------------------------------------- */

static void write_note(bool is_command, const char *text, void *context) {
    (void)is_command;
    json_string(context, text);
}

static void write_advice(bool is_command, const char *text, void *context) {
    struct json *json = context;
    json_begin(json, '{', JSON_INLINE);
    key_string(json, is_command ? "command" : "text", text);
    json_end(json, '}');
}

static void write_case(struct json *json, const struct doctor_diagnosis *diagnosis,
                       const struct doctor_case *found) {
    json_begin(json, '{', JSON_LINES);
    key_string(json, "when", found->when[0] != '\0' ? found->when : NULL);
    key_string(json, "verdict", doctor_verdict_names[found->rule->verdict]);
    key_string(json, "rule", found->rule->name);
    key_string(json, "basis", found->rule->basis);
    key_string(json, "source", found->rule->source);
    key_string(json, "reason", found->rule->reason);
    key_string(json, "arch", found->slice != NULL ? found->slice->cpu : NULL);
    json_key(json, "evidence");
    json_begin(json, '[', JSON_LINES);
    for (unsigned i = 0; i < found->answer.count; i++) {
        json_begin(json, '{', JSON_INLINE);
        key_string(json, "text", found->answer.evidence[i].text);
        key_number(json, "place", found->answer.evidence[i].place);
        json_end(json, '}');
    }
    json_end(json, ']');
    json_key(json, "notes");
    json_begin(json, '[', JSON_LINES);
    doctor_note(diagnosis, found, write_note, json);
    json_end(json, ']');
    json_key(json, "remedy");
    json_begin(json, '[', JSON_LINES);
    doctor_advise(diagnosis, found, write_advice, json);
    json_end(json, ']');
    json_end(json, '}');
}

static void write_target(struct json *json, const struct doctor_target *target) {
    static const char *const sip[] = {NULL, "off", "on"}, *const arch[] = {NULL, "x86_64", "arm64"};
    json_key(json, "machine");
    json_begin(json, '{', JSON_INLINE);
    key_string(json, "sip", sip[target->sip + 1]);
    key_number(json, "macos", (uint64_t)target->macos);
    key_string(json, "arch", arch[target->arm64 + 1]);
    json_end(json, '}');
}

void doctor_write_json(const struct doctor_diagnosis *diagnosis) {
    struct json json = {.depth = 0};
    json_begin(&json, '{', JSON_LINES);
    json_key(&json, "mtlcap_doctor");
    json_number(&json, 1);
    key_string(&json, "mtlcap", mtlcap_version());
    key_string(&json, "verdict", doctor_verdict_names[diagnosis->verdict]);
    key_string(&json, "asked", diagnosis->asked);
    write_target(&json, &diagnosis->target);
    json_key(&json, "cases");
    json_begin(&json, '[', JSON_LINES);
    for (unsigned i = 0; i < diagnosis->count; i++)
        write_case(&json, diagnosis, &diagnosis->cases[i]);
    json_end(&json, ']');
    write_file(&json, "program", diagnosis->program);
    write_file(&json, "library", diagnosis->library);
    json_end(&json, '}');
}
