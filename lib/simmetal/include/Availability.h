/* The newest SDK that the simulation knows. Clang takes every @available(macOS ...) as true here.
 */
#ifndef SIMMETAL_AVAILABILITY_H
#define SIMMETAL_AVAILABILITY_H

#define __MAC_10_15 101500
#define __MAC_11_0 110000
#define __MAC_12_0 120000
#define __MAC_13_0 130000
#define __MAC_14_0 140000
#define __MAC_15_0 150000
#define __MAC_26_0 260000

#define __MAC_OS_X_VERSION_MAX_ALLOWED __MAC_26_0
#define __MAC_OS_X_VERSION_MIN_REQUIRED __MAC_13_0

#define API_AVAILABLE(...)
#define API_DEPRECATED(...)
#define API_UNAVAILABLE(...)

#endif
