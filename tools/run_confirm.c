/* Was the profile applied? The receipts that the library writes tell. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "insertion.h"
#include "output.h"
#include "run.h"

/* ---- what a receipt says --------------------------------------------------- */

/* The greatest of those of all processes is what is said of them together. */
enum verdict {
    VERDICT_NOT_ASKED, /* for a device */
    VERDICT_NO_DEVICE,
    VERDICT_APPLIED,
    VERDICT_FAILED, /* in one of them, or it cannot be read */
};

static enum verdict verdict_of(const struct receipt_file *file) {
    static const struct {
        const char *stage;
        enum verdict verdict;
    } stages[] = {
        {"loaded", VERDICT_NOT_ASKED}, {"no-device", VERDICT_NO_DEVICE},
        {"applied", VERDICT_APPLIED},  {"hidden", VERDICT_APPLIED},
        {"restored", VERDICT_APPLIED},
    };
    for (size_t i = 0; file->readable && i < sizeof stages / sizeof stages[0]; i++)
        if (strcmp(file->receipt.stage, stages[i].stage) == 0)
            return stages[i].verdict;
    return VERDICT_FAILED;
}

/* Of equal ones that of the program, then that of the lowest number. */
static bool is_before(const struct receipt_file *one, const struct receipt_file *other,
                      pid_t process) {
    if ((one->process == process) != (other->process == process))
        return one->process == process;
    return one->process < other->process;
}

/* The receipt that decides; NULL: there is none. */
static const struct receipt_file *decide(const struct receipt_list *list, pid_t process,
                                         enum verdict *verdict) {
    const struct receipt_file *best = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct receipt_file *file = &list->files[i];
        enum verdict its = verdict_of(file);
        if (best == NULL || its > *verdict || (its == *verdict && is_before(file, best, process))) {
            best = file;
            *verdict = its;
        }
    }
    return best;
}

/* ---- what is said of it ---------------------------------------------------- */

static void tell_not_loaded(struct confirmation *confirmation, const char *when) {
    if (confirmation->told)
        return;
    confirmation->told = true;
    complain("'%s' has left no receipt%s: it cannot be told whether the profile was applied",
             confirmation->program->path, when);
#ifdef __APPLE__
    complain_more("Likely: %s was not loaded: the program has the hardened runtime or library "
                  "validation ('codesign -d -vv' tells), is for another processor, or executed "
                  "another one at once. If the receipt could not be written, the library has said "
                  "why.",
                  insertion_library);
#else
    complain_more("Likely: %s was not loaded: the program is privileged or statically linked, or "
                  "executed another one at once. What the loader printed tells more. If the "
                  "receipt could not be written, the library has said why.",
                  insertion_library);
#endif
}

static void tell_not_asked(const struct confirmation *confirmation, const char *reason) {
    const char *path = confirmation->program->path;
    if (reason[0] != '\0') {
        complain("the profile '%s' was not applied in '%s': %s", confirmation->injection->profile,
                 path, reason);
        return;
    }
    if (confirmation->told)
        return; /* as was to be expected */
    if (confirmation->injection->inherit)
        complain("neither '%s' nor what it started asked Metal for a device", path);
    else
        complain("'%s' ended without asking Metal for a device; if another program that it starts "
                 "does, name that one, or use --children inherit",
                 path);
}

static void tell_failed(const struct confirmation *confirmation, const char *path,
                        const struct receipt_file *file) {
    const struct receipt *receipt = &file->receipt;
    if (!file->readable)
        complain("the receipt of '%s' cannot be read: %s", path, file->problem);
    else if (strcmp(receipt->step, "require") == 0)
        complain("what was required does not hold in '%s': %s", path, receipt->reason);
    else
        complain("the profile '%s' was not applied in '%s': %s%s%s",
                 confirmation->injection->profile, path, receipt->step,
                 receipt->step[0] != '\0' ? ": " : "", receipt->reason);
}

void confirm_so_far(pid_t process, void *context) {
    struct confirmation *confirmation = context;
    struct receipt_list list = receipts_read(&confirmation->receipts);
    enum verdict verdict;
    const struct receipt_file *decides = decide(&list, process, &verdict);
    if (decides != NULL)
        receipts_copy(&confirmation->receipts, &list, decides);
    else
        tell_not_loaded(confirmation, " so far");
    receipt_list_free(&list);
}

/* Its own last words are missing, though no signal has ended it. */
static bool is_cut(const struct receipt_file *file, const struct start *start) {
    return file->process == start->process && WIFEXITED(start->status) && !file->receipt.exiting;
}

static void tell(const struct confirmation *confirmation, const struct receipt_file *file,
                 enum verdict verdict, const struct start *start) {
    const char *path = confirmation->program->path;
    if (file->process != start->process && file->receipt.program[0] != '\0')
        path = file->receipt.program;
    switch (verdict) {
    case VERDICT_NOT_ASKED:
        tell_not_asked(confirmation, file->receipt.reason);
        break;
    case VERDICT_NO_DEVICE:
        complain("'%s' asked Metal for a device, and there was none", path);
        break;
    case VERDICT_APPLIED:
        if (file->receipt.reason[0] != '\0')
            inform("confirmed by its receipt: %s in process %ld: %s", file->receipt.stage,
                   (long)file->process, file->receipt.reason);
        else
            inform("confirmed by its receipt: %s in process %ld", file->receipt.stage,
                   (long)file->process);
        if (is_cut(file, start))
            inform("that is not from the end of '%s': it ended by _exit(), or became another "
                   "program (exec), about which nothing is known",
                   path);
        break;
    case VERDICT_FAILED:
        tell_failed(confirmation, path, file);
    }
}

bool confirm_end(struct confirmation *confirmation, const struct start *start) {
    struct receipt_list list = receipts_read(&confirmation->receipts);
    enum verdict verdict = VERDICT_NOT_ASKED;
    const struct receipt_file *decides = decide(&list, start->process, &verdict);
    bool copied = false;
    if (decides != NULL) {
        tell(confirmation, decides, verdict, start);
        copied = receipts_copy(&confirmation->receipts, &list, decides);
    } else {
        tell_not_loaded(confirmation, "");
    }
    receipt_list_free(&list);
    return copied && verdict == VERDICT_APPLIED;
}
