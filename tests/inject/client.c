/*
 * A program that uses Metal as its arguments say, one after the other, and prints what it sees.
 *
 * Built three times: linked to the simulated Metal (client); to that and to libmtlcap (user); and
 * to neither (bare), which opens Metal when it is told to.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef USER
#include "mtlcap/mtlcap.h"
#endif

static void *metal; /* handle of a Metal that was opened; NULL: the program's own scope */
static void *device;

static void *find(const char *name) {
    void *found = dlsym(metal ? metal : RTLD_DEFAULT, name);
    if (!found) {
        printf("%s: not found\n", name);
        exit(3);
    }
    return found;
}

static uint64_t ask(void *object, const char *selector) {
    uint64_t (*function)(void *, const char *);
    *(void **)&function = find("simmetal_ask");
    return function(object, selector);
}

static uint64_t ask_with(void *object, const char *selector, int64_t argument) {
    uint64_t (*function)(void *, const char *, int64_t);
    *(void **)&function = find("simmetal_ask_with");
    return function(object, selector, argument);
}

static int apple_family(void *object) {
    int highest = 0;
    for (int family = 1; family <= 21; /* as far as llama.cpp asks */ family++)
        if ((unsigned char)ask_with(object, "supportsFamily:", 1000 + family))
            highest = family;
    return highest;
}

/* ---- what can be done --------------------------------------------------------- */

static void print_device(const char *name, void *object) {
    if (object)
        printf("%s: Apple%d\n", name, apple_family(object));
    else
        printf("%s: nil\n", name);
}

#ifdef BARE
static void *create_device(void) {
    void *(*function)(void);
    *(void **)&function = find("MTLCreateSystemDefaultDevice");
    return function();
}
#else
extern void *MTLCreateSystemDefaultDevice(void);

static void *create_device(void) {
    return MTLCreateSystemDefaultDevice();
}
#endif

static void create(void) {
    device = create_device();
    print_device("create", device);
}

/* With the device that there is already. */
static void again(void) {
    print_device("again", device);
}

static void print_list(const char *name, void *list) {
    printf("%s:", name);
    const uint64_t count = list ? ask(list, "count") : 0;
    for (uint64_t i = 0; i < count; i++)
        printf(" Apple%d",
               apple_family((void *)(uintptr_t)ask_with(list, "objectAtIndex:", (int64_t)i)));
    printf("%s\n", list ? "" : " nil");
}

static void list(void) {
    void *(*function)(void);
    *(void **)&function = find("MTLCopyAllDevices");
    print_list("list", function());
}

static void observe(void) {
    void *(*function)(void **, void *);
    *(void **)&function = find("MTLCopyAllDevicesWithObserver");
    void *observer = &observer;
    print_list("observe", function(&observer, NULL));
    printf("observer: %s\n", observer ? "set" : "nil");
    function(NULL, NULL);
}

/* Through a door that nobody watches. */
static void other_class(void) {
    void *(*function)(const char *, unsigned, const char *);
    *(void **)&function = find("simmetal_create_device_of");
    print_device("other", function("two-vendors", 1, NULL));
}

/* Each thread prints what its own device says, at once. */
static void *create_on_thread(void *barrier) {
    pthread_barrier_wait(barrier);
    void *object = create_device();
    print_device("thread", object);
    return NULL;
}

static void two_threads(void) {
    pthread_t threads[2];
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 2);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, create_on_thread, &barrier);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

/* What Metal has taken from a device's answers when it made the device. */
static void cached(void) {
    static const char *const names[] = {
        "supportsRaytracing",
        "supportsFunctionPointers",
        "supportsDynamicLibraries",
        "supportsPrimitiveMotionBlur",
        "supportsPlacementSparse",
        "limits.maxComputeThreadgroupMemory",
        "limits.argumentBuffersSupport",
        "limits.maxBufferLength",
    };
    int (*function)(void *, const char *, uint64_t *);
    *(void **)&function = find("simmetal_cached_answer");
    printf("cached:");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint64_t value = 0;
        if (function(device, names[i], &value))
            printf(" %s?", names[i]);
        else
            printf(" %llu", (unsigned long long)value);
    }
    putchar('\n');
}

