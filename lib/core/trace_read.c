/* Reads the table of a trace. Nothing in it is believed: every number that leads somewhere is
 * looked at first. */
#include "trace_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"
#include "trace_table.h"
#include "trace_text.h"

#define COPY(array, text) mtlcap__copy_text(array, sizeof(array), text, strlen(text))

typedef struct mtlcap__trace_header header;
typedef struct mtlcap__trace_entry entry;

struct table {
    const char *bytes;
    const header *header;
};

/* ---- is it one? -------------------------------------------------------------- */

bool mtlcap__trace_is_table(const void *bytes, size_t size) {
    return size >= MTLCAP__TRACE_SIGN &&
           memcmp(bytes, MTLCAP__TRACE_MAGIC, MTLCAP__TRACE_SIGN) == 0;
}

static bool is_inside(const header *head, const struct mtlcap__trace_section *section,
                      size_t size_of_one, size_t most) {
    return section->size == size_of_one && section->count <= most && section->offset % 8 == 0 &&
           section->offset >= sizeof *head && section->offset <= head->size &&
           section->count <= (head->size - section->offset) / size_of_one;
}

static bool is_sound(const header *head) {
    return is_inside(head, &head->capabilities, sizeof(struct mtlcap__trace_capability), 4096) &&
           is_inside(head, &head->devices, sizeof(struct mtlcap__trace_device),
                     MTLCAP__TRACE_DEVICES) &&
           is_inside(head, &head->unwatched, sizeof(struct mtlcap__trace_unwatched),
                     MTLCAP__TRACE_UNWATCHED) &&
           is_inside(head, &head->images, sizeof(struct mtlcap__trace_image),
                     MTLCAP__TRACE_IMAGES) &&
           is_inside(head, &head->entries, sizeof(entry), MTLCAP__TRACE_ENTRIES) &&
           is_inside(head, &head->events, sizeof(struct mtlcap__trace_event),
                     MTLCAP_TRACE_EVENTS_MAX) &&
           is_inside(head, &head->text, 1, MTLCAP__TRACE_TEXT) &&
           is_inside(head, &head->applied, sizeof(struct mtlcap__trace_change),
                     MTLCAP__TRACE_APPLIED);
}

static int check(const void *bytes, size_t size) {
    const header *head = bytes;
    if (!mtlcap__trace_is_table(bytes, size))
        return mtlcap__fail(MTLCAP_E_FILE, "it is not the file of a trace, or one that is being "
                                           "made: give the FILE of MTLCAP_TRACE=FILE");
    if (size < sizeof *head || size < head->size)
        return mtlcap__fail(MTLCAP_E_FILE, "it is cut short: it has %zu bytes", size);
    if (head->version != MTLCAP__TRACE_VERSION)
        return mtlcap__fail(MTLCAP_E_FILE,
                            "it was written by another version of libmtlcap: its form is number "
                            "%u, and this is %d: read it with the version that wrote it",
                            (unsigned)head->version, MTLCAP__TRACE_VERSION);
    if (head->size < sizeof *head || !is_sound(head))
        return mtlcap__fail(MTLCAP_E_FILE, "it is damaged: its parts are not where they should be");
    return MTLCAP_OK;
}

/* ---- parts of it -------------------------------------------------------------- */

static const void *at(const struct table *table, const struct mtlcap__trace_section *section,
                      size_t index) {
    return table->bytes + section->offset + index * section->size;
}

static size_t at_most(size_t count, const struct mtlcap__trace_section *section) {
    return count < section->count ? count : section->count;
}

/* Never NULL. What does not end in the table has not been written whole. */
static const char *text_at(const struct table *table, uint32_t offset) {
    const struct mtlcap__trace_section *section = &table->header->text;
    const char *text = at(table, section, offset < section->count ? offset : 0);
    return offset && offset < section->count && memchr(text, '\0', section->count - offset) ? text
                                                                                            : "";
}

