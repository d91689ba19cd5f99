/* What system and reference share, as ROUGE-1.5.5 counts it: words, n-grams and skip-bigrams.
 *
 * A shared gram consists of shared words, so that only those are looked at, and each gram counts as
 * often as both texts have it.
 */
#include "_kernel_count.h"

#include <string.h>

void work_free(Work *work)
{
    SharedWords *ours = &work->our_shared, *theirs = &work->their_shared;
    void *arrays[] = {
        work->type_of, work->word_of, work->supply, work->demand, work->used, work->ours,
        work->our_lines, work->theirs, work->their_lines, work->rank, ours->places, ours->ranks,
        ours->grams, ours->links, ours->heads, theirs->places, theirs->ranks, theirs->grams,
        theirs->links, theirs->heads, work->map.cells, work->left, work->pairs, work->marks, work->masks, work->stops, work->flat, work->rows, work->columns, work->own,
        work->met, work->values, work->runs, work->moves,
    };
    for (size_t array = 0; array < sizeof arrays / sizeof *arrays; array++)
        free(arrays[array]);
    memset(work, 0, sizeof *work);
}

int work_need_words(Work *work, size_t count)
{
    size_t room = work->type_of_room;
    if (room < count && !room) {
        /* Fresh memory is zero, and takes room only where it is used. */
        work->type_of = calloc(count, sizeof *work->type_of);
        work->type_of_room = work->type_of ? count : 0;
        return work->type_of != NULL;
    }
    if (!NEED(work->type_of, work->type_of_room, count))
        return 0;
    memset(work->type_of + room, 0, (work->type_of_room - room) * sizeof *work->type_of);
    return 1;
}

/* The type of a word, or the number after the last one. */
static inline int32_t find_type(const Work *work, int32_t word)
{
    int32_t type = work->type_of[word];
    return type < work->types && work->word_of[type] == word ? type : work->types;
}

void forget_system(Work *work)
{
    work->system_known = 0;
}

static int32_t add_type(Work *work, int32_t word)
{
    int32_t type = find_type(work, word);
    if (type == work->types) {
        work->type_of[word] = type;
        work->word_of[type] = word;
        work->supply[type] = 0;
        work->types++;
    }
    return type;
}

static int know_system(Work *work, const Text *system)
{
    size_t lines = line_words(system), most = system->count + lines + 1;
    const int32_t *line = system->lines + system->bounds[0];
    int same = line == system->words && lines == system->count;
    if (!NEED(work->word_of, work->word_of_room, most) ||
        !NEED(work->supply, work->supply_room, most) ||
        !NEED(work->ours, work->ours_room, system->count + 1) ||
        !NEED(work->our_lines, work->our_lines_room, same ? 1 : lines + 1))
        return 0;
    work->types = 0;
    for (size_t place = 0; place < system->count; place++) {
        int32_t type = add_type(work, system->words[place]);
        work->supply[type]++;
        work->ours[place] = type;
    }
    for (size_t place = 0; place < lines && !same; place++)
        work->our_lines[place] = add_type(work, line[place]);
    work->our_sequence = same ? work->ours : work->our_lines;
    work->supply[work->types] = 0;
    work->system_known = 1;
    return 1;
}

static int know_reference(Work *work, const Text *reference)
{
    size_t lines = line_words(reference);
    const int32_t *line = reference->lines + reference->bounds[0];
    int same = line == reference->words && lines == reference->count;
    int64_t hits = 0;
    if (!NEED(work->theirs, work->theirs_room, reference->count + 1) ||
        !NEED(work->their_lines, work->their_lines_room, same ? 1 : lines + 1) ||
        !NEED(work->demand, work->demand_room, (size_t)work->types + 1))
        return 0;
    memset(work->demand, 0, ((size_t)work->types + 1) * sizeof *work->demand);
    for (size_t place = 0; place < reference->count; place++) {
        int32_t type = find_type(work, reference->words[place]);
        work->theirs[place] = type;
        hits += work->demand[type]++ < work->supply[type];
    }
    for (size_t place = 0; place < lines && !same; place++)
        work->their_lines[place] = find_type(work, line[place]);
    work->their_sequence = same ? work->theirs : work->their_lines;
    work->word_hits = hits;
    /* Words that the system lacks are no demand of it. */
    work->demand[work->types] = 0;
    return 1;
}

