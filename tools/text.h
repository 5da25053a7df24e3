/* A text that grows. */
#ifndef TOOLS_TEXT_H
#define TOOLS_TEXT_H

/* Adds to the end of *text; NULL: it begins here. To be freed. */
void text_add(char **text, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
