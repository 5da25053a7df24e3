/* The reader of Mach-O files on files that are made here: what it finds, and what it refuses,
 * where. */
#include "../unit/unit.h"

#include <stdlib.h>

#include "macho/macho.h"
#include "macho/sha.h"

/* ---- files under construction -------------------------------------------------- */

struct bytes {
    uint8_t data[0x600];
    size_t size;
};

static void put8(struct bytes *bytes, uint8_t value) {
    assert_true(bytes->size < sizeof bytes->data);
    bytes->data[bytes->size++] = value;
}

static void put32(struct bytes *bytes, uint32_t value) {
    for (int i = 0; i < 4; i++)
        put8(bytes, (uint8_t)(value >> (8 * i)));
}

static void put64(struct bytes *bytes, uint64_t value) {
    put32(bytes, (uint32_t)value);
    put32(bytes, (uint32_t)(value >> 32));
}

static void put_big32(struct bytes *bytes, uint32_t value) {
    for (int i = 3; i >= 0; i--)
        put8(bytes, (uint8_t)(value >> (8 * i)));
}

static void put_text(struct bytes *bytes, const char *text, size_t size) {
    for (size_t i = 0; i < size; i++)
        put8(bytes, i < strlen(text) ? (uint8_t)text[i] : 0);
}

static void set32(struct bytes *bytes, size_t at, uint32_t value) {
    for (int i = 0; i < 4; i++)
        bytes->data[at + (size_t)i] = (uint8_t)(value >> (8 * i));
}

static void set_big32(struct bytes *bytes, size_t at, uint32_t value) {
    for (int i = 0; i < 4; i++)
        bytes->data[at + (size_t)i] = (uint8_t)(value >> (24 - 8 * i));
}

/* Places in what make_program() makes. */
enum {
    COMMAND_COUNT = 16,
    COMMANDS_SIZE = 20,
    TEXT = 32, /* segment __TEXT with one section */
    LINKEDIT = 32 + 152 /* segment __LINKEDIT */,
    VERSION = LINKEDIT + 72,
    DYLINKER = VERSION + 24,
    SIGNATURE_COMMAND = DYLINKER + 32,
    CODE = SIGNATURE_COMMAND + 16,
    SIGNED = 0x200, /* bytes in front of the signature */
};

static void put_segment(struct bytes *bytes, const char *name, uint64_t offset, uint64_t size,
                        uint32_t sections) {
    put32(bytes, 0x19);
    put32(bytes, 72 + 80 * sections);
    put_text(bytes, name, 16);
    put64(bytes, 0x1000 + offset);
    put64(bytes, size);
    put64(bytes, offset);
    put64(bytes, size);
    put32(bytes, 5);
    put32(bytes, 5);
    put32(bytes, sections);
    put32(bytes, 0);
}

/* A code directory, without what follows the hashes. `pages`: of SIGNED bytes. */
static void put_directory(struct bytes *bytes, const uint8_t *code, uint8_t hash_type,
                          uint32_t flags) {
    uint8_t digest[32], size = hash_type == MTLCAP__CS_SHA1 ? 20 : 32;
    put_big32(bytes, 0xfade0c02);
    put_big32(bytes, 52 + 5 + 5 + size);
    put_big32(bytes, 0x20200);
    put_big32(bytes, flags);
    put_big32(bytes, 62); /* hashes */
    put_big32(bytes, 52); /* identifier */
    put_big32(bytes, 0);
    put_big32(bytes, 1);
    put_big32(bytes, SIGNED);
    put8(bytes, size);
    put8(bytes, hash_type);
    put8(bytes, 0);
    put8(bytes, 12);
    put_big32(bytes, 0);
    put_big32(bytes, 0);
    put_big32(bytes, 57); /* team */
    put_text(bytes, "name", 5);
    put_text(bytes, "TEAM", 5);
    if (hash_type == MTLCAP__CS_SHA1)
        mtlcap__sha1(code, SIGNED, digest);
    else
        mtlcap__sha256(code, SIGNED, digest);
    for (unsigned i = 0; i < size; i++)
        put8(bytes, digest[i]);
}

