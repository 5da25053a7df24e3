/* Finding methods, and what they answer. */
#include "world.h"

#include <stdio.h>
#include <stdlib.h>

int selector_arguments(enum selector_id selector, int64_t arguments[ARGUMENTS_MAX]) {
    static const struct span {
        enum selector_id selector;
        int64_t first, last;
    } spans[] = {
        {SELECTOR_FAMILY, -1, 1},
        {SELECTOR_FAMILY, 999, 1012},
        {SELECTOR_FAMILY, 1021, 1021},
        {SELECTOR_FAMILY, 1999, 2003},
        {SELECTOR_FAMILY, 2999, 3006},
        {SELECTOR_FAMILY, 3999, 4003},
        {SELECTOR_FAMILY, 4999, 5006},
        {SELECTOR_FAMILY, 5999, 6001},
        {SELECTOR_FEATURE_SET, 9999, 10007},
        {SELECTOR_FEATURE_SET, 10999, 11000},
        {SELECTOR_SAMPLE_COUNT, 0, 34},
        {SELECTOR_SAMPLE_COUNT, 1000, 1000},
        {SELECTOR_AMPLIFICATION, 0, 10},
        {SELECTOR_RATE_LAYERS, 0, 18},
        {SELECTOR_COUNTER_SAMPLING, 0, 6},
    };
    int count = 0;
    for (size_t s = 0; s < sizeof spans / sizeof spans[0]; s++)
        for (int64_t i = spans[s].first; spans[s].selector == selector && i <= spans[s].last; i++)
            arguments[count++] = i;
    if (!count)
        arguments[count++] = 0;
    return count;
}

static struct answer native(const struct world *world, int object, enum selector_id selector,
                            int64_t argument) {
    const struct object *asked = &world->objects[object];
    struct answer answer = {{0}};
    if (selectors[selector].family) {
        answer = world_ask(world, object, SELECTOR_FAMILY, selectors[selector].family);
        answer.number[0] = answer.number[0] ? selectors[selector].yes : 0;
        return answer;
    }
    if (selectors[selector].shape != SHAPE_ASK)
        return asked->config->answers[selector];
    int64_t arguments[ARGUMENTS_MAX];
    const int count = selector_arguments(selector, arguments);
    for (int i = 0; i < count; i++)
        if (arguments[i] == argument)
            answer.number[0] = asked->config->yes[selector][i];
    return answer;
}

static struct answer of_others(const struct method *method, int64_t argument, struct answer below) {
    const bool spoken_of = argument >= method->low && argument <= method->high;
    const bool is_number = selectors[method->selector].shape >= SHAPE_WORD;
    struct answer answer = below;
    for (int i = 0; i < (selectors[method->selector].shape == SHAPE_SIZE3 ? 3 : 1); i++) {
        uint64_t *number = &answer.number[i];
        switch (method->kind) {
        case METHOD_RAISE:
            if (is_number)
                *number = *number > method->number ? *number : method->number;
            else
                *number = *number || spoken_of;
            break;
        case METHOD_LOWER:
            if (is_number)
                *number = *number < method->number ? *number : method->number;
            else
                *number = *number && !spoken_of;
            break;
        case METHOD_CONSTANT:
            *number = is_number ? method->number : spoken_of;
            break;
        default:
            break;
        }
    }
    return answer;
}

static struct answer run(const struct world *world, const struct method *method, int object,
                         int64_t argument);

const struct method *world_reached(const struct world *world, int class,
                                   enum selector_id selector) {
    while (class >= 0 && !world->classes[class].top[selector])
        class = world->classes[class].super;
    if (class < 0) {
        fprintf(stderr, "model: no class has %s\n", selectors[selector].name);
        abort();
    }
    return world->classes[class].top[selector];
}

const struct method *world_below(const struct world *world, const struct method *method) {
    const int super = world->classes[method->class].super;
    return method->below ? method->below : world_reached(world, super, method->selector);
}

static struct answer run_below(const struct world *world, const struct method *method, int object,
                               int64_t argument) {
    return run(world, world_below(world, method), object, argument);
}

static struct answer run(const struct world *world, const struct method *method, int object,
                         int64_t argument) {
    const struct rules *plan = world->classes[method->class].plan;
    struct answer answer = {{0}};
    switch (method->kind) {
    case METHOD_NATIVE:
        return native(world, object, method->selector, argument);
    case METHOD_OURS:
        ((struct method *)method)->asked = true;
        if (plan && rules_decide(plan, method->selector, argument, &answer))
            return answer;
        answer = run_below(world, method, object, argument);
        if (plan)
            rules_limit(plan, method->selector, &answer);
        return answer;
    case METHOD_CONSTANT:
        return of_others(method, argument, answer);
    default:
        return of_others(method, argument, run_below(world, method, object, argument));
    }
}

struct answer world_ask(const struct world *world, int object, enum selector_id selector,
                        int64_t argument) {
    const struct object *device = &world->objects[world->objects[object].device];
    return run(world, world_reached(world, device->class, selector), (int)(device - world->objects),
               argument);
}

struct value world_value(const struct world *world, int object, size_t row,
                         const struct method *method) {
    const struct row *asked = &rows[row];
    const bool is_ladder = asked->kind == KIND_FAMILY || asked->kind == KIND_COUNT;
    const int device = world->objects[object].device;
    struct value value = {{0}, 0};
    if (!method)
        method = world_reached(world, world->objects[device].class, asked->selector);
    for (int64_t i = asked->first; is_ladder && i <= asked->last; i++)
        if (run(world, method, device, i).number[0]) {
            value.number[0] = (uint64_t)(i + asked->named);
            value.members |= (uint64_t)1 << (i - asked->first);
        }
    if (is_ladder)
        return value;
    const int64_t argument = asked->kind == KIND_BOOL ? asked->first : 0;
    const struct answer answer = run(world, method, device, argument);
    for (int i = 0; i < (asked->kind == KIND_SIZE3 ? 3 : 1); i++)
        value.number[i] = answer.number[i] + (uint64_t)asked->named;
    return value;
}

struct method *world_put(struct world *world, int class, enum selector_id selector,
                         struct method method) {
    struct method *put = malloc(sizeof *put);
    if (!put)
        abort();
    *put = method;
    put->class = class;
    put->selector = selector;
    world->classes[class].top[selector] = put;
    return put;
}
