/* Many records, compiled: JSON Lines and CSV become columns, references become what a digest reads.
 *
 * `read_records` and `read_table` take what nearly every file of records holds. Whatever else there
 * is (a list of sentences, a broken record, a stray quote), they give up on the whole block, and the
 * readers in Python take it and say what is wrong with it. They must therefore never accept what
 * those readers refuse, nor read it in another way.
 *
 * Only the stable ABI of Python 3.11 is used: one build serves every later version.
 */
#define PY_SSIZE_T_CLEAN
#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#include <Python.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INTERFACE 3 /* as in kernel.py */
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

typedef enum { DONE, GIVE_UP, NO_MEMORY, MORE } Outcome;

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

/* (ids, data, bounds, sizes, used) of what was read, or None where the reader gave up. */
static PyObject *table_result(const Table *table, Outcome outcome, Py_ssize_t used)
{
    if (outcome == NO_MEMORY)
        return PyErr_NoMemory();
    if (outcome == GIVE_UP)
        return Py_NewRef(Py_None);
    PyObject *ids = list_ids(table), *data = join(&table->systems, &table->references);
    PyObject *bounds = list_bounds(table);
    PyObject *sizes = PyBytes_FromStringAndSize(table->sizes.bytes, (Py_ssize_t)table->sizes.used);
    PyObject *length = PyLong_FromSsize_t(used), *result = NULL;
    if (ids && data && bounds && sizes && length)
        result = PyTuple_Pack(5, ids, data, bounds, sizes, length);
    Py_XDECREF(ids);
    Py_XDECREF(data);
    Py_XDECREF(bounds);
    Py_XDECREF(sizes);
    Py_XDECREF(length);
    return result;
}

/* read_records(lines) -> (ids, data, bounds, sizes, used), or None where any line is unusual. */
static PyObject *bulk_read_records(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer lines;
    Table table = {0};
    Outcome outcome;
    if (!PyArg_ParseTuple(args, "y*", &lines))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    outcome = read_lines(lines.buf, (size_t)lines.len, &table);
    Py_END_ALLOW_THREADS
    PyObject *result = table_result(&table, outcome, lines.len);
    table_free(&table);
    PyBuffer_Release(&lines);
    return result;
}

/* ---- CSV --------------------------------------------------------------------------------------- */

typedef enum { IGNORED, ID, SYSTEM, REFERENCE } Role;

/* Append bytes of a cell; they must be UTF-8 without NUL. */
static Outcome append_cell(Buffer *out, const unsigned char *at, const unsigned char *end)
{
    const unsigned char *start = at;
    while (at < end) {
        uint64_t word;
        size_t length = 1;
        if (end - at >= 8 && (memcpy(&word, at, 8), !((word | (word - ONES)) & HIGHS)))
            length = 8;
        else if (*at >= 0x80)
            length = wide_length(at, end);
        if (!length || !*at)
            return GIVE_UP;
        at += length;
    }
    return append(out, start, (size_t)(end - start)) ? DONE : NO_MEMORY;
}

/* A cell up to the comma or line end after it; MORE where the data end before that. */
static Outcome read_cell(Cursor *cursor, Buffer *out)
{
    const unsigned char *at = cursor->at, *end = cursor->end;
    Outcome outcome = DONE;
    if (at < end && *at == '"') {
        do { /* a doubled quote is one, and the cell goes on */
            at++;
            const unsigned char *quote = memchr(at, '"', (size_t)(end - at));
            if (!quote || quote + 1 == end)
                return MORE;
            outcome = append_cell(out, at, quote[1] == '"' ? quote + 1 : quote);
            at = quote + 1;
        } while (outcome == DONE && *at == '"');
    } else {
        const unsigned char *start = at;
        while (at < end && *at != ',' && *at != '\n' && *at != '\r' && *at != '"')
            at++;
        outcome = append_cell(out, start, at);
    }
    if (outcome == DONE && at == end)
        return MORE;
    if (outcome == DONE && *at == '\r') {
        if (++at == end)
            return MORE;
        outcome = *at == '\n' ? DONE : GIVE_UP;
    }
    cursor->at = at;
    return outcome == DONE && *at != ',' && *at != '\n' ? GIVE_UP : outcome;
}

