#include "view/runs.h"

#include "account/blocks.h"
#include "account/run_list.h"
#include "base/parallel.h"
#include "table/columns.h"
#include "view/events.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* A trend is spoken of when chance makes one as steady less often than this. */
#define STEADY_P 0.01
/* ... and when it is at least so large, from the first run to the last. */
#define LARGE_TREND 0.02
/* Runs that depend on the run before as much as this say less than their number. */
#define LARGE_CORRELATION 0.5
/* So many blocks are spoken of below the table. */
#define MOST_BLOCKS 4

/* ---- one row per run ------------------------------------------------------------------------- */

enum {
    RUN_BLOCK,
    RUN_NUMBER,
    RUN_INPUT,
    RUN_FLAG,
    RUN_ELAPSED,
    RUN_DEVIATION,
    RUN_OPERATORS,
    RUN_LOGGED,
    RUN_NOT_LOGGED,
    RUN_FRAMEWORK,
    RUN_LOADING,
    RUN_Z,
    RUN_START,
    RUN_DUMP,
    RUN_DUMP_RUN,
    N_RUN_COLUMNS
};

static const eti_column_spec run_columns[N_RUN_COLUMNS] = {
    [RUN_BLOCK] = {"block", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "EventBlock"},
    [RUN_NUMBER] = {"run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false,
                    "number of the run in its block, from 0 on"},
    [RUN_INPUT] = {"bundled_input_index", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
                   "of the bundled program"},
    [RUN_FLAG] = {"flag", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "warm-up or outlier"},
    [RUN_ELAPSED] = {"elapsed", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "of Method::execute"},
    [RUN_DEVIATION] = {"deviation", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, false,
                       "from the median of the block's runs after the warm-up"},
    [RUN_OPERATORS] = {"operators", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false,
                       "kernels outside of delegates"},
    [RUN_LOGGED] = {"delegate", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false, "logged by delegates"},
    [RUN_NOT_LOGGED] = {"delegate_not_logged", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false,
                        "the rest of delegate calls"},
    [RUN_FRAMEWORK] = {"framework", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false,
                       "around and between operators"},
    [RUN_LOADING] = {"loading", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, true, "methods and programs"},
    [RUN_Z] = {"z", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
               "modified z-score: an outlier is beyond 3.5"},
    [RUN_START] = {"start_time", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
                   "stamp of Method::execute"},
    [RUN_DUMP] = {"dump", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "file"},
    [RUN_DUMP_RUN] = {"dump_run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
                      "number of the run in its file"},
};

typedef struct run_rows {
    const eti_inspector *inspector;
    eti_run_list list;
} run_rows;

static void free_run_rows(void *context) {
    run_rows *rows = context;
    eti_run_list_free(&rows->list);
    free(rows);
}

static eti_cell time_of_parts(const run_rows *rows, const eti_run_times *run, eti_time_part first,
                              eti_time_part last) {
    return eti_double_cell((double)eti_run_ticks(run, first, last) / rows->list.factor);
}

