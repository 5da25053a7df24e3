/* Each hazard: met, not met, allowed; at its boundaries. */
#include "core/hazard.h"

#include "core/error.h"
#include "host/host.h"
#include "unit.h"

#define GIB (UINT64_C(1) << 30)

/* ---- the machine and the device of a test; each starts from a plain M1 guest ---- */

static struct mtlcap__host host;
static struct mtlcap__value stock[MTLCAP__CAPABILITY_COUNT];
static bool supported[MTLCAP__CAPABILITY_COUNT];
static struct mtlcap__target target;

static void set_ladder(enum mtlcap__capability_id id, int number) {
    const struct mtlcap__capability *row = &mtlcap__capabilities[id];

    stock[id] = (struct mtlcap__value){.number = {(uint64_t)number}};
    if (number > 0)
        stock[id].members = (UINT64_C(1) << (number - row->named - row->first + 1)) - 1;
}

static int start_from_a_guest(void **state) {
    (void)state;
    host = (struct mtlcap__host){
        .chip = "Apple M1 (Virtual)",
        .os_major = 26,
        .memory = 16 * GIB,
        .virtual_machine = 1,
        .apple_silicon = 1,
        .chip_family = 7,
        .program_sdk = 26,
    };
    target = (struct mtlcap__target){
        .device_name = "Apple Paravirtual device",
        .paravirtual = true,
        .host = &host,
        .stock = stock,
        .supported = supported,
    };
    memset(stock, 0, sizeof stock);
    for (int id = 0; id < MTLCAP__CAPABILITY_COUNT; id++)
        supported[id] = true;
    set_ladder(MTLCAP__APPLE, 5);
    set_ladder(MTLCAP__COMMON, 3);
    stock[MTLCAP__THREADGROUP_MEMORY].number[0] = 32768;
    stock[MTLCAP__WORKING_SET].number[0] = 11 * GIB;
    stock[MTLCAP__BUFFER_LENGTH].number[0] = 8 * GIB;
    stock[MTLCAP__ARGUMENT_BUFFERS].number[0] = 1;
    stock[MTLCAP__UNIFIED_MEMORY].number[0] = 1;
    return 0;
}

static void make_bare(int family) {
    host.virtual_machine = 0;
    host.chip_family = family;
    target.paravirtual = false;
    target.device_name = "Apple M";
    set_ladder(MTLCAP__APPLE, family);
    set_ladder(MTLCAP__MAC, 2);
    set_ladder(MTLCAP__METAL, 4);
}

/* ---- what a profile meets ---- */

static struct mtlcap__finding findings[256];
static size_t count;

static void find_allowing(const char *profile_text, const char *allow) {
    struct mtlcap__profile *profile;
    struct mtlcap__rules rules;
    mtlcap__hazard_set allowed;

    if (mtlcap__profile_parse(profile_text, &profile) != MTLCAP_OK)
        fail_msg("\"%s\": %s", profile_text, mtlcap__last_error());
    assert_int_equal(mtlcap__hazards_parse(allow, &allowed), MTLCAP_OK);
    mtlcap__profile_resolve(profile, target.paravirtual, &host, &rules);
    mtlcap__profile_free(profile);
    count = 0;
    mtlcap__hazards_find(&rules, &target, allowed, findings, LENGTH(findings), &count);
    assert_true(count <= LENGTH(findings));
}

/* The names found, in order of rule and table, joined by spaces. */
static const char *met_by(const char *profile) {
    static char names[512];
    size_t used = 0;

    find_allowing(profile, NULL);
    names[0] = '\0';
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? " " : "",
                                 mtlcap__hazards[findings[i].hazard].name);
    return names;
}

#define assert_meets(profile, names) assert_string_equal(met_by(profile), names)

static void metal(void **state) {
    (void)state;
    assert_meets("metal.min=3", "metal");
    assert_meets("metal=4", "metal");
    assert_meets("metal.max=3", "");
    assert_meets("metal=off", "");
    set_ladder(MTLCAP__METAL, 3);
    assert_meets("metal.min=3", "");
    assert_meets("metal.min=4", "metal");
    assert_meets("metal=off", "");
}

