/* Goes through the rules for every machine that it may be, and says on what the verdict depends. */
#include <stdio.h>
#include <string.h>

#include "doctor.h"

/* ---- machines ------------------------------------------------------------------------ */

/* What tells machines apart, and the values to be tried where one is not known: of macOS, one
 * between each two that a rule tells apart. */
enum { SIP, ARCH, MACOS, PROPERTIES };
enum { MOST_VALUES = 4, MOST_MACHINES = 16 };

struct property {
    unsigned count;
    int values[MOST_VALUES];
};

static const struct {
    const char *name;
    int values[MOST_VALUES];
    const char *texts[MOST_VALUES]; /* NULL ends */
} properties[PROPERTIES] = {
    [SIP] = {"sip", {1, 0}, {"on", "off"}},
    [ARCH] = {"arch", {1, 0}, {"arm64", "x86_64"}},
    [MACOS] = {"macos", {11, 14, 15, 26}, {"11", "12 to 14", "15", "26"}},
};

static bool can_run(const struct doctor_file *program, bool arm64) {
    return doctor_choose(program, arm64) != NULL;
}

/* The values to be tried. A processor on which the program does not run at all is not. */
static struct property possible(const struct doctor_file *program,
                                const struct doctor_target *target, int which) {
    const int known[PROPERTIES] = {target->sip, target->arm64, target->macos};
    struct property property = {0};
    if (which == MACOS ? known[which] > 0 : known[which] >= 0) {
        property.values[property.count++] = known[which];
        return property;
    }
    bool some = can_run(program, true) || can_run(program, false);
    for (int i = 0; i < MOST_VALUES && properties[which].texts[i] != NULL; i++)
        if (which != ARCH || !some || can_run(program, properties[which].values[i] == 1))
            property.values[property.count++] = properties[which].values[i];
    return property;
}

struct machine {
    unsigned index[PROPERTIES]; /* into the values */
    const struct doctor_rule *rule;
    const struct doctor_slice *slice;
    struct doctor_answer answer;
};

struct trial {
    struct property tried[PROPERTIES];
    struct machine machines[MOST_MACHINES];
    unsigned count;
};

/* ---- the rules ------------------------------------------------------------------------- */

/* Does this slice run on Apple silicon, and rather than others? 0: not at all. */
static int preference(const struct doctor_file *program, const struct doctor_slice *slice,
                      bool arm64) {
    if (slice->cpu_type == MTLCAP__CPU_X86_64)
        return 1;
    if (slice->cpu_type != MTLCAP__CPU_ARM64 || !arm64)
        return 0;
    if (!slice->arm64e)
        return 3;
    return program->apples || slice->platform_byte != 0 ? 4 : 2; /* others' as arm64, if they can */
}

const struct doctor_slice *doctor_choose(const struct doctor_file *program, bool arm64) {
    const struct doctor_slice *chosen = NULL;
    int best = 0;
    for (uint32_t i = 0; i < program->count; i++) {
        int value = preference(program, &program->slices[i], arm64);
        if (value > best) {
            best = value;
            chosen = &program->slices[i];
        }
    }
    return chosen;
}

static void judge(const struct doctor_question *question, struct machine *machine) {
    const struct doctor_rule *rule = doctor_rules;
    do
        machine->answer.count = 0;
    while (!rule->holds(question, &machine->answer) && (rule++, true));
    machine->rule = rule;
    machine->slice = question->slice;
}

static void try_machines(struct doctor_question *question, struct trial *trial) {
    for (unsigned i = 0; i < trial->tried[SIP].count; i++)
        for (unsigned j = 0; j < trial->tried[ARCH].count; j++)
            for (unsigned k = 0; k < trial->tried[MACOS].count; k++) {
                struct machine *machine = &trial->machines[trial->count++];
                *machine = (struct machine){.index = {i, j, k}};
                question->target = (struct doctor_target){
                    .sip = trial->tried[SIP].values[i],
                    .arm64 = trial->tried[ARCH].values[j],
                    .macos = trial->tried[MACOS].values[k],
                };
                question->slice = doctor_choose(question->program, question->target.arm64 == 1);
                judge(question, machine);
            }
}

