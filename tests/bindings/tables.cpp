/* What the C library has, a line each: what the tables of every binding are compared with. */
#include <cstdio>
#include <cstring>
#include <mtlcap/mtlcap.hpp>

/* Each status has an exception. */
static constexpr bool has_class(int status) {
    switch (status) {
#define MTLCAP_CASE(name, type) case MTLCAP_##name:
        MTLCAP_ERROR_MAP(MTLCAP_CASE)
#undef MTLCAP_CASE
        return true;
    default:
        return status == MTLCAP_OK;
    }
}
#define MTLCAP_HAS_CLASS(name, number, meaning)                                                    \
    static_assert(has_class(number), "add " #name " to MTLCAP_ERROR_MAP");
MTLCAP_STATUS_MAP(MTLCAP_HAS_CLASS)

static const char *const kinds[] = {"", "family", "count", "bool", "size", "tier", "size3", "text"};

int main() {
#define MTLCAP_STATUS(name, number, meaning) std::printf("status %s %d\n", #name, number);
    MTLCAP_STATUS_MAP(MTLCAP_STATUS)
#define MTLCAP_CLASS(name, type) std::printf("error %d %s\n", MTLCAP_##name, #type);
    MTLCAP_ERROR_MAP(MTLCAP_CLASS)
    for (uint32_t i = 0; i < mtlcap_capability_count(); i++) {
        struct mtlcap_capability row = MTLCAP_CAPABILITY_INIT;
        mtlcap_capability_info(i, &row);
        std::printf("capability %s %s %s %s %d %d %s\n", row.key, row.selector, kinds[row.kind],
                    row.unit, (row.change & MTLCAP_CAN_LOWER) != 0,
                    (row.change & MTLCAP_CAN_RAISE) != 0, row.hazard);
    }
    for (uint32_t i = 0; i < mtlcap_profile_count(); i++) {
        struct mtlcap_profile row = MTLCAP_PROFILE_INIT;
        mtlcap_profile_info(i, &row);
        std::printf("profile %s %s\n", row.name, row.rules);
    }
    for (uint32_t i = 0; i < mtlcap_hazard_count(); i++) {
        struct mtlcap_hazard row = MTLCAP_HAZARD_INIT;
        mtlcap_hazard_info(i, &row);
        std::printf("hazard %s %d %s\n", row.name, row.refuses, row.when);
    }
    std::printf("version %s\n", mtlcap_version());
}
