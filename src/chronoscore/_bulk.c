/* Many records, compiled: JSON Lines become columns, references become what a digest reads, and
 * bootstrap draws become weights.
 *
 * `read_records` takes what nearly every file of records holds. Whatever else there is on a line
 * (a list of sentences, a broken record, a blank line), it gives up on the whole block, and the
 * reader in Python takes the block and says what is wrong with it. It must therefore never accept
 * what that reader refuses, nor read it in another way.
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

#define INTERFACE 1 /* as in kernel.py */
#define DEEPEST 32  /* levels of lists and objects that are skipped */

/* ---- growing buffers --------------------------------------------------------------------------- */

typedef struct {
    char *bytes;
    size_t used, room;
} Buffer;

static int reserve(Buffer *buffer, size_t more)
{
    if (buffer->room - buffer->used >= more)
        return 1;
    size_t room = buffer->used + more + buffer->room / 2 + 64;
    char *bytes = realloc(buffer->bytes, room);
    if (!bytes)
        return 0;
    buffer->bytes = bytes;
    buffer->room = room;
    return 1;
}

static int append(Buffer *buffer, const void *bytes, size_t count)
{
    if (!reserve(buffer, count))
        return 0;
    if (count)
        memcpy(buffer->bytes + buffer->used, bytes, count);
    buffer->used += count;
    return 1;
}

static int append_number(Buffer *buffer, int64_t number)
{
    return append(buffer, &number, sizeof number);
}

/* ---- JSON -------------------------------------------------------------------------------------- */

typedef enum { DONE, GIVE_UP, NO_MEMORY } Outcome;

typedef struct {
    const unsigned char *at, *end;
} Cursor;

static void skip_blanks(Cursor *cursor)
{
    while (cursor->at < cursor->end &&
           (*cursor->at == ' ' || *cursor->at == '\t' || *cursor->at == '\r'))
        cursor->at++;
}

static int take(Cursor *cursor, unsigned char wanted)
{
    skip_blanks(cursor);
    if (cursor->at == cursor->end || *cursor->at != wanted)
        return 0;
    cursor->at++;
    return 1;
}

static int is_digit(unsigned char sign)
{
    return sign >= '0' && sign <= '9';
}

/* The length of a character of several bytes in UTF-8; 0 if it is not one. */
static size_t wide_length(const unsigned char *at, const unsigned char *end)
{
    size_t length = at[0] >= 0xF0 ? 4 : at[0] >= 0xE0 ? 3 : 2;
    if (at[0] < 0xC2 || at[0] > 0xF4 || (size_t)(end - at) < length)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    if ((at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] > 0x9F) ||
        (at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] > 0x8F))
        return 0;
    return length;
}

