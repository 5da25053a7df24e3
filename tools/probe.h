/* What `mtlcap probe` has found, and its two forms of output. */
#ifndef TOOLS_PROBE_H
#define TOOLS_PROBE_H

#include <stdbool.h>

#include "devices.h"

struct probe {
    struct devices devices;
    const char *profiles[2]; /* applied one after the other; NULL: none */
    /* By profile and device; without a profile the first. From devices_ask(). */
    struct mtlcap_answer **answers[2];
};

/* Two profiles: only what differs is shown. */
static inline bool probe_is_diff(const struct probe *probe) {
    return probe->profiles[1] != NULL;
}

/* Does one profile make a capability of a device something else than the other one does? An answer
 * that changes by itself (memory in use) does not count. */
bool probe_differs(const struct probe *probe, uint32_t device, uint32_t capability);

/* What profiles know of the machine. */
struct json;
void probe_write_machine(struct json *json, const struct mtlcap_machine *machine);

void probe_write_text(const struct probe *probe);
void probe_write_json(const struct probe *probe);

#endif
