/* Values and rules, as the documentation of profiles describes them. */
#include "rows.h"

#include <string.h>

const struct selector selectors[SELECTOR_COUNT] = {
#define SELECTOR(id, name, shape, family, yes) {name, SHAPE_##shape, family, yes},
#define ROW(...)
#include "rows.def"
#undef SELECTOR
#undef ROW
};

const struct row rows[] = {
#define SELECTOR(...)
#define ROW(key, selector, kind, first, last, named, change, hazard)                               \
    {key, SELECTOR_##selector, KIND_##kind, first, last, named, CHANGE_##change, HAZARD_##hazard},
#include "rows.def"
#undef SELECTOR
#undef ROW
};

const size_t row_count = sizeof rows / sizeof rows[0];
_Static_assert(sizeof rows / sizeof rows[0] <= ROWS_MAX, "more rows than struct rules has");

bool value_equal(const struct value *a, const struct value *b) {
    return a->members == b->members && memcmp(a->number, b->number, sizeof a->number) == 0;
}

bool value_above(const struct value *a, const struct value *b) {
    bool above = (a->members & ~b->members) != 0;
    for (int i = 0; i < 3; i++)
        above |= a->number[i] > b->number[i];
    return above;
}

static bool is_ladder(const struct row *row) {
    return row->kind == KIND_FAMILY || row->kind == KIND_COUNT;
}

static uint64_t keep_within(const struct rule *rule, int i, int64_t named, uint64_t number) {
    const uint64_t min = rule->min.number[i] - (uint64_t)named;
    const uint64_t max = rule->max.number[i] - (uint64_t)named;
    if (rule->min.set && number < min)
        number = min;
    if (rule->max.set && number > max)
        number = max;
    return number;
}

struct value rule_value(const struct row *row, const struct rule *rule, struct value value) {
    if (!is_ladder(row)) {
        for (int i = 0; i < (row->kind == KIND_SIZE3 ? 3 : 1); i++)
            value.number[i] = keep_within(rule, i, 0, value.number[i]);
        return value;
    }
    value.number[0] = 0;
    for (int64_t i = 0; i <= row->last - row->first; i++) {
        const uint64_t name = (uint64_t)(row->first + i + row->named);
        if (rule->min.set && name <= rule->min.number[0])
            value.members |= (uint64_t)1 << i;
        if (rule->max.set && name > rule->max.number[0])
            value.members &= ~((uint64_t)1 << i);
        if (value.members >> i & 1)
            value.number[0] = name;
    }
    return value;
}

/* A ladder goes on above what Metal has so far: clients ask for families that are yet to come. */
static bool speaks_of(const struct row *row, int64_t argument) {
    if (row->kind == KIND_FAMILY)
        return argument >= row->first && argument < row->first / 1000 * 1000 + 1000;
    return argument >= row->first && (row->kind == KIND_COUNT || argument <= row->last);
}

static bool decide_ladder(const struct row *row, const struct rule *rule, int64_t argument,
                          struct answer *answer) {
    const int64_t name = argument + row->named;
    answer->number[0] = rule->min.set && name <= (int64_t)rule->min.number[0];
    return answer->number[0] || (rule->max.set && name > (int64_t)rule->max.number[0]);
}

bool rules_decide(const struct rules *rules, enum selector_id selector, int64_t argument,
                  struct answer *answer) {
    memset(answer, 0, sizeof *answer);
    for (size_t r = 0; r < row_count; r++) {
        const struct rule *rule = &rules->of[r];
        if (rows[r].selector != selector || !rule_is_set(rule))
            continue;
        if (is_ladder(&rows[r])) {
            if (speaks_of(&rows[r], argument) && decide_ladder(&rows[r], rule, argument, answer))
                return true;
        } else if (rows[r].kind == KIND_BOOL && speaks_of(&rows[r], argument)) {
            answer->number[0] = rule->min.set ? rule->min.number[0] : rule->max.number[0];
            return true;
        }
    }
    return false;
}

void rules_limit(const struct rules *rules, enum selector_id selector, struct answer *answer) {
    for (size_t r = 0; r < row_count; r++)
        if (rows[r].selector == selector && rows[r].kind >= KIND_SIZE)
            for (int i = 0; i < (rows[r].kind == KIND_SIZE3 ? 3 : 1); i++)
                answer->number[i] = keep_within(&rules->of[r], i, rows[r].named, answer->number[i]);
}
