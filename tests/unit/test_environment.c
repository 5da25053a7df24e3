/* What the environment asks of the injected library. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "inject/environment.h"
#include "inject/variables.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "mtlcap/mtlcap.h"
#include "unit.h"

#define PROGRAM "/opt/llama/bin/llama-server"
#define NAMES ((const char *const[]){PROGRAM, "./chat", NULL})
#define READ(settings, ...)                                                                        \
    mtlcap__environment_read((char *const[]){__VA_ARGS__, NULL}, NAMES, settings)

static struct mtlcap__settings settings;

static int free_settings(void **state) {
    (void)state;
    mtlcap__environment_free(&settings);
    return 0;
}

static void assert_nothing_to_do(void) {
    assert_false(settings.enabled);
    assert_null(settings.profile);
    assert_null(settings.allow);
    assert_null(settings.receipt);
    assert_null(settings.require);
    assert_null(settings.trace);
    assert_null(settings.log_file);
    assert_string_equal(settings.problem, "");
    assert_string_equal(settings.warning, "");
}

static void asks_for_nothing_by_default(void **state) {
    (void)state;
    mtlcap__environment_read(NULL, NULL, &settings);
    assert_nothing_to_do();
    READ(&settings, "HOME=/", "MTLCAP_PROFILE=");
    assert_nothing_to_do();
    READ(&settings, "MTLCAP_STRICT=1", "MTLCAP_RECEIPT=/tmp/r", "MTLCAP_ALLOW=metal",
         "MTLCAP_LOG=info:/tmp/l");
    assert_nothing_to_do();
    READ(&settings, "MTLCAP_STRICT=maybe", "MTLCAP_TIMING=soon", "MTLCAP_TRACE_EVENTS=5");
    assert_nothing_to_do();
}

static void has_defaults(void **state) {
    (void)state;
    READ(&settings, "MTLCAP_PROFILE=auto,metal=off");
    assert_true(settings.enabled);
    assert_string_equal(settings.profile, "auto,metal=off");
    assert_string_equal(settings.origin, "MTLCAP_PROFILE");
    assert_null(settings.allow);
    assert_null(settings.receipt);
    assert_null(settings.require);
    assert_null(settings.log_file);
    assert_int_equal(settings.log_level, MTLCAP_LOG_ERROR);
    assert_false(settings.early || settings.strict || settings.inherit);
    assert_string_equal(settings.problem, "");
    assert_string_equal(settings.warning, "");
}

static void reads_all(void **state) {
    (void)state;
    READ(&settings, "MTLCAP_PROFILE=lume", "MTLCAP_ALLOW=beyond-hardware+threadgroup-memory",
         "MTLCAP_ONLY=llama-*", "MTLCAP_STRICT=1", "MTLCAP_RECEIPT=/tmp/%p 100%%.json",
         "MTLCAP_LOG=debug:/tmp/a:b", "MTLCAP_CHILDREN=inherit", "MTLCAP_TIMING=early",
         "MTLCAP_DISABLE=0", "MTLCAP_REQUIRE=apple>=7,threadgroup_memory=64K");
    assert_true(settings.enabled);
    assert_string_equal(settings.problem, "");
    assert_string_equal(settings.warning, "");
    assert_string_equal(settings.profile, "lume");
    assert_string_equal(settings.allow, "beyond-hardware+threadgroup-memory");
    assert_string_equal(settings.receipt, "/tmp/%p 100%%.json");
    assert_string_equal(settings.require, "apple>=7,threadgroup_memory=64K");
    assert_int_equal(settings.log_level, MTLCAP_LOG_DEBUG);
    assert_string_equal(settings.log_file, "/tmp/a:b");
    assert_true(settings.early && settings.strict && settings.inherit);
}

static void copies(void **state) {
    char variable[] = "MTLCAP_PROFILE=auto";

    (void)state;
    READ(&settings, variable);
    memset(variable, 'x', sizeof variable - 1);
    assert_string_equal(settings.profile, "auto");
}

static void makes_paths_absolute(void **state) {
    (void)state;
    assert_int_equal(mkdir("/tmp/100%p", 0700), 0);
    assert_int_equal(chdir("/tmp/100%p"), 0);
    READ(&settings, "MTLCAP_PROFILE=auto", "MTLCAP_RECEIPT=r.%p", "MTLCAP_LOG=info:l%p");
    assert_int_equal(chdir("/"), 0);
    assert_int_equal(rmdir("/tmp/100%p"), 0);
    assert_string_equal(settings.receipt, "/tmp/100%%p/r.%p");
    assert_string_equal(settings.log_file, "/tmp/100%p/l%p");
}

static void takes_the_first_of_two(void **state) {
    (void)state;
    READ(&settings, "MTLCAP_PROFILE=auto", "MTLCAP_PROFILE=stock");
    assert_string_equal(settings.profile, "auto");
    free_settings(NULL);
    READ(&settings, "MTLCAP_PROFILE=", "MTLCAP_PROFILE=stock"); /* as getenv() has it */
    assert_nothing_to_do();
}

