#include "table_text.h"

#include "support.h"

#include "table_cell.h"

#include <math.h>

/* ==== cell text =============================================================================== */

static void assert_cell_text(eti_cell cell, const char *expected) {
    eti_number_text number = {.size = 0};
    eti_text text = eti__cell_text(&cell, &number);
    assert_non_null(text.data);
    assert_true(eti__text_is(text, expected));
}

static void test_every_kind(void **state) {
    (void)state;
    assert_cell_text((eti_cell)NO_CELL, "");
    assert_cell_text((eti_cell)NAN_CELL, "");
    assert_cell_text((eti_cell)BOOL(true), "True");
    assert_cell_text((eti_cell)BOOL(false), "False");
    assert_cell_text((eti_cell)DOUBLE(12), "12.0");
    assert_cell_text((eti_cell)DOUBLE(NAN), "");
    assert_cell_text((eti_cell)DOUBLE(-INFINITY), "-inf");
    assert_cell_text((eti_cell)TEXT(" text "), " text ");
    assert_cell_text((eti_cell)LIST("[5, 5]"), "[5, 5]");
    assert_cell_text((eti_cell){.kind = ETI_CELL_TEXT}, "");
}

static void test_integers(void **state) {
    (void)state;
    assert_cell_text((eti_cell)INT(0), "0");
    assert_cell_text((eti_cell)INT(-10), "-10");
    assert_cell_text((eti_cell)INT(INT64_MAX), "9223372036854775807");
    assert_cell_text((eti_cell)INT(INT64_MIN), "-9223372036854775808");
}

static void test_nan(void **state) {
    (void)state;
    assert_true(eti__cell_is_nan(&(eti_cell)NAN_CELL));
    assert_true(eti__cell_is_nan(&(eti_cell)DOUBLE(NAN)));
    assert_false(eti__cell_is_nan(&(eti_cell)DOUBLE(INFINITY)));
    assert_false(eti__cell_is_nan(&(eti_cell)NO_CELL));
    assert_false(eti__cell_is_nan(&(eti_cell)TEXT("nan")));
}

static void test_json(void **state) {
    (void)state;
    const eti_text listed[] = {{"a", 1}, {"b", 1}};
    eti_cell text_of_list = LIST("['a' ... (2 total)");
    text_of_list.items = listed;
    text_of_list.n_items = 2;
    const struct {
        eti_cell cell;
        const char *expected;
    } examples[] = {
        {NO_CELL, "null"},
        {NAN_CELL, "null"},
        {BOOL(true), "true"},
        {BOOL(false), "false"},
        {INT(INT64_MIN), "-9223372036854775808"},
        {INT(INT64_MAX), "9223372036854775807"},
        {DOUBLE(0.1), "0.1"},
        {DOUBLE(-0.0), "-0.0"},
        {DOUBLE(5e-324), "5e-324"},
        {DOUBLE(1e22), "1e+22"},
        {DOUBLE(0.1 + 0.2), "0.30000000000000004"},
        {DOUBLE(NAN), "\"NaN\""},
        {DOUBLE(-INFINITY), "\"-Infinity\""},
        {TEXT("NaN"), "\"NaN\""},
        {TEXT("a\"b"), "\"a\\\"b\""},
        {LIST("[1, 2]"), "\"[1, 2]\""},
        {text_of_list, "[\"a\", \"b\"]"},
        {DOUBLES(1.5, NAN, 2), "[1.5, \"NaN\", 2.0]"},
        {UINTS(0, UINT64_MAX), "[0, 18446744073709551615]"},
        {INTS(-1, INT64_MIN), "[-1, -9223372036854775808]"},
        {TEXTS({"a", 1}, {"\n", 1}, {NULL, 0}), "[\"a\", \"\\n\", null]"},
        {{.kind = ETI_CELL_TEXTS}, "[]"},
        {INT_LISTS(INT_LIST(1, -3), {NULL, 0}), "[[1, -3], []]"},
        {{.kind = ETI_CELL_INT_LISTS}, "[]"},
    };
    for (size_t i = 0; i < COUNT(examples); i++) {
        eti_buffer out = {0};
        eti__cell_add_json(&out, &examples[i].cell);
        assert_true(eti__text_is(eti__buffer_text(&out), examples[i].expected));
        eti__buffer_free(&out);
    }
}

