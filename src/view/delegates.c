#include "view/delegates.h"

#include "backends/backends.h"
#include "base/names.h"
#include "places/places.h"
#include "rollup/rollup.h"
#include "table/table.h"
#include "view_events/view_events.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define MOST_SHOWN 10 /* rows of "outside" and "splits" that are shown to people */

/* A report that is being made. */
typedef struct delegates {
    eti_summed_methods methods;
    eti_delegation *parts;      /* per method */
    const eti_delegation *data; /* of the method whose rows are being added */
    eti_text method;            /* its name; absent unless there are several methods */
    const eti_inspector *inspector;
    const eti_view_options *options;
    eti_report *report;
    eti_table *table; /* of the section that was added last */
} delegates;

/* A row of any of the tables. */
typedef struct delegates_row {
    const delegates *in;
    eti_text name;
    const eti_cost *cost;
    const eti_saving *saving;
    const eti_backend_cost *backend;
    const eti_outside_op *op;
    const eti_split *split;
} delegates_row;

/* ---- cells ----------------------------------------------------------------------------------- */

static bool has_times(const delegates_row *row) {
    return row->in->data->steps.has_times;
}

static double total_of(const delegates_row *row, const eti_cost *cost) {
    return eti__rollup_time(&row->in->data->steps.rollup, cost->time.total);
}

static double typical_of(const delegates_row *row, const eti_time_sum *time) {
    return eti__rollup_typical(&row->in->data->steps.rollup, time);
}

static const eti_time_sum *whole_of(const delegates_row *row) {
    return &row->in->data->steps.rollup.whole;
}

static bool set_text(const delegates_row *row, eti_text text, eti_cell *cell) {
    if (text.size == 0)
        return true;
    cell->kind = ETI_CELL_TEXT;
    return eti__table_own_text(row->in->table, text, &cell->as_text);
}

static bool set_name(void *context, eti_cell *cell) {
    const delegates_row *row = context;
    return set_text(row, row->name, cell);
}

static bool set_backend_name(void *context, eti_cell *cell) {
    bool done = set_name(context, cell);
    *cell = eti__named_cell(cell->as_text, eti__backend_label(cell->as_text));
    return done;
}

/* Defines the first column of sections that list each method separately. */
ETI_CELL_SETTER(delegates_row, method_of_rows, eti__text_or_none(row->in->method))

ETI_CELL_SETTER(delegates_row, p50, eti__number_or_none(row->cost->p50))
ETI_CELL_SETTER_IF(delegates_row, total, has_times(row), eti__double_cell(total_of(row, row->cost)))
ETI_CELL_SETTER_IF(delegates_row, typical, has_times(row),
                   eti__double_cell(typical_of(row, &row->cost->time)))
ETI_CELL_SETTER_IF(delegates_row, share, has_times(row),
                   eti__double_cell(eti__time_sum_share(&row->cost->time, whole_of(row))))
ETI_CELL_SETTER_IF(delegates_row, share_mean, has_times(row),
                   eti__double_cell(eti__time_sum_share_mean(&row->cost->time, whole_of(row))))
ETI_CELL_SETTER_IF(delegates_row, unsteady, has_times(row),
                   eti__bool_cell(eti__time_sum_is_unsteady(&row->cost->time, whole_of(row))))
ETI_CELL_SETTER_IF(delegates_row, copies, has_times(row) && !isnan(row->saving->copies.p50),
                   eti__double_cell(typical_of(row, &row->saving->copies.time)))
ETI_CELL_SETTER_IF(delegates_row, copies_total, has_times(row),
                   eti__double_cell(total_of(row, &row->saving->copies)))
ETI_CELL_SETTER_IF(delegates_row, bound, has_times(row),
                   eti__double_cell(eti__time_sum_share(&row->saving->bound, whole_of(row))))
ETI_CELL_SETTER_IF(delegates_row, overhead, has_times(row),
                   eti__double_cell(typical_of(row, &row->saving->overhead)))

ETI_CELL_SETTER_IF(delegates_row, backend_calls, row->backend->has_calls,
                   eti__count_cell(row->backend->n_calls))
ETI_CELL_SETTER_IF(delegates_row, operators, row->backend->n_operators > 0,
                   eti__count_cell(row->backend->n_operators))
ETI_CELL_SETTER_IF(delegates_row, bytes, row->backend->has_bytes,
                   eti__count_cell(row->backend->n_bytes))

