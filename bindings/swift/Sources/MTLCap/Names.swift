// Written by tables.py; not to be edited.

extension MTLCap.Capability where Value == MTLCap.Level {
    /// Apple family: the generation of an Apple GPU: `supportsFamily:`.
    public static var apple: Self { Self("apple", .level) }

    /// Mac family: what every GPU of a Mac has in common: `supportsFamily:`.
    public static var mac: Self { Self("mac", .level) }

    /// Common family: what all GPUs have in common: `supportsFamily:`.
    public static var common: Self { Self("common", .level) }

    /// Mac Catalyst family (deprecated by Metal): `supportsFamily:`.
    public static var catalyst: Self { Self("catalyst", .level) }

    /// Metal version: Metal3, Metal4: `supportsFamily:`.
    public static var metal: Self { Self("metal", .level) }

    /// macOS feature set (deprecated by Metal), as the constant of MTLFeatureSet:
    /// `supportsFeatureSet:`.
    public static var featureSet: Self { Self("feature_set", .level) }

    /// Samples of a multisampled texture: `supportsTextureSampleCount:`, in samples.
    public static var textureSampleCount: Self { Self("texture_sample_count", .level) }

    /// Views that one vertex is amplified to: `supportsVertexAmplificationCount:`, in views.
    public static var vertexAmplification: Self { Self("vertex_amplification", .level) }

    /// Layers of a rasterization rate map: `supportsRasterizationRateMapWithLayerCount:`, in
    /// layers.
    public static var rasterizationRateLayers: Self { Self("rasterization_rate_layers", .level) }
}

extension MTLCap.Capability where Value == MTLCap.ByteCount {
    /// Threadgroup memory of one threadgroup: `maxThreadgroupMemoryLength`.
    public static var threadgroupMemory: Self { Self("threadgroup_memory", .bytes) }

    /// Memory that can be used without hurting performance: `recommendedMaxWorkingSetSize`.
    public static var workingSet: Self { Self("working_set", .bytes) }

    /// Length of the largest buffer: `maxBufferLength`.
    public static var bufferLength: Self { Self("buffer_length", .bytes) }

    /// Memory that this process has allocated on the device: `currentAllocatedSize`.
    public static var allocatedSize: Self { Self("allocated_size", .bytes) }

    /// Size of a sparse tile: `sparseTileSizeInBytes`.
    public static var sparseTileSize: Self { Self("sparse_tile_size", .bytes) }
}

extension MTLCap.Capability where Value == MTLCap.Dimensions {
    /// Threads of one threadgroup, in each dimension: `maxThreadsPerThreadgroup`, in threads.
    public static var threadsPerThreadgroup: Self { Self("threads_per_threadgroup", .dimensions) }
}

extension MTLCap.Capability where Value == UInt64 {
    /// Unique samplers in argument buffers, per app: `maxArgumentBufferSamplerCount`, in samplers.
    public static var argumentBufferSamplers: Self { Self("argument_buffer_samplers", .number) }

    /// Highest rate of transfer to and from the device; 0 if built in: `maxTransferRate`, in bytes
    /// per second.
    public static var transferRate: Self { Self("transfer_rate", .number) }

    /// Shaders that Metal compiles at a time: `maximumConcurrentCompilationTaskCount`, in tasks.
    public static var compilationTasks: Self { Self("compilation_tasks", .number) }

    /// Tier of argument buffers: `argumentBuffersSupport`.
    public static var argumentBuffers: Self { Self("argument_buffers", .number) }

    /// Tier of textures that a shader reads and writes; 0: none: `readWriteTextureSupport`.
    public static var readWriteTexture: Self { Self("read_write_texture", .number) }

    /// The device's number in the I/O registry: `registryID`.
    public static var registryID: Self { Self("registry_id", .number) }

    /// 0 built in, 1 in a slot, 2 external, otherwise unspecified: `location`.
    public static var location: Self { Self("location", .number) }

    /// Number of the slot or port: `locationNumber`.
    public static var locationNumber: Self { Self("location_number", .number) }

    /// Group of linked GPUs; 0: none: `peerGroupID`.
    public static var peerGroup: Self { Self("peer_group", .number) }

    /// Index in the group of linked GPUs: `peerIndex`.
    public static var peerIndex: Self { Self("peer_index", .number) }

