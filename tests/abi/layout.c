/* Numbers that compiled programs carry: statuses, constants, sizes and offsets. They are the same
 * on every platform that the library supports. A released number never changes; a structure grows
 * only at its end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <mtlcap/mtlcap.h>

struct number {
    const char *name;
    long now, pinned;
};

#define STATUS(name, number) {"MTLCAP_" #name, MTLCAP_##name, number}
#define SIZE(type, number) {#type, (long)sizeof(struct type), number}
#define OFFSET(type, member, number)                                                               \
    {#type "." #member, (long)offsetof(struct type, member), number}

static const struct number constants[] = {
    /* clang-format off */
    STATUS(OK, 0),
    STATUS(E_ARGUMENT, -1),
    STATUS(E_NO_MEMORY, -2),
    STATUS(E_UNSUPPORTED, -3),
    STATUS(E_NO_DEVICE, -4),
    STATUS(E_PROFILE, -5),
    STATUS(E_HAZARD, -6),
    STATUS(E_CAPABILITY, -7),
    STATUS(E_NOT_A_DEVICE, -8),
    STATUS(E_SLOTS, -9),
    STATUS(E_NOT_REACHED, -10),
    STATUS(E_FILE, -11),
    STATUS(E_VERSION, -12),
    STATUS(E_BUSY, -13),
    STATUS(E_RUNTIME, -14),
    {"MTLCAP_KIND_FAMILY", MTLCAP_KIND_FAMILY, 1},
    {"MTLCAP_KIND_COUNT", MTLCAP_KIND_COUNT, 2},
    {"MTLCAP_KIND_BOOL", MTLCAP_KIND_BOOL, 3},
    {"MTLCAP_KIND_SIZE", MTLCAP_KIND_SIZE, 4},
    {"MTLCAP_KIND_TIER", MTLCAP_KIND_TIER, 5},
    {"MTLCAP_KIND_SIZE3", MTLCAP_KIND_SIZE3, 6},
    {"MTLCAP_KIND_TEXT", MTLCAP_KIND_TEXT, 7},
    {"MTLCAP_CAN_LOWER", MTLCAP_CAN_LOWER, 1},
    {"MTLCAP_CAN_RAISE", MTLCAP_CAN_RAISE, 2},
    {"MTLCAP_UNKNOWN", MTLCAP_UNKNOWN, -1},
    {"MTLCAP_TRACE_EVENTS_MAX", MTLCAP_TRACE_EVENTS_MAX, 1048576},
    {"MTLCAP_LOG_OFF", MTLCAP_LOG_OFF, 0},
    {"MTLCAP_LOG_ERROR", MTLCAP_LOG_ERROR, 1},
    {"MTLCAP_LOG_WARNING", MTLCAP_LOG_WARNING, 2},
    {"MTLCAP_LOG_INFO", MTLCAP_LOG_INFO, 3},
    {"MTLCAP_LOG_DEBUG", MTLCAP_LOG_DEBUG, 4},
    /* clang-format on */
};

