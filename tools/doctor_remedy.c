/* What to do about a verdict. Commands are printed, and never executed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "doctor.h"
#include "environment.h"

struct advice {
    enum doctor_remedy remedy;
    bool is_command;
    const char *text; /* PROGRAM, COPY and EXECUTABLE stand for paths, quoted for a shell */
};

static const struct advice advice[] = {
    {DOCTOR_RESIGN, false,
     "Sign a copy for yourself: ad hoc, without the hardened runtime, without entitlements."},
    {DOCTOR_RESIGN, true, "COPYING PROGRAM COPY"},
    {DOCTOR_RESIGN, true, "codesign --force --sign - COPY"},
    {DOCTOR_RESIGN, false,
     "Or, if it is yours to sign, add these two entitlements to those that it has:"},
    {DOCTOR_RESIGN, true,
     "/usr/libexec/PlistBuddy -c 'Add :com.apple.security.cs.allow-dyld-environment-variables bool "
     "true' mtlcap.plist"},
    {DOCTOR_RESIGN, true,
     "/usr/libexec/PlistBuddy -c 'Add :com.apple.security.cs.disable-library-validation bool true' "
     "mtlcap.plist"},
    {DOCTOR_RESIGN, true,
     "codesign --force --options runtime --entitlements mtlcap.plist --sign IDENTITY PROGRAM"},
    {DOCTOR_RESIGN, false,
     "Or do not inject: link libmtlcap, or import mtlcap, and apply the profile in the program."},

    {DOCTOR_SIGN, false, "Sign it, ad hoc if it is for this machine:"},
    {DOCTOR_SIGN, true, "codesign --force --sign - PROGRAM"},

    {DOCTOR_OTHER_BUILD, false,
     "Use another build of it, arm64 or x86_64 and not Apple's: of Homebrew, conda, or your own."},
    {DOCTOR_OTHER_BUILD, false,
     "If it starts the program that you mean, name that one behind 'mtlcap run'."},

    {DOCTOR_PLAIN_COPY, false, "Start a copy, which belongs to you and has no such rights:"},
    {DOCTOR_PLAIN_COPY, true, "cp PROGRAM COPY && chmod u-s,g-s COPY"},

    {DOCTOR_LINK, false,
     "Nothing can be inserted into this file. Use another build of it, or link libmtlcap, and "
     "apply "
     "the profile in the program."},

    {DOCTOR_NAME_PROGRAM, false, "Name the program that runs in the end."},

    {DOCTOR_NO_CHILDREN, false,
     "Do not let children inherit the variable: leave out --children inherit, and do not export "
     "DYLD_INSERT_LIBRARIES for a whole shell or CI step."},
    {DOCTOR_NO_CHILDREN, true, "mtlcap run --children none -- EXECUTABLE"},

    {DOCTOR_OTHER_LIBRARY, false,
     "Use the library that mtlcap is published with: arm64 and x86_64, signed ad hoc."},

    {DOCTOR_TRY, false, "Try it: 'mtlcap run' says whether the library was loaded."},
    {DOCTOR_TRY, true, "mtlcap run --strict -- EXECUTABLE"},
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
    char *program, *copy, *executable;
    bool bundle; /* all of an application is copied and signed */
};

/* A copy stands beside it, so that it finds what it finds beside itself. */
static struct paths paths_of(const struct doctor_file *program) {
    struct paths paths = {.bundle = false};
    const char *executable = program->path != NULL ? program->path : "PROGRAM";
    char *path = joined(executable, NULL);
    char *inside = strstr(path, ".app/Contents/MacOS/");
    if (inside != NULL) {
        paths.bundle = true;
        inside[strlen(".app")] = '\0';
        char *base = joined(path, NULL);
        base[inside - path] = '\0';
        char *copy = joined(base, "-mtlcap.app", NULL);
        paths.copy = quoted(copy);
        free(base);
        free(copy);
    } else {
        char *copy = joined(path, "-mtlcap", NULL);
        paths.copy = quoted(copy);
        free(copy);
    }
    paths.program = quoted(path);
    paths.executable = quoted(executable);
    free(path);
    return paths;
}

/* The words in capitals replaced. To be freed. */
static char *filled(const char *text, const struct paths *paths) {
    const struct {
        const char *word, *by;
    } words[] = {{"PROGRAM", paths->program},
                 {"COPYING", paths->bundle ? "ditto" : "cp"},
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

void doctor_advise(const struct doctor_rule *rule, const struct doctor_file *program,
                   doctor_tell *tell, void *context) {
    struct paths paths = paths_of(program);
    for (size_t i = 0; i < sizeof advice / sizeof advice[0]; i++) {
        if (advice[i].remedy != rule->remedy)
            continue;
        char *text =
            advice[i].is_command ? filled(advice[i].text, &paths) : joined(advice[i].text, NULL);
        tell(advice[i].is_command, text, context);
        free(text);
    }
    free(paths.program);
    free(paths.copy);
    free(paths.executable);
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
