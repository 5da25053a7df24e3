/* Finds the program that a command line starts in the end. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "output.h"
#include "run.h"

/* A #! line or `env` may lead to another: a cycle has to end. */
enum { MOST_STEPS = 16 };

/* What the kernel reads of a #! line; the rest is cut off. */
#ifdef __APPLE__
enum { LONGEST_LINE = 512 };
#else
enum { LONGEST_LINE = 256 };
#endif

static void take_path(struct program *program, char *path) {
    free(program->path);
    program->path = program->moves ? absolute_path(path) : joined(path, NULL);
    free(path);
}

/* ---- lists of arguments ---------------------------------------------------- */

static size_t count_of(char *const *list) {
    size_t count = 0;
    while (list[count] != NULL)
        count++;
    return count;
}

void arguments_free(char **arguments) {
    for (char **argument = arguments; argument != NULL && *argument != NULL; argument++)
        free(*argument);
    free(arguments);
}

void arguments_replace(char ***arguments, size_t count, char **words) {
    size_t word_count = count_of(words), rest = count_of(*arguments) - count;
    char **list = allocate(word_count + rest + 1, sizeof *list);
    memcpy(list, words, word_count * sizeof *list);
    memcpy(list + word_count, *arguments + count, rest * sizeof *list);
    for (size_t i = 0; i < count; i++)
        free((*arguments)[i]);
    free(*arguments);
    free(words);
    *arguments = list;
}

/* ---- PATH ------------------------------------------------------------------ */

/* Is it a program? errno says why not. */
static bool is_program(const char *path) {
    struct stat status;
    if (stat(path, &status) != 0)
        return false;
    if (!S_ISREG(status.st_mode)) {
        errno = S_ISDIR(status.st_mode) ? EISDIR : EACCES;
        return false;
    }
    return access(path, X_OK) == 0;
}

static int not_found(const char *name, int error) {
    bool missing = error == ENOENT || error == ENOTDIR;
    complain("'%s' cannot be executed: %s", name, strerror(error));
    return missing ? CODE_NOT_FOUND : CODE_NOT_EXECUTABLE;
}

char *program_look_up(const char *name, const char *search_path, int *code) {
    if (strchr(name, '/') != NULL) {
        if (is_program(name))
            return joined(name, NULL);
        *code = not_found(name, errno);
        return NULL;
    }
    const char *folder = search_path != NULL ? search_path : "/bin:/usr/bin";
    int error = ENOENT;
    while (name[0] != '\0') {
        size_t length = strcspn(folder, ":");
        char *path = allocate(length + strlen(name) + 4, 1);
        sprintf(path, "%.*s/%s", length > 0 ? (int)length : 1, length > 0 ? folder : ".", name);
        if (is_program(path))
            return path;
        if (errno == EACCES)
            error = EACCES;
        free(path);
        if (folder[length] == '\0')
            break;
        folder += length + 1;
    }
    if (error == ENOENT) {
        complain("there is no program '%s' in PATH", name);
        *code = CODE_NOT_FOUND;
    } else {
        *code = not_found(name, error);
    }
    return NULL;
}

/* ---- #! lines -------------------------------------------------------------- */

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static char *copy(const char *text, size_t length) {
    char *word = allocate(length + 1, 1);
    memcpy(word, text, length);
    return word;
}

/* The words of a #! line as its system makes arguments of them: on a Mac every word is one,
 * elsewhere all behind the interpreter are one. */
static char **line_words(const char *line) {
#ifdef __APPLE__
    bool splits = true;
#else
    bool splits = false;
#endif
    char **words = allocate(strlen(line) + 2, sizeof *words);
    size_t count = 0;
    while (line += strspn(line, " \t"), *line != '\0') {
        size_t length = strcspn(line, " \t");
        if (count == 1 && !splits)
            for (length = strlen(line); is_blank(line[length - 1]); length--)
                ;
        words[count++] = copy(line, length);
        line += length;
    }
    return words;
}

/* Reads the #! line of a file. 1: it has one; 0: it is no script; -1: errno says why it cannot be
 * told. */
static int read_line(const char *path, char line[LONGEST_LINE]) {
    /* O_NONBLOCK: it may have been replaced by a FIFO since it was looked at. */
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return errno == EACCES ? 0 : -1; /* it may be executed without being read */
    ssize_t length = read(descriptor, line, LONGEST_LINE - 1);
    close(descriptor);
    if (length < 0)
        return -1;
    line[length] = '\0';
    if (strncmp(line, "#!", 2) != 0)
        return 0;
    line[strcspn(line, "\n")] = '\0';
    memmove(line, line + 2, strlen(line + 2) + 1);
    return 1;
}