/* Two directories, the alternate with the better hash, then a blob that has no meaning here. */
static void put_signature(struct bytes *bytes) {
    enum { SHA1_SIZE = 82, SHA256_SIZE = 94, HEADERS = 12 + 3 * 8 };
    uint8_t code[SIGNED];
    memcpy(code, bytes->data, SIGNED);
    put_big32(bytes, 0xfade0cc0);
    put_big32(bytes, HEADERS + SHA1_SIZE + SHA256_SIZE + 8);
    put_big32(bytes, 3);
    put_big32(bytes, 0);
    put_big32(bytes, HEADERS);
    put_big32(bytes, 0x1000);
    put_big32(bytes, HEADERS + SHA1_SIZE);
    put_big32(bytes, 0x4242);
    put_big32(bytes, HEADERS + SHA1_SIZE + SHA256_SIZE);
    put_directory(bytes, code, MTLCAP__CS_SHA1, 0x2);
    put_directory(bytes, code, MTLCAP__CS_SHA256, 0x10000);
    put_big32(bytes, 0xfade4242);
    put_big32(bytes, 8);
}

static struct bytes make_program(void) {
    struct bytes bytes = {.size = 0};
    const uint32_t header[] = {0xfeedfacf, MTLCAP__CPU_ARM64, 0,    MTLCAP__MH_EXECUTE,
                               5,          CODE - 32,         0x85, 0};
    for (size_t i = 0; i < LENGTH(header); i++)
        put32(&bytes, header[i]);
    put_segment(&bytes, "__TEXT", 0, SIGNED, 1);
    put_text(&bytes, "__text", 16);
    put_text(&bytes, "__TEXT", 16);
    put64(&bytes, 0x1000 + CODE);
    put64(&bytes, 16);
    put32(&bytes, CODE);
    for (int i = 0; i < 7; i++)
        put32(&bytes, 0);
    put_segment(&bytes, "__LINKEDIT", SIGNED, 0x100, 0);
    put32(&bytes, 0x32); /* LC_BUILD_VERSION */
    put32(&bytes, 24);
    put32(&bytes, MTLCAP__PLATFORM_MACOS);
    put32(&bytes, 0xb0000);
    put32(&bytes, 0xe0200);
    put32(&bytes, 0);
    put32(&bytes, MTLCAP__LC_LOAD_DYLINKER);
    put32(&bytes, 32);
    put32(&bytes, 12);
    put_text(&bytes, "/usr/lib/dyld", 20);
    put32(&bytes, MTLCAP__LC_CODE_SIGNATURE);
    put32(&bytes, 16);
    put32(&bytes, SIGNED);
    put32(&bytes, 0x100);
    bytes.size = SIGNED;
    put_signature(&bytes);
    bytes.size = SIGNED + 0x100;
    return bytes;
}

/* ---- reading it ---------------------------------------------------------------------- */

struct read {
    struct mtlcap__macho_file file;
    struct mtlcap__macho_image image;
    struct mtlcap__macho_signature signature;
    struct mtlcap__macho_problem problem;
};

/* In memory of exactly this size, so that a sanitizer sees what is read behind it. */
static bool read_all(const struct bytes *bytes, struct read *read) {
    static uint8_t *copy;
    free(copy);
    copy = malloc(bytes->size > 0 ? bytes->size : 1);
    assert_non_null(copy);
    memcpy(copy, bytes->data, bytes->size);
    memset(&read->problem, 0, sizeof read->problem);
    return mtlcap__macho_open(copy, bytes->size, &read->file, &read->problem) &&
           mtlcap__macho_image(&read->file.slices[0], &read->image, &read->problem) &&
           (read->image.signature.size == 0 ||
            mtlcap__macho_signature(&read->image, &read->signature, &read->problem));
}

static void assert_refused(const struct bytes *bytes, uint64_t place, const char *part) {
    struct read read;
    assert_false(read_all(bytes, &read));
    assert_contains(read.problem.text, part);
    assert_int_equal(read.problem.place, place);
}

