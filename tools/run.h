/* mtlcap run and trace: finding the program, what is known to keep the library out of it, starting
 * it, and confirming by its receipt. */
#ifndef TOOLS_RUN_H
#define TOOLS_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <time.h>

#include "environment.h"
#include "injection.h"
#include "receipt.h"

/* ---- the program (run_find.c, run_env.c) ---------------------------------- */

struct program {
    const char *asked; /* as given */
    char *path;        /* what is to be executed */
    char **arguments;  /* its argv */
    bool moves;        /* it is to be started in another folder: paths become absolute */
    char *script;      /* what it is to interpret, if a #! line led to it; NULL: none */
    struct environment environment; /* as `env` lines left it */
};

/*
 * Finds what `arguments` start in the end: looks it up in PATH, and follows #! lines and `env`, so
 * that the loader of no shell and no `env` comes first. Returns CODE_OK, CODE_NOT_FOUND or
 * CODE_NOT_EXECUTABLE, after a complaint.
 */
int program_find(char *const *arguments, char *const *environment, struct program *program);
void program_free(struct program *program);

/* What a name without a slash is in PATH; one with a slash is itself. NULL: *code is
 * CODE_NOT_FOUND or CODE_NOT_EXECUTABLE, and the user has been told. To be freed. */
char *program_look_up(const char *name, const char *search_path, int *code);

/* Replaces the first `count` arguments of a list by `words`, which it takes over. */
void arguments_replace(char ***arguments, size_t count, char **words);
void arguments_free(char **arguments);

/*
 * The program is `env`: does to the environment what it would, leaves the arguments of what it
 * would start, and where that is to be looked for (NULL: no PATH; to be freed). False: it starts
 * nothing, or has an argument that is not known here, and nothing was done.
 */
bool program_follow_env(struct program *program, char **search_path);

/* ---- what is in the way (run_obstacle.c, run_script.c) -------------------- */

/*
 * Why the library will not be loaded into this program, or not into the one that does the work, and
 * what to do. False: nothing is known.
 */
bool program_obstacle(const struct program *program, const struct injection *injection, char *text,
                      size_t size);

/* The program is a shell with a script: what to do, so that the library gets into what that starts.
 * False: it is another program. */
bool program_script_advice(const struct program *program, char *text, size_t size);

/* ---- signals (run_signals.c) ---------------------------------------------- */

/* Keeps signals for later. Called first of all: threads that libraries start would take them. */
void start_block_signals(void);

/* A signal that would have ended this process by now; 0: none has come. */
int start_pending_signal(void);

/* From now on they go on to the program: while this process waits, or has opened them. */
void signals_catch(void);
void signals_pass_to(pid_t process); /* 0: to nobody */
void signals_open(void);
void signals_close(void);

/* In the new process: sets mask and dispositions to what this process was given. */
void signals_give_back(void);

/* Waits for a signal, until `end` by the monotonic clock, or without end (NULL). False: it is past.
 */
bool signals_wait(const struct timespec *end);

/* The program has stopped by `stop`: stops as well, if that is for a shell to see. False: it is
 * not. */
bool signals_follow(int stop);

/* What has continued this process has continued the program too. */
void signals_continued(void);

/* ---- starting (run_start.c) ----------------------------------------------- */

struct start {
    pid_t process;
    int status; /* of waitpid() */
    int code;   /* if it could not be started: exit code; the user has been told */
};

/*
 * Starts the program and waits for its end, passing on the signals that are sent to this process.
 * `look` is called whenever it has run for another `milliseconds`.
 */
struct start program_start(const struct program *program, unsigned milliseconds,
                           void (*look)(pid_t process, void *context), void *context);

/* Ends this process as the program ended: with its exit code, or by its signal. Returns the code.
 */
int start_end_as(int status);
int start_end_by(int signal_number);

/* ---- receipts (run_receipts.c) -------------------------------------------- */

/*
 * The library writes into a folder that is made for this run, by process: what is in it is of no
 * other run. From there they are copied to where the user wants them.
 */
struct receipts {
    char *folder;
    char *pattern; /* of their names, as MTLCAP_RECEIPT has it */
    char *copy;    /* the user's own; NULL: none is wanted */
    bool told;     /* that it cannot be written */
};

/* Makes the folder. `file` is what the user named, NULL: nothing. Returns an exit code. */
int receipts_start(struct receipts *receipts, const char *file);

/* Removes what that made; or leaves it there. */
void receipts_clean(struct receipts *receipts);
void receipts_free(struct receipts *receipts);

struct receipt_file {
    char *path;
    pid_t process;
    bool readable;
    struct receipt receipt; /* if it is; if not, `problem` says why */
    char problem[256];
};

struct receipt_list {
    struct receipt_file *files;
    size_t count;
};

/* Those of this run, as far as there are any by now. */
struct receipt_list receipts_read(const struct receipts *receipts);
void receipt_list_free(struct receipt_list *list);

/* Copies them to where the user wants them; where that is one file, the one that decides. False: it
 * cannot be, and the user has been told. */
bool receipts_copy(struct receipts *receipts, const struct receipt_list *list,
                   const struct receipt_file *decides);

/* ---- confirming (run_confirm.c) ------------------------------------------- */

struct confirmation {
    const struct injection *injection;
    const struct program *program;
    struct receipts receipts;
    bool told; /* the user knows that it was not loaded, or may not have been */
};

/* While it runs: copies what there is, and says once if there is nothing. */
void confirm_so_far(pid_t process, void *context); /* a struct confirmation */

/* After its end: was it applied? Otherwise says what happened. */
bool confirm_end(struct confirmation *confirmation, const struct start *start);

/* ---- a run, from the command line to the end (run_session.c) ---------------- */

struct session {
    struct injection injection;
    struct program program;
    struct confirmation confirmation;
    struct start started;
};

/* These return an exit code; if it is not CODE_OK, the user has been told. */

/* Checks what is asked, finds the program, and says what is in its way. */
int session_prepare(struct session *session, char *const *arguments);

/* Makes the folder of the receipts, and the program's environment. Does not return if a signal has
 * come. */
int session_open(struct session *session);

/* Starts the program as program_start() does. */
int session_run(struct session *session, unsigned milliseconds,
                void (*look)(pid_t process, void *context), void *context);

/* Ends as the program did; not confirmed, and asked to make sure, by an exit code of its own. */
int session_end(const struct session *session, bool confirmed);

/* Removes what session_open() made. */
void session_clean(struct session *session);
void session_free(struct session *session);

#endif