static void threadgroup_memory(void) {
    printf("threadgroup memory: %llu\n",
           (unsigned long long)ask(device, "maxThreadgroupMemoryLength"));
}

static void count(void) {
    unsigned (*function)(void);
    *(void **)&function = find("simmetal_devices_created");
    printf("created: %u\n", function());
}

static void open_metal(int mode) {
    metal = dlopen("libsimmetal.so.0", RTLD_NOW | mode);
    if (!metal) {
        printf("%s\n", dlerror());
        exit(3);
    }
}

static void open_local(void) {
    open_metal(RTLD_LOCAL);
}

static void open_global(void) {
    open_metal(RTLD_GLOBAL);
    metal = NULL;
}

static void in_child(int (*run)(void)) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(20);
        const int status = run();
        fflush(NULL);
        exit(status);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFSIGNALED(status))
        printf("child: signal %d\n", WTERMSIG(status));
    else if (WEXITSTATUS(status))
        printf("child: exit %d\n", WEXITSTATUS(status));
}

static int create_in_child(void) {
    create();
    return 0;
}

static int again_in_child(void) {
    again();
    return 0;
}

static void fork_create(void) {
    in_child(create_in_child);
}

static void fork_again(void) {
    in_child(again_in_child);
}

/* A method of Metal's stops the first thread that calls it, once a device is made, until it is told
 * to go on: whoever applies a profile asks. */
static pthread_barrier_t reached, go_on;
static atomic_bool stops;
static uint64_t (*stopped_method)(void *, const void *);

static uint64_t stop_here(void *self, const void *selector) {
    if (atomic_exchange(&stops, false)) {
        pthread_barrier_wait(&reached);
        pthread_barrier_wait(&go_on);
    }
    return stopped_method(self, selector);
}

static void stop_from_now(void *made, const char *step, void *unused) {
    (void)made;
    (void)unused;
    if (!*step)
        atomic_store(&stops, true);
}

static void stop_in_metal(void) {
    void (*each_step)(void (*)(void *, const char *, void *), void *);
    void *(*look_up)(const char *), *(*selector)(const char *);
    void *(*method)(void *, void *), *(*set)(void *, void *);
    *(void **)&each_step = find("simmetal_observe_initialisation");
    *(void **)&look_up = find("objc_lookUpClass");
    *(void **)&selector = find("sel_registerName");
    *(void **)&method = find("class_getInstanceMethod");
    *(void **)&set = find("method_setImplementation");
    uint64_t (*stop)(void *, const void *) = stop_here;
    *(void **)&stopped_method =
        set(method(look_up("AppleParavirtDevice"), selector("maxThreadgroupMemoryLength")),
            *(void **)&stop);
    each_step(stop_from_now, NULL);
}

static void *create_on_stopped_thread(void *unused) {
    (void)unused;
    print_device("thread", create_device());
    return NULL;
}

static int create_and_leave(void) {
    create();
    fflush(NULL);
    _exit(0); /* what runs at exit may want the other thread */
}

/* The child has one thread, and not the one that is applying. */
static void fork_meanwhile(void) {
    pthread_t thread;
    pthread_barrier_init(&reached, NULL, 2);
    pthread_barrier_init(&go_on, NULL, 2);
    stop_in_metal();
    pthread_create(&thread, NULL, create_on_stopped_thread, NULL);
    pthread_barrier_wait(&reached);
    in_child(create_and_leave);
    pthread_barrier_wait(&go_on);
    pthread_join(thread, NULL);
}

/* One that waits for the other, which applies, longer than anybody should. */
static void keep_waiting(void) {
    pthread_t thread;
    pthread_barrier_init(&reached, NULL, 2);
    pthread_barrier_init(&go_on, NULL, 2);
    stop_in_metal();
    pthread_create(&thread, NULL, create_on_stopped_thread, NULL);
    pthread_barrier_wait(&reached);
    create();
    pthread_barrier_wait(&go_on);
    pthread_join(thread, NULL);
}

