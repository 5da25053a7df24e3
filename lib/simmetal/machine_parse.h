/* The reader of machine files, in pieces: lines (machine_parse.c), values (machine_values.c) and
 * what a file leaves out (machine_defaults.c). */
#ifndef SIMMETAL_MACHINE_PARSE_H
#define SIMMETAL_MACHINE_PARSE_H

#include "machine.h"

/* A built-in machine: its file's text, embedded at build time and sorted by name. */
struct simmetal_builtin {
    const char *name;
    const char *text;
};
extern const struct simmetal_builtin simmetal_builtins[];
extern const size_t simmetal_builtin_count;
extern const char *const simmetal_builtin_names[]; /* ends in NULL */

/* Where an error goes, and the place in the file that it is about. */
struct simmetal_error {
    char *text;
    size_t size;
    const char *file;
    int line; /* 0: the file as a whole */
};

/* Writes "file:line: message"; false, so that callers can return it. */
bool simmetal_reject(struct simmetal_error *error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Reads `source` into the zeroed `machine`, without filling in what it leaves out. */
bool simmetal_machine_read(struct simmetal_machine *machine, const char *source,
                           struct simmetal_error *error);

/* Fills in what the file has left out, and checks that what must be there is. */
bool simmetal_machine_finish(struct simmetal_machine *machine, struct simmetal_error *error);

/* Sets what the key of a section stands for. */
bool simmetal_set_machine(struct simmetal_machine *machine, const char *key, const char *value,
                          struct simmetal_error *error);
bool simmetal_set_device(struct simmetal_device_config *device, const char *key, const char *value,
                         struct simmetal_error *error);

/* Values. Each says in the error what was found and what would be right. */
bool simmetal_read_text(char text[SIMMETAL_TEXT], const char *value, struct simmetal_error *error);
bool simmetal_read_flag(bool *flag, const char *value, struct simmetal_error *error);
bool simmetal_read_number(uint64_t *number, uint64_t max, const char *value,
                          struct simmetal_error *error);
/* Numbers and ranges such as "1001-1005, 3001"; "none" is the empty list. */
bool simmetal_read_list(int64_t *list, unsigned capacity, unsigned *count, const char *value,
                        struct simmetal_error *error);
/* "heap-nil, gpu-hang" replaces *faults, "+heap-nil, -gpu-hang" changes it. */
bool simmetal_read_faults(uint32_t *faults, const char *value, struct simmetal_error *error);
/* The index of `value` in `names`; `what` names the kind of thing. */
bool simmetal_read_choice(unsigned *index, const char *const *names, unsigned count,
                          const char *what, const char *value, struct simmetal_error *error);

/* The class names that a device can have, and those of tool wrappers. */
extern const char *const simmetal_device_classes[];
extern const unsigned simmetal_device_class_count;
extern const char *const simmetal_wrapper_classes[];
extern const unsigned simmetal_wrapper_class_count;

/* The one of `count` names that is nearest to `name`, for "did you mean". */
const char *simmetal_nearest(const char *name, const char *const *names, unsigned count);

#endif
