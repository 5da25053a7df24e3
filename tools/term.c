/* Whether the output shows colour. */
#include "term.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int shown_on = STDOUT_FILENO;

void term_descriptor(int descriptor) {
    shown_on = descriptor;
}

static bool has_colour(void) {
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    return isatty(shown_on) && (no_color == NULL || no_color[0] == '\0') && term != NULL &&
           term[0] != '\0' && strcmp(term, "dumb") != 0;
}

const struct term_style *term_style(void) {
    static const struct term_style plain = {"", "", "", "", ""};
    static const struct term_style colour = {"\033[1m", "\033[1;32m", "\033[33m", "\033[2m",
                                             "\033[0m"};
    return has_colour() ? &colour : &plain;
}
