/* Common subsequences of sentences, longest and weighted, as ROUGE-1.5.5 finds them. */
#include "_kernel_count.h"

#include <string.h>

#include "_kernel_bits.h"

/* ---- longest common subsequences ------------------------------------------------------------
 *
 * The table of a reference sentence (rows) and a system sentence (columns) is filled row by row;
 * a row is a bit for each system word, set where the value does not rise from the word before
 * (Hyyro's recurrence). Perl walks back from the last cell: diagonally on a match, else up where
 * that cell is no smaller, else left. Say the walk is at system word j and looks at reference
 * word i: if i matches j, or the row of i is larger at j than the row before it, then i is
 * marked, and the walk goes on below the last match of i that is not above j; otherwise i is
 * passed over. Rows without a match change nothing and are left out. */

/* Several short sentences side by side in one machine word, a zero bit after each. */
typedef struct {
    uint64_t inside, guards, ends; /* all places, those after sentences, the last of each sentence */
    unsigned char start_of[64];    /* by place: where its sentence starts */
} Lanes;

static void mark_narrow(Work *work, const int32_t *types, size_t count, const Lanes *lanes,
                        unsigned char *marks)
{
    uint64_t inside = lanes->inside, guards = lanes->guards, flat = inside;
    size_t rows = 0;
    for (size_t place = 0; place < count; place++) {
        /* Without a match nothing changes, and the row is written over by the next. */
        uint64_t match = work->masks[types[place]], before = flat;
        flat = (((flat + (flat & match)) | (flat & ~match)) & inside);
        /* A guard lends where a sentence's last places are larger than before. */
        work->stops[rows] = (((flat | guards) - before) & inside) | match;
        work->rows[rows] = (int32_t)place;
        rows += match != 0;
    }
    /* All sentences are walked through at once; a bit stands where each walk is. */
    for (uint64_t walks = lanes->ends; rows-- && walks;) {
        uint64_t stopped = work->stops[rows] & walks;
        if (!stopped)
            continue;
        int32_t place = work->rows[rows];
        uint64_t match = work->masks[types[place]];
        marks[place] = 1;
        walks ^= stopped;
        for (; stopped; stopped &= stopped - 1) {
            int column = lowest_bit(stopped), start = lanes->start_of[column];
            uint64_t below = match & (~0ULL << start) & (~0ULL >> (63 - column));
            int top = below ? top_bit(below) : start;
            walks |= top > start ? 1ULL << (top - 1) : 0;
        }
    }
}

/* One long sentence of the system; `sentence` is its number. */
static void mark_wide(Work *work, const int32_t *types, size_t count, size_t width,
                      int32_t sentence, unsigned char *marks)
{
    size_t limbs = (width + 63) / 64, rows = 0;
    uint64_t last = width % 64 ? (1ULL << width % 64) - 1 : ~0ULL, *flat = work->flat;
    memset(flat, 0xff, limbs * sizeof *flat);
    flat[limbs - 1] = last;
    for (size_t place = 0; place < count; place++) {
        if (work->own[types[place]] != sentence)
            continue;
        const uint64_t *match = work->masks + (size_t)work->columns[types[place]] * limbs;
        uint64_t *stop = work->stops + rows * limbs, carry = 0, borrow = 0;
        for (size_t limb = 0; limb < limbs; limb++) {
            uint64_t before = flat[limb], moved = before & match[limb];
            uint64_t sum = before + moved, full = sum + carry;
            carry = (sum < before) | (full < sum);
            uint64_t row = full | (before & ~match[limb]);
            if (limb == limbs - 1)
                row &= last;
            uint64_t gain = row - before, rest = gain - borrow;
            borrow = (row < before) | (gain < borrow);
            stop[limb] = rest | match[limb];
            flat[limb] = row;
        }
        stop[limbs - 1] &= last;
        work->rows[rows++] = (int32_t)place;
    }
    int64_t column = (int64_t)width - 1;
    while (rows-- && column >= 0) {
        if (!(work->stops[rows * limbs + (size_t)column / 64] >> column % 64 & 1))
            continue;
        int32_t place = work->rows[rows];
        marks[place] = 1;
        const uint64_t *match = work->masks + (size_t)work->columns[types[place]] * limbs;
        int64_t limb = column / 64;
        uint64_t below = match[limb] & (~0ULL >> (63 - column % 64));
        while (!below && limb > 0)
            below = match[--limb];
        column = below ? limb * 64 + top_bit(below) - 1 : -1;
    }
}

/* Masks of one machine word for each type, none of which stands anywhere. */
static int clear_masks(Work *work)
{
    size_t types = (size_t)work->types + 1;
    if (!NEED(work->masks, work->masks_room, types))
        return 0;
    memset(work->masks, 0, types * sizeof *work->masks);
    return 1;
}

