#include "view/events.h"

#include "base/python_text.h"
#include "model/metadata.h"

#include <stdio.h>
#include <stdlib.h>

/* Events share names, runs give theirs to every row, and an operator's stands in all rows of it: so many
 * bytes of names are put into cells, and so many times the size of the inputs. Rows of real files have
 * up to 10 times as much text as their events. */
#define TEXT_BYTES ((uint64_t)64 << 10)
#define TEXT_RATIO 32

/* A writer that fills cells with blanks makes of it at most the less of these; real tables take up to 40
 * times the inputs, small ones more. */
#define DRAWN_BYTES ((uint64_t)16 << 20)
#define DRAWN_RATIO 1024
#define DRAWN_LARGE_BYTES ((uint64_t)1 << 30)
#define DRAWN_LARGE_RATIO 64

/* From this many operators on, a cell names only the first two and the last. */
#define OP_TYPES_SHOWN 5

typedef enum eti_events_column {
    COLUMN_BLOCK,
    COLUMN_EVENT,
    COLUMN_P10,
    COLUMN_P50,
    COLUMN_P90,
    COLUMN_AVG,
    COLUMN_MIN,
    COLUMN_MAX,
    COLUMN_OP_TYPES,
    COLUMN_DELEGATED,
    COLUMN_BACKEND,
    COLUMN_START_TIME,
    COLUMN_METADATA, /* only when asked for and there is any */
    N_COLUMNS,
} eti_events_column;

static const char *const column_names[N_COLUMNS] = {
    "event_block_name",
    "event_name",
    "p10",
    "p50",
    "p90",
    "avg",
    "min",
    "max",
    "op_types",
    "is_delegated_op",
    "delegate_backend_name",
    "start_time",
    "delegate_debug_metadata",
};

/* What rows are made of. */
typedef struct eti_events_view {
    eti_metadata_form metadata_form;
    bool has_metadata_column;
    const eti_event **events; /* per row */
    size_t n_events;
} eti_events_view;

static bool is_left_out(const eti_event *event) {
    return eti_text_contains(event->name, eti_text_of("OPERATOR_CALL"));
}

/* Events without a row count too. */
static bool has_metadata_column(const eti_inspector *inspector, const eti_table_options *options) {
    if (!options->include_delegate_debug_data)
        return false;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        for (size_t i = 0; i < inspector->blocks.blocks[b].n_events; i++) {
            if (inspector->blocks.blocks[b].events[i].has_metadata)
                return true;
        }
    }
    return false;
}

static uint64_t input_size(const eti_inspector *inspector) {
    uint64_t size = inspector->record_file.size;
    for (size_t i = 0; i < inspector->n_dumps; i++)
        size += inspector->dump_files[i].size;
    return size;
}

