/* What there is: devices, and the machine. As the public functions of these names. */
#ifndef MTLCAP_CORE_INVENTORY_H
#define MTLCAP_CORE_INVENTORY_H

#include "mtlcap/mtlcap.h"

int mtlcap__device_count(uint32_t *count);
int mtlcap__device_info(uint32_t index, struct mtlcap_device *info);

int mtlcap__last_error_info(struct mtlcap_error *error);

#endif
