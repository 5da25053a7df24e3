/* What the simulated target is: macOS on Apple silicon, whatever CPU is underneath.
 * A client may be built as for an Intel Mac with -DTARGET_CPU_X86_64=1. */
#ifndef SIMMETAL_TARGETCONDITIONALS_H
#define SIMMETAL_TARGETCONDITIONALS_H

#define TARGET_OS_MAC 1
#define TARGET_OS_OSX 1
#define TARGET_OS_IPHONE 0
#define TARGET_OS_IOS 0
#define TARGET_OS_TV 0
#define TARGET_OS_WATCH 0
#define TARGET_OS_VISION 0
#define TARGET_OS_MACCATALYST 0
#define TARGET_OS_SIMULATOR 0

#ifndef TARGET_CPU_X86_64
#define TARGET_CPU_X86_64 0
#endif
#define TARGET_CPU_ARM64 (!TARGET_CPU_X86_64)
#define TARGET_CPU_X86 0
#define TARGET_CPU_ARM 0

#endif
