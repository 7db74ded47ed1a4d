#include "view/runs.h"

#include "table/table.h"
#include "view_events/view_events.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A trend is noted if the probability of one as steady by chance is less than this ... */
#define STEADY_P 0.01
/* ... and if it is at least this large, from the first run to the last. */
#define LARGE_TREND 0.02
/* Correlation with the run before from which a note says that runs are not independent. */
#define LARGE_CORRELATION 0.5
/* Number of blocks that have notes below the table. */
#define MOST_BLOCKS 4
/* Least number of runs that are drawn as a line. */
#define LEAST_DRAWN 4
/* Least number of runs about which notes say whether there is a warm-up, a trend or an outlier. */
#define LEAST_JUDGED 4
/* Most columns of a terminal that a block's name takes in a note. */
#define LONGEST_NAME 40

#define WARM_UP_FLAG "warm-up"

/* ---- one row per run ------------------------------------------------------------------------- */

typedef struct run_row {
    const eti_run_list *list;
    const eti_run_times *run;
    const eti_run_block *of;
    const eti_block_run *recorded;
} run_row;

static double time_of(const run_row *row, eti_role first, eti_role last) {
    return (double)eti__run_ticks(row->run, first, last) / row->list->factor;
}

static const char *flag_of(const eti_run_times *run) {
    if (run->is_warm_up)
        return WARM_UP_FLAG;
    return run->is_outlier ? "outlier" : NULL;
}

static uint64_t start_of(const run_row *row) {
    const eti_event_block *block = row->of->block;
    return block->start_time[row->of->execute * block->n_runs + row->run->number];
}

#define SETTER(name, value) ETI_CELL_SETTER(run_row, name, value)
#define PART_SETTER(name, first, last) SETTER(name, eti__double_cell(time_of(row, first, last)))

SETTER(block, eti__text_cell(row->of->block->label))
SETTER(number, eti__count_cell(row->run->number))
ETI_CELL_SETTER_IF(run_row, input, row->of->block->bundled_input_index != -1,
                   eti__int_cell(row->of->block->bundled_input_index))
SETTER(flag, eti__string_cell(flag_of(row->run)))
SETTER(elapsed, eti__double_cell(row->run->elapsed))
SETTER(deviation, eti__double_cell(row->run->deviation))
PART_SETTER(operators, ETI_ROLE_KERNEL, ETI_ROLE_KERNEL)
PART_SETTER(logged, ETI_ROLE_DELEGATED, ETI_ROLE_DELEGATED)
PART_SETTER(not_logged, ETI_ROLE_DELEGATE_CALL, ETI_ROLE_NOT_LOGGED)
PART_SETTER(framework, ETI_ROLE_OPERATOR_CALL, ETI_ROLE_EXECUTE)
PART_SETTER(loading, ETI_ROLE_LOAD, ETI_ROLE_LOAD)
ETI_CELL_SETTER_IF(run_row, z, row->run->z >= -1e300 && row->run->z <= 1e300,
                   eti__double_cell(row->run->z))
ETI_CELL_SETTER_IF(run_row, start, row->of->execute != ETI_NO_EVENT, eti__count_cell(start_of(row)))
SETTER(dump, eti__string_cell(row->recorded->dump->file_name))
SETTER(dump_run, eti__count_cell(row->recorded->index))

static const eti_column_spec run_columns[] = {
    {"block", ETI_TEXTS, false, "EventBlock", set_block},
    {"run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false,
     "number of the run in its block, counting from 0", set_number},
    {"bundled_input_index", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, true, "input of the bundled program",
     set_input},
    {"flag", ETI_TEXTS, false, "warm-up or outlier", set_flag},
    {"elapsed", ETI_TIMES, false, "time of Method::execute", set_elapsed},
    {"deviation", ETI_SHARES, false,
     "difference from the median of the block's runs after the warm-up", set_deviation},
    {"operators", ETI_TIMES, false, "kernels outside of delegates", set_operators},
    {"delegate", ETI_TIMES, false, "time logged by delegates", set_logged},
    {"delegate_not_logged", ETI_TIMES, false, "remaining time of delegate calls", set_not_logged},
    {"framework", ETI_TIMES, false, "time around and between operators", set_framework},
    {"loading", ETI_TIMES, true, "loading of methods and programs", set_loading},
    {"z", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true,
     "modified z-score: a run beyond 3.5 is an outlier", set_z},
    {"start_time", ETI_TYPE_UINT64, ETI_COLUMN_NUMBER, true, "time stamp of Method::execute",
     set_start},
    {"dump", ETI_TEXTS, true, "file of the run", set_dump},
    {"dump_run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "number of the run in its file",
     set_dump_run},
};

static bool make_run(const void *context, size_t number, eti_row *out) {
    const eti_run_list *list = context;
    const eti_run_times *run = &list->runs[number];
    const eti_run_block *of = &list->blocks[run->block];
    run_row row = {list, run, of, &of->block->runs[run->number]};
    return eti__columns_set(run_columns, ETI_N_COLUMNS(run_columns), &row, out);
}

