#include "view/database.h"

#include "places/places.h"
#include "rollup/rollup.h"
#include "table/table.h"
#include "view/groups.h"
#include "view_events/view_events.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== counted events ========================================================================== */
/* Finds the groups that count the events of a database. */

typedef struct eti_counted_event {
    eti_text op_type; /* absent: the event has no time */
    eti_text module;  /* absent: it is in no group */
    /* Self time in the group, after the warm-up: of all runs, and of a typical run of the block. Unchanged if the event
     * is in no group. */
    double total, typical;
} eti_counted_event;

static void count_event(const eti_places *places, const eti_account *account, size_t i,
                        const eti_place *place, bool is_summed, eti_counted_event *out) {
    eti_time_sum own = eti__account_sum(account, i);
    if (account->block->events[i].is_timed)
        out->op_type = eti__op_type_of(account, i).name;
    if (!is_summed || !account->events[i].is_counted)
        return;
    out->total = eti__wide_as_double(own.total) / account->factor;
    if (account->n_runs > 0)
        out->typical =
            eti__wide_as_double(own.weight) / 2 / account->factor / (double)account->n_runs;
    if (eti__role_is_framework(eti__account_role(account, i)))
        out->module = eti__text_of(ETI_GROUP_FRAMEWORK);
    else if (place->module == ETI_PREFIX_ROOT)
        out->module = eti__text_of(ETI_GROUP_UNKNOWN);
    else
        out->module = eti__places_module_name(places, place->module);
}

/* Fills `out` for all events of the account's block; their groups are known only if the block `is_summed` (account/blocks.h). Texts
 * are those of the ETRecord. False: out of memory. */
static bool count_all_events(const eti_account *account, bool is_summed, eti_counted_event *out) {
    eti_places places;
    eti_place *of_events =
        eti__places_init(&places) ? eti__places_of_block(&places, account) : NULL;
    for (size_t i = 0; of_events && i < account->block->n_events; i++)
        count_event(&places, account, i, &of_events[i], is_summed, &out[i]);
    bool done = of_events != NULL;
    free(of_events);
    eti__places_free(&places);
    return done;
}

/* ==== database ================================================================================ */

/* Objects, distinguished by their address and numbered in order of appearance. */
typedef ETI_INTERN_OF(const void *) numbering;

/* Operators and nodes of events, which records share. */
typedef struct shared_ops {
    const eti_text *op_types;
    const eti_op_node *const *nodes;
    const eti_event_record *of; /* a record that has them; not part of the key */
} shared_ops;

/* All events with their shared data; each source of a table has its own. */
typedef struct database_view {
    const eti_inspector *inspector;
    const eti_view_options *options;
    const eti_account **accounts; /* per block; NULL where the block has no times */
    ETI_INTERN_OF(shared_ops) records;
    numbering nodes, module_stacks;
} database_view;

typedef eti_status fill_function(eti_table *table, database_view *view, eti_error *err);

#define ADD_ROW(table, columns, row, err)                                                          \
    eti__columns_add_row(table, columns, ETI_N_COLUMNS(columns), row, err)

/* ---- numbering ------------------------------------------------------------------------------- */

/* Finds the number of `thing`, and adds it if it is new. False: out of memory. */
static bool number_thing(numbering *all, const void *thing, uint32_t *out) {
    static const eti_intern_kind kind = {.item_size = sizeof thing, .key_size = sizeof thing};
    return eti__intern_add(&all->table, &kind, &thing, out);
}

/* Finds the number of the operators and nodes of an event. Many instructions may share them, so that a table with those of
 * each instruction would be much longer than the ETRecord. False: out of memory. */