ETI_CELL_SETTER(delegates_row, calls, eti__count_cell(row->op->n_calls))
ETI_CELL_SETTER(delegates_row, has_control_flow, eti__bool_cell(row->split->has_control_flow))
ETI_CELL_SETTER(delegates_row, splits, eti__count_cell(row->op->n_splits))

static const eti_step *step_at(const delegates_row *row, size_t i) {
    const eti_steps *steps = &row->in->data->steps;
    return &steps->all.items[steps->order[i]];
}

static eti_text step_name(const delegates_row *row, size_t i) {
    return row->in->data->steps.names.texts.texts[step_at(row, i)->key.name];
}

static bool set_ops(void *context, eti_cell *cell) {
    const delegates_row *row = context;
    size_t n = row->split->end - row->split->first;
    eti_text *items = eti__arena_alloc(&row->in->table->arena, n, sizeof *items);
    bool done = items != NULL;
    for (size_t i = 0; i < n && done; i++)
        done =
            eti__table_own_text(row->in->table, step_name(row, row->split->first + i), &items[i]);
    *cell = eti__list_cell(ETI_CELL_TEXTS, items, n);
    cell->as_int = (int64_t)(row->split->longest - row->split->first);
    return done;
}

static bool set_before(void *context, eti_cell *cell) {
    const delegates_row *row = context;
    return set_text(row, step_name(row, row->split->first - 1), cell);
}

static bool set_after(void *context, eti_cell *cell) {
    const delegates_row *row = context;
    return set_text(row, step_name(row, row->split->end), cell);
}

ETI_CELL_SETTER_IF(delegates_row, instruction,
                   step_at(row, row->split->first)->key.instruction >= 0,
                   eti__int_cell(step_at(row, row->split->first)->key.instruction))

static bool set_method(void *context, eti_cell *cell) {
    const delegates_row *row = context;
    const eti_text_table *methods = &row->in->data->steps.methods.texts;
    uint32_t method = step_at(row, row->split->first)->key.method;
    return method >= methods->count || set_text(row, methods->texts[method], cell);
}

/* Returns the place of the operator that takes the most time. */
static const eti_place *place_of(const delegates_row *row) {
    return &step_at(row, row->split->longest)->place;
}

static bool set_module(void *context, eti_cell *cell) {
    const delegates_row *row = context;
    uint32_t module = place_of(row)->module;
    return module == ETI_PREFIX_ROOT ||
           set_text(row, eti__places_module_name(&row->in->data->steps.places, module), cell);
}

static bool set_source(void *context, eti_cell *cell) {
    const delegates_row *row = context;
    uint32_t frame = place_of(row)->frame;
    eti_buffer text = {0};
    if (frame == ETI_PREFIX_ROOT)
        return true;
    const eti_stack_frame *line = &eti__places_frame(&row->in->data->steps.places, frame)->frame;
    eti__add_source_line(&text, line->file, line->line);
    bool done = !text.failed && set_text(row, eti__buffer_text(&text), cell);
    eti__buffer_free(&text);
    return done;
}

#define SHARE_COLUMN(help)                                                                         \
    {"share", ETI_SHARES, false, help, set_share}, {                                               \
        "unsteady", ETI_MARKS, false, ETI_UNSTEADY_HELP, set_unsteady                              \
    }
#define MEAN_COLUMNS                                                                               \
    {"p50", ETI_TIMES, true, "median of the times per run", set_p50}, {                            \
        "share_mean", ETI_SHARES, true, "share of the mean time", set_share_mean                   \
    }

static const eti_column_spec backend_columns[] = {
    {"method", ETI_TEXTS, false, "method of the runs", set_method_of_rows},
    {"backend", ETI_TEXTS, false, "delegate, or kind of events that ran without one",
     set_backend_name},
    {"calls", ETI_COUNTS, false, "instructions that call it", set_backend_calls},
    {"operators", ETI_COUNTS, false,
     "operators that it logged or, without an ETDump, that its payloads or, if these cannot be "
     "read, "
     "the ETRecord contain",
     set_operators},
    {"typical", ETI_TIMES, false, "typical time per run: the sum of the medians of its events",
     set_typical},
    SHARE_COLUMN("share of the typical time"),
    {"bytes", ETI_TYPE_UINT64, ETI_COLUMN_BYTES, false,
     "bytes of its payloads in the program, each counted once", set_bytes},
    {"total", ETI_TIMES, true, "time of all runs after the warm-up", set_total},
    MEAN_COLUMNS,
};

