/* What repeated runs tell of the noise between them: from how many runs on, and between files. */
#include "compare/diff_report.h"
#include "compare/profile.h"
#include "report_fixture.h"

#include "base/text.h"

/* Of a baseline with one event: a cell of its row. */
static eti_cell noise_of(const char *block, const char *column) {
    eti_buffer text = {0};
    eti_profile *profile;
    eti_report *report;
    eti_error err = ETI_ERROR_INIT;
    eti__buffer_printf(&text, "etinspect-baseline,1\ntime_scale,ns\nblock,E,,%s\n", block);
    const eti_source source = {"a.csv", text.data, text.size};
    assert_ok(eti__profile_read(&profile, &source, NULL, &err));
    assert_ok(eti__noise_report(&report, profile, 0, NULL, &err));
    eti_cell cell = cell_at(table_of(report, "events"), 0, column);
    assert_int_not_equal(cell.kind, ETI_CELL_TEXT);
    eti_report_free(report);
    eti_profile_free(profile);
    eti__buffer_free(&text);
    return cell;
}

static void four_runs_have_noise(void **state) {
    (void)state;
    assert_int_equal(noise_of("3,0\nkernel,a,,,,,,,,,10;20;30", "mad").kind, ETI_CELL_NONE);
    /* the median is 25, from which they are 15, 5, 5 and 15 away */
    assert_near(noise_of("4,0\nkernel,a,,,,,,,,,10;20;30;40", "mad").as_double, 10e-6);
}

/* Their medians are 100, 110 and 105, and 300 where there are too few runs. */
static void files_of_five_runs_differ_by_their_medians(void **state) {
    (void)state;
    assert_near(noise_of("19,0,5;10;14\nkernel,a,,,,,,,,,"
                         "98;99;100;101;102;90;100;110;120;130;300;300;300;300;"
                         "105;105;105;105;105",
                         "between_files")
                    .as_double,
                110.0 / 100 - 1);
    assert_int_equal(noise_of("9,0,5\nkernel,a,,,,,,,,,1;2;3;4;5;6;7;8;9", "between_files").kind,
                     ETI_CELL_NONE);
    assert_int_equal(noise_of("10,0\nkernel,a,,,,,,,,,1;2;3;4;5;6;7;8;9;10", "between_files").kind,
                     ETI_CELL_NONE);
}

/* What 800 of 805 runs take is certain to the tick, but the five of the second file take 10.4 % more. */
static void the_threshold_is_beyond_what_files_differ_by(void **state) {
    (void)state;
    eti_buffer block = {0};
    eti__buffer_add_string(&block, "805,0,800\nkernel,a,,,,,,,,,1000");
    eti__buffer_add_repeated(&block, ";1000", 799);
    eti__buffer_add_repeated(&block, ";1104", 5);
    eti__buffer_add_char(&block, '\0');
    assert_near(noise_of(block.data, "between_files").as_double, 0.104);
    assert_near(noise_of(block.data, "threshold").as_double, 0.11);
    eti__buffer_free(&block);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(four_runs_have_noise),
        cmocka_unit_test(files_of_five_runs_differ_by_their_medians),
        cmocka_unit_test(the_threshold_is_beyond_what_files_differ_by),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
