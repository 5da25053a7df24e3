/* Was the profile applied? The receipt that the library writes tells. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "insertion.h"
#include "output.h"
#include "receipt.h"
#include "run.h"

/* ---- where receipts are -------------------------------------------------------- */

/* Can the file that the user named be written? What is there is of another process, and would be
 * taken for this one's if this one leaves none. */
static int check_place(const struct confirmation *confirmation) {
    const char *reason = NULL;
    struct stat status;
    char *folder = joined(confirmation->pattern, NULL);
    strrchr(folder, '/')[1] = '\0';
    if (strchr(folder, '%') == NULL && access(folder, W_OK | X_OK) != 0)
        reason = strerror(errno);
    free(folder);
    if (strchr(confirmation->pattern, '%') == NULL && lstat(confirmation->pattern, &status) == 0) {
        if (!S_ISREG(status.st_mode))
            reason = "it is not a regular file";
        else if (reason == NULL && unlink(confirmation->pattern) != 0)
            reason = strerror(errno);
    }
    if (reason == NULL)
        return CODE_OK;
    complain("the receipt '%s' cannot be written: %s", confirmation->injection->receipt, reason);
    return CODE_IO;
}

int confirm_start(struct confirmation *confirmation, const struct injection *injection,
                  const struct program *program) {
    *confirmation = (struct confirmation){.injection = injection, .program = program};
    if (injection->receipt != NULL) {
        confirmation->pattern = absolute_path(injection->receipt);
        return check_place(confirmation);
    }
    const char *temporary = getenv("TMPDIR");
    bool usable = temporary != NULL && temporary[0] == '/';
    confirmation->folder = joined(usable ? temporary : "/tmp", "/mtlcap-XXXXXX", NULL);
    if (mkdtemp(confirmation->folder) == NULL) {
        complain("no folder for the receipt can be made, '%s': %s; --receipt FILE names a place",
                 confirmation->folder, strerror(errno));
        free(confirmation->folder);
        confirmation->folder = NULL;
        return CODE_INTERNAL;
    }
    confirmation->pattern = joined("", NULL);
    for (const char *c = confirmation->folder; *c != '\0'; c++) {
        char one[3] = {*c, *c == '%' ? '%' : '\0', '\0'};
        char *longer = joined(confirmation->pattern, one, NULL);
        free(confirmation->pattern);
        confirmation->pattern = longer;
    }
    char *pattern = joined(confirmation->pattern, "/%p", NULL);
    free(confirmation->pattern);
    confirmation->pattern = pattern;
    return CODE_OK;
}

void confirm_clean(struct confirmation *confirmation) {
    DIR *folder = confirmation->folder != NULL ? opendir(confirmation->folder) : NULL;
    if (folder != NULL) {
        const struct dirent *entry;
        while ((entry = readdir(folder)) != NULL) {
            char *path = joined(confirmation->folder, "/", entry->d_name, NULL);
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                unlink(path);
            free(path);
        }
        closedir(folder);
        rmdir(confirmation->folder);
    }
    free(confirmation->folder);
    free(confirmation->pattern);
}

/* The file of a process: %p is its number, %% a percent sign. */
static char *receipt_path(const char *pattern, pid_t process) {
    enum { NUMBER = 24 };
    char *path = allocate(strlen(pattern) * NUMBER + 1, 1), *end = path;
    for (; *pattern != '\0'; pattern++) {
        if (pattern[0] == '%' && pattern[1] == 'p')
            end += snprintf(end, NUMBER, "%ld", (long)process);
        else
            *end++ = *pattern;
        if (pattern[0] == '%' && (pattern[1] == 'p' || pattern[1] == '%'))
            pattern++;
    }
    return path;
}

static enum receipt_result read_receipt(const struct confirmation *confirmation, pid_t process,
                                        struct receipt *receipt, char *problem, size_t size) {
    char *path = receipt_path(confirmation->pattern, process);
    enum receipt_result result = receipt_read(path, receipt, problem, size);
    if (result == RECEIPT_READ && receipt->process != process && !confirmation->injection->inherit)
        result = RECEIPT_NONE;
    free(path);
    return result;
}

