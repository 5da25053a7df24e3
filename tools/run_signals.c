/*
 * Signals that are sent to this process go on to the program that it stands in for: all but the
 * few that are not caught.
 *
 * The program is in the same process group, so what is sent to the group it has already, and a
 * program may take a second interrupt for impatience. A signal does not tell whether it was sent to
 * the group. The terminal's are. So are those of the program and its descendants, which have no
 * other reason to signal this process. Anybody else's goes on: rather twice than never.
 */
#define _DEFAULT_SOURCE /* NSIG */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>
#ifdef __APPLE__
#include <sys/sysctl.h>
#endif

#include "output.h"
#include "run.h"

enum { SIGNAL_END = NSIG }; /* all are below */

static sigset_t original_mask, waiting_mask;
static bool was_ignored[SIGNAL_END], is_caught[SIGNAL_END];
static int terminal = -1;             /* that controls this process; -1: none */
static volatile sig_atomic_t program; /* 0: none, or none any more */
static volatile sig_atomic_t has_continued, is_to_stop;

/* ---- which ----------------------------------------------------------------- */

static bool is_among(int number, const int *numbers, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (numbers[i] == number)
            return true;
    return false;
}
#define IS_AMONG(number, numbers) is_among(number, numbers, sizeof(numbers) / sizeof *(numbers))

/* Not what cannot be caught, nor faults of this process, nor what it needs itself; SIGTTIN and
 * SIGTTOU stop it with the group. */
static bool is_passed(int number) {
    static const int others[] = {SIGKILL, SIGSTOP, SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,
                                 SIGTRAP, SIGSYS,  SIGCHLD, SIGPIPE, SIGTTIN, SIGTTOU};
    return !IS_AMONG(number, others);
}

/* Of those that are passed on: does it end a process that does nothing about it? */
static bool is_fatal(int number) {
    static const int others[] = {SIGCONT, SIGURG, SIGWINCH, SIGTSTP,
#ifdef __APPLE__
                                 SIGIO,   SIGINFO
#endif
    };
    return !IS_AMONG(number, others);
}

/* ---- from whom ------------------------------------------------------------- */

/* On a Mac the sender that a signal names may be the program that draws the terminal, so it is
 * asked whether the terminal sends to this group at all. */
static bool is_from_terminal(int number, const siginfo_t *info) {
#ifdef __APPLE__
    static const int typed[] = {SIGINT, SIGQUIT, SIGTSTP, SIGWINCH, SIGINFO};
    (void)info;
    return IS_AMONG(number, typed) && terminal >= 0 && tcgetpgrp(terminal) == getpgrp();
#else
    static const int typed[] = {SIGINT, SIGQUIT, SIGTSTP, SIGWINCH};
    static const int hung_up[] = {SIGHUP, SIGCONT}; /* to the leader of a session alone */
    return info->si_code > 0 &&
           (IS_AMONG(number, typed) || (IS_AMONG(number, hung_up) && getsid(0) != getpid()));
#endif
}

/* The process that sent it; 0: none did, a timer or the system. */
static pid_t sender(const siginfo_t *info) {
#ifdef __APPLE__
    return info->si_pid;
#else
    return info->si_code == SI_USER || info->si_code == SI_QUEUE || info->si_code == SI_TKILL
               ? info->si_pid
               : 0;
#endif
}

/* 0: it cannot be told. By what a signal's handler may call. */
static pid_t parent_of(pid_t process) {
#ifdef __APPLE__
    struct kinfo_proc info;
    size_t size = sizeof info;
    int name[] = {CTL_KERN, KERN_PROC, KERN_PROC_PID, process};
    return sysctl(name, 4, &info, &size, NULL, 0) == 0 && size > 0 ? info.kp_eproc.e_ppid : 0;
#else
    char number[16], path[32] = "/proc/", text[512];
    size_t start = sizeof number;
    for (number[--start] = '\0'; process > 0; process /= 10)
        number[--start] = (char)('0' + process % 10);
    strcat(path, number + start);
    strcat(path, "/stat");
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = descriptor >= 0 ? read(descriptor, text, sizeof text - 1) : -1;
    if (descriptor >= 0)
        close(descriptor);
    text[length > 0 ? length : 0] = '\0';
    /* "12 (name) S 11 ...", and the name may be anything */
    const char *digit = strrchr(text, ')');
    pid_t parent = 0;
    if (digit == NULL || strlen(digit) < sizeof ") S ")
        return 0;
    for (digit += strlen(") S "); *digit >= '0' && *digit <= '9'; digit++)
        parent = 10 * parent + (*digit - '0');
    return parent;
#endif
}

