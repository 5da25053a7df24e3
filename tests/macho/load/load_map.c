/* From a file to memory: the slice, its load commands, its segments. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "image.h"

struct slice {
    int file;
    uint64_t offset, size; /* of the slice in the file */
};

static bool read_at(const struct slice *slice, uint64_t offset, void *target, uint64_t size) {
    if (offset > slice->size || size > slice->size - offset)
        return false;
    for (uint64_t done = 0; done < size;) {
        const ssize_t got = pread(slice->file, (char *)target + done, size - done,
                                  (off_t)(slice->offset + offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (uint64_t)got;
    }
    return true;
}

static uint32_t big_endian(uint32_t number) {
    return __builtin_bswap32(number);
}

/* In a file of several slices, the one for this processor. */
static bool choose_slice(struct macho_image *image, struct slice *slice) {
    struct fat_header fat;
    const struct slice file = *slice;
    if (!read_at(&file, 0, &fat, sizeof fat))
        return macho_fail(image, "is too short for a Mach-O file");
    if (big_endian(fat.magic) != FAT_MAGIC)
        return true;
    for (uint32_t i = 0; i < big_endian(fat.nfat_arch); i++) {
        struct fat_arch arch;
        if (!read_at(&file, sizeof fat + i * sizeof arch, &arch, sizeof arch))
            return macho_fail(image, "lists %u slices, and is too short for them",
                              big_endian(fat.nfat_arch));
        if (big_endian(arch.cputype) != MACHO_CPU_TYPE)
            continue;
        slice->offset = big_endian(arch.offset);
        slice->size = big_endian(arch.size);
        if (slice->offset > file.size || slice->size > file.size - slice->offset)
            return macho_fail(image, "has a slice beyond its end");
        return true;
    }
    return macho_fail(image, "has no slice for this processor");
}

static bool check_header(struct macho_image *image, const struct mach_header_64 *header,
                         const struct slice *slice) {
    if (header->magic != MH_MAGIC_64)
        return macho_fail(image, "is no Mach-O file of 64 bits: it starts with %#x", header->magic);
    if (header->cputype != MACHO_CPU_TYPE)
        return macho_fail(image, "is for another processor (%#x)", header->cputype);
    if (header->cputype == CPU_TYPE_ARM64 &&
        (header->cpusubtype & ~CPU_SUBTYPE_MASK) == CPU_SUBTYPE_ARM64E)
        return macho_fail(image, "is arm64e, whose pointers are signed: only arm64 can be loaded");
    if (header->filetype != MH_DYLIB && header->filetype != MH_EXECUTE &&
        header->filetype != MH_BUNDLE)
        return macho_fail(image, "is of type %u: neither a library nor a program",
                          header->filetype);
    if (header->sizeofcmds > slice->size - sizeof *header)
        return macho_fail(image, "has load commands beyond its end");
    return true;
}

/* ---- load commands --------------------------------------------------------------- */

static bool is_named(const char *name, const char *wanted) {
    return strncmp(name, wanted, 16) == 0;
}

static bool add_segment(struct macho_image *image, const struct segment_command_64 *segment) {
    const uint64_t room = (segment->cmdsize - sizeof *segment) / sizeof(struct section_64);
    if (image->segment_count == MACHO_MAX_SEGMENTS || segment->nsects > room ||
        image->section_count + segment->nsects > MACHO_MAX_SECTIONS)
        return macho_fail(image, "has more segments or sections than there is room for");
    if (segment->filesize > segment->vmsize)
        return macho_fail(image, "has a segment %.16s with more bytes in the file than in memory",
                          segment->segname);
    image->segments[image->segment_count++] = *segment;
    for (uint32_t i = 0; i < segment->nsects; i++) {
        struct section_64 section;
        memcpy(&section, (const char *)(segment + 1) + i * sizeof section, sizeof section);
        image->sections[image->section_count++] =
            (struct macho_section){section.addr, section.size, section.flags & SECTION_TYPE,
                                   (section.flags & SECTION_TYPE) == S_INTERPOSING ||
                                       is_named(section.sectname, "__interpose")};
    }
    return true;
}

/* The text at an offset of a load command; NULL: it is not inside. */
static const char *text_in(const void *command, uint32_t size, uint32_t offset) {
    const char *text = (const char *)command + offset;
    return offset < size && memchr(text, '\0', size - offset) ? text : NULL;
}

static bool add_run_path(struct macho_image *image, const struct rpath_command *command) {
    const char *path = text_in(command, command->cmdsize, command->path_offset);
    if (!path || image->run_path_count == MACHO_MAX_RUN_PATHS)
        return macho_fail(image, "has a malformed run-time path, or too many");
    image->run_paths[image->run_path_count++] = path;
    return true;
}

static bool add_library(struct macho_image *image, const struct dylib_command *library) {
    const char *name = text_in(library, library->cmdsize, library->name_offset);
    if (!name)
        return macho_fail(image, "names a library beyond the end of a load command");
    if (library->cmd == LC_ID_DYLIB) {
        image->install_name = name;
        return true;
    }
    if (image->library_count == MACHO_MAX_LIBRARIES)
        return macho_fail(image, "loads more libraries than there is room for");
    image->libraries[image->library_count++] =
        (struct macho_library){name, library->cmd == LC_LOAD_WEAK_DYLIB};
    return true;
}

static bool read_command(struct macho_image *image, const struct load_command *command) {
    const struct dyld_info_command *info = (const void *)command;
    const struct linkedit_data_command *data = (const void *)command;
    const struct entry_point_command *entry = (const void *)command;
    static const struct {
        uint32_t cmd, size;
    } sizes[] = {
        {LC_SEGMENT_64, sizeof(struct segment_command_64)},
        {LC_ID_DYLIB, sizeof(struct dylib_command)},
        {LC_LOAD_DYLIB, sizeof(struct dylib_command)},
        {LC_LOAD_WEAK_DYLIB, sizeof(struct dylib_command)},
        {LC_RPATH, sizeof(struct rpath_command)},
        {LC_DYLD_INFO_ONLY, sizeof *info},
        {LC_DYLD_EXPORTS_TRIE, sizeof *data},
        {LC_DYLD_CHAINED_FIXUPS, sizeof *data},
        {LC_MAIN, sizeof *entry},
    };
    for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i].cmd == command->cmd && command->cmdsize < sizes[i].size)
            return macho_fail(image, "has a load command %#x of %u bytes", command->cmd,
                              command->cmdsize);
    switch (command->cmd) {
    case LC_SEGMENT_64:
        return add_segment(image, (const void *)command);
    case LC_ID_DYLIB:
    case LC_LOAD_DYLIB:
    case LC_LOAD_WEAK_DYLIB:
        return add_library(image, (const void *)command);
    case LC_DYLD_INFO_ONLY:
        image->rebases = (struct macho_range){info->rebase_off, info->rebase_size};
        image->binds = (struct macho_range){info->bind_off, info->bind_size};
        image->weak_binds = (struct macho_range){info->weak_bind_off, info->weak_bind_size};
        image->lazy_binds = (struct macho_range){info->lazy_bind_off, info->lazy_bind_size};
        image->exports = (struct macho_range){info->export_off, info->export_size};
        return true;
    case LC_DYLD_EXPORTS_TRIE:
        image->exports = (struct macho_range){data->dataoff, data->datasize};
        return true;
    case LC_DYLD_CHAINED_FIXUPS:
        image->chained = (struct macho_range){data->dataoff, data->datasize};
        return true;
    case LC_MAIN:
        image->has_entry = true;
        image->entry = entry->entryoff;
        return true;
    case LC_RPATH:
        return add_run_path(image, (const void *)command);
    default:
        if (command->cmd & LC_REQ_DYLD)
            return macho_fail(image, "has a load command %#x, which this loader does not know",
                              command->cmd);
        return true;
    }
}