    /// Number of linked GPUs in the group: `peerCount`.
    public static var peerCount: Self { Self("peer_count", .number) }
}

extension MTLCap.Capability where Value == Bool {
    /// Counters can be sampled at stage boundaries: `supportsCounterSampling:`.
    public static var counterSamplingStage: Self { Self("counter_sampling_stage", .bool) }

    /// Counters can be sampled at draw boundaries: `supportsCounterSampling:`.
    public static var counterSamplingDraw: Self { Self("counter_sampling_draw", .bool) }

    /// Counters can be sampled at dispatch boundaries: `supportsCounterSampling:`.
    public static var counterSamplingDispatch: Self { Self("counter_sampling_dispatch", .bool) }

    /// Counters can be sampled at tile dispatch boundaries: `supportsCounterSampling:`.
    public static var counterSamplingTile: Self { Self("counter_sampling_tile", .bool) }

    /// Counters can be sampled at blit boundaries: `supportsCounterSampling:`.
    public static var counterSamplingBlit: Self { Self("counter_sampling_blit", .bool) }

    /// CPU and GPU share their memory: `hasUnifiedMemory`.
    public static var unifiedMemory: Self { Self("unified_memory", .bool) }

    /// The GPU that saves power, of two: `isLowPower`.
    public static var lowPower: Self { Self("low_power", .bool) }

    /// The GPU cannot drive a display: `isHeadless`.
    public static var headless: Self { Self("headless", .bool) }

    /// The GPU can be removed: `isRemovable`.
    public static var removable: Self { Self("removable", .bool) }

    /// The pixel format Depth24Unorm_Stencil8: `isDepth24Stencil8PixelFormatSupported`.
    public static var depth24Stencil8PixelFormat: Self {
        Self("depth24_stencil8_pixel_format", .bool)
    }

    /// Raster order groups: `areRasterOrderGroupsSupported`.
    public static var rasterOrderGroups: Self { Self("raster_order_groups", .bool) }

    /// Programmable sample positions: `areProgrammableSamplePositionsSupported`.
    public static var programmableSamplePositions: Self {
        Self("programmable_sample_positions", .bool)
    }

    /// Barycentric coordinates (older name): `areBarycentricCoordsSupported`.
    public static var barycentricCoords: Self { Self("barycentric_coords", .bool) }

    /// Filtering of textures of 32-bit floats: `supports32BitFloatFiltering`.
    public static var float32Filtering: Self { Self("32bit_float_filtering", .bool) }

    /// Multisampled textures of 32-bit integers and floats: `supports32BitMSAA`.
    public static var msaa32: Self { Self("32bit_msaa", .bool) }

    /// BC-compressed textures: `supportsBCTextureCompression`.
    public static var bcTextureCompression: Self { Self("bc_texture_compression", .bool) }

    /// Dynamic libraries in compute pipelines: `supportsDynamicLibraries`.
    public static var dynamicLibraries: Self { Self("dynamic_libraries", .bool) }

    /// Dynamic libraries in render pipelines: `supportsRenderDynamicLibraries`.
    public static var renderDynamicLibraries: Self { Self("render_dynamic_libraries", .bool) }

    /// Function pointers in compute kernels: `supportsFunctionPointers`.
    public static var functionPointers: Self { Self("function_pointers", .bool) }

    /// Function pointers in render functions: `supportsFunctionPointersFromRender`.
    public static var functionPointersFromRender: Self {
        Self("function_pointers_from_render", .bool)
    }

    /// Placement sparse resources: `supportsPlacementSparse`.
    public static var placementSparse: Self { Self("placement_sparse", .bool) }

    /// Motion blur in ray tracing: `supportsPrimitiveMotionBlur`.
    public static var primitiveMotionBlur: Self { Self("primitive_motion_blur", .bool) }

    /// Interpolation at chosen places in a fragment shader: `supportsPullModelInterpolation`.
    public static var pullModelInterpolation: Self { Self("pull_model_interpolation", .bool) }

    /// A shader can ask a texture's level of detail: `supportsQueryTextureLOD`.
    public static var queryTextureLOD: Self { Self("query_texture_lod", .bool) }

    /// Ray tracing in compute kernels: `supportsRaytracing`.
    public static var raytracing: Self { Self("raytracing", .bool) }

