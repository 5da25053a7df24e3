/* How plans are kept, which cannot be seen from outside of the library. */
#include "core/publish.h"
#include "support.h"

/* Plans are never freed: one that comes again must be the one that was there before. */
static void the_same_profile_again_takes_no_memory(void **state) {
    (void)state;
    static const char *const profiles[] = {
        "apple.max=3",
        "apple.max=4",
        "unified_memory=off",
        "threadgroup_memory.max=16K",
        "threads_per_threadgroup.max=256",
        "threads_per_threadgroup.max=512",
    };
    enum { COUNT = sizeof profiles / sizeof profiles[0] };
    const struct mtlcap__plan *plans[COUNT];
    for (int round = 0; round < 3; round++)
        for (int i = 0; i < COUNT; i++) {
            apply(profiles[i]);
            if (round == 0)
                plans[i] = mtlcap__plan_in_force();
            assert_ptr_equal(mtlcap__plan_in_force(), plans[i]);
            for (int other = 0; other < i; other++)
                assert_ptr_not_equal(plans[i], plans[other]);
        }
}

int main(void) {
    static const struct apart tests[] = {
        ON("paravirt", the_same_profile_again_takes_no_memory),
    };
    return RUN_APART(tests);
}
