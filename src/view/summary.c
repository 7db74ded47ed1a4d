#include "view/summary.h"

#include "backends/backends.h"
#include "rollup/rollup.h"
#include "table/table.h"
#include "view/groups.h"
#include "view/layers.h"
#include "view/tokens.h"
#include "view_events/view_events.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the time of all counted Events. */
static eti_time_sum whole_of(const eti_overview *data) {
    eti_time_sum sum = {.methods = 0};
    for (int role = ETI_ROLE_KERNEL; role <= ETI_ROLE_LOAD; role++)
        eti__time_sum_add(&sum, &data->list.times[role]);
    return sum;
}

/* Returns the tokens per second of a run of the typical time. */
static double typical_tokens(const eti_overview *data, eti_text method) {
    eti_time_sum whole = whole_of(data);
    whole.methods = UINT64_MAX; /* all that `data` has, which is one */
    return eti__tokens_per_second(data->inspector, data->options, method,
                                  eti__rollup_typical(&data->rollup, &whole));
}

/* ==== overview facts ========================================================================== */
/* Turns an overview into the first table of the view "summary": inputs, runs, loading; also makes
 * the table of runs that stand out. */

/* Most columns of a terminal that the name of a file takes beside a run that stands out. */
#define LONGEST_FILE 40
/* Number of runs that are listed as standing out. */
#define MOST_OUTLIERS 3

typedef struct fact_row {
    const char *name;
    eti_cell value;
    const char *unit;
} fact_row;

ETI_CELL_SETTER(fact_row, fact, eti__string_cell(row->name))
ETI_CELL_SETTER(fact_row, value, row->value)
ETI_CELL_SETTER(fact_row, unit, eti__string_cell(row->unit))

static const eti_column_spec fact_columns[] = {
    {"fact", ETI_TEXTS, false, "name of the fact", set_fact},
    {"value", ETI_TYPE_UTF8, ETI_COLUMN_NUMBER, false, "value: a number or a text", set_value},
    {"unit", ETI_UNITS, false, "unit of the value", set_unit},
};

typedef struct facts {
    const eti_overview *data;
    eti_table *table;
    eti_error *err;
    eti_status status;
} facts;

/* Adds a fact; numbers also have a text, because the column has texts. */
static void add_fact(facts *f, const char *name, eti_cell value, const char *unit) {
    eti_number_text number = {0};
    fact_row row = {name, value, unit};
    if (f->status != ETI_OK)
        return;
    if (eti__table_own_text(f->table, eti__cell_text(&value, &number), &row.value.as_text))
        f->status =
            eti__columns_add_row(f->table, fact_columns, ETI_N_COLUMNS(fact_columns), &row, f->err);
    else
        f->status = eti_fail_memory(f->err);
}

/* Adds the inputs with which the ETDumps were recorded. */
static void add_recorded_inputs(facts *f) {
    eti_buffer text = {0};
    if (!eti__recorded_inputs(&text, f->data->inspector))
        f->status = eti_fail_memory(f->err);
    else if (text.size > 0)
        add_fact(f, "inputs", eti__text_cell(eti__buffer_text(&text)), "");
    eti__buffer_free(&text);
}

static void add_inputs(facts *f) {
    const eti_inspector *inspector = f->data->inspector;
    for (size_t i = 0; i < inspector->n_methods; i++) {
        if (eti__method_ran(inspector, &inspector->methods[i]))
            add_fact(f, "method", eti__text_cell(inspector->methods[i].name), "");
    }
    if (inspector->n_dumps > 0)
        add_fact(f, "etdump", eti__text_cell(eti__text_of(inspector->dumps[0].file_name)), "");
    if (inspector->n_dumps > 1)
        add_fact(f, "further etdumps", eti__count_cell(inspector->n_dumps - 1), "");
    const char *clock = eti__etdumps_clock(inspector->dumps, inspector->n_dumps);
    if (clock)
        add_fact(f, "clock", eti__string_cell(eti__clock_text(clock)), "");
    add_recorded_inputs(f);
    if (inspector->record)
        add_fact(f, "etrecord", eti__text_cell(eti__text_of(inspector->record_file.name)), "");
}

/* Returns the timed event of this name in a block, or NULL. */
static const eti_event *find_timed(const eti_event_block *block, const char *event_name) {
    for (size_t i = 0; i < block->n_events; i++) {
        const eti_event *event = &block->events[i];
        if (event->is_timed && eti__text_is(event->name, event_name))
            return event;
    }
    return NULL;
}

/* Calls of an event of one name in an ETDump. */
typedef struct load_times {
    double sum;
    uint64_t n;
} load_times;

/* Adds the calls of the event of this name in all blocks to those of their ETDumps. */
static eti_status add_calls(load_times *dumps, const eti_inspector *inspector,
                            const char *event_name, eti_error *err) {
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        const eti_event *event = find_timed(block, event_name);
        if (!event)
            continue;
        size_t number = (size_t)(event - block->events);
        const eti_account *account;
        ETI_TRY(eti__account_of(&account, inspector, block, err));
        for (size_t run = 0; run < block->n_runs; run++) {
            load_times *dump = &dumps[block->runs[run].dump - inspector->dumps];
            dump->sum += eti__account_elapsed(account, number, run);
            dump->n += eti__account_calls(account, number, run);
        }
    }
    return ETI_OK;
}

/* Finds the sum of the calls of the event of this name in an ETDump, the median of those that have it; `n_calls` is the
 * largest number of calls in one of them. */
static eti_status sum_calls(double *sum, uint64_t *n_calls, const eti_inspector *inspector,
                            const char *event_name, eti_error *err) {
    size_t n = 0, n_dumps = inspector->n_dumps;
    load_times *dumps = calloc(n_dumps + 1, sizeof *dumps);
    double *sums = malloc((n_dumps + 1) * sizeof *sums);
    eti_status status =
        dumps && sums ? add_calls(dumps, inspector, event_name, err) : eti_fail_memory(err);
    *n_calls = 0;
    for (size_t i = 0; i < n_dumps && status == ETI_OK; i++) {
        if (dumps[i].n > 0)
            sums[n++] = dumps[i].sum;
        *n_calls = dumps[i].n > *n_calls ? dumps[i].n : *n_calls;
    }
    *sum = n > 0 ? eti__median(sums, n) : 0;
    free(dumps);
    free(sums);
    return status;
}

/* Adds the time of the event of this name: the median of the runs of the first block that has it. If there are several
 * methods, loads of different methods have the same name, so all loads of a file are added up. */
