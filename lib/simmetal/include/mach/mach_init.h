/* mach_task_self, where some programs look for it. */
#include <mach/mach.h>