static uint64_t most_drawn(uint64_t size) {
    uint64_t small = DRAWN_BYTES + DRAWN_RATIO * size;
    uint64_t large = DRAWN_LARGE_BYTES + DRAWN_LARGE_RATIO * size;
    return small < large ? small : large;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static eti_cell text_cell(eti_text text) {
    return (eti_cell){.kind = ETI_CELL_TEXT, .as_text = text};
}

/* The text built in row->scratch. */
static bool set_list(eti_row *row, eti_cell *cell) {
    cell->kind = ETI_CELL_LIST;
    return eti_row_take_text(row, &cell->as_text);
}

/* numpy keeps block names in fixed-width fields and so loses NULs at their ends. */
static eti_text without_final_nuls(eti_text name) {
    while (name.size > 0 && name.data[name.size - 1] == '\0')
        name.size--;
    return name;
}

static void set_statistics(eti_cell *cells, const eti_event *event) {
    eti_summary s;
    if (!eti_event_summary(event, &s))
        return;
    const double values[] = {s.p10, s.p50, s.p90, s.avg, s.min, s.max};
    for (int i = 0; i <= COLUMN_MAX - COLUMN_P10; i++)
        cells[COLUMN_P10 + i] = (eti_cell){.kind = ETI_CELL_DOUBLE, .as_double = values[i]};
}

static void add_quoted_raw(eti_buffer *out, const char *before, eti_text name) {
    eti_buffer_add_string(out, before);
    eti_buffer_add_char(out, '\'');
    eti_buffer_add_text(out, name);
    eti_buffer_add_char(out, '\'');
}

static bool set_op_types(eti_row *row, eti_cell *cell, const eti_event *event) {
    eti_buffer *out = &row->scratch;
    size_t n = event->record->n_op_types;
    if (n == 0) {
        *cell = (eti_cell){.kind = ETI_CELL_LIST, .as_text = {"[]", 2}};
        return true;
    }
    eti_buffer_add_char(out, '[');
    if (n < OP_TYPES_SHOWN) {
        for (size_t i = 0; i < n; i++) {
            eti_buffer_add_string(out, i ? ", " : "");
            eti_python_add_str(out, event->record->op_types[i]);
        }
        eti_buffer_add_char(out, ']');
    } else {
        add_quoted_raw(out, "", event->record->op_types[0]);
        add_quoted_raw(out, ", ", event->record->op_types[1]);
        add_quoted_raw(out, " ... ", event->record->op_types[n - 1]);
        eti_buffer_printf(out, "] (%zu total)", n);
    }
    return set_list(row, cell);
}

static void add_u64(eti_buffer *out, uint64_t value) {
    char digits[20];
    char *end = digits + sizeof digits;
    char *first = eti_write_u64(end, value);
    eti_buffer_add(out, first, (size_t)(end - first));
}

static bool set_start_time(eti_row *row, eti_cell *cell, const eti_event *event) {
    eti_buffer *out = &row->scratch;
    size_t n = eti_event_sample_count(event);
    const uint64_t *starts = eti_event_start_time(event);
    if (n == 0)
        return true;
    eti_buffer_add_char(out, '[');
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            eti_buffer_add(out, ", ", 2);
        add_u64(out, starts[i]);
    }
    eti_buffer_add_char(out, ']');
    return set_list(row, cell);
}

static bool set_metadata(eti_row *row, eti_cell *cell, const eti_event *event,
                         eti_metadata_form form_of_delegates) {
    cell->kind = ETI_CELL_NAN;
    if (!event->has_metadata)
        return true;
    eti_buffer *out = &row->scratch;
    eti_metadata_form form = event->is_delegated_op ? form_of_delegates : ETI_METADATA_BYTES;
    eti_buffer_add_char(out, '[');
    for (size_t i = 0; i < eti_event_sample_count(event); i++) {
        eti_buffer_add_string(out, i ? ", " : "");
        eti_metadata_add(out, eti_event_delegate_debug_metadata(event, i), form);
    }
    eti_buffer_add_char(out, ']');
    return set_list(row, cell);
}

static bool make_row(const void *context, size_t number, eti_row *row) {
    const eti_events_view *view = context;
    const eti_event *event = view->events[number];
    eti_cell *cells = row->cells;
    cells[COLUMN_BLOCK] = text_cell(without_final_nuls(event->block->name));
    cells[COLUMN_EVENT] = text_cell(event->name);
    set_statistics(cells, event);
    cells[COLUMN_DELEGATED] = (eti_cell){.kind = ETI_CELL_BOOL, .as_bool = event->is_delegated_op};
    if (event->record->backend_name.data)
        cells[COLUMN_BACKEND] = text_cell(event->record->backend_name);
    return set_op_types(row, &cells[COLUMN_OP_TYPES], event) &&
           set_start_time(row, &cells[COLUMN_START_TIME], event) &&
           (!view->has_metadata_column ||
            set_metadata(row, &cells[COLUMN_METADATA], event, view->metadata_form));
}

/* ---- the table ------------------------------------------------------------------------------- */

static void free_view(void *context) {
    eti_events_view *view = context;
    free(view->events);
    free(view);
}