static void needs_whole_names(void **state) {
    (void)state;
    READ(&settings, "MTLCAP_PROFILE", "XMTLCAP_PROFILE=auto", "mtlcap_profile=auto", "=auto", "");
    assert_nothing_to_do();
}

static void takes_yes_and_no(void **state) {
    static const char *const on[] = {"1", "yes", "true", "on"}, *const off[] = {"0", "no", "false",
                                                                                "off", ""};
    char variable[64];

    (void)state;
    for (size_t i = 0; i < LENGTH(on); i++) {
        snprintf(variable, sizeof variable, "MTLCAP_STRICT=%s", on[i]);
        READ(&settings, variable, "MTLCAP_PROFILE=auto");
        assert_true(settings.strict);
        free_settings(NULL);
        snprintf(variable, sizeof variable, "MTLCAP_DISABLE=%s", on[i]);
        READ(&settings, variable, "MTLCAP_PROFILE=auto");
        assert_nothing_to_do();
    }
    for (size_t i = 0; i < LENGTH(off); i++) {
        snprintf(variable, sizeof variable, "MTLCAP_STRICT=%s", off[i]);
        READ(&settings, variable, "MTLCAP_PROFILE=auto");
        assert_true(settings.enabled && !settings.strict && settings.problem[0] == '\0');
        free_settings(NULL);
    }
}

static void refuses_what_it_does_not_understand(void **state) {
    static const struct {
        char *variable;
        const char *says;
    } cases[] = {
        {"MTLCAP_DISABLE=ja", "MTLCAP_DISABLE='ja': write 1 or 0"},
        {"MTLCAP_DISABLE=11", "MTLCAP_DISABLE='11'"},
        {"MTLCAP_STRICT= 1", "MTLCAP_STRICT=' 1': write 1 or 0"},
        {"MTLCAP_CHILDREN=all", "MTLCAP_CHILDREN='all': it takes none|inherit"},
        {"MTLCAP_CHILDREN=none|inherit", "it takes none|inherit"},
        {"MTLCAP_TIMING=now", "MTLCAP_TIMING='now': it takes late|early"},
        {"MTLCAP_TIMING=lat", "MTLCAP_TIMING='lat'"},
        {"MTLCAP_LOG=bogus", "MTLCAP_LOG='bogus': write off, error, warning, info or debug"},
        {"MTLCAP_LOG=info:", "MTLCAP_LOG='info:'"},
        {"MTLCAP_LOG=:/tmp/l", "MTLCAP_LOG=':/tmp/l'"},
        {"MTLCAP_RECEIPT=/tmp/%d", "MTLCAP_RECEIPT='/tmp/%d': write %p for the number"},
        {"MTLCAP_RECEIPT=/tmp/100%", "MTLCAP_RECEIPT='/tmp/100%'"},
        {"MTLCAP_ALLOW=everything", "MTLCAP_ALLOW: there is no hazard 'everything'"},
        {"MTLCAP_ALLOW=metal,mac", "MTLCAP_ALLOW: there is no hazard 'metal,mac'"},
        {"MTLCAP_TRACE=/t%d", "MTLCAP_TRACE='/t%d': write %p"},
        {"MTLCAP_TRACE_EVENTS=many", "MTLCAP_TRACE_EVENTS='many': write a number"},
        {"MTLCAP_TRACE_EVENTS=-1", "MTLCAP_TRACE_EVENTS='-1': write a number"},
        {"MTLCAP_TRACE_EVENTS=1048577", "MTLCAP_TRACE_EVENTS='1048577': write a number"},
        {"MTLCAP_REQUIRE=apple>7", "MTLCAP_REQUIRE: 'apple>7': there is no >, but >="},
        {"MTLCAP_REQUIRE=apple>=7,", "MTLCAP_REQUIRE: '' is not KEY=VALUE"},
        {"MTLCAP_REQUIRE=apple>=7,aple=8", "MTLCAP_REQUIRE: there is no capability 'aple'"},
        {"MTLCAP_TIMING=\033[2J\377", "MTLCAP_TIMING='?[2J?'"},
    };

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        READ(&settings, "MTLCAP_PROFILE=auto", cases[i].variable);
        assert_true(settings.enabled);
        assert_null(settings.profile);
        assert_contains(settings.problem, cases[i].says);
        assert_int_equal(settings.log_level, MTLCAP_LOG_ERROR);
        free_settings(NULL);
    }
}

