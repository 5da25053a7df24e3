/*
 * libmtlcap: decide, per process, what Metal says about a GPU.
 *
 *     #include <mtlcap/mtlcap.h>
 *     #include <stdio.h>
 *
 *     if (mtlcap_apply_profile("auto", NULL) != MTLCAP_OK)
 *         fprintf(stderr, "%s\n", mtlcap_last_error());
 *     ...                                  // Metal answers as the profile says
 *     mtlcap_restore();                    // Metal answers as before
 *
 * A program asks Metal questions about a GPU before it chooses its code paths:
 * does it support this family, how much threadgroup memory has it, and so on.
 * Each such question is a *capability* here. What the device says by itself is
 * the *stock* answer; what callers get now is the *effective* answer. A
 * *profile* is a list of rules that turn stock answers into effective ones: a
 * floor (KEY.min=VALUE), a ceiling (KEY.max=VALUE), or both (KEY=VALUE).
 *
 * Profiles are one line, the same here and on the command line:
 *
 *     auto                          in a VM: the families of the host's chip
 *     auto,metal=off                the same, without the Metal3 and Metal4 families
 *     apple.min=7                   at least MTLGPUFamilyApple7
 *     like-m1,working_set.max=11G   as on an M1, with at most 11 GiB of working set
 *     @FILE                         one item a line, '#' starts a comment
 *
 * Later items win. A rule that is known to break programs, or that promises what
 * the hardware does not have, is a *hazard*: it is refused unless the caller
 * allows it by name (struct mtlcap_options); a profile cannot allow it.
 *
 * What restore cannot undo: what a program has remembered. Programs ask Metal
 * early and keep the answers, so apply a profile before a client's first
 * question, and do not expect a client that has asked to ask again.
 *
 * Threads: every function may be called from any thread at any time, also while
 * others ask Metal, unless its description says otherwise. No function of this
 * library calls back while it holds a lock of its own.
 *
 * Structures: the first member of every structure, struct_size, is set by the
 * caller to the size that it was compiled with: by the structure's _INIT macro,
 * or by mtlcap_init(). The library never reads or writes past it, so a program
 * and a library of different versions work together.
 *
 * Text: UTF-8. Pointers to text that this library returns have static lifetime,
 * except mtlcap_last_error(). Text in structures is cut at the array's size,
 * always terminated.
 *
 * Where there is no Objective-C runtime or no Metal, every function that needs
 * one returns MTLCAP_E_UNSUPPORTED.
 */
#ifndef MTLCAP_MTLCAP_H
#define MTLCAP_MTLCAP_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(SWIG)
#define MTLCAP_API
#elif defined(__GNUC__)
#define MTLCAP_API __attribute__((visibility("default")))
#else
#define MTLCAP_API
#endif

/* A structure whose struct_size is set and the rest zero, for the structures' _INIT macros. */
#ifdef __cplusplus
#define MTLCAP_INIT(type)                                                                          \
    ([] {                                                                                          \
        struct type structure = {};                                                                \
        structure.struct_size = sizeof structure;                                                  \
        return structure;                                                                          \
    }())
#else
#define MTLCAP_INIT(type) {.struct_size = sizeof(struct type)}
#endif

/* ---- version ------------------------------------------------------------ */

#define MTLCAP_VERSION_MAJOR 0
#define MTLCAP_VERSION_MINOR 1
#define MTLCAP_VERSION_PATCH 0
#define MTLCAP_VERSION_NUMBER                                                                      \
    (MTLCAP_VERSION_MAJOR * 10000 + MTLCAP_VERSION_MINOR * 100 + MTLCAP_VERSION_PATCH)

/* The version of the library in use, as "0.1.0". Never fails. */
MTLCAP_API const char *mtlcap_version(void);

/* The same as a number, comparable with MTLCAP_VERSION_NUMBER. Never fails. */
MTLCAP_API int mtlcap_version_number(void);

/* ---- status ------------------------------------------------------------- */

/*
 * Every function that can fail returns one of these. Numbers are never reused.
 * X(name, number, meaning)
 */
