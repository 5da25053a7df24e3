/* Who asked: from return addresses to images and functions. */
#include <string.h>

#include "trace.h"

/* One thread at a time; who comes meanwhile would find the same. */
static atomic_flag busy = ATOMIC_FLAG_INIT;

/* ---- images -------------------------------------------------------------------- */

static bool is_known(const struct mtlcap__trace_layout *table, uint32_t count, uintptr_t start,
                     uintptr_t end, const char *path) {
    for (uint32_t i = count; i-- > 0;)
        if (table->images[i].start == start && table->images[i].end == end)
            return strcmp(table->text + table->images[i].path, path) == 0;
    return false;
}

/* Whatever was where it is before, is not there any more: readers take the newest. */
static void take_image(uintptr_t start, uintptr_t end, const char *path, void *data) {
    struct mtlcap__trace_layout *table = data;
    const uint32_t count = atomic_load(&table->header.image_count);
    if (count == MTLCAP__TRACE_IMAGES || is_known(table, count, start, end, path))
        return;
    const uint32_t text = mtlcap__trace_text(table, path);
    table->images[count] = (struct mtlcap__trace_image){start, end, text, 0};
    atomic_store_explicit(&table->header.image_count, count + 1, memory_order_release);
    if (!atomic_load(&table->header.program)) /* the first image */
        atomic_store_explicit(&table->header.program, text, memory_order_release);
}

void mtlcap__trace_take_images(void) {
    static struct mtlcap__trace_layout *taken_into;
    static unsigned long taken;
    struct mtlcap__trace_layout *table = mtlcap__trace_table();
    if (!table || atomic_flag_test_and_set(&busy))
        return;
    const unsigned long loaded = mtlcap__rt_images_loaded();
    if (table != taken_into || loaded != taken || !atomic_load(&table->header.image_count))
        mtlcap__rt_images_each(take_image, table);
    taken_into = table;
    taken = loaded;
    atomic_flag_clear(&busy);
}

/* ---- callers -------------------------------------------------------------------- */

/* Text that was put into the table already, mostly: the image of the caller before. */
struct texts {
    struct mtlcap__trace_layout *table;
    uint32_t at[64];
};

static uint32_t text_of(struct texts *texts, const char *text) {
    uint32_t hash = 5381;
    for (const char *c = text; *c; c++)
        hash = hash * 33 + (unsigned char)*c;
    uint32_t *at = &texts->at[hash % (sizeof texts->at / sizeof texts->at[0])];
    if (!*at || strcmp(texts->table->text + *at, text) != 0)
        *at = mtlcap__trace_text(texts->table, text);
    return *at;
}

static void resolve(struct texts *texts, struct mtlcap__trace_entry *entry) {
    char image[1024], symbol[256];
    /* The call is before where it returns to, which may be another function, or another image. */
    if (!mtlcap__rt_code_symbol((uintptr_t)entry->caller - 1, image, sizeof image, symbol,
                                sizeof symbol))
        return;
    atomic_store_explicit(&entry->symbol, text_of(texts, symbol), memory_order_release);
    atomic_store_explicit(&entry->image, text_of(texts, image), memory_order_release);
}

void mtlcap__trace_resolve_callers(void) {
    struct texts texts = {.table = mtlcap__trace_table()};
    if (!texts.table || atomic_flag_test_and_set(&busy))
        return;
    for (size_t i = 0; i < MTLCAP__TRACE_ENTRIES; i++) {
        struct mtlcap__trace_entry *entry = &texts.table->entries[i];
        if (atomic_load_explicit(&entry->state, memory_order_acquire) == MTLCAP__TRACE_FILLED &&
            !atomic_load_explicit(&entry->image, memory_order_relaxed))
            resolve(&texts, entry);
    }
    atomic_flag_clear(&busy);
}

void mtlcap__trace_callers_forked(void) {
    atomic_flag_clear(&busy); /* who was at it is not here */
}
