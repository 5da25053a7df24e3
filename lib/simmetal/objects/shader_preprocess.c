/* The preprocessor for shader texts: comments, conditional directives and simple macros. */
#include "shader_source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MAX_MACROS 128
#define MAX_DEPTH 64

struct name {
    const char *text;
    size_t length;
};

/* Names that are defined, with their numbers. */
struct macros {
    struct name names[MAX_MACROS];
    long values[MAX_MACROS];
    size_t count;
};

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static bool same(struct name a, struct name b) {
    return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static const long *find(const struct macros *macros, struct name name) {
    for (size_t i = 0; i < macros->count; i++) {
        if (same(macros->names[i], name))
            return &macros->values[i];
    }
    return NULL;
}

static void undefine(struct macros *macros, struct name name) {
    const long *value = find(macros, name);
    if (value) {
        size_t i = (size_t)(value - macros->values);
        macros->count--;
        macros->names[i] = macros->names[macros->count];
        macros->values[i] = macros->values[macros->count];
    }
}

static void define(struct macros *macros, struct name name, long value) {
    undefine(macros, name);
    if (macros->count < MAX_MACROS) {
        macros->names[macros->count] = name;
        macros->values[macros->count++] = value;
    }
}

static void skip_spaces(const char **at) {
    while (**at == ' ' || **at == '\t')
        (*at)++;
}

static struct name take_word(const char **at) {
    skip_spaces(at);
    struct name name = {*at, 0};
    while (is_word(**at))
        (*at)++;
    name.length = (size_t)(*at - name.text);
    return name;
}

static bool take(const char **at, const char *symbol) {
    skip_spaces(at);
    size_t length = strlen(symbol);
    if (strncmp(*at, symbol, length) != 0)
        return false;
    *at += length;
    return true;
}

/* The grammar of #if, by precedence: or, and, comparison, not, primary. */
static long parse_or(const char **at, const struct macros *macros, unsigned depth);

static long parse_primary(const char **at, const struct macros *macros, unsigned depth) {
    if (take(at, "(")) {
        long value = depth < MAX_DEPTH ? parse_or(at, macros, depth + 1) : 0;
        take(at, ")");
        return value;
    }
    struct name word = take_word(at);
    if (word.length == 0) {
        if (**at)
            (*at)++;
        return 0;
    }
    if (isdigit((unsigned char)word.text[0]))
        return strtol(word.text, NULL, 0);
    if (same(word, (struct name){"defined", 7})) {
        bool parenthesis = take(at, "(");
        bool defined = find(macros, take_word(at)) != NULL;
        if (parenthesis)
            take(at, ")");
        return defined;
    }
    if (take(at, "(")) { /* __has_include(...) and its like: no */
        while (**at && **at != ')')
            (*at)++;
        take(at, ")");
        return 0;
    }
    const long *value = find(macros, word);
    return value ? *value : 0;
}

static long parse_not(const char **at, const struct macros *macros, unsigned depth) {
    bool negate = false;
    skip_spaces(at);
    while ((*at)[0] == '!' && (*at)[1] != '=') {
        negate = !negate;
        (*at)++;
        skip_spaces(at);
    }
    long value = parse_primary(at, macros, depth);
    return negate ? !value : value;
}

static long parse_comparison(const char **at, const struct macros *macros, unsigned depth) {
    long left = parse_not(at, macros, depth);
    if (take(at, ">="))
        return left >= parse_not(at, macros, depth);
    if (take(at, "<="))
        return left <= parse_not(at, macros, depth);
    if (take(at, "=="))
        return left == parse_not(at, macros, depth);
    if (take(at, "!="))
        return left != parse_not(at, macros, depth);
    if (take(at, ">"))
        return left > parse_not(at, macros, depth);
    if (take(at, "<"))
        return left < parse_not(at, macros, depth);
    return left;
}

static long parse_and(const char **at, const struct macros *macros, unsigned depth) {
    long value = parse_comparison(at, macros, depth);
    while (take(at, "&&")) {
        long right = parse_comparison(at, macros, depth);
        value = value && right;
    }
    return value;
}

static long parse_or(const char **at, const struct macros *macros, unsigned depth) {
    long value = parse_and(at, macros, depth);
    while (take(at, "||")) {
        long right = parse_and(at, macros, depth);
        value = value || right;
    }
    return value;
}

/* Copies `source` with comments blanked and continued lines joined. */
static char *strip(const char *source) {
    char *text = malloc(strlen(source) + 1);
    if (!text)
        return NULL;
    char *out = text;
    for (const char *at = source; *at;) {
        if (at[0] == '\\' && at[1] == '\n') {
            at += 2;
            *out++ = ' ';
        } else if (at[0] == '/' && at[1] == '/') {
            while (*at && *at != '\n')
                at++;
        } else if (at[0] == '/' && at[1] == '*') {
            const char *end = strstr(at + 2, "*/");
            for (at += 2; *at && at != end; at++) {
                if (*at == '\n')
                    *out++ = '\n';
            }
            if (end)
                at = end + 2;
            *out++ = ' ';
        } else {
            *out++ = *at++;
        }
    }
    *out = '\0';
    return text;
}

struct conditional {
    bool outer; /* the text around is kept */
    bool taken; /* a branch has been kept already */
};

/* What the directives so far say. */
struct state {
    struct macros macros;
    struct conditional stack[MAX_DEPTH];
    size_t depth;
    bool keep;
};

static void push(struct state *state, bool value) {
    if (state->depth == MAX_DEPTH)
        return;
    state->stack[state->depth++] = (struct conditional){state->keep, value};
    state->keep = state->keep && value;
}

static void directive(struct state *state, const char *at) {
    struct name word = take_word(&at);
    struct conditional *top = state->depth ? &state->stack[state->depth - 1] : NULL;
#define IS(text) same(word, (struct name){text, sizeof text - 1})
    if (IS("if")) {
        push(state, parse_or(&at, &state->macros, 0) != 0);
    } else if (IS("ifdef")) {
        push(state, find(&state->macros, take_word(&at)) != NULL);
    } else if (IS("ifndef")) {
        push(state, find(&state->macros, take_word(&at)) == NULL);
    } else if ((IS("elif") || IS("else")) && top) {
        bool value = !top->taken && (IS("else") || parse_or(&at, &state->macros, 0) != 0);
        state->keep = top->outer && value;
        top->taken = top->taken || value;
    } else if (IS("endif") && top) {
        state->keep = top->outer;
        state->depth--;
    } else if (IS("define") && state->keep) {
        struct name name = take_word(&at);
        skip_spaces(&at);
        define(&state->macros, name, strtol(at, NULL, 0));
    } else if (IS("undef") && state->keep) {
        undefine(&state->macros, take_word(&at));
    }
#undef IS
}

char *simmetal_shader_preprocess(const char *source, const struct simmetal_macro *macros,
                                 size_t count) {
    char *text = strip(source);
    /* The last line gets a newline too. */
    char *result = text ? malloc(strlen(text) + 2) : NULL;
    struct state *state = result ? calloc(1, sizeof *state) : NULL;
    if (!state) {
        free(text);
        free(result);
        return NULL;
    }
    state->keep = true;
    for (size_t i = 0; i < count; i++) {
        define(&state->macros, (struct name){macros[i].name, strlen(macros[i].name)},
               strtol(macros[i].value, NULL, 0));
    }
    char *out = result;
    for (char *line = text; *line;) {
        char *end = line + strcspn(line, "\n");
        bool last = *end == '\0';
        *end = '\0';
        const char *at = line;
        skip_spaces(&at);
        if (*at == '#') {
            directive(state, at + 1);
        } else if (state->keep) {
            memcpy(out, line, (size_t)(end - line));
            out += end - line;
        }
        *out++ = '\n';
        line = last ? end : end + 1;
    }
    *out = '\0';
    free(state);
    free(text);
    return result;
}
