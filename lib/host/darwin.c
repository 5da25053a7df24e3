/* On a Mac: the machine is what the system says. */
#if defined(__APPLE__)

#include <mach-o/dyld.h>
#include <mach-o/loader.h>
#include <string.h>
#include <sys/sysctl.h>

#include "host.h"

int mtlcap__host_sysctl(const char *name, void *value, size_t *size) {
    return sysctlbyname(name, value, size, NULL, 0);
}

bool mtlcap__host_simulated(void) {
    return false;
}

uint64_t mtlcap__host_process(int64_t pid) {
    int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, (int)pid};
    struct kinfo_proc process;
    size_t size = sizeof process;

    if (sysctl(name, sizeof name / sizeof name[0], &process, &size, NULL, 0) != 0 ||
        size < sizeof process)
        return 0;
    return (uint64_t)process.kp_proc.p_starttime.tv_sec * 1000000 +
           (uint64_t)process.kp_proc.p_starttime.tv_usec;
}

/* Versions are packed as xxxx.yy.zz. */
static int major_version(uint32_t packed) {
    return (int)(packed >> 16);
}

/* The program itself is not always the first image: an inserted library may come before it. */
static const struct mach_header *find_program(void) {
    for (uint32_t i = 0; i < _dyld_image_count(); i++) {
        const struct mach_header *header = _dyld_get_image_header(i);
        if (header != NULL && header->filetype == MH_EXECUTE)
            return header;
    }
    return NULL;
}

int mtlcap__host_program_sdk(void) {
    const struct mach_header *header = find_program();

    if (header == NULL || header->magic != MH_MAGIC_64)
        return 0;
    const char *place = (const char *)header + sizeof(struct mach_header_64);
    for (uint32_t i = 0; i < header->ncmds; i++) {
        struct load_command command;
        memcpy(&command, place, sizeof command);
        if (command.cmd == LC_BUILD_VERSION) {
            struct build_version_command build;
            memcpy(&build, place, sizeof build);
            return major_version(build.sdk);
        }
        if (command.cmd == LC_VERSION_MIN_MACOSX) {
            struct version_min_command minimum;
            memcpy(&minimum, place, sizeof minimum);
            return major_version(minimum.sdk);
        }
        place += command.cmdsize;
    }
    return 0;
}

/* An image that goes away meanwhile yields no name. */
bool mtlcap__host_has_image(const char *prefix) {
    for (uint32_t i = 0; i < _dyld_image_count(); i++) {
        const char *path = _dyld_get_image_name(i);
        const char *slash = path != NULL ? strrchr(path, '/') : NULL;
        const char *name = slash != NULL ? slash + 1 : path;
        if (name != NULL && strncmp(name, prefix, strlen(prefix)) == 0)
            return true;
    }
    return false;
}

#endif
