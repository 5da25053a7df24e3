/* vm_allocate and vm_deallocate, where some programs look for them. */
#include <mach/mach.h>
