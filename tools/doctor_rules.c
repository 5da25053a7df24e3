/* When each rule of doctor.def holds. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "doctor.h"

/* ---- evidence -------------------------------------------------------------------- */

/* Adds a sentence. Returns true. */
__attribute__((format(printf, 3, 4))) static bool note(struct doctor_answer *answer, uint64_t place,
                                                       const char *format, ...) {
    if (answer->count < DOCTOR_EVIDENCE) {
        struct doctor_evidence *evidence = &answer->evidence[answer->count++];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(evidence->text, sizeof evidence->text, format, arguments);
        va_end(arguments);
        evidence->place = place;
    }
    return true;
}

static bool note_flags(const struct doctor_slice *slice, struct doctor_answer *answer) {
    char text[160];
    mtlcap__macho_flags_text(slice->flags, text, sizeof text);
    return note(answer, slice->flags_place, "%s: code directory, flags %#x%s%s%s", slice->cpu,
                (unsigned)slice->flags, text[0] != '\0' ? " (" : "", text,
                text[0] != '\0' ? ")" : "");
}

/* ---- what is often asked ----------------------------------------------------------- */

/* Systems before macOS 12 read the XML form, and later ones DER where there is that. */
static const struct doctor_entitlements *entitlements(const struct doctor_question *question) {
    const struct doctor_slice *slice = question->slice;
    bool old = question->target.macos != 0 && question->target.macos < 12;
    return slice->der.there && (!old || !slice->xml.there) ? &slice->der : &slice->xml;
}

static bool has(const struct doctor_question *question, enum doctor_entitlement which) {
    return entitlements(question)->is_true[which];
}

static bool note_entitlement(const struct doctor_question *question, enum doctor_entitlement which,
                             struct doctor_answer *answer) {
    const struct doctor_entitlements *all = entitlements(question);
    const char *form = all == &question->slice->der ? "DER" : "XML";
    if (all->place[which] == 0)
        return note(answer, 0, "no entitlement %s", doctor_entitlement_names[which]);
    return note(answer, all->place[which], "entitlement %s is %s (%s)",
                doctor_entitlement_names[which], all->is_true[which] ? "true" : "not true", form);
}

static bool is_arm64(const struct doctor_slice *slice) {
    return slice->cpu_type == MTLCAP__CPU_ARM64;
}

/* Whether Apple's is what the rules for Apple's own programs take it for. */
static bool is_platform(const struct doctor_question *question) {
    return question->program->apples || question->slice->platform_byte != 0;
}

static bool note_platform(const struct doctor_question *question, struct doctor_answer *answer) {
    const struct doctor_slice *slice = question->slice;
    if (slice->platform_byte != 0)
        return note(answer, slice->platform_place, "%s: code directory, platform %u", slice->cpu,
                    (unsigned)slice->platform_byte);
    return note(answer, 0, "it is in a folder of macOS's own programs");
}

/* The library's slice for a processor; NULL: none. */
static const struct doctor_slice *library_slice(const struct doctor_question *question,
                                                bool arm64e) {
    for (uint32_t i = 0; i < question->library->count; i++) {
        const struct doctor_slice *slice = &question->library->slices[i];
        if (slice->cpu_type == question->slice->cpu_type && slice->arm64e == arm64e)
            return slice;
    }
    return NULL;
}

static const struct doctor_slice *matching_slice(const struct doctor_question *question) {
    return library_slice(question, question->slice->arm64e);
}

static bool has_team_in_common(const struct doctor_question *question) {
    const struct doctor_slice *library = matching_slice(question);
    return library != NULL && library->signature == DOCTOR_SIGNED && library->team[0] != '\0' &&
           strcmp(library->team, question->slice->team) == 0;
}

static bool note_teams(const struct doctor_question *question, struct doctor_answer *answer) {
    const struct doctor_slice *library = matching_slice(question);
    const char *team = question->slice->team;
    return note(answer, 0, "the program's team is %s, the library's %s",
                team[0] != '\0' ? team : "none",
                library != NULL && library->team[0] != '\0' ? library->team : "none");
}

/* ---- is it a program that starts at all? --------------------------------------------- */

#define CONDITION(id)                                                                              \
    static bool when_##id(const struct doctor_question *question, struct doctor_answer *answer)

CONDITION(NOT_MACHO) {
    const struct doctor_file *program = question->program;
    return program->problem[0] != '\0' && !program->malformed &&
           note(answer, 0, "%s", program->problem);
}

