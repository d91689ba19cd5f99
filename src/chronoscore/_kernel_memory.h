/* Arrays that grow. */
#ifndef KERNEL_MEMORY_H
#define KERNEL_MEMORY_H
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

/* Make room for `count` items of `size` bytes in *items; 0 when there is no memory for them. */
static inline int grow(void *items, size_t *room, size_t count, size_t size)
{
    void **where = items;
    if (count <= *room)
        return 1;
    size_t larger = *room < 32 ? 32 : *room;
    while (larger < count)
        larger += larger / 2 + 1;
    if (larger > SIZE_MAX / size)
        return 0;
    void *moved = realloc(*where, larger * size);
    if (!moved)
        return 0;
    *where = moved;
    *room = larger;
    return 1;
}

#define NEED(pointer, room, count) grow(&(pointer), &(room), (count), sizeof *(pointer))

/* Spreads the bits of a number over the upper bits of their product. */
#define SPREAD 0x9E3779B97F4A7C15ULL

#endif
