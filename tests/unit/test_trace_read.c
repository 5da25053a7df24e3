/* Reading the table of a trace, made by hand here, whole and damaged. */
#define _GNU_SOURCE 1 /* mkstemp */
#include <unistd.h>

#include "core/error.h"
#include "core/trace_read.h"
#include "trace_made.h"
#include "unit.h"

typedef struct mtlcap__trace_reading reading;

static reading read_well(struct made *made) {
    reading r;
    if (mtlcap__trace_read(made, sizeof *made, &r))
        fail_msg("%s", mtlcap__last_error());
    return r;
}

static void done(struct made *made, reading *r) {
    mtlcap__trace_reading_free(r);
    free(made);
}

static void what_is_about_the_whole(void **state) {
    (void)state;
    struct made *made = made_new();
    made->head.dropped = 3;
    made->head.complete = 1;
    reading r = read_well(made);
    assert_int_equal(r.pid, 4711);
    assert_int_equal(r.started, 1000000000);
    assert_true(r.complete);
    assert_true(r.info.active);
    assert_int_equal(r.info.dropped, 3);
    assert_int_equal(r.info.question_count, 0);
    assert_string_equal(r.program, "/bin/program");
    assert_string_equal(r.profile, "apple.min=7");
    done(made, &r);
}

static void a_question(void **state) {
    (void)state;
    struct made *made = made_new();
    struct mtlcap__trace_entry *entry = made_entry(made, 3, 1007, 1, 5);
    entry->stock[0] = 0;
    entry->decided = 1;
    entry->threads = UINT64_C(0x8000000000000005);
    entry->device = 1;
    reading r = read_well(made);
    assert_int_equal(r.info.question_count, 1);
    assert_int_equal(r.info.asked, 5);
    const struct mtlcap_trace_question *q = r.questions;
    assert_int_equal(q->struct_size, sizeof *q);
    assert_int_equal(q->count, 5);
    assert_int_equal(q->first_ns, 97);
    assert_int_equal(q->caller, 0x1234);
    assert_int_equal(q->argument, 1007);
    assert_int_equal(q->has_argument, 1);
    assert_int_equal(q->stock_known, 1);
    assert_int_equal(q->overridden, 1);
    assert_int_equal(q->derived, 0);
    assert_int_equal(q->thread_count, 3);
    assert_int_equal(q->kind, MTLCAP_KIND_FAMILY);
    assert_string_equal(q->capability, "apple");
    assert_string_equal(q->selector, "supportsFamily:");
    assert_string_equal(q->argument_name, "MTLGPUFamilyApple7");
    assert_string_equal(q->answer, "yes");
    assert_string_equal(q->stock, "no");
    assert_string_equal(q->class_name, "AGXG13GDevice");
    assert_string_equal(q->device_name, "Apple M1");
    assert_string_equal(q->image, "/bin/asks");
    assert_string_equal(q->symbol, "");
    done(made, &r);
}

static void who_asked_too_early(void **state) {
    (void)state;
    struct made *made = made_new();
    made->applied[0] = (struct mtlcap__trace_change){5, made->head.profile, 0};
    made->applied[1].ns = 7; /* stock answers again */
    made->head.applied_count = 5;
    made_entry(made, 0, 1007, 0, 1)->late = 1;
    made->entries[0].late_answer = made_text(made, "y\nes");
    made_entry(made, 1, 1008, 0, 1)->late = 3; /* there is no third */
    made_entry(made, 2, 1009, 0, 1)->late = 2;
    made->entries[2].late_answer = 100000; /* beyond the text */
    reading r = read_well(made);
    assert_int_equal(r.applied_count, 2);
    assert_int_equal(r.applied_dropped, 3);
    assert_int_equal(r.applied[0].ns, 5);
    assert_string_equal(r.applied[0].profile, "apple.min=7");
    assert_string_equal(r.applied[1].profile, "");
    assert_int_equal(r.questions[2].argument, 1007);
    assert_true(r.late[2].is_late);
    assert_int_equal(r.late[2].applied, 0);
    assert_string_equal(r.late[2].answer, "y?es");
    assert_false(r.late[1].is_late);
    assert_true(r.late[0].is_late);
    assert_string_equal(r.late[0].answer, "");
    mtlcap__trace_reading_free(&r);
    made->applied[0].ns = 0; /* is being written */
    r = read_well(made);
    assert_int_equal(r.applied_count, 0);
    assert_false(r.late[2].is_late);
    done(made, &r);
}