/* A library is opened, whose constructor uses Metal, while another thread applies: the loader's
 * lock is the opening thread's, and the turn the other one's. */
static void *open_eager(void *unused) {
    (void)unused;
    if (!dlopen(getenv("EAGER"), RTLD_NOW))
        printf("%s\n", dlerror());
    return NULL;
}

static void open_meanwhile(void) {
    pthread_t applies, opens;
    pthread_barrier_init(&reached, NULL, 2);
    pthread_barrier_init(&go_on, NULL, 2);
    stop_in_metal();
    pthread_create(&applies, NULL, create_on_stopped_thread, NULL);
    pthread_barrier_wait(&reached);
    pthread_create(&opens, NULL, open_eager, NULL);
    usleep(300000); /* until it waits for the turn */
    pthread_barrier_wait(&go_on);
    pthread_join(applies, NULL);
    pthread_join(opens, NULL);
}

/* A thread that is cancelled while it asks for a device. */
static void *create_and_be_cancelled(void *unused) {
    (void)unused;
    pthread_cancel(pthread_self());
    create_device();
    return NULL;
}

static void cancelled(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, create_and_be_cancelled, NULL);
    pthread_join(thread, &result);
}

static char **main_environment;

/* The names of the files: their folders differ from build to build. */
static void print_entries(const char *name, char **entries) {
    while (*entries && strncmp(*entries, "LD_PRELOAD=", 11) != 0)
        entries++;
    printf("%s:", name);
    if (!*entries)
        printf(" no LD_PRELOAD");
    for (const char *next = *entries ? *entries + 11 : ""; *next; next += strspn(next, ": ")) {
        const char *end = next + strcspn(next, ": ");
        const char *file = end;
        while (file > next && file[-1] != '/')
            file--;
        printf(" %.*s", (int)(end - file), file);
        next = end;
    }
    putchar('\n');
}

extern char **environ;

static void environment(void) {
    print_entries("environ", environ);
    print_entries("envp", main_environment);
}

static void exec_create(void) {
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "client", "environment", "create", (char *)NULL);
        _exit(127);
    }
    waitpid(child, NULL, 0);
}

static void open_files(void) {
    /* Through the preloaded counter of tests/inject/count_opens.c */
    const char *(*function)(void);
    *(void **)&function = dlsym(RTLD_DEFAULT, "opened_files");
    printf("opened:%s\n", function());
}

static void inject(void) {
    if (!dlopen(getenv("INJECT"), RTLD_NOW))
        printf("%s\n", dlerror());
}

static void inject_and_close(void) {
    void *handle = dlopen(getenv("INJECT"), RTLD_NOW);
    printf("close: %d\n", handle ? dlclose(handle) : -1);
}

static void go_elsewhere(void) {
    if (chdir("/"))
        printf("chdir failed\n");
}

static void secure(void) {
    printf("secure: %s\n", getauxval(AT_SECURE) ? "yes" : "no");
}

/* For its children, say. */
static void set_profile(void) {
    setenv("MTLCAP_PROFILE", "auto", 1);
}

/* As small as threads are made. */
static void small_stack(void) {
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 32 * 1024);
    if (pthread_create(&thread, &attributes, create_on_stopped_thread, NULL))
        printf("no thread\n");
    else
        pthread_join(thread, NULL);
}

/* A program that makes itself a daemon closes what it has been given; what it opens then gets those
 * numbers. */
static void reopen_errors(void) {
    close(STDERR_FILENO);
    if (open("data", O_WRONLY | O_CREAT | O_TRUNC, 0600) != STDERR_FILENO)
        printf("not reopened\n");
}

static void append_errors(void) {
    const int file = open("errors", O_WRONLY | O_CREAT | O_APPEND, 0600);
    dup2(file, STDERR_FILENO);
    close(file);
}

static void exit_at_once(void) {
    _exit(0);
}

static void kill_itself(void) {
    fflush(NULL);
    kill(getpid(), SIGKILL);
}

