/* The slices of a file: one, or what a fat header lists. Fat headers are big-endian. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "bytes.h"

#define FAT_MAGIC 0xcafebabeu
#define FAT_MAGIC_64 0xcafebabfu
#define MH_MAGIC 0xfeedfaceu
#define MH_MAGIC_64 0xfeedfacfu

#define CPU_SUBTYPE_MASK 0x00ffffffu /* without what it can do */
#define CPU_SUBTYPE_ARM64E 2u
#define CPU_SUBTYPE_X86_64H 8u

enum { FAT_HEADER = 8, FAT_ENTRY = 20, FAT_ENTRY_64 = 32 };

/* The version of a Java class, which comes at the place of the number of slices. */
enum { FIRST_JAVA = 45 };

bool mtlcap__malformed(struct mtlcap__macho_problem *problem, uint64_t place, const char *format,
                       ...) {
    va_list arguments;
    va_start(arguments, format);
    problem->place = place;
    vsnprintf(problem->text, sizeof problem->text, format, arguments);
    va_end(arguments);
    return false;
}

const char *mtlcap__text(const struct mtlcap__macho_bytes *bytes, uint64_t offset) {
    if (offset >= bytes->size ||
        memchr(bytes->data + offset, 0, (size_t)(bytes->size - offset)) == NULL)
        return NULL;
    return (const char *)bytes->data + offset;
}

static bool is_thin(uint32_t big_magic, uint32_t little_magic) {
    return big_magic == MH_MAGIC || big_magic == MH_MAGIC_64 || little_magic == MH_MAGIC ||
           little_magic == MH_MAGIC_64;
}

bool mtlcap__macho_is(const void *data, size_t size) {
    const uint8_t *at = data;
    if (size < FAT_HEADER)
        return false;
    uint32_t magic = mtlcap__big32(at);
    if (magic == FAT_MAGIC || magic == FAT_MAGIC_64)
        return mtlcap__big32(at + 4) < FIRST_JAVA;
    return is_thin(magic, mtlcap__little32(at));
}

/* ---- fat files ---------------------------------------------------------------- */

static void read_entry(const uint8_t *at, bool wide, struct mtlcap__macho_slice *slice,
                       uint64_t *offset, uint64_t *size) {
    slice->cpu_type = mtlcap__big32(at);
    slice->cpu_subtype = mtlcap__big32(at + 4);
    *offset = wide ? mtlcap__big64(at + 8) : mtlcap__big32(at + 8);
    *size = wide ? mtlcap__big64(at + 16) : mtlcap__big32(at + 12);
}

static bool overlap(const struct mtlcap__macho_bytes *a, const struct mtlcap__macho_bytes *b) {
    return a->place < b->place + b->size && b->place < a->place + a->size;
}

static bool read_slice(const struct mtlcap__macho_bytes *all, struct mtlcap__macho_file *file,
                       bool wide, uint64_t headers, struct mtlcap__macho_problem *problem) {
    uint32_t index = file->count;
    struct mtlcap__macho_slice *slice = &file->slices[index];
    uint64_t offset, size;
    slice->entry = FAT_HEADER + (uint64_t)index * (wide ? FAT_ENTRY_64 : FAT_ENTRY);
    read_entry(all->data + slice->entry, wide, slice, &offset, &size);
    if (!mtlcap__inside(all, offset, size))
        return mtlcap__malformed(
            problem, slice->entry, "slice %u, %llu bytes at %#llx, ends outside the file",
            (unsigned)index, (unsigned long long)size, (unsigned long long)offset);
    if (offset < headers)
        return mtlcap__malformed(problem, slice->entry, "slice %u lies over the list of slices",
                                 (unsigned)index);
    slice->bytes = mtlcap__part(all, offset, size);
    for (uint32_t i = 0; i < index; i++) {
        if (overlap(&file->slices[i].bytes, &slice->bytes))
            return mtlcap__malformed(problem, slice->entry, "slice %u lies over slice %u",
                                     (unsigned)index, (unsigned)i);
        if (file->slices[i].cpu_type == slice->cpu_type &&
            file->slices[i].cpu_subtype == slice->cpu_subtype)
            return mtlcap__malformed(problem, slice->entry,
                                     "slices %u and %u are for the same "
                                     "processor",
                                     (unsigned)i, (unsigned)index);
    }
    file->count++;
    return true;
}

