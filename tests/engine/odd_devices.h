/* Devices that are no subclass of Metal's own, as an agent or a test might make. */
#ifndef TESTS_ENGINE_ODD_DEVICES_H
#define TESTS_ENGINE_ODD_DEVICES_H

/* Adopts MTLDevice, and has name, supportsFamily: (Apple1 to Apple5) and hasUnifiedMemory (no)
 * only. Retained. */
void *make_sparse_device(void);

/* Has maxBufferLength as a double, supportsFamily: of two arguments' worth (a struct), and
 * isHeadless as an object; the rest as a sparse device. Retained. */
void *make_odd_device(void);

/* Objects that are no device. */
void *make_string(void);
void *make_plain_object(void);
void *class_of_string(void);

#endif
