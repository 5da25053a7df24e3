/* The report on this machine: what it is, what Metal it has, and what is in the environment. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "catalog.h"
#include "command.h"
#include "devices.h"
#include "doctor.h"
#include "environment.h"
#include "insertion.h"
#include "output.h"
#include "simulated.h"

enum { MOST_FACTS = 16, MOST_VARIABLES = 64 };

struct fact {
    const char *name;
    char text[512];
};

struct variable {
    const char *text;  /* "NAME=value" */
    const char *whose; /* "libmtlcap", "Tart", "Metal", "dyld" */
};

struct report {
    struct fact facts[MOST_FACTS];
    unsigned fact_count;
    struct variable variables[MOST_VARIABLES];
    unsigned variable_count;
    bool has_device;
};

__attribute__((format(printf, 3, 4))) static void add(struct report *report, const char *name,
                                                      const char *format, ...) {
    if (report->fact_count == MOST_FACTS)
        return;
    struct fact *fact = &report->facts[report->fact_count++];
    va_list arguments;
    va_start(arguments, format);
    fact->name = name;
    vsnprintf(fact->text, sizeof fact->text, format, arguments);
    va_end(arguments);
}

/* ---- the machine --------------------------------------------------------------------------- */

/* -1: there is no such number. */
static int system_number(const char *name) {
    int (*ask)(const char *, void *, size_t *, void *, size_t);
    int number = 0;
    size_t size = sizeof number;
    *(void **)&ask = doctor_symbol("sysctlbyname");
    return ask != NULL && ask(name, &number, &size, NULL, 0) == 0 ? number : -1;
}

static void add_virtual(struct report *report, const struct mtlcap_machine *machine,
                        bool has_paravirtual) {
    static const char *const models[] = {"VirtualMac", "VMM-", "VMware", "Parallels"};
    char signs[384] = "";
    const char *between = "";
    size_t used = 0;
#define SIGN(...)                                                                                  \
    (used += (size_t)snprintf(signs + used, sizeof signs - used, "%s", between),                   \
     used += (size_t)snprintf(signs + used, sizeof signs - used, __VA_ARGS__), between = ", ")
    if (system_number("kern.hv_vmm_present") == 1)
        SIGN("kern.hv_vmm_present is 1");
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (strncmp(machine->model, models[i], strlen(models[i])) == 0)
            SIGN("the model is %.60s", machine->model);
    if (strstr(machine->chip, "(Virtual)") != NULL)
        SIGN("the chip is '%.120s'", machine->chip);
    if (has_paravirtual)
        SIGN("the Metal device is paravirtual");
#undef SIGN
    if (machine->virtual_machine == MTLCAP_UNKNOWN)
        add(report, "virtual", "it cannot be told%s%s", signs[0] != '\0' ? ": " : "", signs);
    else
        add(report, "virtual", "%s%s%s", machine->virtual_machine == 1 ? "yes" : "no",
            signs[0] != '\0' ? ": " : "", signs);
}

static void add_machine(struct report *report, const struct mtlcap_machine *machine) {
    char memory[64], numbers[16];
    int protection = doctor_protection(numbers, sizeof numbers);
    int translated = system_number("sysctl.proc_translated");
    catalog_bytes_text(machine->memory, memory, sizeof memory);
    if (machine->simulated == 1)
        add(report, "simulated", "this is not a Mac: the machine is the simulated Metal's");
    add(report, "system", "macOS %s",
        machine->os_version[0] != '\0' ? machine->os_version : "(unknown)");
    if (machine->chip_family > 0)
        add(report, "chip", "%s: GPU family Apple%d, %s of memory", machine->chip,
            machine->chip_family, memory);
    else
        add(report, "chip", "%s: its GPU's family cannot be told from the name; %s of memory",
            machine->chip[0] != '\0' ? machine->chip : "(unknown)", memory);
    if (numbers[0] == '\0')
        add(report, "sip", "it cannot be told here");
    else
        add(report, "sip", "%s (%s)",
            protection == 1   ? "on"
            : protection == 0 ? "off: Apple's own arm64e programs get inserted libraries too, and "
                                "die of one that has no such slice"
                              : "off in part",
            numbers);
    if (translated >= 0)
        add(report, "rosetta", "%s",
            translated == 1 ? "mtlcap itself runs translated: an arm64 build sees the chip's name"
                            : "no");
}

