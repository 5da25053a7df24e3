/* Malformed profiles: each names the item, its column, and what would be right. */
#include "core/profile_parts.h"
#include "unit.h"

static const struct malformed {
    const char *profile;
    int column;
    const char *item, *right;
} malformed[] = {
    /* nothing */
    {"", 1, "", "write a name, such as auto"},
    {" ", 1, "", "write a name, such as auto"},
    {" \t ", 1, "", "write a name, such as auto"},
    {",", 1, "", "remove a comma"},
    {"auto,", 6, "", "remove a comma"},
    {",auto", 1, "", "remove a comma"},
    {"auto,,stock", 6, "", "remove a comma"},
    {"auto, ,stock", 7, "", "remove a comma"},
    {"auto,\t", 7, "", "remove a comma"},
    /* names */
    {"aut", 1, "aut", "did you mean 'auto'?"},
    {"Auto", 1, "Auto", "did you mean 'auto'?"},
    {"lum", 1, "lum", "did you mean 'lume'?"},
    {"like-m6", 1, "like-m6",
     "did you mean 'like-m1', 'like-m2', 'like-m3', 'like-m4', 'like-m5'?"},
    {"nope", 1, "nope", "profiles are auto, stock"}, /* not the key 'name', which cannot be set */
    {"like_m1", 1, "like_m1", "did you mean 'like-m1'?"},
    {"github", 1, "github", "profiles are auto, stock"},
    {"stock,nonsense", 7, "nonsense", "profiles are auto, stock"},
    {"auto=1", 1, "auto=1", "auto is a profile and takes no value"},
    {"stock,auto.min=7", 7, "auto.min=7", "auto is a profile and takes no value"},
    {"lume=on", 1, "lume=on", "write lume"},
    {"auto,like-m1=7", 6, "like-m1=7", "write like-m1"},
    /* keys */
    {"apple", 1, "apple", "write apple=VALUE; it takes 1 to 10"},
    {"apple.min", 1, "apple.min", "write apple=VALUE"},
    {"auto,metal", 6, "metal", "write metal=VALUE; it takes 3 to 4"},
    {"appel=7", 1, "appel=7", "did you mean 'apple'?"},
    {"Apple=7", 1, "Apple=7", "did you mean 'apple'?"},
    {"auto,metl=off", 6, "metl=off", "did you mean 'metal'?"},
    {"threadgroup-memory=32K", 1, "threadgroup-memory=32K", "'threadgroup_memory'?"},
    {"maxThreadgroupMemoryLength=32K", 1, "maxThreadgroupMemoryLength=32K",
     "'threadgroup_memory'?"},
    {"supportsRaytracing=off", 1, "supportsRaytracing=off", "did you mean 'raytracing'?"},
    {"supportsFamily:=7", 1, "supportsFamily:=7", "apple, mac, common, catalyst, metal"},
    {"xyzzy=7", 1, "xyzzy=7", "keys are apple, metal"},
    {"=7", 1, "=7", "write KEY=VALUE"},
    {".min=7", 1, ".min=7", "write KEY=VALUE"},
    {"=", 1, "=", "write KEY=VALUE"},
    {"==", 1, "==", "write KEY=VALUE"},
    /* bounds */
    {"apple.mim=7", 1, "apple.mim=7", "apple.min=VALUE, apple.max=VALUE"},
    {"apple.=7", 1, "apple.=7", "apple.min=VALUE"},
    {"apple.minimum=7", 1, "apple.minimum=7", "apple.min=VALUE"},
    {"apple.min.max=7", 1, "apple.min.max=7", "apple.min=VALUE"},
    {"apple.MIN=7", 1, "apple.MIN=7", "apple.min=VALUE"},
    {"apple.min=off", 1, "apple.min=off", "write apple=off"},
    {"raytracing.min=on", 1, "raytracing.min=on", "write raytracing=on or raytracing=off"},
    {"raytracing.max=off", 1, "raytracing.max=off", "write raytracing=on or raytracing=off"},
    /* directions */
    {"threads_per_threadgroup.min=8", 1, "threads_per_threadgroup.min=8",
     "write threads_per_threadgroup.max=VALUE"},
    {"texture_sample_count.min=8", 1, "texture_sample_count.min=8",
     "write texture_sample_count.max=VALUE"},
    {"feature_set.min=10005", 1, "feature_set.min=10005", "write feature_set.max=VALUE"},
    {"argument_buffers.max=1", 1, "argument_buffers.max=1", "write argument_buffers.min=VALUE"},
    {"auto,argument_buffers.max=2", 6, "argument_buffers.max=2", "argument encoders, which crash"},
    {"name=M1", 1, "name=M1", "can only be asked: MLX, tinygrad and Metal.jl"},
    {"architecture=applegpu_g13s", 1, "architecture=applegpu_g13s", "can only be asked"},
    {"registry_id=1", 1, "registry_id=1", "registry_id can only be asked"},
    {"location.max=1", 1, "location.max=1", "location can only be asked"},
    {"allocated_size=0", 1, "allocated_size=0", "allocated_size can only be asked"},
    {"concurrent_compilation=on", 1, "concurrent_compilation=on", "can only be asked"},
    /* families */
    {"apple=", 1, "apple=", "a value is missing; apple takes 1 to 10"},
    {"apple.min=", 1, "apple.min=", "a value is missing; apple takes 1 to 10"},
    {"apple=0", 1, "apple=0", "or off"},
    {"apple=11", 1, "apple=11", "apple takes 1 to 10 (or the constants 1001 to 1010)"},
    {"apple.min=1011", 1, "apple.min=1011", "1001 to 1010"},
    {"apple=-7", 1, "apple=-7", "numbers have no sign"},
    {"apple=+7", 1, "apple=+7", "numbers have no sign"},
    {"apple=7.0", 1, "apple=7.0", "numbers have no fraction"},
    {"apple=0x7", 1, "apple=0x7", "numbers are decimal"},
    {"apple=seven", 1, "apple=seven", "apple takes 1 to 10"},
    {"apple=Apple7", 1, "apple=Apple7", "apple takes 1 to 10"},
    {"apple==7", 1, "apple==7", "write one ="},
    {"apple.min==7", 1, "apple.min==7", "write one ="},
    {"auto,apple>=7", 6, "apple>=7", "write apple.min=VALUE"},
    {"apple<=7", 1, "apple<=7", "write apple.max=VALUE"},
    {"apple!=7", 1, "apple!=7", "!= is for what is expected"},
    {"aple>=7", 1, "aple>=7", "did you mean 'apple'?"},
    {">=7", 1, ">=7", "write KEY=VALUE"},
    {"MTLGPUFamilyApple7=on", 1, "MTLGPUFamilyApple7=on", "did you mean 'apple'?"},
    {"apple=7=8", 1, "apple=7=8", "'=8' is left over"},
    {"apple=7K", 1, "apple=7K", "'K' is left over"},
    {"apple=on", 1, "apple=on", "apple takes 1 to 10"},
    {"apple=99999999999999999999", 1, "apple=99999999999999999999", "too large"},
    {"metal=2", 1, "metal=2", "metal takes 3 to 4 (or the constants 5001 to 5002), or off"},
    {"mac=3", 1, "mac=3", "mac takes 1 to 2"},
    {"common=4", 1, "common=4", "common takes 1 to 3"},
    {"catalyst=3", 1, "catalyst=3", "catalyst takes 1 to 2"},
    {"feature_set=1", 1, "feature_set=1", "feature_set takes 10000 to 10005"},
    /* sizes */
    {"threadgroup_memory=", 1, "threadgroup_memory=", "bytes, such as 32768, 32K, 64KiB or 11G"},
    {"threadgroup_memory=32KB", 1, "threadgroup_memory=32KB", "write 32K or 32KiB"},
    {"working_set=1.5G", 1, "working_set=1.5G", "numbers have no fraction"},
    {"working_set=-1", 1, "working_set=-1", "numbers have no sign"},
    {"working_set=0x1000", 1, "working_set=0x1000", "numbers are decimal"},
    {"working_set=11X", 1, "working_set=11X", "K, M, G, T, KiB, MiB, GiB, TiB are"},
    {"working_set=G", 1, "working_set=G", "bytes, such as"},
    {"working_set=18446744073709551616", 1, "working_set=18446744073709551616", "too large"},
    {"working_set=99999999T", 1, "working_set=99999999T", "too large"},
    {"working_set=off", 1, "working_set=off", "bytes, such as"},
    {"compilation_tasks=2K", 1, "compilation_tasks=2K", "a decimal number of tasks"},
    /* other kinds */
    {"argument_buffers=3", 1, "argument_buffers=3", "argument_buffers takes 1 to 2"},
    {"read_write_texture=3", 1, "read_write_texture=3", "read_write_texture takes 0 to 2"},
    {"texture_sample_count=64", 1, "texture_sample_count=64", "takes 1 to 32, or off"},
    {"texture_sample_count=0", 1, "texture_sample_count=0", "takes 1 to 32, or off"},
    {"raytracing=maybe", 1, "raytracing=maybe", "raytracing takes on or off"},
    {"raytracing=", 1, "raytracing=", "raytracing takes on or off"},
    {"raytracing=2", 1, "raytracing=2", "raytracing takes on or off"},
    {"threads_per_threadgroup=8x8", 1, "threads_per_threadgroup=8x8", "WIDTHxHEIGHTxDEPTH"},
    {"threads_per_threadgroup=0", 1, "threads_per_threadgroup=0", "cannot be 0"},
    /* spaces and bytes */
    {"apple = 7", 1, "apple = 7", "without spaces"},
    {"auto metal=off", 1, "auto metal=off", "commas between items"},
    {"stock, apple.min= 7", 8, "apple.min= 7", "without spaces"},
    {"auto\tstock", 1, "auto\tstock", "commas between items"},
    {"auto;stock", 1, "auto;stock", "profiles are auto, stock"},
    {"auto\nstock", 1, "auto\nstock", "byte 0x0A cannot stand in an item"},
    {"auto\r", 1, "auto\r", "byte 0x0D cannot stand in an item"},
    {"stock,\x01", 7, "\x01", "byte 0x01 cannot stand in an item"},
    {"appl\xC3\xA9=7", 1, "appl\xC3\xA9=7", "byte 0xC3 cannot stand in an item"},
    /* the second, the third */
    {"apple.min=7, metal.max=9", 14, "metal.max=9", "metal takes 3 to 4"},
    {"auto ,  apple.max=6 , mac=x", 23, "mac=x", "mac takes 1 to 2"},
    /* files */
    {"@", 1, "@", "write @PATH"},
    {"auto, @", 7, "@", "write @PATH"},
};

