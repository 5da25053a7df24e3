/* Taking a library out of the variable that inserts it. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, symlink */
#include "inject/insertion.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

/* In the working directory: libours.so, its link libours.so.0, another file libother.so, and a
 * folder sub with another libours.so. */
static char folder[] = "/tmp/mtlcap-insertion-XXXXXX";
static char ours[64];

static const char *const files[] = {"libours.so", "libother.so", "sub/libours.so", "lib ours.so"};

static int set_up(void **state) {
    (void)state;
    if (mkdtemp(folder) == NULL || chdir(folder) != 0 || mkdir("sub", 0700) != 0)
        return -1;
    for (size_t i = 0; i < LENGTH(files); i++) {
        FILE *file = fopen(files[i], "w");
        if (file == NULL || fclose(file) != 0)
            return -1;
    }
    snprintf(ours, sizeof ours, "%s/libours.so", folder);
    return symlink("libours.so", "libours.so.0") || symlink("../libours.so", "sub/link.so");
}

static int tear_down(void **state) {
    (void)state;
    for (size_t i = 0; i < LENGTH(files); i++)
        remove(files[i]);
    remove("libours.so.0");
    remove("sub/link.so");
    return rmdir("sub") || rmdir(folder);
}

struct sample {
    const char *before, *after; /* FOLDER stands for the folder; after NULL: nothing is taken out */
};

static void replace_folder(char *text, size_t size, const char *source) {
    size_t used = 0;
    text[0] = '\0';
    for (const char *c = source; *c != '\0';) {
        bool is_folder = strncmp(c, "FOLDER", 6) == 0;
        used += (size_t)snprintf(text + used, size - used, "%.*s", is_folder ? 99 : 1,
                                 is_folder ? folder : c);
        c += is_folder ? 6 : 1;
    }
}

static void check(const char *variable, const struct sample *sample, const char *path) {
    char before[512], *entry = malloc(600), expected[600];
    size_t name = strlen(variable) + 1;

    replace_folder(before, sizeof before, sample->before);
    snprintf(entry, 600, "%s=%s", variable, before);
    entry = realloc(entry, strlen(entry) + 1); /* a byte further is beyond it */
    char *environment[] = {"FIRST=1", entry, "LAST=2", NULL};
    size_t whole = strlen(entry);

    errno = ERANGE;
    bool removed = mtlcap__insertion_remove(environment, variable, path);
    assert_int_equal(errno, ERANGE);
    assert_string_equal(environment[0], "FIRST=1");
    if (sample->after == NULL) {
        if (removed)
            fail_msg("%s: took something out", before);
        assert_string_equal(entry + name, before);
    } else {
        replace_folder(expected, sizeof expected, sample->after);
        if (!removed)
            fail_msg("%s: took nothing out", before);
        assert_string_equal(entry + name, expected);
        for (size_t i = strlen(entry); i < whole; i++)
            assert_int_equal(entry[i], '\0');
    }
    bool gone = removed && expected[0] == '\0';
    if (!gone)
        assert_ptr_equal(environment[1], entry);
    assert_string_equal(environment[gone ? 1 : 2], "LAST=2");
    assert_null(environment[gone ? 2 : 3]);
    free(entry);
}

static void takes_ours_and_no_other(void **state) {
    static const struct sample samples[] = {
        {"FOLDER/libours.so", ""},
        {"FOLDER/libours.so:FOLDER/libours.so", ""},
        {":FOLDER/libours.so:", ""},
        {"FOLDER/libours.so:/a/b.so", "/a/b.so"},
        {"/a/b.so:FOLDER/libours.so", "/a/b.so"},
        {"/a/b.so:FOLDER/libours.so:c.so", "/a/b.so:c.so"},
        {"/a/b.so::FOLDER/libours.so::c.so:", "/a/b.so:c.so"},
        {"::/a/b.so:FOLDER/libours.so", "::/a/b.so"},
        {"/a:/b:FOLDER/libours.so:/c:FOLDER/libours.so:/d", "/a:/b:/c:/d"},
        {"FOLDER/libours.so:/c:/d", "/c:/d"},
        {"libours.so", ""},
        {"./libours.so:x", "x"},
        {"FOLDER/../../FOLDER//libours.so:x", "x"},
        {"libours.so.0:x", "x"},
        {"FOLDER/libours.so.0:x", "x"},
        {"sub/link.so:x", "x"},
        {"@executable_path/../libours.so:x", "x"},
        {"$ORIGIN/libours.so:x", "x"},
        {"", NULL},
        {":", NULL},
        {"/a/b.so::c.so:", NULL},
        {"sub/libours.so", NULL},
        {"libother.so:FOLDER/libother.so", NULL},
        {"FOLDER/libours", NULL},
        {"FOLDER/libours.so.1", NULL},
        {"FOLDER/libours.so/", NULL},
        {"\377\001:\177", NULL},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(samples); i++) {
        check("LD_PRELOAD", &samples[i], ours);
        check("DYLD_INSERT_LIBRARIES", &samples[i], ours);
    }
}

