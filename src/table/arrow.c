#include "table/arrow.h"

#include "table/parts.h"
#include "table/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== arrow column ============================================================================ */

/* The cells of a column added so far. Starts as all zeros except for `type`. */
typedef struct eti_arrow_column {
    eti_column_type type;
    size_t n, n_null;
    eti_buffer validity; /* one bit per cell, once a cell has had no value */
    eti_buffer offsets;  /* start of each text or list, and end of the last */
    eti_buffer values;   /* values of cells, or of the items of all lists */
    size_t n_items;
    eti_buffer item_offsets; /* offsets of texts or lists in lists */
    size_t expected;         /* size of the values in the previous batch; kept by a reset */
} eti_arrow_column;

/* ---- types ----------------------------------------------------------------------------------- */

/* Returns the type of the items of a list column; for another column, its own type. */
static eti_column_type item_type(eti_column_type type) {
    switch (type) {
    case ETI_TYPE_LIST_INT64:
        return ETI_TYPE_INT64;
    case ETI_TYPE_LIST_UINT64:
        return ETI_TYPE_UINT64;
    case ETI_TYPE_LIST_FLOAT64:
        return ETI_TYPE_FLOAT64;
    case ETI_TYPE_LIST_UTF8:
        return ETI_TYPE_UTF8;
    case ETI_TYPE_LIST_LIST_INT64:
        return ETI_TYPE_LIST_INT64;
    default:
        return type;
    }
}

static bool is_list(eti_column_type type) {
    return item_type(type) != type;
}

static const char *format_of(eti_column_type type) {
    switch (type) {
    case ETI_TYPE_BOOL:
        return "b";
    case ETI_TYPE_INT32:
        return "i";
    case ETI_TYPE_INT64:
        return "l";
    case ETI_TYPE_UINT64:
        return "L";
    case ETI_TYPE_FLOAT64:
        return "g";
    case ETI_TYPE_UTF8:
        return "u";
    default:
        return "+l";
    }
}

/* ---- cells ----------------------------------------------------------------------------------- */

/* Appends bit `i`, which follows the bits added so far. */
static void add_bit(eti_buffer *bits, size_t i, bool value) {
    if (i % 8 == 0)
        eti__buffer_add_char(bits, 0);
    if (value && !bits->failed)
        bits->data[i / 8] = (char)(bits->data[i / 8] | 1 << i % 8);
}

/* Appends `times` more bits after the first `n`. */
static void repeat_bits(eti_buffer *bits, size_t n, size_t times, bool value) {
    size_t end = (n + times + 7) / 8, used = (n + 7) / 8, n_free = used * 8 - n;
    if (times == 0 || !eti__buffer_reserve(bits, end - used))
        return;
    if (value && n_free > 0) {
        unsigned mask = 0xffu << (8 - n_free) & 0xffu;
        bits->data[used - 1] = (char)((unsigned char)bits->data[used - 1] | mask);
    }
    memset(bits->data + used, value ? 0xff : 0, end - used);
    bits->size = end;
    size_t left = end * 8 - n - times; /* unused bits after the last */
    if (left > 0)
        bits->data[end - 1] = (char)((unsigned char)bits->data[end - 1] & (0xffu >> left));
}

/* Appends an offset. False: the value has more bits than an offset. */
static bool add_offset(eti_buffer *offsets, size_t value) {
    int32_t offset = (int32_t)value;
    if (value > INT32_MAX)
        return false;
    eti__buffer_add(offsets, &offset, sizeof offset);
    return true;
}

static int add_text(eti_buffer *values, eti_buffer *offsets, eti_text text) {
    ETI_EXPECT_UTF8(text);
    if (text.size > INT32_MAX)
        return EOVERFLOW;
    eti__buffer_add_text(values, text);
    return add_offset(offsets, values->size) ? 0 : EOVERFLOW;
}

