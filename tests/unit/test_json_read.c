/* The reader of JSON: what it takes, and what it refuses, and where. */
#include "unit.h"

#include "json_read.h"
#include "tools.h"

static void refuses(const char *text, unsigned line, const char *problem) {
    struct json_document document;
    bool good = json_read(text, &document);
    if (good)
        fail_msg("it is read: %s", text);
    assert_string_equal(document.problem, problem);
    assert_int_equal(document.line, line);
    json_free(&document);
}

static void a_document_is_read(void **state) {
    (void)state;
    struct json_document document;
    assert_true(json_read(" {\"a\": [1, 2.5, -3, true, false, null, \"x\\u00e9\\ud83d\\ude00\\n\"],"
                          "\n \"b\": {}, \"n\": 18446744073709551615, \"t\": \"\"} ",
                          &document));
    const struct json_value *root = document.values;
    const struct json_value *one = json_first(&document, json_member(&document, root, "a"));
    assert_true(one->kind == JSON_NUMBER && one->whole && one->number == 1);
    one = json_next(&document, one);
    assert_true(one->kind == JSON_NUMBER && !one->whole);
    one = json_next(&document, one);
    assert_true(one->kind == JSON_NUMBER && !one->whole);
    one = json_next(&document, one);
    assert_int_equal(one->kind, JSON_TRUE);
    one = json_next(&document, json_next(&document, one));
    assert_int_equal(one->kind, JSON_NULL);
    one = json_next(&document, one);
    assert_string_equal(one->text, "x\u00e9\U0001F600\n");
    assert_null(json_next(&document, one));
    assert_null(json_first(&document, json_member(&document, root, "b")));
    assert_true(json_member(&document, root, "n")->number == UINT64_MAX);
    assert_string_equal(json_member_text(&document, root, "t"), "");
    assert_null(json_member_text(&document, root, "n"));
    assert_null(json_member(&document, root, "c"));
    assert_null(json_member(&document, one, "c"));
    json_free(&document);
}

static void what_is_no_json_is_refused(void **state) {
    (void)state;
    refuses("", 1, "a value is missing");
    refuses("{", 1, "a text in \" is missing");
    refuses("[1,]", 1, "a value is missing");
    refuses("{\"a\"\n 1}", 2, "a : is missing");
    refuses("{\"a\": 1\n\n \"b\": 2}", 3, "a bracket is missing");
    refuses("[1 2]", 1, "a bracket is missing");
    refuses("01", 1, "this is no number");
    refuses("-", 1, "this is no number");
    refuses("1.", 1, "this is no number");
    refuses("\"a", 1, "a text does not end in its line");
    refuses("\"\\x\"", 1, "a text has a \\ with something else behind it than JSON knows");
    refuses("\"\\ud800\"", 1, "a text has a \\ with something else behind it than JSON knows");
    refuses("\"\\u0000\"", 1, "a text has a \\ with something else behind it than JSON knows");
    refuses("nul", 1, "a value is missing");
    refuses("{\"a\": 1,\n \"b\": {}, \"a\": 1\n}\n", 3, "an object that ends here has a key twice");
    refuses("[{\"a\": {}, \"\\u0061\": 2}]", 1, "an object that ends here has a key twice");
    refuses("1 2", 1, "something follows behind the end");
}

/* In two objects a key may be. */
static void keys_differ_in_one_object(void **state) {
    (void)state;
    struct json_document document;
    assert_true(json_read("{\"a\": {\"a\": 1, \"b\": 2}, \"b\": {\"a\": 1, \"aa\": 2, \"\": 3}}",
                          &document));
    json_free(&document);
}

static void many_keys_are_read(void **state) {
    (void)state;
    enum { MANY = 200000, LONGEST = 16 };
    struct json_document document;
    char *text = allocate(MANY, LONGEST);
    size_t length = (size_t)sprintf(text, "{");
    for (int i = 0; i < MANY - 2; i++)
        length += (size_t)sprintf(text + length, "\"%d\":0,", i);
    strcpy(text + length, "\"a\":0}");
    assert_true(json_read(text, &document));
    json_free(&document);
    strcpy(text + length, "\"7\":0}");
    refuses(text, 1, "an object that ends here has a key twice");
    free(text);
}

static void depth_is_bounded(void **state) {
    (void)state;
    char text[256] = "";
    struct json_document document;
    for (int i = 0; i < 32; i++)
        strcat(text, "[");
    for (int i = 0; i < 32; i++)
        strcat(text, "]");
    assert_true(json_read(text, &document));
    json_free(&document);
    memset(text, '[', 100);
    refuses(text, 1, "it is nested too deeply");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_document_is_read),        cmocka_unit_test(what_is_no_json_is_refused),
        cmocka_unit_test(keys_differ_in_one_object), cmocka_unit_test(many_keys_are_read),
        cmocka_unit_test(depth_is_bounded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
