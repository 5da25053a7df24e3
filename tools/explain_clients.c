/* The clients that are known, and one of them by its name. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "command.h"
#include "explain.h"
#include "output.h"
#include "text.h"

enum { LARGEST_RULES = 1 << 18 };

/* Up to `most` bytes; more may be there. -1: errno says why not. */
static ssize_t read_whole(int descriptor, char *text, size_t most) {
    size_t length = 0;
    while (length < most) {
        ssize_t count = read(descriptor, text + length, most - length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return -1;
        if (count == 0)
            break;
        length += (size_t)count;
    }
    return (ssize_t)length;
}

char *explain_file(const char *path, size_t most, size_t *length) {
    bool is_input = strcmp(path, "-") == 0;
    int descriptor = is_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    char *text = allocate(most + 2, 1);
    ssize_t count = descriptor >= 0 ? read_whole(descriptor, text, most + 1) : -1;
    int error = errno;
    if (descriptor >= 0 && !is_input)
        close(descriptor);
    *length = count > 0 ? (size_t)count : 0;
    if (count >= 0 && *length <= most)
        return text;
    if (count < 0)
        complain("'%s' cannot be read: %s", path, strerror(error));
    else
        complain("'%s' is too long: at most %zu bytes are read", path, most);
    free(text);
    return NULL;
}

static int read_one(const char *file, const char *text, size_t length,
                    struct explain_clients *clients) {
    struct explain_problem problem = {.line = 0};
    if (explain_rules_read(text, length, &clients->list[clients->count], &problem)) {
        clients->count++;
        return CODE_OK;
    }
    if (problem.line != 0)
        complain("%s:%u: %s", file, problem.line, problem.text);
    else
        complain("%s: %s", file, problem.text);
    return CODE_DATA;
}

int explain_clients_read(const char *file, struct explain_clients *clients) {
    int code = CODE_OK;
    clients->list = allocate(file != NULL ? 1 : explain_builtin_count, sizeof *clients->list);
    clients->count = 0;
    if (file != NULL) {
        size_t length;
        char *text = explain_file(file, LARGEST_RULES, &length);
        code = text != NULL ? read_one(file, text, length, clients) : CODE_DATA;
        free(text);
        return code;
    }
    for (size_t i = 0; code == CODE_OK && i < explain_builtin_count; i++)
        code = read_one(explain_builtins[i].file, explain_builtins[i].text,
                        explain_builtins[i].length, clients);
    return code == CODE_OK ? code : CODE_INTERNAL;
}

void explain_clients_free(struct explain_clients *clients) {
    for (size_t i = 0; i < clients->count; i++)
        explain_rules_free(&clients->list[i]);
    free(clients->list);
    *clients = (struct explain_clients){.list = NULL};
}

const char *explain_choice_name(const struct explain_choice *choice) {
    return choice->relative != NULL ? choice->relative->name : choice->client->name;
}

/* The index-th of all names; client NULL: past the last. */
static struct explain_choice choice_at(const struct explain_clients *clients, size_t index) {
    for (size_t i = 0; i < clients->count; i++) {
        const struct explain_client *client = &clients->list[i];
        if (index-- == 0)
            return (struct explain_choice){.client = client};
        if (index < client->relative_count)
            return (struct explain_choice){.client = client, .relative = &client->relatives[index]};
        index -= client->relative_count;
    }
    return (struct explain_choice){.client = NULL};
}

static const char *name_at(size_t index, const void *context) {
    struct explain_choice choice = choice_at(context, index);
    return choice.client != NULL ? explain_choice_name(&choice) : NULL;
}

/* Does `name` begin with these letters, whatever their case? */
static bool begins(const char *name, const char *letters) {
    for (; *letters != '\0'; name++, letters++)
        if (tolower((unsigned char)*name) != tolower((unsigned char)*letters))
            return false;
    return true;
}

/* Several begin like this. */
static int ambiguous(const struct explain_clients *clients, const char *name) {
    char *names = NULL;
    const char *one;
    for (size_t i = 0; (one = name_at(i, clients)) != NULL; i++)
        if (begins(one, name))
            text_add(&names, "%s%s", names != NULL ? ", " : "", one);
    int code = usage_error(&explain_command, "'%s' may be %s", name, names);
    free(names);
    return code;
}

/* Is it one of its programs' names? */
static bool is_program(const struct explain_choice *choice, const char *name) {
    const char *programs =
        choice->relative != NULL ? choice->relative->programs : choice->client->programs;
    size_t length = strlen(name);
    while (programs != NULL && *programs != '\0') {
        size_t one = strcspn(programs, " ");
        if (one == length && strncmp(programs, name, length) == 0)
            return true;
        programs += one + strspn(programs + one, " ");
    }
    return false;
}

int explain_clients_find(const struct explain_clients *clients, const char *name,
                         struct explain_choice *choice) {
    size_t found = 0, begin = 0;
    const char *one;
    for (size_t i = 0; (one = name_at(i, clients)) != NULL; i++) {
        if (begins(one, name) && strlen(one) == strlen(name)) {
            *choice = choice_at(clients, i);
            return CODE_OK;
        }
        if (begins(one, name)) {
            begin++;
            found = i;
        }
    }
    if (begin == 1) {
        *choice = choice_at(clients, found);
        return CODE_OK;
    }
    if (begin > 1)
        return ambiguous(clients, name);
    for (size_t i = 0; name_at(i, clients) != NULL; i++) {
        *choice = choice_at(clients, i);
        if (is_program(choice, name))
            return CODE_OK;
    }
    *choice = (struct explain_choice){.client = NULL};
    struct suggestion suggestion =
        suggest(nearest(name, name_at, clients), "'mtlcap explain' lists those that there are");
    return usage_error(&explain_command, "nothing is known of a client '%s'%s", name,
                       suggestion.text);
}