static bool has_items(const eti_cell *cell, eti_column_type type) {
    static const eti_column_type types[] = {
        [ETI_CELL_DOUBLES] = ETI_TYPE_FLOAT64,      [ETI_CELL_UINTS] = ETI_TYPE_UINT64,
        [ETI_CELL_INTS] = ETI_TYPE_INT64,           [ETI_CELL_TEXTS] = ETI_TYPE_UTF8,
        [ETI_CELL_INT_LISTS] = ETI_TYPE_LIST_INT64,
    };
    if (cell->kind == ETI_CELL_LIST)
        return type == ETI_TYPE_UTF8 && (cell->items || eti__text_is(cell->as_text, "[]"));
    return cell->kind >= ETI_CELL_DOUBLES && types[cell->kind] == type;
}

/* Returns whether the items of such a list have lengths of their own. */
static bool has_item_offsets(eti_column_type type) {
    return type == ETI_TYPE_LIST_UTF8 || type == ETI_TYPE_LIST_LIST_INT64;
}

/* Appends an item that has a length of its own. */
static int add_item(eti_arrow_column *column, const eti_cell *cell, size_t i) {
    const eti_text *texts = cell->items;
    const eti_int_list *lists = cell->items;
    if (column->type == ETI_TYPE_LIST_UTF8)
        return add_text(&column->values, &column->item_offsets, texts[i]);
    eti__buffer_add(&column->values, lists[i].items, lists[i].n * sizeof(int64_t));
    bool fits = add_offset(&column->item_offsets, column->values.size / sizeof(int64_t));
    return fits ? 0 : EOVERFLOW;
}

static int add_list(eti_arrow_column *column, const eti_cell *cell) {
    bool has_lengths = has_item_offsets(column->type);
    int code = 0;
    if (!has_items(cell, item_type(column->type)))
        return EINVAL;
    column->n_items += cell->n_items;
    if (!has_lengths)
        eti__buffer_add(&column->values, cell->items, cell->n_items * sizeof(double));
    for (size_t i = 0; has_lengths && i < cell->n_items && code == 0; i++)
        code = add_item(column, cell, i);
    if (code == 0 && !add_offset(&column->offsets, column->n_items))
        code = EOVERFLOW;
    return code;
}

/* Appends a number; 0 for a cell without a value. */
static int add_number(eti_arrow_column *column, const eti_cell *cell) {
    int64_t number = 0;
    bool is_valid = eti__cell_read_int(cell, &number);
    if (column->type == ETI_TYPE_BOOL) {
        is_valid = is_valid && cell->kind == ETI_CELL_BOOL;
        add_bit(&column->values, column->n, is_valid && number);
    } else if (column->type == ETI_TYPE_INT32) {
        int32_t small = (int32_t)number;
        is_valid = is_valid && small == number;
        eti__buffer_add(&column->values, &small, sizeof small);
    } else if (column->type == ETI_TYPE_INT64) {
        eti__buffer_add(&column->values, &number, sizeof number);
    } else if (column->type == ETI_TYPE_UINT64) {
        uint64_t stamp;
        is_valid = eti__cell_read_uint(cell, &stamp);
        eti__buffer_add(&column->values, &stamp, sizeof stamp);
    } else {
        double value;
        is_valid = eti__cell_read_double(cell, &value);
        eti__buffer_add(&column->values, is_valid ? &value : &(double){0}, sizeof value);
    }
    return is_valid ? 0 : EINVAL;
}

static int add_value(eti_arrow_column *column, const eti_cell *cell) {
    if (is_list(column->type))
        return add_list(column, cell);
    if (column->type != ETI_TYPE_UTF8)
        return add_number(column, cell);
    eti_text text = eti_cell_as_text(cell);
    return text.data ? add_text(&column->values, &column->offsets, text) : EINVAL;
}

/* Starts a column; offsets of texts or lists begin with that of the first. */
static void begin(eti_arrow_column *column) {
    if (is_list(column->type) || column->type == ETI_TYPE_UTF8)
        add_offset(&column->offsets, 0);
    if (has_item_offsets(column->type))
        add_offset(&column->item_offsets, 0);
    if (column->expected > 0) /* growing step by step would copy them each time */
        (void)eti__buffer_reserve(&column->values, column->expected);
}