#define OVERHEAD_COLUMN                                                                            \
    {                                                                                              \
        "overhead", ETI_TIMES, false,                                                              \
            "typical time per run that may be saved as well: of the runtime around them, and of "  \
            "a delegate call if two calls become one",                                             \
            set_overhead                                                                           \
    }

static const eti_column_spec outside_columns[] = {
    {"method", ETI_TEXTS, false, "method of the runs", set_method_of_rows},
    {"op", ETI_TEXTS, false, "operator that ran outside of delegates", set_name},
    {"typical", ETI_TIMES, false, "typical time per run: the sum of the medians of its events",
     set_typical},
    SHARE_COLUMN("share of the typical time"),
    {"saves_at_most", ETI_SHARES, false,
     "upper bound of the share that delegating it saves, with its copies", set_bound},
    {"calls", ETI_COUNTS, false, "instructions that call the operator", set_calls},
    {"splits", ETI_COUNTS, false, "calls between two delegate calls", set_splits},
    {"copies", ETI_TIMES, false, "typical time per run of copies that would be saved with it",
     set_copies},
    OVERHEAD_COLUMN,
    {"total", ETI_TIMES, true, "time of all runs after the warm-up", set_total},
    {"copies_total", ETI_TIMES, true, "time of these copies in all runs after the warm-up",
     set_copies_total},
    MEAN_COLUMNS,
};

static const eti_column_spec split_columns[] = {
    {"ops", ETI_TYPE_LIST_UTF8, ETI_COLUMN_LIST, false,
     "operators between two delegate calls, in order", set_ops},
    {"typical", ETI_TIMES, false, "typical time per run, without copies", set_typical},
    SHARE_COLUMN("share of the typical time, without copies"),
    {"saves_at_most", ETI_SHARES, false,
     "upper bound of the share that delegating them saves, with their copies", set_bound},
    {"has_control_flow", ETI_MARKS, false,
     "true if jumps or moves are between the delegate calls too", set_has_control_flow},
    {"instruction", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, "instruction of the first operator",
     set_instruction},
    {"method", ETI_TEXTS, false, "method of the operators", set_method},
    {"copies", ETI_TIMES, false, "typical time per run of the copies between and next to them",
     set_copies},
    OVERHEAD_COLUMN,
    {"module", ETI_TEXTS, false, "module of the operator that takes the most time, except copies",
     set_module},
    {"source", ETI_TEXTS, false,
     "source line of the operator that takes the most time, except copies", set_source},
    {"before", ETI_TEXTS, true, "delegate of the preceding call", set_before},
    {"after", ETI_TEXTS, true, "delegate of the following call", set_after},
    {"total", ETI_TIMES, true, "time of all runs after the warm-up, without copies", set_total},
    {"copies_total", ETI_TIMES, true, "time of the copies in all runs after the warm-up",
     set_copies_total},
    MEAN_COLUMNS,
};

/* ---- sections -------------------------------------------------------------------------------- */

/* Begins a section; leaves out its first column unless there are several methods. */
static eti_status new_section(delegates *d, const char *name, const char *title,
                              const eti_column_spec *columns, size_t n, eti_error *err) {
    size_t first = columns[0].set == set_method_of_rows && d->methods.n == 1;
    return eti__columns_add_section(&d->table, d->report, name, title, columns + first, n - first,
                                    eti__view_unit(d->inspector, d->options), err);
}

static eti_status add_row(const delegates *d, const eti_column_spec *columns, size_t n,
                          delegates_row row, eti_error *err) {
    size_t first = columns[0].set == set_method_of_rows && d->methods.n == 1;
    row.in = d;
    return eti__columns_add_row(d->table, columns + first, n - first, &row, err);
}

/* Chooses the method whose rows are added. */
static void choose_part(delegates *d, size_t part) {
    d->data = &d->parts[part];
    d->method = d->methods.items[part].name;
}

/* Cuts a long table for people, and hides an empty one, which has a note. */
static void shorten(const delegates *d, size_t n_rows) {
    eti_section *section = &d->report->sections[d->report->n_sections - 1];
    section->is_told_above = n_rows == 0;
    if (n_rows > MOST_SHOWN && !d->options->lists_all)
        section->n_kept_back = n_rows - MOST_SHOWN;
}

