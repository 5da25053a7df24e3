/* The parts of the Mach-O format that the loader reads, with the names of Darwin's headers. */
#ifndef TESTS_MACHO_FORMAT_H
#define TESTS_MACHO_FORMAT_H

#include <stdint.h>

/* ---- files and slices --------------------------------------------------------- */

#define FAT_MAGIC 0xcafebabe /* all of it big-endian */
struct fat_header {
    uint32_t magic, nfat_arch;
};
struct fat_arch {
    uint32_t cputype, cpusubtype, offset, size, align;
};

#define CPU_TYPE_X86_64 0x01000007
#define CPU_TYPE_ARM64 0x0100000c
#define CPU_SUBTYPE_MASK 0xff000000 /* what is not the subtype */
#define CPU_SUBTYPE_ARM64E 2

#define MH_MAGIC_64 0xfeedfacf
#define MH_EXECUTE 2
#define MH_DYLIB 6
#define MH_BUNDLE 8
struct mach_header_64 {
    uint32_t magic, cputype, cpusubtype, filetype, ncmds, sizeofcmds, flags, reserved;
};

/* ---- load commands ------------------------------------------------------------ */

struct load_command {
    uint32_t cmd, cmdsize;
};

#define LC_REQ_DYLD 0x80000000 /* a loader that does not know it must refuse */
#define LC_SEGMENT_64 0x19
#define LC_ID_DYLIB 0xd
#define LC_LOAD_DYLIB 0xc
#define LC_LOAD_WEAK_DYLIB (0x18 | LC_REQ_DYLD)
#define LC_RPATH (0x1c | LC_REQ_DYLD)
#define LC_DYLD_INFO_ONLY (0x22 | LC_REQ_DYLD)
#define LC_MAIN (0x28 | LC_REQ_DYLD)
#define LC_DYLD_EXPORTS_TRIE (0x33 | LC_REQ_DYLD)
#define LC_DYLD_CHAINED_FIXUPS (0x34 | LC_REQ_DYLD)
#define LC_BUILD_VERSION 0x32

struct segment_command_64 {
    uint32_t cmd, cmdsize;
    char segname[16];
    uint64_t vmaddr, vmsize, fileoff, filesize;
    uint32_t maxprot, initprot, nsects, flags;
};
#define VM_PROT_READ 1
#define VM_PROT_WRITE 2
#define VM_PROT_EXECUTE 4
#define SG_READ_ONLY 0x10 /* once fixed up */

struct section_64 {
    char sectname[16], segname[16];
    uint64_t addr, size;
    uint32_t offset, align, reloff, nreloc, flags, reserved1, reserved2, reserved3;
};
#define SECTION_TYPE 0xff
#define S_MOD_INIT_FUNC_POINTERS 0x9
#define S_MOD_TERM_FUNC_POINTERS 0xa
#define S_INTERPOSING 0xd
#define S_THREAD_LOCAL_REGULAR 0x11
#define S_THREAD_LOCAL_ZEROFILL 0x12
#define S_THREAD_LOCAL_VARIABLES 0x13
#define S_INIT_FUNC_OFFSETS 0x16

struct rpath_command {
    uint32_t cmd, cmdsize, path_offset;
};
struct dylib_command {
    uint32_t cmd, cmdsize, name_offset, timestamp, current_version, compatibility_version;
};
struct dyld_info_command {
    uint32_t cmd, cmdsize;
    uint32_t rebase_off, rebase_size, bind_off, bind_size, weak_bind_off, weak_bind_size;
    uint32_t lazy_bind_off, lazy_bind_size, export_off, export_size;
};
struct linkedit_data_command {
    uint32_t cmd, cmdsize, dataoff, datasize;
};
struct entry_point_command {
    uint32_t cmd, cmdsize;
    uint64_t entryoff, stacksize;
};
struct build_version_command {
    uint32_t cmd, cmdsize, platform, minos, sdk, ntools;
};

/* ---- LC_DYLD_INFO_ONLY ---------------------------------------------------------- */

