/* The functions of answers.m, and the table that gives them selectors. */
#ifndef SIMMETAL_ANSWERS_TABLE_H
#define SIMMETAL_ANSWERS_TABLE_H

#import "device.h"

#define ROW(kind, name, owner, source, apple, mac, yes, no)                                        \
    uint64_t simmetal_get_##name(id self, SEL _cmd);
SIMMETAL_ANSWERS(ROW)
#undef ROW

uint64_t simmetal_supports_family(_MTLDevice *self, SEL _cmd, int64_t family);
uint64_t simmetal_supports_feature_set(_MTLDevice *self, SEL _cmd, int64_t set);
uint64_t simmetal_supports_sample_count(_MTLDevice *self, SEL _cmd, int64_t count);
uint64_t simmetal_supports_amplification(_MTLDevice *self, SEL _cmd, int64_t count);
uint64_t simmetal_supports_counter_sampling(_MTLDevice *self, SEL _cmd, int64_t point);
uint64_t simmetal_supports_rate_map(_MTLDevice *self, SEL _cmd, int64_t layers);
uint64_t simmetal_sparse_tile_bytes(_MTLDevice *self, SEL _cmd, int64_t page);
uint64_t simmetal_maximizes_compilation(_MTLDevice *self, SEL _cmd);
uint64_t simmetal_set_maximizes_compilation(_MTLDevice *self, SEL _cmd, int64_t flag);
uint64_t simmetal_current_allocated_size(_MTLDevice *self, SEL _cmd);
uint64_t simmetal_compute_threadgroup_memory(_MTLDevice *self, SEL _cmd);
uint64_t simmetal_emulates_bfloat16(_MTLDevice *self, SEL _cmd);

#endif
