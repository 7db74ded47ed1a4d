#include "view/overview_facts.h"

#include "model/methods.h"
#include "stats/timescale.h"
#include "table/cell_text.h"
#include "table/columns.h"
#include "view/view.h"

#include <inttypes.h>

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

/* Adds the time of the event of this name: the median of the runs of the first block that has it. */
static void add_loading(facts *f, const char *fact, const char *event_name, const char *unit) {
    const eti_blocks *blocks = &f->data->inspector->blocks;
    for (size_t b = 0; b < blocks->n_blocks; b++) {
        for (size_t i = 0; i < blocks->blocks[b].n_events; i++) {
            const eti_event *event = &blocks->blocks[b].events[i];
            eti_summary times;
            if (eti__text_is(event->name, event_name) && eti_event_summary(event, &times)) {
                add_fact(f, fact, eti__double_cell(times.p50), unit);
                return;
            }
        }
    }
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
    add_loading(&f, "loading the method", "Program::load_method", unit);
    add_loading(&f, "Method::init", "Method::init", unit);
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
