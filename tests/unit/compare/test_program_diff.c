#include "support.h"

#include "plan_fixture.h"

#include "compare/compare.h"
#include "compare/parts.h"
#include "model/model.h"
#include "profile/profile.h"
#include "table/table.h"

/* ==== program diff ============================================================================ */
/* Compares two real programs: the differences in bytes add up, and calls change as the operators do. */

static eti_profile *open_profile(const char *path) {
    const eti_source source = {.path = path};
    const eti_inputs inputs = {.programs = &source, .n_programs = 1};
    eti_error err = ETI_ERROR_INIT;
    eti_profile *profile;
    assert_ok(eti__profile_open(&profile, &inputs, NULL, NULL, &err));
    return profile;
}

static eti_report *compare(const char *base, const char *new_side) {
    eti_error err = ETI_ERROR_INIT;
    eti_profile *sides[] = {open_profile(base), open_profile(new_side)};
    eti_report *report;
    assert_ok(eti__program_diff_report(&report, sides[0], sides[1], NULL, &err));
    eti_profile_free(sides[0]);
    eti_profile_free(sides[1]);
    return report;
}

static const eti_cell *cell_at(const eti_table *table, size_t row, size_t column) {
    return &table->cells[row * table->n_columns + column];
}

/* kind, name, method, base_bytes, new_bytes */
static void categories_add_up_to_the_files(void **state) {
    (void)state;
    eti_report *report = compare("testdata/small/model.pte", "testdata/xnnpack-conv/model.pte");
    const eti_table *table = report->sections[0].table;
    int64_t sums[2] = {0, 0};
    for (size_t row = 1; row < table->n_rows; row++) {
        for (size_t side = 0; side < 2; side++) {
            if (eti__text_is(cell_at(table, row, 0)->as_text, "category"))
                sums[side] += cell_at(table, row, 3 + side)->as_int;
        }
    }
    for (size_t side = 0; side < 2; side++)
        assert_int_equal(sums[side], cell_at(table, 0, 3 + side)->as_int);
    assert_int_equal(sums[1], 6416); /* row of the file */
    eti_report_free(report);
}

/* verdict, kind, name, base_calls, new_calls; unchanged rows come last and are hidden from people */
static void calls_are_new_or_gone(void **state) {
    (void)state;
    eti_report *report = compare("testdata/small/model.pte", "testdata/xnnpack-conv/model.pte");
    const eti_section *calls = &report->sections[1];
    const char *const expected[][3] = {{"new", "delegate", "XnnpackBackend"},
                                       {"gone", "operator", "aten::add.out"},
                                       {"gone", "operator", "aten::relu.out"},
                                       {"new", "operator", "aten::cumsum.out"},
                                       {"new", "operator", "aten::mean.out"}};
    assert_int_equal(calls->table->n_rows, COUNT_OF(expected));
    assert_int_equal(calls->n_kept_back, 0);
    for (size_t row = 0; row < COUNT_OF(expected); row++) {
        for (size_t column = 0; column < 3; column++)
            assert_text(cell_at(calls->table, row, column)->as_text, expected[row][column]);
    }
    assert_int_equal(cell_at(calls->table, 0, 4)->as_int, 2);
    eti_report_free(report);
    report = compare("testdata/mlp/model.pte", "testdata/mlp/inline.pte");
    assert_int_equal(report->sections[1].n_kept_back, report->sections[1].table->n_rows);
    assert_int_equal(report->sections[2].table->n_rows, 0);
    eti_report_free(report);
}

static void groups_need_times(void **state) {
    (void)state;
    eti_error err = ETI_ERROR_INIT;
    eti_diff_options options = ETI_DIFF_OPTIONS_DEFAULT;
    eti_profile *profile = open_profile("testdata/mlp/model.pte");
    eti_report *report;
    options.group = "op";
    assert_fails(eti__program_diff_report(&report, profile, profile, &options, &err),
                 ETI_ERROR_USAGE, "programs contain no times");
    eti_profile_free(profile);
}

/* ==== moved tensors =========================================================================== */
/* Compares planned tensors of two exports: numbers of values differ, so places are compared. */

static plan_fixture moved_base, moved_new_side;

/* x -> add -> y at `offset`, and y -> view-like copy -> z. */
static void make_plan(plan_fixture *f, uint64_t offset, int32_t bytes, int n_unused_values) {
    start_plan(f);
    for (int i = 0; i < n_unused_values; i++)
        add_number(f, i);
    int32_t x = add_tensor(f, 0, 16), y = add_tensor(f, offset, bytes), z = add_tensor(f, 64, 16);
    add_input(f, x);
    add_output(f, z);
    add_kernel(f, ADD, x, y, y);
    add_kernel(f, ADD, y, z, z);
    find_lives(f);
}

static eti_report *moved_report;

static eti_table *compare_moved(void) {
    eti_error err = ETI_ERROR_INIT;
    eti_table *table;
    assert_ok(eti__report_new(&moved_report, "diff", ETI_SCALE_MS, &err));
    assert_ok(eti__moved_tensors_begin(&table, moved_report, &err));
    assert_ok(eti__moved_tensors_add(table, eti__text_of("forward"), &moved_base.arenas,
                                     &moved_new_side.arenas, &err));
    return table;
}

static const eti_cell *moved_cell_at(const eti_table *table, size_t row, const char *name) {
    for (size_t i = 0; i < table->n_columns; i++) {
        if (eti__text_is(table->columns[i].name, name))
            return &table->cells[row * table->n_columns + i];
    }
    fail_msg("no column %s", name);
    return NULL;
}

static void end(void) {
    eti_report_free(moved_report);
    end_plan(&moved_base);
    end_plan(&moved_new_side);
}

static void places_count_and_not_numbers(void **state) {
    (void)state;
    make_plan(&moved_base, 16, 16, 0);
    make_plan(&moved_new_side, 16, 16, 5);
    assert_int_equal(compare_moved()->n_rows, 0);
    end();
}

static void another_offset_is_a_move(void **state) {
    (void)state;
    make_plan(&moved_base, 16, 16, 0);
    make_plan(&moved_new_side, 32, 16, 0);
    eti_table *table = compare_moved();
    assert_int_equal(table->n_rows, 1);
    assert_text(moved_cell_at(table, 0, "verdict")->as_text, "moved");
    assert_text(moved_cell_at(table, 0, "tensor")->as_text, "aten::add.out");
    assert_int_equal(moved_cell_at(table, 0, "base_offset")->as_int, 16);
    assert_int_equal(moved_cell_at(table, 0, "new_offset")->as_int, 32);
    end();
}

static void another_shape_is_another_tensor(void **state) {
    (void)state;
    make_plan(&moved_base, 16, 16, 0);
    make_plan(&moved_new_side, 16, 12, 0);
    eti_table *table = compare_moved();
    assert_int_equal(table->n_rows, 2);
    assert_text(moved_cell_at(table, 0, "verdict")->as_text, "gone");
    assert_int_equal(moved_cell_at(table, 0, "new_offset")->kind, ETI_CELL_NONE);
    assert_text(moved_cell_at(table, 1, "verdict")->as_text, "new");
    assert_text(moved_cell_at(table, 1, "shape")->as_text, "[12]");
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(categories_add_up_to_the_files),
        cmocka_unit_test(calls_are_new_or_gone),
        cmocka_unit_test(groups_need_times),
        cmocka_unit_test(places_count_and_not_numbers),
        cmocka_unit_test(another_offset_is_a_move),
        cmocka_unit_test(another_shape_is_another_tensor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
