/* What the library promises: install, prove, publish; all or nothing; restore without a trace. */
#include "library.h"

#include <stdlib.h>
#include <string.h>

#include "core/plan.h" /* how many hooks there are */
#include "mtlcap/mtlcap.h"

static const int hooks_of_shape[] = {
    [SHAPE_BOOL] = MTLCAP__BOOL_HOOKS,
    [SHAPE_ASK] = MTLCAP__ASK_HOOKS,
    [SHAPE_WORD] = MTLCAP__WORD_HOOKS,
    [SHAPE_SIZE3] = MTLCAP__SIZE3_HOOKS,
};

/* ---- stock ------------------------------------------------------------------- */

static struct hook *newest_in(const struct library *library, int class, enum selector_id selector) {
    struct hook *hook = library->newest[class][selector];
    while (hook && !hook->in)
        hook = hook->older;
    return hook;
}

/* The hook that a message comes to first, be it through those of others; NULL: none. A method of a
 * class in between that is none of the library's ends the search. */
static const struct method *first_hook(const struct library *library, int object,
                                       enum selector_id selector) {
    const struct world *world = library->world;
    const struct object *device = &world->objects[world->objects[object].device];
    const struct method *top = world_reached(world, device->class, selector);
    if (top->kind == METHOD_OURS)
        return top;
    for (int class = device->compiled; class >= 0; class = world->classes[class].super) {
        const struct hook *hook = newest_in(library, class, selector);
        if (hook)
            return hook->method;
        if (world->classes[class].top[selector])
            return NULL;
    }
    return NULL;
}

static bool is_hooked(const struct library *library, int object) {
    for (int s = 0; s < SELECTOR_COUNT; s++)
        if (first_hook(library, object, (enum selector_id)s))
            return true;
    return false;
}

/* Which of several hooks of one class a message still comes to, below another's, cannot be told. */
static bool is_ambiguous(const struct library *library, int object, enum selector_id selector) {
    const struct object *device = &library->world->objects[library->world->objects[object].device];
    const struct method *first = first_hook(library, object, selector);
    if (!library->active || !first ||
        world_reached(library->world, device->class, selector)->kind == METHOD_OURS)
        return false;
    int count = 0;
    for (const struct hook *hook = library->newest[first->class][selector]; hook;
         hook = hook->older)
        count += hook->in;
    return count > 1;
}

/* What answers without the library: what is below its hooks. While nothing is overridden also what
 * others have put above them. If it cannot be told, what a message comes to. */
static const struct method *stock_method(const struct library *library, int object,
                                         enum selector_id selector) {
    const struct world *world = library->world;
    const int device = world->objects[object].device;
    const struct method *method = world_reached(world, world->objects[device].class, selector);
    if (is_ambiguous(library, object, selector))
        return method;
    if (library->active && first_hook(library, object, selector))
        method = first_hook(library, object, selector);
    while (method->kind == METHOD_OURS)
        method = world_below(world, method);
    return method;
}

static struct value stock_of(const struct library *library, int object, size_t row) {
    return world_value(library->world, object, row,
                       stock_method(library, object, rows[row].selector));
}

static bool stock_is_foreign(const struct library *library, int object, size_t row) {
    return !is_ambiguous(library, object, rows[row].selector) &&
           stock_method(library, object, rows[row].selector)->kind != METHOD_NATIVE;
}

static void take_stock(struct library *library, struct known *known) {
    known->snapshot = !library->active || !is_hooked(library, known->object);
    for (size_t r = 0; r < row_count; r++)
        known->stock[r] = stock_of(library, known->object, r);
    for (size_t r = 0; r < row_count; r++)
        known->foreign[r] = stock_is_foreign(library, known->object, r);
}

/* ---- devices ----------------------------------------------------------------- */

static bool is_object(const struct library *library, const struct known *known, int object) {
    return known->object == object || library->world->objects[known->object].device == object;
}

static struct known *find(struct library *library, int object) {
    for (int i = 0; i < library->known_count; i++)
        if (is_object(library, &library->known[i], object))
            return &library->known[i];
    return NULL;
}

static struct known *make_known(struct library *library, int object) {
    struct known *known = find(library, object);
    if (known)
        return known;
    known = &library->known[library->known_count++];
    *known = (struct known){.object = object};
    take_stock(library, known);
    return known;
}

void library_refresh(struct library *library) {
    library->looked = true;
    for (int i = 0; i < library->listed_count; i++)
        make_known(library, library->listed[i])->listed = true;
}

