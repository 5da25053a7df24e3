/*
 * libmtlcap's public functions, which jump into a Mach-O library: MTLCAP_MACHO, or what the
 * environment has under that name. A test that is linked with these instead of the library runs the
 * code that was built for a Mac.
 */
#include <stdio.h>
#include <stdlib.h>

#include "load.h"

#if defined(__x86_64__)
#define JUMP(target) "    jmp *" target "(%rip)\n"
#define FUNCTION "@function"
#else
#define JUMP(target) "    adrp x16, " target "\n    ldr x16, [x16, :lo12:" target "]\n    br x16\n"
#define FUNCTION "%function"
#endif

#define EXPORT(name)                                                                               \
    __attribute__((visibility("hidden"))) void *macho_target_##name;                               \
    __asm__(".pushsection .text\n.globl " #name "\n.type " #name ", " FUNCTION "\n" #name          \
            ":\n" JUMP("macho_target_" #name) ".popsection\n");
#include "standin_exports.h"
#undef EXPORT

static const struct {
    const char *name;
    void **target;
} targets[] = {
#define EXPORT(name) {#name, &macho_target_##name},
#include "standin_exports.h"
#undef EXPORT
};

__attribute__((constructor)) static void load(void) {
    char problem[8192];
    const char *path = getenv("MTLCAP_MACHO");
    struct macho_image *image = macho_open(path ? path : MTLCAP_MACHO, 0, problem, sizeof problem);
    if (!image) {
        fprintf(stderr, "macho: %s\n", problem);
        exit(1);
    }
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        *targets[i].target = macho_symbol(image, targets[i].name);
        if (!*targets[i].target) {
            fprintf(stderr, "macho: %s does not export %s\n", macho_path(image), targets[i].name);
            exit(1);
        }
    }
}
