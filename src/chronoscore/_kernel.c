/* The compiled counting engine: the same figures as engine/plain.py and the NumPy batch, faster.
 *
 * A Lexicon numbers words. It scans text into runs of ASCII letters and digits, and asks Python
 * what each new word counts as (itself, its stem, or nothing), many words at a time. Words that
 * count as the same have the same number.
 *
 * `count` takes texts as numbered words with the bounds of their sentences and counts, for many
 * pairs of texts, what system and reference share: n-grams, skip-bigrams, longest common
 * subsequences and weighted ones, as ROUGE-1.5.5 does. It keeps no state between calls and holds
 * no lock while it counts, so that threads can share the work.
 *
 * Only the stable ABI of Python 3.11 is used: one build serves every later version.
 */
#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "_kernel_align.h"

#define SPREAD 0x9E3779B97F4A7C15ULL
#define LARGEST_GRAM 16
#define MOST_PAIRS ((size_t)1 << 24) /* skip-bigrams of a text that are held at once */
#define INTERFACE 3                   /* as in kernel.py */

/* ---- a table of strings ------------------------------------------------------------------ */

/* Up to eight bytes are their own key; the key of more is a hash, and the bytes are compared. */
typedef struct {
    uint64_t key;
    uint32_t number; /* one more than the string's number; 0 in a free slot */
    uint32_t length;
} Slot;

typedef struct {
    Slot *slots;
    uint32_t bits;    /* there are 1 << bits slots */
    char *letters;    /* all strings, one after the other */
    size_t letters_room, used;
    uint64_t *starts; /* where each string starts; one more than there are strings */
    size_t starts_room;
    uint32_t count;
} Strings;

static void strings_free(Strings *table)
{
    free(table->slots);
    free(table->letters);
    free(table->starts);
    memset(table, 0, sizeof *table);
}

static int strings_init(Strings *table)
{
    memset(table, 0, sizeof *table);
    table->bits = 10;
    table->slots = calloc((size_t)1 << table->bits, sizeof(Slot));
    if (!table->slots || !NEED(table->starts, table->starts_room, 1))
        return 0;
    table->starts[0] = 0;
    return 1;
}

#if defined(__BYTE_ORDER__) && defined(__ORDER_BIG_ENDIAN__)
#define FIRST_BYTE_LOWEST (__BYTE_ORDER__ != __ORDER_BIG_ENDIAN__)
#else
#define FIRST_BYTE_LOWEST 1
#endif

/* One to eight bytes of a string as a number, each with the bits of `fold` set. `left` bytes may
 * be read from there on. */
static inline uint64_t take_bytes(const unsigned char *text, size_t count, size_t left,
                                  uint64_t fold)
{
    uint64_t bytes = 0;
    if (FIRST_BYTE_LOWEST && left >= 8) {
        memcpy(&bytes, text, 8);
        return (bytes | fold) & (~0ULL >> (64 - 8 * count));
    }
    memcpy(&bytes, text, count);
    bytes |= fold;
    uint64_t kept = 0;
    memcpy(&kept, &bytes, count);
    return kept;
}

static uint64_t key_of(const unsigned char *text, size_t length, size_t left, uint64_t fold)
{
    if (length <= 8)
        return length ? take_bytes(text, length, left, fold) : 0;
    uint64_t hash = length * SPREAD;
    for (size_t place = 0; place < length; place += 8) {
        size_t count = length - place < 8 ? length - place : 8;
        hash = (hash ^ take_bytes(text + place, count, left - place, fold)) * SPREAD;
        hash ^= hash >> 29;
    }
    return hash;
}

/* Whether a string of more than eight bytes is the one of this number. */
static int same_string(const Strings *table, uint32_t number, const unsigned char *text,
                       size_t length, size_t left, uint64_t fold)
{
    const char *known = table->letters + table->starts[number];
    for (size_t place = 0; place < length; place += 8) {
        size_t count = length - place < 8 ? length - place : 8;
        uint64_t bytes = take_bytes(text + place, count, left - place, fold);
        if (memcmp(known + place, &bytes, count))
            return 0;
    }
    return 1;
}

static int strings_widen(Strings *table)
{
    uint32_t bits = table->bits + 1;
    Slot *slots = calloc((size_t)1 << bits, sizeof(Slot));
    if (!slots)
        return 0;
    size_t mask = ((size_t)1 << bits) - 1;
    for (size_t old = 0; old < (size_t)1 << table->bits; old++) {
        if (!table->slots[old].number)
            continue;
        size_t place = (table->slots[old].key * SPREAD) >> (64 - bits);
        while (slots[place].number)
            place = (place + 1) & mask;
        slots[place] = table->slots[old];
    }
    free(table->slots);
    table->slots = slots;
    table->bits = bits;
    return 1;
}

/* Keep a new string in a free slot; its number, or -1 when there is no memory. */
static int64_t strings_keep(Strings *table, size_t place, uint64_t key, const unsigned char *text,
                            size_t length, uint64_t fold)
{
    if (table->count == INT32_MAX || length > UINT32_MAX ||
        !NEED(table->starts, table->starts_room, (size_t)table->count + 2) ||
        !NEED(table->letters, table->letters_room, table->used + length + 1))
        return -1;
    for (size_t letter = 0; letter < length; letter++)
        table->letters[table->used + letter] = (char)(text[letter] | (unsigned char)fold);
    table->slots[place] = (Slot){key, ++table->count, (uint32_t)length};
    table->used += length;
    table->starts[table->count] = table->used;
    if (table->count >= (uint64_t)1 << (table->bits - 1) && !strings_widen(table))
        return -1;
    return table->count - 1;
}

/* The number of a string, each byte of it with the bits of `fold` set; a new one is kept. `left`
 * bytes may be read from its start on. -1 when there is no memory. */
static inline int64_t strings_number(Strings *table, const unsigned char *text, size_t length,
                                     size_t left, uint64_t fold)
{
    uint64_t key = key_of(text, length, left, fold);
    size_t mask = ((size_t)1 << table->bits) - 1;
    size_t place = (key * SPREAD) >> (64 - table->bits);
    for (;; place = (place + 1) & mask) {
        const Slot *slot = &table->slots[place];
        if (!slot->number)
            return strings_keep(table, place, key, text, length, fold);
        if (slot->key == key && slot->length == length &&
            (length <= 8 || same_string(table, slot->number - 1, text, length, left, fold)))
            return slot->number - 1;
    }
}

/* ---- Lexicon ----------------------------------------------------------------------------- */

typedef struct {
    PyObject_HEAD
    Strings words, forms;
    int32_t *form_of; /* by word: the number of its form, -1 where the word does not count */
    size_t form_of_room;
    uint32_t settled; /* words whose form is known; all words before this one */
    int busy;
} Lexicon;

static unsigned char IN_WORD[256]; /* 1 for ASCII letters and digits */

/* Set in every lower-case letter and digit, and in no upper-case letter. */
#define LOWER_CASE 0x2020202020202020ULL

static void fill_in_word(void)
{
    for (int byte = 0; byte < 256; byte++)
        IN_WORD[byte] = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                        (byte >= '0' && byte <= '9');
}

/* Numbered words that are being collected. */
typedef struct {
    int32_t *words;
    size_t room, count;
} Words;

static int scan_sentence(Strings *table, const unsigned char *text, size_t length, Words *out)
{
    const unsigned char *end = text + length;
    /* A word takes a byte at least, and one before the next. */
    if (!NEED(out->words, out->room, out->count + length / 2 + 1))
        return 0;
    for (;;) {
        while (text < end && !IN_WORD[*text])
            text++;
        if (text == end)
            return 1;
        const unsigned char *word = text;
        do {
            text++;
        } while (text < end && IN_WORD[*text]);
        int64_t number = strings_number(table, word, (size_t)(text - word), (size_t)(end - word),
                                        LOWER_CASE);
        if (number < 0)
            return 0;
        out->words[out->count++] = (int32_t)number;
    }
}