/* Bytes of the names in a row. */
static uint64_t row_text(const eti_event *event) {
    const eti_event_record *record = event->record;
    uint64_t size = event->block->name.size + event->name.size + record->backend_name.size;
    for (size_t i = 0; i < record->n_op_types; i++) {
        bool is_shown = record->n_op_types < OP_TYPES_SHOWN || i < 2 || i + 1 == record->n_op_types;
        if (!is_shown)
            i = record->n_op_types - 2; /* to the last */
        else
            size += record->op_types[i].size;
    }
    return size;
}

/* The events that have rows, and how much text these have. False when memory is out. */
static bool list_events(eti_events_view *view, const eti_blocks *blocks, uint64_t *n_bytes) {
    size_t n = 0;
    for (size_t b = 0; b < blocks->n_blocks; b++)
        n += blocks->blocks[b].n_events;
    view->events = malloc((n + 1) * sizeof *view->events);
    *n_bytes = 0;
    for (size_t b = 0; view->events && b < blocks->n_blocks; b++) {
        const eti_event_block *block = &blocks->blocks[b];
        for (size_t i = 0; i < block->n_events; i++) {
            if (is_left_out(&block->events[i]))
                continue;
            view->events[view->n_events++] = &block->events[i];
            *n_bytes += row_text(&block->events[i]);
        }
    }
    return view->events != NULL;
}

static eti_status check_text(const eti_inspector *inspector, uint64_t n_bytes, eti_error *err) {
    if (n_bytes <= TEXT_BYTES + TEXT_RATIO * input_size(inspector))
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_LIMIT,
                    "%s: the events repeat their names so often that a table of them would have "
                    "more than %d times the text of the inputs",
                    inspector->n_dumps > 0 ? inspector->dumps[0].file_name
                                           : inspector->record_file.name,
                    TEXT_RATIO);
}

static eti_status new_view(eti_events_view **out, const eti_inspector *inspector,
                           const eti_table_options *options, eti_error *err) {
    uint64_t n_bytes;
    eti_events_view *view = calloc(1, sizeof *view);
    if (!view || !list_events(view, &inspector->blocks, &n_bytes)) {
        free(view);
        return eti_fail_memory(err);
    }
    eti_status status = check_text(inspector, n_bytes, err);
    if (status != ETI_OK) {
        free_view(view);
        return status;
    }
    view->metadata_form = options->delegate_metadata;
    view->has_metadata_column = has_metadata_column(inspector, options);
    *out = view;
    return ETI_OK;
}

eti_status eti_view_events(eti_table **out, const eti_inspector *inspector,
                           const eti_table_options *options, eti_error *err) {
    eti_column columns[N_COLUMNS];
    char with_units[N_COLUMNS][32];
    const char *unit = eti_time_scale_name(inspector->options.target_time_scale);
    *out = NULL;
    for (int i = 0; i < N_COLUMNS; i++) {
        bool is_time = i >= COLUMN_P10 && i <= COLUMN_MAX;
        columns[i] = (eti_column){eti_text_of(column_names[i]),
                                  is_time ? ETI_COLUMN_TIME : ETI_COLUMN_TEXT, false};
        if (options->include_units && is_time) {
            snprintf(with_units[i], sizeof with_units[i], "%s (%s)", column_names[i], unit);
            columns[i].name = eti_text_of(with_units[i]);
        }
    }
    eti_events_view *view = NULL;
    ETI_TRY(new_view(&view, inspector, options, err));
    size_t n_columns = view->has_metadata_column ? N_COLUMNS : COLUMN_METADATA;
    eti_row_source source = {make_row, free_view, view};
    ETI_TRY(eti_table_new_made(out, columns, n_columns, view->n_events, source, err));
    (*out)->index_column = true;
    (*out)->most_drawn = most_drawn(input_size(inspector));
    return ETI_OK;
}

eti_status eti_view_all_events(eti_report *report, const eti_inspector *inspector,
                               const eti_view_options *options, eti_error *err) {
    eti_table *table;
    ETI_TRY(eti_view_events(&table, inspector, &options->table, err));
    return eti_report_add(report, "events", NULL, table, err);
}
