/* Takes what is needed out of a receipt. */
#include "receipt.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "json_read.h"

enum { LARGEST = 1 << 20 };

static void keep_text(const struct json_document *document, const char *key, char *text,
                      size_t size) {
    const char *found = json_member_text(document, document->values, key);
    if (found != NULL)
        snprintf(text, size, "%.*s", (int)size - 1, found);
}

static bool is_true(const struct json_document *document, const char *key) {
    const struct json_value *member = json_member(document, document->values, key);
    return member != NULL && member->kind == JSON_TRUE;
}

static bool keep_number(const struct json_document *document, const char *key, long long *number) {
    const struct json_value *member = json_member(document, document->values, key);
    bool good = member != NULL && member->kind == JSON_NUMBER && member->whole &&
                member->number <= LLONG_MAX;
    if (good)
        *number = (long long)member->number;
    return good;
}

bool receipt_parse(const char *text, struct receipt *receipt) {
    struct json_document document;
    long long version = 0;
    memset(receipt, 0, sizeof *receipt);
    bool good = json_read(text, &document);
    if (good) {
        keep_text(&document, "stage", receipt->stage, sizeof receipt->stage);
        keep_text(&document, "step", receipt->step, sizeof receipt->step);
        keep_text(&document, "reason", receipt->reason, sizeof receipt->reason);
        keep_text(&document, "program", receipt->program, sizeof receipt->program);
        keep_number(&document, "mtlcap_receipt", &version);
        keep_number(&document, "pid", &receipt->process);
        receipt->interposed = is_true(&document, "interposed");
        receipt->exiting = is_true(&document, "exiting");
    }
    json_free(&document);
    return good && version == 1 && receipt->stage[0] != '\0';
}

enum receipt_result receipt_read(const char *path, struct receipt *receipt, char *problem,
                                 size_t size) {
    struct stat status;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        snprintf(problem, size, "%s", strerror(errno));
        return errno == ENOENT ? RECEIPT_NONE : RECEIPT_BAD;
    }
    char *text = allocate(LARGEST + 1, 1);
    ssize_t length = -1;
    if (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= LARGEST)
        length = read(descriptor, text, LARGEST);
    close(descriptor);
    bool good =
        length >= 0 && memchr(text, '\0', (size_t)length) == NULL && receipt_parse(text, receipt);
    free(text);
    if (good)
        return RECEIPT_READ;
    snprintf(problem, size, "it is not a receipt of this version");
    return RECEIPT_BAD;
}
