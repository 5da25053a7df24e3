/* Profiles in files. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp, mkfifo, symlink */
#include "core/profile_parts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

static char folder[] = "/tmp/mtlcap-profile-XXXXXX";
static char path[128], reference[160];

static int set_up(void **state) {
    (void)state;
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(path, sizeof path, "%s/a profile", folder);
    snprintf(reference, sizeof reference, "@%s", path);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    remove(path);
    return rmdir(folder);
}

static int remove_file(void **state) {
    (void)state;
    remove(path);
    return 0;
}

static void write_file(const char *text, size_t length) {
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

/* Parses the file with `text` in it. */
static int parse(const char *text, size_t length, struct mtlcap__profile **profile) {
    write_file(text, length);
    return mtlcap__profile_parse(reference, profile);
}

static void takes_one_item_a_line(void **state) {
    static const char *const texts[] = {
        "apple.min=7\nmetal=off\n",
        "apple.min=7\nmetal=off",
        "apple.min=7\r\nmetal=off\r\n",
        "\357\273\277apple.min=7\nmetal=off\n",
        "# why\n\n  apple.min=7  # this\n\t\r\n\tmetal=off#that\n#\n",
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(texts); i++) {
        struct mtlcap__profile *profile;
        if (parse(texts[i], strlen(texts[i]), &profile) != MTLCAP_OK)
            fail_msg("%s", mtlcap__last_error());
        assert_int_equal(profile->count, 2);
        assert_string_equal(profile->items[0].text, "apple.min=7");
        assert_string_equal(profile->items[1].text, "metal=off");
        mtlcap__profile_free(profile);
    }
}

static void combines_with_other_items(void **state) {
    struct mtlcap__profile *profile;
    char text[400];

    (void)state;
    write_file("like-m1\n", 8);
    snprintf(text, sizeof text, "auto, %s ,apple.max=6", reference);
    assert_int_equal(mtlcap__profile_parse(text, &profile), MTLCAP_OK);
    assert_true(profile->items[0].is_auto);
    assert_string_equal(profile->items[1].text, "like-m1: apple=7");
    assert_string_equal(profile->items[profile->count - 1].text, "apple.max=6");
    mtlcap__profile_free(profile);
}

static void stock_alone_is_enough(void **state) {
    struct mtlcap__profile *profile;

    (void)state;
    assert_int_equal(parse("stock\n", 6, &profile), MTLCAP_OK);
    assert_int_equal(profile->count, 0);
    mtlcap__profile_free(profile);
}

static void says_which_line(void **state) {
    static const struct {
        const char *text;
        size_t length;
        int line, column;
        const char *item, *right;
    } cases[] = {
        {"auto\napple.min=x\n", 0, 2, 1, "apple.min=x", "apple takes 1 to 10"},
        {"\n\n  mac=7\n", 0, 3, 3, "mac=7", "mac takes 1 to 2"},
        {"auto\r\nmetl=off\r\n", 0, 2, 1, "metl=off", "did you mean 'metal'?"},
        {"\357\273\277x=1\n", 0, 1, 1, "x=1", "there is no such key"},
        {"x\n", 0, 1, 1, "x", "there is no such profile"},
        {"auto,metal=off\n", 0, 1, 1, "auto", "write one item a line"},
        {"auto,\n", 0, 1, 1, "auto", "write one item a line"},
        {"auto metal=off\n", 0, 1, 1, "auto metal=off", "one item a line"},
        {"auto\n@other\n", 0, 2, 1, "@other", "cannot include another"},
        {"auto\rstock\n", 0, 1, 1, "auto?stock", "byte 0x0D"},
        {"stock\nau\0to\n", 12, 2, 3, "", "NUL byte"},
        {"\0", 1, 1, 1, "", "NUL byte"},
        {"stock # \0\n", 10, 1, 9, "", "NUL byte"},
        {"\377\376a\0", 4, 1, 4, "", "NUL byte"}, /* UTF-16 */
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct mtlcap__profile *profile = NULL;
        struct mtlcap_error error;
        size_t length = cases[i].length > 0 ? cases[i].length : strlen(cases[i].text);

        assert_int_equal(parse(cases[i].text, length, &profile), MTLCAP_E_PROFILE);
        assert_null(profile);
        mtlcap__error_parts(&error);
        assert_int_equal(error.line, cases[i].line);
        assert_int_equal(error.column, cases[i].column);
        assert_string_equal(error.item, cases[i].item);
        assert_contains(error.message, cases[i].right);
        assert_contains(error.message, path);
    }
}

static void needs_an_item(void **state) {
    static const char *const texts[] = {"", "\n", "# nothing\n", "\357\273\277", " \t\r\n"};
    struct mtlcap__profile *profile;

    (void)state;
    for (size_t i = 0; i < LENGTH(texts); i++) {
        assert_int_equal(parse(texts[i], strlen(texts[i]), &profile), MTLCAP_E_PROFILE);
        assert_contains(mtlcap__last_error(), "write stock in it");
        assert_contains(mtlcap__last_error(), reference);
    }
}

static void assert_unreadable(const char *spec, const char *reason) {
    struct mtlcap__profile *profile = (struct mtlcap__profile *)&profile;
    struct mtlcap_error error;

    assert_int_equal(mtlcap__profile_parse(spec, &profile), MTLCAP_E_FILE);
    assert_null(profile);
    mtlcap__error_parts(&error);
    assert_contains(error.message, spec + 1);
    assert_contains(error.message, reason);
    assert_int_equal(error.column, 1);
}

static void refuses_what_is_not_a_file(void **state) {
    char text[160];

    (void)state;
    assert_unreadable(reference, "No such file");
    snprintf(text, sizeof text, "@%s", folder);
    assert_unreadable(text, "directory");
    assert_unreadable("@/dev/null", "not a regular file");
    snprintf(text, sizeof text, "@%s/none/x", folder);
    assert_unreadable(text, "No such file");
}

/* Opening one waits for a writer, unless told not to. */
static void does_not_hang_on_a_fifo(void **state) {
    (void)state;
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_unreadable(reference, "not a regular file");
}

static void follows_symbolic_links(void **state) {
    struct mtlcap__profile *profile;
    char link[140], text[160];

    (void)state;
    write_file("auto\n", 5);
    snprintf(link, sizeof link, "%s/link", folder);
    snprintf(text, sizeof text, "@%s", link);
    assert_int_equal(symlink(path, link), 0);
    assert_int_equal(mtlcap__profile_parse(text, &profile), MTLCAP_OK);
    mtlcap__profile_free(profile);
    assert_int_equal(remove(link), 0);
}

static void size_is_limited(void **state) {
    static char text[MTLCAP__PROFILE_MAX_BYTES + 1];
    struct mtlcap__profile *profile;

    (void)state;
    memset(text, '#', sizeof text);
    memcpy(text, "auto\n", 5);
    assert_int_equal(parse(text, sizeof text - 1, &profile), MTLCAP_OK);
    mtlcap__profile_free(profile);
    write_file(text, sizeof text);
    assert_unreadable(reference, "larger than 64 KiB");
}

/* Another thread writes it anew, longer and shorter, without end. */
static void *rewrite(void *stop) {
    for (int i = 0; !atomic_load((atomic_bool *)stop); i++) {
        FILE *file = fopen(path, i % 3 == 0 ? "wb" : "ab");
        for (int j = 0; j < 2000; j++)
            fputs("apple.min=7\n", file);
        fclose(file);
    }
    return NULL;
}

static void survives_a_file_that_changes(void **state) {
    atomic_bool stop = false;
    pthread_t thread;

    (void)state;
    write_file("auto\n", 5);
    assert_int_equal(pthread_create(&thread, NULL, rewrite, &stop), 0);
    for (int i = 0; i < 200; i++) {
        struct mtlcap__profile *profile;
        struct mtlcap_error error;
        int status = mtlcap__profile_parse(reference, &profile);
        assert_int_equal(profile != NULL, status == MTLCAP_OK);
        mtlcap__profile_free(profile);
        if (status == MTLCAP_OK)
            continue;
        /* cut in two, empty, or too long: whichever it is, it is said */
        mtlcap__error_parts(&error);
        assert_true(status == MTLCAP_E_PROFILE || status == MTLCAP_E_FILE);
        assert_contains(error.message, path);
    }
    atomic_store(&stop, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void number_of_items_is_limited(void **state) {
    static char text[MTLCAP__PROFILE_MAX_BYTES];
    struct mtlcap__profile *profile;
    struct mtlcap_error error;

    (void)state;
    for (int i = 0; i <= MTLCAP__PROFILE_MAX_ITEMS; i++)
        memcpy(text + 8 * i, "apple=7\n", 8);
    assert_int_equal(parse(text, 8 * (MTLCAP__PROFILE_MAX_ITEMS + 1), &profile), MTLCAP_E_PROFILE);
    mtlcap__error_parts(&error);
    assert_int_equal(error.line, MTLCAP__PROFILE_MAX_ITEMS + 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(takes_one_item_a_line, remove_file),
        cmocka_unit_test_teardown(combines_with_other_items, remove_file),
        cmocka_unit_test_teardown(stock_alone_is_enough, remove_file),
        cmocka_unit_test_teardown(says_which_line, remove_file),
        cmocka_unit_test_teardown(needs_an_item, remove_file),
        cmocka_unit_test_teardown(refuses_what_is_not_a_file, remove_file),
        cmocka_unit_test_teardown(does_not_hang_on_a_fifo, remove_file),
        cmocka_unit_test_teardown(follows_symbolic_links, remove_file),
        cmocka_unit_test_teardown(size_is_limited, remove_file),
        cmocka_unit_test_teardown(survives_a_file_that_changes, remove_file),
        cmocka_unit_test_teardown(number_of_items_is_limited, remove_file),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
