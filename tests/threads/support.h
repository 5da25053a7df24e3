/* Threads that ask devices, and what they may be told. */
#ifndef THREADS_SUPPORT_H
#define THREADS_SUPPORT_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every hazard. */
extern const char allow_all[];

/* Runs a test in a process of its own, on a machine: a cmocka test is one of these. */
struct apart {
    const char *name, *machine;
    void (*run)(void);
};
void run_apart(void **apart);

/* Says what is wrong and ends the process. */
#define REQUIRE(condition, ...)                                                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_in_thread(__FILE__, __LINE__, __VA_ARGS__);                                       \
    } while (0)
__attribute__((format(printf, 3, 4), noreturn)) void fail_in_thread(const char *file, int line,
                                                                    const char *format, ...);

/* Metal's devices, and the answers to a few questions of every shape. */
void *device_at(unsigned index);

enum { QUESTIONS = 10 };
struct answers {
    uint64_t number[QUESTIONS][3];
};
struct answers ask_all(void *device);

/* Asks one question: the answer must be that of `a` or of `b`, as a whole. */
void ask_one(void *device, unsigned question, const struct answers *a, const struct answers *b);

/* The same through the library, and the stock answer must be that of `stock`. */
void query_one(void *device, const struct answers *stock, const struct answers *plan);

/* Threads that run until they are told to stop. */
struct crew {
    pthread_t thread[8];
    int count;
};
void crew_start(struct crew *crew, void *(*run)(void *), void *data);
bool crew_works(void); /* for its threads: go on? */
void crew_stop(struct crew *crew);

#endif
