/* Looks things up in the library's lists: capabilities, built-in profiles, hazards. */
#ifndef TOOLS_CATALOG_H
#define TOOLS_CATALOG_H

#include <stdbool.h>
#include <stddef.h>

#include <mtlcap/mtlcap.h>

/* By index; the index must be below mtlcap_capability_count() and so on. */
struct mtlcap_capability catalog_capability(uint32_t index);
struct mtlcap_profile catalog_profile(uint32_t index);
struct mtlcap_hazard catalog_hazard(uint32_t index);

bool catalog_find_profile(const char *name, uint32_t *index);
bool catalog_find_hazard(const char *name, uint32_t *index);

/* What somebody may have meant; NULL: nothing is near. */
const char *catalog_near_profile(const char *name);
const char *catalog_near_hazard(const char *name);

/* A value for people: the library's text, and a size in bytes also in a larger unit. */
void catalog_value_text(const struct mtlcap_capability *capability,
                        const struct mtlcap_value *value, char *text, size_t size);

/* "16 GiB", "10.7 GiB", "512 bytes" */
void catalog_bytes_text(uint64_t bytes, char *text, size_t size);

#endif
