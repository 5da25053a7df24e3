/* What to do about a verdict. Commands are printed, and never executed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "doctor.h"
#include "environment.h"

/* Not for every program that has the remedy. */
enum where {
    ANYWHERE,
    IN_BUNDLE, /* it is in that of an application */
    STARTS,    /* it starts others */
};

struct advice {
    enum doctor_remedy remedy;
    enum where where;
    bool is_command;
    const char *text; /* words in capitals stand for paths, quoted for a shell: see filled() */
};

static const struct advice advice[] = {
    {DOCTOR_RESIGN, ANYWHERE, false,
     "Sign a copy for yourself: ad hoc, without the hardened runtime, without entitlements."},
    {DOCTOR_RESIGN, ANYWHERE, true, "COPYING PROGRAM COPY"},
    {DOCTOR_RESIGN, ANYWHERE, true, "codesign --force --sign - COPIED"},
    {DOCTOR_RESIGN, IN_BUNDLE, true, "codesign --force --sign - COPY"},
    {DOCTOR_RESIGN, STARTS, false,
     "What it starts keeps its own signature, also in a copy: ask 'mtlcap doctor' about that "
     "program too. If that is what asks Metal, let it inherit:"},
    {DOCTOR_RESIGN, STARTS, true, "mtlcap run --children inherit -- COPIED"},
    {DOCTOR_RESIGN, ANYWHERE, false,
     "Or, if it is yours to sign, add these two entitlements to those that it has:"},
    {DOCTOR_RESIGN, ANYWHERE, true,
     "/usr/libexec/PlistBuddy -c 'Add :com.apple.security.cs.allow-dyld-environment-variables bool "
     "true' mtlcap.plist"},
    {DOCTOR_RESIGN, ANYWHERE, true,
     "/usr/libexec/PlistBuddy -c 'Add :com.apple.security.cs.disable-library-validation bool true' "
     "mtlcap.plist"},
    {DOCTOR_RESIGN, ANYWHERE, true,
     "codesign --force --options runtime --entitlements mtlcap.plist --sign IDENTITY PROGRAM"},
    {DOCTOR_RESIGN, ANYWHERE, false,
     "Or do not inject: link libmtlcap, or import mtlcap, and apply the profile in the program."},

    {DOCTOR_SIGN, ANYWHERE, false, "Sign it, ad hoc if it is for this machine:"},
    {DOCTOR_SIGN, ANYWHERE, true, "codesign --force --sign - PROGRAM"},

    {DOCTOR_OTHER_BUILD, ANYWHERE, false,
     "Use another build of it, arm64 or x86_64 and not Apple's: of Homebrew, conda, or your own."},
    {DOCTOR_OTHER_BUILD, ANYWHERE, false,
     "If it starts the program that you mean, name that one behind 'mtlcap run'."},

    {DOCTOR_PLAIN_COPY, ANYWHERE, false,
     "Start a copy, which belongs to you and has no such rights:"},
    {DOCTOR_PLAIN_COPY, ANYWHERE, true, "cp PROGRAM COPY && chmod u-s,g-s COPY"},

    {DOCTOR_LINK, ANYWHERE, false,
     "Nothing can be inserted into this file. Use another build of it, or link libmtlcap, and "
     "apply "
     "the profile in the program."},

    {DOCTOR_NAME_PROGRAM, ANYWHERE, false, "Name the program that runs in the end."},

    {DOCTOR_NO_CHILDREN, ANYWHERE, false,
     "Do not let children inherit the variable: leave out --children inherit, and do not export "
     "DYLD_INSERT_LIBRARIES for a whole shell or CI step."},
    {DOCTOR_NO_CHILDREN, ANYWHERE, true, "mtlcap run --children none -- EXECUTABLE"},
    {DOCTOR_NO_CHILDREN, ANYWHERE, false,
     "What it starts then has no profile. If that is what asks Metal, name it behind 'mtlcap run', "
     "or put a script in its place that says: exec mtlcap run ... -- ITSELF \"$@\""},

    {DOCTOR_OTHER_LIBRARY, ANYWHERE, false,
     "Use the library that mtlcap is published with: arm64 and x86_64, signed ad hoc."},

    {DOCTOR_TRY, ANYWHERE, false, "Try it: 'mtlcap run' says whether the library was loaded."},
    {DOCTOR_TRY, ANYWHERE, true, "mtlcap run --strict -- EXECUTABLE"},
};

/* ---- paths in commands ------------------------------------------------------------------ */

/* In single quotes, in which a shell changes nothing. To be freed. */
static char *quoted(const char *path) {
    char *text = allocate(4 * strlen(path) + 3, 1), *end = text;
    *end++ = '\'';
    for (; *path != '\0'; path++) {
        if (*path == '\'')
            end += sprintf(end, "'\\'");
        *end++ = *path;
    }
    *end = '\'';
    return text;
}

struct paths {
    char *program, *copy;      /* of all of an application, if it is in one */
    char *executable, *copied; /* itself, and in the copy */
    bool bundle;
};

/* A copy stands beside it, so that it finds what it finds beside itself. An application's seal is
 * on all that is in its bundle, so all of that is copied: of the outermost one. */
