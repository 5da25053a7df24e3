/* What callers through a foreign-function interface see: they read more of the register than a BOOL
 * has, and must find 0 or 1. */
#include "foreign.h"
#include "support.h"

#define AS_32(code) ((uint32_t (*)(void *, SEL))(code))
#define AS_32_WITH(code) ((uint32_t (*)(void *, SEL, int64_t))(code))
#define AS_LONG_WITH(code) ((long (*)(void *, SEL, int64_t))(code))

static void check_family(void *device, int64_t family, long wanted) {
    const SEL selector = sel_registerName("supportsFamily:");
    const code function = code_for(device, "supportsFamily:");
    assert_int_equal(AS_32_WITH(function)(device, selector, family), wanted);
    assert_int_equal(AS_LONG_WITH(function)(device, selector, family), wanted);
}

static void check_flag(void *device, const char *name, uint64_t wanted) {
    const SEL selector = sel_registerName(name);
    assert_int_equal(AS_32(code_for(device, name))(device, selector), wanted);
    assert_int_equal(AS_ASK(code_for(device, name))(device, selector), wanted);
}

static void a_rule_fills_the_register(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("apple=3,headless=on,unified_memory=off,counter_sampling_draw=on");
    check_family(device, 1003, 1);
    check_family(device, 1004, 0);
    check_flag(device, "isHeadless", 1);
    check_flag(device, "hasUnifiedMemory", 0);
    assert_int_equal(simmetal_ask_with(device, "supportsCounterSampling:", 1), 1);
}

/* An original that sets the lowest byte of the register only, as compiled code may. */
static void passing_through_fills_the_register(void **state) {
    (void)state;
    void *device = device_at(0);
    put_method(class_named("AppleParavirtDevice"), "isHeadless", (code)foreign_constant);
    put_method(class_named("AppleParavirtDevice"), "supportsFamily:", (code)foreign_constant_with);
    foreign_word = UINT64_C(0xDEADBEEFCAFEBA00);
    apply("headless=on,mac.max=1");
    check_flag(device, "isHeadless", 1);
    check_family(device, 1007, 0);
    check_family(device, 2002, 0);
    assert_ok(mtlcap_restore());
    check_flag(device, "isHeadless", 0);
    check_family(device, 1007, 0);
    foreign_word = UINT64_C(0xDEADBEEFCAFEBA01);
    check_flag(device, "isHeadless", 1);
    check_family(device, 1007, 1);
}

/* The library reads such an original's lowest byte, too. */
static void stock_is_the_lowest_byte(void **state) {
    (void)state;
    void *device = device_at(0);
    put_method(class_named("AppleParavirtDevice"), "isHeadless", (code)foreign_constant);
    put_method(class_named("AppleParavirtDevice"), "supportsFamily:", (code)foreign_constant_with);
    foreign_word = UINT64_C(0xDEADBEEFCAFEBA00);
    assert_int_equal(answer_of(device, "headless").stock.number[0], 0);
    assert_int_equal(answer_of(device, "apple").stock.members, 0);
    foreign_word = UINT64_C(0xDEADBEEFCAFEBA01);
    assert_int_equal(answer_of(device, "headless").stock.number[0], 1);
    assert_int_equal(answer_of(device, "apple").stock.number[0], 10);
}

static void a_number_fills_64_bits(void **state) {
    (void)state;
    void *device = device_at(0);
    apply("working_set.min=18446744073709551615");
    assert_true(simmetal_ask(device, "recommendedMaxWorkingSetSize") == UINT64_MAX);
    apply("working_set.min=4294967296"); /* below the stock answer: passes through */
    assert_true(simmetal_ask(device, "recommendedMaxWorkingSetSize") > 4294967296);
    apply("working_set=4294967297");
    assert_true(simmetal_ask(device, "recommendedMaxWorkingSetSize") == 4294967297);
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", a_rule_fills_the_register),
        ON("paravirt", passing_through_fills_the_register),
        ON("paravirt", stock_is_the_lowest_byte),
        ON("paravirt", a_number_fills_64_bits),
    };
    return RUN_APART(tests);
}