static void add_loading(facts *f, const char *fact, const char *fact_of_several,
                        const char *event_name, const char *unit) {
    const eti_inspector *inspector = f->data->inspector;
    const eti_event *event = NULL;
    double sum = 0;
    uint64_t n_calls = 0;
    eti_summary times;
    if (f->status == ETI_OK && eti__has_several_methods(inspector))
        f->status = sum_calls(&sum, &n_calls, inspector, event_name, f->err);
    for (size_t b = 0; b < inspector->blocks.n_blocks && !event; b++)
        event = find_timed(&inspector->blocks.blocks[b], event_name);
    if (n_calls > 1)
        add_fact(f, fact_of_several, eti__double_cell(sum), unit);
    else if (event && eti_event_summary(event, &times))
        add_fact(f, fact, eti__double_cell(times.p50), unit);
}

static size_t count_inputs(const eti_run_list *list) {
    size_t n = 0;
    for (size_t i = 0; i < list->n_blocks; i++)
        n += list->blocks[i].block->bundled_input_index != -1;
    return n;
}

static double distance(double z) {
    return z < 0 ? -z : z;
}

/* Finds the runs that stand out most, in descending order; returns the number of all outliers. */
static size_t find_outliers(const eti_run_list *list, const eti_run_times *found[MOST_OUTLIERS],
                            size_t *n_found) {
    size_t n_all = 0;
    *n_found = 0;
    for (size_t i = 0; i < list->n_runs; i++) {
        const eti_run_times *run = &list->runs[i];
        if (!run->is_outlier)
            continue;
        n_all++;
        size_t at = *n_found;
        while (at > 0 && distance(found[at - 1]->z) < distance(run->z))
            at--;
        if (at == MOST_OUTLIERS)
            continue;
        if (*n_found < MOST_OUTLIERS)
            ++*n_found;
        for (size_t j = *n_found - 1; j > at; j--)
            found[j] = found[j - 1];
        found[at] = run;
    }
    return n_all;
}

/* Adds "run 5 (+88.8%), run 7 (-20.1%), 3 more", with their files and blocks if there are several. */
static void add_outlier_fact(facts *f) {
    const eti_run_list *list = &f->data->list;
    const eti_run_times *found[MOST_OUTLIERS];
    size_t n_found, n_all = find_outliers(list, found, &n_found);
    eti_buffer text = {0};
    if (n_all == 0)
        return;
    for (size_t i = 0; i < n_found; i++) {
        eti__buffer_add_string(&text, i > 0 ? ", " : "");
        if (list->blocks[found[i]->block].n_dumps > 1) {
            eti__add_folded(&text, eti__text_of(list->dumps[found[i]->dump].dump->file_name),
                            LONGEST_FILE, "...");
            eti__buffer_add_char(&text, ' ');
        }
        if (list->n_blocks > 1) {
            eti__buffer_add_text(&text, list->blocks[found[i]->block].block->label);
            eti__buffer_add_char(&text, ' ');
        }
        eti__buffer_printf(&text, "run %" PRIu32 " (", found[i]->number);
        eti__add_change(&text, found[i]->deviation);
        eti__buffer_add_char(&text, ')');
    }
    if (n_all > n_found)
        eti__buffer_printf(&text, ", %zu more", n_all - n_found);
    if (!text.failed)
        add_fact(f, "runs that stand out", eti__text_cell(eti__buffer_text(&text)), "");
    else
        f->status = eti_fail_memory(f->err);
    eti__buffer_free(&text);
}

/* Adds the first run of the first ETDump, compared with the runs after the warm-up. */
static void add_first_run(facts *f, const char *unit) {
    const eti_run_list *list = &f->data->list;
    const eti_run_times *first = NULL;
    size_t n_warm_up = f->data->rollup.runs.n_warm_up;
    for (size_t i = 0; i < list->n_runs && !first; i++)
        first = list->runs[i].is_first ? &list->runs[i] : NULL;
    const eti_run_block *block = &list->blocks[first ? first->block : 0];
    if (n_warm_up > 0)
        add_fact(f, "warm-up runs", eti__count_cell(n_warm_up), "");
    if (first)
        add_fact(f, "first run", eti__double_cell(first->elapsed), unit);
    if (block->block->n_runs < 2)
        return;
    add_fact(f, "median run after the warm-up", eti__double_cell(block->median), unit);
    if (first && block->median > 0)
        add_fact(f, "first run / median run", eti__double_cell(first->elapsed / block->median),
                 "x");
}

/* Adds the median of the times in which the lanes of a run were busy, in the runs after the warm-up. */
static void add_busy(facts *f, const char *unit) {
    const eti_run_list *list = &f->data->list;
    size_t n = 0;
    double *values = list->has_overlaps ? malloc((list->n_runs + 1) * sizeof *values) : NULL;
    if (!list->has_overlaps)
        return;
    for (size_t i = 0; i < list->n_runs && values; i++) {
        uint64_t ticks = eti__run_ticks(&list->runs[i], ETI_ROLE_KERNEL, ETI_ROLE_LOAD);
        if (!list->runs[i].is_warm_up)
            values[n++] = (double)ticks / list->factor;
    }
    if (!values)
        f->status = eti_fail_memory(f->err);
    else if (n > 0)
        add_fact(f, "busy time of all lanes", eti__double_cell(eti__median(values, n)), unit);
    free(values);
}

/* Adds the number of runs per second after the warm-up. */
static void add_rate(facts *f, eti_time_scale target) {
    const eti_run_list *list = &f->data->list;
    double sum = 0;
    size_t n = 0;
    for (size_t i = 0; i < list->n_runs; i++) {
        n += !list->runs[i].is_warm_up;
        sum += list->runs[i].is_warm_up ? 0 : list->runs[i].elapsed;
    }
    if (sum > 0)
        add_fact(
            f, "inferences per second (avg)",
            eti__double_cell((double)n / (sum / eti__time_scale_factor(target, ETI_SCALE_S, 0))),
            "");
}

/* Adds the tokens per second of a run of the typical time, if the number of tokens is given. */
static void add_tokens(facts *f) {
    const eti_run_list *list = &f->data->list;
    eti_text method = eti__block_method(f->data->inspector, list->blocks[0].block);
    double rate = typical_tokens(f->data, method);
    if (!isnan(rate))
        add_fact(f, "tokens per second (typical)", eti__double_cell(rate), "");
}