static void a_bad_variable_hides_no_good_one(void **state) {
    (void)state;
    READ(&settings, "MTLCAP_PROFILE=auto", "MTLCAP_TIMING=now", "MTLCAP_STRICT=1",
         "MTLCAP_RECEIPT=/tmp/r", "MTLCAP_LOG=info");
    assert_contains(settings.problem, "MTLCAP_TIMING");
    assert_true(settings.strict);
    assert_string_equal(settings.receipt, "/tmp/r");
    assert_int_equal(settings.log_level, MTLCAP_LOG_INFO);
    free_settings(NULL);
    READ(&settings, "MTLCAP_PROFILE=auto", "MTLCAP_STRICT=maybe");
    assert_true(settings.strict);
}

static void knows_its_programs(void **state) {
    static const struct {
        const char *only;
        bool here;
    } cases[] = {
        {"llama-server", true},
        {"llama-serve", false},
        {"llama-server2", false},
        {"python*,llama-*", true},
        {"python*", false},
        {"*", true},
        {"?lama-serve?", true},
        {"?llama-server", false},
        {"*server", true},
        {"*l*a*m*a*", true},
        {"*l*a*x*a*", false},
        {",", false},
        {",llama-server,", true},
        {"llama-server,", true},
        {"Llama-server", false},
        {PROGRAM, true},
        {"/usr/bin/llama-server", false},
        {"*/bin/llama*", true},
        {"chat", true},
        {"ch?t", true},
        {"./chat", true},
        {"/bin/chat", false},
        {"", true},
    };
    char variable[128];

    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        snprintf(variable, sizeof variable, "MTLCAP_ONLY=%s", cases[i].only);
        READ(&settings, variable, "MTLCAP_PROFILE=auto");
        if (settings.enabled != cases[i].here)
            fail_msg("%s", variable);
        free_settings(NULL);
    }
    mtlcap__environment_read((char *const[]){"MTLCAP_ONLY=a", "MTLCAP_PROFILE=auto", NULL},
                             (const char *const[]){"a", NULL}, &settings);
    assert_true(settings.enabled);
}

static void only_comes_before_anything_else(void **state) {
    (void)state;
    READ(&settings, "MTLCAP_ONLY=other", "MTLCAP_PROFILE=auto", "MTLCAP_STRICT=maybe",
         "MTLCAP_NONSENSE=1", "LUME_METAL_APPLE_FAMILY_MAX=bad");
    assert_nothing_to_do();
}

static void asks_back_about_misspelt_names(void **state) {
    (void)state;
    READ(&settings, "MTLCAP_PROFILE=auto", "MTLCAP_RECIEPT=/tmp/r", "MTLCAP_QQQQ=1",
         "MTLCAP_DOWNLOADS=/x");
    assert_string_equal(settings.profile, "auto");
    assert_string_equal(settings.problem, "");
    assert_string_equal(settings.warning,
                        "there is no variable MTLCAP_RECIEPT: did you mean MTLCAP_RECEIPT?; "
                        "there is no variable MTLCAP_QQQQ");
    free_settings(NULL);

    /* Whoever misspells the profile waits for it in vain. */
    READ(&settings, "MTLCAP_PROFLE=auto", "MTLCAP_STRICT=1");
    assert_true(settings.enabled && settings.strict);
    assert_null(settings.profile);
    assert_contains(settings.problem, "MTLCAP_PROFLE: did you mean MTLCAP_PROFILE?");
    free_settings(NULL);
    READ(&settings, "MTLCAP_QQQQ=auto");
    assert_nothing_to_do();
}