/* ---- grams ---------------------------------------------------------------------------------- */

static uint64_t joined(int32_t one, int32_t other)
{
    return (uint64_t)(uint32_t)one << 32 | (uint32_t)other;
}

/* Words of a text that both texts have. */
static int list_shared(const Work *work, const int32_t *types, size_t count, SharedWords *shared)
{
    if (!NEED(shared->places, shared->places_room, count + 1) ||
        !NEED(shared->ranks, shared->ranks_room, count + 1) ||
        !NEED(shared->grams, shared->grams_room, count + 1))
        return 0;
    size_t kept = 0;
    for (size_t place = 0; place < count; place++) {
        int32_t rank = work->rank[types[place]];
        shared->places[kept] = (int32_t)place;
        shared->ranks[kept] = rank;
        kept += rank >= 0;
    }
    shared->count = kept;
    return 1;
}

static int know_shared(Work *work, const Text *system, const Text *reference)
{
    if (!NEED(work->rank, work->rank_room, (size_t)work->types + 1))
        return 0;
    int32_t ranks = 0;
    for (int32_t type = 0; type <= work->types; type++) {
        int both = (work->demand[type] > 0) & (work->supply[type] > 0);
        work->rank[type] = both ? ranks : -1;
        ranks += both;
    }
    work->ranks = ranks;
    return list_shared(work, work->ours, system->count, &work->our_shared) &&
           list_shared(work, work->theirs, reference->count, &work->their_shared);
}

/* ---- pairs of words ------------------------------------------------------------------------- */

#define DENSE 256 /* shared words up to which all pairs of them have a table */

size_t reach_of(size_t count, int64_t gap)
{
    size_t most = count ? count - 1 : 0;
    return gap < 0 || (uint64_t)gap >= most ? most : (size_t)gap + 1;
}

enum { ADD, TAKE, CLEAR };

/* Go through the pairs of a word with those from `first` on before it: add them to what the reference
 * has left, take them from there and count hits, or forget them. */
static inline int64_t go_through_pairs(const SharedWords *shared, size_t first, size_t last,
                                       int64_t *left, int what)
{
    int64_t hits = 0;
    for (size_t one = first; one < last; one++) {
        int64_t *here = &left[shared->ranks[one]];
        int hit = what == TAKE && *here > 0;
        *here = what == CLEAR ? 0 : *here + (what == ADD) - hit;
        hits += hit;
    }
    return hits;
}

/* Go through the pairs of all words, for which `pairs` is a table by the last word and the other. */
static inline int64_t go_through_table(Work *work, const SharedWords *shared, size_t reach, int what)
{
    int64_t hits = 0;
    for (size_t last = 0, first = 0; last < shared->count; last++) {
        while ((size_t)(shared->places[last] - shared->places[first]) > reach)
            first++;
        int64_t *left = work->pairs + shared->ranks[last] * work->ranks;
        hits += go_through_pairs(shared, first, last, left, what);
    }
    return hits;
}

/* Find for each word the first one before it that is within reach, and chain the words of each
 * rank, the last one first. */
static int chain_words(SharedWords *shared, int32_t ranks, size_t reach)
{
    if (!NEED(shared->heads, shared->heads_room, (size_t)ranks + 1) ||
        !NEED(shared->links, shared->links_room, shared->count + 1))
        return 0;
    for (int32_t rank = 0; rank < ranks; rank++)
        shared->heads[rank] = -1;
    for (size_t last = 0, first = 0; last < shared->count; last++) {
        while ((size_t)(shared->places[last] - shared->places[first]) > reach)
            first++;
        shared->grams[last] = (int32_t)first;
        shared->links[last] = shared->heads[shared->ranks[last]];
        shared->heads[shared->ranks[last]] = (int32_t)last;
    }
    return 1;
}

/* Go through the pairs of one word, for which `pairs` is a table by the other word. */
static inline int64_t go_through_chain(Work *work, const SharedWords *shared, int32_t rank, int what)
{
    int64_t hits = 0;
    for (int32_t last = shared->heads[rank]; last >= 0; last = shared->links[last])
        hits += go_through_pairs(shared, (size_t)shared->grams[last], (size_t)last, work->pairs, what);
    return hits;
}

