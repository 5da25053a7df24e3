/* What the table of a trace says of questions that came before the profile. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/trace_read.h"
#include "traced.h"

/* Of this process: the same test runs on other runtimes at the same time. */
static const char *own_file(void) {
    static char name[64];
    snprintf(name, sizeof name, "late-%d.trace", (int)getpid());
    remove(name);
    return name;
}

static struct mtlcap__trace_reading read_back(const char *file) {
    struct mtlcap__trace_reading reading;
    assert_ok(mtlcap__trace_read_file(file, &reading));
    return reading;
}

static const struct mtlcap__trace_late *late(const struct mtlcap__trace_reading *reading,
                                             const char *selector, int64_t argument) {
    for (uint32_t i = 0; i < reading->info.question_count; i++)
        if (strcmp(reading->questions[i].selector, selector) == 0 &&
            reading->questions[i].argument == argument)
            return &reading->late[i];
    fail_msg("%s %d was not asked", selector, (int)argument);
    return NULL;
}

static void too_early_and_never_again(void **state) {
    (void)state;
    void *device = device_at(0);
    struct mtlcap_trace_options options = MTLCAP_TRACE_OPTIONS_INIT;
    options.file = own_file();
    assert_ok(mtlcap_trace_start(&options));
    supports_family(device, 1005);
    supports_family(device, 1007);
    supports_family(device, 1009);
    simmetal_ask(device, "maxThreadgroupMemoryLength");
    simmetal_ask(device, "hasUnifiedMemory");
    ask_triple(device, "maxThreadsPerThreadgroup");
    apply("apple.min=7");
    apply("apple.min=7,threadgroup_memory.min=64K,unified_memory=off,"
          "threads_per_threadgroup=64x32x16");
    mtlcap_restore();
    mtlcap_restore();
    apply("apple.min=9");
    struct mtlcap__trace_reading reading = read_back(options.file);
    static const char *const profiles[] = {
        "apple.min=7",
        ("apple.min=7,threadgroup_memory.min=64K,unified_memory=off,"
         "threads_per_threadgroup=64x32x16"),
        "",
        "apple.min=9",
    };
    assert_int_equal(reading.applied_count, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_string_equal(reading.applied[i].profile, profiles[i]);
        assert_true(i == 0 || reading.applied[i].ns >= reading.applied[i - 1].ns);
    }
    assert_int_equal(late(&reading, "supportsFamily:", 1005)->is_late, 0);
    const struct mtlcap__trace_late *found = late(&reading, "supportsFamily:", 1007);
    assert_int_equal(found->is_late, 1);
    assert_int_equal(found->applied, 0);
    assert_string_equal(found->answer, "yes");
    found = late(&reading, "supportsFamily:", 1009);
    assert_int_equal(found->applied, 3);
    assert_string_equal(found->answer, "yes");
    found = late(&reading, "maxThreadgroupMemoryLength", 0);
    assert_int_equal(found->applied, 1);
    assert_string_equal(found->answer, "65536");
    assert_string_equal(late(&reading, "hasUnifiedMemory", 0)->answer, "no");
    assert_string_equal(late(&reading, "maxThreadsPerThreadgroup", 0)->answer, "64x32x16");
    mtlcap__trace_reading_free(&reading);
    assert_ok(mtlcap_trace_stop());
    apply("apple.min=8"); /* nobody traces it */
    reading = read_back(options.file);
    assert_int_equal(reading.applied_count, 4);
    mtlcap__trace_reading_free(&reading);
    assert_ok(mtlcap_trace_start(&options)); /* under a profile: it was there from the first */
    supports_family(device, 1007);
    apply("apple.min=8"); /* the same again */
    reading = read_back(options.file);
    assert_int_equal(reading.applied_count, 2);
    assert_string_equal(reading.applied[0].profile, "apple.min=8");
    assert_int_equal(late(&reading, "supportsFamily:", 1007)->is_late, 0);
    mtlcap__trace_reading_free(&reading);
    for (int i = 0; i < 100; i++)
        apply("apple.min=8");
    reading = read_back(options.file);
    assert_int_equal(reading.applied_count, 64);
    assert_int_equal(reading.applied_dropped, 38);
    mtlcap__trace_reading_free(&reading);
    remove(options.file);
}

/* What Metal computes from an answer that has a rule is too early with it. */
static void too_early_and_derived(void **state) {
    (void)state;
    void *device = device_at(0);
    struct mtlcap_trace_options options = MTLCAP_TRACE_OPTIONS_INIT;
    options.file = own_file();
    assert_ok(mtlcap_trace_start(&options));
    unsigned asked = 0, derived = 0;
    for (uint32_t c = 0; c < mtlcap_capability_count(); c++) {
        struct mtlcap_capability row = MTLCAP_CAPABILITY_INIT;
        assert_ok(mtlcap_capability_info(c, &row));
        if (row.kind == MTLCAP_KIND_BOOL && !strchr(row.selector, ':')) {
            simmetal_ask(device, row.selector);
            asked++;
        }
    }
    apply("apple.min=9");
    struct mtlcap__trace_reading reading = read_back(options.file);
    const struct mtlcap_report done = report();
    for (uint32_t i = 0; i < done.change_count; i++) {
        struct mtlcap_change change = MTLCAP_CHANGE_INIT;
        assert_ok(mtlcap_report_change(i, &change));
        for (uint32_t q = 0; change.derived && q < reading.info.question_count; q++)
            if (strcmp(reading.questions[q].capability, change.capability) == 0) {
                assert_int_equal(reading.late[q].is_late, 1);
                assert_string_equal(reading.late[q].answer, change.effective);
                derived++;
            }
    }
    assert_true(derived > 0 && derived < asked);
    mtlcap__trace_reading_free(&reading);
    remove(options.file);
}

int main(void) {
    const struct apart tests[] = {
        ON("paravirt", too_early_and_never_again),
        ON("paravirt", too_early_and_derived),
    };
    return RUN_APART(tests);
}
