/* Well-formed profiles, as the items they become. (Malformed ones: test_profile_errors.c.) */
#include "core/profile_parts.h"
#include "unit.h"

static struct mtlcap__profile *parse(const char *text) {
    struct mtlcap__profile *profile;

    if (mtlcap__profile_parse(text, &profile) != MTLCAP_OK)
        fail_msg("\"%s\": %s", text, mtlcap__last_error());
    return profile;
}

static void assert_item(const struct mtlcap__profile *profile, size_t index,
                        enum mtlcap__capability_id capability, const char *text, uint64_t number) {
    assert_true(index < profile->count);
    const struct mtlcap__item *item = &profile->items[index];
    assert_false(item->is_auto);
    assert_int_equal(item->capability, capability);
    assert_string_equal(item->text, text);
    assert_int_equal(item->number[0], number);
}

static void floor_ceiling_and_both(void **state) {
    struct mtlcap__profile *profile = parse("apple.min=7,apple.max=9,apple=8,apple=off");

    (void)state;
    assert_int_equal(profile->count, 4);
    assert_item(profile, 0, MTLCAP__APPLE, "apple.min=7", 7);
    assert_true(profile->items[0].sets_min && !profile->items[0].sets_max);
    assert_false(profile->items[0].replaces);
    assert_item(profile, 1, MTLCAP__APPLE, "apple.max=9", 9);
    assert_true(!profile->items[1].sets_min && profile->items[1].sets_max);
    assert_item(profile, 2, MTLCAP__APPLE, "apple=8", 8);
    assert_true(profile->items[2].sets_min && profile->items[2].sets_max);
    assert_true(profile->items[2].replaces);
    assert_item(profile, 3, MTLCAP__APPLE, "apple=off", 0);
    assert_true(!profile->items[3].sets_min && profile->items[3].sets_max);
    mtlcap__profile_free(profile);
}

static void value_alone_goes_where_it_can(void **state) {
    struct mtlcap__profile *profile =
        parse("texture_sample_count=4,argument_buffers=2,raytracing=off,vertex_amplification=off");

    (void)state;
    assert_true(profile->items[0].sets_max && !profile->items[0].sets_min); /* only lowered */
    assert_true(profile->items[1].sets_min && !profile->items[1].sets_max); /* only raised */
    assert_true(profile->items[2].sets_min && profile->items[2].sets_max);
    assert_true(profile->items[3].sets_max && !profile->items[3].sets_min);
    mtlcap__profile_free(profile);
}

static void blanks_around_items(void **state) {
    struct mtlcap__profile *profile = parse(" \tapple.min=7\t ,  metal=off ");

    (void)state;
    assert_int_equal(profile->count, 2);
    assert_item(profile, 0, MTLCAP__APPLE, "apple.min=7", 7);
    assert_item(profile, 1, MTLCAP__METAL, "metal=off", 0);
    mtlcap__profile_free(profile);
}

static void items_keep_their_order(void **state) {
    struct mtlcap__profile *profile = parse("metal=off,auto,apple.max=6,lume");

    (void)state;
    assert_int_equal(profile->count, 5);
    assert_item(profile, 0, MTLCAP__METAL, "metal=off", 0);
    assert_true(profile->items[1].is_auto);
    assert_item(profile, 2, MTLCAP__APPLE, "apple.max=6", 6);
    assert_item(profile, 3, MTLCAP__APPLE, "lume: apple.min=9", 9);
    assert_item(profile, 4, MTLCAP__THREADGROUP_MEMORY, "lume: threadgroup_memory.min=64K", 65536);
    mtlcap__profile_free(profile);
}

/* like-m1 is made of like-apple7: the name that was written counts. */
static void rules_are_of_the_profile_that_was_named(void **state) {
    struct mtlcap__profile *profile = parse("like-m1");

    (void)state;
    assert_item(profile, 0, MTLCAP__APPLE, "like-m1: apple=7", 7);
    mtlcap__profile_free(profile);
}

static void stock_has_no_items(void **state) {
    struct mtlcap__profile *profile = parse("stock");

    (void)state;
    assert_int_equal(profile->count, 0);
    assert_false(mtlcap__profile_hides(profile));
    mtlcap__profile_free(profile);
    profile = parse("stock,apple.min=7,stock");
    assert_int_equal(profile->count, 1);
    mtlcap__profile_free(profile);
}

static void hide_hides(void **state) {
    struct mtlcap__profile *profile = parse("apple.max=5,hide");

    (void)state;
    assert_true(mtlcap__profile_hides(profile));
    assert_int_equal(profile->count, 1);
    mtlcap__profile_free(profile);
}

static void long_items_are_cut_in_texts(void **state) {
    char text[300];

    (void)state;
    snprintf(text, sizeof text, "apple.min=%0200d", 7);
    struct mtlcap__profile *profile = parse(text);
    assert_int_equal(profile->items[0].number[0], 7);
    assert_int_equal(strlen(profile->items[0].text), sizeof profile->items[0].text - 1);
    mtlcap__profile_free(profile);
}

static void free_takes_null(void **state) {
    (void)state;
    mtlcap__profile_free(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(floor_ceiling_and_both),
        cmocka_unit_test(value_alone_goes_where_it_can),
        cmocka_unit_test(blanks_around_items),
        cmocka_unit_test(items_keep_their_order),
        cmocka_unit_test(rules_are_of_the_profile_that_was_named),
        cmocka_unit_test(stock_has_no_items),
        cmocka_unit_test(hide_hides),
        cmocka_unit_test(long_items_are_cut_in_texts),
        cmocka_unit_test(free_takes_null),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
