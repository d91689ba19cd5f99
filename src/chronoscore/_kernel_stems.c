/* Porter's rules twice: as ROUGE-1.5.5 has them (text/stems.py) and as NLTK has them
 * (text/nltk_stems.py). No rule makes a word longer, so words are stemmed where they stand.
 */
#include "_kernel_stems.h"

#include <string.h>

typedef struct {
    const char *ending, *replacement;
    size_t length, replacement_length;
} Rule;

#define RULE(ending, replacement) {ending, replacement, sizeof ending - 1, sizeof replacement - 1}

/* Where one ending ends in another, the longer comes first. Rules of NLTK alone are the last. */
static const Rule STEP_2[] = {
    RULE("ational", "ate"), RULE("tional", "tion"), RULE("enci", "ence"),   RULE("anci", "ance"),
    RULE("izer", "ize"),    RULE("bli", "ble"),     RULE("alli", "al"),     RULE("entli", "ent"),
    RULE("eli", "e"),       RULE("ousli", "ous"),   RULE("ization", "ize"), RULE("ation", "ate"),
    RULE("ator", "ate"),    RULE("alism", "al"),    RULE("iveness", "ive"), RULE("fulness", "ful"),
    RULE("ousness", "ous"), RULE("aliti", "al"),    RULE("iviti", "ive"),   RULE("biliti", "ble"),
    RULE("logi", "log"),    RULE("fulli", "ful"),
};
static const Rule STEP_3[] = {
    RULE("icate", "ic"), RULE("ative", ""), RULE("alize", "al"), RULE("iciti", "ic"),
    RULE("ical", "ic"),  RULE("ful", ""),   RULE("ness", ""),
};
static const Rule STEP_4[] = {
    RULE("al", ""),   RULE("ance", ""), RULE("ence", ""),  RULE("er", ""),   RULE("ic", ""),
    RULE("able", ""), RULE("ible", ""), RULE("ant", ""),   RULE("ement", ""), RULE("ou", ""),
    RULE("ism", ""),  RULE("ate", ""),  RULE("iti", ""),   RULE("ous", ""),  RULE("ive", ""),
    RULE("ize", ""),  RULE("ment", ""), RULE("ent", ""),   RULE("ion", ""),
};
#define COUNT(rules) (sizeof rules / sizeof *rules)
enum { NLTK_2 = 1, NLTK_4 = 3 }; /* how many rules NLTK alone has */

/* What the first letters of a word are: consonants and vowels. */
typedef struct {
    size_t length, vowels, turns; /* turns from a vowel to a consonant: Porter's m */
    int last, before, third;      /* whether the last letters are vowels; -1 where there are none */
} Shape;

/* A y is a vowel after a consonant only. */
static Shape shape_of(const char *word, size_t length)
{
    Shape shape = {length, 0, 0, -1, -1, -1};
    for (size_t place = 0; place < length; place++) {
        char c = word[place];
        int vowel = c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u' ||
                    (c == 'y' && shape.last == 0);
        shape.vowels += (size_t)vowel;
        shape.turns += shape.last == 1 && !vowel;
        shape.third = shape.before;
        shape.before = shape.last;
        shape.last = vowel;
    }
    return shape;
}

static size_t turns_of(const char *word, size_t length)
{
    return shape_of(word, length).turns;
}

static int has_vowel(const char *word, size_t length)
{
    return shape_of(word, length).vowels > 0;
}

static int ends(const char *word, size_t length, const char *ending)
{
    size_t size = strlen(ending);
    return length >= size && word[length - 1] == ending[size - 1] &&
           !memcmp(word + length - size, ending, size);
}

static int one_of(char letter, const char *letters)
{
    return memchr(letters, letter, strlen(letters)) != NULL;
}

/* The rule with the longest ending that a word has; `rest` letters at least come before it. */
static const Rule *rule_for(const Rule *rules, size_t count, const char *word, size_t length,
                            size_t rest)
{
    for (const Rule *rule = rules; rule < rules + count; rule++)
        if (word[length - 1] == rule->ending[rule->length - 1] && length >= rule->length + rest &&
            !memcmp(word + length - rule->length, rule->ending, rule->length))
            return rule;
    return NULL;
}

static size_t replace(char *word, size_t length, const Rule *rule)
{
    memcpy(word + length - rule->length, rule->replacement, rule->replacement_length);
    return length - rule->length + rule->replacement_length;
}

/* Replace an ending if the stem before it turns this often. */
static size_t replace_by(const Rule *rules, size_t count, char *word, size_t length, size_t turns)
{
    const Rule *rule = rule_for(rules, count, word, length, 1);
    return rule && turns_of(word, length - rule->length) >= turns ? replace(word, length, rule)
                                                                  : length;
}

/* ---- ROUGE-1.5.5 ---------------------------------------------------------------------------- */

/* One cluster of consonants, a vowel and a consonant other than w, x and y. */
static int is_short(const char *word, Shape shape)
{
    return shape.vowels == 1 && shape.length > 2 && shape.before == 1 && shape.last == 0 &&
           !one_of(word[shape.length - 1], "wxy");
}

