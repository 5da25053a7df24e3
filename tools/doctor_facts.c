/* The facts of one slice. */
#include <stdio.h>
#include <string.h>

#include "doctor.h"

const char *const doctor_entitlement_names[DOCTOR_ENTITLEMENTS] = {
    [DOCTOR_ALLOW_DYLD] = "com.apple.security.cs.allow-dyld-environment-variables",
    [DOCTOR_DISABLE_VALIDATION] = "com.apple.security.cs.disable-library-validation",
    [DOCTOR_GET_TASK_ALLOW] = "com.apple.security.get-task-allow",
    [DOCTOR_APP_SANDBOX] = "com.apple.security.app-sandbox",
};

/* ---- entitlements ------------------------------------------------------------------ */

static void take_entitlement(const struct mtlcap__macho_entitlement *found, void *context) {
    struct doctor_entitlements *entitlements = context;
    for (int i = 0; i < DOCTOR_ENTITLEMENTS; i++) {
        const char *name = doctor_entitlement_names[i];
        if (strlen(name) == found->length && memcmp(name, found->key, found->length) == 0) {
            entitlements->is_true[i] = found->value == MTLCAP__MACHO_TRUE;
            entitlements->place[i] = found->place;
        }
    }
}

/* A malformed blob makes the signature one. */
static bool read_entitlements(const struct mtlcap__macho_signature *signature,
                              struct doctor_slice *facts) {
    facts->der.there = signature->der.data != NULL;
    facts->xml.there = signature->xml.data != NULL;
    return (!facts->der.there ||
            mtlcap__macho_entitlements_der(&signature->der, take_entitlement, &facts->der,
                                           &facts->signature_problem)) &&
           (!facts->xml.there ||
            mtlcap__macho_entitlements_xml(&signature->xml, take_entitlement, &facts->xml,
                                           &facts->signature_problem));
}

/* ---- the signature ----------------------------------------------------------------- */

static void read_signature(const struct mtlcap__macho_image *image, bool check_pages,
                           struct doctor_slice *facts) {
    struct mtlcap__macho_signature signature;
    facts->signature = DOCTOR_BROKEN;
    if (!mtlcap__macho_signature(image, &signature, &facts->signature_problem))
        return;
    const struct mtlcap__macho_directory *best = &signature.directories[signature.best];
    facts->flags = best->flags;
    facts->hash_type = best->hash_type;
    facts->flags_place = mtlcap__macho_flags_place(best);
    facts->platform_byte = best->platform;
    facts->platform_place = mtlcap__macho_platform_place(best);
    snprintf(facts->identifier, sizeof facts->identifier, "%s", best->identifier);
    snprintf(facts->team, sizeof facts->team, "%s", best->team != NULL ? best->team : "");
    if (check_pages)
        mtlcap__macho_check_pages(image, &signature, &facts->pages);
    if (read_entitlements(&signature, facts))
        facts->signature = DOCTOR_SIGNED;
}

/* ---- what it would start ------------------------------------------------------------- */

/* The first path of a program of Apple's among the program's texts. */
static void find_path(const struct mtlcap__macho_image *image, struct doctor_slice *facts) {
    struct mtlcap__macho_section section;
    if (!mtlcap__macho_find_section(image, "__TEXT", "__cstring", &section))
        return;
    const char *text = (const char *)image->bytes.data + section.offset, *start = text;
    const char *end = text + section.size;
    while (start < end) {
        const char *stop = memchr(start, 0, (size_t)(end - start));
        if (stop == NULL)
            return;
        if (*start == '/' && strchr(start, ' ') == NULL && doctor_is_apples(start) &&
            stop[-1] != '/') {
            snprintf(facts->child, sizeof facts->child, "it names %s", start);
            facts->child_place = image->bytes.place + section.offset + (uint64_t)(start - text);
            return;
        }
        start = stop + 1;
    }
}

static void find_child(const struct mtlcap__macho_image *image, struct doctor_slice *facts) {
    static const char *const functions[] = {"_system", "_popen"};
    static const char *const starters[] = {"_posix_spawn", "_posix_spawnp", "_execve", "_execv",
                                           "_execvp",      "_execl",        "_execlp", "_execle"};
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        if (mtlcap__macho_imports(image, functions[i])) {
            snprintf(facts->starter, sizeof facts->starter, "it imports %s", functions[i]);
            snprintf(facts->child, sizeof facts->child, "it imports %s, which starts /bin/sh",
                     functions[i]);
            facts->child_place = image->bytes.place + image->symbols;
            return;
        }
    for (size_t i = 0; i < sizeof starters / sizeof starters[0]; i++)
        if (mtlcap__macho_imports(image, starters[i])) {
            snprintf(facts->starter, sizeof facts->starter, "it imports %s", starters[i]);
            find_path(image, facts);
            return;
        }
}

/* ---- all of it ------------------------------------------------------------------------ */

static void read_version(const struct mtlcap__macho_image *image, struct doctor_slice *facts) {
    for (uint32_t i = image->version_count; i-- > 0;) { /* macOS if it is one of them */
        const struct mtlcap__macho_version *version = &image->versions[i];
        if (facts->platform == MTLCAP__PLATFORM_MACOS)
            return;
        facts->platform = version->platform;
        facts->minimum = version->minimum;
        facts->sdk = version->sdk;
        facts->version_place = version->place;
    }
}

void doctor_slice_read(const struct mtlcap__macho_slice *slice, bool check_pages,
                       struct doctor_slice *facts) {
    struct mtlcap__macho_image image;
    struct mtlcap__macho_section section;
    char number[24];
    *facts = (struct doctor_slice){.cpu_type = slice->cpu_type, .place = slice->bytes.place};
    if (!mtlcap__macho_image(slice, &image, &facts->problem)) {
        snprintf(facts->cpu, sizeof facts->cpu, "%s",
                 mtlcap__macho_cpu_name(slice->cpu_type, slice->cpu_subtype, number));
        return;
    }
    snprintf(facts->cpu, sizeof facts->cpu, "%s",
             mtlcap__macho_cpu_name(image.cpu_type, image.cpu_subtype, number));
    facts->arm64e = mtlcap__macho_is_arm64e(image.cpu_type, image.cpu_subtype);
    facts->file_type = image.file_type;
    facts->has_dylinker = image.dylinker != NULL;
    if (mtlcap__macho_find_section(&image, "__RESTRICT", "__restrict", &section))
        facts->restrict_place = section.place;
    read_version(&image, facts);
    if (image.signature_command != 0)
        read_signature(&image, check_pages, facts);
    find_child(&image, facts);
}
