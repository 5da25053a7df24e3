/*
 * Thread-local variables, as Darwin's compiler makes them: a descriptor a variable, whose first
 * word is called with the descriptor's address and returns that of the calling thread's copy. The
 * call changes no register but the result's.
 */
#include <stdlib.h>
#include <string.h>

#include "image.h"

struct descriptor {
    void (*thunk)(void);
    struct macho_image *image; /* dyld keeps a key here */
    uintptr_t offset;          /* in the thread's copy */
};

void macho_thread_local_thunk(void);
void *macho_thread_local_address(const struct descriptor *descriptor);

#if defined(__x86_64__)
__asm__(".pushsection .text\n"
        ".type macho_thread_local_thunk, @function\n"
        ".globl macho_thread_local_thunk\n"
        ".hidden macho_thread_local_thunk\n"
        "macho_thread_local_thunk:\n"
        "    pushq %rbp\n"
        "    movq %rsp, %rbp\n"
        "    pushq %rdi\n    pushq %rsi\n    pushq %rdx\n    pushq %rcx\n"
        "    pushq %r8\n    pushq %r9\n    pushq %r10\n    pushq %r11\n"
        "    subq $512, %rsp\n"
        "    andq $-16, %rsp\n"
        "    fxsave64 (%rsp)\n"
        "    call macho_thread_local_address\n"
        "    fxrstor64 (%rsp)\n"
        "    leaq -64(%rbp), %rsp\n"
        "    popq %r11\n    popq %r10\n    popq %r9\n    popq %r8\n"
        "    popq %rcx\n    popq %rdx\n    popq %rsi\n    popq %rdi\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size macho_thread_local_thunk, . - macho_thread_local_thunk\n"
        ".popsection\n");
#else
__asm__(".pushsection .text\n"
        ".type macho_thread_local_thunk, %function\n"
        ".globl macho_thread_local_thunk\n"
        ".hidden macho_thread_local_thunk\n"
        "macho_thread_local_thunk:\n"
        "    stp x29, x30, [sp, #-16]!\n"
        "    mov x29, sp\n"
        "    stp x1, x2, [sp, #-16]!\n    stp x3, x4, [sp, #-16]!\n"
        "    stp x5, x6, [sp, #-16]!\n    stp x7, x8, [sp, #-16]!\n"
        "    stp x9, x10, [sp, #-16]!\n    stp x11, x12, [sp, #-16]!\n"
        "    stp x13, x14, [sp, #-16]!\n    stp x15, x16, [sp, #-16]!\n"
        "    stp x17, x18, [sp, #-16]!\n"
        "    stp q0, q1, [sp, #-32]!\n    stp q2, q3, [sp, #-32]!\n"
        "    stp q4, q5, [sp, #-32]!\n    stp q6, q7, [sp, #-32]!\n"
        "    stp q16, q17, [sp, #-32]!\n    stp q18, q19, [sp, #-32]!\n"
        "    stp q20, q21, [sp, #-32]!\n    stp q22, q23, [sp, #-32]!\n"
        "    stp q24, q25, [sp, #-32]!\n    stp q26, q27, [sp, #-32]!\n"
        "    stp q28, q29, [sp, #-32]!\n    stp q30, q31, [sp, #-32]!\n"
        "    bl macho_thread_local_address\n"
        "    ldp q30, q31, [sp], #32\n    ldp q28, q29, [sp], #32\n"
        "    ldp q26, q27, [sp], #32\n    ldp q24, q25, [sp], #32\n"
        "    ldp q22, q23, [sp], #32\n    ldp q20, q21, [sp], #32\n"
        "    ldp q18, q19, [sp], #32\n    ldp q16, q17, [sp], #32\n"
        "    ldp q6, q7, [sp], #32\n    ldp q4, q5, [sp], #32\n"
        "    ldp q2, q3, [sp], #32\n    ldp q0, q1, [sp], #32\n"
        "    ldp x17, x18, [sp], #16\n"
        "    ldp x15, x16, [sp], #16\n    ldp x13, x14, [sp], #16\n"
        "    ldp x11, x12, [sp], #16\n    ldp x9, x10, [sp], #16\n"
        "    ldp x7, x8, [sp], #16\n    ldp x5, x6, [sp], #16\n"
        "    ldp x3, x4, [sp], #16\n    ldp x1, x2, [sp], #16\n"
        "    ldp x29, x30, [sp], #16\n"
        "    ret\n"
        ".size macho_thread_local_thunk, . - macho_thread_local_thunk\n"
        ".popsection\n");
#endif

void *macho_thread_local_address(const struct descriptor *descriptor) {
    const struct macho_image *image = descriptor->image;
    char *copy = pthread_getspecific(image->thread_key);
    if (!copy) {
        const size_t rounded = (image->thread_size + 63) & ~(size_t)63;
        copy = aligned_alloc(64, rounded);
        if (!copy)
            abort(); /* as dyld */
        memset(copy, 0, rounded);
        if (image->thread_template)
            memcpy(copy, image->thread_template, image->thread_size);
        pthread_setspecific(image->thread_key, copy);
    }
    return copy + descriptor->offset;
}

/* What each thread's copy starts as: the sections with values and those without, in one piece. */
static bool find_template(struct macho_image *image) {
    uint64_t start = UINT64_MAX, end = 0;
    for (unsigned i = 0; i < image->section_count; i++) {
        const struct macho_section *section = &image->sections[i];
        if (section->type != S_THREAD_LOCAL_REGULAR && section->type != S_THREAD_LOCAL_ZEROFILL)
            continue;
        if (section->address < start)
            start = section->address;
        if (section->address + section->size > end)
            end = section->address + section->size;
    }
    if (start > end)
        return macho_fail(image, "has thread-local variables without a template");
    image->thread_size = end - start;
    image->thread_template = macho_at(image, start, end - start);
    return image->thread_template || macho_fail(image, "has thread-local variables outside of it");
}

bool macho_prepare_thread_locals(struct macho_image *image) {
    for (unsigned i = 0; i < image->section_count; i++) {
        const struct macho_section *section = &image->sections[i];
        if (section->type != S_THREAD_LOCAL_VARIABLES)
            continue;
        struct descriptor *descriptors = macho_at(image, section->address, section->size);
        if (!descriptors || section->size % sizeof *descriptors)
            return macho_fail(image, "has malformed thread-local variables");
        if (!image->has_thread_key) {
            if (!find_template(image))
                return false;
            if (pthread_key_create(&image->thread_key, free))
                return macho_fail(image, "has no room for its thread-local variables");
            image->has_thread_key = true;
        }
        for (uint64_t d = 0; d < section->size / sizeof *descriptors; d++) {
            descriptors[d].thunk = macho_thread_local_thunk;
            descriptors[d].image = image;
        }
    }
    return true;
}
