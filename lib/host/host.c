/* Turns the answers of sysctlbyname into facts of the machine. */
#include "host.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------ */

static void read_text(const char *name, char *text, size_t size) {
    size_t length = size - 1;

    if (mtlcap__host_sysctl(name, text, &length) != 0 || length >= size)
        length = 0;
    text[length] = '\0';
}

/* -1: no such fact. */
static int read_int(const char *name) {
    int value = 0;
    size_t size = sizeof value;

    if (mtlcap__host_sysctl(name, &value, &size) != 0 || size != sizeof value)
        return -1;
    return value;
}

static uint64_t read_uint64(const char *name) {
    uint64_t value = 0;
    size_t size = sizeof value;

    if (mtlcap__host_sysctl(name, &value, &size) != 0 || size != sizeof value)
        return 0;
    return value;
}

static bool starts_with(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* A number of at most four digits at *text, which moves past it; -1: none. */
static int read_number(const char **text) {
    int value = 0, digits = 0;

    while (isdigit((unsigned char)**text) && digits < 4) {
        value = value * 10 + (*(*text)++ - '0');
        digits++;
    }
    return digits == 0 || isdigit((unsigned char)**text) ? -1 : value;
}

/* ---- the chip ----------------------------------------------------------- */

static const struct {
    char line; /* M or A */
    int number, family;
} chips[] = {
    {'M', 1, 7},  {'M', 2, 8},  {'M', 3, 9},  {'M', 4, 9},  {'M', 5, 10},  {'A', 14, 7},
    {'A', 15, 8}, {'A', 16, 8}, {'A', 17, 9}, {'A', 18, 9}, {'A', 19, 10},
};

int mtlcap__host_chip_family(const char *brand_string) {
    static const char maker[] = "Apple ";
    const char *text = brand_string + strlen(maker);
    int family = 0;

    if (!starts_with(brand_string, maker) || *text == '\0')
        return 0;
    char line = *text++;
    int number = read_number(&text);
    if (number < 0 || (*text != '\0' && *text != ' '))
        return 0;
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)
        if (chips[i].line == line && chips[i].number <= number)
            family = chips[i].family; /* the table ascends: at its end for a newer chip */
    return family;
}

int mtlcap__host_gpu_family(const struct mtlcap__host *host) {
    if (host->apple_silicon != 1)
        return 0;
    return host->chip_family > 0 ? host->chip_family : chips[0].family;
}

/* ---- facts -------------------------------------------------------------- */

/* Each source can be missing, and each of them alone misses some virtual machine. */
static int find_virtual_machine(const struct mtlcap__host *host) {
    int hypervisor = read_int("kern.hv_vmm_present");

    if (hypervisor > 0 || starts_with(host->model, "VirtualMac") ||
        starts_with(host->model, "VMM-") || strstr(host->chip, "(Virtual)") != NULL)
        return 1;
    return hypervisor == 0 ? 0 : -1;
}

static int find_apple_silicon(const struct mtlcap__host *host) {
    bool under_rosetta = read_int("sysctl.proc_translated") == 1;
    int arm64 = read_int("hw.optional.arm64");

    if (under_rosetta || arm64 == 1 || starts_with(host->chip, "Apple ") ||
        starts_with(host->chip, "VirtualApple"))
        return 1;
    return arm64 == 0 || host->chip[0] != '\0' ? 0 : -1;
}

static void read_os_version(struct mtlcap__host *host) {
    const char *text = host->os_version;

    read_text("kern.osproductversion", host->os_version, sizeof host->os_version);
    int major = read_number(&text);
    int minor = *text == '.' ? (text++, read_number(&text)) : 0;
    host->os_major = major < 0 ? 0 : major;
    host->os_minor = minor < 0 ? 0 : minor;
}

/* To a program linked to an old SDK macOS gives another version: 10.16 since macOS 11, 16 since
 * macOS 26. The kernel's own version tells them apart: 20 is macOS 11, and so on to 24, macOS 15;
 * 25 is macOS 26. */
static void undo_version_compatibility(struct mtlcap__host *host) {
    bool for_old_programs = (host->os_major == 10 && host->os_minor == 16) || host->os_major == 16;
    char release[32];
    const char *text = release;

    if (!for_old_programs)
        return;
    read_text("kern.osrelease", release, sizeof release);
    int darwin = read_number(&text);
    if (darwin < 20)
        return;
    host->os_major = darwin < 25 ? darwin - 9 : darwin + 1;
    host->os_minor = 0;
    snprintf(host->os_version, sizeof host->os_version, "%d", host->os_major);
}

void mtlcap__host_read(struct mtlcap__host *host) {
    memset(host, 0, sizeof *host);
    read_text("machdep.cpu.brand_string", host->chip, sizeof host->chip);
    read_text("hw.model", host->model, sizeof host->model);
    read_os_version(host);
    undo_version_compatibility(host);
    host->memory = read_uint64("hw.memsize");
    host->virtual_machine = find_virtual_machine(host);
    host->apple_silicon = find_apple_silicon(host);
    host->chip_family = mtlcap__host_chip_family(host->chip);
    host->program_sdk = mtlcap__host_program_sdk();
    host->simulated = mtlcap__host_simulated();
}
