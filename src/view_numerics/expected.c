#include "view_numerics/expected.h"

#include "gate/gate.h"
#include "table/table.h"
#include "view_events/view_events.h"
#include "view_numerics/failing.h"
#include "view_numerics/view_numerics.h"

#include <stdlib.h>

#define VERIFY "pass == false" /* the expression for --verify */

typedef struct expected_view {
    eti_verification of;
    eti_failing failing;
} expected_view;

typedef struct expected_row {
    const eti_verified_row *of;
    eti_row *out;
} expected_row;

/* ---- cells ------------------------------------------------------------------------------------ */

#define SETTER(name, value) ETI_CELL_SETTER(expected_row, name, value)
#define SETTER_IF(name, condition, value) ETI_CELL_SETTER_IF(expected_row, name, condition, value)
#define ERROR(name, value) SETTER_IF(name, row->of->verified.has_errors, eti__number_or_none(value))
#define METRIC(name)                                                                               \
    SETTER_IF(name, row->of->has_metrics, eti__number_or_none(row->of->metrics.name))
#define METRIC_COUNT(name)                                                                         \
    SETTER_IF(name, row->of->has_metrics, eti__count_cell(row->of->metrics.name))

/* Returns the tensor of the run, or else the expected one; NULL: neither is a tensor. */
static const eti_tensor_values *tensor_of(const expected_row *row) {
    const eti_bundle_value *expected = row->of->expected;
    if (row->of->tensor)
        return &row->of->tensor->values;
    return expected && expected->kind == ETI_BUNDLE_TENSOR && !expected->fault ? &expected->tensor
                                                                               : NULL;
}

SETTER(block, eti__text_cell(row->of->block->label))
SETTER(run, eti__count_cell(row->of->run))
SETTER(method, eti__text_cell(row->of->method))
SETTER(test_case, eti__count_cell(row->of->test_case))
SETTER(output, eti__count_cell(row->of->output))
SETTER_IF(dtype, tensor_of(row),
          eti__string_cell(eti__element_type(tensor_of(row)->scalar_type)->name))
SETTER(pass, eti__bool_cell(row->of->verified.verdict == ETI_VERIFY_PASSED))
SETTER(status, eti__string_cell(eti__verify_name(row->of->verified.verdict)))
SETTER_IF(failed, eti__verdict_compares(row->of->verified.verdict),
          eti__count_cell(row->of->verified.n_failed))
SETTER_IF(first_failed, row->of->verified.n_failed > 0,
          eti__count_cell(row->of->verified.first_failed))
ERROR(mean_abs, eti__errors_mean_abs(&row->of->verified.errors))
ERROR(max_abs, row->of->verified.errors.max_abs)
ERROR(mean_rel, eti__errors_mean_rel(&row->of->verified.errors))
ERROR(max_rel, row->of->verified.errors.max_rel)
METRIC(snr)
METRIC(cosine)
METRIC(mse)
METRIC(l1)
METRIC(rmse)
METRIC(psnr)
METRIC(ulp_max)
METRIC_COUNT(pairs)
METRIC_COUNT(mismatched)
METRIC_COUNT(nan_base)
METRIC_COUNT(nan_new)
METRIC_COUNT(inf_base)
METRIC_COUNT(inf_new)
SETTER_IF(identical, row->of->has_metrics, eti__bool_cell(row->of->metrics.identical))

static bool set_shape(void *context, eti_cell *cell) {
    const expected_row *row = context;
    const eti_tensor_values *values = tensor_of(row);
    if (!values)
        return true;
    eti__buffer_add_sizes(&row->out->scratch, values->sizes, values->n_dims);
    return eti__row_take_cell(row->out, ETI_CELL_TEXT, cell);
}

#define NUMBERS ETI_TYPE_FLOAT64, ETI_COLUMN_NUMBER

