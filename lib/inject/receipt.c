/* The text of the receipt. */
#include "receipt.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/capability.h"
#include "core/inventory.h"
#include "json.h"
#include "mtlcap/mtlcap.h"

/* Goes up when a member changes its meaning or goes. */
enum { RECEIPT_VERSION = 1 };

/* ---- members ------------------------------------------------------------ */

/* "" is null, too. */
static void text_member(struct mtlcap__json *json, const char *key, const char *text) {
    mtlcap__json_key(json, key);
    mtlcap__json_string(json, text != NULL && text[0] != '\0' ? text : NULL);
}

static void bool_member(struct mtlcap__json *json, const char *key, bool value) {
    mtlcap__json_key(json, key);
    mtlcap__json_bool(json, value);
}

static void tristate_member(struct mtlcap__json *json, const char *key, int32_t value) {
    mtlcap__json_key(json, key);
    if (value == MTLCAP_UNKNOWN)
        mtlcap__json_null(json);
    else
        mtlcap__json_bool(json, value == 1);
}

static void number_or_null(struct mtlcap__json *json, uint64_t number) {
    if (number == 0)
        mtlcap__json_null(json);
    else
        mtlcap__json_number(json, number);
}

static const char *status_name(int status) {
#define NAME(name, number, meaning)                                                                \
    if (status == (number))                                                                        \
        return #name;
    MTLCAP_STATUS_MAP(NAME)
#undef NAME
    return NULL;
}

static const char *stage_text(enum mtlcap__stage stage) {
    static const char *const texts[] = {
#define TEXT(name, text) [MTLCAP__STAGE_##name] = (text),
        MTLCAP__STAGE_MAP(TEXT)
#undef TEXT
    };
    return texts[stage];
}

/* RFC 3339, UTC */
static void time_member(struct mtlcap__json *json, const char *key) {
    char text[32] = "";
    time_t now = time(NULL);
    struct tm parts;

    if (gmtime_r(&now, &parts) != NULL)
        strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    text_member(json, key, text);
}

/* Of names that are joined by `separator`. */
static void names_member(struct mtlcap__json *json, const char *key, const char *names,
                         char separator) {
    const char separators[2] = {separator, '\0'};

    mtlcap__json_key(json, key);
    mtlcap__json_begin(json, '[', MTLCAP__JSON_INLINE);
    while (names != NULL && *names != '\0') {
        size_t length = strcspn(names, separators);
        mtlcap__json_text(json, names, length);
        names += length + (names[length] != '\0');
    }
    mtlcap__json_end(json, ']');
}

/* ---- the machine -------------------------------------------------------- */

/* What this copy of the library knows: facts that no device has to be asked for. */
static void machine_member(struct mtlcap__json *json) {
    struct mtlcap_machine machine = MTLCAP_MACHINE_INIT;

    mtlcap__machine_info(&machine);
    mtlcap__json_key(json, "machine");
    mtlcap__json_begin(json, '{', MTLCAP__JSON_LINES);
    text_member(json, "chip", machine.chip);
    mtlcap__json_key(json, "chip_family");
    number_or_null(json, (uint64_t)machine.chip_family);
    tristate_member(json, "apple_silicon", machine.apple_silicon);
    text_member(json, "model", machine.model);
    mtlcap__json_key(json, "memory");
    number_or_null(json, machine.memory);
    tristate_member(json, "virtual_machine", machine.virtual_machine);
    text_member(json, "os_version", machine.os_version);
    bool_member(json, "simulated", machine.simulated == 1);
    mtlcap__json_end(json, '}');
}

/* ---- devices ------------------------------------------------------------ */

static void value(struct mtlcap__json *json, int32_t kind, const struct mtlcap_value *value) {
    switch (kind) {
    case MTLCAP_KIND_FAMILY:
        number_or_null(json, value->number[0]);
        break;
    case MTLCAP_KIND_BOOL:
        mtlcap__json_bool(json, value->number[0] != 0);
        break;
    case MTLCAP_KIND_TEXT:
        mtlcap__json_string(json, value->text);
        break;
    case MTLCAP_KIND_SIZE3:
        mtlcap__json_begin(json, '[', MTLCAP__JSON_INLINE);
        for (int i = 0; i < 3; i++)
            mtlcap__json_number(json, value->number[i]);
        mtlcap__json_end(json, ']');
        break;
    default:
        mtlcap__json_number(json, value->number[0]);
    }
}

