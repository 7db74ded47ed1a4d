/* Tests the units and decimals in which people read times. */
#include "support.h"

#include "table/columns.h"
#include "table/selection.h"
#include "table/time_form.h"

static eti_error err;

typedef struct times {
    double p50, total;
} times;

ETI_CELL_SETTER(times, p50, eti__number_or_none(row->p50))
ETI_CELL_SETTER(times, total, eti__number_or_none(row->total))

static const eti_column_spec specs[] = {
    {"p50", ETI_TIMES, false, NULL, set_p50},
    {"total", ETI_TIMES, false, NULL, set_total},
};

/* A table of rows in milliseconds, or in `unit`. */
static eti_table *make_times(const times *rows, size_t n, const char *unit) {
    eti_table *table;
    assert_int_equal(eti__columns_make(&table, specs, COUNT_OF(specs), unit, &err), ETI_OK);
    for (size_t i = 0; i < n; i++) {
        times copy = rows[i];
        assert_int_equal(eti__columns_add_row(table, specs, COUNT_OF(specs), &copy, &err), ETI_OK);
    }
    return table;
}

static void assert_form(const eti_time_form *form, eti_time_scale scale, double factor,
                        int decimals) {
    assert_true(form->has_unit);
    assert_int_equal(form->scale, scale);
    assert_true(form->factor == factor);
    assert_int_equal(form->decimals, decimals);
}

static void find(eti_time_form forms[2], const times *rows, size_t n, const char *unit,
                 bool keeps_unit) {
    eti_table *table = make_times(rows, n, unit);
    assert_true(eti__time_forms_find(forms, table, NULL, keeps_unit));
    eti_table_free(table);
}

static void test_the_median_chooses(void **state) {
    (void)state;
    eti_time_form forms[2];
    static const times small[] = {{0.0012, 0.0121}, {0.04405, 0.4}, {0.1, 1}};
    find(forms, small, COUNT_OF(small), "ms", false);
    assert_form(&forms[0], ETI_SCALE_US, 1000, 2);
    /* one decimal less than on its own: as the first */
    assert_form(&forms[1], ETI_SCALE_US, 1000, 2);
    static const times whole[] = {{0.000210, 0.0042}, {0.000316, 0.0042}};
    find(forms, whole, COUNT_OF(whole), "ms", false);
    assert_form(&forms[0], ETI_SCALE_NS, 1e6, 0);
    assert_form(&forms[1], ETI_SCALE_NS, 1e6, 0);
    static const times seconds[] = {{1.0065, NAN}, {1.022, NAN}};
    find(forms, seconds, COUNT_OF(seconds), "s", false);
    assert_form(&forms[0], ETI_SCALE_S, 1, 3);
    assert_form(&forms[1], ETI_SCALE_S, 1, 0); /* the rows have no times, but the unit stays */
}

static void test_columns_far_apart_have_units_of_their_own(void **state) {
    (void)state;
    eti_time_form forms[2];
    static const times apart[] = {{0.0044, 4400.25}, {0.0045, 4500}};
    find(forms, apart, COUNT_OF(apart), "ms", false);
    assert_form(&forms[0], ETI_SCALE_US, 1000, 3);
    assert_form(&forms[1], ETI_SCALE_S, 0.001, 3);
    /* A long time selects a larger unit: seven digits are hard to read. */
    static const times tall[] = {{0.0044, 1}, {5000.5, 1}, {0.003, 1}};
    find(forms, tall, COUNT_OF(tall), "ms", false);
    assert_int_equal(forms[0].scale, ETI_SCALE_MS);
}

static void test_a_unit_that_was_asked_for_stays(void **state) {
    (void)state;
    eti_time_form forms[2];
    static const times small[] = {{0.0012, 0.012}, {0.04405, 0.4}};
    find(forms, small, COUNT_OF(small), "ms", true);
    assert_form(&forms[0], ETI_SCALE_MS, 1, 6);
    find(forms, small, COUNT_OF(small), "cycles", false);
    assert_int_equal(forms[0].scale, ETI_SCALE_CYCLES);
    assert_true(forms[0].factor == 1);
    find(forms, small, COUNT_OF(small), NULL, false);
    assert_false(forms[0].has_unit);
    assert_true(forms[0].factor == 1);
}

/* Neither the shown rows nor their order change the unit or the decimals. */
static void test_rows_that_are_shown_do_not_matter(void **state) {
    (void)state;
    times rows[1000];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        rows[i] = (times){i < 10 ? 2000.25 : 0.0105, 0.0205};
    eti_time_form all[2], some[2];
    eti_report *report;
    assert_int_equal(eti__report_new(&report, "test", ETI_SCALE_MS, &err), ETI_OK);
    eti_table *table = make_times(rows, COUNT_OF(rows), "ms");
    assert_int_equal(eti__report_add(report, "times", NULL, table, &err), ETI_OK);
    assert_true(eti__time_forms_find(all, table, NULL, false));
    const eti_selection selection = {
        .columns = "total,p50", .filter = "p50 > 1", .sort = "p50", .top = 3};
    assert_int_equal(eti__report_select(report, &selection, &err), ETI_OK);
    assert_true(eti__time_forms_find(some, report->sections[0].table, NULL, false));
    assert_int_equal(report->sections[0].table->n_rows, 3);
    assert_int_equal(some[1].decimals, all[0].decimals);
    assert_int_equal(all[0].decimals, 5);
    assert_int_equal(some[1].scale, all[0].scale);
    assert_true(some[1].factor == 1); /* a long time selects a larger unit */
    eti_report_free(report);
}

static void test_units_in_a_column(void **state) {
    (void)state;
    const eti_column columns[] = {
        {.name = {"value", 5}, .type = ETI_TYPE_UTF8, .kind = ETI_COLUMN_NUMBER},
        {.name = {"unit", 4}, .type = ETI_TYPE_UTF8, .kind = ETI_COLUMN_UNIT},
    };
    eti_table *table;
    assert_int_equal(eti__table_new(&table, columns, COUNT_OF(columns), &err), ETI_OK);
    assert_true(eti__has_units(table));
    eti_cell cells[] = {eti__double_cell(0.1167), eti__string_cell("ms")};
    eti__time_fit_units(cells, table, true);
    assert_true(cells[0].as_double == 116.7);
    assert_text(cells[1].as_text, "µs");
    eti__time_fit_units(cells, table, false); /* µs is not the name of a unit */
    assert_true(cells[0].as_double == 116.7);
    eti_cell ascii[] = {eti__double_cell(25), eti__string_cell("us")};
    eti__time_fit_units(ascii, table, false);
    assert_text(ascii[1].as_text, "us");
    eti_cell other[] = {eti__double_cell(0.1), eti__string_cell("1/s")};
    eti__time_fit_units(other, table, true);
    assert_true(other[0].as_double == 0.1);
    eti_table_free(table);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_median_chooses),
        cmocka_unit_test(test_columns_far_apart_have_units_of_their_own),
        cmocka_unit_test(test_a_unit_that_was_asked_for_stays),
        cmocka_unit_test(test_rows_that_are_shown_do_not_matter),
        cmocka_unit_test(test_units_in_a_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