/* In a compact array, too, lists have blanks: they are values of the table. */
static void test_json_values(void **state) {
    (void)state;
    const eti_cell values[] = {INT(1), DOUBLES(1, 2), NO_CELL};
    eti_buffer out = {0};
    eti_json_writer json = eti__json_writer(&out, ETI_JSON_COMPACT);
    eti__json_open_array(&json);
    for (size_t i = 0; i < COUNT(values); i++)
        eti__json_add_cell(&json, &values[i]);
    eti__json_close_level(&json);
    assert_true(eti__text_is(eti__buffer_text(&out), "[1,[1.0, 2.0],null]"));
    eti__buffer_free(&out);
}

/* ==== time form =============================================================================== */
/* Tests the units and decimals in which people read times. */

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

/* ==== untrusted =============================================================================== */
/* Makes copies of tables for terminals and spreadsheets. */

static eti_table *new_table(void) {
    const eti_column columns[] = {{.name = {"first", 5}}, {.name = {"second", 6}}};
    eti_table *table = NULL;
    assert_int_equal(eti__table_new(&table, columns, 2, NULL), ETI_OK);
    return table;
}

static void assert_visible(eti_text text, const char *expected) {
    eti_table *table = new_table(), *visible = NULL;
    eti_cell *cells = eti__table_add_row(table);
    cells[0] = (eti_cell){.kind = ETI_CELL_TEXT, .as_text = text};
    cells[1] = (eti_cell){.kind = ETI_CELL_INT, .as_int = 7};
    table->index_column = true;
    assert_int_equal(eti__table_make_visible(&visible, table, NULL), ETI_OK);
    assert_true(visible->index_column);
    assert_int_equal(eti_table_row_count(visible), 1);
    assert_true(eti__text_is(eti_table_column_name(visible, 0), "first"));
    assert_true(eti__text_is(table_cell(visible, 0, 0).as_text, expected));
    assert_int_equal(table_cell(visible, 0, 1).as_int, 7);
    assert_true(eti__text_equal(table_cell(table, 0, 0).as_text, text));
    eti_table_free(visible);
    eti_table_free(table);
}

static void control_characters_are_spelled_out(void **state) {
    (void)state;
    assert_visible((eti_text){"plain \303\251", 8}, "plain \303\251");
    assert_visible((eti_text){"\033[31mred\033[0m", 12}, "\\x1b[31mred\\x1b[0m");
    assert_visible((eti_text){"a\tb\rc\0d\177", 8}, "a\\x09b\\x0dc\\x00d\\x7f");
    assert_visible((eti_text){"\302\2332J\302\240", 6}, "\\x9b2J\302\240");
    assert_visible((eti_text){"two\nlines", 9}, "two\nlines");
}

static void direction_marks_are_spelled_out(void **state) {
    (void)state;
    assert_visible((eti_text){"\342\200\256gnp.exe", 10}, "\\u202egnp.exe");
    assert_visible((eti_text){"a\342\201\246b\330\234", 6 + 1}, "a\\u2066b\\u061c");
}

