/* The machine, its Metal devices, and their answers. */
#ifndef TOOLS_DEVICES_H
#define TOOLS_DEVICES_H

#include <stdbool.h>

#include <mtlcap/mtlcap.h>

struct devices {
    struct mtlcap_machine machine;
    uint32_t count;
    struct mtlcap_device *list;
    uint32_t first; /* index of list[0] in the library's list */
};

#define DEVICES_ALL (-1)

/*
 * Finds every device, or the one of index `only`; off a Mac, the simulated ones, and says so.
 * Returns an exit code; if it is not CODE_OK the user has been told why.
 */
int devices_open(struct devices *devices, int only);
void devices_close(struct devices *devices);

/* Without a device: is that because SIMMETAL_DEVICES names something that is no machine? A machine
 * has a chip. */
bool devices_bad_machine(const struct mtlcap_machine *machine);

/*
 * Asks a device every capability, by index. One that it does not answer has kind 0. NULL: a call
 * failed, and the user has been told. To be freed.
 */
struct mtlcap_answer *devices_ask(void *device);

/* Is it the index-th, by the library's last look at the list? Where every caller gets new devices,
 * it is another one after each look. */
bool devices_is_at(uint32_t index, const void *device);

/* "Apple Paravirtual device (AppleParavirtDevice, paravirtual)" */
void devices_describe(const struct mtlcap_device *device, char *text, size_t size);

#endif
