/* Asks a device, from an image and a function of its own: libengine_asker. */
#ifndef TESTS_ENGINE_ASKER_H
#define TESTS_ENGINE_ASKER_H

/* Returns the whole register. */
long asker_asks(void *device, const char *selector, long argument);

#endif
