/* Load commands: what a file says about itself. */
#include <string.h>

#include "image.h"

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
        image->sections[image->section_count++] = (struct macho_section){
            section.addr, section.size, section.flags & SECTION_TYPE,
            (section.flags & SECTION_TYPE) == S_INTERPOSING ||
                strncmp(section.sectname, "__interpose", sizeof section.sectname) == 0};
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
bool macho_read_commands(struct macho_image *image, const unsigned char *commands,
                         const struct mach_header_64 *header) {
    uint64_t offset = 0;
    image->segment_count = image->section_count = 0;
    image->library_count = image->run_path_count = 0;
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
