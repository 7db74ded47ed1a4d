#include "table/arrow_stream.h"

#include "base/status.h"
#include "table/arrow_column.h"
#include "table/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

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
        size_t used = eti__arrow_column_size(&s->columns[i]);
        size_t left = s->limits.bytes > used ? s->limits.bytes - used : 0;
        size_t most = left / eti__arrow_cell_size(&cells[i]) + 1;
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
    void *room = eti__arrow_column_room(&s->columns[column], n);
    if (!room)
        return ENOMEM;
    *is_done = table->read_alike(table->source.context, column, row, n, room);
    return *is_done ? eti__arrow_column_take(&s->columns[column], n) : 0;
}

static int add_cells(stream *s, size_t column, size_t row, size_t n) {
    int code = 0;
    s->wanted[column] = true;
    s->rows.row.wanted = s->wanted;
    for (size_t i = 0; i < n && code == 0; i++) {
        const eti_cell *cells = eti__row_reader_read(&s->rows, row + i);
        code = s->rows.failed ? ENOMEM : eti__arrow_column_add(&s->columns[column], &cells[column]);
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
        int code = eti__arrow_column_repeat(&s->columns[i], &cells[i],
                                            s->table->columns[i].varies ? 1 : *n);
        if (code != 0)
            return fail(s, code, row, i);
        *is_full = *is_full || eti__arrow_column_size(&s->columns[i]) >= s->limits.bytes;
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
    bool done = eti__arrow_make_rows(out, n_rows, s->table->n_columns);
    for (size_t i = 0; done && i < s->table->n_columns; i++)
        done = eti__arrow_column_finish(&s->columns[i], out->children[i]);
    if (!done && out->release)
        out->release(out);
    return done ? 0 : fail_memory(s);
}

/* ---- the interface --------------------------------------------------------------------------- */

static int get_schema(struct ArrowArrayStream *self, struct ArrowSchema *out) {
    stream *s = self->private_data;
    s->message[0] = '\0';
    return eti__arrow_make_schema(out, s->table) ? 0 : fail_memory(s);
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
        eti__arrow_column_reset(&s->columns[i]);
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
