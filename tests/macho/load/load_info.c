/* Fixups as LC_DYLD_INFO_ONLY has them: programs for a small machine that writes pointers. */
#include "image.h"

/* What the machine remembers from one opcode to the next. */
struct state {
    unsigned segment;
    uint64_t offset; /* in the segment */
    int library;
    const char *symbol;
    bool weak;
    int64_t addend;
    enum { BIND, WEAK_BIND, LAZY_BIND } kind;
};

/* The pointer at the place that the machine is at, which moves on by it and `skip` bytes. */
static uint64_t *next_slot(struct macho_image *image, struct state *state, uint64_t skip) {
    uint64_t *slot = macho_slot(image, state->segment, state->offset);
    if (!slot)
        macho_fail(image, "has a fixup outside of its writable segments (number %u, offset %#llx)",
                   state->segment, (unsigned long long)state->offset);
    state->offset += sizeof *slot + skip;
    return slot;
}

static bool malformed(struct macho_image *image, const char *what, unsigned char byte) {
    return macho_fail(image, "has malformed %s opcodes (at %#x)", what, byte);
}

/* ---- rebase: what points into the image itself -------------------------------------- */

static bool rebase(struct macho_image *image, struct state *state, uint64_t times, uint64_t skip) {
    for (uint64_t i = 0; i < times; i++) {
        uint64_t *slot = next_slot(image, state, skip);
        if (!slot)
            return false;
        *slot += (uint64_t)(uintptr_t)image->memory - image->address;
    }
    return true;
}

static bool run_rebases(struct macho_image *image, struct macho_reader reader) {
    struct state state = {0};
    while (reader.at != reader.end && !reader.bad) {
        const unsigned char byte = macho_read_byte(&reader);
        const unsigned char immediate = byte & IMMEDIATE_MASK;
        uint64_t times;
        bool done = true;
        switch (byte & OPCODE_MASK) {
        case REBASE_OPCODE_DONE:
            return true;
        case REBASE_OPCODE_SET_TYPE_IMM:
            done = immediate == POINTER_TYPE;
            break;
        case REBASE_OPCODE_SET_SEGMENT_AND_OFFSET_ULEB:
            state.segment = immediate;
            state.offset = macho_read_uleb(&reader);
            break;
        case REBASE_OPCODE_ADD_ADDR_ULEB:
            state.offset += macho_read_uleb(&reader);
            break;
        case REBASE_OPCODE_ADD_ADDR_IMM_SCALED:
            state.offset += immediate * sizeof(uint64_t);
            break;
        case REBASE_OPCODE_DO_REBASE_IMM_TIMES:
            done = rebase(image, &state, immediate, 0);
            break;
        case REBASE_OPCODE_DO_REBASE_ULEB_TIMES:
            done = rebase(image, &state, macho_read_uleb(&reader), 0);
            break;
        case REBASE_OPCODE_DO_REBASE_ADD_ADDR_ULEB:
            done = rebase(image, &state, 1, macho_read_uleb(&reader));
            break;
        case REBASE_OPCODE_DO_REBASE_ULEB_TIMES_SKIPPING_ULEB:
            times = macho_read_uleb(&reader);
            done = rebase(image, &state, times, macho_read_uleb(&reader));
            break;
        default:
            done = false;
        }
        if (!done)
            return image->problem[0] ? false : malformed(image, "rebase", byte);
    }
    return !reader.bad || malformed(image, "rebase", 0);
}

/* ---- bind: what points into other images --------------------------------------------- */

static bool bind(struct macho_image *image, struct state *state, uint64_t times, uint64_t skip) {
    void *address;
    if (!state->symbol)
        return false;
    if (!macho_bind(image,
                    state->kind == WEAK_BIND ? BIND_SPECIAL_DYLIB_WEAK_LOOKUP : state->library,
                    state->symbol, state->weak, &address))
        return false;
    for (uint64_t i = 0; i < times; i++) {
        uint64_t *slot = next_slot(image, state, skip);
        if (!slot)
            return false;
        if (address || state->kind != WEAK_BIND)
            *slot = address ? (uint64_t)((uintptr_t)address + (uintptr_t)state->addend) : 0;
    }
    return true;
}

static bool run_binds(struct macho_image *image, struct macho_reader reader, struct state state) {
    while (reader.at != reader.end && !reader.bad) {
        const unsigned char byte = macho_read_byte(&reader);
        const unsigned char immediate = byte & IMMEDIATE_MASK;
        uint64_t times;
        bool done = true;
        switch (byte & OPCODE_MASK) {
        case BIND_OPCODE_DONE:
            if (state.kind != LAZY_BIND)
                return true;
            break; /* each lazy pointer has a program of its own */
        case BIND_OPCODE_SET_DYLIB_ORDINAL_IMM:
            state.library = immediate;
            break;
        case BIND_OPCODE_SET_DYLIB_ORDINAL_ULEB:
            state.library = (int)macho_read_uleb(&reader);
            break;
        case BIND_OPCODE_SET_DYLIB_SPECIAL_IMM:
            state.library = immediate ? (int)immediate - 16 : BIND_SPECIAL_DYLIB_SELF;
            break;
        case BIND_OPCODE_SET_SYMBOL_TRAILING_FLAGS_IMM:
            state.symbol = macho_read_text(&reader);
            state.weak = immediate & BIND_SYMBOL_FLAGS_WEAK_IMPORT;
            break;
        case BIND_OPCODE_SET_TYPE_IMM:
            done = immediate == POINTER_TYPE;
            break;
        case BIND_OPCODE_SET_ADDEND_SLEB:
            state.addend = macho_read_sleb(&reader);
            break;
        case BIND_OPCODE_SET_SEGMENT_AND_OFFSET_ULEB:
            state.segment = immediate;
            state.offset = macho_read_uleb(&reader);
            break;
        case BIND_OPCODE_ADD_ADDR_ULEB:
            state.offset += macho_read_uleb(&reader);
            break;
        case BIND_OPCODE_DO_BIND:
            done = bind(image, &state, 1, 0);
            break;
        case BIND_OPCODE_DO_BIND_ADD_ADDR_ULEB:
            done = bind(image, &state, 1, macho_read_uleb(&reader));
            break;
        case BIND_OPCODE_DO_BIND_ADD_ADDR_IMM_SCALED:
            done = bind(image, &state, 1, immediate * sizeof(uint64_t));
            break;
        case BIND_OPCODE_DO_BIND_ULEB_TIMES_SKIPPING_ULEB:
            times = macho_read_uleb(&reader);
            done = bind(image, &state, times, macho_read_uleb(&reader));
            break;
        default:
            done = false;
        }
        if (!done)
            return image->problem[0] ? false : malformed(image, "bind", byte);
    }
    return !reader.bad || malformed(image, "bind", 0);
}

bool macho_fix_by_opcodes(struct macho_image *image) {
    return run_rebases(image, macho_reader_of(image, image->rebases)) &&
           run_binds(image, macho_reader_of(image, image->binds), (struct state){.kind = BIND}) &&
           run_binds(image, macho_reader_of(image, image->weak_binds),
                     (struct state){.kind = WEAK_BIND}) &&
           run_binds(image, macho_reader_of(image, image->lazy_binds),
                     (struct state){.kind = LAZY_BIND});
}