/* ---- what they say ------------------------------------------------------------- */

static bool is_applied(const struct receipt *receipt) {
    return strcmp(receipt->stage, "applied") == 0 || strcmp(receipt->stage, "hidden") == 0 ||
           strcmp(receipt->stage, "restored") == 0;
}

/* Children that inherit the library leave receipts beside the program's. */
static bool child_applied(const struct confirmation *confirmation) {
    DIR *folder = confirmation->folder != NULL ? opendir(confirmation->folder) : NULL;
    const struct dirent *entry;
    bool applied = false;
    while (folder != NULL && !applied && (entry = readdir(folder)) != NULL) {
        char problem[256];
        struct receipt receipt;
        char *path = joined(confirmation->folder, "/", entry->d_name, NULL);
        applied = receipt_read(path, &receipt, problem, sizeof problem) == RECEIPT_READ &&
                  is_applied(&receipt);
        free(path);
    }
    if (folder != NULL)
        closedir(folder);
    return applied;
}

static void tell_not_loaded(struct confirmation *confirmation, const char *when) {
    if (confirmation->told)
        return;
    confirmation->told = true;
    complain("'%s' has left no receipt%s: %s was not loaded into it, and what it asks Metal is "
             "answered as without",
             confirmation->program->path, when, insertion_library);
#ifdef __APPLE__
    complain_more("Likely: it has the hardened runtime or library validation ('codesign -d -vv' "
                  "tells), is for another processor, or executed another program at once.");
#else
    complain_more("Likely: it is privileged or statically linked, or executed another program at "
                  "once. What the loader printed tells more.");
#endif
}

static bool is_loaded_only(const struct receipt *receipt) {
    return strcmp(receipt->stage, "loaded") == 0;
}

void confirm_early(pid_t process, void *context) {
    struct confirmation *confirmation = context;
    struct receipt receipt;
    char problem[256];
    if (read_receipt(confirmation, process, &receipt, problem, sizeof problem) == RECEIPT_NONE)
        tell_not_loaded(confirmation, " so far");
}

static bool tell_receipt(const struct confirmation *confirmation, const struct receipt *receipt) {
    const char *path = confirmation->program->path;
    if (is_applied(receipt) || (confirmation->injection->inherit && child_applied(confirmation))) {
        inform("confirmed by its receipt: %s in process %lld", receipt->stage, receipt->process);
        return true;
    }
    if (is_loaded_only(receipt) && confirmation->told)
        return false; /* as was to be expected */
    if (is_loaded_only(receipt))
        complain("'%s' ended without asking Metal for a device%s", path,
                 confirmation->injection->inherit
                     ? ""
                     : "; if another program that it starts does, name that one, or use --children "
                       "inherit");
    else if (strcmp(receipt->stage, "no-device") == 0)
        complain("'%s' asked Metal for a device, and there was none", path);
    else if (strcmp(receipt->step, "require") == 0)
        complain("what was required does not hold in '%s': %s", path, receipt->reason);
    else
        complain("the profile '%s' was not applied in '%s': %s%s%s",
                 confirmation->injection->profile, path, receipt->step,
                 receipt->step[0] != '\0' ? ": " : "", receipt->reason);
    return false;
}

bool confirm_end(struct confirmation *confirmation, pid_t process) {
    struct receipt receipt;
    char problem[256];
    switch (read_receipt(confirmation, process, &receipt, problem, sizeof problem)) {
    case RECEIPT_READ:
        return tell_receipt(confirmation, &receipt);
    case RECEIPT_BAD:
        complain("the receipt of '%s' cannot be read: %s", confirmation->program->path, problem);
        return false;
    default:
        tell_not_loaded(confirmation, "");
        return false;
    }
}
