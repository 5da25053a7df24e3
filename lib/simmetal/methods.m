/* Selectors, owners and type encodings of the methods in answers.m, and the encodings of those
 * that are ordinary methods. */
#import "methods.h"
#import "answers_table.h"
#import "tools.h"

#import <objc/message.h>
#import <objc/runtime.h>
#import <pthread.h>
#import <stdlib.h>
#import <string.h>

/* `result` is a kind's letter or the encoding itself; `arguments` the rest of the encoding. */
struct method {
    enum simmetal_owner owner;
    const char *selector;
    const char *result;
    const char *arguments;
    IMP imp; /* NULL: an ordinary method, or one that only some classes override */
};

#define FLAG_RESULT "BOOL"
#define NUMBER_RESULT "Q"
#define COUNT_RESULT "I"
#define NONE "16@0:8"
#define SIGNED "24@0:8q16"
#define UNSIGNED "24@0:8Q16"
#define SIZE "{?=QQQ}"

static const struct method methods[] = {
#define ROW(kind, name, owner, source, apple, mac, yes, no)                                        \
    {SIMMETAL_##owner, #name, kind##_RESULT, NONE, (IMP)simmetal_get_##name},
    SIMMETAL_ANSWERS(ROW)
#undef ROW
        {SIMMETAL_ROOT, "supportsFamily:", "BOOL", SIGNED, (IMP)simmetal_supports_family},
    {SIMMETAL_ROOT, "supportsFeatureSet:", "BOOL", UNSIGNED, (IMP)simmetal_supports_feature_set},
    {SIMMETAL_ROOT, "supportsTextureSampleCount:", "BOOL", UNSIGNED,
     (IMP)simmetal_supports_sample_count},
    {SIMMETAL_ROOT, "supportsVertexAmplificationCount:", "BOOL", UNSIGNED,
     (IMP)simmetal_supports_amplification},
    {SIMMETAL_ROOT, "supportsCounterSampling:", "BOOL", UNSIGNED,
     (IMP)simmetal_supports_counter_sampling},
    {SIMMETAL_ROOT, "supportsRasterizationRateMapWithLayerCount:", "BOOL", UNSIGNED,
     (IMP)simmetal_supports_rate_map},
    {SIMMETAL_ROOT, "sparseTileSizeInBytesForSparsePageSize:", "Q", SIGNED,
     (IMP)simmetal_sparse_tile_bytes},
    {SIMMETAL_ROOT, "shouldMaximizeConcurrentCompilation", "BOOL", NONE,
     (IMP)simmetal_maximizes_compilation},
    {SIMMETAL_ROOT, "setShouldMaximizeConcurrentCompilation:", "v", "20@0:8BOOL16",
     (IMP)simmetal_set_maximizes_compilation},
    {SIMMETAL_DRIVER, "currentAllocatedSize", "Q", NONE, (IMP)simmetal_current_allocated_size},
    {SIMMETAL_ROOT, "maxComputeThreadgroupMemory", "Q", NONE,
     (IMP)simmetal_compute_threadgroup_memory},
    {SIMMETAL_ROOT, "emulatesBFloat16", "BOOL", NONE, (IMP)simmetal_emulates_bfloat16},
    {SIMMETAL_ELSEWHERE, "maxThreadsPerThreadgroup", SIZE, NONE, NULL},
    {SIMMETAL_ELSEWHERE, "name", "@", NONE, NULL},
    {SIMMETAL_ELSEWHERE, "architecture", "@", NONE, NULL},
};
#define METHODS (sizeof methods / sizeof methods[0])

static const char *bool_encoding(enum simmetal_encodings encodings) {
    switch (encodings) {
    case SIMMETAL_ENCODINGS_ARM64:
        return "B";
    case SIMMETAL_ENCODINGS_X86_64:
        return "c";
    case SIMMETAL_ENCODINGS_COMPILER:
        break;
    }
    return @encode(BOOL);
}

/* Copies `encoding`, with BOOL replaced by the ABI's letter, to `end`; returns the new end. */
static char *expand(char *end, const char *encoding, enum simmetal_encodings encodings) {
    const char *placeholder = strstr(encoding, "BOOL");
    if (!placeholder)
        return stpcpy(end, encoding);
    end = stpncpy(end, encoding, (size_t)(placeholder - encoding));
    end = stpcpy(end, bool_encoding(encodings));
    return stpcpy(end, placeholder + strlen("BOOL"));
}

/* All encodings of all methods, made once: method tables keep pointers into it. */
static char types[SIMMETAL_ENCODINGS_COMPILER + 1][METHODS][40];

static void make_types(void) {
    for (unsigned e = 0; e <= SIMMETAL_ENCODINGS_COMPILER; e++)
        for (size_t i = 0; i < METHODS; i++)
            expand(expand(types[e][i], methods[i].result, e), methods[i].arguments, e);
}

static const char *method_types(enum simmetal_encodings encodings, const struct method *method) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, make_types);
    return types[encodings][method - methods];
}

