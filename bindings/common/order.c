/* What is loaded in this process, and whether Metal has made a device in it. */
#ifndef __APPLE__
#define _GNU_SOURCE /* dl_iterate_phdr, RTLD_DEFAULT */
#endif
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <mtlcap/mtlcap.h>

#include "order.h"

typedef bool image_test(const char *path, const char *wanted);

static bool begins_with(const char *path, const char *wanted) {
    const char *slash = strrchr(path, '/');
    return strncmp(slash ? slash + 1 : path, wanted, strlen(wanted)) == 0;
}

#ifdef __APPLE__
#include <mach-o/dyld.h>

static bool find(image_test *test, const char *wanted, char *path, size_t size) {
    for (uint32_t i = 0; i < _dyld_image_count(); i++) {
        const char *name = _dyld_get_image_name(i);
        if (name && test(name, wanted)) {
            snprintf(path, size, "%s", name);
            return true;
        }
    }
    return false;
}

/* Metal loads a GPU's driver, a bundle outside the shared cache, when it makes the first device. */
static bool is_driver(const char *path, const char *wanted) {
    const char *slash = strrchr(path, '/');
    return strncmp(path, wanted, strlen(wanted)) == 0 && slash &&
           (strstr(slash, "Metal") || strstr(slash, "MTL"));
}

static bool device_exists(void) {
    char path[1024];
    return find(is_driver, "/System/Library/Extensions/", path, sizeof path);
}
#else
#include <dlfcn.h>
#include <link.h>

struct search {
    image_test *test;
    const char *wanted;
    char *path;
    size_t size;
};

static int visit(struct dl_phdr_info *info, size_t info_size, void *data) {
    (void)info_size;
    const struct search *search = data;
    if (!info->dlpi_name || !search->test(info->dlpi_name, search->wanted))
        return 0;
    snprintf(search->path, search->size, "%s", info->dlpi_name);
    return 1;
}

static bool find(image_test *test, const char *wanted, char *path, size_t size) {
    struct search search = {test, wanted, path, size};
    return dl_iterate_phdr(visit, &search) != 0;
}

/* The simulated Metal, which may be in the process without being in its global scope. */
static bool device_exists(void) {
    void *library = dlopen("libsimmetal.so.0", RTLD_LAZY | RTLD_NOLOAD);
    void *symbol = dlsym(library ? library : RTLD_DEFAULT, "simmetal_devices_created");
    unsigned (*created)(void);
    memcpy((void *)&created, (void *)&symbol, sizeof symbol);
    const bool exists = created && created() != 0;
    if (library)
        dlclose(library);
    return exists;
}
#endif

int32_t mtlcap_order_look(void) {
    static atomic_int late = -1; /* not looked yet */
    if (late < 0) {
        /* Whoever has a profile in force has looked as well, and in time as far as we can tell. */
        int unknown = -1;
        atomic_compare_exchange_strong(&late, &unknown,
                                       mtlcap_generation() == 0 && device_exists());
    }
    return late;
}

const char *mtlcap_order_client(uint32_t index, char *path, size_t size) {
    static const struct {
        const char *image; /* its file name begins so */
        const char *client;
    } rows[] = {
        {"libmlx", "MLX"},       {"libggml-metal", "llama.cpp"}, {"libllama", "llama.cpp"},
        {"libtorch", "PyTorch"}, {"libMoltenVK", "MoltenVK"},
    };
    if (index >= sizeof rows / sizeof rows[0])
        return NULL;
    path[0] = '\0';
    find(begins_with, rows[index].image, path, size);
    return rows[index].client;
}
