/* The answers of a simulated device: one row for each selector of MTLDevice without arguments that
 * answers a yes/no, a number or a tier, and for the private ones that public answers depend on.
 *
 * X(kind, name, owner, source, apple, mac, yes, no)
 *   kind    FLAG (BOOL), NUMBER (64 bits), COUNT (32 bits)
 *   name    the selector, and the key in a machine's file
 *   owner   the classes that have the method: ROOT is _MTLDevice; DRIVER is IOGPUMetalDevice and
 *           MTLIOAccelDevice; GENERATION is AGXG13FamilyDevice and later, MTLIOAccelDevice, and the
 *           paravirtual and made-up devices
 *   source  LIVE: Metal computes the answer from supportsFamily: whenever it is asked
 *           FIXED: the driver's own constant
 *   apple, mac, yes, no
 *           the answer is `yes` on Apple family `apple` and later, or Mac family `mac` and later,
 *           and `no` elsewhere; 0 stands for never. A machine's file may say otherwise.
 *
 * Values follow Apple's Metal feature set tables, but these, which are guesses: the families of
 * supportsPlacementSparse, supports32BitMSAA and supportsPullModelInterpolation, the numbers of
 * maximumConcurrentCompilationTaskCount and queryTimestampFrequency, and the private selectors'
 * names. */
#ifndef SIMMETAL_ANSWERS_H
#define SIMMETAL_ANSWERS_H

/* Stands for "on every family" in the apple column. */
#define SIMMETAL_ALWAYS 1

/* clang-format off */
#define SIMMETAL_ANSWERS(X) \
    /* Live, public. */ \
    X(FLAG,   supportsRaytracing,                   ROOT, LIVE, 1006, 0, 1, 0) \
    X(FLAG,   supportsRaytracingFromRender,         ROOT, LIVE, 1006, 0, 1, 0) \
    X(FLAG,   supportsPrimitiveMotionBlur,          ROOT, LIVE, 1006, 0, 1, 0) \
    X(FLAG,   supportsFunctionPointers,             ROOT, LIVE, 1006, 0, 1, 0) \
    X(FLAG,   supportsFunctionPointersFromRender,   ROOT, LIVE, 1006, 0, 1, 0) \
    X(FLAG,   supportsDynamicLibraries,             ROOT, LIVE, 1006, 0, 1, 0) \
    X(FLAG,   supportsRenderDynamicLibraries,       ROOT, LIVE, 1006, 0, 1, 0) \
    X(FLAG,   supportsPlacementSparse,              ROOT, LIVE, 1006, 0, 1, 0) \
    X(NUMBER, sparseTileSizeInBytes,                ROOT, LIVE, 1006, 0, 16384, 0) \
    X(NUMBER, readWriteTextureSupport,              ROOT, LIVE, 1004, 0, 2, 0) \
    /* Live, private. */ \
    X(FLAG,   supportsSparseTextures,               ROOT, LIVE, 1006, 0, 1, 0) \
    X(FLAG,   supportsBfloat16Buffers,              ROOT, LIVE, 1006, 0, 1, 0) \
    X(FLAG,   supportsSIMDGroupMatrix,              ROOT, LIVE, 1007, 0, 1, 0) \
    X(FLAG,   supportsBfloat16Format,               ROOT, LIVE, 1008, 0, 1, 0) \
    X(FLAG,   supportsLossyCompression,             ROOT, LIVE, 1008, 0, 1, 0) \
    X(FLAG,   supportsMeshShadersInICB,             ROOT, LIVE, 1009, 0, 1, 0) \
    X(FLAG,   requiresBFloat16Emulation,            ROOT, LIVE, 1009, 0, 0, 1) \
    /* The driver's own. */ \
    X(FLAG,   supports32BitFloatFiltering,          ROOT, FIXED, 1009, 2002, 1, 0) \
    X(FLAG,   supports32BitMSAA,                    ROOT, FIXED, 1007, 2002, 1, 0) \
    X(FLAG,   supportsQueryTextureLOD,              ROOT, FIXED, 1008, 2002, 1, 0) \
    X(FLAG,   supportsBCTextureCompression,         ROOT, FIXED, 1009, 2001, 1, 0) \
    X(FLAG,   supportsPullModelInterpolation,       ROOT, FIXED, 1007, 2002, 1, 0) \
    X(FLAG,   supportsShaderBarycentricCoordinates, ROOT, FIXED, 1007, 2002, 1, 0) \
    X(FLAG,   areBarycentricCoordsSupported,        ROOT, FIXED, 1007, 2002, 1, 0) \
    X(FLAG,   areProgrammableSamplePositionsSupported, ROOT, FIXED, 1002, 2001, 1, 0) \
    X(FLAG,   areRasterOrderGroupsSupported,        ROOT, FIXED, 1004, 0, 1, 0) \
    X(FLAG,   isDepth24Stencil8PixelFormatSupported, ROOT, FIXED, 0, 0, 1, 0) \
    X(FLAG,   supportsBinaryArchives,               ROOT, FIXED, 1003, 2001, 1, 0) \
    X(NUMBER, argumentBuffersSupport,               ROOT, FIXED, 1006, 2001, 1, 0) \
    X(NUMBER, maxArgumentBufferSamplerCount,        ROOT, FIXED, 1006, 2001, 1024, 96) \
    X(NUMBER, maximumConcurrentCompilationTaskCount, ROOT, FIXED, SIMMETAL_ALWAYS, 0, 2, 2) \
    X(NUMBER, queryTimestampFrequency,              ROOT, FIXED, SIMMETAL_ALWAYS, 0, 24000000, 1000000000) \
    X(FLAG,   isLowPower,                           ROOT, FIXED, 0, 0, 1, 0) \
    X(FLAG,   isHeadless,                           ROOT, FIXED, 0, 0, 1, 0) \
    X(FLAG,   isRemovable,                          ROOT, FIXED, 0, 0, 1, 0) \
    X(NUMBER, location,                             ROOT, FIXED, 0, 0, 0, 0) \
    X(NUMBER, locationNumber,                       ROOT, FIXED, 0, 0, 0, 0) \
    X(NUMBER, maxTransferRate,                      ROOT, FIXED, 0, 0, 0, 0) \
    X(NUMBER, peerGroupID,                          ROOT, FIXED, 0, 0, 0, 0) \
    X(COUNT,  peerIndex,                            ROOT, FIXED, 0, 0, 0, 0) \
    X(COUNT,  peerCount,                            ROOT, FIXED, 0, 0, 0, 0) \
    X(FLAG,   hasUnifiedMemory,                     ROOT, FIXED, SIMMETAL_ALWAYS, 0, 1, 0) \
    X(NUMBER, maxThreadgroupMemoryLength,           GENERATION, FIXED, 1004, 2001, 32768, 16384) \
    /* From the memory and the device's place in the list: machine_defaults.c. */ \
    X(NUMBER, registryID,                           ROOT, FIXED, 0, 0, 0, 0) \
    X(NUMBER, maxBufferLength,                      ROOT, FIXED, 0, 0, 0, 0) \
    X(NUMBER, recommendedMaxWorkingSetSize,         DRIVER, FIXED, 0, 0, 0, 0)
/* clang-format on */

#endif
