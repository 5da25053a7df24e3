/* Asking the simulated Metal what it is. */
#include "metal.h"

#include <simmetal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shims.h"

#define GIB ((uint64_t)1 << 30)

enum {
    PARAVIRT,
    PARAVIRT_M4,
    COMMON3,
    X86,
    OTHER_VENDOR,
    OTHER_PARAVIRT,
    OVERRIDE,
    M1,
    M1_FAMILY,
    M1_ULTRA,
    M3
};

const struct make makes[] = {
    [PARAVIRT] = {.machine = "paravirt"},
    [PARAVIRT_M4] = {.machine = "paravirt-m4"},
    [COMMON3] = {.machine = "paravirt-common3-only"},
    [X86] = {.machine = "paravirt-x86"},
    [OTHER_VENDOR] = {.machine = "two-vendors", .index = 1},
    [OTHER_PARAVIRT] = {.machine = "paravirt", .class_name = "OtherVendorDevice"}, /* by name */
    [OVERRIDE] = {.machine = "override-in-leaf"},
    [M1] = {.machine = "m1"},
    [M1_FAMILY] = {.machine = "m1", .class_name = "AGXG13FamilyDevice", .has_subclass = true},
    [M1_ULTRA] = {.machine = "m1-ultra"},
    [M3] = {.machine = "m3-pro"},
};
const int make_count = sizeof makes / sizeof makes[0];
_Static_assert(sizeof makes / sizeof makes[0] <= CONFIGS_MAX, "more kinds than configs");

const struct machine machines[] = {
    {"paravirt", {7, 16 * GIB, false}, {PARAVIRT, -1}, false},
    {"two-vendors", {7, 16 * GIB, false}, {PARAVIRT, OTHER_VENDOR}, false},
    {"paravirt-debug", {7, 16 * GIB, false}, {PARAVIRT, -1}, true},
    {"override-in-leaf", {7, 16 * GIB, false}, {OVERRIDE, -1}, false},
    {"paravirt-m4", {9, 16 * GIB, false}, {PARAVIRT_M4, -1}, false},
    {"paravirt-x86", {0, 16 * GIB, false}, {X86, -1}, false},
    {"m3-pro", {9, 36 * GIB, false}, {M3, -1}, false},
    {"none", {7, 7 * GIB, true}, {-1, -1}, false},
};
const int machine_count = sizeof machines / sizeof machines[0];

const size_t learnt_size = sizeof(struct learnt);

static int learn_class(struct learnt *learnt, const char *name) {
    for (int c = 0; c < learnt->class_count; c++)
        if (strcmp(learnt->classes[c].name, name) == 0)
            return c;
    const char *super = shims_superclass_name(name);
    const int super_class = super ? learn_class(learnt, super) : -1;
    const int class = learnt->class_count++;
    snprintf(learnt->classes[class].name, sizeof learnt->classes[class].name, "%s", name);
    learnt->classes[class].super = super_class;
    for (int s = 0; s < SELECTOR_COUNT; s++)
        learnt->classes[class].owns[s] = shims_owns(name, (enum selector_id)s);
    return class;
}

static void learn_answers(struct config *config, void *device) {
    for (int s = 0; s < SELECTOR_COUNT; s++) {
        const enum selector_id selector = (enum selector_id)s;
        int64_t arguments[ARGUMENTS_MAX];
        const int count = selector_arguments(selector, arguments);
        for (int i = 0; i < count; i++) {
            const struct answer answer = shims_ask(device, selector, arguments[i], false);
            config->answers[s] = answer;
            config->yes[s][i] = answer.number[0] != 0;
        }
    }
}

void sequence_learn(struct learnt *learnt) {
    if (!shims_open())
        abort();
    for (int m = 0; m < make_count; m++) {
        struct config *config = &learnt->configs[m];
        void *device =
            simmetal_create_device_of(makes[m].machine, makes[m].index, makes[m].class_name);
        if (!device)
            abort();
        snprintf(config->class_name, sizeof config->class_name, "%s", shims_class_name(device));
        char name[64];
        simmetal_name(device, name, sizeof name);
        config->paravirtual = strstr(name, "Paravirtual") != NULL;
        learn_class(learnt, config->class_name);
        learn_answers(config, device);
    }
}
