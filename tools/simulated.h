/* Off a Mac: puts the simulated Metal into the process. */
#ifndef TOOLS_SIMULATED_H
#define TOOLS_SIMULATED_H

/* Call it before the library first looks for devices. On a Mac, and where the process has a Metal
 * already, does nothing; nor the second time. */
void simulated_load(void);

/* Why it could not be loaded; "" if it was, or need not be. */
const char *simulated_problem(void);

#endif
