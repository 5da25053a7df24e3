/* Results of Mach calls. */
#ifndef SIMMETAL_MACH_KERN_RETURN_H
#define SIMMETAL_MACH_KERN_RETURN_H

typedef int kern_return_t;

#define KERN_SUCCESS 0
#define KERN_INVALID_ADDRESS 1
#define KERN_NO_SPACE 3
#define KERN_INVALID_ARGUMENT 4

#endif
