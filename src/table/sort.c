#include "table/sort.h"

#include "base/arena.h"
#include "base/intern.h"
#include "base/status.h"
#include "base/text.h"
#include "table/columns.h"
#include "table/table.h"

#include <stdlib.h>
#include <string.h>

/*
 * All cells of the keys are read once, in the table's own order, and become numbers of 64 bits whose order is that of the
 * cells. Rows are then sorted by the digits of these numbers, from the last key to the first (a stable radix sort).
 */

#define MISSING UINT64_MAX
/* The first value for texts: 2^52 values are left above that of infinity, the greatest number. */
#define FIRST_TEXT UINT64_C(0xfff0000000000001)
#define MAX_KEYS 64
#define DIGIT_BITS 11
#define N_DIGITS (1u << DIGIT_BITS)

/* ---- which columns --------------------------------------------------------------------------- */

static bool take_suffix(eti_text *text, const char *suffix) {
    size_t size = strlen(suffix);
    if (text->size < size || memcmp(text->data + text->size - size, suffix, size) != 0)
        return false;
    text->size -= size;
    return true;
}

static eti_status parse_key(eti_sort_key *out, const eti_table *table, eti_text text,
                            eti_error *err) {
    eti_text name = text;
    out->descends = false;
    if (eti__column_find(table, name, &out->column))
        return ETI_OK;
    bool is_negative = text.size > 0 && text.data[0] == '-';
    if (is_negative)
        name = eti__text_from(text, 1);
    bool is_ascending = take_suffix(&name, ":asc");
    out->descends = (!is_ascending && take_suffix(&name, ":desc")) || is_negative;
    if (is_ascending && is_negative)
        return eti_fail(err, ETI_ERROR_USAGE, "%ssort: %.*s names two orders: write %.*s or -%.*s",
                        eti__option_prefix(), ETI_TEXT_ARGS(text), ETI_TEXT_ARGS(name),
                        ETI_TEXT_ARGS(name));
    if (eti__column_find(table, name, &out->column))
        return ETI_OK;
    if (name.size > 0 && memchr(name.data, ':', name.size))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%ssort: expected a column, optionally with -, :asc or :desc, found %.*s",
                        eti__option_prefix(), ETI_TEXT_ARGS(text));
    if (eti__text_is(name, "desc") || eti__text_is(name, "asc"))
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "%ssort: there is no column %.*s; write the order after a colon: COLUMN:%.*s",
            eti__option_prefix(), ETI_TEXT_ARGS(name), ETI_TEXT_ARGS(name));
    return eti__column_fail(table, "sort", name, err);
}

eti_status eti__sort_parse(eti_sort_key **out, size_t *n_out, const eti_table *table,
                           const char *text, eti_error *err) {
    eti_sort_key *keys = calloc(MAX_KEYS, sizeof *keys);
    eti_text rest = eti__text_of(text), part;
    eti_status status = keys ? ETI_OK : eti_fail_memory(err);
    size_t n = 0;
    while (status == ETI_OK && eti__column_next_part(&rest, &part)) {
        if (n == MAX_KEYS)
            status = eti_fail(err, ETI_ERROR_USAGE, "%ssort: more than %d columns",
                              eti__option_prefix(), MAX_KEYS);
        else
            status = parse_key(&keys[n++], table, part, err);
    }
    if (status != ETI_OK) {
        free(keys);
        return status;
    }
    *out = keys;
    *n_out = n;
    return ETI_OK;
}

/* ---- cells as numbers ------------------------------------------------------------------------ */

/* Sort keys of the cells of one column. */
typedef struct key_column {
    uint64_t *values; /* per row; for a text, FIRST_TEXT plus its number in `texts` */
    bool is_whole;    /* all numbers so far were integers */
    eti_text_table texts;
    eti_arena arena;
} key_column;

