/* What the Python package needs of C beside the public header. Nothing here calls Python. */
#ifndef MTLCAP_PYTHON_NATIVE_H
#define MTLCAP_PYTHON_NATIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The table of statuses. NULL past the last. */
struct mtlcap_python_status {
    const char *name; /* "E_PROFILE" */
    const char *meaning;
    int32_t number;
};
const struct mtlcap_python_status *mtlcap_python_status(uint32_t index);

/*
 * The log. From keep() to take() what the library says on this thread is kept; anything else, such
 * as what another thread's call from C causes, goes to stderr as it would without Python.
 */
struct mtlcap_python_message {
    struct mtlcap_python_message *next;
    int32_t level; /* MTLCAP_LOG_... */
    char text[1024];
};
int mtlcap_python_log_start(void); /* as mtlcap_set_log() */
void mtlcap_python_log_keep(void);
struct mtlcap_python_message *mtlcap_python_log_take(void); /* this thread's, in order */
void mtlcap_python_log_free(struct mtlcap_python_message *messages);

/*
 * mtlcap_query(). The words of the answer are in a row, each with a zero byte behind it:
 * capability, stock, effective, rule, source. Python takes them apart at once; each array of a
 * structure that it reads takes as long as a query.
 */
struct mtlcap_python_answer {
    int32_t kind;
    bool stock_known, overridden, derived;
    uint64_t stock, effective; /* number[0] */
    uint64_t stock_size[3], effective_size[3];
    int32_t words_length; /* without the last zero byte */
    char words[2048];
};
int mtlcap_python_query(void *device, const char *capability, struct mtlcap_python_answer *answer);

#endif