/* Adds the facts about runs; times only if there is a single method. */
static void add_run_facts(facts *f, const char *unit, bool has_methods) {
    const eti_run_list *list = &f->data->list;
    eti_time_scale target = f->data->inspector->options.target_time_scale;
    add_fact(f, "runs", eti__count_cell(list->n_runs), "");
    if (list->n_blocks > 1)
        add_fact(f, "blocks", eti__count_cell(list->n_blocks), "");
    if (count_inputs(list) > 0)
        add_fact(f, "bundled inputs", eti__count_cell(count_inputs(list)), "");
    if (list->n_runs == 0 || has_methods)
        return;
    add_first_run(f, unit);
    add_busy(f, unit);
    if (list->has_execute && target != ETI_SCALE_CYCLES)
        add_rate(f, target);
    add_tokens(f);
}

/* Adds the section "facts"; with `has_methods`, it omits the times of runs, which are in the
 * section of methods. ETI_ERROR_MEMORY. */
static eti_status add_overview_facts(eti_report *report, const eti_overview *data, bool has_methods,
                                     eti_error *err) {
    const char *unit = eti_time_scale_name(data->inspector->options.target_time_scale);
    facts f = {.data = data, .err = err};
    ETI_TRY(eti__columns_add_section(&f.table, report, "facts", "Profile", fact_columns,
                                     ETI_N_COLUMNS(fact_columns), NULL, err));
    report->sections[report->n_sections - 1].explains_itself = true;
    add_inputs(&f);
    add_run_facts(&f, unit, has_methods);
    add_outlier_fact(&f);
    add_loading(&f, "loading the method", "loading the methods", "Program::load_method", unit);
    add_loading(&f, "Method::init", "Method::init of the methods", "Method::init", unit);
    ETI_TRY(f.status);
    if (data->list.n_blocks > 1 && data->list.n_runs > 0 && !has_methods)
        return eti__report_note(
            report, err,
            "the median run is that of the EventBlock of the first run: see etinspect runs");
    return ETI_OK;
}

/* ---- runs that stand out --------------------------------------------------------------------- */

typedef struct outlier_row {
    const eti_run_list *list;
    const eti_run_times *run;
} outlier_row;

ETI_CELL_SETTER(outlier_row, fact_block,
                eti__text_cell(row->list->blocks[row->run->block].block->label))
ETI_CELL_SETTER(outlier_row, run, eti__count_cell(row->run->number))
ETI_CELL_SETTER(outlier_row, elapsed, eti__double_cell(row->run->elapsed))
ETI_CELL_SETTER(outlier_row, deviation, eti__double_cell(row->run->deviation))
ETI_CELL_SETTER(outlier_row, dump,
                eti__string_cell(row->list->dumps[row->run->dump].dump->file_name))
ETI_CELL_SETTER_IF(outlier_row, z, distance(row->run->z) < 1e300, eti__double_cell(row->run->z))

static const eti_column_spec outlier_columns[] = {
    {"block", ETI_TEXTS, false, "EventBlock", set_fact_block},
    {"run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false,
     "number of the run in its block, counting from 0", set_run},
    {"elapsed", ETI_TIMES, false, "time of Method::execute", set_elapsed},
    {"deviation", ETI_SHARES, false, "difference from the median of its file after the warm-up",
     set_deviation},
    {"z", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true, "modified z-score", set_z},
    {"dump", ETI_TEXTS, true, "file of the run", set_dump},
};

/* Adds the section "outliers", unless no run stands out; the facts also name the outliers. ETI_ERROR_MEMORY. */
static eti_status add_overview_outliers(eti_report *report, const eti_overview *data,
                                        eti_error *err) {
    const eti_run_times *found[MOST_OUTLIERS];
    size_t n_found, n_all = find_outliers(&data->list, found, &n_found);
    eti_table *table;
    if (n_all == 0)
        return ETI_OK;
    ETI_TRY(eti__columns_add_section(&table, report, "outliers", "Runs that stand out",
                                     outlier_columns, ETI_N_COLUMNS(outlier_columns),
                                     eti__view_unit(data->inspector, data->options), err));
    eti__table_mark_spread(table, "deviation");
    report->sections[report->n_sections - 1].is_told_above = true;
    for (size_t i = 0; i < n_found; i++) {
        outlier_row row = {&data->list, found[i]};
        ETI_TRY(eti__columns_add_row(table, outlier_columns, ETI_N_COLUMNS(outlier_columns), &row,
                                     err));
    }
    return ETI_OK;
}

/* ==== overview methods ======================================================================== */
/* Makes the section of the view "summary" with a line for each method, if there are several. */

typedef struct method_row {
    eti_text name;
    size_t n_runs, n_warm_up;
    bool has_first, has_times, has_rate;
    double first_run;  /* median over the ETDumps */
    eti_summary times; /* of runs after the warm-up */
    double share, rate;
    double tokens_per_second; /* at the typical time; NaN: unknown */
} method_row;

ETI_CELL_SETTER(method_row, name, eti__text_cell(row->name))
ETI_CELL_SETTER(method_row, method_runs, eti__count_cell(row->n_runs))
ETI_CELL_SETTER(method_row, warm_up_runs, eti__count_cell(row->n_warm_up))
ETI_CELL_SETTER_IF(method_row, method_first_run, row->has_first, eti__double_cell(row->first_run))
ETI_CELL_SETTER_IF(method_row, p50, row->has_times, eti__double_cell(row->times.p50))
ETI_CELL_SETTER_IF(method_row, avg, row->has_times, eti__double_cell(row->times.avg))
ETI_CELL_SETTER_IF(method_row, share, row->has_times, eti__double_cell(row->share))
ETI_CELL_SETTER_IF(method_row, rate, row->has_rate, eti__double_cell(row->rate))
ETI_CELL_SETTER(method_row, tokens_per_second, eti__number_or_none(row->tokens_per_second))

static const eti_column_spec method_columns[] = {
    {"method", ETI_TEXTS, false, "method, or the EventBlock if its method is unknown", set_name},
    {"runs", ETI_COUNTS, false, "runs of the method", set_method_runs},
    {"warm_up_runs", ETI_COUNTS, false, "warm-up runs, left out of the following columns",
     set_warm_up_runs},
    {"first_run", ETI_TIMES, false, "time of the method's first run in an ETDump",
     set_method_first_run},
    {"p50", ETI_TIMES, false, "median time of a run after the warm-up", set_p50},
    {"avg", ETI_TIMES, false, "mean time of a run after the warm-up", set_avg},
    {"share", ETI_SHARES, false, "share of the typical time of all methods", set_share},
    {"per_second", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
     "runs per second after the warm-up, on average", set_rate},
    {"tokens_per_second", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
     "tokens per second of a run of the typical time", set_tokens_per_second},
};

