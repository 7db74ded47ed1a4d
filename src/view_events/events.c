#include "view_events/events.h"

#include "view_events/event_columns.h"
#include "view_events/op_lists.h"
#include "view_events/view.h"

#include <inttypes.h>
#include <stdlib.h>

/* Rows repeat the names of events, runs and operators. The bytes of names in cells are limited to TEXT_BYTES plus TEXT_RATIO
 * times the size of the inputs. Rows of real files have up to 10 times as much text as their events. */
#define TEXT_BYTES ((uint64_t)64 << 10)
#define TEXT_RATIO 32
#define STREAMED_BYTES ((uint64_t)256 << 20) /* least limit for rows that are not kept */

/* Limits of the output of a writer that pads cells with blanks: the lower of two limits applies. Real tables take up to 40
 * times the size of the inputs, small ones more. */
#define DRAWN_BYTES ((uint64_t)16 << 20)
#define DRAWN_RATIO 1024
#define DRAWN_LARGE_BYTES ((uint64_t)1 << 30)
#define DRAWN_LARGE_RATIO 64

typedef struct eti_events_view {
    eti_metadata_form metadata_form;
    bool has_lists;
    eti_column_spec columns[ETI_MOST_COLUMN_SPECS];
    size_t n_columns;
    const eti_event **events; /* per row */
    size_t n_events;
    eti_event_extras *extras; /* computed when they are needed */
} eti_events_view;

/* Returns whether there is a column of metadata; events without a row count, too. */
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
    const struct eti_file *file;
    const char *kind;
    uint64_t size = 0;
    for (size_t i = 0; (file = eti__inspector_file(inspector, i, &kind)); i++)
        size += file->size;
    return size;
}

uint64_t eti__view_most_drawn(const eti_inspector *inspector) {
    uint64_t size = input_size(inspector);
    uint64_t small = DRAWN_BYTES + DRAWN_RATIO * size;
    uint64_t large = DRAWN_LARGE_BYTES + DRAWN_LARGE_RATIO * size;
    return small < large ? small : large;
}

static bool make_row(const void *context, size_t number, eti_row *out) {
    const eti_events_view *view = context;
    eti_event_row row = {
        .event = view->events[number],
        .metadata_form = view->metadata_form,
        .has_lists = view->has_lists,
        .extras = view->extras,
        .row = out,
    };
    return eti__columns_set(view->columns, view->n_columns, &row, out);
}

/* ---- the table ------------------------------------------------------------------------------- */

static void free_view(void *context) {
    eti_events_view *view = context;
    eti__event_extras_free(view->extras);
    free(view->events);
    free(view);
}

/* Returns the number of bytes of the names in a row. */
static uint64_t row_text(const eti_event *event) {
    const eti_event_record *record = event->record;
    return event->block->name.size + event->name.size + record->backend_name.size +
           eti__op_list_text_size(record->op_types, record->n_op_types);
}

/* Returns the approximate number of bytes of the lists of a row; stops counting above `most`. */
static uint64_t list_text(const eti_event *event, uint64_t most) {
    const eti_event_record *record = event->record;
    return event->known->handles.n * ETI_LIST_ITEM_BYTES +
           eti__op_list_size(record->op_types, record->n_op_types, most);
}

/* Lists the events that have rows, and counts the bytes of text in these. False: out of memory. */
static bool list_events(eti_events_view *view, const eti_blocks *blocks,
                        const eti_view_options *options, uint64_t *n_bytes) {
    size_t n = 0;
    for (size_t b = 0; b < blocks->n_blocks; b++)
        n += blocks->blocks[b].n_events;
    view->events = malloc((n + 1) * sizeof *view->events);
    *n_bytes = 0;
    for (size_t b = 0; view->events && b < blocks->n_blocks; b++) {
        const eti_event_block *block = &blocks->blocks[b];
        size_t n_listed = eti__block_is_chosen(options, block) ? block->n_events : 0;
        for (size_t i = 0; i < n_listed; i++) {
            if (block->events[i].is_operator_call)
                continue;
            view->events[view->n_events++] = &block->events[i];
            *n_bytes += row_text(&block->events[i]);
        }
    }
    return view->events != NULL;
}

uint64_t eti__view_most_text(const eti_inspector *inspector) {
    return TEXT_BYTES + TEXT_RATIO * input_size(inspector);
}

eti_status eti__view_check_text(const eti_inspector *inspector, uint64_t n_bytes, eti_error *err) {
    const char *kind;
    if (n_bytes <= eti__view_most_text(inspector))
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_LIMIT,
                    "%s: names are repeated so often that a table of them would have "
                    "more than %d times the text of the inputs",
                    eti__inspector_file(inspector, 0, &kind)->name, TEXT_RATIO);
}

uint64_t eti__view_most_streamed_text(const eti_inspector *inspector) {
    uint64_t most = eti__view_most_text(inspector);
    return most > STREAMED_BYTES ? most : STREAMED_BYTES;
}

