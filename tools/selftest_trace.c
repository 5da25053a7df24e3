/* mtlcap selftest: what traces, explanations and bindings assume. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "doctor.h"
#include "selftest.h"

/* ---- who asked ------------------------------------------------------------------ */

/* The question of this selector in the trace. */
static bool find_question(const char *selector, struct mtlcap_trace_question *question) {
    struct mtlcap_trace trace = MTLCAP_TRACE_INIT;
    if (mtlcap_trace_info(&trace) != MTLCAP_OK)
        return false;
    for (uint32_t i = 0; i < trace.question_count; i++) {
        mtlcap_init(question, sizeof *question);
        if (mtlcap_trace_question_info(i, question) == MTLCAP_OK &&
            strcmp(question->selector, selector) == 0)
            return true;
    }
    return false;
}

static const char *file_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

struct finding check_trace_caller(void) {
    static const char selector[] = "maxThreadgroupMemoryLength";
    struct mtlcap_device info;
    struct mtlcap_trace_question question;
    struct runtime runtime;
    const char *missing;
    void *device = selftest_device(&info);
    if (device == NULL)
        return NOT_APPLICABLE("this machine has no Metal device");
    if (!selftest_runtime(&runtime, &missing))
        return FAIL("there is no %s in this process", missing);
    if (mtlcap_trace_start(NULL) != MTLCAP_OK)
        return FAIL("%s", mtlcap_last_error());
    void *name = runtime.sel_registerName(selector);
    method_function *function =
        runtime.class_getMethodImplementation(selftest_class_of(device), name);
    function(device, name);
    const bool found = find_question(selector, &question);
    mtlcap_trace_stop();
    if (!found)
        return FAIL("the question is not in the trace");
    return strcmp(file_name(question.image), file_name(selftest_program())) == 0
               ? PASS("%s, %s", file_name(question.image),
                      question.symbol[0] != '\0' ? question.symbol : "a function without a name")
               : FAIL("it names %s", question.image[0] != '\0' ? question.image : "nobody");
}

struct finding check_process_number(void) {
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    if (child < 0)
        return NOT_APPLICABLE("no process can be started: %s", strerror(errno));
    const bool waited = waitpid(child, NULL, 0) == child;
    const bool gone = kill(child, 0) != 0 && errno == ESRCH;
    return kill(getpid(), 0) == 0 && waited && gone ? PASS("this one is found, that one is not")
                                                    : FAIL("kill() with signal 0 tells otherwise");
}

struct finding check_system_programs(void) {
#ifdef __APPLE__
    static const char *const names[] = {"bash", "sh", "tee", "env", "curl", "perl", "xargs"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (access(doctor_apples_named(names[i]), X_OK) != 0)
            return FAIL("%s is not there", doctor_apples_named(names[i]));
    return PASS("those that were looked for are there");
#else
    return NOT_APPLICABLE("this is not a Mac");
#endif
}

/* ---- what cannot be looked at here ------------------------------------------------ */

#define CANNOT(name, instead)                                                                      \
    struct finding check_##name(void) {                                                            \
        return NOT_APPLICABLE(instead);                                                            \
    }

CANNOT(full_disk, "MTLCAP_TRACE=FILE on a full volume: an error, and no signal")
CANNOT(mapped_over, "no way is known to lose the race on purpose")
CANNOT(hook_frames, "an exception of Metal's, in a program under a profile, reaches its handler")
CANNOT(driver_bundle, "mtlcap.apply() in Python, after a client has asked, warns")
CANNOT(class_image_stays, "unplug an external GPU, and ask mtlcap probe")
CANNOT(terminal_size, "mtlcap trace --live -- PROGRAM: one line, cut at the terminal's width")
CANNOT(shells, "mtlcap r, and the tab key; man mtlcap-run")
CANNOT(clients_rules, "compare mtlcap explain CLIENT with what the client logs")
CANNOT(paravirtual_limits, "mtlcap explain mlx, and MLX itself")
CANNOT(doctor_rules, "compare mtlcap doctor PROGRAM with what mtlcap run says")
CANNOT(swift_device, "MTLCap.query(.apple, device: MTLCreateSystemDefaultDevice())")
CANNOT(bundle_signing, "sign a copy as mtlcap doctor advises, and start it")
CANNOT(process_start, "MTLCAP_TRACE=FILE, kill the program, and start it again")
CANNOT(file_lock, "MTLCAP_TRACE=FILE, two programs at once: one is told that it cannot")
CANNOT(images_stay, "mtlcap trace of a program that closes its plug-ins")
CANNOT(stack_direction, "no processor that macOS runs on does otherwise")