static void answer_member(struct mtlcap__json *json, const struct mtlcap_answer *answer) {
    mtlcap__json_key(json, answer->capability);
    mtlcap__json_begin(json, '{', MTLCAP__JSON_INLINE);
    mtlcap__json_key(json, "stock");
    value(json, answer->kind, &answer->stock);
    bool_member(json, "stock_known", answer->stock_known == 1);
    mtlcap__json_key(json, "effective");
    value(json, answer->kind, &answer->effective);
    text_member(json, "rule", answer->rule);
    bool_member(json, "derived", answer->derived == 1);
    text_member(json, "source", answer->source);
    mtlcap__json_end(json, '}');
}

/* Those that have a rule, and those that changed without one. */
static void answers_member(struct mtlcap__json *json, void *device) {
    uint32_t count = mtlcap_capability_count();

    mtlcap__json_key(json, "answers");
    mtlcap__json_begin(json, '{', MTLCAP__JSON_LINES);
    for (uint32_t i = 0; i < count; i++) {
        struct mtlcap_capability capability = MTLCAP_CAPABILITY_INIT;
        struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
        if (mtlcap_capability_info(i, &capability) == MTLCAP_OK && capability.change != 0 &&
            mtlcap_query(device, capability.key, &answer) == MTLCAP_OK &&
            (answer.overridden || answer.derived))
            answer_member(json, &answer);
    }
    mtlcap__json_end(json, '}');
}

static void devices(struct mtlcap__json *json) {
    uint32_t count = 0;

    mtlcap_device_count(&count);
    mtlcap__json_begin(json, '[', MTLCAP__JSON_LINES);
    for (uint32_t i = 0; i < count; i++) {
        struct mtlcap_device device = MTLCAP_DEVICE_INIT;
        if (mtlcap_device_info(i, &device) != MTLCAP_OK)
            continue;
        mtlcap__json_begin(json, '{', MTLCAP__JSON_LINES);
        mtlcap__json_key(json, "name");
        mtlcap__json_string(json, device.name);
        mtlcap__json_key(json, "class");
        mtlcap__json_string(json, device.class_name);
        bool_member(json, "paravirtual", device.paravirtual == 1);
        answers_member(json, device.device);
        mtlcap__json_end(json, '}');
    }
    mtlcap__json_end(json, ']');
}

/* What the devices said, for when they must not be asked any more. Older ones stay: another thread
 * may be reading them, and there is one for each apply only. */
struct said {
    struct said *older;
    char *text;
};

static _Atomic(struct said *) last_said;

static void remember(char *text) {
    struct said *said = text != NULL ? malloc(sizeof *said) : NULL;

    if (said == NULL) {
        free(text);
        return;
    }
    said->text = text;
    said->older = atomic_load(&last_said);
    while (!atomic_compare_exchange_weak(&last_said, &said->older, said))
        ;
}

static void devices_member(struct mtlcap__json *json, const struct mtlcap__outcome *outcome) {
    bool applied = outcome->stage == MTLCAP__STAGE_APPLIED;

    if (applied && !outcome->exiting) {
        struct mtlcap__json part = {.depth = json->depth, .after_key = true};
        devices(&part);
        remember(mtlcap__json_finish(&part));
    }
    const struct said *said = atomic_load(&last_said);
    mtlcap__json_key(json, "devices");
    if (said != NULL && (applied || outcome->stage == MTLCAP__STAGE_RESTORED))
        mtlcap__json_raw(json, said->text);
    else
        mtlcap__json_null(json);
}

/* ---- what was done ------------------------------------------------------ */