/* Text in an array of the table, which may not be terminated, into one of the same size. */
#define COPY_ARRAY(to, from)                                                                       \
    do {                                                                                           \
        _Static_assert(sizeof(to) == sizeof(from), "cut at the end");                              \
        memcpy(to, from, sizeof(to));                                                              \
        (to)[sizeof(to) - 1] = '\0';                                                               \
    } while (0)

/* NULL: there is none. */
static bool capability_at(const struct table *table, int64_t index,
                          struct mtlcap__trace_capability *row) {
    const struct mtlcap__trace_section *section = &table->header->capabilities;
    if (index < 0 || index >= section->count)
        return false;
    memcpy(row, at(table, section, (size_t)index), sizeof *row);
    row->key[sizeof row->key - 1] = '\0';
    row->selector[sizeof row->selector - 1] = '\0';
    return true;
}

static void device_at(const struct table *table, size_t index, char (*class_name)[128],
                      char (*name)[128]) {
    const header *head = table->header;
    if (index >= at_most(head->device_count, &head->devices))
        return;
    const struct mtlcap__trace_device *device = at(table, &head->devices, index);
    COPY_ARRAY(*class_name, device->class_name);
    COPY_ARRAY(*name, device->name);
}

/* The image whose code holds an address; "": none that is known. */
static const char *image_of(const struct table *table, uint64_t address) {
    const header *head = table->header;
    for (size_t i = at_most(head->image_count, &head->images); i-- > 0;) { /* the newest first */
        const struct mtlcap__trace_image *image = at(table, &head->images, i);
        if (address >= image->start && address < image->end)
            return text_at(table, image->path);
    }
    return "";
}

/* ---- questions ---------------------------------------------------------------- */

static int compare(uint64_t a, uint64_t b) {
    return a < b ? -1 : a > b;
}

/* By what makes one another; 0: it is the same. */
static int compare_questions(const entry *a, const entry *b) {
    int order = compare(a->device, b->device);
    if (!order)
        order = compare(a->row, b->row);
    if (!order)
        order = compare((uint64_t)a->argument, (uint64_t)b->argument);
    if (!order)
        order = compare(a->caller, b->caller);
    for (int i = 0; i < 3 && !order && !(a->flags & b->flags & MTLCAP__TRACE_ANY_ANSWER); i++)
        order = compare(a->answer[i], b->answer[i]);
    if (!order)
        order = compare(a->decided, b->decided);
    return order;
}

static int by_question(const void *left, const void *right) {
    const entry *const *a = left, *const *b = right;
    int order = compare_questions(*a, *b);
    if (!order)
        order = compare((*a)->first, (*b)->first);
    return order ? order : *a < *b ? -1 : *a > *b;
}

/* Entries that ask the same, beside each other in an array. */
struct group {
    const entry **first;
    size_t count;
    uint64_t asked;
};

static int by_first(const void *left, const void *right) {
    const struct group *a = left, *b = right;
    const int order = compare(a->first[0]->first, b->first[0]->first);
    return order ? order : a->first < b->first ? -1 : a->first > b->first;
}

static bool is_filled(const entry *e) {
    return e->state == MTLCAP__TRACE_FILLED && e->count > 0;
}

static size_t find_groups(const struct table *table, const entry **filled, struct group *groups) {
    size_t count = 0, group_count = 0;
    for (size_t i = 0; i < table->header->entries.count; i++) {
        const entry *e = at(table, &table->header->entries, i);
        if (is_filled(e))
            filled[count++] = e;
    }
    qsort(filled, count, sizeof filled[0], by_question);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || compare_questions(filled[i - 1], filled[i]) != 0)
            groups[group_count++] = (struct group){.first = &filled[i]};
        groups[group_count - 1].count++;
        groups[group_count - 1].asked += filled[i]->count;
    }
    qsort(groups, group_count, sizeof groups[0], by_first);
    return group_count;
}