static void derived_is_what_differs_without_a_rule(void **state) {
    (void)state;
    struct made *made = made_new();
    made_entry(made, 0, 1007, 1, 1)->stock[0] = 0;
    struct mtlcap__trace_entry *unknown = made_entry(made, 1, 1008, 1, 1);
    unknown->stock[0] = 0;
    unknown->flags = 0;
    made_entry(made, 2, 1009, 1, 1);
    reading r = read_well(made);
    assert_int_equal(r.info.question_count, 3);
    assert_int_equal(r.questions[0].derived, 0); /* 1009, asked first */
    assert_int_equal(r.questions[1].derived, 0);
    assert_int_equal(r.questions[1].stock_known, 0);
    assert_int_equal(r.questions[2].derived, 1);
    done(made, &r);
}

static void the_same_question_is_one_row(void **state) {
    (void)state;
    struct made *made = made_new();
    made_entry(made, 0, 1007, 1, 5);
    made_entry(made, 1, 1007, 1, 7)->threads = 2; /* earlier: two threads filled one each */
    made_entry(made, 2, 1007, 0, 1);              /* another answer */
    made_entry(made, 4, 1007, 1, 1)->caller++;
    made_entry(made, 5, 1007, 1, 1)->device = 1;
    made_entry(made, 6, 1007, 1, 1)->decided = 1;
    made_entry(made, 7, 1008, 1, 1);
    made_entry(made, 8, 1007, 1, 100)->state = MTLCAP__TRACE_FILLING;
    made_entry(made, 9, 1007, 1, 0);
    reading r = read_well(made);
    assert_int_equal(r.info.question_count, 6);
    assert_int_equal(r.info.asked, 17);
    assert_int_equal(r.questions[5].count, 12);
    assert_int_equal(r.questions[5].first_ns, 99);
    assert_int_equal(r.questions[5].thread_count, 2);
    for (size_t i = 1; i < 6; i++)
        assert_true(r.questions[i - 1].first_ns <= r.questions[i].first_ns);
    done(made, &r);
}

static void an_answer_that_does_not_count(void **state) {
    (void)state;
    struct made *made = made_new();
    for (size_t i = 0; i < 3; i++) {
        struct mtlcap__trace_entry *entry = made_entry(made, i, 0, i, 1);
        entry->row = MADE_MEMORY;
        entry->capability = MADE_MEMORY;
        entry->flags |= MTLCAP__TRACE_ANY_ANSWER;
    }
    reading r = read_well(made);
    assert_int_equal(r.info.question_count, 1);
    assert_int_equal(r.questions[0].count, 3);
    assert_string_equal(r.questions[0].answer, "2"); /* the first one's */
    done(made, &r);
}

static void arguments_have_names(void **state) {
    static const struct {
        int row, speaks;
        int64_t argument;
        const char *name;
    } cases[] = {
        {MADE_APPLE, MADE_APPLE, 1001, "MTLGPUFamilyApple1"},
        {MADE_APPLE, MADE_APPLE, 1010, "MTLGPUFamilyApple10"},
        {MADE_APPLE, MADE_APPLE, 1021, "1021, no family of Metal's that is known"},
        {MADE_APPLE, MADE_METAL, 5001, "MTLGPUFamilyMetal3"},
        {MADE_APPLE, MADE_METAL, 5006, "5006, no family of Metal's that is known"},
        {MADE_APPLE, -1, 7, "7, no family of Metal's that is known"},
        {MADE_APPLE, -1, INT64_MIN, "-9223372036854775808, no family of Metal's that is known"},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct made *made = made_new();
        struct mtlcap__trace_entry *entry = made_entry(made, 0, cases[i].argument, 0, 1);
        entry->row = (uint16_t)cases[i].row;
        entry->capability = cases[i].speaks;
        reading r = read_well(made);
        assert_string_equal(r.questions[0].argument_name, cases[i].name);
        assert_string_equal(r.questions[0].capability,
                            cases[i].speaks < 0 ? "" : made->capabilities[cases[i].speaks].key);
        done(made, &r);
    }
}