static void mac(void **state) {
    (void)state;
    assert_meets("mac.min=2", "mac");
    assert_meets("mac.min=1", "mac");
    set_ladder(MTLCAP__MAC, 2);
    assert_meets("mac.min=2", "");
    assert_meets("mac=1", "");
}

static void common_and_catalyst_are_free(void **state) {
    (void)state;
    set_ladder(MTLCAP__COMMON, 0);
    assert_meets("common.min=3,catalyst.min=2", "");
}

static void beyond_hardware_in_a_guest(void **state) {
    (void)state;
    assert_meets("apple.min=6", "");
    assert_meets("apple.min=7", ""); /* the host's own */
    assert_meets("apple.min=8", "beyond-hardware");
    assert_meets("apple=10", "beyond-hardware");
    assert_meets("auto", "");
    host.chip_family = 9;
    assert_meets("apple.min=9", "");
    assert_meets("apple.min=10", "beyond-hardware");
}

static void beyond_hardware_where_the_chip_cannot_be_read(void **state) {
    (void)state;
    host.chip_family = 0;
    assert_meets("apple.min=7", "");
    assert_meets("apple.min=8", "beyond-hardware");
    assert_meets("auto", "");
}

static void beyond_hardware_on_an_intel_host(void **state) {
    (void)state;
    host.chip_family = 0;
    host.apple_silicon = 0;
    assert_meets("apple.min=6", "beyond-hardware");
    assert_meets("apple.min=5", ""); /* changes nothing */
    assert_meets("auto", "");
    host.apple_silicon = -1;
    assert_meets("apple.min=6", "beyond-hardware");
}

static void beyond_hardware_on_bare_metal(void **state) {
    (void)state;
    make_bare(9);
    set_ladder(MTLCAP__APPLE, 8); /* a device that says less than its chip */
    assert_meets("apple.min=9", "bare-metal");
    assert_meets("apple.min=10", "beyond-hardware bare-metal");
    host.chip_family = 0;
    host.apple_silicon = 0;
    set_ladder(MTLCAP__APPLE, 0);
    assert_meets("apple.min=1", "beyond-hardware bare-metal");
}

static void threadgroup_memory(void **state) {
    (void)state;
    assert_meets("threadgroup_memory.min=32K", "");
    assert_meets("threadgroup_memory.min=32769", "threadgroup-memory");
    assert_meets("threadgroup_memory=64K", "threadgroup-memory");
    stock[MTLCAP__THREADGROUP_MEMORY].number[0] = 16384;
    assert_meets("threadgroup_memory.min=32K", "");
    stock[MTLCAP__THREADGROUP_MEMORY].number[0] = 65536; /* another shim's */
    assert_meets("threadgroup_memory.min=64K", "");
    assert_meets("threadgroup_memory.max=48K", "");
    assert_meets("threadgroup_memory.max=32K", "");
}

static void small_threadgroup_memory(void **state) {
    (void)state;
    assert_meets("threadgroup_memory.max=32K", "");
    assert_meets("threadgroup_memory.max=32767", "small-threadgroup-memory");
    assert_meets("threadgroup_memory=0", "small-threadgroup-memory");
    stock[MTLCAP__THREADGROUP_MEMORY].number[0] = 16384;
    assert_meets("threadgroup_memory.max=16K", "");
    assert_meets("threadgroup_memory.max=8K", "small-threadgroup-memory");
}

static void working_set(void **state) {
    (void)state;
    assert_meets("working_set.min=16G", "");
    assert_meets("working_set.min=17179869185", "working-set");
    assert_meets("buffer_length.min=16G", "");
    assert_meets("buffer_length.min=17G", "working-set");
    assert_meets("working_set.max=1G,buffer_length=1G", "");
    host.memory = 0; /* cannot be read */
    assert_meets("working_set.min=12G", "working-set");
    assert_meets("working_set.min=11G", "");
}

static void bare_metal(void **state) {
    (void)state;
    make_bare(9);
    stock[MTLCAP__WORKING_SET].number[0] = 11 * GIB;
    assert_meets("working_set.min=12G", "bare-metal");
    assert_meets("working_set.min=11G", "");
    assert_meets("raytracing=on", "bare-metal feature");
    assert_meets("common.min=3", "");
    set_ladder(MTLCAP__COMMON, 0);
    assert_meets("common.min=3", "bare-metal");
    assert_meets("auto", "");
}

