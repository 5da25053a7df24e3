/* Shims: error numbers, signals, clocks, facts of the machine. */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "image.h"
#include "shims.h"

void shim_stub_binder(void) {
    fputs("macho: a lazy pointer was not bound\n", stderr);
    abort();
}

uintptr_t shim_stack_guard = 0x00c0ffee5afe1100; /* a zero byte, as Darwin's, ends strings */

/* ---- error numbers ------------------------------------------------------------------- */

/* Up to 34 they are the same but for EAGAIN and EDEADLK. */
static const struct {
    int ours, darwin;
} numbers[] = {
    {EDEADLK, 11},   {EAGAIN, 35},    {EINPROGRESS, 36},  {EALREADY, 37},    {ENOTSOCK, 38},
    {EMSGSIZE, 40},  {ENOTSUP, 45},   {EADDRINUSE, 48},   {ENOBUFS, 55},     {EISCONN, 56},
    {ENOTCONN, 57},  {ETIMEDOUT, 60}, {ECONNREFUSED, 61}, {ELOOP, 62},       {ENAMETOOLONG, 63},
    {ENOTEMPTY, 66}, {EUSERS, 68},    {EDQUOT, 69},       {ESTALE, 70},      {ENOLCK, 77},
    {ENOSYS, 78},    {EOVERFLOW, 84}, {ECANCELED, 89},    {EIDRM, 90},       {ENOMSG, 91},
    {EILSEQ, 92},    {EBADMSG, 94},   {EPROTO, 100},      {EOWNERDEAD, 105}, {ENOTRECOVERABLE, 104},
};
enum { NUMBERS = sizeof numbers / sizeof numbers[0] };

int shim_errno_to_darwin(int number) {
    for (int i = 0; i < NUMBERS; i++)
        if (numbers[i].ours == number)
            return numbers[i].darwin;
    return number <= 34 ? number : 22; /* EINVAL for what Darwin has no name for */
}

int shim_errno_to_linux(int number) {
    for (int i = 0; i < NUMBERS; i++)
        if (numbers[i].darwin == number)
            return numbers[i].ours;
    return number;
}

long shim_result(long result) {
    if (result == -1)
        errno = shim_errno_to_darwin(errno);
    return result;
}

int *shim_error(void) {
    return &errno;
}

char *shim_strerror(int number) {
    return strerror(shim_errno_to_linux(number));
}

/* ---- signals --------------------------------------------------------------------------- */

/* By Darwin's number. */
static const int signals[32] = {
    0,       SIGHUP,  SIGINT,    SIGQUIT, SIGILL,   SIGTRAP, SIGABRT, 0,
    SIGFPE,  SIGKILL, SIGBUS,    SIGSEGV, SIGSYS,   SIGPIPE, SIGALRM, SIGTERM,
    SIGURG,  SIGSTOP, SIGTSTP,   SIGCONT, SIGCHLD,  SIGTTIN, SIGTTOU, SIGIO,
    SIGXCPU, SIGXFSZ, SIGVTALRM, SIGPROF, SIGWINCH, 0,       SIGUSR1, SIGUSR2,
};

void (*shim_signal(int number, void (*handler)(int)))(int) {
    if (number < 1 || number > 31 || !signals[number]) {
        errno = EINVAL;
        return SIG_ERR;
    }
    return signal(signals[number], handler); /* SIG_DFL, SIG_IGN and SIG_ERR are the same */
}

static sigset_t set_to_linux(uint32_t set) {
    sigset_t ours;
    sigemptyset(&ours);
    for (int number = 1; number < 32; number++)
        if (set >> (number - 1) & 1 && signals[number])
            sigaddset(&ours, signals[number]);
    return ours;
}

static uint32_t set_to_darwin(const sigset_t *ours) {
    uint32_t set = 0;
    for (int number = 1; number < 32; number++)
        if (signals[number] && sigismember(ours, signals[number]))
            set |= UINT32_C(1) << (number - 1);
    return set;
}

int shim_sigpending(uint32_t *set) {
    sigset_t ours;
    const int result = sigpending(&ours);
    *set = set_to_darwin(&ours);
    return result;
}

int shim_sigwait(const uint32_t *set, int *number) {
    const sigset_t ours = set_to_linux(*set);
    int signal;
    const int error = sigwait(&ours, &signal);
    for (int i = 1; i < 32 && !error; i++)
        if (signals[i] == signal)
            *number = i;
    return error;
}

