/* The Mach-O libraries that an image loads: those by run-time path. The system's are in imports.c.
 */
#include <libgen.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "image.h"

/* Replaces `variable`, at the start of `path`, by the folder of `file`. */
static bool expand(const char *path, const char *variable, const char *file, char *result) {
    char folder[PATH_MAX];
    const size_t length = strlen(variable);
    if (strncmp(path, variable, length) != 0)
        return false;
    snprintf(folder, sizeof folder, "%s", file);
    return snprintf(result, PATH_MAX, "%s%s", dirname(folder), path + length) < PATH_MAX;
}

static bool exists(const struct macho_image *image, const char *run_path, const char *name,
                   char *result) {
    char folder[PATH_MAX];
    const struct macho_image *program = macho_program();
    if (!expand(run_path, "@loader_path", image->path, folder) &&
        !expand(run_path, "@executable_path", program ? program->path : image->path, folder))
        snprintf(folder, sizeof folder, "%s", run_path);
    return snprintf(result, PATH_MAX, "%s/%s", folder, name) < PATH_MAX &&
           access(result, R_OK) == 0;
}

bool macho_load_libraries(struct macho_image *image) {
    static const char prefix[] = "@rpath/";
    for (unsigned i = 0; i < image->library_count; i++) {
        const char *name = image->libraries[i].install_name;
        char path[PATH_MAX];
        bool found = false;
        if (strncmp(name, prefix, strlen(prefix)) != 0 || macho_named(name))
            continue;
        for (unsigned r = 0; r < image->run_path_count && !found; r++)
            found = exists(image, image->run_paths[r], name + strlen(prefix), path);
        if (!found && image->libraries[i].weak)
            continue;
        if (!found)
            return macho_fail(image, "loads %s, which is in none of its run-time paths", name);
        char problem[sizeof image->problem];
        if (!macho_open(path, 0, problem, sizeof problem))
            return macho_fail(image, "loads %s", problem);
    }
    return true;
}
