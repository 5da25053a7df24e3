/* What a terminal can show. */
#ifndef TOOLS_TERM_H
#define TOOLS_TERM_H

/* Begin and end of a style; "" where what output() writes to shows none: not a terminal, a dumb
 * one, or NO_COLOR (no-color.org) is set. */
struct term_style {
    const char *heading;
    const char *changed;
    const char *derived;
    const char *faint;
    const char *end;
};

const struct term_style *term_style(void);

/* What output() writes goes to this descriptor in the end; -1: to a file. */
void term_descriptor(int descriptor);

#endif
