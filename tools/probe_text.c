/* The output of `mtlcap probe` for people. */
#include <stdio.h>
#include <string.h>

#include "catalog.h"
#include "output.h"
#include "probe.h"
#include "table.h"
#include "term.h"

#define NOT_ANSWERED "not answered"

enum group { FAMILIES, LIMITS, YES_NO, IDENTITY, GROUP_COUNT };

static const char *const group_names[GROUP_COUNT] = {"families", "limits", "yes or no", "identity"};

static enum group group_of(const struct mtlcap_capability *capability) {
    switch (capability->kind) {
    case MTLCAP_KIND_FAMILY:
        return FAMILIES;
    case MTLCAP_KIND_BOOL:
        return YES_NO;
    case MTLCAP_KIND_TEXT:
        return IDENTITY;
    default: /* a number that no profile changes and that measures nothing tells devices apart */
        return capability->change == 0 && capability->unit[0] == '\0' ? IDENTITY : LIMITS;
    }
}

static bool is_changed(const struct mtlcap_answer *answer) {
    return memcmp(answer->stock.number, answer->effective.number, sizeof answer->stock.number) !=
               0 ||
           answer->stock.members != answer->effective.members;
}

/* Adds a row's marks to its key: '*' a rule changed it, '~' derived. */
static const char *mark(const struct mtlcap_answer *answer, const char **style) {
    const struct term_style *styles = term_style();
    if (answer->derived) {
        *style = styles->derived;
        return "~";
    }
    if (answer->overridden && is_changed(answer)) {
        *style = styles->changed;
        return "*";
    }
    *style = "";
    return " ";
}

static const char *reason(const struct mtlcap_answer *answer) {
    return answer->derived ? "derived" : answer->rule;
}

static void value_text(const struct mtlcap_capability *capability,
                       const struct mtlcap_answer *answer, const struct mtlcap_value *value,
                       char *text, size_t size) {
    if (answer->kind == 0)
        snprintf(text, size, NOT_ANSWERED);
    else
        catalog_value_text(capability, value, text, size);
}

static void add_stock(struct table *table, const struct mtlcap_capability *capability,
                      const struct mtlcap_answer *answer) {
    char key[72], stock[192];
    snprintf(key, sizeof key, "  %s", capability->key);
    value_text(capability, answer, &answer->stock, stock, sizeof stock);
    TABLE_ADD(table, answer->kind == 0 ? term_style()->faint : "", key, stock, capability->summary);
}

static void add_changed(struct table *table, const struct mtlcap_capability *capability,
                        const struct mtlcap_answer *answer) {
    char key[72], stock[192], effective[192];
    const char *style;
    snprintf(key, sizeof key, "%s %s", mark(answer, &style), capability->key);
    value_text(capability, answer, &answer->stock, stock, sizeof stock);
    value_text(capability, answer, &answer->effective, effective, sizeof effective);
    if (answer->kind == 0)
        style = term_style()->faint;
    TABLE_ADD(table, style, key, stock, answer->kind == 0 ? "" : effective, reason(answer));
}

static void add_difference(struct table *table, const struct mtlcap_capability *capability,
                           const struct mtlcap_answer *a, const struct mtlcap_answer *b) {
    char key[72], a_text[192], b_text[192];
    snprintf(key, sizeof key, "%s", capability->key);
    value_text(capability, a, &a->effective, a_text, sizeof a_text);
    value_text(capability, b, &b->effective, b_text, sizeof b_text);
    TABLE_ADD(table, "", key, a_text, b_text, reason(a)[0] != '\0' ? reason(a) : "stock",
              reason(b)[0] != '\0' ? reason(b) : "stock");
}