static void numbers_and_text(void **state) {
    (void)state;
    struct made *made = made_new();
    struct mtlcap__trace_entry *entry = made_entry(made, 0, 0, 32768, 1);
    entry->row = MADE_MEMORY;
    entry->capability = MADE_MEMORY;
    entry = made_entry(made, 1, 0, 0, 1);
    entry->row = MADE_METAL;
    entry->capability = MADE_METAL;
    entry->text = made_text(made, "Apple\nM1");
    entry->image = made_text(made, "/lib/resolved");
    entry->symbol = made_text(made, "ask_it");
    made->capabilities[MADE_METAL].shape = MTLCAP__TRACE_OBJECT;
    reading r = read_well(made);
    assert_string_equal(r.questions[0].answer, "Apple?M1");
    assert_string_equal(r.questions[0].stock, "Apple?M1");
    assert_string_equal(r.questions[0].image, "/lib/resolved");
    assert_string_equal(r.questions[0].symbol, "ask_it");
    assert_int_equal(r.questions[0].has_argument, 0);
    assert_string_equal(r.questions[1].answer, "32768");
    done(made, &r);
}

static void events_lead_to_questions(void **state) {
    (void)state;
    struct made *made = made_new();
    made_entry(made, 5, 1007, 1, 2);
    made_entry(made, 9, 1008, 1, 2); /* earlier */
    made->events[0] = (struct mtlcap__trace_event){10, 6, 1};
    made->events[1] = (struct mtlcap__trace_event){11, 0, 0}; /* not written yet */
    made->events[2] = (struct mtlcap__trace_event){12, 10, 2};
    made->events[3] = (struct mtlcap__trace_event){13, 99, 0}; /* nonsense */
    made->head.event_count = 11;
    reading r = read_well(made);
    assert_int_equal(r.info.event_count, 2);
    assert_int_equal(r.info.events_dropped, 7);
    assert_int_equal(r.events[0].ns, 10);
    assert_int_equal(r.events[0].question, 1);
    assert_int_equal(r.events[0].thread, 1);
    assert_int_equal(r.events[1].question, 0);
    assert_int_equal(r.events[1].thread, 2);
    done(made, &r);
}

static void what_is_not_watched(void **state) {
    (void)state;
    struct made *made = made_new();
    made->unwatched[0] = (struct mtlcap__trace_unwatched){1, 99, 0};
    made->unwatched[1] =
        (struct mtlcap__trace_unwatched){1, MADE_MEMORY, MTLCAP__TRACE_OTHER_SIGNATURE};
    made->head.unwatched_count = 1000;
    reading r = read_well(made);
    assert_int_equal(r.info.unwatched_count, 1);
    assert_string_equal(r.unwatched[0].capability, "threadgroup_memory");
    assert_string_equal(r.unwatched[0].device_name, "Apple M1");
    assert_contains(r.unwatched[0].reason, "signature");
    done(made, &r);
}

/* ---- what is wrong --------------------------------------------------------------- */

static void refused(const void *bytes, size_t size, const char *why) {
    reading r;
    assert_int_equal(mtlcap__trace_read(bytes, size, &r), MTLCAP_E_FILE);
    assert_contains(mtlcap__last_error(), why);
    assert_null(r.questions);
}