static bool has_failed(const eti_arrow_column *column) {
    return column->validity.failed || column->offsets.failed || column->values.failed ||
           column->item_offsets.failed;
}

/* Appends a cell. Returns 0, ENOMEM, EINVAL if the cell is not of the column's type, or EOVERFLOW if the column
 * becomes too long for its offsets; after EINVAL or EOVERFLOW the column must be reset. */
static int add_arrow_cell(eti_arrow_column *column, const eti_cell *cell) {
    bool is_null = cell->kind == ETI_CELL_NONE || cell->kind == ETI_CELL_NAN;
    int code = 0;
    if (column->n == 0)
        begin(column);
    if (is_null && column->n_null == 0)
        repeat_bits(&column->validity, 0, column->n, true);
    if (is_null || column->n_null > 0)
        add_bit(&column->validity, column->n, !is_null);
    if (!is_null)
        code = add_value(column, cell);
    else if (is_list(column->type))
        add_offset(&column->offsets, column->n_items);
    else if (column->type == ETI_TYPE_UTF8)
        add_offset(&column->offsets, column->values.size);
    else
        (void)add_number(column, cell);
    column->n++;
    column->n_null += is_null;
    return has_failed(column) ? ENOMEM : code;
}

/* Appends the last `size` bytes of the buffer `times` more times. */
static void repeat_tail(eti_buffer *buffer, size_t size, size_t times) {
    if (size == 0 || times == 0 || size > SIZE_MAX / times ||
        !eti__buffer_reserve(buffer, size * times))
        return;
    char *tail = buffer->data + buffer->size - size;
    size_t have = size, want = size * (times + 1);
    while (have < want) {
        size_t more = have < want - have ? have : want - have;
        memcpy(tail + have, tail, more);
        have += more;
    }
    buffer->size += size * times;
}

/* Appends `times` more offsets, each `step` larger than the one before. */
static bool repeat_offset(eti_buffer *offsets, size_t last, size_t step, size_t times) {
    if (step * times > INT32_MAX - last)
        return false;
    if (!eti__buffer_reserve(offsets, times * sizeof(int32_t)))
        return true; /* out of memory, as the buffer says */
    for (size_t i = 0; i < times; i++) {
        int32_t offset = (int32_t)(last += step);
        memcpy(offsets->data + offsets->size, &offset, sizeof offset);
        offsets->size += sizeof offset;
    }
    return true;
}

static void repeat_last_bit(eti_buffer *bits, size_t n, size_t times) {
    if (!bits->failed)
        repeat_bits(bits, n, times, (bits->data[(n - 1) / 8] >> (n - 1) % 8 & 1) != 0);
}

/* Returns the number of bytes of a number of this type. */
static size_t number_size(eti_column_type type) {
    return type == ETI_TYPE_INT32 ? sizeof(int32_t) : sizeof(int64_t);
}

/* Repeats the cell that was added last; `before` has the sizes of the buffers before it. */
static int repeat_last(eti_arrow_column *column, const eti_arrow_column *before, size_t times) {
    size_t size = column->values.size - before->values.size;
    size_t n_items = column->n_items - before->n_items;
    bool fits = true;
    if (column->n_null > 0)
        repeat_last_bit(&column->validity, column->n, times);
    if (column->type == ETI_TYPE_BOOL) {
        repeat_last_bit(&column->values, column->n, times);
    } else if (column->type == ETI_TYPE_UTF8) {
        fits = repeat_offset(&column->offsets, column->values.size, size, times);
        if (fits)
            repeat_tail(&column->values, size, times);
    } else if (!is_list(column->type)) {
        repeat_tail(&column->values, number_size(column->type), times);
    } else { /* a list whose items have one size, unless it is empty */
        fits = repeat_offset(&column->offsets, column->n_items, n_items, times);
        if (fits)
            repeat_tail(&column->values, size, times);
    }
    column->n_items += n_items * times;
    column->n += times;
    column->n_null += (column->n_null - before->n_null) * times;
    return fits ? 0 : EOVERFLOW;
}

