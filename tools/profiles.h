/* The parts of `mtlcap profiles`. */
#ifndef TOOLS_PROFILES_H
#define TOOLS_PROFILES_H

/* Shows what a profile would do on this machine's devices. Returns CODE_OK, or CODE_PROFILE if it
 * is malformed or would be refused. */
int profiles_explain(const char *profile, const char *allow);

/* Prints a device's stock answers as a profile; `device` as devices_open() takes it. */
int profiles_capture(int device);

#endif
