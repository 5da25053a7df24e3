/* What can be wrong with a profile, and with the hazards allowed, for those commands that take one.
 */
#ifndef TOOLS_PROFILE_CHECK_H
#define TOOLS_PROFILE_CHECK_H

#include "command.h"

/* Every hazard in "a+b" exists? Returns CODE_OK, or CODE_USAGE after a complaint. */
int profile_check_allow(const struct command *command, const char *allow);

/* It can be parsed? Returns CODE_OK, or CODE_PROFILE after a complaint that shows the place. */
int profile_check_syntax(const char *profile);

/* What --allow would have to name for the profile not to be refused, `allow` included; "" if it is
 * not refused because of hazards. */
void profile_consent(const char *profile, const char *allow, char *text, size_t size);

/* Tells why mtlcap_apply_profile() has returned `status` for it. Returns the exit code. */
int profile_refused(const char *profile, const char *allow, int status);

#endif
