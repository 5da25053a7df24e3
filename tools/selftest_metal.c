/* Checks of what is assumed about Metal, on the devices of this machine. */
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "catalog.h"
#include "selftest.h"
#include "simulated.h"

void *selftest_device(struct mtlcap_device *info) {
    simulated_load();
    mtlcap_init(info, sizeof *info);
    return mtlcap_device_info(0, info) == MTLCAP_OK ? info->device : NULL;
}

static struct finding no_device(void) {
    return NOT_APPLICABLE("this machine has no Metal device");
}

static struct finding failed_call(const char *what) {
    return FAIL("%s: %s", what, mtlcap_last_error());
}

/* Asks the first device. False: it does not answer. */
static bool ask(const char *key, struct mtlcap_answer *answer) {
    mtlcap_init(answer, sizeof *answer);
    return mtlcap_query(NULL, key, answer) == MTLCAP_OK;
}

/* ---- answers ---------------------------------------------------------------------- */

static const char structure_key[] = "threads_per_threadgroup";

struct finding check_structure(void) {
    struct mtlcap_device info;
    struct mtlcap_answer stock, lowered, restored;
    if (selftest_device(&info) == NULL)
        return no_device();
    if (!ask(structure_key, &stock))
        return failed_call("it is not answered");
    if (mtlcap_apply_profile("threads_per_threadgroup.max=64x32x16", NULL) != MTLCAP_OK)
        return failed_call("the profile");
    bool answered = ask(structure_key, &lowered);
    mtlcap_restore();
    if (!answered || !ask(structure_key, &restored))
        return failed_call("it is not answered");
    const uint64_t *found = lowered.effective.number;
    if (found[0] != 64 || found[1] != 32 || found[2] != 16)
        return FAIL("lowered to 64x32x16, it is answered %s", lowered.effective.text);
    if (strcmp(stock.effective.text, restored.effective.text) != 0)
        return FAIL("after restore it is answered %s instead of %s", restored.effective.text,
                    stock.effective.text);
    return PASS("%s, lowered %s, restored %s", stock.effective.text, lowered.effective.text,
                restored.effective.text);
}

struct finding check_encodings(void) {
    struct mtlcap_device info;
    struct runtime runtime;
    const char *missing;
    char refused[512] = "";
    unsigned answered = 0, absent = 0;
    void *device = selftest_device(&info);
    if (device == NULL)
        return no_device();
    if (!selftest_runtime(&runtime, &missing))
        return FAIL("there is no %s in this process", missing);
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        struct mtlcap_capability capability = catalog_capability(i);
        struct mtlcap_answer answer;
        void *selector = runtime.sel_registerName(capability.selector);
        if (ask(capability.key, &answer)) {
            answered++;
        } else if (runtime.class_getInstanceMethod(selftest_class_of(device), selector) == NULL) {
            absent++;
        } else {
            size_t used = strlen(refused);
            snprintf(refused + used, sizeof refused - used, "%s%s (%s)", used > 0 ? ", " : "",
                     capability.key,
                     runtime.method_getTypeEncoding(
                         runtime.class_getInstanceMethod(selftest_class_of(device), selector)));
        }
    }
    if (refused[0] != '\0')
        return FAIL("not as expected: %s", refused);
    return PASS("%u answered, %u the device does not have", answered, absent);
}

/* A yes or no that the device answers yes to, and that may be lowered; NULL: none. */
static const char *lowerable(struct mtlcap_capability *capability) {
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        struct mtlcap_answer answer;
        *capability = catalog_capability(i);
        if (capability->kind == MTLCAP_KIND_BOOL && (capability->change & MTLCAP_CAN_LOWER) != 0 &&
            strchr(capability->selector, ':') == NULL && ask(capability->key, &answer) &&
            answer.effective.number[0] == 1)
            return capability->key;
    }
    return NULL;
}

struct finding check_whole_word(void) {
    struct mtlcap_device info;
    struct mtlcap_capability capability;
    struct runtime runtime;
    const char *missing;
    char profile[96];
    void *device = selftest_device(&info);
    if (device == NULL)
        return no_device();
    if (!selftest_runtime(&runtime, &missing))
        return FAIL("there is no %s in this process", missing);
    if (lowerable(&capability) == NULL)
        return NOT_APPLICABLE("the device answers no to all that could be lowered");
    snprintf(profile, sizeof profile, "%s=off", capability.key);
    if (mtlcap_apply_profile(profile, NULL) != MTLCAP_OK)
        return failed_call(profile);
    void *selector = runtime.sel_registerName(capability.selector);
    method_function *function =
        runtime.class_getMethodImplementation(selftest_class_of(device), selector);
    uint32_t word = (uint32_t)function(device, selector);
    return word == 0 ? PASS("%s: the word is 0", profile)
                     : FAIL("%s: the word is %#x", profile, word);
}

