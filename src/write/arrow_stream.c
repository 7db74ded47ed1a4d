#include "write/arrow_stream.h"

#include "table/report.h"
#include "write/arrow_column.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#define LONGEST_MESSAGE 256

static const eti_arrow_limits usual_limits = {.rows = 65536, .bytes = (size_t)1 << 30};

typedef struct stream {
    const eti_table *table;
    eti_kept kept; /* the table */
    eti_arrow_limits limits;
    eti_row_reader rows;
    size_t next; /* row */
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

/* ---- batches --------------------------------------------------------------------------------- */

/* Returns 0 or an errno; `is_full`: no further row goes into the batch. */
static int add_row(stream *s, size_t row, bool *is_full) {
    const eti_cell *cells = eti__row_reader_read(&s->rows, row);
    if (s->rows.failed)
        return fail_memory(s);
    for (size_t i = 0; i < s->table->n_columns; i++) {
        int code = eti__arrow_column_add(&s->columns[i], &cells[i]);
        if (code != 0)
            return fail(s, code, row, i);
        *is_full = *is_full || eti__arrow_column_size(&s->columns[i]) >= s->limits.bytes;
    }
    return 0;
}

static int fill_columns(stream *s, size_t *end) {
    bool is_full = false;
    *end = s->next;
    while (*end < s->table->n_rows && *end - s->next < s->limits.rows && !is_full) {
        int code = add_row(s, *end, &is_full);
        if (code != 0)
            return code;
        ++*end;
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

/* A released array marks the end. */
static int get_next(struct ArrowArrayStream *self, struct ArrowArray *out) {
    stream *s = self->private_data;
    size_t end;
    *out = (struct ArrowArray){.release = NULL};
    s->message[0] = '\0';
    if (s->next == s->table->n_rows)
        return 0;
    int code = fill_columns(s, &end);
    if (code == 0)
        code = make_batch(s, end - s->next, out);
    if (code == 0)
        s->next = end;
    for (size_t i = 0; code != 0 && i < s->table->n_columns; i++)
        eti__arrow_column_reset(&s->columns[i]);
    return code;
}

static const char *get_last_error(struct ArrowArrayStream *self) {
    stream *s = self->private_data;
    return s->message[0] ? s->message : NULL;
}

static void free_stream(stream *s) {
    eti__row_reader_close(&s->rows);
    eti__kept_drop(&s->kept);
    free(s->columns);
    free(s);
}

static void release_stream(struct ArrowArrayStream *self) {
    free_stream(self->private_data);
    self->release = NULL;
}

eti_status eti__arrow_open(struct ArrowArrayStream *out, const eti_table *table,
                           eti_arrow_limits limits, eti_error *err) {
    stream *s = calloc(1, sizeof *s);
    *out = (struct ArrowArrayStream){.release = NULL};
    if (!s)
        return eti_fail_memory(err);
    s->table = table;
    s->limits = limits;
    s->columns = calloc(table->n_columns + 1, sizeof *s->columns);
    if (!s->columns || !eti__row_reader_open(&s->rows, table)) {
        free_stream(s);
        return eti_fail_memory(err);
    }
    for (size_t i = 0; i < table->n_columns; i++)
        s->columns[i].type = table->columns[i].type;
    s->kept = eti__table_keep(table);
    *out = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, s};
    return ETI_OK;
}

eti_status eti_table_arrow_stream(struct ArrowArrayStream *out, const eti_table *table,
                                  eti_error *err) {
    return eti__arrow_open(out, table, usual_limits, err);
}
