/* The methods that answer what a device can do. They are C functions because a method typed BOOL
 * sets no more than the lowest byte of the register, and callers through a foreign-function
 * interface read 32 bits of it: every function here returns a whole word. */
#import "answers_table.h"
#import "device.h"
#import "methods.h"

#import <objc/message.h>

uint64_t simmetal_send(id receiver, SEL selector) {
    return ((uint64_t (*)(id, SEL))objc_msg_lookup(receiver, selector))(receiver, selector);
}

static bool contains(const struct simmetal_counts *counts, int64_t value) {
    for (unsigned i = 0; i < counts->count; i++)
        if (counts->values[i] == value)
            return true;
    return false;
}

@implementation _MTLDevice (Answers)

/* The answer of the row `index` of answers.h: the driver's own, or by family. */
static uint64_t answer(_MTLDevice *self, enum simmetal_answer index) {
    const struct simmetal_rule *rule = &simmetal_rules[index];
    if (index == SIMMETAL_registryID && !self->_config->given[index])
        return self->_registryID;
    if (!rule->live || self->_config->given[index])
        return self->_config->answers[index];
    if (self->_featuresCached)
        return self->_features[index];
    return [self supportsFamily:rule->apple] ? rule->yes : rule->no;
}

#define ROW(kind, name, owner, source, apple, mac, yes, no)                                        \
    uint64_t simmetal_get_##name(id self, SEL _cmd) {                                              \
        return answer(self, SIMMETAL_##name);                                                      \
    }
SIMMETAL_ANSWERS(ROW)
#undef ROW

uint64_t simmetal_supports_family(_MTLDevice *self, SEL _cmd, int64_t family) {
    for (unsigned i = 0; i < self->_supportedGPUFamilyCount; i++)
        if (self->_supportedGPUFamilies[i] == family)
            return 1;
    return 0;
}

uint64_t simmetal_supports_feature_set(_MTLDevice *self, SEL _cmd, int64_t set) {
    return contains(&self->_config->feature_sets, set);
}

uint64_t simmetal_supports_sample_count(_MTLDevice *self, SEL _cmd, int64_t count) {
    return contains(&self->_config->sample_counts, count);
}

uint64_t simmetal_supports_amplification(_MTLDevice *self, SEL _cmd, int64_t count) {
    return contains(&self->_config->amplification_counts, count);
}

uint64_t simmetal_supports_counter_sampling(_MTLDevice *self, SEL _cmd, int64_t point) {
    return contains(&self->_config->sampling_points, point);
}

uint64_t simmetal_supports_rate_map(_MTLDevice *self, SEL _cmd, int64_t layers) {
    return contains(&self->_config->rate_map_layers, layers);
}

/* Bytes of a sparse tile: MTLSparsePageSize16, 64 and 256, in KiB. */
uint64_t simmetal_sparse_tile_bytes(_MTLDevice *self, SEL _cmd, int64_t page) {
    uint64_t smallest = [self sparseTileSizeInBytes];
    return page < MTLSparsePageSize16 || page > MTLSparsePageSize256
               ? 0
               : smallest << 2 * (page - MTLSparsePageSize16);
}

uint64_t simmetal_maximizes_compilation(_MTLDevice *self, SEL _cmd) {
    return __atomic_load_n(&self->_maximizesCompilation, __ATOMIC_RELAXED) != 0;
}

uint64_t simmetal_set_maximizes_compilation(_MTLDevice *self, SEL _cmd, int64_t flag) {
    __atomic_store_n(&self->_maximizesCompilation, (BOOL)flag != NO, __ATOMIC_RELAXED);
    return 0;
}

uint64_t simmetal_current_allocated_size(_MTLDevice *self, SEL _cmd) {
    return __atomic_load_n(&self->_allocatedSize, __ATOMIC_RELAXED);
}

uint64_t simmetal_compute_threadgroup_memory(_MTLDevice *self, SEL _cmd) {
    return self->_limits.maxComputeThreadgroupMemory;
}

uint64_t simmetal_emulates_bfloat16(_MTLDevice *self, SEL _cmd) {
    return self->_emulatesBFloat16;
}

@end
