/* The compiled counting engine: the same figures as engine/plain.py and the NumPy batch, faster.
 *
 * This file is what Python sees. Rules say what words count as; a Lexicon finds and numbers words
 * (_kernel_words.c, _kernel_stems.c). `count` compares many pairs of numbered texts
 * (_kernel_count.c, _kernel_sequences.c), `count_texts` one text with its references, and `align`
 * the dates of timelines (_kernel_overlap.c, _kernel_align.c). Nothing is kept between calls but
 * in a Lexicon, and no lock is held while much is read or counted, so that threads can share the
 * work.
 *
 * Only the stable ABI of Python 3.11 is used: one build serves every later version.
 */
#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <string.h>

#include "_kernel_align.h"
#include "_kernel_count.h"
#include "_kernel_overlap.h"
#include "_kernel_stems.h"
#include "_kernel_words.h"

#define INTERFACE 4 /* as in kernel.py */

typedef struct {
    PyObject *rules_type, *lexicon_type;
} State;

static PyTypeObject *lexicon_type(PyObject *module)
{
    return (PyTypeObject *)((State *)PyModule_GetState(module))->lexicon_type;
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

/* ---- Rules ------------------------------------------------------------------------------------ */

typedef struct {
    PyObject_HEAD
    WordRules rules;
} Rules;

/* The bytes of a string; half a surrogate pair has its own three. */
static PyObject *bytes_of(PyObject *string)
{
    if (!PyUnicode_Check(string))
        return PyErr_Format(PyExc_TypeError, "words must be strings");
    return PyUnicode_AsEncodedString(string, "utf-8", "surrogatepass");
}

static int add_irregular(WordRules *rules, PyObject *word, PyObject *stem)
{
    PyObject *key = bytes_of(word), *value = key ? bytes_of(stem) : NULL;
    int done = value && (!PyBytes_Size(value) ||
                         rules_add_irregular(rules, PyBytes_AsString(key),
                                             (size_t)PyBytes_Size(key), PyBytes_AsString(value),
                                             (size_t)PyBytes_Size(value)));
    if (value && !done)
        PyErr_NoMemory();
    Py_XDECREF(key);
    Py_XDECREF(value);
    return done;
}

static int add_stop_word(WordRules *rules, PyObject *word)
{
    PyObject *key = bytes_of(word);
    int done = key && strings_add(&rules->stop, PyBytes_AsString(key), (size_t)PyBytes_Size(key));
    if (key && !done)
        PyErr_NoMemory();
    Py_XDECREF(key);
    return done;
}

/* Rules(stemmer, irregular, stop): the number of a stemmer, stems of irregular words by word (one
 * with an empty stem is stemmed by rule), and a list of words that do not count. */
static PyObject *rules_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    int stemmer;
    PyObject *irregular, *stop, *word, *stem;
    if (keywords && PyDict_Size(keywords))
        return PyErr_Format(PyExc_TypeError, "Rules() takes no keywords");
    if (!PyArg_ParseTuple(args, "iO!O!", &stemmer, &PyDict_Type, &irregular, &PyList_Type, &stop))
        return NULL;
    if (stemmer < NO_STEMS || stemmer > NLTK_STEMS)
        return PyErr_Format(PyExc_ValueError, "there is no such stemmer");
    Rules *self = (Rules *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (!self)
        return NULL;
    int done = rules_init(&self->rules, stemmer);
    if (!done)
        PyErr_NoMemory();
    for (Py_ssize_t place = 0; done && PyDict_Next(irregular, &place, &word, &stem);)
        done = add_irregular(&self->rules, word, stem);
    for (Py_ssize_t place = 0; done && place < PyList_Size(stop); place++)
        done = add_stop_word(&self->rules, PyList_GetItem(stop, place));
    if (!done)
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void rules_dealloc(Rules *self)
{
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    rules_free(&self->rules);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

/* form(word) -> what a word of lower-case letters and digits counts as, or None. */
static PyObject *rules_form(Rules *self, PyObject *word)
{
    PyObject *bytes = bytes_of(word), *form = NULL;
    if (!bytes)
        return NULL;
    size_t length = (size_t)PyBytes_Size(bytes);
    char *spelled = malloc(length + self->rules.longest + 1);
    if (spelled) {
        memcpy(spelled, PyBytes_AsString(bytes), length);
        int64_t size = rules_apply(&self->rules, spelled, length);
        form = size < 0 ? Py_NewRef(Py_None)
                        : PyUnicode_DecodeUTF8(spelled, (Py_ssize_t)size, "surrogatepass");
    } else {
        PyErr_NoMemory();
    }
    free(spelled);
    Py_DECREF(bytes);
    return form;
}

/* ---- Lexicon ---------------------------------------------------------------------------------- */

typedef struct {
    PyObject_HEAD
    PyObject *rules;
    Numbering numbering;
    int busy; /* a thread reads without the lock of the interpreter */
    /* Memory of single calls. */
    Work work;
    Span *spans;
    int32_t *words;
    int64_t *ends;
    size_t spans_room, words_room, ends_room;
} Lexicon;

static PyObject *lexicon_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *rules;
    if (keywords && PyDict_Size(keywords))
        return PyErr_Format(PyExc_TypeError, "Lexicon() takes no keywords");
    if (!PyArg_ParseTuple(args, "O", &rules))
        return NULL;
    State *state = PyType_GetModuleState(type);
    if (!PyObject_TypeCheck(rules, (PyTypeObject *)state->rules_type))
        return PyErr_Format(PyExc_TypeError, "Lexicon() takes rules");
    Lexicon *self = (Lexicon *)((allocfunc)PyType_GetSlot(type, Py_tp_alloc))(type, 0);
    if (self) {
        self->rules = Py_NewRef(rules);
        if (!numbering_init(&self->numbering, &((Rules *)rules)->rules)) {
            Py_DECREF(self);
            return PyErr_NoMemory();
        }
    }
    return (PyObject *)self;
}

/* Free the memory of single calls. */
static void lexicon_give_back(Lexicon *self)
{
    work_free(&self->work);
    free(self->spans);
    free(self->words);
    free(self->ends);
    self->spans = NULL;
    self->words = NULL;
    self->ends = NULL;
    self->spans_room = self->words_room = self->ends_room = 0;
}

static void lexicon_dealloc(Lexicon *self)
{
    PyTypeObject *type = Py_TYPE((PyObject *)self);
    numbering_free(&self->numbering);
    lexicon_give_back(self);
    Py_XDECREF(self->rules);
    ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
}

static int is_free(const Lexicon *lexicon)
{
    if (lexicon->busy)
        PyErr_SetString(PyExc_ValueError, "the lexicon is in use by another thread");
    return !lexicon->busy;
}

/* The words of sentences, 4 bytes each, and a 0 and where each sentence ends, 8 bytes each. */
static PyObject *read_spans(Lexicon *self, const Span *spans, size_t count)
{
    size_t most = most_words(spans, count);
    PyObject *words = PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)(most * sizeof(int32_t)));
    PyObject *ends =
        PyByteArray_FromStringAndSize(NULL, (Py_ssize_t)((count + 1) * sizeof(int64_t)));
    PyObject *result = NULL;
    int done = 0;
    if (words && ends) {
        int32_t *word = (int32_t *)PyByteArray_AsString(words);
        int64_t *end = (int64_t *)PyByteArray_AsString(ends);
        self->busy = 1;
        Py_BEGIN_ALLOW_THREADS
        done = number_words(&self->numbering, spans, count, word, end);
        Py_END_ALLOW_THREADS
        self->busy = 0;
        if (!done)
            PyErr_NoMemory();
        else if (!PyByteArray_Resize(words, (Py_ssize_t)((size_t)end[count] * sizeof(int32_t))))
            result = PyTuple_Pack(2, words, ends);
    }
    Py_XDECREF(words);
    Py_XDECREF(ends);
    return result;
}