static void macos_14_guest(void **state) {
    (void)state;
    host.os_major = 14;
    assert_meets("auto", "macos-14-guest");
    assert_meets("working_set.min=12G", "macos-14-guest");
    assert_meets("working_set.max=1G", "");
    host.os_major = 15;
    assert_meets("auto", "");
    host.os_major = 14;
    make_bare(9);
    set_ladder(MTLCAP__COMMON, 0);
    assert_meets("common.min=3", "bare-metal"); /* no guest */
}

static void pytorch_mpp(void **state) {
    (void)state;
    target.has_torch = true;
    assert_meets("apple.min=6", "");
    assert_meets("apple.min=7", "pytorch-mpp");
    assert_meets("auto", "pytorch-mpp");
    assert_meets("apple.max=5", "");
    set_ladder(MTLCAP__APPLE, 7);
    assert_meets("apple.min=7", "");
}

static void old_sdk_bf16(void **state) {
    (void)state;
    host.program_sdk = 13;
    assert_meets("apple.min=6", "old-sdk-bf16");
    assert_meets("auto", "old-sdk-bf16");
    assert_meets("metal.min=3", "metal old-sdk-bf16");
    assert_meets("common.min=3", "");
    set_ladder(MTLCAP__APPLE, 6);
    assert_meets("apple.min=7", ""); /* has chosen it already */
    set_ladder(MTLCAP__APPLE, 4);
    assert_meets("apple.min=5", "");
    set_ladder(MTLCAP__METAL, 3);
    assert_meets("metal.min=4", "metal");
    host.program_sdk = 14;
    assert_meets("apple.min=6", "");
    host.program_sdk = 0; /* unknown */
    assert_meets("apple.min=6", "");
}

static void live_internals(void **state) {
    (void)state;
    assert_meets("apple.max=4", ""); /* in a guest */
    make_bare(9);
    assert_meets("apple.max=8", "live-internals");
    assert_meets("apple.max=9", "");
    assert_meets("unified_memory=off", "live-internals");
    assert_meets("apple=off,mac=off,metal=off", "live-internals live-internals live-internals");
}

static void feature(void **state) {
    (void)state;
    assert_meets("raytracing=on", "feature");
    assert_meets("counter_sampling_draw=on", "feature");
    assert_meets("argument_buffers.min=2", "feature");
    assert_meets("read_write_texture.min=1", "feature");
    assert_meets("unified_memory=on", ""); /* it is */
    assert_meets("unified_memory=off", "");
    assert_meets("raytracing=off", "");
}

/* ---- what is found ---- */

static void the_published_profile_needs_its_two(void **state) {
    (void)state;
    assert_meets("lume", "beyond-hardware threadgroup-memory");
    host.chip_family = 9;
    assert_meets("lume", "threadgroup-memory");
}

static void auto_is_free_on_a_current_guest(void **state) {
    (void)state;
    for (int family = 7; family <= 10; family++) {
        host.chip_family = family;
        assert_meets("auto", "");
    }
}

static void unsupported_answers_meet_nothing(void **state) {
    (void)state;
    supported[MTLCAP__METAL] = false;
    assert_meets("metal.min=3", "");
}

static void allowed_ones_are_found_too(void **state) {
    (void)state;
    find_allowing("metal.min=3,apple.min=9", "metal");
    assert_int_equal(count, 2);
    assert_int_equal(findings[0].hazard, MTLCAP__HAZARD_BEYOND_HARDWARE);
    assert_false(findings[0].allowed);
    assert_int_equal(findings[1].hazard, MTLCAP__HAZARD_METAL);
    assert_true(findings[1].allowed);
    find_allowing("metal.min=3,apple.min=9", "metal+beyond-hardware");
    assert_true(findings[0].allowed && findings[1].allowed);
}

