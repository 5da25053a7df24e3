/* Room for the table of a trace, in memory or in a file. */
#ifndef MTLCAP_CORE_TRACE_ROOM_H
#define MTLCAP_CORE_TRACE_ROOM_H

#include <stdbool.h>
#include <stddef.h>

/* A file in the making; path NULL: none. */
struct mtlcap__trace_file {
    char *path, *temporary;
};

/*
 * Fresh zero pages for a table of `size` bytes, at most that of the largest. There are two rooms,
 * of number 0 and 1; what was in the room before is gone, and who still writes to it does no harm:
 * a room stays mapped for ever. NULL: E_NO_MEMORY.
 */
void *mtlcap__trace_room(unsigned number, size_t size);

/*
 * Puts a new file in the place of a room's pages. Its blocks are there: a disk that is full later
 * harms nobody. E_FILE, E_NO_MEMORY: the room is as it was.
 */
int mtlcap__trace_room_map(void *room, size_t size, const char *path,
                           struct mtlcap__trace_file *file);

/* Gives it its name, now that a reader may see it, and forgets it. E_FILE, also: another process
 * has that name meanwhile. */
int mtlcap__trace_file_show(struct mtlcap__trace_file *file);

#endif
