/* What the loader's files share. */
#ifndef TESTS_MACHO_IMAGE_H
#define TESTS_MACHO_IMAGE_H

#include <limits.h>
#include <pthread.h>
#include <stdint.h>

#include "format.h"
#include "load.h"

#if defined(__x86_64__)
#define MACHO_CPU_TYPE CPU_TYPE_X86_64
#elif defined(__aarch64__)
#define MACHO_CPU_TYPE CPU_TYPE_ARM64
#else
#error "Macs have no such processor"
#endif

struct macho_range { /* of the file, inside the slice */
    uint32_t offset, size;
};

struct macho_section {
    uint64_t address, size; /* address as in the file */
    uint32_t type;
    bool interposing;
};

struct macho_library {
    const char *install_name;
    bool weak;
};

enum {
    MACHO_MAX_SEGMENTS = 16,
    MACHO_MAX_SECTIONS = 64,
    MACHO_MAX_LIBRARIES = 16,
    MACHO_MAX_RUN_PATHS = 4
};

struct macho_image {
    struct macho_image *next; /* in the order of loading */
    char path[PATH_MAX];
    char problem[1024]; /* what macho_fail() said */
    unsigned references;
    bool pinned, inserted;

    unsigned char *memory; /* of `size` bytes; the header is at its start */
    uint64_t size;
    uint64_t address; /* where the file wants the header to be */
    const struct mach_header_64 *header;

    struct segment_command_64 segments[MACHO_MAX_SEGMENTS];
    unsigned segment_count;
    struct macho_section sections[MACHO_MAX_SECTIONS];
    unsigned section_count;
    struct macho_library libraries[MACHO_MAX_LIBRARIES]; /* by ordinal, from 1 */
    unsigned library_count;
    const char *run_paths[MACHO_MAX_RUN_PATHS];
    unsigned run_path_count;
    const char *install_name; /* NULL: not a library */
    struct macho_range rebases, binds, weak_binds, lazy_binds, exports, chained;
    bool has_entry;
    uint64_t entry; /* offset of main() */

    pthread_key_t thread_key; /* of the threads' copies of its thread-local variables */
    bool has_thread_key;
    const unsigned char *thread_template;
    size_t thread_size;
};

/* Says what is wrong with an image. Returns false. */
bool macho_fail(struct macho_image *image, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* load_commands.c: fills in what the load commands say. The names in it are where `commands` is. */
bool macho_read_commands(struct macho_image *image, const unsigned char *commands,
                         const struct mach_header_64 *header);

/* load_map.c: memory with the slice's bytes in it, writable; and the final protection. */
bool macho_map(struct macho_image *image);
bool macho_protect(struct macho_image *image);

/* `size` bytes at an address, or at an offset of the slice; NULL: there are none. */
void *macho_at(const struct macho_image *image, uint64_t address, uint64_t size);
const void *macho_at_offset(const struct macho_image *image, uint64_t offset, uint64_t size);
/* A pointer in the segment of that index, one that can be written before it is protected; NULL:
 * there is none. */
uint64_t *macho_slot(const struct macho_image *image, unsigned index, uint64_t offset);

/* load_info.c, load_chained.c: the two formats of fixups. */
bool macho_fix_by_opcodes(struct macho_image *image);
bool macho_fix_by_chains(struct macho_image *image);

/* load_libraries.c */
bool macho_load_libraries(struct macho_image *image);

/* load_thread_local.c */
bool macho_prepare_thread_locals(struct macho_image *image);

/* load_bind.c: the address for an import, interposed. *address is NULL for a weak one that is
 * nowhere. */
bool macho_bind(struct macho_image *image, int library, const char *symbol, bool weak,
                void **address);
bool macho_read_tuples(struct macho_image *image);
void macho_forget_tuples(const struct macho_image *image);
/* ... for dlsym(RTLD_DEFAULT); NULL: nowhere. */
void *macho_look_up(const char *name);

/* imports.c: what is not in a Mach-O image. `library` is its install name. */
enum macho_found { MACHO_FOUND, MACHO_MISSING, MACHO_UNKNOWN };
enum macho_found macho_import(const char *library, const char *name, void **address);
void *macho_import_any(const char *name);

/* load.c: the images in the order of loading, and the one that has an address. */
struct macho_image *macho_images(void);
struct macho_image *macho_image_of(const void *address);
struct macho_image *macho_named(const char *install_name);
struct macho_image *macho_program(void); /* NULL: the program is Linux's */
void macho_pin(struct macho_image *image);
const char *const *macho_arguments(void); /* this process's argv */

/* ---- reading ------------------------------------------------------------------- */

/* Reading past the end, or a number of more than 64 bits, yields 0 and sets `bad`. */
struct macho_reader {
    const unsigned char *at, *end;
    bool bad;
};

static inline struct macho_reader macho_reader_of(const struct macho_image *image,
                                                  struct macho_range range) {
    const unsigned char *at = macho_at_offset(image, range.offset, range.size);
    return (struct macho_reader){at, at ? at + range.size : at, !at && range.size};
}

static inline unsigned char macho_read_byte(struct macho_reader *reader) {
    if (reader->at == reader->end) {
        reader->bad = true;
        return 0;
    }
    return *reader->at++;
}

static inline uint64_t macho_read_bits(struct macho_reader *reader, unsigned *shift,
                                       unsigned char *last) {
    uint64_t value = 0;
    *shift = 0;
    do {
        *last = macho_read_byte(reader);
        if (*shift > 63)
            reader->bad = true;
        else
            value |= (uint64_t)(*last & 0x7f) << *shift;
        *shift += 7;
    } while (*last & 0x80 && !reader->bad);
    return reader->bad ? 0 : value;
}

static inline uint64_t macho_read_uleb(struct macho_reader *reader) {
    unsigned shift;
    unsigned char last;
    return macho_read_bits(reader, &shift, &last);
}

static inline int64_t macho_read_sleb(struct macho_reader *reader) {
    unsigned shift;
    unsigned char last;
    uint64_t value = macho_read_bits(reader, &shift, &last);
    if (last & 0x40 && shift < 64)
        value |= ~(uint64_t)0 << shift;
    return (int64_t)value;
}

static inline const char *macho_read_text(struct macho_reader *reader) {
    const char *text = (const char *)reader->at;
    while (macho_read_byte(reader) != 0 && !reader->bad) {
    }
    return reader->bad ? "" : text;
}

#endif
