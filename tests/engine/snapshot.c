/* What a device answers to everything that the library knows. */
#include <stdio.h>
#include <string.h>

#include "support.h"

static const struct {
    const char *selector;
    int64_t first, last;
} arguments[] = {
    {"supportsFamily:", 999, 1023},
    {"supportsFamily:", 1999, 2007},
    {"supportsFamily:", 2999, 3007},
    {"supportsFamily:", 3999, 4005},
    {"supportsFamily:", 4999, 5008},
    {"supportsFeatureSet:", 9999, 10008},
    {"supportsTextureSampleCount:", 0, 34},
    {"supportsVertexAmplificationCount:", 0, 10},
    {"supportsRasterizationRateMapWithLayerCount:", 0, 18},
    {"supportsCounterSampling:", 0, 6},
};

static void note(struct snapshot *snapshot, const char *selector, const char *detail,
                 uint64_t answer) {
    assert_true(snapshot->count < SNAPSHOT_MAX);
    struct snapshot_entry *entry = &snapshot->entry[snapshot->count++];
    snprintf(entry->question, sizeof entry->question, "%s%s", selector, detail);
    entry->answer = answer;
}

/* The answer to a question without argument; of what is no number, nothing. */
static void note_plain(struct snapshot *snapshot, void *device,
                       const struct mtlcap_capability *capability) {
    if (capability->kind == MTLCAP_KIND_SIZE3) {
        const struct triple triple = ask_triple(device, capability->selector);
        static const char *const sides[] = {".width", ".height", ".depth"};
        for (int i = 0; i < 3; i++)
            note(snapshot, capability->selector, sides[i], triple.number[i]);
    } else if (capability->kind != MTLCAP_KIND_TEXT) {
        uint64_t answer = simmetal_ask(device, capability->selector);
        if (strcmp(capability->unit, "") == 0 && strncmp(capability->selector, "peer", 4) == 0)
            answer = (uint32_t)answer;
        note(snapshot, capability->selector, "", answer);
    }
}

struct snapshot snapshot_of(void *device) {
    struct snapshot snapshot = {.count = 0};
    struct mtlcap_capability capability = MTLCAP_CAPABILITY_INIT;
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        assert_ok(mtlcap_capability_info(i, &capability));
        if (!strchr(capability.selector, ':'))
            note_plain(&snapshot, device, &capability);
    }
    for (size_t i = 0; i < sizeof arguments / sizeof arguments[0]; i++)
        for (int64_t a = arguments[i].first; a <= arguments[i].last; a++) {
            char detail[32];
            snprintf(detail, sizeof detail, " %d", (int)a);
            note(&snapshot, arguments[i].selector, detail,
                 simmetal_ask_with(device, arguments[i].selector, a));
        }
    return snapshot;
}

static int is_excepted(const char *question, const char *but) {
    const size_t length = strcspn(question, " .");
    for (const char *p = but; p && *p; p += strspn(p, " ")) {
        const size_t word = strcspn(p, " ");
        if (word == length && memcmp(p, question, length) == 0)
            return 1;
        p += word;
    }
    return 0;
}

void assert_same_answers(const struct snapshot *a, const struct snapshot *b, const char *but) {
    int differences = 0;
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        const struct snapshot_entry *was = &a->entry[i], *is = &b->entry[i];
        if (was->answer == is->answer || is_excepted(was->question, but))
            continue;
        print_error("%s: %llu became %llu\n", was->question, (unsigned long long)was->answer,
                    (unsigned long long)is->answer);
        differences++;
    }
    assert_int_equal(differences, 0);
}
