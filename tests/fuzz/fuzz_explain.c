/* Any bytes, as a file of rules, as a condition and as JSON: what is refused says why, and what is
 * read lies in bounds. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/tools.h"
#include "explain.h"
#include "json_read.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define assert(condition) ((condition) ? (void)0 : fail(#condition, __LINE__))

static void fail(const char *condition, int line) {
    fprintf(stderr, "fuzz_explain.c, line %d: %s does not hold\n", line, condition);
    abort();
}

static void check_condition(const struct explain_condition *condition) {
    assert(condition->count > 0 && condition->count <= EXPLAIN_CLAUSES);
    for (unsigned i = 0; i < condition->count; i++) {
        const struct explain_clause *clause = &condition->clauses[i];
        assert(clause->alternative <= i && clause->key[0] != '\0');
        assert(clause->fact != EXPLAIN_NO_FACT || clause->capability < mtlcap_capability_count());
    }
}

static void check_rules(const char *text, size_t size) {
    static struct explain_client client;
    struct explain_problem problem = {.line = 0};
    if (!explain_rules_read(text, size, &client, &problem)) {
        assert(problem.text[0] != '\0' && problem.line <= size + 1 && client.text == NULL);
        return;
    }
    assert(client.feature_count > 0 && client.feature_count <= EXPLAIN_FEATURES);
    for (unsigned i = 0; i < client.feature_count; i++)
        check_condition(&client.features[i].condition);
    explain_rules_free(&client);
}

static void check_text(const char *text) {
    struct explain_condition condition;
    struct json_document document;
    char problem[256] = "";
    char *cut = allocate(strlen(text) + 1, 1);
    if (explain_condition_read(strcpy(cut, text), &condition, problem, sizeof problem))
        check_condition(&condition);
    else
        assert(problem[0] != '\0');
    free(cut);
    bool good = json_read(text, &document);
    assert(good == (document.problem == NULL) && document.line > 0);
    assert(document.count <= strlen(text) + 1);
    json_free(&document);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = allocate(size + 1, 1);
    memcpy(text, data, size);
    check_rules(text, size);
    check_text(text);
    free(text);
    return 0;
}
