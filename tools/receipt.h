/* Reads a receipt of the injected library (docs/receipt-json.md): what `run` needs of it. */
#ifndef TOOLS_RECEIPT_H
#define TOOLS_RECEIPT_H

#include <stdbool.h>
#include <stddef.h>

struct receipt {
    char stage[32], step[32];
    char reason[1024];
    char program[1024]; /* path, "": not known */
    long long process;  /* that it is about */
    bool interposed, exiting;
};

enum receipt_result {
    RECEIPT_READ,
    RECEIPT_NONE, /* there is no such file */
    RECEIPT_BAD,  /* it cannot be read, or is no receipt; `problem` says why */
};

enum receipt_result receipt_read(const char *path, struct receipt *receipt, char *problem,
                                 size_t size);

/* The same of text. */
bool receipt_parse(const char *text, struct receipt *receipt);

#endif