/* Four hexadecimal digits; -1 if they are not there. */
static int32_t hexadecimal(Cursor *cursor)
{
    int32_t value = 0;
    if (cursor->end - cursor->at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        unsigned char sign = *cursor->at++;
        int digit = is_digit(sign)                   ? sign - '0'
                    : sign >= 'a' && sign <= 'f' ? sign - 'a' + 10
                    : sign >= 'A' && sign <= 'F' ? sign - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

/* The character after \u as UTF-8; 0 bytes if it is half a pair or no number. */
static size_t escaped_character(Cursor *cursor, unsigned char *out)
{
    int32_t point = hexadecimal(cursor);
    if (point >= 0xD800 && point <= 0xDBFF) {
        if (cursor->end - cursor->at < 2 || cursor->at[0] != '\\' || cursor->at[1] != 'u')
            return 0;
        cursor->at += 2;
        int32_t low = hexadecimal(cursor);
        if (low < 0xDC00 || low > 0xDFFF)
            return 0;
        point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
    } else if (point < 0 || (point >= 0xDC00 && point <= 0xDFFF)) {
        return 0;
    }
    if (point < 0x80) {
        out[0] = (unsigned char)point;
        return 1;
    }
    size_t length = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned char leads[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length - 1; i > 0; i--) {
        out[i] = (unsigned char)(0x80 | (point & 0x3F));
        point >>= 6;
    }
    out[0] = (unsigned char)(leads[length] | point);
    return length;
}

#define ONES 0x0101010101010101ULL
#define HIGHS 0x8080808080808080ULL

/* How many bytes from here on are ASCII and neither a quote, a backslash nor a control. */
static size_t plain_run(const unsigned char *at, const unsigned char *end)
{
    const unsigned char *start = at;
    for (; end - at >= 8; at += 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        uint64_t quote = word ^ (ONES * '"'), backslash = word ^ (ONES * '\\');
        uint64_t special = word | (word - ONES * 0x20) | (quote - ONES) | (backslash - ONES);
        if (special & HIGHS)
            break;
    }
    while (at < end && *at >= 0x20 && *at < 0x80 && *at != '"' && *at != '\\')
        at++;
    return (size_t)(at - start);
}

/* A string, decoded to the end of `out`; the cursor stands before its first quote. */
static Outcome read_string(Cursor *cursor, Buffer *out)
{
    if (!take(cursor, '"'))
        return GIVE_UP;
    while (cursor->at < cursor->end) {
        size_t run = plain_run(cursor->at, cursor->end);
        if (!append(out, cursor->at, run))
            return NO_MEMORY;
        cursor->at += run;
        if (cursor->at == cursor->end)
            return GIVE_UP;
        unsigned char sign = *cursor->at, decoded[4];
        size_t length = 1;
        if (sign == '"') {
            cursor->at++;
            return DONE;
        }
        if (sign >= 0x80) {
            length = wide_length(cursor->at, cursor->end);
            if (!append(out, cursor->at, length))
                return NO_MEMORY;
            cursor->at += length;
            if (!length)
                return GIVE_UP;
            continue;
        }
        if (sign != '\\' || cursor->end - cursor->at < 2)
            return GIVE_UP;
        sign = cursor->at[1];
        cursor->at += 2;
        switch (sign) {
        case 'n': decoded[0] = '\n'; break;
        case 't': decoded[0] = '\t'; break;
        case 'r': decoded[0] = '\r'; break;
        case 'b': decoded[0] = '\b'; break;
        case 'f': decoded[0] = '\f'; break;
        case '"': case '\\': case '/': decoded[0] = sign; break;
        case 'u': length = escaped_character(cursor, decoded); break;
        default: return GIVE_UP;
        }
        if (!length)
            return GIVE_UP;
        if (!append(out, decoded, length))
            return NO_MEMORY;
    }
    return GIVE_UP;
}

/* A number of a usual size; others are left to the reader in Python. */
static Outcome skip_number(Cursor *cursor)
{
    const unsigned char *at = cursor->at, *end = cursor->end, *start = at;
    if (at < end && *at == '-')
        at++;
    const unsigned char *digits = at;
    while (at < end && is_digit(*at))
        at++;
    if (at == digits || (*digits == '0' && at - digits > 1) || at - digits > 18)
        return GIVE_UP;
    if (at < end && *at == '.') {
        digits = ++at;
        while (at < end && is_digit(*at))
            at++;
        if (at == digits)
            return GIVE_UP;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        at++;
        if (at < end && (*at == '+' || *at == '-'))
            at++;
        digits = at;
        while (at < end && is_digit(*at))
            at++;
        if (at == digits || at - digits > 2)
            return GIVE_UP;
    }
    cursor->at = at;
    return at - start > 40 ? GIVE_UP : DONE;
}

static Outcome skip_value(Cursor *cursor, Buffer *scratch, int depth);

/* The rest of a list or an object whose bracket was taken. */
static Outcome skip_nested(Cursor *cursor, Buffer *scratch, int depth, int keyed)
{
    unsigned char closing = keyed ? '}' : ']';
    if (depth >= DEEPEST)
        return GIVE_UP;
    if (take(cursor, closing))
        return DONE;
    for (;;) {
        Outcome outcome = keyed ? read_string(cursor, scratch) : DONE;
        if (outcome == DONE && keyed && !take(cursor, ':'))
            return GIVE_UP;
        if (outcome == DONE)
            outcome = skip_value(cursor, scratch, depth + 1);
        if (outcome != DONE || take(cursor, closing))
            return outcome;
        if (!take(cursor, ','))
            return GIVE_UP;
    }
}

static Outcome skip_value(Cursor *cursor, Buffer *scratch, int depth)
{
    static const char *const literals[] = {"true", "false", "null"};
    skip_blanks(cursor);
    scratch->used = 0;
    if (cursor->at == cursor->end)
        return GIVE_UP;
    if (*cursor->at == '"')
        return read_string(cursor, scratch);
    if (take(cursor, '{'))
        return skip_nested(cursor, scratch, depth, 1);
    if (take(cursor, '['))
        return skip_nested(cursor, scratch, depth, 0);
    for (int i = 0; i < 3; i++) {
        size_t length = strlen(literals[i]);
        if ((size_t)(cursor->end - cursor->at) >= length &&
            !memcmp(cursor->at, literals[i], length)) {
            cursor->at += length;
            return DONE;
        }
    }
    return skip_number(cursor);
}

/* ---- records ----------------------------------------------------------------------------------- */

/* Texts lie in bytes with their lengths beside them; an id of length -1 is not given. */
typedef struct {
    Buffer ids, id_lengths, systems, system_lengths, references, reference_lengths, sizes, scratch;
} Table;

static void table_free(Table *table)
{
    Buffer *all[] = {&table->ids,        &table->id_lengths,        &table->systems,
                     &table->system_lengths, &table->references, &table->reference_lengths,
                     &table->sizes,      &table->scratch};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->bytes);
}

static Outcome read_text(Cursor *cursor, Buffer *texts, Buffer *lengths)
{
    size_t before = texts->used;
    Outcome outcome = read_string(cursor, texts);
    if (outcome == DONE && !append_number(lengths, (int64_t)(texts->used - before)))
        return NO_MEMORY;
    return outcome;
}

static Outcome read_id(Cursor *cursor, Table *table)
{
    skip_blanks(cursor);
    const unsigned char *start = cursor->at;
    size_t left = (size_t)(cursor->end - start), length = 0;
    if (left && *start == '"')
        return read_text(cursor, &table->ids, &table->id_lengths);
    if (left >= 4 && !memcmp(start, "null", 4)) {
        cursor->at += 4;
        return append_number(&table->id_lengths, -1) ? DONE : NO_MEMORY;
    }
    while (length < left && is_digit(start[length]))
        length++;
    if (!length || length > 18 || (*start == '0' && length > 1) ||
        (length < left && strchr(".eE", start[length])))
        return GIVE_UP;
    cursor->at += length;
    return append(&table->ids, start, length) &&
                   append_number(&table->id_lengths, (int64_t)length)
               ? DONE
               : NO_MEMORY;
}

static Outcome read_references(Cursor *cursor, Table *table)
{
    int64_t size = 0;
    Outcome outcome;
    if (!take(cursor, '[')) {
        size = 1;
        outcome = read_text(cursor, &table->references, &table->reference_lengths);
    } else {
        do {
            size++;
            outcome = read_text(cursor, &table->references, &table->reference_lengths);
        } while (outcome == DONE && take(cursor, ','));
        if (outcome == DONE && !take(cursor, ']'))
            return GIVE_UP;
    }
    if (outcome == DONE && !append_number(&table->sizes, size))
        return NO_MEMORY;
    return outcome;
}

static int is_key(const Buffer *key, const char *name)
{
    return key->used == strlen(name) && !memcmp(key->bytes, name, key->used);
}

/* One line: an object with a text for `system`, texts for `references`, and perhaps an `id`. */
static Outcome read_record(Cursor *cursor, Table *table)
{
    int has_id = 0, has_system = 0, has_references = 0;
    if (!take(cursor, '{'))
        return GIVE_UP;
    do {
        Buffer *key = &table->scratch;
        key->used = 0;
        Outcome outcome = read_string(cursor, key);
        if (outcome != DONE || !take(cursor, ':'))
            return outcome == DONE ? GIVE_UP : outcome;
        if (is_key(key, "id"))
            outcome = has_id++ ? GIVE_UP : read_id(cursor, table);
        else if (is_key(key, "system"))
            outcome = has_system++
                          ? GIVE_UP
                          : (skip_blanks(cursor),
                             read_text(cursor, &table->systems, &table->system_lengths));
        else if (is_key(key, "references"))
            outcome = has_references++ ? GIVE_UP : read_references(cursor, table);
        else
            outcome = skip_value(cursor, key, 0);
        if (outcome != DONE)
            return outcome;
    } while (take(cursor, ','));
    if (!take(cursor, '}') || !has_system || !has_references)
        return GIVE_UP;
    skip_blanks(cursor);
    if (cursor->at != cursor->end)
        return GIVE_UP;
    return has_id || append_number(&table->id_lengths, -1) ? DONE : NO_MEMORY;
}

static Outcome read_lines(const unsigned char *raw, size_t length, Table *table)
{
    const unsigned char *end = raw + length;
    /* What is decoded is never longer than what was written. */
    Outcome outcome = reserve(&table->systems, length) && reserve(&table->references, length)
                          ? DONE
                          : NO_MEMORY;
    while (outcome == DONE) {
        const unsigned char *stop = memchr(raw, '\n', (size_t)(end - raw));
        Cursor cursor = {raw, stop ? stop : end};
        outcome = read_record(&cursor, table);
        if (!stop)
            break;
        raw = stop + 1;
    }
    return outcome;
}

/* The ids as strings, None where there is none. */
static PyObject *list_ids(const Table *table)
{
    const int64_t *lengths = (const int64_t *)(const void *)table->id_lengths.bytes;
    Py_ssize_t count = (Py_ssize_t)(table->id_lengths.used / sizeof *lengths);
    PyObject *ids = PyList_New(count);
    const char *at = table->ids.bytes;
    for (Py_ssize_t i = 0; ids && i < count; i++) {
        PyObject *id = lengths[i] < 0
                           ? Py_NewRef(Py_None)
                           : PyUnicode_DecodeUTF8(at, (Py_ssize_t)lengths[i], "strict");
        if (!id) {
            Py_CLEAR(ids);
            break;
        }
        PyList_SetItem(ids, i, id);
        at += lengths[i] < 0 ? 0 : lengths[i];
    }
    return ids;
}

/* Where each text begins, outputs before references, and where the last one ends. */
static PyObject *list_bounds(const Table *table)
{
    size_t before = table->system_lengths.used, after = table->reference_lengths.used;
    PyObject *bounds =
        PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(before + after + sizeof(int64_t)));
    if (!bounds)
        return NULL;
    char *at = PyBytes_AsString(bounds);
    int64_t sum = 0;
    memcpy(at, &sum, sizeof sum);
    for (size_t i = 0; i < before + after; i += sizeof sum) {
        int64_t one;
        memcpy(&one,
               i < before ? table->system_lengths.bytes + i
                          : table->reference_lengths.bytes + (i - before),
               sizeof one);
        sum += one;
        memcpy(at + i + sizeof sum, &sum, sizeof sum);
    }
    return bounds;
}

