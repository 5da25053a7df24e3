/* The one instance in the process: copies of this library find the first of them. */
#ifndef MTLCAP_CORE_INSTANCE_H
#define MTLCAP_CORE_INSTANCE_H

#include <stddef.h>

#include "mtlcap/mtlcap.h"

/* What a copy offers to others. Size first: a later version appends. */
struct mtlcap__instance {
    size_t size;
    int version;
    char image[1024]; /* the file that holds the copy */
#define API(result, name, parameters, arguments, refused) result(*name) parameters;
#include "api.def"
#undef API
};

/* The instance to call: the first in the process; this copy's own while there is no Objective-C
 * runtime to meet in; NULL if the first is too old. */
const struct mtlcap__instance *mtlcap__instance(void);

/* The file of the copy that was first; NULL: it is this one. */
const char *mtlcap__instance_other(void);

/* Fails with E_VERSION, naming both copies. */
int mtlcap__refused(void);

#endif
