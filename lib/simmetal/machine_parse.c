/* Lines and sections of a machine file, and the machine that it is like. */
#include "machine_parse.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A machine may be like another; deeper than this it is like itself. */
#define MAX_DEPTH 8
#define MAX_FILE (1 << 16)

struct reader {
    struct simmetal_machine *machine;
    struct simmetal_device_config *device; /* NULL: in [machine] */
    unsigned devices_seen;                 /* [device] sections of this file */
    bool anything;                         /* a key has been read */
    unsigned depth;
    struct simmetal_error *error;
};

static bool read_source(struct simmetal_machine *machine, const char *source, unsigned depth,
                        struct simmetal_error *error);

static bool set_like(struct reader *reader, const char *value) {
    struct simmetal_error *error = reader->error;
    char path[1024];
    const char *slash = strrchr(error->file, '/');
    bool beside = slash && strchr(value, '.') && value[0] != '/';
    int length = beside ? snprintf(path, sizeof path, "%.*s/%s", (int)(slash - error->file),
                                   error->file, value)
                        : snprintf(path, sizeof path, "%s", value);
    if (length < 0 || (size_t)length >= sizeof path)
        return simmetal_reject(error, "the path is longer than %zu characters", sizeof path - 1);
    struct simmetal_error inner = {error->text, error->size, path, 0};
    return read_source(reader->machine, path, reader->depth + 1, &inner);
}

/* The n-th [device] of a file changes the n-th device of the machine that it is like. */
static bool start_section(struct reader *reader, const char *name) {
    if (strcmp(name, "[machine]") == 0) {
        reader->device = NULL;
        return true;
    }
    if (strcmp(name, "[device]") != 0)
        return simmetal_reject(reader->error, "'%s' is neither [machine] nor [device]", name);
    struct simmetal_machine *machine = reader->machine;
    if (reader->devices_seen == SIMMETAL_MAX_DEVICES)
        return simmetal_reject(reader->error, "more than %d devices", SIMMETAL_MAX_DEVICES);
    reader->anything = true;
    reader->device = &machine->devices[reader->devices_seen++];
    if (reader->devices_seen > machine->device_count)
        machine->device_count = reader->devices_seen;
    return true;
}

/* Cuts blanks off both ends, in place. */
static char *trim(char *text) {
    text += strspn(text, " \t\r");
    size_t length = strlen(text);
    while (length && strchr(" \t\r", text[length - 1]))
        text[--length] = '\0';
    return text;
}

static bool read_line(struct reader *reader, char *line) {
    line = trim(line);
    if (line[0] == '\0' || line[0] == '#')
        return true;
    if (line[0] == '[')
        return start_section(reader, line);
    char *equals = strchr(line, '=');
    if (!equals)
        return simmetal_reject(reader->error,
                               "'%s' is none of: a [section], key = value, # comment", line);
    *equals = '\0';
    char *key = trim(line), *value = trim(equals + 1);
    if (!value[0])
        return simmetal_reject(reader->error, "%s has no value", key);
    bool ok = reader->device ? simmetal_set_device(reader->device, key, value, reader->error)
              : strcmp(key, "like") == 0 && !reader->anything
                  ? set_like(reader, value)
                  : simmetal_set_machine(reader->machine, key, value, reader->error);
    reader->anything = true;
    return ok;
}

static bool read_text(struct simmetal_machine *machine, char *text, unsigned depth,
                      struct simmetal_error *error) {
    struct reader reader = {.machine = machine, .depth = depth, .error = error};
    char *next = text;
    for (char *line; (line = strsep(&next, "\n")) != NULL;) {
        error->line++;
        if (!read_line(&reader, line))
            return false;
    }
    return true;
}

/* A pipe or a device is none: opening or reading it may wait for ever. */
static FILE *open_file(const char *path, struct simmetal_error *error) {
    int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    if (descriptor >= 0 && fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode)) {
        simmetal_reject(error, "not a machine file: it is a %s",
                        S_ISDIR(status.st_mode) ? "folder" : "pipe or a device");
        close(descriptor);
        return NULL;
    }
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "r") : NULL;
    if (!file)
        simmetal_reject(error, "cannot read: %s", strerror(errno));
    if (!file && descriptor >= 0)
        close(descriptor);
    return file;
}

/* The whole file as a string; NULL on error. */
static char *read_file(const char *path, struct simmetal_error *error) {
    FILE *file = open_file(path, error);
    if (!file)
        return NULL;
    char *text = malloc(MAX_FILE + 1);
    size_t length = text ? fread(text, 1, MAX_FILE + 1, file) : 0;
    if (!text || ferror(file))
        simmetal_reject(error, "cannot read: %s", strerror(errno));
    else if (length > MAX_FILE)
        simmetal_reject(error, "not a machine file: longer than %d bytes", MAX_FILE);
    else if (memchr(text, '\0', length))
        simmetal_reject(error, "not a machine file: it has a zero byte");
    else {
        text[length] = '\0';
        fclose(file);
        return text;
    }
    free(text);
    fclose(file);
    return NULL;
}

static char *read_builtin(const char *name, struct simmetal_error *error) {
    char list[1024] = "";
    for (size_t i = 0; i < simmetal_builtin_count; i++) {
        if (strcmp(name, simmetal_builtins[i].name) == 0) {
            char *copy = strdup(simmetal_builtins[i].text);
            if (!copy)
                simmetal_reject(error, "out of memory");
            return copy;
        }
        size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", simmetal_builtins[i].name);
    }
    simmetal_reject(
        error,
        "no built-in machine is called '%s' (a file's path has a slash in it, or ends in "
        ".ini); there are: %s",
        name, list);
    return NULL;
}

static bool is_path(const char *source) {
    size_t length = strlen(source);
    return strchr(source, '/') || (length > 4 && strcmp(source + length - 4, ".ini") == 0);
}

static bool read_source(struct simmetal_machine *machine, const char *source, unsigned depth,
                        struct simmetal_error *error) {
    if (depth > MAX_DEPTH)
        return simmetal_reject(error, "more than %d machines deep: is one like itself?", MAX_DEPTH);
    char *text = is_path(source) ? read_file(source, error) : read_builtin(source, error);
    bool ok = text && read_text(machine, text, depth, error);
    free(text);
    return ok;
}

bool simmetal_machine_read(struct simmetal_machine *machine, const char *source,
                           struct simmetal_error *error) {
    return read_source(machine, source, 0, error);
}