static PyObject *join(const Buffer *first, const Buffer *second)
{
    PyObject *joined =
        PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(first->used + second->used));
    if (!joined)
        return NULL;
    char *at = PyBytes_AsString(joined);
    if (first->used)
        memcpy(at, first->bytes, first->used);
    if (second->used)
        memcpy(at + first->used, second->bytes, second->used);
    return joined;
}

/* read_records(lines) -> (ids, data, bounds, sizes), or None where any line is unusual. */
static PyObject *bulk_read_records(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer lines;
    Table table = {0};
    PyObject *result = NULL;
    Outcome outcome;
    if (!PyArg_ParseTuple(args, "y*", &lines))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    outcome = read_lines(lines.buf, (size_t)lines.len, &table);
    Py_END_ALLOW_THREADS
    if (outcome == NO_MEMORY) {
        PyErr_NoMemory();
    } else if (outcome == GIVE_UP) {
        result = Py_NewRef(Py_None);
    } else {
        PyObject *ids = list_ids(&table), *data = join(&table.systems, &table.references);
        PyObject *bounds = list_bounds(&table);
        PyObject *sizes =
            PyBytes_FromStringAndSize(table.sizes.bytes, (Py_ssize_t)table.sizes.used);
        if (ids && data && bounds && sizes)
            result = PyTuple_Pack(4, ids, data, bounds, sizes);
        Py_XDECREF(ids);
        Py_XDECREF(data);
        Py_XDECREF(bounds);
        Py_XDECREF(sizes);
    }
    table_free(&table);
    PyBuffer_Release(&lines);
    return result;
}

