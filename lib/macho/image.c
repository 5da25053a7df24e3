/* A slice: header, load commands, segments, sections, and what they point to. */
#include <string.h>

#include "bytes.h"

#define MH_MAGIC 0xfeedfaceu
#define MH_MAGIC_64 0xfeedfacfu

enum {
    LC_SEGMENT = 0x1,
    LC_SEGMENT_64 = 0x19,
    LC_VERSION_MIN_MACOSX = 0x24,
    LC_VERSION_MIN_IPHONEOS = 0x25,
    LC_VERSION_MIN_TVOS = 0x2f,
    LC_VERSION_MIN_WATCHOS = 0x30,
    LC_BUILD_VERSION = 0x32,
};

/* Sections of these types have no bytes in the file. */
enum { SECTION_TYPE = 0xff, S_ZEROFILL = 1, S_GB_ZEROFILL = 0xc, S_THREAD_LOCAL_ZEROFILL = 0x12 };

/* Of file types whose load commands point into another file. */
enum { MH_DYLIB_STUB = 9, MH_DSYM = 10 };

/* A section's number is a byte, so more segments than that have no use. */
enum { MOST_SEGMENTS = 255 };

static uint32_t get32(const struct mtlcap__macho_image *image, uint64_t offset) {
    const uint8_t *at = image->bytes.data + offset;
    return image->swapped ? mtlcap__big32(at) : mtlcap__little32(at);
}

/* A number that is 64 bits wide in a 64-bit image. */
static uint64_t get_word(const struct mtlcap__macho_image *image, uint64_t offset) {
    const uint8_t *at = image->bytes.data + offset;
    if (!image->wide)
        return get32(image, offset);
    return image->swapped ? mtlcap__big64(at) : mtlcap__little64(at);
}

static uint64_t header_size(const struct mtlcap__macho_image *image) {
    return image->wide ? 32 : 28;
}

static uint64_t place_of(const struct mtlcap__macho_image *image, uint64_t offset) {
    return image->bytes.place + offset;
}

/* ---- load commands -------------------------------------------------------------- */

bool mtlcap__macho_next(const struct mtlcap__macho_image *image,
                        struct mtlcap__macho_command *command) {
    uint64_t offset = command->index == 0 ? header_size(image) : command->next;
    if (command->index >= image->command_count)
        return false;
    command->kind = get32(image, offset);
    command->size = get32(image, offset + 4);
    command->offset = offset;
    command->next = offset + command->size;
    command->index++;
    return true;
}

static bool check_commands(const struct mtlcap__macho_image *image,
                           struct mtlcap__macho_problem *problem) {
    uint64_t offset = header_size(image), end = offset + image->commands_size;
    if (!mtlcap__inside(&image->bytes, 0, end))
        return mtlcap__malformed(problem, place_of(image, 20),
                                 "%u bytes of load commands end outside the slice",
                                 (unsigned)image->commands_size);
    for (uint32_t i = 0; i < image->command_count; i++) {
        if (end - offset < 8)
            return mtlcap__malformed(problem, place_of(image, offset),
                                     "load command %u of %u begins outside the load commands",
                                     (unsigned)i, (unsigned)image->command_count);
        uint32_t size = get32(image, offset + 4);
        if (size < 8 || size % 4 != 0 || size > end - offset)
            return mtlcap__malformed(problem, place_of(image, offset + 4),
                                     "load command %u (kind %#x) says that it has %u bytes",
                                     (unsigned)i, (unsigned)get32(image, offset), (unsigned)size);
        offset += size;
    }
    return true;
}

/* Has the command this size at least? */
static bool has_size(const struct mtlcap__macho_image *image,
                     const struct mtlcap__macho_command *command, uint32_t size,
                     struct mtlcap__macho_problem *problem) {
    return command->size >= size ||
           mtlcap__malformed(problem, place_of(image, command->offset),
                             "load command of kind %#x has %u bytes instead of %u or more",
                             (unsigned)command->kind, (unsigned)command->size, (unsigned)size);
}

/* ---- segments ------------------------------------------------------------------- */

static void read_name(const struct mtlcap__macho_image *image, uint64_t offset, char name[17]) {
    memcpy(name, image->bytes.data + offset, 16);
    name[16] = '\0';
}

static uint32_t segment_size(const struct mtlcap__macho_image *image) {
    return image->wide ? 72 : 56;
}

static uint32_t section_size(const struct mtlcap__macho_image *image) {
    return image->wide ? 80 : 68;
}

