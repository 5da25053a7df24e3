/* A library for a Mac with one of each thing that a loader has to get right. fixture_test.c asks
 * it. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define EXPORTED __attribute__((visibility("default")))

/* ---- pointers ------------------------------------------------------------------------ */

static const char *const words[] = {"rebased", "twice"}; /* into this image, in constant memory */
static const char *const *all_words = words;             /* ... in memory that can change */
static size_t (*const length)(const char *) = strlen;    /* into another */
static char *const behind_guard = (char *)&strcmp + 8;   /* ... with an addend */
extern int fixture_missing(void) __attribute__((weak_import)); /* nowhere */

EXPORTED const char *fixture_word(unsigned index) {
    return all_words[index];
}

EXPORTED size_t fixture_length(const char *text) {
    return length(text);
}

EXPORTED int fixture_addend(void) {
    return behind_guard - (char *)&strcmp == 8;
}

EXPORTED int fixture_has_missing(void) {
    return &fixture_missing != NULL;
}

/* ---- initialisers ----------------------------------------------------------------------- */

static char trail[64];

__attribute__((constructor)) static void first(int argc, char **argv, char **environment,
                                               char **apple) {
    strcpy(trail, argc >= 1 && argv[argc] == NULL && environment && apple &&
                          strncmp(apple[0], "executable_path=", 16) == 0
                      ? "first"
                      : "wrong");
}

__attribute__((constructor)) static void second(void) {
    strcpy(trail + strlen(trail), " second");
}

EXPORTED const char *fixture_trail(void) {
    return trail;
}

/* ---- thread-local variables ---------------------------------------------------------------- */

static _Thread_local int counter = 40;
static _Thread_local char zeroes[100];
static _Thread_local const char *word = "thread";

EXPORTED int fixture_count(double kept, int also_kept) {
    const int value = ++counter; /* the call for its address must not change the arguments */
    zeroes[value % 100]++;
    return kept == 1.5 && also_kept == 7 && strcmp(word, "thread") == 0 && zeroes[0] == 0 ? value
                                                                                          : -1;
}

/* ---- variable arguments --------------------------------------------------------------------- */

static int through_list(char *text, size_t size, const char *format, ...) {
    va_list list, copy;
    va_start(list, format);
    va_copy(copy, list);
    char other[256];
    int count = vsnprintf(text, size, format, list);
    if (vsnprintf(other, sizeof other, format, copy) != count || strcmp(other, text) != 0)
        count = -1;
    va_end(copy);
    va_end(list);
    return count;
}

EXPORTED int fixture_format(char *text, size_t size) {
    return snprintf(text, size, "%d %s %.2f %lld %c %zu %x %u %s %.1f %d", -1, "two", 3.25,
                    (long long)1 << 40, 'c', (size_t)6, 0x77u, 8u, "nine", 10.5, 11);
}

EXPORTED int fixture_format_list(char *text, size_t size) {
    return through_list(text, size, "%s %d %.1f %d %d %d %d %d %d %s", "list", 1, 2.5, 3, 4, 5, 6,
                        7, 8, "nine");
}

/* ---- files, errors, threads --------------------------------------------------------------------
 */

/* 0, or the line of what went wrong. */
#define NEED(condition)                                                                            \
    if (!(condition))                                                                              \
    return __LINE__

EXPORTED int fixture_files(const char *path) {
    struct stat status;
    char text[8] = "";
    const int file = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0640);
    NEED(file >= 0);
    NEED(fstat(file, &status) == 0);
    NEED(S_ISREG(status.st_mode));
    NEED((status.st_mode & 0777) == 0640);
    NEED(status.st_size == 0);
    NEED(fcntl(file, F_GETFD) == FD_CLOEXEC);
    NEED(fcntl(file, F_GETFL) == O_RDWR);
    NEED(write(file, "hello", 5) == 5);
    NEED(fstat(file, &status) == 0);
    NEED(status.st_size == 5);
    NEED(close(file) == 0);
    NEED(open(path, O_RDWR | O_CREAT | O_EXCL, 0640) == -1);
    NEED(errno == EEXIST);
    const int again = open(path, O_RDONLY | O_NONBLOCK);
    NEED(read(again, text, sizeof text) == 5);
    NEED(strcmp(text, "hello") == 0);
    NEED(close(again) == 0);
    NEED(close(again) == -1);
    NEED(errno == EBADF);
    char longer[2000] = "/";
    for (size_t i = 1; i < sizeof longer - 1; i++)
        longer[i] = 'x';
    NEED(open(longer, O_RDONLY) == -1);
    NEED(errno == ENAMETOOLONG); /* 63 here, 36 on Linux */
    NEED(strstr(strerror(ENAMETOOLONG), "too long") != NULL);
    return 0;
}

static int once_count;

static void count_once(void) {
    once_count++;
}

EXPORTED int fixture_threads(void) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    int state = -1;
    pthread_once(&once, count_once);
    pthread_once(&once, count_once);
    NEED(once_count == 1);
    NEED(pthread_mutex_lock(&mutex) == 0);
    struct timespec until;
    NEED(clock_gettime(CLOCK_REALTIME, &until) == 0);
    NEED(pthread_cond_timedwait(&condition, &mutex, &until) == ETIMEDOUT); /* 60 here */
    condition = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    NEED(pthread_cond_signal(&condition) == 0);
    NEED(pthread_mutex_unlock(&mutex) == 0);
    NEED(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state) == 0);
    NEED(state == PTHREAD_CANCEL_ENABLE);
    NEED(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &state) == 0);
    NEED(state == PTHREAD_CANCEL_DISABLE);
    return 0;
}

/* ---- interposition ------------------------------------------------------------------------------
 */

/* Twice what strnlen() says; the original is still its own. */
static size_t twice(const char *text, size_t most) {
    return 2 * strnlen(text, most);
}

__attribute__((used, section("__DATA,__interpose"))) static const struct {
    const void *replacement, *replacee;
} tuple = {(const void *)&twice, (const void *)&strnlen};

EXPORTED size_t fixture_strnlen(const char *text) {
    return strnlen(text, 100);
}