/* Mark the words of the reference's lines that lie on a common subsequence with this sentence. */
static int mark_by_long(Work *work, const Text *system, const Text *reference, size_t s)
{
    size_t start = (size_t)(system->bounds[s] - system->bounds[0]);
    size_t width = (size_t)(system->bounds[s + 1] - system->bounds[s]), limbs = (width + 63) / 64;
    size_t lines = line_words(reference), types = (size_t)work->types + 1, masks = 0;
    const int32_t *ours = work->our_sequence + start;
    if (!NEED(work->masks, work->masks_room, width * limbs) ||
        !NEED(work->flat, work->flat_room, limbs) ||
        !NEED(work->stops, work->stops_room, (lines + 1) * limbs) ||
        !NEED(work->own, work->own_room, types) || !NEED(work->columns, work->columns_room, types))
        return 0;
    memset(work->own, 0xff, types * sizeof *work->own);
    for (size_t place = 0; place < width; place++) {
        int32_t type = ours[place];
        if (work->own[type] != (int32_t)s) {
            work->own[type] = (int32_t)s;
            work->columns[type] = (int32_t)masks;
            memset(work->masks + masks++ * limbs, 0, limbs * sizeof *work->masks);
        }
        work->masks[(size_t)work->columns[type] * limbs + place / 64] |= 1ULL << place % 64;
    }
    for (size_t r = 0; r < reference->sentences; r++) {
        size_t first = (size_t)(reference->bounds[r] - reference->bounds[0]);
        size_t count = (size_t)(reference->bounds[r + 1] - reference->bounds[r]);
        mark_wide(work, work->their_sequence + first, count, width, (int32_t)s, work->marks + first);
    }
    return clear_masks(work);
}

/* The same for as many sentences from s on as one machine word holds; gives how many, 0 where the
 * first is too long, -1 when there is no memory. Masks are clear before and after it. */
static int64_t mark_by_short(Work *work, const Text *system, const Text *reference, size_t s)
{
    size_t lines = line_words(reference), next = s;
    Lanes lanes;
    lanes.inside = lanes.guards = lanes.ends = 0;
    if (!NEED(work->stops, work->stops_room, lines + 1))
        return -1;
    for (size_t width = 0; next < system->sentences; next++) {
        size_t length = (size_t)(system->bounds[next + 1] - system->bounds[next]);
        const int32_t *ours = work->our_sequence + (system->bounds[next] - system->bounds[0]);
        if (width + length > 64)
            break;
        if (!length)
            continue;
        for (size_t place = 0; place < length; place++)
            work->masks[ours[place]] |= 1ULL << (width + place);
        memset(lanes.start_of + width, (int)width, length);
        lanes.inside |= (~0ULL >> (64 - length)) << width;
        lanes.ends |= 1ULL << (width + length - 1);
        if (width + length < 64)
            lanes.guards |= 1ULL << (width + length);
        width += length + 1;
    }
    for (size_t r = 0; r < reference->sentences && lanes.inside; r++) {
        size_t first = (size_t)(reference->bounds[r] - reference->bounds[0]);
        size_t count = (size_t)(reference->bounds[r + 1] - reference->bounds[r]);
        mark_narrow(work, work->their_sequence + first, count, &lanes, work->marks + first);
    }
    for (int64_t place = system->bounds[s]; place < system->bounds[next]; place++)
        work->masks[work->our_sequence[place - system->bounds[0]]] = 0;
    return (int64_t)(next - s);
}

/* Take a marked word if both texts still have it; 1 if they do. */
static inline int use_word(Work *work, int32_t type, int marked)
{
    int used = work->used[type];
    int usable = marked & (used < work->demand[type]) & (used < work->supply[type]);
    work->used[type] += usable;
    return usable;
}

/* Room for marks and for how often words are used, all 0. */
static int begin_marks(Work *work, const Text *system, const Text *reference)
{
    size_t lines = line_words(reference), types = (size_t)work->types + 1;
    if (!NEED(work->marks, work->marks_room, lines + 1) ||
        !NEED(work->rows, work->rows_room, lines + 1) ||
        !NEED(work->used, work->used_room, types) || system->sentences > INT32_MAX)
        return 0;
    memset(work->marks, 0, lines);
    memset(work->used, 0, types * sizeof *work->used);
    return 1;
}

int subsequence_hits(Work *work, const Text *system, const Text *reference, double *hits)
{
    size_t lines = line_words(reference);
    if (!begin_marks(work, system, reference) || !clear_masks(work))
        return 0;
    for (size_t s = 0; s < system->sentences;) {
        int64_t several = mark_by_short(work, system, reference, s);
        if (several < 0 || (!several && !mark_by_long(work, system, reference, s)))
            return 0;
        s += several ? (size_t)several : 1;
    }
    int64_t marked = 0;
    for (size_t place = 0; place < lines; place++)
        marked += use_word(work, work->their_sequence[place], work->marks[place]);
    *hits = (double)marked;
    return 1;
}

/* ---- weighted common subsequences ----------------------------------------------------------- */

enum { DIAGONAL, UP, LEFT };