struct finding check_all_questions(void) {
    struct mtlcap_device info;
    if (selftest_device(&info) == NULL)
        return no_device();
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        struct mtlcap_answer first, second;
        const char *key = catalog_capability(i).key;
        if (!ask(key, &first))
            continue;
        if (!ask(key, &second) || strcmp(first.effective.text, second.effective.text) != 0)
            return FAIL("%s is answered %s, then %s", key, first.effective.text,
                        second.effective.text);
    }
    return PASS("%u, with the same answers both times", (unsigned)mtlcap_capability_count());
}

struct finding check_source(void) {
    struct mtlcap_device info;
    if (selftest_device(&info) == NULL)
        return no_device();
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        struct mtlcap_answer answer;
        const char *key = catalog_capability(i).key;
        if (ask(key, &answer) && strcmp(answer.source, "Metal") != 0)
            return FAIL("%s is said to come from '%s': either a shim is in this process, or a "
                        "driver's class and code are in different images",
                        key, answer.source);
    }
    return PASS("all from Metal");
}

/* ---- devices ------------------------------------------------------------------------ */

/* "Leaf < Middle < NSObject" */
static void class_chain(const struct runtime *runtime, void *class, char *text, size_t size) {
    size_t used = 0;
    for (; class != NULL && used < size; class = runtime->class_getSuperclass(class))
        used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? " < " : "",
                                 runtime->class_getName(class));
}

struct finding check_device_class(void) {
    struct mtlcap_device info;
    struct runtime runtime;
    const char *missing, *owner = NULL;
    char chain[512];
    bool adopts = false;
    if (selftest_device(&info) == NULL)
        return no_device();
    if (!selftest_runtime(&runtime, &missing))
        return FAIL("there is no %s in this process", missing);
    void *protocol = runtime.objc_getProtocol("MTLDevice");
    void *leaf = runtime.objc_getClass(info.class_name);
    if (protocol == NULL || leaf == NULL)
        return FAIL("there is no %s", leaf == NULL ? info.class_name : "protocol MTLDevice");
    for (void *class = leaf; class != NULL; class = runtime.class_getSuperclass(class)) {
        adopts = adopts || runtime.class_conformsToProtocol(class, protocol);
        if (owner == NULL && selftest_own_method(&runtime, class, "supportsFamily:") != NULL)
            owner = runtime.class_getName(class);
    }
    class_chain(&runtime, leaf, chain, sizeof chain);
    if (!adopts || owner == NULL)
        return FAIL("%s: %s", chain, adopts ? "none has supportsFamily:" : "none adopts MTLDevice");
    return PASS("%s; supportsFamily: is %s's", chain, owner);
}

struct finding check_paravirtual(void) {
    struct mtlcap_machine machine = MTLCAP_MACHINE_INIT;
    struct mtlcap_device info;
    if (selftest_device(&info) == NULL)
        return no_device();
    mtlcap_machine_info(&machine);
    if (machine.virtual_machine == MTLCAP_UNKNOWN)
        return FAIL("whether this is a virtual machine cannot be told");
    if (machine.virtual_machine == info.paravirtual)
        return PASS("%s, %s: %s", machine.virtual_machine ? "virtual" : "not virtual", info.name,
                    info.paravirtual ? "paravirtual" : "a real GPU");
    return FAIL("the machine is %s, and '%s' (%s) is taken for %s",
                machine.virtual_machine ? "virtual" : "not virtual", info.name, info.class_name,
                info.paravirtual ? "paravirtual" : "a real GPU");
}

struct finding check_device_list(void) {
    uint32_t count, again;
    struct mtlcap_device first, second = MTLCAP_DEVICE_INIT;
    if (selftest_device(&first) == NULL)
        return no_device();
    mtlcap_device_count(&count);
    mtlcap_device_count(&again);
    mtlcap_device_info(0, &second);
    if (count != again || first.device != second.device)
        return FAIL("%u devices, then %u; the first is %s one", count, again,
                    first.device == second.device ? "the same" : "another");
    return PASS("%u, the same both times", count);
}

/* In a process of its own, which Metal's validation has to be asked of before it starts. */
struct finding check_wrapper(void) {
#ifdef __APPLE__
    static const char *const variables[] = {"MTL_DEBUG_LAYER=1", NULL};
#else
    static const char *const variables[] = {"SIMMETAL_DEVICES=paravirt-debug", NULL};
#endif
    static const char *const arguments[] = {"mtlcap",   "probe",    "-p", "apple.max=2",
                                            "--expect", "apple<=2", NULL};
    struct child child = selftest_start(selftest_program(), arguments, variables);
    if (child.status == -1)
        return FAIL("%s", child.problem);
    if (!WIFEXITED(child.status))
        return FAIL("it ended by signal %d", WTERMSIG(child.status));
    return WEXITSTATUS(child.status) == 0
               ? PASS("applied, with %s", variables[0])
               : FAIL("with %s: exit code %d", variables[0], WEXITSTATUS(child.status));
}

