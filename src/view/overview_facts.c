#include "view/overview_facts.h"

#include "view_events/view_events.h"

#include <inttypes.h>
#include <stdlib.h>

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
        eti_account account;
        ETI_TRY(eti__account_new(&account, block, &inspector->options, err));
        for (size_t run = 0; run < block->n_runs; run++) {
            load_times *dump = &dumps[block->runs[run].dump - inspector->dumps];
            dump->sum += eti__account_elapsed(&account, number, run);
            dump->n += eti__account_calls(&account, number, run);
        }
        eti__account_free(&account);
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

/* Adds "run 5 (+88.8%), run 7 (-20.1%), 3 more", with their blocks if there are several. */
static void add_outlier_fact(facts *f) {
    const eti_run_list *list = &f->data->list;
    const eti_run_times *found[MOST_OUTLIERS];
    size_t n_found, n_all = find_outliers(list, found, &n_found);
    eti_buffer text = {0};
    if (n_all == 0)
        return;
    for (size_t i = 0; i < n_found; i++) {
        eti__buffer_add_string(&text, i > 0 ? ", " : "");
        if (list->n_blocks > 1) {
            eti__buffer_add_text(&text, list->blocks[found[i]->block].block->label);
            eti__buffer_add_char(&text, ' ');
        }
        eti__buffer_printf(&text, "run %" PRIu32 " (%+.1f%%)", found[i]->number,
                           found[i]->deviation * 100);
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
    if (list->has_execute && target != ETI_SCALE_CYCLES)
        add_rate(f, target);
}

eti_status eti__overview_add_facts(eti_report *report, const eti_overview *data, bool has_methods,
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

ETI_CELL_SETTER(outlier_row, block, eti__text_cell(row->list->blocks[row->run->block].block->label))
ETI_CELL_SETTER(outlier_row, run, eti__count_cell(row->run->number))
ETI_CELL_SETTER(outlier_row, elapsed, eti__double_cell(row->run->elapsed))
ETI_CELL_SETTER(outlier_row, deviation, eti__double_cell(row->run->deviation))
ETI_CELL_SETTER_IF(outlier_row, z, distance(row->run->z) < 1e300, eti__double_cell(row->run->z))

static const eti_column_spec outlier_columns[] = {
    {"block", ETI_TEXTS, false, "EventBlock", set_block},
    {"run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false,
     "number of the run in its block, counting from 0", set_run},
    {"elapsed", ETI_TIMES, false, "time of Method::execute", set_elapsed},
    {"deviation", ETI_SHARES, false, "difference from the median after the warm-up", set_deviation},
    {"z", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, true, "modified z-score", set_z},
};

eti_status eti__overview_add_outliers(eti_report *report, const eti_overview *data,
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