static const eti_column_spec columns[] = {
    {"block", ETI_TEXTS, false, "EventBlock of the run", set_block},
    {"method", ETI_TEXTS, false, "method that ran", set_method},
    {"test_case", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, "test case of the method",
     set_test_case},
    {"output", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, "output of the method", set_output},
    {"shape", ETI_TEXTS, false, "sizes of the output", set_shape},
    {"dtype", ETI_TEXTS, false, "data type of the elements", set_dtype},
    {"pass", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, false,
     "within the tolerances, as decided by the runtime", set_pass},
    {"status", ETI_TEXTS, false, "ok, or what differs", set_status},
    {"failed", ETI_COUNTS, false, "elements that differ by more than atol + |rtol * output|",
     set_failed},
    {"mean_abs", NUMBERS, false, "mean difference, in the precision of the output", set_mean_abs},
    {"max_abs", NUMBERS, false, "largest difference", set_max_abs},
    {"mean_rel", NUMBERS, false, "mean difference relative to the elements", set_mean_rel},
    {"max_rel", NUMBERS, false, "largest difference relative to the elements", set_max_rel},
    {"snr", NUMBERS, false, "signal-to-noise ratio, in dB", set_snr},
    {"cosine", NUMBERS, false, "cosine similarity", set_cosine},
    {"run", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "number of the run in its EventBlock",
     set_run},
    {"first_failed", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, true, "index of the first failed element",
     set_first_failed},
    {"mse", NUMBERS, true, "mean of the squared differences", set_mse},
    {"l1", NUMBERS, true, "sum of the differences", set_l1},
    {"rmse", NUMBERS, true, "root of the mean squared difference", set_rmse},
    {"psnr", NUMBERS, true, "peak signal-to-noise ratio, in dB", set_psnr},
    {"ulp_max", NUMBERS, true, "largest difference in units in the last place", set_ulp_max},
    {"pairs", ETI_COUNTS, true, "elements that are finite on both sides", set_pairs},
    {"mismatched", ETI_COUNTS, true, "elements that differ by more than atol + rtol * |expected|",
     set_mismatched},
    {"nan_base", ETI_COUNTS, true, "NaN in the expected output", set_nan_base},
    {"nan_new", ETI_COUNTS, true, "NaN in the output", set_nan_new},
    {"inf_base", ETI_COUNTS, true, "infinities in the expected output", set_inf_base},
    {"inf_new", ETI_COUNTS, true, "infinities in the output", set_inf_new},
    {"identical", ETI_TYPE_BOOL, ETI_COLUMN_TEXT, true, "same type, shape and bytes",
     set_identical},
};

static bool make_row(const void *context, size_t number, eti_row *out) {
    const expected_view *view = context;
    expected_row row = {&view->of.rows[eti__failing_row(&view->failing, number)], out};
    return eti__columns_set(columns, ETI_N_COLUMNS(columns), &row, out);
}

/* ---- rows that fail --------------------------------------------------------------------------- */

/* "Execute [input 1], test case 1, output 0: values: 3 elements, max_abs 0.5" */
static void describe(const void *context, size_t number, eti_buffer *key, eti_buffer *message,
                     eti_finding *out) {
    const expected_view *view = context;
    const eti_verified_row *row = &view->of.rows[number];
    const eti_verified_output *verified = &row->verified;
    out->name = row->method;
    out->block = row->block->label;
    eti__buffer_printf(key, "%.*s, run %zu, test case %u, output %u",
                       ETI_TEXT_ARGS(row->block->label), row->run, (unsigned)row->test_case,
                       (unsigned)row->output);
    eti__buffer_add_text(message, eti__buffer_text(key));
    eti__buffer_printf(message, ": %s", eti__verify_name(verified->verdict));
    if (eti__verdict_compares(verified->verdict))
        eti__buffer_printf(message, ", failed elements: %zu", (size_t)verified->n_failed);
    if (verified->has_errors)
        eti__buffer_printf(message, ", max_abs %.3g", verified->errors.max_abs);
}

static bool differs(const void *context, size_t number) {
    const expected_view *view = context;
    const eti_verified_row *row = &view->of.rows[number];
    return eti__verdict_compares(row->verified.verdict) &&
           (row->verified.n_failed > 0 || (row->has_metrics && eti__metrics_differ(&row->metrics)));
}

static eti_failing_rows rows_of(const expected_view *view) {
    return (eti_failing_rows){view->of.n, view->of.n_compared, differs, describe, view};
}

static void leave(void *context) {
    (void)context;
}

static eti_status choose_failing(expected_view *view, const eti_numerics_options *options,
                                 eti_time_scale scale, eti_error *err) {
    eti_table *table;
    const eti_failing_rows rows = rows_of(view);
    ETI_TRY(eti__columns_make_rows(&table, columns, ETI_N_COLUMNS(columns), view->of.n,
                                   (eti_row_source){make_row, leave, view}, NULL, err));
    eti_status status = eti__failing_choose(&view->failing, table, options, &rows, scale, err);
    eti_table_free(table);
    return status;
}