static void write_header(const struct probe *probe) {
    const struct mtlcap_machine *machine = &probe->devices.machine;
    char memory[32];
    catalog_bytes_text(machine->memory, memory, sizeof memory);
    output_text(machine->chip[0] != '\0' ? machine->chip : "unknown chip");
    if (machine->memory != 0)
        output(", %s", memory);
    if (machine->os_version[0] != '\0') {
        output(", macOS ");
        output_text(machine->os_version);
    }
    output("%s%s\n", machine->virtual_machine == 1 ? ", virtual machine" : "",
           machine->simulated ? ", simulated" : "");
    if (probe_is_diff(probe)) {
        output("A: ");
        output_text(probe->profiles[0]);
        output("\nB: ");
        output_text(probe->profiles[1]);
        output("\n");
    } else if (probe->profiles[0] != NULL) {
        output("profile: ");
        output_text(probe->profiles[0]);
        output("\n");
    }
}

static void write_device_name(const struct probe *probe, uint32_t device) {
    char text[320];
    devices_describe(&probe->devices.list[device], text, sizeof text);
    output("\n%sdevice %u: ", term_style()->heading, (unsigned)(probe->devices.first + device));
    output_text(text);
    output("%s\n", term_style()->end);
}

/* Stock answers that do not come from Metal, by the image that gives them. */
static void write_foreign_sources(const struct mtlcap_answer *answers) {
    uint32_t count = mtlcap_capability_count();
    for (uint32_t i = 0; i < count; i++)
        if (answers[i].kind != 0 && strcmp(answers[i].source, "Metal") != 0) {
            output("stock %s is not Metal's: it comes from ", answers[i].capability);
            output_text(answers[i].source);
            output("\n");
        }
}

static void write_answers(const struct probe *probe, uint32_t device) {
    const struct mtlcap_answer *answers = probe->answers[0][device];
    bool with_profile = probe->profiles[0] != NULL;
    uint32_t count = mtlcap_capability_count();
    struct table table = {.indent = ""};
    bool changed = false, derived = false;
    for (int group = 0; group < GROUP_COUNT; group++) {
        if (with_profile)
            TABLE_ADD(&table, term_style()->heading, group_names[group], "stock", "effective",
                      "why");
        else
            TABLE_ADD(&table, term_style()->heading, group_names[group], "stock", "");
        for (uint32_t i = 0; i < count; i++) {
            struct mtlcap_capability capability = catalog_capability(i);
            if ((int)group_of(&capability) != group)
                continue;
            if (with_profile)
                add_changed(&table, &capability, &answers[i]);
            else
                add_stock(&table, &capability, &answers[i]);
            derived = derived || answers[i].derived;
            changed = changed || (answers[i].overridden && is_changed(&answers[i]));
        }
    }
    table_write(&table);
    if (with_profile && !changed && !derived)
        output("The profile changes nothing on this device.\n");
    if (changed || derived)
        output("%s%s%s\n", changed ? "* changed by a rule" : "", changed && derived ? "   " : "",
               derived ? "~ derived: Metal computes it from an answer that a rule changed" : "");
    write_foreign_sources(answers);
}

static void write_differences(const struct probe *probe, uint32_t device) {
    struct table table = {.indent = "  "};
    uint32_t count = mtlcap_capability_count();
    for (uint32_t i = 0; i < count; i++)
        if (probe_differs(probe, device, i)) {
            struct mtlcap_capability capability = catalog_capability(i);
            if (table.count == 0)
                TABLE_ADD(&table, term_style()->heading, "", "A", "B", "why A", "why B");
            add_difference(&table, &capability, &probe->answers[0][device][i],
                           &probe->answers[1][device][i]);
        }
    if (table.count == 0)
        output("  A and B do not differ on this device.\n");
    table_write(&table);
}

void probe_write_text(const struct probe *probe) {
    write_header(probe);
    for (uint32_t i = 0; i < probe->devices.count; i++) {
        write_device_name(probe, i);
        if (probe_is_diff(probe))
            write_differences(probe, i);
        else
            write_answers(probe, i);
    }
}