#define N_METHOD_COLUMNS ETI_N_COLUMNS(method_columns)

/* Fills the columns of the section: those of tokens only if their number is given. */
static void choose_method_columns(eti_column_spec columns[N_METHOD_COLUMNS],
                                  const eti_view_options *options) {
    memcpy(columns, method_columns, sizeof method_columns);
    if (!options->tokens)
        columns[N_METHOD_COLUMNS - 1].name = NULL;
}

/* Summarizes the runs of a method. `values` has room for three numbers per run. */
static void summarize(method_row *row, const eti_overview *data, double *values) {
    const eti_run_list *list = &data->list;
    size_t n_first = 0, n = 0;
    for (size_t i = 0; i < list->n_runs; i++) {
        if (list->runs[i].is_first)
            values[n_first++] = list->runs[i].elapsed;
    }
    row->has_first = n_first > 0;
    if (n_first > 0)
        row->first_run = eti__median(values, n_first);
    for (size_t i = 0; i < list->n_runs; i++) {
        if (!list->runs[i].is_warm_up)
            values[n++] = list->runs[i].elapsed;
    }
    row->has_times = n > 0;
    if (n > 0)
        row->times = eti__summarize(values, n, values + list->n_runs);
}

/* Adds the times of runs to `report->methods`, which has room for them. ETI_ERROR_MEMORY. */
static eti_status add_method_times(eti_report *report, eti_method_times *out, eti_text method,
                                   const eti_overview *data, eti_error *err) {
    method_row row = {.name = method};
    double *values = malloc((3 * data->list.n_runs + 1) * sizeof *values);
    if (!values)
        return eti_fail_memory(err);
    summarize(&row, data, values);
    free(values);
    if (!row.has_times)
        return ETI_OK;
    eti_method_times *times = &out[report->n_methods];
    for (size_t i = 0; i < data->list.n_runs; i++)
        times->n_runs += !data->list.runs[i].is_warm_up;
    times->times = row.times;
    if (method.data && !eti__arena_copy_text(&report->arena, method, &times->name))
        return eti_fail_memory(err);
    report->n_methods++;
    return ETI_OK;
}

/* Adds the section, without rows. ETI_ERROR_MEMORY. */
static eti_status new_overview_methods(eti_table **out, eti_report *report,
                                       const eti_inspector *inspector,
                                       const eti_view_options *options, eti_error *err) {
    eti_column_spec columns[N_METHOD_COLUMNS];
    choose_method_columns(columns, options);
    return eti__columns_add_section(out, report, "methods", "Methods", columns, N_METHOD_COLUMNS,
                                    eti__view_unit(inspector, options), err);
}

/* Adds the row of a method; `data` has the runs of this method only. ETI_ERROR_MEMORY. */
static eti_status add_overview_method(eti_table *table, eti_text method, const eti_overview *data,
                                      eti_error *err) {
    eti_time_scale scale = data->inspector->options.target_time_scale;
    const eti_time_sum whole = whole_of(data);
    eti_column_spec columns[N_METHOD_COLUMNS];
    method_row row = {.name = method,
                      .n_runs = data->list.n_runs,
                      .n_warm_up = data->rollup.runs.n_warm_up,
                      .share = eti__rollup_share(&data->rollup, &whole),
                      .tokens_per_second = typical_tokens(data, method)};
    choose_method_columns(columns, data->options);
    double *values = malloc((3 * data->list.n_runs + 1) * sizeof *values);
    if (!values)
        return eti_fail_memory(err);
    summarize(&row, data, values);
    free(values);
    row.has_rate = data->list.has_execute && scale != ETI_SCALE_CYCLES && row.times.avg > 0;
    if (row.has_rate)
        row.rate = eti__time_scale_factor(scale, ETI_SCALE_S, 0) / row.times.avg;
    return eti__columns_add_row(table, columns, N_METHOD_COLUMNS, &row, err);
}

/* ==== summary ================================================================================= */

#define TOP 10

/* The state of making a report, of all methods or of one of several, which adds its rows to the same sections. */
typedef struct summary {
    eti_report *report;
    const eti_inspector *inspector;
    const eti_view_options *options;
    const eti_overview *data;
    eti_error *err;
    eti_text method;             /* method of `data`; absent unless there are several */
    const struct summary *parts; /* per method */
    size_t n_parts;              /* 0: there is only one method */
} summary;

/* Defines the first column of sections that list each method separately. */
#define METHOD_COLUMN(set)                                                                         \
    { "method", ETI_TEXTS, false, "method of the runs", set }

/* A copy of the columns of a section, for this report. */
typedef struct section_columns {
    eti_column_spec specs[16];
    size_t n;
} section_columns;

static section_columns columns_of(const summary *s, const eti_column_spec *specs, size_t n) {
    section_columns columns = {.n = n};
    memcpy(columns.specs, specs, n * sizeof *specs);
    if (s->n_parts == 0)
        columns.specs[0].name = NULL;
    return columns;
}

/* Adds a section without rows. */
static eti_status new_section(const summary *s, eti_table **out, const char *name,
                              const char *title, const section_columns *columns) {
    return eti__columns_add_section(out, s->report, name, title, columns->specs, columns->n,
                                    eti__view_unit(s->inspector, s->options), s->err);
}

/* Adds the rows of a section, for each method if there are several. */
static eti_status add_rows(const summary *s,
                           eti_status (*add)(const summary *, eti_table *, const section_columns *),
                           eti_table *table, const section_columns *columns) {
    if (s->n_parts == 0)
        return add(s, table, columns);
    for (size_t i = 0; i < s->n_parts; i++)
        ETI_TRY(add(&s->parts[i], table, columns));
    return ETI_OK;
}

static double time_of(const summary *s, eti_wide ticks) {
    return eti__wide_as_double(ticks) / s->data->list.factor;
}

static double share_of(const summary *s, const eti_time_sum *time) {
    return eti__rollup_share(&s->data->rollup, time);
}

/* ---- the account of time --------------------------------------------------------------------- */

