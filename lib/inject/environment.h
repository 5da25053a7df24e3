/*
 * What the environment asks of the injected library: a pure function of the environment and the
 * name of the program. variables.def is the contract, one row a variable; foreign.c adds the
 * variables of other tools, with their meaning.
 */
#ifndef MTLCAP_INJECT_ENVIRONMENT_H
#define MTLCAP_INJECT_ENVIRONMENT_H

#include <stdbool.h>

struct mtlcap__settings {
    bool enabled;         /* there is something to do in this process */
    char *profile;        /* to be applied; NULL if `problem` is set */
    char *allow;          /* as MTLCAP_ALLOW: names joined by '+'; NULL: none */
    const char *origin;   /* the variable that asked for it: "MTLCAP_PROFILE", "LUME_METAL_..." */
    bool future_families; /* the profile has a family that Metal does not have yet, as other tools
                             take it */
    bool early;           /* hooks go in while Metal makes the device */
    bool strict;
    bool inherit;  /* children get the library too */
    char *receipt; /* absolute path, %p and %% in it not yet replaced; NULL: none */
    bool receipt_optional;
    char
        *require; /* expectations, joined by commas, that must hold before a device is handed out */
    char *trace;  /* as `receipt`: the file of a trace; NULL: none */
    unsigned trace_events;
    int log_level;     /* MTLCAP_LOG_... */
    char *log_file;    /* absolute path; NULL: standard error */
    char problem[512]; /* why nothing can be applied: the variable, what is wrong, what would be
                          right; "": nothing is wrong */
    char warning[512]; /* to be said once something is applied; "": nothing */
};

/*
 * Reads the environment. `names` are those of this process's program, the path of its file and the
 * one that it was started by, NULL ends. Values are copied, and files are looked for in the folder
 * that is the working one now: the program may change its environment and its folder later. Never
 * fails: what is wrong is in `problem`. If !enabled, nothing was allocated. Reads no file.
 */
void mtlcap__environment_read(char *const *environment, const char *const *names,
                              struct mtlcap__settings *settings);
void mtlcap__environment_free(struct mtlcap__settings *settings);

#endif
