/*
 * The injected library: libmtlcap with a constructor, in a program that does not know of it.
 *
 * constructor.c  at load: reads the environment, and arranges the rest
 * doors.c        Metal's functions that hand out devices, as the program sees them
 * session.c      what happens when a device is handed out: once applied, later classes, failures
 * turn.c         one thread at a time does that
 * asked.c        the profile that was asked for, without its files
 * early.c        hooks that go in while Metal makes a device
 * required.c     what MTLCAP_REQUIRE expects of a device
 * traced.c       what MTLCAP_TRACE notes
 * account.c      what came of it: failures, the receipt
 * tell.c         messages
 * preload.c, darwin.c  one file a platform: how calls of Metal come here
 *
 * environment.h, insertion.h and receipt.h have the rest. Nothing of ours is made in a process that
 * has no profile, and no device before the program asks for one.
 */
#ifndef MTLCAP_INJECT_INJECT_H
#define MTLCAP_INJECT_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "environment.h"
#include "mtlcap/mtlcap.h"
#include "receipt.h"

/* ---- what a platform supplies ---- */

/* The variable that makes the loader insert libraries. */
extern const char mtlcap__insertion_variable[];

char **mtlcap__environ(void);

/* The file of this library, and that of the program. False: cannot be told, and `path` is "". */
bool mtlcap__own_path(char *path, size_t size);
bool mtlcap__program_path(char *path, size_t size);

/* The other name of the program: that by which it was started, a symbolic link say, where the path
 * is the file; and the other way round. */
bool mtlcap__program_alias(char *path, size_t size);

/* The program runs with rights that its caller does not have: the caller's environment is to be
 * left alone. */
bool mtlcap__secure_execution(void);

/* Metal's functions that hand out devices; a member is NULL where the process has none. */
struct mtlcap__metal {
    void *(*create_system_default_device)(void);
    void *(*copy_all_devices)(void);
    void *(*copy_all_devices_with_observer)(void **observer, void *handler);
};

/* Metal's own, or those of whoever comes between us and Metal. Loads nothing. */
struct mtlcap__metal mtlcap__real_metal(void);

/* Calls of Metal come to us first. `inserted`: the insertion variable names us. */
bool mtlcap__interposed(bool inserted);

/* ---- Metal's functions, as the program sees them ---- */

void *mtlcap__door_create_system_default_device(void);
void *mtlcap__door_copy_all_devices(void);
void *mtlcap__door_copy_all_devices_with_observer(void **observer, void *handler);

/* ---- the session ---- */

enum { MTLCAP__EXIT_REQUIRE = 70, MTLCAP__EXIT_STRICT = 78 };

/* How the library came into the process. */
enum mtlcap__arrival {
    MTLCAP__INTERPOSED, /* before the program: calls of Metal come to us */
    MTLCAP__BYPASSED,   /* before the program, but something else takes them */
    MTLCAP__LATE,       /* opened by a program that runs: its calls are bound already */
};

/* What is to be done at load; nothing if it has been done. */
void mtlcap__load(void);

/* Begins, at load and on a turn, with settings that are enabled; takes them over. */
void mtlcap__session_begin(const struct mtlcap__settings *from, enum mtlcap__arrival arrival,
                           const char *program, const char *library);

/* Metal is about to be asked for devices. True: they are to be withheld. */
bool mtlcap__session_knock(void);

/* A device is about to be handed to the program; NULL: Metal had none. Returns once its class
 * answers as the profile says, or it is settled that it does not; may end the process. */
void mtlcap__session_hand_out(void *device);

/* ---- its turn ---- */

/* One thread at a time works for the session; no lock is held. */
enum { MTLCAP__PATIENCE = 10 }; /* seconds that a thread waits for its turn */

enum mtlcap__turn {
    MTLCAP__TURN_TAKEN, /* ours now; the thread cannot be cancelled until it gives it */
    MTLCAP__TURN_OURS,  /* this thread has it already, further up the stack */
    MTLCAP__TURN_KEPT,  /* by another thread, for all of `patience` seconds */
};
enum mtlcap__turn mtlcap__session_take_turn(int patience);
void mtlcap__session_give_turn(void);

/* ---- the profile ---- */

struct mtlcap__asked {
    char *profile; /* as the API takes it; what files say is in it, so that they are not needed
                      again */
    bool hides;    /* no device is to be seen */
    bool more;     /* ... and there are other items, which have no effect */
};

/* Reads it. As mtlcap__profile_parse(): on failure nothing is allocated. */
int mtlcap__asked_read(const char *profile, struct mtlcap__asked *asked);

/* ---- early ---- */

/* Puts our hook into Metal's initialisation of devices, if Metal's classes are there and it is not
 * in yet. */
void mtlcap__early_watch(const char *profile, const char *allow);

/* The generation that was applied while Metal made a device; 0: none. */
uint64_t mtlcap__early_generation(void);

/* ---- what is required ---- */

/* Does the device meet the expectations, joined by commas? NULL: the first one. False: `problem`
 * names each that it does not. */
bool mtlcap__required_met(const char *require, void *device, char *problem, size_t size);

/* ---- the trace ---- */

/* At load; when a device is handed out, on the session's turn, NULL: those that there are; and at
 * exit. They do nothing if none is asked for, or it could not begin. */
void mtlcap__traced_begin(const struct mtlcap__settings *settings, bool late);
void mtlcap__traced_hand_out(void *device);
void mtlcap__traced_end(void);

/* ---- messages ---- */

/* From now on they go where the settings say, the engine's too. */
void mtlcap__tell_begin(const struct mtlcap__settings *settings);

void mtlcap__tell(int level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- what came of it: told, and in the receipt ---- */

/* Of the thread that has the turn. */
extern struct mtlcap__outcome mtlcap__outcome;

/* `from` lives as long as the process; paths are copied. */
void mtlcap__account_begin(const struct mtlcap__settings *from, const char *program,
                           const char *library);

/* Says something, and puts it into the receipt. */
void mtlcap__account_warn(int level, const char *warning);

/* A failure: its step, as the receipt has it, MTLCAP_E_..., and a sentence. */
void mtlcap__account_note(const char *step, int status, const char *why);

/* Tells the failure that was noted. Ends the process if MTLCAP_STRICT is set. */
void mtlcap__account_tell(void);

/* Both. The step of a status: mtlcap__account_step(). */
void mtlcap__account_fail(const char *step, int status, const char *why);
const char *mtlcap__account_step(int status);

/* Tells what is required and not so, and ends the process. */
void mtlcap__account_not_met(const char *why);

/* Writes the receipt, if one is asked for. */
void mtlcap__account_write(void);

#endif
