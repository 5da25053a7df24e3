/* llama-metal-client: llama.cpp's Metal backend under a profile, told by what it logs, what it
 * accepts and what it encodes. */
#include "cases.h"

#ifndef PLAIN /* a program that does not know of libmtlcap */
#include <mtlcap/mtlcap.h>
#endif

#include <stdio.h>
#include <string.h>

static const char usage[] =
    "usage: llama-metal-client [--profile PROFILE [--allow HAZARDS] [--restore]]\n"
    "                          [--output FOLDER] COMMAND...\n"
    "\n"
    "Applies the profile before the backend is opened; --restore takes it back again, still\n"
    "before. Then, in order:\n"
    "  log      opens the backend and prints its log\n"
    "  support  prints which of llama.cpp's test cases it accepts, as CSV\n"
    "  encode   encodes all cases that it accepts (SIMMETAL_TRACE=FILE records the dispatches)\n"
    "  live     prints the GPU family that the backend sees, now and after a restore\n"
    "\n"
    "With --output each command prints to FOLDER/COMMAND.txt. llama-plain-client is the same\n"
    "without libmtlcap: neither --profile nor live.\n";

#ifndef PLAIN
static bool live(void) {
    int before = llama_family();
    if (mtlcap_restore() != MTLCAP_OK) {
        fprintf(stderr, "llama-metal-client: %s\n", mtlcap_last_error());
        return false;
    }
    printf("now %d\nafter restore %d\n", before, llama_family());
    return true;
}

static bool apply(const char *profile, const char *allow, bool restore) {
    struct mtlcap_options options = MTLCAP_OPTIONS_INIT;
    options.allow = allow;
    if (mtlcap_apply_profile(profile, &options) != MTLCAP_OK ||
        (restore && mtlcap_restore() != MTLCAP_OK)) {
        fprintf(stderr, "llama-metal-client: %s\n", mtlcap_last_error());
        return false;
    }
    return true;
}
#else
static bool apply(const char *profile, const char *allow, bool restore) {
    (void)allow;
    (void)restore;
    fprintf(stderr, "llama-plain-client: cannot apply %s\n", profile);
    return false;
}
#endif

static const struct command {
    const char *name;
    bool (*run)(void);
} commands[] = {
    {"log", llama_log},
    {"support", llama_support},
    {"encode", llama_encode},
#ifndef PLAIN
    {"live", live},
#endif
};

static const struct command *find(const char *name) {
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(commands[i].name, name) == 0)
            return &commands[i];
    }
    return NULL;
}

static int misused(const char *what) {
    fprintf(stderr, "llama-metal-client: %s\n%s", what, usage);
    return 2;
}

static bool run(const struct command *command, const char *folder) {
    if (folder) {
        char path[4096];
        if (snprintf(path, sizeof path, "%s/%s.txt", folder, command->name) >= (int)sizeof path ||
            !freopen(path, "w", stdout)) {
            perror(folder);
            return false;
        }
    }
    return command->run() && fflush(stdout) == 0 && !ferror(stdout);
}

int main(int argc, char **argv) {
    const char *profile = NULL, *allow = NULL, *folder = NULL;
    bool restore = false;
    int i = 1;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
        if (strcmp(argv[i], "--restore") == 0) {
            restore = true;
            continue;
        }
        const char **value = strcmp(argv[i], "--profile") == 0  ? &profile
                             : strcmp(argv[i], "--allow") == 0  ? &allow
                             : strcmp(argv[i], "--output") == 0 ? &folder
                                                                : NULL;
        if (!value || ++i == argc)
            return misused("bad option, or an option without a value");
        *value = argv[i];
    }
    if (i == argc)
        return misused("no command");
    for (int j = i; j < argc; j++) {
        if (!find(argv[j]))
            return misused("unknown command");
    }
    if (!profile && (allow || restore))
        return misused("--allow and --restore need --profile");
    if (profile && !apply(profile, allow, restore))
        return 78;
    for (; i < argc; i++) {
        if (!run(find(argv[i]), folder))
            return 1;
    }
    return 0;
}