static bool is_segment(const struct mtlcap__macho_image *image,
                       const struct mtlcap__macho_command *command) {
    return command->kind == (image->wide ? LC_SEGMENT_64 : LC_SEGMENT);
}

bool mtlcap__macho_segment(const struct mtlcap__macho_image *image,
                           const struct mtlcap__macho_command *command,
                           struct mtlcap__macho_segment *segment) {
    if (!is_segment(image, command))
        return false;
    uint64_t word = image->wide ? 8 : 4, at = command->offset + 24, numbers = at + 4 * word;
    read_name(image, command->offset + 8, segment->name);
    segment->address = get_word(image, at);
    segment->memory_size = get_word(image, at + word);
    segment->offset = get_word(image, at + 2 * word);
    segment->size = get_word(image, at + 3 * word);
    segment->max_protection = get32(image, numbers);
    segment->protection = get32(image, numbers + 4);
    segment->section_count = get32(image, numbers + 8);
    segment->flags = get32(image, numbers + 12);
    segment->place = place_of(image, command->offset);
    segment->sections = command->offset + segment_size(image);
    return true;
}

void mtlcap__macho_section(const struct mtlcap__macho_image *image,
                           const struct mtlcap__macho_segment *segment, uint32_t index,
                           struct mtlcap__macho_section *section) {
    uint64_t word = image->wide ? 8 : 4;
    uint64_t at = segment->sections + (uint64_t)index * section_size(image);
    read_name(image, at, section->name);
    read_name(image, at + 16, section->segment);
    section->address = get_word(image, at + 32);
    section->size = get_word(image, at + 32 + word);
    section->offset = get32(image, at + 32 + 2 * word);
    section->flags = get32(image, at + 32 + 2 * word + 16);
    section->place = place_of(image, at);
}

static bool check_sections(const struct mtlcap__macho_image *image,
                           const struct mtlcap__macho_segment *segment,
                           struct mtlcap__macho_problem *problem) {
    for (uint32_t i = 0; i < segment->section_count; i++) {
        struct mtlcap__macho_section section;
        mtlcap__macho_section(image, segment, i, &section);
        uint32_t type = section.flags & SECTION_TYPE;
        if (type == S_ZEROFILL || type == S_GB_ZEROFILL || type == S_THREAD_LOCAL_ZEROFILL)
            continue;
        if (!mtlcap__inside(&image->bytes, section.offset, section.size))
            return mtlcap__malformed(problem, section.place, "section %s,%s ends outside the slice",
                                     section.segment, section.name);
    }
    return true;
}

static bool check_segment(const struct mtlcap__macho_image *image,
                          const struct mtlcap__macho_command *command,
                          struct mtlcap__macho_segment *segment,
                          struct mtlcap__macho_problem *problem) {
    if (!has_size(image, command, segment_size(image), problem))
        return false;
    mtlcap__macho_segment(image, command, segment);
    if (segment->section_count > (command->size - segment_size(image)) / section_size(image))
        return mtlcap__malformed(problem, segment->place,
                                 "segment %s has no room for its %u sections", segment->name,
                                 (unsigned)segment->section_count);
    if (image->file_type == MH_DSYM || image->file_type == MH_DYLIB_STUB)
        return true;
    if (!mtlcap__inside(&image->bytes, segment->offset, segment->size))
        return mtlcap__malformed(
            problem, segment->place, "segment %s, %llu bytes at %#llx, ends outside the slice",
            segment->name, (unsigned long long)segment->size, (unsigned long long)segment->offset);
    return check_sections(image, segment, problem);
}

/* No two segments have bytes of the file in common. */
static bool check_overlap(const struct mtlcap__macho_image *image,
                          const struct mtlcap__macho_segment *segment,
                          struct mtlcap__macho_problem *problem) {
    struct mtlcap__macho_command command = {0};
    while (mtlcap__macho_next(image, &command)) {
        struct mtlcap__macho_segment other;
        if (place_of(image, command.offset) == segment->place)
            return true;
        if (mtlcap__macho_segment(image, &command, &other) && other.size > 0 && segment->size > 0 &&
            other.offset < segment->offset + segment->size &&
            segment->offset < other.offset + other.size)
            return mtlcap__malformed(problem, segment->place,
                                     "segment %s lies over segment %s in the file", segment->name,
                                     other.name);
    }
    return true;
}

