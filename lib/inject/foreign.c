/*
 * The variables of other tools. What they mean is what the tools' published sources do: numbers as
 * strtoull() reads them with base 0, nothing behind them; an empty variable is one that is not set;
 * each number is a floor, whatever its variable is called; without a good ceiling, or with anything
 * bad, the answers are stock. What those sources do in silence is said here.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/capability.h"
#include "core/hazard.h"
#include "variables.h"

/* Metal's number of an Apple family, less the one in its name. */
enum { APPLE = 1000 };

static const struct {
    uint64_t least, most;
    const char *fallback;
} rows[MTLCAP__VARIABLE_COUNT] = {
#define VARIABLE(id, ...)
#define FOREIGN(id, name, least_, most_, fallback_, meaning)                                       \
    [MTLCAP__VARIABLE_##id] = {.least = (least_), .most = (most_), .fallback = (fallback_)},
#define ELSEWHERE(name)
#include "variables.def"
#undef VARIABLE
#undef FOREIGN
#undef ELSEWHERE
};

static const struct tool {
    enum mtlcap__variable family, threadgroup_memory, working_set;
} tools[] = {
#define TOOL(name)                                                                                 \
    {MTLCAP__VARIABLE_##name##_FAMILY, MTLCAP__VARIABLE_##name##_THREADGROUP_MEMORY,               \
     MTLCAP__VARIABLE_##name##_WORKING_SET}
    TOOL(LUME), TOOL(TART), TOOL(LUNCHPAIL), TOOL(VEERTU)
#undef TOOL
};

/* The hazards that would refuse such floors. Warnings are worth having. */
static const enum mtlcap__hazard_id implied[] = {
    MTLCAP__HAZARD_BEYOND_HARDWARE, MTLCAP__HAZARD_THREADGROUP_MEMORY, MTLCAP__HAZARD_WORKING_SET,
    MTLCAP__HAZARD_BARE_METAL, MTLCAP__HAZARD_MACOS_14_GUEST};

static bool parse_number(const char *text, uint64_t *number) {
    char *end;

    errno = 0;
    *number = strtoull(text, &end, 0);
    return errno == 0 && end != text && *end == '\0';
}

/* False: `variable` is not set and has no default, or it is bad, which settings->problem says. */
static bool read_number(const struct mtlcap__values *values, enum mtlcap__variable variable,
                        struct mtlcap__settings *settings, uint64_t *number) {
    const char *text = values->of[variable];
    uint64_t least = rows[variable].least, most = rows[variable].most;

    if (text == NULL)
        return parse_number(rows[variable].fallback, number);
    if (parse_number(text, number) && *number >= least && *number <= most)
        return true;
    char range[64] = "";
    if (most != UINT64_MAX)
        snprintf(range, sizeof range, " from %" PRIu64 " to %" PRIu64, least, most);
    return mtlcap__environment_problem(settings, "%s='%.60s': write a number%s",
                                       mtlcap__variable_names[variable], text, range);
}

/* The tool's ceiling is set, and not to zero, which is how people turn the tool off. */
static bool asks(const struct tool *tool, const struct mtlcap__values *values) {
    const char *family = values->of[tool->family];
    uint64_t number;

    return family != NULL && !(parse_number(family, &number) && number == 0);
}

/* Families that Metal does not have yet cannot be promised: rules never speak of them. */
static uint64_t named_family(const struct tool *tool, uint64_t family,
                             struct mtlcap__settings *settings) {
    uint64_t last = (uint64_t)mtlcap__capabilities[MTLCAP__APPLE].last;

    if (family > last) {
        mtlcap__environment_warn(settings,
                                 "%s=%" PRIu64 ": the newest Apple family is %" PRIu64
                                 ", the ones above stay stock",
                                 mtlcap__variable_names[tool->family], family, last);
        family = last;
    }
    return family - APPLE;
}

static void read_profile(const struct tool *tool, const struct mtlcap__values *values,
                         struct mtlcap__settings *settings) {
    uint64_t family, threadgroup_memory, working_set;
    char profile[160];

    if (!read_number(values, tool->family, settings, &family) ||
        !read_number(values, tool->threadgroup_memory, settings, &threadgroup_memory))
        return;
    int length =
        snprintf(profile, sizeof profile, "apple.min=%" PRIu64 ",threadgroup_memory.min=%" PRIu64,
                 named_family(tool, family, settings), threadgroup_memory);
    if (read_number(values, tool->working_set, settings, &working_set))
        snprintf(profile + length, sizeof profile - (size_t)length, ",working_set.min=%" PRIu64,
                 working_set);
    settings->profile = strdup(profile);
}

/* Adds what is implied to what MTLCAP_ALLOW names. */
static void consent(struct mtlcap__settings *settings) {
    char names[256] = "";
    size_t used = 0;

    for (size_t i = 0; i < sizeof implied / sizeof implied[0]; i++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? "+" : "",
                                 mtlcap__hazards[implied[i]].name);
    size_t own = settings->allow != NULL ? strlen(settings->allow) + 1 : 0;
    char *allow = malloc(own + used + 1);
    if (allow != NULL)
        snprintf(allow, own + used + 1, "%s%s%s", own > 0 ? settings->allow : "",
                 own > 0 ? "+" : "", names);
    free(settings->allow);
    settings->allow = allow;
}

void mtlcap__foreign_read(const struct mtlcap__values *values, struct mtlcap__settings *settings) {
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        const char *name = mtlcap__variable_names[tools[i].family];
        if (!asks(&tools[i], values))
            continue;
        if (settings->origin != NULL) {
            mtlcap__environment_warn(settings, "%s is ignored, %s is followed", name,
                                     settings->origin);
            continue;
        }
        settings->origin = name;
        read_profile(&tools[i], values, settings);
        consent(settings);
        if (settings->problem[0] == '\0' && (settings->profile == NULL || settings->allow == NULL))
            mtlcap__environment_problem(settings, "there is no memory to read the environment");
    }
}