/* Those that a profile is applied to: Metal's list, then the adopted ones. */
static int shown(struct library *library, struct known *devices[OBJECTS_MAX]) {
    int count = 0;
    for (int adopted = 0; adopted <= 1; adopted++)
        for (int i = 0; i < library->known_count; i++) {
            struct known *known = &library->known[i];
            if (known->listed == !adopted && (known->listed || known->adopted))
                devices[count++] = known;
        }
    return count;
}

/* ---- apply ------------------------------------------------------------------- */

struct apply {
    struct library *library;
    struct known *devices[OBJECTS_MAX];
    struct rules *rules[OBJECTS_MAX];
    int count;
    struct hook *put[2 * OBJECTS_MAX * SELECTOR_COUNT];
    int put_count;
};

static int class_of(const struct apply *apply, int device) {
    return apply->library->world->objects[apply->devices[device]->object].compiled;
}

static bool is_kind_of(const struct world *world, int class, int above) {
    while (class >= 0 && class != above)
        class = world->classes[class].super;
    return class >= 0;
}

/* Devices of one class, and of those below it, get the same answers: only if all of them are
 * paravirtual does any count as that. */
static bool is_paravirtual(const struct apply *apply, int device) {
    const struct world *world = apply->library->world;
    for (int d = 0; d < apply->count; d++)
        if (!world->objects[apply->devices[d]->object].config->paravirtual &&
            is_kind_of(world, class_of(apply, d), class_of(apply, device)))
            return false;
    return true;
}

static bool refused(const struct apply *apply, int device, size_t r) {
    const struct library *library = apply->library;
    const struct row *row = &rows[r];
    const struct rule *rule = &apply->rules[device]->of[r];
    const struct value stock = apply->devices[device]->stock[r];
    const struct value effective = rule_value(row, rule, stock);
    const bool paravirtual = is_paravirtual(apply, device);
    unsigned met = 0;
    if (value_above(&effective, &stock)) {
        uint64_t hardware = (uint64_t)library->host.gpu_family;
        if (!paravirtual && stock.number[0] > hardware)
            hardware = stock.number[0];
        if (!paravirtual)
            met |= CONSENT_BARE_METAL;
        if (paravirtual && library->host.macos_14)
            met |= CONSENT_MACOS_14;
        if (row->hazard == HAZARD_HARDWARE && effective.number[0] > hardware)
            met |= CONSENT_HARDWARE;
        if (row->hazard == HAZARD_MAC)
            met |= CONSENT_MAC;
        if (row->hazard == HAZARD_METAL)
            met |= CONSENT_METAL;
        if (row->hazard == HAZARD_THREADGROUP && effective.number[0] > 32768)
            met |= CONSENT_THREADGROUP;
        if (row->hazard == HAZARD_MEMORY && effective.number[0] > library->host.memory)
            met |= CONSENT_MEMORY;
        if (row->hazard == HAZARD_FEATURE)
            met |= CONSENT_FEATURE;
    }
    if (value_above(&stock, &effective) && row->hazard == HAZARD_THREADGROUP &&
        effective.number[0] < 32768)
        met |= CONSENT_SMALL_THREADGROUP;
    return (met & ~library->consent) != 0;
}

/* Every hook that there is not enough of is known before the first is put. */
static bool enough_hooks(const struct apply *apply) {
    int need[4] = {0};
    bool counted[CLASSES_MAX][SELECTOR_COUNT] = {{false}};
    for (int d = 0; d < apply->count; d++)
        for (size_t r = 0; r < row_count; r++) {
            const int class = class_of(apply, d);
            const enum selector_id selector = rows[r].selector;
            if (!rule_is_set(&apply->rules[d]->of[r]) || counted[class][selector] ||
                apply->library->newest[class][selector])
                continue;
            counted[class][selector] = true;
            need[selectors[selector].shape]++;
        }
    for (int shape = 0; shape < 4; shape++)
        if (apply->library->taken[shape] + need[shape] > hooks_of_shape[shape])
            return false;
    return true;
}

/* A hook that passes through to `method` already. */
static struct hook *passing_to(const struct library *library, int class, enum selector_id selector,
                               const struct method *method) {
    struct hook *added = NULL, *newest = library->newest[class][selector];
    for (struct hook *hook = newest; hook; hook = hook->older) {
        if (hook->method->below == method)
            return hook;
        if (!hook->method->below && world_below(library->world, hook->method) == method)
            added = hook;
    }
    return added;
}

