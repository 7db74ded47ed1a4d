#include "view/runs.h"

#include "table/table.h"
#include "view/tokens.h"
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
/* Number of blocks that have notes below the table, and of ETDumps of all blocks. */
#define MOST_BLOCKS 4
#define MOST_DUMPS 12
/* Least number of runs that are drawn as a line. */
#define LEAST_DRAWN 4
/* Least number of runs about which notes say whether there is a warm-up, a trend or an outlier. */
#define LEAST_JUDGED 4
/* Most columns of a terminal that the name of a file or block takes in a note. */
#define LONGEST_NAME 40

#define WARM_UP_FLAG "warm-up"

/* ---- one row per run ------------------------------------------------------------------------- */

/* Source of the rows. */
typedef struct run_rows {
    eti_run_list list;
    const eti_inspector *inspector;
    eti_view_options options; /* for tokens; its text is in the arena */
    eti_arena arena;
    eti_column_spec columns[ETI_MOST_COLUMN_SPECS];
} run_rows;

typedef struct run_row {
    const run_rows *rows;
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
SETTER(representative, eti__bool_cell(row->run->is_representative))
ETI_CELL_SETTER_IF(run_row, input, row->of->block->bundled_input_index != -1,
                   eti__int_cell(row->of->block->bundled_input_index))
SETTER(flag, eti__string_cell(flag_of(row->run)))
SETTER(elapsed, eti__double_cell(row->run->elapsed))
PART_SETTER(busy, ETI_ROLE_KERNEL, ETI_ROLE_LOAD)
SETTER(tokens_per_second,
       eti__number_or_none(eti__tokens_per_second(
           row->rows->inspector, &row->rows->options,
           eti__block_method(row->rows->inspector, row->of->block), row->run->elapsed)))
SETTER(deviation, eti__double_cell(row->run->deviation))
PART_SETTER(operators, ETI_ROLE_KERNEL, ETI_ROLE_KERNEL)
PART_SETTER(logged, ETI_ROLE_DELEGATED, ETI_ROLE_PROFILING)
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
    {"representative", ETI_MARKS, false,
     "true for the run whose events are nearest to their medians: the timeline begins with it",
     set_representative},
    {"bundled_input_index", ETI_TYPE_INT32, ETI_COLUMN_NUMBER, true, "input of the bundled program",
     set_input},
    {"flag", ETI_TEXTS, false, "warm-up or outlier", set_flag},
    {"elapsed", ETI_TIMES, false, "time of Method::execute", set_elapsed},
    {"busy", ETI_TIMES, false, "sum of the times of all lanes, which work at the same time",
     set_busy},
    {"tokens_per_second", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
     "tokens of the run divided by this time", set_tokens_per_second},
    {"deviation", ETI_SHARES, false,
     "difference from the median of the block's runs in the file after the warm-up", set_deviation},
    {"operators", ETI_TIMES, false, "kernels outside of delegates", set_operators},
    {"delegate", ETI_TIMES, false, "time logged by delegates", set_logged},
    {"delegate_not_logged", ETI_TIMES, false, "remaining time of delegate calls", set_not_logged},
    {"framework", ETI_TIMES, false, "time around and between operators", set_framework},
    {"loading", ETI_TIMES, true, "loading of methods and programs", set_loading},
    {"z", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true,
     "modified z-score among the runs of the file: a run beyond 3.5 is an outlier", set_z},
    {"start_time", ETI_TYPE_UINT64, ETI_COLUMN_NUMBER, true, "time stamp of Method::execute",
     set_start},
    {"dump", ETI_TEXTS, true, "file of the run", set_dump},
    {"dump_run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "number of the run in its file",
     set_dump_run},
};

static bool make_run(const void *context, size_t number, eti_row *out) {
    const run_rows *rows = context;
    const eti_run_list *list = &rows->list;
    const eti_run_times *run = &list->runs[number];
    const eti_run_block *of = &list->blocks[run->block];
    run_row row = {rows, list, run, of, &of->block->runs[run->number]};
    return eti__columns_set(rows->columns, ETI_N_COLUMNS(run_columns), &row, out);
}

static void free_run_rows(void *context) {
    run_rows *rows = context;
    eti__run_list_free(&rows->list);
    eti__arena_free(&rows->arena);
    free(rows);
}

static eti_status new_run_rows(run_rows **out, const eti_inspector *inspector,
                               const eti_view_options *options, eti_error *err) {
    run_rows *rows = calloc(1, sizeof *rows);
    *out = rows;
    if (!rows)
        return eti_fail_memory(err);
    rows->inspector = inspector;
    rows->options.tokens = options->tokens;
    for (size_t i = 0; i < ETI_N_COLUMNS(run_columns); i++) {
        rows->columns[i] = run_columns[i];
        if (run_columns[i].set == set_tokens_per_second && !options->tokens)
            rows->columns[i].name = NULL;
    }
    if (!eti__arena_copy_string(&rows->arena, &rows->options.tokens))
        return eti_fail_memory(err);
    ETI_TRY(eti__run_list_make(&rows->list, inspector, options, err));
    for (size_t i = 0; i < ETI_N_COLUMNS(run_columns); i++) {
        if (run_columns[i].set == set_busy && !rows->list.has_overlaps)
            rows->columns[i].name = NULL;
    }
    return ETI_OK;
}