/* Parts of the whole, each made of neighbouring roles. */
static const struct {
    const char *name;
    eti_role first, last;
} parts[] = {
    {"operators outside delegates", ETI_ROLE_KERNEL, ETI_ROLE_KERNEL},
    {"delegate calls: logged", ETI_ROLE_DELEGATED, ETI_ROLE_DEVICE},
    {"delegate calls: transfers", ETI_ROLE_TRANSFER, ETI_ROLE_TRANSFER},
    {"delegate calls: overhead", ETI_ROLE_OVERHEAD, ETI_ROLE_OVERHEAD},
    {"delegate calls: profiling", ETI_ROLE_PROFILING, ETI_ROLE_PROFILING},
    {"delegate calls: not logged", ETI_ROLE_DELEGATE_CALL, ETI_ROLE_NOT_LOGGED},
    {"framework: around operators", ETI_ROLE_OPERATOR_CALL, ETI_ROLE_OPERATOR_CALL},
    {"framework: other instructions", ETI_ROLE_INSTRUCTION, ETI_ROLE_INSTRUCTION},
    {"framework: between instructions", ETI_ROLE_EXECUTE, ETI_ROLE_EXECUTE},
    {"loading", ETI_ROLE_LOAD, ETI_ROLE_LOAD},
};

/* A part, or the whole. */
typedef struct part_row {
    eti_text method, name;
    uint64_t n_events, n_calls;
    bool has_times, has_first, has_share;
    eti_summary times; /* of their sums, run by run */
    eti_time_sum time;
    const eti_time_sum *whole;
    double first_run; /* median over the first runs of the ETDumps */
} part_row;

ETI_CELL_SETTER(part_row, part_method, eti__text_or_none(row->method))
ETI_CELL_SETTER(part_row, part, eti__text_cell(row->name))
ETI_CELL_SETTER(part_row, part_events, eti__count_cell(row->n_events))
ETI_CELL_SETTER(part_row, part_calls, eti__count_cell(row->n_calls))
ETI_CELL_SETTER_IF(part_row, part_p50, row->has_times, eti__double_cell(row->times.p50))
ETI_CELL_SETTER_IF(part_row, part_avg, row->has_times, eti__double_cell(row->times.avg))
ETI_CELL_SETTER_IF(part_row, part_share, row->has_share,
                   eti__double_cell(eti__time_sum_share(&row->time, row->whole)))
ETI_CELL_SETTER_IF(part_row, part_share_mean, row->has_share,
                   eti__double_cell(eti__time_sum_share_mean(&row->time, row->whole)))
ETI_CELL_SETTER_IF(part_row, part_unsteady, row->has_share,
                   eti__bool_cell(eti__time_sum_is_unsteady(&row->time, row->whole)))
ETI_CELL_SETTER_IF(part_row, first_run, row->has_first, eti__double_cell(row->first_run))

static const eti_column_spec part_columns[] = {
    METHOD_COLUMN(set_part_method),
    {"part", ETI_TEXTS, false, "part of the time", set_part},
    {"p50", ETI_TIMES, false, "median time in a run after the warm-up", set_part_p50},
    {"avg", ETI_TIMES, false, "mean time in a run after the warm-up; the parts add up",
     set_part_avg},
    {"share", ETI_SHARES, false, "share of the typical time of a run", set_part_share},
    {"unsteady", ETI_MARKS, false, ETI_UNSTEADY_HELP, set_part_unsteady},
    {"first_run", ETI_TIMES, false, "time in the first run of an ETDump", set_first_run},
    {"events", ETI_COUNTS, false, "events of one run of each block", set_part_events},
    {"calls", ETI_COUNTS, true, "profile events of all runs after the warm-up", set_part_calls},
    {"share_mean", ETI_SHARES, true, "share of the mean time", set_part_share_mean},
};

static eti_wide ticks_of(const eti_run_times *run, eti_role first, eti_role last) {
    return eti__wide_of(eti__run_ticks(run, first, last));
}

/* Summarizes the first runs. `values` has room for one number per run. */
static void summarize_first(const summary *s, eti_role first, eti_role last, part_row *row,
                            double *values) {
    const eti_run_list *list = &s->data->list;
    size_t n = 0;
    for (size_t i = 0; i < list->n_runs; i++) {
        if (list->runs[i].is_first)
            values[n++] = time_of(s, ticks_of(&list->runs[i], first, last));
    }
    row->has_first = n > 0;
    if (n > 0)
        row->first_run = eti__median(values, n);
}

/* Summarizes parts of the whole. False: out of memory. */
static bool summarize_parts(const summary *s, eti_role first, eti_role last, part_row *row) {
    const eti_run_list *list = &s->data->list;
    size_t n = 0;
    double *values = malloc((2 * list->n_runs + 1) * sizeof *values);
    if (!values)
        return false;
    summarize_first(s, first, last, row, values);
    for (size_t i = 0; i < list->n_runs; i++) {
        if (list->runs[i].is_warm_up)
            continue;
        values[n++] = time_of(s, ticks_of(&list->runs[i], first, last));
    }
    row->has_share = n > 0;
    for (int role = (int)first; role <= (int)last; role++)
        eti__time_sum_add(&row->time, &list->times[role]);
    row->whole = &s->data->rollup.whole;
    row->has_times = n > 0 && s->n_parts == 0;
    if (row->has_times)
        row->times = eti__summarize(values, n, values + n);
    row->has_first &= s->n_parts == 0;
    free(values);
    return true;
}

/* Adds the row of a part; a row of several methods together has no statistics. */
static eti_status add_part(const summary *s, eti_table *table, const section_columns *columns,
                           eti_text name, eti_role first, eti_role last) {
    part_row row = {.method = s->method, .name = name};
    for (int role = (int)first; role <= (int)last; role++) {
        row.n_events += s->data->list.n_events[role];
        row.n_calls += s->data->list.n_calls[role];
    }
    if (row.n_events == 0)
        return ETI_OK;
    if (!summarize_parts(s, first, last, &row))
        return eti_fail_memory(s->err);
    return eti__columns_add_row(table, columns->specs, columns->n, &row, s->err);
}

/* Adds the row of the whole, which is the sum of the parts. */
static eti_status add_whole(const summary *s, eti_table *table, const section_columns *columns,
                            eti_text name) {
    size_t n_rows = table->n_rows;
    ETI_TRY(add_part(s, table, columns, name, ETI_ROLE_KERNEL, ETI_ROLE_LOAD));
    return table->n_rows > n_rows ? eti__report_mark_sum(s->report, s->err) : ETI_OK;
}