/* On top of what the class has. */
static int put(struct apply *apply, int class, enum selector_id selector) {
    struct library *library = apply->library;
    struct method **top = &library->world->classes[class].top[selector];
    struct hook *hook = *top ? passing_to(library, class, selector, *top) : NULL;
    const int shape = selectors[selector].shape;
    if (!hook) {
        if (library->taken[shape] == hooks_of_shape[shape])
            return MTLCAP_E_SLOTS;
        library->taken[shape]++;
        hook = malloc(sizeof *hook);
        if (!hook)
            abort();
        hook->method = world_put(library->world, class, selector,
                                 (struct method){.kind = METHOD_OURS, .below = *top});
        hook->older = library->newest[class][selector];
        library->newest[class][selector] = hook;
    }
    *top = hook->method;
    hook->in = true;
    apply->put[apply->put_count++] = hook;
    return MTLCAP_OK;
}

/* A method that was added cannot be removed. */
static void undo(struct apply *apply) {
    struct world *world = apply->library->world;
    while (apply->put_count) {
        struct hook *hook = apply->put[--apply->put_count];
        struct method **top = &world->classes[hook->method->class].top[hook->method->selector];
        if (!hook->method->below || *top != hook->method)
            continue;
        *top = (struct method *)hook->method->below;
        hook->in = false;
    }
}

static void plan(const struct apply *apply) {
    struct world *world = apply->library->world;
    for (int c = 0; c < world->class_count; c++)
        world->classes[c].plan = NULL;
    for (int d = apply->count - 1; d >= 0; d--)
        world->classes[class_of(apply, d)].plan = apply->rules[d];
}

/* One of the library's hooks of the device's class is asked on the way, and what comes out
 * satisfies the rule. */
static bool proved(const struct apply *apply, int device, size_t r) {
    const struct library *library = apply->library;
    struct hook *newest = library->newest[class_of(apply, device)][rows[r].selector];
    bool asked = false;
    for (struct hook *hook = newest; hook; hook = hook->older)
        hook->method->asked = false;
    const struct value value = world_value(library->world, apply->devices[device]->object, r, NULL);
    const struct value wanted = rule_value(&rows[r], &apply->rules[device]->of[r], value);
    for (struct hook *hook = newest; hook; hook = hook->older)
        asked |= hook->method->asked;
    return asked && value_equal(&value, &wanted);
}

/* Puts a hook above what hides those that were not asked, or changes what they say. */
static int put_above(struct apply *apply, int device, size_t r) {
    const int class = class_of(apply, device);
    const struct method *top = apply->library->world->classes[class].top[rows[r].selector];
    if (top && top->kind == METHOD_OURS)
        return MTLCAP_E_NOT_REACHED;
    return put(apply, class, rows[r].selector);
}

static int prove(struct apply *apply) {
    for (int d = 0; d < apply->count; d++)
        for (size_t r = 0; r < row_count; r++) {
            if (!rule_is_set(&apply->rules[d]->of[r]) || proved(apply, d, r))
                continue;
            const int status = put_above(apply, d, r);
            if (status)
                return status;
            d = -1; /* all of it once more */
            break;
        }
    return MTLCAP_OK;
}

static int install(struct apply *apply) {
    if (!enough_hooks(apply))
        return MTLCAP_E_SLOTS;
    int status = MTLCAP_OK;
    for (int d = 0; d < apply->count; d++)
        for (size_t r = 0; r < row_count; r++)
            if (!status && rule_is_set(&apply->rules[d]->of[r]) &&
                !newest_in(apply->library, class_of(apply, d), rows[r].selector))
                status = put(apply, class_of(apply, d), rows[r].selector);
    const struct rules *before[CLASSES_MAX];
    for (int c = 0; c < CLASSES_MAX; c++)
        before[c] = apply->library->world->classes[c].plan;
    if (!status) {
        plan(apply);
        status = prove(apply);
    }
    if (!status)
        return MTLCAP_OK;
    for (int c = 0; c < CLASSES_MAX; c++)
        apply->library->world->classes[c].plan = before[c];
    undo(apply);
    return status;
}

/* Rules live on: methods in the world go by them. */
static void resolve(struct apply *apply, const struct profile *profile) {
    for (int d = 0; d < apply->count; d++) {
        apply->rules[d] = malloc(sizeof *apply->rules[d]);
        if (!apply->rules[d])
            abort();
        *apply->rules[d] =
            profile_rules(profile, is_paravirtual(apply, d), apply->library->host.gpu_family);
    }
}

static bool decides_anything(const struct apply *apply) {
    for (int d = 0; d < apply->count; d++)
        for (size_t r = 0; r < row_count; r++)
            if (rule_is_set(&apply->rules[d]->of[r]))
                return true;
    return false;
}

