/*
 * mtlcap explain: which paths of a client are on, by the answers of a device.
 *
 *     clients/FILE.rules     what is known of a client, a file each (docs/explain.md)
 *     explain_rules.c        reads such a file
 *     explain_condition.c    the conditions in it
 *     explain_state.c        a condition held against answers
 *     explain_clients.c      those that are built in, and finding one by its name
 *     explain_from.c         answers out of a file instead of a device: of a probe
 *     explain_from_trace.c   ... or of a trace
 *     explain_judge.c        a feature, a verdict, and what decides them
 *     explain_advice.c       what would turn a feature on, and the hazards of that
 *     explain_profiles.c     one client under every built-in profile
 *     explain_text.c, explain_json.c
 */
#ifndef TOOLS_EXPLAIN_H
#define TOOLS_EXPLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices.h"

enum { EXPLAIN_CLAUSES = 12, EXPLAIN_FEATURES = 12, EXPLAIN_RELATIVES = 8 };

/* ---- conditions (explain_condition.c) ---------------------------------------------------- */

enum explain_state { EXPLAIN_OFF, EXPLAIN_ON, EXPLAIN_UNKNOWN };
extern const char *const explain_state_names[]; /* "off", "on", "unknown" */

enum explain_operator {
    EXPLAIN_AT_LEAST,
    EXPLAIN_AT_MOST,
    EXPLAIN_NOT_EQUAL,
    EXPLAIN_LACKS,
    EXPLAIN_EQUAL,
    EXPLAIN_CONTAINS,
};

/* What a condition can ask beside capabilities. */
enum explain_fact {
    EXPLAIN_NO_FACT,
    EXPLAIN_ALWAYS,
    EXPLAIN_NEVER,
    EXPLAIN_MACOS,       /* the system's version */
    EXPLAIN_SDK,         /* that the program is linked to */
    EXPLAIN_VM,          /* a virtual machine */
    EXPLAIN_PARAVIRTUAL, /* Apple's paravirtual device */
    EXPLAIN_CHIP,        /* Apple family of the chip; in a VM, of the host's */
    EXPLAIN_OWN_FAMILY,  /* the Apple family that is claimed is that of the chip */
};

/* "apple>=7" */
struct explain_clause {
    const char *text;
    char key[32];
    const char *value; /* in `text` */
    enum explain_operator operation;
    enum explain_fact fact;
    uint32_t capability; /* if it is no fact */
    unsigned alternative;
};

/* Met if one of its alternatives is; an alternative, if all of its clauses are. */
struct explain_condition {
    struct explain_clause clauses[EXPLAIN_CLAUSES];
    unsigned count;
};

/* Cuts `text` into clauses, which point into it. false: it is none; `problem` says what would be
 * right. */
bool explain_condition_read(char *text, struct explain_condition *condition, char *problem,
                            size_t size);

/* The number in a value of a capability: "7", "off", "32K". */
bool explain_number(int32_t kind, const char *text, uint64_t *number);

/* The parts of "26.2", at most 3, of at most 4 digits; 0: it is no version. */
unsigned explain_version(const char *text, unsigned parts[3]);

/* ---- answers ----------------------------------------------------------------------------- */

/* Whether an answer is known. Of a family, no question may have been asked that tells which one it
 * is: those from `below` on are answered no, and those between are not known. */
struct explain_known {
    bool known;
    uint64_t below; /* UINT64_MAX: none is known to be answered no */
};

/* Of one device. */
struct explain_answers {
    struct mtlcap_machine machine;
    struct mtlcap_device device;
    uint32_t index;
    struct mtlcap_answer *list;  /* by capability; kind 0: the device does not have the question */
    struct explain_known *known; /* by capability */
    const char *sdk;             /* NULL: not known */
    /* Of a trace in which the client had asked before the profile came: `list` is what it was told,
     * and this is what it would have been. */
    struct explain_early *early; /* NULL: it had not */
};

struct explain_early {
    struct mtlcap_answer *list;
    struct explain_known *known;
    char *profile; /* that came too late */
    char *names;   /* of what was asked: "MTLGPUFamilyApple7, MTLGPUFamilyMetal3" */
};

/* What is known of an answer that a device has given. */
struct explain_known explain_known_of(const struct mtlcap_answer *answer);

/* Asks the device, anew if it was asked before. Returns false after a complaint. */
bool explain_ask(struct explain_answers *answers);

void explain_answers_free(struct explain_answers *answers);
void explain_early_free(struct explain_answers *answers);

enum explain_state explain_clause_state(const struct explain_clause *clause,
                                        const struct explain_answers *answers);
enum explain_state explain_condition_state(const struct explain_condition *condition,
                                           const struct explain_answers *answers);

/* The index of the capability "apple". */
uint32_t explain_apple(void);

/* Apple family of the chip; 0: an Intel Mac's has none; MTLCAP_UNKNOWN. */
int explain_chip_family(const struct mtlcap_machine *machine);

/* What a clause is about, as it is now: "5", "26.5.2", "yes", "not known". */
void explain_clause_found(const struct explain_clause *clause,
                          const struct explain_answers *answers, char *text, size_t size);

/* ---- rules (explain_rules.c) ------------------------------------------------------------- */

