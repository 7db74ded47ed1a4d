#include "numerics/numerics.h"
#include "view_numerics/view_numerics.h"

#include "file_order.h"
#include "report_fixture.h"

#include <math.h>

static const float base_floats[] = {1, 2, 3, 4, 5, 6, 7, 8};
static const float new_floats[] = {1, 2, 3, 4, 5, 6, 7, 8.5F};

static const eti_numerics_options defaults = {.view = ETI_VIEW_OPTIONS_DEFAULT,
                                              .match = "instruction",
                                              .tolerances = {ETI_USUAL_RTOL, ETI_USUAL_ATOL},
                                              .test_case = ETI_NO_TEST_CASE_ASKED};

static place put_log(builder *b, const char *name, int32_t instruction, place tensor) {
    return LOGGED(b, .name = name, .instruction_id = SOME(instruction),
                  .value = TENSOR_VALUE(b, tensor));
}

static void open_run(session *s, const float *floats, const char *last) {
    static const eti_options options = {.target_time_scale = ETI_SCALE_MS, .no_debug_data = true};
    builder *b = &s->b;
    s->options = &options;
    const eti_source buffer = {"debug.bin", in_file_order(floats, COUNT_OF(base_floats), 4),
                               sizeof base_floats};
    s->debug_buffer = &buffer;
    open_session(s,
                 DUMP(b, RUN(b, "Execute", put_log(b, "add.out", 1, TENSOR(b, TYPE_FLOAT, 0, 4)),
                             put_log(b, last, 2, TENSOR(b, TYPE_FLOAT, 16, 4)))),
                 NULL);
}

static void open_both(session *base, session *newer, const char *last) {
    open_run(base, base_floats, "mul.out");
    open_run(newer, new_floats, last);
}

static eti_report *report_with(const session *base, const session *newer,
                               const eti_numerics_options *options) {
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__numerics_report(&report, base ? base->inspector : NULL, newer->inspector,
                                   options, &err));
    return report;
}

static void assert_refused(const session *base, const session *newer,
                           const eti_numerics_options *options, eti_status status,
                           const char *message) {
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(eti__numerics_report(&report, base ? base->inspector : NULL, newer->inspector,
                                          options, &err),
                     status);
    if (!strstr(err.message, message))
        fail_msg("'%s' is not in '%s'", message, err.message);
}

static void outputs_of_two_runs_are_compared(void **state) {
    (void)state;
    session base = {0}, newer = {0};
    open_both(&base, &newer, "mul.out");
    eti_report *report = report_with(&base, &newer, &defaults);
    const eti_table *table = table_of(report, "numerics");
    assert_int_equal(eti_table_row_count(table), 2);
    assert_true(isinf(cell_at(table, 0, "snr").as_double));
    assert_true(cell_at(table, 0, "identical").as_bool);
    assert_near(cell_at(table, 1, "mse").as_double, 0.0625);
    assert_near(cell_at(table, 1, "max_abs").as_double, 0.5);
    assert_int_equal(cell_at(table, 1, "mismatched").as_int, 1);
    assert_text(cell_at(table, 1, "max_abs_at").as_text, "[3]");
    assert_text(cell_at(table, 1, "event_name").as_text, "mul.out");
    assert_int_equal(cell_at(table, 1, "snr_drop").kind, ETI_CELL_NONE);
    assert_true(has_note(report, "numerics", "compared outputs: 2, matched by their instruction"));
    assert_false(eti_report_failed(report));
    eti_report_free(report);
    close_session(&base);
    close_session(&newer);
}

static void tensors_on_one_side_are_a_row(void **state) {
    (void)state;
    session base = {0}, newer = {0};
    open_both(&base, &newer, "div.out");
    eti_report *report = report_with(&base, &newer, &defaults);
    const eti_table *table = table_of(report, "numerics");
    assert_int_equal(eti_table_row_count(table), 3);
    assert_text(cell_at(table, 1, "status").as_text, "only new");
    assert_text(cell_at(table, 1, "event_name").as_text, "div.out");
    assert_text(cell_at(table, 2, "status").as_text, "only base");
    assert_int_equal(cell_at(table, 2, "snr").kind, ETI_CELL_NONE);
    eti_report_free(report);
    close_session(&base);
    close_session(&newer);
}

