#include "view/summary.h"

#include "account/grouping.h"
#include "stats/summary.h"
#include "table/columns.h"
#include "view/events.h"
#include "view/notes.h"
#include "view/summary_data.h"
#include "view/summary_facts.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define TOP 10
/* A longer list of operators is not spelled. */
#define LONGEST_NAME 512

/* A report that is being made. */
typedef struct summary {
    eti_report *report;
    const eti_inspector *inspector;
    const eti_view_options *options;
    const eti_summary_data *data;
    eti_error *err;
} summary;

static eti_status new_table(const summary *s, eti_table **out, const eti_column_spec *columns,
                            size_t n) {
    return eti_columns_make(out, columns, n, eti_view_unit(s->inspector, s->options), s->err);
}

static eti_status fail_table(const summary *s, eti_table *table) {
    eti_table_free(table);
    return eti_fail_memory(s->err);
}

static double time_of(const summary *s, eti_ticks ticks) {
    return (double)ticks / s->data->list.factor;
}

static double share_of(const summary *s, eti_ticks ticks) {
    return eti_rollup_share(&s->data->rollup, ticks);
}

/* ---- the account of time --------------------------------------------------------------------- */

enum { PART_NAME, PART_EVENTS, PART_CALLS, PART_P50, PART_AVG, PART_SHARE, N_PART_COLUMNS };

static const char *const part_names[ETI_N_TIME_PARTS] = {
    [ETI_TIME_OPERATORS] = "operators outside delegates",
    [ETI_TIME_LOGGED] = "delegate calls: logged",
    [ETI_TIME_NOT_LOGGED] = "delegate calls: not logged",
    [ETI_TIME_AROUND] = "framework: around operators",
    [ETI_TIME_OTHER] = "framework: other instructions",
    [ETI_TIME_EXECUTE] = "framework: between instructions",
    [ETI_TIME_LOADING] = "loading",
};

/* Of the sums of these parts, run by run. False when memory is out. */
static bool set_statistics(const summary *s, eti_time_part first, eti_time_part last,
                           eti_cell *cells) {
    const eti_run_list *list = &s->data->list;
    size_t n = list->n_runs;
    double *values = malloc((2 * n + 1) * sizeof *values);
    eti_ticks sum = 0;
    if (!values)
        return false;
    for (size_t i = 0; i < n; i++) {
        uint64_t ticks = eti_run_ticks(&list->runs[i], first, last);
        sum += ticks;
        values[i] = time_of(s, ticks);
    }
    if (n > 0) {
        eti_summary times = eti_summarize(values, n, values + n);
        cells[PART_P50] = eti_double_cell(times.p50);
        cells[PART_AVG] = eti_double_cell(times.avg);
        cells[PART_SHARE] = eti_double_cell(share_of(s, sum));
    }
    free(values);
    return true;
}

static bool add_part(const summary *s, eti_table *table, const char *name, eti_time_part first,
                     eti_time_part last) {
    uint64_t n_events = 0, n_calls = 0;
    for (int part = (int)first; part <= (int)last; part++) {
        n_events += s->data->list.n_events[part];
        n_calls += s->data->list.n_calls[part];
    }
    eti_cell *cells = n_events > 0 ? eti_table_add_row(table) : NULL;
    if (n_events == 0)
        return true;
    if (!cells)
        return false;
    cells[PART_NAME] = eti_text_cell(eti_text_of(name));
    cells[PART_EVENTS] = eti_count_cell(n_events);
    cells[PART_CALLS] = eti_count_cell(n_calls);
    return set_statistics(s, first, last, cells);
}

