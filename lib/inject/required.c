/* What MTLCAP_REQUIRE expects of a device. */
#include <stdio.h>
#include <string.h>

#include "core/error.h"
#include "inject.h"

/* Copies the expectation that begins at `*next`, and moves on; false: there is none left. One that
 * does not fit is longer than any answer. */
static bool take(const char **next, char *expectation, size_t size) {
    if (!*next)
        return false;
    const size_t length = strcspn(*next, ",");
    mtlcap__copy_text(expectation, size, *next, length);
    *next = (*next)[length] ? *next + length + 1 : NULL;
    return true;
}

bool mtlcap__required_met(const char *require, void *device, char *problem, size_t size) {
    char expectation[512];
    size_t used = 0;
    while (take(&require, expectation, sizeof expectation)) {
        struct mtlcap_check check = MTLCAP_CHECK_INIT;
        const int status = mtlcap_check_answer(device, expectation, &check);
        if ((!status && check.met) || used >= size)
            continue;
        used += (size_t)snprintf(problem + used, size - used, "%s%s", used ? "; " : "",
                                 status ? mtlcap_last_error() : check.message);
    }
    return used == 0;
}
