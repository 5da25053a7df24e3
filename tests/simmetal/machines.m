/* Machine files: each built-in one is good, and each mistake is told. */
#import "simmetal_test.h"

static void builtin(void **state) {
    unsigned count = 0;
    const char *previous = "";
    for (const char *const *name = simmetal_machine_names(); *name; name++, count++) {
        char error[1024] = "";
        if (simmetal_check_machine(*name, error, sizeof error) != 0)
            fail_msg("%s", error);
        assert_true(strcmp(previous, *name) < 0);
        previous = *name;
    }
    assert_true(count > 30);
}

/* Writes `text` to a file, and returns its path. */
static char *write_file(const char *text) {
    static char path[64];
    strcpy(path, "/tmp/simmetal-machine-XXXXXX.ini");
    int descriptor = mkstemps(path, 4);
    assert_true(descriptor >= 0);
    assert_int_equal(write(descriptor, text, strlen(text)), strlen(text));
    close(descriptor);
    return path;
}

#define MACHINE "[machine]\nlike = paravirt\n"
#define DEVICE MACHINE "[device]\n"

static void mistakes(void **state) {
    static const struct {
        const char *text;
        int line;
        const char *message; /* part of it */
    } rows[] = {
        {"", 0, "[machine] has no chip; for instance chip = Apple M1"},
        {"chip = Apple M1\n", 0, "[machine] has no memory; for instance memory = 16 GiB"},
        {"chip = Apple M1\nmemory = 1 GiB\n", 0, "[machine] has no macos; for instance"},
        {"chip = Apple M1\nmemory = 1 GiB\nmacos = 26\n", 0, "[machine] has no model"},
        {MACHINE "[gpu]\n", 3, "'[gpu]' is neither [machine] nor [device]"},
        {MACHINE "[device\n", 3, "'[device' is neither [machine] nor [device]"},
        {MACHINE "vm\n", 3, "'vm' is none of: a [section], key = value, # comment"},
        {MACHINE "vm =\n", 3, "vm has no value"},
        {MACHINE "vm = maybe\n", 3, "'maybe' is neither yes nor no"},
        {MACHINE "chips = x\n", 3,
         "no key of [machine] is called 'chips'; there are: like, chip, vm"},
        {MACHINE "memory = lots\n", 3, "'lots' is not a number from 0 to"},
        {MACHINE "memory = -1\n", 3, "'-1' is not a number"},
        {MACHINE "memory = 16 GB\n", 3, "'16 GB' is not a number"},
        {MACHINE "memory = 99999999999 GiB\n", 3, "'99999999999 GiB' is not a number from 0 to"},
        {MACHINE "memory = 99999999999999999999\n", 3, "is not a number from 0 to"},
        {MACHINE "macos = Tahoe\n", 3, "'Tahoe' is not a version; for instance 26.5.2"},
        {MACHINE "macos = 26..1\n", 3, "'26..1' is not a version"},
        {MACHINE "program-sdk = 26.\n", 3, "'26.' is not a version"},
        {MACHINE "host = amd\n", 3, "no host is called 'amd'; there are: apple, intel"},
        {MACHINE "encodings = arm\n", 3, "there are: arm64, x86_64, compiler"},
        {MACHINE "derived = often\n", 3, "there are: live, cached"},
        {MACHINE "devices = many\n", 3, "there are: shared, fresh"},
        {MACHINE "default = 0\n", 3,
         "'0' is neither the number of a device, from 1 to 8, nor none"},
        {MACHINE "default = first\n", 3, "'first' is neither the number"},
        {MACHINE "default = 2\n", 0, "default = 2, but the machine has 1 device"},
        {MACHINE "like = m1\n", 3, "like must be the first key"},
        {"[machine]\nlike = nowhere\n", 0, "no built-in machine is called 'nowhere'"},
        {"[machine]\nlike = /nowhere.ini\n", 0, "cannot read: No such file or directory"},
        {DEVICE "class = Device\n", 4,
         "no device class is called 'Device'; there are: AppleParavirt"},
        {DEVICE "class = _MTLDevice\n", 4, "no device class is called '_MTLDevice'"},
        {DEVICE "wrapper = Wrapper\n", 4, "there are: MTLToolsDevice, MTLDebugDevice, Capture"},
        {DEVICE "families = 1001-\n", 4,
         "'1001-' is not a list of numbers; for instance 1001-1005"},
        {DEVICE "families = 1005-1001\n", 4, "'1005-1001' is not a list of numbers"},
        {DEVICE "families = apple5\n", 4, "'apple5' is not a list of numbers"},
        {DEVICE "families = 1001 1002\n", 4, "stands where a comma should"},
        {DEVICE "families = 1001-1999\n", 4, "has more than 32 numbers"},
        {DEVICE "families = 1,\n", 4, "'1,' is not a list of numbers"},
        {DEVICE "faults = slow\n", 4, "no fault is called 'slow'; there are: residency-set-nil"},
        {DEVICE "faults = +slow\n", 4, "no fault is called 'slow'"},
        {DEVICE "faults = +gpu-hang, heap-nil\n", 4, "either all faults have a sign"},
        {DEVICE "faults = heap-nil,\n", 4, "no fault is called ''"},
        {DEVICE "hasUnifiedMemory = 1\n", 4, "'1' is neither yes nor no"},
        {DEVICE "peerCount = 4 GiB\n", 4, "'4 GiB' is not a number from 0 to 4294967295"},
        {DEVICE "maxBufferLenght = 1\n", 4, "'maxBufferLenght'; did you mean maxBufferLength?"},
        {DEVICE "maxThreadsPerThreadgroup = 1024\n", 4, "'1024' is not a size of three numbers"},
        {DEVICE "maxThreadsPerThreadgroup = 0, 1, 1\n", 4, "is not a size of three numbers"},
        {DEVICE "supportsTextureSampleCount = 1-99\n", 4, "has more than 16 numbers"},
        {DEVICE
         "name = A name that is a good deal longer than any name that a device should ever have\n",
         4, "at most 63 fit"},
        {MACHINE "[device]\n[device]\n", 0, "a [device] has no class; for instance class = "},
        {MACHINE "[device]\n[device]\nclass = AGXG13GDevice\n", 0, "a [device] has no name"},
        {MACHINE "[device]\n[device]\nclass = AGXG13GDevice\nname = x\n", 0, "has no families"},
        {MACHINE "[device]\n[device]\n[device]\n[device]\n[device]\n[device]\n[device]\n[device]\n"
                 "[device]\n",
         11, "more than 8 devices"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char error[2048] = "", place[128];
        char *path = write_file(rows[i].text);
        int status = simmetal_check_machine(path, error, sizeof error);
        unlink(path);
        if (status == 0 || !strstr(error, rows[i].message))
            fail_msg("row %zu: '%s' does not tell '%s'", i, error, rows[i].message);
        if (rows[i].line) {
            snprintf(place, sizeof place, "%s:%d: ", path, rows[i].line);
            if (strncmp(error, place, strlen(place)) != 0)
                fail_msg("row %zu: '%s' does not start with '%s'", i, error, place);
        }
    }
}

static void not_a_machine_file(void **state) {
    char error[2048];
    assert_int_equal(simmetal_check_machine("/", error, sizeof error), -1);
    assert_non_null(strstr(error, "/: not a machine file: it is a folder"));
    assert_int_equal(simmetal_check_machine("/dev/zero", error, sizeof error), -1);
    assert_non_null(strstr(error, "/dev/zero: not a machine file: it is a pipe or a device"));
    assert_int_equal(simmetal_check_machine("", error, sizeof error), -1);
    assert_non_null(strstr(error, "no built-in machine is called ''"));
    assert_non_null(strstr(error, "paravirt, paravirt-cached"));

    char *path = write_file("");
    int descriptor = open(path, O_WRONLY);
    assert_int_equal(write(descriptor, "\0\0", 2), 2);
    assert_int_equal(simmetal_check_machine(path, error, sizeof error), -1);
    assert_non_null(strstr(error, "not a machine file: it has a zero byte"));
    assert_int_equal(ftruncate(descriptor, 1 << 20), 0);
    assert_int_equal(simmetal_check_machine(path, error, sizeof error), -1);
    assert_non_null(strstr(error, "not a machine file: longer than 65536 bytes"));
    close(descriptor);
    unlink(path);
}

/* Nobody writes to it: reading it would wait for ever. */
static void pipe_without_a_writer(void **state) {
    char error[1024];
    char *path = write_file("");
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    alarm(60);
    assert_int_equal(simmetal_check_machine(path, error, sizeof error), -1);
    alarm(0);
    assert_non_null(strstr(error, "not a machine file: it is a pipe or a device"));
    unlink(path);
}

/* A short buffer for the error is filled, not overrun. */
static void short_error(void **state) {
    char error[8] = "1234567";
    assert_int_equal(simmetal_check_machine("nowhere", error, 4), -1);
    assert_string_equal(error, "now");
    assert_string_equal(error + 4, "567");
}

static void like_itself(void **state) {
    char *path = write_file("");
    FILE *file = fopen(path, "w");
    fprintf(file, "[machine]\nlike = %s\n", path);
    fclose(file);
    char error[1024];
    assert_int_equal(simmetal_check_machine(path, error, sizeof error), -1);
    assert_non_null(strstr(error, "more than 8 machines deep: is one like itself?"));
    unlink(path);
}

static void everything(void **state) {
    char *path = write_file("# All there is.\r\n"
                            "[machine]\r\n"
                            "  chip=Apple M1   \n"
                            "\tmemory = 0x400000000\n"
                            "macos = 15\n"
                            "model = Mac1,1\n"
                            "vm = no\n"
                            "default = 2\n"
                            "[device]\n"
                            "class = AGXG13GDevice\n"
                            "name = First\n"
                            "families = none\n"
                            "faults = none\n"
                            "[device]\n"
                            "class = AGXG14XDevice\n"
                            "name = Second = other\n"
                            "families = 1001-1003, 3001,5001\n"
                            "maxThreadsPerThreadgroup = 512, 256, 64\n"
                            "supportsTextureSampleCount = none\n"
                            "supportsRaytracing = yes\n"
                            "location = 2\n"
                            "maxBufferLength = 3 MiB");
    id<MTLDevice> device = simmetal_create_device_of(path, 1, NULL);
    unlink(path);
    assert_non_null(device);
    assert_string_equal(name_of(device), "Second = other");
    assert_int_equal(supports(device, 1003), 1);
    assert_int_equal(supports(device, 1004), 0);
    assert_int_equal(supports(device, 5001), 1);
    assert_int_equal([device maxThreadsPerThreadgroup].depth, 64);
    assert_int_equal(ask_with(device, "supportsTextureSampleCount:", 1), 0);
    assert_int_equal(ask(device, "supportsRaytracing"), 1);
    assert_int_equal(ask(device, "location"), 2);
    assert_int_equal(ask(device, "maxBufferLength"), 3 << 20);
    assert_int_equal(ask(device, "recommendedMaxWorkingSetSize"), 11453251584);
    [device release];
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(builtin),
        cmocka_unit_test(mistakes),
        cmocka_unit_test(not_a_machine_file),
        cmocka_unit_test(pipe_without_a_writer),
        cmocka_unit_test(short_error),
        cmocka_unit_test(like_itself),
        cmocka_unit_test(everything),
    };
    @autoreleasepool {
        return cmocka_run_group_tests(tests, NULL, NULL);
    }
}