#define MTLCAP_STATUS_MAP(X)                                                                       \
    X(OK, 0, "success")                                                                            \
    X(E_ARGUMENT, -1, "invalid argument")                                                          \
    X(E_NO_MEMORY, -2, "out of memory")                                                            \
    X(E_UNSUPPORTED, -3, "not supported here")                                                     \
    X(E_NO_DEVICE, -4, "no Metal device")                                                          \
    X(E_PROFILE, -5, "malformed profile")                                                          \
    X(E_HAZARD, -6, "profile refused because of a hazard")                                         \
    X(E_CAPABILITY, -7, "unknown capability")                                                      \
    X(E_NOT_A_DEVICE, -8, "not a Metal device")                                                    \
    X(E_SLOTS, -9, "too many overridden answers at once")                                          \
    X(E_NOT_REACHED, -10, "an installed hook is not reached")                                      \
    X(E_FILE, -11, "file cannot be read or written")                                               \
    X(E_VERSION, -12, "incompatible version")                                                      \
    X(E_BUSY, -13, "another apply is in progress")                                                 \
    X(E_RUNTIME, -14, "the Objective-C runtime refused a hook")

enum mtlcap_status {
#define MTLCAP_STATUS_ENUM(name, number, meaning) MTLCAP_##name = (number),
    MTLCAP_STATUS_MAP(MTLCAP_STATUS_ENUM)
#undef MTLCAP_STATUS_ENUM
        MTLCAP_STATUS_FORCE_INT = 0x7fffffff
};

/* What a status means, in a few words; for an unknown number a text that says so. Never fails. */
MTLCAP_API const char *mtlcap_strerror(int status);

/*
 * What went wrong in the last call on this thread that failed, in a sentence: what was wrong,
 * where, and what would be right. Never NULL; "" if nothing has failed yet. Valid until the next
 * call into this library on the same thread.
 */
MTLCAP_API const char *mtlcap_last_error(void);

/* The same in parts. */
struct mtlcap_error {
    size_t struct_size;
    int32_t status;     /* MTLCAP_E_..., or MTLCAP_OK if nothing has failed yet */
    int32_t line;       /* malformed profile file: its line, from 1; otherwise 0 */
    int32_t column;     /* malformed profile: column in bytes, from 1; otherwise 0 */
    int32_t reserved;   /* 0 */
    char item[128];     /* malformed profile: the item; otherwise "" */
    char hazard[32];    /* refused: the hazard's name, as options.allow takes it; otherwise "" */
    char message[1024]; /* as mtlcap_last_error() */
};
#define MTLCAP_ERROR_INIT MTLCAP_INIT(mtlcap_error)

/* Fills *error. Returns MTLCAP_E_ARGUMENT (NULL) or MTLCAP_E_VERSION (struct_size). */
MTLCAP_API int mtlcap_last_error_info(struct mtlcap_error *error);

/* Sets *structure, any structure of this header, to zero and its struct_size to `struct_size`. */
MTLCAP_API void mtlcap_init(void *structure, size_t struct_size);

/* ---- apply, restore ----------------------------------------------------- */

struct mtlcap_options {
    size_t struct_size;
    const char *allow;    /* names of hazards consented to, joined by '+'; NULL or "": none */
    uint64_t *generation; /* out: the number of this apply, for mtlcap_restore_generation();
                             NULL: not wanted */
};
#define MTLCAP_OPTIONS_INIT MTLCAP_INIT(mtlcap_options)