/* ---- references as a digest reads them ------------------------------------------------------- */

static int append_object(Buffer *out, PyObject *text)
{
    PyObject *encoded = text ? PyUnicode_AsEncodedString(text, "utf-8", "replace") : NULL;
    int done = 0;
    if (encoded) {
        done = append(out, PyBytes_AsString(encoded), (size_t)PyBytes_Size(encoded));
        if (!done)
            PyErr_NoMemory();
        Py_DECREF(encoded);
    }
    Py_XDECREF(text);
    return done;
}

/* repr() of a string of UTF-8; Python itself is asked about what is not ASCII. */
static int append_repr(Buffer *out, const unsigned char *text, size_t length)
{
    int single = 0, twofold = 0, special = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] >= 0x80) {
            PyObject *string =
                PyUnicode_DecodeUTF8((const char *)text, (Py_ssize_t)length, "surrogatepass");
            PyObject *shown = string ? PyObject_Repr(string) : NULL;
            Py_XDECREF(string);
            return append_object(out, shown);
        }
        single |= text[i] == '\'';
        twofold |= text[i] == '"';
        special |= text[i] < 0x20 || text[i] == 0x7F || text[i] == '\\';
    }
    char quote = single && !twofold ? '"' : '\'';
    if (!reserve(out, 4 * length + 2)) {
        PyErr_NoMemory();
        return 0;
    }
    char *at = out->bytes + out->used;
    *at++ = quote;
    if (!special && !(single && twofold)) {
        if (length)
            memcpy(at, text, length);
        at += length;
    } else {
        static const char digits[] = "0123456789abcdef";
        for (size_t i = 0; i < length; i++) {
            char sign = (char)text[i];
            char letter = sign == '\t' ? 't' : sign == '\n' ? 'n' : sign == '\r' ? 'r' : 0;
            if (sign == quote || sign == '\\') {
                *at++ = '\\';
                *at++ = sign;
            } else if (letter) {
                *at++ = '\\';
                *at++ = letter;
            } else if (text[i] < 0x20 || text[i] == 0x7F) {
                *at++ = '\\';
                *at++ = 'x';
                *at++ = digits[text[i] >> 4];
                *at++ = digits[text[i] & 15];
            } else {
                *at++ = sign;
            }
        }
    }
    *at++ = quote;
    out->used = (size_t)(at - out->bytes);
    return 1;
}

