/*
 * Is it too late for a profile? Clients ask Metal once, early, and remember the answers. For the
 * languages whose programs get to Metal by a client only: Python, Node, Ruby, Java.
 */
#ifndef MTLCAP_ORDER_H
#define MTLCAP_ORDER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * 1 if a Metal device had been made in this process, by whomever, when this was called first, and
 * no profile was in force then. To be called before the C library looks at the devices, which makes
 * them.
 */
int32_t mtlcap_order_look(void);

/* Clients that are known by the name of their library: the name of each by index, and the path of
 * its library, "" if that is not loaded. NULL past the last. */
const char *mtlcap_order_client(uint32_t index, char *path, size_t size);

#ifdef __cplusplus
}
#endif
#endif
