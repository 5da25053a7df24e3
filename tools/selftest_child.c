/* Starts a process for a check, and reads what it says. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#endif

#include "environment.h"
#include "injection.h"
#include "output.h"
#include "selftest.h"

static const long long patience = 20000; /* milliseconds */

const char *selftest_program(void) {
    static char path[PATH_MAX];
    if (path[0] != '\0')
        return path;
#ifdef __APPLE__
    char given[PATH_MAX];
    uint32_t size = sizeof given;
    if (_NSGetExecutablePath(given, &size) != 0 || realpath(given, path) == NULL)
        path[0] = '\0';
#else
    if (realpath("/proc/self/exe", path) == NULL)
        path[0] = '\0';
#endif
    return path;
}

static int spawn(pid_t *process, const char *path, const char *const *arguments,
                 char *const *environment, const int ends[2]) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    /* The arguments are not changed: the type is older than const. */
    char **list;
    memcpy(&list, &arguments, sizeof list);
    int error = posix_spawn(process, path, &actions, &attributes, list, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* Reads to the end; what does not fit is read, too. False: that takes too long. */
static bool read_text(int descriptor, char *text, size_t size) {
    long long end = now() + patience;
    size_t length = 0;
    for (;;) {
        char more[512];
        struct pollfd ready = {.fd = descriptor, .events = POLLIN};
        long long left = end - now();
        int result = left > 0 ? poll(&ready, 1, (int)left) : 0;
        if (result == 0)
            return false;
        ssize_t got = result > 0 ? read(descriptor, more, sizeof more) : -1;
        if (got == 0 || (got < 0 && errno != EINTR))
            return true;
        for (ssize_t i = 0; i < got && length + 1 < size; i++)
            text[length++] = more[i];
        text[length] = '\0';
    }
}

/* Its standard output may be closed long before its end. */
static bool wait_for(pid_t process, int *status) {
    long long end = now() + patience;
    pid_t got;
    while ((got = waitpid(process, status, WNOHANG)) != process) {
        if ((got < 0 && errno != EINTR) || now() > end)
            return false;
        poll(NULL, 0, 5);
    }
    return true;
}

/* Without our library, and without variables of ours: a check sets those that it is about. */
static struct environment clean_environment(void) {
    struct environment environment = environment_copy(environment_own());
    struct setting *settings = injection_strip(&environment);
    for (const struct setting *setting = settings; setting->name != NULL; setting++)
        environment_set(&environment, setting->name, setting->value);
    settings_free(settings);
    environment_set(&environment, "MTLCAP_DISABLE", NULL);
    return environment;
}

struct child selftest_start(const char *path, const char *const *arguments,
                            const char *const *variables) {
    struct child child = {.status = -1};
    struct environment environment = clean_environment();
    int ends[2];
    pid_t process;
    for (; *variables != NULL; variables++) {
        const char *equals = strchr(*variables, '=');
        char *name = joined(*variables, NULL);
        name[equals - *variables] = '\0';
        environment_set(&environment, name, equals + 1);
        free(name);
    }
    int error = pipe(ends) != 0 ? errno : 0;
    if (error == 0) {
        error = spawn(&process, path, arguments, environment.list, ends);
        close(ends[1]);
        if (error == 0 && (!read_text(ends[0], child.text, sizeof child.text) ||
                           !wait_for(process, &child.status))) {
            snprintf(child.problem, sizeof child.problem, "%s does not end", path);
            kill(process, SIGKILL);
            waitpid(process, &child.status, 0);
            child.status = -1;
        }
        close(ends[0]);
    }
    if (error != 0)
        snprintf(child.problem, sizeof child.problem, "%s cannot be started: %s", path,
                 strerror(error));
    environment_free(&environment);
    return child;
}
