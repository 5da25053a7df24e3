/* From a file to memory: the slice, and its segments. */
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
        if (strncmp(segment->segname, "__PAGEZERO", sizeof segment->segname) == 0)
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
    if (!macho_read_commands(image, commands, &header) || !measure(image))
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
    return macho_read_commands(image, image->memory + sizeof header, &header);
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