static struct paths paths_of(const struct doctor_file *program) {
    const char *executable = program->path != NULL ? program->path : "PROGRAM";
    const char *bundle = strstr(executable, ".app/Contents/");
    const char *inside = bundle != NULL ? bundle + strlen(".app") : "";
    char *path = joined(executable, NULL), *base = joined(executable, NULL);
    path[strlen(path) - strlen(inside)] = '\0';
    if (bundle != NULL)
        base[bundle - executable] = '\0';
    char *copy = joined(base, "-mtlcap", bundle != NULL ? ".app" : "", NULL);
    char *copied = joined(copy, inside, NULL);
    struct paths paths = {
        .program = quoted(path),
        .copy = quoted(copy),
        .executable = quoted(executable),
        .copied = quoted(copied),
        .bundle = bundle != NULL,
    };
    free(path);
    free(base);
    free(copy);
    free(copied);
    return paths;
}

/* The words in capitals replaced. To be freed. */
static char *filled(const char *text, const struct paths *paths) {
    const struct {
        const char *word, *by;
    } words[] = {{"PROGRAM", paths->program},
                 {"COPYING", paths->bundle ? "ditto" : "cp"},
                 {"COPIED", paths->copied},
                 {"COPY", paths->copy},
                 {"EXECUTABLE", paths->executable}};
    enum { WORDS = sizeof words / sizeof words[0] };
    char *result = joined("", NULL);
    while (*text != '\0') {
        char one[2] = {*text, '\0'};
        const char *piece = one;
        size_t length = 1;
        for (int i = 0; i < WORDS && piece == one; i++)
            if (strncmp(text, words[i].word, strlen(words[i].word)) == 0) {
                piece = words[i].by;
                length = strlen(words[i].word);
            }
        char *longer = joined(result, piece, NULL);
        free(result);
        result = longer;
        text += length;
    }
    return result;
}

static bool is_there(enum where where, const struct paths *paths, const struct doctor_case *found) {
    return where == ANYWHERE || (where == IN_BUNDLE && paths->bundle) ||
           (where == STARTS && found->slice != NULL && found->slice->starter[0] != '\0');
}

void doctor_advise(const struct doctor_diagnosis *diagnosis, const struct doctor_case *found,
                   doctor_tell *tell, void *context) {
    struct paths paths = paths_of(diagnosis->program);
    for (size_t i = 0; i < sizeof advice / sizeof advice[0]; i++) {
        const struct advice *line = &advice[i];
        if (line->remedy != found->rule->remedy || !is_there(line->where, &paths, found))
            continue;
        char *text = line->is_command ? filled(line->text, &paths) : joined(line->text, NULL);
        tell(line->is_command, text, context);
        free(text);
    }
    if (diagnosis->script != NULL) {
        char *text =
            joined("What is asked about is a script of this shell. ", diagnosis->script, ".", NULL);
        tell(false, text, context);
        free(text);
    }
    free(paths.program);
    free(paths.copy);
    free(paths.executable);
    free(paths.copied);
}

/* ---- what the verdict does not say --------------------------------------------------------- */

/* Of a program that gets the library: do those that it starts? */
static void note_children(const struct doctor_diagnosis *diagnosis,
                          const struct doctor_slice *slice, doctor_tell *tell, void *context) {
    char text[512];
    bool of_apples = slice->child[0] != '\0';
    if (slice->starter[0] == '\0')
        return;
    if (!diagnosis->inherit)
        snprintf(text, sizeof text,
                 "It can start programs (%s). These do not get the library, unless by --children "
                 "inherit: if one of them is what asks Metal, name that one behind 'mtlcap run'.",
                 of_apples ? slice->child : slice->starter);
    else if (of_apples && diagnosis->target.sip != 0)
        snprintf(text, sizeof text,
                 "It can start one of Apple's own programs (%s). Where SIP is on, that one drops "
                 "the variable, and what it starts in turn does not get the library either: name "
                 "what asks Metal behind 'mtlcap run'.",
                 slice->child);
    else
        return;
    tell(false, text, context);
}

void doctor_note(const struct doctor_diagnosis *diagnosis, const struct doctor_case *found,
                 doctor_tell *tell, void *context) {
    if (diagnosis->looked_up)
        tell(false,
             "PATH leads to Apple's on a Mac, unless another build comes before it there: if one "
             "does, "
             "name its file.",
             context);
    if (found->rule->verdict == DOCTOR_LOADS && found->slice != NULL)
        note_children(diagnosis, found->slice, tell, context);
}

/* ---- Metal's language --------------------------------------------------------------------- */

const char *doctor_metal_language(uint32_t sdk) {
    static const struct {
        uint32_t sdk; /* the first one */
        const char *language;
    } languages[] = {
        {0x1a0000, "4.0"}, {0xf0000, "3.2"}, {0xe0000, "3.1"}, {0xd0000, "3.0"},
        {0xc0000, "2.4"},  {0xb0000, "2.3"}, {0xa0f00, "2.2"}, {0xa0e00, "2.1"},
        {0xa0d00, "2.0"},  {0xa0c00, "1.2"}, {0xa0b00, "1.1"},
    };
    for (size_t i = 0; i < sizeof languages / sizeof languages[0]; i++)
        if (sdk >= languages[i].sdk)
            return languages[i].language;
    return NULL;
}

void doctor_version_text(uint32_t version, char *text, size_t size) {
    unsigned patch = version & 0xff;
    if (patch != 0)
        snprintf(text, size, "%u.%u.%u", (unsigned)(version >> 16), (unsigned)(version >> 8 & 0xff),
                 patch);
    else
        snprintf(text, size, "%u.%u", (unsigned)(version >> 16), (unsigned)(version >> 8 & 0xff));
}
