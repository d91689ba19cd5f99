/* Alignment of dates by distance and shared words, as the package align/ defines it.
 *
 * A pair of dates costs (1 - 1/(d+1)) * (1 - F1). Costs are whole multiples of 2^-48, so that
 * sums are exact and a tie is a tie. One to one, the total cost is minimal; of equally cheap
 * assignments the smaller total distance wins, then the closer match of the ends of months and
 * years, and at last each date in turn takes the earliest partner it can. align/assignment.py,
 * align/ties.py and align/lexicographic.py say why this works; here everything is a dense
 * table, which is fastest for the some dozens of dates that timelines have.
 */
#include "_kernel_align.h"

#include <stdlib.h>
#include <string.h>

#define UNITS 281474976710656.0 /* 2^48 units are a cost of 1 */
#define EQUAL 281               /* units: costs closer than 1e-12 are equal */
#define NEAR 1024               /* days up to which the cost of a distance is looked up */
#define NOISE 1e-14             /* costs closer than this are equal where each takes its cheapest */

struct Aligner {
    size_t rows, columns; /* rows are the shorter side */
    int32_t *overlaps;    /* words that a system's and a reference's date share */
    size_t overlaps_room;
    double *prices; /* costs before rounding, a row for each date of the system */
    size_t prices_room;
    int64_t *costs; /* of the criterion that is being applied */
    size_t costs_room;
    unsigned char *edges; /* pairs that the best assignments so far are made of */
    size_t edges_room;
    /* By row. */
    int32_t *match, *saved; /* its column */
    int64_t *row_potential;
    /* By column; the pool of free columns is the one after the last. */
    int32_t *owner; /* its row, or -1 */
    int64_t *potential, *nearest;
    int32_t *came;
    unsigned char *done, *spare, *fixed; /* spare columns may be left free */
    int32_t *order, *lowest, *part, *path, *waiting, *next;
    void *by_row, *by_column;
    size_t by_row_room, by_column_room;
    double by_distance[NEAR];
};

static double date_cost(int64_t distance)
{
    return (double)distance / ((double)distance + 1.0);
}

Aligner *aligner_new(void)
{
    Aligner *a = calloc(1, sizeof(Aligner));
    for (int64_t distance = 0; a && distance < NEAR; distance++)
        a->by_distance[distance] = date_cost(distance);
    return a;
}

void aligner_free(Aligner *a)
{
    if (!a)
        return;
    free(a->overlaps);
    free(a->prices);
    free(a->costs);
    free(a->edges);
    free(a->by_row);
    free(a->by_column);
    free(a);
}

int32_t *aligner_overlaps(Aligner *a, size_t rows, size_t columns)
{
    size_t cells = rows * columns;
    if (!NEED(a->overlaps, a->overlaps_room, cells + 1) ||
        !NEED(a->prices, a->prices_room, cells + 1) || !NEED(a->costs, a->costs_room, cells + 1) ||
        !NEED(a->edges, a->edges_room, cells + 1))
        return NULL;
    memset(a->overlaps, 0, cells * sizeof *a->overlaps);
    return a->overlaps;
}

/* Cut one block of memory into the arrays of rows and one into those of columns. */
static int set_up(Aligner *a, size_t rows, size_t columns)
{
    size_t width = columns + 1;
    if (!grow(&a->by_row, &a->by_row_room, rows + 1, sizeof(int64_t) + 2 * sizeof(int32_t)) ||
        !grow(&a->by_column, &a->by_column_room, width, 2 * sizeof(int64_t) + 9 * sizeof(int32_t)))
        return 0;
    a->rows = rows;
    a->columns = columns;
    a->row_potential = a->by_row;
    a->match = (int32_t *)(a->row_potential + rows);
    a->saved = a->match + rows;
    a->potential = a->by_column;
    a->nearest = a->potential + width;
    a->owner = (int32_t *)(a->nearest + width);
    a->came = a->owner + width;
    a->order = a->came + width;
    a->lowest = a->order + width;
    a->part = a->lowest + width;
    a->path = a->part + width;
    a->waiting = a->path + width;
    a->next = a->waiting + width;
    a->done = (unsigned char *)(a->next + width);
    a->spare = a->done + width;
    a->fixed = a->spare + width;
    return 1;
}

