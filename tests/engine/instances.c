/* One instance in a process: of two copies of the library the second works for the first. */
#include <stdio.h>
#include <string.h>

#include "copies.h"
#include "core/instance.h"
#include "support.h"

static struct mtlcap_answer query(const struct copy *copy, void *device, const char *capability) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    if (copy->query(device, capability, &answer))
        fail_msg("%s", copy->last_error());
    return answer;
}

static void the_second_copy_delegates(void **state) {
    (void)state;
    void *device = device_at(0);
    const struct copy first = load_copy(FIRST_COPY), second = load_copy(SECOND_COPY);
    assert_ptr_not_equal(first.apply_profile, second.apply_profile);
    assert_int_equal(first.apply_profile("auto", NULL), MTLCAP_OK);
    assert_int_equal(highest_family(device, 1000), 1007);

    assert_int_equal(second.is_active(), 1);
    assert_int_equal(second.generation(), first.generation());
    const struct mtlcap_answer answer = query(&second, device, "apple");
    assert_int_equal(answer.stock.number[0], 5);
    assert_int_equal(answer.effective.number[0], 7);
    assert_string_equal(answer.rule, "auto: apple.min=7");
    assert_string_equal(answer.source, "Metal");

    assert_int_equal(second.apply_profile("apple.max=3", NULL), MTLCAP_OK);
    assert_int_equal(highest_family(device, 1000), 1003);
    assert_int_equal(query(&first, device, "apple").stock.number[0], 5);
    struct mtlcap_report report = MTLCAP_REPORT_INIT;
    assert_int_equal(first.report_info(&report), MTLCAP_OK);
    assert_string_equal(report.profile, "apple.max=3");
    assert_int_equal(report.hook_count, 1); /* of both together */
    assert_int_equal(second.restore(), MTLCAP_OK);
    assert_int_equal(highest_family(device, 1000), 1005);
    assert_int_equal(first.is_active(), 0);
}

static void either_restores(void **state) {
    (void)state;
    void *device = device_at(0);
    const struct copy first = load_copy(FIRST_COPY), second = load_copy(SECOND_COPY);
    assert_int_equal(second.generation(), 0); /* this one is asked first */
    assert_int_equal(first.apply_profile("auto", NULL), MTLCAP_OK);
    const uint64_t generation = second.generation();
    assert_int_equal(second.apply_profile("apple.max=4", NULL), MTLCAP_OK);
    assert_int_equal(first.restore_generation(generation), MTLCAP_OK); /* superseded */
    assert_int_equal(highest_family(device, 1000), 1004);
    assert_int_equal(first.restore(), MTLCAP_OK);
    assert_int_equal(highest_family(device, 1000), 1005);
}

/* What is nested in another copy's profile puts that back, for its owner to restore. */
static void nested_over_another_copys(void **state) {
    (void)state;
    void *device = device_at(0);
    const struct copy first = load_copy(FIRST_COPY), second = load_copy(SECOND_COPY);
    uint64_t outer = 0, inner = 0;
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.nested = 1;
    options.generation = &outer;
    assert_int_equal(first.apply_profile("apple.min=6", &options), MTLCAP_OK);
    options.generation = &inner;
    assert_int_equal(second.apply_profile("apple.max=4", &options), MTLCAP_OK);
    assert_int_equal(second.restore_generation(inner), MTLCAP_OK);
    assert_int_equal(first.generation(), outer);
    assert_int_equal(highest_family(device, 1000), 1006);
    assert_int_equal(first.restore_generation(outer), MTLCAP_OK);
    assert_int_equal(highest_family(device, 1000), 1005);
}

/* What one notes, the other tells: it is one trace. */
static void one_trace(void **state) {
    (void)state;
    void *device = device_at(0);
    const struct copy first = load_copy(FIRST_COPY), second = load_copy(SECOND_COPY);
    assert_int_equal(second.generation(), 0);
    assert_int_equal(first.trace_start(NULL), MTLCAP_OK);
    assert_int_equal(first.apply_profile("auto", NULL), MTLCAP_OK);
    supports_family(device, 1007);
    query(&first, device, "apple"); /* is neither's question */
    struct mtlcap_trace trace = MTLCAP_TRACE_INIT;
    struct mtlcap_trace_question question = MTLCAP_TRACE_QUESTION_INIT;
    const struct copy *const copies[] = {&first, &second};
    for (int i = 0; i < 2; i++) {
        assert_int_equal(copies[i]->trace_info(&trace), MTLCAP_OK);
        assert_int_equal(trace.active, 1);
        assert_int_equal(trace.asked, 1);
        assert_int_equal(copies[i]->trace_question_info(0, &question), MTLCAP_OK);
        assert_string_equal(question.argument_name, "MTLGPUFamilyApple7");
        assert_string_equal(question.stock, "no");
    }
    assert_int_equal(second.trace_stop(), MTLCAP_OK);
    assert_int_equal(first.trace_info(&trace), MTLCAP_OK);
    assert_int_equal(trace.active, 0);
}

