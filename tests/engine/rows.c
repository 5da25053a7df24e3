/*
 * Every row of the table of capabilities: each rule that it can take, on a device that denies
 * everything and on one that grants everything. The rule's own answers are what the rule says, all
 * others stay, and restoring gives exactly what was there before.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support.h"

/* Questions with an argument: Metal's own numbers, from Metal's headers. */
static const struct ladder {
    const char *key, *selector;
    int64_t first, last;
    int64_t end;   /* a ceiling speaks of everything up to here, known or not */
    int64_t named; /* number in a profile minus argument */
} ladders[] = {
    {"apple", "supportsFamily:", 1001, 1010, 1999, -1000},
    {"mac", "supportsFamily:", 2001, 2002, 2999, -2000},
    {"common", "supportsFamily:", 3001, 3003, 3999, -3000},
    {"catalyst", "supportsFamily:", 4001, 4002, 4999, -4000},
    {"metal", "supportsFamily:", 5001, 5002, 5999, -4998},
    {"feature_set", "supportsFeatureSet:", 10000, 10005, 10999, 0},
    {"texture_sample_count", "supportsTextureSampleCount:", 1, 32, INT64_MAX, 0},
    {"vertex_amplification", "supportsVertexAmplificationCount:", 1, 8, INT64_MAX, 0},
    {"rasterization_rate_layers", "supportsRasterizationRateMapWithLayerCount:", 1, 16, INT64_MAX,
     0},
};

/* Yes or no with an argument. */
static const struct {
    const char *key;
    int argument;
} sampling_points[] = {
    {"counter_sampling_stage", 0}, {"counter_sampling_draw", 1}, {"counter_sampling_dispatch", 2},
    {"counter_sampling_tile", 3},  {"counter_sampling_blit", 4},
};

/* A rule, as far as its row can take it. */
struct rule {
    const struct mtlcap_capability *row;
    char profile[128];
    bool min, max;
    uint64_t number[3]; /* as in the profile; ladders: 0 is off */
};

static unsigned rules_tried;

static const struct ladder *ladder_of(const struct mtlcap_capability *row) {
    for (size_t i = 0; i < sizeof ladders / sizeof ladders[0]; i++)
        if (strcmp(row->key, ladders[i].key) == 0)
            return &ladders[i];
    return NULL;
}

/* The question of a row that has one only. */
static void question_of(const struct mtlcap_capability *row, char question[64]) {
    snprintf(question, 64, "%s", row->selector);
    for (size_t i = 0; i < sizeof sampling_points / sizeof sampling_points[0]; i++)
        if (strcmp(row->key, sampling_points[i].key) == 0)
            snprintf(question, 64, "%s %d", row->selector, sampling_points[i].argument);
}

static uint64_t within(const struct rule *rule, int i, uint64_t number, uint64_t named) {
    if (rule->min && number < rule->number[i] - named)
        number = rule->number[i] - named;
    if (rule->max && number > rule->number[i] - named)
        number = rule->number[i] - named;
    return number;
}

static uint64_t on_ladder(const struct rule *rule, const struct ladder *ladder, int64_t argument,
                          uint64_t stock) {
    const int64_t bound =
        rule->number[0] ? (int64_t)rule->number[0] - ladder->named : ladder->first - 1;
    if (rule->min && argument >= ladder->first && argument <= bound)
        return 1;
    if (rule->max && argument > bound && argument <= ladder->end)
        return 0;
    return stock;
}

/* What the device has to answer under the rule. */
static struct snapshot expected(const struct snapshot *stock, const struct rule *rule) {
    struct snapshot wanted = *stock;
    const struct ladder *ladder = ladder_of(rule->row);
    char question[64];
    question_of(rule->row, question);
    for (size_t i = 0; i < wanted.count; i++) {
        struct snapshot_entry *entry = &wanted.entry[i];
        int64_t argument;
        static const char *const sides[] = {".width", ".height", ".depth"};
        if (ladder && sscanf(entry->question, "%*s %" SCNd64, &argument) == 1 &&
            strncmp(entry->question, ladder->selector, strlen(ladder->selector)) == 0)
            entry->answer = on_ladder(rule, ladder, argument, entry->answer);
        if (!ladder && strcmp(entry->question, question) == 0)
            entry->answer = within(rule, 0, entry->answer,
                                   strcmp(rule->row->key, "argument_buffers") == 0 ? 1 : 0);
        for (int side = 0; side < 3 && rule->row->kind == MTLCAP_KIND_SIZE3; side++)
            if (strstr(entry->question, question) == entry->question &&
                strstr(entry->question, sides[side]))
                entry->answer = within(rule, side, entry->answer, 0);
    }
    return wanted;
}

