/*
 * Checks of what injection assumes about dyld: this command starts itself with the library
 * inserted, as `mtlcap selftest inside`, and reads what that process says, and its receipt.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command.h"
#include "environment.h"
#include "insertion.h"
#include "output.h"
#include "receipt.h"
#include "selftest.h"
#include "simulated.h"

/* ---- inside --------------------------------------------------------------------------- */

/* "name: yes" lines, for the checks. */
static void say(const char *name, bool is) {
    output("%s: %s\n", name, is ? "yes" : "no");
}

int selftest_inside(void) {
    struct environment environment = environment_copy(environment_own());
    const char *path = environment_get(&environment, "MTLCAP_RECEIPT");
    const char *inserted = environment_get(&environment, insertion_variable);
    struct receipt receipt;
    char problem[256];
    Dl_info info;
    say("receipt at the beginning",
        path != NULL && receipt_read(path, &receipt, problem, sizeof problem) == RECEIPT_READ);
    say("in the environment", inserted != NULL && strstr(inserted, insertion_library) != NULL);
    simulated_load();
    void *(*list)(void);
    void *address = selftest_symbol("MTLCopyAllDevices");
    say("dlsym gives ours", address != NULL && dladdr(address, &info) != 0 &&
                                insertion_is_ours(info.dli_fname, strlen(info.dli_fname)));
    *(void **)&list = address;
    if (list != NULL)
        list();
    environment_free(&environment);
    return CODE_OK;
}

/* ---- outside ---------------------------------------------------------------------------- */

struct inside {
    struct child child;
    struct receipt receipt;
    bool has_receipt;
};

/* Starts `path` with the library inserted. False: `why` says why there is nothing to see. */
static bool start(const char *path, const char *const *arguments, struct inside *inside,
                  struct finding *why) {
    char problem[512];
    char *library = insertion_find_library(problem, sizeof problem);
    const char *temporary = getenv("TMPDIR");
    char *folder = joined(temporary != NULL && temporary[0] == '/' ? temporary : "/tmp",
                          "/mtlcap-XXXXXX", NULL);
    bool made = library != NULL && mkdtemp(folder) != NULL;
    if (made) {
        char *receipt = joined(folder, "/receipt", NULL);
        char *entries = insertion_edit(getenv(insertion_variable), library, false);
        char *variables[] = {joined(insertion_variable, "=", entries, NULL),
                             joined("MTLCAP_RECEIPT=", receipt, NULL),
                             joined("MTLCAP_PROFILE=apple.max=2", NULL),
                             joined("MTLCAP_DISABLE=", NULL), NULL};
        inside->child = selftest_start(path, arguments, (const char *const *)variables);
        inside->has_receipt =
            receipt_read(receipt, &inside->receipt, problem, sizeof problem) == RECEIPT_READ;
        unlink(receipt);
        rmdir(folder);
        free(receipt);
        free(entries);
        for (char **variable = variables; *variable != NULL; variable++)
            free(*variable);
        if (inside->child.status == -1)
            *why = FAIL("%s", inside->child.problem);
    } else {
        *why = library == NULL ? NOT_APPLICABLE("%s", problem)
                               : FAIL("no folder can be made: %s", folder);
    }
    free(folder);
    free(library);
    return made && inside->child.status != -1;
}

static bool start_inside(struct inside *inside, struct finding *why) {
    static const char *const arguments[] = {"mtlcap", "selftest", "inside", NULL};
    if (!start(selftest_program(), arguments, inside, why))
        return false;
    if (!WIFEXITED(inside->child.status) || WEXITSTATUS(inside->child.status) != 0) {
        *why = FAIL("with the library inserted this command ends with %s %d",
                    WIFEXITED(inside->child.status) ? "exit code" : "signal",
                    WIFEXITED(inside->child.status) ? WEXITSTATUS(inside->child.status)
                                                    : WTERMSIG(inside->child.status));
        return false;
    }
    return true;
}

static bool said(const struct inside *inside, const char *line) {
    return strstr(inside->child.text, line) != NULL;
}

struct finding check_interposed(void) {
    struct inside inside;
    struct finding why;
    if (!start_inside(&inside, &why))
        return why;
    const struct receipt *receipt = &inside.receipt;
    if (!inside.has_receipt)
        return FAIL("there is no receipt: the library was not loaded");
    uint32_t count = 0;
    if (strcmp(receipt->stage, "no-device") == 0 &&
        (mtlcap_device_count(&count) != MTLCAP_OK || count == 0))
        return NOT_APPLICABLE("this machine has no Metal device");
    return strcmp(receipt->stage, "applied") == 0 && receipt->interposed
               ? PASS("applied, interposed")
               : FAIL("its receipt says %s, %sinterposed. %s", receipt->stage,
                      receipt->interposed ? "" : "not ", receipt->reason);
}

struct finding check_dlsym_interposed(void) {
    struct inside inside;
    struct finding why;
    if (!start_inside(&inside, &why))
        return why;
    return said(&inside, "dlsym gives ours: yes\n") ? PASS("it is the library's")
                                                    : FAIL("it is not the library's");
}

struct finding check_initialiser_order(void) {
    struct inside inside;
    struct finding why;
    if (!start_inside(&inside, &why))
        return why;
    return said(&inside, "receipt at the beginning: yes\n") ? PASS("it is there")
                                                            : FAIL("it is not there");
}

struct finding check_environment_edited(void) {
    struct inside inside;
    struct finding why;
    if (!start_inside(&inside, &why))
        return why;
    return said(&inside, "in the environment: no\n") ? PASS("our entry is gone")
                                                     : FAIL("our entry is still there");
}

struct finding check_exit_handler(void) {
    struct inside inside;
    struct finding why;
    if (!start_inside(&inside, &why))
        return why;
    if (!inside.has_receipt)
        return FAIL("there is no receipt");
    return inside.receipt.exiting ? PASS("it was written at the end")
                                  : FAIL("it was not written at the end");
}

struct finding check_weak_metal(void) {
    return NOT_APPLICABLE("no system without Metal");
}

struct finding check_protected_programs(void) {
#ifdef __APPLE__
    static const char *const arguments[] = {"true", NULL};
    struct inside inside;
    struct finding why;
    if (!start("/usr/bin/true", arguments, &inside, &why))
        return why;
    if (inside.has_receipt)
        return NOT_APPLICABLE("SIP is off: it loads the library");
    if (WIFSIGNALED(inside.child.status))
        return NOT_APPLICABLE("SIP is off: /usr/bin/true is killed, by signal %d",
                              WTERMSIG(inside.child.status));
    return PASS("the variable is ignored in silence");
#else
    return NOT_APPLICABLE("on a Mac only");
#endif
}

struct finding check_missing_library(void) {
#ifdef __APPLE__
    static const char *const arguments[] = {"mtlcap", "version", NULL};
    static const char *const variables[] = {
        "DYLD_INSERT_LIBRARIES=/nonexistent/libmtlcap-inject.dylib", NULL};
    struct child child = selftest_start(selftest_program(), arguments, variables);
    if (child.status == -1)
        return FAIL("%s", child.problem);
    return WIFSIGNALED(child.status)
               ? PASS("it is ended by signal %d", WTERMSIG(child.status))
               : FAIL("it is not ended: exit code %d", WEXITSTATUS(child.status));
#else
    return NOT_APPLICABLE("on a Mac only: elsewhere the loader says so, and goes on");
#endif
}

struct finding check_arm64e(void) {
    return NOT_APPLICABLE("Apple's own are protected, or macOS kills them: see 35");
}