static int apply_parsed(struct library *library, const struct profile *profile, unsigned consent) {
    struct apply apply = {.library = library};
    library_refresh(library);
    apply.count = shown(library, apply.devices);
    if (!apply.count)
        return MTLCAP_E_NO_DEVICE;
    for (int d = 0; d < apply.count && !library->active; d++)
        take_stock(library, apply.devices[d]);
    if (profile->hides)
        return MTLCAP_E_UNSUPPORTED; /* but for the injected library */
    resolve(&apply, profile);

    const unsigned before = library->consent;
    library->consent = consent;
    int status = MTLCAP_OK;
    for (int d = 0; d < apply.count; d++)
        for (size_t r = 0; r < row_count; r++)
            if (rule_is_set(&apply.rules[d]->of[r]) && refused(&apply, d, r))
                status = MTLCAP_E_HAZARD;
    if (!status)
        status = install(&apply);
    if (status) {
        library->consent = before;
        return status;
    }
    library->in_force = true;
    library->active = decides_anything(&apply);
    library->profile = *profile;
    return MTLCAP_OK;
}

int library_apply(struct library *library, const struct profile *profile, unsigned consent) {
    int status = profile->status;
    if (!status)
        status = apply_parsed(library, profile, consent);
    if (!status)
        library->generation = ++library->last_generation;
    return status;
}

/* A device that the profile in force cannot be applied to is not adopted. */
int library_adopt(struct library *library, int object) {
    struct known *known = make_known(library, object);
    const bool before = known->adopted;
    const struct profile profile = library->profile;
    known->adopted = true;
    const int status =
        library->in_force ? apply_parsed(library, &profile, library->consent) : MTLCAP_OK;
    known->adopted = before || !status;
    return status;
}

int library_restore(struct library *library) {
    for (int c = 0; c < library->world->class_count; c++)
        library->world->classes[c].plan = NULL;
    library->in_force = library->active = false;
    library->generation = 0;
    return MTLCAP_OK;
}

int library_restore_generation(struct library *library, uint64_t generation) {
    if (generation == 0 || generation > library->last_generation)
        return MTLCAP_E_ARGUMENT;
    return generation == library->generation ? library_restore(library) : MTLCAP_OK;
}

/* ---- query --------------------------------------------------------------------- */

/* What is known about the device: of the very object, else of another around the same device. */
static struct known *known_of(struct library *library, int object) {
    struct known *known = find(library, object);
    return known ? known : find(library, library->world->objects[object].device);
}

/* The first hook on the way of a message that has a rule for the row. NULL: none. */
static const struct method *deciding_hook(const struct library *library, int object, size_t row) {
    const struct method *method = first_hook(library, object, rows[row].selector);
    for (; method && method->kind == METHOD_OURS; method = world_below(library->world, method)) {
        const struct rules *plan = library->world->classes[method->class].plan;
        if (plan && rule_is_set(&plan->of[row]))
            return method;
    }
    return NULL;
}

static void explain_change(const struct library *library, int object, size_t row,
                           const struct known *known, struct expected *expected) {
    const struct world *world = library->world;
    const struct method *decides = deciding_hook(library, object, row);
    expected->overridden = decides != NULL;
    if (decides)
        profile_rule_text(&library->profile, &world->classes[decides->class].plan->of[row],
                          expected->rule, sizeof expected->rule);
    if (!known || !known->snapshot) {
        expected->stock = stock_of(library, object, row);
        /* Metal computes other answers from families. */
        expected->stock_known = expected->overridden &&
                                !is_ambiguous(library, object, rows[row].selector) &&
                                strcmp(selectors[rows[row].selector].name, "supportsFamily:") == 0;
        return;
    }
    expected->stock = known->stock[row];
    if (decides || value_equal(&expected->stock, &expected->effective))
        return;
    const int class = world->objects[world->objects[object].device].class;
    const enum method_kind kind = world_reached(world, class, rows[row].selector)->kind;
    expected->derived = kind == METHOD_NATIVE || kind == METHOD_OURS;
    expected->foreign |= !expected->derived;
}

int library_query(struct library *library, int object, size_t row, struct expected *expected) {
    struct known *devices[OBJECTS_MAX];
    if (object < 0) {
        if (!library->looked || !shown(library, devices))
            library_refresh(library);
        if (!shown(library, devices))
            return MTLCAP_E_NO_DEVICE;
        object = devices[0]->object;
    }
    const struct known *known = known_of(library, object);
    *expected = (struct expected){.stock_known = 1};
    expected->effective = world_value(library->world, object, row, NULL);
    expected->stock = expected->effective;
    expected->foreign = known && known->snapshot && library->active
                            ? known->foreign[row]
                            : stock_is_foreign(library, object, row);
    if (library->active && rows[row].change != CHANGE_NEITHER)
        explain_change(library, object, row, known, expected);
    return MTLCAP_OK;
}
