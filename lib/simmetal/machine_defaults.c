/* What a machine file may leave out: answers that follow from the families and from the memory. */
#include "machine_parse.h"

#include <string.h>

/* The highest family from `first` to `last` that the device has; 0 if none. */
static int64_t highest(const struct simmetal_device_config *device, int64_t first, int64_t last) {
    int64_t found = 0;
    for (unsigned i = 0; i < device->family_count; i++) {
        int64_t family = device->families[i];
        if (family >= first && family <= last && family > found)
            found = family;
    }
    return found;
}

/* recommendedMaxWorkingSetSize as Apple's GPUs report it: of the memory 2/3 up to 32 GiB, 3/4
 * above, 84 % from 128 GiB, in whole pages of 16 KiB. Published logs of ggml: 7 GiB 5010.80 MB, 16
 * GiB 11453.25, 32 GiB 22906.50, 36 GiB 28991.03, 64 GiB 51539.61, 128 GiB 115448.73. */
static uint64_t working_set(uint64_t memory) {
    const uint64_t gib = 1 << 30, page = 1 << 14;
    uint64_t size = memory >= 128 * gib ? memory / 100 * 84 + memory % 100 * 84 / 100
                    : memory > 32 * gib ? memory / 4 * 3
                                        : memory / 3 * 2 + memory % 3 * 2 / 3;
    return size / page * page + (size % page ? page : 0);
}

static void fill_counts(struct simmetal_counts *counts, const int64_t *values, unsigned count) {
    if (counts->given)
        return;
    memcpy(counts->values, values, count * sizeof *values);
    counts->count = count;
}

static void fill_answers(struct simmetal_device_config *device) {
    int64_t apple = highest(device, 1001, 1999), mac = highest(device, 2001, 2999);
    for (unsigned i = 0; i < SIMMETAL_ANSWER_COUNT; i++) {
        const struct simmetal_rule *rule = &simmetal_rules[i];
        if (device->given[i])
            continue;
        bool yes = (rule->apple && apple >= rule->apple) || rule->apple == SIMMETAL_ALWAYS ||
                   (rule->mac && mac >= rule->mac);
        device->answers[i] = yes ? rule->yes : rule->no;
    }
    uint64_t memory = device->machine->memory;
    if (!device->given[SIMMETAL_recommendedMaxWorkingSetSize])
        device->answers[SIMMETAL_recommendedMaxWorkingSetSize] = working_set(memory);
    if (!device->given[SIMMETAL_maxBufferLength]) /* as on GitHub's 7 GiB runners: a half */
        device->answers[SIMMETAL_maxBufferLength] = memory / 2;
}

/* The tables' counts; layers of a rasterization rate map and amplification counts are guesses. */
static void fill_lists(struct simmetal_device_config *device) {
    static const int64_t four[] = {1, 2, 4}, eight[] = {1, 2, 4, 8}, two[] = {1, 2};
    /* MTLCounterSamplingPoint: 0 at a stage's boundary, 1 to 4 at draws, dispatches, ... */
    static const int64_t points[] = {0, 1, 2, 3, 4};
    /* MTLFeatureSet: 10000 is macOS_GPUFamily1_v1, 10005 macOS_GPUFamily2_v1. */
    static const int64_t sets[] = {10000, 10001, 10003, 10004, 10002, 10005};
    bool apple = highest(device, 1001, 1999) != 0;
    int64_t mac = highest(device, 2001, 2999);
    fill_counts(&device->sample_counts, apple ? four : eight, apple ? 3 : 4);
    fill_counts(&device->amplification_counts, two, 2);
    fill_counts(&device->sampling_points, points, apple ? 1 : 5);
    fill_counts(&device->feature_sets, sets, mac >= 2002 ? 6 : mac == 2001 ? 4 : 0);
    fill_counts(&device->rate_map_layers, two, apple ? 2 : 0);
}

static bool finish_device(struct simmetal_device_config *device, struct simmetal_error *error) {
    if (!device->class_name[0])
        return simmetal_reject(error, "a [device] has no class; for instance "
                                      "class = AppleParavirtDevice");
    if (!device->name[0])
        return simmetal_reject(error, "a [device] has no name; for instance name = Apple M1");
    if (!device->families_given)
        return simmetal_reject(error, "a [device] has no families; for instance "
                                      "families = 1001-1005, 3001-3003, or none");
    if (!device->max_threads[0])
        for (int i = 0; i < 3; i++)
            device->max_threads[i] = 1024;
    if (!device->pipeline_max_threads)
        device->pipeline_max_threads = 1024;
    fill_answers(device);
    fill_lists(device);
    if (!device->threadgroup_hardware)
        device->threadgroup_hardware = device->answers[SIMMETAL_maxThreadgroupMemoryLength];
    return true;
}

bool simmetal_machine_finish(struct simmetal_machine *machine, struct simmetal_error *error) {
    error->line = 0;
    if (!machine->chip[0])
        return simmetal_reject(error, "[machine] has no chip; for instance chip = Apple M1");
    if (!machine->memory)
        return simmetal_reject(error, "[machine] has no memory; for instance memory = 16 GiB");
    if (!machine->macos[0])
        return simmetal_reject(error, "[machine] has no macos; for instance macos = 26.5.2");
    if (!machine->model[0])
        return simmetal_reject(error, "[machine] has no model; for instance model = VirtualMac2,1");
    if (!machine->program_sdk[0])
        strcpy(machine->program_sdk, "26.0");
    if (!machine->default_given)
        machine->default_device = machine->device_count ? 1 : 0;
    if (machine->default_device > machine->device_count)
        return simmetal_reject(error, "default = %u, but the machine has %u device%s",
                               machine->default_device, machine->device_count,
                               machine->device_count == 1 ? "" : "s");
    for (unsigned i = 0; i < machine->device_count; i++) {
        machine->devices[i].machine = machine;
        if (!finish_device(&machine->devices[i], error))
            return false;
    }
    return true;
}
