/* dlopen() and its kind for Linux's callers, of Mach-O files too: for programs that are linked with
 * --wrap=dlopen and so on. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "load.h"

void *__real_dlopen(const char *path, int mode);
void *__real_dlsym(void *handle, const char *name);
int __real_dlclose(void *handle);
void *__wrap_dlopen(const char *path, int mode);
void *__wrap_dlsym(void *handle, const char *name);
int __wrap_dlclose(void *handle);

/* Handles of this loader's that were given out; dlclose() may unload. */
enum { MAX_HANDLES = 16 };
static void *handles[MAX_HANDLES];

static bool is_ours(const void *handle) {
    for (int i = 0; i < MAX_HANDLES; i++)
        if (handle && handles[i] == handle)
            return true;
    return false;
}

static void *open_macho(const char *path, int mode) {
    char problem[8192];
    struct macho_image *image = macho_find(path);
    if (!image && mode & RTLD_NOLOAD)
        return NULL;
    image = macho_open(path, 0, problem, sizeof problem);
    if (!image)
        fprintf(stderr, "macho: %s\n", problem);
    for (int i = 0; i < MAX_HANDLES && image && !is_ours(image); i++)
        if (!handles[i])
            handles[i] = image;
    return image;
}

void *__wrap_dlopen(const char *path, int mode) {
    return path && strstr(path, ".dylib") ? open_macho(path, mode) : __real_dlopen(path, mode);
}

void *__wrap_dlsym(void *handle, const char *name) {
    return is_ours(handle) ? macho_symbol(handle, name) : __real_dlsym(handle, name);
}

int __wrap_dlclose(void *handle) {
    if (!is_ours(handle))
        return __real_dlclose(handle);
    macho_close(handle);
    return 0;
}
