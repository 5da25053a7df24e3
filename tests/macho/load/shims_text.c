/* Shims: kinds of characters. Darwin's isdigit() and its kind read a table in the C library. */
#include <ctype.h>
#include <pthread.h>

#include "shims.h"

struct darwin_characters {
    char magic[8], encoding[32];
    void *functions[2];
    int32_t invalid;
    uint32_t kinds[256];
};

static const struct {
    int (*is)(int);
    uint32_t kind;
} kinds[] = {
    {isalpha, 0x100},    {iscntrl, 0x200},   {isdigit, 0x400},   {isgraph, 0x800},
    {islower, 0x1000},   {ispunct, 0x2000},  {isspace, 0x4000},  {isupper, 0x8000},
    {isxdigit, 0x10000}, {isblank, 0x20000}, {isprint, 0x40000},
};

static struct darwin_characters characters;

static void fill(void) {
    for (int c = 0; c < 128; c++)
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
            if (kinds[i].is(c))
                characters.kinds[c] |= kinds[i].kind;
}

const struct darwin_characters *shim_characters(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, fill);
    return &characters;
}

int shim_mask_character(int character, unsigned long mask) {
    return character >= 0 && character < 256 ? (int)(shim_characters()->kinds[character] & mask)
                                             : 0;
}