static eti_status note_account(const summary *s) {
    const eti_run_list *list = &s->data->list;
    if (list->n_runs == 0)
        return eti_report_note(s->report, s->err, "no run has a time");
    if (list->n_outside > 0)
        ETI_TRY(
            eti_report_note(s->report, s->err,
                            "events that lie outside of Method::execute by their stamps: %" PRIu64,
                            list->n_outside));
    if (list->n_full_calls > 0)
        ETI_TRY(eti_report_note(
            s->report, s->err,
            "delegate calls whose events sum up to more than the call, and share it: "
            "%" PRIu64,
            list->n_full_calls));
    if (list->n_uncounted > 0)
        ETI_TRY(
            eti_report_note(s->report, s->err,
                            "delegated events that count cycles, and have no time here: %" PRIu64,
                            list->n_uncounted));
    if (list->n_overlaps > 0)
        ETI_TRY(
            eti_report_note(s->report, s->err,
                            "events that overlap others in part, where time counts as that of the "
                            "later one: %" PRIu64,
                            list->n_overlaps));
    if (list->n_repeated > 0)
        ETI_TRY(eti_report_note(
            s->report, s->err,
            "calls of loops that are counted here, though the Inspector shows only the "
            "last: %" PRIu64,
            list->n_repeated));
    return eti_view_note_synthetic(s->report, &s->data->synthetic, s->err);
}

static eti_status add_account(const summary *s) {
    static const eti_column_spec columns[N_PART_COLUMNS] = {
        [PART_NAME] = {"part", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "what time was spent on"},
        [PART_EVENTS] = {"events", ETI_TYPE_INT64, ETI_COLUMN_COUNT, false,
                         "of one run of each block"},
        [PART_CALLS] = {"calls", ETI_TYPE_INT64, ETI_COLUMN_COUNT, true,
                        "profile events of all runs"},
        [PART_P50] = {"p50", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false,
                      "median of the sums of runs"},
        [PART_AVG] = {"avg", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false,
                      "mean of the sums of runs: these add up"},
        [PART_SHARE] = {"share", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, false,
                        "of the time of all runs"},
    };
    eti_table *table;
    bool done = true, is_execute = s->data->list.has_execute && s->data->list.n_outside == 0;
    ETI_TRY(new_table(s, &table, columns, N_PART_COLUMNS));
    for (int part = 0; part < ETI_N_TIME_PARTS; part++)
        done =
            done && add_part(s, table, part_names[part], (eti_time_part)part, (eti_time_part)part);
    done = done && add_part(s, table, is_execute ? "Method::execute" : "all events",
                            ETI_TIME_OPERATORS, ETI_TIME_LOADING);
    if (!done)
        return fail_table(s, table);
    ETI_TRY(eti_report_add(s->report, "account", "Where the time goes", table, s->err));
    return note_account(s);
}

/* ---- backends -------------------------------------------------------------------------------- */

enum {
    BACKEND_NAME,
    BACKEND_OPERATORS,
    BACKEND_AVG,
    BACKEND_SHARE,
    BACKEND_PART,
    N_BACKEND_COLUMNS
};

static eti_text backend_name(eti_text name) {
    if (name.size == 0)
        return eti_text_of(ETI_GROUP_NOT_DELEGATED);
    return eti_text_is(name, " ") ? eti_text_of(ETI_GROUP_UNKNOWN_DELEGATE) : name;
}

static bool add_backend(const summary *s, eti_table *table, eti_text name, uint64_t n,
                        uint64_t n_all, eti_ticks ticks) {
    eti_cell *cells = eti_table_add_row(table);
    if (!cells || !eti_table_own_text(table, name, &name))
        return false;
    cells[BACKEND_NAME] = eti_text_cell(name);
    if (n_all > 0) {
        cells[BACKEND_OPERATORS] = eti_count_cell(n);
        cells[BACKEND_PART] = eti_double_cell((double)n / (double)n_all);
    }
    cells[BACKEND_AVG] = eti_double_cell(time_of(s, ticks) / (double)s->data->list.n_runs);
    cells[BACKEND_SHARE] = eti_double_cell(share_of(s, ticks));
    return true;
}

