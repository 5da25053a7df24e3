/* A table of text with aligned columns. */
#ifndef TOOLS_TABLE_H
#define TOOLS_TABLE_H

#include <stddef.h>

#define TABLE_COLUMNS 13

struct table_row {
    char *cells[TABLE_COLUMNS]; /* NULL: nothing */
    const char *style;          /* one of struct term_style */
};

struct table {
    const char *indent;
    struct table_row *rows;
    size_t count, capacity;
};

/* Adds a row. `cells` ends with NULL; the text is copied, control characters made visible. */
void table_add(struct table *table, const char *style, const char *const *cells);

#define TABLE_ADD(table, style, ...)                                                               \
    table_add(table, style, (const char *const[TABLE_COLUMNS + 1]){__VA_ARGS__})

/* Writes the table and empties it. The last cell of a row does not widen its column. */
void table_write(struct table *table);

#endif
