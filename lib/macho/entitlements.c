/*
 * Entitlements: the keys of the outermost dictionary, and which of them are true.
 *
 * In DER the dictionary is [CONTEXT 16] behind a version, in [APPLICATION 16]; in its first version
 * a SET; an entry is a SEQUENCE of a UTF8String and a value. In XML it is a property list.
 */
#include <string.h>

#include "bytes.h"

/* ---- DER ------------------------------------------------------------------------------ */

enum {
    DER_BOOLEAN = 0x01,
    DER_UTF8 = 0x0c,
    DER_SEQUENCE = 0x30,
    DER_SET = 0x31,
    DER_APPLICATION = 0x70,
    DER_DICTIONARY = 0xb0,
};

struct element {
    uint8_t tag;
    struct mtlcap__macho_bytes content;
};

/* Takes the next element off `rest`. */
static bool next_element(struct mtlcap__macho_bytes *rest, struct element *element,
                         struct mtlcap__macho_problem *problem) {
    uint64_t header = 2, size = rest->size > 1 ? rest->data[1] : 0;
    if (rest->size < 2)
        return mtlcap__malformed(problem, rest->place, "the entitlements (DER) end too early");
    if (size >= 0x80) {
        uint64_t count = size & 0x7f;
        if (count == 0 || count > 4 || rest->size < 2 + count)
            return mtlcap__malformed(problem, rest->place + 1,
                                     "a length in the entitlements (DER) is not known");
        size = 0;
        for (uint64_t i = 0; i < count; i++)
            size = size << 8 | rest->data[2 + i];
        header += count;
    }
    if (!mtlcap__inside(rest, header, size))
        return mtlcap__malformed(problem, rest->place,
                                 "an element of the entitlements (DER), %llu bytes, ends outside",
                                 (unsigned long long)size);
    element->tag = rest->data[0];
    element->content = mtlcap__part(rest, header, size);
    *rest = mtlcap__part(rest, header + size, rest->size - header - size);
    return true;
}

/* The next element, which has to be of this kind. */
static bool next_of(struct mtlcap__macho_bytes *rest, uint8_t tag, struct element *element,
                    struct mtlcap__macho_problem *problem) {
    uint64_t place = rest->place;
    return next_element(rest, element, problem) &&
           (element->tag == tag ||
            mtlcap__malformed(problem, place, "tag %#x instead of %#x in the entitlements (DER)",
                              (unsigned)element->tag, (unsigned)tag));
}

static bool visit_entry(const struct element *entry, mtlcap__macho_visit *visit, void *context,
                        struct mtlcap__macho_problem *problem) {
    struct mtlcap__macho_bytes rest = entry->content;
    struct element key = {0}, value = {0};
    if (!next_of(&rest, DER_UTF8, &key, problem) || !next_element(&rest, &value, problem))
        return false;
    struct mtlcap__macho_entitlement found = {
        .key = (const char *)key.content.data,
        .length = (size_t)key.content.size,
        .value = MTLCAP__MACHO_OTHER,
        .place = entry->content.place,
    };
    if (value.tag == DER_BOOLEAN && value.content.size == 1)
        found.value = value.content.data[0] != 0 ? MTLCAP__MACHO_TRUE : MTLCAP__MACHO_FALSE;
    visit(&found, context);
    return true;
}

bool mtlcap__macho_entitlements_der(const struct mtlcap__macho_bytes *blob,
                                    mtlcap__macho_visit *visit, void *context,
                                    struct mtlcap__macho_problem *problem) {
    struct mtlcap__macho_bytes rest = *blob;
    struct element outer = {0}, version, dictionary, entry;
    if (!next_element(&rest, &outer, problem))
        return false;
    dictionary = outer;
    if (outer.tag == DER_APPLICATION) {
        rest = outer.content;
        if (!next_element(&rest, &version, problem) ||
            !next_of(&rest, DER_DICTIONARY, &dictionary, problem))
            return false;
    } else if (outer.tag != DER_SET) {
        return mtlcap__malformed(problem, blob->place, "the entitlements (DER) begin with tag %#x",
                                 (unsigned)outer.tag);
    }
    rest = dictionary.content;
    while (rest.size > 0)
        if (!next_of(&rest, DER_SEQUENCE, &entry, problem) ||
            !visit_entry(&entry, visit, context, problem))
            return false;
    return true;
}

/* ---- XML ------------------------------------------------------------------------------ */

/* One tag of the property list, without < and >: "key", "/key", "true/". */
struct tag {
    const char *name;
    size_t length;
    uint64_t at, end; /* offsets of its < and of what follows its > */
};