static bool number_record(database_view *view, const eti_event *event, uint32_t *out) {
    static const eti_intern_kind kind = {.item_size = sizeof(shared_ops),
                                         .key_size = offsetof(shared_ops, of)};
    const eti_event_record *record = event->record;
    const shared_ops ops = {record->op_types, record->op_nodes, record};
    return eti__intern_add(&view->records.table, &kind, &ops, out);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

typedef struct block_row {
    size_t number;
    const eti_event_block *block;
    const eti_account *account;
} block_row;

ETI_CELL_SETTER(block_row, block_id, eti__count_cell(row->number))
ETI_CELL_SETTER(block_row, block_name, eti__text_or_none(row->block->name))
ETI_CELL_SETTER_IF(block_row, bundled_input_index, row->block->bundled_input_index >= 0,
                   eti__int_cell(row->block->bundled_input_index))
ETI_CELL_SETTER(block_row, runs, eti__count_cell(row->block->n_runs))
ETI_CELL_SETTER(block_row, warm_up_runs,
                eti__count_cell(row->account ? row->account->n_warm_up : 0))
ETI_CELL_SETTER(block_row, block_method, eti__text_or_none(row->block->method_name))

static const eti_column_spec block_columns[] = {
    {"block_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_block_id},
    {"name", ETI_TEXTS, false, NULL, set_block_name},
    {"bundled_input_index", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, false, NULL,
     set_bundled_input_index},
    {"runs", ETI_COUNTS, false, NULL, set_runs},
    {"warm_up_runs", ETI_COUNTS, false, NULL, set_warm_up_runs},
    {"method", ETI_TEXTS, false, NULL, set_block_method},
};

static eti_status fill_blocks(eti_table *table, database_view *view, eti_error *err) {
    const eti_blocks *blocks = &view->inspector->blocks;
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        block_row row = {i, &blocks->blocks[i], view->accounts[i]};
        ETI_TRY(ADD_ROW(table, block_columns, &row, err));
    }
    return ETI_OK;
}

/* ---- events and samples ---------------------------------------------------------------------- */

/* Rows of events and samples are made from these. */
typedef struct event_rows {
    const eti_inspector *inspector;
    const eti_event **events;
    uint32_t *record_ids;
    size_t *
        first_samples; /* per event: number of samples of the events before it; at the end, of all events */
    eti_counted_event *counted; /* per event; NULL: not needed */
    size_t n_events;
    const bool **warm_ups; /* per block of the inspector: whether a run warms up; NULL: none does */
} event_rows;

static void free_events(void *context) {
    event_rows *rows = context;
    free((void *)rows->warm_ups);
    free((void *)rows->events);
    free(rows->record_ids);
    free(rows->first_samples);
    free(rows->counted);
    free(rows);
}

/* Takes the warm-up flags of the accounts. False: out of memory. */
static bool keep_warm_ups(event_rows *rows, const eti_account *const *accounts, size_t n_blocks) {
    rows->warm_ups = calloc(n_blocks + 1, sizeof *rows->warm_ups);
    for (size_t b = 0; rows->warm_ups && b < n_blocks; b++) {
        if (accounts[b] && accounts[b]->n_warm_up > 0)
            rows->warm_ups[b] = accounts[b]->is_warm_up;
    }
    return rows->warm_ups != NULL;
}

/* Lists the events; NULL: out of memory. */
static event_rows *list_events(database_view *view) {
    const eti_blocks *blocks = &view->inspector->blocks;
    size_t n = 0;
    for (size_t b = 0; b < blocks->n_blocks; b++)
        n += blocks->blocks[b].n_events;
    event_rows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return NULL;
    rows->inspector = view->inspector;
    rows->events = calloc(n + 1, sizeof *rows->events);
    rows->record_ids = calloc(n + 1, sizeof *rows->record_ids);
    rows->first_samples = calloc(n + 1, sizeof *rows->first_samples);
    bool ok = rows->events && rows->record_ids && rows->first_samples &&
              keep_warm_ups(rows, view->accounts, blocks->n_blocks);
    for (size_t b = 0; ok && b < blocks->n_blocks; b++) {
        if (!eti__block_is_chosen(view->options, &blocks->blocks[b]))
            continue;
        for (size_t i = 0; ok && i < blocks->blocks[b].n_events; i++) {
            const eti_event *event = &blocks->blocks[b].events[i];
            size_t at = rows->n_events++;
            rows->events[at] = event;
            rows->first_samples[at + 1] = rows->first_samples[at] + eti_event_sample_count(event);
            ok = number_record(view, event, &rows->record_ids[at]);
        }
    }
    if (ok)
        return rows;
    free_events(rows);
    return NULL;
}

/* Sets rows->counted. False: out of memory. */
static bool count_events(event_rows *rows, const eti_view_options *options,
                         const eti_account *const *accounts) {
    const eti_event_block *blocks = rows->inspector->blocks.blocks;
    bool no_loading = eti__blocks_leave_out_loading(rows->inspector, options);
    rows->counted = calloc(rows->n_events + 1, sizeof *rows->counted);
    bool done = rows->counted != NULL;
    for (size_t i = 0; done && i < rows->n_events; i++)
        rows->counted[i].total = rows->counted[i].typical = (double)NAN;
    for (size_t i = 0; done && i < rows->n_events; i += rows->events[i]->block->n_events) {
        const eti_account *account = accounts[rows->events[i]->block - blocks];
        bool is_summed = eti__block_is_summed(options, rows->events[i]->block, no_loading);
        done = !account || count_all_events(account, is_summed, &rows->counted[i]);
    }
    return done;
}

typedef struct event_row {
    eti_event_row of;
    const event_rows *rows;
    size_t number;
} event_row;

ETI_CELL_SETTER(event_row, event_id, eti__count_cell(row->number))
ETI_CELL_SETTER(event_row, block_of_event,
                eti__int_cell(row->of.event->block - row->rows->inspector->blocks.blocks))
ETI_CELL_SETTER(event_row, record_of_event, eti__count_cell(row->rows->record_ids[row->number]))
ETI_CELL_SETTER(event_row, name, eti__text_or_none(eti__event_label(row->of.event)))
ETI_CELL_SETTER_IF(event_row, instruction_id, row->of.event->instruction_id >= 0,
                   eti__int_cell(row->of.event->instruction_id))
ETI_CELL_SETTER(event_row, is_delegated_op, eti__bool_cell(row->of.event->is_delegated_op))
ETI_CELL_SETTER(event_row, backend, eti__text_or_none(row->of.event->record->backend_name))
ETI_CELL_SETTER(event_row, op_of_event, eti__text_or_none(row->rows->counted[row->number].op_type))
ETI_CELL_SETTER(event_row, module_of_event,
                eti__text_or_none(row->rows->counted[row->number].module))
ETI_CELL_SETTER(event_row, total, eti__number_or_none(row->rows->counted[row->number].total))
ETI_CELL_SETTER(event_row, typical, eti__number_or_none(row->rows->counted[row->number].typical))
ETI_CELL_SETTER(event_row, attribution,
                eti__text_or_none(eti__attribution_name(row->of.event->known->attribution)))
ETI_CELL_SETTER(event_row, count, eti__count_cell(eti_event_sample_count(row->of.event)))

/* Sets the scale of the times in the row: a delegate may count cycles, which cannot be converted. */
static bool set_event_scale(void *context, eti_cell *cell) {
    const event_row *row = context;
    const eti_options *options = &row->rows->inspector->options;
    const eti_delegate_time_scale *own = eti__event_own_time_scale(row->of.event, options);
    eti_time_scale scale = options->target_time_scale;
    if (own && ((own->scale == ETI_SCALE_CYCLES && own->hz == 0) || scale == ETI_SCALE_CYCLES))
        scale = own->scale;
    *cell = eti__string_cell(eti_time_scale_name(scale));
    return true;
}

static bool set_identifier(void *context, eti_cell *cell) {
    event_row *row = context;
    eti_delegate_id id = eti_event_delegate_debug_identifier(row->of.event);
    if (id.kind == ETI_DELEGATE_ID_STRING)
        *cell = eti__text_or_none(id.string_id);
    if (id.kind != ETI_DELEGATE_ID_INT)
        return true;
    eti__buffer_printf(&row->of.row->scratch, "%d", (int)id.int_id);
    return eti__row_take_cell(row->of.row, ETI_CELL_TEXT, cell);
}

static const eti_column_spec event_columns[] = {
    {"event_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_event_id},
    {"block_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_block_of_event},
    {"record_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_record_of_event},
    {"name", ETI_TEXTS, false, NULL, set_name},
    {"instruction_id", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, false, NULL, set_instruction_id},
    {"is_delegated_op", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, false, NULL, set_is_delegated_op},
    {"delegate_debug_identifier", ETI_TEXTS, false, NULL, set_identifier},
    {"delegate_backend_name", ETI_TEXTS, false, NULL, set_backend},
    {"count", ETI_COUNTS, false, NULL, set_count},
    {"p10", ETI_TIMES, false, NULL, eti__set_event_p10},
    {"p50", ETI_TIMES, false, NULL, eti__set_event_p50},
    {"p90", ETI_TIMES, false, NULL, eti__set_event_p90},
    {"avg", ETI_TIMES, false, NULL, eti__set_event_avg},
    {"min", ETI_TIMES, false, NULL, eti__set_event_min},
    {"max", ETI_TIMES, false, NULL, eti__set_event_max},
    {"time_scale", ETI_TEXTS, false, NULL, set_event_scale},
    {"op_type", ETI_TEXTS, false, NULL, set_op_of_event},
    {"module", ETI_TEXTS, false, NULL, set_module_of_event},
    {"attribution", ETI_TEXTS, false, NULL, set_attribution},
    {"total", ETI_TIMES, false, NULL, set_total},
    {"typical", ETI_TIMES, false, NULL, set_typical},
};

static bool make_event(const void *context, size_t number, eti_row *out) {
    const event_rows *rows = context;
    event_row row = {
        .of = {.event = rows->events[number], .row = out}, .rows = rows, .number = number};
    return eti__columns_set(event_columns, ETI_N_COLUMNS(event_columns), &row, out);
}

typedef struct sample_row {
    const eti_event *event;
    size_t number, run; /* of the event; of the sample in it */
    bool is_warm_up;
} sample_row;

ETI_CELL_SETTER(sample_row, event_of_sample, eti__count_cell(row->number))
ETI_CELL_SETTER(sample_row, run, eti__count_cell(row->run))
ETI_CELL_SETTER(sample_row, start_time, eti__count_cell(eti_event_start_time(row->event)[row->run]))
ETI_CELL_SETTER(sample_row, is_warm_up, eti__bool_cell(row->is_warm_up))
ETI_CELL_SETTER(sample_row, elapsed, eti__double_cell(eti_event_raw(row->event)[row->run]))

static const eti_column_spec sample_columns[] = {
    {"event_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_event_of_sample},
    {"run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_run},
    {"start_time", ETI_TYPE_UINT64, ETI_COLUMN_NUMBER, false, NULL, set_start_time},
    {"elapsed", ETI_TIMES, false, NULL, set_elapsed},
    {"is_warm_up", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, false, NULL, set_is_warm_up},
};

static bool make_sample(const void *context, size_t number, eti_row *out) {
    const event_rows *rows = context;
    size_t at = eti__last_not_above(rows->first_samples, rows->n_events, number);
    const eti_event *event = rows->events[at];
    size_t run = number - rows->first_samples[at];
    const bool *warm_up = rows->warm_ups[event->block - rows->inspector->blocks.blocks];
    sample_row row = {event, at, run, warm_up && warm_up[run]};
    return eti__columns_set(sample_columns, ETI_N_COLUMNS(sample_columns), &row, out);
}

/* Checks the size of the names in the rows of events, which share them. */
static eti_status check_names(const event_rows *rows, eti_error *err) {
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < rows->n_events; i++) {
        const eti_event *event = rows->events[i];
        n_bytes += eti__event_label(event).size + event->record->backend_name.size +
                   rows->counted[i].op_type.size + rows->counted[i].module.size;
    }
    return eti__view_check_text(rows->inspector, n_bytes, err);
}

static eti_status add_events(eti_report *report, database_view *view, eti_error *err) {
    event_rows *rows = list_events(view);
    eti_table *table;
    bool is_made = rows && count_events(rows, view->options, view->accounts);
    eti_status status = is_made ? check_names(rows, err) : eti_fail_memory(err);
    if (status != ETI_OK) {
        if (rows)
            free_events(rows);
        return status;
    }
    eti_row_source source = {make_event, free_events, rows};
    ETI_TRY(eti__columns_make_rows(&table, event_columns, ETI_N_COLUMNS(event_columns),
                                   rows->n_events, source, NULL, err));
    return eti__report_add(report, "events", NULL, table, err);
}

static eti_status add_samples(eti_report *report, database_view *view, bool samples,
                              eti_error *err) {
    event_rows *rows = list_events(view);
    eti_table *table;
    if (!rows)
        return eti_fail_memory(err);
    eti_row_source source = {make_sample, free_events, rows};
    size_t n_rows = samples ? rows->first_samples[rows->n_events] : 0;
    ETI_TRY(eti__columns_make_rows(&table, sample_columns, ETI_N_COLUMNS(sample_columns), n_rows,
                                   source, NULL, err));
    return eti__report_add(report, "samples", NULL, table, err);
}

/* ---- what the ETRecord knows ------------------------------------------------------------------ */

/* A row of any table with data of the ETRecord. */
typedef struct known_row {
    size_t record;
    uint32_t node, stack; /* their numbers */
    size_t place;         /* index of the operator in the record, or of the module in the stack */
    bool has_stack;
    eti_text op_type;
    const eti_op_node *of_node;
    const eti_module *module;
} known_row;

ETI_CELL_SETTER(known_row, record_id, eti__count_cell(row->record))
ETI_CELL_SETTER(known_row, node_id, eti__count_cell(row->node))
ETI_CELL_SETTER_IF(known_row, stack_id, row->has_stack, eti__count_cell(row->stack))
ETI_CELL_SETTER(known_row, place, eti__count_cell(row->place))
ETI_CELL_SETTER(known_row, op_type, eti__text_or_none(row->op_type))
ETI_CELL_SETTER(known_row, node_name, eti__text_or_none(row->of_node->name))
ETI_CELL_SETTER(known_row, stack_trace, eti__text_or_none(row->of_node->stack_trace))
ETI_CELL_SETTER(known_row, key, eti__text_or_none(row->module->key))
ETI_CELL_SETTER(known_row, path, eti__text_or_none(row->module->path))
ETI_CELL_SETTER(known_row, type, eti__text_or_none(row->module->type))

static const eti_column_spec op_columns[] = {
    {"record_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_record_id},
    {"position", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_place},
    {"op_type", ETI_TEXTS, false, NULL, set_op_type},
};

static eti_status check_ops(const database_view *view, eti_error *err) {
    uint64_t most = eti__view_most_text(view->inspector), n_bytes = 0;
    for (size_t r = 0; r < view->records.count && n_bytes <= most; r++) {
        const eti_event_record *record = view->records.items[r].of;
        n_bytes += eti__op_list_size(record->op_types, record->n_op_types, most);
    }
    return eti__view_check_text(view->inspector, n_bytes, err);
}

static eti_status fill_ops(eti_table *table, database_view *view, eti_error *err) {
    ETI_TRY(check_ops(view, err));
    for (size_t r = 0; r < view->records.count; r++) {
        const eti_event_record *record = view->records.items[r].of;
        for (size_t i = 0; i < record->n_op_types; i++) {
            known_row row = {.record = r, .place = i, .op_type = record->op_types[i]};
            ETI_TRY(ADD_ROW(table, op_columns, &row, err));
        }
    }
    return ETI_OK;
}

static const eti_column_spec record_node_columns[] = {
    {"record_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_record_id},
    {"node_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_node_id},
};

static eti_status fill_record_nodes(eti_table *table, database_view *view, eti_error *err) {
    for (size_t r = 0; r < view->records.count; r++) {
        const eti_event_record *record = view->records.items[r].of;
        for (size_t i = 0; i < record->n_op_nodes; i++) {
            known_row row = {.record = r};
            if (!number_thing(&view->nodes, record->op_nodes[i], &row.node))
                return eti_fail_memory(err);
            ETI_TRY(ADD_ROW(table, record_node_columns, &row, err));
        }
    }
    return ETI_OK;
}

static const eti_column_spec node_columns[] = {
    {"node_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_node_id},
    {"name", ETI_TEXTS, false, NULL, set_node_name},
    {"module_stack_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_stack_id},
    {"stack_trace", ETI_TEXTS, false, NULL, set_stack_trace},
};

static eti_status fill_nodes(eti_table *table, database_view *view, eti_error *err) {
    for (uint32_t i = 0; i < view->nodes.count; i++) {
        const eti_op_node *node = view->nodes.items[i];
        known_row row = {.node = i, .of_node = node, .has_stack = node->n_modules > 0};
        if (row.has_stack && !number_thing(&view->module_stacks, node->modules, &row.stack))
            return eti_fail_memory(err);
        ETI_TRY(ADD_ROW(table, node_columns, &row, err));
    }
    return ETI_OK;
}

static const eti_column_spec module_columns[] = {
    {"module_stack_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_stack_id},
    {"level", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_place},
    {"key", ETI_TEXTS, false, NULL, set_key},
    {"path", ETI_TEXTS, false, NULL, set_path},
    {"type", ETI_TEXTS, false, NULL, set_type},
};

static eti_status fill_modules(eti_table *table, database_view *view, eti_error *err) {
    uint32_t n_listed = 0;
    for (uint32_t i = 0; i < view->nodes.count; i++) {
        const eti_op_node *node = view->nodes.items[i];
        /* Nodes are in the order in which their stacks were numbered. */
        if (node->n_modules == 0 || n_listed == view->module_stacks.count ||
            view->module_stacks.items[n_listed] != node->modules)
            continue;
        for (size_t level = 0; level < node->n_modules; level++) {
            known_row row = {.stack = n_listed,
                             .has_stack = true,
                             .place = level,
                             .module = &node->modules[level]};
            ETI_TRY(ADD_ROW(table, module_columns, &row, err));
        }
        n_listed++;
    }
    return ETI_OK;
}

/* ---- queries --------------------------------------------------------------------------------- */

/* Rows that the Inspector lists: an OPERATOR_CALL has the same time as the event inside it. */
#define LISTED "instr(e.name, 'OPERATOR_CALL') = 0"

/* Nanoseconds in a unit of the times; NULL for cycles, so that these are never compared with times. */
#define UNIT(scale)                                                                                \
    "CASE " scale " WHEN 'ns' THEN 1.0 WHEN 'us' THEN 1e3 WHEN 'ms' THEN 1e6 WHEN 's' THEN 1e9 "   \
    "END AS unit_ns "

static const eti_report_query queries[] = {
    {"event_list",
     "SELECT e.dump_id, e.event_id, b.name AS event_block_name, e.name AS event_name, e.p10, "
     "e.p50, e.p90, e.avg, e.min, e.max, e.count, e.is_delegated_op, e.delegate_backend_name, "
     "e.instruction_id, e.op_type, e.module, e.attribution, e.total, e.typical, "
     "e.block_id, "
     "b.bundled_input_index, "
     "coalesce(e.time_scale, d.time_scale) AS time_scale, " UNIT(
         "coalesce(e.time_scale, d.time_scale)") "FROM events e JOIN blocks b USING (dump_id, "
                                                 "block_id) JOIN dumps d USING (dump_id) "
                                                 "WHERE " LISTED},
    {"run_times", "SELECT * FROM event_list WHERE event_name = 'Method::execute'"},
    {"load_times",
     "SELECT * FROM event_list WHERE event_name IN ('Method::init', 'Program::load_method')"},
    {"sample_list",
     "SELECT s.dump_id, s.event_id, b.name AS event_block_name, e.name AS event_name, s.run, "
     "s.start_time, s.elapsed, s.is_warm_up, e.block_id, b.bundled_input_index, "
     "coalesce(e.time_scale, d.time_scale) AS time_scale, " UNIT(
         "coalesce(e.time_scale, d.time_scale)") "FROM samples s JOIN events e USING (dump_id, "
                                                 "event_id) "
                                                 "JOIN blocks b USING (dump_id, block_id) JOIN "
                                                 "dumps d USING (dump_id)"},
    {"dump_list",
     "SELECT d.dump_id, d.\"view\", d.version, d.time_scale, "
     "(SELECT group_concat(key || '=' || value, ' ') FROM labels l WHERE l.dump_id = d.dump_id) "
     "AS labels, "
     "(SELECT group_concat(path, ' ') FROM sources s WHERE s.dump_id = d.dump_id) AS "
     "sources, " UNIT("d.time_scale") "FROM dumps d"},
};

/* ---- groups ---------------------------------------------------------------------------------- */

/* Adds the rows of --group for each block, so that a database has the same numbers. */
static eti_status add_groups(eti_report *report, database_view *view, eti_error *err) {
    static const char *const tables[ETI_N_GROUPINGS] = {
        [ETI_BY_OP] = "op_list",           [ETI_BY_KERNEL] = "kernel_list",
        [ETI_BY_BACKEND] = "backend_list", [ETI_BY_COMPUTE_UNIT] = "compute_unit_list",
        [ETI_BY_MODULE] = "module_list",   [ETI_BY_SOURCE] = "source_list",
        [ETI_BY_METHOD] = "method_list",   [ETI_BY_BLOCK] = "block_list",
    };
    for (int i = 0; i < ETI_N_GROUPINGS; i++) {
        eti_view_options of_group = *view->options;
        of_group.group = eti__grouping_name((eti_grouping)i);
        of_group.per_block = true;
        ETI_TRY(eti__view_add_groups(report, tables[i], view->inspector, &of_group, err));
    }
    return ETI_OK;
}

/* ---- putting it together --------------------------------------------------------------------- */

static eti_status add_filled(eti_report *report, const char *name, const eti_column_spec *columns,
                             size_t n_columns, fill_function *fill, database_view *view,
                             eti_error *err) {
    eti_table *table;
    ETI_TRY(eti__columns_add_section(&table, report, name, NULL, columns, n_columns, NULL, err));
    return fill(table, view, err);
}

#define ADD_FILLED(name, columns, fill)                                                            \
    ETI_TRY(add_filled(report, name, columns, ETI_N_COLUMNS(columns), fill, view, err))

static eti_status add_tables(eti_report *report, database_view *view,
                             const eti_view_options *options, eti_error *err) {
    ETI_TRY(add_events(report, view, err));
    ADD_FILLED("blocks", block_columns, fill_blocks);
    ETI_TRY(add_samples(report, view, options->samples, err));
    ADD_FILLED("ops", op_columns, fill_ops);
    ADD_FILLED("record_nodes", record_node_columns, fill_record_nodes);
    ADD_FILLED("nodes", node_columns, fill_nodes);
    ADD_FILLED("modules", module_columns, fill_modules);
    return add_groups(report, view, err);
}

static eti_status list_accounts(database_view *view, eti_error *err) {
    const eti_blocks *blocks = &view->inspector->blocks;
    view->accounts = calloc(blocks->n_blocks + 1, sizeof *view->accounts);
    if (!view->accounts)
        return eti_fail_memory(err);
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        const eti_event_block *block = &blocks->blocks[i];
        if (block->raw)
            ETI_TRY(eti__account_of(&view->accounts[i], view->inspector, block, err));
    }
    return ETI_OK;
}

eti_status eti__view_database(eti_report *report, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) {
    database_view view = {.inspector = inspector, .options = options};
    eti_status status = list_accounts(&view, err);
    if (status == ETI_OK)
        status = add_tables(report, &view, options, err);
    free((void *)view.accounts);
    eti__intern_free(&view.records.table);
    eti__intern_free(&view.nodes.table);
    eti__intern_free(&view.module_stacks.table);
    report->queries = queries;
    report->n_queries = sizeof queries / sizeof *queries;
    return status;
}
