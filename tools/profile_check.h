/* What can be wrong with a profile, and with the hazards allowed, for those commands that take one.
 */
#ifndef TOOLS_PROFILE_CHECK_H
#define TOOLS_PROFILE_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include <mtlcap/mtlcap.h>

#include "command.h"

/* Every hazard in "a+b" exists? Returns CODE_OK, or CODE_USAGE after a complaint. */
int profile_check_allow(const struct command *command, const char *allow);

/* It can be parsed? Returns CODE_OK, or CODE_PROFILE after a complaint that shows the place. */
int profile_check_syntax(const char *profile);

/* The hazards that it meets on this machine's devices, each of a rule once. To be freed. */
struct mtlcap_finding *profile_findings(const char *profile, const char *allow, size_t *count);

/* Is no finding before the i-th of the same hazard? Each hazard is told once. */
bool profile_finding_is_first(const struct mtlcap_finding *findings, size_t i);

/* The rules that meet the hazard of the i-th finding, which is its first: "like-m1: apple=7;
 * metal.max=4; and 3 more". `size` of 2 KiB holds them. */
void profile_finding_rules(const struct mtlcap_finding *findings, size_t count, size_t i,
                           char *text, size_t size);

/* What the hazard breaks. */
const char *profile_finding_reason(const struct mtlcap_finding *finding);

/* What --allow has to name for none of them to refuse the profile; `allow` is what it names now. */
void profile_consent(const struct mtlcap_finding *findings, size_t count, const char *allow,
                     char *text, size_t size);

/* Tells why mtlcap_apply_profile() has returned `status` for it. Returns the exit code. */
int profile_refused(const char *profile, const char *allow, int status);

#endif
