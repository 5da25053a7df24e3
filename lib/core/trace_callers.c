/* Who asked: from return addresses to images and functions. */
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>

#include "lock.h"
#include "trace.h"

/* One thread at a time; who comes meanwhile would find the same. */
static atomic_flag busy = ATOMIC_FLAG_INIT;

static bool is_filled(const struct mtlcap__trace_entry *entry) {
    return atomic_load_explicit(&entry->state, memory_order_acquire) == MTLCAP__TRACE_FILLED;
}

/* ---- images -------------------------------------------------------------------- */

/* What there is, first of all by itself: the loader's lock is held meanwhile, and so none of ours.
 */
struct images {
    struct image {
        uintptr_t start, end;
        char *path;
    } *image;
    size_t count;
};

static void collect(uintptr_t start, uintptr_t end, const char *path, void *data) {
    struct images *images = data;
    if (images->count == MTLCAP__TRACE_IMAGES)
        return;
    if (!images->image)
        images->image = malloc(MTLCAP__TRACE_IMAGES * sizeof images->image[0]);
    char *copied = images->image ? strdup(path) : NULL;
    if (copied)
        images->image[images->count++] = (struct image){start, end, copied};
}

static void forget(struct images *images) {
    for (size_t i = 0; i < images->count; i++)
        free(images->image[i].path);
    free(images->image);
}

static bool is_known(const struct mtlcap__trace_layout *table, uint32_t count,
                     const struct image *image) {
    for (uint32_t i = count; i-- > 0;)
        if (table->images[i].start == image->start && table->images[i].end == image->end)
            return strcmp(table->text + table->images[i].path, image->path) == 0;
    return false;
}

/* Whatever was where it is before, is not there any more: readers take the newest. */
static void put(struct mtlcap__trace_layout *table, const struct image *image) {
    const uint32_t count = atomic_load(&table->header.image_count);
    if (count == MTLCAP__TRACE_IMAGES || is_known(table, count, image))
        return;
    const uint32_t text = mtlcap__trace_text(table, image->path);
    table->images[count] = (struct mtlcap__trace_image){image->start, image->end, text, 0};
    atomic_store_explicit(&table->header.image_count, count + 1, memory_order_release);
    if (!atomic_load(&table->header.program)) /* the first image */
        atomic_store_explicit(&table->header.program, text, memory_order_release);
}

/* An image may have come to where another one was, of which nothing is known: who asked from there
 * is not told, neither the one nor the other. */
static void doubt(struct mtlcap__trace_layout *table, const struct mtlcap__trace_image *image) {
    const char *path = table->text + image->path;
    const uint32_t nobody = image->path + (uint32_t)strlen(path); /* text: "", but not none */
    for (size_t i = 0; i < MTLCAP__TRACE_ENTRIES; i++) {
        struct mtlcap__trace_entry *entry = &table->entries[i];
        if (!is_filled(entry) || entry->caller - 1 < image->start ||
            entry->caller - 1 >= image->end || strcmp(table->text + entry->image, path) == 0)
            continue;
        atomic_store_explicit(&entry->symbol, 0, memory_order_release);
        atomic_store_explicit(&entry->image, nobody, memory_order_release);
    }
}

/* With the lock. `unloaded`: some image was, since the last time. */
static void put_all(struct mtlcap__trace_layout *table, const struct images *images,
                    bool unloaded) {
    const uint32_t before = atomic_load(&table->header.image_count);
    for (size_t i = 0; i < images->count; i++)
        put(table, &images->image[i]);
    for (uint32_t i = before; unloaded && before && i < table->header.image_count; i++)
        doubt(table, &table->images[i]);
}

static void take_images(void) {
    static struct mtlcap__trace_layout *taken_into;
    static unsigned long loaded, unloaded;
    struct images images = {NULL, 0};
    const unsigned long loaded_now = mtlcap__rt_images_loaded();
    const unsigned long unloaded_now = mtlcap__rt_images_unloaded();
    mtlcap__lock();
    struct mtlcap__trace_layout *table = mtlcap__trace_table();
    const bool has_them =
        table == taken_into && loaded_now == loaded && atomic_load(&table->header.image_count);
    mtlcap__unlock();
    if (has_them)
        return;
    mtlcap__rt_images_each(collect, &images);
    mtlcap__lock();
    taken_into = mtlcap__trace_table();
    put_all(taken_into, &images, unloaded_now != unloaded);
    mtlcap__unlock();
    loaded = loaded_now;
    unloaded = unloaded_now;
    forget(&images);
}

void mtlcap__trace_take_images(void) {
    if (!mtlcap__trace_table() || atomic_flag_test_and_set(&busy))
        return;
    take_images();
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

/* False: the table is not the one in use any more. */
static bool resolve(struct texts *texts, size_t index) {
    char image[1024], symbol[256];
    struct mtlcap__trace_entry *entry = &texts->table->entries[index];
    mtlcap__lock();
    bool in_use = texts->table == mtlcap__trace_table();
    const uint64_t caller =
        in_use && is_filled(entry) && !atomic_load(&entry->image) ? entry->caller : 0;
    mtlcap__unlock();
    /* The call is before where it returns to, which may be another function, or another image. */
    if (!caller ||
        !mtlcap__rt_code_symbol((uintptr_t)caller - 1, image, sizeof image, symbol, sizeof symbol))
        return in_use;
    mtlcap__lock();
    in_use = texts->table == mtlcap__trace_table();
    if (in_use && entry->caller == caller) {
        atomic_store_explicit(&entry->symbol, text_of(texts, symbol), memory_order_release);
        atomic_store_explicit(&entry->image, text_of(texts, image), memory_order_release);
    }
    mtlcap__unlock();
    return in_use;
}

void mtlcap__trace_resolve_callers(void) {
    struct texts texts = {.table = mtlcap__trace_table()};
    if (!texts.table || atomic_flag_test_and_set(&busy))
        return;
    take_images();
    size_t i = 0;
    while (i < MTLCAP__TRACE_ENTRIES && resolve(&texts, i))
        i++;
    atomic_flag_clear(&busy);
}

void mtlcap__trace_callers_forked(void) {
    atomic_flag_clear(&busy); /* who was at it is not here */
}