/* scan(text, bounds) -> (words, ends). Sentence i is text[bounds[i]:bounds[i + 1]]. */
static PyObject *lexicon_scan(Lexicon *self, PyObject *args)
{
    PyObject *text_object, *bounds_object, *result = NULL;
    Py_buffer text, bounds;
    if (!PyArg_ParseTuple(args, "OO", &text_object, &bounds_object) || !is_free(self) ||
        !contiguous(text_object, &text, 1, 0))
        return NULL;
    if (!contiguous(bounds_object, &bounds, sizeof(int64_t), 0)) {
        PyBuffer_Release(&text);
        return NULL;
    }
    const int64_t *bound = bounds.buf;
    size_t sentences = (size_t)bounds.len / sizeof(int64_t);
    sentences -= sentences > 0;
    int valid = 1;
    for (size_t s = 0; s <= sentences && bounds.len; s++)
        valid &= bound[s] >= (s ? bound[s - 1] : 0) && bound[s] <= text.len;
    Span *spans = valid ? malloc((sentences + 1) * sizeof *spans) : NULL;
    if (!valid)
        PyErr_SetString(PyExc_ValueError, "bounds must rise and lie within the text");
    else if (!spans)
        PyErr_NoMemory();
    if (spans) {
        for (size_t s = 0; s < sentences; s++)
            spans[s] = (Span){(const unsigned char *)text.buf + bound[s],
                              (size_t)(bound[s + 1] - bound[s])};
        result = read_spans(self, spans, sentences);
    }
    free(spans);
    PyBuffer_Release(&text);
    PyBuffer_Release(&bounds);
    return result;
}

