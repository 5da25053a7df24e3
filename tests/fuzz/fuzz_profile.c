/*
 * Any text, as a profile on one line and as a profile file: parse, resolve, apply to stock answers,
 * look for hazards, write down; and as names of hazards, of a chip, of a capability. Whatever comes
 * in, the invariants below hold.
 *
 * The first byte of the input chooses the machine; the rest is the text.
 */
#define _GNU_SOURCE 1 /* memfd_create */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/error.h"
#include "core/hazard.h"
#include "core/profile.h"
#include "host/host.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#undef assert
#define assert(condition) ((condition) ? (void)0 : fail(#condition, __LINE__))

static void fail(const char *condition, int line) {
    fprintf(stderr, "fuzz_profile.c, line %d: %s does not hold\n", line, condition);
    abort();
}

/* ---- invariants --------------------------------------------------------- */

static void check_error(int status) {
    struct mtlcap_error error = {.struct_size = sizeof error};

    mtlcap__error_parts(&error);
    assert(status == MTLCAP_E_PROFILE || status == MTLCAP_E_FILE);
    assert(error.status == status);
    assert(error.column >= 1);
    assert(error.line >= 0);
    assert(error.message[0] != '\0');
    for (const char *c = error.message; *c != '\0'; c++)
        assert((unsigned char)*c >= 0x20 && *c != 0x7F);
}

static void check_rule(const struct mtlcap__rule *rule, const struct mtlcap__capability *row,
                       const struct mtlcap__value *stock) {
    const struct mtlcap__value effective = mtlcap__rule_apply(rule, row, stock);
    const struct mtlcap__value again = mtlcap__rule_apply(rule, row, &effective);
    bool raises = mtlcap__value_above(&effective, stock, row);
    bool lowers = mtlcap__value_above(stock, &effective, row);
    char text[256];

    assert(mtlcap__value_equal(&effective, &again));
    assert(!raises || (row->change & MTLCAP_CAN_RAISE) != 0);
    assert(!lowers || (row->change & MTLCAP_CAN_LOWER) != 0);
    assert(mtlcap__rule_is_set(rule) || mtlcap__value_equal(&effective, stock));
    for (int i = 0; i < 3 && rule->min.set && rule->max.set; i++)
        assert(rule->min.number[i] <= rule->max.number[i]);
    mtlcap__rule_text(rule, text, sizeof text);
    assert((text[0] != '\0') == mtlcap__rule_is_set(rule));
    mtlcap__value_text(&effective, row, text, sizeof text);
    assert(text[0] != '\0');
}

/* ---- machines ----------------------------------------------------------- */

static struct mtlcap__value stock_answer(const struct mtlcap__capability *row, unsigned variant) {
    static const uint64_t patterns[] = {0, 1, 0x1F, 0x5, 0x3FF, UINT64_MAX, 0x101, 0x8B};
    uint64_t pattern = patterns[variant % 8];
    struct mtlcap__value value = {{0}, 0};

    if (row->kind == MTLCAP_KIND_FAMILY || row->kind == MTLCAP_KIND_COUNT) {
        value.members = pattern & (UINT64_MAX >> (63 - (row->last - row->first)));
        for (int64_t i = row->first; i <= row->last; i++)
            if ((value.members >> (i - row->first) & 1) != 0)
                value.number[0] = (uint64_t)(i + row->named);
    } else if (row->kind == MTLCAP_KIND_BOOL) {
        value.number[0] = pattern & 1;
    } else if (row->kind == MTLCAP_KIND_TIER) {
        value.number[0] = (uint64_t)(row->first + row->named);
    } else {
        value.number[0] = pattern;
        if (row->kind == MTLCAP_KIND_SIZE3)
            value.number[1] = value.number[2] = pattern;
    }
    return value;
}

static void use(const struct mtlcap__profile *profile, unsigned machine) {
    const struct mtlcap__host host = {
        .os_major = machine & 1 ? 14 : 26,
        .memory = UINT64_C(16) << 30,
        .apple_silicon = machine & 2 ? 1 : 0,
        .chip_family = machine & 4 ? 9 : 0,
        .program_sdk = machine & 8 ? 11 : 0,
    };
    struct mtlcap__value stock[MTLCAP__CAPABILITY_COUNT];
    bool supported[MTLCAP__CAPABILITY_COUNT];
    const struct mtlcap__target target = {
        .device_name = "device",
        .paravirtual = (machine & 16) != 0,
        .host = &host,
        .stock = stock,
        .supported = supported,
        .has_torch = (machine & 32) != 0,
    };
    static struct mtlcap__finding findings[16];
    struct mtlcap__rules rules;
    size_t count = 0;

    mtlcap__profile_resolve(profile, target.paravirtual, &host, &rules);
    for (unsigned id = 0; id < MTLCAP__CAPABILITY_COUNT; id++) {
        supported[id] = (machine & 64) == 0 || id % 3 != 0;
        stock[id] = stock_answer(&mtlcap__capabilities[id], machine + id);
        check_rule(&rules.rule[id], &mtlcap__capabilities[id], &stock[id]);
    }
    mtlcap__hazards_find(&rules, &target, 0, findings, 16, &count);
    for (size_t i = 0; i < count && i < 16; i++)
        assert(strstr(findings[i].message, ", allow \"") != NULL);
}

/* ---- inputs ------------------------------------------------------------- */

static void parse(const char *text, unsigned machine) {
    struct mtlcap__profile *profile = NULL;
    int status = mtlcap__profile_parse(text, &profile);

    assert((profile != NULL) == (status == MTLCAP_OK));
    if (status == MTLCAP_OK)
        use(profile, machine);
    else
        check_error(status);
    mtlcap__profile_free(profile);
}

/* As a file, by the path of a file in memory. */
static void parse_file(const uint8_t *data, size_t size, unsigned machine) {
    int file = memfd_create("profile", MFD_CLOEXEC);
    char reference[64];

    assert(file >= 0);
    assert(write(file, data, size) == (ssize_t)size);
    snprintf(reference, sizeof reference, "@/proc/self/fd/%d", file);
    parse(reference, machine);
    close(file);
}

/* The other texts that come from outside. */
static void parse_others(const char *text) {
    mtlcap__hazard_set set = 0;
    int status = mtlcap__hazards_parse(text, &set);
    int family = mtlcap__host_chip_family(text);
    const struct mtlcap__capability *capability = mtlcap__capability_by_name(text);

    assert(status == MTLCAP_OK || (status == MTLCAP_E_ARGUMENT && set == 0));
    assert(family == 0 || (family >= 7 && family <= 10));
    assert(capability == NULL || strcmp(capability->key, text) == 0 ||
           strcmp(capability->selector, text) == 0);
}

/* An '@' would read whatever file it names: inputs must not depend on the machine. */
static void parse_line(const uint8_t *data, size_t size, unsigned machine) {
    char *text = malloc(size + 1);

    assert(text != NULL);
    for (size_t i = 0; i < size; i++)
        text[i] = data[i] == '@' ? '&' : (char)data[i];
    text[size] = '\0';
    parse(text, machine);
    parse_others(text);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 0) {
        parse_line(data + 1, size - 1, data[0]);
        parse_file(data + 1, size - 1, data[0]);
    }
    return 0;
}