static void check_ladder_value(const struct ladder *ladder, const struct snapshot *snapshot,
                               const struct mtlcap_value *value) {
    uint64_t members = 0, highest = 0;
    for (size_t i = 0; i < snapshot->count; i++) {
        int64_t argument;
        const char *question = snapshot->entry[i].question;
        if (strncmp(question, ladder->selector, strlen(ladder->selector)) != 0 ||
            sscanf(question, "%*s %" SCNd64, &argument) != 1 || argument < ladder->first ||
            argument > ladder->last || !snapshot->entry[i].answer)
            continue;
        members |= (uint64_t)1 << (argument - ladder->first);
        highest = (uint64_t)(argument + ladder->named);
    }
    assert_int_equal(value->members, members);
    assert_int_equal(value->number[0], highest);
}

static void check_value(const struct mtlcap_capability *row, const struct snapshot *snapshot,
                        const struct mtlcap_value *value) {
    const struct ladder *ladder = ladder_of(row);
    char question[64];
    question_of(row, question);
    if (ladder) {
        check_ladder_value(ladder, snapshot, value);
        return;
    }
    int side = 0;
    for (size_t i = 0; i < snapshot->count; i++) {
        const struct snapshot_entry *entry = &snapshot->entry[i];
        if (row->kind == MTLCAP_KIND_SIZE3 && strstr(entry->question, question) == entry->question)
            assert_int_equal(value->number[side++], entry->answer);
        if (strcmp(entry->question, question) == 0)
            assert_int_equal(value->number[0],
                             entry->answer + (strcmp(row->key, "argument_buffers") == 0));
    }
}

static void try(void *device, const struct rule *rule) {
    const struct snapshot stock = snapshot_of(device);
    apply(rule->profile);
    const struct snapshot wanted = expected(&stock, rule), now = snapshot_of(device);
    assert_same_answers(&wanted, &now, NULL);

    const struct mtlcap_answer answer = answer_of(device, rule->row->key);
    assert_int_equal(answer.kind, rule->row->kind);
    assert_int_equal(answer.overridden, 1);
    assert_int_equal(answer.derived, 0);
    assert_int_equal(answer.stock_known, 1);
    assert_string_equal(answer.capability, rule->row->key);
    assert_string_equal(answer.rule, rule->profile);
    assert_string_equal(answer.source, "Metal");
    check_value(rule->row, &stock, &answer.stock);
    check_value(rule->row, &wanted, &answer.effective);

    assert_ok(mtlcap_restore());
    const struct snapshot restored = snapshot_of(device);
    assert_same_answers(&stock, &restored, NULL);
    const struct mtlcap_answer after = answer_of(device, rule->row->key);
    assert_int_equal(after.overridden, 0);
    assert_string_equal(after.rule, "");
    assert_memory_equal(after.stock.number, answer.stock.number, sizeof answer.stock.number);
    assert_memory_equal(&after.effective, &after.stock, sizeof after.stock);
    rules_tried++;
}

/* One value, as a floor, as a ceiling and as both, where the row can be changed that way. */
static void try_value(void *device, const struct mtlcap_capability *row, const char *text,
                      const uint64_t number[3]) {
    const bool raise = row->change & MTLCAP_CAN_RAISE, lower = row->change & MTLCAP_CAN_LOWER;
    const bool ladder = ladder_of(row) != NULL;
    const bool off = ladder && number[0] == 0;
    static const char *const bounds[] = {"", ".min", ".max"};
    for (int b = 0; b < 3; b++) {
        struct rule rule = {.row = row, .min = raise && b != 2 && !off, .max = lower && b != 1};
        if ((b && row->kind == MTLCAP_KIND_BOOL) || (b == 1 && !rule.min) || (b == 2 && !rule.max))
            continue;
        memcpy(rule.number, number, sizeof rule.number);
        snprintf(rule.profile, sizeof rule.profile, "%s%s=%s", row->key, bounds[b], text);
        try(device, &rule);
    }
}

