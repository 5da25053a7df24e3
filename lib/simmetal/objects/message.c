/* Apple's messenger, for programs that call it by name: looks the method up in GCC's runtime and
 * jumps to it with all arguments in place. */

/* Apple returns large structures through a messenger of its own, in which the hidden pointer takes
 * the first place and everything else moves on by one. */
#if defined(__x86_64__)
#define MESSENGER(name, receiver, selector)                                                        \
    __asm__(".text\n"                                                                              \
            ".globl " name "\n"                                                                    \
            ".type " name ", @function\n" name ":\n"                                               \
            "    push %rbp\n"                                                                      \
            "    mov %rsp, %rbp\n"                                                                 \
            "    sub $208, %rsp\n"                                                                 \
            "    mov %rdi, 0(%rsp)\n"                                                              \
            "    mov %rsi, 8(%rsp)\n"                                                              \
            "    mov %rdx, 16(%rsp)\n"                                                             \
            "    mov %rcx, 24(%rsp)\n"                                                             \
            "    mov %r8, 32(%rsp)\n"                                                              \
            "    mov %r9, 40(%rsp)\n"                                                              \
            "    mov %rax, 48(%rsp)\n"                                                             \
            "    movaps %xmm0, 64(%rsp)\n"                                                         \
            "    movaps %xmm1, 80(%rsp)\n"                                                         \
            "    movaps %xmm2, 96(%rsp)\n"                                                         \
            "    movaps %xmm3, 112(%rsp)\n"                                                        \
            "    movaps %xmm4, 128(%rsp)\n"                                                        \
            "    movaps %xmm5, 144(%rsp)\n"                                                        \
            "    movaps %xmm6, 160(%rsp)\n"                                                        \
            "    movaps %xmm7, 176(%rsp)\n"                                                        \
            "    mov " selector "(%rsp), %rsi\n"                                                   \
            "    mov " receiver "(%rsp), %rdi\n"                                                   \
            "    call objc_msg_lookup@PLT\n"                                                       \
            "    mov %rax, %r11\n"                                                                 \
            "    movaps 64(%rsp), %xmm0\n"                                                         \
            "    movaps 80(%rsp), %xmm1\n"                                                         \
            "    movaps 96(%rsp), %xmm2\n"                                                         \
            "    movaps 112(%rsp), %xmm3\n"                                                        \
            "    movaps 128(%rsp), %xmm4\n"                                                        \
            "    movaps 144(%rsp), %xmm5\n"                                                        \
            "    movaps 160(%rsp), %xmm6\n"                                                        \
            "    movaps 176(%rsp), %xmm7\n"                                                        \
            "    mov 0(%rsp), %rdi\n"                                                              \
            "    mov 8(%rsp), %rsi\n"                                                              \
            "    mov 16(%rsp), %rdx\n"                                                             \
            "    mov 24(%rsp), %rcx\n"                                                             \
            "    mov 32(%rsp), %r8\n"                                                              \
            "    mov 40(%rsp), %r9\n"                                                              \
            "    mov 48(%rsp), %rax\n"                                                             \
            "    leave\n"                                                                          \
            "    jmp *%r11\n"                                                                      \
            ".size " name ", .-" name "\n")

MESSENGER("objc_msgSend", "0", "8");
MESSENGER("objc_msgSend_fpret", "0", "8");
MESSENGER("objc_msgSend_stret", "8", "16");

#elif defined(__aarch64__)
/* x8 holds the address for a large structure: there is one messenger only. */
__asm__(".text\n"
        ".globl objc_msgSend\n"
        ".type objc_msgSend, %function\n"
        "objc_msgSend:\n"
        "    stp x29, x30, [sp, #-224]!\n"
        "    mov x29, sp\n"
        "    stp x0, x1, [sp, #16]\n"
        "    stp x2, x3, [sp, #32]\n"
        "    stp x4, x5, [sp, #48]\n"
        "    stp x6, x7, [sp, #64]\n"
        "    str x8, [sp, #80]\n"
        "    stp q0, q1, [sp, #96]\n"
        "    stp q2, q3, [sp, #128]\n"
        "    stp q4, q5, [sp, #160]\n"
        "    stp q6, q7, [sp, #192]\n"
        "    bl objc_msg_lookup\n"
        "    mov x16, x0\n"
        "    ldp q6, q7, [sp, #192]\n"
        "    ldp q4, q5, [sp, #160]\n"
        "    ldp q2, q3, [sp, #128]\n"
        "    ldp q0, q1, [sp, #96]\n"
        "    ldr x8, [sp, #80]\n"
        "    ldp x6, x7, [sp, #64]\n"
        "    ldp x4, x5, [sp, #48]\n"
        "    ldp x2, x3, [sp, #32]\n"
        "    ldp x0, x1, [sp, #16]\n"
        "    ldp x29, x30, [sp], #224\n"
        "    br x16\n"
        ".size objc_msgSend, .-objc_msgSend\n");
#else
#error "no messenger for this CPU"
#endif
