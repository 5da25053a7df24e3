/* Mach's words for ports, addresses and sizes. */
#ifndef SIMMETAL_MACH_VM_TYPES_H
#define SIMMETAL_MACH_VM_TYPES_H

#include <stdint.h>

typedef unsigned int mach_port_t;
typedef mach_port_t vm_map_t;
typedef uintptr_t vm_address_t;
typedef uintptr_t vm_size_t;

#endif