static void finds_what_is_there(void **state) {
    struct bytes bytes = make_program();
    struct mtlcap__macho_pages pages;
    struct mtlcap__macho_section section;
    struct read read;
    char text[200];
    (void)state;
    assert_true(read_all(&bytes, &read));
    assert_int_equal(read.image.file_type, MTLCAP__MH_EXECUTE);
    assert_string_equal(read.image.dylinker, "/usr/lib/dyld");
    assert_int_equal(read.image.version_count, 1);
    assert_int_equal(read.image.versions[0].sdk, 0xe0200);
    assert_int_equal(read.image.versions[0].place, VERSION);
    assert_true(mtlcap__macho_find_section(&read.image, "__TEXT", "__text", &section));
    assert_int_equal(section.offset, CODE);
    assert_false(mtlcap__macho_find_section(&read.image, "__RESTRICT", "__restrict", &section));
    assert_int_equal(read.signature.count, 2);
    assert_int_equal(read.signature.best, 1);
    assert_int_equal(read.signature.directories[1].flags, MTLCAP__CS_RUNTIME);
    assert_string_equal(read.signature.directories[1].team, "TEAM");
    mtlcap__macho_flags_text(0x10002 | 0x40, text, sizeof text);
    assert_string_equal(text, "adhoc,runtime,0x40");
    mtlcap__macho_check_pages(&read.image, &read.signature, &pages);
    assert_true(pages.checked);
    assert_int_equal(pages.wrong, 0);
    assert_false(pages.wrong_entitlements);
}

static void notices_a_changed_byte(void **state) {
    struct bytes bytes = make_program();
    struct mtlcap__macho_pages pages;
    struct read read;
    (void)state;
    bytes.data[CODE]++;
    assert_true(read_all(&bytes, &read));
    mtlcap__macho_check_pages(&read.image, &read.signature, &pages);
    assert_int_equal(pages.wrong, 1);
    assert_int_equal(pages.first_wrong, 0);
}

/* The first directory is taken again once the second has no better hash. */
static void goes_by_the_best_hash(void **state) {
    struct bytes bytes = make_program();
    struct read read;
    (void)state;
    bytes.data[SIGNED + 36 + 82 + 37] = MTLCAP__CS_SHA256_TRUNCATED;
    bytes.data[SIGNED + 36 + 82 + 36] = 20;
    assert_true(read_all(&bytes, &read));
    assert_int_equal(read.signature.best, 1); /* truncated SHA-256 is better than SHA-1 */
    bytes = make_program();
    bytes.data[SIGNED + 36 + 37] = MTLCAP__CS_SHA256_TRUNCATED;
    assert_true(read_all(&bytes, &read));
    assert_int_equal(read.signature.best, 1); /* and whole SHA-256 better than that */
}

/* Every file that is cut off is refused, and never read behind its end. */
static void refuses_what_is_cut(void **state) {
    struct bytes bytes = make_program();
    struct read read;
    (void)state;
    for (size_t size = 0; size < SIGNED + 0x100; size++) {
        bytes.size = size;
        assert_false(read_all(&bytes, &read));
        assert_true(read.problem.place <= size);
        assert_true(read.problem.text[0] != '\0');
    }
}