eti_status eti__view_check_streamed_text(const eti_inspector *inspector, uint64_t n_bytes,
                                         eti_error *err) {
    const char *kind;
    if (n_bytes <= eti__view_most_streamed_text(inspector))
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_LIMIT,
                    "%s: names are repeated so often that its rows would have %" PRIu64
                    " bytes of text, more than %d times the text of the inputs",
                    eti__inspector_file(inspector, 0, &kind)->name, n_bytes, TEXT_RATIO);
}

/* Returns whether lists that events share can be repeated in each of their rows. */
static bool has_room_for_lists(const eti_events_view *view, const eti_inspector *inspector) {
    uint64_t most = eti__view_most_text(inspector), size = 0;
    for (size_t i = 0; i < view->n_events && size < most; i++)
        size += list_text(view->events[i], most - size);
    return size < most;
}

/* Chooses the columns: the Inspector's own, and the others if requested. If operators are too many for lists in every row,
 * they are only texts. */
static void choose_columns(eti_events_view *view, const eti_inspector *inspector,
                           const eti_table_options *options, bool with_extra) {
    bool has_metadata = has_metadata_column(inspector, options);
    view->has_lists = has_room_for_lists(view, inspector);
    for (size_t i = 0; i < eti__event_column_count; i++) {
        const eti_column_spec *column = &eti__event_columns[i];
        if ((column->is_extra && !with_extra) ||
            (eti__event_column_is_metadata(column) && !has_metadata) ||
            (eti__event_column_is_long(column) && !view->has_lists))
            continue;
        view->columns[view->n_columns] = *column;
        if (!view->has_lists && column->type == ETI_TYPE_LIST_UTF8)
            view->columns[view->n_columns].type = ETI_TYPE_UTF8;
        view->n_columns++;
    }
}

static eti_status fill_view(eti_events_view *view, const eti_inspector *inspector,
                            const eti_view_options *options, bool with_extra, eti_error *err) {
    uint64_t n_bytes;
    view->extras = eti__event_extras_new(inspector);
    if (!view->extras || !list_events(view, &inspector->blocks, options, &n_bytes))
        return eti_fail_memory(err);
    ETI_TRY(eti__view_check_text(inspector, n_bytes, err));
    view->metadata_form = options->table.delegate_metadata;
    choose_columns(view, inspector, &options->table, with_extra);
    return ETI_OK;
}

/* Makes the table, which owns the view, even if this fails. */
static eti_status make_table(eti_table **out, eti_events_view *view, const eti_inspector *inspector,
                             const eti_view_options *options, eti_error *err) {
    eti_row_source source = {make_row, free_view, view};
    ETI_TRY(eti__columns_make_rows(out, view->columns, view->n_columns, view->n_events, source,
                                   eti__view_unit(inspector, options), err));
    for (size_t i = 0; i < view->n_columns; i++) {
        const eti_column_spec *column = &view->columns[i];
        (*out)->columns[i].is_on_request =
            (eti__event_column_is_per_run(column) && !options->samples) ||
            eti__event_column_is_all_op_types(column);
    }
    (*out)->index_column = true;
    if (input_size(inspector) >= ETI_PARALLEL_BYTES)
        (*out)->n_threads = inspector->options.n_threads;
    (*out)->most_drawn = eti__view_most_drawn(inspector);
    return ETI_OK;
}

static eti_status make_events(eti_table **out, const eti_inspector *inspector,
                              const eti_view_options *options, bool with_extra, eti_error *err) {
    *out = NULL;
    eti_events_view *view = calloc(1, sizeof *view);
    if (!view)
        return eti_fail_memory(err);
    eti_status status = fill_view(view, inspector, options, with_extra, err);
    if (status != ETI_OK) {
        free_view(view);
        return status;
    }
    return make_table(out, view, inspector, options, err);
}

eti_status eti__inspector_events_table(eti_table **out, const eti_inspector *inspector,
                                       const eti_table_options *options, eti_error *err) {
    static const eti_table_options defaults = ETI_TABLE_OPTIONS_DEFAULT;
    static const eti_projection as_text = {.leaves_out_extra = true, .spells_lists = true};
    eti_table *events;
    *out = NULL;
    ETI_TRY(eti__view_events(&events, inspector, options ? options : &defaults, err));
    events->kept = eti__inspector_keep(inspector);
    return eti__table_project_owned(out, events, as_text, err);
}

eti_status eti__view_events(eti_table **out, const eti_inspector *inspector,
                            const eti_table_options *options, eti_error *err) {
    return make_events(out, inspector, &(eti_view_options){.table = *options}, false, err);
}

eti_status eti__view_all_events(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) {
    eti_table *table;
    ETI_TRY(make_events(&table, inspector, options, true, err));
    return eti__report_add(report, "events", NULL, table, err);
}