/* One row: a cell for each role, and no other. */
static Outcome read_row(Cursor *cursor, const unsigned char *roles, size_t cells, Table *table)
{
    int64_t references = 0;
    int has_id = 0;
    for (size_t cell = 0; cell < cells; cell++) {
        Buffer *texts = &table->scratch, *lengths = NULL;
        switch (roles[cell]) {
        case ID: texts = &table->ids, lengths = &table->id_lengths, has_id = 1; break;
        case SYSTEM: texts = &table->systems, lengths = &table->system_lengths; break;
        case REFERENCE: texts = &table->references, lengths = &table->reference_lengths; break;
        default: texts->used = 0;
        }
        size_t before = texts->used;
        Outcome outcome = read_cell(cursor, texts);
        if (outcome != DONE)
            return outcome;
        if (lengths && !append_number(lengths, (int64_t)(texts->used - before)))
            return NO_MEMORY;
        references += roles[cell] == REFERENCE;
        if ((*cursor->at == ',') != (cell + 1 < cells))
            return GIVE_UP;
        cursor->at++;
    }
    if (!has_id && !append_number(&table->id_lengths, -1))
        return NO_MEMORY;
    return append_number(&table->sizes, references) ? DONE : NO_MEMORY;
}

/* All whole rows; where they end comes back in `used`. Blank lines are left out. */
static Outcome read_rows(const unsigned char *raw, size_t length, const unsigned char *roles,
                         size_t cells, Table *table, Py_ssize_t *used)
{
    Cursor cursor = {raw, raw + length};
    Outcome outcome = reserve(&table->systems, length) && reserve(&table->references, length)
                          ? DONE
                          : NO_MEMORY;
    *used = 0;
    while (outcome == DONE) {
        while (cursor.at < cursor.end &&
               (*cursor.at == '\n' ||
                (*cursor.at == '\r' && cursor.end - cursor.at > 1 && cursor.at[1] == '\n')))
            cursor.at++;
        *used = cursor.at - raw;
        Table before = *table; /* what a row that breaks off has added is dropped */
        outcome = read_row(&cursor, roles, cells, table);
        if (outcome == MORE) {
            table->ids.used = before.ids.used;
            table->id_lengths.used = before.id_lengths.used;
            table->systems.used = before.systems.used;
            table->system_lengths.used = before.system_lengths.used;
            table->references.used = before.references.used;
            table->reference_lengths.used = before.reference_lengths.used;
            return DONE;
        }
    }
    return outcome;
}

/* read_table(rows, roles) -> (ids, data, bounds, sizes, used), or None where any row is unusual. */
static PyObject *bulk_read_table(PyObject *Py_UNUSED(module), PyObject *args)
{
    Py_buffer rows, roles;
    Table table = {0};
    Outcome outcome;
    Py_ssize_t used;
    if (!PyArg_ParseTuple(args, "y*y*", &rows, &roles))
        return NULL;
    Py_BEGIN_ALLOW_THREADS
    outcome = read_rows(rows.buf, (size_t)rows.len, roles.buf, (size_t)roles.len, &table, &used);
    Py_END_ALLOW_THREADS
    PyObject *result = table_result(&table, outcome, used);
    table_free(&table);
    PyBuffer_Release(&rows);
    PyBuffer_Release(&roles);
    return result;
}

/* ---- references as a digest reads them ------------------------------------------------------- */

#define POINTS 0x110000 /* code points of Unicode */

/* Which code points a text has, or which of them repr() leaves as they are, as bits. */
typedef struct {
    unsigned char bits[POINTS / 8];
    int any;
} Points;

static inline int has_point(const Points *points, uint32_t point)
{
    return points->bits[point >> 3] >> (point & 7) & 1;
}

/* The character of several bytes that begins here, and its length; 0 if there is none. Half a pair
 * of UTF-16 counts as one: Python's "surrogatepass" writes it so. */
static size_t wide_point(const unsigned char *at, const unsigned char *end, uint32_t *point)
{
    size_t length = wide_length(at, end);
    if (!length && end - at >= 3 && at[0] == 0xED && at[1] >= 0xA0 && at[1] <= 0xBF &&
        (at[2] & 0xC0) == 0x80)
        length = 3;
    *point = at[0] & (0x7F >> length);
    for (size_t i = 1; i < length; i++)
        *point = *point << 6 | (at[i] & 0x3F);
    return length;
}

/* Note the characters that are not ASCII; the place of one that is no UTF-8, or nothing. */
static const unsigned char *note_points(Points *points, const unsigned char *at,
                                        const unsigned char *end)
{
    while (at < end) {
        uint64_t word;
        if (end - at >= 8 && (memcpy(&word, at, 8), !(word & HIGHS))) {
            at += 8;
        } else if (*at < 0x80) {
            at++;
        } else {
            uint32_t point;
            size_t length = wide_point(at, end, &point);
            if (!length)
                return at;
            points->bits[point >> 3] |= (unsigned char)(1 << (point & 7));
            points->any = 1;
            at += length;
        }
    }
    return NULL;
}