/* The bytes of a sentence, a str or bytes; what had to be made for that is added to *held. */
static int span_of(PyObject *sentence, Span *span, PyObject **held)
{
    Py_ssize_t length = 0;
    const char *text = NULL;
    PyObject *bytes = NULL;
    if (PyUnicode_Check(sentence)) {
        text = PyUnicode_AsUTF8AndSize(sentence, &length);
        if (!text && PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
            PyErr_Clear(); /* half a surrogate pair; it is part of no word */
            bytes = PyUnicode_AsEncodedString(sentence, "utf-8", "surrogatepass");
            if (bytes && !*held)
                *held = PyList_New(0);
            if (!bytes || !*held || PyList_Append(*held, bytes) < 0) {
                Py_XDECREF(bytes);
                return 0;
            }
            Py_DECREF(bytes);
        }
    } else if (PyBytes_Check(sentence)) {
        bytes = sentence;
    } else {
        PyErr_SetString(PyExc_TypeError, "a sentence must be a str or bytes");
    }
    if (bytes) {
        length = PyBytes_Size(bytes);
        text = PyBytes_AsString(bytes);
    }
    *span = (Span){(const unsigned char *)text, (size_t)length};
    return text != NULL;
}

/* read(sentences) -> (words, ends) of a list of str or bytes, which must not change meanwhile. */
static PyObject *lexicon_read(Lexicon *self, PyObject *sentences)
{
    PyObject *held = NULL, *result = NULL;
    if (!PyList_Check(sentences))
        return PyErr_Format(PyExc_TypeError, "sentences must be a list");
    if (!is_free(self))
        return NULL;
    size_t count = (size_t)PyList_Size(sentences);
    Span *spans = malloc((count + 1) * sizeof *spans);
    int done = spans != NULL;
    if (!done)
        PyErr_NoMemory();
    for (size_t s = 0; s < count && done; s++)
        done = span_of(PyList_GetItem(sentences, (Py_ssize_t)s), &spans[s], &held);
    if (done)
        result = read_spans(self, spans, count);
    free(spans);
    Py_XDECREF(held);
    return result;
}

/* spelled() -> the forms, in the order of their numbers. */
static PyObject *lexicon_spelled(Lexicon *self, PyObject *Py_UNUSED(none))
{
    const Strings *forms = numbering_forms(&self->numbering);
    if (!is_free(self))
        return NULL;
    PyObject *list = PyList_New(forms->count);
    for (uint32_t form = 0; list && form < forms->count; form++) {
        uint64_t start = forms->starts[form];
        PyObject *spelled = PyUnicode_DecodeUTF8(
            forms->letters + start, (Py_ssize_t)(forms->starts[form + 1] - start), "surrogatepass");
        if (!spelled || PyList_SetItem(list, form, spelled) < 0)
            Py_CLEAR(list);
    }
    return list;
}

/* len(lexicon): how many different words it has met. */
static Py_ssize_t lexicon_length(PyObject *self)
{
    return ((Lexicon *)self)->numbering.words.count;
}

/* ---- many pairs ------------------------------------------------------------------------------- */

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

/* Whether words are numbered so that they can be looked up; gives the number after the last. */
static int words_hold(const Py_buffer *view, size_t *count)
{
    const int32_t *word = view->buf;
    int32_t highest = -1, lowest = 0;
    for (Py_ssize_t place = 0; place < view->len / 4; place++) {
        highest = word[place] > highest ? word[place] : highest;
        lowest = word[place] < lowest ? word[place] : lowest;
    }
    size_t after = (size_t)((int64_t)highest + 1);
    if (after > *count)
        *count = after;
    return lowest == 0 && highest < MOST_WORDS;
}