/*
 * Applies a profile to every Metal device of this process, all of it or nothing: parses it, checks
 * hazards, installs hooks, proves that each is reached, and only then lets callers see it. Devices
 * of the same classes made later are covered; for a device of another class see
 * mtlcap_adopt_device(). Applying again replaces the profile in one step. On failure what was in
 * force before stays in force.
 *
 * profile   "stock", "auto", ... as above; not NULL, not empty.
 * options   NULL: defaults.
 *
 * Returns MTLCAP_OK, also where the profile has nothing to change here (`auto` on bare metal, a
 * ceiling over what a device does not have); or E_ARGUMENT, E_VERSION, E_NO_MEMORY, E_UNSUPPORTED
 * (no Metal here; or a device lacks the method of a floor, or has it with another signature),
 * E_NO_DEVICE, E_PROFILE, E_FILE, E_HAZARD, E_SLOTS, E_NOT_REACHED, E_RUNTIME, or E_BUSY (another
 * thread has been applying for two seconds, or this very thread is, further up the stack).
 *
 * Threads: with Apple's runtime at any time. With GCC's, apply first before other threads ask
 * devices: that runtime cannot add methods while others send. Later calls may overlap.
 */
MTLCAP_API int mtlcap_apply_profile(const char *profile, const struct mtlcap_options *options);

/*
 * Stock answers at once for every caller. Idempotent; safe where nothing was applied. Hooks stay
 * in place and pass through, so hooks of others, above or below ours, keep working. Lock-free but
 * for one short mutex; never calls Metal. Returns MTLCAP_OK.
 */
MTLCAP_API int mtlcap_restore(void);

/*
 * Restores if, and only if, `generation` is what is in force; does nothing (and returns MTLCAP_OK)
 * if it has been replaced or restored since, so that two users in one process do not undo each
 * other. E_ARGUMENT: no such generation was ever applied.
 */
MTLCAP_API int mtlcap_restore_generation(uint64_t generation);

/* The generation in force; 0: none. Never fails. */
MTLCAP_API uint64_t mtlcap_generation(void);

/*
 * 1 if any answer is overridden in this process now, by any copy of this library, otherwise 0. For
 * benchmarks that must not run under an override. Never fails, never loads Metal.
 *
 * Ask after the first device: a profile that the process was started with (`mtlcap run`, the
 * injected library) is applied when a device is first asked for, and until then this is 0. A
 * program that has asked for none yet calls mtlcap_device_count() first.
 */
MTLCAP_API int mtlcap_is_active(void);

/* ---- ask ---------------------------------------------------------------- */

/* Kinds of answers (struct mtlcap_answer, struct mtlcap_capability). */
#define MTLCAP_KIND_FAMILY 1 /* an axis of families: the number in the highest family's name */
#define MTLCAP_KIND_COUNT 2  /* "supports N?": the highest N */
#define MTLCAP_KIND_BOOL 3   /* yes (1) or no (0) */
#define MTLCAP_KIND_SIZE 4   /* a number; its unit is the capability's */
#define MTLCAP_KIND_TIER 5   /* a tier: the number in its name */
#define MTLCAP_KIND_SIZE3 6  /* width, height, depth */
#define MTLCAP_KIND_TEXT 7   /* text; number is 0 */

struct mtlcap_value {
    uint64_t number[3]; /* see the kinds; FAMILY and COUNT: 0 if every one is answered no */
    uint64_t members;   /* FAMILY, COUNT: bit i is set if the i-th known one is answered yes */
    char text[128];     /* for people: "7", "off", "32768", "1024x1024x1024", "yes", a name */
};

struct mtlcap_answer {
    size_t struct_size;
    int32_t kind;        /* MTLCAP_KIND_... */
    int32_t stock_known; /* 0: a device first seen while a profile was in force, and this answer
                            may be derived, or cannot be told below another shim's: do not rely
                            on stock */
    int32_t overridden;  /* 1: the profile in force has a rule for it on this device */
    int32_t derived;     /* 1: it has no rule of its own, and Metal computes it from one that has */
    struct mtlcap_value stock;
    struct mtlcap_value effective;
    char capability[64]; /* its key */
    char rule[256];    /* what decides: "apple.min=7", "auto: apple.min=7"; "" if not overridden */
    char source[1024]; /* where the stock answer comes from: "Metal" or, if another shim has
                          replaced the method, the path of its image; if the answer differs and
                          neither a rule nor Metal does it, whose code does */
};
#define MTLCAP_ANSWER_INIT MTLCAP_INIT(mtlcap_answer)

