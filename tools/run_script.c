/* A script of a shell: what it starts, as far as its text tells. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "run.h"

/* A longer one is read up to there. */
enum { MOST_TEXT = 64 * 1024, MOST_COMMAND = 200 };

static bool is_shell(const char *path) {
    static const char *const shells[] = {"sh", "bash", "dash", "zsh", "ksh", "fish", "csh", "tcsh"};
    const char *slash = strrchr(path, '/');
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(slash != NULL ? slash + 1 : path, shells[i]) == 0)
            return true;
    return false;
}

/* What can be read of it; "" if that is nothing. To be freed. */
static char *text_of(const char *path) {
    char *text = allocate(MOST_TEXT + 1, 1);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    size_t used = 0;
    for (ssize_t got = 1; descriptor >= 0 && got > 0 && used < MOST_TEXT;) {
        got = read(descriptor, text + used, MOST_TEXT - used);
        used += got > 0 ? (size_t)got : 0;
    }
    if (descriptor >= 0)
        close(descriptor);
    return text;
}

/* How much of a line is a command that can be written elsewhere just so. 0: it is none: an option
 * of `exec`, a sign of the shell between quotes, or what goes on in the next line. */
static size_t command_length(const char *line) {
    size_t length = strcspn(line, "\n;|&#<>"), quotes[2] = {0};
    while (length > 0 && strchr(" \t\r", line[length - 1]) != NULL)
        length--;
    for (size_t i = 0; i < length; i++) {
        quotes[0] += line[i] == '"';
        quotes[1] += line[i] == '\'';
    }
    bool whole = quotes[0] % 2 == 0 && quotes[1] % 2 == 0 && memchr(line, '\\', length) == NULL;
    return whole && line[0] != '-' && length <= MOST_COMMAND ? length : 0;
}

/* The command of the last line `exec COMMAND`; one that redirects only is none. False: there is
 * none, or it cannot be told. */
static bool find_exec(const char *text, char command[MOST_COMMAND + 1]) {
    size_t found = 0;
    for (const char *line = text; line != NULL; line = strchr(line, '\n')) {
        line += strspn(line, " \t\n");
        if (strncmp(line, "exec", 4) != 0 || strspn(line + 4, " \t") == 0)
            continue;
        line += 4 + strspn(line + 4, " \t");
        if (strchr("<>&|;#\n0123456789", line[0]) != NULL)
            continue;
        found = command_length(line);
        memcpy(command, line, found);
        command[found] = '\0';
    }
    return found > 0;
}

/* Is it `mtlcap`, by any path? */
static bool is_ours(const char *command) {
    static const char name[] = "mtlcap";
    size_t length = strcspn(command, " \t"), own = sizeof name - 1;
    return length >= own && strncmp(command + length - own, name, own) == 0 &&
           (length == own || command[length - own - 1] == '/');
}

bool program_script_advice(const struct program *program, char *text, size_t size) {
    char command[MOST_COMMAND + 1];
    if (program->script == NULL || !is_shell(program->path))
        return false;
    char *script = text_of(program->script);
    if (!find_exec(script, command))
        snprintf(text, size,
                 "Name the program that it starts, or write 'mtlcap run ... -- PROGRAM' in the "
                 "script");
    else if (is_ours(command))
        snprintf(text, size, "It says 'exec %s': start the script without mtlcap", command);
    else
        snprintf(text, size,
                 "It says 'exec %s': name that program, or write 'exec mtlcap run ... -- %s' in "
                 "the script",
                 command, command);
    free(script);
    return true;
}
