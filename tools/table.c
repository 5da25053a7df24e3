/* Aligned columns: the width of a column is that of its widest cell which another follows. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output.h"
#include "term.h"

/* Columns that UTF-8 text takes, as far as every character is one wide. */
static size_t width(const char *text) {
    size_t count = 0;
    for (; *text != '\0'; text++)
        count += ((unsigned char)*text & 0xc0) != 0x80;
    return count;
}

void table_add(struct table *table, const char *style, const char *const *cells) {
    if (table->count == table->capacity) {
        size_t capacity = table->capacity == 0 ? 32 : 2 * table->capacity;
        struct table_row *rows = allocate(capacity, sizeof *rows);
        if (table->count > 0)
            memcpy(rows, table->rows, table->count * sizeof *rows);
        free(table->rows);
        table->rows = rows;
        table->capacity = capacity;
    }
    struct table_row *row = &table->rows[table->count++];
    row->style = style;
    for (size_t i = 0; i < TABLE_COLUMNS && cells[i] != NULL; i++)
        row->cells[i] = output_visible(cells[i]);
}

static void write_row(const struct table *table, const struct table_row *row,
                      const size_t *widths) {
    size_t last = 0;
    for (size_t i = 0; i < TABLE_COLUMNS && row->cells[i] != NULL; i++)
        if (row->cells[i][0] != '\0')
            last = i;
    output("%s%s", table->indent, row->style);
    for (size_t i = 0; i < last; i++)
        output("%s%*s", row->cells[i], (int)(widths[i] - width(row->cells[i]) + 2), "");
    output("%s", row->cells[last]);
    output("%s\n", row->style[0] != '\0' ? term_style()->end : "");
}

void table_write(struct table *table) {
    size_t widths[TABLE_COLUMNS] = {0};
    for (size_t r = 0; r < table->count; r++)
        for (size_t i = 0; i + 1 < TABLE_COLUMNS && table->rows[r].cells[i + 1] != NULL; i++)
            if (width(table->rows[r].cells[i]) > widths[i])
                widths[i] = width(table->rows[r].cells[i]);
    for (size_t r = 0; r < table->count; r++)
        write_row(table, &table->rows[r], widths);
    for (size_t r = 0; r < table->count; r++)
        for (size_t i = 0; i < TABLE_COLUMNS; i++)
            free(table->rows[r].cells[i]);
    free(table->rows);
    table->rows = NULL;
    table->count = table->capacity = 0;
}