/*
 * Asks a device, as any caller would, and tells what it would say by itself.
 *
 * device      an id<MTLDevice> that the caller keeps alive, also a tool's wrapper around one; NULL:
 *             the first of mtlcap_device_count().
 * capability  a key ("apple", "threadgroup_memory"), or Metal's name for it where only one key has
 *             it ("maxThreadgroupMemoryLength").
 *
 * Returns E_ARGUMENT, E_VERSION, E_UNSUPPORTED (no Metal here, or this device does not have the
 * method, or has it with another signature), E_NO_DEVICE, E_CAPABILITY, E_NOT_A_DEVICE. A dangling
 * or random pointer cannot be told from a device: as with any Objective-C call, it may crash.
 */
MTLCAP_API int mtlcap_query(void *device, const char *capability, struct mtlcap_answer *answer);

struct mtlcap_check {
    size_t struct_size;
    int32_t met;         /* 1: the answer is as expected */
    int32_t reserved;    /* 0 */
    char capability[64]; /* its key */
    char expected[128];  /* ">=7", "=32K": as given */
    char found[192];     /* what callers get, for people: "5", "32768 (32 KiB)"; "": the device does
                            not have the method */
    char message[512];   /* "expected apple>=7, found 5" */
};
#define MTLCAP_CHECK_INIT MTLCAP_INIT(mtlcap_check)

/*
 * Asks a device as any caller would, and compares the answer with what is expected of it: for CI,
 * or before a program takes the fast path.
 *
 * device       as in mtlcap_query().
 * expectation  KEY and =, !=, >= or <= and a value as in a profile: "apple>=7", "metal=off",
 *              "threadgroup_memory=32K", "raytracing!=on", "name = Apple M1". Of a family the
 *              number in its name, also one that Metal does not have yet. Yes and no, and
 *              text, have no order. In three dimensions, each has to hold.
 * check        NULL: only look whether the expectation can be understood; no device is asked.
 *
 * Returns MTLCAP_OK whether it is met or not; E_ARGUMENT (malformed: what would be right),
 * E_CAPABILITY; and what mtlcap_query() does, but for a device that does not have the method: it
 * meets no expectation.
 */
MTLCAP_API int mtlcap_check_answer(void *device, const char *expectation,
                                   struct mtlcap_check *check);

struct mtlcap_device {
    size_t struct_size;
    void *device;         /* id<MTLDevice>; alive as long as the process */
    int32_t paravirtual;  /* 1: Apple's paravirtual device, of a VM */
    int32_t adopted;      /* 1: made known by mtlcap_adopt_device() */
    char name[128];       /* -[MTLDevice name] */
    char class_name[128]; /* the class that answers, below any tool's wrapper */
};
#define MTLCAP_DEVICE_INIT MTLCAP_INIT(mtlcap_device)

/* How many devices there are: Metal's own list (MTLCopyAllDevices), then those adopted. Returns
 * MTLCAP_OK also for none; E_ARGUMENT, E_UNSUPPORTED. */
MTLCAP_API int mtlcap_device_count(uint32_t *count);

/* Describes one, by index from 0. E_ARGUMENT, E_VERSION, E_UNSUPPORTED, E_NO_DEVICE (no such
 * index). */
MTLCAP_API int mtlcap_device_info(uint32_t index, struct mtlcap_device *info);

/*
 * Makes a device known that is not in Metal's list, or that has come since, and applies the profile
 * in force, if any, to its class. The device is kept alive. Idempotent. Errors: as
 * mtlcap_apply_profile(), and E_NOT_A_DEVICE.
 */
MTLCAP_API int mtlcap_adopt_device(void *device);

/* ---- what there is ------------------------------------------------------ */

#define MTLCAP_CAN_LOWER 1 /* a profile may lower it */
#define MTLCAP_CAN_RAISE 2 /* a profile may raise it (its hazard may ask for consent) */

