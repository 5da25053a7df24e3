/* The host's facts, asked as Darwin's programs ask for them. */
#include "machine.h"
#include "simmetal.h"

#include <errno.h>
#include <string.h>

/* Copies as much of `value` as fits, and says how much that is, as Darwin's kernel does. */
static int answer(const void *value, size_t size, void *oldp, size_t *oldlenp) {
    size_t room = oldlenp ? *oldlenp : 0;
    size_t copied = size < room ? size : room;
    if (oldlenp)
        *oldlenp = oldp ? copied : size;
    if (!oldp)
        return 0;
    memcpy(oldp, value, copied);
    if (copied == size)
        return 0;
    errno = ENOMEM;
    return -1;
}

static int answer_text(const char *text, void *oldp, size_t *oldlenp) {
    return answer(text, strlen(text) + 1, oldp, oldlenp);
}

static int answer_int(int value, void *oldp, size_t *oldlenp) {
    return answer(&value, sizeof value, oldp, oldlenp);
}

int simmetal_sysctlbyname(const char *name, void *oldp, size_t *oldlenp, void *newp,
                          size_t newlen) {
    const struct simmetal_machine *const *machines;
    if (!name) {
        errno = EFAULT;
        return -1;
    }
    (void)newlen;
    if (newp) { /* none of these can be set */
        errno = EPERM;
        return -1;
    }
    if (simmetal_machines(&machines)) {
        const struct simmetal_machine *machine = machines[0];
        if (strcmp(name, "machdep.cpu.brand_string") == 0)
            return answer_text(machine->chip, oldp, oldlenp);
        if (strcmp(name, "kern.hv_vmm_present") == 0)
            return answer_int(machine->vm, oldp, oldlenp);
        if (strcmp(name, "hw.memsize") == 0)
            return answer(&machine->memory, sizeof machine->memory, oldp, oldlenp);
        if (strcmp(name, "kern.osproductversion") == 0)
            return answer_text(machine->macos, oldp, oldlenp);
        if (strcmp(name, "hw.model") == 0)
            return answer_text(machine->model, oldp, oldlenp);
        if (strcmp(name, "hw.optional.arm64") == 0 && !machine->intel)
            return answer_int(1, oldp, oldlenp);
        if (strcmp(name, "sysctl.proc_translated") == 0 && !machine->intel)
            return answer_int(machine->rosetta, oldp, oldlenp);
        if (strcmp(name, "simmetal.program_sdk") == 0)
            return answer_text(machine->program_sdk, oldp, oldlenp);
    }
    errno = ENOENT;
    return -1;
}
