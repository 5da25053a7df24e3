/* Asking a device. */
#ifndef MTLCAP_CORE_QUERY_H
#define MTLCAP_CORE_QUERY_H

#include "mtlcap/mtlcap.h"

/* As mtlcap_query(). */
int mtlcap__query(void *device, const char *name, struct mtlcap_answer *answer);

#endif
