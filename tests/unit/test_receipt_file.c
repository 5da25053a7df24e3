/* Writing the receipt's file. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, mkfifo, symlink */
#include "inject/receipt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

static char folder[] = "/tmp/mtlcap-receipt-XXXXXX";
static char problem[512];

static int set_up(void **state) {
    (void)state;
    return mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int tear_down(void **state) {
    (void)state;
    return rmdir(folder);
}

static bool write_receipt(const char *pattern, const char *text) {
    problem[0] = '\0';
    return mtlcap__receipt_write(pattern, text, problem, sizeof problem);
}

static void assert_content(const char *path, const char *wanted) {
    static char text[1 << 16];
    FILE *file = fopen(path, "r");

    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, wanted);
}

static void assert_files(size_t wanted) {
    DIR *directory = opendir(".");
    size_t count = 0;

    assert_non_null(directory);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    assert_int_equal(count, wanted + 2);
}

static void writes_and_replaces(void **state) {
    struct stat status;
    mode_t mask = umask(0777);

    (void)state;
    errno = ERANGE;
    assert_true(write_receipt("receipt", "one\n"));
    umask(mask);
    assert_int_equal(errno, ERANGE);
    assert_string_equal(problem, "");
    assert_content("receipt", "one\n");
    assert_int_equal(stat("receipt", &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);

    /* Another name of the same file, and whoever has it open, keep what they have. */
    assert_int_equal(link("receipt", "second"), 0);
    assert_true(write_receipt("receipt", "a longer text\n"));
    assert_content("receipt", "a longer text\n");
    assert_content("second", "one\n");
    assert_true(write_receipt("receipt", ""));
    assert_content("receipt", "");
    assert_files(2);
    remove("receipt");
    remove("second");
}

static void replaces_percent_signs(void **state) {
    char path[64];

    (void)state;
    snprintf(path, sizeof path, "%ld-100%%-%ldp.json", (long)getpid(), (long)getpid());
    assert_true(write_receipt("%p-100%%-%pp.json", "x"));
    assert_content(path, "x");
    remove(path);
    assert_files(0);
}

static void refuses_what_is_no_file(void **state) {
    static const struct {
        const char *path, *says;
    } cases[] = {
        {"link", "there is a symbolic link"},
        {"dangling", "there is a symbolic link"},
        {"fifo", "there is a FIFO"},
        {".", "there is a directory"},
        {"/dev/null", "there is a device"},
        {"file/", "Not a directory"},
        {"file/receipt", "Not a directory"},
        {"nowhere/receipt", "No such file or directory"},
        {"", "it has no name"},
    };
    static char huge[1 << 20];

    (void)state;
    assert_true(write_receipt("file", "kept"));
    assert_int_equal(symlink("file", "link"), 0);
    assert_int_equal(symlink("nothing", "dangling"), 0);
    assert_int_equal(mkfifo("fifo", 0600), 0);
    for (size_t i = 0; i < LENGTH(cases); i++) {
        if (write_receipt(cases[i].path, "new"))
            fail_msg("wrote %s", cases[i].path);
        assert_contains(problem, "the receipt '");
        assert_contains(problem, cases[i].says);
    }
    memset(huge, 'x', sizeof huge - 1);
    assert_false(write_receipt(huge, "new"));
    assert_contains(problem, "xxx...' cannot be written: its name is longer than");
    memset(huge, 'x', 300);
    huge[300] = '\0';
    assert_false(write_receipt(huge, "new"));
    assert_contains(problem, "File name too long");
    assert_content("file", "kept");
    assert_files(4);
    for (size_t i = 0; i < 3; i++)
        remove(cases[i].path);
    remove("file");
}

/* Permissions do not apply to root. */
static void be_somebody(bool somebody) {
    if (getuid() != 0)
        return;
    if (somebody)
        assert_true(setegid(65534) == 0 && seteuid(65534) == 0);
    else
        assert_true(seteuid(0) == 0 && setegid(0) == 0);
}

static void needs_the_folder(void **state) {
    (void)state;
    assert_int_equal(chmod(".", 0500), 0);
    be_somebody(true);
    assert_false(write_receipt("receipt", "new"));
    be_somebody(false);
    assert_contains(problem, "Permission denied");
    assert_int_equal(chmod(".", 0700), 0);
    assert_files(0);
}

static void leaves_files_of_others(void **state) {
    (void)state;
    be_somebody(true);
    assert_false(write_receipt("/etc/passwd", "new"));
    be_somebody(false);
    assert_contains(problem, "belongs to another user");
}

/* Runs `function` in a child; its exit status, or 256 and the signal. */
static int in_child(int (*function)(void)) {
    pid_t child = fork();
    int status;

    if (child == 0)
        _exit(function());
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 256 + WTERMSIG(status);
}

static int write_beyond_the_limit(void) {
    struct rlimit limit = {4, 4};

    setrlimit(RLIMIT_FSIZE, &limit);
    if (write_receipt("receipt", "12345") || strstr(problem, "ulimit -f") == NULL)
        return 1;
    return write_receipt("receipt", "1234") ? 0 : 2;
}

static void minds_the_limit_of_files(void **state) {
    (void)state;
    assert_int_equal(in_child(write_beyond_the_limit), 0);
    assert_content("receipt", "1234");
    assert_files(1);
    remove("receipt");
}

static int write_without_descriptors(void) {
    struct rlimit limit = {0, 0};

    setrlimit(RLIMIT_NOFILE, &limit);
    if (write_receipt("receipt", "new"))
        return 1;
    return strstr(problem, "Too many open files") != NULL ? 0 : 2;
}

static void needs_a_descriptor(void **state) {
    (void)state;
    assert_true(write_receipt("receipt", "old"));
    assert_int_equal(in_child(write_without_descriptors), 0);
    assert_content("receipt", "old");
    assert_files(1);
    remove("receipt");
}

/* A file system that has room for so many bytes, takes three at a time, and is interrupted. */
static size_t room = SIZE_MAX;

ssize_t write(int descriptor, const void *data, size_t length) {
    static _Thread_local unsigned calls;
    struct iovec part = {.iov_base = (void *)(uintptr_t)data, .iov_len = length};

    if (room == SIZE_MAX || descriptor <= STDERR_FILENO)
        return writev(descriptor, &part, 1);
    if (calls++ % 2 == 0) {
        errno = EINTR;
        return -1;
    }
    if (room == 0) {
        errno = ENOSPC;
        return -1;
    }
    part.iov_len = length < 3 ? length : 3;
    part.iov_len = part.iov_len < room ? part.iov_len : room;
    room -= part.iov_len;
    return writev(descriptor, &part, 1);
}

static void survives_a_full_disk(void **state) {
    (void)state;
    room = 10;
    assert_true(write_receipt("receipt", "0123456789"));
    assert_int_equal(room, 0);
    assert_content("receipt", "0123456789");
    room = 10;
    assert_false(write_receipt("receipt", "0123456789a"));
    assert_int_equal(room, 0);
    assert_contains(problem, "No space left on device");
    room = SIZE_MAX;
    assert_content("receipt", "0123456789");
    assert_files(1);
    remove("receipt");
}

enum { THREADS = 4, ROUNDS = 200, SIZE = 5000 };

static void *write_often(void *data) {
    char text[SIZE + 1], said[512];

    memset(text, *(char *)data, SIZE);
    text[SIZE] = '\0';
    for (int i = 0; i < ROUNDS; i++)
        if (!mtlcap__receipt_write("receipt", text, said, sizeof said))
            return data;
    return NULL;
}

static void appears_whole(void **state) {
    static char letters[THREADS] = "abcd";
    pthread_t threads[THREADS];
    void *result;

    (void)state;
    assert_true(write_receipt("receipt", ""));
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, write_often, &letters[i]), 0);
    for (int i = 0; i < ROUNDS; i++) {
        char text[SIZE + 2];
        FILE *file = fopen("receipt", "r");
        assert_non_null(file);
        size_t length = fread(text, 1, sizeof text, file);
        fclose(file);
        assert_true(length == 0 || length == SIZE);
        for (size_t c = 1; c < length; c++)
            assert_int_equal(text[c], text[0]);
    }
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_null(result);
    }
    assert_files(1);
    remove("receipt");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_and_replaces),     cmocka_unit_test(replaces_percent_signs),
        cmocka_unit_test(refuses_what_is_no_file), cmocka_unit_test(needs_the_folder),
        cmocka_unit_test(leaves_files_of_others),  cmocka_unit_test(minds_the_limit_of_files),
        cmocka_unit_test(needs_a_descriptor),      cmocka_unit_test(survives_a_full_disk),
        cmocka_unit_test(appears_whole),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}
