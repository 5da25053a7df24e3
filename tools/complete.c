/* mtlcap --complete: what a word can be, from the tables and the usage of the subcommands. */
#include "complete.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "output.h"

void offer(const struct place *place, const char *candidate, const char *what) {
    const char *typed = place->word + place->done;
    if (strncmp(candidate, typed, strlen(typed)) == 0)
        output("%.*s%s\t%s\n", (int)place->done, place->word, candidate, what);
}

/* In a usage, capitals stand for something else. */
static bool is_capital(char c) {
    return c >= 'A' && c <= 'Z';
}

/* ---- what the help says of a word ------------------------------------------ */

/* "--live" of "--live, --no-live  text"; NULL: there is no other. */
static const char *other_option(const char *at) {
    at += strcspn(at, ",\n");
    return strncmp(at, ", -", 3) == 0 ? at + 2 : NULL;
}

static bool is_term(const char *at, const char *term) {
    size_t length = strlen(term);
    return strncmp(at, term, length) == 0 && strchr(" ,\n", at[length]) != NULL;
}

/* Behind the term of a line of help: "  -p, --profile PROFILE  text", "  show NAME  text". NULL:
 * the line is not about it. */
static const char *behind_term(const char *line, const char *term, const char *values) {
    const char *at = line + strspn(line, " ");
    if (at == line || (at[0] != '-' && !is_term(at, term)))
        return NULL;
    while (!is_term(at, term))
        if ((at = other_option(at)) == NULL)
            return NULL;
    for (const char *other = at; other != NULL; other = other_option(other))
        at = other;
    at += strcspn(at, " ,\n");
    size_t length = values != NULL ? strlen(values) : 0;
    if (length > 0 && at[0] == ' ' && strncmp(at + 1, values, length) == 0)
        at += length + 1;
    if (at[0] == ',') /* other forms of its value */
        return at + strcspn(at, "\n");
    if (at[0] == ' ' && is_capital(at[1])) /* "show NAME" */
        at += 1 + strcspn(at + 1, " \n");
    return at;
}

/* What follows a line is no more of its text: where that goes on it is indented deeply. */
static bool ends_text(const char *newline) {
    return strspn(newline + 1, " ") < 8;
}

/* "none: what the program starts ...": a colon behind less does not end a clause. */
enum { LABEL_LENGTH = 12 };

/* The first clause of the text on a word, without parentheses. "": there is none. */
static void describe(const struct command *command, const char *term, const char *values,
                     char *text, size_t size) {
    size_t length = 0;
    const char *at = NULL;
    for (const char *line = command->help; at == NULL && line[0] != '\0';) {
        at = behind_term(line, term, values);
        line += strcspn(line, "\n");
        line += line[0] != '\0';
    }
    if (at != NULL)
        at += strspn(at, " \n");
    bool gap = false;
    for (; at != NULL && at[0] != '\0' && length + 2 < size; at++) {
        if (at[0] == '\n' && ends_text(at))
            break;
        bool pauses = strchr(length < LABEL_LENGTH ? ".;" : ".;:", at[0]) != NULL;
        if (pauses && strchr(" \n", at[1]) != NULL)
            break;
        if (at[0] == ' ' || at[0] == '\n') {
            gap = length > 0;
            if (at[1] == '(')
                at += strcspn(at, ")");
            continue;
        }
        if (gap && at[0] != ':' && at[0] != ',')
            text[length++] = ' ';
        gap = false;
        text[length++] = at[0];
    }
    text[length] = '\0';
}

static void offer_options(const struct command *command, const struct place *place) {
    char name[64], text[128];
    for (const struct option *option = command->options;; option++) {
        if (option->id == 0)
            option = &help_option;
        snprintf(name, sizeof name, "--%s", option->name);
        describe(command, name, option->values, text, sizeof text);
        const char *what = option == &help_option ? "explain it" : text;
        offer(place, name, what);
        snprintf(name, sizeof name, "-%c", option->letter);
        if (option->letter != '\0')
            offer(place, name, what);
        if (option == &help_option)
            return;
    }
}

/* ---- operands, as the usage has them --------------------------------------- */

struct usage {
    const struct command *command;
    const char *next;
    bool form_begins; /* the operand that was read is the first of its form */
    bool instead;     /* it may stand in the place of the one before */
};

/* Reads a word of usage without the brackets around it; false: there is none. */
static bool usage_word(struct usage *usage, char *word, size_t size) {
    const char *at = usage->next + strspn(usage->next, " ");
    if (at[0] == '\n') { /* a line that begins with an option goes on with the form above */
        usage->form_begins = usage->form_begins || at[1] != '[';
        at++;
    }
    at += strspn(at, "[");
    size_t length = strcspn(at, " \n]");
    usage->next = at + length + strspn(at + length, "]");
    snprintf(word, size, "%.*s", (int)length, at);
    return length > 0 || usage->next[0] != '\0';
}