struct mtlcap_capability {
    size_t struct_size;
    const char *key;      /* in profiles: "threadgroup_memory" */
    const char *selector; /* Metal's: "maxThreadgroupMemoryLength" */
    const char *unit;     /* "bytes", "threads", ...; "" if none */
    const char *hazard;   /* name of the hazard of raising it; "" if none */
    const char *summary;  /* one sentence */
    int32_t kind;         /* MTLCAP_KIND_... */
    int32_t change;       /* MTLCAP_CAN_... bits; 0: can only be asked */
};
#define MTLCAP_CAPABILITY_INIT MTLCAP_INIT(mtlcap_capability)

/* Every capability that this library knows. The index is not stable between versions; the key is.
 * E_ARGUMENT, E_VERSION; index past the last: E_CAPABILITY. */
MTLCAP_API uint32_t mtlcap_capability_count(void);
MTLCAP_API int mtlcap_capability_info(uint32_t index, struct mtlcap_capability *info);

struct mtlcap_profile {
    size_t struct_size;
    const char *name;    /* "auto" */
    const char *rules;   /* what it stands for; for `auto` and `stock` words in parentheses */
    const char *summary; /* what it is for */
    const char *source;  /* where its numbers come from; "" if it has none */
};
#define MTLCAP_PROFILE_INIT MTLCAP_INIT(mtlcap_profile)

/* The built-in profiles. E_ARGUMENT (also: index past the last), E_VERSION. */
MTLCAP_API uint32_t mtlcap_profile_count(void);
MTLCAP_API int mtlcap_profile_info(uint32_t index, struct mtlcap_profile *info);

struct mtlcap_hazard {
    size_t struct_size;
    const char *name;   /* as options.allow takes it */
    const char *when;   /* what raises it */
    const char *breaks; /* what it does to whom */
    const char *source; /* who saw it */
    int32_t refuses;    /* 1: refused unless allowed; 0: a warning is logged unless allowed */
    int32_t reserved;   /* 0 */
};
#define MTLCAP_HAZARD_INIT MTLCAP_INIT(mtlcap_hazard)

/* The hazards. E_ARGUMENT (also: index past the last), E_VERSION. */
MTLCAP_API uint32_t mtlcap_hazard_count(void);
MTLCAP_API int mtlcap_hazard_info(uint32_t index, struct mtlcap_hazard *info);

/* ---- explain a profile without applying it ------------------------------ */

struct mtlcap_explanation {
    size_t struct_size;
    int32_t status;         /* what mtlcap_apply_profile() would return for it here: MTLCAP_OK,
                               E_HAZARD, E_NO_DEVICE or E_UNSUPPORTED */
    uint32_t rule_count;    /* for mtlcap_explain_rule() */
    uint32_t finding_count; /* for mtlcap_explain_finding() */
    uint32_t reserved;      /* 0 */
};
#define MTLCAP_EXPLANATION_INIT MTLCAP_INIT(mtlcap_explanation)

/* One rule as it would act on one device. Where there is no device, one row a rule, with device
 * NULL and stock and effective empty. */
struct mtlcap_rule {
    size_t struct_size;
    void *device;        /* id<MTLDevice> */
    char capability[64]; /* key */
    char rule[256];      /* "apple.min=7", "auto: apple.min=7" */
    char stock[128];     /* what the device says by itself */
    char effective[128]; /* what it would say */
};
#define MTLCAP_RULE_INIT MTLCAP_INIT(mtlcap_rule)

/* One hazard that the profile meets on this machine. */
struct mtlcap_finding {
    size_t struct_size;
    int32_t refuses;   /* 1: refused unless allowed */
    int32_t allowed;   /* 1: options.allow names it */
    char hazard[32];   /* its name */
    char rule[256];    /* the rule that meets it */
    char message[512]; /* the reason, and how to override it */
};
#define MTLCAP_FINDING_INIT MTLCAP_INIT(mtlcap_finding)