static void messages_say_it_all(void **state) {
    (void)state;
    assert_meets("lume,metal.min=3", "beyond-hardware metal threadgroup-memory");
    assert_string_equal(findings[0].rule, "lume: apple.min=9");
    assert_contains(findings[0].message, "lume: apple.min=9");
    assert_contains(findings[0].message, "Apple Paravirtual device");
    assert_contains(findings[0].message, "from 5 to 9");
    assert_contains(findings[0].message, mtlcap__hazards[MTLCAP__HAZARD_BEYOND_HARDWARE].breaks);
    assert_contains(findings[1].message, "from off to 3");
    assert_contains(findings[1].message, "; to apply it all the same, allow \"metal\"");
    assert_int_equal(findings[1].reason,
                     strstr(findings[1].message, "; to apply") - findings[1].message);
    assert_contains(findings[2].message, "from 32768 to 65536");
}

/* A rule for every capability that can be moved this way, and a stock answer that it moves. */
static void move_everything(bool up, char *profile, size_t size) {
    size_t used = 0;

    for (int id = 0; id < MTLCAP__CAPABILITY_COUNT; id++) {
        const struct mtlcap__capability *row = &mtlcap__capabilities[id];
        char value[64];
        if ((row->change & (up ? MTLCAP_CAN_RAISE : MTLCAP_CAN_LOWER)) == 0)
            continue;
        stock[id] = (struct mtlcap__value){{0}, 0};
        if (row->kind == MTLCAP_KIND_FAMILY || row->kind == MTLCAP_KIND_COUNT) {
            set_ladder((enum mtlcap__capability_id)id, up ? 0 : (int)(row->last + row->named));
            snprintf(value, sizeof value, up ? ".min=%d" : ".max=off", (int)row->last);
        } else if (row->kind == MTLCAP_KIND_BOOL) {
            stock[id].number[0] = !up;
            snprintf(value, sizeof value, up ? "=on" : "=off");
        } else if (row->kind == MTLCAP_KIND_TIER) {
            stock[id].number[0] = up ? 0 : 2;
            snprintf(value, sizeof value, up ? ".min=2" : ".max=0");
        } else {
            for (int i = 0; i < 3; i++)
                stock[id].number[i] = up ? 0 : UINT64_MAX;
            snprintf(value, sizeof value, up ? ".min=18446744073709551615" : ".max=1");
        }
        used += (size_t)snprintf(profile + used, size - used, "%s%s%s", used > 0 ? "," : "",
                                 row->key, value);
    }
}

/* However long everything is, a message is whole, and ends in how to override. */
static void messages_fit(void **state) {
    static char name[2000], profile[8192];
    mtlcap__hazard_set seen = 0;

    (void)state;
    memset(name, 'n', sizeof name - 1);
    target.device_name = name;
    target.has_torch = true;
    for (int round = 0; round < 4; round++) {
        target.paravirtual = round < 2;
        host = (struct mtlcap__host){.program_sdk = 11, .os_major = 14};
        move_everything(round % 2 == 0, profile, sizeof profile);
        find_allowing(profile, NULL);
        for (size_t i = 0; i < count; i++) {
            const char *hazard = mtlcap__hazards[findings[i].hazard].name;
            char end[128];
            snprintf(end, sizeof end, "%s, allow \"%s\"",
                     mtlcap__hazards[findings[i].hazard].refuses ? "; to apply it all the same"
                                                                 : "; to silence this warning",
                     hazard);
            assert_string_equal(findings[i].message + findings[i].reason, end);
            seen |= (mtlcap__hazard_set)1 << findings[i].hazard;
        }
    }
    assert_int_equal(seen, (1u << MTLCAP__HAZARD_COUNT) - 1); /* every one was met */
}

static void every_text_leaves_room(void **state) {
    (void)state;
    for (int id = 0; id < MTLCAP__HAZARD_COUNT; id++) {
        const struct mtlcap__hazard *hazard = &mtlcap__hazards[id];
        assert_true(strlen(hazard->name) < 32); /* struct mtlcap_finding */
        assert_true(strlen(hazard->breaks) <= 130);
        assert_true(strlen(hazard->when) > 0 && strlen(hazard->source) > 0);
    }
}