static uint32_t count_threads(const struct group *group) {
    uint64_t threads = 0;
    uint32_t count = 0;
    for (size_t i = 0; i < group->count; i++)
        threads |= group->first[i]->threads;
    for (; threads; threads &= threads - 1)
        count++;
    return count;
}

/* Text that comes from outside becomes text of one line. */
static void clean(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f)
            *text = '?';
}

static void fill_answers(const struct table *table, const entry *e,
                         const struct mtlcap__trace_capability *row,
                         struct mtlcap_trace_question *question) {
    if (row->shape == MTLCAP__TRACE_OBJECT) {
        COPY(question->answer, text_at(table, e->text));
        memcpy(question->stock, question->answer, sizeof question->stock);
        return;
    }
    const uint64_t *answer = e->flags & MTLCAP__TRACE_ANY_ANSWER ? e->stock : e->answer;
    mtlcap__trace_answer_text(row, answer, question->answer, sizeof question->answer);
    mtlcap__trace_answer_text(row, e->stock, question->stock, sizeof question->stock);
    question->derived = question->stock_known && !question->overridden &&
                        memcmp(answer, e->stock, sizeof e->stock) != 0;
}

static void fill_question(const struct table *table, const struct group *group,
                          struct mtlcap_trace_question *question) {
    const entry *e = group->first[0];
    struct mtlcap__trace_capability row, speaks;
    const bool spoken_of = capability_at(table, e->capability, &speaks);
    question->struct_size = sizeof *question;
    question->count = group->asked;
    question->first_ns = e->first;
    question->caller = e->caller;
    question->thread_count = count_threads(group);
    question->overridden = e->decided != 0;
    question->stock_known = (e->flags & MTLCAP__TRACE_STOCK_KNOWN) != 0;
    device_at(table, e->device, &question->class_name, &question->device_name);
    if (spoken_of) {
        COPY_ARRAY(question->capability, speaks.key);
        question->kind = speaks.kind;
    }
    if (capability_at(table, e->row, &row)) {
        COPY_ARRAY(question->selector, row.selector);
        question->has_argument = row.shape == MTLCAP__TRACE_ASKS_ARGUMENT;
        if (question->has_argument) {
            question->argument = e->argument;
            mtlcap__trace_argument_text(&row, spoken_of ? &speaks : NULL, e->argument,
                                        question->argument_name, sizeof question->argument_name);
        }
        fill_answers(table, e, spoken_of ? &speaks : &row, question);
    }
    COPY(question->image, e->image ? text_at(table, e->image) : image_of(table, e->caller));
    COPY(question->symbol, text_at(table, e->symbol));
    clean(question->answer);
    clean(question->stock);
    clean(question->class_name);
    clean(question->device_name);
    clean(question->image);
    clean(question->symbol);
}

/* Of who asked the same at the same place, the first that is late. */
static void fill_late(const struct table *table, const struct group *group,
                      const struct mtlcap__trace_reading *reading,
                      struct mtlcap__trace_late *late) {
    for (size_t i = 0; i < group->count && !late->is_late; i++) {
        const entry *e = group->first[i];
        if (e->late == 0 || e->late > reading->applied_count)
            continue;
        *late = (struct mtlcap__trace_late){.is_late = true, .applied = e->late - 1};
        COPY(late->answer, text_at(table, e->late_answer));
        clean(late->answer);
    }
}

/* ---- all of it ----------------------------------------------------------------- */

static int fail_no_memory(void) {
    return mtlcap__fail(MTLCAP_E_NO_MEMORY, "out of memory for a trace");
}

/* calloc() may return NULL for nothing. */
static void *array(size_t count, size_t size) {
    return calloc(count ? count : 1, size);
}