static bool make_run(const void *context, size_t row, eti_row *out) {
    const run_rows *rows = context;
    const eti_run_times *run = &rows->list.runs[row];
    const eti_run_block *of = &rows->list.blocks[run->block];
    const eti_block_run *place = &of->block->runs[run->number];
    eti_cell *cells = out->cells;
    cells[RUN_BLOCK] = eti_text_cell(of->block->name);
    cells[RUN_NUMBER] = eti_count_cell(run->number);
    if (of->block->bundled_input_index != -1)
        cells[RUN_INPUT] =
            (eti_cell){.kind = ETI_CELL_INT, .as_int = of->block->bundled_input_index};
    if (run->is_warm_up || run->is_outlier)
        cells[RUN_FLAG] = eti_text_cell(eti_text_of(run->is_warm_up ? "warm-up" : "outlier"));
    cells[RUN_ELAPSED] = eti_double_cell(run->elapsed);
    cells[RUN_DEVIATION] = eti_double_cell(run->deviation);
    cells[RUN_OPERATORS] = time_of_parts(rows, run, ETI_TIME_OPERATORS, ETI_TIME_OPERATORS);
    cells[RUN_LOGGED] = time_of_parts(rows, run, ETI_TIME_LOGGED, ETI_TIME_LOGGED);
    cells[RUN_NOT_LOGGED] = time_of_parts(rows, run, ETI_TIME_NOT_LOGGED, ETI_TIME_NOT_LOGGED);
    cells[RUN_FRAMEWORK] = time_of_parts(rows, run, ETI_TIME_AROUND, ETI_TIME_EXECUTE);
    cells[RUN_LOADING] = time_of_parts(rows, run, ETI_TIME_LOADING, ETI_TIME_LOADING);
    if (run->z >= -1e300 && run->z <= 1e300)
        cells[RUN_Z] = eti_double_cell(run->z);
    if (of->execute != ETI_NO_EVENT)
        cells[RUN_START] =
            eti_count_cell(of->block->start_time[of->execute * of->block->n_runs + run->number]);
    cells[RUN_DUMP] = eti_text_cell(eti_text_of(place->dump->file_name));
    cells[RUN_DUMP_RUN] = eti_count_cell(place->index);
    return true;
}

/* ---- what is said below ---------------------------------------------------------------------- */

static eti_status note_trend(eti_report *report, const eti_run_block *of, const char *name,
                             size_t n, eti_error *err) {
    double change = of->median > 0 ? of->trend.per_run * (double)(n - 1) / of->median : 0;
    if (of->trend.p >= STEADY_P || (change < LARGE_TREND && change > -LARGE_TREND))
        return ETI_OK;
    const char *warning = of->correlation > LARGE_CORRELATION
                              ? "; runs depend on the one before, so that may be chance"
                              : "";
    return eti_report_note(report, err,
                           "%s: runs get %s: %+.1f %% from the first to the last after the "
                           "warm-up (Mann-Kendall, p %.1g%s)",
                           name, change > 0 ? "slower" : "quicker", 100 * change, of->trend.p,
                           warning);
}

static eti_status note_block(eti_report *report, const eti_run_list *list, size_t number,
                             eti_error *err) {
    const eti_run_block *of = &list->blocks[number];
    size_t n = of->block->n_runs, n_outliers = 0;
    char name[64];
    snprintf(name, sizeof name, "%.*s",
             (int)(of->block->name.size < 40 ? of->block->name.size : 40), of->block->name.data);
    for (size_t i = 0; i < n; i++)
        n_outliers += list->runs[of->first + i].is_outlier;
    if (n < 4)
        return eti_report_note(report, err, "%s: too few runs to tell warm-up, trend or outliers",
                               name);
    if (of->n_warm_up > 0)
        ETI_TRY(eti_report_note(report, err,
                                "%s: warm-up: the first %zu of %zu runs (--skip_first %zu)", name,
                                of->n_warm_up, n, of->n_warm_up));
    else
        ETI_TRY(eti_report_note(report, err, "%s: no warm-up in %zu runs", name, n));
    if (n_outliers > 0)
        ETI_TRY(eti_report_note(report, err,
                                "%s: outliers: %zu, more than 3.5 scaled median absolute "
                                "deviations from the median",
                                name, n_outliers));
    return note_trend(report, of, name, n - of->n_warm_up, err);
}

static eti_status note_runs(eti_report *report, const eti_run_list *list, eti_error *err) {
    if (list->n_blocks == 0)
        return eti_report_note(report, err, "no run has a time");
    for (size_t i = 0; i < list->n_blocks && i < MOST_BLOCKS; i++)
        ETI_TRY(note_block(report, list, i, err));
    if (list->n_blocks > MOST_BLOCKS)
        return eti_report_note(report, err, "and %zu more blocks: --block shows one",
                               list->n_blocks - MOST_BLOCKS);
    return ETI_OK;
}

