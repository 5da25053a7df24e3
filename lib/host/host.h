/*
 * Facts of the machine: VM or not, chip, memory, macOS version.
 *
 * host.c turns the answers of sysctlbyname into facts; where they come from is one file a platform:
 * darwin.c (the system), simulated.c (the simulated Metal, if it is in the process).
 */
#ifndef MTLCAP_HOST_HOST_H
#define MTLCAP_HOST_HOST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mtlcap__host {
    char chip[128];         /* "Apple M1 Ultra (Virtual)"; "" if unknown */
    char model[64];         /* "VirtualMac2,1"; "" if unknown */
    char os_version[32];    /* "26.5.2"; "" if unknown */
    int os_major, os_minor; /* 0 if unknown */
    uint64_t memory;        /* bytes; 0 if unknown */
    int virtual_machine;    /* 1, 0, -1 unknown */
    int apple_silicon;      /* 1, 0 (Intel), -1 unknown; an x86-64 process under Rosetta: 1 */
    int chip_family;        /* Apple family of the chip's GPU; 0: Apple silicon that cannot be read,
                               an Intel host, or unknown */
    int program_sdk; /* major version of the SDK that the program was linked to; 0: unknown */
    bool simulated;  /* not a Mac */
};

/* Reads the facts anew. Never fails: what cannot be read is unknown. */
void mtlcap__host_read(struct mtlcap__host *host);

/*
 * Apple family of the GPU in a chip, from the CPU's brand string: "Apple M1 Ultra (Virtual)",
 * "Apple M1" and "Apple A14" are 7. A chip newer than the table counts as the newest known. 0: not
 * the name of an Apple chip ("Apple processor", Rosetta's "VirtualApple @ 2.50GHz", Intel).
 */
int mtlcap__host_chip_family(const char *brand_string);

/*
 * Apple family of this machine's GPU, as far as it can be known; in a virtual machine, of the
 * host's. Apple silicon whose chip cannot be read is 7, which every Apple silicon Mac has. 0: an
 * Intel host, or unknown.
 */
int mtlcap__host_gpu_family(const struct mtlcap__host *host);

/* Is an image in the process whose file name starts with `prefix` ("libtorch")? */
bool mtlcap__host_has_image(const char *prefix);

/* ---- what a platform supplies ---- */

/* A number that tells a process from any other that has, or had, the same pid, by when it was
 * started; 0: cannot be told, or there is none. */
uint64_t mtlcap__host_process(int64_t pid);

/*
 * As sysctlbyname(3); -1 where there is no such fact. Asked for: machdep.cpu.brand_string,
 * hw.model, kern.osproductversion, kern.osrelease (text), kern.hv_vmm_present, hw.optional.arm64,
 * sysctl.proc_translated (int), hw.memsize (uint64_t). simulated.c also asks for
 * simmetal.program_sdk (text).
 */
int mtlcap__host_sysctl(const char *name, void *value, size_t *size);

/* Major version of the SDK that the program was linked to; 0: unknown. */
int mtlcap__host_program_sdk(void);

/* Whether mtlcap__host_sysctl answers for a simulated machine. */
bool mtlcap__host_simulated(void);

#endif
