/* Making devices. */
#ifndef SIMMETAL_CREATE_H
#define SIMMETAL_CREATE_H

#import "device.h"
#import "simmetal.h"

/* A new device of `class`, retained, after Metal's three steps of initialisation. */
id simmetal_add_device(const struct simmetal_device_config *config, Class class);

/* Metal's list, and its default device, which may be nil; retained. */
NSArray *simmetal_copy_devices(void);
id simmetal_copy_default_device(void);

#endif