/* As the item stands in struct mtlcap_error: what is not printable is replaced. */
static void shown(const char *item, char *text, size_t size) {
    snprintf(text, size, "%s", item);
    for (char *c = text; *c != '\0'; c++)
        if ((unsigned char)*c < 0x20)
            *c = '?';
}

static void each_says_what_where_and_what_would_be_right(void **state) {
    (void)state;
    assert_true(LENGTH(malformed) >= 80);
    for (size_t i = 0; i < LENGTH(malformed); i++) {
        const struct malformed *row = &malformed[i];
        struct mtlcap__profile *profile = (struct mtlcap__profile *)&profile;
        struct mtlcap_error error;
        char item[128];

        if (mtlcap__profile_parse(row->profile, &profile) != MTLCAP_E_PROFILE)
            fail_msg("\"%s\" was taken", row->profile);
        assert_null(profile);
        mtlcap__error_parts(&error);
        shown(row->item, item, sizeof item);
        if (error.status != MTLCAP_E_PROFILE || error.line != 0 || error.column != row->column ||
            strcmp(error.item, item) != 0 || strstr(error.message, row->right) == NULL)
            fail_msg("\"%s\": column %d, '%s': %s", row->profile, error.column, error.item,
                     error.message);
        assert_contains(error.message, item);
    }
}