static eti_status note_account(const summary *s) {
    const eti_run_list *list = &s->data->list;
    if (list->n_runs == 0)
        return eti__report_note(s->report, s->err, "no run has a time");
    ETI_TRY(eti__view_note_runs(s->report, s->inspector, &s->data->rollup.runs, s->err));
    ETI_TRY(eti__view_note_blocks(s->report, s->inspector, s->options, s->err));
    if (list->n_full_calls > 0)
        ETI_TRY(eti__report_note(s->report, s->err,
                                 "delegate calls shorter than the sum of their events, which share "
                                 "the time of the call: %" PRIu64,
                                 list->n_full_calls));
    ETI_TRY(eti__view_note_cycles(s->report, &list->cycles, s->err));
    ETI_TRY(eti__view_note_rounding(s->report, &s->data->rollup.rounding, s->err));
    ETI_TRY(eti__view_note_time_faults(s->report, &list->faults, s->err));
    if (list->n_repeated > 0)
        ETI_TRY(eti__report_note(s->report, s->err,
                                 "calls in loops that are counted here, though the Inspector shows "
                                 "only the last: %" PRIu64,
                                 list->n_repeated));
    ETI_TRY(eti__view_note_synthetic(s->report, &s->data->synthetic, s->err));
    ETI_TRY(eti__overview_note_attribution(s->report, s->data, s->err));
    return eti__view_note_program(s->report, s->inspector, &s->data->rollup.attributed, s->err);
}

/* Writes the heading of the last row, which is the sum. */
static void name_whole(const eti_run_list *list, char *out, size_t size) {
    uint64_t n_early = list->faults.of[ETI_TIME_EARLY].n;
    uint64_t n_late = list->faults.of[ETI_TIME_OUTLASTS].n;
    if (list->has_overlaps)
        snprintf(out, size, "all lanes");
    else if (!list->has_execute)
        snprintf(out, size, "all events");
    else if (list->n_outside > 0)
        snprintf(out, size, "all events, %" PRIu64 " outside Method::execute", list->n_outside);
    else if (n_late > 0)
        snprintf(out, size, "all events, %" PRIu64 " end%s after Method::execute", n_late,
                 n_late == 1 ? "s" : "");
    else if (n_early > 0)
        snprintf(out, size, "all events, %" PRIu64 " start%s before Method::execute", n_early,
                 n_early == 1 ? "s" : "");
    else
        snprintf(out, size, "Method::execute");
}

static eti_status add_parts(const summary *s, eti_table *table, const section_columns *columns) {
    char whole[80];
    eti_text name;
    name_whole(&s->data->list, whole, sizeof whole);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ETI_TRY(add_part(s, table, columns, eti__text_of(parts[i].name), parts[i].first,
                         parts[i].last));
    if (!eti__table_own_text(table, eti__text_of(whole), &name))
        return eti_fail_memory(s->err);
    return add_whole(s, table, columns, name);
}

static eti_status add_account(const summary *s) {
    section_columns columns = columns_of(s, part_columns, ETI_N_COLUMNS(part_columns));
    eti_table *table;
    ETI_TRY(new_section(s, &table, "account", "Where the time goes", &columns));
    ETI_TRY(add_rows(s, add_parts, table, &columns));
    if (s->n_parts > 0)
        ETI_TRY(add_whole(s, table, &columns, eti__text_of("all methods")));
    return note_account(s);
}

/* ---- backends -------------------------------------------------------------------------------- */

typedef struct backend_row {
    eti_text method, name;
    uint64_t n_operators, n_all; /* of it and of all backends; 0: not counted */
    double avg;
    eti_time_sum time;
    const eti_time_sum *whole;
} backend_row;

ETI_CELL_SETTER(backend_row, backend_method, eti__text_or_none(row->method))
ETI_CELL_SETTER(backend_row, backend, eti__named_cell(row->name, eti__backend_label(row->name)))
ETI_CELL_SETTER_IF(backend_row, operators, row->n_all > 0, eti__count_cell(row->n_operators))
ETI_CELL_SETTER(backend_row, backend_avg, eti__double_cell(row->avg))
ETI_CELL_SETTER(backend_row, backend_share,
                eti__double_cell(eti__time_sum_share(&row->time, row->whole)))
ETI_CELL_SETTER(backend_row, backend_share_mean,
                eti__double_cell(eti__time_sum_share_mean(&row->time, row->whole)))
ETI_CELL_SETTER_IF(backend_row, share_of_operators, row->n_all > 0,
                   eti__double_cell((double)row->n_operators / (double)row->n_all))

static const eti_column_spec backend_columns[] = {
    METHOD_COLUMN(set_backend_method),
    {"backend", ETI_TEXTS, false, "place where operators ran", set_backend},
    {"avg", ETI_TIMES, false,
     "mean time per run after the warm-up, in blocks that have it; delegate calls as a whole",
     set_backend_avg},
    {"share", ETI_SHARES, false, "share of the typical time of a run", set_backend_share},
    {"operators", ETI_COUNTS, false,
     "operators that ran, or calls that logged none; one that several blocks have counts once",
     set_operators},
    {"share_of_operators", ETI_SHARES, false, "share of these operators", set_share_of_operators},
    {"share_mean", ETI_SHARES, true, "share of the mean time", set_backend_share_mean},
};

static eti_status add_backend(const summary *s, eti_table *table, const section_columns *columns,
                              eti_text name, const eti_overview_backend *backend, uint64_t n_all) {
    backend_row row = {.method = s->method,
                       .n_operators = backend->n_operators,
                       .n_all = n_all,
                       .time = backend->time,
                       .whole = &s->data->rollup.whole};
    if (backend->n_runs > 0)
        row.avg = time_of(s, backend->time.total) / (double)backend->n_runs;
    if (!eti__table_own_text(table, name, &row.name))
        return eti_fail_memory(s->err);
    return eti__columns_add_row(table, columns->specs, columns->n, &row, s->err);
}

/* Adds a note such as "Vulkan: 78.4 % operators, 3.6 % transfers, 18.0 % overhead", if a backend logged more than operators. */
static eti_status note_parts(const summary *s, const eti_overview_backend *backend) {
    static const char *const names[ETI_N_BACKEND_PARTS] = {
        [ETI_BACKEND_OPERATORS] = "operators",
        [ETI_BACKEND_TRANSFERS] = "transfers",
        [ETI_BACKEND_OVERHEAD] = "overhead",
        [ETI_BACKEND_PROFILING] = "profiling",
    };
    eti_buffer text = {0};
    if (eti__wide_as_double(backend->parts[ETI_BACKEND_TRANSFERS].total) == 0)
        return ETI_OK;
    eti__buffer_add_text(&text, eti__backend_label(backend->name));
    for (int part = 0; part < ETI_N_BACKEND_PARTS; part++) {
        if (eti__wide_as_double(backend->parts[part].total) == 0)
            continue;
        eti__buffer_add_string(&text, part == ETI_BACKEND_OPERATORS ? ": " : ", ");
        eti__add_share(&text, share_of(s, &backend->parts[part]));
        eti__buffer_printf(&text, " %s", names[part]);
    }
    eti_status status =
        text.failed ? eti_fail_memory(s->err)
                    : eti__report_note(s->report, s->err, "%.*s", (int)text.size, text.data);
    eti__buffer_free(&text);
    return status;
}

