/*
 * Any bytes, as a whole environment: what the injected library reads out of it, what it takes out
 * of the insertion variable, and the receipt that it writes with such texts. Whatever comes in, the
 * invariants below hold.
 *
 * The input is divided at NUL bytes: the first text is the program's path, the others are
 * variables.
 */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/profile_parts.h"
#include "inject/environment.h"
#include "inject/insertion.h"
#include "inject/receipt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#undef assert
#define assert(condition) ((condition) ? (void)0 : fail(#condition, __LINE__))

static void fail(const char *condition, int line) {
    fprintf(stderr, "fuzz_environment.c, line %d: %s does not hold\n", line, condition);
    abort();
}

enum { ENTRIES = 200 };

/* ---- JSON, as strict as the standard ------------------------------------ */

static const char *skip_blanks(const char *c) {
    return c + strspn(c, " \n");
}

static const char *skip_string(const char *c) {
    assert(*c == '"');
    for (c++; *c != '"';) {
        assert((unsigned char)*c >= 0x20);
        size_t length = mtlcap__utf8_length(c);
        assert(length > 0);
        if (*c == '\\') {
            assert(strchr("\"\\u", c[1]) != NULL && c[1] != '\0');
            if (c[1] == 'u')
                assert(strspn(c + 2, "0123456789abcdef") >= 4);
            length = c[1] == 'u' ? 6 : 2;
        }
        c += length;
    }
    return c + 1;
}

static const char *skip_value(const char *c, int depth);

static const char *skip_members(const char *c, int depth) {
    char end = *c == '{' ? '}' : ']';

    for (c = skip_blanks(c + 1); *c != end;) {
        if (end == '}') {
            c = skip_string(c);
            assert(c[0] == ':' && c[1] == ' ');
            c += 2;
        }
        c = skip_blanks(skip_value(c, depth + 1));
        assert(*c == ',' || *c == end);
        if (*c == ',') {
            c = skip_blanks(c + 1);
            assert(*c != end);
        }
    }
    return c + 1;
}

static const char *skip_value(const char *c, int depth) {
    static const char *const words[] = {"true", "false", "null"};

    assert(depth < 8);
    if (*c == '"')
        return skip_string(c);
    if (*c == '{' || *c == '[')
        return skip_members(c, depth);
    for (int i = 0; i < 3; i++)
        if (strncmp(c, words[i], strlen(words[i])) == 0)
            return c + strlen(words[i]);
    size_t digits = strspn(c, "0123456789");
    assert(digits > 0);
    return c + digits;
}

/* ---- invariants --------------------------------------------------------- */

static void check_line(const char *text) {
    for (const char *c = text; *c != '\0'; c += mtlcap__utf8_length(c))
        assert((unsigned char)*c >= 0x20 && *c != 0x7F && mtlcap__utf8_length(c) > 0);
}

static void check_settings(const struct mtlcap__settings *settings) {
    if (!settings->enabled) {
        assert(settings->profile == NULL && settings->allow == NULL && settings->receipt == NULL);
        assert(settings->require == NULL && settings->log_file == NULL);
        assert(settings->problem[0] == '\0' && settings->warning[0] == '\0');
        return;
    }
    assert(settings->origin != NULL);
    assert((settings->profile == NULL) == (settings->problem[0] != '\0'));
    assert(settings->log_level >= MTLCAP_LOG_OFF && settings->log_level <= MTLCAP_LOG_DEBUG);
    check_line(settings->problem);
    check_line(settings->warning);
    /* What another tool's variables stand for can be applied. */
    if (settings->profile != NULL && strncmp(settings->origin, "MTLCAP_", 7) != 0) {
        struct mtlcap__profile *profile = NULL;
        if (settings->future_families)
            mtlcap__value_accept_future_families();
        assert(mtlcap__profile_parse(settings->profile, &profile) == MTLCAP_OK);
        mtlcap__profile_free(profile);
    }
}

static void check_receipt(const struct mtlcap__settings *settings, const char *text, size_t size) {
    const char *const warnings[] = {text, settings->warning, NULL};
    struct mtlcap__outcome outcome = {
        .stage = size % 2 ? MTLCAP__STAGE_NOT_APPLIED : MTLCAP__STAGE_LOADED,
        .step = text,
        .status = -(int)(size % 20),
        .reason = settings->problem,
        .program = text,
        .library = text,
        .delegated = text,
        .warnings = warnings,
    };
    char *receipt = mtlcap__receipt_text(settings, &outcome);

    assert(receipt != NULL);
    const char *end = skip_value(receipt, 0);
    assert(end[0] == '\n' && end[1] == '\0');
    free(receipt);
}

/* What is taken out is taken out: a second time finds nothing. */
static void check_insertion(char **environment, const char *variable, const char *path) {
    mtlcap__insertion_remove(environment, variable, path);
    size_t length = 0;
    for (char **entry = environment; *entry != NULL; entry++)
        length += strlen(*entry);
    assert(!mtlcap__insertion_remove(environment, variable, path));
    for (char **entry = environment; *entry != NULL; entry++)
        length -= strlen(*entry);
    assert(length == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *texts = malloc(size + 1), *environment[ENTRIES + 1];
    size_t count = 0;
    struct mtlcap__settings settings;

    assert(texts != NULL);
    if (size > 0)
        memcpy(texts, data, size);
    texts[size] = '\0';
    for (char *next = texts + strlen(texts); next < texts + size && count < ENTRIES;
         next += strlen(next)) {
        next++;
        environment[count++] = next;
    }
    environment[count] = NULL;

    mtlcap__environment_read(environment, (const char *const[]){texts, NULL}, &settings);
    check_settings(&settings);
    check_receipt(&settings, texts, size);
    mtlcap__environment_free(&settings);
    check_insertion(environment, "LD_PRELOAD", texts);
    check_insertion(environment, "DYLD_INSERT_LIBRARIES", texts);
    free(texts);
    return 0;
}