static eti_status show_runs(eti_report *report, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) {
    run_rows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return eti_fail_memory(err);
    rows->inspector = inspector;
    eti_status status = eti_run_list_make(&rows->list, inspector, options, err);
    if (status != ETI_OK) {
        free_run_rows(rows);
        return status;
    }
    eti_table *table;
    const eti_row_source source = {make_run, free_run_rows, rows};
    ETI_TRY(eti_columns_make_rows(&table, run_columns, N_RUN_COLUMNS, rows->list.n_runs, source,
                                  eti_view_unit(inspector, options), err));
    ETI_TRY(eti_report_add(report, "runs", NULL, table, err));
    return note_runs(report, &rows->list, err);
}

/* ---- one row per run and event --------------------------------------------------------------- */

enum {
    CELL_BLOCK,
    CELL_RUN,
    CELL_EVENT,
    CELL_ELAPSED,
    CELL_SELF,
    CELL_SHARE,
    CELL_START,
    CELL_INSTRUCTION,
    CELL_NUMBER,
    CELL_BACKEND,
    CELL_DELEGATED,
    CELL_DUMP,
    CELL_DUMP_RUN,
    N_CELL_COLUMNS
};

static const eti_column_spec cell_columns[N_CELL_COLUMNS] = {
    [CELL_BLOCK] = {"block", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "EventBlock"},
    [CELL_RUN] = {"run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false,
                  "number of the run in its block, from 0 on"},
    [CELL_EVENT] = {"event_name", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, "name of the event"},
    [CELL_ELAPSED] = {"elapsed", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false,
                      "from start to end, with all that is inside"},
    [CELL_SELF] = {"self", ETI_TYPE_FLOAT64, ETI_COLUMN_TIME, false,
                   "own time, without what is inside"},
    [CELL_SHARE] = {"share", ETI_TYPE_FLOAT64, ETI_COLUMN_SHARE, false, "of the run, own time"},
    [CELL_START] = {"start_time", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, "stamp"},
    [CELL_INSTRUCTION] = {"instruction_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
                          "of the program"},
    [CELL_NUMBER] = {"event", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
                     "number of the event in its block"},
    [CELL_BACKEND] = {"delegate_backend_name", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "that ran it"},
    [CELL_DELEGATED] = {"is_delegated_op", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true,
                        "whether a delegate logged it"},
    [CELL_DUMP] = {"dump", ETI_TYPE_UTF8, ETI_COLUMN_TEXT, true, "file"},
    [CELL_DUMP_RUN] = {"dump_run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true,
                       "number of the run in its file"},
};

/* The timed events of a block. */
typedef struct block_cells {
    eti_account account;
    uint32_t *events; /* numbers */
    size_t n_events;
    size_t first_row;
} block_cells;

typedef struct cell_rows {
    const eti_inspector *inspector;
    block_cells *blocks;
    size_t n_blocks;
    size_t n_rows;
    uint64_t n_bytes; /* of text in all rows */
} cell_rows;

static void free_cell_rows(void *context) {
    cell_rows *rows = context;
    for (size_t i = 0; i < rows->n_blocks; i++) {
        eti_account_free(&rows->blocks[i].account);
        free(rows->blocks[i].events);
    }
    free(rows->blocks);
    free(rows);
}

static const block_cells *find_block(const cell_rows *rows, size_t row) {
    size_t low = 0, high = rows->n_blocks;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (rows->blocks[middle].first_row <= row)
            low = middle;
        else
            high = middle;
    }
    return &rows->blocks[low];
}

