/* Off a Mac: puts the simulated Metal into the process. */
#ifndef TOOLS_SIMULATED_H
#define TOOLS_SIMULATED_H

/* Call it before the library first looks for devices. On a Mac, and where the process has a Metal
 * already, does nothing; nor the second time. */
void simulated_load(void);

/* Why it could not be loaded; "" if it was, or need not be. */
const char *simulated_problem(void);

/* The names of its built-in machines, in order, up to NULL; NULL: there is no simulated Metal. */
const char *const *simulated_machines(void);

#endif