struct finding check_derived(void) {
    struct mtlcap_device info;
    struct mtlcap_report report = MTLCAP_REPORT_INIT;
    char names[768] = "";
    if (selftest_device(&info) == NULL)
        return no_device();
    const char *profile = info.paravirtual ? "auto" : "apple.max=5";
    int status = mtlcap_apply_profile(profile, NULL);
    if (status == MTLCAP_E_HAZARD) { /* raising is refused here */
        profile = "apple.max=4";
        status = mtlcap_apply_profile(profile, NULL);
    }
    if (status != MTLCAP_OK || mtlcap_report_info(&report) != MTLCAP_OK)
        return failed_call(profile);
    for (uint32_t i = 0; i < report.change_count; i++) {
        struct mtlcap_change change = MTLCAP_CHANGE_INIT;
        size_t used = strlen(names);
        if (mtlcap_report_change(i, &change) == MTLCAP_OK && change.derived)
            snprintf(names + used, sizeof names - used, " %s", change.capability);
    }
    return PASS("%s: %u rules' answers, %u derived:%s", profile,
                report.change_count - report.derived_count, report.derived_count,
                names[0] != '\0' ? names : " none");
}

struct finding check_chip_family(void) {
    struct mtlcap_machine machine = MTLCAP_MACHINE_INIT;
    struct mtlcap_device info;
    struct mtlcap_answer answer;
    if (selftest_device(&info) == NULL)
        return no_device();
    mtlcap_machine_info(&machine);
    if (info.paravirtual || machine.virtual_machine != 0)
        return NOT_APPLICABLE("on bare metal only");
    if (machine.apple_silicon != 1)
        return NOT_APPLICABLE("on Apple silicon only");
    if (!ask("apple", &answer))
        return failed_call("apple is not answered");
    if (answer.stock.number[0] == (uint64_t)machine.chip_family)
        return PASS("'%s' is Apple%d", machine.chip, machine.chip_family);
    return FAIL("'%s' is taken for Apple%d, and the device says %s", machine.chip,
                machine.chip_family, answer.stock.text);
}

struct finding check_no_exception(void) {
    struct mtlcap_device info;
    if (selftest_device(&info) == NULL)
        return no_device();
    if (mtlcap_apply_profile("stock", NULL) != MTLCAP_OK)
        return failed_call("stock");
    if (mtlcap_apply_profile("github-runner", NULL) != MTLCAP_OK)
        return failed_call("github-runner");
    struct finding asked = check_all_questions();
    mtlcap_restore();
    if (asked.verdict != VERDICT_PASS)
        return asked;
    return mtlcap_is_active() ? FAIL("after restore answers are overridden")
                              : PASS("applied, asked and restored");
}

struct finding check_metal_lookup(void) {
    static const char *const names[] = {"MTLCreateSystemDefaultDevice", "MTLCopyAllDevices",
                                        "MTLCopyAllDevicesWithObserver"};
    uint32_t count;
    simulated_load();
    if (mtlcap_device_count(&count) != MTLCAP_OK)
        return failed_call("devices cannot be listed");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (selftest_symbol(names[i]) == NULL)
            return FAIL("%s is not found", names[i]);
    return PASS("all three are found, %u devices", count);
}

struct finding check_device_initialiser(void) {
    struct mtlcap_device info;
    struct runtime runtime;
    const char *missing;
    if (selftest_device(&info) == NULL)
        return no_device();
    if (!selftest_runtime(&runtime, &missing))
        return FAIL("there is no %s in this process", missing);
    void *class = runtime.objc_getClass("_MTLDevice");
    void *method =
        class != NULL ? selftest_own_method(&runtime, class, "initGPUFamilySupport") : NULL;
    if (method == NULL)
        return FAIL("%s", class != NULL ? "_MTLDevice has no own method initGPUFamilySupport"
                                        : "there is no class _MTLDevice");
    const char *encoding = runtime.method_getTypeEncoding(method);
    return encoding != NULL && encoding[0] == 'v' && strchr(encoding, '@') != NULL &&
                   encoding[strlen(encoding) - 2] == ':'
               ? PASS("_MTLDevice's own, %s", encoding)
               : FAIL("its signature is %s", encoding != NULL ? encoding : "none");
}

/* ---- what nothing here shows -------------------------------------------------------- */

struct finding check_late_hooks(void) {
    return NOT_APPLICABLE("whether a client is served from a cache inside Metal only that client "
                          "shows: compare its receipts, late and early");
}

struct finding check_caches(void) {
    return NOT_APPLICABLE("Metal's caches cannot be asked");
}

struct finding check_kernels(void) {
    return NOT_APPLICABLE("no shader is run");
}

struct finding check_doors(void) {
    return NOT_APPLICABLE("a receipt tells whether a program came through one of them");
}