enum { WORDS, BOUNDS, LINES, SENTENCES, TEXTS, SYSTEMS, REFERENCES, OUT, BUFFERS };

/* Count pairs of texts whose buffers fit each other; 0 when there is no memory. */
static int count_views(const Py_buffer *views, const Kind *kinds, size_t kind_count,
                       size_t vocabulary)
{
    const int64_t *bounds = views[BOUNDS].buf, *sentences = views[SENTENCES].buf;
    const int64_t *texts = views[TEXTS].buf;
    const int64_t *systems = views[SYSTEMS].buf, *references = views[REFERENCES].buf;
    double *out = views[OUT].buf;
    size_t pairs = (size_t)views[SYSTEMS].len / 8;
    Work work = {0};
    int done = work_need_words(&work, vocabulary + 1);
    for (size_t pair = 0; pair < pairs && done; pair++) {
        Text both[2];
        for (int side = 0; side < 2; side++) {
            int64_t t = side ? references[pair] : systems[pair];
            both[side] = (Text){(const int32_t *)views[WORDS].buf + bounds[t],
                                (size_t)(bounds[t + 1] - bounds[t]), views[LINES].buf,
                                sentences + texts[t], (size_t)(texts[t + 1] - texts[t])};
        }
        if (!pair || systems[pair] != systems[pair - 1])
            forget_system(&work);
        done = count_pair(&work, &both[0], &both[1], kinds, kind_count, out + pair, pairs);
    }
    work_free(&work);
    return done;
}

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
    size_t kind_count = 0, vocabulary = 0;
    Kind *kinds = parse_kinds(kinds_object, &weight_views, &kind_count);
    if (!kinds)
        return NULL;
    int taken = 0, done = 0;
    for (; taken < BUFFERS; taken++)
        if (!contiguous(objects[taken], &views[taken], sizes[taken], taken == OUT))
            goto finish;
    const int64_t *systems = views[SYSTEMS].buf, *references = views[REFERENCES].buf;
    int64_t count = views[BOUNDS].len / 8 - 1, widest = 0;
    size_t pairs = (size_t)views[SYSTEMS].len / 8;
    int valid = bounds_hold(&views[BOUNDS], views[WORDS].len / 4, NULL) &&
                bounds_hold(&views[SENTENCES], views[LINES].len / 4, &widest) &&
                bounds_hold(&views[TEXTS], views[SENTENCES].len / 8 - 1, NULL) &&
                views[TEXTS].len == views[BOUNDS].len &&
                views[REFERENCES].len == views[SYSTEMS].len &&
                (size_t)views[OUT].len == pairs * kind_count * sizeof(double) &&
                words_hold(&views[WORDS], &vocabulary) &&
                (views[LINES].buf == views[WORDS].buf || words_hold(&views[LINES], &vocabulary));
    for (size_t pair = 0; pair < pairs && valid; pair++)
        valid = systems[pair] >= 0 && systems[pair] < count && references[pair] >= 0 &&
                references[pair] < count;
    if (!valid) {
        PyErr_SetString(PyExc_ValueError, "texts, pairs and results do not fit each other");
        goto finish;
    }
    if (!weights_reach(kinds, kind_count, widest))
        goto finish;
    Py_BEGIN_ALLOW_THREADS
    done = count_views(views, kinds, kind_count, vocabulary);
    Py_END_ALLOW_THREADS
    if (!done)
        PyErr_NoMemory();
finish:
    while (taken--)
        PyBuffer_Release(&views[taken]);
    free_kinds(kinds, weight_views, kind_count);
    if (!done)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- single texts ----------------------------------------------------------------------------- */

#define LARGE_CALL 65536 /* words; the memory of a larger single call is given back */

/* Whether all runs of these texts have weights. */
static int texts_fit(const Kind *kinds, size_t kind_count, const Text *texts, size_t count)
{
    for (size_t k = 0; k < kind_count; k++)
        for (size_t t = 0; t < count && kinds[k].what == WEIGHTED; t++)
            for (size_t s = 0; s < texts[t].sentences; s++)
                if (texts[t].bounds[s + 1] - texts[t].bounds[s] >= kinds[k].longest)
                    return 0;
    return 1;
}

