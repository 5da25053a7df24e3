/* What is not there yet: receipts. */
#include <stdio.h>

#include "inject.h"

char *mtlcap__receipt_text(const struct mtlcap__settings *settings,
                           const struct mtlcap__outcome *outcome) {
    (void)settings;
    (void)outcome;
    return NULL;
}

bool mtlcap__receipt_write(const char *pattern, const char *text, char *problem, size_t size) {
    (void)text;
    snprintf(problem, size, "there are no receipts yet: %s", pattern);
    return false;
}
