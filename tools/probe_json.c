/* The output of `mtlcap probe --json`: docs/probe-json.md describes it. */
#include "catalog.h"
#include "json.h"
#include "probe.h"

static void write_tristate(struct json *json, int32_t value) {
    if (value == MTLCAP_UNKNOWN)
        json_null(json);
    else
        json_bool(json, value == 1);
}

static void write_number_or_null(struct json *json, uint64_t number) {
    if (number == 0)
        json_null(json);
    else
        json_number(json, number);
}

static void write_text_or_null(struct json *json, const char *text) {
    json_string(json, text[0] != '\0' ? text : NULL);
}

void probe_write_machine(struct json *json, const struct mtlcap_machine *machine) {
    json_begin(json, '{', JSON_LINES);
    json_key(json, "chip");
    write_text_or_null(json, machine->chip);
    json_key(json, "chip_family");
    write_number_or_null(json, (uint64_t)machine->chip_family);
    json_key(json, "apple_silicon");
    write_tristate(json, machine->apple_silicon);
    json_key(json, "model");
    write_text_or_null(json, machine->model);
    json_key(json, "memory");
    write_number_or_null(json, machine->memory);
    json_key(json, "virtual_machine");
    write_tristate(json, machine->virtual_machine);
    json_key(json, "os_version");
    write_text_or_null(json, machine->os_version);
    json_key(json, "simulated");
    json_bool(json, machine->simulated == 1);
    json_end(json, '}');
}

static void write_value(struct json *json, int32_t kind, const struct mtlcap_value *value) {
    switch (kind) {
    case MTLCAP_KIND_FAMILY:
        write_number_or_null(json, value->number[0]);
        break;
    case MTLCAP_KIND_BOOL:
        json_bool(json, value->number[0] != 0);
        break;
    case MTLCAP_KIND_TEXT:
        json_string(json, value->text);
        break;
    case MTLCAP_KIND_SIZE3:
        json_begin(json, '[', JSON_INLINE);
        for (int i = 0; i < 3; i++)
            json_number(json, value->number[i]);
        json_end(json, ']');
        break;
    default:
        json_number(json, value->number[0]);
    }
}

/* The members that say what callers get, and why. */
static void write_effective(struct json *json, const struct mtlcap_answer *answer) {
    json_key(json, "effective");
    write_value(json, answer->kind, &answer->effective);
    json_key(json, "rule");
    json_string(json, answer->overridden ? answer->rule : NULL);
    json_key(json, "derived");
    json_bool(json, answer->derived == 1);
}

static void write_answer(struct json *json, const struct mtlcap_answer *answer) {
    if (answer->kind == 0) {
        json_null(json);
        return;
    }
    json_begin(json, '{', JSON_INLINE);
    json_key(json, "stock");
    write_value(json, answer->kind, &answer->stock);
    write_effective(json, answer);
    json_end(json, '}');
}

static void write_difference(struct json *json, const struct mtlcap_answer *a,
                             const struct mtlcap_answer *b) {
    const struct mtlcap_answer *const both[2] = {a, b};
    static const char *const keys[2] = {"a", "b"};
    json_begin(json, '{', JSON_INLINE);
    json_key(json, "stock");
    write_value(json, a->kind, &a->stock);
    for (int i = 0; i < 2; i++) {
        json_key(json, keys[i]);
        json_begin(json, '{', JSON_INLINE);
        write_effective(json, both[i]);
        json_end(json, '}');
    }
    json_end(json, '}');
}

static void write_device(struct json *json, const struct probe *probe, uint32_t device) {
    const struct mtlcap_device *info = &probe->devices.list[device];
    uint32_t count = mtlcap_capability_count();
    json_begin(json, '{', JSON_LINES);
    json_key(json, "name");
    json_string(json, info->name);
    json_key(json, "class");
    json_string(json, info->class_name);
    json_key(json, "paravirtual");
    json_bool(json, info->paravirtual == 1);
    json_key(json, probe_is_diff(probe) ? "differences" : "capabilities");
    json_begin(json, '{', JSON_LINES);
    for (uint32_t i = 0; i < count; i++) {
        if (probe_is_diff(probe) && !probe_differs(probe, device, i))
            continue;
        json_key(json, catalog_capability(i).key);
        if (probe_is_diff(probe))
            write_difference(json, &probe->answers[0][device][i], &probe->answers[1][device][i]);
        else
            write_answer(json, &probe->answers[0][device][i]);
    }
    json_end(json, '}');
    json_end(json, '}');
}

void probe_write_json(const struct probe *probe) {
    struct json json = {0};
    json_begin(&json, '{', JSON_LINES);
    json_key(&json, "mtlcap");
    json_string(&json, mtlcap_version());
    if (probe_is_diff(probe)) {
        json_key(&json, "profiles");
        json_begin(&json, '[', JSON_INLINE);
        json_string(&json, probe->profiles[0]);
        json_string(&json, probe->profiles[1]);
        json_end(&json, ']');
    } else {
        json_key(&json, "profile");
        json_string(&json, probe->profiles[0]);
    }
    json_key(&json, "machine");
    probe_write_machine(&json, &probe->devices.machine);
    json_key(&json, "devices");
    json_begin(&json, '[', JSON_LINES);
    for (uint32_t i = 0; i < probe->devices.count; i++)
        write_device(&json, probe, i);
    json_end(&json, ']');
    json_end(&json, '}');
}
