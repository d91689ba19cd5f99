/* What processors do with one instruction and C has no word for. */
#ifndef KERNEL_BITS_H
#define KERNEL_BITS_H
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)

#define PREFETCH(address) __builtin_prefetch(address)

/* The places of the lowest and the highest bit of a number that is not 0. */
static inline int lowest_bit(uint64_t bits)
{
    return __builtin_ctzll(bits);
}

static inline int top_bit(uint64_t bits)
{
    return 63 - __builtin_clzll(bits);
}

#else

#define PREFETCH(address) ((void)(address))

static inline int lowest_bit(uint64_t bits)
{
    int place = 0;
    for (; !(bits & 1); bits >>= 1)
        place++;
    return place;
}

static inline int top_bit(uint64_t bits)
{
    int place = -1;
    for (; bits; bits >>= 1)
        place++;
    return place;
}

#endif
#endif