/* The classes that own methods of the table, for simmetal_set_encodings. */
static Class owners[32];
static unsigned owner_count;

static void add(Class class, const struct method *method, IMP imp) {
    if (owner_count == 0 || owners[owner_count - 1] != class)
        owners[owner_count++] = class;
    class_addMethod(class, sel_registerName(method->selector), imp,
                    method_types(SIMMETAL_ENCODINGS_ARM64, method));
}

void simmetal_add_methods(Class class, enum simmetal_owner owner) {
    for (size_t i = 0; i < METHODS; i++)
        if (methods[i].owner == owner && methods[i].imp)
            add(class, &methods[i], methods[i].imp);
}

void simmetal_add_supports_family(Class class) {
    for (size_t i = 0; i < METHODS; i++)
        if (methods[i].imp == (IMP)simmetal_supports_family)
            add(class, &methods[i], methods[i].imp);
}

/* What wrappers do with a selector without, and with, an argument, and with one that answers a
 * size. */
static uint64_t forward(MTLToolsObject *self, SEL _cmd) {
    return simmetal_send([self baseObject], _cmd);
}

static uint64_t forward_argument(MTLToolsObject *self, SEL _cmd, uint64_t argument) {
    id base = [self baseObject];
    return ((uint64_t (*)(id, SEL, uint64_t))objc_msg_lookup(base, _cmd))(base, _cmd, argument);
}

static MTLSize forward_size(MTLToolsObject *self, SEL _cmd) {
    id base = [self baseObject];
    return ((MTLSize(*)(id, SEL))objc_msg_lookup(base, _cmd))(base, _cmd);
}

static bool is_in(const char *name, const char *const *names) {
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

void simmetal_add_forwarders(Class class, const char *const *lacking) {
    for (size_t i = 0; i < METHODS; i++) {
        const struct method *method = &methods[i];
        if (is_in(method->selector, lacking))
            continue;
        IMP imp = strcmp(method->result, SIZE) == 0 ? (IMP)forward_size
                  : strchr(method->selector, ':')   ? (IMP)forward_argument
                                                    : (IMP)forward;
        add(class, method, imp);
    }
}

/* Encodings differ in a letter, and the runtime has its own copy of those that were added: it is
 * rewritten in place. */
static void set_class_encodings(Class class, enum simmetal_encodings encodings) {
    unsigned count;
    Method *own = class_copyMethodList(class, &count);
    for (unsigned i = 0; i < count; i++) {
        char *types = (char *)method_getTypeEncoding(own[i]);
        for (size_t j = 0; j < METHODS; j++) {
            const char *wanted = method_types(encodings, &methods[j]);
            if (methods[j].imp && strlen(types) == strlen(wanted) &&
                strcmp(sel_getName(method_getName(own[i])), methods[j].selector) == 0)
                strcpy(types, wanted);
        }
    }
    free(own);
}

void simmetal_set_encodings(enum simmetal_encodings encodings) {
    for (unsigned i = 0; i < owner_count; i++)
        set_class_encodings(owners[i], encodings);
}