/* Spans of the sentences of texts, sequences of str or bytes; texts[t] gets how many it has. */
static int gather_spans(Lexicon *lexicon, PyObject *list, Text *texts, size_t *spans,
                        PyObject **held)
{
    for (Py_ssize_t t = 0; t < PyList_Size(list); t++) {
        PyObject *sentences = PyList_GetItem(list, t);
        Py_ssize_t size = PySequence_Size(sentences);
        if (size < 0)
            return 0;
        if (!NEED(lexicon->spans, lexicon->spans_room, *spans + (size_t)size + 1)) {
            PyErr_NoMemory();
            return 0;
        }
        for (Py_ssize_t s = 0; s < size; s++) {
            PyObject *item = PySequence_GetItem(sentences, s); /* held by the sequence */
            int done = item && span_of(item, &lexicon->spans[*spans], held);
            Py_XDECREF(item);
            if (!done)
                return 0;
            ++*spans;
        }
        texts[t].sentences = (size_t)size;
    }
    return 1;
}

/* Read texts, and give the places of their words and sentences. */
static int read_texts(Lexicon *lexicon, PyObject *list, PyObject *lines_list, Text *texts)
{
    size_t count = (size_t)PyList_Size(list), spans = 0;
    int apart = lines_list != Py_None;
    PyObject *held = NULL;
    int done = gather_spans(lexicon, list, texts, &spans, &held) &&
               (!apart || gather_spans(lexicon, lines_list, texts + count, &spans, &held));
    if (done) {
        done = NEED(lexicon->words, lexicon->words_room, most_words(lexicon->spans, spans) + 1) &&
               NEED(lexicon->ends, lexicon->ends_room, spans + 1) &&
               number_words(&lexicon->numbering, lexicon->spans, spans, lexicon->words,
                            lexicon->ends) &&
               work_need_words(&lexicon->work, (size_t)numbering_forms(&lexicon->numbering)->count + 1);
        if (!done)
            PyErr_NoMemory();
    }
    Py_XDECREF(held);
    const int64_t *ends = lexicon->ends;
    for (size_t t = 0; t < count * (apart ? 2 : 1) && done; t++) {
        texts[t].words = lexicon->words + ends[0];
        texts[t].count = (size_t)(ends[texts[t].sentences] - ends[0]);
        texts[t].lines = lexicon->words;
        texts[t].bounds = ends;
        ends += texts[t].sentences;
    }
    for (size_t t = 0; t < count && done && apart; t++) {
        texts[t].bounds = texts[count + t].bounds;
        texts[t].sentences = texts[count + t].sentences;
    }
    return done;
}

/* For each kind a list, for each reference a tuple of hits and sizes. */
static PyObject *build_counts(const Kind *kinds, size_t kind_count, const Text *texts,
                              size_t references, const double *hits)
{
    PyObject *result = PyList_New((Py_ssize_t)kind_count);
    for (size_t k = 0; k < kind_count && result; k++) {
        PyObject *row = PyList_New((Py_ssize_t)references);
        for (size_t r = 0; r < references && row; r++) {
            double figures[3] = {hits[k * references + r], size_of(&kinds[k], &texts[r + 1], 1),
                                 size_of(&kinds[k], &texts[0], 0)};
            PyObject *counts = PyTuple_New(3);
            for (int f = 0; f < 3 && counts; f++) {
                PyObject *figure = PyFloat_FromDouble(figures[f]);
                if (!figure || PyTuple_SetItem(counts, f, figure) < 0)
                    Py_CLEAR(counts);
            }
            if (!counts || PyList_SetItem(row, (Py_ssize_t)r, counts) < 0)
                Py_CLEAR(row);
        }
        if (!row || PyList_SetItem(result, (Py_ssize_t)k, row) < 0)
            Py_CLEAR(result);
    }
    return result;
}

/* Count the first text with each of the others. */
static PyObject *count_read(Lexicon *lexicon, const Kind *kinds, size_t kind_count,
                            const Text *texts, size_t count)
{
    size_t references = count - 1;
    if (!texts_fit(kinds, kind_count, texts, count))
        Py_RETURN_NONE;
    double *hits = malloc((kind_count * references + 1) * sizeof *hits);
    int done = hits != NULL;
    forget_system(&lexicon->work);
    for (size_t r = 0; r < references && done; r++)
        done = count_pair(&lexicon->work, &texts[0], &texts[r + 1], kinds, kind_count, hits + r,
                          references);
    PyObject *result = done ? build_counts(kinds, kind_count, texts, references, hits)
                            : PyErr_NoMemory();
    free(hits);
    return result;
}