static void try_number(void *device, const struct mtlcap_capability *row, uint64_t number) {
    char text[32];
    const uint64_t numbers[3] = {number, 0, 0};
    snprintf(text, sizeof text, "%" PRIu64, number);
    try_value(device, row, text, numbers);
}

static void try_ladder(void *device, const struct mtlcap_capability *row) {
    const struct ladder *ladder = ladder_of(row);
    static const uint64_t off[3] = {0};
    for (int64_t a = ladder->first; a <= ladder->last; a++)
        try_number(device, row, (uint64_t)(a + ladder->named));
    try_value(device, row, "off", off);
}

static void try_row(void *device, const struct mtlcap_capability *row) {
    static const uint64_t yes[3] = {1}, no[3] = {0}, triple[3] = {256, 512, 16},
                          large[3] = {4096, 4096, 4096};
    const uint64_t tiers = strcmp(row->key, "argument_buffers") == 0 ? 1 : 0;
    switch (row->kind) {
    case MTLCAP_KIND_FAMILY:
    case MTLCAP_KIND_COUNT:
        assert_non_null(ladder_of(row));
        try_ladder(device, row);
        break;
    case MTLCAP_KIND_BOOL:
        try_value(device, row, "on", yes);
        try_value(device, row, "off", no);
        break;
    case MTLCAP_KIND_TIER:
        for (uint64_t tier = tiers; tier <= 2; tier++)
            try_number(device, row, tier);
        break;
    case MTLCAP_KIND_SIZE3:
        try_value(device, row, "256x512x16", triple);
        try_value(device, row, "4096", large);
        break;
    default:
        try_number(device, row, 1);
        try_number(device, row, simmetal_ask(device, row->selector));
        try_number(device, row, UINT64_C(1) << 40);
        break;
    }
}

static void try_all(void) {
    void *device = device_at(0);
    struct mtlcap_capability row = MTLCAP_CAPABILITY_INIT;
    unsigned rows = 0;
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        assert_ok(mtlcap_capability_info(i, &row));
        if (!row.change)
            continue;
        const unsigned before = rules_tried;
        try_row(device, &row);
        assert_true(rules_tried > before);
        rows++;
    }
    assert_true(rows >= 40); /* the table was not empty */
}

static void every_rule_on_a_device_that_denies_everything(void **state) {
    (void)state;
    try_all();
}

static void every_rule_on_a_device_that_grants_everything(void **state) {
    (void)state;
    try_all();
}

/* Rows that can only be asked are answered, and refuse rules. */
static void rows_that_can_only_be_asked(void **state) {
    (void)state;
    void *device = device_at(0);
    struct mtlcap_capability row = MTLCAP_CAPABILITY_INIT;
    unsigned rows = 0;
    apply("apple.min=7");
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        assert_ok(mtlcap_capability_info(i, &row));
        if (row.change)
            continue;
        const struct mtlcap_answer answer = answer_of(device, row.key);
        assert_int_equal(answer.overridden, 0);
        assert_int_equal(answer.stock_known, 1);
        assert_string_equal(answer.stock.text, answer.effective.text);
        char profile[128];
        snprintf(profile, sizeof profile, "%s=1", row.key);
        assert_fails(apply_allowing(profile, every_hazard()), MTLCAP_E_PROFILE, row.key);
        rows++;
    }
    assert_true(rows >= 5);
    assert_string_equal(answer_of(device, "name").effective.text, "Apple Paravirtual device");
    assert_string_equal(answer_of(device, "architecture").effective.text, "applegpu_g13p");
    assert_int_equal(answer_of(device, "registry_id").effective.number[0],
                     simmetal_ask(device, "registryID"));
}

int main(void) {
    static const struct apart tests[] = {
        ON("low.ini", every_rule_on_a_device_that_denies_everything),
        ON("high.ini", every_rule_on_a_device_that_grants_everything),
        ON("paravirt", rows_that_can_only_be_asked),
    };
    return RUN_APART(tests);
}