/* Adds a row for each backend, for operators that were not delegated, and for time outside operators. */
static eti_status add_backends_of(const summary *s, eti_table *table,
                                  const section_columns *columns) {
    const eti_overview *data = s->data;
    uint64_t n_all = 0;
    for (size_t i = 0; i < data->backends.count; i++)
        n_all += data->backends.items[i].n_operators;
    for (size_t i = 0; i < data->backends.count; i++) {
        const eti_overview_backend *backend = &data->backends.items[i];
        ETI_TRY(add_backend(s, table, columns, backend->name, backend, n_all));
        ETI_TRY(note_parts(s, backend));
    }
    if (data->list.n_runs == 0)
        return ETI_OK;
    return add_backend(s, table, columns, eti__text_of(ETI_GROUP_FRAMEWORK), &data->framework, 0);
}

static eti_status add_backends(const summary *s) {
    section_columns columns = columns_of(s, backend_columns, ETI_N_COLUMNS(backend_columns));
    eti_table *table;
    ETI_TRY(new_section(s, &table, "backends", "Delegated or not", &columns));
    eti__table_distinguish(table, "backend", NULL);
    return add_rows(s, add_backends_of, table, &columns);
}

/* ---- operators ------------------------------------------------------------------------------- */

typedef struct op_row {
    eti_group_row times;
    eti_text op, kernel;
    double cumulative;
} op_row;

ETI_CELL_SETTER(op_row, op, eti__text_cell(row->op))
ETI_CELL_SETTER(op_row, kernel, eti__text_or_none(row->kernel))
ETI_CELL_SETTER(op_row, cumulative, eti__double_cell(row->cumulative))

static const eti_column_spec op_columns[] = {
    METHOD_COLUMN(eti__set_group_method),
    {"op", ETI_TEXTS, false, "operator, or the name of its events", set_op},
    {"kernel", ETI_TEXTS, false, "name of the events", set_kernel},
    ETI_GROUP_TYPICAL_COLUMN,
    ETI_GROUP_SHARE_COLUMNS,
    {"cumulative", ETI_SHARES, false, "share of this row and the rows above", set_cumulative},
    {"count", ETI_COUNTS, false, "events of one run of each block", eti__set_group_events},
    {"calls", ETI_COUNTS, true, "profile events of all runs after the warm-up",
     eti__set_group_calls},
    {"total", ETI_TIMES, false, "time of all runs after the warm-up", eti__set_group_total},
    {"p50", ETI_TIMES, true, "median time in a run after the warm-up", eti__set_group_p50},
    ETI_GROUP_MEAN_COLUMN,
};

static eti_status add_op(const summary *s, eti_table *table, const section_columns *columns,
                         uint32_t group, const eti_time_sum *so_far, eti_arena *scratch) {
    const eti_rollup *rollup = &s->data->rollup;
    const eti_shared_texts *names = &s->data->names;
    const eti_overview_op *op = &s->data->ops.items[group];
    op_row row = {.times = eti__group_row_of(rollup, &rollup->groups[group], scratch),
                  .op = eti__op_type_name(names, op->op),
                  .kernel = names->texts.texts[op->kernel],
                  .cumulative = share_of(s, so_far)};
    row.times.method = s->method;
    return eti__columns_add_row(table, columns->specs, columns->n, &row, s->err);
}

static bool is_nothing(const eti_time_sum *time) {
    return eti__wide_as_double(time->total) == 0;
}

/* Adds the sum of groups that have no row of their own, unless it is 0. */
static eti_status add_other_ops(const summary *s, eti_table *table, const section_columns *columns,
                                const uint32_t *groups, size_t n, eti_time_sum *so_far) {
    const eti_rollup *rollup = &s->data->rollup;
    eti_group rest = {0};
    char name[40];
    for (size_t i = 0; i < n; i++) {
        const eti_group *group = &rollup->groups[groups[i]];
        eti__time_sum_add(&rest.time, &group->time);
        rest.n_events += group->n_events;
        rest.n_calls += group->n_calls;
    }
    if (is_nothing(&rest.time))
        return ETI_OK;
    eti__time_sum_add(so_far, &rest.time);
    op_row row = {.times = eti__group_row_of(rollup, &rest, NULL),
                  .cumulative = share_of(s, so_far)};
    row.times.method = s->method;
    snprintf(name, sizeof name, "(%zu more)", n);
    if (!eti__table_own_text(table, eti__text_of(name), &row.op))
        return eti_fail_memory(s->err);
    return eti__columns_add_row(table, columns->specs, columns->n, &row, s->err);
}

/* Adds the time of the rows to `so_far`, and the number of operators without one to `n_left`. */
static eti_status add_ops(const summary *s, eti_table *table, const section_columns *columns,
                          eti_time_sum *so_far, size_t *n_left) {
    const eti_rollup *rollup = &s->data->rollup;
    uint32_t *order = malloc((rollup->n_groups + 1) * sizeof *order);
    eti_arena scratch = {0};
    eti_status status = order ? ETI_OK : eti_fail_memory(s->err);
    size_t n = status == ETI_OK ? eti__rollup_sort(rollup, order) : 0;
    size_t top = s->options->top ? s->options->top : TOP;
    size_t n_shown = 0;
    for (; status == ETI_OK && n_shown < n && n_shown < top; n_shown++) {
        const eti_time_sum *time = &rollup->groups[order[n_shown]].time;
        if (is_nothing(time) && n_shown > 0 && !s->options->top)
            break; /* operators without time are not listed */
        eti__time_sum_add(so_far, time);
        status = add_op(s, table, columns, order[n_shown], so_far, &scratch);
        eti__arena_reset(&scratch);
    }
    *n_left += n - n_shown;
    if (status == ETI_OK && n_shown < n)
        status = add_other_ops(s, table, columns, order + n_shown, n - n_shown, so_far);
    free(order);
    eti__arena_free(&scratch);
    return status;
}