static eti_status add_backends_of(const delegates *d, eti_error *err) {
    for (size_t i = 0; i < d->data->n_backends; i++) {
        const eti_backend_cost *backend = &d->data->backends[i];
        delegates_row row = {.name = backend->name, .cost = &backend->cost, .backend = backend};
        ETI_TRY(add_row(d, backend_columns, ETI_N_COLUMNS(backend_columns), row, err));
    }
    return ETI_OK;
}

static eti_status add_backends(delegates *d, eti_error *err) {
    ETI_TRY(new_section(d, "backends", "Backends", backend_columns, ETI_N_COLUMNS(backend_columns),
                        err));
    eti__table_distinguish(d->table, "backend", NULL);
    for (size_t part = 0; part < d->methods.n; part++) {
        choose_part(d, part);
        ETI_TRY(add_backends_of(d, err));
    }
    return ETI_OK;
}

/* Returns the most time that a row could save; NULL: the method has no such row. */
typedef const eti_time_sum *bound_function(const eti_delegation *data, size_t row);

static const eti_time_sum *outside_bound(const eti_delegation *data, size_t row) {
    return row < data->n_outside ? &data->outside[row].saving.bound : NULL;
}

static const eti_time_sum *split_bound(const eti_delegation *data, size_t row) {
    return row < data->n_splits ? &data->splits[row].saving.bound : NULL;
}

/* Merges the rows of all methods, each of which are in order: the row that could save most comes first. */
static eti_status add_merged(delegates *d, bound_function *bound_of,
                             eti_status (*add)(const delegates *, size_t, eti_error *),
                             eti_error *err) {
    size_t next[ETI_MOST_METHODS] = {0}, n_rows = 0;
    for (;; n_rows++) {
        const eti_time_sum *most = NULL;
        size_t of = 0;
        for (size_t part = 0; part < d->methods.n; part++) {
            const eti_time_sum *bound = bound_of(&d->parts[part], next[part]);
            if (!bound || (most && eti__time_sum_compare(bound, most) <= 0))
                continue;
            most = bound;
            of = part;
        }
        if (!most)
            break;
        choose_part(d, of);
        ETI_TRY(add(d, next[of]++, err));
    }
    shorten(d, n_rows);
    return ETI_OK;
}

static eti_status add_outside_op(const delegates *d, size_t number, eti_error *err) {
    const eti_outside_op *op = &d->data->outside[number];
    delegates_row row = {
        .name = op->name, .cost = &op->saving.cost, .saving = &op->saving, .op = op};
    return add_row(d, outside_columns, ETI_N_COLUMNS(outside_columns), row, err);
}

static eti_status add_outside(delegates *d, eti_error *err) {
    ETI_TRY(new_section(d, "outside", "Outside delegates", outside_columns,
                        ETI_N_COLUMNS(outside_columns), err));
    return add_merged(d, outside_bound, add_outside_op, err);
}

/* Rejects names that are repeated so often that their text would not fit in memory. */
static eti_status check_text(const delegates *d, eti_error *err) {
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < d->data->n_splits; i++) {
        delegates_row row = {.in = d, .split = &d->data->splits[i]};
        uint32_t module = place_of(&row)->module;
        for (size_t k = row.split->first - 1; k <= row.split->end; k++)
            n_bytes += step_name(&row, k).size;
        if (module != ETI_PREFIX_ROOT)
            n_bytes += eti__places_module_name(&d->data->steps.places, module).size;
    }
    return eti__view_check_text(d->inspector, n_bytes, err);
}

static eti_status add_split(const delegates *d, size_t number, eti_error *err) {
    const eti_split *split = &d->data->splits[number];
    delegates_row row = {.cost = &split->saving.cost, .saving = &split->saving, .split = split};
    return add_row(d, split_columns, ETI_N_COLUMNS(split_columns), row, err);
}

static eti_status add_splits(delegates *d, eti_error *err) {
    for (size_t part = 0; part < d->methods.n; part++) {
        choose_part(d, part);
        ETI_TRY(check_text(d, err));
    }
    ETI_TRY(new_section(d, "splits", "Between delegate calls", split_columns,
                        ETI_N_COLUMNS(split_columns), err));
    d->report->sections[d->report->n_sections - 1].hides_empty = true;
    return add_merged(d, split_bound, add_split, err);
}

/* ---- the view -------------------------------------------------------------------------------- */

