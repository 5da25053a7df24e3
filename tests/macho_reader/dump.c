/* dump FILE...: what the reader of Mach-O files finds, a line a fact, for read_files.py. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "macho/macho.h"

static void print_entitlement(const struct mtlcap__macho_entitlement *entitlement, void *context) {
    static const char *const values[] = {"false", "true", "other"};
    printf("  %s %.*s %s\n", (const char *)context, (int)entitlement->length, entitlement->key,
           values[entitlement->value]);
}

static void print_problem(const char *what, const struct mtlcap__macho_problem *problem) {
    printf("%s: malformed at %#llx: %s\n", what, (unsigned long long)problem->place, problem->text);
}

static void print_directory(const struct mtlcap__macho_directory *directory, bool best) {
    printf(
        "  directory %#x%s: version %#x flags %#x hash %u platform %u shift %u special %u code %u"
        " limit %#llx identifier %s team %s runtime %#x\n",
        (unsigned)directory->slot, best ? " best" : "", (unsigned)directory->version,
        (unsigned)directory->flags, (unsigned)directory->hash_type, (unsigned)directory->platform,
        (unsigned)directory->page_shift, (unsigned)directory->special_slots,
        (unsigned)directory->code_slots, (unsigned long long)directory->code_limit,
        directory->identifier, directory->team != NULL ? directory->team : "-",
        (unsigned)directory->runtime);
}

static void print_signature(const struct mtlcap__macho_image *image) {
    struct mtlcap__macho_signature signature;
    struct mtlcap__macho_problem problem;
    struct mtlcap__macho_pages pages;
    if (!mtlcap__macho_signature(image, &signature, &problem)) {
        print_problem("  signature", &problem);
        return;
    }
    for (uint32_t i = 0; i < signature.count; i++)
        print_directory(&signature.directories[i], i == signature.best);
    mtlcap__macho_check_pages(image, &signature, &pages);
    printf("  pages checked %d wrong %u entitlements %d cms %d\n", pages.checked,
           (unsigned)pages.wrong, pages.wrong_entitlements, signature.has_cms);
    if (signature.der.data != NULL &&
        !mtlcap__macho_entitlements_der(&signature.der, print_entitlement, "der", &problem))
        print_problem("  der", &problem);
    if (signature.xml.data != NULL &&
        !mtlcap__macho_entitlements_xml(&signature.xml, print_entitlement, "xml", &problem))
        print_problem("  xml", &problem);
}

static void print_image(const struct mtlcap__macho_slice *slice) {
    struct mtlcap__macho_image image;
    struct mtlcap__macho_problem problem;
    struct mtlcap__macho_command command = {0};
    if (!mtlcap__macho_image(slice, &image, &problem)) {
        print_problem(" image", &problem);
        return;
    }
    char text[24];
    printf(" image %s at %#llx size %#llx type %u commands %u dylinker %s\n",
           mtlcap__macho_cpu_name(image.cpu_type, image.cpu_subtype, text),
           (unsigned long long)image.bytes.place, (unsigned long long)image.bytes.size,
           (unsigned)image.file_type, (unsigned)image.command_count,
           image.dylinker != NULL ? image.dylinker : "-");
    for (uint32_t i = 0; i < image.version_count; i++)
        printf("  version platform %u minimum %#x sdk %#x\n", (unsigned)image.versions[i].platform,
               (unsigned)image.versions[i].minimum, (unsigned)image.versions[i].sdk);
    while (mtlcap__macho_next(&image, &command)) {
        struct mtlcap__macho_segment segment;
        if (!mtlcap__macho_segment(&image, &command, &segment))
            continue;
        printf("  segment %s %#llx %#llx %#llx %#llx\n", segment.name,
               (unsigned long long)segment.address, (unsigned long long)segment.memory_size,
               (unsigned long long)segment.offset, (unsigned long long)segment.size);
        for (uint32_t i = 0; i < segment.section_count; i++) {
            struct mtlcap__macho_section section;
            mtlcap__macho_section(&image, &segment, i, &section);
            printf("  section %s,%s %#llx %#llx %#llx\n", section.segment, section.name,
                   (unsigned long long)section.address, (unsigned long long)section.size,
                   (unsigned long long)section.offset);
        }
    }
    printf("  imports _malloc %d\n", mtlcap__macho_imports(&image, "_malloc"));
    if (image.signature.size == 0)
        return;
    printf("  signature %#llx %#llx\n",
           (unsigned long long)(image.signature.place - image.bytes.place),
           (unsigned long long)image.signature.size);
    print_signature(&image);
}

static void print_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    long size = ftell(file);
    uint8_t *data = malloc(size > 0 ? (size_t)size : 1);
    rewind(file);
    if (data == NULL || fread(data, 1, (size_t)size, file) != (size_t)size) {
        perror(path);
        exit(1);
    }
    fclose(file);
    struct mtlcap__macho_file found;
    struct mtlcap__macho_problem problem;
    printf("file %s\n", path);
    if (!mtlcap__macho_open(data, (size_t)size, &found, &problem))
        print_problem(" file", &problem);
    for (uint32_t i = 0; i < found.count; i++)
        print_image(&found.slices[i]);
    free(data);
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        print_file(argv[i]);
    return 0;
}
