/* The simulated Metal from C: for tests, and for programs that cannot speak Objective-C. Devices
 * are id<MTLDevice> as void *. All functions may be called from any thread. */
#ifndef SIMMETAL_SIMMETAL_H
#define SIMMETAL_SIMMETAL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SIMMETAL_API __attribute__((visibility("default")))

/* Machines */

/* The names of the built-in machines, sorted; the list ends in NULL. */
SIMMETAL_API const char *const *simmetal_machine_names(void);

/* 0 if `machine`, a built-in machine's name or a file's path, is a good one; otherwise -1, and why
 * not in `error`. */
SIMMETAL_API int simmetal_check_machine(const char *machine, char *error, size_t size);

/* Facts of the machine that SIMMETAL_DEVICES selects, with the semantics of Darwin's sysctlbyname:
 * machdep.cpu.brand_string, kern.hv_vmm_present, hw.memsize, kern.osproductversion, hw.model,
 * hw.optional.arm64, sysctl.proc_translated and, of the program, simmetal.program_sdk. */
SIMMETAL_API int simmetal_sysctlbyname(const char *name, void *oldp, size_t *oldlenp, void *newp,
                                       size_t newlen);

/* Devices */

/* A new device, initialised as Metal does, retained, and not in Metal's list: the `index`-th (from
 * 0) of `machine`. `class_name` is NULL for the machine's own choice, or another subclass of
 * _MTLDevice. NULL after an error, which goes to stderr. */
SIMMETAL_API void *simmetal_create_device_of(const char *machine, unsigned index,
                                             const char *class_name);

/* The same for the first device of `machine`. */
SIMMETAL_API void *simmetal_create_device(const char *machine);

/* A new tool wrapper around `device`, retained: MTLToolsDevice, MTLDebugDevice or CaptureMTLDevice.
 * NULL if there is no such class. */
SIMMETAL_API void *simmetal_wrap_device(void *device, const char *wrapper_class);

SIMMETAL_API void *simmetal_retain(void *object);
SIMMETAL_API void simmetal_release(void *object);

/* How many devices have been created in this process, listed or not. */
SIMMETAL_API unsigned simmetal_devices_created(void);

/* Calls `observer` before each step of a device's initialisation (initLimits, initFeatureQueries,
 * initWorkarounds) and when it is complete (""), on the thread that creates it. NULL ends that. */
typedef void simmetal_observer(void *device, const char *step, void *context);
SIMMETAL_API void simmetal_observe_initialisation(simmetal_observer *observer, void *context);

/* Questions: messages, for callers without a messenger */

/* Sends a selector of no argument, or of one integer argument; returns the whole register. */
SIMMETAL_API uint64_t simmetal_ask(void *object, const char *selector);
SIMMETAL_API uint64_t simmetal_ask_with(void *object, const char *selector, int64_t argument);

/* Copies -name, cut to `size` - 1 characters. */
SIMMETAL_API void simmetal_name(void *device, char *name, size_t size);

/* The class that owns the method that `object` answers `selector` with; NULL if none does. */
SIMMETAL_API const char *simmetal_method_owner(void *object, const char *selector);

/* What Metal cached of an answer when it initialised the device: by the selector's name, or
 * limits.maxBufferLength, limits.maxComputeThreadgroupMemory, limits.argumentBuffersSupport. 0, or
 * -1 if it caches no such answer. */
SIMMETAL_API int simmetal_cached_answer(void *device, const char *name, uint64_t *value);

#ifdef __cplusplus
}
#endif

#endif
