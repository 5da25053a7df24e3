/*
 * The model test: random operations, each done by the library on the simulated Metal and by a small
 * model of what it promises, and compared. Sequences run in fresh processes.
 *
 *     test_model [--seed N] [--sequences M | --operations M] [--length L] [--jobs J]
 *
 * Sequence i has the seed N + i and up to L operations. One that goes wrong is cut down and told.
 */
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/injected.h"
#include "random.h"
#include "sequence.h"

enum { JOBS_MAX = 64, WRONG = 3 };

static struct learnt *learnt;

/* In a child: runs, tells what is wrong, and ends. */
static pid_t start(const struct sequence *sequence) {
    fflush(NULL);
    const pid_t child = fork();
    if (child != 0)
        return child;
    if (getenv("MTLCAP_TEST_WATCH"))
        mtlcap__injected_watch();
    const char *wrong = sequence_run(sequence, learnt);
    if (wrong && sequence->tell)
        fprintf(stderr, "WRONG: %s\n", wrong);
    fflush(NULL);
    _exit(wrong ? WRONG : 0);
}

static bool goes_wrong(const struct sequence *sequence) {
    int status = 0;
    const pid_t child = start(sequence);
    return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}

/* Leaves out what is not needed to go wrong: halves, quarters, ..., single operations. */
static void cut_down(struct sequence *sequence) {
    const int standard_error = dup(STDERR_FILENO);
    if (!freopen("/dev/null", "w", stderr))
        return;
    for (int size = (sequence->length + 1) / 2; size > 0; size /= 2)
        for (int from = 0; from < sequence->length; from += size) {
            struct sequence shorter = *sequence;
            for (int i = from; i < from + size && i < sequence->length; i++)
                shorter.skip[i] = true;
            if (goes_wrong(&shorter))
                *sequence = shorter;
        }
    fflush(stderr);
    dup2(standard_error, STDERR_FILENO);
}

static void tell_wrong(struct sequence *sequence, int length) {
    fprintf(stderr, "\nWrong: --seed %" PRIu64 " --sequences 1 --length %d; cut down to:\n",
            sequence->seed, length);
    cut_down(sequence);
    sequence->tell = true;
    if (!goes_wrong(sequence))
        fprintf(stderr, "it went well the second time\n");
}

static bool learn(void) {
    learnt = mmap(NULL, learnt_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (learnt == MAP_FAILED)
        return false;
    const pid_t child = fork();
    if (child == 0) {
        sequence_learn(learnt);
        fflush(NULL);
        _exit(0);
    }
    int status;
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static struct sequence sequence_of(uint64_t seed, int length) {
    struct random random = {~seed};
    struct sequence sequence = {.seed = seed, .length = 1 + random_below(&random, length)};
    return sequence;
}

static uint64_t number(const char *name, const char *text, uint64_t most) {
    char *end;
    const uint64_t value = text ? strtoull(text, &end, 0) : 0;
    if (!text || !*text || *end || value > most) {
        fprintf(stderr, "test_model: %s takes a number up to %" PRIu64 "\n", name, most);
        exit(2);
    }
    return value;
}

int main(int argc, char **argv) {
    uint64_t seed = 1, sequences = UINT64_MAX, operations = UINT64_MAX;
    int length = LENGTH_MAX, jobs = 1;
    for (int i = 1; i < argc; i += 2) {
        const char *name = argv[i], *value = argv[i + 1];
        if (strcmp(name, "--seed") == 0)
            seed = number(name, value, UINT64_MAX);
        else if (strcmp(name, "--sequences") == 0)
            sequences = number(name, value, UINT64_MAX);
        else if (strcmp(name, "--operations") == 0)
            operations = number(name, value, UINT64_MAX);
        else if (strcmp(name, "--length") == 0)
            length = (int)number(name, value, LENGTH_MAX);
        else if (strcmp(name, "--jobs") == 0)
            jobs = (int)number(name, value, JOBS_MAX);
        else
            number(name, NULL, 0);
    }
    if (sequences == UINT64_MAX && operations == UINT64_MAX)
        operations = 20000;
    if (!learn()) {
        fprintf(stderr, "test_model: the simulated Metal could not be asked\n");
        return 1;
    }

    struct {
        pid_t child;
        struct sequence sequence;
    } running[JOBS_MAX];
    int running_count = 0, wrong = 0;
    uint64_t started = 0, done = 0;
    for (;;) {
        while (running_count < jobs && started < sequences && done < operations && !wrong) {
            running[running_count].sequence = sequence_of(seed + started++, length);
            done += (uint64_t)running[running_count].sequence.length;
            running[running_count].child = start(&running[running_count].sequence);
            running_count++;
        }
        int status;
        const pid_t child = wait(&status);
        if (child < 0)
            break;
        for (int i = 0; i < running_count; i++) {
            if (running[i].child != child)
                continue;
            if (status && !wrong++)
                tell_wrong(&running[i].sequence, length);
            running[i] = running[--running_count];
        }
    }
    printf("%" PRIu64 " operations in %" PRIu64 " sequences from seed %" PRIu64 ": %s\n", done,
           started, seed, wrong ? "WRONG" : "no difference");
    return wrong != 0;
}
