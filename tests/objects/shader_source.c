/* The reader of shader texts. */
#include "shader_source.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct simmetal_macro macros[] = {{"BF16", "1"}, {"__METAL_VERSION__", "310"}};

static void append(void *context, const struct simmetal_kernel *kernel) {
    char *names = context;
    sprintf(names + strlen(names), "%.*s=%.*s ", (int)kernel->name_length, kernel->name,
            (int)kernel->implementation_length, kernel->implementation);
}

static void kernels(void **state) {
    (void)state;
    static const struct {
        const char *source, *names;
    } rows[] = {
        {"", ""},
        {"kernel void a(device float *x) { }", "a=a "},
        {"kernel void a(); kernel void b(", "a=a b=b "},
        {"/* kernel void a() {} */ // kernel void b() {}\nkernel void c() {}", "c=c "},
        {"#define K kernel void a() {}\n#define M \\\n kernel void b() {}\nkernel void c() {}",
         "c=c "},
        {"template<typename T> kernel void t(T x) {}", ""},
        {"template [[host_name(\"h\")]] kernel t_t t<float, 2>;", "h=t "},
        {"template [[host_name(\"h\")]] kernel decltype(t<float>) t<float>;", "h=t "},
        {"[[host_name(\"h\")]] kernel void a(int x [[buffer(0)]]) {}", "h=a "},
        {"[[max_total_threads_per_threadgroup(64)]] kernel void a() {}", "a=a "},
        {"#if BF16\nkernel void a() {}\n#else\nkernel void b() {}\n#endif", "a=a "},
        {"#ifdef NO\nkernel void a() {}\n#elif defined(BF16)\nkernel void b() {}\n#endif", "b=b "},
        {"#ifndef NO\n#ifdef NO\nkernel void a() {}\n#endif\nkernel void b() {}\n#endif", "b=b "},
        {"#if __METAL_VERSION__ < 310 || !(1 && BF16)\nkernel void a() {}\n#endif", ""},
        {"#if 0x10 == 16 && __has_include(<x>) != 1\nkernel void a() {}\n#endif", "a=a "},
        {"#undef BF16\n#if BF16\nkernel void a() {}\n#endif", ""},
        {"#if ((((\nkernel void a() {}\n#endif\n#endif\n#else", ""},
        {"host_name(\"unfinished", ""},
        {"kernel", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char names[256] = "";
        char *text = simmetal_shader_preprocess(rows[i].source, macros, 2);
        simmetal_shader_kernels(text, append, names);
        assert_string_equal(names, rows[i].names);
        free(text);
    }
}

static void reaching(void **state) {
    (void)state;
    const char *text = "float leaf(float x) { return simd_sum(x); }\n"
                       "float other(float x) { return x; }\n"
                       "float loop(float x) { return loop(x) + other(x); }\n"
                       "template<typename T> void body(T x) { if (x) { leaf(x); } }\n"
                       "kernel void a() { body(1); }\n"
                       "kernel void b() { loop(2); }\n";
    assert_true(simmetal_shader_reaches(text, "a", "simd_"));
    assert_false(simmetal_shader_reaches(text, "b", "simd_"));
    assert_false(simmetal_shader_reaches(text, "unknown", "simd_"));
}

static void balance(void **state) {
    (void)state;
    unsigned line;
    assert_false(simmetal_shader_unbalanced("a(b[c]{d})\n", &line));
    assert_false(simmetal_shader_unbalanced("\")\"", &line));
    assert_true(simmetal_shader_unbalanced("a\n(\n[\n]", &line));
    assert_int_equal(line, 2);
    assert_true(simmetal_shader_unbalanced("\n\n}", &line));
    assert_int_equal(line, 3);
    assert_true(simmetal_shader_unbalanced("(]", &line));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels),
        cmocka_unit_test(reaching),
        cmocka_unit_test(balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