/* Numbers that lie: where, what is put there, which place is named, and a part of the sentence. */
static void refuses_lies(void **state) {
    static const struct {
        size_t at;
        uint32_t value;
        bool big;
        uint64_t place;
        const char *part;
    } lies[] = {
        {COMMANDS_SIZE, 0x7fffffff, false, 20, "load commands end outside the slice"},
        {COMMAND_COUNT, 6, false, CODE, "load command 5 of 6 begins outside"},
        {TEXT + 4, 4, false, TEXT + 4, "load command 0 (kind 0x19) says that it has 4 bytes"},
        {TEXT + 4, 0x10000, false, TEXT + 4, "says that it has 65536 bytes"},
        {TEXT + 64, 2, false, TEXT, "segment __TEXT has no room for its 2 sections"},
        {TEXT + 64, 0xffffffff, false, TEXT, "has no room for its 4294967295 sections"},
        {TEXT + 48, 0x10000, false, TEXT, "segment __TEXT, 65536 bytes at 0, ends outside"},
        {TEXT + 52, 0xffffffff, false, TEXT, "ends outside the slice"},
        {TEXT + 48, 0x210, false, LINKEDIT, "segment __LINKEDIT lies over segment __TEXT"},
        {TEXT + 72 + 48, 0xfffffff0, false, TEXT + 72, "section __TEXT,__text ends outside"},
        {DYLINKER + 8, 32, false, DYLINKER, "dynamic linker does not end"},
        {SIGNATURE_COMMAND + 8, 0x301, false, SIGNATURE_COMMAND, "ends outside the slice"},
        {SIGNATURE_COMMAND + 4, 8, false, SIGNATURE_COMMAND, "has 8 bytes instead of 16"},
        {SIGNED, 0xfade0cc1, true, SIGNED, "does not begin as one does"},
        {SIGNED + 4, 0x101, true, SIGNED + 4, "in a signature of 256"},
        {SIGNED + 8, 0x20000000, true, SIGNED + 4, "536870912 blobs"},
        {SIGNED + 12, 0x1000, true, SIGNED + 36 + 82, "the same slot"},
        {SIGNED + 12, 0x4242, true, SIGNED, "no code directory in slot 0"},
        {SIGNED + 16, 4, true, SIGNED + 12, "slot 0 is at 0x4"},
        {SIGNED + 16, 0xfffffff8, true, SIGNED + 12, "not in the signature"},
        {SIGNED + 36 + 4, 7, true, SIGNED + 36 + 4, "says that it has 7 bytes"},
        {SIGNED + 36 + 4, 0xffffffff, true, SIGNED + 36 + 4, "slot 0 says"},
        {SIGNED + 36, 0xfade0c01, true, SIGNED + 36, "slot 0 is not a code directory"},
        {SIGNED + 36 + 8, 0x20400, true, SIGNED + 36 + 8, "version 0x20400 in 82 bytes"},
        {SIGNED + 36 + 8, 0x10000, true, SIGNED + 36 + 8, "version 0x10000"},
        {SIGNED + 36 + 16, 0x100, true, SIGNED + 36 + 16, "0 + 1 hashes do not fit"},
        {SIGNED + 36 + 24, 0xffffffff, true, SIGNED + 36 + 16, "hashes do not fit"},
        {SIGNED + 36 + 28, 0xffffffff, true, SIGNED + 36 + 16, "hashes do not fit"},
        {SIGNED + 36 + 28, 0, true, SIGNED + 36 + 28, "0 hashes of pages, for 1 pages"},
        {SIGNED + 36 + 20, 0x1000, true, SIGNED + 36 + 20, "identifier"},
        {SIGNED + 36 + 48, 0x1000, true, SIGNED + 36 + 48, "team"},
        {SIGNED + 36 + 32, SIGNED + 1, true, SIGNED + 36 + 32, "goes into the signature"},
        {SIGNED + 36 + 36, 0x1405000c, true, SIGNED + 36 + 36, "hashes of kind 5 with 20 bytes"},
        {SIGNED + 36 + 36, 0x1501000c, true, SIGNED + 36 + 36, "hashes of kind 1 with 21 bytes"},
        {SIGNED + 36 + 36, 0x1401001f, true, SIGNED + 36 + 39, "pages of 2^31 bytes"},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(lies); i++) {
        struct bytes bytes = make_program();
        if (lies[i].big)
            set_big32(&bytes, lies[i].at, lies[i].value);
        else
            set32(&bytes, lies[i].at, lies[i].value);
        print_message("%s\n", lies[i].part);
        assert_refused(&bytes, lies[i].place, lies[i].part);
    }
}

/* ---- fat files --------------------------------------------------------------------------- */

static struct bytes make_fat(uint32_t count, uint32_t second_offset, uint32_t second_cpu) {
    struct bytes bytes = {.size = 0};
    put_big32(&bytes, 0xcafebabe);
    put_big32(&bytes, count);
    for (uint32_t i = 0; i < 2; i++) {
        put_big32(&bytes, i == 0 ? MTLCAP__CPU_X86_64 : second_cpu);
        put_big32(&bytes, 3);
        put_big32(&bytes, i == 0 ? 0x100 : second_offset);
        put_big32(&bytes, 0x80);
        put_big32(&bytes, 4);
    }
    bytes.size = 0x200;
    return bytes;
}

