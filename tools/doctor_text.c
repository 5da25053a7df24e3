/* The diagnosis for people. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "doctor.h"
#include "output.h"
#include "term.h"

#define LABELLED "  %-9s "

const char *const doctor_verdict_names[] = {
#define DOCTOR_NAME(name, code) #name,
    DOCTOR_VERDICTS(DOCTOR_NAME)
#undef DOCTOR_NAME
};

static const char *program_name(const struct doctor_diagnosis *diagnosis) {
    return diagnosis->program->path;
}

static void write_line(const char *label, const char *text) {
    output(LABELLED, label);
    output_text(text);
    output("\n");
}

/* ---- cases --------------------------------------------------------------------------- */

static void write_evidence(const struct doctor_case *found) {
    for (unsigned i = 0; i < found->answer.count; i++) {
        const struct doctor_evidence *evidence = &found->answer.evidence[i];
        char text[256];
        if (evidence->place != 0)
            snprintf(text, sizeof text, "%s, at %#llx", evidence->text,
                     (unsigned long long)evidence->place);
        else
            snprintf(text, sizeof text, "%s", evidence->text);
        write_line(i == 0 ? "evidence" : "", text);
    }
}

/* The first of several has a label. */
static void write_labelled(bool is_command, const char *text, void *context) {
    const char **label = context;
    output(LABELLED "%s", *label, is_command ? "  " : "");
    output_text(text);
    output("\n");
    *label = "";
}

static void write_case(const struct doctor_diagnosis *diagnosis, const struct doctor_case *found) {
    const struct doctor_rule *rule = found->rule;
    const char *remedy = "remedy", *note = "note";
    if (diagnosis->count > 1)
        output("\n%s%s%s where %s: %s\n", term_style()->heading,
               doctor_verdict_names[rule->verdict], term_style()->end, found->when, rule->reason);
    write_evidence(found);
    output(LABELLED "%s (%s: %s)\n", "rule", rule->name, rule->basis, rule->source);
    doctor_note(diagnosis, found, write_labelled, &note);
    doctor_advise(diagnosis, found, write_labelled, &remedy);
}

/* ---- facts ------------------------------------------------------------------------------ */

static void signature_text(const struct doctor_slice *slice, char *text, size_t size) {
    char flags[160];
    mtlcap__macho_flags_text(slice->flags, flags, sizeof flags);
    if (slice->signature == DOCTOR_UNSIGNED)
        snprintf(text, size, "not signed");
    else if (slice->signature == DOCTOR_BROKEN)
        snprintf(text, size, "signature malformed");
    else
        snprintf(text, size, "signed, flags %#x%s%s%s, %s%s", (unsigned)slice->flags,
                 flags[0] != '\0' ? " (" : "", flags, flags[0] != '\0' ? ")" : "",
                 slice->team[0] != '\0' ? "team " : "no team", slice->team);
}

static void write_slice(const struct doctor_slice *slice, const char *label) {
    char text[512], signature[256], sdk[32];
    const char *language = doctor_metal_language(slice->sdk);
    signature_text(slice, signature, sizeof signature);
    doctor_version_text(slice->sdk, sdk, sizeof sdk);
    snprintf(text, sizeof text, "%s: %s%s%s%s%s%s", slice->cpu, signature,
             slice->sdk != 0 ? "; SDK " : "", slice->sdk != 0 ? sdk : "",
             language != NULL ? ", Metal language " : "", language != NULL ? language : "",
             language != NULL && slice->sdk < 0xe0000 ? " (kernels with bfloat are left out)" : "");
    write_line(label, text);
}

/* All on one line, of a file that is not at hand. */
static void write_assumed(const char *label, const struct doctor_file *file, const char *what) {
    char cpus[160], text[256];
    doctor_cpus_text(file, cpus, sizeof cpus);
    snprintf(text, sizeof text, "%s, %s", cpus, what);
    write_line(label, text);
}

static void write_facts(const struct doctor_diagnosis *diagnosis) {
    const struct doctor_file *program = diagnosis->program, *library = diagnosis->library;
    if (program->assumed)
        write_assumed("slices", program, "as Apple's own programs are: the file is not at hand");
    for (uint32_t i = 0; !program->assumed && i < program->count; i++)
        write_slice(&program->slices[i], i == 0 ? "slices" : "");
    if (library->assumed)
        write_assumed("library", library, "signed ad hoc, as it is published");
    else
        write_line("library", library->path);
    for (uint32_t i = 0; !library->assumed && i < library->count; i++)
        write_slice(&library->slices[i], "");
}

void doctor_write_text(const struct doctor_diagnosis *diagnosis) {
    const struct doctor_rule *rule = diagnosis->cases[0].rule;
    output_text(program_name(diagnosis));
    output(": %s%s%s: %s\n", term_style()->heading, doctor_verdict_names[diagnosis->verdict],
           term_style()->end,
           diagnosis->count == 1 ? rule->reason
                                 : "it depends on the machine, which --machine can say");
    if (diagnosis->asked != NULL)
        write_line("asked", diagnosis->asked);
    for (unsigned i = 0; i < diagnosis->count; i++)
        write_case(diagnosis, &diagnosis->cases[i]);
    if (diagnosis->count > 1)
        output("\n");
    write_facts(diagnosis);
}

void doctor_line(const struct doctor_diagnosis *diagnosis, char *text, size_t size) {
    size_t used = (size_t)snprintf(text, size, "'%s': ", program_name(diagnosis));
    for (unsigned i = 0; i < diagnosis->count && used < size; i++) {
        const struct doctor_case *found = &diagnosis->cases[i];
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s: %s", i > 0 ? "; " : "",
                                 doctor_verdict_names[found->rule->verdict],
                                 found->when[0] != '\0' ? " where " : "", found->when,
                                 found->rule->reason);
    }
    if (used < size)
        snprintf(text + used, size - used, ". 'mtlcap doctor' tells more");
}
