/*
 * At load: what the environment asks for is arranged, and nothing is done yet. Most processes never
 * ask for a GPU: they pay for this function, and are not to notice it.
 */
#include <stdatomic.h>
#include <string.h>

#include "inject.h"
#include "insertion.h"
#include "variables.h"

enum { PATH_SIZE = 4096 };

/* Most processes have no variable of ours, nor of the tools that are replaced: they are to pay for
 * this look, and for no other page of this library. */
static bool is_concerned(char *const *environment) {
    static const struct {
        char text[48];
        size_t length;
    } prefixes[] = {
        {"MTLCAP_", sizeof "MTLCAP_" - 1}, /* also one that is misspelt */
#define VARIABLE(...)
#define FOREIGN(id, name, ...) {name "=", sizeof name},
#define ELSEWHERE(...)
#include "variables.def"
#undef VARIABLE
#undef FOREIGN
#undef ELSEWHERE
    };
    for (; environment && *environment; environment++)
        for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
            if (strncmp(*environment, prefixes[i].text, prefixes[i].length) == 0)
                return true;
    return false;
}

static const char *value_of(const char *name, char *const *environment) {
    const size_t length = strlen(name);
    for (; environment && *environment; environment++)
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=')
            return *environment + length + 1;
    return NULL;
}

/* By the file's name: there are other ways to write a path. */
static bool is_inserted(char *const *environment, const char *library) {
    const char *entries = value_of(mtlcap__insertion_variable, environment);
    const char *slash = strrchr(library, '/');
    const char *name = slash ? slash + 1 : library;
    return entries && *name && strstr(entries, name);
}

static enum mtlcap__arrival arrival_of(bool inserted) {
    if (mtlcap__interposed(inserted))
        return MTLCAP__INTERPOSED;
    return inserted ? MTLCAP__BYPASSED : MTLCAP__LATE;
}

static void load(char **environment) {
    /* on this thread's turn: it may have a small stack */
    static char program[PATH_SIZE], alias[PATH_SIZE], library[PATH_SIZE];
    static struct mtlcap__settings settings;
    /* not for nothing: on Linux this takes longer than all the rest */
    if (value_of(mtlcap__variable_names[MTLCAP__VARIABLE_ONLY], environment)) {
        mtlcap__program_path(program, sizeof program);
        mtlcap__program_alias(alias, sizeof alias);
    }
    mtlcap__environment_read(environment, (const char *const[]){program, alias, NULL}, &settings);
    if (!settings.enabled)
        return;
    if (settings.receipt)
        mtlcap__program_path(program, sizeof program);
    mtlcap__own_path(library, sizeof library);
    const enum mtlcap__arrival arrival = arrival_of(is_inserted(environment, library));
    if (!settings.inherit)
        mtlcap__insertion_remove(environment, mtlcap__insertion_variable, library);
    mtlcap__session_begin(&settings, arrival, program, library);
}

/* Constructors of other libraries may come before ours, and ask Metal for a device. */
__attribute__((constructor)) void mtlcap__load(void) {
    static atomic_bool loaded;
    char **environment = mtlcap__environ();
    if (atomic_load(&loaded))
        return;
    if (mtlcap__secure_execution() || !is_concerned(environment)) {
        atomic_store(&loaded, true);
    } else if (mtlcap__session_take_turn(MTLCAP__PATIENCE) == MTLCAP__TURN_TAKEN) {
        if (!atomic_load(&loaded))
            load(environment);
        atomic_store(&loaded, true);
        mtlcap__session_give_turn();
    }
}