/* Texts are as the file has them; NULL: it does not. */
struct explain_feature {
    const char *name, *what, *needs, *off, *decides, *variable, *shows, *operations, *source,
        *versions, *basis;
    struct explain_condition condition;
    char *cut;    /* what the condition points into */
    bool is_main; /* where it is off, that is the verdict */
};

/* A client with the same gates. */
struct explain_relative {
    const char *name, *programs, *versions, *differs, *source;
};

struct explain_client {
    const char *name, *programs, *versions, *source, *device, *asks, *good;
    struct explain_feature features[EXPLAIN_FEATURES];
    unsigned feature_count;
    struct explain_relative relatives[EXPLAIN_RELATIVES];
    unsigned relative_count;
    char *text; /* what all of that points into */
};

struct explain_problem {
    unsigned line; /* 0: the file as a whole */
    char text[512];
};

/* Reads the text of a file of rules. false: `problem` says where, and what would be right. */
bool explain_rules_read(const char *text, size_t length, struct explain_client *client,
                        struct explain_problem *problem);
void explain_rules_free(struct explain_client *client);

/* ---- clients (explain_clients.c, and the table that is made of clients/) ------------------- */

struct explain_builtin {
    const char *file, *text;
    size_t length;
};
extern const struct explain_builtin explain_builtins[];
extern const size_t explain_builtin_count;

/* One client by one of its names. */
struct explain_choice {
    const struct explain_client *client;
    const struct explain_relative *relative; /* NULL: the client itself */
};

const char *explain_choice_name(const struct explain_choice *choice);

struct explain_clients {
    struct explain_client *list;
    size_t count;
};

/* All that are built in, or that of `file` alone. Returns an exit code, after a complaint. */
int explain_clients_read(const char *file, struct explain_clients *clients);
void explain_clients_free(struct explain_clients *clients);

/* By a name, whatever the case, or the beginning of one, or by that of a program. Returns an exit
 * code. */
int explain_clients_find(const struct explain_clients *clients, const char *name,
                         struct explain_choice *choice);

/* Reads a whole file, or standard input if it is "-", of at most `most` bytes, ended by NUL. NULL:
 * it cannot be read, and the user has been told. */
char *explain_file(const char *path, size_t most, size_t *length);

/* ---- what is asked, and of what ----------------------------------------------------------- */

struct explain {
    struct explain_clients clients;
    struct explain_choice choice; /* client NULL: all */
    const char *profile, *allow, *from;
    const char *sdk;
    char *profile_copy; /* of a file's; NULL: none */
    struct mtlcap_machine machine;
    struct explain_answers *answers; /* by device */
    uint32_t count;
    bool live; /* devices of this machine: a profile can be applied */
};

/* Fills the answers from a file of `mtlcap probe --json` or `mtlcap trace --json`. Returns an exit
 * code, after a complaint. */
int explain_from(const char *path, struct explain *explain);

/* The same of a trace that has been read. Returns NULL, or what is wrong. */
struct json_document;
const char *explain_from_trace(const struct json_document *document, struct explain *explain);

/* The profile under which they were given; NULL: none. */
void explain_from_profile(struct explain *explain, const char *profile);

/* One more device, of which nothing is known; there must be room for it. */
struct explain_answers *explain_add_device(struct explain *explain);

/* ---- judging (explain_judge.c) ------------------------------------------------------------ */

/* The clauses that decide a feature's state, each key once: those of the alternative that is met;
 * otherwise those that are not met, or not known to be. */
unsigned explain_deciding(const struct explain_feature *feature,
                          const struct explain_answers *answers,
                          const struct explain_clause *deciding[EXPLAIN_CLAUSES]);

/* "apple is 5, metal is off", to be freed. */
char *explain_deciding_text(const struct explain_feature *feature,
                            const struct explain_answers *answers);

/* All main features are on: ON. *text, to be freed: "llama.cpp would run matrix products on the
 * CPU: ..." */
enum explain_state explain_verdict(const struct explain_choice *choice,
                                   const struct explain_answers *answers, char **text);

/* ---- advice (explain_advice.c) ------------------------------------------------------------ */

enum { EXPLAIN_ADVICES = 4, EXPLAIN_HAZARDS = 6 };

struct explain_advice {
    char *profile;
    const char *hazards[EXPLAIN_HAZARDS]; /* names */
    bool refuses[EXPLAIN_HAZARDS];
    unsigned hazard_count;
    bool not_checked; /* another machine's answers: these are hazards that it may meet */
    bool earlier;     /* it was applied, too late */
};

/* The profiles that would turn a feature on; 0: none is found, and *why says why. */
unsigned explain_advise(const struct explain_feature *feature,
                        const struct explain_answers *answers, const struct explain *explain,
                        struct explain_advice advices[EXPLAIN_ADVICES], char **why);
void explain_advices_free(struct explain_advice *advices, unsigned count, char *why);

/* ---- telling ------------------------------------------------------------------------------ */

void explain_write_text(const struct explain *explain);
void explain_write_json(const struct explain *explain);

/* One client under every built-in profile, on every device. Returns an exit code. */
int explain_write_profiles(const struct explain *explain, bool json);

#endif