/* In our group, and the program or one that it has started, itself or by others? */
static bool is_programs(pid_t process) {
    enum { MOST_GENERATIONS = 64 };
    if (process == program)
        return true;
    if (process <= 0 || getpgid(process) != getpgrp())
        return false;
    for (int i = 0; i < MOST_GENERATIONS && process > 1 && process != getpid(); i++)
        if ((process = parent_of(process)) == program)
            return true;
    return false;
}

/* ---- passing them on -------------------------------------------------------- */

static void pass_on(int number, siginfo_t *info, void *context) {
    int saved = errno;
    pid_t from = sender(info);
    (void)context;
    if (is_from_terminal(number, info))
        is_to_stop |= number == SIGTSTP;
    else if (number == SIGCONT && has_continued)
        has_continued = 0;
    else if (program != 0 && from != getpid() && !is_programs(from))
        kill(program, number);
    errno = saved;
}

static void wake(int number) {
    (void)number;
}

void start_block_signals(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &original_mask);
}

static bool is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

int start_pending_signal(void) {
    sigset_t pending;
    sigpending(&pending);
    for (int number = 1; number < SIGNAL_END; number++)
        if (is_passed(number) && is_fatal(number) && sigismember(&pending, number) == 1 &&
            sigismember(&original_mask, number) == 0 && !is_ignored(number))
            return number;
    return 0;
}

/* Also what is ignored, by nohup or in the background: the program may not do so. */
void signals_catch(void) {
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART};
    sigfillset(&action.sa_mask);
    waiting_mask = original_mask;
    for (int number = 1; number < SIGNAL_END; number++) {
        was_ignored[number] = number == SIGPIPE ? output_pipe_was_ignored() : is_ignored(number);
        if (!is_passed(number) || sigaction(number, &action, NULL) != 0)
            continue; /* not the C library's own, either */
        is_caught[number] = true;
        sigdelset(&waiting_mask, number); /* the program may open it */
    }
    action = (struct sigaction){.sa_handler = wake, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    is_caught[SIGCHLD] = sigaction(SIGCHLD, &action, NULL) == 0;
    sigdelset(&waiting_mask, SIGCHLD);
    terminal = open("/dev/tty", O_RDONLY | O_NOCTTY | O_CLOEXEC);
}

void signals_give_back(void) {
    struct sigaction action = {.sa_handler = SIG_DFL};
    sigemptyset(&action.sa_mask);
    for (int number = 1; number < SIGNAL_END; number++)
        if (is_caught[number] || number == SIGPIPE) {
            action.sa_handler = was_ignored[number] ? SIG_IGN : SIG_DFL;
            sigaction(number, &action, NULL);
        }
    sigprocmask(SIG_SETMASK, &original_mask, NULL);
}

void signals_pass_to(pid_t process) {
    program = process;
}

void signals_open(void) {
    sigprocmask(SIG_SETMASK, &waiting_mask, NULL);
}

void signals_close(void) {
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
}

bool signals_wait(const struct timespec *end) {
    if (end == NULL) {
        pselect(0, NULL, NULL, NULL, NULL, &waiting_mask);
        return true;
    }
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    struct timespec left = {.tv_sec = end->tv_sec - now.tv_sec,
                            .tv_nsec = end->tv_nsec - now.tv_nsec};
    if (left.tv_nsec < 0) {
        left.tv_sec--;
        left.tv_nsec += 1000000000;
    }
    return left.tv_sec >= 0 && pselect(0, NULL, NULL, NULL, &left, &waiting_mask) != 0;
}

/* ---- stops ------------------------------------------------------------------ */

/*
 * A shell has to see that its job has stopped, and continues it. SIGSTOP is not what the terminal
 * sends: somebody holds the program, and lets it go on without asking a shell. But a program may
 * stop itself by it when it was asked to.
 */
bool signals_follow(int stop) {
    static const int of_jobs[] = {SIGTSTP, SIGTTIN, SIGTTOU};
    sigset_t pending;
    sigpending(&pending);
    if (terminal < 0 || getsid(0) == getpid() || sigismember(&pending, SIGCONT) == 1 ||
        (!IS_AMONG(stop, of_jobs) && !is_to_stop))
        return false;
    raise(SIGSTOP);
    is_to_stop = 0;
    return true;
}

void signals_continued(void) {
    has_continued = is_caught[SIGCONT];
}
