#include "view/events.h"

#include "base/python_text.h"
#include "model/metadata.h"

#include <stdio.h>
#include <stdlib.h>

/* Events share names, runs give theirs to every row, and an operator's stands in all rows of it: so many
 * bytes of text are put into cells, and so many times the size of the inputs. Rows of real files have
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

typedef struct eti_events_view {
    const eti_inspector *inspector;
    const eti_table_options *options;
    eti_table *table;
    eti_buffer text;    /* of the cell at hand */
    uint64_t text_left; /* that may still be put into cells */
    bool is_over_limit;
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

static eti_status make_table(eti_events_view *view, eti_error *err) {
    eti_text names[N_COLUMNS];
    char with_units[N_COLUMNS][32];
    const char *unit = eti_time_scale_name(view->inspector->options.target_time_scale);
    for (int i = 0; i < N_COLUMNS; i++) {
        names[i] = eti_text_of(column_names[i]);
        if (view->options->include_units && i >= COLUMN_P10 && i <= COLUMN_MAX) {
            snprintf(with_units[i], sizeof with_units[i], "%s (%s)", column_names[i], unit);
            names[i] = eti_text_of(with_units[i]);
        }
    }
    size_t n = has_metadata_column(view->inspector, view->options) ? N_COLUMNS : COLUMN_METADATA;
    ETI_TRY(eti_table_new(&view->table, names, n, err));
    uint64_t size = input_size(view->inspector);
    view->table->index_column = true;
    view->table->most_drawn = most_drawn(size);
    view->text_left = TEXT_BYTES + TEXT_RATIO * size;
    return ETI_OK;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static bool count_text(eti_events_view *view, size_t size) {
    view->is_over_limit = view->is_over_limit || size > view->text_left;
    if (!view->is_over_limit)
        view->text_left -= size;
    return !view->is_over_limit;
}

static bool set_text(eti_events_view *view, eti_cell *cell, eti_text text) {
    *cell = (eti_cell){.kind = ETI_CELL_TEXT, .as_text = text};
    return count_text(view, text.size);
}

/* The text built in view->text, kept by the table. */
static bool set_list(eti_events_view *view, eti_cell *cell) {
    cell->kind = ETI_CELL_LIST;
    return !view->text.failed && count_text(view, view->text.size) &&
           eti_table_own_text(view->table, eti_buffer_text(&view->text), &cell->as_text);
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

static bool set_op_types(eti_events_view *view, eti_cell *cell, const eti_event *event) {
    eti_buffer *out = &view->text;
    size_t n = event->record->n_op_types;
    out->size = 0;
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
    return set_list(view, cell);
}

static void add_u64(eti_buffer *out, uint64_t value) {
    char digits[20];
    char *end = digits + sizeof digits;
    char *first = eti_write_u64(end, value);
    eti_buffer_add(out, first, (size_t)(end - first));
}

static bool set_start_time(eti_events_view *view, eti_cell *cell, const eti_event *event) {
    eti_buffer *out = &view->text;
    size_t n = eti_event_sample_count(event);
    const uint64_t *starts = eti_event_start_time(event);
    if (n == 0)
        return true;
    out->size = 0;
    eti_buffer_add_char(out, '[');
    for (size_t i = 0; i < n; i++) {
        if (i > 0)
            eti_buffer_add(out, ", ", 2);
        add_u64(out, starts[i]);
    }
    eti_buffer_add_char(out, ']');
    return set_list(view, cell);
}

static bool set_metadata(eti_events_view *view, eti_cell *cell, const eti_event *event) {
    cell->kind = ETI_CELL_NAN;
    if (!event->has_metadata)
        return true;
    eti_buffer *out = &view->text;
    eti_metadata_form form =
        event->is_delegated_op ? view->options->delegate_metadata : ETI_METADATA_BYTES;
    out->size = 0;
    eti_buffer_add_char(out, '[');
    for (size_t i = 0; i < eti_event_sample_count(event); i++) {
        eti_buffer_add_string(out, i ? ", " : "");
        eti_metadata_add(out, eti_event_delegate_debug_metadata(event, i), form);
    }
    eti_buffer_add_char(out, ']');
    return set_list(view, cell);
}

static bool add_row(eti_events_view *view, const eti_event_block *block, const eti_event *event) {
    eti_cell *cells = eti_table_add_row(view->table);
    if (!cells)
        return false;
    set_statistics(cells, event);
    cells[COLUMN_DELEGATED] = (eti_cell){.kind = ETI_CELL_BOOL, .as_bool = event->is_delegated_op};
    if (event->record->backend_name.data && !set_text(view, &cells[COLUMN_BACKEND], event->record->backend_name))
        return false;
    return set_text(view, &cells[COLUMN_BLOCK], without_final_nuls(block->name)) &&
           set_text(view, &cells[COLUMN_EVENT], event->name) &&
           set_op_types(view, &cells[COLUMN_OP_TYPES], event) &&
           set_start_time(view, &cells[COLUMN_START_TIME], event) &&
           (view->table->n_columns < N_COLUMNS ||
            set_metadata(view, &cells[COLUMN_METADATA], event));
}

static bool add_rows(eti_events_view *view) {
    const eti_blocks *blocks = &view->inspector->blocks;
    for (size_t b = 0; b < blocks->n_blocks; b++) {
        const eti_event_block *block = &blocks->blocks[b];
        for (size_t i = 0; i < block->n_events; i++) {
            if (!is_left_out(&block->events[i]) && !add_row(view, block, &block->events[i]))
                return false;
        }
    }
    return true;
}

static eti_status fail_text(const eti_inspector *inspector, eti_error *err) {
    return eti_fail(err, ETI_ERROR_LIMIT,
                    "%s: the events repeat their names and lists so often that a table of them "
                    "would have more than %d times the text of the inputs",
                    inspector->n_dumps > 0 ? inspector->dumps[0].file_name
                                           : inspector->record_file.name,
                    TEXT_RATIO);
}

eti_status eti_view_events(eti_table **out, const eti_inspector *inspector,
                           const eti_table_options *options, eti_error *err) {
    *out = NULL;
    eti_events_view view = {.inspector = inspector, .options = options};
    ETI_TRY(make_table(&view, err));
    bool complete = add_rows(&view);
    eti_buffer_free(&view.text);
    if (complete) {
        *out = view.table;
        return ETI_OK;
    }
    eti_table_free(view.table);
    return view.is_over_limit ? fail_text(inspector, err) : eti_fail_memory(err);
}