/* ---- what it depends on ------------------------------------------------------------------ */

static bool differ_only_in(const struct machine *a, const struct machine *b, int property) {
    for (int i = 0; i < PROPERTIES; i++)
        if (i != property && a->index[i] != b->index[i])
            return false;
    return true;
}

/* Are machines that differ from one of this rule in the property only under this rule too? */
static bool matters(const struct trial *trial, const struct doctor_rule *rule, int property) {
    for (unsigned i = 0; i < trial->count; i++)
        for (unsigned j = 0; j < trial->count; j++)
            if (trial->machines[i].rule == rule && trial->machines[j].rule != rule &&
                differ_only_in(&trial->machines[i], &trial->machines[j], property))
                return true;
    return false;
}

static const char *value_text(int property, int value) {
    int i = 0;
    while (properties[property].values[i] != value)
        i++;
    return properties[property].texts[i];
}

/* Is an earlier machine of this rule the same in all that matters? */
static bool is_repeated(const struct trial *trial, unsigned index, const bool *matter) {
    for (unsigned i = 0; i < index; i++) {
        bool same = trial->machines[i].rule == trial->machines[index].rule;
        for (int j = 0; j < PROPERTIES; j++)
            same = same &&
                   (!matter[j] || trial->machines[i].index[j] == trial->machines[index].index[j]);
        if (same)
            return true;
    }
    return false;
}

static void append(char *text, size_t size, const char *more) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

/* "sip=on,arch=arm64 or sip=off,arch=arm64" */
static void describe(const struct trial *trial, const struct doctor_rule *rule, char *text,
                     size_t size) {
    bool matter[PROPERTIES];
    text[0] = '\0';
    for (int i = 0; i < PROPERTIES; i++)
        matter[i] = matters(trial, rule, i);
    for (unsigned i = 0; i < trial->count; i++) {
        const struct machine *machine = &trial->machines[i];
        const char *between = text[0] != '\0' ? " or " : "";
        if (machine->rule != rule || is_repeated(trial, i, matter))
            continue;
        for (int j = 0; j < PROPERTIES; j++) {
            if (!matter[j])
                continue;
            append(text, size, between);
            append(text, size, properties[j].name);
            append(text, size, "=");
            append(text, size, value_text(j, trial->tried[j].values[machine->index[j]]));
            between = ",";
        }
    }
}

/* ---- all of it --------------------------------------------------------------------------- */

static bool has_case(const struct doctor_diagnosis *diagnosis, const struct doctor_rule *rule) {
    for (unsigned i = 0; i < diagnosis->count; i++)
        if (diagnosis->cases[i].rule == rule)
            return true;
    return false;
}

static void add_case(const struct trial *trial, const struct machine *machine,
                     struct doctor_diagnosis *diagnosis) {
    struct doctor_case *added = &diagnosis->cases[diagnosis->count++];
    added->rule = machine->rule;
    added->slice = machine->slice;
    added->answer = machine->answer;
    describe(trial, machine->rule, added->when, sizeof added->when);
    if (diagnosis->count == 1)
        diagnosis->verdict = added->rule->verdict;
    else if (diagnosis->verdict != added->rule->verdict)
        diagnosis->verdict = DOCTOR_UNKNOWN;
}

void doctor_judge(const struct doctor_file *program, const struct doctor_file *library,
                  const struct doctor_target *target, bool inherit,
                  struct doctor_diagnosis *diagnosis) {
    struct doctor_question question = {.program = program, .library = library, .inherit = inherit};
    struct trial trial = {.count = 0};
    for (int i = 0; i < PROPERTIES; i++)
        trial.tried[i] = possible(program, target, i);
    try_machines(&question, &trial);
    *diagnosis = (struct doctor_diagnosis){
        .program = program, .library = library, .target = *target, .inherit = inherit};
    for (unsigned i = 0; i < trial.count; i++)
        if (!has_case(diagnosis, trial.machines[i].rule) && diagnosis->count < DOCTOR_CASES)
            add_case(&trial, &trial.machines[i], diagnosis);
}