/*
 * Parses a profile and tells what it would do on this machine's devices, changing nothing. Each
 * call looks anew, so indices hold as long as devices and stock answers stay the same. Returns
 * MTLCAP_OK if it could be explained, or E_ARGUMENT (also: index past the last), E_VERSION,
 * E_NO_MEMORY, E_PROFILE, E_FILE, E_BUSY. If mtlcap_apply_profile() would fail
 * (explanation.status), mtlcap_last_error() says in a sentence why, also after MTLCAP_OK from any
 * of the three.
 *
 * Rules are foreseen, but not what Metal derives from the answers that they change: that can be
 * seen after an apply only, by mtlcap_report_change() or mtlcap_query().
 */
MTLCAP_API int mtlcap_explain_profile(const char *profile, const struct mtlcap_options *options,
                                      struct mtlcap_explanation *explanation);
MTLCAP_API int mtlcap_explain_rule(const char *profile, const struct mtlcap_options *options,
                                   uint32_t index, struct mtlcap_rule *rule);
MTLCAP_API int mtlcap_explain_finding(const char *profile, const struct mtlcap_options *options,
                                      uint32_t index, struct mtlcap_finding *finding);

/* ---- report of what was done --------------------------------------------- */

struct mtlcap_report {
    size_t struct_size;
    uint64_t generation;    /* as mtlcap_generation() */
    uint32_t device_count;  /* devices that the apply has seen */
    uint32_t class_count;   /* device classes that have hooks */
    uint32_t hook_count;    /* hooks in place, those that pass through included */
    uint32_t change_count;  /* for mtlcap_report_change(): answers that differ from stock */
    uint32_t derived_count; /* how many of these are derived */
    uint32_t finding_count; /* for mtlcap_report_finding(): hazards met */
    char profile[512];      /* as given; "" if none is in force */
    char allowed[256];      /* options.allow as given */
};
#define MTLCAP_REPORT_INIT MTLCAP_INIT(mtlcap_report)

/* What differs from stock at the time of the apply, on one device. */
struct mtlcap_change {
    size_t struct_size;
    void *device;        /* id<MTLDevice> */
    int32_t derived;     /* 1: no rule of its own */
    int32_t reserved;    /* 0 */
    char capability[64]; /* key */
    char rule[256];      /* "" if derived */
    char stock[128];
    char effective[128];
};
#define MTLCAP_CHANGE_INIT MTLCAP_INIT(mtlcap_change)

/*
 * What the apply that is in force did. Returns MTLCAP_OK, with generation 0 if none is; E_ARGUMENT
 * (also: index past the last), E_VERSION.
 */
MTLCAP_API int mtlcap_report_info(struct mtlcap_report *report);
MTLCAP_API int mtlcap_report_change(uint32_t index, struct mtlcap_change *change);
MTLCAP_API int mtlcap_report_finding(uint32_t index, struct mtlcap_finding *finding);

/* ---- trace: who asked what ------------------------------------------------ */

struct mtlcap_trace_options {
    size_t struct_size;
    const char *file;  /* keeps it in this file, from now on: it outlives the process, whatever ends
                          that, and `mtlcap trace --from` reads it also while it is written; it
                          is this process's memory: whoever cuts it, as only the superuser can,
                          ends the process by SIGBUS; NULL: in memory */
    uint32_t events;   /* also keeps each question by itself, in their order, up to so many, at most
                          MTLCAP_TRACE_EVENTS_MAX; 0: none */
    uint32_t reserved; /* 0 */
};
#define MTLCAP_TRACE_OPTIONS_INIT MTLCAP_INIT(mtlcap_trace_options)
#define MTLCAP_TRACE_EVENTS_MAX 1048576

/* What a trace has come to. */
struct mtlcap_trace {
    size_t struct_size;
    uint64_t asked;           /* how often devices were asked, in all, but for `dropped` */
    uint64_t dropped;         /* ... beyond the different questions that there is room for */
    uint64_t events_dropped;  /* ... of `asked`, beyond the events that there is room for */
    uint32_t question_count;  /* for mtlcap_trace_question_info() */
    uint32_t event_count;     /* for mtlcap_trace_event_info() */
    uint32_t unwatched_count; /* for mtlcap_trace_unwatched_info() */
    int32_t active;           /* 1: it goes on */
};
#define MTLCAP_TRACE_INIT MTLCAP_INIT(mtlcap_trace)

