/* Suggestions: what is near, what is nearest, what is not near at all. */
#include "core/suggest.h"

#include "unit.h"

static const char *const words[] = {"apple", "metal", "mac", "threadgroup_memory", "working_set"};

static const char *suggest(const char *word) {
    struct mtlcap__suggestion suggestion = {.word = word, .length = strlen(word)};

    for (size_t i = 0; i < LENGTH(words); i++)
        mtlcap__suggest(&suggestion, words[i]);
    return suggestion.best;
}

static void finds_one_wrong_letter(void **state) {
    (void)state;
    assert_string_equal(suggest("aple"), "apple");   /* missing */
    assert_string_equal(suggest("appple"), "apple"); /* too many */
    assert_string_equal(suggest("apqle"), "apple");  /* another */
    assert_string_equal(suggest("amc"), "mac");      /* swapped */
    assert_string_equal(suggest("apple"), "apple");
}

static void allows_more_in_longer_words(void **state) {
    (void)state;
    assert_string_equal(suggest("threadgrp_memory"), "threadgroup_memory");
    assert_null(suggest("apxyz")); /* three letters of five */
    assert_null(suggest("xx"));    /* two of two */
}

static void prefers_the_nearest(void **state) {
    (void)state;
    assert_string_equal(suggest("mac"), "mac");
    assert_string_equal(suggest("metl"), "metal");
}

static void survives_any_length(void **state) {
    char word[200];

    (void)state;
    for (size_t length = 0; length < sizeof word; length++) {
        memset(word, 'a', length);
        word[length] = '\0';
        suggest(word); /* must not write past its rows */
    }
    assert_null(suggest(""));
    assert_null(suggest("x"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_one_wrong_letter),
        cmocka_unit_test(allows_more_in_longer_words),
        cmocka_unit_test(prefers_the_nearest),
        cmocka_unit_test(survives_any_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
