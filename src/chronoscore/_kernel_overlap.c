/* How many words each day of an output shares with each date of its references: all references are
 * entered into one index, which is then asked for the words of each day.
 */
#include "_kernel_overlap.h"

#include <string.h>

void index_free(Index *index)
{
    free(index->map.cells);
    free(index->postings);
    free(index->newest);
    free(index->seen);
    free(index->found);
    free(index->row_of);
    free(index->rows);
}

/* Give the words that many texts have a row over all dates: a row is added faster than it is
 * walked through. */
static int index_rows(Index *index, size_t dates)
{
    if (!NEED(index->row_of, index->row_of_room, (size_t)index->words + 1))
        return 0;
    size_t used = 0;
    for (int32_t word = 0; word < index->words; word++) {
        size_t several = 0;
        for (int32_t p = index->newest[word]; p >= 0; p = index->postings[p].before)
            several++;
        index->row_of[word] = -1;
        if (several * 8 < dates || used + dates > INT32_MAX)
            continue;
        if (!NEED(index->rows, index->rows_room, used + dates))
            return 0;
        memset(index->rows + used, 0, dates * sizeof *index->rows);
        for (int32_t p = index->newest[word]; p >= 0; p = index->postings[p].before)
            index->rows[used + (size_t)index->postings[p].owner]++;
        index->row_of[word] = (int32_t)used;
        used += dates;
    }
    return 1;
}

int index_texts(Index *index, const int32_t *words, const int64_t *bounds, const int64_t *texts,
                const int64_t *owners, size_t count, size_t dates)
{
    size_t total = 0;
    for (size_t t = 0; t < count; t++)
        total += (size_t)(bounds[texts[t] + 1] - bounds[texts[t]]);
    if (total > INT32_MAX || !map_reset(&index->map, total) ||
        !NEED(index->postings, index->postings_room, total + 1) ||
        !NEED(index->newest, index->newest_room, total + 1) ||
        !NEED(index->seen, index->seen_room, total + 1))
        return 0;
    index->words = index->count = 0;
    for (size_t t = 0; t < count; t++)
        for (int64_t place = bounds[texts[t]]; place < bounds[texts[t] + 1]; place++) {
            Cell *cell = map_find(&index->map, (uint32_t)words[place]);
            if (cell->value < 0) {
                cell->key = (uint32_t)words[place];
                cell->value = index->words++;
                index->newest[cell->value] = -1;
                index->seen[cell->value] = 0;
            }
            int32_t newest = index->newest[cell->value];
            if (newest >= 0 && index->postings[newest].text == (int32_t)t) {
                index->postings[newest].count++;
                continue;
            }
            index->postings[index->count] = (Posting){(int32_t)owners[t], 1, (int32_t)t, newest};
            index->newest[cell->value] = index->count++;
        }
    return index_rows(index, dates);
}

int add_overlaps(Index *index, const int32_t *words, size_t count, size_t dates,
                 int32_t *restrict overlaps)
{
    if (!NEED(index->found, index->found_room, count + 1))
        return 0;
    for (size_t place = 0; place < count; place++)
        index->found[place] = map_find(&index->map, (uint32_t)words[place])->value;
    for (size_t place = 0; place < count; place++) {
        int32_t word = index->found[place];
        if (word < 0)
            continue;
        int32_t times = ++index->seen[word];
        if (times == 1 && index->row_of[word] >= 0) {
            const int32_t *restrict row = index->rows + index->row_of[word];
            for (size_t date = 0; date < dates; date++)
                overlaps[date] += row[date];
            continue;
        }
        const Posting *postings = index->postings;
        for (int32_t p = index->newest[word]; p >= 0; p = postings[p].before)
            overlaps[postings[p].owner] += postings[p].count >= times;
    }
    for (size_t place = 0; place < count; place++)
        if (index->found[place] >= 0)
            index->seen[index->found[place]] = 0;
    return 1;
}