/* Appends a cell `n` times, n > 0; returns as add_arrow_cell() does. */
static int repeat_arrow_column(eti_arrow_column *column, const eti_cell *cell, size_t n) {
    const eti_arrow_column before = *column;
    int code = add_arrow_cell(column, cell);
    bool has_lengths = has_item_offsets(column->type) && column->n_items > before.n_items;
    if (code == 0 && n > 1 && !has_lengths)
        code = repeat_last(column, &before, n - 1);
    for (size_t i = 1; code == 0 && i < n && has_lengths; i++)
        code = add_arrow_cell(column, cell);
    return has_failed(column) ? ENOMEM : code;
}

/* Returns room for `n` numbers after the cells, which the caller fills with numbers of the column's type, INT32, INT64 or
 * FLOAT64; NULL: out of memory. take_arrow_column() then makes them cells. */
static void *arrow_column_room(eti_arrow_column *column, size_t n) {
    bool has_room = eti__buffer_reserve(&column->values, n * number_size(column->type));
    return has_room ? column->values.data + column->values.size : NULL;
}

/* Appends the numbers in that room; returns 0 or ENOMEM. */
static int take_arrow_column(eti_arrow_column *column, size_t n) {
    column->values.size += n * number_size(column->type);
    if (column->n_null > 0)
        repeat_bits(&column->validity, column->n, n, true);
    column->n += n;
    return has_failed(column) ? ENOMEM : 0;
}

/* Returns the approximate number of bytes by which a cell enlarges the largest buffer of its column. */
static size_t arrow_cell_size(const eti_cell *cell) {
    const eti_text *texts = cell->items;
    const eti_int_list *lists = cell->items;
    bool has_texts = texts && (cell->kind == ETI_CELL_TEXTS || cell->kind == ETI_CELL_LIST);
    bool has_lists = lists && cell->kind == ETI_CELL_INT_LISTS;
    size_t size = cell->n_items * sizeof(double);
    for (size_t i = 0; has_texts && i < cell->n_items; i++)
        size += texts[i].size;
    for (size_t i = 0; has_lists && i < cell->n_items; i++)
        size += lists[i].n * sizeof(int64_t);
    return size + (has_texts ? 0 : cell->as_text.size) + sizeof(double);
}

/* Returns the size of the column's largest buffer in bytes. */
static size_t arrow_column_size(const eti_arrow_column *column) {
    size_t most = column->values.size;
    return column->item_offsets.size > most ? column->item_offsets.size : most;
}

/* Frees the cells; the column is then empty. */
static void reset_arrow_column(eti_arrow_column *column) {
    eti__buffer_free(&column->validity);
    eti__buffer_free(&column->offsets);
    eti__buffer_free(&column->values);
    eti__buffer_free(&column->item_offsets);
    *column = (eti_arrow_column){.type = column->type, .expected = column->expected};
}

/* ---- arrays ---------------------------------------------------------------------------------- */

#define MOST_BUFFERS 3

/* Memory that an array owns, including children that were not moved out. */
typedef struct owned_array {
    eti_buffer buffers[MOST_BUFFERS];
    const void *pointers[MOST_BUFFERS];
    struct ArrowArray **children;
    struct ArrowArray arrays[]; /* that `children` points to */
} owned_array;

static void release_array(struct ArrowArray *array) {
    owned_array *owned = array->private_data;
    for (int64_t i = 0; i < array->n_children; i++) {
        if (owned->arrays[i].release)
            owned->arrays[i].release(&owned->arrays[i]);
    }
    for (size_t i = 0; i < MOST_BUFFERS; i++)
        eti__buffer_free(&owned->buffers[i]);
    free((void *)owned->children);
    free(owned);
    array->release = NULL;
}

