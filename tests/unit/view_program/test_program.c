/* Joins instructions of programs with the times of real runs. */
#include "account/account.h"
#include "model/model.h"
#include "table/parts.h"
#include "table/table.h"
#include "view_program/program.h"

#include "support.h"

/* A section of the view of a program and a dump in testdata/. */
typedef struct joined {
    eti_inspector *inspector;
    eti_report *report;
    eti_row_reader reader;
} joined;

static eti_status try_join(joined *out, const char *dump, const char *program, eti_error *failure) {
    eti_error err = ETI_ERROR_INIT;
    char paths[2][128];
    snprintf(paths[0], sizeof paths[0], "testdata/%s/run.etdp", dump);
    snprintf(paths[1], sizeof paths[1], "testdata/%s/model.pte", program);
    const eti_source sources[] = {{.path = paths[0]}, {.path = paths[1]}};
    const eti_inputs inputs = {
        .etdumps = &sources[0], .n_etdumps = 1, .programs = &sources[1], .n_programs = 1};
    eti_options options = ETI_OPTIONS_DEFAULT;
    static const eti_view_options view = ETI_VIEW_OPTIONS_DEFAULT;
    options.target_time_scale = ETI_SCALE_NS;
    assert_ok(eti__inspector_open(&out->inspector, &inputs, &options, &err));
    assert_ok(eti__report_new(&out->report, "program", ETI_SCALE_NS, &err));
    return eti__view_add_instructions(out->report, out->inspector, &view, failure);
}

static void join(joined *out, const char *name) {
    eti_error err = ETI_ERROR_INIT;
    assert_ok(try_join(out, name, name, &err));
    assert_true(eti__row_reader_open(&out->reader, out->report->sections[0].table));
}

static void end(joined *of, bool is_read) {
    if (is_read)
        eti__row_reader_close(&of->reader);
    eti_report_free(of->report);
    eti_inspector_close(of->inspector);
}

static const eti_cell *cell_at(joined *of, size_t row, const char *name) {
    const eti_table *table = of->report->sections[0].table;
    const eti_cell *cells = eti__row_reader_read(&of->reader, row);
    for (size_t i = 0; i < table->n_columns; i++) {
        eti_text column = table->columns[i].name;
        if (column.size >= strlen(name) && memcmp(column.data, name, strlen(name)) == 0)
            return &cells[i];
    }
    fail_msg("no column %s", name);
    return NULL;
}

static int64_t number_at(joined *of, size_t row, const char *name) {
    int64_t number;
    (void)eti__cell_read_int(cell_at(of, row, name), &number);
    return number;
}

static void instructions_have_times_and_bytes(void **state) {
    (void)state;
    joined of;
    double typical, bandwidth;
    join(&of, "mlp");
    assert_int_equal(of.report->sections[0].table->n_rows, 7);
    assert_text(cell_at(&of, 6, "call")->as_text, "(framework)");
    assert_int_equal(cell_at(&of, 6, "instruction")->kind, ETI_CELL_NONE);
    assert_text(cell_at(&of, 1, "call")->as_text, "aten::addmm.out");
    assert_int_equal(number_at(&of, 1, "read_bytes"), 16 * 4 + 2 * 8 * 4 + 8 * 16 * 4);
    assert_int_equal(number_at(&of, 1, "written_bytes"), 2 * 16 * 4);
    assert_int_equal(number_at(&of, 3, "in_use_bytes"), 256);
    assert_true(eti__cell_read_double(cell_at(&of, 1, "typical"), &typical));
    assert_true(typical > 0);
    assert_true(eti__cell_read_double(cell_at(&of, 1, "bytes_per_s"), &bandwidth));
    assert_true(bandwidth > 768 / (typical * 1e-9) * 0.999999); /* called once per run */
    assert_true(bandwidth < 768 / (typical * 1e-9) * 1.000001);
    end(&of, true);
}

/* A branch counts in the runs that took it, a loop with all its iterations. */
static void branches_and_loops_are_joined(void **state) {
    (void)state;
    joined of;
    join(&of, "control-flow");
    int64_t n_runs = number_at(&of, 0, "calls");
    int64_t first = number_at(&of, 3, "calls"), second = number_at(&of, 7, "calls");
    assert_true(first > 0 && second > 0); /* each branch was taken in some runs */
    assert_int_equal(first + second, n_runs);
    assert_int_equal(number_at(&of, 11, "calls"), 3 * n_runs);
    end(&of, true);
}

static void delegates_count_with_their_calls(void **state) {
    (void)state;
    joined of;
    double total, share, sum = 0;
    join(&of, "xnnpack-conv");
    assert_text(cell_at(&of, 0, "call")->as_text, "XnnpackBackend");
    assert_int_equal(number_at(&of, 0, "calls"), number_at(&of, 1, "calls")); /* none inside */
    for (size_t i = 0; i < of.report->sections[0].table->n_rows; i++) {
        assert_true(eti__cell_read_double(cell_at(&of, i, "total"), &total));
        assert_true(eti__cell_read_double(cell_at(&of, i, "share"), &share));
        sum += share;
    }
    assert_true(fabs(sum - 1) < 1e-9);
    end(&of, true);
}

/* Runs of two tokens and of six have the same bounds, of which no speed follows. */
static void bytes_that_depend_on_the_input_have_no_speed(void **state) {
    (void)state;
    joined of;
    double bandwidth;
    join(&of, "dynamic-views");
    assert_text(cell_at(&of, 2, "call")->as_text, "aten::sin.out");
    assert_int_equal(number_at(&of, 2, "read_bytes"), 8 * 8 * 4);
    assert_true(cell_at(&of, 2, "is_bound")->as_bool);
    assert_int_equal(cell_at(&of, 2, "bytes_per_s")->kind, ETI_CELL_NONE);
    assert_text(cell_at(&of, 4, "call")->as_text, "executorch_prim::et_view.default");
    assert_int_equal(number_at(&of, 4, "read_bytes") + number_at(&of, 4, "written_bytes"), 0);
    assert_false(cell_at(&of, 4, "is_bound")->as_bool);
    assert_true(eti__cell_read_double(cell_at(&of, 4, "bytes_per_s"), &bandwidth));
    assert_true(bandwidth == 0);
    assert_text(cell_at(&of, 7, "call")->as_text, "aten::copy_");
    assert_int_equal(number_at(&of, 7, "read_bytes"), 16);
    assert_true(eti__cell_read_double(cell_at(&of, 7, "bytes_per_s"), &bandwidth));
    assert_true(bandwidth > 0);
    end(&of, true);
}

static void a_foreign_dump_is_refused(void **state) {
    (void)state;
    joined of;
    eti_error err = ETI_ERROR_INIT;
    assert_fails(try_join(&of, "small", "mlp", &err), ETI_ERROR_DATA,
                 "this dump does not come from testdata/mlp/model.pte: its instruction 0 is "
                 "native_call_relu.out, but in method forward it is aten::permute_copy.out");
    end(&of, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_have_times_and_bytes),
        cmocka_unit_test(branches_and_loops_are_joined),
        cmocka_unit_test(delegates_count_with_their_calls),
        cmocka_unit_test(bytes_that_depend_on_the_input_have_no_speed),
        cmocka_unit_test(a_foreign_dump_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
