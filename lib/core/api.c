/* The public functions: those that work on what is in force go to the one instance in the process.
 */
#include "error.h"
#include "instance.h"

#define API(result, name, parameters, arguments, refused)                                          \
    result mtlcap_##name parameters {                                                              \
        const struct mtlcap__instance *instance = mtlcap__instance();                              \
        return instance ? instance->name arguments : refused;                                      \
    }
#include "api.def"
#undef API
