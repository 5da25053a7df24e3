/* Asks a device, from an image and a function of its own. */
#include <objc/message.h>
#include <objc/runtime.h>

#include "asker.h"

__attribute__((visibility("default"), noinline)) long asker_asks(void *device, const char *selector,
                                                                 long argument) {
    SEL sel = sel_registerName(selector);
    void (*code)(void) = (void (*)(void))objc_msg_lookup((id)device, sel);
    const long answer = ((long (*)(void *, SEL, long))code)(device, sel, argument);
    __asm__ volatile("" ::: "memory"); /* no tail call: this function asks */
    return answer;
}