/* ---- notes ----------------------------------------------------------------------------------- */

static eti_status note_trend(eti_report *report, const eti_dump_runs *of, const char *name,
                             eti_error *err) {
    size_t n = of->n - of->n_warm_up;
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

/* Adds the notes about the runs that a block has in an ETDump. With `advises`, the note about the warm-up names the option
 * that leaves it out. */
static eti_status note_dump_named(eti_report *report, const eti_dump_runs *of, const char *name,
                                  bool advises, eti_error *err) {
    char warm_up[24] = "", advice[48] = "";
    if (of->n < LEAST_JUDGED)
        return eti__report_note(report, err,
                                "%s: too few runs to detect warm-up, trend or outliers", name);
    if (of->n_warm_up > 1)
        snprintf(warm_up, sizeof warm_up, " %zu", of->n_warm_up);
    if (advises)
        snprintf(advice, sizeof advice, " (%sskip_first %zu)", eti__option_prefix(), of->n_warm_up);
    if (of->n_warm_up > 0)
        ETI_TRY(eti__report_note(report, err, "%s: warm-up: the first%s of %zu runs%s", name,
                                 warm_up, of->n, advice));
    else
        ETI_TRY(eti__report_note(report, err, "%s: no warm-up in %zu runs", name, of->n));
    if (of->n_outliers > 0)
        ETI_TRY(eti__report_note(report, err,
                                 "%s: outliers: %zu, more than 3.5 scaled median absolute "
                                 "deviations from the median",
                                 name, of->n_outliers));
    return note_trend(report, of, name, err);
}

/* Appends the name of the runs that a block has in an ETDump: "Execute", or "n3.etdp" if the block has runs in several, or
 * "n3.etdp, Execute" if there are also several blocks. */
static void add_dump_name(eti_buffer *out, const eti_run_list *list, const eti_run_block *block,
                          const eti_dump_runs *of) {
    bool names_dump = block->n_dumps > 1;
    if (names_dump)
        eti__add_folded(out, eti__text_of(of->dump->file_name), LONGEST_NAME, "...");
    if (names_dump && list->n_blocks > 1)
        eti__buffer_add_string(out, ", ");
    if (!names_dump || list->n_blocks > 1)
        eti__add_folded(out, block->block->label, LONGEST_NAME, "...");
}

/* Adds the times of the runs that a block has in an ETDump, in their order, as a line. */
static eti_status draw_dump(eti_report *report, const eti_run_list *list, const eti_dump_runs *of,
                            eti_text name, eti_error *err) {
    if (of->n < LEAST_DRAWN)
        return ETI_OK;
    double *values = malloc(of->n * sizeof *values);
    if (!values)
        return eti_fail_memory(err);
    for (size_t i = 0; i < of->n; i++)
        values[i] = list->runs[of->first + i].elapsed;
    eti_status status = eti__report_add_series(report, (eti_series){name, values, of->n}, err);
    free(values);
    return status;
}

static eti_status note_dump(eti_report *report, const eti_run_list *list,
                            const eti_run_block *block, const eti_dump_runs *of, bool advises,
                            eti_error *err) {
    eti_buffer name = {0};
    add_dump_name(&name, list, block, of);
    eti_text text = eti__buffer_text(&name);
    eti__buffer_add_char(&name, '\0');
    eti_status status = name.failed ? eti_fail_memory(err) : ETI_OK;
    text.data = name.data;
    if (status == ETI_OK)
        status = draw_dump(report, list, of, text, err);
    if (status == ETI_OK)
        status = note_dump_named(report, of, name.data, advises, err);
    eti__buffer_free(&name);
    return status;
}

/* Notes, for a block whose runs are in several ETDumps, that these do not have the same number of warm-up runs. */
static eti_status note_own_warm_up(eti_report *report, const eti_run_list *list,
                                   const eti_run_block *block, eti_error *err) {
    eti_buffer text = {0};
    if (list->n_blocks > 1) {
        eti__add_folded(&text, block->block->label, LONGEST_NAME, "...");
        eti__buffer_add_string(&text, ": ");
    }
    eti__buffer_printf(&text, "each of %zu files has its own warm-up", block->n_dumps);
    return eti__report_take_note(report, &text, err);
}

/* Adds the notes about a block, and takes the ETDumps that they name off `*left`. */
static eti_status note_block(eti_report *report, const eti_run_list *list, size_t number,
                             size_t *left, eti_error *err) {
    const eti_run_block *block = &list->blocks[number];
    const eti_dump_runs *dumps = list->dumps + block->first_dump;
    size_t n_shown = block->n_dumps < *left ? block->n_dumps : *left;
    bool has_same = true;
    for (size_t i = 1; i < block->n_dumps; i++)
        has_same &= dumps[i].n_warm_up == dumps[0].n_warm_up;
    for (size_t i = 0; i < n_shown; i++)
        ETI_TRY(note_dump(report, list, block, &dumps[i], has_same, err));
    *left -= n_shown;
    return has_same ? ETI_OK : note_own_warm_up(report, list, block, err);
}

/* Returns whether all blocks have runs in several ETDumps, none of which has enough to judge them. */
static bool has_single_runs(const eti_run_list *list) {
    for (size_t i = 0; i < list->n_blocks; i++) {
        if (list->blocks[i].n_dumps < 2)
            return false;
    }
    for (size_t i = 0; i < list->n_dumps; i++) {
        if (list->dumps[i].n >= LEAST_JUDGED)
            return false;
    }
    return true;
}

static eti_status note_runs(eti_report *report, const eti_run_list *list, eti_error *err) {
    size_t left = MOST_DUMPS, n_blocks = 0, n_named = 0;
    if (list->n_blocks == 0)
        return eti__report_note(report, err, "no run has a time");
    if (has_single_runs(list))
        return eti__report_note(report, err,
                                "too few runs in each file to detect warm-up, trend or outliers");
    for (; n_blocks < list->n_blocks && n_blocks < MOST_BLOCKS && left > 0; n_blocks++) {
        ETI_TRY(note_block(report, list, n_blocks, &left, err));
        n_named += list->blocks[n_blocks].n_dumps;
    }
    size_t n_left = n_named - (MOST_DUMPS - left);
    if (n_left > 0)
        ETI_TRY(
            eti__report_note(report, err, "and %zu more files: give one to see its notes", n_left));
    if (list->has_overlaps)
        ETI_TRY(eti__report_note(report, err,
                                 "lanes work at the same time: busy is the sum of their times"));
    if (list->n_runs > 1)
        ETI_TRY(
            eti__report_note(report, err, "*: the run whose events are nearest to their medians"));
    if (list->n_blocks > n_blocks)
        return eti__report_note(report, err, "and %zu more blocks: %sblock selects one",
                                list->n_blocks - n_blocks, eti__option_prefix());
    return ETI_OK;
}

static eti_status show_runs(eti_report *report, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) {
    run_rows *rows;
    eti_status status = new_run_rows(&rows, inspector, options, err);
    if (status != ETI_OK) {
        if (rows)
            free_run_rows(rows);
        return status;
    }
    eti_table *table;
    const eti_row_source source = {make_run, free_run_rows, rows};
    ETI_TRY(eti__columns_make_rows(&table, rows->columns, ETI_N_COLUMNS(run_columns),
                                   rows->list.n_runs, source, eti__view_unit(inspector, options),
                                   err));
    eti__table_mark_spread(table, "deviation");
    ETI_TRY(eti__report_add(report, "runs", NULL, table, err));
    return note_runs(report, &rows->list, err);
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
EVENT_SETTER(name, eti__text_cell(eti__event_label(row->event)))
ETI_CELL_SETTER_IF(eti_event_time, event_elapsed, eti__account_has_times(row->account, row->number),
                   eti__double_cell(eti__account_elapsed(row->account, row->number, row->run)))
ETI_CELL_SETTER_IF(eti_event_time, event_self, eti__account_has_times(row->account, row->number),
                   eti__double_cell(eti__account_time(row->account, self_of(row))))
EVENT_SETTER(share, eti__number_or_none(share_of(row)))
EVENT_SETTER(start, eti__count_cell(eti__account_start(row->account, row->number, row->run)))
EVENT_SETTER(calls, eti__count_cell(eti__account_calls(row->account, row->number, row->run)))
ETI_CELL_SETTER_IF(eti_event_time, event_instruction, eti__event_names_instruction(row->event),
                   eti__int_cell(row->event->instruction_id))
EVENT_SETTER(number, eti__count_cell(row->number))
EVENT_SETTER(backend, eti__text_or_none(row->event->known->backend_name))
EVENT_SETTER(delegated, eti__bool_cell(row->event->is_delegated_op))
EVENT_SETTER(unit, eti__text_or_none(eti__event_unit(row->account->options, row->event)))
EVENT_SETTER(value,
             eti__double_cell((double)eti__account_value(row->account, row->number, row->run)))
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
    {"unit", ETI_TEXTS, true, "unit of `value`", set_event_unit},
    {"value", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true,
     "sum of the numbers that its calls recorded, end - start", set_event_value},
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
    ETI_TRY(eti__tokens_check(inspector, options, err));
    return options->per_event ? show_events(report, inspector, options, err)
                              : show_runs(report, inspector, options, err);
}
