/*
 * load PROGRAM ARGUMENT...   runs a Mach-O program
 * load --list-shims          prints what it may import, and which of that is not Linux's own, and
 *                            why
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "load.h"

static int run(int argc, char **argv) {
    char problem[8192];
    struct macho_image *program = macho_open(argv[0], 0, problem, sizeof problem);
    if (!program) {
        fprintf(stderr, "load: %s\n", problem);
        return 1;
    }
    macho_main *entry = macho_entry(program);
    if (!entry) {
        fprintf(stderr, "load: %s: is no program\n", argv[0]);
        return 1;
    }
    char executable[4096];
    char *apple[] = {executable, NULL};
    snprintf(executable, sizeof executable, "executable_path=%s", argv[0]);
    exit(entry(argc, argv, environ, apple));
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--list-shims") == 0) {
        macho_list_imports();
        return 0;
    }
    if (argc < 2) {
        fputs("usage: load PROGRAM [ARGUMENT...]\n       load --list-shims\n", stderr);
        return 2;
    }
    return run(argc - 1, argv + 1);
}