CONDITION(MALFORMED) {
    const struct doctor_file *program = question->program;
    if (program->malformed)
        return note(answer, program->problem_place, "%s", program->problem);
    return question->slice != NULL && question->slice->problem.text[0] != '\0' &&
           note(answer, question->slice->problem.place, "%s: %s", question->slice->cpu,
                question->slice->problem.text);
}

CONDITION(NO_SLICE) {
    char cpus[160];
    if (question->slice != NULL)
        return false;
    doctor_cpus_text(question->program, cpus, sizeof cpus);
    return note(answer, 0, "it is for %s", cpus);
}

CONDITION(NOT_A_PROGRAM) {
    return question->slice->file_type != MTLCAP__MH_EXECUTE &&
           note(answer, question->slice->place + 12, "%s: file type %u", question->slice->cpu,
                (unsigned)question->slice->file_type);
}

static bool note_system(const struct doctor_slice *slice, struct doctor_answer *answer) {
    return note(answer, slice->version_place, "%s: platform %u", slice->cpu,
                (unsigned)slice->platform);
}

CONDITION(OTHER_SYSTEM) {
    uint32_t platform = question->slice->platform;
    return platform != 0 && platform != MTLCAP__PLATFORM_MACOS &&
           platform != MTLCAP__PLATFORM_CATALYST && note_system(question->slice, answer);
}

CONDITION(CATALYST) {
    return question->slice->platform == MTLCAP__PLATFORM_CATALYST &&
           note_system(question->slice, answer);
}

CONDITION(UNSIGNED) {
    const struct doctor_slice *slice = question->slice;
    return slice->signature == DOCTOR_UNSIGNED && is_arm64(slice) && !question->program->apples &&
           note(answer, slice->place, "%s: no LC_CODE_SIGNATURE", slice->cpu);
}

static bool has_bad_signature(const struct doctor_slice *slice, struct doctor_answer *answer) {
    return slice->signature == DOCTOR_BROKEN &&
           note(answer, slice->signature_problem.place, "%s: %s", slice->cpu,
                slice->signature_problem.text);
}

CONDITION(BAD_SIGNATURE) {
    return is_arm64(question->slice) && has_bad_signature(question->slice, answer);
}

CONDITION(BAD_SIGNATURE_INTEL) {
    return has_bad_signature(question->slice, answer);
}

static bool is_changed(const struct doctor_slice *slice, struct doctor_answer *answer) {
    if (slice->signature != DOCTOR_SIGNED)
        return false;
    if (slice->pages.wrong > 0)
        return note(answer, slice->pages.first_wrong,
                    "%s: %u page(s) of code do not have the hash that is signed; the first",
                    slice->cpu, (unsigned)slice->pages.wrong);
    return slice->pages.wrong_entitlements &&
           note(answer, 0, "%s: the entitlements do not have the hash that is signed", slice->cpu);
}

/* Intel slices are ended for it only where their flags ask for that. */
CONDITION(CHANGED) {
    enum {
        ENFORCED = MTLCAP__CS_HARD | MTLCAP__CS_KILL | MTLCAP__CS_ENFORCEMENT | MTLCAP__CS_RUNTIME
    };
    const struct doctor_slice *slice = question->slice;
    return (is_arm64(slice) || (slice->flags & ENFORCED) != 0) && is_changed(slice, answer);
}

static bool is_foreign_arm64e(const struct doctor_question *question,
                              struct doctor_answer *answer) {
    return question->slice->arm64e && !is_platform(question) &&
           note(answer, question->slice->place + 8, "arm64e, and not Apple's");
}

CONDITION(ARM64E_PROGRAM) {
    return question->target.macos < 26 && is_foreign_arm64e(question, answer);
}

CONDITION(ARM64E_PROGRAM_NEW) {
    return is_foreign_arm64e(question, answer);
}

/* ---- does the variable reach it? -------------------------------------------------------- */

CONDITION(NO_LOADER) {
    return !question->slice->has_dylinker &&
           note(answer, question->slice->place, "%s: no LC_LOAD_DYLINKER", question->slice->cpu);
}

CONDITION(SET_USER) {
    mode_t mode = question->program->mode;
    return (mode & (S_ISUID | S_ISGID)) != 0 &&
           note(answer, 0, "the file's mode is %04o", (unsigned)(mode & 07777));
}

CONDITION(RESTRICT_SECTION) {
    return question->slice->restrict_place != 0 &&
           note(answer, question->slice->restrict_place, "%s: section __RESTRICT,__restrict",
                question->slice->cpu);
}

CONDITION(RESTRICT_FLAG) {
    return (question->slice->flags & MTLCAP__CS_RESTRICT) != 0 &&
           note_flags(question->slice, answer);
}

