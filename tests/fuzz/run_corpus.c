/* run_corpus FOLDER: gives each file of FOLDER to the fuzz target that it is linked with, as
 * libFuzzer would, where there is no libFuzzer. */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Returns 1 if `path` was an input, 0 if it is no file. */
static int run(const char *path) {
    struct stat status;

    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return 0;
    size_t size = (size_t)status.st_size;
    uint8_t *data = malloc(size + 1);
    FILE *file = fopen(path, "rb");
    if (data == NULL || file == NULL || fread(data, 1, size, file) != size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    return 1;
}

int main(int argc, char **argv) {
    int count = 0;
    DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;

    if (folder == NULL) {
        fprintf(stderr, "usage: run_corpus FOLDER\n");
        return 2;
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        count += run(path);
    }
    closedir(folder);
    printf("%d inputs\n", count);
    return count > 0 ? 0 : 1;
}