/* `question_of`: by entry, its question's index + 1. */
static int read_questions(const struct table *table, struct mtlcap__trace_reading *reading,
                          uint32_t *question_of) {
    const size_t capacity = table->header->entries.count;
    const entry *entries = at(table, &table->header->entries, 0);
    const entry **filled = array(capacity, sizeof(const entry *));
    struct group *groups = array(capacity, sizeof *groups);
    const size_t count = filled && groups ? find_groups(table, filled, groups) : 0;
    reading->questions = array(count, sizeof *reading->questions);
    reading->late = array(count, sizeof *reading->late);
    const bool memory = filled && groups && reading->questions && reading->late;
    for (size_t i = 0; memory && i < count; i++) {
        fill_question(table, &groups[i], &reading->questions[i]);
        fill_late(table, &groups[i], reading, &reading->late[i]);
        reading->info.asked += groups[i].asked;
        for (size_t j = 0; j < groups[i].count; j++)
            question_of[groups[i].first[j] - entries] = (uint32_t)i + 1;
    }
    reading->info.question_count = (uint32_t)count;
    free((void *)filled);
    free(groups);
    return memory ? MTLCAP_OK : fail_no_memory();
}

/* Those that have been written: of one that is being written, the later ones may be there. */
static int read_events(const struct table *table, struct mtlcap__trace_reading *reading,
                       const uint32_t *question_of) {
    const header *head = table->header;
    const size_t count = at_most(head->event_count, &head->events);
    reading->events = array(count, sizeof *reading->events);
    if (!reading->events)
        return fail_no_memory();
    for (size_t i = 0; i < count; i++) {
        const struct mtlcap__trace_event *event = at(table, &head->events, i);
        const uint32_t number = event->entry;
        const uint32_t question =
            number && number <= head->entries.count ? question_of[number - 1] : 0;
        if (question)
            reading->events[reading->info.event_count++] = (struct mtlcap_trace_event){
                sizeof(struct mtlcap_trace_event), event->ns, question - 1, event->thread};
    }
    if (head->events.count && head->event_count > head->events.count)
        reading->info.events_dropped = head->event_count - head->events.count;
    return MTLCAP_OK;
}

static int read_unwatched(const struct table *table, struct mtlcap__trace_reading *reading) {
    static const char *const reasons[] = {
        [MTLCAP__TRACE_NO_HOOK_LEFT] = "no hook is left: there are too many classes of devices",
        [MTLCAP__TRACE_OTHER_SIGNATURE] = "it has a signature that this version does not know",
        [MTLCAP__TRACE_NOT_REACHED] = "its hook is not reached: somebody else's is in front of it",
        [MTLCAP__TRACE_REFUSED] = "the Objective-C runtime refused the hook",
    };
    const header *head = table->header;
    const size_t count = at_most(head->unwatched_count, &head->unwatched);
    reading->unwatched = array(count, sizeof *reading->unwatched);
    if (!reading->unwatched)
        return fail_no_memory();
    for (size_t i = 0; i < count; i++) {
        const struct mtlcap__trace_unwatched *from = at(table, &head->unwatched, i);
        struct mtlcap_trace_unwatched *to = &reading->unwatched[reading->info.unwatched_count];
        struct mtlcap__trace_capability row;
        if (!capability_at(table, from->capability, &row) ||
            from->reason >= sizeof reasons / sizeof reasons[0])
            continue;
        to->struct_size = sizeof *to;
        COPY_ARRAY(to->capability, row.key);
        COPY_ARRAY(to->selector, row.selector);
        device_at(table, from->device, &to->class_name, &to->device_name);
        COPY(to->reason, reasons[from->reason]);
        clean(to->class_name);
        clean(to->device_name);
        reading->info.unwatched_count++;
    }
    return MTLCAP_OK;
}