static void spaces_separate_where_they_do(void **state) {
    static const struct sample preload[] = {
        {"a.so FOLDER/libours.so b.so", "a.so b.so"},
        {"a.so :FOLDER/libours.so  b.so", "a.so b.so"},
        {"FOLDER/libours.so\t", NULL},
    };
    static const struct sample insert[] = {
        {"a.so FOLDER/libours.so b.so", NULL},
        {"a.so:FOLDER/lib ours.so:b.so", "a.so:b.so"},
    };
    char spaced[64];

    (void)state;
    for (size_t i = 0; i < LENGTH(preload); i++)
        check("LD_PRELOAD", &preload[i], ours);
    check("DYLD_INSERT_LIBRARIES", &insert[0], ours);
    snprintf(spaced, sizeof spaced, "%s/lib ours.so", folder);
    check("DYLD_INSERT_LIBRARIES", &insert[1], spaced);
}

static void does_without_the_file(void **state) {
    static const struct sample samples[] = {
        {"/gone/libx.so:b.so", "b.so"},
        {"libx.so:b.so", "b.so"},
        {"/elsewhere/libx.so:b.so", NULL},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(samples); i++)
        check("LD_PRELOAD", &samples[i], "/gone/libx.so");
}

static void edits_every_copy_of_the_variable(void **state) {
    char one[600], two[] = "LD_PRELOAD=x.so:libours.so", other[] = "LD_PRELOADED=libours.so",
                   bare[] = "LD_PRELOAD";
    char *environment[] = {one, other, bare, two, "A=1", NULL};

    (void)state;
    snprintf(one, sizeof one, "LD_PRELOAD=%s", ours);
    assert_true(mtlcap__insertion_remove(environment, "LD_PRELOAD", ours));
    assert_string_equal(environment[0], "LD_PRELOADED=libours.so");
    assert_string_equal(environment[1], "LD_PRELOAD");
    assert_string_equal(environment[2], "LD_PRELOAD=x.so");
    assert_string_equal(environment[3], "A=1");
    assert_null(environment[4]);

    char *empty[] = {NULL};
    assert_false(mtlcap__insertion_remove(empty, "LD_PRELOAD", ours));
}

static void survives_a_huge_variable(void **state) {
    enum { SIZE = 1 << 20 };
    char *entry = malloc(SIZE + 1), *environment[] = {entry, NULL};
    size_t used = (size_t)snprintf(entry, SIZE, "LD_PRELOAD=x");

    (void)state;
    while (used + 80 < SIZE)
        used += (size_t)snprintf(entry + used, SIZE - used, ":%s:a", ours);
    memset(entry + used, 'b', SIZE - used);
    entry[SIZE] = '\0';
    assert_true(mtlcap__insertion_remove(environment, "LD_PRELOAD", ours));
    assert_null(strstr(entry, "libours"));
    assert_memory_equal(entry, "LD_PRELOAD=x:a:a:a", 18);
    free(entry);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(takes_ours_and_no_other),
        cmocka_unit_test(spaces_separate_where_they_do),
        cmocka_unit_test(does_without_the_file),
        cmocka_unit_test(edits_every_copy_of_the_variable),
        cmocka_unit_test(survives_a_huge_variable),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
