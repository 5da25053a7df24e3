/* Keys of a machine file. README.md documents them. */
#include "machine_parse.h"

#include <string.h>

const char *const simmetal_device_classes[] = {
#define ROW(name, superclass) #name,
    SIMMETAL_DEVICE_CLASSES(ROW)
#undef ROW
};
const unsigned simmetal_device_class_count =
    sizeof simmetal_device_classes / sizeof simmetal_device_classes[0];

const char *const simmetal_wrapper_classes[] = {"MTLToolsDevice", "MTLDebugDevice",
                                                "CaptureMTLDevice"};
const unsigned simmetal_wrapper_class_count =
    sizeof simmetal_wrapper_classes / sizeof simmetal_wrapper_classes[0];

static bool set_default(struct simmetal_machine *machine, const char *value,
                        struct simmetal_error *error) {
    uint64_t number = 0;
    if (strcmp(value, "none") != 0 &&
        (!simmetal_read_number(&number, SIMMETAL_MAX_DEVICES, value, error) || number == 0))
        return simmetal_reject(error,
                               "'%s' is neither the number of a device, from 1 to %d, nor none",
                               value, SIMMETAL_MAX_DEVICES);
    machine->default_device = (unsigned)number;
    machine->default_given = true;
    return true;
}

static bool set_version(char text[SIMMETAL_TEXT], const char *value, struct simmetal_error *error) {
    size_t length = strspn(value, "0123456789.");
    if (length == 0 || value[length] || value[0] == '.' || value[length - 1] == '.' ||
        strstr(value, ".."))
        return simmetal_reject(error, "'%s' is not a version; for instance 26.5.2", value);
    return simmetal_read_text(text, value, error);
}

static bool set_choice(unsigned *index, const char *key, const char *first, const char *second,
                       const char *third, const char *value, struct simmetal_error *error) {
    const char *names[] = {first, second, third};
    return simmetal_read_choice(index, names, third ? 3 : 2, key, value, error);
}

enum machine_key {
    LIKE,
    CHIP,
    VM,
    MEMORY,
    MACOS,
    MODEL,
    PROGRAM_SDK,
    HOST,
    ROSETTA,
    ENCODINGS,
    DERIVED,
    DEVICES,
    DEFAULT
};
static const char *const machine_keys[] = {[LIKE] = "like",
                                           [CHIP] = "chip",
                                           [VM] = "vm",
                                           [MEMORY] = "memory",
                                           [MACOS] = "macos",
                                           [MODEL] = "model",
                                           [PROGRAM_SDK] = "program-sdk",
                                           [HOST] = "host",
                                           [ROSETTA] = "rosetta",
                                           [ENCODINGS] = "encodings",
                                           [DERIVED] = "derived",
                                           [DEVICES] = "devices",
                                           [DEFAULT] = "default"};

bool simmetal_set_machine(struct simmetal_machine *machine, const char *key, const char *value,
                          struct simmetal_error *error) {
    unsigned index, choice;
    if (!simmetal_read_choice(&index, machine_keys, sizeof machine_keys / sizeof machine_keys[0],
                              "key of [machine]", key, error))
        return false;
    switch ((enum machine_key)index) {
    case LIKE:
        return simmetal_reject(error, "like must be the first key: what follows changes the other "
                                      "machine");
    case CHIP:
        return simmetal_read_text(machine->chip, value, error);
    case VM:
        return simmetal_read_flag(&machine->vm, value, error);
    case MEMORY:
        return simmetal_read_number(&machine->memory, (uint64_t)1 << 46, value, error);
    case MACOS:
        return set_version(machine->macos, value, error);
    case MODEL:
        return simmetal_read_text(machine->model, value, error);
    case PROGRAM_SDK:
        return set_version(machine->program_sdk, value, error);
    case HOST:
        if (!set_choice(&choice, key, "apple", "intel", NULL, value, error))
            return false;
        machine->intel = choice == 1;
        return true;
    case ROSETTA:
        return simmetal_read_flag(&machine->rosetta, value, error);
    case ENCODINGS:
        if (!set_choice(&choice, key, "arm64", "x86_64", "compiler", value, error))
            return false;
        machine->encodings = (enum simmetal_encodings)choice;
        return true;
    case DERIVED:
        if (!set_choice(&choice, key, "live", "cached", NULL, value, error))
            return false;
        machine->derived_cached = choice == 1;
        return true;
    case DEVICES:
        if (!set_choice(&choice, key, "shared", "fresh", NULL, value, error))
            return false;
        machine->fresh = choice == 1;
        return true;
    case DEFAULT:
        return set_default(machine, value, error);
    }
    return false;
}

