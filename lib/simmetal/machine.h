/* A simulated machine: the host's facts and its Metal devices, as read from a machine file.
 * Plain C; README.md documents the file's format. */
#ifndef SIMMETAL_MACHINE_H
#define SIMMETAL_MACHINE_H

#include "answers.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIMMETAL_TEXT 64
#define SIMMETAL_MAX_FAMILIES 32
#define SIMMETAL_MAX_DEVICES 8
#define SIMMETAL_MAX_COUNTS 16

enum simmetal_kind { SIMMETAL_FLAG, SIMMETAL_NUMBER, SIMMETAL_COUNT };

/* The rows of answers.h. */
struct simmetal_rule {
    const char *name;
    enum simmetal_kind kind;
    bool live;
    int64_t apple, mac;
    uint64_t yes, no;
};

enum simmetal_answer {
#define SIMMETAL_ROW(kind, name, owner, source, apple, mac, yes, no) SIMMETAL_##name,
    SIMMETAL_ANSWERS(SIMMETAL_ROW)
#undef SIMMETAL_ROW
        SIMMETAL_ANSWER_COUNT
};

extern const struct simmetal_rule simmetal_rules[SIMMETAL_ANSWER_COUNT];

/* Ways in which a device fails though its answers promise otherwise: X(name in the file, constant,
 * what happens). */
#define SIMMETAL_FAULTS(X)                                                                         \
    X("residency-set-nil", RESIDENCY_SET_NIL, "a residency set is nil, and there is no error")     \
    X("residency-set-error", RESIDENCY_SET_ERROR, "a residency set is nil, with an error")         \
    X("heap-nil", HEAP_NIL, "a heap is nil")                                                       \
    X("buffer-nil", BUFFER_NIL, "a buffer is nil")                                                 \
    X("log-state-error", LOG_STATE_ERROR, "a log state is nil, with an error")                     \
    X("no-argument-encoder", NO_ARGUMENT_ENCODER,                                                  \
      "newArgumentEncoderWithLayout: is an unrecognized selector")                                 \
    X("no-indirect-commands", NO_INDIRECT_COMMANDS, "an indirect command buffer is an exception")  \
    X("no-simd-kernels", NO_SIMD_KERNELS,                                                          \
      "a pipeline of a simd_ or simdgroup_ kernel is an error")                                    \
    X("no-tensor-kernels", NO_TENSOR_KERNELS, "a pipeline of a tensor kernel is an error")         \
    X("no-binary-archive", NO_BINARY_ARCHIVE, "a binary archive is an exception")                  \
    X("no-mesh-shaders", NO_MESH_SHADERS, "setting a mesh stage is an exception")                  \
    X("gpu-hang", GPU_HANG, "every command buffer ends in the error of a hang")

enum simmetal_fault_index {
#define SIMMETAL_ROW(name, constant, what) SIMMETAL_FAULT_INDEX_##constant,
    SIMMETAL_FAULTS(SIMMETAL_ROW)
#undef SIMMETAL_ROW
        SIMMETAL_FAULT_COUNT
};

/* Bits of simmetal_device_config.faults. */
enum simmetal_fault {
#define SIMMETAL_ROW(name, constant, what)                                                         \
    SIMMETAL_FAULT_##constant = 1u << SIMMETAL_FAULT_INDEX_##constant,
    SIMMETAL_FAULTS(SIMMETAL_ROW)
#undef SIMMETAL_ROW
};

/* The classes that a device of a machine file can have: X(class, superclass). Other classes between
 * these and _MTLDevice exist too, and are abstract, as in Metal. */
#define SIMMETAL_DEVICE_CLASSES(X)                                                                 \
    X(AppleParavirtDevice, IOGPUMetalDevice)                                                       \
    X(OtherVendorDevice, IOGPUMetalDevice)                                                         \
    X(FamilyOverridingDevice, IOGPUMetalDevice)                                                    \
    X(InitOverridingDevice, IOGPUMetalDevice)                                                      \
    X(AGXG13GDevice, AGXG13FamilyDevice)                                                           \
    X(AGXG13XDevice, AGXG13FamilyDevice)                                                           \
    X(AGXG14GDevice, AGXG14FamilyDevice)                                                           \
    X(AGXG14XDevice, AGXG14FamilyDevice)                                                           \
    X(AGXG15GDevice, AGXG15FamilyDevice)                                                           \
    X(AGXG15XDevice, AGXG15FamilyDevice)                                                           \
    X(AGXG16GDevice, AGXG16FamilyDevice)                                                           \
    X(AGXG16XDevice, AGXG16FamilyDevice)                                                           \
    X(AGXG17GDevice, AGXG17FamilyDevice)                                                           \
    X(AGXG17XDevice, AGXG17FamilyDevice)                                                           \
    X(MTLIGAccelDevice, MTLIOAccelDevice)                                                          \
    X(GFX10_MtlDevice, MTLIOAccelDevice)