static size_t strip_past(char *word, size_t length)
{
    if (ends(word, length, "eed"))
        return length - (turns_of(word, length - 3) > 0);
    size_t stem = length - (ends(word, length, "ed") ? 2 : 3);
    Shape shape = shape_of(word, stem);
    if (!shape.vowels)
        return length;
    if (ends(word, stem, "at") || ends(word, stem, "bl") || ends(word, stem, "iz")) {
        word[stem] = 'e';
        return stem + 1;
    }
    if (stem > 1 && word[stem - 1] == word[stem - 2] && !one_of(word[stem - 1], "aeiouylsz"))
        return stem - 1;
    if (is_short(word, shape))
        word[stem++] = 'e';
    return stem;
}

/* Three classes of suffixes are tried one after the other on the same word. */
static size_t strip_suffixes(char *word, size_t length)
{
    length = replace_by(STEP_4, COUNT(STEP_4) - NLTK_4, word, length, 2);
    if (ends(word, length, "ment") && turns_of(word, length - 4) > 1)
        length -= 4;
    if ((ends(word, length, "ent") || ends(word, length, "sion") || ends(word, length, "tion")) &&
        turns_of(word, length - 3) > 1)
        length -= 3;
    return length;
}

size_t stem_rouge155(char *word, size_t length)
{
    if (ends(word, length, "sses") || ends(word, length, "ies"))
        length -= 2;
    else if (word[length - 1] == 's' && word[length - 2] != 's')
        length--;
    if (ends(word, length, "ed") || ends(word, length, "ing"))
        length = strip_past(word, length);
    if (word[length - 1] == 'y' && has_vowel(word, length - 1))
        word[length - 1] = 'i';
    length = replace_by(STEP_2, COUNT(STEP_2) - NLTK_2, word, length, 1);
    length = replace_by(STEP_3, COUNT(STEP_3), word, length, 1);
    length = strip_suffixes(word, length);
    if (word[length - 1] == 'e') {
        Shape shape = shape_of(word, length - 1);
        length -= shape.turns > 1 || (shape.turns == 1 && !is_short(word, shape));
    }
    return length - (ends(word, length, "ll") && turns_of(word, length) > 1);
}

/* ---- NLTK ----------------------------------------------------------------------------------- */

/* Consonant, vowel and consonant other than w, x and y at the end, or one vowel and one consonant. */
static int is_short_nltk(const char *word, Shape shape)
{
    if (shape.before != 1 || shape.last != 0)
        return 0;
    return shape.length == 2 || (shape.third == 0 && !one_of(word[shape.length - 1], "wxy"));
}

static size_t strip_past_nltk(char *word, size_t length)
{
    if (ends(word, length, "ied"))
        return length - (length == 4 ? 1 : 2);
    if (ends(word, length, "eed"))
        return length - (turns_of(word, length - 3) > 0);
    size_t cut = ends(word, length, "ed") ? 2 : ends(word, length, "ing") ? 3 : 0;
    size_t stem = length - cut;
    Shape shape = shape_of(word, stem);
    if (!cut || !shape.vowels)
        return length;
    if (ends(word, stem, "at") || ends(word, stem, "bl") || ends(word, stem, "iz")) {
        word[stem] = 'e';
        return stem + 1;
    }
    if (stem > 1 && word[stem - 1] == word[stem - 2] && shape.last == 0)
        return stem - !one_of(word[stem - 1], "lsz");
    if (shape.turns == 1 && is_short_nltk(word, shape))
        word[stem++] = 'e';
    return stem;
}

/* An ending that two suffixes make; -alli may uncover another. */
static size_t replace_double(char *word, size_t length)
{
    for (;;) {
        const Rule *rule = rule_for(STEP_2, COUNT(STEP_2), word, length, 0);
        if (!rule)
            return length;
        /* In -logi the l belongs to the stem. */
        size_t stem = length - rule->length + !strcmp(rule->ending, "logi");
        if (!turns_of(word, stem))
            return length;
        length = replace(word, length, rule);
        if (strcmp(rule->ending, "alli"))
            return length;
    }
}

size_t stem_nltk(char *word, size_t length)
{
    if (ends(word, length, "sses"))
        length -= 2;
    else if (ends(word, length, "ies"))
        length -= length == 4 ? 1 : 2;
    else if (word[length - 1] == 's' && word[length - 2] != 's')
        length--;
    length = strip_past_nltk(word, length);
    if (word[length - 1] == 'y' && length > 2 && shape_of(word, length - 1).last == 0)
        word[length - 1] = 'i';
    length = replace_double(word, length);
    length = replace_by(STEP_3, COUNT(STEP_3), word, length, 1);
    const Rule *rule = rule_for(STEP_4, COUNT(STEP_4), word, length, 1);
    if (rule && turns_of(word, length - rule->length) > 1 &&
        (strcmp(rule->ending, "ion") || one_of(word[length - 4], "st")))
        length -= rule->length;
    if (word[length - 1] == 'e') {
        Shape shape = shape_of(word, length - 1);
        length -= shape.turns > 1 || (shape.turns == 1 && !is_short_nltk(word, shape));
    }
    return length - (ends(word, length, "ll") && turns_of(word, length - 1) > 1);
}