static const struct number structures[] = {
    /* clang-format off */
    SIZE(mtlcap_error, 1208),
    OFFSET(mtlcap_error, struct_size, 0),
    OFFSET(mtlcap_error, status, 8),
    OFFSET(mtlcap_error, line, 12),
    OFFSET(mtlcap_error, column, 16),
    OFFSET(mtlcap_error, reserved, 20),
    OFFSET(mtlcap_error, item, 24),
    OFFSET(mtlcap_error, hazard, 152),
    OFFSET(mtlcap_error, message, 184),
    SIZE(mtlcap_options, 32),
    OFFSET(mtlcap_options, struct_size, 0),
    OFFSET(mtlcap_options, allow, 8),
    OFFSET(mtlcap_options, generation, 16),
    OFFSET(mtlcap_options, nested, 24),
    OFFSET(mtlcap_options, reserved, 28),
    SIZE(mtlcap_value, 160),
    OFFSET(mtlcap_value, number, 0),
    OFFSET(mtlcap_value, members, 24),
    OFFSET(mtlcap_value, text, 32),
    SIZE(mtlcap_answer, 1688),
    OFFSET(mtlcap_answer, struct_size, 0),
    OFFSET(mtlcap_answer, kind, 8),
    OFFSET(mtlcap_answer, stock_known, 12),
    OFFSET(mtlcap_answer, overridden, 16),
    OFFSET(mtlcap_answer, derived, 20),
    OFFSET(mtlcap_answer, stock, 24),
    OFFSET(mtlcap_answer, effective, 184),
    OFFSET(mtlcap_answer, capability, 344),
    OFFSET(mtlcap_answer, rule, 408),
    OFFSET(mtlcap_answer, source, 664),
    SIZE(mtlcap_check, 912),
    OFFSET(mtlcap_check, struct_size, 0),
    OFFSET(mtlcap_check, met, 8),
    OFFSET(mtlcap_check, reserved, 12),
    OFFSET(mtlcap_check, capability, 16),
    OFFSET(mtlcap_check, expected, 80),
    OFFSET(mtlcap_check, found, 208),
    OFFSET(mtlcap_check, message, 400),
    SIZE(mtlcap_device, 280),
    OFFSET(mtlcap_device, struct_size, 0),
    OFFSET(mtlcap_device, device, 8),
    OFFSET(mtlcap_device, paravirtual, 16),
    OFFSET(mtlcap_device, adopted, 20),
    OFFSET(mtlcap_device, name, 24),
    OFFSET(mtlcap_device, class_name, 152),
    SIZE(mtlcap_capability, 56),
    OFFSET(mtlcap_capability, struct_size, 0),
    OFFSET(mtlcap_capability, key, 8),
    OFFSET(mtlcap_capability, selector, 16),
    OFFSET(mtlcap_capability, unit, 24),
    OFFSET(mtlcap_capability, hazard, 32),
    OFFSET(mtlcap_capability, summary, 40),
    OFFSET(mtlcap_capability, kind, 48),
    OFFSET(mtlcap_capability, change, 52),
    SIZE(mtlcap_profile, 40),
    OFFSET(mtlcap_profile, struct_size, 0),
    OFFSET(mtlcap_profile, name, 8),
    OFFSET(mtlcap_profile, rules, 16),
    OFFSET(mtlcap_profile, summary, 24),
    OFFSET(mtlcap_profile, source, 32),
    SIZE(mtlcap_hazard, 48),
    OFFSET(mtlcap_hazard, struct_size, 0),
    OFFSET(mtlcap_hazard, name, 8),
    OFFSET(mtlcap_hazard, when, 16),
    OFFSET(mtlcap_hazard, breaks, 24),
    OFFSET(mtlcap_hazard, source, 32),
    OFFSET(mtlcap_hazard, refuses, 40),
    OFFSET(mtlcap_hazard, reserved, 44),
    SIZE(mtlcap_explanation, 24),
    OFFSET(mtlcap_explanation, struct_size, 0),
    OFFSET(mtlcap_explanation, status, 8),
    OFFSET(mtlcap_explanation, rule_count, 12),
    OFFSET(mtlcap_explanation, finding_count, 16),
    OFFSET(mtlcap_explanation, reserved, 20),
    SIZE(mtlcap_rule, 592),
    OFFSET(mtlcap_rule, struct_size, 0),
    OFFSET(mtlcap_rule, device, 8),
    OFFSET(mtlcap_rule, capability, 16),
    OFFSET(mtlcap_rule, rule, 80),
    OFFSET(mtlcap_rule, stock, 336),
    OFFSET(mtlcap_rule, effective, 464),
    SIZE(mtlcap_finding, 816),
    OFFSET(mtlcap_finding, struct_size, 0),
    OFFSET(mtlcap_finding, refuses, 8),
    OFFSET(mtlcap_finding, allowed, 12),
    OFFSET(mtlcap_finding, hazard, 16),
    OFFSET(mtlcap_finding, rule, 48),
    OFFSET(mtlcap_finding, message, 304),
    SIZE(mtlcap_report, 816),
    OFFSET(mtlcap_report, struct_size, 0),
    OFFSET(mtlcap_report, generation, 8),
    OFFSET(mtlcap_report, device_count, 16),
    OFFSET(mtlcap_report, class_count, 20),
    OFFSET(mtlcap_report, hook_count, 24),
    OFFSET(mtlcap_report, change_count, 28),
    OFFSET(mtlcap_report, derived_count, 32),
    OFFSET(mtlcap_report, finding_count, 36),
    OFFSET(mtlcap_report, profile, 40),
    OFFSET(mtlcap_report, allowed, 552),
    OFFSET(mtlcap_report, published, 808),
    SIZE(mtlcap_change, 600),
    OFFSET(mtlcap_change, struct_size, 0),
    OFFSET(mtlcap_change, device, 8),
    OFFSET(mtlcap_change, derived, 16),
    OFFSET(mtlcap_change, reserved, 20),
    OFFSET(mtlcap_change, capability, 24),
    OFFSET(mtlcap_change, rule, 88),
    OFFSET(mtlcap_change, stock, 344),
    OFFSET(mtlcap_change, effective, 472),
    SIZE(mtlcap_trace_options, 24),
    OFFSET(mtlcap_trace_options, struct_size, 0),
    OFFSET(mtlcap_trace_options, file, 8),
    OFFSET(mtlcap_trace_options, events, 16),
    OFFSET(mtlcap_trace_options, reserved, 20),
    SIZE(mtlcap_trace, 48),
    OFFSET(mtlcap_trace, struct_size, 0),
    OFFSET(mtlcap_trace, asked, 8),
    OFFSET(mtlcap_trace, dropped, 16),
    OFFSET(mtlcap_trace, events_dropped, 24),
    OFFSET(mtlcap_trace, question_count, 32),
    OFFSET(mtlcap_trace, event_count, 36),
    OFFSET(mtlcap_trace, unwatched_count, 40),
    OFFSET(mtlcap_trace, active, 44),
    SIZE(mtlcap_trace_question, 2112),
    OFFSET(mtlcap_trace_question, struct_size, 0),
    OFFSET(mtlcap_trace_question, count, 8),
    OFFSET(mtlcap_trace_question, first_ns, 16),
    OFFSET(mtlcap_trace_question, caller, 24),
    OFFSET(mtlcap_trace_question, argument, 32),
    OFFSET(mtlcap_trace_question, has_argument, 40),
    OFFSET(mtlcap_trace_question, stock_known, 44),
    OFFSET(mtlcap_trace_question, overridden, 48),
    OFFSET(mtlcap_trace_question, derived, 52),
    OFFSET(mtlcap_trace_question, thread_count, 56),
    OFFSET(mtlcap_trace_question, kind, 60),
    OFFSET(mtlcap_trace_question, capability, 64),
    OFFSET(mtlcap_trace_question, selector, 128),
    OFFSET(mtlcap_trace_question, argument_name, 192),
    OFFSET(mtlcap_trace_question, answer, 320),
    OFFSET(mtlcap_trace_question, stock, 448),
    OFFSET(mtlcap_trace_question, class_name, 576),
    OFFSET(mtlcap_trace_question, device_name, 704),
    OFFSET(mtlcap_trace_question, image, 832),
    OFFSET(mtlcap_trace_question, symbol, 1856),
    SIZE(mtlcap_trace_event, 24),
    OFFSET(mtlcap_trace_event, struct_size, 0),
    OFFSET(mtlcap_trace_event, ns, 8),
    OFFSET(mtlcap_trace_event, question, 16),
    OFFSET(mtlcap_trace_event, thread, 20),
    SIZE(mtlcap_trace_unwatched, 520),
    OFFSET(mtlcap_trace_unwatched, struct_size, 0),
    OFFSET(mtlcap_trace_unwatched, capability, 8),
    OFFSET(mtlcap_trace_unwatched, selector, 72),
    OFFSET(mtlcap_trace_unwatched, class_name, 136),
    OFFSET(mtlcap_trace_unwatched, device_name, 264),
    OFFSET(mtlcap_trace_unwatched, reason, 392),
    SIZE(mtlcap_machine, 264),
    OFFSET(mtlcap_machine, struct_size, 0),
    OFFSET(mtlcap_machine, memory, 8),
    OFFSET(mtlcap_machine, virtual_machine, 16),
    OFFSET(mtlcap_machine, apple_silicon, 20),
    OFFSET(mtlcap_machine, chip_family, 24),
    OFFSET(mtlcap_machine, os_major, 28),
    OFFSET(mtlcap_machine, os_minor, 32),
    OFFSET(mtlcap_machine, simulated, 36),
    OFFSET(mtlcap_machine, chip, 40),
    OFFSET(mtlcap_machine, model, 168),
    OFFSET(mtlcap_machine, os_version, 232),
    /* clang-format on */
};

static void check(const struct number *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (numbers[i].now != numbers[i].pinned)
            fail_msg("%s is %ld, but was %ld", numbers[i].name, numbers[i].now, numbers[i].pinned);
    }
}

static void constants_are_pinned(void **state) {
    (void)state;
    check(constants, sizeof constants / sizeof constants[0]);
}

static void no_status_is_missing_here(void **state) {
    (void)state;
#define ONE(name, number, meaning) +1
    size_t statuses = 0 MTLCAP_STATUS_MAP(ONE);
#undef ONE
    size_t listed = 0;
    while (listed < sizeof constants / sizeof constants[0] && constants[listed].pinned <= 0)
        listed++;
    assert_int_equal(listed, statuses);
}

static void structures_are_pinned(void **state) {
    (void)state;
    check(structures, sizeof structures / sizeof structures[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_pinned),
        cmocka_unit_test(no_status_is_missing_here),
        cmocka_unit_test(structures_are_pinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