/* Hazards that the profile in force meets. Asks no device. */
static void hazards_member(struct mtlcap__json *json, const struct mtlcap__outcome *outcome) {
    struct mtlcap_report report = MTLCAP_REPORT_INIT;

    if (outcome->stage == MTLCAP__STAGE_APPLIED)
        mtlcap_report_info(&report);
    mtlcap__json_key(json, "hazards");
    mtlcap__json_begin(json, '[', MTLCAP__JSON_LINES);
    for (uint32_t i = 0; i < report.finding_count; i++) {
        struct mtlcap_finding finding = MTLCAP_FINDING_INIT;
        if (mtlcap_report_finding(i, &finding) != MTLCAP_OK)
            break;
        mtlcap__json_begin(json, '{', MTLCAP__JSON_INLINE);
        text_member(json, "hazard", finding.hazard);
        text_member(json, "rule", finding.rule);
        bool_member(json, "refuses", finding.refuses == 1);
        bool_member(json, "allowed", finding.allowed == 1);
        text_member(json, "message", finding.message);
        mtlcap__json_end(json, '}');
    }
    mtlcap__json_end(json, ']');
}

static void asked_member(struct mtlcap__json *json, const bool *asked) {
    mtlcap__json_key(json, "asked");
    if (asked == NULL) {
        mtlcap__json_null(json);
        return;
    }
    mtlcap__json_begin(json, '[', MTLCAP__JSON_INLINE);
    for (size_t i = 0; i < MTLCAP__CAPABILITY_COUNT; i++)
        if (asked[i])
            mtlcap__json_string(json, mtlcap__capabilities[i].key);
    mtlcap__json_end(json, ']');
}

static void warnings_member(struct mtlcap__json *json, const char *const *warnings) {
    mtlcap__json_key(json, "warnings");
    mtlcap__json_begin(json, '[', MTLCAP__JSON_LINES);
    for (; warnings != NULL && *warnings != NULL; warnings++)
        mtlcap__json_string(json, *warnings);
    mtlcap__json_end(json, ']');
}

char *mtlcap__receipt_text(const struct mtlcap__settings *settings,
                           const struct mtlcap__outcome *outcome) {
    struct mtlcap__json json = {.text = NULL};
    bool failed =
        outcome->stage == MTLCAP__STAGE_NOT_APPLIED || outcome->stage == MTLCAP__STAGE_NOT_MET;
    bool left = outcome->stage == MTLCAP__STAGE_RESTORED || outcome->stage == MTLCAP__STAGE_LOADED;

    mtlcap__json_begin(&json, '{', MTLCAP__JSON_LINES);
    mtlcap__json_key(&json, "mtlcap_receipt");
    mtlcap__json_number(&json, RECEIPT_VERSION);
    text_member(&json, "mtlcap", mtlcap_version());
    text_member(&json, "library", outcome->library);
    text_member(&json, "delegated_to", outcome->delegated);
    text_member(&json, "program", outcome->program);
    mtlcap__json_key(&json, "pid");
    mtlcap__json_number(&json, (uint64_t)getpid());
    time_member(&json, "time");
    bool_member(&json, "exiting", outcome->exiting);

    text_member(&json, "stage", stage_text(outcome->stage));
    text_member(&json, "step", failed ? outcome->step : NULL);
    text_member(&json, "status", failed ? status_name(outcome->status) : NULL);
    text_member(&json, "reason", failed || left ? outcome->reason : NULL);

    text_member(&json, "profile", settings->profile);
    text_member(&json, "origin", settings->origin);
    names_member(&json, "allowed", settings->allow, '+');
    names_member(&json, "required", settings->require, ',');
    bool_member(&json, "strict", settings->strict);
    text_member(&json, "timing", settings->early ? "early" : "late");
    bool_member(&json, "early", outcome->early);
    bool_member(&json, "interposed", outcome->interposed);

    machine_member(&json);
    devices_member(&json, outcome);
    hazards_member(&json, outcome);
    asked_member(&json, outcome->asked);
    warnings_member(&json, outcome->warnings);
    mtlcap__json_end(&json, '}');
    return mtlcap__json_finish(&json);
}
