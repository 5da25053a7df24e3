/*
 * Reads Mach-O files and their code signatures, from bytes in memory.
 *
 * Total: whatever the bytes are, every function returns, reads nothing outside of them, and
 * allocates nothing. What is malformed is refused with the place in the file and a sentence.
 * Nothing that a structure points to outlives the bytes.
 *
 *     mtlcap__macho_open()             the slices of a file (file.c)
 *     mtlcap__macho_image()            a slice: load commands, segments, versions (image.c)
 *     mtlcap__macho_signature()        its signature (signature.c)
 *     mtlcap__macho_check_pages()      is what is signed what is there? (pages.c)
 *     mtlcap__macho_entitlements()     each entitlement (entitlements.c)
 */
#ifndef MTLCAP_MACHO_MACHO_H
#define MTLCAP_MACHO_MACHO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Why something is refused. */
struct mtlcap__macho_problem {
    uint64_t place; /* in the file */
    char text[160];
};

/* Bytes of a file, and where in it they begin. */
struct mtlcap__macho_bytes {
    const uint8_t *data;
    uint64_t size, place;
};

/* ---- files ------------------------------------------------------------------ */

#define MTLCAP__CPU_I386 0x7u
#define MTLCAP__CPU_X86_64 0x01000007u
#define MTLCAP__CPU_ARM64 0x0100000cu

/* More are refused, and 45 on are a Java class, which has the same magic. */
enum { MTLCAP__MACHO_SLICES = 32 };

struct mtlcap__macho_slice {
    uint32_t cpu_type, cpu_subtype;
    struct mtlcap__macho_bytes bytes;
    uint64_t entry; /* where in the file it is listed; 0: the file is the slice */
};

struct mtlcap__macho_file {
    uint32_t count;
    struct mtlcap__macho_slice slices[MTLCAP__MACHO_SLICES];
};

/* Does it begin as a Mach-O file does? */
bool mtlcap__macho_is(const void *data, size_t size);

/* A thin file has one slice. */
bool mtlcap__macho_open(const void *data, size_t size, struct mtlcap__macho_file *file,
                        struct mtlcap__macho_problem *problem);

/* "arm64", "arm64e", "x86_64", ...; a number for what has no name here. As otool and lipo say. */
const char *mtlcap__macho_cpu_name(uint32_t cpu_type, uint32_t cpu_subtype, char text[24]);

/* arm64 with signed pointers. */
bool mtlcap__macho_is_arm64e(uint32_t cpu_type, uint32_t cpu_subtype);

/* ---- images ----------------------------------------------------------------- */

enum { MTLCAP__MH_EXECUTE = 2, MTLCAP__MH_DYLIB = 6, MTLCAP__MH_BUNDLE = 8 };
enum { MTLCAP__PLATFORM_MACOS = 1, MTLCAP__PLATFORM_CATALYST = 6 };

/* Load commands that readers of images look for. */
enum {
    MTLCAP__LC_SYMTAB = 0x2,
    MTLCAP__LC_LOAD_DYLIB = 0xc,
    MTLCAP__LC_LOAD_DYLINKER = 0xe,
    MTLCAP__LC_CODE_SIGNATURE = 0x1d,
};

/* A zippered library has two. */
enum { MTLCAP__MACHO_VERSIONS = 4 };

struct mtlcap__macho_version {
    uint32_t platform;
    uint32_t minimum, sdk; /* 0x000e0200: 14.2; 0: not said */
    uint64_t place;        /* of the load command, in the file */
};

struct mtlcap__macho_image {
    struct mtlcap__macho_bytes bytes; /* the slice */
    bool wide, swapped;               /* 64-bit; big-endian */
    uint32_t cpu_type, cpu_subtype, file_type, flags;
    uint32_t command_count, commands_size;
    struct mtlcap__macho_version versions[MTLCAP__MACHO_VERSIONS];
    uint32_t version_count;
    const char *dylinker;                 /* NULL: none */
    uint64_t symbols;                     /* offset of their load command; 0: none */
    struct mtlcap__macho_bytes signature; /* size 0: none */
    uint64_t signature_command;           /* where in the file */
};

/* The load commands in turn: start with {0}. Their sizes have been checked. */
struct mtlcap__macho_command {
    uint32_t kind, size;
    uint64_t offset; /* in the slice */
    uint32_t index;  /* of the next one */
    uint64_t next;
};

struct mtlcap__macho_segment {
    char name[17];
    uint64_t address, memory_size, offset, size; /* offset in the slice */
    uint32_t max_protection, protection, section_count, flags;
    uint64_t place; /* of the load command, in the file */
    uint64_t sections;
};

struct mtlcap__macho_section {
    char name[17], segment[17];
    uint64_t address, size, offset; /* offset in the slice */
    uint32_t flags;
    uint64_t place; /* of its header, in the file */
};

/* Checks header, load commands, segments and sections, and whatever points into the slice. */
bool mtlcap__macho_image(const struct mtlcap__macho_slice *slice, struct mtlcap__macho_image *image,
                         struct mtlcap__macho_problem *problem);

/* False: there is no further one. */
bool mtlcap__macho_next(const struct mtlcap__macho_image *image,
                        struct mtlcap__macho_command *command);