static void reads_lists_of_slices(void **state) {
    static const struct {
        uint32_t count, offset, cpu;
        uint64_t place;
        const char *part;
    } lies[] = {
        {0, 0x180, MTLCAP__CPU_ARM64, 4, "it lists 0 slices"},
        {33, 0x180, MTLCAP__CPU_ARM64, 4, "it lists 33 slices"},
        {32, 0x180, MTLCAP__CPU_ARM64, 4, "ends in its list of 32 slices"},
        {45, 0x180, MTLCAP__CPU_ARM64, 0, "not a Mach-O file"}, /* a Java class */
        {2, 0x1c0, MTLCAP__CPU_ARM64, 28, "slice 1, 128 bytes at 0x1c0, ends outside"},
        {2, 0xffffffff, MTLCAP__CPU_ARM64, 28, "ends outside the file"},
        {2, 0x140, MTLCAP__CPU_ARM64, 28, "slice 1 lies over slice 0"},
        {2, 0x10, MTLCAP__CPU_ARM64, 28, "lies over the list"},
        {2, 0x180, MTLCAP__CPU_X86_64, 28, "for the same processor"},
        {2, 0x180, MTLCAP__CPU_ARM64, 0x100, "does not begin as Mach-O does"},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(lies); i++) {
        struct bytes bytes = make_fat(lies[i].count, lies[i].offset, lies[i].cpu);
        assert_refused(&bytes, lies[i].place, lies[i].part);
    }
}

static void names_processors(void **state) {
    static const struct {
        uint32_t cpu, subtype;
        const char *name;
    } names[] = {
        {MTLCAP__CPU_ARM64, 0, "arm64"},
        {MTLCAP__CPU_ARM64, 0x80000002, "arm64e"},
        {MTLCAP__CPU_ARM64, 2, "arm64e"},
        {MTLCAP__CPU_X86_64, 0x80000003, "x86_64"},
        {MTLCAP__CPU_X86_64, 8, "x86_64h"},
        {MTLCAP__CPU_I386, 3, "i386"},
        {0x12, 0, "ppc"},
        {0x99, 0, "cpu 0x99"},
    };
    char text[24];
    (void)state;
    for (size_t i = 0; i < LENGTH(names); i++)
        assert_string_equal(mtlcap__macho_cpu_name(names[i].cpu, names[i].subtype, text),
                            names[i].name);
}

/* ---- entitlements --------------------------------------------------------------------------- */

static char seen[200];

static void note(const struct mtlcap__macho_entitlement *entitlement, void *context) {
    size_t used = strlen(seen);
    (void)context;
    snprintf(seen + used, sizeof seen - used, "%.*s=%d ", (int)entitlement->length,
             entitlement->key, (int)entitlement->value);
}

typedef bool reader(const struct mtlcap__macho_bytes *, mtlcap__macho_visit *, void *,
                    struct mtlcap__macho_problem *);

/* What is read of the text, or the sentence that refuses it. */
static const char *entitlements(reader *read, const char *text, size_t size) {
    static struct mtlcap__macho_problem problem;
    uint8_t *copy = malloc(size > 0 ? size : 1);
    assert_non_null(copy);
    memcpy(copy, text, size);
    const struct mtlcap__macho_bytes blob = {copy, size, 0x100};
    seen[0] = '\0';
    bool read_all = read(&blob, note, NULL, &problem);
    free(copy);
    if (read_all)
        return seen;
    assert_in_range(problem.place, 0x100, 0x100 + size);
    return problem.text;
}

static void reads_xml(void **state) {
    static const struct {
        const char *text, *result;
    } cases[] = {
        {"<?xml version=\"1.0\"?><!DOCTYPE plist><plist version=\"1.0\"><dict><key>a</key><true/>"
         "<key>b</key>\n<false/></dict></plist>",
         "a=1 b=0 "},
        {"<dict><key>a</key><array><true/><dict><key>x</key><true/></dict></array><key>b</key>"
         "<true/></dict>",
         "a=2 b=1 "},
        {"<dict><!-- <key>no</key><true/> --><key>a</key><string>true</string></dict>", "a=2 "},
        {"<plist><dict/></plist>", ""},
        {"<dict><key>a</key><true></true></dict>", "a=1 "},
        {"<dict><key>a</key><true /></dict>", "a=1 "},
        {"", "end too early"},
        {"<array/>", "not a dictionary"},
        {"<dict><key>a</key>", "end too early"},
        {"<dict><key>a</key><array><true/></dict>", "end too early"},
        {"<dict><key>a<key>", "end too early"},
        {"<dict><true/></dict>", "do not pair"},
        {"<dict><!-- </dict>", "end too early"},
        {"<", "end too early"},
        {"<dict><key>a</key></dict>", "do not pair"},
    };
    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        const char *text = cases[i].text;
        const char *result = entitlements(mtlcap__macho_entitlements_xml, text, strlen(text));
        assert_contains(result, cases[i].result);
        assert_int_equal(cases[i].result[0] == '\0', result[0] == '\0');
    }
}