static void counts_beyond_the_capacity(void **state) {
    struct mtlcap__profile *profile;
    struct mtlcap__rules rules;
    struct mtlcap__finding one[2] = {{.hazard = MTLCAP__HAZARD_NONE}, {.rule = "untouched"}};
    size_t found = 0;

    (void)state;
    assert_int_equal(mtlcap__profile_parse("lume,metal.min=3", &profile), MTLCAP_OK);
    mtlcap__profile_resolve(profile, true, &host, &rules);
    mtlcap__profile_free(profile);
    mtlcap__hazards_find(&rules, &target, 0, NULL, 0, &found);
    assert_int_equal(found, 3);
    found = 0;
    mtlcap__hazards_find(&rules, &target, 0, one, 1, &found);
    assert_int_equal(found, 3);
    assert_int_equal(one[0].hazard, MTLCAP__HAZARD_BEYOND_HARDWARE);
    assert_string_equal(one[1].rule, "untouched");
    mtlcap__hazards_find(&rules, &target, 0, one, 1, &found); /* appends */
    assert_int_equal(found, 6);
}

/* ---- names ---- */

static void parses_names(void **state) {
    mtlcap__hazard_set set = 99;

    (void)state;
    assert_int_equal(mtlcap__hazards_parse(NULL, &set), MTLCAP_OK);
    assert_int_equal(set, 0);
    set = 99;
    assert_int_equal(mtlcap__hazards_parse("", &set), MTLCAP_OK);
    assert_int_equal(set, 0);
    for (int id = 0; id < MTLCAP__HAZARD_COUNT; id++) {
        assert_int_equal(mtlcap__hazards_parse(mtlcap__hazards[id].name, &set), MTLCAP_OK);
        assert_int_equal(set, (mtlcap__hazard_set)1 << id);
    }
    assert_int_equal(mtlcap__hazards_parse("metal+mac+metal", &set), MTLCAP_OK);
    assert_int_equal(set, 1u << MTLCAP__HAZARD_METAL | 1u << MTLCAP__HAZARD_MAC);
}

static void refuses_unknown_names(void **state) {
    static const char *const names[] = {"nonsense", "metal,mac",  "metal+", "+metal",
                                        "+",        "metal++mac", "all"};
    static const char *const near[] = {"metall", "Metal", " metal", "mac+mteal"};
    mtlcap__hazard_set set = 99;

    (void)state;
    for (size_t i = 0; i < LENGTH(names); i++) {
        assert_int_equal(mtlcap__hazards_parse(names[i], &set), MTLCAP_E_ARGUMENT);
        assert_int_equal(set, 0);
        for (int id = 0; id < MTLCAP__HAZARD_COUNT; id++)
            assert_contains(mtlcap__last_error(), mtlcap__hazards[id].name);
    }
    for (size_t i = 0; i < LENGTH(near); i++) {
        assert_int_equal(mtlcap__hazards_parse(near[i], &set), MTLCAP_E_ARGUMENT);
        assert_contains(mtlcap__last_error(), "did you mean 'metal'?");
    }
    assert_int_equal(mtlcap__hazards_parse("metal+nonsense", &set), MTLCAP_E_ARGUMENT);
    assert_contains(mtlcap__last_error(), "'nonsense'");
}

#define TEST(function) cmocka_unit_test_setup(function, start_from_a_guest)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(metal),
        TEST(mac),
        TEST(common_and_catalyst_are_free),
        TEST(beyond_hardware_in_a_guest),
        TEST(beyond_hardware_where_the_chip_cannot_be_read),
        TEST(beyond_hardware_on_an_intel_host),
        TEST(beyond_hardware_on_bare_metal),
        TEST(threadgroup_memory),
        TEST(small_threadgroup_memory),
        TEST(working_set),
        TEST(bare_metal),
        TEST(macos_14_guest),
        TEST(pytorch_mpp),
        TEST(old_sdk_bf16),
        TEST(live_internals),
        TEST(feature),
        TEST(the_published_profile_needs_its_two),
        TEST(auto_is_free_on_a_current_guest),
        TEST(unsupported_answers_meet_nothing),
        TEST(allowed_ones_are_found_too),
        TEST(messages_say_it_all),
        TEST(messages_fit),
        TEST(every_text_leaves_room),
        TEST(counts_beyond_the_capacity),
        TEST(parses_names),
        TEST(refuses_unknown_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
