#include "view/overview_methods.h"

#include "view_events/view_events.h"

#include <stdlib.h>

typedef struct method_row {
    eti_text name;
    size_t n_runs, n_warm_up;
    bool has_first, has_times, has_rate;
    double first_run;  /* median over the ETDumps */
    eti_summary times; /* of runs after the warm-up */
    double share, rate;
} method_row;

ETI_CELL_SETTER(method_row, name, eti__text_cell(row->name))
ETI_CELL_SETTER(method_row, runs, eti__count_cell(row->n_runs))
ETI_CELL_SETTER(method_row, warm_up_runs, eti__count_cell(row->n_warm_up))
ETI_CELL_SETTER_IF(method_row, first_run, row->has_first, eti__double_cell(row->first_run))
ETI_CELL_SETTER_IF(method_row, p50, row->has_times, eti__double_cell(row->times.p50))
ETI_CELL_SETTER_IF(method_row, avg, row->has_times, eti__double_cell(row->times.avg))
ETI_CELL_SETTER_IF(method_row, share, row->has_times, eti__double_cell(row->share))
ETI_CELL_SETTER_IF(method_row, rate, row->has_rate, eti__double_cell(row->rate))

static const eti_column_spec columns[] = {
    {"method", ETI_TEXTS, false, "method, or the EventBlock if its method is unknown", set_name},
    {"runs", ETI_COUNTS, false, "runs of the method", set_runs},
    {"warm_up_runs", ETI_COUNTS, false, "warm-up runs, left out of the following columns",
     set_warm_up_runs},
    {"first_run", ETI_TIMES, false, "time of the method's first run in an ETDump", set_first_run},
    {"p50", ETI_TIMES, false, "median time of a run after the warm-up", set_p50},
    {"avg", ETI_TIMES, false, "mean time of a run after the warm-up", set_avg},
    {"share", ETI_SHARES, false, "share of the time of all runs after the warm-up", set_share},
    {"per_second", ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER, false,
     "runs per second after the warm-up, on average", set_rate},
};

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

/* Returns the share of a method, computed from sums of ticks like other shares. */
static double share_of(const eti_overview *data) {
    eti_ticks sum = {0};
    for (size_t i = 0; i < data->list.n_runs; i++) {
        const eti_run_times *run = &data->list.runs[i];
        if (!run->is_warm_up)
            eti__wide_add(&sum, eti__wide_of(eti__run_ticks(run, ETI_ROLE_KERNEL, ETI_ROLE_LOAD)));
    }
    return eti__rollup_share(&data->rollup, sum);
}

eti_status eti__overview_new_methods(eti_table **out, eti_report *report,
                                     const eti_inspector *inspector,
                                     const eti_view_options *options, eti_error *err) {
    return eti__columns_add_section(out, report, "methods", "Methods", columns,
                                    ETI_N_COLUMNS(columns), eti__view_unit(inspector, options),
                                    err);
}

eti_status eti__overview_add_method(eti_table *table, eti_text method, const eti_overview *data,
                                    eti_error *err) {
    eti_time_scale scale = data->inspector->options.target_time_scale;
    method_row row = {.name = method,
                      .n_runs = data->list.n_runs,
                      .n_warm_up = data->rollup.runs.n_warm_up,
                      .share = share_of(data)};
    double *values = malloc((3 * data->list.n_runs + 1) * sizeof *values);
    if (!values)
        return eti_fail_memory(err);
    summarize(&row, data, values);
    free(values);
    row.has_rate = data->list.has_execute && scale != ETI_SCALE_CYCLES && row.times.avg > 0;
    if (row.has_rate)
        row.rate = eti__time_scale_factor(scale, ETI_SCALE_S, 0) / row.times.avg;
    return eti__columns_add_row(table, columns, ETI_N_COLUMNS(columns), &row, err);
}