static void free_run_list(void *context) {
    eti__run_list_free(context);
    free(context);
}

/* ---- notes ----------------------------------------------------------------------------------- */

static eti_status note_trend(eti_report *report, const eti_run_block *of, const char *name,
                             size_t n, eti_error *err) {
    double change = of->median > 0 ? of->trend.per_run * (double)(n - 1) / of->median : 0;
    if (of->trend.p >= STEADY_P || (change < LARGE_TREND && change > -LARGE_TREND))
        return ETI_OK;
    const char *warning = of->correlation > LARGE_CORRELATION
                              ? "; runs depend on the previous run, so this may be chance"
                              : "";
    char percent[ETI_PERCENT_MAX];
    size_t size = eti__write_change(percent, change);
    return eti__report_note(report, err,
                            "%s: runs get %s: %.*s from the first to the last after the warm-up "
                            "(Mann-Kendall, p %.1g%s)",
                            name, change > 0 ? "slower" : "quicker", (int)size, percent,
                            of->trend.p, warning);
}

static eti_status note_block_named(eti_report *report, const eti_run_list *list,
                                   const eti_run_block *of, const char *name, eti_error *err) {
    size_t n = of->block->n_runs, n_outliers = 0;
    char warm_up[24] = "";
    for (size_t i = 0; i < n; i++)
        n_outliers += list->runs[of->first + i].is_outlier;
    if (n < LEAST_JUDGED)
        return eti__report_note(report, err,
                                "%s: too few runs to detect warm-up, trend or outliers", name);
    if (of->n_warm_up > 1)
        snprintf(warm_up, sizeof warm_up, " %zu", of->n_warm_up);
    if (of->n_warm_up > 0)
        ETI_TRY(eti__report_note(report, err,
                                 "%s: warm-up: the first%s of %zu runs (%sskip_first %zu)", name,
                                 warm_up, n, eti__option_prefix(), of->n_warm_up));
    else
        ETI_TRY(eti__report_note(report, err, "%s: no warm-up in %zu runs", name, n));
    if (n_outliers > 0)
        ETI_TRY(eti__report_note(report, err,
                                 "%s: outliers: %zu, more than 3.5 scaled median absolute "
                                 "deviations from the median",
                                 name, n_outliers));
    return note_trend(report, of, name, n - of->n_warm_up, err);
}

static eti_status note_block(eti_report *report, const eti_run_list *list, size_t number,
                             eti_error *err) {
    const eti_run_block *of = &list->blocks[number];
    eti_buffer name = {0};
    eti__add_folded(&name, of->block->label, LONGEST_NAME, "...");
    eti__buffer_add_char(&name, '\0');
    eti_status status =
        name.failed ? eti_fail_memory(err) : note_block_named(report, list, of, name.data, err);
    eti__buffer_free(&name);
    return status;
}

/* Adds the times of a block's runs, in their order, as a line. */
static eti_status draw_block(eti_report *report, const eti_run_list *list, size_t number,
                             eti_error *err) {
    const eti_run_block *of = &list->blocks[number];
    size_t n = of->block->n_runs;
    if (n < LEAST_DRAWN)
        return ETI_OK;
    double *values = malloc(n * sizeof *values);
    if (!values)
        return eti_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        values[i] = list->runs[of->first + i].elapsed;
    eti_status status =
        eti__report_add_series(report, (eti_series){of->block->label, values, n}, err);
    free(values);
    return status;
}

static eti_status note_runs(eti_report *report, const eti_run_list *list, eti_error *err) {
    if (list->n_blocks == 0)
        return eti__report_note(report, err, "no run has a time");
    for (size_t i = 0; i < list->n_blocks && i < MOST_BLOCKS; i++) {
        ETI_TRY(draw_block(report, list, i, err));
        ETI_TRY(note_block(report, list, i, err));
    }
    if (list->n_blocks > MOST_BLOCKS)
        return eti__report_note(report, err, "and %zu more blocks: %sblock selects one",
                                list->n_blocks - MOST_BLOCKS, eti__option_prefix());
    return ETI_OK;
}

static eti_status show_runs(eti_report *report, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) {
    eti_run_list *list = calloc(1, sizeof *list);
    if (!list)
        return eti_fail_memory(err);
    eti_status status = eti__run_list_make(list, inspector, options, err);
    if (status != ETI_OK) {
        free_run_list(list);
        return status;
    }
    eti_table *table;
    const eti_row_source source = {make_run, free_run_list, list};
    ETI_TRY(eti__columns_make_rows(&table, run_columns, ETI_N_COLUMNS(run_columns), list->n_runs,
                                   source, eti__view_unit(inspector, options), err));
    eti__table_mark_spread(table, "deviation");
    ETI_TRY(eti__report_add(report, "runs", NULL, table, err));
    return note_runs(report, list, err);
}

/* ---- one row per run and event --------------------------------------------------------------- */