static void failing_outputs_are_shown_alone(void **state) {
    (void)state;
    static const char *const expressions[] = {"snr < 40", "status == 'only new'"};
    session base = {0}, newer = {0};
    eti_numerics_options options = defaults;
    open_both(&base, &newer, "mul.out");
    options.fail_on = expressions;
    options.n_fail_on = 2;
    eti_report *report = report_with(&base, &newer, &options);
    assert_int_equal(eti_table_row_count(table_of(report, "numerics")), 1);
    assert_true(eti_report_failed(report));
    eti_report_free(report);
    static const char *const none[] = {"snr < 1"};
    options.fail_on = none;
    options.n_fail_on = 1;
    report = report_with(&base, &newer, &options);
    assert_int_equal(eti_table_row_count(table_of(report, "numerics")), 0);
    assert_false(eti_report_failed(report));
    eti_report_free(report);
    static const char *const wrong[] = {"loss > 1"};
    options.fail_on = wrong;
    assert_refused(&base, &newer, &options, ETI_ERROR_USAGE, "loss");
    close_session(&base);
    close_session(&newer);
}

/* Opens a run with one tensor of n elements. */
static void open_one(session *s, int64_t n) {
    static const eti_options options = {.target_time_scale = ETI_SCALE_MS, .no_debug_data = true};
    builder *b = &s->b;
    s->options = &options;
    const eti_source buffer = {"debug.bin", in_file_order(base_floats, COUNT_OF(base_floats), 4),
                               sizeof base_floats};
    s->debug_buffer = &buffer;
    open_session(
        s, DUMP(b, RUN(b, "Execute", put_log(b, "add.out", 1, TENSOR(b, TYPE_FLOAT, 0, n)))), NULL);
}

static void too_few_outputs_are_no_answer(void **state) {
    (void)state;
    session base = {0}, newer = {0};
    eti_numerics_options options = defaults;
    open_both(&base, &newer, "mul.out");
    options.min_compared = 3;
    assert_refused(&base, &newer, &options, ETI_ERROR_TOO_FEW, "could be compared: 2");
    options = defaults;
    options.match = NULL;
    assert_refused(&base, &newer, &options, ETI_ERROR_USAGE, "has no ETRecord");
    options.match = "source";
    assert_refused(&base, &newer, &options, ETI_ERROR_TOO_FEW, "no recorded tensor is on both");
    assert_refused(NULL, &newer, &defaults, ETI_ERROR_USAGE, "nothing to compare with");
    close_session(&base);
    close_session(&newer);
}

static void nothing_to_judge_is_no_answer(void **state) {
    (void)state;
    static const char *const never[] = {"snr < 1"}, *const always[] = {"status == 'shape'"};
    session base = {0}, newer = {0};
    eti_numerics_options options = defaults;
    open_one(&base, 4);
    open_one(&newer, 8);
    options.fail_on = never;
    options.n_fail_on = 1;
    assert_refused(&base, &newer, &options, ETI_ERROR_TOO_FEW, "fail_on has nothing to judge");
    options.fail_on = always;
    eti_report *report = report_with(&base, &newer, &options);
    assert_true(eti_report_failed(report));
    eti_report_free(report);
    close_session(&base);
    close_session(&newer);
}

static const char header[] =
    "{\"x.0/1:add.out#0\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[0,"
    "16]},\"x.0/2:mul.out#0\":{\"dtype\":\"F32\",\"shape\":[2,3],"
    "\"data_offsets\":[16,40]}}";

static void a_file_may_be_the_base(void **state) {
    (void)state;
    session newer = {0};
    uint8_t bytes[8 + sizeof header - 1 + 40] = {sizeof header - 1};
    memcpy(bytes + 8, header, sizeof header - 1);
    memcpy(bytes + 8 + sizeof header - 1, in_file_order(base_floats, 4, 4), 16);
    const eti_source reference = {"x.safetensors", bytes, sizeof bytes};
    eti_numerics_options options = defaults;
    options.match = NULL;
    options.references = &reference;
    options.n_references = 1;
    open_run(&newer, new_floats, "mul.out");
    eti_report *report = report_with(NULL, &newer, &options);
    const eti_table *table = table_of(report, "numerics");
    assert_int_equal(eti_table_row_count(table), 2);
    assert_true(cell_at(table, 0, "identical").as_bool);
    assert_text(cell_at(table, 1, "status").as_text, "shape");
    assert_text(cell_at(table, 1, "shape").as_text, "[2, 3] / [4]");
    eti_report_free(report);
    options.metric = "mse";
    report = report_with(NULL, &newer, &options);
    table = table_of(report, "numeric_gap");
    assert_int_equal(eti_table_row_count(table), 2);
    const eti_cell gap = cell_at(table, 0, "gap");
    const double zero = 0;
    assert_int_equal(gap.n_items, 1);
    assert_memory_equal(gap.items, &zero, sizeof zero);
    assert_int_equal(cell_at(table, 1, "gap").kind, ETI_CELL_NONE);
    eti_report_free(report);
    close_session(&newer);
}

