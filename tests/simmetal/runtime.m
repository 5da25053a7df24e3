/* Apple's semantics of method_setImplementation and class_replaceMethod, and GCC's under
 * SIMMETAL_RUNTIME=gcc. Classes: A has f and h; B: A overrides g; D: B overrides g; S: A. All have
 * been sent messages, so that their dispatch tables exist. */
#import "simmetal_test.h"

static uint64_t one(id self, SEL _cmd) {
    return 1;
}
static uint64_t two(id self, SEL _cmd) {
    return 2;
}

static uint64_t three(id self, SEL _cmd) {
    return 3;
}

/* Three selectors whose places in a dispatch table are in the same part of it, so that a class
 * which overrides G has its own copy of the part that F and H are in. Parts are of 32 selectors,
 * numbered as they are registered; where a new part begins, the distance between numbers is
 * another. */
static SEL F, G, H;

static size_t number(SEL selector) {
    return *(const size_t *)(const void *)selector;
}

static int choose_selectors(void **state) {
    SEL made_up[40];
    for (int i = 0; i < 40; i++) {
        char name[16];
        snprintf(name, sizeof name, "madeUp%d", i);
        made_up[i] = sel_registerName(name);
    }
    for (int i = 0; i + 2 < 40; i++) {
        F = made_up[i], G = made_up[i + 1], H = made_up[i + 2];
        if (number(G) - number(F) == number(H) - number(G))
            return 0;
    }
    return -1;
}

static Class made[4]; /* A, B, D, S */
enum { A, B, D, S };

static void add(Class class, SEL selector) {
    assert_true(class_addMethod(class, selector, (IMP)one, "Q16@0:8"));
}

/* New classes, warm; `number` keeps their names apart. */
static void make_classes(int number) {
    static const struct {
        char letter;
        int superclass;
    } rows[] = {{'A', -1}, {'B', A}, {'D', B}, {'S', A}};
    for (int i = 0; i < 4; i++) {
        char name[32];
        snprintf(name, sizeof name, "Made%d%c", number, rows[i].letter);
        Class superclass = i == A ? [NSObject class] : made[rows[i].superclass];
        made[i] = objc_allocateClassPair(superclass, name, 0);
        if (i == A) {
            add(made[i], F);
            add(made[i], H);
        }
        if (i == B || i == D) /* different functions: GCC shares tables that are equal */
            class_addMethod(made[i], G, (IMP)(i == B ? one : three), "Q16@0:8");
        objc_registerClassPair(made[i]);
    }
}

/* What the four classes answer to `selector`, as digits. */
static const char *answers(SEL selector) {
    static char digits[5];
    for (int i = 0; i < 4; i++) {
        id object = class_createInstance(made[i], 0);
        digits[i] = (char)('0' + ask(object, sel_getName(selector)));
        object_dispose(object);
    }
    return digits;
}

static bool apple(void) {
    const char *runtime = getenv("SIMMETAL_RUNTIME");
    return !runtime || strcmp(runtime, "gcc") != 0;
}

static void set_inherited(void **state) {
    make_classes(1);
    assert_string_equal(answers(F), "1111");
    Method method = class_getInstanceMethod(made[B], F);
    assert_true(method_setImplementation(method, (IMP)two) == (IMP)one);
    /* GCC: B and D have copies of the part of the table that g is in, so they stay as they were. */
    assert_string_equal(answers(F), apple() ? "2222" : "2112");
    if (apple())
        assert_null(method_setImplementation(method, NULL));
}

static void replace_inherited(void **state) {
    make_classes(2);
    answers(F);
    IMP old = class_replaceMethod(made[B], F, (IMP)two, "Q16@0:8");
    if (apple()) {
        assert_null(old);
        assert_string_equal(answers(F), "1221");
    } else {
        assert_true(old == (IMP)one);
        assert_string_equal(answers(F), "2112");
    }
}

static void replace_own(void **state) {
    make_classes(3);
    add(made[B], H);
    answers(H);
    /* D overrides g again, and so has a copy of its own. */
    IMP old = class_replaceMethod(made[B], H, (IMP)two, "Q16@0:8");
    assert_true(old == (IMP)one);
    assert_string_equal(answers(H), apple() ? "1221" : "1211");
}

static void add_inherited(void **state) {
    make_classes(4);
    answers(F);
    assert_true(class_addMethod(made[B], F, (IMP)two, "Q16@0:8"));
    assert_false(class_addMethod(made[B], F, (IMP)two, "Q16@0:8"));
    assert_string_equal(answers(F), "1221");
}

/* A subclass that has its own method keeps it. */
static void set_overridden(void **state) {
    make_classes(5);
    add(made[D], F);
    answers(F);
    Method method = class_getInstanceMethod(made[A], F);
    method_setImplementation(method, (IMP)two);
    assert_string_equal(answers(F), apple() ? "2212" : "2112");
}

static void class_methods(void **state) {
    make_classes(6);
    Class meta = object_getClass((id)made[A]);
    add(meta, sel_registerName("madeClass"));
    for (int i = 0; i < 4; i++)
        assert_int_equal(ask(made[i], "madeClass"), 1);
    add(object_getClass((id)made[B]), sel_registerName("madeOther"));
    for (int i = 0; i < 4; i++)
        assert_int_equal(ask(made[i], "madeClass"), 1);
    method_setImplementation(class_getInstanceMethod(meta, sel_registerName("madeClass")),
                             (IMP)two);
    assert_int_equal(ask(made[A], "madeClass"), 2);
    if (apple())
        for (int i = 0; i < 4; i++)
            assert_int_equal(ask(made[i], "madeClass"), 2);
}

static void bad_arguments(void **state) {
    if (!apple())
        return; /* GCC's functions crash */
    assert_null(class_replaceMethod(Nil, F, (IMP)one, "Q16@0:8"));
    assert_null(class_replaceMethod([NSObject class], NULL, (IMP)one, "Q16@0:8"));
    assert_null(method_setImplementation(NULL, (IMP)one));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(set_inherited),  cmocka_unit_test(replace_inherited),
        cmocka_unit_test(replace_own),    cmocka_unit_test(add_inherited),
        cmocka_unit_test(set_overridden), cmocka_unit_test(class_methods),
        cmocka_unit_test(bad_arguments),
    };
    @autoreleasepool {
        return cmocka_run_group_tests(tests, choose_selectors, NULL);
    }
}
