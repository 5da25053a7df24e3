/* What a profile would do, and what the apply in force did: as the public functions of these names.
 */
#ifndef MTLCAP_CORE_EXPLAIN_H
#define MTLCAP_CORE_EXPLAIN_H

#include "mtlcap/mtlcap.h"

int mtlcap__explain_profile(const char *profile, const struct mtlcap_options *options,
                            struct mtlcap_explanation *explanation);
int mtlcap__explain_rule(const char *profile, const struct mtlcap_options *options, uint32_t index,
                         struct mtlcap_rule *rule);
int mtlcap__explain_finding(const char *profile, const struct mtlcap_options *options,
                            uint32_t index, struct mtlcap_finding *finding);
int mtlcap__report_info(struct mtlcap_report *report);
int mtlcap__report_change(uint32_t index, struct mtlcap_change *change);
int mtlcap__report_finding(uint32_t index, struct mtlcap_finding *finding);

#endif