static bool check_segments(const struct mtlcap__macho_image *image,
                           struct mtlcap__macho_problem *problem) {
    struct mtlcap__macho_command command = {0};
    unsigned count = 0;
    while (mtlcap__macho_next(image, &command)) {
        struct mtlcap__macho_segment segment;
        if (!is_segment(image, &command))
            continue;
        if (++count > MOST_SEGMENTS)
            return mtlcap__malformed(problem, place_of(image, command.offset),
                                     "there are more than %d segments", MOST_SEGMENTS);
        if (!check_segment(image, &command, &segment, problem))
            return false;
        if (image->file_type != MH_DSYM && image->file_type != MH_DYLIB_STUB &&
            !check_overlap(image, &segment, problem))
            return false;
    }
    return true;
}

bool mtlcap__macho_find_section(const struct mtlcap__macho_image *image, const char *segment_name,
                                const char *name, struct mtlcap__macho_section *section) {
    struct mtlcap__macho_command command = {0};
    struct mtlcap__macho_segment segment;
    while (mtlcap__macho_next(image, &command)) {
        if (!mtlcap__macho_segment(image, &command, &segment))
            continue;
        for (uint32_t i = 0; i < segment.section_count; i++) {
            mtlcap__macho_section(image, &segment, i, section);
            if (strcmp(section->segment, segment_name) == 0 && strcmp(section->name, name) == 0)
                return true;
        }
    }
    return false;
}

/* ---- what else is looked at -------------------------------------------------------- */

static bool add_version(struct mtlcap__macho_image *image,
                        const struct mtlcap__macho_command *command, uint32_t platform,
                        uint32_t numbers, struct mtlcap__macho_problem *problem) {
    if (!has_size(image, command, numbers + 8, problem))
        return false;
    if (image->version_count == MTLCAP__MACHO_VERSIONS)
        return mtlcap__malformed(problem, place_of(image, command->offset),
                                 "it names more than %d platforms", MTLCAP__MACHO_VERSIONS);
    struct mtlcap__macho_version *version = &image->versions[image->version_count++];
    version->platform =
        command->kind == LC_BUILD_VERSION ? get32(image, command->offset + 8) : platform;
    version->minimum = get32(image, command->offset + numbers);
    version->sdk = get32(image, command->offset + numbers + 4);
    version->place = place_of(image, command->offset);
    return true;
}

static bool take_signature(struct mtlcap__macho_image *image,
                           const struct mtlcap__macho_command *command,
                           struct mtlcap__macho_problem *problem) {
    uint64_t place = place_of(image, command->offset);
    if (!has_size(image, command, 16, problem))
        return false;
    if (image->signature_command != 0)
        return mtlcap__malformed(problem, place, "it is signed twice");
    uint32_t offset = get32(image, command->offset + 8), size = get32(image, command->offset + 12);
    if (!mtlcap__inside(&image->bytes, offset, size))
        return mtlcap__malformed(problem, place,
                                 "the signature, %u bytes at %#x, ends outside the slice",
                                 (unsigned)size, (unsigned)offset);
    image->signature = mtlcap__part(&image->bytes, offset, size);
    image->signature_command = place;
    return true;
}

static bool take_dylinker(struct mtlcap__macho_image *image,
                          const struct mtlcap__macho_command *command,
                          struct mtlcap__macho_problem *problem) {
    if (!has_size(image, command, 12, problem))
        return false;
    const struct mtlcap__macho_bytes whole =
        mtlcap__part(&image->bytes, command->offset, command->size);
    image->dylinker = mtlcap__text(&whole, get32(image, command->offset + 8));
    return image->dylinker != NULL ||
           mtlcap__malformed(problem, whole.place, "the name of the dynamic linker does not end");
}

/* `count` things of `size` bytes each. */
static bool check_range(const struct mtlcap__macho_image *image,
                        const struct mtlcap__macho_command *command, uint32_t at, uint32_t size,
                        const char *what, struct mtlcap__macho_problem *problem) {
    uint64_t offset = get32(image, command->offset + at);
    uint64_t length = (uint64_t)get32(image, command->offset + at + 4) * size;
    return mtlcap__inside(&image->bytes, offset, length) ||
           mtlcap__malformed(problem, place_of(image, command->offset),
                             "%s, %llu bytes at %#llx, end outside the slice", what,
                             (unsigned long long)length, (unsigned long long)offset);
}

static bool take_symbols(struct mtlcap__macho_image *image,
                         const struct mtlcap__macho_command *command,
                         struct mtlcap__macho_problem *problem) {
    if (image->symbols != 0)
        return mtlcap__malformed(problem, place_of(image, command->offset),
                                 "it has two tables of symbols");
    image->symbols = command->offset;
    return has_size(image, command, 24, problem) &&
           check_range(image, command, 8, image->wide ? 16 : 12, "the symbols", problem) &&
           check_range(image, command, 16, 1, "the symbols' names", problem);
}