static int append_words(Buffer *out, const char *words)
{
    if (append(out, words, strlen(words)))
        return 1;
    PyErr_NoMemory();
    return 0;
}

/* A reference as repr() of its Summary; its lines are sentences. */
static int append_reference(Buffer *out, const unsigned char *text, size_t length, long number)
{
    int lines = 0;
    if (!append_words(out, "Summary(sentences=("))
        return 0;
    for (const unsigned char *end = text + length;; lines++) {
        const unsigned char *stop = text < end ? memchr(text, '\n', (size_t)(end - text)) : NULL;
        if ((lines && !append_words(out, ", ")) ||
            !append_repr(out, text, (size_t)((stop ? stop : end) - text)))
            return 0;
        if (!stop)
            break;
        text = stop + 1;
    }
    char author[64];
    PyOS_snprintf(author, sizeof author, "%s, author='%ld', set='A')", lines ? ")" : ",)", number);
    return append_words(out, author);
}

/* describe(ids, data, bounds, sizes) -> topics and references as a digest reads them */
static PyObject *bulk_describe(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *ids, *result = NULL;
    Py_buffer data, bounds, sizes;
    Buffer out = {0};
    if (!PyArg_ParseTuple(args, "O!y*y*y*", &PyList_Type, &ids, &data, &bounds, &sizes))
        return NULL;
    const int64_t *starts = bounds.buf, *counts = sizes.buf;
    Py_ssize_t records = sizes.len / 8, texts = bounds.len / 8 - 1, text = records;
    int done = PyList_Size(ids) == records && texts >= records && reserve(&out, (size_t)data.len);
    for (Py_ssize_t i = 0; i < texts && done; i++)
        done = starts[i] >= 0 && starts[i] <= starts[i + 1] && starts[i + 1] <= data.len;
    if (!done) {
        PyErr_SetString(PyExc_ValueError, "ids, texts and numbers do not fit each other");
        goto finish;
    }
    for (Py_ssize_t i = 0; i < records && done; i++) {
        if (counts[i] < 0 || counts[i] > texts - text) {
            PyErr_SetString(PyExc_ValueError, "there are fewer texts than references");
            done = 0;
            break;
        }
        done = append_words(&out, "(") &&
               append_object(&out, PyObject_Repr(PyList_GetItem(ids, i))) &&
               append_words(&out, ", (");
        for (long number = 1; done && number <= counts[i]; number++, text++)
            done = (number == 1 || append_words(&out, ", ")) &&
                   append_reference(&out, (const unsigned char *)data.buf + starts[text],
                                    (size_t)(starts[text + 1] - starts[text]), number);
        done = done && append_words(&out, counts[i] == 1 ? ",), ())" : "), ())");
    }
    if (done)
        result = PyBytes_FromStringAndSize(out.bytes, (Py_ssize_t)out.used);
finish:
    free(out.bytes);
    PyBuffer_Release(&data);
    PyBuffer_Release(&bounds);
    PyBuffer_Release(&sizes);
    return result;
}