static void what_is_no_table(void **state) {
    (void)state;
    struct made *made = made_new();
    refused(made, 0, "not the file of a trace");
    refused(made, 15, "not the file of a trace");
    refused("{\n  \"mtlcap_receipt\": 1\n}", 20, "not the file of a trace");
    for (size_t size = 16; size < sizeof *made; size += 8)
        refused(made, size, "cut short");
    made->head.version++;
    refused(made, sizeof *made, "another version");
    made->head.magic[0] = '\0'; /* being made */
    refused(made, sizeof *made, "not the file of a trace");
    free(made);
}

/* Every word of it takes every one of some values: nothing outside is read, whatever is said. */
static void what_is_damaged(void **state) {
    static const uint32_t values[] = {0, 1, 2, 7, 0x7fffffff, 0x80000000, 0xffffffff};
    (void)state;
    struct made *whole = made_new();
    for (size_t i = 0; i < LENGTH(whole->entries); i++)
        made_entry(whole, i, 1000 + (int64_t)i, i & 1, i + 1)->text = 1;
    for (size_t i = 0; i < LENGTH(whole->events); i++)
        whole->events[i] = (struct mtlcap__trace_event){i, (uint32_t)i + 1, 0};
    whole->head.event_count = 4;
    whole->head.unwatched_count = 2;
    struct made *made = malloc(sizeof *made); /* of this size: AddressSanitizer sees the end */
    unsigned read = 0;
    for (size_t at = 0; at < sizeof *whole; at += sizeof(uint32_t))
        for (size_t i = 0; i < LENGTH(values); i++) {
            reading r;
            memcpy(made, whole, sizeof *made);
            memcpy((char *)made + at, &values[i], sizeof values[i]);
            if (!mtlcap__trace_read(made, sizeof *made, &r)) {
                read++;
                mtlcap__trace_reading_free(&r);
            }
        }
    assert_true(read > 1000);
    free(made);
    free(whole);
}

/* ---- files ------------------------------------------------------------------------ */

static void files(void **state) {
    (void)state;
    char path[] = "trace_read_XXXXXX";
    const int descriptor = mkstemp(path);
    struct made *made = made_new();
    made_entry(made, 0, 1007, 1, 1);
    assert_int_equal(write(descriptor, made, sizeof *made), sizeof *made);
    reading r;
    assert_int_equal(mtlcap__trace_read_file(path, &r), MTLCAP_OK);
    assert_int_equal(r.info.question_count, 1);
    mtlcap__trace_reading_free(&r);
    assert_int_equal(ftruncate(descriptor, 100), 0);
    assert_int_equal(mtlcap__trace_read_file(path, &r), MTLCAP_E_FILE);
    assert_contains(mtlcap__last_error(), path);
    assert_contains(mtlcap__last_error(), "cut short: it has 100 bytes");
    assert_int_equal(ftruncate(descriptor, (off_t)1 << 40), 0);
    assert_int_equal(mtlcap__trace_read_file(path, &r), MTLCAP_E_FILE);
    assert_contains(mtlcap__last_error(), "longer than");
    close(descriptor);
    unlink(path);
    assert_int_equal(mtlcap__trace_read_file(path, &r), MTLCAP_E_FILE);
    assert_contains(mtlcap__last_error(), "No such file");
    assert_int_equal(mtlcap__trace_read_file("/", &r), MTLCAP_E_FILE);
    assert_int_equal(mtlcap__trace_read_file("/dev/null", &r), MTLCAP_E_FILE);
    assert_contains(mtlcap__last_error(), "it is no file");
    free(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_about_the_whole),
        cmocka_unit_test(a_question),
        cmocka_unit_test(who_asked_too_early),
        cmocka_unit_test(derived_is_what_differs_without_a_rule),
        cmocka_unit_test(the_same_question_is_one_row),
        cmocka_unit_test(an_answer_that_does_not_count),
        cmocka_unit_test(arguments_have_names),
        cmocka_unit_test(numbers_and_text),
        cmocka_unit_test(events_lead_to_questions),
        cmocka_unit_test(what_is_not_watched),
        cmocka_unit_test(what_is_no_table),
        cmocka_unit_test(what_is_damaged),
        cmocka_unit_test(files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