/* A backend each, what was not delegated, and what no operator ran in. */
static eti_status add_backends(const summary *s) {
    static const eti_column_spec columns[N_BACKEND_COLUMNS] = {
        [BACKEND_NAME] = {"backend", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "where operators ran"},
        [BACKEND_OPERATORS] = {"operators", ETI_TYPE_INT64, ETI_COLUMN_COUNT, false,
                               "events of operators, or calls that logged none"},
        [BACKEND_AVG] = {"avg", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false,
                         "per run, delegate calls as a whole"},
        [BACKEND_SHARE] = {"share", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, false,
                           "of the time of all runs"},
        [BACKEND_PART] = {"share_of_operators", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, false,
                          "of these"},
    };
    const eti_summary_data *data = s->data;
    eti_ticks rest = data->rollup.whole;
    uint64_t n_all = 0;
    eti_table *table;
    ETI_TRY(new_table(s, &table, columns, N_BACKEND_COLUMNS));
    for (size_t i = 0; i < data->backends.texts.count; i++)
        n_all += data->backend[i].n_operators;
    for (size_t i = 0; i < data->backends.texts.count; i++) {
        const eti_summary_backend *backend = &data->backend[i];
        rest -= backend->ticks;
        if (!add_backend(s, table, backend_name(data->backends.texts.texts[i]),
                         backend->n_operators, n_all, backend->ticks))
            return fail_table(s, table);
    }
    if (data->list.n_runs > 0 &&
        !add_backend(s, table, eti_text_of(ETI_GROUP_FRAMEWORK), 0, 0, rest))
        return fail_table(s, table);
    return eti_report_add(s->report, "backends", "Delegated or not", table, s->err);
}

/* ---- operators ------------------------------------------------------------------------------- */

enum {
    OP_NAME,
    OP_KERNEL,
    OP_EVENTS,
    OP_CALLS,
    OP_TOTAL,
    OP_SHARE,
    OP_P50,
    OP_CUMULATIVE,
    N_OP_COLUMNS
};

/* Cells may be fewer: the column of kernels is left out unless it was asked for. */
static bool set_op_names(const summary *s, eti_table *table, const eti_summary_op *op,
                         eti_cell *cells) {
    const eti_summary_data *data = s->data;
    eti_text name = data->names.texts.texts[op->name];
    if (s->options->split_variants)
        cells[OP_KERNEL] = eti_text_cell(name);
    if (op->ops == ETI_PREFIX_ROOT) {
        cells[OP_NAME] = eti_text_cell(name.size > 0 ? name : eti_text_of(ETI_GROUP_NO_NAME));
    } else if (eti_places_ops_size(&data->places, op->ops) > LONGEST_NAME) {
        cells[OP_NAME] = eti_text_cell(eti_text_of(ETI_GROUP_MANY_OPS));
    } else {
        eti_buffer spelled = {0};
        eti_places_add_ops(&data->places, op->ops, &spelled);
        cells[OP_NAME].kind = ETI_CELL_TEXT;
        bool done = !spelled.failed &&
                    eti_table_own_text(table, eti_buffer_text(&spelled), &cells[OP_NAME].as_text);
        eti_buffer_free(&spelled);
        return done;
    }
    return true;
}

static bool add_op(const summary *s, eti_table *table, uint32_t group, eti_ticks so_far,
                   double *scratch) {
    const eti_rollup *rollup = &s->data->rollup;
    const eti_group *of = &rollup->groups[group];
    eti_cell *row = eti_table_add_row(table);
    if (!row || !set_op_names(s, table, &s->data->ops[group], row))
        return false;
    eti_cell *cells = s->options->split_variants ? row : row - 1;
    cells[OP_EVENTS] = eti_count_cell(of->n_events);
    cells[OP_CALLS] = eti_count_cell(of->n_calls);
    cells[OP_TOTAL] = eti_double_cell(time_of(s, of->total));
    cells[OP_SHARE] = eti_double_cell(share_of(s, of->total));
    cells[OP_CUMULATIVE] = eti_double_cell(share_of(s, so_far));
    eti_summary times;
    if (eti_rollup_summarize(rollup, group, scratch, &times))
        cells[OP_P50] = eti_double_cell(times.p50);
    return true;
}

static bool add_ops(const summary *s, eti_table *table, size_t *n_left) {
    const eti_rollup *rollup = &s->data->rollup;
    uint32_t *order = malloc((rollup->n_groups + 1) * sizeof *order);
    double *scratch = malloc((2 * rollup->most_runs + 1) * sizeof *scratch);
    bool done = order && scratch;
    size_t n = done ? eti_rollup_sort(rollup, order) : 0;
    size_t top = s->options->top ? s->options->top : TOP;
    size_t n_shown = 0;
    eti_ticks so_far = 0;
    for (; done && n_shown < n && n_shown < top; n_shown++) {
        eti_ticks total = rollup->groups[order[n_shown]].total;
        if (total == 0 && n_shown > 0 && !s->options->top)
            break; /* what took no time is no news */
        so_far += total;
        done = add_op(s, table, order[n_shown], so_far, scratch);
    }
    *n_left = n - n_shown;
    free(order);
    free(scratch);
    return done;
}