enum device_key {
    CLASS,
    WRAPPER,
    NAME,
    ARCHITECTURE,
    FAMILIES,
    FAULTS,
    PIPELINE_MAX_THREADS,
    THREADGROUP_HARDWARE,
    MAX_THREADS,
    SAMPLE_COUNTS,
    AMPLIFICATION_COUNTS,
    SAMPLING_POINTS,
    FEATURE_SETS,
    RATE_MAP_LAYERS,
    DEVICE_KEYS
};
static const char *const device_keys[DEVICE_KEYS + SIMMETAL_ANSWER_COUNT] = {
    [CLASS] = "class",
    [WRAPPER] = "wrapper",
    [NAME] = "name",
    [ARCHITECTURE] = "architecture",
    [FAMILIES] = "families",
    [FAULTS] = "faults",
    [PIPELINE_MAX_THREADS] = "pipeline-max-threads",
    [THREADGROUP_HARDWARE] = "threadgroup-hardware",
    [MAX_THREADS] = "maxThreadsPerThreadgroup",
    [SAMPLE_COUNTS] = "supportsTextureSampleCount",
    [AMPLIFICATION_COUNTS] = "supportsVertexAmplificationCount",
    [SAMPLING_POINTS] = "supportsCounterSampling",
    [FEATURE_SETS] = "supportsFeatureSet",
    [RATE_MAP_LAYERS] = "supportsRasterizationRateMapWithLayerCount",
#define ROW(kind, name, owner, source, apple, mac, yes, no) [DEVICE_KEYS + SIMMETAL_##name] = #name,
    SIMMETAL_ANSWERS(ROW)
#undef ROW
};

static bool set_answer(struct simmetal_device_config *device, unsigned answer, const char *value,
                       struct simmetal_error *error) {
    bool flag = false, ok;
    switch (simmetal_rules[answer].kind) {
    case SIMMETAL_FLAG:
        ok = simmetal_read_flag(&flag, value, error);
        device->answers[answer] = flag;
        break;
    case SIMMETAL_COUNT:
        ok = simmetal_read_number(&device->answers[answer], UINT32_MAX, value, error);
        break;
    default:
        ok = simmetal_read_number(&device->answers[answer], UINT64_MAX, value, error);
        break;
    }
    device->given[answer] = ok;
    return ok;
}

static bool set_counts(struct simmetal_counts *counts, const char *value,
                       struct simmetal_error *error) {
    counts->given = true;
    return simmetal_read_list(counts->values, SIMMETAL_MAX_COUNTS, &counts->count, value, error);
}

static bool set_class(char text[SIMMETAL_TEXT], const char *const *names, unsigned count,
                      const char *what, const char *value, struct simmetal_error *error) {
    unsigned index;
    return simmetal_read_choice(&index, names, count, what, value, error) &&
           simmetal_read_text(text, value, error);
}

static bool set_max_threads(struct simmetal_device_config *device, const char *value,
                            struct simmetal_error *error) {
    int64_t sides[3];
    unsigned count;
    if (!simmetal_read_list(sides, 3, &count, value, error))
        return false;
    if (count != 3 || !sides[0] || !sides[1] || !sides[2])
        return simmetal_reject(error,
                               "'%s' is not a size of three numbers; for instance "
                               "1024, 1024, 1024",
                               value);
    for (int i = 0; i < 3; i++)
        device->max_threads[i] = (uint64_t)sides[i];
    return true;
}

bool simmetal_set_device(struct simmetal_device_config *device, const char *key, const char *value,
                         struct simmetal_error *error) {
    unsigned index = 0;
    while (index < DEVICE_KEYS + SIMMETAL_ANSWER_COUNT && strcmp(key, device_keys[index]) != 0)
        index++;
    switch (index) {
    case CLASS:
        return set_class(device->class_name, simmetal_device_classes, simmetal_device_class_count,
                         "device class", value, error);
    case WRAPPER:
        if (strcmp(value, "none") == 0) {
            device->wrapper[0] = '\0';
            return true;
        }
        return set_class(device->wrapper, simmetal_wrapper_classes, simmetal_wrapper_class_count,
                         "wrapper class", value, error);
    case NAME:
        return simmetal_read_text(device->name, value, error);
    case ARCHITECTURE:
        return simmetal_read_text(device->architecture, strcmp(value, "none") ? value : "", error);
    case FAMILIES:
        device->families_given = true;
        return simmetal_read_list(device->families, SIMMETAL_MAX_FAMILIES, &device->family_count,
                                  value, error);
    case FAULTS:
        return simmetal_read_faults(&device->faults, value, error);
    case PIPELINE_MAX_THREADS:
        return simmetal_read_number(&device->pipeline_max_threads, UINT32_MAX, value, error);
    case THREADGROUP_HARDWARE:
        return simmetal_read_number(&device->threadgroup_hardware, UINT32_MAX, value, error);
    case MAX_THREADS:
        return set_max_threads(device, value, error);
    case SAMPLE_COUNTS:
        return set_counts(&device->sample_counts, value, error);
    case AMPLIFICATION_COUNTS:
        return set_counts(&device->amplification_counts, value, error);
    case SAMPLING_POINTS:
        return set_counts(&device->sampling_points, value, error);
    case FEATURE_SETS:
        return set_counts(&device->feature_sets, value, error);
    case RATE_MAP_LAYERS:
        return set_counts(&device->rate_map_layers, value, error);
    case DEVICE_KEYS + SIMMETAL_ANSWER_COUNT:
        return simmetal_reject(
            error, "no key of [device] is called '%s'; did you mean %s?", key,
            simmetal_nearest(key, device_keys, DEVICE_KEYS + SIMMETAL_ANSWER_COUNT));
    default:
        return set_answer(device, index - DEVICE_KEYS, value, error);
    }
}