/* Ask Python for the forms of the words that are new. */
static int settle(Lexicon *self, PyObject *resolve)
{
    uint32_t first = self->settled, last = self->words.count;
    if (first == last)
        return 1;
    if (!NEED(self->form_of, self->form_of_room, last)) {
        PyErr_NoMemory();
        return 0;
    }
    PyObject *fresh = PyList_New(last - first);
    if (!fresh)
        return 0;
    for (uint32_t word = first; word < last; word++) {
        uint64_t start = self->words.starts[word];
        PyObject *spelled = PyUnicode_FromStringAndSize(
            self->words.letters + start, (Py_ssize_t)(self->words.starts[word + 1] - start));
        if (!spelled || PyList_SetItem(fresh, word - first, spelled) < 0) {
            Py_DECREF(fresh);
            return 0;
        }
    }
    PyObject *forms = PyObject_CallFunctionObjArgs(resolve, fresh, NULL);
    Py_DECREF(fresh);
    if (!forms)
        return 0;
    if (!PyList_Check(forms) || PyList_Size(forms) != (Py_ssize_t)(last - first)) {
        PyErr_SetString(PyExc_TypeError, "forms must be a list with an item for each word");
        Py_DECREF(forms);
        return 0;
    }
    for (uint32_t word = first; word < last; word++) {
        PyObject *form = PyList_GetItem(forms, word - first);
        int64_t number = -1;
        if (form != Py_None) {
            Py_ssize_t size;
            const char *letters = PyUnicode_AsUTF8AndSize(form, &size);
            if (!letters || (number = strings_number(&self->forms, (const unsigned char *)letters,
                                                      (size_t)size, (size_t)size, 0)) < 0) {
                if (!PyErr_Occurred())
                    PyErr_NoMemory();
                Py_DECREF(forms);
                return 0;
            }
        }
        self->form_of[word] = (int32_t)number;
    }
    Py_DECREF(forms);
    if (self->settled < last)
        self->settled = last;
    return 1;
}

static PyObject *lexicon_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    if (!PyArg_ParseTuple(args, "") || (keywords && PyDict_Size(keywords)))
        return PyErr_Occurred() ? NULL
                                : PyErr_Format(PyExc_TypeError, "Lexicon() takes no arguments");
    allocfunc allocate = (allocfunc)PyType_GetSlot(type, Py_tp_alloc);
    Lexicon *self = (Lexicon *)allocate(type, 0);
    if (self && (!strings_init(&self->words) || !strings_init(&self->forms))) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static void lexicon_dealloc(Lexicon *self)
{
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    strings_free(&self->words);
    strings_free(&self->forms);
    free(self->form_of);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static int contiguous(PyObject *object, Py_buffer *view, Py_ssize_t size, int writable)
{
    if (PyObject_GetBuffer(object, view, writable ? PyBUF_WRITABLE : PyBUF_SIMPLE) < 0)
        return 0;
    if (view->len % size || (size_t)view->buf % (size_t)size) {
        PyErr_Format(PyExc_ValueError, "must hold aligned items of %zd bytes", size);
        PyBuffer_Release(view);
        return 0;
    }
    return 1;
}

/* scan(text, bounds, resolve) -> (words, counts): the forms of all words, 4 bytes each, and how
 * many each sentence has, 8 bytes each. Sentence i is text[bounds[i]:bounds[i + 1]]. */
static PyObject *lexicon_scan(Lexicon *self, PyObject *args)
{
    PyObject *text_object, *bounds_object, *resolve;
    Py_buffer text, bounds;
    if (!PyArg_ParseTuple(args, "OOO", &text_object, &bounds_object, &resolve))
        return NULL;
    if (!contiguous(text_object, &text, 1, 0))
        return NULL;
    if (!contiguous(bounds_object, &bounds, sizeof(int64_t), 0)) {
        PyBuffer_Release(&text);
        return NULL;
    }
    const int64_t *bound = bounds.buf;
    size_t sentences = (size_t)bounds.len / sizeof(int64_t);
    sentences -= sentences > 0;
    PyObject *result = NULL, *counts = NULL;
    Words out = {0};
    int valid = 1, done = 1;
    for (size_t s = 0; s <= sentences && bounds.len; s++)
        valid &= bound[s] >= (s ? bound[s - 1] : 0) && bound[s] <= text.len;
    if (!valid || self->busy) {
        PyErr_SetString(PyExc_ValueError, valid ? "the lexicon is in use by another thread"
                                                : "bounds must rise and lie within the text");
        goto finish;
    }
    counts = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(sentences * sizeof(int64_t)));
    if (!counts)
        goto finish;
    int64_t *count = (int64_t *)PyBytes_AsString(counts);
    self->busy = 1;
    Py_BEGIN_ALLOW_THREADS
    for (size_t s = 0; s < sentences && done; s++) {
        size_t before = out.count;
        done = scan_sentence(&self->words, (const unsigned char *)text.buf + bound[s],
                             (size_t)(bound[s + 1] - bound[s]), &out);
        count[s] = (int64_t)(out.count - before);
    }
    Py_END_ALLOW_THREADS
    self->busy = 0;
    if (!done) {
        PyErr_NoMemory();
        goto finish;
    }
    if (!settle(self, resolve))
        goto finish;
    size_t kept = 0, read = 0;
    for (size_t s = 0; s < sentences; s++) {
        size_t stop = read + (size_t)count[s], before = kept;
        for (; read < stop; read++) {
            int32_t form = self->form_of[out.words[read]];
            if (form >= 0)
                out.words[kept++] = form;
        }
        count[s] = (int64_t)(kept - before);
    }
    PyObject *words =
        PyBytes_FromStringAndSize((const char *)out.words, (Py_ssize_t)(kept * sizeof(int32_t)));
    if (words) {
        result = PyTuple_Pack(2, words, counts);
        Py_DECREF(words);
    }
finish:
    Py_XDECREF(counts);
    free(out.words);
    PyBuffer_Release(&text);
    PyBuffer_Release(&bounds);
    return result;
}

/* spelled() -> the forms, in the order of their numbers. */
static PyObject *lexicon_spelled(Lexicon *self, PyObject *Py_UNUSED(none))
{
    PyObject *list = PyList_New(self->forms.count);
    for (uint32_t form = 0; list && form < self->forms.count; form++) {
        uint64_t start = self->forms.starts[form];
        PyObject *spelled = PyUnicode_FromStringAndSize(
            self->forms.letters + start, (Py_ssize_t)(self->forms.starts[form + 1] - start));
        if (!spelled || PyList_SetItem(list, form, spelled) < 0) {
            Py_CLEAR(list);
        }
    }
    return list;
}

/* len(lexicon): how many different words it has met. */
static Py_ssize_t lexicon_length(PyObject *self)
{
    return ((Lexicon *)self)->words.count;
}

/* ---- a table from numbers to numbers ------------------------------------------------------ */

typedef struct {
    uint64_t key;
    int32_t value; /* -1 in a free slot */
} Cell;

typedef struct {
    Cell *cells;
    size_t room;
    uint32_t bits;
} Map;

/* Empty the map and make room for `count` keys. */
static int map_reset(Map *map, size_t count)
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

static Cell *map_find(const Map *map, uint64_t key)
{
    size_t mask = ((size_t)1 << map->bits) - 1;
    size_t place = (key * SPREAD) >> (64 - map->bits);
    while (map->cells[place].value >= 0 && map->cells[place].key != key)
        place = (place + 1) & mask;
    return &map->cells[place];
}

/* ---- what is counted ---------------------------------------------------------------------- */

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

