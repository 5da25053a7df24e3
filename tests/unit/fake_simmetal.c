/* A stand-in for the simulated Metal: the one function that the library asks for facts. */
#include <stddef.h>
#include <string.h>

__attribute__((visibility("default"))) int simmetal_sysctlbyname(const char *name, void *value,
                                                                 size_t *size, void *new_value,
                                                                 size_t new_size);

int simmetal_sysctlbyname(const char *name, void *value, size_t *size, void *new_value,
                          size_t new_size) {
    const char *fact = strcmp(name, "hw.model") == 0               ? "VirtualMac2,1"
                       : strcmp(name, "simmetal.program_sdk") == 0 ? "13.3"
                                                                   : NULL;

    if (new_value != NULL || new_size != 0 || fact == NULL || *size < strlen(fact) + 1)
        return -1;
    *size = strlen(fact) + 1;
    memcpy(value, fact, *size);
    return 0;
}