/* ---- the cheapest assignment: shortest augmenting paths ------------------------------------ */

static void augment(Aligner *a, size_t row)
{
    size_t columns = a->columns;
    const int64_t *costs = a->costs + row * columns;
    for (size_t c = 0; c < columns; c++) {
        a->nearest[c] = costs[c] - a->row_potential[row] - a->potential[c];
        a->came[c] = (int32_t)row;
        a->done[c] = 0;
    }
    size_t sink;
    int64_t distance;
    for (;;) {
        sink = columns;
        for (size_t c = 0; c < columns; c++)
            if (!a->done[c] && (sink == columns || a->nearest[c] < a->nearest[sink]))
                sink = c;
        distance = a->nearest[sink];
        a->done[sink] = 1;
        if (a->owner[sink] < 0)
            break;
        size_t other = (size_t)a->owner[sink];
        const int64_t *further = a->costs + other * columns;
        int64_t lead = distance - a->row_potential[other];
        for (size_t c = 0; c < columns; c++) {
            int64_t way = lead + further[c] - a->potential[c];
            if (!a->done[c] && way < a->nearest[c]) {
                a->nearest[c] = way;
                a->came[c] = (int32_t)other;
            }
        }
    }
    for (size_t c = 0; c < columns; c++)
        if (a->done[c] && c != sink) {
            a->potential[c] += a->nearest[c] - distance;
            a->row_potential[a->owner[c]] += distance - a->nearest[c];
        }
    a->row_potential[row] += distance;
    for (size_t c = sink;;) {
        size_t mover = (size_t)a->came[c];
        int32_t left = a->match[mover];
        a->owner[c] = (int32_t)mover;
        a->match[mover] = (int32_t)c;
        if (mover == row)
            break;
        c = (size_t)left;
    }
}

/* Find a cheapest assignment. Free columns have the potential 0, all others at most 0. */
static void solve(Aligner *a)
{
    for (size_t c = 0; c < a->columns; c++) {
        a->potential[c] = 0;
        a->owner[c] = -1;
    }
    for (size_t row = 0; row < a->rows; row++) {
        const int64_t *costs = a->costs + row * a->columns;
        size_t cheapest = 0;
        for (size_t c = 1; c < a->columns; c++)
            if (costs[c] < costs[cheapest])
                cheapest = c;
        a->row_potential[row] = costs[cheapest];
        a->match[row] = a->owner[cheapest] < 0 ? (int32_t)cheapest : -1;
        if (a->match[row] >= 0)
            a->owner[cheapest] = (int32_t)row;
    }
    for (size_t row = 0; row < a->rows; row++)
        if (a->match[row] < 0)
            augment(a, row);
}

/* ---- all cheapest assignments: what lies on cycles without slack ----------------------------- */

/* The next node that an arc leads to, from `start` on; beyond the pool when there is none. */
static size_t next_node(const Aligner *a, size_t node, size_t start)
{
    size_t pool = a->columns;
    if (node == pool) {
        for (size_t c = start; c < pool; c++)
            if (a->spare[c])
                return c;
        return pool + 1;
    }
    if (a->owner[node] < 0)
        return start <= pool ? pool : pool + 1;
    const unsigned char *edges = a->edges + (size_t)a->owner[node] * pool;
    const unsigned char *edge = start < pool ? memchr(edges + start, 1, pool - start) : NULL;
    return edge ? (size_t)(edge - edges) : pool + 1;
}