static uint64_t value_of_double(double number) {
    uint64_t bits;
    number += 0.0; /* turns -0.0 into 0.0 */
    memcpy(&bits, &number, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static uint64_t value_of_int(int64_t number) {
    uint64_t value = (uint64_t)number ^ UINT64_C(1) << 63;
    return value < MISSING ? value : MISSING - 1;
}

static int64_t int_of_value(uint64_t value) {
    return (int64_t)(value ^ UINT64_C(1) << 63);
}

/* Turns the integers of rows before `n_rows` into doubles. Integers stay exact until the column has
 * a cell of another kind. */
static void leave_whole(key_column *key, size_t n_rows) {
    for (size_t i = 0; key->is_whole && i < n_rows; i++) {
        if (key->values[i] != MISSING)
            key->values[i] = value_of_double((double)int_of_value(key->values[i]));
    }
    key->is_whole = false;
}

static bool set_text(key_column *key, size_t row, eti_text text) {
    leave_whole(key, row);
    uint32_t number;
    if (!eti__text_table_add(&key->texts, text, &key->arena, &number))
        return false;
    key->values[row] = FIRST_TEXT + number;
    return true;
}

static void set_int(key_column *key, size_t row, int64_t number) {
    key->values[row] = key->is_whole ? value_of_int(number) : value_of_double((double)number);
}

/* False: out of memory. */
static bool set_value(key_column *key, size_t row, const eti_cell *cell, eti_buffer *scratch) {
    key->values[row] = MISSING;
    switch (cell->kind) {
    case ETI_CELL_BOOL:
        set_int(key, row, cell->as_bool);
        return true;
    case ETI_CELL_INT:
        set_int(key, row, cell->as_int);
        return true;
    case ETI_CELL_DOUBLE:
        leave_whole(key, row);
        if (!eti__cell_is_nan(cell))
            key->values[row] = value_of_double(cell->as_double);
        return true;
    case ETI_CELL_TEXT:
    case ETI_CELL_LIST:
        return !cell->as_text.data || set_text(key, row, cell->as_text);
    case ETI_CELL_NONE:
    case ETI_CELL_NAN:
        return true;
    case ETI_CELL_DOUBLES:
    case ETI_CELL_UINTS:
    case ETI_CELL_INTS:
    case ETI_CELL_TEXTS:
    case ETI_CELL_INT_LISTS:
        break;
    }
    scratch->size = 0;
    eti__list_add(scratch, cell);
    return !scratch->failed && set_text(key, row, eti__buffer_text(scratch));
}

typedef struct ranked_text {
    eti_text text;
    size_t number;
} ranked_text;

static int compare_texts(const void *a, const void *b) {
    const ranked_text *x = a, *y = b;
    size_t size = x->text.size < y->text.size ? x->text.size : y->text.size;
    int order = size ? memcmp(x->text.data, y->text.data, size) : 0;
    return order ? order : (x->text.size > y->text.size) - (x->text.size < y->text.size);
}

/* Returns the rank of each text among all; NULL: out of memory. */
static size_t *rank_texts(const eti_text_table *set) {
    ranked_text *sorted = malloc((set->count + 1) * sizeof *sorted);
    size_t *ranks = malloc((set->count + 1) * sizeof *ranks);
    if (sorted && ranks) {
        for (size_t i = 0; i < set->count; i++)
            sorted[i] = (ranked_text){set->texts[i], i};
        qsort(sorted, set->count, sizeof *sorted, compare_texts);
        for (size_t i = 0; i < set->count; i++)
            ranks[sorted[i].number] = i;
        free(sorted);
        return ranks;
    }
    free(sorted);
    free(ranks);
    return NULL;
}

/* Replaces the numbers of texts by ranks, and inverts all values for descending order. */
static bool finish_key(key_column *key, size_t n_rows, bool descends) {
    size_t *ranks = key->texts.count > 0 ? rank_texts(&key->texts) : NULL;
    if (key->texts.count > 0 && !ranks)
        return false;
    for (size_t i = 0; i < n_rows; i++) {
        uint64_t value = key->values[i];
        if (value == MISSING)
            continue;
        if (ranks && value >= FIRST_TEXT)
            value = FIRST_TEXT + ranks[value - FIRST_TEXT];
        key->values[i] = descends ? MISSING - 1 - value : value;
    }
    free(ranks);
    return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool start_keys(key_column *keys, size_t n_keys, size_t n_rows) {
    for (size_t k = 0; k < n_keys; k++) {
        keys[k].is_whole = true;
        keys[k].values = malloc((n_rows + 1) * sizeof *keys[k].values);
        if (!keys[k].values)
            return false;
    }
    return true;
}

static void free_keys(key_column *keys, size_t n_keys) {
    for (size_t k = 0; k < n_keys; k++) {
        free(keys[k].values);
        eti__text_table_free(&keys[k].texts);
        eti__arena_free(&keys[k].arena);
    }
}

/* Reads the cells of the rows that are sorted; false: out of memory. */
static bool read_keys(key_column *keys, const eti_sort_key *asked, size_t n_keys,
                      const eti_table *table, const size_t *rows, size_t n_rows) {
    bool *wanted = calloc(table->n_columns + 1, sizeof *wanted);
    eti_buffer scratch = {0};
    eti_row_reader reader;
    bool ok = eti__row_reader_open(&reader, table) && wanted;
    for (size_t k = 0; ok && k < n_keys; k++)
        wanted[asked[k].column] = true;
    reader.row.wanted = wanted;
    for (size_t i = 0; ok && i < n_rows; i++) {
        const eti_cell *cells = eti__row_reader_read(&reader, rows[i]);
        ok = !reader.failed;
        for (size_t k = 0; ok && k < n_keys; k++)
            ok = set_value(&keys[k], i, &cells[asked[k].column], &scratch);
    }
    for (size_t k = 0; ok && k < n_keys; k++)
        ok = finish_key(&keys[k], n_rows, asked[k].descends);
    eti__row_reader_close(&reader);
    eti__buffer_free(&scratch);
    free(wanted);
    return ok;
}

/* ---- sorting --------------------------------------------------------------------------------- */

typedef struct sort_item {
    uint64_t value;
    size_t at; /* index in `rows` as they were given */
} sort_item;

/* Sorts by one digit of the values. */
static void sort_by_digit(sort_item *to, const sort_item *from, size_t n, unsigned shift) {
    size_t places[N_DIGITS] = {0};
    for (size_t i = 0; i < n; i++)
        places[from[i].value >> shift & (N_DIGITS - 1)]++;
    size_t next = 0;
    for (size_t digit = 0; digit < N_DIGITS; digit++) {
        size_t count = places[digit];
        places[digit] = next;
        next += count;
    }
    for (size_t i = 0; i < n; i++)
        to[places[from[i].value >> shift & (N_DIGITS - 1)]++] = from[i];
}

/* Returns the bits in which values differ. */
static uint64_t find_differences(const sort_item *items, size_t n) {
    uint64_t differences = 0;
    for (size_t i = 1; i < n; i++)
        differences |= items[i].value ^ items[0].value;
    return differences;
}

/* Sorts the items, and returns the array in which they end up. */
static sort_item *sort_by_key(sort_item *items, sort_item *other, size_t n,
                              const uint64_t *values) {
    for (size_t i = 0; i < n; i++)
        items[i].value = values[items[i].at];
    uint64_t differences = find_differences(items, n);
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
        if ((differences >> shift & (N_DIGITS - 1)) == 0)
            continue;
        sort_by_digit(other, items, n, shift);
        sort_item *sorted = other;
        other = items;
        items = sorted;
    }
    return items;
}

/* False: out of memory. */
static bool sort_by_keys(size_t *rows, size_t n, const key_column *keys, size_t n_keys) {
    sort_item *all = malloc((2 * n + 1) * sizeof *all);
    size_t *sorted = malloc((n + 1) * sizeof *sorted);
    if (all && sorted) {
        sort_item *items = all;
        for (size_t i = 0; i < n; i++)
            items[i].at = i;
        for (size_t k = n_keys; k-- > 0;)
            items = sort_by_key(items, items == all ? all + n : all, n, keys[k].values);
        for (size_t i = 0; i < n; i++)
            sorted[i] = rows[items[i].at];
        for (size_t i = 0; i < n; i++)
            rows[i] = sorted[i];
    }
    bool ok = all && sorted;
    free(all);
    free(sorted);
    return ok;
}

eti_status eti__sort_rows(size_t *rows, size_t n_rows, const eti_table *table,
                          const eti_sort_key *keys, size_t n_keys, eti_error *err) {
    key_column *columns = calloc(n_keys + 1, sizeof *columns);
    bool ok = columns && n_rows <= SIZE_MAX / 2 / sizeof(sort_item) &&
              start_keys(columns, n_keys, n_rows) &&
              read_keys(columns, keys, n_keys, table, rows, n_rows) &&
              sort_by_keys(rows, n_rows, columns, n_keys);
    if (columns)
        free_keys(columns, n_keys);
    free(columns);
    return ok ? ETI_OK : eti_fail_memory(err);
}
