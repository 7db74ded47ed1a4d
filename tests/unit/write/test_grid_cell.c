/* The expected types come from tabulate 0.10.0: tabulate._type(text). */
#include "table_text.h"

#include "write/grid_cell.h"

static eti_grid_type type_of(eti_cell cell) {
    eti_buffer scratch = {0};
    eti_grid_type type = eti__grid_cell_type(&cell, &scratch);
    assert_false(scratch.failed);
    eti__buffer_free(&scratch);
    return type;
}

static void assert_types(eti_grid_type type, const char *const *texts) {
    for (; *texts; texts++) {
        eti_cell cell = {.kind = ETI_CELL_TEXT, .as_text = eti__text_of(*texts)};
        if (type_of(cell) != type)
            fail_msg("\"%s\" is %d, not %d", *texts, (int)type_of(cell), (int)type);
    }
}

static void test_missing(void **state) {
    (void)state;
    static const char *const texts[] = {"", NULL};
    assert_types(ETI_GRID_MISSING, texts);
}

static void test_bools(void **state) {
    (void)state;
    static const char *const texts[] = {"True", "False", NULL};
    assert_types(ETI_GRID_BOOL, texts);
}

static void test_ints(void **state) {
    (void)state;
    static const char *const texts[] = {"0",     "12",     " 12 ",       "+3",      "00012",
                                        "1_000", "1,000",  "-1,234,567", "1,000\n", "\n",
                                        "1",     "1000\n", NULL};
    assert_types(ETI_GRID_INT, texts);
}

static void test_floats(void **state) {
    (void)state;
    static const char *const texts[] = {"1.5",    "1.",   "5.",  " .5",   ".5\n",    "1,234.5",
                                        "1,234.", "+.5",  "1e5", "1E-05", "1_0.5_1", "1e-999",
                                        "inf",    "-inf", "INF", "nan",   "NaN",     NULL};
    assert_types(ETI_GRID_FLOAT, texts);
}

static void test_texts(void **state) {
    (void)state;
    static const char *const texts[] = {"true",   "1,2345", "12,34", ",100", ".",    "1,.5",
                                        "1e999",  "-1e999", "+inf",  "-nan", " nan", "infinity",
                                        "1_",     "_1",     "1e",    "0x10", "abc",  "[5, 5]",
                                        "\03412", "12\037", "+\n",   NULL};
    assert_types(ETI_GRID_TEXT, texts);
}

static void test_other_kinds(void **state) {
    (void)state;
    assert_int_equal(type_of((eti_cell)NO_CELL), ETI_GRID_MISSING);
    assert_int_equal(type_of((eti_cell)BOOL(true)), ETI_GRID_BOOL);
    assert_int_equal(type_of((eti_cell)INT(0)), ETI_GRID_INT);
    assert_int_equal(type_of((eti_cell)DOUBLE(0)), ETI_GRID_FLOAT);
    assert_int_equal(type_of((eti_cell)NAN_CELL), ETI_GRID_FLOAT);
    assert_int_equal(type_of((eti_cell)LIST("12")), ETI_GRID_TEXT);
    assert_int_equal(type_of((eti_cell)LIST("")), ETI_GRID_TEXT);
    assert_int_equal(type_of((eti_cell){.kind = ETI_CELL_TEXT}), ETI_GRID_MISSING);
}

static void test_decimals(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int decimals;
    } examples[] = {{"1.5", 1},   {"-1.25", 2},  {"1.5e-05", 5}, {"4e+09", 3},
                    {"12", -1},   {"nan", -1},   {"inf", -1},    {"-inf", -1},
                    {"True", -1}, {"False", -1}, {"", -1},       {"-", -1}};
    for (size_t i = 0; i < COUNT(examples); i++)
        assert_int_equal(eti__grid_decimals(eti__text_of(examples[i].text)), examples[i].decimals);
}

static void assert_printed(eti_cell cell, eti_grid_type column_type, const char *expected) {
    eti_number_text number = {.size = 0};
    eti_buffer scratch = {0};
    eti_text text = eti__grid_cell_text(&cell, column_type, &number, &scratch);
    assert_int_equal(text.size, eti__text_of(expected).size);
    assert_memory_equal(text.data, expected, text.size);
    eti__buffer_free(&scratch);
}

static void test_printed_in_a_float_column(void **state) {
    (void)state;
    assert_printed((eti_cell)NO_CELL, ETI_GRID_FLOAT, "");
    assert_printed((eti_cell)NAN_CELL, ETI_GRID_FLOAT, "nan");
    assert_printed((eti_cell)BOOL(true), ETI_GRID_FLOAT, "1");
    assert_printed((eti_cell)INT(12345678), ETI_GRID_FLOAT, "1.23457e+07");
    assert_printed((eti_cell)DOUBLE(1.5), ETI_GRID_FLOAT, "1.5");
    assert_printed((eti_cell)TEXT(""), ETI_GRID_FLOAT, "");
    assert_printed((eti_cell)TEXT("True"), ETI_GRID_FLOAT, "True");
    assert_printed((eti_cell)TEXT("-1,234.5"), ETI_GRID_FLOAT, "-1234.5");
    assert_printed((eti_cell)TEXT(" 5. "), ETI_GRID_FLOAT, "5");
}

static void test_printed_in_other_columns(void **state) {
    (void)state;
    assert_printed((eti_cell)NAN_CELL, ETI_GRID_TEXT, "nan");
    assert_printed((eti_cell)DOUBLE(12), ETI_GRID_TEXT, "12.0");
    assert_printed((eti_cell)INT(-7), ETI_GRID_INT, "-7");
    assert_printed((eti_cell)TEXT("00012"), ETI_GRID_INT, "00012");
    assert_printed((eti_cell)BOOL(false), ETI_GRID_BOOL, "False");
    assert_printed((eti_cell)NO_CELL, ETI_GRID_BOOL, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_missing),
        cmocka_unit_test(test_bools),
        cmocka_unit_test(test_ints),
        cmocka_unit_test(test_floats),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_other_kinds),
        cmocka_unit_test(test_decimals),
        cmocka_unit_test(test_printed_in_a_float_column),
        cmocka_unit_test(test_printed_in_other_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