static uint64_t self_of(const eti_event_time *time) {
    return eti__account_self(time->account, time->number)[time->run];
}

/* Returns the share of an event; NaN: it is not part of the whole. */
static double share_of(const eti_event_time *time) {
    uint64_t whole = time->account->whole[time->run];
    bool has_share = time->account->events[time->number].is_counted && whole > 0;
    return has_share ? (double)self_of(time) / (double)whole : (double)NAN;
}

static const eti_block_run *recorded_run(const eti_event_time *time) {
    return &time->account->block->runs[time->run];
}

#define EVENT_SETTER(name, value) ETI_CELL_SETTER(eti_event_time, event_##name, value)

EVENT_SETTER(block, eti__text_cell(row->account->block->label))
EVENT_SETTER(run, eti__count_cell(row->run))
EVENT_SETTER(name, eti__text_cell(row->event->name))
EVENT_SETTER(elapsed, eti__double_cell(eti__account_elapsed(row->account, row->number, row->run)))
EVENT_SETTER(self, eti__double_cell(eti__account_time(row->account, self_of(row))))
EVENT_SETTER(share, eti__number_or_none(share_of(row)))
EVENT_SETTER(start, eti__count_cell(eti__account_start(row->account, row->number, row->run)))
EVENT_SETTER(calls, eti__count_cell(eti__account_calls(row->account, row->number, row->run)))
ETI_CELL_SETTER_IF(eti_event_time, event_instruction, eti__event_names_instruction(row->event),
                   eti__int_cell(row->event->instruction_id))
EVENT_SETTER(number, eti__count_cell(row->number))
EVENT_SETTER(backend, eti__text_or_none(row->event->known->backend_name))
EVENT_SETTER(delegated, eti__bool_cell(row->event->is_delegated_op))
EVENT_SETTER(flag, eti__string_cell(row->account->is_warm_up[row->run] ? WARM_UP_FLAG : NULL))
EVENT_SETTER(dump, eti__string_cell(recorded_run(row)->dump->file_name))
EVENT_SETTER(dump_run, eti__count_cell(recorded_run(row)->index))

static const eti_column_spec event_columns[] = {
    {"block", ETI_TEXTS, false, "EventBlock", set_event_block},
    {"run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false,
     "number of the run in its block, counting from 0", set_event_run},
    {"event_name", ETI_TEXTS, false, "name of the event", set_event_name},
    {"elapsed", ETI_TIMES, false, "time of its calls, including the events inside them",
     set_event_elapsed},
    {"self", ETI_TIMES, false, "self time, without the events inside it", set_event_self},
    {"share", ETI_SHARES, false, "self time as a share of the run", set_event_share},
    {"start_time", ETI_TYPE_UINT64, ETI_COLUMN_NUMBER, false, "time stamp of its first call",
     set_event_start},
    {"instruction_id", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, true, "instruction of the program",
     set_event_instruction},
    {"event", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "number of the event in its block",
     set_event_number},
    {"calls", ETI_COUNTS, true, "calls of the event in the run", set_event_calls},
    {"delegate_backend_name", ETI_TEXTS, true, "backend that ran it", set_event_backend},
    {"is_delegated_op", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, true, "true if a delegate logged the event",
     set_event_delegated},
    {"flag", ETI_TEXTS, true, "warm-up, if the run is one", set_event_flag},
    {"dump", ETI_TEXTS, true, "file of the run", set_event_dump},
    {"dump_run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "number of the run in its file",
     set_event_dump_run},
};

static bool make_event(const void *context, size_t number, eti_row *out) {
    eti_event_time row = eti__event_times_at(context, number);
    return eti__columns_set(event_columns, ETI_N_COLUMNS(event_columns), &row, out);
}

static void free_event_times(void *context) {
    eti__event_times_free(context);
    free(context);
}

static eti_status show_events(eti_report *report, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) {
    eti_event_times *times = calloc(1, sizeof *times);
    if (!times)
        return eti_fail_memory(err);
    eti_status status = eti__event_times_make(times, inspector, options, err);
    if (status == ETI_OK)
        status = eti__view_check_text(inspector, times->n_bytes, err);
    if (status != ETI_OK) {
        free_event_times(times);
        return status;
    }
    eti_table *table;
    const eti_row_source source = {make_event, free_event_times, times};
    ETI_TRY(eti__columns_make_rows(&table, event_columns, ETI_N_COLUMNS(event_columns), times->n,
                                   source, eti__view_unit(inspector, options), err));
    if (times->n >= ETI_PARALLEL_BYTES / (ETI_N_COLUMNS(event_columns) * sizeof(eti_cell)))
        table->n_threads = inspector->options.n_threads;
    ETI_TRY(eti__report_add(report, "runs", NULL, table, err));
    return eti__view_note_repeated(report, times, err);
}

eti_status eti__view_runs(eti_report *report, const eti_inspector *inspector,
                          const eti_view_options *options, eti_error *err) {
    return options->per_event ? show_events(report, inspector, options, err)
                              : show_runs(report, inspector, options, err);
}
