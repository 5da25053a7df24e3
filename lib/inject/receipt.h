/*
 * The receipt: what was done in this process, as JSON (docs/receipt-json.md). It is written to a
 * temporary file beside it, and renamed, so that a reader never sees half of one.
 */
#ifndef MTLCAP_INJECT_RECEIPT_H
#define MTLCAP_INJECT_RECEIPT_H

#include <stdbool.h>
#include <stddef.h>

#include "environment.h"

/* How far it came. X(name, text in the receipt) */
#define MTLCAP__STAGE_MAP(X)                                                                       \
    X(LOADED, "loaded")       /* no device seen yet */                                             \
    X(NO_DEVICE, "no-device") /* Metal was asked for devices, and had none */                      \
    X(APPLIED, "applied")                                                                          \
    X(HIDDEN, "hidden")           /* profile `hide`: devices were asked for, and withheld */       \
    X(NOT_APPLIED, "not-applied") /* stock answers; `step` and `reason` say why */                 \
    X(NOT_MET, "not-met")         /* MTLCAP_REQUIRE does not hold: the process ends */             \
    X(RESTORED, "restored")       /* applied, and then restored or replaced by the program */

enum mtlcap__stage {
#define MTLCAP__STAGE_ENUM(name, text) MTLCAP__STAGE_##name,
    MTLCAP__STAGE_MAP(MTLCAP__STAGE_ENUM)
#undef MTLCAP__STAGE_ENUM
};

struct mtlcap__outcome {
    enum mtlcap__stage stage;
    const char *step;      /* that failed: "environment", "parse", "hazard", "install", ...; "" */
    int status;            /* MTLCAP_E_... of it */
    const char *reason;    /* a sentence; "" */
    bool interposed;       /* Metal's functions come to us first in this process */
    bool early;            /* hooks went in while Metal made the device */
    const char *program;   /* path of the program; NULL: not known */
    const char *library;   /* path of the injected library */
    const char *delegated; /* path of the copy of libmtlcap that does the work; "": this one */
    bool exiting;          /* the process is about to end */
    const bool *asked;     /* by capability index; NULL: not known */
    const char *const *warnings; /* what was said, NULL ends */
};

/*
 * The receipt's text, to be freed; NULL: no memory. Once applied, it asks the devices, but not when
 * the process ends: then it repeats what they said. Hooks that watch note that as they do any
 * question, so take `asked` first. The parts of `outcome` that are text may be NULL.
 */
char *mtlcap__receipt_text(const struct mtlcap__settings *settings,
                           const struct mtlcap__outcome *outcome);

/*
 * Writes `text` to the file that `pattern` names (%p: the process's number, %%: a percent sign),
 * mode 0600, never through a symbolic link, replacing a regular file only. False: `problem` says
 * why, and what was there is as it was. Async-signal safety is not needed; it may be called from
 * any thread and at exit. Threads may write the same file: it is one of theirs.
 */
bool mtlcap__receipt_write(const char *pattern, const char *text, char *problem, size_t size);

/* The name of a file that `pattern` stands for: %p is the process's number, %% a percent sign.
 * False: it is longer than `size` allows. */
bool mtlcap__file_name(const char *pattern, char *path, size_t size);

/* There is no folder any more for the file that `pattern` names. */
bool mtlcap__receipt_folder_is_gone(const char *pattern);

/* Is the file that is there a receipt of another process, or one of this process that says more
 * than `loaded`? */
bool mtlcap__receipt_stands(const char *pattern);

#endif
