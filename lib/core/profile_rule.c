/* Rules in profiles: KEY=VALUE, KEY.min=VALUE, KEY.max=VALUE. */
#include <stdio.h>
#include <string.h>

#include "profile_parts.h"
#include "suggest.h"

#define FAIL(place, ...) MTLCAP__FAIL_ITEM(MTLCAP_E_PROFILE, place, __VA_ARGS__)

/* The built-in profiles that are `distance` from a word: of like-m6, several are as near. */
static void list_near_profiles(const struct mtlcap__place *place, size_t length, size_t distance,
                               char *names, size_t size) {
    names[0] = '\0';
    for (size_t i = 0; i < mtlcap__builtin_count; i++) {
        struct mtlcap__suggestion near = {.word = place->text, .length = length};
        const size_t used = strlen(names);
        mtlcap__suggest(&near, mtlcap__builtins[i].name);
        if (near.best != NULL && near.distance == distance)
            snprintf(names + used, size - used, "%s%s", used > 0 ? "', '" : "", near.best);
    }
}

int mtlcap__fail_unknown_word(const struct mtlcap__place *place, size_t length, const char *what) {
    const char *key = mtlcap__capability_suggest(place->text, length, true);
    struct mtlcap__suggestion suggestion = {.word = place->text, .length = length};
    char keys[256];

    if (key == NULL && mtlcap__capability_keys(place->text, length, keys, sizeof keys))
        return FAIL(place, "%s; several keys ask it: %s", what, keys);
    if (key != NULL)
        mtlcap__suggest(&suggestion, key);
    for (size_t i = 0; i < mtlcap__builtin_count; i++)
        mtlcap__suggest(&suggestion, mtlcap__builtins[i].name);
    char names[256] = "";
    if (suggestion.best != NULL && suggestion.best != key) {
        list_near_profiles(place, length, suggestion.distance, names, sizeof names);
        key = names;
    }
    if (key != NULL)
        return FAIL(place, "%s; did you mean '%s'?", what, key);
    return FAIL(place,
                "%s; profiles are auto, stock, like-m1 and others, keys are apple, metal, "
                "threadgroup_memory and others",
                what);
}

/* The capability can be asked only, or the other direction is the one that it can take. */
static int fail_direction(const struct mtlcap__place *place,
                          const struct mtlcap__capability *capability) {
    const char *key = capability->key;

    if (capability->kind == MTLCAP_KIND_TEXT)
        return FAIL(place,
                    "%s can only be asked: MLX, tinygrad and Metal.jl recognize virtual machines "
                    "by the device's name, and work because they do",
                    key);
    if (capability->change == 0)
        return FAIL(place, "%s can only be asked", key);
    if (capability->change == MTLCAP_CAN_RAISE)
        return FAIL(place,
                    "%s cannot be lowered: that would push programs onto argument encoders, which "
                    "crash; write %s.min=VALUE",
                    key, key);
    return FAIL(place, "%s cannot be raised: no device does more than it says; write %s.max=VALUE",
                key, key);
}

/* `bound` is what stands between key and `=`. */
static int parse_bound(const struct mtlcap__place *place,
                       const struct mtlcap__capability *capability, const char *bound,
                       size_t length, struct mtlcap__item *item) {
    const char *key = capability->key;
    bool is_both = length == 0;
    bool is_min = length == 4 && memcmp(bound, ".min", 4) == 0;
    bool is_max = length == 4 && memcmp(bound, ".max", 4) == 0;

    if (!is_both && !is_min && !is_max)
        return FAIL(place, "a key can be followed by .min or .max: %s.min=VALUE, %s.max=VALUE", key,
                    key);
    item->replaces = is_both;
    item->sets_min = !is_max && (capability->change & MTLCAP_CAN_RAISE) != 0;
    item->sets_max = !is_min && (capability->change & MTLCAP_CAN_LOWER) != 0;
    if (!item->sets_min && !item->sets_max)
        return fail_direction(place, capability);
    if (capability->kind == MTLCAP_KIND_BOOL && !is_both)
        return FAIL(place, "yes and no have neither .min nor .max: write %s=on or %s=off", key,
                    key);
    return MTLCAP_OK;
}

/* `sign` is what stands before the = of an item that is written as an expectation is. */
static int fail_comparison(const struct mtlcap__place *place, const char *key, char sign) {
    if (sign == '!')
        return FAIL(place, "!= is for what is expected of an answer; a rule has = only");
    return FAIL(place, "%c= is for what is expected of an answer; as a rule, write %s.%s=VALUE",
                sign, key, sign == '>' ? "min" : "max");
}

static int parse_value(const struct mtlcap__place *place,
                       const struct mtlcap__capability *capability, const char *value,
                       struct mtlcap__item *item) {
    size_t length = place->length - (size_t)(value - place->text);
    char problem[128], hint[128];

    if (length > 0 && *value == '=')
        return FAIL(place, "write one =");
    if (!mtlcap__value_parse(capability, value, length, item->number, problem, sizeof problem)) {
        mtlcap__value_hint(capability, hint, sizeof hint);
        return FAIL(place, "%s; %s takes %s", problem, capability->key, hint);
    }
    if ((capability->kind != MTLCAP_KIND_FAMILY && capability->kind != MTLCAP_KIND_COUNT) ||
        item->number[0] > 0)
        return MTLCAP_OK;

    /* off */
    if (!item->sets_max)
        return FAIL(place, "off is not a minimum: write %s=off for none at all", capability->key);
    item->sets_min = false;
    return MTLCAP_OK;
}

int mtlcap__rule_parse(const struct mtlcap__place *place, const char *equals,
                       struct mtlcap__item *item) {
    const char *dot = memchr(place->text, '.', (size_t)(equals - place->text));
    const char *key_end = dot != NULL ? dot : equals;
    bool compares = key_end == equals && equals > place->text && strchr("<>!", equals[-1]) != NULL;
    size_t key_length = (size_t)(key_end - place->text) - compares;

    if (key_length == 0)
        return FAIL(place, "there is no key before '%c': write KEY=VALUE", place->text[0]);
    const struct mtlcap__capability *capability =
        mtlcap__capability_by_key(place->text, key_length);
    if (capability == NULL) {
        const struct mtlcap__builtin *builtin = mtlcap__builtin_by_name(place->text, key_length);
        if (builtin != NULL)
            return FAIL(place, "%s is a profile and takes no value: write %s", builtin->name,
                        builtin->name);
        return mtlcap__fail_unknown_word(place, key_length, "there is no such key");
    }
    if (compares)
        return fail_comparison(place, capability->key, equals[-1]);
    *item = (struct mtlcap__item){.capability = mtlcap__capability_index(capability)};
    int status = parse_bound(place, capability, key_end, (size_t)(equals - key_end), item);
    return status == MTLCAP_OK ? parse_value(place, capability, equals + 1, item) : status;
}
