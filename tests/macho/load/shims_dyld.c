/* Shims: dyld. Images are those of this loader, then Linux's. */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "shims.h"

/* ---- images -------------------------------------------------------------------------- */

/* Linux's program is no Mach-O file; its header says what the simulated machine says of it. */
static const void *linux_program_header(void) {
    static struct {
        struct mach_header_64 header;
        struct build_version_command version;
    } made;
    char sdk[32] = "";
    size_t size = sizeof sdk - 1;
    if (shim_sysctlbyname("simmetal.program_sdk", sdk, &size, NULL, 0) != 0)
        sdk[0] = '\0';
    made.header = (struct mach_header_64){.magic = MH_MAGIC_64,
                                          .cputype = MACHO_CPU_TYPE,
                                          .filetype = MH_EXECUTE,
                                          .ncmds = 1,
                                          .sizeofcmds = sizeof made.version};
    made.version = (struct build_version_command){
        .cmd = LC_BUILD_VERSION,
        .cmdsize = sizeof made.version,
        .platform = 1,
        .sdk = (uint32_t)strtoul(sdk, NULL, 10) << 16,
    };
    return &made;
}

static struct macho_image *image_at(uint32_t *index) {
    struct macho_image *image = macho_images();
    for (; image && *index; image = image->next)
        --*index;
    return image;
}

static int count_object(struct dl_phdr_info *info, size_t size, void *data) {
    (void)info;
    (void)size;
    ++*(uint32_t *)data;
    return 0;
}

uint32_t shim_image_count(void) {
    uint32_t count = 0;
    for (struct macho_image *image = macho_images(); image; image = image->next)
        count++;
    dl_iterate_phdr(count_object, &count);
    return count;
}

struct search {
    uint32_t index;
    const char *name;
};

static int find_object(struct dl_phdr_info *info, size_t size, void *data) {
    struct search *search = data;
    (void)size;
    if (search->index--)
        return 0;
    search->name = info->dlpi_name[0] ? info->dlpi_name : macho_arguments()[0];
    return 1;
}

const char *shim_image_name(uint32_t index) {
    const struct macho_image *image = image_at(&index);
    struct search search = {index, NULL};
    if (image)
        return image->path;
    dl_iterate_phdr(find_object, &search);
    return search.name;
}

const void *shim_image_header(uint32_t index) {
    const struct macho_image *image = image_at(&index);
    if (image)
        return image->header;
    return index == 0 && !macho_program() ? linux_program_header() : NULL;
}

int shim_dladdr(const void *address, void *info) {
    const struct macho_image *image = macho_image_of(address);
    if (!image)
        return dladdr(address, info);
    *(Dl_info *)info = (Dl_info){.dli_fname = image->path, .dli_fbase = image->memory};
    return 1;
}

/* ---- dlopen, dlsym ---------------------------------------------------------------------- */

#define DARWIN_RTLD_NOW 0x2
#define DARWIN_RTLD_LOCAL 0x4
#define DARWIN_RTLD_NOLOAD 0x10
#define DARWIN_RTLD_NODELETE 0x80

static int mode_to_linux(int darwin) {
    int ours = darwin & DARWIN_RTLD_NOW ? RTLD_NOW : RTLD_LAZY;
    if (!(darwin & DARWIN_RTLD_LOCAL))
        ours |= RTLD_GLOBAL;
    if (darwin & DARWIN_RTLD_NOLOAD)
        ours |= RTLD_NOLOAD;
    if (darwin & DARWIN_RTLD_NODELETE)
        ours |= RTLD_NODELETE;
    return ours;
}

static bool is_macho_file(const char *path) {
    uint32_t magic = 0;
    FILE *file = fopen(path, "rbe");
    if (file) {
        if (fread(&magic, sizeof magic, 1, file) != 1)
            magic = 0;
        fclose(file);
    }
    return magic == MH_MAGIC_64 || magic == __builtin_bswap32(FAT_MAGIC);
}

void *shim_dlopen(const char *path, int mode) {
    if (!path)
        return dlopen(NULL, mode_to_linux(mode));
    struct macho_image *image = macho_find(path);
    if (!image && !(mode & DARWIN_RTLD_NOLOAD) && is_macho_file(path)) {
        char problem[PATH_MAX + 1024];
        image = macho_open(path, 0, problem, sizeof problem);
        if (!image)
            fprintf(stderr, "macho: %s\n", problem);
    } else if (image) {
        image->references++;
    }
    if (image) {
        if (mode & DARWIN_RTLD_NODELETE)
            macho_pin(image);
        return image;
    }
    const char *library = macho_linux_library(path);
    return dlopen(library ? library : path, mode_to_linux(mode));
}

int shim_dlclose(void *handle) {
    for (struct macho_image *image = macho_images(); image; image = image->next)
        if (image == handle) {
            macho_close(image);
            return 0;
        }
    return dlclose(handle);
}

/* The results are interposed, also for the image that interposes, as dyld does it. */
void *shim_dlsym(void *handle, const char *name) {
    switch ((intptr_t)handle) {
    case -2: /* RTLD_DEFAULT */
    case -3: /* RTLD_SELF */
    case -5: /* RTLD_MAIN_ONLY */
        return macho_look_up(name);
    case -1: /* RTLD_NEXT */
        return macho_interposed(macho_import_any(name));
    default:
        break;
    }
    for (struct macho_image *image = macho_images(); image; image = image->next)
        if (image == handle)
            return macho_interposed(macho_symbol(image, name));
    return macho_interposed(dlsym(handle, name));
}
