/* Who asked, where libraries come and go. */
#include <dlfcn.h>
#include <string.h>

#include "traced.h"

typedef long asks(void *device, const char *selector, long argument);

static asks *load(const char *path, void **library) {
    asks *found;
    *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!*library)
        fail_msg("%s", dlerror());
    *(void **)&found = dlsym(*library, "asker_asks");
    assert_non_null(found);
    return found;
}

static void unload(const char *path, void *library) {
    assert_int_equal(dlclose(library), 0);
    assert_null(dlopen(path, RTLD_NOW | RTLD_NOLOAD));
}

static void assert_nobody_asked(uint64_t times) {
    const uint32_t count = trace_info().question_count;
    uint64_t asked = 0;
    for (uint32_t i = 0; i < count; i++) {
        assert_string_equal(question_at(i).image, "");
        assert_string_equal(question_at(i).symbol, "");
        asked += question_at(i).count;
    }
    assert_int_equal(asked, times);
}

/* The second comes to where the first was, of which nothing was noted. */
static void another_one_in_its_place(void **state) {
    (void)state;
    void *device = device_at(0), *library;
    start_trace();
    asks *first = load(FIRST_ASKER, &library);
    for (int i = 0; i < 100; i++)
        first(device, "supportsFamily:", 1001);
    unload(FIRST_ASKER, library);
    load(SECOND_ASKER, &library)(device, "supportsFamily:", 1001);
    assert_nobody_asked(101);
    assert_nobody_asked(101);
}

/* The first is known already. */
static void another_one_in_a_known_place(void **state) {
    (void)state;
    void *device = device_at(0), *library;
    start_trace();
    asks *first = load(FIRST_ASKER, &library);
    first(device, "supportsFamily:", 1001);
    assert_non_null(strstr(only("supportsFamily:", 1001, "yes").image, FIRST_ASKER));
    unload(FIRST_ASKER, library);
    asks *second = load(SECOND_ASKER, &library);
    second(device, "supportsFamily:", 1001);
    if (second == first) {
        assert_nobody_asked(2);
        second(device, "supportsFamily:", 1002); /* by now it is known what is there */
        assert_non_null(strstr(only("supportsFamily:", 1002, "yes").image, SECOND_ASKER));
    }
}

/* Nothing was unloaded: what has come is what asked. And the same one, once more, is itself. */
static void one_that_came_later(void **state) {
    (void)state;
    void *device = device_at(0), *library;
    start_trace();
    load(FIRST_ASKER, &library)(device, "supportsFamily:", 1001);
    struct mtlcap_trace_question q = only("supportsFamily:", 1001, "yes");
    assert_non_null(strstr(q.image, FIRST_ASKER));
    assert_string_equal(q.symbol, "asker_asks");
    unload(FIRST_ASKER, library);
    asks *again = load(FIRST_ASKER, &library);
    again(device, "supportsFamily:", 1003);
    q = only("supportsFamily:", 1001, "yes");
    assert_non_null(strstr(q.image, FIRST_ASKER));
}

int main(void) {
    const struct apart tests[] = {
        ON("paravirt", another_one_in_its_place),
        ON("paravirt", another_one_in_a_known_place),
        ON("paravirt", one_that_came_later),
    };
    return RUN_APART(tests);
}
