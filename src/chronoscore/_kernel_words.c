/* Words: runs of ASCII letters and digits in any bytes, in lower case.
 *
 * A scan marks the bytes of words 64 at a time, reads each word as one or two machine words, and
 * looks some dozens up together, so that their slots are on the way from memory while others are
 * being read. What a word counts as is worked out once, when it is new.
 */
#include "_kernel_words.h"

#include <string.h>

#include "_kernel_bits.h"
#include "_kernel_stems.h"

#define EACH_BYTE 0x0101010101010101ULL
#define HIGH_BITS (0x80 * EACH_BYTE)
/* Set in every lower-case letter and digit, and in no upper-case letter. */
#define LOWER_CASE (0x20 * EACH_BYTE)
#define HASHED (1ULL << 63) /* in the head of a key that is a hash; ASCII never has it */
#define OWN_KEY 16          /* bytes of the longest string that is its own key */

/* Eight bytes as a number, the first byte lowest. */
static inline uint64_t eight_bytes(const void *text)
{
    uint64_t bytes;
    memcpy(&bytes, text, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    bytes = __builtin_bswap64(bytes);
#endif
    return bytes;
}

/* ---- strings -------------------------------------------------------------------------------- */

typedef struct {
    uint64_t head, tail;
} Key;

static inline size_t slot_of(Key key, uint32_t bits)
{
    return (size_t)(((key.head ^ key.tail * 0xD6E8FEB86659FD93ULL) * SPREAD) >> (64 - bits));
}

static Key hashed_key(const char *text, size_t length)
{
    uint64_t hash = length * SPREAD;
    for (size_t place = 0; place < length; place++) {
        hash = (hash ^ (unsigned char)text[place]) * SPREAD;
        hash ^= hash >> 29;
    }
    return (Key){hash | HASHED, length};
}

static Key key_of(const char *text, size_t length)
{
    char padded[OWN_KEY] = {0};
    if (length > OWN_KEY || memchr(text, 0, length))
        return hashed_key(text, length);
    memcpy(padded, text, length);
    Key key = {eight_bytes(padded), eight_bytes(padded + 8)};
    return (key.head | key.tail) & HIGH_BITS ? hashed_key(text, length) : key;
}

int strings_init(Strings *table)
{
    memset(table, 0, sizeof *table);
    table->bits = 10;
    table->slots = calloc((size_t)1 << table->bits, sizeof(Slot));
    if (!table->slots || !NEED(table->starts, table->starts_room, 1))
        return 0;
    table->starts[0] = 0;
    return 1;
}

void strings_free(Strings *table)
{
    free(table->slots);
    free(table->letters);
    free(table->starts);
    memset(table, 0, sizeof *table);
}

/* The slot of a key, or the free one where it belongs. The text of a key that is a hash is compared;
 * it may be in upper case where a scan found it. */
static inline Slot *slot_for(const Strings *table, Key key, const unsigned char *text, int fold)
{
    size_t mask = ((size_t)1 << table->bits) - 1;
    for (size_t place = slot_of(key, table->bits);; place = (place + 1) & mask) {
        Slot *slot = &table->slots[place];
        if (!slot->number)
            return slot;
        if (slot->head != key.head || slot->tail != key.tail)
            continue;
        if (!(key.head & HASHED))
            return slot;
        const char *known = table->letters + table->starts[slot->number - 1];
        size_t letter = 0;
        while (letter < key.tail && known[letter] == (char)(text[letter] | fold))
            letter++;
        if (letter == key.tail)
            return slot;
    }
}

/* Double the slots, or more while they are few. */
static int strings_widen(Strings *table)
{
    uint32_t bits = table->bits + (table->bits < 14 ? 2 : 1);
    Slot *slots = calloc((size_t)1 << bits, sizeof(Slot));
    if (!slots)
        return 0;
    size_t mask = ((size_t)1 << bits) - 1;
    for (size_t old = 0; old < (size_t)1 << table->bits; old++) {
        if (!table->slots[old].number)
            continue;
        size_t place = slot_of((Key){table->slots[old].head, table->slots[old].tail}, bits);
        while (slots[place].number)
            place = (place + 1) & mask;
        slots[place] = table->slots[old];
    }
    free(table->slots);
    table->slots = slots;
    table->bits = bits;
    return 1;
}

/* Keep a new string in a free slot that was found for it; its slot, or NULL when there is no
 * memory. */
static Slot *strings_keep(Strings *table, Slot *slot, Key key, const char *text, size_t length)
{
    if (table->count >= INT32_MAX - 1 ||
        !NEED(table->starts, table->starts_room, (size_t)table->count + 2) ||
        !NEED(table->letters, table->letters_room, table->used + length + 1))
        return NULL;
    /* Half of the slots stay free. */
    if (table->count >= (uint64_t)1 << (table->bits - 1)) {
        if (!strings_widen(table))
            return NULL;
        slot = slot_for(table, key, (const unsigned char *)text, 0);
    }
    memcpy(table->letters + table->used, text, length);
    table->used += length;
    *slot = (Slot){key.head, key.tail, 0, ++table->count};
    table->starts[table->count] = table->used;
    return slot;
}

static const Slot *find_key(const Strings *table, Key key, const char *text)
{
    const Slot *slot = slot_for(table, key, (const unsigned char *)text, 0);
    return slot->number ? slot : NULL;
}

Slot *strings_add(Strings *table, const char *text, size_t length)
{
    Key key = key_of(text, length);
    Slot *slot = slot_for(table, key, (const unsigned char *)text, 0);
    return slot->number ? slot : strings_keep(table, slot, key, text, length);
}

/* ---- what words count as -------------------------------------------------------------------- */

int rules_init(WordRules *rules, int stemmer)
{
    rules->stemmer = stemmer;
    return strings_init(&rules->stop) && strings_init(&rules->irregular) &&
           strings_init(&rules->stems);
}

void rules_free(WordRules *rules)
{
    strings_free(&rules->stop);
    strings_free(&rules->irregular);
    strings_free(&rules->stems);
}

int rules_add_irregular(WordRules *rules, const char *word, size_t length, const char *stem,
                        size_t stem_length)
{
    Slot *kept = strings_add(&rules->stems, stem, stem_length);
    Slot *slot = kept ? strings_add(&rules->irregular, word, length) : NULL;
    if (!slot)
        return 0;
    slot->value = (int32_t)kept->number - 1;
    if (stem_length > rules->longest)
        rules->longest = stem_length;
    size_t bit = slot_of(key_of(word, length), FILTER_BITS);
    rules->filter[bit / 8] |= (unsigned char)(1 << bit % 8);
    return 1;
}

int rules_keep_all(const WordRules *rules)
{
    return rules->stemmer == NO_STEMS && !rules->stop.count;
}

/* Write what a word with this key counts as over it, and give its length; -1 where it does not
 * count. */
static int64_t apply_rules(const WordRules *rules, Key key, char *word, size_t length)
{
    if (rules->stop.count && find_key(&rules->stop, key, word))
        return -1;
    if (rules->stemmer == NO_STEMS || length <= 3)
        return (int64_t)length;
    /* Nearly all words are regular, and the filter is small enough to be always at hand. */
    size_t bit = slot_of(key, FILTER_BITS);
    const Slot *irregular =
        rules->filter[bit / 8] >> bit % 8 & 1 ? find_key(&rules->irregular, key, word) : NULL;
    if (!irregular)
        return (int64_t)(rules->stemmer == NLTK_STEMS ? stem_nltk(word, length)
                                                      : stem_rouge155(word, length));
    const Strings *stems = &rules->stems;
    uint64_t start = stems->starts[irregular->value];
    size_t size = (size_t)(stems->starts[irregular->value + 1] - start);
    memcpy(word, stems->letters + start, size);
    return (int64_t)size;
}

int64_t rules_apply(const WordRules *rules, char *word, size_t length)
{
    return apply_rules(rules, key_of(word, length), word, length);
}

/* ---- numbers of words ----------------------------------------------------------------------- */

int numbering_init(Numbering *numbering, const WordRules *rules)
{
    numbering->rules = rules;
    return strings_init(&numbering->words) && strings_init(&numbering->forms);
}

void numbering_free(Numbering *numbering)
{
    strings_free(&numbering->words);
    strings_free(&numbering->forms);
    free(numbering->spelling);
}

const Strings *numbering_forms(const Numbering *numbering)
{
    return rules_keep_all(numbering->rules) ? &numbering->words : &numbering->forms;
}

/* Keep a new word in its slot with what it counts as; 0 when there is no memory. */
static int learn_word(Numbering *numbering, Slot *slot, Key key, const unsigned char *text,
                      size_t length, int32_t *form)
{
    const WordRules *rules = numbering->rules;
    if (!NEED(numbering->spelling, numbering->spelling_room, 2 * length + rules->longest + 1))
        return 0;
    char *word = numbering->spelling, *spelled = word + length;
    for (size_t letter = 0; letter < length; letter++)
        word[letter] = (char)(text[letter] | 0x20);
    *form = (int32_t)numbering->words.count;
    if (!rules_keep_all(rules)) {
        memcpy(spelled, word, length);
        int64_t size = apply_rules(rules, key, spelled, length);
        const Slot *kept = size < 0 ? NULL : strings_add(&numbering->forms, spelled, (size_t)size);
        if (size >= 0 && !kept)
            return 0;
        *form = kept ? (int32_t)kept->number - 1 : -1;
    }
    slot = strings_keep(&numbering->words, slot, key, word, length);
    if (slot)
        slot->value = *form;
    return slot != NULL;
}

/* ---- scanning ------------------------------------------------------------------------------- */

/* A bit for each of up to 64 bytes, set where it is an ASCII letter or digit. */
static inline uint64_t word_bits(const unsigned char *text, size_t length)
{
    unsigned char padded[64], flags[64];
    uint64_t bits = 0;
    if (length < 64) {
        memset(padded, 0, sizeof padded);
        memcpy(padded, text, length);
        text = padded;
    }
    /* Compilers turn this loop into a few instructions on many bytes at once. */
    for (int place = 0; place < 64; place++) {
        unsigned char byte = text[place], lower = byte | 0x20;
        flags[place] = ((unsigned char)(lower - 'a') < 26) | ((unsigned char)(byte - '0') < 10);
    }
    /* The product brings the lowest bits of eight bytes together in its highest byte. */
    for (int eighth = 0; eighth < 8; eighth++)
        bits |= (eight_bytes(flags + 8 * eighth) * 0x0102040810204080ULL >> 56) << (8 * eighth);
    return bits;
}

#define WAITING 32 /* words that are looked up together */
#define AHEAD 4    /* sentences that are on the way from memory */

/* A word that waits to be looked up. */
typedef struct {
    Key key;
    const unsigned char *text;
    size_t length;
} Token;

typedef struct {
    Numbering *numbering;
    Token tokens[WAITING];
    int waiting;
    int32_t *words; /* where the next number goes */
    int failed;
} Scan;

static void look_up(Scan *scan)
{
    Numbering *numbering = scan->numbering;
    for (int t = 0; t < scan->waiting && !scan->failed; t++) {
        const Token *token = &scan->tokens[t];
        Slot *slot = slot_for(&numbering->words, token->key, token->text, 0x20);
        if (slot->number)
            *scan->words = slot->value;
        else
            scan->failed = !learn_word(numbering, slot, token->key, token->text, token->length,
                                       scan->words);
        scan->words++;
    }
    scan->waiting = 0;
}

/* Masks for the first n of sixteen bytes. */
static const uint64_t HEADS[OWN_KEY + 1] = {
    0, 0xff, 0xffff, 0xffffff, 0xffffffff, 0xffffffffff, 0xffffffffffff, 0xffffffffffffff,
    ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL, ~0ULL,
};

/* A word of a sentence whose last sixteen bytes stand in `tail`, with as many zeros behind them. */
static inline void take_word(Scan *scan, const unsigned char *word, size_t length,
                             const unsigned char *end, const unsigned char *tail)
{
    Token *token = &scan->tokens[scan->waiting];
    token->text = word;
    token->length = length;
    if (length <= OWN_KEY) {
        const unsigned char *text = end - word >= OWN_KEY ? word : tail + OWN_KEY - (end - word);
        token->key.head = (eight_bytes(text) | LOWER_CASE) & HEADS[length];
        token->key.tail = (eight_bytes(text + 8) | LOWER_CASE) & (length > 8 ? HEADS[length - 8] : 0);
    } else {
        uint64_t hash = length * SPREAD;
        for (size_t place = 0; place < length; place++) {
            hash = (hash ^ (word[place] | 0x20u)) * SPREAD;
            hash ^= hash >> 29;
        }
        token->key = (Key){hash | HASHED, length};
    }
    const Strings *table = &scan->numbering->words;
    PREFETCH(&table->slots[slot_of(token->key, table->bits)]);
    if (++scan->waiting == WAITING)
        look_up(scan);
}

/* How many words a sentence has; all of them are taken. */
static int64_t scan_sentence(Scan *scan, const unsigned char *text, size_t length)
{
    unsigned char tail[2 * OWN_KEY] = {0};
    const unsigned char *end = text + length, *start = NULL;
    size_t kept = length < OWN_KEY ? length : OWN_KEY;
    uint64_t inside = 0; /* whether the byte before belongs to a word */
    int64_t count = 0;
    if (!length)
        return 0;
    memcpy(tail + OWN_KEY - kept, end - kept, kept);
    for (size_t done = 0; done < length; done += 64) {
        uint64_t bits = word_bits(text + done, length - done < 64 ? length - done : 64);
        uint64_t turns = bits ^ (bits << 1 | inside);
        inside = bits >> 63;
        for (; turns; turns &= turns - 1) {
            const unsigned char *turn = text + done + lowest_bit(turns);
            if (start) {
                take_word(scan, start, (size_t)(turn - start), end, tail);
                count++;
            }
            start = start ? NULL : turn;
        }
    }
    if (start) {
        take_word(scan, start, (size_t)(end - start), end, tail);
        count++;
    }
    return count;
}

size_t most_words(const Span *spans, size_t count)
{
    size_t most = 0;
    for (size_t s = 0; s < count; s++)
        most += spans[s].length / 2 + 1; /* a byte at least, and one before the next word */
    return most;
}

/* Leave out words that do not count. */
static void drop_words(int32_t *words, int64_t *ends, size_t count)
{
    int64_t kept = 0, read = 0;
    for (size_t s = 0; s < count; s++) {
        for (; read < ends[s + 1]; read++) {
            words[kept] = words[read];
            kept += words[read] >= 0;
        }
        ends[s + 1] = kept;
    }
}

int number_words(Numbering *numbering, const Span *spans, size_t count, int32_t *words,
                 int64_t *ends)
{
    Scan scan;
    scan.numbering = numbering;
    scan.waiting = scan.failed = 0;
    scan.words = words;
    ends[0] = 0;
    for (size_t s = 0; s < count && !scan.failed; s++) {
        if (s + AHEAD < count) /* sentences may lie anywhere in memory */
            for (size_t byte = 0; byte <= spans[s + AHEAD].length && byte < 256; byte += 64)
                PREFETCH(spans[s + AHEAD].text + byte);
        ends[s + 1] = ends[s] + scan_sentence(&scan, spans[s].text, spans[s].length);
    }
    look_up(&scan);
    if (!scan.failed && numbering->rules->stop.count)
        drop_words(words, ends, count);
    return !scan.failed;
}