static void reads_der(void **state) {
#define CASE(text, result) {text, sizeof(text) - 1, result}
    static const struct {
        const char *text;
        size_t size;
        const char *result;
    } cases[] = {
        CASE("\x70\x0d\x02\x01\x01\xb0\x08\x30\x06\x0c\x01"
             "a"
             "\x01\x01\xff",
             "a=1 "),
        CASE("\x31\x08\x30\x06\x0c\x01"
             "a"
             "\x01\x01\x00",
             "a=0 "),
        CASE("\x70\x81\x0d\x02\x01\x01\xb0\x08\x30\x06\x0c\x01"
             "a"
             "\x02\x01\xff",
             "a=2 "),
        CASE("", "end too early"),
        CASE("\x70", "end too early"),
        CASE("\x30\x00", "begin with tag 0x30"),
        CASE("\x70\x03\x02\x01\x01", "end too early"),
        CASE("\x70\x7f\x02", "ends outside"),
        CASE("\x70\x80\x02", "length in the entitlements"),
        CASE("\x70\x85\x01\x01\x01\x01\x01", "length in the entitlements"),
        CASE("\x70\x84\xff\xff\xff\xff", "ends outside"),
        CASE("\x31\x02\x31\x00", "tag 0x31 instead of 0x30"),
        CASE("\x31\x04\x30\x02\x01\x00", "tag 0x1 instead of 0xc"),
        CASE("\x31\x05\x30\x03\x0c\x01"
             "a",
             "end too early"),
    };
#undef CASE
    (void)state;
    for (size_t i = 0; i < LENGTH(cases); i++)
        assert_contains(entitlements(mtlcap__macho_entitlements_der, cases[i].text, cases[i].size),
                        cases[i].result);
}

/* ---- hashes ---------------------------------------------------------------------------------- */

/* FIPS 180-4's examples, and sizes around the ends of blocks (from another implementation). */
static void hashes(void **state) {
    static const struct {
        size_t size; /* of 'a's; 0: "abc" */
        const char *sha1, *sha256;
    } cases[] = {
        {0, "a9993e364706816aba3e25717850c26c9cd0d89d",
         "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
        {1, "86f7e437faa5a7fce15d1ddcb9eaeaea377667b8",
         "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"},
        {55, "c1c8bbdc22796e28c0e15163d20899b65621d65a",
         "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
        {56, "c2db330f6083854c99d4b5bfb6e8f29f201be699",
         "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
        {63, "03f09f5b158a7a8cdad920bddc29b81c18a551f5",
         "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
        {64, "0098ba824b5c16427bd7a1122a5a442a25ec644d",
         "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
        {65, "11655326c708d70319be2610e8a57d9a5b959d3b",
         "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
        {119, "ee971065aaa017e0632a8ca6c77bb3bf8b1dfc56",
         "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
        {120, "f34c1488385346a55709ba056ddd08280dd4c6d6",
         "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
        {1000000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f",
         "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    };
    static uint8_t data[1000000];
    (void)state;
    memset(data, 'a', sizeof data);
    for (size_t i = 0; i < LENGTH(cases); i++) {
        uint8_t digest[32];
        char text[65];
        size_t size = cases[i].size > 0 ? cases[i].size : 3;
        const uint8_t *input = cases[i].size > 0 ? data : (const uint8_t *)"abc";
        mtlcap__sha1(input, size, digest);
        for (size_t j = 0; j < 20; j++)
            snprintf(text + 2 * j, 3, "%02x", digest[j]);
        assert_string_equal(text, cases[i].sha1);
        mtlcap__sha256(input, size, digest);
        for (size_t j = 0; j < 32; j++)
            snprintf(text + 2 * j, 3, "%02x", digest[j]);
        assert_string_equal(text, cases[i].sha256);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_is_there),
        cmocka_unit_test(notices_a_changed_byte),
        cmocka_unit_test(goes_by_the_best_hash),
        cmocka_unit_test(refuses_what_is_cut),
        cmocka_unit_test(refuses_lies),
        cmocka_unit_test(reads_lists_of_slices),
        cmocka_unit_test(names_processors),
        cmocka_unit_test(reads_xml),
        cmocka_unit_test(reads_der),
        cmocka_unit_test(hashes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