/* ---- Metal ----------------------------------------------------------------------------------- */

static const char *why_no_device(void) {
    const char *profile = getenv("MTLCAP_PROFILE");
    if (simulated_problem()[0] != '\0')
        return "there is no Metal here, and the simulated one cannot be loaded";
    if (profile != NULL && strstr(profile, "hide") != NULL)
        return "none: MTLCAP_PROFILE hides it";
    if (getenv("APP_SANDBOX_CONTAINER_ID") != NULL)
        return "none: this process is in a sandbox, which may deny it";
    return "none: the machine has no GPU that Metal knows (in a guest: start it with a graphics "
           "device; a process without a login session may see none)";
}

/* What `auto` would claim on the first device: applied in this process, and taken back. */
static void add_auto(struct report *report) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    if (mtlcap_apply_profile("auto", NULL) != MTLCAP_OK) {
        add(report, "auto", "would be refused: %.400s", mtlcap_last_error());
        return;
    }
    if (mtlcap_query(NULL, "apple", &answer) == MTLCAP_OK)
        add(report, "auto", "family Apple%s, which is Apple%s without it%s%s",
            answer.effective.text, answer.stock.text, answer.overridden ? ": " : "", answer.rule);
    mtlcap_restore();
}

static bool add_devices(struct report *report) {
    uint32_t count = 0;
    bool paravirtual = false;
    int status = mtlcap_device_count(&count);
    for (uint32_t i = 0; status == MTLCAP_OK && i < count; i++) {
        struct mtlcap_device device = MTLCAP_DEVICE_INIT;
        char text[300];
        if (mtlcap_device_info(i, &device) != MTLCAP_OK)
            continue;
        devices_describe(&device, text, sizeof text);
        paravirtual = paravirtual || device.paravirtual == 1;
        report->has_device = true;
        add(report, "device", "%s", text);
    }
    if (!report->has_device)
        add(report, "device", "%s", why_no_device());
    else
        add_auto(report);
    return paravirtual;
}

static void add_source(struct report *report) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    if (report->has_device && mtlcap_query(NULL, "apple", &answer) == MTLCAP_OK &&
        answer.source[0] != '\0' && strcmp(answer.source, "Metal") != 0)
        add(report, "shim", "another library answers in this process already: %s", answer.source);
}

static void add_host(struct report *report, const struct mtlcap_machine *machine) {
    if (machine->virtual_machine != 1)
        return;
    add(report, "host",
        "what the guest's GPU says is set on the host, too; for what a program is told it is not "
        "needed. There: defaults write com.apple.gpusw.ParavirtualizedGraphics "
        "ForceUnrestrictedDeviceFeatureLevel -bool true");
}

/* ---- our files ---------------------------------------------------------------------------------
 */

static bool is_quarantined(const char *path) {
    ssize_t (*ask)(const char *, const char *, void *, size_t, uint32_t, int);
    *(void **)&ask = doctor_symbol("getxattr");
    return ask != NULL && ask(path, "com.apple.quarantine", NULL, 0, 0, 0) >= 0;
}

static void add_library(struct report *report) {
    char problem[512];
    char *library = insertion_find_library(problem, sizeof problem);
    if (library == NULL)
        add(report, "library", "%s", problem);
    else if (is_quarantined(library))
        add(report, "library",
            "%s is quarantined, and macOS may refuse it: xattr -d com.apple.quarantine FILE",
            library);
    else
        add(report, "library", "%s", library);
    free(library);
}

/* ---- the environment
 * ----------------------------------------------------------------------------- */