/* Number the strong components of columns and pool (Tarjan, without recursion). */
static void find_components(Aligner *a)
{
    size_t nodes = a->columns + 1;
    int32_t visited = 0, parts = 0, *stack = a->path, *calls = a->waiting;
    size_t stacked = 0;
    for (size_t n = 0; n < nodes; n++)
        a->order[n] = a->part[n] = -1;
    for (size_t root = 0; root < nodes; root++) {
        if (a->order[root] >= 0)
            continue;
        size_t depth = 0;
        calls[depth++] = (int32_t)root;
        while (depth) {
            size_t node = (size_t)calls[depth - 1];
            if (a->order[node] < 0) {
                a->order[node] = a->lowest[node] = visited++;
                stack[stacked++] = (int32_t)node;
                a->next[node] = 0;
            }
            size_t there = next_node(a, node, (size_t)a->next[node]);
            if (there < nodes) {
                if (a->order[there] < 0) {
                    calls[depth++] = (int32_t)there; /* looked at again on return */
                    continue;
                }
                a->next[node] = (int32_t)there + 1;
                if (a->part[there] < 0 && a->lowest[there] < a->lowest[node])
                    a->lowest[node] = a->lowest[there];
                continue;
            }
            if (a->lowest[node] == a->order[node]) {
                int32_t member;
                do {
                    member = stack[--stacked];
                    a->part[member] = parts;
                } while (member != (int32_t)node);
                parts++;
            }
            depth--;
        }
    }
}

/* Keep the edges of cheapest assignments only; tell whether there is a choice left. */
static int narrow(Aligner *a, int64_t tolerance)
{
    size_t columns = a->columns;
    int choice = 0;
    for (size_t row = 0; row < a->rows; row++) {
        unsigned char *edges = a->edges + row * columns;
        const int64_t *costs = a->costs + row * columns;
        int64_t most = a->row_potential[row] + tolerance;
        size_t kept = 0;
        for (size_t c = 0; c < columns; c++) {
            edges[c] &= costs[c] - a->potential[c] <= most;
            kept += edges[c];
        }
        choice |= kept > 1; /* its own is one of them */
    }
    if (!choice)
        return 0;
    for (size_t c = 0; c < columns; c++)
        a->spare[c] = a->spare[c] && -a->potential[c] <= tolerance;
    find_components(a);
    choice = 0;
    for (size_t row = 0; row < a->rows; row++) {
        unsigned char *edges = a->edges + row * columns;
        int32_t part = a->part[a->match[row]];
        size_t kept = 0;
        for (size_t c = 0; c < columns; c++) {
            edges[c] &= a->part[c] == part;
            kept += edges[c];
        }
        choice |= kept > 1;
    }
    for (size_t c = 0; c < columns; c++)
        a->spare[c] = a->spare[c] && a->part[c] == a->part[columns];
    return choice;
}

static int64_t distance_of(const Dates *one, const Dates *other, size_t i, size_t j)
{
    int64_t after = other->first[j] - one->last[i], before = one->first[i] - other->last[j];
    int64_t gap = after > before ? after : before;
    return gap > 0 ? gap : 0;
}

static int64_t mismatch_of(const Dates *one, const Dates *other, size_t i, size_t j)
{
    int64_t first = other->first[j] - one->first[i], last = other->last[j] - one->last[i];
    return (first < 0 ? -first : first) + (last < 0 ? -last : last);
}

typedef int64_t (*Criterion)(const Dates *, const Dates *, size_t, size_t);

/* Choose by a further criterion among what is left; tell whether there is a choice still. */
static int settle_tie(Aligner *a, const Dates *one, const Dates *other, Criterion criterion)
{
    int64_t largest = 0;
    for (size_t row = 0; row < a->rows; row++)
        for (size_t c = 0; c < a->columns; c++) {
            int64_t *cost = &a->costs[row * a->columns + c];
            *cost = a->edges[row * a->columns + c] ? criterion(one, other, row, c) : -1;
            largest = *cost > largest ? *cost : largest;
        }
    /* A column that must not stay free is worth more than all costs together, and what is no
     * choice costs more than that. */
    int64_t bound = (largest + 1) * (int64_t)a->rows;
    int64_t forbidden = 2 * (bound + largest + 1) * (int64_t)(a->rows + 1);
    for (size_t row = 0; row < a->rows; row++)
        for (size_t c = 0; c < a->columns; c++) {
            int64_t *cost = &a->costs[row * a->columns + c];
            *cost = *cost < 0 ? forbidden : *cost - (a->spare[c] ? 0 : bound);
        }
    solve(a);
    return narrow(a, 0);
}

