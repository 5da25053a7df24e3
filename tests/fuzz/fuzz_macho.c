/*
 * Any bytes, as a Mach-O file: slices, load commands, signature, pages, entitlements. Whatever
 * comes in, what is refused says where in the file, and what is accepted lies in it.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "macho/macho.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define assert(condition) ((condition) ? (void)0 : fail(#condition, __LINE__))

static void fail(const char *condition, int line) {
    fprintf(stderr, "fuzz_macho.c, line %d: %s does not hold\n", line, condition);
    abort();
}

static size_t file_size;

static void check_problem(const struct mtlcap__macho_problem *problem) {
    assert(problem->place <= file_size);
    assert(problem->text[0] != '\0');
    assert(memchr(problem->text, 0, sizeof problem->text) != NULL);
}

static void check_part(const struct mtlcap__macho_bytes *part) {
    assert(part->size <= file_size && part->place <= file_size - part->size);
}

static void visit(const struct mtlcap__macho_entitlement *entitlement, void *context) {
    const struct mtlcap__macho_bytes *blob = context;
    const uint8_t *key = (const uint8_t *)entitlement->key;
    assert(key >= blob->data && entitlement->length <= blob->size);
    assert(key + entitlement->length <= blob->data + blob->size);
    assert(entitlement->place >= blob->place && entitlement->place <= blob->place + blob->size);
}

static void check_entitlements(struct mtlcap__macho_bytes blob) {
    struct mtlcap__macho_problem problem;
    if (!mtlcap__macho_entitlements_der(&blob, visit, &blob, &problem))
        check_problem(&problem);
    if (!mtlcap__macho_entitlements_xml(&blob, visit, &blob, &problem))
        check_problem(&problem);
}

static void check_signature(const struct mtlcap__macho_image *image) {
    struct mtlcap__macho_signature signature;
    struct mtlcap__macho_problem problem;
    struct mtlcap__macho_pages pages;
    char text[200];
    if (!mtlcap__macho_signature(image, &signature, &problem)) {
        check_problem(&problem);
        return;
    }
    assert(signature.count > 0 && signature.best < signature.count);
    for (uint32_t i = 0; i < signature.count; i++) {
        check_part(&signature.directories[i].bytes);
        assert(strlen(signature.directories[i].identifier) < file_size);
        assert(mtlcap__macho_flags_place(&signature.directories[i]) < file_size);
        assert(mtlcap__macho_platform_place(&signature.directories[i]) < file_size);
    }
    mtlcap__macho_flags_text(signature.directories[signature.best].flags, text, sizeof text);
    mtlcap__macho_check_pages(image, &signature, &pages);
    assert(pages.wrong == 0 || pages.first_wrong < file_size);
    if (signature.xml.data != NULL)
        check_entitlements(signature.xml);
    if (signature.der.data != NULL)
        check_entitlements(signature.der);
}

static void check_image(const struct mtlcap__macho_slice *slice) {
    struct mtlcap__macho_image image;
    struct mtlcap__macho_problem problem;
    struct mtlcap__macho_command command = {0};
    struct mtlcap__macho_section section;
    char text[24];
    assert(mtlcap__macho_cpu_name(slice->cpu_type, slice->cpu_subtype, text)[0] != '\0');
    if (!mtlcap__macho_image(slice, &image, &problem)) {
        check_problem(&problem);
        return;
    }
    while (mtlcap__macho_next(&image, &command)) {
        struct mtlcap__macho_segment segment;
        assert(command.next <= image.bytes.size);
        if (!mtlcap__macho_segment(&image, &command, &segment))
            continue;
        for (uint32_t i = 0; i < segment.section_count; i++)
            mtlcap__macho_section(&image, &segment, i, &section);
    }
    mtlcap__macho_find_section(&image, "__RESTRICT", "__restrict", &section);
    mtlcap__macho_imports(&image, "_system");
    if (image.signature.data != NULL)
        check_signature(&image);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct mtlcap__macho_file file;
    struct mtlcap__macho_problem problem;
    const struct mtlcap__macho_bytes all = {data, size, 0};
    file_size = size;
    check_entitlements(all);
    if (!mtlcap__macho_open(data, size, &file, &problem)) {
        check_problem(&problem);
        return 0;
    }
    for (uint32_t i = 0; i < file.count; i++) {
        check_part(&file.slices[i].bytes);
        check_image(&file.slices[i]);
    }
    return 0;
}