/* Adds the operators; kernels have a column only with split_variants. */
static eti_status add_operators(const summary *s) {
    section_columns columns = columns_of(s, op_columns, ETI_N_COLUMNS(op_columns));
    eti_table *table;
    eti_time_sum so_far = {.methods = 0};
    size_t n_left = 0;
    for (size_t i = 0; i < columns.n; i++) {
        if (columns.specs[i].set == set_kernel && !s->options->split_variants)
            columns.specs[i].name = NULL;
    }
    ETI_TRY(new_section(s, &table, "operators", "Operators", &columns));
    s->report->selected = s->report->n_sections - 1;
    if (s->n_parts == 0)
        ETI_TRY(add_ops(s, table, &columns, &so_far, &n_left));
    for (size_t i = 0; i < s->n_parts; i++)
        ETI_TRY(add_ops(&s->parts[i], table, &columns, &so_far, &n_left));
    if (n_left == 0)
        return ETI_OK;
    return eti__report_note(s->report, s->err, "and %zu more: %stop shows more", n_left,
                            eti__option_prefix());
}

/* ---- what varies ----------------------------------------------------------------------------- */

ETI_CELL_SETTER(eti_noisy_event, event_name, eti__text_cell(eti__event_label(row->event)))
static bool set_method(void *context, eti_cell *cell) {
    const eti_event_block *block = ((const eti_noisy_event *)context)->event->block;
    *cell = eti__text_cell(block->method_name.size > 0 ? block->method_name : block->label);
    return true;
}

ETI_CELL_SETTER(eti_noisy_event, block, eti__text_cell(row->event->block->label))
ETI_CELL_SETTER(eti_noisy_event, runs, eti__count_cell(row->n_runs))
ETI_CELL_SETTER(eti_noisy_event, median, eti__double_cell(row->median))
ETI_CELL_SETTER(eti_noisy_event, variation, eti__double_cell(row->variation))
ETI_CELL_SETTER(eti_noisy_event, event_share, eti__double_cell(row->share))

static const eti_column_spec noisy_columns[] = {
    METHOD_COLUMN(set_method),
    {"event_name", ETI_TEXTS, false, "name of the event", set_event_name},
    {"block", ETI_TEXTS, true, "EventBlock", set_block},
    {"runs", ETI_COUNTS, false, "number of runs after the warm-up", set_runs},
    {"p50", ETI_TIMES, false, "median after the warm-up", set_median},
    {"cv", ETI_SHARES, false, "standard deviation / mean", set_variation},
    {"share", ETI_SHARES, false, "share of the time of its block", set_event_share},
};

static eti_status add_noisy(const summary *s) {
    section_columns columns = columns_of(s, noisy_columns, ETI_N_COLUMNS(noisy_columns));
    eti_table *table;
    if (s->data->n_noisy == 0)
        return ETI_OK;
    ETI_TRY(new_section(s, &table, "noisiest", "What varies most from run to run", &columns));
    eti__table_mark_spread(table, "cv");
    for (size_t i = 0; i < s->data->n_noisy; i++) {
        eti_noisy_event row = s->data->noisy[i];
        ETI_TRY(eti__columns_add_row(table, columns.specs, columns.n, &row, s->err));
    }
    return ETI_OK;
}

/* ---- methods ------------------------------------------------------------------------------ */

static eti_status add_methods(const summary *s) {
    eti_table *table;
    ETI_TRY(new_overview_methods(&table, s->report, s->inspector, s->options, s->err));
    for (size_t i = 0; i < s->n_parts; i++)
        ETI_TRY(add_overview_method(table, s->parts[i].method, s->parts[i].data, s->err));
    return ETI_OK;
}

/* ---- all ----------------------------------------------------------------------------------- */

/* Adds the times of all methods, for formats that write more than tables. */
static eti_status add_times(const summary *s) {
    size_t n = s->n_parts > 0 ? s->n_parts : 1;
    eti_method_times *times = eti__arena_alloc_zero(&s->report->arena, n, sizeof *times);
    if (!times)
        return eti_fail_memory(s->err);
    s->report->methods = times;
    if (s->n_parts == 0)
        return add_method_times(s->report, times, (eti_text){0}, s->data, s->err);
    for (size_t i = 0; i < s->n_parts; i++)
        ETI_TRY(add_method_times(s->report, times, s->parts[i].method, s->parts[i].data, s->err));
    return ETI_OK;
}

static eti_status add_sections(const summary *s) {
    ETI_TRY(add_times(s));
    ETI_TRY(eti__view_add_answer(s->report, s->inspector, s->options, s->err));
    if (s->n_parts > 0)
        ETI_TRY(add_methods(s));
    ETI_TRY(add_account(s));
    ETI_TRY(add_backends(s));
    ETI_TRY(add_operators(s));
    ETI_TRY(add_noisy(s));
    ETI_TRY(add_overview_outliers(s->report, s->data, s->err));
    ETI_TRY(add_overview_facts(s->report, s->data, s->n_parts > 0, s->err));
    return eti__view_add_recording(s->report, s->inspector, s->err);
}

/* Makes an overview of each method, and one of all methods together. */
static eti_status summarize_methods(summary *s, const eti_summed_methods *methods) {
    eti_overview *data = calloc(methods->n, sizeof *data);
    summary *each = calloc(methods->n, sizeof *each);
    eti_status status = data && each ? ETI_OK : eti_fail_memory(s->err);
    for (size_t i = 0; i < methods->n && status == ETI_OK; i++) {
        const eti_summed_method *method = &methods->items[i];
        each[i] = *s;
        each[i].data = &data[i];
        each[i].method = method->name;
        status = eti__overview_make(&data[i], s->inspector, &method->options, s->err);
    }
    s->parts = each;
    s->n_parts = methods->n;
    if (status == ETI_OK)
        status = add_sections(s);
    for (size_t i = 0; data && i < methods->n; i++)
        eti__overview_free(&data[i]);
    free(data);
    free(each);
    return status;
}

static eti_status summarize_all(summary *s, eti_overview *data) {
    eti_summed_methods methods;
    ETI_TRY(eti__overview_make(data, s->inspector, s->options, s->err));
    eti_status status = eti__summed_methods_find(&methods, s->inspector, s->options, s->err);
    if (status == ETI_OK)
        status = methods.n > 1 ? summarize_methods(s, &methods) : add_sections(s);
    eti__summed_methods_free(&methods);
    return status;
}

eti_status eti__view_summarized(eti_report *report, const eti_inspector *inspector,
                                const eti_view_options *options, eti_error *err) {
    eti_overview data = {.n_noisy = 0};
    summary s = {
        .report = report, .inspector = inspector, .options = options, .data = &data, .err = err};
    eti_status status = summarize_all(&s, &data);
    eti__overview_free(&data);
    return status;
}