/* Keep of some code points those that repr() does not escape; 0 with an error. */
static int keep_printable(Points *points)
{
    for (uint32_t point = 0x80; points->any && point < POINTS; point++) {
        if (!points->bits[point >> 3])
            point |= 7;
        if (!has_point(points, point))
            continue;
        PyObject *character = PyUnicode_FromOrdinal((int)point);
        PyObject *answer =
            character ? PyObject_CallMethod(character, "isprintable", NULL) : NULL;
        int printable = answer ? PyObject_IsTrue(answer) : -1;
        Py_XDECREF(answer);
        Py_XDECREF(character);
        if (printable < 0)
            return 0;
        if (!printable)
            points->bits[point >> 3] &= (unsigned char)~(1 << (point & 7));
    }
    return 1;
}

static char *write_escape(char *at, uint32_t point)
{
    static const char digits[] = "0123456789abcdef";
    int count = point < 0x100 ? 2 : point < 0x10000 ? 4 : 8;
    *at++ = '\\';
    *at++ = count == 2 ? 'x' : count == 4 ? 'u' : 'U';
    while (count--)
        *at++ = digits[point >> (4 * count) & 15];
    return at;
}

/* repr() of a string of UTF-8 whose characters were noted; 0 without memory. */
static int append_repr(Buffer *out, const unsigned char *text, size_t length, const Points *printable)
{
    int single = 0, twofold = 0, special = 0;
    for (size_t i = 0; i < length; i++) {
        single |= text[i] == '\'';
        twofold |= text[i] == '"';
        special |= text[i] < 0x20 || text[i] >= 0x7F || text[i] == '\\';
    }
    char quote = single && !twofold ? '"' : '\'';
    if (!reserve(out, 4 * length + 2))
        return 0;
    char *at = out->bytes + out->used;
    *at++ = quote;
    if (!special && !(single && twofold)) {
        if (length)
            memcpy(at, text, length);
        at += length;
    } else {
        const unsigned char *end = text + length;
        while (text < end) {
            uint32_t point = *text;
            size_t size = point < 0x80 ? 1 : wide_point(text, end, &point);
            char letter = point == '\t' ? 't' : point == '\n' ? 'n' : point == '\r' ? 'r' : 0;
            if (point == (unsigned char)quote || point == '\\' || letter) {
                *at++ = '\\';
                *at++ = letter ? letter : (char)point;
            } else if (point < 0x80 ? point < 0x20 || point == 0x7F : !has_point(printable, point)) {
                at = write_escape(at, point);
            } else {
                memcpy(at, text, size);
                at += size;
            }
            text += size;
        }
    }
    *at++ = quote;
    out->used = (size_t)(at - out->bytes);
    return 1;
}

static int append_words(Buffer *out, const char *words)
{
    return append(out, words, strlen(words));
}

/* A reference as repr() of its Summary; its lines are sentences. */
static int append_reference(Buffer *out, const unsigned char *text, size_t length, long number,
                            const Points *printable)
{
    int lines = 0;
    if (!append_words(out, "Summary(sentences=("))
        return 0;
    for (const unsigned char *end = text + length;; lines++) {
        const unsigned char *stop = text < end ? memchr(text, '\n', (size_t)(end - text)) : NULL;
        if ((lines && !append_words(out, ", ")) ||
            !append_repr(out, text, (size_t)((stop ? stop : end) - text), printable))
            return 0;
        if (!stop)
            break;
        text = stop + 1;
    }
    char author[64];
    snprintf(author, sizeof author, "%s, author='%ld', set='A')", lines ? ")" : ",)", number);
    return append_words(out, author);
}

/* The reprs of ids one after the other, and where each ends; 0 with an error. */
static int append_names(Buffer *names, Buffer *ends, PyObject *ids)
{
    for (Py_ssize_t i = 0, count = PyList_Size(ids); i < count; i++) {
        PyObject *shown = PyObject_Repr(PyList_GetItem(ids, i));
        PyObject *encoded = shown ? PyUnicode_AsEncodedString(shown, "utf-8", "replace") : NULL;
        int done = encoded && append(names, PyBytes_AsString(encoded), (size_t)PyBytes_Size(encoded)) &&
                   append_number(ends, (int64_t)names->used);
        Py_XDECREF(encoded);
        Py_XDECREF(shown);
        if (!done) {
            if (!PyErr_Occurred())
                PyErr_NoMemory();
            return 0;
        }
    }
    return 1;
}

