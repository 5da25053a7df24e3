/* Quotes variables for those who read them. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "env.h"
#include "json.h"
#include "output.h"

/* Writes text between single quotes. `special` are the characters that cannot stand there, each
 * written as `before` and itself, and what `after` is. */
static void write_quoted(const char *text, const char *special, const char *before,
                         const char *after) {
    output("'");
    for (; *text != '\0'; text++) {
        if (strchr(special, *text) != NULL)
            output("%s%c%s", before, *text, after);
        else
            output("%c", *text);
    }
    output("'");
}

/* A ; after each command: evaluated without quotes, all is one line. */
static int write_sh(const struct setting *settings) {
    for (; settings->name != NULL; settings++) {
        if (settings->value == NULL) {
            output("unset %s;\n", settings->name);
            continue;
        }
        output("export %s=", settings->name);
        write_quoted(settings->value, "'", "'\\", "'"); /* ' is '\'' */
        output(";\n");
    }
    return CODE_OK;
}

static int write_fish(const struct setting *settings) {
    for (; settings->name != NULL; settings++) {
        if (settings->value == NULL) {
            output("set -e %s;\n", settings->name);
            continue;
        }
        output("set -gx %s ", settings->name);
        write_quoted(settings->value, "'\\", "\\", "");
        output(";\n");
    }
    return CODE_OK;
}

/* ---- JSON, property lists: text only --------------------------------------------- */

/* What a form has that not every text has. */
struct text_rules {
    const char *controls; /* of those below 0x20 */
    bool no_characters;   /* U+FFFE and U+FFFF */
};

/* Bytes from 0x80 on have to be UTF-8. */
static bool is_text(const char *text, const struct text_rules *rules) {
    const unsigned char *byte = (const unsigned char *)text;
    while (*byte != 0) {
        int more = *byte < 0x80 ? 0 : *byte >= 0xf0 ? 3 : *byte >= 0xe0 ? 2 : 1;
        if (*byte < 0x20 && strchr(rules->controls, *byte) == NULL)
            return false;
        if ((*byte >= 0x80 && *byte < 0xc2) || *byte > 0xf4)
            return false;
        if ((*byte == 0xe0 && byte[1] < 0xa0) || (*byte == 0xed && byte[1] > 0x9f) ||
            (*byte == 0xf0 && byte[1] < 0x90) || (*byte == 0xf4 && byte[1] > 0x8f))
            return false;
        if (!rules->no_characters && *byte == 0xef && byte[1] == 0xbf && byte[2] >= 0xbe)
            return false;
        byte++;
        for (; more > 0; more--, byte++)
            if ((*byte & 0xc0) != 0x80)
                return false;
    }
    return true;
}

static int no_text(const char *what, const char *form) {
    complain("%s has bytes that %s cannot have", what, form);
    return CODE_USAGE;
}

static int write_json(const struct setting *settings) {
    static const struct text_rules rules = {
        "\1\2\3\4\5\6\7\b\t\n\v\f\r\16\17\20\21\22\23\24\25\26\27\30\31\32\33\34\35\36\37", true};
    struct json json = {0};
    for (const struct setting *setting = settings; setting->name != NULL; setting++)
        if (setting->value != NULL && !is_text(setting->value, &rules))
            return no_text(setting->name, "JSON");
    json_begin(&json, '{', JSON_LINES);
    for (; settings->name != NULL; settings++) {
        json_key(&json, settings->name);
        json_string(&json, settings->value);
    }
    json_end(&json, '}');
    return CODE_OK;
}

static void write_element(const char *indent, const char *name, const char *text) {
    output("%s<%s>", indent, name);
    for (; *text != '\0'; text++) {
        if (*text == '&')
            output("&amp;");
        else if (*text == '<')
            output("&lt;");
        else if (*text == '>')
            output("&gt;");
        else if (*text == '\r')
            output("&#13;"); /* a parser reads a bare one as a newline */
        else
            output("%c", *text);
    }
    output("</%s>\n", name);
}

static bool are_text(char *const *list) {
    static const struct text_rules xml = {"\t\n\r", false};
    for (; *list != NULL; list++)
        if (!is_text(*list, &xml))
            return false;
    return true;
}

int env_write_agent(const char *label, const struct program *program) {
    const struct environment *environment = &program->environment;
    char *const names[] = {program->path, joined(label, NULL), NULL};
    bool good = are_text(names) && are_text(program->arguments) && are_text(environment->list);
    free(names[1]);
    if (!good)
        return no_text("the program, an argument, a variable or the label", "XML");
    char *path = absolute_path(program->path);
    output("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
           "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" "
           "\"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n"
           "<plist version=\"1.0\">\n<dict>\n");
    write_element("  ", "key", "Label");
    write_element("  ", "string", label);
    write_element("  ", "key", "Program");
    write_element("  ", "string", path);
    write_element("  ", "key", "ProgramArguments");
    output("  <array>\n");
    for (char *const *argument = program->arguments; *argument != NULL; argument++)
        write_element("    ", "string", *argument);
    output("  </array>\n");
    write_element("  ", "key", "EnvironmentVariables");
    output("  <dict>\n");
    for (size_t i = 0; i < environment->count; i++) {
        char *name = joined(environment->list[i], NULL);
        char *value = strchr(name, '=');
        *value++ = '\0';
        write_element("    ", "key", name);
        write_element("    ", "string", value);
        free(name);
    }
    output("  </dict>\n");
    write_element("  ", "key", "RunAtLoad");
    output("  <true/>\n</dict>\n</plist>\n");
    free(path);
    return CODE_OK;
}

static const struct env_format formats[] = {
    {"sh", true, write_sh},
    {"fish", true, write_fish},
    {"json", false, write_json},
    {"launchd", false, NULL},
};

const struct env_format *env_format_find(const char *name) {
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    return NULL;
}