/* The interpreter takes the script's place. Returns CODE_OK also for what is no script. */
static int follow_line(struct program *program, bool *followed) {
    char line[LONGEST_LINE];
    int code = CODE_OK, found = read_line(program->path, line);
    *followed = false;
    if (found < 0)
        return not_found(program->path, errno);
    if (found == 0)
        return CODE_OK;
    char **words = line_words(line);
    if (words[0] == NULL) {
        complain("the #! line of '%s' names no interpreter", program->path);
        arguments_free(words);
        return CODE_NOT_EXECUTABLE;
    }
    if (!is_program(words[0])) {
        code = not_found(words[0], errno);
        complain_more("It is the interpreter that the #! line of '%s' names.", program->path);
        arguments_free(words);
        return code;
    }
    char *interpreter = joined(words[0], NULL);
    inform("'%s' is a script: starts its interpreter, %s", program->path, words[0]);
    free(program->script);
    program->script = joined(program->path, NULL);
    size_t count = count_of(words);
    words[count] = program->path;
    arguments_replace(&program->arguments, 1, words);
    program->path = NULL;
    take_path(program, interpreter);
    *followed = true;
    return CODE_OK;
}

/* ---- Python's launcher ----------------------------------------------------- */

/*
 * A Python that was built as a framework has a launcher in its folder of programs, which executes
 * the interpreter inside an application's bundle, in the same process: the library would be loaded
 * into the launcher, and no more into Python. The launcher leaves its own path in a variable, from
 * which virtual environments are found.
 */
static void follow_python_launcher(struct program *program) {
    static const char variable[] = "__PYVENV_LAUNCHER__";
    char *real = realpath(program->path, NULL);
    char *end = real != NULL ? strstr(real, "/bin/python") : NULL;
    const char *framework = real != NULL ? strstr(real, "/Python.framework/Versions/") : NULL;
    if (end != NULL && framework != NULL && framework < end) {
        *end = '\0';
        char *interpreter = joined(real, "/Resources/Python.app/Contents/MacOS/Python", NULL);
        if (is_program(interpreter)) {
            inform("'%s' is a launcher: starts %s", program->path, interpreter);
            char *launcher = absolute_path(program->path);
            environment_set(&program->environment, variable, launcher);
            free(launcher);
            free(program->path);
            program->path = interpreter;
        } else {
            free(interpreter);
        }
    }
    free(real);
}

/* ---- all of it ------------------------------------------------------------- */

/* The system's; somebody's own program of that name is another thing. */
static bool is_env(const char *path) {
    static const char *const places[] = {"/usr/bin/env", "/bin/env"};
    const char *slash = strrchr(path, '/');
    struct stat status, ours;
    /* By its name too: the same file may be other programs under other names. */
    if (strcmp(slash != NULL ? slash + 1 : path, "env") != 0 || stat(path, &status) != 0)
        return false;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (stat(places[i], &ours) == 0 && ours.st_dev == status.st_dev &&
            ours.st_ino == status.st_ino)
            return true;
    return false;
}

/* Replaces the path by that of the program that the arguments name now. */
static int look_up_again(struct program *program, const char *search_path) {
    int code = CODE_OK;
    char *path = program_look_up(program->arguments[0], search_path, &code);
    if (path == NULL) {
        complain_more("It is what '%s' starts.", program->asked);
        return code;
    }
    inform("env: starts %s", path);
    take_path(program, path);
    return CODE_OK;
}

static int follow(struct program *program) {
    for (int step = 0; step < MOST_STEPS; step++) {
        bool followed;
        int code = follow_line(program, &followed);
        if (code != CODE_OK)
            return code;
        if (followed)
            continue;
        char *search_path = NULL;
        if (!is_env(program->path) || !program_follow_env(program, &search_path)) {
            follow_python_launcher(program);
            return CODE_OK;
        }
        code = look_up_again(program, search_path);
        free(search_path);
        if (code != CODE_OK)
            return code;
    }
    complain("'%s' leads from one #! line to the next without end", program->asked);
    return CODE_NOT_EXECUTABLE;
}

int program_find(char *const *arguments, char *const *environment, struct program *program) {
    int code = CODE_OK;
    size_t count = count_of(arguments);
    *program = (struct program){.asked = arguments[0], .moves = program->moves};
    program->environment = environment_copy(environment);
    program->arguments = allocate(count + 1, sizeof *program->arguments);
    for (size_t i = 0; i < count; i++)
        program->arguments[i] = joined(arguments[i], NULL);
    char *path =
        program_look_up(arguments[0], environment_get(&program->environment, "PATH"), &code);
    if (path == NULL)
        return code;
    take_path(program, path);
    return follow(program);
}

void program_free(struct program *program) {
    free(program->path);
    free(program->script);
    arguments_free(program->arguments);
    environment_free(&program->environment);
}