#define OPCODE_MASK 0xf0
#define IMMEDIATE_MASK 0x0f
#define POINTER_TYPE 1 /* of REBASE_TYPE_ and BIND_TYPE_, the only one on 64-bit processors */

#define REBASE_OPCODE_DONE 0x00
#define REBASE_OPCODE_SET_TYPE_IMM 0x10
#define REBASE_OPCODE_SET_SEGMENT_AND_OFFSET_ULEB 0x20
#define REBASE_OPCODE_ADD_ADDR_ULEB 0x30
#define REBASE_OPCODE_ADD_ADDR_IMM_SCALED 0x40
#define REBASE_OPCODE_DO_REBASE_IMM_TIMES 0x50
#define REBASE_OPCODE_DO_REBASE_ULEB_TIMES 0x60
#define REBASE_OPCODE_DO_REBASE_ADD_ADDR_ULEB 0x70
#define REBASE_OPCODE_DO_REBASE_ULEB_TIMES_SKIPPING_ULEB 0x80

#define BIND_OPCODE_DONE 0x00
#define BIND_OPCODE_SET_DYLIB_ORDINAL_IMM 0x10
#define BIND_OPCODE_SET_DYLIB_ORDINAL_ULEB 0x20
#define BIND_OPCODE_SET_DYLIB_SPECIAL_IMM 0x30
#define BIND_OPCODE_SET_SYMBOL_TRAILING_FLAGS_IMM 0x40
#define BIND_OPCODE_SET_TYPE_IMM 0x50
#define BIND_OPCODE_SET_ADDEND_SLEB 0x60
#define BIND_OPCODE_SET_SEGMENT_AND_OFFSET_ULEB 0x70
#define BIND_OPCODE_ADD_ADDR_ULEB 0x80
#define BIND_OPCODE_DO_BIND 0x90
#define BIND_OPCODE_DO_BIND_ADD_ADDR_ULEB 0xa0
#define BIND_OPCODE_DO_BIND_ADD_ADDR_IMM_SCALED 0xb0
#define BIND_OPCODE_DO_BIND_ULEB_TIMES_SKIPPING_ULEB 0xc0
#define BIND_SYMBOL_FLAGS_WEAK_IMPORT 1
#define BIND_SYMBOL_FLAGS_NON_WEAK_DEFINITION 8

#define BIND_SPECIAL_DYLIB_SELF 0
#define BIND_SPECIAL_DYLIB_MAIN_EXECUTABLE (-1)
#define BIND_SPECIAL_DYLIB_FLAT_LOOKUP (-2)
#define BIND_SPECIAL_DYLIB_WEAK_LOOKUP (-3)

/* ---- LC_DYLD_CHAINED_FIXUPS ------------------------------------------------------ */

struct dyld_chained_fixups_header {
    uint32_t fixups_version, starts_offset, imports_offset, symbols_offset, imports_count;
    uint32_t imports_format, symbols_format;
};
#define DYLD_CHAINED_IMPORT 1          /* library:8 weak:1 name:23 */
#define DYLD_CHAINED_IMPORT_ADDEND 2   /* the same, then int32 addend */
#define DYLD_CHAINED_IMPORT_ADDEND64 3 /* library:16 weak:1 reserved:15 name:32, uint64 addend */

struct dyld_chained_starts_in_segment { /* then one page_start a page */
    uint32_t size;
    uint16_t page_size, pointer_format;
    uint64_t segment_offset;
    uint32_t max_valid_pointer;
    uint16_t page_count;
};
#define DYLD_CHAINED_PTR_64 2        /* targets are addresses */
#define DYLD_CHAINED_PTR_64_OFFSET 6 /* targets are offsets from the header */
#define DYLD_CHAINED_PTR_START_NONE 0xffff

/* ---- the trie of exports ----------------------------------------------------------- */

#define EXPORT_SYMBOL_FLAGS_KIND_MASK 3
#define EXPORT_SYMBOL_FLAGS_KIND_REGULAR 0
#define EXPORT_SYMBOL_FLAGS_REEXPORT 8
#define EXPORT_SYMBOL_FLAGS_STUB_AND_RESOLVER 0x10

#endif