/* ---- bootstrap draws --------------------------------------------------------------------------- */

#ifdef __SIZEOF_INT128__

/* NumPy's default generator, PCG64, and its way to whole numbers below a limit (Lemire's). */
typedef struct {
    unsigned __int128 state, step;
    uint32_t waiting; /* the other half of the last 64 bits, if there is one */
    int has_waiting;
} Generator;

static inline uint32_t next_number(Generator *generator)
{
    if (generator->has_waiting) {
        generator->has_waiting = 0;
        return generator->waiting;
    }
    const unsigned __int128 factor =
        ((unsigned __int128)2549297995355413924ULL << 64) + 4865540595714422341ULL;
    generator->state = generator->state * factor + generator->step;
    uint64_t folded = (uint64_t)(generator->state >> 64) ^ (uint64_t)generator->state;
    unsigned turn = (unsigned)(generator->state >> 122);
    uint64_t drawn = (folded >> turn) | (folded << ((64 - turn) & 63));
    generator->waiting = (uint32_t)(drawn >> 32);
    generator->has_waiting = 1;
    return (uint32_t)drawn;
}

static inline uint32_t next_below(Generator *generator, uint32_t limit, uint32_t least)
{
    uint64_t product = (uint64_t)next_number(generator) * limit;
    while ((uint32_t)product < least)
        product = (uint64_t)next_number(generator) * limit;
    return (uint32_t)(product >> 32);
}

