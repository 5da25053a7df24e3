/* Edits the variable, and finds our library. */
#define _GNU_SOURCE /* dladdr */
#include "insertion.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include <mtlcap/mtlcap.h>

#include "command.h"
#include "environment.h"

#ifdef __APPLE__
const char *const insertion_variable = "DYLD_INSERT_LIBRARIES";
const char *const insertion_separators = ":";
const char *const insertion_library = "libmtlcap-inject.dylib";
#else
const char *const insertion_variable = "LD_PRELOAD";
const char *const insertion_separators = ": ";
const char *const insertion_library = "libmtlcap-inject.so";
#endif

/* Names as these tools' repositories and images have them. */
const struct foreign_tool foreign_tools[] = {
    {"Lume", "LumeMetalCapabilities", "LUME_METAL_"},
    {"Tart", "TartMetalCapabilities", "TART_METAL_"},
    {"Lunchpail", "libLunchpailMetalShim", "LUNCHPAIL_METAL_"},
    {"Anka", "libAnkaGpuFamilyBoost", "VEERTU_ANKA_GPU_"},
    {NULL, NULL, NULL},
};

const char *insertion_replaced(const char *path) {
#ifndef __APPLE__ /* there it would have to be the path's first word, and ours is absolute */
    static const char *const words[] = {"ORIGIN", "LIB", "PLATFORM"};
    while ((path = strchr(path, '$')) != NULL) {
        path += path[1] == '{' ? 2 : 1;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            if (strncmp(path, words[i], strlen(words[i])) == 0)
                return words[i];
    }
#else
    (void)path;
#endif
    return NULL;
}

/* The name of the entry's file; its length goes to *length. */
static const char *file_name(const char *entry, size_t *length) {
    const char *name = entry + *length;
    while (name > entry && name[-1] != '/')
        name--;
    *length -= (size_t)(name - entry);
    return name;
}

bool insertion_is_ours(const char *entry, size_t length) {
    const char *name = file_name(entry, &length);
    return length == strlen(insertion_library) && memcmp(name, insertion_library, length) == 0;
}

const struct foreign_tool *insertion_tool(const char *entry, size_t length) {
    const char *name = file_name(entry, &length);
    for (const struct foreign_tool *tool = foreign_tools; tool->name != NULL; tool++) {
        size_t start = strlen(tool->library);
        if (length >= start && memcmp(name, tool->library, start) == 0)
            return tool;
    }
    return NULL;
}

const struct foreign_tool *foreign_variable_tool(const char *variable) {
    for (const struct foreign_tool *tool = foreign_tools; tool->name != NULL; tool++)
        if (strncmp(variable, tool->variable, strlen(tool->variable)) == 0)
            return tool;
    return NULL;
}

char *insertion_edit(const char *value, const char *library, bool keep_tools) {
    const char *rest = value != NULL ? value : "";
    char *edited = allocate(strlen(rest) + (library != NULL ? strlen(library) : 0) + 2, 1);
    if (library != NULL)
        memcpy(edited, library, strlen(library));
    size_t used = strlen(edited);
    while (rest += strspn(rest, insertion_separators), *rest != '\0') {
        size_t length = strcspn(rest, insertion_separators);
        if (!insertion_is_ours(rest, length) &&
            (keep_tools || insertion_tool(rest, length) == NULL)) {
            if (used > 0)
                edited[used++] = ':';
            memcpy(edited + used, rest, length);
            used += length;
        }
        rest += length;
    }
    if (used > 0)
        return edited;
    free(edited);
    return NULL;
}

/* The path of the file that contains this code's `address`, without symbolic links. */
static bool image_path(void *address, char path[PATH_MAX]) {
    Dl_info info;
    return dladdr(address, &info) != 0 && info.dli_fname != NULL &&
           realpath(info.dli_fname, path) != NULL;
}

static bool program_path(char path[PATH_MAX]) {
#ifdef __APPLE__
    char given[PATH_MAX];
    uint32_t size = sizeof given;
    return _NSGetExecutablePath(given, &size) == 0 && realpath(given, path) != NULL;
#else
    return realpath("/proc/self/exe", path) != NULL;
#endif
}

char *insertion_find_library(char *problem, size_t size) {
    /* From the folder of libmtlcap, and from that of the command. */
    static const char *const folders[] = {"", "../lib/", "../lib/inject/", "inject/"};
    const char *(*version)(void) = mtlcap_version;
    char starts[2][PATH_MAX] = {"", ""};
    void *address;
    memcpy(&address, &version, sizeof address);
    if (!image_path(address, starts[0]))
        starts[0][0] = '\0';
    if (!program_path(starts[1]))
        starts[1][0] = '\0';
    snprintf(problem, size, "%s is neither beside libmtlcap nor in the lib folder beside '%s'",
             insertion_library, starts[1]);
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(starts[i], '/');
        if (slash == NULL)
            continue;
        slash[1] = '\0';
        for (size_t j = 0; j < sizeof folders / sizeof folders[0]; j++) {
            char *candidate = joined(starts[i], folders[j], insertion_library, NULL);
            char *found = access(candidate, R_OK) == 0 ? realpath(candidate, NULL) : NULL;
            free(candidate);
            if (found != NULL)
                return found;
        }
    }
    return NULL;
}