int shim_sigmask(int how, const uint32_t *set, uint32_t *before) {
    const sigset_t ours = set_to_linux(set ? *set : 0);
    sigset_t ours_before;
    if (how != 1 && how != 2) /* SIG_SETMASK would lose what Darwin has no number for */
        return EINVAL;
    const int error =
        pthread_sigmask(how == 1 ? SIG_BLOCK : SIG_UNBLOCK, set ? &ours : NULL, &ours_before);
    if (before)
        *before = set_to_darwin(&ours_before);
    return error;
}

/* ---- time -------------------------------------------------------------------- */

int shim_clock_gettime(unsigned clock, struct timespec *time) {
    switch (clock) {
    case 0:
        return (int)shim_result(clock_gettime(CLOCK_REALTIME, time));
    case 4:
    case 6:
        return (int)shim_result(clock_gettime(CLOCK_MONOTONIC, time));
    case 12:
        return (int)shim_result(clock_gettime(CLOCK_PROCESS_CPUTIME_ID, time));
    case 16:
        return (int)shim_result(clock_gettime(CLOCK_THREAD_CPUTIME_ID, time));
    default:
        errno = EINVAL;
        return -1;
    }
}

int shim_nanosleep(const struct timespec *time, struct timespec *left) {
    return (int)shim_result(nanosleep(time, left));
}

/* ---- process ------------------------------------------------------------------------------ */

char ***shim_environ(void) {
    return &environ;
}

/* Of a program that was loaded as such, else of Linux's. */
int shim_executable_path(char *path, uint32_t *size) {
    char found[PATH_MAX];
    const struct macho_image *program = macho_program();
    const ssize_t length = readlink("/proc/self/exe", found, sizeof found - 1);
    if (program)
        strcpy(found, program->path);
    else if (length < 0)
        return -1;
    else
        found[length] = '\0';
    const uint32_t room = *size, needed = (uint32_t)strlen(found) + 1;
    *size = needed;
    if (needed > room)
        return -1;
    memcpy(path, found, needed);
    return 0;
}

/* The first five resources have the same numbers. */
int shim_getrlimit(int resource, uint64_t limits[2]) {
    static const int resources[] = {[5] = RLIMIT_AS, RLIMIT_MEMLOCK, RLIMIT_NPROC, RLIMIT_NOFILE};
    struct rlimit ours;
    if (resource < 0 || resource > 8) {
        errno = EINVAL;
        return -1;
    }
    const int result =
        (int)shim_result(getrlimit(resource < 5 ? resource : resources[resource], &ours));
    limits[0] = ours.rlim_cur == RLIM_INFINITY ? INT64_MAX : ours.rlim_cur;
    limits[1] = ours.rlim_max == RLIM_INFINITY ? INT64_MAX : ours.rlim_max;
    return result;
}

int shim_issetugid(void) {
    return getauxval(AT_SECURE) != 0;
}

/* ---- machine -------------------------------------------------------------------------------- */

struct darwin_names {
    char names[5][256];
};

int shim_uname(struct darwin_names *names) {
    struct utsname ours;
    const int result = (int)shim_result(uname(&ours));
    const char *const text[] = {ours.sysname, ours.nodename, ours.release, ours.version,
                                ours.machine};
    for (int i = 0; i < 5 && result == 0; i++)
        snprintf(names->names[i], sizeof names->names[i], "%s", text[i]);
    return result;
}

int shim_sysctl(int *name, unsigned count, void *old, size_t *old_size, void *new,
                size_t new_size) {
    (void)name, (void)count, (void)old, (void)old_size, (void)new, (void)new_size;
    errno = EPERM; /* 1 on both */
    return -1;
}

int shim_sysctlbyname(const char *name, void *old, size_t *old_size, void *new, size_t new_size) {
    int (*ask)(const char *, void *, size_t *, void *, size_t);
    void *symbol = dlsym(RTLD_DEFAULT, "simmetal_sysctlbyname");
    if (!symbol) { /* not for all to see: the program may not use Metal */
        void *simmetal = dlopen(macho_linux_library("/Metal.framework/"), RTLD_NOW | RTLD_LOCAL);
        symbol = simmetal ? dlsym(simmetal, "simmetal_sysctlbyname") : NULL;
    }
    if (!symbol) {
        errno = ENOENT;
        return -1;
    }
    memcpy(&ask, &symbol, sizeof symbol);
    return (int)shim_result(ask(name, old, old_size, new, new_size));
}
