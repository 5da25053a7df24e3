/* Making devices. */
#ifndef SIMMETAL_CREATE_H
#define SIMMETAL_CREATE_H

#import "device.h"
#import "simmetal.h"

/* A new device of `class`, retained, after Metal's three steps of initialisation. */
id simmetal_add_device(const struct simmetal_device_config *config, Class class);

#endif
