/* What is tried while functions fail: a machine, what has been done before, and a call. */
#ifndef FAULTS_SCENARIOS_H
#define FAULTS_SCENARIOS_H

#include <stddef.h>

struct scenario {
    const char *name;
    const char *machine;
    const char *before;  /* the profile that is in force; NULL: none */
    const char *profile; /* that is applied; "@" : from a file; NULL: a device is adopted instead */
    const char *adopted; /* the machine whose device is that */
    int early;           /* it is applied as if Metal were still making that device */
    int hides;           /* another's hook is put on top before, and hides ours */
    unsigned allocations; /* at least so many are there to fail */
    unsigned refusals;    /* and so many changes of method tables */
};

extern const struct scenario scenarios[];
extern const size_t scenario_count;

#endif