static void looks_at_stock_answers_for_a_requirement(void **state) {
    (void)state;
    READ(&settings, "MTLCAP_REQUIRE=apple>=7");
    assert_true(settings.enabled);
    assert_string_equal(settings.profile, "stock");
    assert_string_equal(settings.origin, "MTLCAP_REQUIRE");
}

static void traces_stock_answers(void **state) {
    (void)state;
    READ(&settings, "MTLCAP_TRACE=/tmp/%p 100%%", "MTLCAP_TRACE_EVENTS=1048576");
    assert_true(settings.enabled);
    assert_string_equal(settings.profile, "stock");
    assert_string_equal(settings.origin, "MTLCAP_TRACE");
    assert_string_equal(settings.trace, "/tmp/%p 100%%");
    assert_int_equal(settings.trace_events, 1048576);
    mtlcap__environment_free(&settings);
    READ(&settings, "MTLCAP_TRACE=/tmp/t", "MTLCAP_REQUIRE=apple>=7", "MTLCAP_PROFILE=auto");
    assert_string_equal(settings.profile, "auto");
    assert_string_equal(settings.trace, "/tmp/t");
    assert_int_equal(settings.trace_events, 0);
    mtlcap__environment_free(&settings);
    READ(&settings, "MTLCAP_TRACE=/tmp/t", "LUME_METAL_APPLE_FAMILY_MAX=1009");
    assert_string_equal(settings.origin, "LUME_METAL_APPLE_FAMILY_MAX");
    assert_string_equal(settings.trace, "/tmp/t");
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Twice as much may take twice as long, and that not for long. */
static void survives_a_hostile_environment(void **state) {
    enum { COUNT = 10000, LONG = 1 << 20 };
    static char *environment[COUNT + 8];
    static char names[COUNT][32], huge[4][LONG + 32];
    static const char *const starts[4] = {"MTLCAP_PROFILE=", "MTLCAP_RECEIPT=", "MTLCAP_ONLY=*",
                                          "MTLCAP_"};
    double begin = seconds();

    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], i % 2 ? "MTLCAP_PROFIL%zu=1" : "X%zu", i);
        environment[i] = names[i];
    }
    for (size_t i = 0; i < 4; i++) {
        memset(huge[i], i == 2 ? '*' : '\377', LONG);
        memcpy(huge[i], starts[i], strlen(starts[i]));
        environment[COUNT + i] = huge[i];
    }
    mtlcap__environment_read(environment, NAMES, &settings);
    assert_true(settings.enabled);
    assert_int_equal(strlen(settings.profile), LONG - strlen(starts[0]));
    assert_true(strlen(settings.warning) < sizeof settings.warning);
    free_settings(NULL);

    memset(huge[2] + 12, 'l', LONG - 12);
    for (size_t i = 13; i < LONG; i += 2)
        huge[2][i] = '*';
    mtlcap__environment_read(environment, NAMES, &settings);
    assert_nothing_to_do();
    assert_true(seconds() - begin < 5);
}

int main(void) {
#define TEST(name) cmocka_unit_test_teardown(name, free_settings)
    const struct CMUnitTest tests[] = {
        TEST(asks_for_nothing_by_default),
        TEST(has_defaults),
        TEST(reads_all),
        TEST(copies),
        TEST(makes_paths_absolute),
        TEST(takes_the_first_of_two),
        TEST(needs_whole_names),
        TEST(takes_yes_and_no),
        TEST(refuses_what_it_does_not_understand),
        TEST(a_bad_variable_hides_no_good_one),
        TEST(knows_its_programs),
        TEST(only_comes_before_anything_else),
        TEST(asks_back_about_misspelt_names),
        TEST(looks_at_stock_answers_for_a_requirement),
        TEST(traces_stock_answers),
        TEST(survives_a_hostile_environment),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