/* The commands are read where they end up, so that names in them stay. */
static bool read_commands(struct macho_image *image, const unsigned char *commands,
                          const struct mach_header_64 *header) {
    uint64_t offset = 0;
    for (uint32_t i = 0; i < header->ncmds; i++) {
        const struct load_command *command = (const void *)(commands + offset);
        if (header->sizeofcmds - offset < sizeof *command || command->cmdsize < sizeof *command ||
            command->cmdsize % 8 || command->cmdsize > header->sizeofcmds - offset)
            return macho_fail(image, "has a malformed load command (%u of %u)", i, header->ncmds);
        if (!read_command(image, command))
            return false;
        offset += command->cmdsize;
    }
    return true;
}

/* ---- memory ------------------------------------------------------------------------ */

static uint64_t page_up(uint64_t size) {
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    return (size + page - 1) & ~(page - 1);
}

/* How much memory there is to reserve: from the header to the end of the last segment. */
static bool measure(struct macho_image *image) {
    uint64_t end = 0;
    bool found = false;
    for (unsigned i = 0; i < image->segment_count; i++) {
        const struct segment_command_64 *segment = &image->segments[i];
        if (is_named(segment->segname, "__PAGEZERO"))
            continue;
        if (segment->fileoff == 0 && segment->filesize) {
            image->address = segment->vmaddr;
            found = true;
        }
        if (segment->vmaddr + segment->vmsize > end)
            end = segment->vmaddr + segment->vmsize;
    }
    if (!found || end <= image->address || end - image->address > 1u << 30)
        return macho_fail(image, "has no segment with its header, or is larger than 1 GiB");
    image->size = page_up(end - image->address);
    return true;
}