static void errors_come_from_where_they_are(void **state) {
    (void)state;
    const struct copy first = load_copy(FIRST_COPY), second = load_copy(SECOND_COPY);
    assert_int_equal(first.generation(), 0);
    assert_int_equal(second.apply_profile("apple.min=77", NULL), MTLCAP_E_PROFILE);
    assert_non_null(strstr(second.last_error(), "apple.min=77"));
    struct mtlcap_error error = MTLCAP_ERROR_INIT;
    assert_int_equal(second.last_error_info(&error), MTLCAP_OK);
    assert_string_equal(error.item, "apple.min=77");
    /* what needs no instance fails in the copy itself */
    struct mtlcap_capability capability = MTLCAP_CAPABILITY_INIT;
    assert_int_equal(second.capability_info(9999, &capability), MTLCAP_E_CAPABILITY);
    assert_non_null(strstr(second.last_error(), "9999"));
    assert_int_equal(second.machine_info(NULL), MTLCAP_E_ARGUMENT);
    assert_null(strstr(second.last_error(), "9999"));
    assert_int_equal(second.last_error_info(&error), MTLCAP_OK);
    assert_int_equal(error.status, MTLCAP_E_ARGUMENT);
}

/* ---- a first copy of another version ------------------------------------------ */

static struct {
    struct mtlcap__instance instance;
    char beyond[64];
} other;

static const void *other_table(void) {
    return &other;
}

/* Publishes a copy of another version, as the library publishes itself. */
static void publish_other(size_t size, int version) {
    other.instance.size = size;
    other.instance.version = version;
    snprintf(other.instance.image, sizeof other.instance.image, "/elsewhere/libmtlcap.so.7");
    Class cls = objc_allocateClassPair((Class)objc_lookUpClass("NSObject"), "MTLCapInstance1", 0);
    assert_non_null(cls);
    class_addMethod(object_getClass((id)cls), sel_registerName("mtlcapTable"),
                    (IMP)(code)other_table, "^v@:");
    objc_registerClassPair(cls);
}

static void check_refused(const struct copy *copy, int status) {
    assert_int_equal(status, MTLCAP_E_VERSION);
    const char *message = copy->last_error();
    if (!strstr(message, "/elsewhere/libmtlcap.so.7") || !strstr(message, FIRST_COPY) ||
        !strstr(message, "0.0.7"))
        fail_msg("%s", message);
}

static void a_first_copy_that_is_too_old(void **state) {
    (void)state;
    void *device = device_at(0);
    publish_other(offsetof(struct mtlcap__instance, restore), 7);
    const struct copy copy = load_copy(FIRST_COPY);
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    struct mtlcap_report report = MTLCAP_REPORT_INIT;
    struct mtlcap_error error = MTLCAP_ERROR_INIT;
    uint32_t count;
    check_refused(&copy, copy.apply_profile("auto", NULL));
    check_refused(&copy, copy.query(device, "apple", &answer));
    check_refused(&copy, copy.restore());
    check_refused(&copy, copy.restore_generation(1));
    check_refused(&copy, copy.report_info(&report));
    check_refused(&copy, copy.device_count(&count));
    check_refused(&copy, copy.adopt_device(device));
    assert_int_equal(copy.generation(), 0);
    assert_int_equal(copy.is_active(), 0);
    assert_int_equal(copy.last_error_info(&error), MTLCAP_OK);
    assert_int_equal(error.status, MTLCAP_E_VERSION);
    assert_int_equal(highest_family(device, 1000), 1005);
    /* what needs no instance */
    struct mtlcap_machine machine = MTLCAP_MACHINE_INIT;
    assert_int_equal(copy.machine_info(&machine), MTLCAP_OK);
    assert_true(copy.capability_count() > 0);
}

static uint64_t generation_of_other(void) {
    return 4711;
}

static int active_of_other(void) {
    return 1;
}

static void a_first_copy_that_is_newer(void **state) {
    (void)state;
    other.instance.generation = generation_of_other;
    other.instance.is_active = active_of_other;
    publish_other(sizeof other, 990000);
    const struct copy copy = load_copy(FIRST_COPY);
    assert_int_equal(copy.generation(), 4711);
    assert_int_equal(copy.is_active(), 1);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", the_second_copy_delegates),
        ON("paravirt", either_restores),
        ON("paravirt", nested_over_another_copys),
        ON("paravirt", one_trace),
        ON("paravirt", errors_come_from_where_they_are),
        ON("paravirt", a_first_copy_that_is_too_old),
        ON("paravirt", a_first_copy_that_is_newer),
    };
    return RUN_APART(tests);
}
