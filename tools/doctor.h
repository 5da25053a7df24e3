/*
 * mtlcap doctor: will the library be loaded into a program, and what is this machine?
 *
 *     doctor_file.c     what is known of a file: facts of each slice
 *     doctor_facts.c    the facts of one slice
 *     doctor.def        the rules, in order, and doctor_rules.c when each holds
 *     doctor_judge.c    goes through the rules, for every machine that it may be
 *     doctor_remedy.c   what to do
 *     doctor_text.c, doctor_json.c
 *     doctor_target.c   the machine that the program is to run on: --machine
 *     doctor_machine.c  the report on this machine
 */
#ifndef TOOLS_DOCTOR_H
#define TOOLS_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "json.h"
#include "macho/macho.h"

/* ---- the machine (doctor_target.c) ------------------------------------------------ */

struct doctor_target {
    int sip;   /* 1, 0; -1: not known */
    int macos; /* 26 is macOS 26; 0: not known */
    int arm64; /* 1: Apple silicon, 0: Intel; -1: not known */
};

/* Of this machine; off a Mac, nothing is known. */
struct doctor_target doctor_target_here(void);

/* Takes "sip=off,macos=26,arch=arm64". Returns an exit code, after a complaint. */
int doctor_target_parse(const char *text, struct doctor_target *target);

/* 1, 0; -1: cannot be told, or it is off in part. Text: as `csrutil` numbers it; "": cannot. */
int doctor_protection(char *text, size_t size);

/* Of the functions that are in every Mac and nowhere else; NULL: there is none. */
void *doctor_symbol(const char *name);

/* Is it where macOS keeps Apple's own programs? */
bool doctor_is_apples(const char *path);

/* The path of the program of Apple's that PATH leads to on a Mac, if nobody has put another one in
 * front of it. NULL: none of that name is known. */
const char *doctor_apples_named(const char *name);

/* ---- a file (doctor_file.c, doctor_facts.c) ------------------------------------------ */

enum doctor_entitlement {
    DOCTOR_ALLOW_DYLD,
    DOCTOR_DISABLE_VALIDATION,
    DOCTOR_GET_TASK_ALLOW,
    DOCTOR_APP_SANDBOX,
    DOCTOR_ENTITLEMENTS, /* how many */
};
extern const char *const doctor_entitlement_names[DOCTOR_ENTITLEMENTS];

struct doctor_entitlements {
    bool there; /* in this form */
    bool is_true[DOCTOR_ENTITLEMENTS];
    uint64_t place[DOCTOR_ENTITLEMENTS]; /* 0: it is not named */
};

/* Places are in the file. */
struct doctor_slice {
    char cpu[24]; /* "arm64" */
    uint32_t cpu_type;
    bool arm64e;
    uint64_t place;
    struct mtlcap__macho_problem problem; /* text "": it is a good image */
    uint32_t file_type;
    uint32_t platform, minimum, sdk; /* platform 0: not said */
    uint64_t version_place;
    bool has_dylinker;
    uint64_t restrict_place; /* section __RESTRICT,__restrict; 0: none */
    enum { DOCTOR_UNSIGNED, DOCTOR_SIGNED, DOCTOR_BROKEN } signature;
    struct mtlcap__macho_problem signature_problem; /* if broken */
    uint32_t flags, hash_type;
    uint64_t flags_place;
    uint8_t platform_byte;
    uint64_t platform_place;
    char identifier[128], team[32]; /* team "": none */
    struct mtlcap__macho_pages pages;
    struct doctor_entitlements der, xml;
    char starter[64]; /* how it starts programs: "it imports _execve"; "": it does not */
    char child[128];  /* one of Apple's that it would start: "it names /bin/ls"; "": not known */
    uint64_t child_place;
};

struct doctor_file {
    char *path;   /* NULL: none, it is the library that is published */
    bool assumed; /* the file is not at hand: what it is known to be */
    bool apples;  /* a program of Apple's: by its place, or the byte in its signature */
    mode_t mode;
    char problem[256]; /* "": it is a Mach-O file */
    uint64_t problem_place;
    bool malformed; /* a Mach-O file, but for the problem */
    uint32_t count;
    struct doctor_slice *slices;
};

/* Never fails: what is wrong is in `problem`. Whether pages are as they were signed is looked at if
 * `check_pages`, which takes a second for some 200 MiB. */
void doctor_file_read(const char *path, bool check_pages, struct doctor_file *file);
void doctor_file_free(struct doctor_file *file);

/* The library as it is published, and a program of Apple's on a Mac that is not at hand. */
void doctor_file_published(struct doctor_file *file);
void doctor_file_apples(const char *path, struct doctor_file *file);