/* ---- the last criterion: date by date, the earliest that is still to be had -------------------- */

/* A way from one node to another past what is fixed: its length, or 0; it is in a->path. */
static size_t find_path(Aligner *a, size_t start, size_t end)
{
    size_t pool = a->columns, first = 0, last = 0;
    for (size_t n = 0; n <= pool; n++)
        a->came[n] = -1;
    a->came[start] = (int32_t)start;
    a->waiting[last++] = (int32_t)start;
    while (first < last) {
        size_t node = (size_t)a->waiting[first++];
        if (node == end) {
            size_t length = 1;
            for (size_t n = node; n != start; n = (size_t)a->came[n])
                length++;
            size_t place = length;
            for (size_t n = node;; n = (size_t)a->came[n]) {
                a->path[--place] = (int32_t)n;
                if (n == start)
                    return length;
            }
        }
        for (size_t n = next_node(a, node, 0); n <= pool; n = next_node(a, node, n + 1)) {
            if (a->came[n] >= 0 || (n < pool && a->fixed[n]) ||
                (node == pool && a->owner[n] < 0))
                continue;
            a->came[n] = (int32_t)node;
            a->waiting[last++] = (int32_t)n;
        }
    }
    return 0;
}

/* Let the owner of each column along the path move to the next one. */
static void turn(Aligner *a, size_t length)
{
    int32_t mover = -1, pool = (int32_t)a->columns;
    for (size_t step = 0; step < length; step++) {
        int32_t here = a->path[step];
        if (here == pool) {
            mover = -1;
            continue;
        }
        int32_t next = a->owner[here];
        a->owner[here] = mover;
        if (mover >= 0)
            a->match[mover] = here;
        mover = next;
    }
}

/* Give a column to a row for good, if a best assignment does so. */
static int take(Aligner *a, size_t row, size_t column)
{
    if (a->fixed[column])
        return 0;
    if (a->match[row] != (int32_t)column) {
        /* The row's own column is where the cycle closes. */
        size_t own = (size_t)a->match[row];
        size_t length = a->fixed[own] ? 0 : find_path(a, column, own);
        if (!length)
            return 0;
        turn(a, length);
        a->owner[column] = (int32_t)row;
        a->match[row] = (int32_t)column;
    }
    a->fixed[column] = 1;
    return 1;
}

static void leave(Aligner *a, size_t column)
{
    if (a->owner[column] >= 0) {
        size_t length = a->spare[column] ? find_path(a, column, a->columns) : 0;
        if (!length)
            return;
        turn(a, length);
    }
    a->fixed[column] = 1;
}

/* Let each row in turn take the earliest column it can. */
static void settle_rows(Aligner *a)
{
    memset(a->fixed, 0, a->columns);
    for (size_t row = 0; row < a->rows; row++)
        for (size_t c = 0; c < a->columns; c++)
            if (a->edges[row * a->columns + c] && take(a, row, c))
                break;
}

/* Let each column in turn take the earliest row it can, rather than none. */
static void settle_columns(Aligner *a)
{
    memset(a->fixed, 0, a->columns);
    for (size_t c = 0; c < a->columns; c++) {
        size_t row = 0;
        while (row < a->rows && !(a->edges[row * a->columns + c] && take(a, row, c)))
            row++;
        if (row == a->rows)
            leave(a, c);
    }
}

/* ---- both ways of aligning --------------------------------------------------------------------- */

static int single(const Dates *dates)
{
    for (size_t d = 0; d < dates->count; d++)
        if (dates->first[d] != dates->last[d])
            return 0;
    return 1;
}

