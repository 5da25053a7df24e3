/* Metal's private compiler library, MTLCompiler, whose two functions some programs call directly.
 * A "compiled" library is its source between the first and the last word of Apple's format;
 * newLibraryWithData: takes it apart again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* The start of a block: see "Block Implementation Specification". */
struct reply_block {
    void *isa;
    int flags, reserved;
    void (*invoke)(struct reply_block *block, int32_t error, const void *data, size_t size,
                   const char *message);
};

#define REQUEST_COMPILE 13

/* Two sizes, then the source and the parameters; both end in zero bytes. */
struct request {
    uint64_t source_size, parameter_size;
    char source[];
};

/* What comes before a compiled library in a reply. */
struct reply_header {
    uint32_t unknown[2];
    uint32_t header_size, warning_size;
};

EXPORT void *MTLCodeGenServiceCreate(const char *name) {
    static char service;
    (void)name;
    return &service;
}

EXPORT void MTLCodeGenServiceDestroy(void *service) {
    (void)service;
}

EXPORT void MTLCodeGenServiceBuildRequest(void *service, void *unknown, int32_t type,
                                          const struct request *request, size_t size,
                                          struct reply_block *reply) {
    (void)service;
    (void)unknown;
    if (type != REQUEST_COMPILE || size < sizeof *request ||
        request->source_size > size - sizeof *request) {
        reply->invoke(reply, 1, NULL, 0, "simmetal: no request to compile a source");
        return;
    }
    const struct reply_header header = {.header_size = sizeof header};
    size_t source = strnlen(request->source, (size_t)request->source_size);
    size_t total = sizeof header + 4 + source + 4;
    char *library = malloc(total);
    if (!library) {
        reply->invoke(reply, 1, NULL, 0, "simmetal: out of memory");
        return;
    }
    memcpy(library, &header, sizeof header);
    memcpy(library + sizeof header, "MTLB", 4);
    memcpy(library + sizeof header + 4, request->source, source);
    memcpy(library + total - 4, "ENDT", 4);
    reply->invoke(reply, 0, library, total, NULL);
    free(library);
}