/* Up to one that is not written yet. */
static int read_applied(const struct table *table, struct mtlcap__trace_reading *reading) {
    const header *head = table->header;
    const size_t count = at_most(head->applied_count, &head->applied);
    reading->applied = array(count, sizeof *reading->applied);
    if (!reading->applied)
        return fail_no_memory();
    for (size_t i = 0; i < count; i++) {
        const struct mtlcap__trace_change *from = at(table, &head->applied, i);
        struct mtlcap__trace_applied *to = &reading->applied[i];
        if (!from->ns)
            break;
        to->ns = from->ns;
        COPY(to->profile, text_at(table, from->profile));
        clean(to->profile);
        reading->applied_count++;
    }
    reading->applied_dropped = head->applied_count - (uint32_t)count;
    return MTLCAP_OK;
}

static void read_header(const struct table *table, struct mtlcap__trace_reading *reading) {
    const header *head = table->header;
    reading->info.struct_size = sizeof reading->info;
    reading->info.active = head->active == 1;
    reading->info.dropped = head->dropped;
    reading->opened_late = head->opened_late == 1;
    reading->complete = head->complete == 1;
    reading->pid = head->pid;
    reading->started = head->started;
    COPY(reading->program, text_at(table, head->program));
    COPY(reading->profile, text_at(table, head->profile));
    clean(reading->program);
    clean(reading->profile);
}

int mtlcap__trace_read(const void *bytes, size_t size, struct mtlcap__trace_reading *reading) {
    memset(reading, 0, sizeof *reading);
    int status = check(bytes, size);
    if (status)
        return status;
    const struct table table = {bytes, bytes};
    uint32_t *question_of = array(table.header->entries.count, sizeof *question_of);
    if (!question_of)
        return fail_no_memory();
    read_header(&table, reading);
    status = read_applied(&table, reading);
    if (!status)
        status = read_questions(&table, reading, question_of);
    if (!status)
        status = read_events(&table, reading, question_of);
    if (!status)
        status = read_unwatched(&table, reading);
    free(question_of);
    if (status)
        mtlcap__trace_reading_free(reading);
    return status;
}

void mtlcap__trace_reading_free(struct mtlcap__trace_reading *reading) {
    free(reading->questions);
    free(reading->events);
    free(reading->unwatched);
    free(reading->late);
    free(reading->applied);
    memset(reading, 0, sizeof *reading);
}

/* ---- of a file ------------------------------------------------------------------ */

enum { LARGEST = 64 << 20 }; /* beyond any table */

static int fail_at(const char *path, const char *why) {
    return mtlcap__fail(MTLCAP_E_FILE, "the trace '%.300s' cannot be read: %s", path, why);
}

/* Into memory, rather than mapped: who writes it may cut it. NULL: *status. */
static void *read_whole(const char *path, int descriptor, size_t *size, int *status) {
    struct stat about;
    *status = MTLCAP_OK;
    if (fstat(descriptor, &about) != 0)
        *status = fail_at(path, strerror(errno));
    else if (!S_ISREG(about.st_mode))
        *status = fail_at(path, "it is no file");
    else if (about.st_size > LARGEST)
        *status = fail_at(path, "it is longer than the file of any trace");
    if (*status)
        return NULL;
    const size_t capacity = (size_t)about.st_size;
    char *bytes = calloc(1, capacity + 1);
    if (!bytes)
        *status = fail_no_memory();
    for (*size = 0; bytes && *size < capacity;) {
        const ssize_t more = read(descriptor, bytes + *size, capacity - *size);
        if (more == 0 || (more < 0 && errno != EINTR))
            break;
        *size += more > 0 ? (size_t)more : 0;
    }
    return bytes;
}

int mtlcap__trace_read_file(const char *path, struct mtlcap__trace_reading *reading) {
    memset(reading, 0, sizeof *reading);
    const int descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0)
        return fail_at(path, strerror(errno));
    size_t size;
    int status;
    void *bytes = read_whole(path, descriptor, &size, &status);
    close(descriptor);
    if (!bytes)
        return status;
    status = mtlcap__trace_read(bytes, size, reading);
    free(bytes);
    if (status == MTLCAP_E_FILE) {
        char why[256];
        COPY(why, mtlcap__last_error());
        fail_at(path, why);
    }
    return status;
}