/* Clipped counts of one kind of item of the system: each item counts as often as supplied. */
typedef struct {
    Map map;
    int32_t *supply, *used;
    size_t supply_room, used_room;
    int32_t count;
    int32_t *items; /* the item at each place of the system's text */
    size_t items_room;
} Bag;

/* All memory that counting needs, used again for every pair. */
typedef struct {
    Bag words;                   /* the system's words; a word's number in it is its type */
    Bag grams[LARGEST_GRAM + 1]; /* by n */
    Bag pairs;                   /* skip-bigrams of one gap */
    int64_t pairs_gap;
    int pairs_known;
    int32_t *line_types;         /* the system's lines as types */
    size_t line_types_room;
    int32_t *types;              /* the reference's text as types, -1 where the system lacks it */
    size_t types_room;
    int32_t *reference_lines;    /* its lines as types */
    size_t reference_lines_room;
    int32_t *demand;             /* by type: how often the reference has it */
    size_t demand_room;
    int32_t *grams_of;           /* the reference's grams of the n before */
    size_t grams_of_room;
    unsigned char *marks;        /* by place in the reference's lines */
    size_t marks_room;
    int32_t *where;              /* by type: its place among the masks of a sentence, or -1 */
    size_t where_room;
    uint64_t *masks;             /* where each type of a sentence stands in it, as bits */
    size_t masks_room;
    uint64_t *stops;             /* by row of the table: where a walk back stops */
    size_t stops_room;
    uint64_t *flat;              /* a row of the table */
    size_t flat_room;
    int32_t *rows;               /* places of a reference sentence that are rows of the table */
    size_t rows_room;
    int32_t *columns;            /* types of a system sentence that are columns of the table */
    size_t columns_room;
    int32_t *met;                /* by type: the last reference sentence that has it */
    size_t met_room;
    double *values;              /* a row of the weighted table */
    size_t values_room;
    int32_t *runs;               /* lengths of the runs that end in it */
    size_t runs_room;
    unsigned char *moves;        /* where each cell of the weighted table comes from */
    size_t moves_room;
} Work;

static void bag_free(Bag *bag)
{
    free(bag->map.cells);
    free(bag->supply);
    free(bag->used);
    free(bag->items);
}

static void work_free(Work *work)
{
    bag_free(&work->words);
    bag_free(&work->pairs);
    for (int n = 0; n <= LARGEST_GRAM; n++)
        bag_free(&work->grams[n]);
    free(work->line_types);
    free(work->types);
    free(work->reference_lines);
    free(work->demand);
    free(work->grams_of);
    free(work->marks);
    free(work->where);
    free(work->masks);
    free(work->stops);
    free(work->flat);
    free(work->rows);
    free(work->columns);
    free(work->met);
    free(work->values);
    free(work->runs);
    free(work->moves);
}

static int bag_reset(Bag *bag, size_t count)
{
    bag->count = 0;
    return map_reset(&bag->map, count) && NEED(bag->supply, bag->supply_room, count + 1) &&
           NEED(bag->used, bag->used_room, count + 1);
}

static int32_t bag_put(Bag *bag, uint64_t key, int32_t amount)
{
    Cell *cell = map_find(&bag->map, key);
    if (cell->value < 0) {
        cell->key = key;
        cell->value = bag->count++;
        bag->supply[cell->value] = 0;
    }
    bag->supply[cell->value] += amount;
    return cell->value;
}

static int32_t bag_find(const Bag *bag, uint64_t key)
{
    return map_find(&bag->map, key)->value;
}

static void bag_unuse(Bag *bag)
{
    memset(bag->used, 0, (size_t)bag->count * sizeof *bag->used);
}

/* Take an item out of the bag; 1 if it was still there. */
static int64_t bag_take(Bag *bag, int32_t item)
{
    if (item < 0 || bag->used[item] >= bag->supply[item])
        return 0;
    bag->used[item]++;
    return 1;
}

static uint64_t joined(int32_t one, int32_t other)
{
    return (uint64_t)(uint32_t)one << 32 | (uint32_t)other;
}

/* ---- the system's side, once for all its references --------------------------------------- */

static int know_words(Work *work, const Text *system)
{
    size_t lines = (size_t)(system->bounds[system->sentences] - system->bounds[0]);
    const int32_t *line = system->lines + system->bounds[0];
    int same = line == system->words && lines == system->count;
    Bag *bag = &work->words;
    if (!bag_reset(bag, same ? lines : system->count + lines) ||
        !NEED(bag->items, bag->items_room, system->count + 1) ||
        !NEED(work->line_types, work->line_types_room, lines + 1))
        return 0;
    for (size_t place = 0; place < system->count; place++)
        bag->items[place] = bag_put(bag, (uint32_t)system->words[place], 1);
    if (same)
        memcpy(work->line_types, bag->items, lines * sizeof *bag->items);
    else
        for (size_t place = 0; place < lines; place++)
            work->line_types[place] = bag_put(bag, (uint32_t)line[place], 0);
    work->pairs_known = 0;
    if (!NEED(work->where, work->where_room, (size_t)bag->count + 1))
        return 0;
    memset(work->where, 0xff, (size_t)bag->count * sizeof *work->where);
    return 1;
}

/* Number the grams of two to n words, each by the gram of one word less and its last word. */
static int know_grams(Work *work, const Text *system, int64_t largest)
{
    const int32_t *shorter = work->words.items, *types = work->words.items;
    for (int64_t n = 2; n <= largest; n++) {
        Bag *bag = &work->grams[n];
        size_t count = system->count >= (size_t)n ? system->count - (size_t)n + 1 : 0;
        if (!bag_reset(bag, count) || !NEED(bag->items, bag->items_room, count + 1))
            return 0;
        for (size_t place = 0; place < count; place++)
            bag->items[place] = bag_put(bag, joined(shorter[place], types[place + (size_t)n - 1]), 1);
        shorter = bag->items;
    }
    return 1;
}

static size_t reach_of(size_t count, int64_t gap)
{
    size_t most = count ? count - 1 : 0;
    return gap < 0 || (uint64_t)gap >= most ? most : (size_t)gap + 1;
}

static int know_pairs(Work *work, const Text *system, int64_t gap)
{
    if (work->pairs_known && work->pairs_gap == gap)
        return 1;
    size_t reach = reach_of(system->count, gap);
    size_t most = reach * system->count - reach * (reach + 1) / 2;
    const int32_t *types = work->words.items;
    if (!bag_reset(&work->pairs, most))
        return 0;
    for (size_t last = 1; last < system->count; last++)
        for (size_t first = last > reach ? last - reach : 0; first < last; first++)
            bag_put(&work->pairs, joined(types[first], types[last]), 1);
    work->pairs_gap = gap;
    work->pairs_known = 1;
    return 1;
}

/* ---- one pair ------------------------------------------------------------------------------ */

static int know_reference(Work *work, const Text *reference)
{
    size_t lines = (size_t)(reference->bounds[reference->sentences] - reference->bounds[0]);
    if (!NEED(work->types, work->types_room, reference->count + 1) ||
        !NEED(work->reference_lines, work->reference_lines_room, lines + 1) ||
        !NEED(work->demand, work->demand_room, (size_t)work->words.count + 1))
        return 0;
    memset(work->demand, 0, (size_t)work->words.count * sizeof *work->demand);
    for (size_t place = 0; place < reference->count; place++) {
        int32_t type = bag_find(&work->words, (uint32_t)reference->words[place]);
        work->types[place] = type;
        if (type >= 0)
            work->demand[type]++;
    }
    const int32_t *line = reference->lines + reference->bounds[0];
    if (line == reference->words && lines == reference->count)
        memcpy(work->reference_lines, work->types, lines * sizeof *work->types);
    else
        for (size_t place = 0; place < lines; place++)
            work->reference_lines[place] = bag_find(&work->words, (uint32_t)line[place]);
    return 1;
}

