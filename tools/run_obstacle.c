/* What is known to keep an inserted library out of a program. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifndef __APPLE__
#include <elf.h>
#endif

#include "command.h"
#include "doctor.h"
#include "insertion.h"
#include "run.h"

/* ---- launchers that choose a version, and execute it ----------------------- */

/* Their folders, and what tells the program that they would execute; %s: its name. */
static const struct {
    const char *folder, *tool, *ask;
} launchers[] = {
    {"/.pyenv/shims/", "pyenv", "pyenv which %s"}, {"/pyenv/shims/", "pyenv", "pyenv which %s"},
    {"/.rbenv/shims/", "rbenv", "rbenv which %s"}, {"/.nodenv/shims/", "nodenv", "nodenv which %s"},
    {"/.asdf/shims/", "asdf", "asdf which %s"},    {"/mise/shims/", "mise", "mise which %s"},
    {"/.volta/bin/", "Volta", "volta which %s"},   {"/.proto/shims/", "proto", "proto bin %s"},
};

/* Is the file in such a folder? */
static bool is_launcher(const char *path, char *text, size_t size) {
    char *absolute = absolute_path(path);
    bool found = false;
    for (size_t i = 0; i < sizeof launchers / sizeof launchers[0] && !found; i++) {
        found = strstr(absolute, launchers[i].folder) != NULL;
        if (!found)
            continue;
        char command[128];
        /* NOLINTNEXTLINE(clang-diagnostic-format-nonliteral): a text of the table above */
        snprintf(command, sizeof command, launchers[i].ask, strrchr(absolute, '/') + 1);
        snprintf(text, size,
                 "'%s' is a launcher of %s, which executes the program of the version in use; that "
                 "one does not get the library. Name it: \"$(%s)\"",
                 path, launchers[i].tool, command);
    }
    free(absolute);
    return found;
}

/* ---- what the system does not allow ------------------------------------------ */

#ifndef __APPLE__
/* The header of an ELF file of the machine's own word size. */
typedef Elf64_Ehdr elf_header;
typedef Elf64_Phdr elf_segment;

static bool read_elf(int descriptor, elf_header *header) {
    return pread(descriptor, header, sizeof *header, 0) == (ssize_t)sizeof *header &&
           memcmp(header->e_ident, ELFMAG, SELFMAG) == 0;
}

/* The loader itself: it loads what it is told to, and then inserts libraries. */
static bool is_loader(const char *path) {
    char *real = realpath(path, NULL);
    const char *slash = real != NULL ? strrchr(real, '/') : NULL;
    bool found = slash != NULL && strncmp(slash + 1, "ld", 2) == 0 && strstr(slash, ".so") != NULL;
    free(real);
    return found;
}

/* Does it name a loader? Without one nothing is loaded into it. */
static bool is_static(int descriptor, const elf_header *header) {
    for (unsigned i = 0; i < header->e_phnum; i++) {
        elf_segment segment;
        off_t offset = (off_t)(header->e_phoff + (uint64_t)i * header->e_phentsize);
        if (pread(descriptor, &segment, sizeof segment, offset) != (ssize_t)sizeof segment ||
            segment.p_type == PT_INTERP)
            return false;
    }
    return header->e_phnum > 0;
}

static bool is_other_machine(const elf_header *header, const char *library) {
    elf_header ours;
    int descriptor = open(library, O_RDONLY | O_CLOEXEC);
    bool other = descriptor >= 0 && read_elf(descriptor, &ours) &&
                 (ours.e_ident[EI_CLASS] != header->e_ident[EI_CLASS] ||
                  ours.e_machine != header->e_machine);
    if (descriptor >= 0)
        close(descriptor);
    return other;
}

static bool is_restricted(const char *path, const char *library, char *text, size_t size) {
    struct stat status;
    if (stat(path, &status) == 0 &&
        (((status.st_mode & S_ISUID) != 0 && status.st_uid != getuid()) ||
         ((status.st_mode & S_ISGID) != 0 && status.st_gid != getgid()))) {
        snprintf(text, size,
                 "'%s' runs with the rights of another user or group (set-uid, set-gid): the "
                 "loader ignores %s there",
                 path, insertion_variable);
        return true;
    }
    elf_header header;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    bool found = descriptor >= 0 && read_elf(descriptor, &header);
    if (found && is_other_machine(&header, library)) {
        snprintf(text, size, "'%s' is for another processor than '%s'", path, library);
    } else if (found && header.e_ident[EI_CLASS] == ELFCLASS64 && !is_loader(path) &&
               is_static(descriptor, &header)) {
        snprintf(text, size, "'%s' is statically linked: no loader inserts libraries into it",
                 path);
    } else {
        found = false;
    }
    if (descriptor >= 0)
        close(descriptor);
    return found;
}
#endif

/* Of a program for a Mac, `mtlcap doctor` knows. Whether its pages are as they were signed the
 * system looks at itself. */
static bool is_kept_out(const struct program *program, const struct injection *injection,
                        char *text, size_t size) {
    struct doctor_file file, library;
    struct doctor_diagnosis *diagnosis = allocate(1, sizeof *diagnosis);
    struct doctor_target here = doctor_target_here();
    bool kept_out = false;
    doctor_file_read(program->path, false, &file);
    if (file.problem[0] == '\0' || file.malformed) {
#ifdef __APPLE__
        doctor_file_read(injection->library, false, &library);
#else
        doctor_file_published(&library); /* the library here is for this system */
#endif
        doctor_judge(&file, &library, &here, injection->inherit, diagnosis);
        kept_out = diagnosis->count > 1 || diagnosis->verdict != DOCTOR_LOADS;
        if (kept_out)
            doctor_line(diagnosis, text, size);
        doctor_file_free(&library);
    }
    doctor_file_free(&file);
    free(diagnosis);
    return kept_out;
}

/* With --children none what a shell starts does not get the library, and through one of Apple's
 * shells it never does. */
static bool is_script(const struct program *program, const struct injection *injection, char *text,
                      size_t size) {
    char advice[640], line[1024] = "";
    if (!program_script_advice(program, advice, sizeof advice))
        return false;
    bool kept_out = is_kept_out(program, injection, line, sizeof line);
    if (injection->inherit)
        snprintf(text, size, "%s. '%s' is a script of this shell. %s", line, program->script,
                 advice);
    else
        snprintf(text, size,
                 "'%s' is a script of a shell: what it starts does not get the library. %s%s%s",
                 program->script, advice, kept_out ? ". Of the shell: " : "", kept_out ? line : "");
    return kept_out || !injection->inherit;
}

bool program_obstacle(const struct program *program, const struct injection *injection, char *text,
                      size_t size) {
    static const char disable[] = "MTLCAP_DISABLE";
    if (environment_is_on(&program->environment, disable)) {
        snprintf(text, size, "%s=%s is set, which turns the library off everywhere", disable,
                 environment_get(&program->environment, disable));
        return true;
    }
    if (!injection->inherit &&
        (is_launcher(program->path, text, size) ||
         (program->script != NULL && is_launcher(program->script, text, size))))
        return true;
    if (is_script(program, injection, text, size) || is_kept_out(program, injection, text, size))
        return true;
#ifndef __APPLE__
    if (is_restricted(program->path, injection->library, text, size))
        return true;
#endif
    return false;
}
