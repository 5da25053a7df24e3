/* Each operation is done twice, in the model and for real, and the two are compared. */
#define _GNU_SOURCE
#include "sequence.h"

#include <inttypes.h>
#include <simmetal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metal.h"
#include "mtlcap/mtlcap.h"
#include "shims.h"

enum { SHIMS_MAX = 160, SUBCLASSES_MAX = 12, DEVICES_MAX = 12 };

static struct world world;
static struct library library;
static void *real[OBJECTS_MAX];
static struct {
    struct method *method;
    int number;
} shims[SHIMS_MAX];
static int shim_count, subclass_count;

/* GCC's runtime leaves stale copies of a method in subclasses when the method is replaced: there,
 * others hook classes without subclasses only, and no class is made at run time. */
static bool leaves_only;

static bool tells;
static char what[4096]; /* the operation, for the message */
static char wrong[8192];

__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    if (tells)
        fprintf(stderr, "    %s\n", what);
}

__attribute__((format(printf, 1, 2))) static bool differ(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int used = snprintf(wrong, sizeof wrong, "%s: ", what);
    vsnprintf(wrong + used, sizeof wrong - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

static bool same_status(int status, int expected) {
    if (status != expected)
        return differ("returned %s (%s), should be %s", mtlcap_strerror(status),
                      status ? mtlcap_last_error() : "", mtlcap_strerror(expected));
    return !status || mtlcap_last_error()[0] || differ("failed without a message");
}

/* ---- comparing ----------------------------------------------------------------- */

static bool same_answer(int object, enum selector_id selector, int64_t argument) {
    const struct object *asked = &world.objects[object];
    const int class = world.objects[asked->device].class;
    const enum method_kind kind = world_reached(&world, class, selector)->kind;
    const bool full = kind == METHOD_NATIVE || kind == METHOD_OURS;
    const struct answer expected = world_ask(&world, object, selector, argument);
    const struct answer answer = shims_ask(real[object], selector, argument, full);
    if (memcmp(&answer, &expected, sizeof answer) != 0)
        return differ("-[%s %s] of object %d, argument %" PRId64 ", answers %" PRIu64
                      ", should be %" PRIu64,
                      world.classes[class].name, selectors[selector].name, object, argument,
                      answer.number[0], expected.number[0]);
    return true;
}

static bool same_answers(int object) {
    for (int s = 0; s < SELECTOR_COUNT; s++) {
        int64_t arguments[ARGUMENTS_MAX];
        const int count = selector_arguments((enum selector_id)s, arguments);
        for (int i = 0; i < count; i++)
            if (!same_answer(object, (enum selector_id)s, arguments[i]))
                return false;
    }
    return true;
}

static bool same_value(const struct mtlcap_value *value, const struct value *expected,
                       const char *which) {
    if (memcmp(value->number, expected->number, sizeof value->number) != 0 ||
        value->members != expected->members)
        return differ("%s is %s (%" PRIu64 "x%" PRIu64 "x%" PRIu64 ", members %" PRIx64
                      "), should be %" PRIu64 "x%" PRIu64 "x%" PRIu64 ", members %" PRIx64,
                      which, value->text, value->number[0], value->number[1], value->number[2],
                      value->members, expected->number[0], expected->number[1], expected->number[2],
                      expected->members);
    return true;
}

static bool same_query(int object, size_t row) {
    struct expected expected;
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    const int status = library_query(&library, object, row, &expected);
    if (!same_status(mtlcap_query(object < 0 ? NULL : real[object], rows[row].key, &answer),
                     status))
        return false;
    if (status)
        return true;
    if (answer.stock_known != expected.stock_known || answer.overridden != expected.overridden ||
        answer.derived != expected.derived)
        return differ("stock_known %d, overridden %d, derived %d, should be %d, %d, %d",
                      answer.stock_known, answer.overridden, answer.derived, expected.stock_known,
                      expected.overridden, expected.derived);
    if (strcmp(answer.rule, expected.rule) != 0)
        return differ("rule \"%s\", should be \"%s\"", answer.rule, expected.rule);
    if ((strcmp(answer.source, "Metal") != 0) != expected.foreign)
        return differ("the stock answer comes from %s", answer.source);
    return same_value(&answer.effective, &expected.effective, "effective") &&
           same_value(&answer.stock, &expected.stock, "stock");
}

static bool same_state(void) {
    struct mtlcap_report report = MTLCAP_REPORT_INIT;
    if (mtlcap_is_active() != library.active)
        return differ("is_active is %d", mtlcap_is_active());
    if (mtlcap_generation() != library.generation)
        return differ("generation is %" PRIu64 ", should be %" PRIu64, mtlcap_generation(),
                      library.generation);
    if (mtlcap_report_info(&report) || report.generation != library.generation)
        return differ("the report is of generation %" PRIu64, report.generation);
    uint32_t hooks = 0;
    for (int shape = SHAPE_BOOL; shape <= SHAPE_SIZE3; shape++)
        hooks += (uint32_t)library.taken[shape];
    if (report.hook_count != hooks)
        return differ("%u hooks, should be %u", report.hook_count, hooks);
    return true;
}

/* ---- operations ------------------------------------------------------------------ */

static int any_object(struct random *random) {
    return world.object_count ? random_below(random, world.object_count) : -1;
}

static int any_device(struct random *random) {
    const int object = any_object(random);
    return object < 0 ? -1 : world.objects[object].device;
}

static bool do_message(struct random *random) {
    const int object = any_object(random);
    /* Half of the questions are about families. */
    const enum selector_id selector = random_one_in(random, 2)
                                          ? SELECTOR_FAMILY
                                          : (enum selector_id)random_below(random, SELECTOR_COUNT);
    int64_t arguments[ARGUMENTS_MAX];
    const int count = selector_arguments(selector, arguments);
    const int64_t argument = arguments[random_below(random, count)];
    if (object < 0)
        return true;
    tell("message %s %" PRId64 " to object %d", selectors[selector].name, argument, object);
    return same_answer(object, selector, argument);
}

static bool do_query(struct random *random) {
    const int object = random_one_in(random, 5) ? -1 : any_object(random);
    const size_t row = (size_t)random_below(random, random_one_in(random, 2) ? 6 : (int)row_count);
    tell("query %s of object %d", rows[row].key, object);
    return same_query(object, row);
}

static bool do_bad_query(struct random *random) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    const int object = any_object(random);
    tell("query of an unknown capability of object %d", object);
    return same_status(mtlcap_query(object < 0 ? NULL : real[object], "aple", &answer),
                       MTLCAP_E_CAPABILITY);
}

static bool do_apply(struct random *random) {
    const struct profile profile =
        random_one_in(random, 6) ? profile_invalid(random) : profile_valid(random);
    const int choice = random_below(random, 10);
    const unsigned consent = choice < 3   ? 0
                             : choice < 9 ? CONSENT_ALL
                                          : (unsigned)random_below(random, CONSENT_ALL);
    const bool bad_allow = random_one_in(random, 40);
    char allow[256];
    consent_text(consent, allow, sizeof allow);
    uint64_t generation = 0;
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.allow = bad_allow ? "everything" : allow;
    options.generation = &generation;
    tell("apply \"%s\", allow \"%s\"", profile.text, options.allow);
    const int expected = bad_allow ? MTLCAP_E_ARGUMENT : library_apply(&library, &profile, consent);
    if (!same_status(mtlcap_apply_profile(profile.text, &options), expected))
        return false;
    if (generation != (expected ? 0 : library.generation))
        return differ("generation %" PRIu64 " was handed out", generation);
    return true;
}

static bool do_restore(struct random *random) {
    (void)random;
    tell("restore");
    return same_status(mtlcap_restore(), library_restore(&library));
}

static bool do_restore_generation(struct random *random) {
    const int back = random_below(random, 4);
    uint64_t generation = library.last_generation + 1 - (uint64_t)back;
    if (generation > library.last_generation + 1)
        generation = 0;
    tell("restore generation %" PRIu64, generation);
    return same_status(mtlcap_restore_generation(generation),
                       library_restore_generation(&library, generation));
}

static bool do_count(struct random *random) {
    uint32_t count = 0, expected = 0;
    (void)random;
    tell("count devices");
    library_refresh(&library);
    for (int i = 0; i < library.known_count; i++)
        expected += library.known[i].listed || library.known[i].adopted;
    if (!same_status(mtlcap_device_count(&count), MTLCAP_OK))
        return false;
    return count == expected || differ("%u, should be %u", count, expected);
}

static bool do_adopt(struct random *random) {
    const int object = any_object(random);
    if (object < 0)
        return true;
    tell("adopt object %d", object);
    const int expected = library_adopt(&library, object);
    return same_status(mtlcap_adopt_device(real[object]), expected);
}

/* ---- what others do ---------------------------------------------------------------- */

static bool has_method(int class, enum selector_id selector) {
    for (; class >= 0; class = world.classes[class].super)
        if (world.classes[class].top[selector])
            return true;
    return false;
}

/* The class of a device, or one above it. */
static int any_class(struct random *random) {
    const int device = any_device(random);
    if (device < 0)
        return -1;
    int class = world.objects[device].class;
    if (leaves_only) /* a kind's class may have another kind's below it, but then is not used */
        return class;
    while (strcmp(world.classes[class].name, "_MTLDevice") != 0 && random_one_in(random, 3))
        class = world.classes[class].super;
    return class;
}

static bool do_hook(struct random *random) {
    static const uint64_t numbers[] = {0, 1, 1024, 16384, 32768, 65536, (uint64_t)1 << 34};
    static const int64_t ranges[][2] = {{1001, 1005},   {1001, 1007}, {1009, 1009}, {1001, 1021},
                                        {2001, 2002},   {3003, 3003}, {5001, 5002}, {0, 8},
                                        {10003, 10005}, {-1, 6001},   {1, 0}};
    const int class = any_class(random);
    const enum selector_id selector = random_one_in(random, 2)
                                          ? SELECTOR_FAMILY
                                          : (enum selector_id)random_below(random, SELECTOR_COUNT);
    const int64_t *range = ranges[random_below(random, sizeof ranges / sizeof ranges[0])];
    struct method method = {
        .kind = (enum method_kind)(METHOD_CHAIN + random_below(random, 4)),
        .selector = selector,
        .low = range[0],
        .high = range[1],
        .number = numbers[random_below(random, sizeof numbers / sizeof numbers[0])],
    };
    const bool frozen = random_one_in(random, 3);
    if (class < 0 || shim_count == SHIMS_MAX || !shims_left(selector) ||
        !has_method(class, selector))
        return true;
    if (world.classes[class].top[selector])
        method.below = world.classes[class].top[selector];
    else if (frozen)
        method.below = world_reached(&world, class, selector);
    static const char *const kinds[] = {"chains", "raises", "lowers", "is constant"};
    tell("a hook on -[%s %s] %s, %" PRId64 " to %" PRId64 ", %" PRIu64 "%s",
         world.classes[class].name, selectors[selector].name, kinds[method.kind - METHOD_CHAIN],
         method.low, method.high, method.number, frozen ? ", frozen" : "");
    shims[shim_count].method = world_put(&world, class, selector, method);
    shims[shim_count].number = shims_put(world.classes[class].name, &method, frozen);
    shim_count++;
    return true;
}

/* A careless one takes what was put on top of it along. */
static bool do_unhook(struct random *random) {
    if (!shim_count)
        return true;
    const int i = random_one_in(random, 3) ? random_below(random, shim_count) : shim_count - 1;
    struct method *method = shims[i].method;
    if (!method->below)
        return true; /* a method that was added cannot be removed */
    tell("the hook on -[%s %s] goes", world.classes[method->class].name,
         selectors[method->selector].name);
    world.classes[method->class].top[method->selector] = (struct method *)method->below;
    shims_remove(shims[i].number);
    shims[i] = shims[--shim_count];
    return true;
}

static int class_named(const char *name) {
    for (int c = 0; c < world.class_count; c++)
        if (strcmp(world.classes[c].name, name) == 0)
            return c;
    abort();
}

static int add_object(void *object, int device, const struct config *config) {
    const int added = world.object_count++;
    real[added] = object;
    world.objects[added] = (struct object){.device = device < 0 ? added : device,
                                           .config = config,
                                           .class = class_named(config->class_name),
                                           .compiled = class_named(config->class_name),
                                           .wrapper = device >= 0};
    return added;
}

static const struct learnt *facts;

static bool do_create(struct random *random) {
    const int m = random_below(random, make_count);
    if (world.object_count >= DEVICES_MAX || (leaves_only && makes[m].has_subclass))
        return true;
    tell("new device %d: %s, %s", world.object_count, makes[m].machine,
         facts->configs[m].class_name);
    void *device = simmetal_create_device_of(makes[m].machine, makes[m].index, makes[m].class_name);
    if (!device)
        return differ("there is none");
    add_object(device, -1, &facts->configs[m]);
    return true;
}

static bool do_wrap(struct random *random) {
    const int object = any_object(random);
    if (object < 0 || world.object_count == OBJECTS_MAX)
        return true;
    tell("object %d wraps object %d", world.object_count, object);
    void *wrapper = simmetal_wrap_device(real[object], "MTLDebugDevice");
    if (!wrapper)
        return differ("there is none");
    add_object(wrapper, world.objects[object].device, world.objects[object].config);
    return true;
}

static bool do_subclass(struct random *random) {
    static char names[SUBCLASSES_MAX][64];
    const int device = any_device(random);
    if (device < 0 || leaves_only || subclass_count == SUBCLASSES_MAX)
        return true;
    struct object *object = &world.objects[device];
    char *name = names[subclass_count];
    snprintf(name, sizeof names[0], "Observed%d", subclass_count++);
    tell("object %d goes into a new class %s below %s", device, name,
         world.classes[object->class].name);
    const int class = world.class_count++;
    world.classes[class] =
        (struct class){.name = name, .super = object->class, .at_run_time = true};
    object->class = class;
    shims_subclass(real[device], name);
    return true;
}

static bool is_below(int class, int ancestor) {
    while (class >= 0 && class != ancestor)
        class = world.classes[class].super;
    return class >= 0;
}

/* Into any class that is made at run time below its own, or back. */
static bool do_set_class(struct random *random) {
    const int device = any_device(random);
    if (device < 0)
        return true;
    struct object *object = &world.objects[device];
    const int wanted = random_below(random, world.class_count);
    int class = object->compiled;
    for (int below = wanted; world.classes[below].at_run_time && is_below(below, class);
         below = world.classes[below].super)
        if (!world.classes[world.classes[below].super].at_run_time &&
            world.classes[below].super == class)
            class = wanted;
    tell("object %d goes into class %s", device, world.classes[class].name);
    object->class = class;
    shims_set_class(real[device], world.classes[class].name);
    return true;
}

static bool do_check(struct random *random) {
    const int object = any_object(random);
    tell("ask object %d everything", object);
    return object < 0 || same_answers(object);
}

/* ---- sequences --------------------------------------------------------------------- */

static const struct operation {
    int weight;
    bool (*run)(struct random *random);
} operations[] = {
    {30, do_message},
    {20, do_query},
    {16, do_apply},
    {6, do_restore},
    {4, do_restore_generation},
    {8, do_hook},
    {5, do_unhook},
    {3, do_create},
    {2, do_wrap},
    {4, do_adopt},
    {3, do_subclass},
    {3, do_set_class},
    {3, do_check},
    {1, do_count},
    {1, do_bad_query},
};

static bool run_one(struct random *random) {
    int total = 0, chosen = 0;
    for (size_t i = 0; i < sizeof operations / sizeof operations[0]; i++)
        total += operations[i].weight;
    int ticket = random_below(random, total);
    while (ticket >= operations[chosen].weight)
        ticket -= operations[chosen++].weight;
    if (!operations[chosen].run(random) || !same_state())
        return false;
    for (int i = 0; i < 3 && world.object_count; i++) {
        int64_t arguments[ARGUMENTS_MAX];
        const enum selector_id selector = (enum selector_id)random_below(random, SELECTOR_COUNT);
        const int count = selector_arguments(selector, arguments);
        if (!same_answer(any_object(random), selector, arguments[random_below(random, count)]) ||
            !same_answer(any_object(random), SELECTOR_FAMILY, 1001 + random_below(random, 10)))
            return false;
    }
    return true;
}

static void set_up(struct random *random, const struct learnt *learnt) {
    const struct machine *machine = &machines[random_below(random, machine_count)];
    const char *runtime = getenv("SIMMETAL_RUNTIME");
    leaves_only = runtime && strcmp(runtime, "gcc") == 0;
    tell("machine %s", machine->name);
    setenv("SIMMETAL_DEVICES", machine->name, 1);
    facts = learnt;
    world.class_count = learnt->class_count;
    for (int c = 0; c < learnt->class_count; c++) {
        world.classes[c].name = learnt->classes[c].name;
        world.classes[c].super = learnt->classes[c].super;
        for (int s = 0; s < SELECTOR_COUNT; s++)
            if (learnt->classes[c].owns[s])
                world_put(&world, c, (enum selector_id)s, (struct method){.kind = METHOD_NATIVE});
    }
    library.world = &world;
    library.host = machine->host;
    void *listed[2];
    const int count = shims_open() ? shims_devices(listed, 2) : 0;
    for (int i = 0; i < count; i++) {
        const struct config *config = &learnt->configs[machine->makes[i]];
        int device = -1;
        if (machine->wrapped) {
            void *base = (void *)simmetal_ask(listed[i], "baseObject");
            device = add_object(base, -1, config);
        }
        library.listed[library.listed_count++] = add_object(listed[i], device, config);
    }
    mtlcap_set_log(MTLCAP_LOG_OFF, NULL, NULL);
}

const char *sequence_run(const struct sequence *sequence, const struct learnt *learnt) {
    struct random random = {sequence->seed};
    tells = sequence->tell;
    set_up(&random, learnt);
    for (int i = 0; i < sequence->length; i++) {
        struct random own = {random_next(&random)};
        if (!sequence->skip[i] && !run_one(&own))
            return wrong;
    }
    return NULL;
}
