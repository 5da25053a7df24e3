/*
 * The table of a trace: everything that is noted, in one piece of memory of fixed layout. It may be
 * a file that is mapped by the process that is traced: then it outlives that, whatever ends it, and
 * another process can look meanwhile. Noting takes no lock, allocates nothing and calls nothing.
 *
 * A reader never trusts it: trace_read.h. Text is in the table, so that a reader needs not know the
 * capabilities of the library that wrote it.
 */
#ifndef MTLCAP_CORE_TRACE_TABLE_H
#define MTLCAP_CORE_TRACE_TABLE_H

#include <stdatomic.h>
#include <stdint.h>

#define MTLCAP__TRACE_MAGIC "mtlcap trace\r\n\x1a" /* is written last */

enum {
    MTLCAP__TRACE_VERSION = 2, /* goes up with any change of what is below */
    MTLCAP__TRACE_DEVICES = 64,
    MTLCAP__TRACE_UNWATCHED = 128,
    MTLCAP__TRACE_APPLIED = 64,
    MTLCAP__TRACE_IMAGES = 1024,
    MTLCAP__TRACE_ENTRIES = 4096, /* a power of two */
    MTLCAP__TRACE_TEXT = 1 << 18,
    MTLCAP__TRACE_LAST_THREAD = 63, /* stands for all further ones in a set of threads */
};

/* Where in the table an array is. */
struct mtlcap__trace_section {
    uint32_t offset; /* from the table's beginning, a multiple of 8 */
    uint32_t count;  /* there is room for so many */
    uint32_t size;   /* bytes of one */
    uint32_t reserved;
};

/* Offsets of text are into the section `text`; 0 is "". */
struct mtlcap__trace_header {
    char magic[16];
    uint32_t version;
    uint32_t size; /* bytes of the whole table */
    int64_t pid;
    int64_t started;               /* nanoseconds since 1970 */
    _Atomic uint32_t active;       /* 1: hooks note */
    _Atomic uint32_t complete;     /* 1: the process has ended, or the trace was stopped, in order,
                                      and who asked was resolved */
    _Atomic uint32_t program;      /* text: path */
    _Atomic uint32_t profile;      /* text: in force, as it was given */
    _Atomic uint32_t device_count; /* these count what is filled, in order */
    _Atomic uint32_t unwatched_count;
    _Atomic uint32_t image_count;
    _Atomic uint32_t text_used;
    _Atomic uint32_t thread_count;  /* numbers given out */
    _Atomic uint32_t applied_count; /* as event_count */
    _Atomic uint64_t dropped;       /* questions that found no entry */
    _Atomic uint64_t event_count;   /* given out; may be beyond what there is room for */
    struct mtlcap__trace_section capabilities, devices, unwatched, images, entries, events, text,
        applied;
    _Atomic uint32_t
        opened_late; /* 1: the library was opened by a program that ran: it may have asked */
    uint32_t reserved;
    uint64_t process; /* tells it from a later one of the same pid: mtlcap__host_process() */
    uint64_t reserved_too[2];
};

/* A row of the table of capabilities. */
struct mtlcap__trace_capability {
    char key[64];
    char selector[64];
    int32_t kind;   /* MTLCAP_KIND_... */
    int32_t shape;  /* enum mtlcap__trace_shape */
    int32_t change; /* MTLCAP_CAN_... */
    uint32_t reserved;
    int64_t first, last; /* known arguments */
    int64_t named;       /* number in Metal's name minus Metal's raw number */
    uint64_t reserved_too[3];
};

enum mtlcap__trace_shape {
    MTLCAP__TRACE_YES_NO,
    MTLCAP__TRACE_ASKS_ARGUMENT, /* and answers yes or no */
    MTLCAP__TRACE_NUMBER,
    MTLCAP__TRACE_SIZE3,
    MTLCAP__TRACE_OBJECT,
};

struct mtlcap__trace_device {
    char class_name[128];
    char name[128];
};

enum mtlcap__trace_reason {
    MTLCAP__TRACE_NO_HOOK_LEFT,
    MTLCAP__TRACE_OTHER_SIGNATURE,
    MTLCAP__TRACE_NOT_REACHED,
    MTLCAP__TRACE_REFUSED,
};

struct mtlcap__trace_unwatched {
    uint16_t device;
    uint16_t capability;
    uint32_t reason; /* enum mtlcap__trace_reason */
};

struct mtlcap__trace_image {
    uint64_t start, end; /* of its code */
    uint32_t path;       /* text */
    uint32_t reserved;
};

/* What came into force, and when. */
struct mtlcap__trace_change {
    _Atomic uint64_t ns; /* since the start; 0: not written yet */
    uint32_t profile;    /* text; 0: stock answers */
    uint32_t reserved;
};

enum { MTLCAP__TRACE_FREE, MTLCAP__TRACE_FILLING, MTLCAP__TRACE_FILLED };

enum { /* flags of an entry */
       MTLCAP__TRACE_STOCK_KNOWN = 1,
       MTLCAP__TRACE_ANY_ANSWER =
           2, /* another answer is the same question: `stock` was the first */
};

/*
 * A question, and the answer. What makes it another one comes first. An entry is taken by changing
 * its state from free to filling; a thread that meets one that is being filled takes the next, so
 * that there may be two of the same, which a reader adds up.
 */
struct mtlcap__trace_entry {
    _Atomic uint32_t state;
    uint16_t row; /* capability: the first one that has the selector */
    uint8_t device;
    uint8_t decided; /* 1: a rule was in force for it */
    uint64_t caller; /* return address */
    int64_t argument;
    uint64_t answer[3]; /* raw numbers, as Metal's methods return them */
    _Atomic uint64_t count;
    _Atomic uint64_t threads; /* a set of their numbers */
    /* 64 bytes: the rest is read only if it is new */
    uint64_t first;    /* nanoseconds since the start */
    uint64_t stock[3]; /* as `answer` */
    uint32_t flags;
    int32_t capability;             /* the one that speaks of the argument; -1: none does */
    uint32_t text;                  /* of an object: the answer */
    _Atomic uint32_t image, symbol; /* text: who asked, once it was resolved */
    _Atomic uint32_t late; /* index + 1 of the profile that came too late for it: it was answered as
                              stock, and that has another answer; 0: none did */
    uint32_t late_answer;  /* text: that one */
    uint32_t reserved;
};

struct mtlcap__trace_event {
    uint64_t ns;            /* since the start */
    _Atomic uint32_t entry; /* index + 1; 0: not written yet */
    uint32_t thread;
};

#endif