/* Places of words that are `known` by this stamp, and one place for each run of others: without
 * a match a row or column of the table only evens out the one before, and a second changes
 * nothing. Tells whether there is a match. */
static int thin(const int32_t *types, size_t count, const int32_t *known, int32_t stamp,
                int32_t *places, size_t *kept)
{
    int matching = 1, some = 0;
    size_t held = 0;
    for (size_t place = 0; place < count; place++) {
        int matched = known[types[place]] == stamp;
        places[held] = (int32_t)place;
        held += (size_t)(matched | matching);
        matching = matched;
        some |= matched;
    }
    *kept = held;
    return some;
}

/* Mark the reference's words on the heavy common subsequence that Perl's walk finds. The columns
 * are types of the system's words. */
static int mark_weighted_pair(Work *work, const int32_t *theirs, size_t rows, size_t width,
                              const double *weights, unsigned char *marks)
{
    if (!NEED(work->values, work->values_room, width + 1) ||
        !NEED(work->runs, work->runs_room, width + 1) ||
        !NEED(work->moves, work->moves_room, rows * width + 1))
        return 0;
    double *values = work->values;
    int32_t *runs = work->runs;
    const int32_t *columns = work->columns;
    for (size_t column = 0; column <= width; column++) {
        values[column] = 0;
        runs[column] = 0;
    }
    for (size_t row = 0; row < rows; row++) {
        int32_t type = theirs[work->rows[row]], run_before = 0;
        double left = 0, diagonal = 0;
        unsigned char *moves = work->moves + row * width;
        for (size_t column = 0; column < width; column++) {
            double up = values[column + 1];
            int32_t run_up = runs[column + 1];
            if (type == columns[column]) {
                left = diagonal + weights[run_before + 1] - weights[run_before];
                runs[column + 1] = run_before + 1;
                moves[column] = DIAGONAL;
            } else {
                runs[column + 1] = 0;
                moves[column] = up >= left ? UP : LEFT;
                left = up >= left ? up : left;
            }
            values[column + 1] = left;
            diagonal = up;
            run_before = run_up;
        }
    }
    size_t row = rows, column = width;
    while (row && column) {
        unsigned char move = work->moves[(row - 1) * width + column - 1];
        if (move == DIAGONAL)
            marks[work->rows[row - 1]] = 1;
        row -= move != LEFT;
        column -= move != UP;
    }
    return 1;
}

static int mark_weighted(Work *work, const Text *system, const Text *reference,
                         const double *weights)
{
    size_t own = line_words(system), types = (size_t)work->types + 1;
    if (!NEED(work->columns, work->columns_room, own + 1) ||
        !NEED(work->own, work->own_room, types) || !NEED(work->met, work->met_room, types))
        return 0;
    memset(work->own, 0xff, types * sizeof *work->own);
    memset(work->met, 0xff, types * sizeof *work->met);
    for (size_t s = 0; s < system->sentences; s++) {
        const int32_t *ours = work->our_sequence + (system->bounds[s] - system->bounds[0]);
        size_t width = (size_t)(system->bounds[s + 1] - system->bounds[s]);
        for (size_t place = 0; place < width; place++)
            work->own[ours[place]] = (int32_t)s;
        for (size_t r = 0; r < reference->sentences; r++) {
            size_t start = (size_t)(reference->bounds[r] - reference->bounds[0]);
            size_t count = (size_t)(reference->bounds[r + 1] - reference->bounds[r]);
            const int32_t *theirs = work->their_sequence + start;
            size_t rows, columns;
            if (!thin(theirs, count, work->own, (int32_t)s, work->rows, &rows))
                continue;
            for (size_t place = 0; place < count; place++)
                work->met[theirs[place]] = (int32_t)r;
            thin(ours, width, work->met, (int32_t)r, work->columns, &columns);
            for (size_t column = 0; column < columns; column++)
                work->columns[column] = ours[work->columns[column]];
            if (!mark_weighted_pair(work, theirs, rows, columns, weights, work->marks + start))
                return 0;
        }
    }
    return 1;
}

/* Add up the weights of runs of marked words. A word that is used up neither ends a run nor
 * breaks it; a run that is still open where the sentence ends is lost. */
int weighted_hits(Work *work, const Text *system, const Text *reference, const double *weights,
                  double *hits)
{
    *hits = 0;
    if (!begin_marks(work, system, reference) ||
        !mark_weighted(work, system, reference, weights))
        return 0;
    for (size_t r = 0; r < reference->sentences; r++) {
        size_t start = (size_t)(reference->bounds[r] - reference->bounds[0]);
        size_t stop = (size_t)(reference->bounds[r + 1] - reference->bounds[0]);
        int64_t run = 0;
        for (size_t place = start; place < stop; place++) {
            if (!use_word(work, work->their_sequence[place], work->marks[place]))
                continue;
            run++;
            if (place + 1 == stop || !work->marks[place + 1]) {
                *hits += weights[run];
                run = 0;
            }
        }
    }
    return 1;
}
