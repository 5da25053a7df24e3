/* Reads a file whole, and gathers its facts. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "doctor.h"
#include "environment.h"

/* A program larger than that is no program. */
#define MOST_BYTES (INT64_C(4) << 30)

/* ---- bytes -------------------------------------------------------------------------- */

static void fail(struct doctor_file *file, const char *why) {
    snprintf(file->problem, sizeof file->problem, "it cannot be read: %s", why);
}

/* The file's bytes; NULL, and a problem, if there are none. To be freed. */
static uint8_t *read_bytes(int descriptor, struct doctor_file *file, size_t *size) {
    struct stat status;
    size_t used = 0;
    if (fstat(descriptor, &status) != 0) {
        fail(file, strerror(errno));
        return NULL;
    }
    file->mode = status.st_mode;
    if (!S_ISREG(status.st_mode)) {
        fail(file, S_ISDIR(status.st_mode) ? "it is a folder" : "it is no regular file");
        return NULL;
    }
    if (status.st_size > MOST_BYTES) {
        fail(file, "it is larger than 4 GiB");
        return NULL;
    }
    uint8_t *bytes = malloc((size_t)status.st_size + 1);
    if (bytes == NULL) {
        fail(file, "out of memory");
        return NULL;
    }
    while (used < (size_t)status.st_size) {
        ssize_t got = read(descriptor, bytes + used, (size_t)status.st_size - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            fail(file, strerror(errno));
            free(bytes);
            return NULL;
        }
        if (got == 0)
            break;
        used += (size_t)got;
    }
    *size = used;
    return bytes;
}

/* What it is instead, as far as its first bytes tell. */
static const char *other_kind(const uint8_t *bytes, size_t size) {
    static const struct {
        const char *start, *kind;
    } kinds[] = {
        {"\177ELF", "it is an ELF file, a program or library for Linux or the like"},
        {"MZ", "it is a program for Windows"},
        {"#!", "it is a script"},
        {"!<arch>", "it is an archive of object files"},
        {"\xca\xfe\xba\xbe", "it is a Java class"},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (size >= strlen(kinds[i].start) &&
            memcmp(bytes, kinds[i].start, strlen(kinds[i].start)) == 0)
            return kinds[i].kind;
    return "it is not a Mach-O file";
}

/* ---- facts --------------------------------------------------------------------------- */

static void read_slices(const uint8_t *bytes, size_t size, bool check_pages,
                        struct doctor_file *file) {
    struct mtlcap__macho_file slices;
    struct mtlcap__macho_problem problem;
    if (!mtlcap__macho_is(bytes, size)) {
        snprintf(file->problem, sizeof file->problem, "%s", other_kind(bytes, size));
        return;
    }
    if (!mtlcap__macho_open(bytes, size, &slices, &problem)) {
        snprintf(file->problem, sizeof file->problem, "%s", problem.text);
        file->problem_place = problem.place;
        file->malformed = true;
        return;
    }
    file->slices = allocate(slices.count, sizeof *file->slices);
    file->count = slices.count;
    for (uint32_t i = 0; i < slices.count; i++)
        doctor_slice_read(&slices.slices[i], check_pages, &file->slices[i]);
}

void doctor_file_read(const char *path, bool check_pages, struct doctor_file *file) {
    size_t size = 0;
    *file = (struct doctor_file){.path = joined(path, NULL)};
#ifdef __APPLE__
    char *real = realpath(path, NULL);
    file->apples = real != NULL && doctor_is_apples(real);
    free(real);
#endif
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        fail(file, strerror(errno));
        return;
    }
    uint8_t *bytes = read_bytes(descriptor, file, &size);
    close(descriptor);
    if (bytes != NULL)
        read_slices(bytes, size, check_pages, file);
    free(bytes);
}

void doctor_file_free(struct doctor_file *file) {
    free(file->path);
    free(file->slices);
    file->path = NULL;
    file->slices = NULL;
}

/* ---- files that are not at hand --------------------------------------------------------- */

static struct doctor_slice usual(const char *cpu, uint32_t cpu_type, uint32_t file_type) {
    struct doctor_slice slice = {
        .cpu_type = cpu_type,
        .file_type = file_type,
        .platform = MTLCAP__PLATFORM_MACOS,
        .has_dylinker = true,
        .signature = DOCTOR_SIGNED,
        .pages = {.checked = true},
    };
    snprintf(slice.cpu, sizeof slice.cpu, "%s", cpu);
    return slice;
}

void doctor_file_published(struct doctor_file *file) {
    *file = (struct doctor_file){
        .assumed = true, .count = 2, .slices = allocate(2, sizeof *file->slices)};
    file->slices[0] = usual("x86_64", MTLCAP__CPU_X86_64, MTLCAP__MH_DYLIB);
    file->slices[1] = usual("arm64", MTLCAP__CPU_ARM64, MTLCAP__MH_DYLIB);
    for (uint32_t i = 0; i < file->count; i++)
        file->slices[i].flags = MTLCAP__CS_ADHOC | MTLCAP__CS_LINKER_SIGNED;
}

void doctor_file_apples(const char *path, struct doctor_file *file) {
    *file = (struct doctor_file){.path = joined(path, NULL),
                                 .apples = true,
                                 .assumed = true,
                                 .count = 2,
                                 .slices = allocate(2, sizeof *file->slices)};
    file->slices[0] = usual("x86_64", MTLCAP__CPU_X86_64, MTLCAP__MH_EXECUTE);
    file->slices[1] = usual("arm64e", MTLCAP__CPU_ARM64, MTLCAP__MH_EXECUTE);
    file->slices[1].arm64e = true;
}

void doctor_cpus_text(const struct doctor_file *file, char *text, size_t size) {
    size_t used = 0;
    snprintf(text, size, "nothing that can be read");
    for (uint32_t i = 0; i < file->count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "",
                                 file->slices[i].cpu);
}