/* ---- the table -------------------------------------------------------------------------------- */

static void free_view(void *context) {
    expected_view *view = context;
    eti__verification_free(&view->of);
    eti__failing_free(&view->failing);
    free(view);
}

static eti_status check_enough(const expected_view *view, const eti_numerics_options *options,
                               eti_error *err) {
    const eti_verification *of = &view->of;
    ETI_TRY(eti__check_compared(of->n_compared, options, err));
    if (options->n_fail_on == 0 || view->failing.n > 0)
        return ETI_OK;
    if (of->n_unverified > 0)
        return eti_fail(err, ETI_ERROR_TOO_FEW,
                        "runs that could not be verified, because they recorded no outputs or "
                        "their test case expects none: %zu (verified: %zu)",
                        of->n_unverified, of->n_runs);
    if (of->n_uncompared > 0)
        return eti_fail(
            err, ETI_ERROR_TOO_FEW,
            "runs that %sfail_on could not judge, because none of their outputs could "
            "be compared: %zu of %zu: see their status without it, or fail them with %sverify",
            eti__option_prefix(), of->n_uncompared, of->n_runs, eti__option_prefix());
    const eti_failing_rows rows = rows_of(view);
    return eti__failing_check(&view->failing, options, &rows, err);
}

static eti_status make_view(expected_view *view, const eti_inspector *inspector,
                            const eti_numerics_options *options, struct eti_file *bundle,
                            eti_error *err) {
    ETI_TRY(eti__verification_make(&view->of, inspector, options, bundle, err));
    if (options->n_fail_on > 0)
        ETI_TRY(choose_failing(view, options, inspector->options.target_time_scale, err));
    return check_enough(view, options, err);
}

static eti_status add_table(eti_report *report, const eti_inspector *inspector,
                            const eti_numerics_options *options, struct eti_file *bundle,
                            eti_error *err) {
    expected_view *view = calloc(1, sizeof *view);
    eti_table *table;
    if (!view)
        return eti_fail_memory(err);
    eti_status status = make_view(view, inspector, options, bundle, err);
    if (status != ETI_OK) {
        free_view(view);
        return status;
    }
    const eti_verification *of = &view->of;
    size_t n = view->failing.is_asked ? view->failing.n : of->n;
    ETI_TRY(eti__columns_make_rows(&table, columns, ETI_N_COLUMNS(columns), n,
                                   (eti_row_source){make_row, free_view, view}, NULL, err));
    table->most_drawn = eti__view_most_drawn(inspector);
    ETI_TRY(eti__report_add(report, "outputs", NULL, table, err));
    report->sections[report->n_sections - 1].hides_empty = true;
    report->is_failed = view->failing.n > 0;
    const eti_failing_rows rows = rows_of(view);
    if (options->n_fail_on > 0)
        ETI_TRY(eti__failing_add_findings(report, &view->failing, options, &rows, err));
    return eti__report_note(report, err,
                            "verified runs: %zu, passed: %zu, not verified: %zu; tolerances: rtol "
                            "%g, atol %g",
                            of->n_runs, of->n_passed, of->n_unverified, options->tolerances.rtol,
                            options->tolerances.atol);
}

eti_status eti__expected_add(eti_report *report, const eti_inspector *inspector,
                             const eti_numerics_options *options, struct eti_file *bundle,
                             eti_error *err) {
    eti_numerics_options all = *options;
    const char **expressions;
    if (options->match || options->metric)
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "%s%s: outputs are paired with those of a test case by their numbers: leave it out",
            eti__option_prefix(), options->match ? "match" : "metric");
    if (!options->verify)
        return add_table(report, inspector, options, bundle, err);
    expressions = malloc((options->n_fail_on + 1) * sizeof *expressions);
    if (!expressions)
        return eti_fail_memory(err);
    expressions[0] = VERIFY;
    for (size_t i = 0; i < options->n_fail_on; i++)
        expressions[i + 1] = options->fail_on[i];
    all.fail_on = expressions;
    all.n_fail_on++;
    eti_status status = add_table(report, inspector, &all, bundle, err);
    free(expressions);
    return status;
}