/* Makes an array without buffers, whose children are not made yet. */
static bool make_array(struct ArrowArray *out, size_t length, size_t n_null, size_t n_children) {
    owned_array *owned = calloc(1, sizeof *owned + n_children * sizeof *owned->arrays);
    struct ArrowArray **children = calloc(n_children + 1, sizeof *children);
    *out = (struct ArrowArray){.release = NULL};
    if (!owned || !children) {
        free(owned);
        free((void *)children);
        return false;
    }
    for (size_t i = 0; i < n_children; i++)
        children[i] = &owned->arrays[i];
    owned->children = children;
    *out = (struct ArrowArray){
        .length = (int64_t)length,
        .null_count = (int64_t)n_null,
        .n_children = (int64_t)n_children,
        .buffers = owned->pointers,
        .children = n_children > 0 ? children : NULL,
        .release = release_array,
        .private_data = owned,
    };
    return true;
}

/* Moves a buffer into the array, as its next one. An empty buffer gets an address, too. */
static bool move_buffer(struct ArrowArray *array, eti_buffer *buffer) {
    owned_array *owned = array->private_data;
    bool done = !buffer->failed && (buffer->data || eti__buffer_reserve(buffer, sizeof(int64_t)));
    owned->buffers[array->n_buffers] = *buffer;
    owned->pointers[array->n_buffers++] = buffer->data;
    *buffer = (eti_buffer){.data = NULL};
    return done;
}

/* Moves the validity bits; without nulls there are none. */
static bool move_validity(struct ArrowArray *array, eti_buffer *validity) {
    if (validity && array->null_count > 0)
        return move_buffer(array, validity);
    array->n_buffers++;
    return true;
}

static bool move_values(struct ArrowArray *array, eti_column_type type, eti_buffer *offsets,
                        eti_buffer *values) {
    return (type != ETI_TYPE_UTF8 || move_buffer(array, offsets)) && move_buffer(array, values);
}

static bool fill_array(eti_arrow_column *column, struct ArrowArray *out) {
    if (!move_validity(out, &column->validity))
        return false;
    if (!is_list(column->type))
        return move_values(out, column->type, &column->offsets, &column->values);
    struct ArrowArray *items = out->children[0];
    bool has_lists = is_list(item_type(column->type));
    if (!move_buffer(out, &column->offsets) || !make_array(items, column->n_items, 0, has_lists))
        return false;
    items->n_buffers++; /* no item is null: there are no bits */
    if (has_lists) {
        size_t n = column->values.size / sizeof(int64_t);
        if (!move_buffer(items, &column->item_offsets) || !make_array(items->children[0], n, 0, 0))
            return false;
        items = items->children[0];
        items->n_buffers++;
        return move_buffer(items, &column->values);
    }
    return move_values(items, item_type(column->type), &column->item_offsets, &column->values);
}

/* Moves the cells into an array, which then owns them, and empties the column. False: out of memory; the column is
 * empty and nothing is left to release. */
static bool finish_arrow_column(eti_arrow_column *column, struct ArrowArray *out) {
    column->expected = column->values.size;
    bool done = make_array(out, column->n, column->n_null, is_list(column->type)) &&
                fill_array(column, out);
    if (!done && out->release)
        out->release(out);
    reset_arrow_column(column);
    return done;
}

/* Makes an array of structs, `n_rows` long; the caller makes the children. False: out of memory. */
static bool make_arrow_rows(struct ArrowArray *out, size_t n_rows, size_t n_children) {
    return make_array(out, n_rows, 0, n_children) && move_validity(out, NULL);
}

/* ---- schemas --------------------------------------------------------------------------------- */

typedef struct owned_schema {
    char *name;
    struct ArrowSchema **children;
    struct ArrowSchema schemas[];
} owned_schema;

static void release_schema(struct ArrowSchema *schema) {
    owned_schema *owned = schema->private_data;
    for (int64_t i = 0; i < schema->n_children; i++) {
        if (owned->schemas[i].release)
            owned->schemas[i].release(&owned->schemas[i]);
    }
    free(owned->name);
    free((void *)owned->children);
    free(owned);
    schema->release = NULL;
}

