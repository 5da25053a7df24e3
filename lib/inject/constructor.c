/*
 * At load: what the environment asks for is arranged, and nothing is done yet. Most processes never
 * ask for a GPU: they pay for this function, and are not to notice it.
 */
#include <string.h>

#include "inject.h"
#include "insertion.h"

enum { PATH_SIZE = 4096 };

/* By the file's name: there are other ways to write a path. */
static bool is_inserted(char *const *environment, const char *library) {
    const size_t length = strlen(mtlcap__insertion_variable);
    const char *slash = strrchr(library, '/');
    const char *name = slash ? slash + 1 : library;
    for (; environment && *environment; environment++)
        if (strncmp(*environment, mtlcap__insertion_variable, length) == 0 &&
            (*environment)[length] == '=' && *name && strstr(*environment + length + 1, name))
            return true;
    return false;
}

static enum mtlcap__arrival arrival_of(bool inserted) {
    if (mtlcap__interposed(inserted))
        return MTLCAP__INTERPOSED;
    return inserted ? MTLCAP__BYPASSED : MTLCAP__LATE;
}

__attribute__((constructor)) static void load(void) {
    if (mtlcap__secure_execution())
        return;
    char program[PATH_SIZE], library[PATH_SIZE];
    if (!mtlcap__program_path(program, sizeof program))
        program[0] = '\0';
    char **environment = mtlcap__environ();
    struct mtlcap__settings settings;
    mtlcap__environment_read(environment, program, &settings);
    if (!settings.enabled)
        return;
    if (!mtlcap__own_path(library, sizeof library))
        library[0] = '\0';
    const enum mtlcap__arrival arrival = arrival_of(is_inserted(environment, library));
    if (!settings.inherit)
        mtlcap__insertion_remove(environment, mtlcap__insertion_variable, library);
    mtlcap__session_begin(&settings, arrival, program, library);
}
