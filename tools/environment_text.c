/* mtlcap help environment: the variables of the injected library, from its own table. */
#include "environment_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "output.h"
#include "term.h"

static const struct {
    const char *name, *takes, *fallback, *meaning;
} own[] = {
#define VARIABLE(id, name_, takes_, fallback_, meaning_) {name_, takes_, fallback_, meaning_},
#define FOREIGN(id, ...)
#define ELSEWHERE(name)
#include "../lib/inject/variables.def"
#undef VARIABLE
#undef FOREIGN
#undef ELSEWHERE
};

static const struct {
    const char *name;
    uint64_t least, most;
    const char *fallback, *meaning;
} foreign[] = {
#define VARIABLE(id, ...)
#define FOREIGN(id, name_, least_, most_, fallback_, meaning_)                                     \
    {name_, least_, most_, fallback_, meaning_},
#define ELSEWHERE(name)
#include "../lib/inject/variables.def"
#undef VARIABLE
#undef FOREIGN
#undef ELSEWHERE
};

static const char introduction[] =
    "The injected library reads these variables once, when a program starts. An empty one is\n"
    "not set. If it cannot understand one, it says so, and nothing is applied. For 1 and 0,\n"
    "yes and no, true and false, on and off are good, too. A program that runs with more\n"
    "rights than its caller has ignores all of them.\n";

static const char about_foreign[] =
    "The variables of other tools mean what they mean there: numbers as strtoull() reads them\n"
    "with base 0, each a floor, with consent to the hazards that it meets. Without a highest\n"
    "family the others mean nothing; one of 0 turns the tool off; one above the newest family\n"
    "that Metal has counts as that. MTLCAP_PROFILE wins over them, and of two tools the one\n"
    "that is first here. A bad number leaves the answers stock, as it does there, but here\n"
    "that is said.\n";

static void write_name(const char *name, const char *takes, const char *fallback) {
    output("\n%s%s%s=%s", term_style()->heading, name, term_style()->end, takes);
    output(fallback[0] != '\0' ? "  (default: %s)\n" : "\n", fallback);
}

static void write_meaning(const char *meaning) {
    for (;;) {
        size_t length = strcspn(meaning, "\n");
        output("  %.*s\n", (int)length, meaning);
        if (meaning[length] == '\0')
            return;
        meaning += length + 1;
    }
}

void environment_text_write(void) {
    output("%s", introduction);
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        write_name(own[i].name, own[i].takes, own[i].fallback);
        write_meaning(own[i].meaning);
    }
    output("\n%s", about_foreign);
    for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
        char range[64] = "NUMBER";
        if (foreign[i].most != UINT64_MAX)
            snprintf(range, sizeof range, "%" PRIu64 "...%" PRIu64, foreign[i].least,
                     foreign[i].most);
        write_name(foreign[i].name, range, foreign[i].fallback);
        write_meaning(foreign[i].meaning);
    }
}
