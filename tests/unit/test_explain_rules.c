/* Files of rules: what is read, and what is said of those that are wrong. */
#include "unit.h"

#include "explain.h"
#include "tools.h"

#define CLIENT                                                                                     \
    "[client]\nname = app\nversions = 1\nsource = here\ndevice = first\nasks = once\ngood = is\n"
#define FEATURE_WITHOUT_NEEDS                                                                      \
    "[feature]\nname = f\nwhat = w\noff = is not\ndecides = yes\nsource = s\nbasis = read\n"
#define FEATURE FEATURE_WITHOUT_NEEDS "needs = apple>=7\n"

static struct explain_client client;

static void reads(const char *text) {
    struct explain_problem problem = {.line = 0};
    if (!explain_rules_read(text, strlen(text), &client, &problem))
        fail_msg("line %u: %s", problem.line, problem.text);
}

static void refuses(const char *text, unsigned line, const char *part) {
    struct explain_problem problem = {.line = 0};
    if (explain_rules_read(text, strlen(text), &client, &problem))
        fail_msg("it is read: %s", text);
    assert_contains(problem.text, part);
    assert_int_equal(problem.line, line);
}

static void refuses_condition(const char *needs, const char *part) {
    char text[1024];
    snprintf(text, sizeof text, CLIENT FEATURE_WITHOUT_NEEDS "needs = %s\n", needs);
    refuses(text, 15, part);
}

static void a_file_is_read(void **state) {
    (void)state;
    reads("# comment\n\n" CLIENT "[same]\nname = other\nversions = 2\ndiffers = much\n"
          "source = there\n" FEATURE "variable =  A = 1  \n");
    assert_string_equal(client.name, "app");
    assert_int_equal(client.relative_count, 1);
    assert_string_equal(client.relatives[0].differs, "much");
    assert_int_equal(client.feature_count, 1);
    assert_string_equal(client.features[0].variable, "A = 1");
    assert_true(client.features[0].is_main);
    assert_null(client.features[0].shows);
    explain_rules_free(&client);
}

static void a_line_goes_on(void **state) {
    (void)state;
    reads(CLIENT FEATURE_WITHOUT_NEEDS "needs = apple>=7 \t\r\n\tand metal>=3\r\n# c\n  or "
                                       "raytracing=on\n");
    assert_string_equal(client.features[0].needs, "apple>=7 and metal>=3 or raytracing=on");
    assert_int_equal(client.features[0].condition.count, 3);
    assert_int_equal(client.features[0].condition.clauses[1].alternative, 0);
    assert_int_equal(client.features[0].condition.clauses[2].alternative, 1);
    explain_rules_free(&client);
}

static void what_is_wrong_is_said(void **state) {
    (void)state;
    refuses("", 0, "nothing in it");
    refuses("name = app\n", 1, "begins with [client]");
    refuses("[clients]\n", 1, "no section [clients]");
    refuses("[client\n", 1, "is no section");
    refuses("[feature]\n", 1, "[client] is there once, and first");
    refuses(CLIENT CLIENT, 8, "[client] is there once, and first");
    refuses("[client]\nname = app\n", 1, "no line 'versions = ...'");
    refuses(CLIENT "[feature]\nname = f\n", 8, "no line 'what = ...'");
    refuses(CLIENT FEATURE "need = apple>=7\n", 16, "did you mean 'needs'?");
    refuses(CLIENT FEATURE "needs = apple>=8\n", 16, "'needs' is there twice");
    refuses(CLIENT "words\n", 8, "'words' is not NAME = VALUE");
    refuses(CLIENT "[feature]\nname =\n", 9, "'name' has no value");
    refuses(CLIENT "\n  goes on\n", 9, "no line above");
    refuses(" goes on\n", 1, "no line above");
    refuses("[client]\ndevice = second\n", 2, "one of default|first|any, not 'second'");
    refuses(CLIENT FEATURE FEATURE, 16, "there are two features 'f'");
    refuses(CLIENT, 0, "no feature decides");
    refuses("[client]\nname = a b\nversions = 1\nsource = here\ndevice = first\nasks = once\n"
            "good = is\n" FEATURE,
            1, "'a b' is no name");
}