/* Hits of ordered pairs of words that are within reach of each other in both texts; -1 when there is
 * no memory. Few words have a table of all pairs. Of many, one word after the other is taken as the
 * last of its pairs, so that memory grows with the words and not with the pairs. */
static int64_t pair_hits(Work *work, size_t our_reach, size_t their_reach)
{
    SharedWords *ours = &work->our_shared, *theirs = &work->their_shared;
    size_t cells = (size_t)work->ranks;
    int dense = work->ranks <= DENSE;
    int64_t hits = 0;
    cells *= dense ? cells : 1;
    if (!NEED(work->pairs, work->pairs_room, cells + 1))
        return -1;
    memset(work->pairs, 0, cells * sizeof *work->pairs);
    if (dense) {
        go_through_table(work, theirs, their_reach, ADD);
        return go_through_table(work, ours, our_reach, TAKE);
    }
    if (!chain_words(ours, work->ranks, our_reach) ||
        !chain_words(theirs, work->ranks, their_reach))
        return -1;
    for (int32_t rank = 0; rank < work->ranks; rank++) {
        go_through_chain(work, theirs, rank, ADD);
        hits += go_through_chain(work, ours, rank, TAKE);
        go_through_chain(work, theirs, rank, CLEAR);
    }
    return hits;
}

/* ---- grams of more words -------------------------------------------------------------------- */

/* Go from the grams of n - 1 words to those of n that start at each shared word: the gram without
 * its last word and that word make a key. Grams of the reference are numbered and counted in `left`;
 * those of the system are looked up there, and taken from it. A gram that is not shared is -1. */
static int64_t go_through_grams(Work *work, SharedWords *shared, size_t n, int take)
{
    int32_t grams = 0;
    int64_t hits = 0;
    for (size_t place = 0; place < shared->count; place++) {
        size_t last = place + n - 1;
        int32_t gram = n == 2 ? shared->ranks[place] : shared->grams[place];
        if (gram >= 0 && last < shared->count &&
            shared->places[last] - shared->places[place] == (int32_t)(n - 1)) {
            uint64_t key = joined(gram, shared->ranks[last]);
            Cell *cell = map_find(&work->map, key);
            if (!take && cell->value < 0) {
                *cell = (Cell){key, grams};
                work->left[grams++] = 0;
            }
            gram = cell->value;
        } else {
            gram = -1;
        }
        shared->grams[place] = gram;
        if (gram >= 0 && take && work->left[gram]) {
            work->left[gram]--;
            hits++;
        } else if (gram >= 0 && !take) {
            work->left[gram]++;
        }
    }
    return hits;
}

/* Hits of all kinds of grams. Longer ones are counted while shorter ones are shared. */
static int gram_hits(Work *work, const Kind *kinds, size_t count, double *hits, size_t stride)
{
    int64_t largest = 0, found = work->word_hits;
    for (size_t k = 0; k < count; k++)
        if (kinds[k].what == GRAMS) {
            largest = kinds[k].n > largest ? kinds[k].n : largest;
            hits[k * stride] = 0;
        }
    for (int64_t n = 1; n <= largest && found; n++) {
        size_t most = work->their_shared.count;
        if (n == 2 && largest == 2) {
            found = pair_hits(work, 1, 1);
            if (found < 0)
                return 0;
        } else if (n > 1) {
            if (!map_reset(&work->map, most) || !NEED(work->left, work->left_room, most + 1))
                return 0;
            go_through_grams(work, &work->their_shared, (size_t)n, 0);
            found = go_through_grams(work, &work->our_shared, (size_t)n, 1);
        }
        for (size_t k = 0; k < count; k++)
            if (kinds[k].what == GRAMS && kinds[k].n == n)
                hits[k * stride] = (double)found;
    }
    return 1;
}

