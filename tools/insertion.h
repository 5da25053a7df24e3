/* The variable that makes the loader insert libraries, and the libraries that may be in it: ours,
 * and those of other tools that change what Metal says. */
#ifndef TOOLS_INSERTION_H
#define TOOLS_INSERTION_H

#include <stdbool.h>
#include <stddef.h>

/* LD_PRELOAD; on a Mac DYLD_INSERT_LIBRARIES */
extern const char *const insertion_variable;

/* What separates entries; none of them can be in a path. */
extern const char *const insertion_separators;

/* What is in a path that the loader would replace: the X of a $X or ${X}. NULL: nothing. */
const char *insertion_replaced(const char *path);

/* The file's name of our library. */
extern const char *const insertion_library;

/* A tool whose library and variables do what ours do. */
struct foreign_tool {
    const char *name;
    const char *library;  /* what its file's name starts with */
    const char *variable; /* what its variables' names start with */
};
extern const struct foreign_tool foreign_tools[]; /* a name of NULL ends */

/* Is this entry ours? By its file's name, so another copy of ours is. */
bool insertion_is_ours(const char *entry, size_t length);

/* The tool that an entry is of; NULL: of none. */
const struct foreign_tool *insertion_tool(const char *entry, size_t length);

/* The tool that a variable ("NAME=value") is of; NULL: of none. */
const struct foreign_tool *foreign_variable_tool(const char *variable);

/*
 * `value` of the variable (NULL: unset) with `library` in front (NULL: without ours), and without
 * the libraries of other tools unless `keep_tools`. Other entries stay as they are. NULL: nothing
 * is left. To be freed.
 */
char *insertion_edit(const char *value, const char *library, bool keep_tools);

/*
 * Finds our library: beside libmtlcap, or in the folder of libraries that goes with the command's.
 * NULL: it is in none of these; `problem` says where it was looked for. To be freed.
 */
char *insertion_find_library(char *problem, size_t size);

#endif