static const char *owner(const char *variable) {
    static const struct {
        const char *start, *owner;
    } owners[] = {{"MTLCAP_", "libmtlcap"},
                  {"DYLD_", "dyld"},
                  {"METAL_", "Metal"},
                  {"MTL_", "Metal"},
                  {"SIMMETAL_", "the simulated Metal"},
                  {"GGML_METAL_", "llama.cpp"}};
    const struct foreign_tool *tool = foreign_variable_tool(variable);
    if (tool != NULL)
        return tool->name;
    if (strncmp(variable, insertion_variable, strlen(insertion_variable)) == 0)
        return "the loader";
    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++)
        if (strncmp(variable, owners[i].start, strlen(owners[i].start)) == 0)
            return owners[i].owner;
    return NULL;
}

static void add_variables(struct report *report) {
    char *const *list = environment_own();
    for (; *list != NULL; list++) {
        const char *whose = owner(*list);
        if (whose != NULL && report->variable_count < MOST_VARIABLES)
            report->variables[report->variable_count++] = (struct variable){*list, whose};
    }
}

static void add_insertions(struct report *report) {
    const char *rest = getenv(insertion_variable);
    while (rest != NULL && (rest += strspn(rest, insertion_separators), *rest != '\0')) {
        size_t length = strcspn(rest, insertion_separators);
        const struct foreign_tool *tool = insertion_tool(rest, length);
        add(report, "inserted", "%.*s, %s%s", (int)(length < 300 ? length : 300), rest,
            tool != NULL                      ? "of "
            : insertion_is_ours(rest, length) ? "of libmtlcap"
                                              : "not known here",
            tool != NULL ? tool->name : "");
        rest += length;
    }
}

/* ---- all of it
 * --------------------------------------------------------------------------------------- */

static void gather(struct report *report) {
    struct mtlcap_machine machine = MTLCAP_MACHINE_INIT;
    simulated_load();
    mtlcap_machine_info(&machine);
    add_machine(report, &machine);
    bool paravirtual = add_devices(report);
    add_virtual(report, &machine, paravirtual);
    add_source(report);
    add_host(report, &machine);
    add_library(report);
    add_insertions(report);
    add_variables(report);
}

static void write_text(const struct report *report) {
    for (unsigned i = 0; i < report->fact_count; i++) {
        output("%-10s ", report->facts[i].name);
        output_text(report->facts[i].text);
        output("\n");
    }
    for (unsigned i = 0; i < report->variable_count; i++) {
        output("%-10s ", "variable");
        output_text(report->variables[i].text);
        output(" (%s)\n", report->variables[i].whose);
    }
    if (report->variable_count == 0)
        output("%-10s none of Metal's, dyld's, ours or similar tools'\n", "variable");
}

static void write_json(const struct report *report) {
    struct json json = {.depth = 0};
    json_begin(&json, '{', JSON_LINES);
    json_key(&json, "mtlcap_doctor");
    json_number(&json, 1);
    json_key(&json, "mtlcap");
    json_string(&json, mtlcap_version());
    json_key(&json, "facts");
    json_begin(&json, '[', JSON_LINES);
    for (unsigned i = 0; i < report->fact_count; i++) {
        json_begin(&json, '{', JSON_INLINE);
        json_key(&json, "name");
        json_string(&json, report->facts[i].name);
        json_key(&json, "text");
        json_string(&json, report->facts[i].text);
        json_end(&json, '}');
    }
    json_end(&json, ']');
    json_key(&json, "variables");
    json_begin(&json, '[', JSON_LINES);
    for (unsigned i = 0; i < report->variable_count; i++) {
        json_begin(&json, '{', JSON_INLINE);
        json_key(&json, "variable");
        json_string(&json, report->variables[i].text);
        json_key(&json, "of");
        json_string(&json, report->variables[i].whose);
        json_end(&json, '}');
    }
    json_end(&json, ']');
    json_end(&json, '}');
}

int doctor_write_machine(bool json) {
    struct report *report = allocate(1, sizeof *report);
    gather(report);
    if (json)
        write_json(report);
    else
        write_text(report);
    int code = report->has_device ? CODE_OK : CODE_NO_DEVICE;
    free(report);
    return code;
}
