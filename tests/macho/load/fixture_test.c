/* fixture_test FILE FOLDER: loads the fixture, inserted, and asks it. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "load.h"

static struct macho_image *image;
static int failures;

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                        \
            failures++;                                                                            \
        }                                                                                          \
    } while (0)

/* FUNCTION(result, name, parameters): a pointer of that name to the fixture's function. */
#define FUNCTION(result, name, ...)                                                                \
    result (*name)(__VA_ARGS__);                                                                   \
    *(void **)&name = macho_symbol(image, "fixture_" #name);                                       \
    if (!name) {                                                                                   \
        fprintf(stderr, "no fixture_%s\n", #name);                                                 \
        exit(1);                                                                                   \
    }

static void check_pointers(void) {
    FUNCTION(const char *, word, unsigned)
    FUNCTION(size_t, length, const char *)
    FUNCTION(int, addend, void)
    FUNCTION(int, has_missing, void)
    FUNCTION(const char *, trail, void)
    CHECK(strcmp(word(0), "rebased") == 0);
    CHECK(strcmp(word(1), "twice") == 0);
    CHECK(length("12345") == 5);
    CHECK(addend());
    CHECK(!has_missing());
    CHECK(strcmp(trail(), "first second") == 0);
    CHECK(!macho_symbol(image, "fixture_"));
    CHECK(!macho_symbol(image, "fixture_wordy"));
    CHECK(!macho_symbol(image, ""));
}

static void *count_in_thread(void *data) {
    FUNCTION(int, count, double, int)
    *(int *)data = count(1.5, 7);
    return NULL;
}

static void check_thread_locals(void) {
    FUNCTION(int, count, double, int)
    CHECK(count(1.5, 7) == 41);
    CHECK(count(1.5, 7) == 42);
    pthread_t thread;
    int counted = 0;
    CHECK(pthread_create(&thread, NULL, count_in_thread, &counted) == 0);
    CHECK(pthread_join(thread, NULL) == 0);
    CHECK(counted == 41);
    CHECK(count(1.5, 7) == 43);
}

static void check_formats(void) {
    FUNCTION(int, format, char *, size_t)
    FUNCTION(int, format_list, char *, size_t)
    char text[128];
    CHECK(format(text, sizeof text) == (int)strlen(text));
    CHECK(strcmp(text, "-1 two 3.25 1099511627776 c 6 77 8 nine 10.5 11") == 0);
    CHECK(format(text, 7) > 7);
    CHECK(strcmp(text, "-1 two") == 0);
    CHECK(format_list(text, sizeof text) == (int)strlen(text));
    CHECK(strcmp(text, "list 1 2.5 3 4 5 6 7 8 nine") == 0);
}

static void check_system(const char *folder) {
    FUNCTION(int, files, const char *)
    FUNCTION(int, threads, void)
    char path[4096];
    snprintf(path, sizeof path, "%s/fixture-%d.txt", folder, (int)getpid());
    const int line = files(path);
    unlink(path);
    if (line || threads()) {
        fprintf(stderr, "fixture.c:%d\n", line ? line : threads());
        failures++;
    }
}

static void check_interposition(void) {
    FUNCTION(size_t, strnlen, const char *)
    size_t (*theirs)(const char *, size_t);
    size_t (*replacement)(const char *, size_t);
    *(void **)&theirs = macho_linux("strnlen");
    *(void **)&replacement = macho_interposed(*(void **)&theirs);
    CHECK(strnlen("12345") == 5); /* not its own */
    CHECK(replacement != theirs);
    CHECK(replacement("12345", 3) == 6);
    CHECK(macho_interposed(image) == image);
}

int main(int argc, char **argv) {
    char problem[8192];
    if (argc != 3)
        return 2;
    image = macho_open(argv[1], MACHO_INSERTED, problem, sizeof problem);
    if (!image) {
        fprintf(stderr, "%s\n", problem);
        return 1;
    }
    check_pointers();
    check_thread_locals();
    check_formats();
    check_system(argv[2]);
    check_interposition();
    CHECK(macho_find(argv[1]) == image);
    macho_close(image);
    CHECK(!macho_find(argv[1]));
    return failures != 0;
}
