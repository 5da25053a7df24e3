/* Checks of what is assumed about the system: dyld, facts of the machine, scripts, Python. */
#define _GNU_SOURCE /* dladdr, RTLD_NOLOAD */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <mach-o/loader.h>
#endif

#include "environment.h"
#include "insertion.h"
#include "run.h"
#include "selftest.h"
#include "simulated.h"

struct finding check_pinned_image(void) {
    const char *(*version)(void) = mtlcap_version;
    void *address;
    uint32_t count;
    Dl_info info;
    memcpy(&address, &version, sizeof address);
    if (dladdr(address, &info) == 0 || info.dli_fname == NULL)
        return FAIL("the image that libmtlcap is in is not found");
    simulated_load();
    mtlcap_device_count(&count); /* from now on others may hold its table */
    void *image = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    if (image == NULL)
        return NOT_APPLICABLE("libmtlcap is in the command itself, '%s'", info.dli_fname);
    dlclose(image);
    dlclose(image);
    image = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    return image != NULL ? PASS("'%s' stays", info.dli_fname) : FAIL("it is gone");
}

struct finding check_signed_pointer(void) {
#if defined(__APPLE__) && defined(__arm64e__)
    return NOT_APPLICABLE("no check for arm64e yet");
#else
    return NOT_APPLICABLE("this process is not arm64e");
#endif
}

struct finding check_machine_facts(void) {
    struct mtlcap_machine machine = MTLCAP_MACHINE_INIT;
    char unknown[256] = "";
    simulated_load();
    mtlcap_machine_info(&machine);
    const struct {
        const char *name;
        bool known;
    } facts[] = {
        {"chip", machine.chip[0] != '\0'},
        {"model", machine.model[0] != '\0'},
        {"memory", machine.memory != 0},
        {"macOS version", machine.os_major != 0},
        {"virtual or not", machine.virtual_machine != MTLCAP_UNKNOWN},
        {"processor", machine.apple_silicon != MTLCAP_UNKNOWN},
        {"family of the chip's GPU", machine.chip_family != 0 || machine.apple_silicon == 0},
    };
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        size_t used = strlen(unknown);
        if (!facts[i].known)
            snprintf(unknown + used, sizeof unknown - used, "%s%s", used > 0 ? ", " : "",
                     facts[i].name);
    }
    return unknown[0] == '\0' ? PASS("all are known")
                              : FAIL("cannot be told: %s (chip '%s', model '%s')", unknown,
                                     machine.chip, machine.model);
}

struct finding check_program_sdk(void) {
#ifdef __APPLE__
    const struct mach_header_64 *header = (const struct mach_header_64 *)_dyld_get_image_header(0);
    const unsigned char *command = (const unsigned char *)(header + 1);
    for (uint32_t i = 0; header->magic == MH_MAGIC_64 && i < header->ncmds; i++) {
        const struct load_command *load = (const struct load_command *)command;
        if (load->cmd == LC_BUILD_VERSION)
            return PASS("LC_BUILD_VERSION: SDK %u",
                        ((const struct build_version_command *)command)->sdk >> 16);
        if (load->cmd == LC_VERSION_MIN_MACOSX)
            return PASS("LC_VERSION_MIN_MACOSX: SDK %u",
                        ((const struct version_min_command *)command)->sdk >> 16);
        command += load->cmdsize;
    }
    return FAIL("image 0 has neither command");
#else
    return NOT_APPLICABLE("on a Mac only");
#endif
}

struct finding check_secure_execution(void) {
    int (*tainted)(void);
    *(void **)&tainted = selftest_symbol("issetugid");
    if (tainted == NULL)
        return NOT_APPLICABLE("there is no issetugid() here; AT_SECURE tells");
    return tainted() == 0 ? PASS("issetugid() is 0")
                          : FAIL("issetugid() is not 0, so the library does nothing");
}

struct finding check_loader_lock(void) {
    return NOT_APPLICABLE("what is known of dyld's locks is in its published sources");
}

struct finding check_orphaned_pipe(void) {
    int ends[2];
    if (pipe(ends) != 0)
        return FAIL("pipe() failed: %s", strerror(errno));
    struct pollfd writer = {.fd = ends[1], .events = POLLOUT};
    close(ends[0]);
    const int count = poll(&writer, 1, 0);
    close(ends[1]);
    return count == 1 && writer.revents & (POLLHUP | POLLERR)
               ? PASS("poll() tells that it has no reader")
               : FAIL("poll() returned %d, events 0x%x", count, (unsigned)writer.revents);
}

struct finding check_terminal_signals(void) {
    return NOT_APPLICABLE("press Ctrl-C in 'mtlcap run -- PROGRAM': it is to come once");
}

/* What a program that prints its arguments gets of "#!PROGRAM one two". */
struct finding check_script_line(void) {
    static const char text[] = "#!/bin/echo one  two\n";
#ifdef __APPLE__
    static const char expected[] = "one two ";
#else
    static const char expected[] = "one  two ";
#endif
    const char *temporary = getenv("TMPDIR");
    char *path = joined(temporary != NULL && temporary[0] == '/' ? temporary : "/tmp",
                        "/mtlcap-XXXXXX", NULL);
    int script = mkstemp(path);
    bool written = script >= 0 && write(script, text, sizeof text - 1) == sizeof text - 1 &&
                   fchmod(script, S_IRUSR | S_IXUSR) == 0;
    if (script >= 0)
        close(script);
    const char *arguments[] = {path, NULL};
    struct child child = {.status = -1, .problem = "no script can be written"};
    if (written)
        child = selftest_start(path, arguments, (const char *const[]){NULL});
    if (script >= 0)
        unlink(path);
    free(path);
    if (child.status == -1)
        return NOT_APPLICABLE("%s", child.problem);
    child.text[strcspn(child.text, "\n")] = '\0';
    return strncmp(child.text, expected, strlen(expected)) == 0
               ? PASS("as 'mtlcap run' takes it: %s", child.text)
               : FAIL("it gets: %s", child.text);
}

struct finding check_python_launcher(void) {
    static const char *const name[] = {"python3", NULL};
    const char *path = getenv("PATH");
    struct program program;
    bool found = false;
    for (const char *folder = path; folder != NULL && !found; folder = strchr(folder, ':')) {
        folder += *folder == ':';
        char *file = allocate(strcspn(folder, ":") + sizeof "/python3", 1);
        memcpy(file, folder, strcspn(folder, ":"));
        strcat(file, "/python3");
        found = access(file, X_OK) == 0;
        free(file);
    }
    if (!found)
        return NOT_APPLICABLE("there is no python3 in PATH");
    char **arguments;
    const char *const *names = name;
    memcpy(&arguments, &names, sizeof arguments);
    int code = program_find(arguments, environment_own(), &program);
    struct finding seen = program.script != NULL
                              ? NOT_APPLICABLE("it is a script, %s", program.script)
                              : NOT_APPLICABLE("it is no framework's: %s", program.path);
    if (code != CODE_OK)
        seen = FAIL("it is not found by 'mtlcap run'");
    else if (environment_get(&program.environment, "__PYVENV_LAUNCHER__") != NULL)
        seen = PASS("%s is started", program.path);
    else if (strstr(program.path, "Python.framework") != NULL &&
             strstr(program.path, "Python.app") == NULL)
        seen =
            FAIL("%s is a framework's, and has no Python.app where it is expected", program.path);
    program_free(&program);
    return seen;
}