static int64_t word_hits(const Work *work)
{
    int64_t hits = 0;
    for (int32_t type = 0; type < work->words.count; type++) {
        int32_t ours = work->words.supply[type], theirs = work->demand[type];
        hits += ours < theirs ? ours : theirs;
    }
    return hits;
}

/* Hits of the grams of 1 to n words, each n in its place of `hits`. */
static int gram_hits(Work *work, const Text *reference, int64_t largest, int64_t *hits)
{
    hits[1] = word_hits(work);
    if (largest < 2)
        return 1;
    if (!NEED(work->grams_of, work->grams_of_room, reference->count + 1))
        return 0;
    memcpy(work->grams_of, work->types, reference->count * sizeof *work->types);
    for (int64_t n = 2; n <= largest; n++) {
        Bag *bag = &work->grams[n];
        bag_unuse(bag);
        hits[n] = 0;
        for (size_t place = 0; place + (size_t)n <= reference->count; place++) {
            int32_t shorter = work->grams_of[place], type = work->types[place + (size_t)n - 1];
            int32_t gram = shorter < 0 || type < 0 ? -1 : bag_find(bag, joined(shorter, type));
            work->grams_of[place] = gram;
            hits[n] += bag_take(bag, gram);
        }
    }
    return 1;
}

static int64_t pair_hits(Work *work, const Text *reference, int64_t gap)
{
    size_t reach = reach_of(reference->count, gap);
    int64_t hits = 0;
    bag_unuse(&work->pairs);
    for (size_t last = 1; last < reference->count; last++) {
        if (work->types[last] < 0)
            continue;
        for (size_t first = last > reach ? last - reach : 0; first < last; first++)
            if (work->types[first] >= 0)
                hits += bag_take(&work->pairs,
                                 bag_find(&work->pairs, joined(work->types[first], work->types[last])));
    }
    return hits;
}

/* Hits of single words where neither text's last word counts. */
static int64_t but_last_hits(const Work *work, const Text *system, const Text *reference)
{
    int64_t hits = word_hits(work);
    if (!system->count || !reference->count)
        return hits;
    int32_t ends[2] = {work->words.items[system->count - 1], work->types[reference->count - 1]};
    for (int end = 0; end < 2; end++) {
        int32_t type = ends[end];
        if (type < 0 || (end && type == ends[0]))
            continue;
        int32_t ours = work->words.supply[type], theirs = work->demand[type];
        int32_t fewer_ours = ours - (type == ends[0]), fewer_theirs = theirs - (type == ends[1]);
        if (theirs)
            hits += (fewer_ours < fewer_theirs ? fewer_ours : fewer_theirs) -
                    (ours < theirs ? ours : theirs);
    }
    return hits;
}

/* ---- longest common subsequences ------------------------------------------------------------
 * The table of a reference sentence (rows) and a system sentence (columns) is filled row by row;
 * a row is a bit for each system word, set where the value does not rise from the word before
 * (Hyyro's recurrence). Perl walks back from the last cell: diagonally on a match, else up where
 * that cell is no smaller, else left. Say the walk is at system word j and looks at reference
 * word i: if i matches j, or the row of i is larger at j than the row before it, then i is
 * marked, and the walk goes on below the last match of i that is not above j; otherwise i is
 * passed over. Rows without a match change nothing and are left out. */

static int top_bit(uint64_t bits)
{
#if defined(__GNUC__) || defined(__clang__)
    return 63 - __builtin_clzll(bits);
#else
    int place = -1;
    for (; bits; bits >>= 1)
        place++;
    return place;
#endif
}

/* Several short sentences side by side in one machine word, a zero bit after each. */
typedef struct {
    uint64_t inside, guards;
    int starts[64], stops[64];
    int count;
} Lanes;

static void mark_narrow(Work *work, const int32_t *types, size_t count, const Lanes *lanes,
                        unsigned char *marks)
{
    uint64_t inside = lanes->inside, guards = lanes->guards, flat = inside, met = 0;
    size_t rows = 0;
    for (size_t place = 0; place < count; place++) {
        int32_t slot = types[place] < 0 ? -1 : work->where[types[place]];
        if (slot < 0)
            continue;
        uint64_t match = work->masks[slot], before = flat;
        flat = (((flat + (flat & match)) | (flat & ~match)) & inside);
        /* A guard lends where a sentence's last places are larger than before. */
        work->stops[rows] = (((flat | guards) - before) & inside) | match;
        work->rows[rows++] = (int32_t)place;
        met |= match;
    }
    for (int lane = 0; lane < lanes->count; lane++) {
        int start = lanes->starts[lane], column = lanes->stops[lane] - 1;
        uint64_t floor = ~0ULL << start;
        if (!(met & floor & (~0ULL >> (63 - column))))
            continue;
        for (size_t row = rows; row-- && column >= start;) {
            if (!(work->stops[row] >> column & 1))
                continue;
            int32_t place = work->rows[row];
            marks[place] = 1;
            uint64_t below = work->masks[work->where[types[place]]] & floor;
            below &= ~0ULL >> (63 - column);
            column = below ? top_bit(below) - 1 : -1;
        }
    }
}

static void mark_wide(Work *work, const int32_t *types, size_t count, size_t width,
                      unsigned char *marks)
{
    size_t limbs = (width + 63) / 64, rows = 0;
    uint64_t last = width % 64 ? (1ULL << width % 64) - 1 : ~0ULL, *flat = work->flat;
    memset(flat, 0xff, limbs * sizeof *flat);
    flat[limbs - 1] = last;
    for (size_t place = 0; place < count; place++) {
        int32_t slot = types[place] < 0 ? -1 : work->where[types[place]];
        if (slot < 0)
            continue;
        const uint64_t *match = work->masks + (size_t)slot * limbs;
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
        const uint64_t *match = work->masks + (size_t)work->where[types[place]] * limbs;
        int64_t limb = column / 64;
        uint64_t below = match[limb] & (~0ULL >> (63 - column % 64));
        while (!below && limb > 0)
            below = match[--limb];
        column = below ? limb * 64 + top_bit(below) - 1 : -1;
    }
}

/* Mark the words of the reference's lines that lie on a common subsequence with any of the
 * system's sentences. */
static int mark_subsequences(Work *work, const Text *system, const Text *reference)
{
    size_t lines = (size_t)(reference->bounds[reference->sentences] - reference->bounds[0]);
    if (!NEED(work->marks, work->marks_room, lines + 1) ||
        !NEED(work->rows, work->rows_room, lines + 1))
        return 0;
    memset(work->marks, 0, lines);
    for (size_t s = 0, next; s < system->sentences; s = next) {
        /* As many sentences as one machine word holds, or one long one. */
        Lanes lanes = {0};
        size_t width = 0;
        for (next = s; next < system->sentences; next++) {
            size_t length = (size_t)(system->bounds[next + 1] - system->bounds[next]);
            if (next > s && width + length > 64)
                break;
            if (length && length + width <= 64) {
                lanes.starts[lanes.count] = (int)width;
                lanes.stops[lanes.count++] = (int)(width + length);
                lanes.inside |= (~0ULL >> (64 - length)) << width;
                if (width + length < 64)
                    lanes.guards |= 1ULL << (width + length);
            }
            width += length + (length > 0);
        }
        size_t start = (size_t)(system->bounds[s] - system->bounds[0]);
        size_t stop = (size_t)(system->bounds[next] - system->bounds[0]);
        const int32_t *ours = work->line_types;
        width = stop - start;
        size_t limbs = lanes.count ? 1 : (width + 63) / 64, slots = 0;
        if (!width)
            continue;
        if (!NEED(work->masks, work->masks_room, width * limbs) ||
            !NEED(work->flat, work->flat_room, limbs) ||
            !NEED(work->stops, work->stops_room, (lines + 1) * limbs))
            return 0;
        int lane = 0;
        for (size_t place = start, bit = 0; place < stop; place++, bit++) {
            if (lanes.count && (int)bit == lanes.stops[lane])
                bit = (size_t)lanes.starts[++lane];
            int32_t *slot = &work->where[ours[place]];
            if (*slot < 0) {
                *slot = (int32_t)slots++;
                memset(work->masks + (size_t)*slot * limbs, 0, limbs * sizeof *work->masks);
            }
            work->masks[(size_t)*slot * limbs + bit / 64] |= 1ULL << bit % 64;
        }
        for (size_t r = 0; r < reference->sentences; r++) {
            size_t first = (size_t)(reference->bounds[r] - reference->bounds[0]);
            size_t count = (size_t)(reference->bounds[r + 1] - reference->bounds[r]);
            const int32_t *theirs = work->reference_lines + first;
            if (lanes.count)
                mark_narrow(work, theirs, count, &lanes, work->marks + first);
            else
                mark_wide(work, theirs, count, width, work->marks + first);
        }
        for (size_t place = start; place < stop; place++)
            work->where[ours[place]] = -1;
    }
    return 1;
}