/* count_texts(lexicon, kinds, texts, lines) -> hits and sizes of the first text with each of the
 * others; None where they would not be exact. A text is a sequence of sentences; `lines` are the
 * texts as measures of sentences see them, or None where that is the same. */
static PyObject *kernel_count_texts(PyObject *module, PyObject *args)
{
    PyObject *lexicon_object, *kinds_object, *list, *lines_list, *result = NULL;
    if (!PyArg_ParseTuple(args, "O!OO!O", lexicon_type(module), &lexicon_object, &kinds_object,
                          &PyList_Type, &list, &lines_list))
        return NULL;
    Lexicon *lexicon = (Lexicon *)lexicon_object;
    if (!is_free(lexicon))
        return NULL;
    size_t count = (size_t)PyList_Size(list), kind_count = 0;
    if (!count || (lines_list != Py_None && (!PyList_Check(lines_list) ||
                                             PyList_Size(lines_list) != (Py_ssize_t)count)))
        return PyErr_Format(PyExc_ValueError, "texts and lines do not fit each other");
    Py_buffer *views = NULL;
    Kind *kinds = parse_kinds(kinds_object, &views, &kind_count);
    if (!kinds)
        return NULL;
    Text *texts = calloc(2 * count, sizeof *texts);
    if (!texts)
        PyErr_NoMemory();
    else if (read_texts(lexicon, list, lines_list, texts))
        result = count_read(lexicon, kinds, kind_count, texts, count);
    if (lexicon->words_room > LARGE_CALL)
        lexicon_give_back(lexicon);
    free(texts);
    free_kinds(kinds, views, kind_count);
    return result;
}

/* ---- aligning timelines ----------------------------------------------------------------------- */

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
               (!content || index_texts(&index, words, bounds, date_texts, owners, dated, dates));
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

/* ---- the module ------------------------------------------------------------------------------- */

static PyMethodDef rules_methods[] = {
    {"form", (PyCFunction)rules_form, METH_O, "form(word) -> what the word counts as, or None"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot rules_slots[] = {
    {Py_tp_doc, "What words count as: themselves or their stems, and stop words as nothing."},
    {Py_tp_new, rules_new},
    {Py_tp_dealloc, rules_dealloc},
    {Py_tp_methods, rules_methods},
    {0, NULL},
};

static PyType_Spec rules_spec = {
    .name = "chronoscore._kernel.Rules",
    .basicsize = sizeof(Rules),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = rules_slots,
};

static PyMethodDef lexicon_methods[] = {
    {"read", (PyCFunction)lexicon_read, METH_O, "read(sentences) -> (words, ends)"},
    {"scan", (PyCFunction)lexicon_scan, METH_VARARGS, "scan(text, bounds) -> (words, ends)"},
    {"spelled", (PyCFunction)lexicon_spelled, METH_NOARGS, "spelled() -> the forms, by number"},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot lexicon_slots[] = {
    {Py_tp_doc, "Numbers for words, by what they count as."},
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
    state->rules_type = PyType_FromModuleAndSpec(module, &rules_spec, NULL);
    state->lexicon_type = PyType_FromModuleAndSpec(module, &lexicon_spec, NULL);
    if (!state->rules_type || !state->lexicon_type ||
        PyModule_AddObjectRef(module, "Rules", state->rules_type) < 0 ||
        PyModule_AddObjectRef(module, "Lexicon", state->lexicon_type) < 0 ||
        PyModule_AddIntConstant(module, "INTERFACE", INTERFACE) < 0 ||
        PyModule_AddIntConstant(module, "LARGEST_GRAM", LARGEST_GRAM) < 0)
        return -1;
    return 0;
}

static int module_traverse(PyObject *module, visitproc visit, void *arg)
{
    State *state = PyModule_GetState(module);
    Py_VISIT(state->rules_type);
    Py_VISIT(state->lexicon_type);
    return 0;
}

static int module_clear(PyObject *module)
{
    State *state = PyModule_GetState(module);
    Py_CLEAR(state->rules_type);
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
     "count_texts(lexicon, kinds, texts, lines) -> hits and sizes"},
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
