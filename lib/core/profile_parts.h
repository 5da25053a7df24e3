/*
 * What the parts of the profile language share:
 *
 * profile_parse.c    lists of items, names, files
 * profile_rule.c     KEY=VALUE
 * profile_value.c    VALUE
 * profile_file.c     reading a file
 * profile_resolve.c  from items to rules for a device
 */
#ifndef MTLCAP_CORE_PROFILE_PARTS_H
#define MTLCAP_CORE_PROFILE_PARTS_H

#include "error.h"
#include "profile.h"

#define MTLCAP__PROFILE_MAX_BYTES 65536 /* of a profile's text, and of a file */
#define MTLCAP__PROFILE_MAX_ITEMS 4096

/* One item: `auto`, which stands for something else on each device, or a rule. */
struct mtlcap__item {
    bool is_auto;
    bool replaces; /* KEY=VALUE: forget the bounds so far */
    bool sets_min, sets_max;
    size_t capability; /* index */
    uint64_t number[3];
    char text[128]; /* for struct mtlcap__bound */
};

struct mtlcap__profile {
    bool hides;
    size_t count, capacity;
    struct mtlcap__item *items;
};

/* An item as it is written, and where; `file` is NULL and `line` 0 if not in a file. */
struct mtlcap__place {
    const char *text;
    size_t length;
    int column;
    int line;
    const char *file;
};

#define MTLCAP__FAIL_ITEM(status, place, ...)                                                      \
    mtlcap__fail_at(status, (place)->file, (place)->line, (place)->column, (place)->text,          \
                    (place)->length, __VA_ARGS__)

/* Parses "KEY=VALUE", "KEY.min=VALUE" or "KEY.max=VALUE"; `equals` is the place of its `=`. Fails
 * with E_PROFILE. */
int mtlcap__rule_parse(const struct mtlcap__place *place, const char *equals,
                       struct mtlcap__item *item);

/* Fails with E_PROFILE for a word, of `length` bytes, that is neither key nor profile: `what`, and
 * what may have been meant. */
int mtlcap__fail_unknown_word(const struct mtlcap__place *place, size_t length, const char *what);

/*
 * The value of a rule, of `length` bytes, as struct mtlcap__bound has it. On failure writes what is
 * wrong with it and what would be right to `problem`.
 */
bool mtlcap__value_parse(const struct mtlcap__capability *capability, const char *text,
                         size_t length, uint64_t number[3], char *problem, size_t size);

/* From now on constants of families that Metal does not have yet are good, for who follows a tool
 * that takes them. */
void mtlcap__value_accept_future_families(void);

/* What a value of the capability looks like: "1 to 10 (or 1001 to 1010), or off". */
void mtlcap__value_hint(const struct mtlcap__capability *capability, char *text, size_t size);

/* Reads the file that the item `place`, "@PATH", names. The caller frees *text, which has a NUL
 * after its last byte. Fails with E_FILE or E_NO_MEMORY. */
int mtlcap__profile_read_file(const struct mtlcap__place *place, const char *path, char **text,
                              size_t *length);

/* NULL: there is no such built-in profile. */
const struct mtlcap__builtin *mtlcap__builtin_by_name(const char *name, size_t length);

#endif
