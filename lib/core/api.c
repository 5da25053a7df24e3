/* The public functions: those that work on what is in force go to the one instance in the process.
 */
#include <string.h>

#include "error.h"
#include "instance.h"
#include "inventory.h"

#define API(result, name, parameters, arguments, refused)                                          \
    result mtlcap_##name parameters {                                                              \
        const struct mtlcap__instance *instance = mtlcap__instance();                              \
        return instance ? instance->name arguments : refused;                                      \
    }
#include "api.def"
#undef API

/* ---- the rest needs no instance ------------------------------------------- */

#define TEXT(number) #number
#define DOTTED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *mtlcap_version(void) {
    return DOTTED(MTLCAP_VERSION_MAJOR, MTLCAP_VERSION_MINOR, MTLCAP_VERSION_PATCH);
}

int mtlcap_version_number(void) {
    return MTLCAP_VERSION_NUMBER;
}

const char *mtlcap_strerror(int status) {
    return mtlcap__status_text(status);
}

void mtlcap_init(void *structure, size_t struct_size) {
    if (!structure || struct_size < sizeof struct_size)
        return;
    memset(structure, 0, struct_size);
    memcpy(structure, &struct_size, sizeof struct_size);
}