static eti_status add_operators(const summary *s) {
    eti_column_spec columns[N_OP_COLUMNS] = {
        [OP_NAME] = {"op", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false,
                     "operator, or the name of its events"},
        [OP_KERNEL] = {"kernel", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "name of its events"},
        [OP_EVENTS] = {"count", ETI_TYPE_INT64, ETI_COLUMN_COUNT, false,
                       "events of one run of each block"},
        [OP_CALLS] = {"calls", ETI_TYPE_INT64, ETI_COLUMN_COUNT, true,
                      "profile events of all runs"},
        [OP_TOTAL] = {"total", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "of all runs"},
        [OP_SHARE] = {"share", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, false,
                      "of the time of all runs"},
        [OP_P50] = {"p50", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "median of the sums of runs"},
        [OP_CUMULATIVE] = {"cumulative", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, false,
                           "share of this row and those above"},
    };
    eti_table *table;
    size_t n_left = 0;
    if (!s->options->split_variants)
        columns[OP_KERNEL].name = NULL;
    ETI_TRY(new_table(s, &table, columns, N_OP_COLUMNS));
    if (!add_ops(s, table, &n_left))
        return fail_table(s, table);
    ETI_TRY(eti_report_add(s->report, "operators", "Operators", table, s->err));
    s->report->selected = s->report->n_sections - 1;
    if (n_left == 0)
        return ETI_OK;
    return eti_report_note(s->report, s->err, "and %zu more: --top shows more", n_left);
}

/* ---- what varies ----------------------------------------------------------------------------- */

static eti_status add_noisy(const summary *s) {
    enum { EVENT, BLOCK, RUNS, P50, VARIATION, SHARE, N };
    static const eti_column_spec columns[N] = {
        [EVENT] = {"event_name", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "name of the event"},
        [BLOCK] = {"block", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "EventBlock"},
        [RUNS] = {"runs", ETI_TYPE_INT64, ETI_COLUMN_COUNT, false, "after the warm-up"},
        [P50] = {"p50", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "median"},
        [VARIATION] = {"cv", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, false,
                       "standard deviation / mean"},
        [SHARE] = {"share", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, false, "of the time of its block"},
    };
    eti_table *table;
    if (s->data->n_noisy == 0)
        return ETI_OK;
    ETI_TRY(new_table(s, &table, columns, N));
    for (size_t i = 0; i < s->data->n_noisy; i++) {
        const eti_noisy_event *noisy = &s->data->noisy[i];
        eti_cell *cells = eti_table_add_row(table);
        if (!cells)
            return fail_table(s, table);
        cells[EVENT] = eti_text_cell(noisy->event->name);
        cells[BLOCK] = eti_text_cell(noisy->event->block->name);
        cells[RUNS] = eti_count_cell(noisy->n_runs);
        cells[P50] = eti_double_cell(noisy->median);
        cells[VARIATION] = eti_double_cell(noisy->variation);
        cells[SHARE] = eti_double_cell(noisy->share);
    }
    return eti_report_add(s->report, "noisiest", "What varies most from run to run", table, s->err);
}

/* ---- all ----------------------------------------------------------------------------------- */

static eti_status add_sections(const summary *s) {
    ETI_TRY(eti_summary_add_facts(s->report, s->data, s->err));
    ETI_TRY(add_account(s));
    ETI_TRY(add_backends(s));
    ETI_TRY(add_operators(s));
    ETI_TRY(add_noisy(s));
    return eti_summary_add_outliers(s->report, s->data, s->err);
}

eti_status eti_view_summarized(eti_report *report, const eti_inspector *inspector,
                               const eti_view_options *options, eti_error *err) {
    eti_summary_data data;
    const summary s = {report, inspector, options, &data, err};
    eti_status status = eti_summary_data_make(&data, inspector, options, err);
    if (status == ETI_OK)
        status = add_sections(&s);
    eti_summary_data_free(&data);
    return status;
}