/* What one caller asked, and got. The same question with another answer (before a profile and under
 * it), or by another caller, is another one. */
struct mtlcap_trace_question {
    size_t struct_size;
    uint64_t count;          /* how often */
    uint64_t first_ns;       /* when first: nanoseconds since the trace was started */
    uint64_t caller;         /* the address that the answer was returned to */
    int64_t argument;        /* what a "supports N?" asks for; 0 if has_argument is 0 */
    int32_t has_argument;    /* 1: the question has one */
    int32_t stock_known;     /* 0: do not rely on stock: as in struct mtlcap_answer */
    int32_t overridden;      /* 1: a rule of a profile was in force for it */
    int32_t derived;         /* 1: none was, and the answer is not the stock one all the same: Metal
                                computes it from one that has a rule */
    uint32_t thread_count;   /* on how many threads; of more than 63 the number cannot be told */
    int32_t kind;            /* of the capability: MTLCAP_KIND_...; 0: no capability */
    char capability[64];     /* its key; "": none speaks of this argument */
    char selector[64];       /* Metal's: "supportsFamily:" */
    char argument_name[128]; /* "MTLGPUFamilyApple7"; "1021, no family of Metal's that is known" */
    char answer[128];        /* "yes", "32768", "1024x1024x64"; of one that no profile changes, the
                                first that was given */
    char stock[128];         /* what the device says by itself */
    char class_name[128];    /* the device that was asked: as in struct mtlcap_device */
    char device_name[128];
    char image[1024]; /* who asked: the file of the code; "": cannot be told, also where images
                         were unloaded and another one may have taken the place */
    char symbol[256]; /* ... and the function, as far as its file names it */
};
#define MTLCAP_TRACE_QUESTION_INIT MTLCAP_INIT(mtlcap_trace_question)

/* One time that one was asked. */
struct mtlcap_trace_event {
    size_t struct_size;
    uint64_t ns;       /* nanoseconds since the trace was started */
    uint32_t question; /* its index */
    uint32_t thread;   /* number of the thread, from 0, by when it asked first */
};
#define MTLCAP_TRACE_EVENT_INIT MTLCAP_INIT(mtlcap_trace_event)

/* A question that a device has and that is not watched. */
struct mtlcap_trace_unwatched {
    size_t struct_size;
    char capability[64]; /* key */
    char selector[64];
    char class_name[128];
    char device_name[128];
    char reason[128];
};
#define MTLCAP_TRACE_UNWATCHED_INIT MTLCAP_INIT(mtlcap_trace_unwatched)

/*
 * Starts a trace anew: what was noted before is forgotten. From now on every question to a device
 * that this library knows is noted: what, the answer, what the device says by itself, how often,
 * when first, by which code, on how many threads. Not noted is what this library asks itself, what
 * was asked before, and what is asked of a device of a class that becomes known later, until
 * mtlcap_apply_profile() or mtlcap_adopt_device() has met it. What Metal's own code asks a device
 * is noted, too: `image` tells. A profile is not needed, may be applied before or after, and may be
 * restored; hooks go in and are proved as for a profile, and pass through where it has no rule.
 * Half of the hooks that a profile can need are left to profiles; what finds none is not watched.
 *
 * options  NULL: in memory, without events.
 *
 * Noting a question takes no lock and no memory, and about as long as asking it. In a forked child,
 * the trace goes on: in memory in a copy, in a file in the same one, where the counts add up.
 * Code that asks by a tail call is not seen, but its caller.
 *
 * Returns E_ARGUMENT, E_VERSION, E_NO_MEMORY, E_UNSUPPORTED (no Metal here), E_BUSY (as
 * mtlcap_apply_profile()) or E_FILE: the file cannot be made, or there is something that is no
 * trace, or one that another process is writing; then a trace that was on goes on. MTLCAP_OK also
 * if there is no device yet, and if not everything can be watched: mtlcap_trace_unwatched_info().
 *
 * Threads: as mtlcap_apply_profile(). Takes the loader's lock.
 */