CONDITION(PLATFORM) {
    return question->target.sip == 1 && is_platform(question) && note_platform(question, answer);
}

static bool is_hardened(const struct doctor_question *question, struct doctor_answer *answer) {
    return (question->slice->flags & MTLCAP__CS_RUNTIME) != 0 &&
           !has(question, DOCTOR_ALLOW_DYLD) && note_flags(question->slice, answer) &&
           note_entitlement(question, DOCTOR_ALLOW_DYLD, answer);
}

CONDITION(HARDENED_DEBUG) {
    return has(question, DOCTOR_GET_TASK_ALLOW) && is_hardened(question, answer) &&
           note_entitlement(question, DOCTOR_GET_TASK_ALLOW, answer);
}

CONDITION(HARDENED) {
    return is_hardened(question, answer);
}

/* ---- is the library accepted? ------------------------------------------------------------- */

CONDITION(VALIDATION_FLAG) {
    return (question->slice->flags & MTLCAP__CS_REQUIRE_LV) != 0 && !has_team_in_common(question) &&
           note_flags(question->slice, answer) && note_teams(question, answer);
}

CONDITION(VALIDATION) {
    return (question->slice->flags & MTLCAP__CS_RUNTIME) != 0 &&
           !has(question, DOCTOR_DISABLE_VALIDATION) && !has_team_in_common(question) &&
           note_flags(question->slice, answer) &&
           note_entitlement(question, DOCTOR_DISABLE_VALIDATION, answer) &&
           note_teams(question, answer);
}

CONDITION(LIBRARY_MISSING) {
    const struct doctor_file *library = question->library;
    return library->problem[0] != '\0' &&
           note(answer, 0, "'%s': %s", library->path, library->problem);
}

CONDITION(LIBRARY_SLICE) {
    char cpus[160];
    if (matching_slice(question) != NULL)
        return false;
    if (is_platform(question))
        note_platform(question, answer);
    doctor_cpus_text(question->library, cpus, sizeof cpus);
    return note(answer, question->slice->place, "the program runs as %s; the library is for %s",
                question->slice->cpu, cpus);
}

CONDITION(LIBRARY_ARM64E_OLD) {
    return question->slice->arm64e && question->target.macos < 15 &&
           note(answer, 0, "the program runs as arm64e");
}

CONDITION(LIBRARY_ARM64E_UNSEEN) {
    return question->slice->arm64e && question->target.macos < 26 &&
           note(answer, 0, "the program runs as arm64e");
}

CONDITION(LIBRARY_ARM64E_FIRST) {
    return is_arm64(question->slice) && !question->slice->arm64e &&
           library_slice(question, true) != NULL &&
           note(answer, 0, "the library has an arm64e slice");
}

CONDITION(LIBRARY_SYSTEM) {
    const struct doctor_slice *library = matching_slice(question);
    return library->platform != 0 && library->platform != MTLCAP__PLATFORM_MACOS &&
           note(answer, 0, "the library's platform is %u", (unsigned)library->platform);
}

CONDITION(LIBRARY_SIGNATURE) {
    const struct doctor_slice *library = matching_slice(question);
    if (!is_arm64(question->slice))
        return false;
    if (library->signature == DOCTOR_UNSIGNED)
        return note(answer, 0, "the library's %s slice is not signed", library->cpu);
    return has_bad_signature(library, answer) || is_changed(library, answer);
}

CONDITION(SANDBOX) {
    return has(question, DOCTOR_APP_SANDBOX) &&
           note_entitlement(question, DOCTOR_APP_SANDBOX, answer);
}

/* ---- and what it starts? -----------------------------------------------------------------------
 */

CONDITION(CHILD) {
    return question->inherit && question->target.sip == 0 && question->target.arm64 == 1 &&
           question->slice->child[0] != '\0' && library_slice(question, true) == NULL &&
           note(answer, question->slice->child_place, "%s: %s", question->slice->cpu,
                question->slice->child);
}

CONDITION(LOADS) {
    const struct doctor_slice *slice = question->slice;
    if (slice->signature == DOCTOR_UNSIGNED)
        return note(answer, 0, "%s: not signed", slice->cpu);
    return slice->flags_place == 0 || note_flags(slice, answer);
}

/* ---- the table
 * ------------------------------------------------------------------------------------ */

#define SOURCE "source"
#define OBSERVED "observed"

const struct doctor_rule doctor_rules[] = {
#define RULE(id, name_, verdict_, basis_, remedy_, reason_, source_)                               \
    {(name_), DOCTOR_##verdict_, basis_, DOCTOR_##remedy_, (reason_), (source_), when_##id},
#include "doctor.def"
#undef RULE
};