/* Makes a schema, whose name ends at the first NUL. */
static bool make_schema(struct ArrowSchema *out, const char *format, eti_text name, int64_t flags,
                        size_t n_children) {
    owned_schema *owned = calloc(1, sizeof *owned + n_children * sizeof *owned->schemas);
    struct ArrowSchema **children = calloc(n_children + 1, sizeof *children);
    char *copy = strndup(name.data, name.size);
    *out = (struct ArrowSchema){.release = NULL};
    if (!owned || !children || !copy) {
        free(owned);
        free((void *)children);
        free(copy);
        return false;
    }
    for (size_t i = 0; i < n_children; i++)
        children[i] = &owned->schemas[i];
    owned->children = children;
    owned->name = copy;
    *out = (struct ArrowSchema){
        .format = format,
        .name = copy,
        .flags = flags,
        .n_children = (int64_t)n_children,
        .children = n_children > 0 ? children : NULL,
        .release = release_schema,
        .private_data = owned,
    };
    return true;
}

static bool make_column_schema(struct ArrowSchema *out, const eti_column *column) {
    eti_column_type type = column->type;
    bool done = make_schema(out, format_of(type), column->name, ARROW_FLAG_NULLABLE, is_list(type));
    for (; done && is_list(type); out = out->children[0]) {
        type = item_type(type);
        done = make_schema(out->children[0], format_of(type), eti__text_of("element"),
                           ARROW_FLAG_NULLABLE, is_list(type));
    }
    return done;
}

/* Describes the columns of a table as a struct. False: out of memory, with nothing left to release. */
static bool make_arrow_schema(struct ArrowSchema *out, const eti_table *table) {
    bool done = make_schema(out, "+s", eti__text_of(""), 0, table->n_columns);
    for (size_t i = 0; done && i < table->n_columns; i++)
        done = make_column_schema(out->children[i], &table->columns[i]);
    if (!done && out->release)
        out->release(out);
    return done;
}

/* ==== arrow stream ============================================================================ */

#define LONGEST_MESSAGE sizeof(((eti_error *)NULL)->message)

const eti_arrow_limits eti__arrow_usual_limits = {.rows = 65536, .bytes = (size_t)1 << 30};

typedef struct stream {
    const eti_table *table; /* has the columns */
    eti_kept kept;          /* the table */
    eti_arrow_limits limits;
    eti_row_parts parts; /* `open` NULL: all rows are those of the table */
    void *pass;          /* through the parts */
    int part_failed;     /* the errno of a part that failed; 0: none */
    eti_table *part;     /* the current one; NULL: the table, or none */
    const eti_table *current;
    eti_row_reader rows; /* of the current table */
    size_t next;         /* row of it */
    bool *wanted;        /* per column; all false between calls */
    eti_arrow_column *columns;
    char message[LONGEST_MESSAGE]; /* of the last error; empty: none */
} stream;

static int fail(stream *s, int code, size_t row, size_t column) {
    eti_text name = s->table->columns[column].name;
    const char *reason = code == ENOMEM   ? "out of memory"
                         : code == EINVAL ? "a value does not have the type of its column"
                                          : "a value is too long";
    snprintf(s->message, sizeof s->message, "row %zu, column %.*s: %s", row, ETI_TEXT_ARGS(name),
             reason);
    eti_make_one_line(s->message);
    return code;
}

