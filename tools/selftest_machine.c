/* Facts of the machine at the head of the report. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "json.h"
#include "output.h"
#include "selftest.h"
#include "simulated.h"

/* Asked by name: these are on a Mac only. "": unknown. */
static void system_text(const char *name, char *text, size_t size) {
    int (*ask)(const char *, void *, size_t *, void *, size_t);
    *(void **)&ask = selftest_symbol("sysctlbyname");
    if (ask == NULL || ask(name, text, &size, NULL, 0) != 0)
        text[0] = '\0';
}

static const char *protection(char *text, size_t size) {
    int (*ask)(uint32_t *);
    uint32_t configuration = 0;
    *(void **)&ask = selftest_symbol("csr_get_active_config");
    if (ask == NULL || ask(&configuration) != 0)
        return "";
    snprintf(text, size, "%s (%#x)", configuration == 0 ? "on" : "off, in part or all",
             (unsigned)configuration);
    return text;
}

struct fact {
    const char *name;
    char text[512];
};

enum { FACT_COUNT = 9 };

static void gather(struct fact facts[FACT_COUNT]) {
    static const char *const names[FACT_COUNT] = {"version", "simulated", "system", "build", "chip",
                                                  "model",   "virtual",   "sip",    "kernel"};
    struct mtlcap_machine machine = MTLCAP_MACHINE_INIT;
    struct utsname kernel;
    char text[64];
    simulated_load();
    mtlcap_machine_info(&machine);
    memset(facts, 0, FACT_COUNT * sizeof *facts);
    for (int i = 0; i < FACT_COUNT; i++)
        facts[i].name = names[i];
    size_t size = sizeof facts[0].text;
    snprintf(facts[0].text, size, "%s", mtlcap_version());
    snprintf(facts[1].text, size, "%s", machine.simulated == 1 ? "yes" : "no");
    snprintf(facts[2].text, size, "macOS %s", machine.os_version);
    system_text("kern.osversion", facts[3].text, size);
    snprintf(facts[4].text, size, "%s, family %d, %llu MiB", machine.chip, machine.chip_family,
             (unsigned long long)(machine.memory >> 20));
    snprintf(facts[5].text, size, "%s", machine.model);
    snprintf(facts[6].text, size, "%s",
             machine.virtual_machine == 1   ? "yes"
             : machine.virtual_machine == 0 ? "no"
                                            : "unknown");
    snprintf(facts[7].text, size, "%s", protection(text, sizeof text));
    if (uname(&kernel) == 0)
        snprintf(facts[8].text, size, "%s %s %s", kernel.sysname, kernel.release, kernel.machine);
}

static bool device_text(uint32_t index, char *text, size_t size) {
    struct mtlcap_device device = MTLCAP_DEVICE_INIT;
    if (mtlcap_device_info(index, &device) != MTLCAP_OK)
        return false;
    snprintf(text, size, "%s (%s%s)", device.name, device.class_name,
             device.paravirtual ? ", paravirtual" : "");
    return true;
}

void selftest_write_machine(void) {
    struct fact facts[FACT_COUNT];
    char text[512];
    gather(facts);
    for (int i = 0; i < FACT_COUNT; i++) {
        if (facts[i].text[0] == '\0')
            continue;
        output("%-10s ", facts[i].name);
        output_text(facts[i].text);
        output("\n");
    }
    for (uint32_t i = 0; device_text(i, text, sizeof text); i++) {
        output("device %-3u ", (unsigned)i);
        output_text(text);
        output("\n");
    }
}

void selftest_write_machine_json(struct json *json) {
    struct fact facts[FACT_COUNT];
    char text[512];
    gather(facts);
    json_key(json, "machine");
    json_begin(json, '{', JSON_LINES);
    for (int i = 0; i < FACT_COUNT; i++) {
        json_key(json, facts[i].name);
        json_string(json, facts[i].text[0] != '\0' ? facts[i].text : NULL);
    }
    json_end(json, '}');
    json_key(json, "devices");
    json_begin(json, '[', JSON_LINES);
    for (uint32_t i = 0; device_text(i, text, sizeof text); i++)
        json_string(json, text);
    json_end(json, ']');
}