/* Records with texts as in a block of records: outputs first, then references. */
typedef struct {
    const unsigned char *data;
    const int64_t *starts, *counts;
    Py_ssize_t records, texts;
} Block;

static int is_sound_block(const Block *block, Py_ssize_t length)
{
    Py_ssize_t references = block->texts - block->records;
    for (Py_ssize_t i = 0; i < block->records; i++) {
        if (block->counts[i] < 0 || block->counts[i] > references)
            return 0;
        references -= block->counts[i];
    }
    for (Py_ssize_t i = 0; i < block->texts; i++)
        if (block->starts[i] < 0 || block->starts[i] > block->starts[i + 1] ||
            block->starts[i + 1] > length)
            return 0;
    return block->texts >= block->records;
}

static int append_topics(Buffer *out, const Block *block, const Buffer *names, const Buffer *ends,
                         const Points *printable)
{
    const int64_t *until = (const int64_t *)(const void *)ends->bytes;
    int64_t from = 0;
    Py_ssize_t text = block->records;
    for (Py_ssize_t i = 0; i < block->records; i++) {
        if (!append_words(out, "(") ||
            !append(out, names->bytes + from, (size_t)(until[i] - from)) ||
            !append_words(out, ", ("))
            return 0;
        from = until[i];
        for (long number = 1; number <= block->counts[i]; number++, text++)
            if ((number > 1 && !append_words(out, ", ")) ||
                !append_reference(out, block->data + block->starts[text],
                                  (size_t)(block->starts[text + 1] - block->starts[text]), number,
                                  printable))
                return 0;
        if (!append_words(out, block->counts[i] == 1 ? ",), ())\n" : "), ())\n"))
            return 0;
    }
    return 1;
}

/* describe(ids, data, bounds, sizes) -> topics and references as a digest reads them, a line each */
static PyObject *bulk_describe(PyObject *Py_UNUSED(module), PyObject *args)
{
    PyObject *ids, *result = NULL;
    Py_buffer data, bounds, sizes;
    Buffer out = {0}, names = {0}, ends = {0};
    if (!PyArg_ParseTuple(args, "O!y*y*y*", &PyList_Type, &ids, &data, &bounds, &sizes))
        return NULL;
    Block block = {data.buf, bounds.buf, sizes.buf, sizes.len / 8, bounds.len / 8 - 1};
    Points *points = calloc(1, sizeof *points);
    if (PyList_Size(ids) != block.records || !is_sound_block(&block, data.len)) {
        PyErr_SetString(PyExc_ValueError, "ids, texts and numbers do not fit each other");
    } else if (!points) {
        PyErr_NoMemory();
    } else if (append_names(&names, &ends, ids)) {
        const unsigned char *first = block.data + block.starts[block.records], *broken;
        const unsigned char *last = block.data + block.starts[block.texts];
        int done = 0;
        Py_BEGIN_ALLOW_THREADS
        broken = note_points(points, first, last);
        for (Py_ssize_t i = block.records; !broken && i < block.texts; i++) {
            const unsigned char *start = block.data + block.starts[i];
            if (start < last && (*start & 0xC0) == 0x80) /* the text before ends within it */
                broken = start;
        }
        Py_END_ALLOW_THREADS
        if (broken) {
            PyErr_Format(PyExc_ValueError, "byte 0x%02x of a text is not UTF-8", *broken);
        } else if (keep_printable(points)) {
            Py_BEGIN_ALLOW_THREADS
            done = reserve(&out, (size_t)data.len) &&
                   append_topics(&out, &block, &names, &ends, points);
            Py_END_ALLOW_THREADS
            if (done)
                result = PyBytes_FromStringAndSize(out.bytes, (Py_ssize_t)out.used);
            else
                PyErr_NoMemory();
        }
    }
    free(points);
    free(out.bytes);
    free(names.bytes);
    free(ends.bytes);
    PyBuffer_Release(&data);
    PyBuffer_Release(&bounds);
    PyBuffer_Release(&sizes);
    return result;
}

/* ---- the module -------------------------------------------------------------------------------- */

static PyMethodDef module_methods[] = {
    {"read_records", bulk_read_records, METH_VARARGS,
     "read_records(lines) -> (ids, data, bounds, sizes, used), or None where a line is unusual"},
    {"read_table", bulk_read_table, METH_VARARGS,
     "read_table(rows, roles) -> (ids, data, bounds, sizes, used), or None where a row is unusual"},
    {"describe", bulk_describe, METH_VARARGS,
     "describe(ids, data, bounds, sizes) -> a line for each topic and its references"},
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
