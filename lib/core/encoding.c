/* Method type encodings: "B24@0:8q16" and the like. */
#include "encoding.h"

#include <stddef.h>
#include <string.h>

static const char *skip_digits(const char *p) {
    while (*p >= '0' && *p <= '9')
        p++;
    return p;
}

/* const, in, inout, out, bycopy, byref, oneway; atomic */
static const char *skip_qualifiers(const char *p) {
    while (*p && strchr("rnNoORVA", *p))
        p++;
    return p;
}

/* A type that is one of `letters`, and the offset behind it; NULL if it is not. */
static const char *scalar(const char *p, const char *letters) {
    p = skip_qualifiers(p);
    if (!*p || !strchr(letters, *p))
        return NULL;
    return skip_digits(p + 1);
}

/* A struct of three unsigned words, under any name: {?=QQQ}, {MTLSize="width"Q"height"Q"depth"Q}.
 */
static const char *size3(const char *p) {
    p = skip_qualifiers(p);
    if (*p != '{')
        return NULL;
    p = strpbrk(p, "=}");
    if (!p || *p != '=')
        return NULL;
    p++;
    for (int i = 0; i < 3; i++) {
        if (*p == '"') {
            p = strchr(p + 1, '"');
            if (!p)
                return NULL;
            p++;
        }
        if (*p != 'Q' && *p != 'L')
            return NULL;
        p++;
    }
    return *p == '}' ? skip_digits(p + 1) : NULL;
}

bool mtlcap__encoding_fits(const char *types, enum mtlcap__shape shape) {
    static const struct {
        const char *result;   /* NULL: a struct of three words */
        const char *argument; /* NULL: none */
    } shapes[MTLCAP__SHAPE_COUNT] = {
        [MTLCAP__ASK_BOOL] = {"BcC", NULL},  [MTLCAP__ASK_ID] = {"BcC", "ql"},
        [MTLCAP__ASK_COUNT] = {"BcC", "QL"}, [MTLCAP__ASK_WORD] = {"QL", NULL},
        [MTLCAP__ASK_WORD32] = {"I", NULL},  [MTLCAP__ASK_SIZE3] = {NULL, NULL},
        [MTLCAP__ASK_OBJECT] = {"@", NULL},  [MTLCAP__TELL] = {"v", NULL},
    };
    if (!types)
        return false;
    const char *p = shapes[shape].result ? scalar(types, shapes[shape].result) : size3(types);
    if (p)
        p = scalar(p, "@");
    if (p)
        p = scalar(p, ":");
    if (p && shapes[shape].argument)
        p = scalar(p, shapes[shape].argument);
    return p && *p == '\0';
}