static int fail_memory(stream *s) {
    snprintf(s->message, sizeof s->message, "out of memory");
    return ENOMEM;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void close_part(stream *s) {
    eti__row_reader_close(&s->rows);
    eti_table_free(s->part);
    s->part = NULL;
    s->current = NULL;
}

/* Goes to the next table with rows; sets `*is_end` if there is none. Returns 0 or an errno, after which nothing more can be
 * read. */
static int find_rows(stream *s, bool *is_end) {
    eti_error err = ETI_ERROR_INIT;
    *is_end = false;
    while (!s->current || s->next == s->current->n_rows) {
        *is_end = true;
        if (!s->parts.open)
            return 0;
        close_part(s);
        eti_status status = s->parts.next(s->pass, &s->part, &err);
        if (status == ETI_OK && !s->part)
            return 0;
        if (status == ETI_OK && !eti__row_reader_open(&s->rows, s->part))
            status = eti_fail_memory(&err);
        if (status != ETI_OK) {
            snprintf(s->message, sizeof s->message, "%s", err.message);
            s->part_failed = status == ETI_ERROR_MEMORY ? ENOMEM : EIO;
            return s->part_failed;
        }
        s->current = s->part;
        s->next = 0;
        *is_end = false;
    }
    return 0;
}

/* ---- batches --------------------------------------------------------------------------------- */

/* Returns the number of times that a row fits into the batch, at most `n` and at least 1. */
static size_t limit_copies(const stream *s, const eti_cell *cells, size_t n) {
    for (size_t i = 0; i < s->table->n_columns && n > 1; i++) {
        size_t used = arrow_column_size(&s->columns[i]);
        size_t left = s->limits.bytes > used ? s->limits.bytes - used : 0;
        size_t most = left / arrow_cell_size(&cells[i]) + 1;
        n = most < n ? most : n;
    }
    return n;
}

/* Adds numbers of a column that varies, if they can be read together. */
static int add_numbers(stream *s, size_t column, size_t row, size_t n, bool *is_done) {
    const eti_table *table = s->current;
    *is_done = false;
    if (!table->read_alike)
        return 0;
    void *room = arrow_column_room(&s->columns[column], n);
    if (!room)
        return ENOMEM;
    *is_done = table->read_alike(table->source.context, column, row, n, room);
    return *is_done ? take_arrow_column(&s->columns[column], n) : 0;
}

static int add_cells(stream *s, size_t column, size_t row, size_t n) {
    int code = 0;
    s->wanted[column] = true;
    s->rows.row.wanted = s->wanted;
    for (size_t i = 0; i < n && code == 0; i++) {
        const eti_cell *cells = eti__row_reader_read(&s->rows, row + i);
        code = s->rows.failed ? ENOMEM : add_arrow_cell(&s->columns[column], &cells[column]);
    }
    s->rows.row.wanted = NULL;
    s->wanted[column] = false;
    return code;
}

/* Adds the cells of a column that varies, from rows after the last one that was read. */
static int add_varying(stream *s, size_t column, size_t row, size_t n) {
    bool is_done;
    int code = add_numbers(s, column, row, n, &is_done);
    if (code == 0 && !is_done)
        code = add_cells(s, column, row, n);
    return code;
}

/* Adds rows that are alike, starting at s->next, at most `*n`; sets it to their number. Returns 0 or an errno; sets
 * `is_full` if no further row fits into the batch. */
static int add_alike(stream *s, size_t *n, bool *is_full) {
    size_t row = s->next;
    size_t n_alike = *n > 1 ? eti__table_count_alike(s->current, row) : 1;
    const eti_cell *cells = eti__row_reader_read(&s->rows, row);
    if (s->rows.failed)
        return fail_memory(s);
    *n = limit_copies(s, cells, n_alike < *n ? n_alike : *n);
    for (size_t i = 0; i < s->table->n_columns; i++) {
        int code =
            repeat_arrow_column(&s->columns[i], &cells[i], s->table->columns[i].varies ? 1 : *n);
        if (code != 0)
            return fail(s, code, row, i);
        *is_full = *is_full || arrow_column_size(&s->columns[i]) >= s->limits.bytes;
    }
    for (size_t i = 0; i<s->table->n_columns && * n> 1; i++) {
        int code = s->table->columns[i].varies ? add_varying(s, i, row + 1, *n - 1) : 0;
        if (code != 0)
            return fail(s, code, row, i);
    }
    return 0;
}

/* Fills the columns with rows, and sets `*n_rows` to their number. */
static int fill_columns(stream *s, size_t *n_rows) {
    bool is_full = false, is_end;
    *n_rows = 0;
    while (*n_rows < s->limits.rows && !is_full) {
        int code = find_rows(s, &is_end);
        if (code != 0 || is_end)
            return code;
        size_t n = s->limits.rows - *n_rows, left = s->current->n_rows - s->next;
        n = n < left ? n : left;
        code = add_alike(s, &n, &is_full);
        if (code != 0)
            return code;
        s->next += n;
        *n_rows += n;
    }
    return 0;
}

static int make_batch(stream *s, size_t n_rows, struct ArrowArray *out) {
    bool done = make_arrow_rows(out, n_rows, s->table->n_columns);
    for (size_t i = 0; done && i < s->table->n_columns; i++)
        done = finish_arrow_column(&s->columns[i], out->children[i]);
    if (!done && out->release)
        out->release(out);
    return done ? 0 : fail_memory(s);
}

/* ---- the interface --------------------------------------------------------------------------- */

static int get_schema(struct ArrowArrayStream *self, struct ArrowSchema *out) {
    stream *s = self->private_data;
    s->message[0] = '\0';
    return make_arrow_schema(out, s->table) ? 0 : fail_memory(s);
}

/* Makes the next array; a released array marks the end. After an error, the rows of a table can be read again, but not those
 * of parts. */
static int get_next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    stream *s = self->private_data;
    size_t n_rows, before = s->next;
    *out = (struct ArrowArray){.release = NULL};
    if (s->part_failed)
        return s->part_failed;
    s->message[0] = '\0';
    int code = fill_columns(s, &n_rows);
    if (code == 0 && n_rows > 0)
        code = make_batch(s, n_rows, out);
    for (size_t i = 0; code != 0 && i < s->table->n_columns; i++)
        reset_arrow_column(&s->columns[i]);
    if (code != 0 && s->parts.open)
        s->part_failed = code;
    if (code != 0)
        s->next = before;
    return code;
}

