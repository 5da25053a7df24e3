/* Where the receipts of a run are, and what they are. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "injection.h"
#include "output.h"
#include "run.h"

/* ---- names ----------------------------------------------------------------- */

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

/* Does the pattern name one file for each process? */
static bool names_processes(const char *pattern) {
    for (; *pattern != '\0'; pattern++) {
        if (pattern[0] != '%')
            continue;
        if (pattern[1] == 'p')
            return true;
        if (pattern[1] == '%')
            pattern++;
    }
    return false;
}

/* ---- places ---------------------------------------------------------------- */

/* Can the file that the user named be written? What is there is of another process, and would be
 * taken for this one's if this one leaves none. */
static int check_place(const char *asked, const char *pattern) {
    const char *reason = NULL;
    struct stat status;
    bool apart = names_processes(pattern);
    char *path = receipt_path(pattern, 0), *folder = joined(pattern, NULL);
    strrchr(folder, '/')[1] = '\0';
    if (!names_processes(folder)) {
        char *real = receipt_path(folder, 0);
        if (access(real, W_OK | X_OK) != 0)
            reason = strerror(errno);
        free(real);
    }
    if (!apart && lstat(path, &status) == 0) {
        if (!S_ISREG(status.st_mode))
            reason = "it is not a regular file";
        else if (reason == NULL && unlink(path) != 0 && errno != ENOENT)
            reason = strerror(errno);
    }
    free(folder);
    free(path);
    if (reason == NULL)
        return CODE_OK;
    complain("the receipt '%s' cannot be written: %s", asked, reason);
    return CODE_IO;
}

static int make_folder(struct receipts *receipts) {
    const char *temporary = getenv("TMPDIR");
    bool usable = temporary != NULL && temporary[0] == '/';
    receipts->folder = joined(usable ? temporary : "/tmp", "/mtlcap-XXXXXX", NULL);
    if (mkdtemp(receipts->folder) == NULL) {
        complain("no folder for the receipts can be made, '%s': %s; TMPDIR names the place for it",
                 receipts->folder, strerror(errno));
        free(receipts->folder);
        receipts->folder = NULL;
        return CODE_INTERNAL;
    }
    char *folder = pattern_of_path(receipts->folder);
    receipts->pattern = joined(folder, "/%p", NULL);
    free(folder);
    return CODE_OK;
}

int receipts_start(struct receipts *receipts, const char *file) {
    *receipts = (struct receipts){.folder = NULL};
    if (file == NULL)
        return make_folder(receipts);
    receipts->copy = receipt_pattern(file);
    int code = check_place(file, receipts->copy);
    return code == CODE_OK ? make_folder(receipts) : code;
}

void receipts_clean(struct receipts *receipts) {
    DIR *folder = receipts->folder != NULL ? opendir(receipts->folder) : NULL;
    if (folder != NULL) {
        const struct dirent *entry;
        while ((entry = readdir(folder)) != NULL) {
            char *path = joined(receipts->folder, "/", entry->d_name, NULL);
            if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
                unlink(path);
            free(path);
        }
        closedir(folder);
        rmdir(receipts->folder);
    }
    receipts_free(receipts);
}

void receipts_free(struct receipts *receipts) {
    free(receipts->folder);
    free(receipts->pattern);
    free(receipts->copy);
    *receipts = (struct receipts){.folder = NULL};
}

/* ---- reading --------------------------------------------------------------- */

/* Adds that of a process, if it has left one. */
static void read_one(struct receipt_list *list, const char *pattern, pid_t process) {
    struct receipt_file *longer = allocate(list->count + 1, sizeof *longer), *file;
    if (list->count > 0)
        memcpy(longer, list->files, list->count * sizeof *longer);
    free(list->files);
    list->files = longer;
    file = &longer[list->count];
    file->process = process;
    file->path = receipt_path(pattern, process);
    enum receipt_result result =
        receipt_read(file->path, &file->receipt, file->problem, sizeof file->problem);
    file->readable = result == RECEIPT_READ;
    if (result == RECEIPT_NONE || (file->readable && file->receipt.process != process))
        free(file->path);
    else
        list->count++;
}

struct receipt_list receipts_read(const struct receipts *receipts) {
    struct receipt_list list = {NULL, 0};
    DIR *folder = opendir(receipts->folder);
    const struct dirent *entry;
    while (folder != NULL && (entry = readdir(folder)) != NULL) {
        char *end;
        long long number = strtoll(entry->d_name, &end, 10);
        if (isdigit((unsigned char)entry->d_name[0]) &&
            *end == '\0') /* no half one, none of others */
            read_one(&list, receipts->pattern, (pid_t)number);
    }
    if (folder != NULL)
        closedir(folder);
    return list;
}

void receipt_list_free(struct receipt_list *list) {
    for (size_t i = 0; i < list->count; i++)
        free(list->files[i].path);
    free(list->files);
}

/* ---- copies ---------------------------------------------------------------- */

static bool copy_bytes(int from, int to) {
    char bytes[4096];
    ssize_t length;
    while ((length = read(from, bytes, sizeof bytes)) > 0)
        for (ssize_t written = 0, more; written < length; written += more)
            if ((more = write(to, bytes + written, (size_t)(length - written))) < 0)
                return false;
    return length == 0;
}

/* Is that what is there? */
static bool is_copied(const char *from, const char *to) {
    char bytes[4096], others[sizeof bytes];
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = open(to, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    ssize_t length = -1;
    do
        length = read(in, bytes, sizeof bytes);
    while (length > 0 && read(out, others, sizeof others) == length &&
           memcmp(bytes, others, (size_t)length) == 0);
    bool same = length == 0 && read(out, others, 1) == 0;
    if (in >= 0)
        close(in);
    if (out >= 0)
        close(out);
    return same;
}

/* Whole or not at all, as the library writes them. */
static bool copy_file(const char *from, const char *to) {
    char *temporary = joined(to, ".XXXXXX", NULL);
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = in >= 0 ? mkstemp(temporary) : -1;
    bool good = out >= 0 && copy_bytes(in, out);
    int error = errno;
    if (in >= 0)
        close(in);
    if (out >= 0 && close(out) != 0 && good) { /* a file system may tell only now that it is full */
        good = false;
        error = errno;
    }
    if (good && rename(temporary, to) != 0) {
        good = false;
        error = errno;
    }
    if (out >= 0 && !good)
        unlink(temporary);
    free(temporary);
    errno = error;
    return good;
}

bool receipts_copy(struct receipts *receipts, const struct receipt_list *list,
                   const struct receipt_file *decides) {
    bool good = true;
    if (receipts->copy == NULL)
        return true;
    for (size_t i = 0; i < list->count && good; i++) {
        const struct receipt_file *file = &list->files[i];
        if (file != decides && !names_processes(receipts->copy))
            continue;
        char *to = receipt_path(receipts->copy, file->process);
        good = is_copied(file->path, to) || copy_file(file->path, to);
        if (!good && !receipts->told)
            complain("the receipt '%s' cannot be written: %s", to, strerror(errno));
        receipts->told |= !good;
        free(to);
    }
    return good;
}