/* False: the command is none. */
bool mtlcap__macho_segment(const struct mtlcap__macho_image *image,
                           const struct mtlcap__macho_command *command,
                           struct mtlcap__macho_segment *segment);

/* `index` below section_count. */
void mtlcap__macho_section(const struct mtlcap__macho_image *image,
                           const struct mtlcap__macho_segment *segment, uint32_t index,
                           struct mtlcap__macho_section *section);

/* False: there is no such section. */
bool mtlcap__macho_find_section(const struct mtlcap__macho_image *image, const char *segment,
                                const char *name, struct mtlcap__macho_section *section);

/* Is the symbol, as "_system", imported? */
bool mtlcap__macho_imports(const struct mtlcap__macho_image *image, const char *symbol);

/* ---- signatures --------------------------------------------------------------- */

/* As <kern/cs_blobs.h> has them. */
enum {
    MTLCAP__CS_ADHOC = 0x2,
    MTLCAP__CS_HARD = 0x100,
    MTLCAP__CS_KILL = 0x200,
    MTLCAP__CS_RESTRICT = 0x800,
    MTLCAP__CS_ENFORCEMENT = 0x1000,
    MTLCAP__CS_REQUIRE_LV = 0x2000,
    MTLCAP__CS_RUNTIME = 0x10000,
    MTLCAP__CS_LINKER_SIGNED = 0x20000,
};
enum {
    MTLCAP__CS_SHA1 = 1,
    MTLCAP__CS_SHA256 = 2,
    MTLCAP__CS_SHA256_TRUNCATED = 3,
    MTLCAP__CS_SHA384 = 4,
};

/* The one of slot 0, and the alternates. */
enum { MTLCAP__MACHO_DIRECTORIES = 6 };

struct mtlcap__macho_directory {
    struct mtlcap__macho_bytes bytes;
    uint32_t slot, version, flags;
    uint8_t hash_type, hash_size, platform, page_shift; /* shift 0: all is one page */
    uint32_t special_slots, code_slots;
    uint64_t code_limit;
    uint32_t hashes; /* offset of that of page 0 */
    const char *identifier;
    const char *team; /* NULL: none */
    uint64_t executable_flags;
    uint32_t runtime; /* version of the hardened runtime; 0: not said */
    bool scattered;
};

struct mtlcap__macho_signature {
    struct mtlcap__macho_bytes bytes; /* the SuperBlob */
    struct mtlcap__macho_directory directories[MTLCAP__MACHO_DIRECTORIES];
    uint32_t count;
    uint32_t best; /* index of the one that the kernel goes by */
    struct mtlcap__macho_bytes xml,
        der; /* entitlements, without the blob's header; data NULL: none */
    struct mtlcap__macho_bytes requirements, cms; /* with it */
    bool has_cms;                                 /* signed with a certificate */
};

/* The image has a signature. Refuses what the kernel refuses. */
bool mtlcap__macho_signature(const struct mtlcap__macho_image *image,
                             struct mtlcap__macho_signature *signature,
                             struct mtlcap__macho_problem *problem);

/* Where in the file a directory's flags, and its byte of platform, are. */
uint64_t mtlcap__macho_flags_place(const struct mtlcap__macho_directory *directory);
uint64_t mtlcap__macho_platform_place(const struct mtlcap__macho_directory *directory);

/* The names of the flags, joined by commas; numbers for what has no name. */
void mtlcap__macho_flags_text(uint32_t flags, char *text, size_t size);

struct mtlcap__macho_pages {
    bool checked; /* false: by a kind of hash, or in a form, that is not known here */
    uint32_t wrong;
    uint64_t first_wrong;    /* where in the file */
    bool wrong_entitlements; /* the blob's bytes, XML or DER, are not what is signed */
};

/* Compares the code's pages, and the entitlements, with the hashes of the best directory. */
void mtlcap__macho_check_pages(const struct mtlcap__macho_image *image,
                               const struct mtlcap__macho_signature *signature,
                               struct mtlcap__macho_pages *pages);

/* ---- entitlements --------------------------------------------------------------- */

enum mtlcap__macho_value {
    MTLCAP__MACHO_FALSE,
    MTLCAP__MACHO_TRUE,
    MTLCAP__MACHO_OTHER, /* text, a number, a list, ... */
};

struct mtlcap__macho_entitlement {
    const char *key; /* not terminated */
    size_t length;
    enum mtlcap__macho_value value;
    uint64_t place; /* in the file */
};

typedef void mtlcap__macho_visit(const struct mtlcap__macho_entitlement *entitlement,
                                 void *context);

/* Of a blob: DER (Apple's dictionary, both versions of it), or XML (a property list). */
bool mtlcap__macho_entitlements_der(const struct mtlcap__macho_bytes *blob,
                                    mtlcap__macho_visit *visit, void *context,
                                    struct mtlcap__macho_problem *problem);
bool mtlcap__macho_entitlements_xml(const struct mtlcap__macho_bytes *blob,
                                    mtlcap__macho_visit *visit, void *context,
                                    struct mtlcap__macho_problem *problem);

#endif
