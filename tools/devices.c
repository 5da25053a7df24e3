/* Finds devices and asks them. */
#include "devices.h"

#include <stdio.h>
#include <stdlib.h>

#include "catalog.h"
#include "command.h"
#include "output.h"
#include "simulated.h"

static int no_metal(void) {
    if (simulated_problem()[0] == '\0') {
        complain("%s", mtlcap_last_error());
    } else {
        complain("there is no Metal, and no simulated one: %s", simulated_problem());
        complain_more(
            "It is installed together with mtlcap, but not by pip. If it is elsewhere, set "
            "LD_LIBRARY_PATH");
        complain_more("to its folder or, for what pip installs, MTLCAP_SIMMETAL to the file.");
    }
    return CODE_NO_DEVICE;
}

static int no_device(const struct mtlcap_machine *machine) {
    if (devices_bad_machine(machine))
        complain("SIMMETAL_DEVICES names no good machine: 'mtlcap help machines' lists them");
    else
        complain("this machine has no Metal device");
    return CODE_NO_DEVICE;
}

bool devices_bad_machine(const struct mtlcap_machine *machine) {
    return machine->simulated == 1 && machine->chip[0] == '\0';
}

int devices_open(struct devices *devices, int only) {
    *devices = (struct devices){.machine = {.struct_size = sizeof devices->machine}};
    uint32_t total = 0;
    simulated_load();
    int status = mtlcap_device_count(&total);
    if (status == MTLCAP_E_UNSUPPORTED)
        return no_metal();
    if (status == MTLCAP_OK)
        status = mtlcap_machine_info(&devices->machine);
    if (status != MTLCAP_OK)
        return library_error(status);
    if (devices->machine.simulated)
        complain("not a Mac: the GPU is simulated; SIMMETAL_DEVICES chooses which");
    if (total == 0)
        return no_device(&devices->machine);
    if (only >= 0 && (uint32_t)only >= total) {
        complain("there is no device %d: this machine has %u, counted from 0", only,
                 (unsigned)total);
        return CODE_NO_DEVICE;
    }
    devices->first = only >= 0 ? (uint32_t)only : 0;
    devices->count = only >= 0 ? 1 : total;
    devices->list = allocate(devices->count, sizeof *devices->list);
    for (uint32_t i = 0; i < devices->count; i++) {
        mtlcap_init(&devices->list[i], sizeof devices->list[i]);
        status = mtlcap_device_info(devices->first + i, &devices->list[i]);
        if (status != MTLCAP_OK) {
            devices_close(devices);
            return library_error(status);
        }
    }
    return CODE_OK;
}

void devices_close(struct devices *devices) {
    free(devices->list);
    devices->list = NULL;
    devices->count = 0;
}

bool devices_is_at(uint32_t index, const void *device) {
    struct mtlcap_device info = {.struct_size = sizeof info};
    return mtlcap_device_info(index, &info) == MTLCAP_OK && info.device == device;
}

struct mtlcap_answer *devices_ask(void *device) {
    uint32_t count = mtlcap_capability_count();
    struct mtlcap_answer *answers = allocate(count, sizeof *answers);
    for (uint32_t i = 0; i < count; i++) {
        mtlcap_init(&answers[i], sizeof answers[i]);
        int status = mtlcap_query(device, catalog_capability(i).key, &answers[i]);
        if (status == MTLCAP_E_UNSUPPORTED) {
            mtlcap_init(&answers[i], sizeof answers[i]);
        } else if (status != MTLCAP_OK) {
            library_error(status);
            free(answers);
            return NULL;
        }
    }
    return answers;
}

void devices_describe(const struct mtlcap_device *device, char *text, size_t size) {
    snprintf(text, size, "%s (%s%s)", device->name, device->class_name,
             device->paravirtual ? ", paravirtual" : "");
}
