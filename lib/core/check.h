/* Expectations of what a device answers. */
#ifndef MTLCAP_CORE_CHECK_H
#define MTLCAP_CORE_CHECK_H

#include "mtlcap/mtlcap.h"

/* As mtlcap_check_answer(). */
int mtlcap__check_answer(void *device, const char *expectation, struct mtlcap_check *check);

#endif
