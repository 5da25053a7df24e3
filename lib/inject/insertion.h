/* The variable that makes the loader insert libraries: taking ours, and no other, out of it. */
#ifndef MTLCAP_INJECT_INSERTION_H
#define MTLCAP_INJECT_INSERTION_H

#include <stdbool.h>

/*
 * Takes every entry that is the file `path` out of `variable` ("LD_PRELOAD", whose entries are
 * separated by colons and spaces; "DYLD_INSERT_LIBRARIES", by colons) in place: the environment's
 * own array and text are edited, so that whoever holds main's envp sees it too. A variable left
 * without entries goes. Returns whether anything was taken out. Allocates nothing.
 */
bool mtlcap__insertion_remove(char **environment, const char *variable, const char *path);

#endif