static void a_condition_that_is_wrong(void **state) {
    (void)state;
    refuses_condition("aple>=7", "did you mean 'apple'?");
    refuses_condition("apple", "an operator is missing");
    refuses_condition("apple<7", "operators are");
    refuses_condition("apple>=seven", "the number in the family's name");
    refuses_condition("apple>=1007", "the number in the family's name");
    refuses_condition("apple~7", "only text contains");
    refuses_condition("name~", "only text contains");
    refuses_condition("name>=M1", "= and != only");
    refuses_condition("raytracing=maybe", "on or off");
    refuses_condition("threadgroup_memory>=0x8000", "threadgroup_memory");
    refuses_condition("threads_per_threadgroup>=1024", "three dimensions");
    refuses_condition("macos=15", "a version goes with >= or <=");
    refuses_condition("macos>=fifteen", "a version goes with >= or <=");
    refuses_condition("chip>=9.1", "a family goes with");
    refuses_condition("vm>=1", "=on or =off");
    refuses_condition("always=on", "stand alone");
    refuses_condition("apple>=7 and  or metal>=3", "");
    refuses_condition("apple>=7 and", "");
    refuses_condition("=7", "no key");
}

static void too_much_is_refused(void **state) {
    (void)state;
    char text[8192] = CLIENT FEATURE_WITHOUT_NEEDS "needs = apple>=7";
    for (int i = 0; i < EXPLAIN_CLAUSES; i++)
        strcat(text, "\n  or apple>=7");
    refuses(text, 15, "too many clauses");
    strcpy(text, CLIENT);
    for (int i = 0; i <= EXPLAIN_RELATIVES; i++)
        strcat(text, "[same]\nname = o\nversions = 2\ndiffers = d\nsource = t\n");
    refuses(text, 8 + 5 * EXPLAIN_RELATIVES, "too many sections [same]");
    struct explain_problem problem;
    assert_false(explain_rules_read("[client]\0", 9, &client, &problem));
    assert_contains(problem.text, "NUL");
}

static void numbers_are_read(void **state) {
    (void)state;
    static const struct {
        int32_t kind;
        const char *text;
        bool good;
        uint64_t number;
    } cases[] = {
        {MTLCAP_KIND_FAMILY, "7", true, 7},
        {MTLCAP_KIND_FAMILY, "off", true, 0},
        {MTLCAP_KIND_FAMILY, "on", false, 0},
        {MTLCAP_KIND_FAMILY, "7K", false, 0},
        {MTLCAP_KIND_SIZE, "32K", true, 32768},
        {MTLCAP_KIND_SIZE, "32KiB", true, 32768},
        {MTLCAP_KIND_SIZE, "11G", true, 11811160064u},
        {MTLCAP_KIND_SIZE, "16E", false, 0},
        {MTLCAP_KIND_SIZE, "18446744073709551615", true, UINT64_MAX},
        {MTLCAP_KIND_SIZE, "18446744073709551616", false, 0},
        {MTLCAP_KIND_SIZE, "-1", false, 0},
        {MTLCAP_KIND_SIZE, "32X", false, 0},
        {MTLCAP_KIND_SIZE, "", false, 0},
        {MTLCAP_KIND_BOOL, "yes", true, 1},
        {MTLCAP_KIND_BOOL, "off", true, 0},
        {MTLCAP_KIND_BOOL, "1", false, 0},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        uint64_t number = 0;
        bool good = explain_number(cases[i].kind, cases[i].text, &number);
        if (good != cases[i].good || (good && number != cases[i].number))
            fail_msg("'%s' of kind %d", cases[i].text, (int)cases[i].kind);
    }
}

static void versions_are_read(void **state) {
    (void)state;
    unsigned parts[3];
    static const char *const none[] = {"",        "abc", "15.",     ".1",
                                       "1..2",    "-1",  "1.2.3.4", "99999.1",
                                       "1.00000", "15 ", "15.b",    "18446744073709551617"};
    for (size_t i = 0; i < LENGTH(none); i++)
        if (explain_version(none[i], parts) != 0)
            fail_msg("'%s' is read", none[i]);
    assert_int_equal(explain_version("9999", parts), 1);
    assert_int_equal(explain_version("26.5.02", parts), 3);
    assert_true(parts[0] == 26 && parts[1] == 5 && parts[2] == 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_read),        cmocka_unit_test(a_line_goes_on),
        cmocka_unit_test(what_is_wrong_is_said), cmocka_unit_test(a_condition_that_is_wrong),
        cmocka_unit_test(too_much_is_refused),   cmocka_unit_test(numbers_are_read),
        cmocka_unit_test(versions_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