/* Reads one slice. */
void doctor_slice_read(const struct mtlcap__macho_slice *slice, bool check_pages,
                       struct doctor_slice *facts);

/* ---- verdicts (doctor.def, doctor_rules.c, doctor_judge.c) ------------------------------ */

/* X(name, exit code's name) */
#define DOCTOR_VERDICTS(X)                                                                         \
    X(LOADS, OK)                                                                                   \
    X(STRIPPED, STRIPPED)                                                                          \
    X(REJECTED, REJECTED)                                                                          \
    X(DIES, DIES)                                                                                  \
    X(CHILD_DIES, CHILD_DIES)                                                                      \
    X(UNKNOWN, NOT_KNOWN)

enum doctor_verdict {
#define DOCTOR_ENUM(name, code) DOCTOR_##name,
    DOCTOR_VERDICTS(DOCTOR_ENUM)
#undef DOCTOR_ENUM
};
extern const char *const doctor_verdict_names[];

enum doctor_remedy {
    DOCTOR_NOTHING,
    DOCTOR_RESIGN,
    DOCTOR_SIGN,
    DOCTOR_OTHER_BUILD,
    DOCTOR_PLAIN_COPY,
    DOCTOR_LINK,
    DOCTOR_NAME_PROGRAM,
    DOCTOR_NO_CHILDREN,
    DOCTOR_OTHER_LIBRARY,
    DOCTOR_TRY,
};

enum { DOCTOR_EVIDENCE = 4, DOCTOR_CASES = 8 };

struct doctor_evidence {
    char text[200];
    uint64_t place; /* in the file; 0: there is none */
};

/* What is asked. */
struct doctor_question {
    const struct doctor_file *program, *library;
    const struct doctor_slice *slice; /* that would run; NULL: none */
    struct doctor_target target;
    bool inherit; /* children get the variable */
};

struct doctor_answer {
    struct doctor_evidence evidence[DOCTOR_EVIDENCE];
    unsigned count;
};

typedef bool doctor_condition(const struct doctor_question *question, struct doctor_answer *answer);

struct doctor_rule {
    const char *name;
    enum doctor_verdict verdict;
    const char *basis; /* what it rests on: "observed" or "source" */
    enum doctor_remedy remedy;
    const char *reason, *source;
    doctor_condition *holds;
};

/* The first that holds decides; the last one always does. */
extern const struct doctor_rule doctor_rules[];

/* The slice of the program that a machine runs; NULL: none. */
const struct doctor_slice *doctor_choose(const struct doctor_file *program, bool arm64);

/* On some machines. */
struct doctor_case {
    const struct doctor_rule *rule;
    const struct doctor_slice *slice;
    struct doctor_answer answer;
    char when[256]; /* "sip=on"; several are joined by " or "; "": everywhere */
};

struct doctor_diagnosis {
    const char *asked;  /* what led to the program; NULL: itself */
    const char *script; /* the program is a shell, with a script: what to do. NULL: it is not */
    bool looked_up;     /* it is Apple's because PATH leads to that */
    bool inherit;       /* as asked */
    const struct doctor_file *program, *library;
    struct doctor_target target; /* as given */
    enum doctor_verdict verdict; /* UNKNOWN also where the cases differ */
    unsigned count;
    struct doctor_case cases[DOCTOR_CASES];
};

void doctor_judge(const struct doctor_file *program, const struct doctor_file *library,
                  const struct doctor_target *target, bool inherit,
                  struct doctor_diagnosis *diagnosis);

/* ---- telling ---------------------------------------------------------------------------- */

/* One line: a sentence, or a command for a shell. */
typedef void doctor_tell(bool is_command, const char *text, void *context);

/* What to do. */
void doctor_advise(const struct doctor_diagnosis *diagnosis, const struct doctor_case *found,
                   doctor_tell *tell, void *context);

/* What the verdict does not say. */
void doctor_note(const struct doctor_diagnosis *diagnosis, const struct doctor_case *found,
                 doctor_tell *tell, void *context);

/* "3.1" for the SDK of macOS 14 (0x000e0000); NULL: not known. */
const char *doctor_metal_language(uint32_t sdk);

/* "14.2" */
void doctor_version_text(uint32_t version, char *text, size_t size);

/* "arm64, x86_64" */
void doctor_cpus_text(const struct doctor_file *file, char *text, size_t size);

void doctor_write_text(const struct doctor_diagnosis *diagnosis);
void doctor_write_json(const struct doctor_diagnosis *diagnosis);

/* One line for `run`: verdict and reason. */
void doctor_line(const struct doctor_diagnosis *diagnosis, char *text, size_t size);

/* The report on this machine. Returns an exit code. */
int doctor_write_machine(bool json);

#endif
