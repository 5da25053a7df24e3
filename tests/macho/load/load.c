/* Images: loading them, unloading them, finding them. */
#include "load.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "image.h"

static struct macho_image *images; /* loading is for one thread at a time, as all of this */
static const char *const no_arguments[] = {"", NULL};
static const char *const *arguments = no_arguments;

/* glibc calls constructors as main. */
__attribute__((constructor(101))) static void note_arguments(int argc, char **argv) {
    if (argc > 0)
        arguments = (const char *const *)argv;
}

const char *const *macho_arguments(void) {
    return arguments;
}

bool macho_fail(struct macho_image *image, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(image->problem, sizeof image->problem, format, list);
    va_end(list);
    return false;
}

/* ---- finding -------------------------------------------------------------------------- */

struct macho_image *macho_images(void) {
    return images;
}

struct macho_image *macho_image_of(const void *address) {
    for (struct macho_image *image = images; image; image = image->next)
        if ((const unsigned char *)address >= image->memory &&
            (const unsigned char *)address < image->memory + image->size)
            return image;
    return NULL;
}

struct macho_image *macho_find(const char *path) {
    for (struct macho_image *image = images; image; image = image->next)
        if (strcmp(image->path, path) == 0)
            return image;
    return NULL;
}

struct macho_image *macho_named(const char *install_name) {
    for (struct macho_image *image = images; image; image = image->next)
        if (image->install_name && strcmp(image->install_name, install_name) == 0)
            return image;
    return NULL;
}

struct macho_image *macho_program(void) {
    for (struct macho_image *image = images; image; image = image->next)
        if (image->header->filetype == MH_EXECUTE)
            return image;
    return NULL;
}

const char *macho_path(const struct macho_image *image) {
    return image->path;
}

macho_main *macho_entry(const struct macho_image *image) {
    macho_main *entry = NULL;
    if (image->has_entry && image->entry < image->size) {
        const void *address = image->memory + image->entry;
        memcpy(&entry, &address, sizeof address);
    }
    return entry;
}

void macho_pin(struct macho_image *image) {
    image->pinned = true;
}

/* ---- loading ---------------------------------------------------------------------------- */

static bool fix_up(struct macho_image *image) {
    return image->chained.size ? macho_fix_by_chains(image) : macho_fix_by_opcodes(image);
}

static void call_initialiser(const void *address) {
    char executable[PATH_MAX + 32];
    const char *apple[] = {executable, NULL};
    int argc = 0;
    void (*function)(int, const char *const *, char **, const char **);
    while (arguments[argc])
        argc++;
    snprintf(executable, sizeof executable, "executable_path=%s", arguments[0]);
    memcpy(&function, &address, sizeof address);
    function(argc, arguments, environ, apple);
}

/* In the order of the file. */
static bool initialise(struct macho_image *image) {
    for (unsigned s = 0; s < image->section_count; s++) {
        const struct macho_section *section = &image->sections[s];
        const void *content = macho_at(image, section->address, section->size);
        const void *const *pointers = content;
        const uint32_t *offsets = content;
        if (section->type == S_MOD_TERM_FUNC_POINTERS)
            return macho_fail(image, "has terminators, which this loader does not run");
        if (section->type == S_MOD_INIT_FUNC_POINTERS)
            for (uint64_t i = 0; content && i < section->size / sizeof *pointers; i++)
                call_initialiser(pointers[i]);
        if (section->type == S_INIT_FUNC_OFFSETS)
            for (uint64_t i = 0; content && i < section->size / sizeof *offsets; i++)
                call_initialiser(image->memory + offsets[i]);
    }
    return true;
}

static bool load(struct macho_image *image) {
    struct macho_image **end = &images;
    if (!macho_map(image) || !macho_load_libraries(image) || !fix_up(image) ||
        !macho_prepare_thread_locals(image) || (image->inserted && !macho_read_tuples(image)) ||
        !macho_protect(image))
        return false;
    while (*end)
        end = &(*end)->next;
    *end = image;
    return initialise(image);
}

static void unload(struct macho_image *image) {
    struct macho_image **link = &images;
    while (*link && *link != image)
        link = &(*link)->next;
    if (*link)
        *link = image->next;
    macho_forget_tuples(image);
    if (image->has_thread_key) {
        free(pthread_getspecific(image->thread_key)); /* other threads' copies are lost */
        pthread_key_delete(image->thread_key);
    }
    if (image->memory)
        munmap(image->memory, image->size);
    free(image);
}

struct macho_image *macho_open(const char *path, int flags, char *problem, size_t size) {
    struct macho_image *image = macho_find(path);
    if (image) {
        image->references++;
        return image;
    }
    image = calloc(1, sizeof *image);
    if (!image || strlen(path) >= sizeof image->path) {
        snprintf(problem, size, "%s: too long a path, or no memory", path);
        free(image);
        return NULL;
    }
    strcpy(image->path, path);
    image->references = 1;
    image->inserted = flags & MACHO_INSERTED;
    if (load(image))
        return image;
    snprintf(problem, size, "%s: %s", path, image->problem);
    unload(image);
    return NULL;
}

void macho_close(struct macho_image *image) {
    if (image->references && --image->references == 0 && !image->pinned)
        unload(image);
}