    /// Ray tracing in render functions: `supportsRaytracingFromRender`.
    public static var raytracingFromRender: Self { Self("raytracing_from_render", .bool) }

    /// Barycentric coordinates in a fragment shader: `supportsShaderBarycentricCoordinates`.
    public static var shaderBarycentricCoordinates: Self {
        Self("shader_barycentric_coordinates", .bool)
    }

    /// A setting that programs make: compile on as many threads as can be:
    /// `shouldMaximizeConcurrentCompilation`.
    public static var concurrentCompilation: Self { Self("concurrent_compilation", .bool) }
}

extension MTLCap.Capability where Value == String {
    /// The device's name: `name`.
    public static var name: Self { Self("name", .text) }

    /// Name of the device's architecture: `architecture`.
    public static var architecture: Self { Self("architecture", .text) }
}

extension MTLCap.Profile {
    /// What the device says by itself; the control in an experiment.
    public static var stock: Self { Self("stock") }

    /// In a virtual machine, the Apple family of the silicon below, and no other rule.
    public static var auto: Self { Self("auto") }

    /// The published profile of Lume's shim, for reproducing its results.
    public static var lume: Self { Self("lume") }

    /// At most what the paravirtual device of a hosted arm64 macOS runner says.
    public static var githubRunner: Self { Self("github-runner") }

    /// As on a GPU of family Apple5: A12.
    public static var likeApple5: Self { Self("like-apple5") }

    /// As on a GPU of family Apple6: A13.
    public static var likeApple6: Self { Self("like-apple6") }

    /// As on a GPU of family Apple7: A14, M1.
    public static var likeApple7: Self { Self("like-apple7") }

    /// As on a GPU of family Apple8: A15, A16, M2.
    public static var likeApple8: Self { Self("like-apple8") }

    /// As on a GPU of family Apple9: A17, A18, M3, M4.
    public static var likeApple9: Self { Self("like-apple9") }

    /// As on a GPU of family Apple10: A19, M5.
    public static var likeApple10: Self { Self("like-apple10") }

    /// As on a Mac with an M1 chip.
    public static var likeM1: Self { Self("like-m1") }

    /// As on a Mac with an M2 chip.
    public static var likeM2: Self { Self("like-m2") }

    /// As on a Mac with an M3 chip.
    public static var likeM3: Self { Self("like-m3") }

    /// As on a Mac with an M4 chip.
    public static var likeM4: Self { Self("like-m4") }

    /// As on a Mac with an M5 chip.
    public static var likeM5: Self { Self("like-m5") }

    /// Every family off: what a program does without.
    public static var noFamilies: Self { Self("no-families") }

    /// For programs that must not choose the GPU; only the injected library can do it.
    public static var hide: Self { Self("hide") }
}

extension MTLCap.Hazard {
    /// Raising metal.
    public static var metal: Self { Self("metal") }

    /// Raising mac.
    public static var mac: Self { Self("mac") }

    /// Raising apple above the family of the chip: above 7 where the chip cannot be read, at all on
    /// an Intel host.
    public static var beyondHardware: Self { Self("beyond-hardware") }

    /// Raising threadgroup_memory above 32 KiB.
    public static var threadgroupMemory: Self { Self("threadgroup-memory") }

    /// Lowering threadgroup_memory below 32 KiB.
    public static var smallThreadgroupMemory: Self { Self("small-threadgroup-memory") }

    /// Raising working_set or buffer_length above the memory of the machine.
    public static var workingSet: Self { Self("working-set") }

    /// Raising anything on a device that is not paravirtual.
    public static var bareMetal: Self { Self("bare-metal") }

    /// Raising anything in a macOS 14 guest.
    public static var macOS14Guest: Self { Self("macos-14-guest") }

    /// Raising apple to 7 or more in a virtual machine, in a process with libtorch.
    public static var pytorchMPP: Self { Self("pytorch-mpp") }

    /// Raising apple to 6 or more, or metal to 3, in a program linked to an SDK before macOS 14.
    public static var oldSDKBF16: Self { Self("old-sdk-bf16") }

    /// Lowering anything on a device that is not paravirtual.
    public static var liveInternals: Self { Self("live-internals") }

    /// Raising a yes-or-no answer or a tier.
    public static var feature: Self { Self("feature") }
}