static bool fill(struct macho_image *image, const struct slice *slice) {
    for (unsigned i = 0; i < image->segment_count; i++) {
        const struct segment_command_64 *segment = &image->segments[i];
        if (!segment->filesize)
            continue;
        void *target = macho_at(image, segment->vmaddr, segment->vmsize);
        if (!target || segment->vmaddr % 4096)
            return macho_fail(image, "has a segment %.16s outside of it", segment->segname);
        if (!read_at(slice, segment->fileoff, target, segment->filesize))
            return macho_fail(image, "ends inside of segment %.16s", segment->segname);
    }
    return true;
}

static bool map_slice(struct macho_image *image, struct slice *slice) {
    struct mach_header_64 header;
    if (!choose_slice(image, slice))
        return false;
    if (!read_at(slice, 0, &header, sizeof header))
        return macho_fail(image, "has a slice that is too short");
    if (!check_header(image, &header, slice))
        return false;
    /* once to know how much memory, and again in that memory */
    unsigned char commands[32768] __attribute__((aligned(8)));
    if (header.sizeofcmds > sizeof commands ||
        !read_at(slice, sizeof header, commands, header.sizeofcmds))
        return macho_fail(image, "has %u bytes of load commands", header.sizeofcmds);
    if (!read_commands(image, commands, &header) || !measure(image))
        return false;
    image->memory =
        mmap(NULL, image->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (image->memory == MAP_FAILED) {
        image->memory = NULL;
        return macho_fail(image, "cannot be mapped: %s", strerror(errno));
    }
    if (!fill(image, slice))
        return false;
    image->header = (const void *)image->memory;
    image->segment_count = image->section_count = image->library_count = 0;
    image->run_path_count = 0;
    return read_commands(image, image->memory + sizeof header, &header);
}

bool macho_map(struct macho_image *image) {
    struct stat status;
    struct slice slice = {open(image->path, O_RDONLY | O_CLOEXEC), 0, 0};
    if (slice.file < 0)
        return macho_fail(image, "cannot be opened: %s", strerror(errno));
    bool mapped = false;
    if (fstat(slice.file, &status) || !S_ISREG(status.st_mode)) {
        macho_fail(image, "is not a regular file");
    } else {
        slice.size = (uint64_t)status.st_size;
        mapped = map_slice(image, &slice);
    }
    close(slice.file);
    return mapped;
}

bool macho_protect(struct macho_image *image) {
    for (unsigned i = 0; i < image->segment_count; i++) {
        const struct segment_command_64 *segment = &image->segments[i];
        void *memory = macho_at(image, segment->vmaddr, segment->vmsize);
        if (!memory || !segment->vmsize)
            continue;
        int protection = 0;
        if (segment->initprot & VM_PROT_READ)
            protection |= PROT_READ;
        if (segment->initprot & VM_PROT_WRITE && !(segment->flags & SG_READ_ONLY))
            protection |= PROT_WRITE;
        if (segment->initprot & VM_PROT_EXECUTE)
            protection |= PROT_EXEC;
        if (mprotect(memory, page_up(segment->vmsize), protection))
            return macho_fail(image, "segment %.16s cannot be protected: %s", segment->segname,
                              strerror(errno));
        if (protection & PROT_EXEC)
            __builtin___clear_cache(memory, (char *)memory + segment->vmsize);
    }
    return true;
}

void *macho_at(const struct macho_image *image, uint64_t address, uint64_t size) {
    const uint64_t offset = address - image->address;
    if (address < image->address || offset > image->size || size > image->size - offset)
        return NULL;
    return image->memory + offset;
}

const void *macho_at_offset(const struct macho_image *image, uint64_t offset, uint64_t size) {
    for (unsigned i = 0; i < image->segment_count; i++) {
        const struct segment_command_64 *segment = &image->segments[i];
        if (offset >= segment->fileoff && offset - segment->fileoff <= segment->filesize &&
            size <= segment->filesize - (offset - segment->fileoff))
            return macho_at(image, segment->vmaddr + (offset - segment->fileoff), size);
    }
    return NULL;
}

/* dyld refuses fixups elsewhere, too. */
uint64_t *macho_slot(const struct macho_image *image, unsigned index, uint64_t offset) {
    if (index >= image->segment_count)
        return NULL;
    const struct segment_command_64 *segment = &image->segments[index];
    if (!(segment->initprot & VM_PROT_WRITE) || segment->vmsize < sizeof(uint64_t) ||
        offset > segment->vmsize - sizeof(uint64_t))
        return NULL;
    return macho_at(image, segment->vmaddr + offset, sizeof(uint64_t));
}