/* So that somebody else can look meanwhile. */
static void wait_for_go(void) {
    printf("waiting\n");
    fflush(NULL);
    while (access("go", F_OK) != 0)
        usleep(10000);
}

#ifdef USER
static void applied(int status) {
    if (status)
        printf("%s\n", mtlcap_last_error());
}

static void apply_six(void) {
    applied(mtlcap_apply_profile("apple.min=6", NULL));
}

static void apply_auto(void) {
    applied(mtlcap_apply_profile("auto", NULL));
}

static void restore(void) {
    applied(mtlcap_restore());
}

static void source(void) {
    struct mtlcap_answer answer = MTLCAP_ANSWER_INIT;
    applied(mtlcap_query(device, "apple", &answer));
    const char *slash = strrchr(answer.source, '/');
    printf("source: %s\n", slash ? slash + 1 : answer.source);
}

static void report(void) {
    struct mtlcap_report report = MTLCAP_REPORT_INIT;
    applied(mtlcap_report_info(&report));
    printf("in force: \"%s\", generation %llu\n", report.profile,
           (unsigned long long)report.generation);
}

/* The log's function asks for a device, in the middle of an apply. */
static void create_in_log(int level, const char *message, void *data) {
    (void)level;
    (void)message;
    (void)data;
    static atomic_bool once;
    if (!atomic_exchange(&once, true))
        print_device("log", create_device());
}

static void log_creates(void) {
    applied(mtlcap_set_log(MTLCAP_LOG_WARNING, create_in_log, NULL));
}

static void active(void) {
    printf("active: %d\n", mtlcap_is_active());
}

static void count_by_library(void) {
    uint32_t count = 0;
    applied(mtlcap_device_count(&count));
    printf("device_count: %u\n", (unsigned)count);
}

static void list_by_library(void) {
    uint32_t count = 0;
    applied(mtlcap_device_count(&count));
    struct mtlcap_device info = MTLCAP_DEVICE_INIT;
    applied(mtlcap_device_info(0, &info));
    print_device("device_info", info.device);
}
#endif

static const struct verb {
    const char *name;
    void (*run)(void);
} verbs[] = {
    {"create", create},
    {"again", again},
    {"list", list},
    {"observe", observe},
    {"other-class", other_class},
    {"two-threads", two_threads},
    {"cached", cached},
    {"threadgroup-memory", threadgroup_memory},
    {"count", count},
    {"open-local", open_local},
    {"open-global", open_global},
    {"fork-create", fork_create},
    {"fork-again", fork_again},
    {"fork-meanwhile", fork_meanwhile},
    {"keep-waiting", keep_waiting},
    {"open-meanwhile", open_meanwhile},
    {"cancelled", cancelled},
    {"environment", environment},
    {"exec-create", exec_create},
    {"open-files", open_files},
    {"inject", inject},
    {"inject-and-close", inject_and_close},
    {"chdir", go_elsewhere},
    {"set-profile", set_profile},
    {"secure", secure},
    {"small-stack", small_stack},
    {"reopen-errors", reopen_errors},
    {"append-errors", append_errors},
    {"_exit", exit_at_once},
    {"abort", abort},
    {"kill", kill_itself},
    {"wait", wait_for_go},
#ifdef USER
    {"apply-six", apply_six},
    {"apply-auto", apply_auto},
    {"restore", restore},
    {"source", source},
    {"log-creates", log_creates},
    {"report", report},
    {"active", active},
    {"count-by-library", count_by_library},
    {"list-by-library", list_by_library},
#endif
};

static void run(const char *name) {
    for (size_t i = 0; i < sizeof verbs / sizeof *verbs; i++)
        if (strcmp(verbs[i].name, name) == 0) {
            verbs[i].run();
            return;
        }
    printf("%s: there is no such verb\n", name);
    exit(3);
}

int main(int argc, char **argv, char **envp) {
    main_environment = envp;
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 1; i < argc; i++)
        run(argv[i]);
    return 0;
}
