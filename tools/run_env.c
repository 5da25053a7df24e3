/*
 * Does what the system's `env` does, a Mac's or GNU's: options, assignments, and -S, which splits a
 * text into arguments. An option that is not about the environment is left to `env`.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output.h"
#include "run.h"

/* ---- -S --------------------------------------------------------------------- */

struct splitter {
    const char *next;
    const struct environment *environment;
    char **words;
    size_t count;
    char *word; /* that is being read */
    size_t length;
    bool in_word;
    bool failed;
};

static void put(struct splitter *splitter, char c) {
    splitter->word[splitter->length++] = c;
    splitter->in_word = true;
}

static void end_word(struct splitter *splitter) {
    if (!splitter->in_word)
        return;
    splitter->word[splitter->length] = '\0';
    splitter->words[splitter->count++] = joined(splitter->word, NULL);
    splitter->length = 0;
    splitter->in_word = false;
}

/* ${NAME}; anything else behind a $ is an error there too. */
static void put_variable(struct splitter *splitter) {
    static const char digits[] = "0123456789";
    static const char all[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
    const char *name = splitter->next + 1;
    size_t length = splitter->next[0] == '{' && strspn(name, digits) == 0 ? strspn(name, all) : 0;
    if (length == 0 || name[length] != '}') {
        splitter->failed = true;
        return;
    }
    char *copy = allocate(length + 1, 1);
    memcpy(copy, name, length);
    const char *value = environment_get(splitter->environment, copy);
    free(copy);
    splitter->next = name + length + 1;
    if (value == NULL)
        return;
    char *larger = allocate(splitter->length + strlen(value) + strlen(splitter->next) + 2, 1);
    memcpy(larger, splitter->word, splitter->length);
    free(splitter->word);
    splitter->word = larger;
    splitter->in_word = true;
    for (; *value != '\0'; value++)
        put(splitter, *value);
}

/* Behind a backslash. */
static void put_escape(struct splitter *splitter, char quote) {
    static const char escapes[] = "fnrtv", meanings[] = "\f\n\r\t\v";
    char c = *splitter->next;
    if (c == '\0') {
        splitter->failed = true;
        return;
    }
    splitter->next++;
    const char *escape = strchr(escapes, c);
    if (c == '_' && quote == '\0')
        end_word(splitter);
    else if (c == '_')
        put(splitter, ' ');
    else if (c == 'c' && quote == '\0')
        splitter->next += strlen(splitter->next); /* the rest is ignored */
    else if (escape != NULL)
        put(splitter, meanings[escape - escapes]);
    else if (strchr("#$\"'\\", c) != NULL)
        put(splitter, c);
    else
        splitter->failed = true;
}

/* Up to the quote that ends it. In single quotes only \\ and \' mean something else. */
static void put_quoted(struct splitter *splitter, char quote) {
    splitter->in_word = true;
    while (!splitter->failed && *splitter->next != quote) {
        char c = *splitter->next;
        if (c == '\0') {
            splitter->failed = true;
            return;
        }
        splitter->next++;
        if (quote == '"' && c == '$')
            put_variable(splitter);
        else if (c == '\\' && (quote == '"' || strchr("'\\", *splitter->next) != NULL))
            put_escape(splitter, quote);
        else
            put(splitter, c);
    }
    splitter->next++;
}

/* NULL: `env` would complain. */
static char **split(const char *text, const struct environment *environment) {
    struct splitter splitter = {.next = text, .environment = environment};
    splitter.words = allocate(strlen(text) + 2, sizeof *splitter.words);
    splitter.word = allocate(strlen(text) + 1, 1);
    while (!splitter.failed && *splitter.next != '\0') {
        char c = *splitter.next++;
        if (strchr(" \t\n\v\f\r", c) != NULL)
            end_word(&splitter);
        else if (c == '#' && !splitter.in_word)
            break;
        else if (c == '\'' || c == '"')
            put_quoted(&splitter, c);
        else if (c == '\\')
            put_escape(&splitter, '\0');
        else if (c == '$')
            put_variable(&splitter);
        else
            put(&splitter, c);
    }
    end_word(&splitter);
    free(splitter.word);
    if (!splitter.failed)
        return splitter.words;
    arguments_free(splitter.words);
    return NULL;
}

/* ---- options ---------------------------------------------------------------- */

/* Reads the arguments; what is done to the environment takes place in a copy, until it is clear
 * that all of it is known here. */
struct reader {
    char **arguments;
    size_t next;
    struct environment environment;
    struct environment seen; /* what -S replaces variables from */
    char *search_path;       /* of -P; NULL: none */
};

/* The value of an option: the rest of its argument, or the next one. NULL: there is none. */
static const char *option_value(struct reader *reader, const char *rest) {
    if (*rest != '\0')
        return rest;
    const char *value = reader->arguments[reader->next];
    if (value != NULL)
        reader->next++;
    return value;
}

/* Puts the words of -S where it stood. */
static bool take_split(struct reader *reader, const char *text) {
    char **words = text != NULL ? split(text, &reader->seen) : NULL;
    if (words == NULL)
        return false;
    arguments_replace(&reader->arguments, reader->next, words);
    reader->next = 0;
    return true;
}

/* An option's letter with its value; false: it is not known. */
static bool take_valued(struct reader *reader, char letter, const char *value) {
    if (value == NULL)
        return false;
    switch (letter) {
    case 'u':
        if (value[0] == '\0' || strchr(value, '=') != NULL)
            return false;
        environment_set(&reader->environment, value, NULL);
#ifdef __APPLE__ /* GNU's does nothing of the kind before it has read all options */
        environment_set(&reader->seen, value, NULL);
#endif
        return true;
#ifdef __APPLE__
    case 'P':
        free(reader->search_path);
        reader->search_path = joined(value, NULL);
        return true;
#endif
    default:
        return letter == 'S' && take_split(reader, value);
    }
}

static bool take_letters(struct reader *reader, const char *letters) {
    for (; *letters != '\0'; letters++) {
        if (*letters == 'i')
            environment_clear(&reader->environment);
        else if (*letters != 'v')
            return take_valued(reader, *letters, option_value(reader, letters + 1));
    }
    return true;
}

static bool take_long(struct reader *reader, const char *option) {
    static const struct {
        const char *name;
        char letter;
    } valued[] = {{"--unset", 'u'}, {"--split-string", 'S'}};
    if (strcmp(option, "--ignore-environment") == 0) {
        environment_clear(&reader->environment);
        return true;
    }
    if (strcmp(option, "--debug") == 0)
        return true;
    for (size_t i = 0; i < sizeof valued / sizeof valued[0]; i++) {
        size_t length = strlen(valued[i].name);
        if (strncmp(option, valued[i].name, length) != 0)
            continue;
        if (option[length] == '=')
            return take_valued(reader, valued[i].letter, option + length + 1);
        if (option[length] == '\0')
            return take_valued(reader, valued[i].letter, option_value(reader, ""));
    }
    return false;
}

static bool take_options(struct reader *reader) {
    const char *argument;
    while ((argument = reader->arguments[reader->next]) != NULL && argument[0] == '-') {
        reader->next++;
        if (argument[1] == '\0')
            environment_clear(&reader->environment);
        else if (strcmp(argument, "--") == 0)
            return true;
        else if (argument[1] == '-' ? !take_long(reader, argument)
                                    : !take_letters(reader, argument + 1))
            return false;
    }
    return true;
}

/* False: `env` would complain. */
static bool take_assignments(struct reader *reader) {
    const char *argument;
    while ((argument = reader->arguments[reader->next]) != NULL) {
        const char *equals = strchr(argument, '=');
        if (equals == NULL)
            return true;
        if (equals == argument)
            return false;
        char *name = joined(argument, NULL);
        name[equals - argument] = '\0';
        environment_set(&reader->environment, name, equals + 1);
        free(name);
        reader->next++;
    }
    return true; /* it starts nothing: it prints the environment */
}

static char **copy_arguments(char *const *arguments) {
    struct environment list = environment_copy(arguments);
    return list.list;
}

bool program_follow_env(struct program *program, char **search_path) {
    struct reader reader = {.arguments = copy_arguments(program->arguments), .next = 1};
    reader.environment = environment_copy(program->environment.list);
    reader.seen = environment_copy(program->environment.list);
    bool known = take_options(&reader) && take_assignments(&reader);
    environment_free(&reader.seen);
    if (!known || reader.arguments[reader.next] == NULL) {
        if (!known)
            complain("an argument of '%s' is not known here; it is started itself, and what it "
                     "starts may not get the library: name that program instead",
                     program->path);
        free(reader.search_path);
        arguments_free(reader.arguments);
        environment_free(&reader.environment);
        return false;
    }
    char **none = allocate(1, sizeof *none);
    arguments_replace(&reader.arguments, reader.next, none);
    arguments_free(program->arguments);
    program->arguments = reader.arguments;
    environment_free(&program->environment);
    program->environment = reader.environment;
    const char *path = environment_get(&program->environment, "PATH");
    *search_path = reader.search_path;
    if (*search_path == NULL && path != NULL)
        *search_path = joined(path, NULL);
    return true;
}