static void null_is_an_error(void **state) {
    struct mtlcap__profile *profile = (struct mtlcap__profile *)&profile;

    (void)state;
    assert_int_equal(mtlcap__profile_parse(NULL, &profile), MTLCAP_E_ARGUMENT);
    assert_null(profile);
    assert_contains(mtlcap__last_error(), "\"auto\"");
}

static void length_is_limited(void **state) {
    static char text[MTLCAP__PROFILE_MAX_BYTES + 2];
    struct mtlcap__profile *profile;

    (void)state;
    memset(text, ' ', sizeof text - 1);
    memcpy(text, "auto", 4);
    assert_int_equal(mtlcap__profile_parse(text, &profile), MTLCAP_E_PROFILE);
    assert_contains(mtlcap__last_error(), "longer than 64 KiB");
    text[MTLCAP__PROFILE_MAX_BYTES] = '\0';
    assert_int_equal(mtlcap__profile_parse(text, &profile), MTLCAP_OK);
    mtlcap__profile_free(profile);
}

static void number_of_items_is_limited(void **state) {
    static char text[MTLCAP__PROFILE_MAX_BYTES];
    struct mtlcap__profile *profile;
    struct mtlcap_error error;

    (void)state;
    for (int i = 0; i <= MTLCAP__PROFILE_MAX_ITEMS; i++)
        strcat(text + (i > 0 ? 8 * (i - 1) : 0), "apple=7,");
    text[8 * MTLCAP__PROFILE_MAX_ITEMS + 7] = '\0';
    assert_int_equal(mtlcap__profile_parse(text, &profile), MTLCAP_E_PROFILE);
    mtlcap__error_parts(&error);
    assert_int_equal(error.column, 8 * MTLCAP__PROFILE_MAX_ITEMS + 1);
    assert_contains(error.message, "it can have 4096");
    text[8 * MTLCAP__PROFILE_MAX_ITEMS - 1] = '\0';
    assert_int_equal(mtlcap__profile_parse(text, &profile), MTLCAP_OK);
    mtlcap__profile_free(profile);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_says_what_where_and_what_would_be_right),
        cmocka_unit_test(null_is_an_error),
        cmocka_unit_test(length_is_limited),
        cmocka_unit_test(number_of_items_is_limited),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
