/*
 * What a program gets that knows nothing of libmtlcap: asks every device every question of the
 * table of capabilities, and prints the answers as JSON. Of questions with an argument it prints
 * the arguments that are answered with yes.
 */
#import <Foundation/Foundation.h>
#import <Metal/Metal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum shape { ASK_BOOL, ASK_ID, ASK_COUNT, ASK_WORD, ASK_WORD32, ASK_SIZE3, ASK_OBJECT };

static const struct question {
    const char *key, *selector;
    enum shape shape;
    long first, last;
} questions[] = {
#define CAPABILITY(id, key, selector, shape, kind, first, last, ...)                               \
    {key, selector, shape, first, last},
#include "core/capabilities.def"
#undef CAPABILITY
};

static void print_list(id device, SEL selector, IMP imp, const struct question *question) {
    const char *separator = "[";
    for (long argument = question->first; argument <= question->last; argument++) {
        if (!((BOOL(*)(id, SEL, long))imp)(device, selector, argument))
            continue;
        printf("%s%ld", separator, argument);
        separator = ", ";
    }
    printf("%s]", separator[0] == '[' ? "[" : "");
}

static void print_answer(id device, const struct question *question) {
    SEL selector = sel_registerName(question->selector);
    IMP imp = [device respondsToSelector:selector] ? [device methodForSelector:selector] : NULL;
    if (imp == NULL) {
        printf("null");
        return;
    }
    MTLSize size;
    switch (question->shape) {
    case ASK_BOOL:
        printf("%s", ((BOOL(*)(id, SEL))imp)(device, selector) ? "true" : "false");
        break;
    case ASK_ID:
    case ASK_COUNT:
        print_list(device, selector, imp, question);
        break;
    case ASK_WORD:
        printf("%llu", (unsigned long long)((NSUInteger(*)(id, SEL))imp)(device, selector));
        break;
    case ASK_WORD32:
        printf("%lu", (unsigned long)((uint32_t (*)(id, SEL))imp)(device, selector));
        break;
    case ASK_SIZE3:
        size = ((MTLSize(*)(id, SEL))imp)(device, selector);
        printf("[%lu, %lu, %lu]", (unsigned long)size.width, (unsigned long)size.height,
               (unsigned long)size.depth);
        break;
    case ASK_OBJECT:
        printf("null"); /* a name: what it is good for cannot be compared */
        break;
    }
}

int main(void) {
    NSAutoreleasePool *pool = [[NSAutoreleasePool alloc] init];
    NSArray *devices = MTLCopyAllDevices();
    printf("{\"devices\": [");
    for (NSUInteger i = 0; i < [devices count]; i++) {
        id device = [devices objectAtIndex:i];
        printf("%s\n {\"class\": \"%s\", \"answers\": {", i > 0 ? "," : "",
               [NSStringFromClass([device class]) UTF8String]);
        for (size_t j = 0; j < sizeof questions / sizeof questions[0]; j++) {
            printf("%s\n  \"%s\": ", j > 0 ? "," : "", questions[j].key);
            print_answer(device, &questions[j]);
        }
        printf("}}");
    }
    printf("]}\n");
    [pool drain];
    return 0;
}
