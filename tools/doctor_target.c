/* The machine that a program is to run on: this one if it is a Mac, or what --machine says. */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mtlcap/mtlcap.h>

#include "args.h"
#include "doctor.h"
#include "environment.h"
#include "output.h"

void *doctor_symbol(const char *name) {
#ifdef __APPLE__
    return dlsym(RTLD_DEFAULT, name);
#else
    (void)name;
    return NULL;
#endif
}

int doctor_protection(char *text, size_t size) {
    enum { UNRESTRICTED_FILES = 0x2, TASKS = 0x4, OFF = UNRESTRICTED_FILES | TASKS };
    int (*ask)(uint32_t *);
    uint32_t configuration = 0;
    *(void **)&ask = doctor_symbol("csr_get_active_config");
    text[0] = '\0';
    if (ask == NULL || ask(&configuration) != 0)
        return -1;
    snprintf(text, size, "%#x", (unsigned)configuration);
    if (configuration == 0)
        return 1;
    return (configuration & OFF) == OFF ? 0 : -1;
}

struct doctor_target doctor_target_here(void) {
    struct doctor_target target = {.sip = -1, .arm64 = -1};
#ifdef __APPLE__
    struct mtlcap_machine machine = MTLCAP_MACHINE_INIT;
    char text[16];
    target.sip = doctor_protection(text, sizeof text);
    if (mtlcap_machine_info(&machine) == MTLCAP_OK) {
        target.macos = machine.os_major;
        target.arm64 = machine.apple_silicon == 1 ? 1 : machine.apple_silicon == 0 ? 0 : -1;
    }
#endif
    return target;
}

bool doctor_is_apples(const char *path) {
    static const char *const folders[] = {"/bin/",      "/sbin/",        "/usr/bin/",
                                          "/usr/sbin/", "/usr/libexec/", "/System/"};
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0)
            return true;
    return false;
}

const char *doctor_apples_named(const char *name) {
    static const char *const programs[] = {
        "/bin/bash",     "/bin/cat",      "/bin/cp",       "/bin/csh",      "/bin/dash",
        "/bin/date",     "/bin/dd",       "/bin/df",       "/bin/echo",     "/bin/expr",
        "/bin/kill",     "/bin/ksh",      "/bin/ln",       "/bin/ls",       "/bin/mkdir",
        "/bin/mv",       "/bin/ps",       "/bin/pwd",      "/bin/rm",       "/bin/sh",
        "/bin/sleep",    "/bin/tcsh",     "/bin/test",     "/bin/zsh",      "/usr/bin/awk",
        "/usr/bin/curl", "/usr/bin/cut",  "/usr/bin/env",  "/usr/bin/find", "/usr/bin/grep",
        "/usr/bin/head", "/usr/bin/nice", "/usr/bin/perl", "/usr/bin/sed",  "/usr/bin/sort",
        "/usr/bin/tail", "/usr/bin/tar",  "/usr/bin/tee",  "/usr/bin/time", "/usr/bin/tr",
        "/usr/bin/true", "/usr/bin/wc",   "/usr/bin/xargs"};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (strcmp(strrchr(programs[i], '/') + 1, name) == 0)
            return programs[i];
    return NULL;
}

/* ---- --machine ---------------------------------------------------------------------- */

static int bad_machine(const char *item, const char *right) {
    complain("--machine: '%s' is not known: %s", item, right);
    complain_more("'mtlcap help doctor' explains.");
    return CODE_USAGE;
}

/* Of "26" or "14.5"; 0: it is none. */
static int major_version(const char *text) {
    char major[3] = "";
    unsigned long long number;
    size_t length = strcspn(text, ".");
    if (length != 2)
        return 0;
    memcpy(major, text, length);
    return parse_number(major, &number) && number >= 11 ? (int)number : 0;
}

static int take_item(const char *item, struct doctor_target *target) {
    const char *value = strchr(item, '=');
    size_t length = value != NULL ? (size_t)(value++ - item) : 0;
    if (length == 3 && strncmp(item, "sip", 3) == 0) {
        target->sip = strcmp(value, "on") == 0 ? 1 : strcmp(value, "off") == 0 ? 0 : -1;
        return target->sip >= 0 ? CODE_OK : bad_machine(item, "sip=on or sip=off");
    }
    if (length == 4 && strncmp(item, "arch", 4) == 0) {
        target->arm64 = strcmp(value, "arm64") == 0 ? 1 : strcmp(value, "x86_64") == 0 ? 0 : -1;
        return target->arm64 >= 0 ? CODE_OK : bad_machine(item, "arch=arm64 or arch=x86_64");
    }
    if (length == 5 && strncmp(item, "macos", 5) == 0) {
        target->macos = major_version(value);
        return target->macos > 0 ? CODE_OK : bad_machine(item, "macos=11 or later");
    }
    return bad_machine(item, "write sip=, macos= and arch=, joined by commas");
}

int doctor_target_parse(const char *text, struct doctor_target *target) {
    int code = CODE_OK;
    while (code == CODE_OK) {
        size_t length = strcspn(text, ",");
        char *item = joined(text, NULL);
        item[length] = '\0';
        code = take_item(item, target);
        free(item);
        if (text[length] == '\0')
            break;
        text += length + 1;
    }
    return code;
}
