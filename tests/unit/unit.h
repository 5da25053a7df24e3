/* What every unit test includes: cmocka, which needs these headers before its own. */
#ifndef MTLCAP_TESTS_UNIT_H
#define MTLCAP_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* Fails, showing both, unless `text` contains `part`. */
#define assert_contains(text, part)                                                                \
    do {                                                                                           \
        if (strstr((text), (part)) == NULL)                                                        \
            fail_msg("\"%s\" is not in \"%s\"", (part), (text));                                   \
    } while (0)

#endif
