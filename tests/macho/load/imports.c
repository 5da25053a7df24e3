/* The table of imports, and where Linux has what is in it. */
#include <ctype.h>
#include <dirent.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "image.h"
#include "shims.h"

/* Where else a name is looked for, if the program has it not: opened at run time, as dyld would. */
#define LIBOBJC "libobjc.so.4"
#define LIBSIMMETAL "libsimmetal.so.0"

enum library { SYSTEM, OBJC, METAL };
static const struct {
    const char *name, *install_name, *linux_name;
} libraries[] = {
    [SYSTEM] = {"libSystem", "/usr/lib/libSystem.B.dylib", NULL},
    [OBJC] = {"libobjc", "/usr/lib/libobjc.A.dylib", LIBOBJC},
    [METAL] = {"Metal", "/System/Library/Frameworks/Metal.framework/Versions/A/Metal", LIBSIMMETAL},
};

struct import {
    enum library library;
    const char *name;
    const void *address; /* NULL: looked up by name */
    const char *why;     /* NULL: Linux's own */
};

/* ---- what nothing stands for ------------------------------------------------------------------
 */

static void none(const char *name) {
    fprintf(stderr, "macho: %s was called, which tests/macho/load/imports.def has no shim for\n",
            name);
    abort();
}

#define SAME(library, name)
#define SHIM(library, name, by, why)
#define INODE64(library, name, by)
#define EXTSN(library, name, by)
#define VARIADIC(library, name, by)
#define NONE(library, name, why)                                                                   \
    static void none_##name(void) {                                                                \
        none(#name);                                                                               \
    }
#include "imports.def"
#undef SAME
#undef SHIM
#undef INODE64
#undef EXTSN
#undef VARIADIC
#undef NONE

/* ---- the table
 * ----------------------------------------------------------------------------------- */

#define ADDRESS(symbol) ((const void *)(uintptr_t)(symbol))
/* Only what libc has is linked; what the other libraries have is looked up. */
#define SAME(library, name) SAME_##library(name)
#define SAME_SYSTEM(name) {SYSTEM, #name, ADDRESS(name), NULL},
#define SAME_OBJC(name) {OBJC, #name, NULL, NULL},
#define SAME_METAL(name) {METAL, #name, NULL, NULL},
#define SHIM(library, name, by, why) {library, #name, ADDRESS(by), why},
#define INODE64(library, name, by)                                                                 \
    {library, #name "$INODE64", ADDRESS(by), "as " #name ", under its name of macOS 10.6"},
#define EXTSN(library, name, by)                                                                   \
    {library, #name "$DARWIN_EXTSN", ADDRESS(by), "under its name of macOS 10.6; as " #name},
#define NONE(library, name, why) {library, #name, ADDRESS(none_##name), why},
#if defined(__aarch64__)
#define VARIADIC(library, name, by) {library, #name, ADDRESS(by), STACK_ARGUMENTS},
#else
#define VARIADIC(library, name, by) {library, #name, ADDRESS(name), NULL},
#endif

/* The table names functions by address, which is no constant in C where it is an integer. */
static const struct import *table(size_t *count) {
    static struct import rows[256];
    static size_t filled;
    if (!filled) {
        const struct import all[] = {
#include "imports.def"
        };
        _Static_assert(sizeof all <= sizeof rows, "imports.def has too many rows");
        memcpy(rows, all, sizeof all);
        filled = sizeof all / sizeof all[0];
    }
    *count = filled;
    return rows;
}

void *macho_linux_symbol(const char *library, const char *name) {
    void *found = dlsym(RTLD_DEFAULT, name);
    void *handle = found ? NULL : dlopen(library, RTLD_NOW | RTLD_GLOBAL);
    return handle ? dlsym(handle, name) : found;
}

static void *address_of(const struct import *import) {
    if (import->address)
        return (void *)(uintptr_t)import->address;
    if (import->library == METAL && macho_metal)
        return macho_metal(import->name);
    return macho_linux_symbol(libraries[import->library].linux_name, import->name);
}

static const struct import *find(const char *name) {
    size_t count;
    const struct import *rows = table(&count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

enum macho_found macho_import(const char *library, const char *name, void **address) {
    const struct import *import = find(name);
    if (!import || strcmp(libraries[import->library].install_name, library) != 0)
        return MACHO_UNKNOWN;
    *address = address_of(import);
    return *address ? MACHO_FOUND : MACHO_MISSING;
}

/* What is not in the table is the program's own, which has no other meaning on Darwin. */
void *macho_import_any(const char *name) {
    const struct import *import = find(name);
    return import ? address_of(import) : dlsym(RTLD_DEFAULT, name);
}

void *macho_linux(const char *name) {
    const struct import *import = find(name);
    return import ? address_of(import) : NULL;
}

const char *macho_linux_library(const char *path) {
    if (strstr(path, "/Metal.framework/"))
        return LIBSIMMETAL;
    return strcmp(path, libraries[OBJC].install_name) == 0 ? LIBOBJC : NULL;
}

void macho_list_imports(void) {
    size_t count;
    const struct import *rows = table(&count);
    for (size_t i = 0; i < count; i++)
        printf("%-10s %-32s %s\n", libraries[rows[i].library].name, rows[i].name,
               rows[i].why ? rows[i].why : "same");
}
