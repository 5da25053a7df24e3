/* The table of statuses, and the library's messages kept for Python's logging. */
#include <stdio.h>
#include <stdlib.h>

#include "mtlcap/mtlcap.h"
#include "native.h"

const struct mtlcap_python_status *mtlcap_python_status(uint32_t index) {
    static const struct mtlcap_python_status rows[] = {
#define ROW(name, number, meaning) {#name, meaning, number},
        MTLCAP_STATUS_MAP(ROW)
#undef ROW
    };
    return index < sizeof rows / sizeof rows[0] ? &rows[index] : NULL;
}

static _Thread_local bool keeping;
static _Thread_local struct mtlcap_python_message *first, **end = NULL;

static void say(int level, const char *message, void *data) {
    (void)data;
    struct mtlcap_python_message *kept = keeping ? malloc(sizeof *kept) : NULL;
    if (kept) {
        kept->next = NULL;
        kept->level = level;
        snprintf(kept->text, sizeof kept->text, "%s", message);
        *(first ? end : &first) = kept;
        end = &kept->next;
    } else if (level <= MTLCAP_LOG_WARNING) {
        fprintf(stderr, "mtlcap: %s\n", message);
    }
}

int mtlcap_python_log_start(void) {
    return mtlcap_set_log(MTLCAP_LOG_DEBUG, say, NULL);
}

void mtlcap_python_log_keep(void) {
    keeping = true;
}

struct mtlcap_python_message *mtlcap_python_log_take(void) {
    struct mtlcap_python_message *taken = first;
    first = NULL;
    keeping = false;
    return taken;
}

void mtlcap_python_log_free(struct mtlcap_python_message *messages) {
    while (messages) {
        struct mtlcap_python_message *next = messages->next;
        free(messages);
        messages = next;
    }
}