static bool make_cell_row(const void *context, size_t row, eti_row *out) {
    const cell_rows *rows = context;
    const block_cells *of = find_block(rows, row);
    const eti_account *account = &of->account;
    const eti_event_block *block = account->block;
    size_t run = (row - of->first_row) / of->n_events;
    uint32_t number = of->events[(row - of->first_row) % of->n_events];
    const eti_event *event = &block->events[number];
    uint64_t self = eti_account_self(account, number)[run];
    eti_cell *cells = out->cells;
    cells[CELL_BLOCK] = eti_text_cell(block->name);
    cells[CELL_RUN] = eti_count_cell(run);
    cells[CELL_EVENT] = eti_text_cell(event->name);
    cells[CELL_ELAPSED] = eti_double_cell(eti_event_raw(event)[run]);
    cells[CELL_SELF] = eti_double_cell(eti_account_time(account, self));
    if (account->events[number].is_counted && account->whole[run] > 0)
        cells[CELL_SHARE] = eti_double_cell((double)self / (double)account->whole[run]);
    cells[CELL_START] = eti_count_cell(eti_event_start_time(event)[run]);
    if (event->instruction_id != -1)
        cells[CELL_INSTRUCTION] = (eti_cell){.kind = ETI_CELL_INT, .as_int = event->instruction_id};
    cells[CELL_NUMBER] = eti_count_cell(number);
    if (event->record->backend_name.data)
        cells[CELL_BACKEND] = eti_text_cell(event->record->backend_name);
    cells[CELL_DELEGATED] = eti_bool_cell(event->is_delegated_op);
    cells[CELL_DUMP] = eti_text_cell(eti_text_of(block->runs[run].dump->file_name));
    cells[CELL_DUMP_RUN] = eti_count_cell(block->runs[run].index);
    return true;
}

static eti_status add_block(cell_rows *rows, const eti_event_block *block, eti_error *err) {
    block_cells *added = &rows->blocks[rows->n_blocks];
    size_t n_bytes = 0;
    added->first_row = rows->n_rows;
    ETI_TRY(eti_account_new(&added->account, block, &rows->inspector->options, err));
    rows->n_blocks++;
    added->events = malloc((block->n_events + 1) * sizeof *added->events);
    if (!added->events)
        return eti_fail_memory(err);
    for (size_t i = 0; i < block->n_events; i++) {
        const eti_event *event = &block->events[i];
        if (!event->is_timed)
            continue;
        added->events[added->n_events++] = (uint32_t)i;
        n_bytes += block->name.size + event->name.size + event->record->backend_name.size;
    }
    rows->n_bytes += (uint64_t)n_bytes * block->n_runs;
    rows->n_rows += added->n_events * block->n_runs;
    return ETI_OK;
}

static eti_status add_blocks(cell_rows *rows, const eti_view_options *options, eti_error *err) {
    const eti_blocks *blocks = &rows->inspector->blocks;
    rows->blocks = calloc(blocks->n_blocks + 1, sizeof *rows->blocks);
    if (!rows->blocks)
        return eti_fail_memory(err);
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        if (eti_block_is_chosen(options, &blocks->blocks[i]) && blocks->blocks[i].raw)
            ETI_TRY(add_block(rows, &blocks->blocks[i], err));
    }
    return eti_view_check_text(rows->inspector, rows->n_bytes, err);
}

static eti_status show_events(eti_report *report, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) {
    cell_rows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return eti_fail_memory(err);
    rows->inspector = inspector;
    eti_status status = add_blocks(rows, options, err);
    if (status != ETI_OK) {
        free_cell_rows(rows);
        return status;
    }
    eti_table *table;
    const eti_row_source source = {make_cell_row, free_cell_rows, rows};
    ETI_TRY(eti_columns_make_rows(&table, cell_columns, N_CELL_COLUMNS, rows->n_rows, source,
                                  eti_view_unit(inspector, options), err));
    if (rows->n_rows >= ETI_PARALLEL_BYTES / (N_CELL_COLUMNS * sizeof(eti_cell)))
        table->n_threads = inspector->options.n_threads;
    return eti_report_add(report, "runs", NULL, table, err);
}

eti_status eti_view_runs(eti_report *report, const eti_inspector *inspector,
                         const eti_view_options *options, eti_error *err) {
    return options->per_event ? show_events(report, inspector, options, err)
                              : show_runs(report, inspector, options, err);
}