static bool take_command(struct mtlcap__macho_image *image,
                         const struct mtlcap__macho_command *command,
                         struct mtlcap__macho_problem *problem) {
    static const struct {
        uint32_t kind, platform, numbers;
    } versions[] = {
        {LC_VERSION_MIN_MACOSX, MTLCAP__PLATFORM_MACOS, 8},
        {LC_VERSION_MIN_IPHONEOS, 2, 8},
        {LC_VERSION_MIN_TVOS, 3, 8},
        {LC_VERSION_MIN_WATCHOS, 4, 8},
        {LC_BUILD_VERSION, 0, 12},
    };
    for (size_t i = 0; i < sizeof versions / sizeof versions[0]; i++)
        if (command->kind == versions[i].kind)
            return add_version(image, command, versions[i].platform, versions[i].numbers, problem);
    switch (command->kind) {
    case MTLCAP__LC_CODE_SIGNATURE:
        return take_signature(image, command, problem);
    case MTLCAP__LC_LOAD_DYLINKER:
        return take_dylinker(image, command, problem);
    case MTLCAP__LC_SYMTAB:
        return take_symbols(image, command, problem);
    default:
        return true;
    }
}

bool mtlcap__macho_imports(const struct mtlcap__macho_image *image, const char *symbol) {
    enum { N_STAB = 0xe0, N_TYPE = 0x0e, N_EXT = 0x01 }; /* an undefined symbol's type is 0 */
    uint64_t command = image->symbols;
    if (command == 0)
        return false;
    uint64_t at = get32(image, command + 8), step = image->wide ? 16 : 12;
    size_t size = strlen(symbol) + 1;
    const struct mtlcap__macho_bytes names =
        mtlcap__part(&image->bytes, get32(image, command + 16), get32(image, command + 20));
    for (uint32_t left = get32(image, command + 12); left > 0; left--, at += step) {
        uint8_t type = image->bytes.data[at + 4];
        uint32_t name = get32(image, at);
        if ((type & (N_STAB | N_TYPE)) == 0 && (type & N_EXT) != 0 &&
            mtlcap__inside(&names, name, size) && memcmp(names.data + name, symbol, size) == 0)
            return true;
    }
    return false;
}

/* ---- all of it ------------------------------------------------------------------------ */

static bool read_header(const struct mtlcap__macho_slice *slice, struct mtlcap__macho_image *image,
                        struct mtlcap__macho_problem *problem) {
    const struct mtlcap__macho_bytes *bytes = &slice->bytes;
    *image = (struct mtlcap__macho_image){.bytes = *bytes};
    if (bytes->size < 28)
        return mtlcap__malformed(problem, bytes->place, "the slice ends in its header");
    uint32_t big = mtlcap__big32(bytes->data), little = mtlcap__little32(bytes->data);
    image->swapped = big == MH_MAGIC || big == MH_MAGIC_64;
    image->wide = big == MH_MAGIC_64 || little == MH_MAGIC_64;
    if (!image->swapped && !image->wide && little != MH_MAGIC)
        return mtlcap__malformed(problem, bytes->place, "the slice does not begin as Mach-O does");
    if (bytes->size < header_size(image))
        return mtlcap__malformed(problem, bytes->place, "the slice ends in its header");
    image->cpu_type = get32(image, 4);
    image->cpu_subtype = get32(image, 8);
    image->file_type = get32(image, 12);
    image->command_count = get32(image, 16);
    image->commands_size = get32(image, 20);
    image->flags = get32(image, 24);
    if (image->cpu_type != slice->cpu_type)
        return mtlcap__malformed(problem, bytes->place + 4,
                                 "the slice is for processor %#x, its list says %#x",
                                 (unsigned)image->cpu_type, (unsigned)slice->cpu_type);
    return true;
}

bool mtlcap__macho_image(const struct mtlcap__macho_slice *slice, struct mtlcap__macho_image *image,
                         struct mtlcap__macho_problem *problem) {
    if (!read_header(slice, image, problem) || !check_commands(image, problem) ||
        !check_segments(image, problem))
        return false;
    struct mtlcap__macho_command command = {0};
    while (mtlcap__macho_next(image, &command))
        if (!take_command(image, &command, problem))
            return false;
    return true;
}