/* A short list of numbers, such as the supported sample counts; its keys are selectors. */
struct simmetal_counts {
    int64_t values[SIMMETAL_MAX_COUNTS];
    unsigned count;
    bool given;
};

struct simmetal_device_config {
    const struct simmetal_machine *machine;
    char class_name[SIMMETAL_TEXT];
    char wrapper[SIMMETAL_TEXT]; /* class that wraps the device in lists; empty: none */
    char name[SIMMETAL_TEXT];
    char architecture[SIMMETAL_TEXT]; /* MTLArchitecture.name; empty: no architecture */

    int64_t families[SIMMETAL_MAX_FAMILIES]; /* what initGPUFamilySupport fills in */
    unsigned family_count;
    bool families_given;

    /* FIXED answers, and LIVE ones that the file gives: then the driver answers, not the family. */
    uint64_t answers[SIMMETAL_ANSWER_COUNT];
    bool given[SIMMETAL_ANSWER_COUNT];
    uint64_t max_threads[3];                     /* maxThreadsPerThreadgroup */
    struct simmetal_counts sample_counts;        /* supportsTextureSampleCount: */
    struct simmetal_counts amplification_counts; /* supportsVertexAmplificationCount: */
    struct simmetal_counts sampling_points;      /* supportsCounterSampling: */
    struct simmetal_counts feature_sets;         /* supportsFeatureSet: */
    struct simmetal_counts rate_map_layers;      /* supportsRasterizationRateMapWithLayerCount: */

    uint32_t faults;               /* SIMMETAL_FAULT_ bits */
    uint64_t pipeline_max_threads; /* maxTotalThreadsPerThreadgroup of compute pipelines */
    uint64_t threadgroup_hardware; /* a dispatch that needs more threadgroup memory fails */
};

enum simmetal_encodings {
    SIMMETAL_ENCODINGS_ARM64,
    SIMMETAL_ENCODINGS_X86_64,
    SIMMETAL_ENCODINGS_COMPILER
};

struct simmetal_machine {
    char name[SIMMETAL_TEXT];  /* of the built-in machine, or the last part of the file's path */
    char chip[SIMMETAL_TEXT];  /* machdep.cpu.brand_string */
    char macos[SIMMETAL_TEXT]; /* kern.osproductversion */
    char model[SIMMETAL_TEXT]; /* hw.model */
    char program_sdk[SIMMETAL_TEXT];
    uint64_t memory;                   /* hw.memsize */
    bool vm;                           /* kern.hv_vmm_present */
    bool intel;                        /* an Intel Mac */
    bool rosetta;                      /* sysctl.proc_translated */
    enum simmetal_encodings encodings; /* type encodings of the device classes' methods */
    bool derived_cached;               /* LIVE answers are taken once, by initFeatureQueries */
    bool fresh; /* a new device for each call of MTLCreateSystemDefaultDevice and so on */
    unsigned default_device; /* 1 is the first; 0: MTLCreateSystemDefaultDevice returns nil */
    bool default_given;

    struct simmetal_device_config devices[SIMMETAL_MAX_DEVICES];
    unsigned device_count;
};

/* Reads `source`, a built-in machine's name or a file's path. NULL on error, with a message of one
 * or more lines in `error`. Machines live as long as the process: devices point into them. */
const struct simmetal_machine *simmetal_machine_load(const char *source, char *error, size_t size);

/* The machines that SIMMETAL_DEVICES names, read once; their number is 0 after a bad value, which
 * has been reported on stderr. */
unsigned simmetal_machines(const struct simmetal_machine *const **machines);

#endif
