/* Records of what was asked for and what was done. */
#ifndef MTLCAP_CORE_RECORD_H
#define MTLCAP_CORE_RECORD_H

#include "engine.h"
#include "study.h"

/* Parses what is asked for. E_PROFILE, E_FILE, E_NO_MEMORY. */
int mtlcap__request_new(const char *profile, const char *allow, mtlcap__hazard_set allowed,
                        struct mtlcap__request **request);
void mtlcap__request_release(struct mtlcap__request *request);

/* An empty record of a request, which it keeps alive; NULL: no memory. */
struct mtlcap__record *mtlcap__record_new(struct mtlcap__request *request);

/* Asks every device everything, and notes what differs from stock. On the thread that proves a plan
 * this sees the answers of that plan. E_NO_MEMORY. */
int mtlcap__record_fill(struct mtlcap__record *record, const struct mtlcap__study *study);

/* With those below it. NULL is fine. */
void mtlcap__record_free(struct mtlcap__record *record);

#endif