static bool open_fat(const struct mtlcap__macho_bytes *all, bool wide,
                     struct mtlcap__macho_file *file, struct mtlcap__macho_problem *problem) {
    uint32_t count = mtlcap__big32(all->data + 4);
    uint64_t headers = FAT_HEADER + (uint64_t)count * (wide ? FAT_ENTRY_64 : FAT_ENTRY);
    if (count == 0 || count > MTLCAP__MACHO_SLICES)
        return mtlcap__malformed(problem, 4, "it lists %u slices: from 1 to %d are read",
                                 (unsigned)count, MTLCAP__MACHO_SLICES);
    if (headers > all->size)
        return mtlcap__malformed(problem, 4, "the file ends in its list of %u slices",
                                 (unsigned)count);
    while (file->count < count)
        if (!read_slice(all, file, wide, headers, problem))
            return false;
    return true;
}

/* ---- all of it ------------------------------------------------------------------ */

bool mtlcap__macho_open(const void *data, size_t size, struct mtlcap__macho_file *file,
                        struct mtlcap__macho_problem *problem) {
    const struct mtlcap__macho_bytes all = {data, size, 0};
    file->count = 0;
    if (!mtlcap__macho_is(data, size))
        return mtlcap__malformed(problem, 0, "not a Mach-O file");
    uint32_t magic = mtlcap__big32(all.data);
    if (magic == FAT_MAGIC || magic == FAT_MAGIC_64)
        return open_fat(&all, magic == FAT_MAGIC_64, file, problem);
    if (size < 12)
        return mtlcap__malformed(problem, 0, "the file ends in its header");
    bool swapped = magic == MH_MAGIC || magic == MH_MAGIC_64;
    struct mtlcap__macho_slice *slice = &file->slices[file->count++];
    slice->cpu_type = swapped ? mtlcap__big32(all.data + 4) : mtlcap__little32(all.data + 4);
    slice->cpu_subtype = swapped ? mtlcap__big32(all.data + 8) : mtlcap__little32(all.data + 8);
    slice->bytes = all;
    slice->entry = 0;
    return true;
}

bool mtlcap__macho_is_arm64e(uint32_t cpu_type, uint32_t cpu_subtype) {
    return cpu_type == MTLCAP__CPU_ARM64 && (cpu_subtype & CPU_SUBTYPE_MASK) == CPU_SUBTYPE_ARM64E;
}

const char *mtlcap__macho_cpu_name(uint32_t cpu_type, uint32_t cpu_subtype, char text[24]) {
    static const struct {
        uint32_t cpu_type;
        const char *name;
    } names[] = {
        {MTLCAP__CPU_X86_64, "x86_64"}, {MTLCAP__CPU_ARM64, "arm64"},
        {MTLCAP__CPU_I386, "i386"},     {0x0000000c, "arm"},
        {0x0200000c, "arm64_32"},       {0x00000012, "ppc"},
        {0x01000012, "ppc64"},
    };
    uint32_t subtype = cpu_subtype & CPU_SUBTYPE_MASK;
    if (mtlcap__macho_is_arm64e(cpu_type, cpu_subtype))
        return "arm64e";
    if (cpu_type == MTLCAP__CPU_X86_64 && subtype == CPU_SUBTYPE_X86_64H)
        return "x86_64h";
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].cpu_type == cpu_type)
            return names[i].name;
    snprintf(text, 24, "cpu %#x", (unsigned)cpu_type);
    return text;
}
