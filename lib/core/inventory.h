/* What there is: devices, and the machine. As the public functions of these names. */
#ifndef MTLCAP_CORE_INVENTORY_H
#define MTLCAP_CORE_INVENTORY_H

#include "mtlcap/mtlcap.h"

int mtlcap__device_count(uint32_t *count);
int mtlcap__device_info(uint32_t index, struct mtlcap_device *info);

uint32_t mtlcap__capability_count(void);
int mtlcap__capability_info(uint32_t index, struct mtlcap_capability *info);
uint32_t mtlcap__profile_count(void);
int mtlcap__profile_info(uint32_t index, struct mtlcap_profile *info);
uint32_t mtlcap__hazard_count(void);
int mtlcap__hazard_info(uint32_t index, struct mtlcap_hazard *info);
int mtlcap__machine_info(struct mtlcap_machine *machine);
int mtlcap__last_error_info(struct mtlcap_error *error);

#endif
