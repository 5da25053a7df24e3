/* Machines that have been loaded, and the ones that SIMMETAL_DEVICES selects. */
#include "machine_parse.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A loaded machine. The list keeps all of them reachable: devices point into them for ever. */
struct loaded {
    struct simmetal_machine machine;
    const char *builtin; /* NULL: from a file, which may have changed since */
    struct loaded *next;
};

static struct loaded *loaded_machines;
static pthread_mutex_t loaded_lock = PTHREAD_MUTEX_INITIALIZER;

static const struct simmetal_machine *find_builtin(const char *name) {
    for (struct loaded *l = loaded_machines; l; l = l->next)
        if (l->builtin && strcmp(l->builtin, name) == 0)
            return &l->machine;
    return NULL;
}

static const char *builtin_name(const char *source) {
    for (size_t i = 0; i < simmetal_builtin_count; i++)
        if (strcmp(source, simmetal_builtins[i].name) == 0)
            return simmetal_builtins[i].name;
    return NULL;
}

static void set_name(struct simmetal_machine *machine, const char *source) {
    const char *slash = strrchr(source, '/');
    snprintf(machine->name, sizeof machine->name, "%s", slash ? slash + 1 : source);
    char *dot = strrchr(machine->name, '.');
    if (dot && strcmp(dot, ".ini") == 0)
        *dot = '\0';
}

static const struct simmetal_machine *load(const char *source, struct simmetal_error *error) {
    const char *builtin = builtin_name(source);
    const struct simmetal_machine *known = builtin ? find_builtin(builtin) : NULL;
    if (known)
        return known;
    struct loaded *l = calloc(1, sizeof *l);
    if (!l) {
        simmetal_reject(error, "out of memory");
        return NULL;
    }
    set_name(&l->machine, source);
    if (!simmetal_machine_read(&l->machine, source, error) ||
        !simmetal_machine_finish(&l->machine, error)) {
        free(l);
        return NULL;
    }
    l->builtin = builtin;
    l->next = loaded_machines;
    loaded_machines = l;
    return &l->machine;
}

const struct simmetal_machine *simmetal_machine_load(const char *source, char *error, size_t size) {
    struct simmetal_error place = {error, size, source, 0};
    pthread_mutex_lock(&loaded_lock);
    const struct simmetal_machine *machine = load(source, &place);
    pthread_mutex_unlock(&loaded_lock);
    return machine;
}

static const struct simmetal_machine *selected[SIMMETAL_MAX_DEVICES];
static unsigned selected_count;

/* Loads each of the comma-separated `sources`, which it cuts up. */
static bool load_all(char *sources, char *error, size_t size) {
    for (char *source; (source = strsep(&sources, ",")) != NULL; selected_count++) {
        if (selected_count == SIMMETAL_MAX_DEVICES) {
            snprintf(error, size, "more than %d machines", SIMMETAL_MAX_DEVICES);
            return false;
        }
        selected[selected_count] = simmetal_machine_load(source, error, size);
        if (!selected[selected_count])
            return false;
    }
    return true;
}

/* Reads SIMMETAL_DEVICES; one bad machine and there is none. */
static void select_machines(void) {
    const char *value = getenv("SIMMETAL_DEVICES");
    char *sources = strdup(value && value[0] ? value : "paravirt");
    char error[2048] = "out of memory";
    if (!sources || !load_all(sources, error, sizeof error)) {
        selected_count = 0;
        fprintf(stderr, "simmetal: SIMMETAL_DEVICES: no device: %s\n", error);
    }
    free(sources);
}

unsigned simmetal_machines(const struct simmetal_machine *const **machines) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, select_machines);
    *machines = selected;
    return selected_count;
}
