/* Finds kernels, and what they call, in a preprocessed shader text. */
#include "shader_source.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_TEXT, TOKEN_SYMBOL };

struct token {
    enum token_kind kind;
    const char *text; /* of a quoted text: what is between the quotes */
    size_t length;
};

static bool is_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

static struct token next(const char **at) {
    while (isspace((unsigned char)**at))
        (*at)++;
    struct token token = {TOKEN_END, *at, 0};
    if (**at == '\0')
        return token;
    if (is_word(**at)) {
        token.kind = TOKEN_WORD;
        while (is_word(**at))
            (*at)++;
    } else if (**at == '"') {
        token.kind = TOKEN_TEXT;
        token.text = ++*at;
        while (**at && **at != '"' && **at != '\n')
            (*at)++;
        token.length = (size_t)(*at - token.text);
        if (**at == '"')
            (*at)++;
        return token;
    } else {
        token.kind = TOKEN_SYMBOL;
        (*at)++;
    }
    token.length = (size_t)(*at - token.text);
    return token;
}

static bool is(struct token token, const char *text) {
    return token.length == strlen(text) && memcmp(token.text, text, token.length) == 0;
}

/* How deep a token is inside brackets, < and > included. */
static int step(struct token token) {
    if (token.kind != TOKEN_SYMBOL)
        return 0;
    return strchr("([<", token.text[0]) ? 1 : strchr(")]>", token.text[0]) ? -1 : 0;
}

/* Reads from behind "kernel" to the end of a declaration; gives the declared function's name. */
static struct token declared(const char **at) {
    struct token name = {TOKEN_END, *at, 0}, word = name;
    int depth = 0;
    for (;;) {
        const char *before = *at;
        struct token token = next(at);
        if (token.kind == TOKEN_END || is(token, ";") || is(token, "{") || is(token, "}")) {
            *at = before;
            return name;
        }
        if (depth == 0 && (is(token, "(") || is(token, "<")) && word.kind == TOKEN_WORD &&
            !is(word, "decltype"))
            name = word;
        if (depth == 0)
            word = token;
        depth += step(token);
    }
}

void simmetal_shader_kernels(const char *text,
                             void (*found)(void *context, const struct simmetal_kernel *kernel),
                             void *context) {
    struct token previous = {TOKEN_END, text, 0}, host = previous;
    for (const char *at = text;;) {
        struct token token = next(&at);
        if (token.kind == TOKEN_END)
            return;
        if (is(token, "host_name")) {
            const char *ahead = at;
            next(&ahead); /* the bracket */
            struct token name = next(&ahead);
            if (name.kind == TOKEN_TEXT) {
                host = name;
                at = ahead;
            }
        } else if (is(token, "kernel") && token.kind == TOKEN_WORD) {
            /* Behind template<...> it is a pattern, which only a host_name makes a kernel of. */
            bool pattern = is(previous, ">");
            struct token name = declared(&at);
            struct token key = host.length ? host : name;
            if (name.length && (host.length || !pattern)) {
                struct simmetal_kernel kernel = {key.text, name.text, key.length, name.length};
                found(context, &kernel);
            }
            host.length = 0;
        } else if (is(token, ";") || is(token, "}")) {
            host.length = 0;
        }
        previous = token;
    }
}

/* A function's name and code. */
struct definition {
    struct token name;
    const char *begin, *end;
    bool visited;
};

struct definitions {
    struct definition *list;
    size_t count, capacity;
};

static void add_definition(struct definitions *all, struct token name, const char *begin,
                           const char *end) {
    if (all->count == all->capacity) {
        size_t capacity = all->capacity ? 2 * all->capacity : 64;
        struct definition *list = realloc(all->list, capacity * sizeof *list);
        if (!list)
            return;
        all->list = list;
        all->capacity = capacity;
    }
    all->list[all->count++] = (struct definition){name, begin, end, false};
}

/* Finds the functions that stand outside of all braces. */
static void find_definitions(struct definitions *all, const char *text) {
    struct token word = {TOKEN_END, text, 0}, name = word;
    int depth = 0;
    for (const char *at = text;;) {
        struct token token = next(&at);
        if (token.kind == TOKEN_END)
            return;
        if (depth == 0 && is(token, "(") && word.kind == TOKEN_WORD)
            name = word;
        if (depth == 0 && is(token, ";"))
            name.length = 0;
        if (is(token, "{")) {
            const char *begin = at;
            for (int braces = 1; braces > 0;) {
                token = next(&at);
                if (token.kind == TOKEN_END)
                    break;
                braces += is(token, "{") - is(token, "}");
            }
            if (name.length)
                add_definition(all, name, begin, at);
            name.length = 0;
            depth = 0;
        } else if (token.kind == TOKEN_SYMBOL) {
            depth += strchr("([", token.text[0]) ? 1 : strchr(")]", token.text[0]) ? -1 : 0;
        }
        word = token;
    }
}

static bool reaches(struct definitions *all, struct token function, const char *prefix) {
    for (size_t i = 0; i < all->count; i++) {
        struct definition *definition = &all->list[i];
        if (definition->visited || definition->name.length != function.length ||
            memcmp(definition->name.text, function.text, function.length) != 0)
            continue;
        definition->visited = true;
        for (const char *at = definition->begin; at < definition->end;) {
            struct token token = next(&at);
            if (token.kind != TOKEN_WORD)
                continue;
            if (token.length >= strlen(prefix) && strncmp(token.text, prefix, strlen(prefix)) == 0)
                return true;
            if (reaches(all, token, prefix))
                return true;
        }
    }
    return false;
}

bool simmetal_shader_reaches(const char *text, const char *function, const char *prefix) {
    struct definitions all = {NULL, 0, 0};
    find_definitions(&all, text);
    struct token name = {TOKEN_WORD, function, strlen(function)};
    bool result = reaches(&all, name, prefix);
    free(all.list);
    return result;
}

bool simmetal_shader_unbalanced(const char *text, unsigned *line) {
    char open[256];
    unsigned lines[256];
    size_t depth = 0;
    *line = 1;
    for (const char *at = text, *counted = text;;) {
        struct token token = next(&at);
        for (; counted < token.text; counted++)
            *line += *counted == '\n';
        if (token.kind == TOKEN_END)
            break;
        if (token.kind != TOKEN_SYMBOL)
            continue;
        char c = token.text[0];
        if (strchr("({[", c) && depth < sizeof open) {
            lines[depth] = *line;
            open[depth++] = c == '(' ? ')' : c == '{' ? '}' : ']';
        } else if (strchr(")}]", c)) {
            if (depth == 0 || open[--depth] != c)
                return true;
        }
    }
    if (depth)
        *line = lines[depth - 1];
    return depth != 0;
}
