/* Words found in text, numbered by what they count as; see _kernel_words.c. */
#ifndef KERNEL_WORDS_H
#define KERNEL_WORDS_H
#include "_kernel_memory.h"

/* A string of up to sixteen ASCII letters is its own key; others have a hash and their length, and
 * their bytes are compared. */
typedef struct {
    uint64_t head, tail;
    int32_t value;   /* what the owner of the table keeps with the string */
    uint32_t number; /* one more than the string's number; 0 in a free slot */
} Slot;

/* Strings, numbered from 0 on in the order in which they came. */
typedef struct {
    Slot *slots;
    uint32_t bits;    /* there are 1 << bits slots */
    char *letters;    /* all strings, one after the other */
    size_t letters_room, used;
    uint64_t *starts; /* where each string starts; one more than there are strings */
    size_t starts_room;
    uint32_t count;
} Strings;

int strings_init(Strings *table);
void strings_free(Strings *table);

/* The slot of a string, which is added where it is new; NULL when there is no memory. */
Slot *strings_add(Strings *table, const char *text, size_t length);

#define FILTER_BITS 16

/* What words count as: themselves or their stems, and stop words as nothing. */
typedef struct {
    int stemmer;       /* NO_STEMS, ROUGE155_STEMS or NLTK_STEMS */
    Strings stop;      /* words that do not count */
    Strings irregular; /* words with stems of their own, by number in `stems` */
    Strings stems;
    size_t longest;    /* bytes of the longest irregular stem */
    unsigned char filter[(1 << FILTER_BITS) / 8]; /* a bit for each irregular word */
} WordRules;

int rules_init(WordRules *rules, int stemmer);
void rules_free(WordRules *rules);
int rules_add_irregular(WordRules *rules, const char *word, size_t length, const char *stem,
                        size_t stem_length);

/* Whether every word counts as itself. */
int rules_keep_all(const WordRules *rules);

/* Write what a word counts as over it, and give its length; -1 where it does not count. There must
 * be room for the longest irregular stem. */
int64_t rules_apply(const WordRules *rules, char *word, size_t length);

/* Words that were met, and the forms that they count as. */
typedef struct {
    const WordRules *rules;
    Strings words; /* the value of a word is the number of its form, -1 where it does not count */
    Strings forms; /* empty where every word counts as itself */
    char *spelling;
    size_t spelling_room;
} Numbering;

int numbering_init(Numbering *numbering, const WordRules *rules);
void numbering_free(Numbering *numbering);
const Strings *numbering_forms(const Numbering *numbering);

/* A run of bytes, one sentence. */
typedef struct {
    const unsigned char *text;
    size_t length;
} Span;

/* The most words that sentences can have. */
size_t most_words(const Span *spans, size_t count);

/* Number the words of sentences: `words` has room for the most that there can be, `ends` gets a 0
 * and where each sentence ends. 0 when there is no memory. */
int number_words(Numbering *numbering, const Span *spans, size_t count, int32_t *words,
                 int64_t *ends);

#endif
