/*
 * A loader of Mach-O files for Linux: for tests, so that what is built for a Mac can be executed
 * where there is none. It is not dyld: README.md says what it exercises and what not.
 */
#ifndef TESTS_MACHO_LOAD_H
#define TESTS_MACHO_LOAD_H

#include <stdbool.h>
#include <stddef.h>

struct macho_image;

/* Loaded as by DYLD_INSERT_LIBRARIES: only then are its interpose tuples read. */
#define MACHO_INSERTED 1

/*
 * Maps the slice for this processor, applies its fixups, binds its imports and runs its
 * initialisers. A file that is loaded is not loaded again. NULL: `problem` says what is wrong,
 * where.
 */
struct macho_image *macho_open(const char *path, int flags, char *problem, size_t size);

/* Gives up what macho_open() gave; the last to do so unloads the image, unless it is pinned. */
void macho_close(struct macho_image *image);

/* An image that is loaded already; NULL if it is not. Its path, as it was opened. */
struct macho_image *macho_find(const char *path);
const char *macho_path(const struct macho_image *image);

/* What an image exports, by its name in C; NULL: no such export. */
void *macho_symbol(struct macho_image *image, const char *name);

/* The entry point of a program; NULL if it is none. */
typedef int macho_main(int argc, char **argv, char **environment, char **apple);
macho_main *macho_entry(const struct macho_image *image);

/* The function that Linux's callers of `function` get: the replacement that the images that were
 * inserted have for it, or the function itself. */
void *macho_interposed(void *function);

/* What a Mach-O image that imports `name` gets of Linux's, or a shim; NULL: it may not. */
void *macho_linux(const char *name);

/* Prints the table of imports: what is Linux's own, what a shim stands for, and why. */
void macho_list_imports(void);

#endif
