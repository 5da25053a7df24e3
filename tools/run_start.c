/*
 * Starts a program in the same process group and on the same terminal, and stands in for it:
 * signals that are sent to this process go on to it, and this process stops, continues and ends as
 * it does.
 *
 * What the terminal sends, it sends to the whole group: the program has it already, and a program
 * may take a second interrupt for impatience.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "output.h"
#include "run.h"

/* Passed on, unless the terminal sent them. */
static const int passed[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGTERM, SIGUSR1,
                             SIGUSR2, SIGTSTP, SIGCONT, SIGWINCH};
enum { PASSED_COUNT = sizeof passed / sizeof passed[0] };

static sigset_t original_mask;
static bool was_ignored[PASSED_COUNT];
static int terminal = -1;                 /* that controls this process; -1: none */
static volatile sig_atomic_t child;       /* 0: none any more */
static volatile sig_atomic_t timer_ended; /* the early look is due */

/* On a Mac the sender that a signal names may be the program that draws the terminal, so it is
 * asked whether the terminal sends to this group at all. */
static bool is_from_terminal(int signal_number, const siginfo_t *info) {
#ifdef __APPLE__
    (void)info;
    return (signal_number == SIGINT || signal_number == SIGQUIT || signal_number == SIGTSTP ||
            signal_number == SIGWINCH) &&
           terminal >= 0 && tcgetpgrp(terminal) == getpgrp();
#else
    (void)signal_number;
    return info->si_code > 0; /* the kernel's own */
#endif
}

static void pass_on(int signal_number, siginfo_t *info, void *context) {
    int saved = errno;
    (void)context;
    /* A program that signals its group does not mean itself twice. */
    if (child != 0 && info->si_pid != child && !is_from_terminal(signal_number, info))
        kill(child, signal_number);
    errno = saved;
}

static void wake(int signal_number) {
    if (signal_number == SIGALRM)
        timer_ended = 1;
}

void start_block_signals(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &original_mask);
}

int start_pending_signal(void) {
    static const int fatal[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    sigset_t pending;
    sigpending(&pending);
    for (size_t i = 0; i < sizeof fatal / sizeof fatal[0]; i++)
        if (sigismember(&pending, fatal[i]) == 1 && sigismember(&original_mask, fatal[i]) == 0)
            return fatal[i];
    return 0;
}

/* A signal that is ignored is never pending, so it is known from now on. */
static void catch_signals(void) {
    for (size_t i = 0; i < PASSED_COUNT; i++) {
        struct sigaction action;
        sigaction(passed[i], NULL, &action);
        was_ignored[i] = action.sa_handler == SIG_IGN;
        if (was_ignored[i])
            continue; /* by nohup, or in the background: the program ignores it too */
        action.sa_sigaction = pass_on;
        action.sa_flags = SA_SIGINFO | SA_RESTART;
        sigfillset(&action.sa_mask);
        sigaction(passed[i], &action, NULL);
    }
    struct sigaction action = {.sa_handler = wake};
    sigemptyset(&action.sa_mask);
    sigaction(SIGCHLD, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
}

/* The program gets what this process was given: mask, dispositions, closed descriptors. */
static int spawn(const struct program *program, pid_t *process) {
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    sigset_t defaults;
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&actions);
    sigemptyset(&defaults);
    for (size_t i = 0; i < PASSED_COUNT; i++)
        if (!was_ignored[i])
            sigaddset(&defaults, passed[i]);
    sigaddset(&defaults, SIGCHLD);
    sigaddset(&defaults, SIGALRM);
    if (!output_pipe_was_ignored())
        sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setsigmask(&attributes, &original_mask);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (output_is_stand_in(descriptor))
            posix_spawn_file_actions_addclose(&actions, descriptor);
    int error = posix_spawn(process, program->path, &actions, &attributes, program->arguments,
                            program->environment.list);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

static int cannot_start(const struct program *program, int error) {
    if (error == ENOEXEC)
        complain("'%s' is neither a program for this system nor a script with a #! line; name the "
                 "program that reads it: mtlcap run ... -- sh '%s'",
                 program->path, program->path);
    else
        complain("'%s' cannot be executed: %s", program->path, strerror(error));
    return error == ENOENT ? CODE_NOT_FOUND : CODE_NOT_EXECUTABLE;
}

static void set_timer(unsigned seconds) {
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

struct start program_start(const struct program *program, unsigned seconds,
                           void (*early)(pid_t process, void *context), void *context) {
    struct start start = {.code = CODE_OK};
    sigset_t waiting = original_mask;
    sigdelset(&waiting, SIGCHLD);
    sigdelset(&waiting, SIGALRM);
    catch_signals();
    int error = spawn(program, &start.process);
    if (error != 0) {
        start.code = cannot_start(program, error);
        return start;
    }
    child = start.process;
    set_timer(seconds);
    for (;;) {
        pid_t got = waitpid(start.process, &start.status, WNOHANG | WUNTRACED);
        bool stopped = got == start.process && WIFSTOPPED(start.status);
        if (stopped && terminal >= 0)
            raise(SIGSTOP); /* a shell has to see that its job has stopped */
        else if (stopped)
            continue;
        else if (got == start.process || (got < 0 && errno != EINTR))
            break;
        else
            sigsuspend(&waiting);
        if (timer_ended) {
            timer_ended = 0;
            early(start.process, context);
        }
    }
    child = 0; /* its number may be another's now */
    set_timer(0);
    return start;
}

int start_end_by(int number) {
    struct rlimit none = {0, 0};
    sigset_t only;
    setrlimit(RLIMIT_CORE, &none); /* the program has left one, if there is to be one */
    signal(number, SIG_DFL);
    sigemptyset(&only);
    sigaddset(&only, number);
    fflush(NULL);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &only, NULL);
    return 128 + number;
}

int start_end_as(int status) {
    return WIFEXITED(status) ? WEXITSTATUS(status) : start_end_by(WTERMSIG(status));
}