/* Pair one to one: `one` is the shorter side, or both are equally long. */
static int assign(Aligner *a, const Dates *one, const Dates *other, int64_t *forward,
                  int64_t *backward)
{
    size_t rows = one->count, columns = other->count;
    memset(a->edges, 1, rows * columns);
    memset(a->spare, rows < columns, columns);
    solve(a);
    int choice = narrow(a, EQUAL) && settle_tie(a, one, other, distance_of) &&
                 (single(one) && single(other) ? 1 : settle_tie(a, one, other, mismatch_of));
    memcpy(a->saved, a->match, rows * sizeof *a->match);
    if (choice)
        settle_rows(a);
    for (size_t row = 0; row < rows; row++)
        forward[row] = a->match[row];
    if (choice) {
        memcpy(a->match, a->saved, rows * sizeof *a->match);
        for (size_t c = 0; c < columns; c++)
            a->owner[c] = -1;
        for (size_t row = 0; row < rows; row++)
            a->owner[a->match[row]] = (int32_t)row;
        settle_columns(a);
    }
    for (size_t c = 0; c < columns; c++)
        backward[c] = -1;
    for (size_t row = 0; row < rows; row++)
        backward[a->match[row]] = (int64_t)row;
    return 1;
}

/* The cheapest date of each: of equally cheap ones the nearest, then the best match of the ends,
 * then the earliest; or at once the earliest. */
static void take_cheapest(const double *prices, size_t step, size_t stride, const Dates *one,
                          const Dates *other, int earliest, int64_t *partner)
{
    for (size_t i = 0; i < one->count; i++) {
        const double *price = prices + i * stride;
        double lowest = 2; /* more than any */
        for (size_t j = 0; j < other->count; j++)
            lowest = price[j * step] < lowest ? price[j * step] : lowest;
        int64_t best_gap = 0, best_ends = 0;
        partner[i] = -1;
        for (size_t j = 0; j < other->count; j++) {
            if (price[j * step] > lowest + NOISE)
                continue;
            int64_t gap = earliest ? 0 : distance_of(one, other, i, j);
            int64_t ends = earliest ? 0 : mismatch_of(one, other, i, j);
            if (partner[i] < 0 || gap < best_gap || (gap == best_gap && ends < best_ends)) {
                partner[i] = (int64_t)j;
                best_gap = gap;
                best_ends = ends;
            }
        }
    }
}

/* The nearest number of units, the even one of two: what is added leaves no bits for halves. */
static int64_t round_cost(double price)
{
    const double whole = 6755399441055744.0; /* 1.5 * 2^52 */
    return (int64_t)(price * UNITS + whole - whole);
}

int align_dates(Aligner *a, const Dates *system, const Dates *reference, const double *offered,
                const double *wanted, Rule rule, int64_t *forward, int64_t *backward)
{
    size_t ours = system->count, theirs = reference->count;
    int turned = ours > theirs, shared = 0;
    if (!ours || !theirs) {
        for (size_t i = 0; i < ours; i++)
            forward[i] = -1;
        for (size_t j = 0; j < theirs; j++)
            backward[j] = -1;
        return 1;
    }
    if (!set_up(a, turned ? theirs : ours, turned ? ours : theirs))
        return 0;
    for (size_t i = 0; i < ours; i++)
        for (size_t j = 0; j < theirs; j++) {
            int64_t gap = distance_of(system, reference, i, j);
            double price = gap < NEAR ? a->by_distance[gap] : date_cost(gap);
            int32_t overlap = offered ? a->overlaps[i * theirs + j] : 0;
            if (overlap) {
                double f1 = 2.0 * (double)overlap / (offered[i] + wanted[j]);
                price *= 1.0 - f1;
                shared = 1;
            }
            a->prices[i * theirs + j] = price;
        }
    if (rule.many) {
        int earliest = rule.earliest && shared;
        take_cheapest(a->prices, 1, theirs, system, reference, earliest, forward);
        take_cheapest(a->prices, theirs, 1, reference, system, earliest, backward);
        return 1;
    }
    for (size_t i = 0; i < ours; i++)
        for (size_t j = 0; j < theirs; j++)
            a->costs[turned ? j * ours + i : i * theirs + j] =
                round_cost(a->prices[i * theirs + j]);
    return turned ? assign(a, reference, system, backward, forward)
                  : assign(a, system, reference, forward, backward);
}
