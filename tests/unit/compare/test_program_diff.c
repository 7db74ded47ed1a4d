/* Compares two real programs: the differences in bytes add up, and calls change as the operators do. */
#include "compare/program_diff.h"

#include "support.h"

#include "profile/profile.h"

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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(categories_add_up_to_the_files),
        cmocka_unit_test(calls_are_new_or_gone),
        cmocka_unit_test(groups_need_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
