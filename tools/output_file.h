/* Text that is written in the end: to a descriptor, or into a file in the place of what was there.
 */
#ifndef TOOLS_OUTPUT_FILE_H
#define TOOLS_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>

struct output_file {
    int descriptor; /* -1: it is a file */
    char *path;     /* NULL: none */
};

/*
 * A file, or what `descriptor` is where `path` is NULL or, for standard output, "-". What is there
 * stays as it is. False: it could not be written, and the user has been told.
 */
bool output_file_open(struct output_file *file, const char *path, int descriptor);

/* Writes all of the text, or leaves what was there. False: the user has been told. */
bool output_file_write(const struct output_file *file, const char *text, size_t length);

void output_file_close(struct output_file *file);

#endif
