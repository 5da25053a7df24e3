/* Metal's list of devices: how a device is made, wrapped and handed out. */
#import "create.h"
#import "methods.h"
#import "tools.h"

#import <objc/runtime.h>
#import <pthread.h>
#import <stdlib.h>
#import <string.h>

static unsigned created;
static pthread_mutex_t observer_lock = PTHREAD_MUTEX_INITIALIZER;
static simmetal_observer *observer;
static void *observer_context;

unsigned simmetal_devices_created(void) {
    return __atomic_load_n(&created, __ATOMIC_RELAXED);
}

void simmetal_observe_initialisation(simmetal_observer *function, void *context) {
    pthread_mutex_lock(&observer_lock);
    observer = function;
    observer_context = context;
    pthread_mutex_unlock(&observer_lock);
}

static void observe(id device, const char *step) {
    pthread_mutex_lock(&observer_lock);
    simmetal_observer *function = observer;
    void *context = observer_context;
    pthread_mutex_unlock(&observer_lock);
    if (function)
        function(device, step, context);
}

/* Encodings belong to classes: the machine whose device is made last decides. */
static void use_encodings(enum simmetal_encodings wanted) {
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static int current = -1;
    pthread_mutex_lock(&lock);
    if (current != (int)wanted)
        simmetal_set_encodings(wanted);
    current = (int)wanted;
    pthread_mutex_unlock(&lock);
}

id simmetal_add_device(const struct simmetal_device_config *config, Class class) {
    use_encodings(config->machine->encodings);
    _MTLDevice *device = [[class alloc] initWithConfig:config];
    __atomic_add_fetch(&created, 1, __ATOMIC_RELAXED);
    observe(device, "initLimits");
    [device initLimits];
    observe(device, "initFeatureQueries");
    [device initFeatureQueries];
    observe(device, "initWorkarounds");
    [device initWorkarounds];
    observe(device, "");
    return device;
}

static bool is_set(const char *variable) {
    const char *value = getenv(variable);
    return value && strcmp(value, "1") == 0;
}

/* Puts a wrapper around `device` and gives up the caller's reference to it. */
static id wrap(id device, const char *class_name) {
    id wrapper = simmetal_wrap(device, class_name);
    [device release];
    return wrapper;
}

/* A device as Metal hands it out, in the wrappers that the environment or the machine asks for. */
static id make_listed(const struct simmetal_device_config *config) {
    id device = simmetal_add_device(config, objc_getClass(config->class_name));
    if (config->wrapper[0])
        device = wrap(device, config->wrapper);
    if (is_set("MTL_DEBUG_LAYER") || is_set("METAL_DEVICE_WRAPPER_TYPE"))
        device = wrap(device, "MTLDebugDevice");
    if (is_set("MTL_CAPTURE_ENABLED"))
        device = wrap(device, "CaptureMTLDevice");
    return device;
}

static NSArray *make_list(void) {
    NSMutableArray *list = [[NSMutableArray alloc] init];
    const struct simmetal_machine *const *machines;
    unsigned count = simmetal_machines(&machines);
    for (unsigned m = 0; m < count; m++)
        for (unsigned d = 0; d < machines[m]->device_count; d++) {
            id device = make_listed(&machines[m]->devices[d]);
            [list addObject:device];
            [device release];
        }
    return list;
}

static NSArray *shared_list;

static void make_shared_list(void) {
    @autoreleasepool {
        shared_list = make_list();
    }
}

/* Always the same ones, unless the machine says otherwise. */
NSArray *simmetal_copy_devices(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    const struct simmetal_machine *const *machines;
    if (simmetal_machines(&machines) && machines[0]->fresh) {
        @autoreleasepool {
            return make_list();
        }
    }
    pthread_once(&once, make_shared_list);
    return [[NSArray alloc] initWithArray:shared_list];
}

id simmetal_copy_default_device(void) {
    const struct simmetal_machine *const *machines;
    if (!simmetal_machines(&machines) || !machines[0]->default_device)
        return nil;
    NSArray *list = simmetal_copy_devices();
    id device = [[list objectAtIndex:machines[0]->default_device - 1] retain];
    [list release];
    return device;
}