/* How often each topic is drawn when as many are drawn as there are. */
static void draw_row(Generator *source, uint32_t topics, double *weights, uint8_t *counts)
{
    Generator own = *source, *generator = &own; /* stays in registers */
    uint32_t least = (uint32_t)(0u - topics) % topics;
    memset(counts, 0, topics);
    memset(weights, 0, topics * sizeof *weights);
    for (uint32_t i = 0; i < topics; i++) {
        uint32_t drawn = next_below(generator, topics, least);
        if (!++counts[drawn])
            weights[drawn] += 256;
    }
    for (uint32_t i = 0; i < topics; i++)
        weights[i] += counts[i];
    *source = own;
}

/* draw(state, weights, topics): fill rows of weights; the state goes on. */
static PyObject *bulk_draw(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer state, weights;
    unsigned long topics;
    PyObject *result = NULL;
    if (!PyArg_ParseTuple(args, "w*w*k", &state, &weights, &topics))
        return NULL;
    uint64_t *numbers = state.buf;
    size_t width = topics * sizeof(double);
    if (state.len != 48 || topics < 2 || topics > UINT32_MAX - 1 || weights.len % (Py_ssize_t)width) {
        PyErr_SetString(PyExc_ValueError, "state, weights and topics do not fit each other");
        goto finish;
    }
    uint8_t *counts = malloc(topics);
    if (!counts) {
        PyErr_NoMemory();
        goto finish;
    }
    Py_BEGIN_ALLOW_THREADS
    Generator generator = {((unsigned __int128)numbers[0] << 64) | numbers[1],
                           ((unsigned __int128)numbers[2] << 64) | numbers[3],
                           (uint32_t)numbers[5], numbers[4] != 0};
    for (char *row = weights.buf, *end = row + weights.len; row < end; row += width)
        draw_row(&generator, (uint32_t)topics, (double *)(void *)row, counts);
    numbers[0] = (uint64_t)(generator.state >> 64);
    numbers[1] = (uint64_t)generator.state;
    numbers[4] = (uint64_t)generator.has_waiting;
    numbers[5] = generator.waiting;
    Py_END_ALLOW_THREADS
    free(counts);
    result = Py_NewRef(Py_None);
finish:
    PyBuffer_Release(&state);
    PyBuffer_Release(&weights);
    return result;
}

#endif

/* ---- the module -------------------------------------------------------------------------------- */

static PyMethodDef module_methods[] = {
    {"read_records", bulk_read_records, METH_VARARGS,
     "read_records(lines) -> (ids, data, bounds, sizes), or None where a line is unusual"},
    {"describe", bulk_describe, METH_VARARGS,
     "describe(ids, data, bounds, sizes) -> topics and references as a digest reads them"},
#ifdef __SIZEOF_INT128__
    {"draw", bulk_draw, METH_VARARGS, "draw(state, weights, topics): fill rows of weights"},
#endif
    {NULL, NULL, 0, NULL},
};

static int module_exec(PyObject *module)
{
    return PyModule_AddIntConstant(module, "INTERFACE", INTERFACE);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL},
};

static struct PyModuleDef module = {
    PyModuleDef_HEAD_INIT,
    .m_name = "chronoscore._bulk",
    .m_doc = "Many records, compiled.",
    .m_methods = module_methods,
    .m_slots = module_slots,
};

PyMODINIT_FUNC PyInit__bulk(void)
{
    return PyModuleDef_Init(&module);
}
