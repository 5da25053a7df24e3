/* How Metal's headers declare functions and constants. */
#ifndef SIMMETAL_MTLDEFINES_H
#define SIMMETAL_MTLDEFINES_H

#import <Availability.h>
#import <Foundation/Foundation.h>
#import <TargetConditionals.h>

#ifdef __cplusplus
#define MTL_EXTERN extern "C" __attribute__((visibility("default")))
#else
#define MTL_EXTERN extern __attribute__((visibility("default")))
#endif
#define MTL_EXPORT __attribute__((visibility("default")))
#define MTL_INLINE static inline __attribute__((always_inline))

#endif