/* The next operand, "show" or "PROFILE"; false: there is no other. */
static bool usage_operand(struct usage *usage, char *word, size_t size) {
    const char *given;
    int skip = 0;
    usage->form_begins = usage->next == usage->command->usage;
    usage->instead = false;
    while (usage_word(usage, word, size)) {
        if (word[0] == '-' && word[1] != '\0' && strcmp(word, "--") != 0) {
            const struct option *option = option_find(usage->command->options, word, &given);
            skip = option != NULL ? option_value_count(option) : 0;
            usage->instead = false;
        } else if (strcmp(word, "|") == 0) {
            usage->instead = true;
        } else if ((is_capital(word[0]) || (word[0] >= 'a' && word[0] <= 'z')) && skip-- <= 0) {
            return true;
        }
    }
    return false;
}

static bool stands_for(const char *operand, const char *word) {
    return is_capital(operand[0]) || strcmp(operand, word) == 0;
}

/* Offers what can stand behind `count` operands; with `kind`, only asks whether that can. */
static bool operand_follows(const struct command *command, char *const *operands, size_t count,
                            const char *kind, const struct place *place) {
    struct usage usage = {.command = command, .next = command->usage};
    char operand[64], text[128];
    size_t position = 0;
    bool fits = true, found = false;
    while (usage_operand(&usage, operand, sizeof operand)) {
        if (usage.form_begins) {
            position = 0;
            fits = true;
        } else if (usage.instead) {
            position--;
        }
        if (position < count)
            fits = fits && stands_for(operand, operands[position]);
        if (position++ != count || !fits || (kind != NULL && strcmp(operand, kind) != 0))
            continue;
        found = true;
        if (kind != NULL)
            break;
        if (is_capital(operand[0])) {
            complete_kind(place, operand);
        } else {
            describe(command, operand, NULL, text, sizeof text);
            offer(place, operand, text);
        }
    }
    return found;
}

/* ---- the command line ------------------------------------------------------- */

/* The value number `index` of an option. */
static void complete_value(const struct option *option, int index, const struct place *place) {
    char kind[64];
    const char *values = option->values;
    if (index > 0)
        values = strchr(values, ' ') + 1;
    snprintf(kind, sizeof kind, "%.*s", (int)strcspn(values, " "), values);
    complete_kind(place, kind);
}

static int complete_arguments(const struct command *command, int count, char *const *words) {
    struct place place = {.word = words[count - 1]};
    char *operands[8];
    size_t operand_count = 0;
    bool operands_only = false;
    const char *given;
    for (int i = 0; i < count - 1; i++) {
        const struct option *option;
        bool is_option = !operands_only && words[i][0] == '-' && words[i][1] != '\0';
        if (is_option && strcmp(words[i], "--") == 0) {
            operands_only = true;
        } else if (is_option) {
            option = option_find(command->options, words[i], &given);
            int values = option == NULL || given != NULL ? 0 : option_value_count(option);
            if (i + values >= count - 1) {
                complete_value(option, count - 2 - i, &place);
                return CODE_OK;
            }
            i += values;
        } else if (operand_follows(command, operands, operand_count, "PROGRAM", &place)) {
            output(":program %d\n", i + 3); /* behind mtlcap and the command */
            return CODE_OK;
        } else if (operand_count < sizeof operands / sizeof operands[0]) {
            operands[operand_count++] = words[i];
        }
    }
    if (!operands_only && place.word[0] == '-') {
        const struct option *option =
            place.word[1] != '\0' ? option_find(command->options, place.word, &given) : NULL;
        if (option != NULL && given != NULL && option_value_count(option) == 1) {
            place.done = (size_t)(given - place.word);
            complete_value(option, 0, &place);
        } else {
            offer_options(command, &place);
        }
    } else if (operand_follows(command, operands, operand_count, "PROGRAM", &place)) {
        output(":program %d\n", count + 2);
    } else if (!operand_follows(command, operands, operand_count, NULL, &place) && !operands_only) {
        offer_options(command, &place);
    }
    return CODE_OK;
}

int complete(int count, char *const *words) {
    if (count > 1) {
        const struct command *command = command_find(words[0]);
        return command != NULL ? complete_arguments(command, count - 1, words + 1) : CODE_OK;
    }
    struct place place = {.word = count > 0 ? words[0] : ""};
    complete_kind(&place, "COMMAND");
    if (place.word[0] == '-') {
        offer(&place, "--help", help_command.summary);
        offer(&place, "--version", version_command.summary);
    }
    return CODE_OK;
}