static void an_etdump_is_opened_as_the_base(void **state) {
    (void)state;
    const eti_source reference = {.path = "testdata/mlp/run.etdp"};
    session newer = {0};
    eti_numerics_options options = defaults;
    options.references = &reference;
    options.n_references = 1;
    open_run(&newer, new_floats, "mul.out");
    assert_refused(NULL, &newer, &options, ETI_ERROR_USAGE,
                   "testdata/mlp/run.etdp is an ETDump: open it with its debug buffer");
    close_session(&newer);
}

static void a_program_has_no_tensors(void **state) {
    (void)state;
    const eti_source source = {.path = "testdata/mlp/model.pte"};
    const eti_inputs inputs = {.programs = &source, .n_programs = 1};
    eti_inspector *opened;
    eti_error err = ETI_ERROR_INIT;
    session newer = {0};
    assert_ok(eti__inspector_open(&opened, &inputs, NULL, &err));
    const session program = {.inspector = opened};
    open_run(&newer, new_floats, "mul.out");
    assert_refused(&program, &newer, &defaults, ETI_ERROR_USAGE, "the base has no ETDump");
    assert_refused(&newer, &program, &defaults, ETI_ERROR_USAGE, "the new side has no ETDump");
    eti_inspector_close(opened);
    close_session(&newer);
}

/* Opens n runs with a debug buffer that has the tensors of the first `n_in_buffer`. */
static void open_cut_inputs(session *s, const float *floats, size_t n, size_t n_in_buffer) {
    static const eti_options options = {.target_time_scale = ETI_SCALE_MS, .no_debug_data = true};
    builder *b = &s->b;
    place runs[3];
    s->options = &options;
    const eti_source buffer = {"debug.bin", in_file_order(floats, n * 4, 4), n_in_buffer * 16};
    s->debug_buffer = &buffer;
    for (size_t i = 0; i < n; i++)
        runs[i] =
            RUN(b, "Execute", put_log(b, "add.out", 1, TENSOR(b, TYPE_FLOAT, (int64_t)i * 16, 4)));
    open_session(s, put_dump(b, (optional){0}, put_tables(b, runs, n)), NULL);
}

static void open_inputs(session *s, const float *floats, size_t n) {
    open_cut_inputs(s, floats, n, n);
}

static void several_inputs_are_one_row(void **state) {
    (void)state;
    static const float of_base[] = {1, 2, 3, 4, 5, 6, 7, 8, 1, 1, 1, 1};
    static const float of_newer[] = {1, 2, 3, 4, 5, 6, 7, 8.5F, 1, 1, 1, 3};
    session base = {0}, newer = {0}, other = {0};
    eti_numerics_options options = defaults;
    options.view.run = "all";
    open_inputs(&base, of_base, 3);
    open_inputs(&newer, of_newer, 3);
    eti_report *report = report_with(&base, &newer, &options);
    const eti_table *table = table_of(report, "numerics");
    assert_int_equal(eti_table_row_count(table), 1);
    assert_int_equal(cell_at(table, 0, "inputs").as_int, 3);
    assert_near(cell_at(table, 0, "snr_min").as_double, 0);
    assert_near(cell_at(table, 0, "snr_p50").as_double, 10 * log10(43.5 / 0.0625));
    assert_near(cell_at(table, 0, "max_abs_max").as_double, 2);
    assert_near(cell_at(table, 0, "max_abs").as_double, 2);
    assert_int_equal(cell_at(table, 0, "run").as_int, 2);
    assert_true(has_note(report, "numerics", "inputs: 3"));
    eti_report_free(report);
    options.is_each = true;
    report = report_with(&base, &newer, &options);
    table = table_of(report, "numerics");
    assert_int_equal(eti_table_row_count(table), 3);
    assert_int_equal(cell_at(table, 1, "run").as_int, 1);
    assert_near(cell_at(table, 1, "max_abs").as_double, 0.5);
    eti_report_free(report);
    open_inputs(&other, of_newer, 2);
    assert_refused(&base, &other, &options, ETI_ERROR_USAGE, "cannot be paired");
    close_session(&other);
    open_inputs(&other, of_newer, 1);
    assert_refused(&base, &other, &options, ETI_ERROR_USAGE, "cannot be paired");
    close_session(&base);
    close_session(&newer);
    close_session(&other);
}

