/*
 * Starts a program in the same process group and on the same terminal, and stands in for it: this
 * process gets its signals, and stops, continues and ends as it does.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "doctor.h"
#include "output.h"
#include "run.h"

/* In the new process: what this one was given goes to the program. Not posix_spawn(), which cannot
 * have SIGCHLD ignored by it and caught here. */
static _Noreturn void become(const struct program *program, int report) {
    signals_give_back();
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (output_is_stand_in(descriptor))
            close(descriptor);
    execve(program->path, program->arguments, program->environment.list);
    int error = errno;
    (void)!write(report, &error, sizeof error);
    _exit(CODE_NOT_EXECUTABLE);
}

/* Returns an error's number. */
static int spawn(const struct program *program, pid_t *process) {
    int report[2], error = 0; /* what keeps it from being executed */
    if (pipe(report) != 0)
        return errno;
    fcntl(report[0], F_SETFD, FD_CLOEXEC);
    fcntl(report[1], F_SETFD, FD_CLOEXEC);
    *process = fork();
    if (*process == 0)
        become(program, report[1]);
    if (*process < 0)
        error = errno;
    close(report[1]);
    if (read(report[0], &error, sizeof error) == (ssize_t)sizeof error)
        waitpid(*process, NULL, 0);
    close(report[0]);
    return error;
}

/* On a Mac such a file is refused for another reason. */
static bool is_for_a_mac(const char *path) {
#ifdef __APPLE__
    (void)path;
    return false;
#else
    struct doctor_file file;
    doctor_file_read(path, false, &file);
    bool is = file.problem[0] == '\0' || file.malformed;
    doctor_file_free(&file);
    return is;
#endif
}

static int cannot_start(const struct program *program, int error) {
    if (error == ENOEXEC && is_for_a_mac(program->path))
        complain("'%s' is a program for a Mac, and is not started here; 'mtlcap doctor' looks at "
                 "it",
                 program->path);
    else if (error == ENOEXEC)
        complain("'%s' is neither a program for this system nor a script with a #! line; name the "
                 "program that reads it: mtlcap run ... -- sh '%s'",
                 program->path, program->path);
    else
        complain("'%s' cannot be executed: %s", program->path, strerror(error));
    return error == ENOENT ? CODE_NOT_FOUND : CODE_NOT_EXECUTABLE;
}

/* A pipe that nobody reads: what is written would wait, and signals and the program's end with it.
 */
static bool is_full(int descriptor) {
    struct pollfd state = {.fd = descriptor, .events = POLLOUT};
    return poll(&state, 1, 0) == 0;
}

static struct timespec time_after(unsigned milliseconds) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    time.tv_sec += (time_t)(milliseconds / 1000);
    time.tv_nsec += (long)(milliseconds % 1000) * 1000000;
    if (time.tv_nsec >= 1000000000) {
        time.tv_sec++;
        time.tv_nsec -= 1000000000;
    }
    return time;
}

struct start program_start(const struct program *program, unsigned milliseconds,
                           void (*look)(pid_t process, void *context), void *context) {
    struct start start = {.code = CODE_OK};
    bool followed = false; /* this process has just stopped and been continued */
    int stop = 0;          /* by which the program has stopped; 0: it runs */
    signals_catch();
    int error = spawn(program, &start.process);
    if (error != 0) {
        start.code = cannot_start(program, error);
        return start;
    }
    signals_pass_to(start.process);
    struct timespec due = time_after(milliseconds);
    for (;;) {
        pid_t got = waitpid(start.process, &start.status, WNOHANG | WUNTRACED | WCONTINUED);
        if (got < 0 || (got > 0 && !WIFSTOPPED(start.status) && !WIFCONTINUED(start.status)))
            break;
        if (got > 0)
            stop = WIFSTOPPED(start.status) ? WSTOPSIG(start.status) : 0;
        if (got > 0 && stop == 0 && followed)
            signals_continued();
        followed = stop != 0 && signals_follow(stop);
        if (got > 0 || followed)
            continue;
        if (signals_wait(&due))
            continue;
        if (is_full(STDERR_FILENO)) {
            due = time_after(1000);
            continue;
        }
        signals_open();
        look(start.process, context);
        signals_close();
        due = time_after(milliseconds);
    }
    signals_pass_to(0); /* its number may be another's now */
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
