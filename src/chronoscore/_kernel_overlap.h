/* Words that the dates of outputs share with those of their references; see _kernel_overlap.c. */
#ifndef KERNEL_OVERLAP_H
#define KERNEL_OVERLAP_H
#include "_kernel_count.h"

/* A word in one text of a reference's date: whose, how often, and the posting before. */
typedef struct {
    int32_t owner, count, text, before;
} Posting;

/* The words of all references, and where each occurs. */
typedef struct {
    Map map;
    Posting *postings;
    int32_t *newest, *seen; /* by word: its newest posting; how often a day has had it so far */
    int32_t *found;         /* by place in a day: the word, or -1 */
    int32_t *row_of, *rows; /* by frequent word: how many texts of each date have it */
    size_t postings_room, newest_room, seen_room, found_room, row_of_room, rows_room;
    int32_t words, count;
} Index;

void index_free(Index *index);

/* Enter the texts of the references' dates; `owners` are the dates of which there are `dates`. 0 when
 * there is no memory. */
int index_texts(Index *index, const int32_t *words, const int64_t *bounds, const int64_t *texts,
                const int64_t *owners, size_t count, size_t dates);

/* Add what a day shares with each date of the references, each word at most as often as a text
 * of the date has it. */
int add_overlaps(Index *index, const int32_t *words, size_t count, size_t dates,
                 int32_t *overlaps);

#endif