MTLCAP_API int mtlcap_trace_start(const struct mtlcap_trace_options *options);

/* Ends it. What was noted stays, until the next start; hooks stay in place and pass through.
 * Idempotent. Takes the loader's lock. Returns MTLCAP_OK. */
MTLCAP_API int mtlcap_trace_stop(void);

/*
 * What has come of the trace so far, or of the last one; all zero if there was none. Reads all of
 * it: the indices of the functions below are valid until the next call of this function or of
 * mtlcap_trace_start(), and questions that are asked meanwhile are not among them. Takes the
 * loader's lock. E_ARGUMENT, E_VERSION, E_NO_MEMORY.
 */
MTLCAP_API int mtlcap_trace_info(struct mtlcap_trace *info);

/*
 * One of what mtlcap_trace_info() has read, by index from 0: a question, in the order in which they
 * were asked first; one time that one was asked, in their order; what is not watched. If that was
 * not called since the start, it is now. E_ARGUMENT (also: index past the last), E_VERSION,
 * E_NO_MEMORY.
 */
MTLCAP_API int mtlcap_trace_question_info(uint32_t index, struct mtlcap_trace_question *info);
MTLCAP_API int mtlcap_trace_event_info(uint32_t index, struct mtlcap_trace_event *info);
MTLCAP_API int mtlcap_trace_unwatched_info(uint32_t index, struct mtlcap_trace_unwatched *info);

/* ---- this machine -------------------------------------------------------- */

#define MTLCAP_UNKNOWN (-1)

struct mtlcap_machine {
    size_t struct_size;
    uint64_t memory;         /* bytes of RAM; 0: unknown */
    int32_t virtual_machine; /* 1, 0 or MTLCAP_UNKNOWN */
    int32_t apple_silicon;   /* 1, 0 (Intel) or MTLCAP_UNKNOWN */
    int32_t chip_family;     /* Apple family of the chip's GPU, 7...; 0: cannot be told */
    int32_t os_major;        /* macOS 26.5 is 26; 0: unknown */
    int32_t os_minor;
    int32_t simulated;   /* 1: the GPU is the simulated Metal's */
    char chip[128];      /* the CPU's brand string, "" if unknown */
    char model[64];      /* hw.model, "" if unknown */
    char os_version[32]; /* "26.5.2", "" if unknown */
};
#define MTLCAP_MACHINE_INIT MTLCAP_INIT(mtlcap_machine)

/* The machine as profiles and hazards see it. E_ARGUMENT, E_VERSION. */
MTLCAP_API int mtlcap_machine_info(struct mtlcap_machine *machine);

/* ---- log ----------------------------------------------------------------- */

#define MTLCAP_LOG_OFF 0
#define MTLCAP_LOG_ERROR 1
#define MTLCAP_LOG_WARNING 2 /* the default */
#define MTLCAP_LOG_INFO 3
#define MTLCAP_LOG_DEBUG 4

/*
 * What comes at which level:
 *
 * ERROR    nothing yet: what fails is returned, and mtlcap_last_error() says why
 * WARNING  a hazard that an applied profile meets and that is only warned about, unless allowed;
 *          stock answers that are another shim's
 * INFO     one line for each apply, and for each restore that ends one
 * DEBUG    nothing yet
 *
 * `message` has no newline and is valid during the call only. Called on the thread that causes it,
 * with no lock held; it may call any function of this library.
 */
typedef void (*mtlcap_log_function)(int level, const char *message, void *data);

/*
 * Sends messages up to `level` to `function`; NULL: to stderr, prefixed "mtlcap: ". `data` is
 * handed through, and must stay valid until another call replaces it and every call under way has
 * returned. E_ARGUMENT: no such level; E_NO_MEMORY: the log stays as it was.
 */
MTLCAP_API int mtlcap_set_log(int level, mtlcap_log_function function, void *data);

#ifdef __cplusplus
}
#endif
#endif
