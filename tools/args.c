/* Options, operands, and what somebody may have meant. */
#include "args.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct option help_option = {ARGS_HELP, "help", 'h', NULL};

struct args args_start(const struct command *command, int argc, char **argv) {
    return (struct args){.command = command, .argc = argc, .argv = argv, .next = 1};
}

static bool is_named(const struct option *option, const char *text, size_t length) {
    if (text[1] != '-')
        return option->letter == text[1];
    return strlen(option->name) + 2 == length && strncmp(option->name, text + 2, length - 2) == 0;
}

const struct option *option_find(const struct option *options, const char *text,
                                 const char **given) {
    bool is_long = text[1] == '-';
    size_t length = is_long ? strcspn(text, "=") : 2;
    *given = text[length] == '\0' ? NULL : text + length + is_long;
    for (const struct option *option = options; option->id != 0; option++)
        if (is_named(option, text, length))
            return is_long || *given == NULL || option->values != NULL ? option : NULL;
    return is_named(&help_option, text, length) && (is_long || *given == NULL) ? &help_option
                                                                               : NULL;
}

int option_value_count(const struct option *option) {
    return option->values == NULL ? 0 : strchr(option->values, ' ') != NULL ? 2 : 1;
}

static const char *option_name(size_t index, const void *context) {
    const struct option *options = context;
    for (size_t i = 0; options[i].id != 0; i++)
        if (i == index)
            return options[i].name;
    return NULL;
}

static int unknown_option(struct args *args, const char *text, const char *name) {
    const char *near = nearest(name, option_name, args->command->options);
    char option[64];
    snprintf(option, sizeof option, "--%s", near != NULL ? near : "");
    usage_error(args->command, "there is no option '%s'%s", text,
                suggest(near != NULL ? option : NULL, "").text);
    return ARGS_ERROR;
}

/* Takes the values of an option; `given` is one in the same argument, or NULL. */
static int take_values(struct args *args, const struct option *option, const char *text,
                       const char *given) {
    int count = option_value_count(option);
    if (given != NULL && count != 1) {
        usage_error(args->command, "--%s takes %s", option->name,
                    count == 0 ? "no value" : "two values, as separate arguments");
        return ARGS_ERROR;
    }
    for (int i = 0; i < count; i++) {
        const char *value = given;
        if (value == NULL && args->next < args->argc)
            value = args->argv[args->next++];
        /* No value of ours begins with '-', but for the "-" that stands for standard output, and
         * somebody may have left one out. */
        bool is_option = value != NULL && value[0] == '-' && value[1] != '\0';
        if (value == NULL || value[0] == '\0' || (is_option && value != given)) {
            usage_error(args->command, "%s needs %s, but %s%s%s", text, option->values,
                        value == NULL ? "nothing follows" : "what follows is '",
                        value == NULL ? "" : value, value == NULL ? "" : "'");
            return ARGS_ERROR;
        }
        args->values[i] = value;
    }
    return option->id;
}

int args_next(struct args *args) {
    if (args->next >= args->argc)
        return ARGS_END;
    const char *text = args->argv[args->next++];
    if (!args->operands_only && strcmp(text, "--") == 0) {
        args->operands_only = true;
        return args_next(args);
    }
    if (args->operands_only || text[0] != '-' || text[1] == '\0') {
        args->values[0] = text;
        return ARGS_OPERAND;
    }
    const char *given;
    const struct option *option = option_find(args->command->options, text, &given);
    if (option == NULL)
        return unknown_option(args, text, text + (text[1] == '-' ? 2 : 1));
    return take_values(args, option, text, given);
}

bool parse_number(const char *text, unsigned long long *number) {
    char *end;
    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *end == '\0' && errno == 0;
}

#define LONGEST_WORD 64

/* Levenshtein's distance, upper and lower case alike. */
static size_t distance(const char *a, const char *b) {
    size_t row[LONGEST_WORD + 1];
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > LONGEST_WORD || b_length > LONGEST_WORD)
        return LONGEST_WORD;
    for (size_t j = 0; j <= b_length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_length; j++) {
            bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
            size_t best = diagonal + !same;
            if (row[j] + 1 < best)
                best = row[j] + 1;
            if (row[j - 1] + 1 < best)
                best = row[j - 1] + 1;
            diagonal = row[j];
            row[j] = best;
        }
    }
    return row[b_length];
}

const char *nearest(const char *word, candidate_function *candidate, const void *context) {
    const char *best = NULL;
    size_t best_distance = 1 + (strlen(word) + 1) / 3;
    const char *name;
    for (size_t i = 0; (name = candidate(i, context)) != NULL; i++) {
        size_t d = distance(word, name);
        if (d < best_distance) {
            best = name;
            best_distance = d;
        }
    }
    return best;
}

struct suggestion suggest(const char *near, const char *otherwise) {
    struct suggestion suggestion = {""};
    if (near != NULL)
        snprintf(suggestion.text, sizeof suggestion.text, "; did you mean '%s'?", near);
    else if (otherwise[0] != '\0')
        snprintf(suggestion.text, sizeof suggestion.text, "; %s", otherwise);
    return suggestion;
}