static const char *get_last_error(struct ArrowArrayStream *self) {
    stream *s = self->private_data;
    return s->message[0] ? s->message : NULL;
}

static void free_stream(stream *s) {
    close_part(s);
    if (s->pass)
        s->parts.close(s->pass);
    eti__kept_drop(&s->kept);
    free(s->columns);
    free(s->wanted);
    free(s);
}

static void release_stream(struct ArrowArrayStream *self) {
    free_stream(self->private_data);
    self->release = NULL;
}

static eti_status open_stream(stream *s, eti_error *err) {
    const eti_table *table = s->table;
    s->columns = calloc(table->n_columns + 1, sizeof *s->columns);
    s->wanted = calloc(table->n_columns + 1, sizeof *s->wanted);
    if (!s->columns || !s->wanted || !eti__row_reader_open(&s->rows, table))
        return eti_fail_memory(err);
    for (size_t i = 0; i < table->n_columns; i++)
        s->columns[i].type = table->columns[i].type;
    s->current = table;
    return s->parts.open ? s->parts.open(&s->pass, s->parts.context, err) : ETI_OK;
}

eti_status eti__arrow_open_parts(struct ArrowArrayStream *out, const eti_table *table,
                                 const eti_row_parts *parts, eti_arrow_limits limits,
                                 eti_error *err) {
    stream *s = calloc(1, sizeof *s);
    *out = (struct ArrowArrayStream){.release = NULL};
    if (!s)
        return eti_fail_memory(err);
    s->table = table;
    s->limits = limits;
    if (parts)
        s->parts = *parts;
    eti_status status = open_stream(s, err);
    if (status != ETI_OK) {
        free_stream(s);
        return status;
    }
    s->kept = eti__table_keep(table);
    *out = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, s};
    return ETI_OK;
}

eti_status eti__arrow_open(struct ArrowArrayStream *out, const eti_table *table,
                           eti_arrow_limits limits, eti_error *err) {
    return eti__arrow_open_parts(out, table, NULL, limits, err);
}

eti_status eti_table_arrow_stream(struct ArrowArrayStream *out, const eti_table *table,
                                  eti_error *err) {
    return eti__arrow_open(out, table, eti__arrow_usual_limits, err);
}
