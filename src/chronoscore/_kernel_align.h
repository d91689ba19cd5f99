/* Aligning the dates of two timelines; see _kernel_align.c. */
#ifndef KERNEL_ALIGN_H
#define KERNEL_ALIGN_H
#include "_kernel_memory.h"

/* Dates in order of time, by the numbers of their first and last days. */
typedef struct {
    const int64_t *first, *last;
    size_t count;
} Dates;

typedef struct {
    int many;     /* each date takes its cheapest, or the dates are paired one to one */
    int earliest; /* many to one, a tie goes to the earliest date, however far it is */
} Rule;

typedef struct Aligner Aligner;

Aligner *aligner_new(void);
void aligner_free(Aligner *aligner);

/* Room for the overlaps of rows × columns dates, all of them 0; NULL when there is no memory. */
int32_t *aligner_overlaps(Aligner *aligner, size_t rows, size_t columns);

/* Align the dates of a system with those of its references: for each the number of its date on
 * the other side, or -1. `offered` and `wanted` are the words of each date, of which the
 * aligner's overlaps are shared; both are NULL where only the distance counts. */
int align_dates(Aligner *aligner, const Dates *system, const Dates *reference,
                const double *offered, const double *wanted, Rule rule, int64_t *forward,
                int64_t *backward);

#endif