/* Count the marked words, each as often as both texts have it. */
static int64_t subsequence_hits(Work *work, const Text *reference)
{
    size_t lines = (size_t)(reference->bounds[reference->sentences] - reference->bounds[0]);
    int64_t hits = 0;
    bag_unuse(&work->words);
    for (size_t place = 0; place < lines; place++) {
        int32_t type = work->reference_lines[place];
        if (work->marks[place] && work->words.used[type] < work->demand[type])
            hits += bag_take(&work->words, type);
    }
    return hits;
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
        int matched = types[place] >= 0 && known[types[place]] == stamp;
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
            if (type >= 0 && type == columns[column]) {
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
    size_t lines = (size_t)(reference->bounds[reference->sentences] - reference->bounds[0]);
    size_t own = (size_t)(system->bounds[system->sentences] - system->bounds[0]);
    size_t types = (size_t)work->words.count;
    if (!NEED(work->marks, work->marks_room, lines + 1) ||
        !NEED(work->rows, work->rows_room, lines + 1) ||
        !NEED(work->columns, work->columns_room, own + 1) ||
        !NEED(work->met, work->met_room, types + 1) || system->sentences > INT32_MAX)
        return 0;
    memset(work->marks, 0, lines);
    memset(work->met, 0xff, types * sizeof *work->met);
    for (size_t s = 0; s < system->sentences; s++) {
        const int32_t *ours = work->line_types + (system->bounds[s] - system->bounds[0]);
        size_t width = (size_t)(system->bounds[s + 1] - system->bounds[s]);
        for (size_t place = 0; place < width; place++)
            work->where[ours[place]] = (int32_t)s;
        for (size_t r = 0; r < reference->sentences; r++) {
            size_t start = (size_t)(reference->bounds[r] - reference->bounds[0]);
            size_t count = (size_t)(reference->bounds[r + 1] - reference->bounds[r]);
            const int32_t *theirs = work->reference_lines + start;
            size_t rows, columns;
            if (!thin(theirs, count, work->where, (int32_t)s, work->rows, &rows))
                continue;
            for (size_t place = 0; place < count; place++)
                if (theirs[place] >= 0)
                    work->met[theirs[place]] = (int32_t)r;
            thin(ours, width, work->met, (int32_t)r, work->columns, &columns);
            for (size_t column = 0; column < columns; column++)
                work->columns[column] = ours[work->columns[column]];
            if (!mark_weighted_pair(work, theirs, rows, columns, weights, work->marks + start))
                return 0;
        }
    }
    for (size_t place = 0; place < own; place++)
        work->where[work->line_types[place]] = -1;
    return 1;
}

/* Add up the weights of runs of marked words. A word that is used up neither ends a run nor
 * breaks it; a run that is still open where the sentence ends is lost. */
static double weighted_hits(Work *work, const Text *reference, const double *weights)
{
    double hits = 0;
    bag_unuse(&work->words);
    for (size_t r = 0; r < reference->sentences; r++) {
        size_t start = (size_t)(reference->bounds[r] - reference->bounds[0]);
        size_t stop = (size_t)(reference->bounds[r + 1] - reference->bounds[0]);
        int64_t run = 0;
        for (size_t place = start; place < stop; place++) {
            int32_t type = work->reference_lines[place];
            if (!work->marks[place] || work->words.used[type] >= work->demand[type] ||
                !bag_take(&work->words, type))
                continue;
            run++;
            if (place + 1 == stop || !work->marks[place + 1]) {
                hits += weights[run];
                run = 0;
            }
        }
    }
    return hits;
}

/* ---- counting many pairs --------------------------------------------------------------------- */

static int64_t largest_gram(const Kind *kinds, size_t count)
{
    int64_t largest = 1;
    for (size_t k = 0; k < count; k++)
        if (kinds[k].what == GRAMS && kinds[k].n > largest)
            largest = kinds[k].n;
    return largest;
}

static int know_system(Work *work, const Text *system, const Kind *kinds, size_t count)
{
    return know_words(work, system) && know_grams(work, system, largest_gram(kinds, count));
}

/* The hits of one pair: hits[k] for kind k. */
static int count_pair(Work *work, const Text *system, const Text *reference, const Kind *kinds,
                      size_t count, double *hits, size_t stride)
{
    int64_t grams[LARGEST_GRAM + 1];
    if (!know_reference(work, reference) ||
        !gram_hits(work, reference, largest_gram(kinds, count), grams))
        return 0;
    for (size_t k = 0; k < count; k++) {
        const Kind *kind = &kinds[k];
        double *out = hits + k * stride;
        switch (kind->what) {
        case GRAMS:
            *out = (double)grams[kind->n];
            break;
        case SKIP_GRAMS:
            if (!know_pairs(work, system, kind->n))
                return 0;
            *out = (double)pair_hits(work, reference, kind->n);
            if (kind->unigrams)
                *out += (double)but_last_hits(work, system, reference);
            break;
        case SUBSEQUENCE:
            if (!mark_subsequences(work, system, reference))
                return 0;
            *out = (double)subsequence_hits(work, reference);
            break;
        default:
            if (!mark_weighted(work, system, reference, kind->weights))
                return 0;
            *out = weighted_hits(work, reference, kind->weights);
        }
    }
    return 1;
}

/* Read kinds: a sequence of (what, n, unigrams, weights), weights a buffer of doubles or None.
 * The buffers stay in `views`, which the caller releases. */
static Kind *parse_kinds(PyObject *sequence, Py_buffer **views, size_t *count)
{
    Py_ssize_t size = PySequence_Size(sequence);
    if (size < 0)
        return NULL;
    Kind *kinds = calloc((size_t)size + 1, sizeof *kinds);
    *views = calloc((size_t)size + 1, sizeof **views);
    *count = (size_t)size;
    if (!kinds || !*views) {
        PyErr_NoMemory();
        goto fail;
    }
    for (Py_ssize_t k = 0; k < size; k++) {
        PyObject *item = PySequence_GetItem(sequence, k), *weights = NULL;
        long long n = 0;
        int parsed = item && PyArg_ParseTuple(item, "iLpO", &kinds[k].what, &n,
                                              &kinds[k].unigrams, &weights);
        Py_XDECREF(item); /* the tuple is held by the sequence */
        if (!parsed)
            goto fail;
        kinds[k].n = n;
        if (kinds[k].what < GRAMS || kinds[k].what > WEIGHTED ||
            (kinds[k].what == GRAMS && (n < 1 || n > LARGEST_GRAM))) {
            PyErr_SetString(PyExc_ValueError, "there is no such kind");
            goto fail;
        }
        if (kinds[k].what == WEIGHTED) {
            if (!contiguous(weights, *views + k, sizeof(double), 0))
                goto fail;
            kinds[k].weights = (*views)[k].buf;
            kinds[k].longest = (*views)[k].len / (Py_ssize_t)sizeof(double) - 1;
        }
    }
    return kinds;
fail:
    for (Py_ssize_t k = 0; *views && k < size; k++)
        PyBuffer_Release(*views + k);
    free(*views);
    *views = NULL;
    free(kinds);
    return NULL;
}

static void free_kinds(Kind *kinds, Py_buffer *views, size_t count)
{
    for (size_t k = 0; views && k < count; k++)
        PyBuffer_Release(views + k);
    free(views);
    free(kinds);
}

/* Whether every run of a sentence of this length has a weight. */
static int weights_reach(const Kind *kinds, size_t count, int64_t longest)
{
    for (size_t k = 0; k < count; k++)
        if (kinds[k].what == WEIGHTED && kinds[k].longest < longest + 1) {
            PyErr_SetString(PyExc_ValueError, "there are too few weights");
            return 0;
        }
    return 1;
}

/* Whether bounds rise from 0 on, and end within `size`; they must not be empty. */
static int bounds_hold(const Py_buffer *view, int64_t size, int64_t *widest)
{
    const int64_t *bound = view->buf;
    size_t count = (size_t)view->len / sizeof *bound;
    int holds = count > 0 && bound[0] >= 0 && bound[count - 1] <= size;
    for (size_t place = 1; place < count; place++) {
        int64_t width = bound[place] - bound[place - 1];
        holds &= bound[place] >= bound[place - 1];
        if (widest && width > *widest)
            *widest = width;
    }
    return holds;
}

enum { WORDS, BOUNDS, LINES, SENTENCES, TEXTS, SYSTEMS, REFERENCES, OUT, BUFFERS };

/* count(kinds, words, bounds, lines, sentences, texts, systems, references, out): fill `out`,
 * doubles, with the hits of each kind in each pair, one kind after the other. */
static PyObject *kernel_count(PyObject *Py_UNUSED(module), PyObject *args)
{
    static const Py_ssize_t sizes[BUFFERS] = {4, 8, 4, 8, 8, 8, 8, 8};
    PyObject *kinds_object, *objects[BUFFERS];
    Py_buffer views[BUFFERS], *weight_views = NULL;
    if (!PyArg_ParseTuple(args, "OOOOOOOOO", &kinds_object, &objects[0], &objects[1], &objects[2],
                          &objects[3], &objects[4], &objects[5], &objects[6], &objects[7]))
        return NULL;
    size_t kind_count = 0;
    Kind *kinds = parse_kinds(kinds_object, &weight_views, &kind_count);
    if (!kinds)
        return NULL;
    int taken = 0, done = 0;
    for (; taken < BUFFERS; taken++)
        if (!contiguous(objects[taken], &views[taken], sizes[taken], taken == OUT))
            goto finish;
    const int64_t *bounds = views[BOUNDS].buf, *sentences = views[SENTENCES].buf;
    const int64_t *texts = views[TEXTS].buf;
    const int64_t *systems = views[SYSTEMS].buf, *references = views[REFERENCES].buf;
    double *out = views[OUT].buf;
    int64_t count = views[BOUNDS].len / 8 - 1, widest = 0;
    size_t pairs = (size_t)views[SYSTEMS].len / 8;
    int valid = bounds_hold(&views[BOUNDS], views[WORDS].len / 4, NULL) &&
                bounds_hold(&views[SENTENCES], views[LINES].len / 4, &widest) &&
                bounds_hold(&views[TEXTS], views[SENTENCES].len / 8 - 1, NULL) &&
                views[TEXTS].len == views[BOUNDS].len &&
                views[REFERENCES].len == views[SYSTEMS].len &&
                (size_t)views[OUT].len == pairs * kind_count * sizeof(double);
    for (size_t pair = 0; pair < pairs && valid; pair++)
        valid = systems[pair] >= 0 && systems[pair] < count && references[pair] >= 0 &&
                references[pair] < count;
    if (!valid) {
        PyErr_SetString(PyExc_ValueError, "texts, pairs and results do not fit each other");
        goto finish;
    }
    if (!weights_reach(kinds, kind_count, widest))
        goto finish;
    Work *work = calloc(1, sizeof *work);
    done = work != NULL;
    Py_BEGIN_ALLOW_THREADS
    Text system = {0}, reference = {0};
    for (size_t pair = 0; pair < pairs && done; pair++) {
        int64_t ours = systems[pair], theirs = references[pair];
        if (!pair || ours != systems[pair - 1]) {
            system = (Text){(const int32_t *)views[WORDS].buf + bounds[ours],
                            (size_t)(bounds[ours + 1] - bounds[ours]), views[LINES].buf,
                            sentences + texts[ours], (size_t)(texts[ours + 1] - texts[ours])};
            done = know_system(work, &system, kinds, kind_count);
        }
        reference = (Text){(const int32_t *)views[WORDS].buf + bounds[theirs],
                           (size_t)(bounds[theirs + 1] - bounds[theirs]), views[LINES].buf,
                           sentences + texts[theirs], (size_t)(texts[theirs + 1] - texts[theirs])};
        done = done &&
               count_pair(work, &system, &reference, kinds, kind_count, out + pair, pairs);
    }
    if (work)
        work_free(work);
    free(work);
    Py_END_ALLOW_THREADS
    if (!done)
        PyErr_NoMemory();
finish:
    while (taken--)
        PyBuffer_Release(&views[taken]);
    free_kinds(kinds, weight_views, kind_count);
    if (!done || PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

static PyTypeObject *lexicon_type(PyObject *module);

/* ---- single texts ---------------------------------------------------------------------------- */

/* A text as it was read: numbered words, and the bounds of its sentences. */
typedef struct {
    Words words;
    int64_t *bounds;
    size_t sentences;
} Lines;

static void lines_free(Lines *lines)
{
    free(lines->words.words);
    free(lines->bounds);
}

/* Scan one sentence, a str or bytes. */
static int read_sentence(Lexicon *lexicon, PyObject *item, Words *out)
{
    PyObject *bytes = NULL;
    const char *text = NULL;
    Py_ssize_t length = 0;
    if (PyUnicode_Check(item)) {
        text = PyUnicode_AsUTF8AndSize(item, &length);
        if (!text && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
            PyErr_Clear(); /* half a surrogate pair; it is part of no word */
            bytes = PyUnicode_AsEncodedString(item, "utf-8", "surrogatepass");
        }
    } else if (PyBytes_Check(item)) {
        bytes = item;
        Py_INCREF(bytes);
    } else {
        PyErr_SetString(PyExc_TypeError, "a sentence must be a str or bytes");
    }
    if (bytes) {
        length = PyBytes_Size(bytes);
        text = PyBytes_AsString(bytes);
    }
    int done = text != NULL;
    if (done && !scan_sentence(&lexicon->words, (const unsigned char *)text, (size_t)length, out)) {
        PyErr_NoMemory();
        done = 0;
    }
    Py_XDECREF(bytes);
    return done;
}

static int read_lines(Lexicon *lexicon, PyObject *sentences, Lines *lines)
{
    Py_ssize_t size = PySequence_Size(sentences);
    if (size < 0)
        return 0;
    lines->sentences = (size_t)size;
    lines->bounds = calloc((size_t)size + 1, sizeof *lines->bounds);
    if (!lines->bounds || !NEED(lines->words.words, lines->words.room, 64)) {
        PyErr_NoMemory();
        return 0;
    }
    for (Py_ssize_t s = 0; s < size; s++) {
        PyObject *item = PySequence_GetItem(sentences, s);
        int done = item && read_sentence(lexicon, item, &lines->words);
        Py_XDECREF(item);
        if (!done)
            return 0;
        lines->bounds[s + 1] = (int64_t)lines->words.count;
    }
    return 1;
}

/* Replace words by their forms; those that do not count are dropped. */
static void form_lines(const Lexicon *lexicon, Lines *lines)
{
    size_t kept = 0, read = 0;
    for (size_t s = 0; s < lines->sentences; s++) {
        for (; read < (size_t)lines->bounds[s + 1]; read++) {
            int32_t form = lexicon->form_of[lines->words.words[read]];
            if (form >= 0)
                lines->words.words[kept++] = form;
        }
        lines->bounds[s + 1] = (int64_t)kept;
    }
    lines->words.count = kept;
}

/* What there is to hit of one kind. For weighted subsequences the caller raises it to the weight:
 * the weights of the reference's sentences, or the words of the system. */
static double size_of(const Kind *kind, const Text *text, int reference)
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
        return reference ? (double)(text->bounds[text->sentences] - text->bounds[0])
                         : (double)count;
    default:
        for (size_t s = 0; s < text->sentences && reference; s++)
            total += kind->weights[text->bounds[s + 1] - text->bounds[s]];
        return reference ? total : (double)count;
    }
}

/* Whether the counts of these texts are exact and fit into memory: runs have weights, and
 * skip-bigrams are not too many. */
static int texts_fit(const Kind *kinds, size_t kind_count, const Text *texts, size_t count)
{
    for (size_t k = 0; k < kind_count; k++)
        for (size_t t = 0; t < count; t++) {
            if (kinds[k].what == SKIP_GRAMS &&
                reach_of(texts[t].count, kinds[k].n) * texts[t].count > MOST_PAIRS)
                return 0;
            for (size_t s = 0; s < texts[t].sentences && kinds[k].what == WEIGHTED; s++)
                if (texts[t].bounds[s + 1] - texts[t].bounds[s] >= kinds[k].longest)
                    return 0;
        }
    return 1;
}

/* For each kind a list, for each reference a tuple of hits and sizes. */
static PyObject *build_counts(const Kind *kinds, size_t kind_count, const Text *texts,
                              size_t references, const double *hits)
{
    PyObject *result = PyList_New((Py_ssize_t)kind_count);
    for (size_t k = 0; k < kind_count && result; k++) {
        PyObject *row = PyList_New((Py_ssize_t)references);
        for (size_t r = 0; r < references && row; r++) {
            PyObject *counts = Py_BuildValue("(ddd)", hits[k * references + r],
                                             size_of(&kinds[k], &texts[r + 1], 1),
                                             size_of(&kinds[k], &texts[0], 0));
            if (!counts || PyList_SetItem(row, (Py_ssize_t)r, counts) < 0)
                Py_CLEAR(row);
        }
        if (!row || PyList_SetItem(result, (Py_ssize_t)k, row) < 0)
            Py_CLEAR(result);
    }
    return result;
}

static PyObject *count_lines(const Kind *kinds, size_t kind_count, const Lines *wholes,
                             const Lines *lines, size_t count)
{
    size_t references = count - 1;
    Work *work = calloc(1, sizeof *work);
    double *hits = calloc(kind_count * references + 1, sizeof *hits);
    Text *texts = calloc(count, sizeof *texts);
    PyObject *result = NULL;
    int done = work && hits && texts;
    for (size_t t = 0; t < count && done; t++)
        texts[t] = (Text){wholes[t].words.words, wholes[t].words.count, lines[t].words.words,
                          lines[t].bounds, lines[t].sentences};
    if (done && !texts_fit(kinds, kind_count, texts, count)) {
        result = Py_None;
        Py_INCREF(result);
    } else {
        done = done && know_system(work, &texts[0], kinds, kind_count);
        for (size_t r = 0; r < references && done; r++)
            done = count_pair(work, &texts[0], &texts[r + 1], kinds, kind_count, hits + r,
                              references);
        result = done ? build_counts(kinds, kind_count, texts, references, hits) : PyErr_NoMemory();
    }
    if (work)
        work_free(work);
    free(work);
    free(hits);
    free(texts);
    return result;
}

/* count_texts(lexicon, resolve, kinds, texts, lines) -> hits and sizes of the first text with each
 * of the others; None where they would not be exact. A text is a sequence of sentences; `lines`
 * are the texts as measures of sentences see them, or None where that is the same. */
static PyObject *kernel_count_texts(PyObject *module, PyObject *args)
{
    PyObject *lexicon_object, *resolve, *kinds_object, *texts, *texts_lines, *result = NULL;
    if (!PyArg_ParseTuple(args, "O!OOO!O", lexicon_type(module), &lexicon_object, &resolve,
                          &kinds_object, &PyList_Type, &texts, &texts_lines))
        return NULL;
    Lexicon *lexicon = (Lexicon *)lexicon_object;
    if (lexicon->busy)
        return PyErr_Format(PyExc_ValueError, "the lexicon is in use by another thread");
    size_t count = (size_t)PyList_Size(texts), kind_count = 0;
    int apart = texts_lines != Py_None;
    if (!count || (apart && (!PyList_Check(texts_lines) ||
                             PyList_Size(texts_lines) != (Py_ssize_t)count)))
        return PyErr_Format(PyExc_ValueError, "texts and lines do not fit each other");
    Py_buffer *views = NULL;
    Kind *kinds = parse_kinds(kinds_object, &views, &kind_count);
    if (!kinds)
        return NULL;
    Lines *read = calloc(2 * count, sizeof *read);
    int done = read != NULL;
    if (!done)
        PyErr_NoMemory();
    for (size_t t = 0; t < count && done; t++)
        done = read_lines(lexicon, PyList_GetItem(texts, (Py_ssize_t)t), &read[t]) &&
               (!apart ||
                read_lines(lexicon, PyList_GetItem(texts_lines, (Py_ssize_t)t), &read[count + t]));
    if (done && settle(lexicon, resolve)) {
        for (size_t t = 0; t < 2 * count; t++)
            form_lines(lexicon, &read[t]);
        result = count_lines(kinds, kind_count, read, apart ? read + count : read, count);
    }
    for (size_t t = 0; read && t < 2 * count; t++)
        lines_free(&read[t]);
    free(read);
    free_kinds(kinds, views, kind_count);
    return result;
}

/* ---- aligning timelines -------------------------------------------------------------------------- */

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

static void index_free(Index *index)
{
    free(index->map.cells);
    free(index->postings);
    free(index->newest);
    free(index->seen);
    free(index->found);
    free(index->row_of);
    free(index->rows);
}

static int index_texts(Index *index, const int32_t *words, const int64_t *bounds,
                       const int64_t *texts, const int64_t *owners, size_t count)
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
    return 1;
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

/* Add what a day shares with each date of the references, each word at most as often as a text
 * of the date has it. */
static int add_overlaps(Index *index, const int32_t *words, size_t count, size_t dates,
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

enum {
    ALL_WORDS, TEXT_BOUNDS, DAY_TEXTS, DAY_BOUNDS, DAY_FIRST, DAY_LAST, DATE_TEXTS, DATE_OWNERS,
    DATE_FIRST, DATE_LAST, FORWARD, BACKWARD, ALIGN_BUFFERS
};

/* Whether all numbers of a buffer lie from 0 to below `limit`. */
static int numbers_hold(const Py_buffer *view, int64_t limit)
{
    const int64_t *number = view->buf;
    int holds = 1;
    for (Py_ssize_t place = 0; place < view->len / 8; place++)
        holds &= number[place] >= 0 && number[place] < limit;
    return holds;
}

static int alignment_holds(const Py_buffer *views, int content)
{
    Py_ssize_t days = views[DAY_FIRST].len, dates = views[DATE_FIRST].len;
    Py_ssize_t outputs = views[DAY_BOUNDS].len / 8 - 1;
    const int64_t *bound = views[DAY_BOUNDS].buf;
    int64_t texts = views[TEXT_BOUNDS].len / 8 - 1;
    return bounds_hold(&views[TEXT_BOUNDS], views[ALL_WORDS].len / 4, NULL) &&
           bounds_hold(&views[DAY_BOUNDS], days / 8, NULL) && bound[0] == 0 &&
           bound[outputs] == days / 8 && views[DAY_TEXTS].len == days &&
           views[DAY_LAST].len == days && views[DATE_LAST].len == dates &&
           views[DATE_OWNERS].len == views[DATE_TEXTS].len && views[FORWARD].len == days &&
           views[BACKWARD].len == dates * outputs &&
           numbers_hold(&views[DATE_OWNERS], dates / 8) &&
           (!content || (numbers_hold(&views[DAY_TEXTS], texts) &&
                         numbers_hold(&views[DATE_TEXTS], texts)));
}

static int align_outputs(const Py_buffer *views, int64_t references, int content, Rule rule)
{
    const int32_t *words = views[ALL_WORDS].buf;
    const int64_t *bounds = views[TEXT_BOUNDS].buf, *texts = views[DAY_TEXTS].buf;
    const int64_t *days = views[DAY_BOUNDS].buf, *date_texts = views[DATE_TEXTS].buf;
    const int64_t *owners = views[DATE_OWNERS].buf;
    size_t outputs = (size_t)views[DAY_BOUNDS].len / 8 - 1, dates = (size_t)views[DATE_FIRST].len / 8;
    size_t dated = (size_t)views[DATE_TEXTS].len / 8;
    Index index = {0};
    Aligner *aligner = aligner_new();
    double *offered = calloc((size_t)views[DAY_FIRST].len / 8 + 1, sizeof *offered);
    double *wanted = calloc(dates + 1, sizeof *wanted);
    int done = aligner && offered && wanted &&
               (!content || (index_texts(&index, words, bounds, date_texts, owners, dated) &&
                             index_rows(&index, dates)));
    for (size_t t = 0; t < dated && done && content; t++)
        wanted[owners[t]] += (double)(bounds[date_texts[t] + 1] - bounds[date_texts[t]]);
    for (size_t output = 0; output < outputs && done; output++) {
        size_t start = (size_t)days[output], count = (size_t)days[output + 1] - start;
        int32_t *overlaps = aligner_overlaps(aligner, count, dates);
        done = overlaps != NULL;
        for (size_t day = 0; day < count && done && content; day++) {
            int64_t text = texts[start + day];
            size_t length = (size_t)(bounds[text + 1] - bounds[text]);
            offered[start + day] = (double)references * (double)length;
            done = add_overlaps(&index, words + bounds[text], length, dates,
                                overlaps + day * dates);
        }
        Dates system = {(const int64_t *)views[DAY_FIRST].buf + start,
                        (const int64_t *)views[DAY_LAST].buf + start, count};
        Dates reference = {views[DATE_FIRST].buf, views[DATE_LAST].buf, dates};
        done = done && align_dates(aligner, &system, &reference, content ? offered + start : NULL,
                                   content ? wanted : NULL, rule,
                                   (int64_t *)views[FORWARD].buf + start,
                                   (int64_t *)views[BACKWARD].buf + output * dates);
    }
    index_free(&index);
    aligner_free(aligner);
    free(offered);
    free(wanted);
    return done;
}

/* align(words, bounds, day_texts, day_bounds, day_first, day_last, date_texts, date_owners,
 * date_first, date_last, forward, backward, references, content, many, earliest): align the
 * dates of several outputs with those of the same references. */
static PyObject *kernel_align(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *objects[ALIGN_BUFFERS];
    Py_buffer views[ALIGN_BUFFERS];
    long long references;
    int content, done = 0, taken = 0;
    Rule rule;
    if (!PyArg_ParseTuple(args, "OOOOOOOOOOOOLppp", &objects[0], &objects[1], &objects[2],
                          &objects[3], &objects[4], &objects[5], &objects[6], &objects[7],
                          &objects[8], &objects[9], &objects[10], &objects[11], &references,
                          &content, &rule.many, &rule.earliest))
        return NULL;
    for (; taken < ALIGN_BUFFERS; taken++)
        if (!contiguous(objects[taken], &views[taken], taken == ALL_WORDS ? 4 : 8,
                        taken == FORWARD || taken == BACKWARD))
            goto finish;
    if (!alignment_holds(views, content)) {
        PyErr_SetString(PyExc_ValueError, "texts, dates and results do not fit each other");
        goto finish;
    }
    Py_BEGIN_ALLOW_THREADS
    done = align_outputs(views, references, content, rule);
    Py_END_ALLOW_THREADS
    if (!done)
        PyErr_NoMemory();
finish:
    while (taken--)
        PyBuffer_Release(&views[taken]);
    if (!done)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- the module -------------------------------------------------------------------------------- */

typedef struct {
    PyObject *lexicon_type;
} State;

static PyTypeObject *lexicon_type(PyObject *module)
{
    return (PyTypeObject *)((State *)PyModule_GetState(module))->lexicon_type;
}

static PyMethodDef lexicon_methods[] = {
    {"scan", (PyCFunction)lexicon_scan, METH_VARARGS,
     "scan(text, bounds, resolve) -> (words, counts)"},
    {"spelled", (PyCFunction)lexicon_spelled, METH_NOARGS, "spelled() -> the forms, by number"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot lexicon_slots[] = {
    {Py_tp_doc, "Numbers for words: what each counts as is asked once."},
    {Py_tp_new, lexicon_new},
    {Py_tp_dealloc, lexicon_dealloc},
    {Py_tp_methods, lexicon_methods},
    {Py_sq_length, lexicon_length},
    {0, NULL},
};

static PyType_Spec lexicon_spec = {
    .name = "chronoscore._kernel.Lexicon",
    .basicsize = sizeof(Lexicon),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = lexicon_slots,
};

static int module_exec(PyObject *module)
{
    State *state = PyModule_GetState(module);
    fill_in_word();
    state->lexicon_type = PyType_FromModuleAndSpec(module, &lexicon_spec, NULL);
    if (!state->lexicon_type ||
        PyModule_AddObjectRef(module, "Lexicon", state->lexicon_type) < 0 ||
        PyModule_AddIntConstant(module, "INTERFACE", INTERFACE) < 0 ||
        PyModule_AddIntConstant(module, "MOST_PAIRS", (long)MOST_PAIRS) < 0 ||
        PyModule_AddIntConstant(module, "LARGEST_GRAM", LARGEST_GRAM) < 0)
        return -1;
    return 0;
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    State *state = PyModule_GetState(module);
    Py_VISIT(state->lexicon_type);
    return 0;
}

static int module_clear(PyObject *module)
{
    State *state = PyModule_GetState(module);
    Py_CLEAR(state->lexicon_type);
    return 0;
}

static PyMethodDef module_methods[] = {
    {"count", kernel_count, METH_VARARGS,
     "count(kinds, words, bounds, lines, sentences, texts, systems, references, out)"},
    {"align", kernel_align, METH_VARARGS,
     "align(words, bounds, day_texts, day_bounds, day_first, day_last, date_texts, date_owners, "
     "date_first, date_last, forward, backward, references, content, many, earliest)"},
    {"count_texts", kernel_count_texts, METH_VARARGS,
     "count_texts(lexicon, resolve, kinds, texts, lines) -> hits and sizes"},
    {NULL, NULL, 0, NULL},
};

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "chronoscore._kernel",
    .m_doc = "The compiled counting engine.",
    .m_size = sizeof(State),
    .m_methods = module_methods,
    .m_slots = module_slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
};

PyMODINIT_FUNC PyInit__kernel(void)
{
    return PyModuleDef_Init(&module);
}
