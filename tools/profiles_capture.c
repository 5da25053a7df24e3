/* mtlcap profiles capture: a device's stock answers as a profile that makes other devices the same.
 *
 * Ceilings only: on the same device they change nothing, on a device that can more they lower it to
 * this one, and on one that can less they raise nothing, which would be a hazard.
 */
#include <stdlib.h>
#include <string.h>

#include "catalog.h"
#include "command.h"
#include "devices.h"
#include "output.h"
#include "profiles.h"

/* Text in a comment: it must not end the line. */
static void write_comment(const char *label, const char *text) {
    output("# %s", label);
    output_text(text);
    output("\n");
}

static void write_heading(const struct devices *devices, const struct mtlcap_answer *answers) {
    char text[320];
    devices_describe(&devices->list[0], text, sizeof text);
    write_comment("Captured from ", text);
    if (devices->machine.chip[0] != '\0')
        write_comment("chip: ", devices->machine.chip);
    if (devices->machine.os_version[0] != '\0')
        write_comment("macOS: ", devices->machine.os_version);
    output("# by mtlcap %s. Makes a device that can more answer as this one.\n", mtlcap_version());
    output("# Use: mtlcap probe -p @FILE\n");
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++)
        if (answers[i].kind != 0 && strcmp(answers[i].source, "Metal") != 0) {
            output("# %s is not Metal's answer; it comes from ", answers[i].capability);
            output_text(answers[i].source);
            output("\n");
        }
}

static void write_item(const struct mtlcap_capability *capability,
                       const struct mtlcap_answer *answer) {
    if (answer->kind == 0 || (capability->change & MTLCAP_CAN_LOWER) == 0)
        return;
    if (capability->kind != MTLCAP_KIND_BOOL)
        output("%s.max=%s\n", capability->key, answer->stock.text);
    else if (answer->stock.number[0] == 0) /* yes is no ceiling */
        output("%s=off\n", capability->key);
}

int profiles_capture(int device) {
    struct devices devices;
    int code = devices_open(&devices, device == DEVICES_ALL ? 0 : device);
    if (code != CODE_OK)
        return code;
    struct mtlcap_answer *answers = devices_ask(devices.list[0].device);
    if (answers == NULL) {
        devices_close(&devices);
        return CODE_INTERNAL;
    }
    write_heading(&devices, answers);
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        struct mtlcap_capability capability = catalog_capability(i);
        write_item(&capability, &answers[i]);
    }
    free(answers);
    devices_close(&devices);
    return CODE_OK;
}