/* The last of three runs lies beyond the end of the debug buffer. */
static void a_run_that_cannot_be_compared_does_not_pass(void **state) {
    (void)state;
    static const float of_base[] = {1, 2, 3, 4, 5, 6, 7, 8, 1, 1, 1, 1};
    static const char *const fine[] = {"snr < 1"}, *const fewer[] = {"inputs < 3"};
    session base = {0}, newer = {0};
    eti_numerics_options options = defaults;
    options.view.run = "all";
    open_inputs(&base, of_base, 3);
    open_cut_inputs(&newer, of_base, 3, 2);
    eti_report *report = report_with(&base, &newer, &options);
    assert_true(has_note(report, "numerics", "inputs: 3, compared runs: 2 of 3"));
    assert_true(has_note(report, "numerics",
                         "compared outputs: 1 (1 of them for only some of the inputs)"));
    eti_report_free(report);
    options.fail_on = fine;
    options.n_fail_on = 1;
    const char *message = "could be compared: 1 of 3, the first is run 2 of Execute";
    assert_refused(&base, &newer, &options, ETI_ERROR_TOO_FEW, message);
    options.is_each = true;
    assert_refused(&base, &newer, &options, ETI_ERROR_TOO_FEW, message);
    options.is_each = false;
    options.fail_on = fewer;
    report = report_with(&base, &newer, &options);
    assert_true(eti_report_failed(report));
    eti_report_free(report);
    options.fail_on = fine;
    options.view.run = "1";
    report = report_with(&base, &newer, &options);
    assert_false(eti_report_failed(report));
    eti_report_free(report);
    close_session(&base);
    close_session(&newer);
}

static void each_input_may_have_a_file(void **state) {
    (void)state;
    static const float of_newer[] = {1, 2, 3, 4, 5, 6, 7, 8.5F};
    session newer = {0};
    uint8_t bytes[2][8 + sizeof header - 1 + 40] = {{sizeof header - 1}, {sizeof header - 1}};
    eti_source references[3];
    for (size_t i = 0; i < 2; i++) {
        memcpy(bytes[i] + 8, header, sizeof header - 1);
        memcpy(bytes[i] + 8 + sizeof header - 1, in_file_order(base_floats + 4 * i, 4, 4), 16);
        references[i] = (eti_source){"x.safetensors", bytes[i], sizeof bytes[i]};
    }
    references[2] = references[0];
    eti_numerics_options options = defaults;
    options.references = references;
    options.n_references = 2;
    options.view.run = "all";
    open_inputs(&newer, of_newer, 2);
    eti_report *report = report_with(NULL, &newer, &options);
    const eti_table *table = table_of(report, "numerics");
    assert_int_equal(eti_table_row_count(table), 2); /* and tensors that only the files have */
    assert_int_equal(cell_at(table, 0, "inputs").as_int, 2);
    assert_near(cell_at(table, 0, "max_abs_max").as_double, 0.5);
    assert_int_equal(cell_at(table, 0, "input").as_int, 1);
    assert_int_equal(cell_at(table, 1, "inputs").as_int, 0);
    assert_text(cell_at(table, 1, "status").as_text, "only base");
    eti_report_free(report);
    options.n_references = 3;
    assert_refused(NULL, &newer, &options, ETI_ERROR_USAGE, "references: 3");
    options.n_references = 2;
    options.metric = "mse";
    assert_refused(NULL, &newer, &options, ETI_ERROR_USAGE, "one reference");
    close_session(&newer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outputs_of_two_runs_are_compared),
        cmocka_unit_test(tensors_on_one_side_are_a_row),
        cmocka_unit_test(failing_outputs_are_shown_alone),
        cmocka_unit_test(too_few_outputs_are_no_answer),
        cmocka_unit_test(nothing_to_judge_is_no_answer),
        cmocka_unit_test(a_file_may_be_the_base),
        cmocka_unit_test(an_etdump_is_opened_as_the_base),
        cmocka_unit_test(a_program_has_no_tensors),
        cmocka_unit_test(several_inputs_are_one_row),
        cmocka_unit_test(a_run_that_cannot_be_compared_does_not_pass),
        cmocka_unit_test(each_input_may_have_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
