/* What two texts of numbered words share; see _kernel_count.c and _kernel_sequences.c. */
#ifndef KERNEL_COUNT_H
#define KERNEL_COUNT_H
#include "_kernel_memory.h"

#define LARGEST_GRAM INT32_MAX
#define MOST_WORDS ((int32_t)1 << 28) /* words are numbered below this */

/* ---- a table from numbers to numbers -------------------------------------------------------- */

typedef struct {
    uint64_t key;
    int32_t value; /* -1 in a free cell */
} Cell;

typedef struct {
    Cell *cells;
    size_t room;
    uint32_t bits;
} Map;

/* Empty the map and make room for `count` keys. */
static inline int map_reset(Map *map, size_t count)
{
    uint32_t bits = 4;
    while (((size_t)1 << bits) < 2 * count)
        bits++;
    if (!NEED(map->cells, map->room, (size_t)1 << bits))
        return 0;
    map->bits = bits;
    for (size_t place = 0; place < (size_t)1 << bits; place++)
        map->cells[place].value = -1;
    return 1;
}

static inline Cell *map_find(const Map *map, uint64_t key)
{
    size_t mask = ((size_t)1 << map->bits) - 1;
    size_t place = (size_t)((key * SPREAD) >> (64 - map->bits));
    while (map->cells[place].value >= 0 && map->cells[place].key != key)
        place = (place + 1) & mask;
    return &map->cells[place];
}

/* ---- texts and kinds ------------------------------------------------------------------------ */

enum { GRAMS, SKIP_GRAMS, SUBSEQUENCE, WEIGHTED };

typedef struct {
    int what;
    int64_t n;             /* words of a gram; words between the two of a skip-bigram */
    int unigrams;          /* single words count too */
    const double *weights; /* of runs of 0, 1, 2 … words */
    int64_t longest;       /* the longest run that has a weight */
} Kind;

/* A text as it is counted: `words` for measures of the whole text, `lines` with the bounds of
 * its sentences for those that match sentence with sentence. */
typedef struct {
    const int32_t *words;
    size_t count;
    const int32_t *lines;
    const int64_t *bounds; /* of sentences within `lines`; one more than there are */
    size_t sentences;
} Text;

static inline size_t line_words(const Text *text)
{
    return (size_t)(text->bounds[text->sentences] - text->bounds[0]);
}

/* ---- work ----------------------------------------------------------------------------------- */

/* The words of a text that the other text has too. */
typedef struct {
    int32_t *places, *ranks; /* where each is, which it is */
    int32_t *grams; /* the gram that starts with it; of pairs, the first one it makes a pair with */
    int32_t *links; /* the one before it that is the same word, or -1 */
    int32_t *heads; /* by rank: the last one, or -1 */
    size_t places_room, ranks_room, grams_room, links_room, heads_room, count;
} SharedWords;

/* All memory that counting needs, used again for every pair. The different words of the system's
 * text are its types, numbered from 0 on; a word of the reference that the system lacks has the
 * number after the last, for which every array by type has a place. */
typedef struct {
    int32_t *type_of; /* by word: its type, if that is a type of this word */
    size_t type_of_room;
    int32_t *word_of; /* by type: its word */
    size_t word_of_room;
    int32_t *supply;  /* by type: how often the system has it */
    size_t supply_room;
    int32_t *demand;  /* by type: how often the reference has it */
    size_t demand_room;
    int32_t *used;    /* by type: how often a marked word has counted */
    size_t used_room;
    int32_t types;
    int system_known; /* whether the arrays above are about the system at hand */
    int32_t *ours, *our_lines, *theirs, *their_lines; /* the texts as types */
    size_t ours_room, our_lines_room, theirs_room, their_lines_room;
    const int32_t *our_sequence, *their_sequence; /* lines as types; may be those of the text */
    int64_t word_hits;
    /* Grams and skip-bigrams. */
    int32_t *rank; /* by type: its number among those that both texts have, or -1 */
    size_t rank_room;
    int32_t ranks;
    SharedWords our_shared, their_shared;
    Map map;
    int32_t *left; /* by gram: how often the reference has it still */
    size_t left_room;
    int64_t *pairs; /* by pair of words, or by word: how often the reference has the pair still */
    size_t pairs_room;
    /* Common subsequences. */
    unsigned char *marks; /* by place in the reference's lines */
    size_t marks_room;
    uint64_t *masks;      /* by type: where it stands in a sentence, as bits */
    size_t masks_room;
    uint64_t *stops;      /* by row of the table: where a walk back stops */
    size_t stops_room;
    uint64_t *flat;       /* a row of the table */
    size_t flat_room;
    int32_t *rows;        /* places of a reference sentence that are rows of the table */
    size_t rows_room;
    int32_t *columns;     /* types of a system sentence that are columns of the table */
    size_t columns_room;
    int32_t *own, *met;   /* by type: the last sentence of the system, of the reference with it */
    size_t own_room, met_room;
    double *values;       /* a row of the weighted table */
    size_t values_room;
    int32_t *runs;        /* lengths of the runs that end in it */
    size_t runs_room;
    unsigned char *moves; /* where each cell of the weighted table comes from */
    size_t moves_room;
} Work;

void work_free(Work *work);

/* Make room for words numbered below `count`. */
int work_need_words(Work *work, size_t count);

/* To be called where `count_pair` gets another system than in the call before. */
void forget_system(Work *work);

/* The hits of one pair: hits[k * stride] for kind k; 0 when there is no memory. */
int count_pair(Work *work, const Text *system, const Text *reference, const Kind *kinds,
               size_t count, double *hits, size_t stride);

/* How far apart the two words of a skip-bigram may be in a text of so many words. */
size_t reach_of(size_t count, int64_t gap);

/* What there is to hit of one kind. For weighted subsequences the caller raises it to the weight:
 * the weights of the reference's sentences, or the words of the system. */
double size_of(const Kind *kind, const Text *text, int reference);

/* In _kernel_sequences.c: hits of common subsequences; 0 when there is no memory. */
int subsequence_hits(Work *work, const Text *system, const Text *reference, double *hits);
int weighted_hits(Work *work, const Text *system, const Text *reference, const double *weights,
                  double *hits);

#endif