static void lines_marks_and_units_have_a_form_in_ascii(void **state) {
    (void)state;
    static const char *const texts[][2] = {
        {"12.5 \302\265s", "12.5 us"},
        {"47 \302\260C", "47 C"},
        {"a \342\200\223 b \342\200\224 c\342\200\246", "a - b - c..."},
        {"\342\224\234\342\224\200 x\342\200\240", "|- x^"},
        {"\342\224\202  \342\224\224\342\224\200 y", "|  `- y"},
        {"\303\251", "\\xe9"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        eti_buffer out = {0};
        eti__add_visible(&out, eti__text_of(texts[i][0]), ETI_VISIBLE_ASCII);
        assert_true(eti__text_is(eti__buffer_text(&out), texts[i][1]));
        eti__buffer_free(&out);
    }
}

static void marks_of_a_second_meaning_have_their_own_sign(void **state) {
    (void)state;
    eti_column columns[] = {{.kind = ETI_COLUMN_MARK},
                            {.kind = ETI_COLUMN_SHARE},
                            {.kind = ETI_COLUMN_MARK},
                            {.kind = ETI_COLUMN_MARK}};
    const eti_table table = {.columns = columns, .n_columns = COUNT_OF(columns)};
    assert_string_equal(eti__mark_sign(&table, 0, true), "*");
    assert_string_equal(eti__mark_sign(&table, 0, false), "*");
    assert_string_equal(eti__mark_sign(&table, 2, true), "\342\200\240");
    assert_string_equal(eti__mark_sign(&table, 2, false), "^");
    assert_string_equal(eti__mark_sign(&table, 3, false), "^");
}

static void times_in_sentences_have_four_digits(void **state) {
    (void)state;
    static const struct {
        double time;
        eti_time_scale scale;
        const char *text;
    } cases[] = {
        {22.7712, ETI_SCALE_MS, "22.77 ms"},
        {0.3049, ETI_SCALE_MS, "304.9 \302\265s"},
        {0.0023871, ETI_SCALE_MS, "2.387 \302\265s"},
        {9.9994, ETI_SCALE_MS, "9.999 ms"},
        {9.99951, ETI_SCALE_MS, "10.00 ms"},
        {99.9951, ETI_SCALE_MS, "100.0 ms"},
        {999.951, ETI_SCALE_MS, "1000 ms"},
        {1000, ETI_SCALE_MS, "1.000 s"},
        {12345, ETI_SCALE_S, "12345 s"}, /* there is no larger unit */
        {0.25, ETI_SCALE_NS, "0.250 ns"},
        {0, ETI_SCALE_US, "0.000 ns"},
        {-1500, ETI_SCALE_NS, "-1.500 \302\265s"},
        {1234567, ETI_SCALE_CYCLES, "1234567 cycles"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_buffer out = {0};
        eti__add_time(&out, cases[i].time, cases[i].scale);
        assert_text(eti__buffer_text(&out), cases[i].text);
        eti__buffer_free(&out);
    }
}

/* `safe` NULL: the text is unchanged. */
static void assert_defused(const char *text, const char *safe) {
    for (int kind = 0; kind < 2; kind++) {
        eti_table *table = new_table(), *copy = NULL;
        eti_cell *cells = eti__table_add_row(table);
        cells[0].kind = kind ? ETI_CELL_TEXT : ETI_CELL_LIST;
        cells[0].as_text = eti__text_of(text);
        cells[1] = (eti_cell){.kind = ETI_CELL_DOUBLE, .as_double = -1.5};
        assert_int_equal(eti_table_defuse_formulas(&copy, table, NULL), ETI_OK);
        assert_text(table_cell(copy, 0, 0).as_text, safe ? safe : text);
        assert_true(table_cell(copy, 0, 1).as_double == -1.5);
        eti_table_free(copy);
        eti_table_free(table);
    }
}

static void formulas_are_defused(void **state) {
    (void)state;
    assert_defused("=1+1", "'=1+1");
    assert_defused("+1", "'+1");
    assert_defused("-1", "'-1");
    assert_defused("@SUM(A1)", "'@SUM(A1)");
    assert_defused("\357\274\235"
                   "1",
                   "'\357\274\235"
                   "1"); /* the wide = */
    assert_defused("  \302\240=1", "  \302\240'=1");
    assert_defused("\t=1", "\t'=1");
    assert_defused("|cmd", "'|cmd");
    assert_defused("%cmd", "'%cmd");
    assert_defused("-2", "'-2");
}

/* Quotes, blanks of all kinds, and invisible characters. */
static void formulas_behind_what_is_taken_off_are_defused(void **state) {
    (void)state;
    static const char *const before[] = {
        "\"",           "'",
        "\"\" ",        "\x01",
        "\xc2\xa0",     "\xc2\xad",
        "\xe1\x9a\x80", "\xe1\xa0\x8e",
        "\xe2\x80\x80", "\xe2\x80\x8a",
        "\xe2\x80\x8b", "\xe2\x80\x8d",
        "\xe2\x80\x8e", "\xe2\x80\xa8",
        "\xe2\x80\xae", "\xe2\x80\xaf",
        "\xe2\x81\x9f", "\xe2\x81\xa0",
        "\xe3\x80\x80", "\xe3\x85\xa4",
        "\xef\xbb\xbf", "\xef\xb8\x8f",
        "\xef\xbe\xa0", "\xf3\xa0\x80\xa1",
        "\xcc\x81",
    };
    static const char *const signs[] = {"=",
                                        "+",
                                        "-",
                                        "@",
                                        "\xef\xbc\x9d",
                                        "\xef\xbc\x8b",
                                        "\xef\xbc\x8d",
                                        "\xef\xbc\xa0",
                                        "\xe2\x88\x92",
                                        "\xef\xb9\xa6"};
    for (size_t i = 0; i < COUNT_OF(before); i++) {
        for (size_t k = 0; k < COUNT_OF(signs); k++) {
            char text[32], safe[32];
            snprintf(text, sizeof text, "%s%s1+1", before[i], signs[k]);
            snprintf(safe, sizeof safe, "%s'%s1+1", before[i], signs[k]);
            assert_defused(text, safe);
        }
    }
}

static void numbers_in_lists_stay(void **state) {
    (void)state;
    assert_defused("[1, -2, +3.5e7,-4]", NULL);
    assert_defused("(1,-2)", NULL);
    assert_defused("a, -2+cmd", "a, '-2+cmd");
    assert_defused("a, -2 =cmd", "a, '-2 =cmd");
    assert_defused("a, -", "a, '-");
    assert_defused("[1, =2]", "[1, '=2]");
}

static void formulas_further_on_are_defused(void **state) {
    (void)state;
    assert_defused("a\r=1", "a\r'=1");
    assert_defused("a\n =1\n-2", "a\n '=1\n'-2");
    assert_defused("a;=cmd;b", "a;'=cmd;b");
    assert_defused("a,=cmd,b", "a,'=cmd,b");
    assert_defused("a|=cmd", "a|'=cmd");
    assert_defused("a\"=cmd\"", "a\"'=cmd\"");
    assert_defused("a,\"\xe3\x80\x80=cmd", "a,\"\xe3\x80\x80'=cmd");
}

static void other_texts_stay(void **state) {
    (void)state;
    assert_defused("", NULL);
    assert_defused("aten.add-1=2", NULL);
    assert_defused("['a', 'b']", NULL);
    assert_defused("\303\274=", NULL);
    assert_defused("it's -1", NULL);
    assert_defused("a|b%c", NULL);
    assert_defused("a =1", NULL); /* the blank is not a leading one */
    assert_defused("a \302\240 -1", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind),
        cmocka_unit_test(test_integers),
        cmocka_unit_test(test_nan),
        cmocka_unit_test(test_json),
        cmocka_unit_test(test_json_values),
        cmocka_unit_test(test_the_median_chooses),
        cmocka_unit_test(test_columns_far_apart_have_units_of_their_own),
        cmocka_unit_test(test_a_unit_that_was_asked_for_stays),
        cmocka_unit_test(test_rows_that_are_shown_do_not_matter),
        cmocka_unit_test(test_units_in_a_column),
        cmocka_unit_test(control_characters_are_spelled_out),
        cmocka_unit_test(direction_marks_are_spelled_out),
        cmocka_unit_test(lines_marks_and_units_have_a_form_in_ascii),
        cmocka_unit_test(marks_of_a_second_meaning_have_their_own_sign),
        cmocka_unit_test(times_in_sentences_have_four_digits),
        cmocka_unit_test(formulas_are_defused),
        cmocka_unit_test(formulas_behind_what_is_taken_off_are_defused),
        cmocka_unit_test(numbers_in_lists_stay),
        cmocka_unit_test(formulas_further_on_are_defused),
        cmocka_unit_test(other_texts_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