struct list {
    struct mtlcap__macho_bytes bytes;
    uint64_t next;
    struct mtlcap__macho_problem *problem;
};

/* Where `mark` next is; the size if nowhere. */
static uint64_t find(const struct mtlcap__macho_bytes *bytes, uint64_t from, const char *mark) {
    size_t length = strlen(mark);
    for (uint64_t at = from; at + length <= bytes->size; at++) {
        const uint8_t *found = memchr(bytes->data + at, mark[0], (size_t)(bytes->size - at));
        if (found == NULL)
            break;
        at = (uint64_t)(found - bytes->data);
        if (at + length <= bytes->size && memcmp(found, mark, length) == 0)
            return at;
    }
    return bytes->size;
}

static bool begins(const struct mtlcap__macho_bytes *bytes, uint64_t at, const char *mark) {
    return mtlcap__inside(bytes, at, strlen(mark)) &&
           memcmp(bytes->data + at, mark, strlen(mark)) == 0;
}

/* The next tag; declarations and comments are passed over. False: there is none. */
static bool next_tag(struct list *list, struct tag *tag) {
    for (;;) {
        uint64_t at = find(&list->bytes, list->next, "<");
        const char *mark = begins(&list->bytes, at, "<!--") ? "-->" : ">";
        uint64_t end = find(&list->bytes, at, mark);
        if (end == list->bytes.size)
            return false;
        list->next = end + strlen(mark);
        const char *name = (const char *)list->bytes.data + at + 1;
        if (*name == '!' || *name == '?')
            continue;
        size_t length = (size_t)(end - at - 1);
        const char *blank = memchr(name, ' ', length);
        if (blank != NULL && name[length - 1] != '/')
            length = (size_t)(blank - name); /* attributes mean nothing here */
        *tag = (struct tag){name, length, at, list->next};
        return true;
    }
}

static bool is_tag(const struct tag *tag, const char *name) {
    return tag->length == strlen(name) && memcmp(tag->name, name, tag->length) == 0;
}

static bool ends_early(const struct list *list) {
    return mtlcap__malformed(list->problem, list->bytes.place + list->next,
                             "the entitlements (XML) end too early, or their tags do not pair");
}

static enum mtlcap__macho_value value_of(const struct tag *tag) {
    if (is_tag(tag, "true/") || is_tag(tag, "true /") || is_tag(tag, "true"))
        return MTLCAP__MACHO_TRUE;
    if (is_tag(tag, "false/") || is_tag(tag, "false /") || is_tag(tag, "false"))
        return MTLCAP__MACHO_FALSE;
    return MTLCAP__MACHO_OTHER;
}

/* Goes behind the value that `tag` begins, with all that is in it. */
static bool pass_value(struct list *list, struct tag tag) {
    unsigned depth = 0;
    do {
        if (tag.length > 0 && tag.name[0] == '/') {
            if (depth == 0)
                return ends_early(list);
            depth--;
        } else if (tag.length == 0 || tag.name[tag.length - 1] != '/') {
            depth++;
        }
        if (depth > 0 && !next_tag(list, &tag))
            return ends_early(list);
    } while (depth > 0);
    return true;
}

/* From behind <key> to behind its value. */
static bool visit_key(struct list *list, const struct tag *tag, mtlcap__macho_visit *visit,
                      void *context) {
    struct tag end, value;
    struct mtlcap__macho_entitlement found = {.key = (const char *)list->bytes.data + tag->end,
                                              .place = list->bytes.place + tag->at};
    if (!next_tag(list, &end) || !is_tag(&end, "/key") || !next_tag(list, &value))
        return ends_early(list);
    found.length = (size_t)(end.at - tag->end);
    found.value = value_of(&value);
    if (!pass_value(list, value))
        return false;
    visit(&found, context);
    return true;
}

bool mtlcap__macho_entitlements_xml(const struct mtlcap__macho_bytes *blob,
                                    mtlcap__macho_visit *visit, void *context,
                                    struct mtlcap__macho_problem *problem) {
    struct list list = {.bytes = *blob, .problem = problem};
    struct tag tag;
    do
        if (!next_tag(&list, &tag))
            return ends_early(&list);
    while (is_tag(&tag, "plist"));
    if (is_tag(&tag, "dict/"))
        return true;
    if (!is_tag(&tag, "dict"))
        return mtlcap__malformed(problem, blob->place + tag.at,
                                 "the entitlements (XML) are not a dictionary");
    while (next_tag(&list, &tag)) {
        if (is_tag(&tag, "/dict"))
            return true;
        if (!is_tag(&tag, "key"))
            break;
        if (!visit_key(&list, &tag, visit, context))
            return false;
    }
    return ends_early(&list);
}
