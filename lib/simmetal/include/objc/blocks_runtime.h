/* GNUstep's headers ask for this file when blocks are on; the blocks runtime itself is
 * libBlocksRuntime, whose Block.h leaves these entry points out. */
#ifndef SIMMETAL_OBJC_BLOCKS_RUNTIME_H
#define SIMMETAL_OBJC_BLOCKS_RUNTIME_H

#ifdef __cplusplus
extern "C" {
#endif

void *_Block_copy(const void *block);
void _Block_release(const void *block);
const char *block_getType_np(void *block);

#ifdef __cplusplus
}
#endif

#endif
