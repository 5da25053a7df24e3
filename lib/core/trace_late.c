/* Which profile came into force when, and which questions had been answered by then: whoever keeps
 * such an answer does not see the profile. */
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "trace.h"
#include "trace_text.h"

/* ---- what is in force --------------------------------------------------------- */

static uint32_t count_of(const struct mtlcap__trace_layout *table) {
    const uint32_t count = atomic_load(&table->header.applied_count);
    return count < MTLCAP__TRACE_APPLIED ? count : MTLCAP__TRACE_APPLIED;
}

/* Programs apply the same few again and again. */
static uint32_t text_of(struct mtlcap__trace_layout *table, const char *profile) {
    for (uint32_t i = 0; i < count_of(table); i++)
        if (strcmp(table->text + table->applied[i].profile, profile) == 0)
            return table->applied[i].profile;
    const uint32_t in_force = atomic_load(&table->header.profile);
    return strcmp(table->text + in_force, profile) == 0 ? in_force
                                                        : mtlcap__trace_text(table, profile);
}

/* Index + 1; 0: there is no room. */
static uint32_t add_change(const struct mtlcap__noting *noting, const char *profile) {
    struct mtlcap__trace_layout *table = atomic_load(&noting->table);
    const uint32_t index = atomic_load(&table->header.applied_count);
    const uint32_t text = text_of(table, profile);
    const uint64_t ns = mtlcap__trace_clock() - atomic_load(&noting->start);
    atomic_store(&table->header.profile, text);
    atomic_store(&table->header.applied_count, index + 1);
    if (index >= MTLCAP__TRACE_APPLIED)
        return 0;
    table->applied[index].profile = text;
    atomic_store_explicit(&table->applied[index].ns, ns ? ns : 1, memory_order_release);
    return index + 1;
}

/* ---- who had asked ------------------------------------------------------------ */

static const struct mtlcap_change *derived_change(const struct mtlcap__record *record,
                                                  mtlcap__id device, const char *key) {
    for (size_t i = 0; i < record->change_count; i++)
        if (record->changes[i].derived && record->changes[i].device == device &&
            strcmp(record->changes[i].capability, key) == 0)
            return &record->changes[i];
    return NULL;
}

/* The answer that Metal computes now from others, without a rule for it; false: as before. */
static bool derive(const struct mtlcap__record *record, const struct mtlcap__traced_device *device,
                   const struct mtlcap__trace_entry *entry,
                   const struct mtlcap__trace_capability *row, char *text, size_t size) {
    const struct mtlcap_change *change =
        row->kind == MTLCAP_KIND_COUNT ? NULL : derived_change(record, device->object, row->key);
    if (!change)
        return false;
    if (row->kind == MTLCAP_KIND_FAMILY) {
        const int64_t highest = (int64_t)strtoll(change->effective, NULL, 10); /* "off": 0 */
        const uint64_t yes = entry->argument + row->named <= highest;
        mtlcap__trace_answer_text(row, &yes, text, size);
    } else {
        mtlcap__copy_text(text, size, change->effective, strlen(change->effective));
    }
    return true;
}

/* Would it be answered otherwise now? */
static bool is_late(const struct mtlcap__noting *noting, const struct mtlcap__record *record,
                    const struct mtlcap__trace_entry *entry, char *text, size_t size) {
    const struct mtlcap__trace_layout *table = atomic_load(&noting->table);
    if (entry->decided || entry->flags & MTLCAP__TRACE_ANY_ANSWER || entry->capability < 0 ||
        entry->device >= atomic_load(&noting->device_count))
        return false;
    const struct mtlcap__traced_device *device = &noting->devices[entry->device];
    const struct mtlcap__hook *hook = mtlcap__hook_find_installed(
        device->cls, mtlcap__selector_of(&mtlcap__capabilities[entry->row]));
    const struct mtlcap__trace_capability *row = &table->capabilities[entry->capability];
    uint64_t then[3];
    char now[128];
    mtlcap__trace_answer_text(row, entry->answer, now, sizeof now);
    if (hook &&
        mtlcap__hook_foresee(hook, mtlcap__plan_in_force(), entry->argument, entry->answer, then))
        mtlcap__trace_answer_text(row, then, text, size);
    else if (!derive(record, device, entry, row, text, size))
        return false;
    return strcmp(now, text) != 0;
}

void mtlcap__trace_applied(const struct mtlcap__record *record, bool again) {
    const struct mtlcap__noting *noting = atomic_load(&mtlcap__noting);
    if (!noting || !mtlcap__trace_is_on())
        return;
    struct mtlcap__trace_layout *table = atomic_load(&noting->table);
    uint32_t change = again ? 0 : add_change(noting, record->request->text);
    for (size_t i = 0; i < MTLCAP__TRACE_ENTRIES; i++) {
        struct mtlcap__trace_entry *entry = &table->entries[i];
        char answer[128];
        if (atomic_load_explicit(&entry->state, memory_order_acquire) != MTLCAP__TRACE_FILLED ||
            atomic_load(&entry->late) || !is_late(noting, record, entry, answer, sizeof answer))
            continue;
        if (!change)
            change = add_change(noting, record->request->text);
        if (!change)
            return;
        entry->late_answer = mtlcap__trace_text(table, answer);
        atomic_store_explicit(&entry->late, change, memory_order_release);
    }
}

void mtlcap__trace_restored(void) {
    const struct mtlcap__noting *noting = atomic_load(&mtlcap__noting);
    const struct mtlcap__trace_layout *table = mtlcap__trace_table();
    if (noting && mtlcap__trace_is_on() && atomic_load(&table->header.profile))
        add_change(noting, "");
}