/* Hits of single words where neither text's last word counts. */
static int64_t but_last_hits(const Work *work, const Text *system, const Text *reference)
{
    int64_t hits = work->word_hits;
    if (!system->count || !reference->count)
        return hits;
    int32_t ends[2] = {work->ours[system->count - 1], work->theirs[reference->count - 1]};
    for (int end = 0; end < 2; end++) {
        int32_t type = ends[end];
        if (type == work->types || (end && type == ends[0]))
            continue;
        int32_t ours = work->supply[type], theirs = work->demand[type];
        int32_t fewer_ours = ours - (type == ends[0]), fewer_theirs = theirs - (type == ends[1]);
        if (theirs)
            hits += (fewer_ours < fewer_theirs ? fewer_ours : fewer_theirs) -
                    (ours < theirs ? ours : theirs);
    }
    return hits;
}

/* ---- pairs of texts ------------------------------------------------------------------------- */

/* Whether more than single words and sequences are counted. */
static int needs_shared(const Kind *kinds, size_t count)
{
    int needed = 0;
    for (size_t k = 0; k < count; k++)
        needed |= kinds[k].what == SKIP_GRAMS || (kinds[k].what == GRAMS && kinds[k].n > 1);
    return needed;
}

/* Whether two texts have the same words in the same sentences, and sentences make up the text. */
static int is_same_text(const Text *one, const Text *other)
{
    const Text *both[2] = {one, other};
    if (one->count != other->count || one->sentences != other->sentences)
        return 0;
    for (int t = 0; t < 2; t++)
        if (both[t]->lines + both[t]->bounds[0] != both[t]->words ||
            line_words(both[t]) != both[t]->count)
            return 0;
    for (size_t s = 1; s <= one->sentences; s++)
        if (one->bounds[s] - one->bounds[0] != other->bounds[s] - other->bounds[0])
            return 0;
    return !memcmp(one->words, other->words, one->count * sizeof *one->words);
}

/* A text hits all of itself, every sentence as one run. */
static double hits_of_itself(const Kind *kind, const Text *text)
{
    double total = 0;
    if (kind->what != WEIGHTED)
        return size_of(kind, text, 1);
    for (size_t s = 0; s < text->sentences; s++)
        if (text->bounds[s + 1] > text->bounds[s])
            total += kind->weights[text->bounds[s + 1] - text->bounds[s]];
    return total;
}

int count_pair(Work *work, const Text *system, const Text *reference, const Kind *kinds,
               size_t count, double *hits, size_t stride)
{
    int64_t pairs = 0;
    if (is_same_text(system, reference)) {
        for (size_t k = 0; k < count; k++)
            hits[k * stride] = hits_of_itself(&kinds[k], reference);
        return 1;
    }
    if ((!work->system_known && !know_system(work, system)) || !know_reference(work, reference) ||
        (needs_shared(kinds, count) && !know_shared(work, system, reference)) ||
        !gram_hits(work, kinds, count, hits, stride))
        return 0;
    for (size_t k = 0; k < count; k++) {
        const Kind *kind = &kinds[k];
        double *out = hits + k * stride;
        int done = 1;
        switch (kind->what) {
        case GRAMS:
            break;
        case SKIP_GRAMS:
            pairs = pair_hits(work, reach_of(system->count, kind->n),
                              reach_of(reference->count, kind->n));
            done = pairs >= 0;
            pairs += kind->unigrams ? but_last_hits(work, system, reference) : 0;
            *out = (double)pairs;
            break;
        case SUBSEQUENCE:
            done = subsequence_hits(work, system, reference, out);
            break;
        default:
            done = weighted_hits(work, system, reference, kind->weights, out);
        }
        if (!done)
            return 0;
    }
    return 1;
}

double size_of(const Kind *kind, const Text *text, int reference)
{
    size_t count = text->count, n = (size_t)kind->n;
    double total = 0;
    switch (kind->what) {
    case GRAMS:
        return count >= n ? (double)(count - n + 1) : 0;
    case SKIP_GRAMS: {
        size_t reach = reach_of(count, kind->n);
        size_t pairs = reach * count - reach * (reach + 1) / 2;
        return (double)(pairs + (kind->unigrams && count ? count - 1 : 0));
    }
    case SUBSEQUENCE:
        return reference ? (double)line_words(text) : (double)count;
    default:
        for (size_t s = 0; s < text->sentences && reference; s++)
            total += kind->weights[text->bounds[s + 1] - text->bounds[s]];
        return reference ? total : (double)count;
    }
}