/* Counts over all methods, for notes. */
typedef struct delegates_totals {
    bool has_backend, has_bytes;
    size_t n_outside, n_splits;
    bool has_control_flow;  /* between delegate calls */
    uint64_t n_named_bytes; /* of the program, as each method has them */
    eti_rollup counts;
} delegates_totals;

static delegates_totals add_up(const delegates *d) {
    delegates_totals totals = {.has_backend = false};
    for (size_t i = 0; i < d->methods.n; i++) {
        const eti_delegation *data = &d->parts[i];
        totals.has_backend |= data->n_backends > 0 && data->backends[0].is_backend;
        totals.has_bytes |= data->has_bytes;
        totals.n_outside += data->n_outside;
        totals.n_splits += data->n_splits;
        for (size_t k = 0; k < data->n_splits; k++)
            totals.has_control_flow |= data->splits[k].has_control_flow;
        if (data->n_named_bytes > 0)
            totals.n_named_bytes = data->n_named_bytes;
        eti__rollup_join_counts(&totals.counts, &data->steps.rollup);
    }
    return totals;
}

static eti_status note_backends(const delegates *d, const delegates_totals *totals,
                                eti_error *err) {
    if (!totals->has_backend)
        ETI_TRY(eti__report_note(d->report, err, "there are no delegate calls"));
    else if (totals->n_outside == 0)
        ETI_TRY(eti__report_note(d->report, err, "no operator runs outside of delegates"));
    else if (totals->n_splits == 0)
        ETI_TRY(eti__report_note(d->report, err, "no operator is between delegate calls"));
    if (!totals->has_bytes && totals->has_backend)
        ETI_TRY(eti__report_note(
            d->report, err, "bytes of payloads are known only with the program (.pte) that ran"));
    if (totals->n_named_bytes > 0) {
        eti_buffer text = {0};
        eti__add_bytes(&text, totals->n_named_bytes);
        eti__buffer_add_string(&text, " of named data, mostly weights of delegates, are not "
                                      "counted as payloads");
        ETI_TRY(eti__report_take_note(d->report, &text, err));
    }
    if (d->inspector->n_dumps == 0)
        return eti__report_note(d->report, err, "times are known only with an ETDump");
    ETI_TRY(eti__view_note_unsteady(d->report, &totals->counts, err));
    ETI_TRY(eti__view_note_runs(d->report, d->inspector, &totals->counts.runs, err));
    return eti__view_note_blocks(d->report, d->inspector, d->options, err);
}

static eti_status note_bounds(const delegates *d, const delegates_totals *totals, eti_error *err) {
    if (totals->n_outside == 0 || d->inspector->n_dumps == 0)
        return ETI_OK;
    return eti__report_note(d->report, err,
                            "saves_at_most is an upper bound, not a forecast: it assumes that "
                            "delegates take no time, and that copies disappear; overhead may be "
                            "saved as well");
}

static eti_status add_sections(delegates *d, eti_error *err) {
    const delegates_totals totals = add_up(d);
    ETI_TRY(add_backends(d, err));
    ETI_TRY(note_backends(d, &totals, err));
    ETI_TRY(add_outside(d, err));
    d->report->selected = d->report->n_sections - 1;
    ETI_TRY(note_bounds(d, &totals, err));
    ETI_TRY(add_splits(d, err));
    if (!totals.has_control_flow)
        return ETI_OK;
    return eti__report_note(
        d->report, err,
        "\342\200\240 jumps or moves are between these delegate calls too, so that "
        "the calls stay apart even if all operators are delegated");
}

static eti_status make(delegates *d, eti_error *err) {
    ETI_TRY(eti__summed_methods_find(&d->methods, d->inspector, d->options, err));
    d->parts = calloc(d->methods.n, sizeof *d->parts);
    if (!d->parts)
        return eti_fail_memory(err);
    for (size_t i = 0; i < d->methods.n; i++)
        ETI_TRY(eti__delegation_make(&d->parts[i], d->inspector, &d->methods.items[i].options, true,
                                     err));
    return add_sections(d, err);
}

eti_status eti__view_delegates(eti_report *report, const eti_inspector *inspector,
                               const eti_view_options *options, eti_error *err) {
    delegates d = {.inspector = inspector, .options = options, .report = report};
    eti_status status = make(&d, err);
    for (size_t i = 0; d.parts && i < d.methods.n; i++)
        eti__delegation_free(&d.parts[i]);
    free(d.parts);
    eti__summed_methods_free(&d.methods);
    return status;
}
