/* The expected texts were written by hand from GitHub's specification of tables. */
#include "report_text.h"

static const eti_column columns[] = {
    {.name = {"op", 2}},
    {.name = {"n", 1}, .kind = ETI_COLUMN_COUNT},
    {.name = {"p50 (ms)", 8}, .kind = ETI_COLUMN_TIME},
    {.name = {"share", 5}, .kind = ETI_COLUMN_SHARE, .is_extra = true},
    {.name = {"raw", 3}, .kind = ETI_COLUMN_LIST},
};

static void test_tables(void **state) {
    (void)state;
    const eti_cell cells[] = {
        TEXT("aten.add_x.out"),
        INT(1234),
        DOUBLE(1.5),
        DOUBLE(0.25),
        DOUBLES(1, 2),
        NO_CELL,
        INT(5),
        NAN_CELL,
        DOUBLE(1),
        NO_CELL,
        BOOL(true),
        NO_CELL,
        DOUBLE(22),
        DOUBLE(0),
        LIST("[]"),
    };
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = make_report(columns, COUNT_OF(columns), cells, COUNT_OF(cells));
    assert_ok(eti__report_note(report, &err, "one *two*"));
    assert_ok(eti__report_note(report, &err, "three"));
    assert_ok(
        eti__report_add(report, "more", "More of it", make_typed_table(columns, 2, NULL, 0), &err));
    assert_report(report, "markdown", NULL,
                  "| op | n | p50 (ms) | raw |\n"
                  "| --- | ---: | ---: | --- |\n"
                  "| aten.add_x.out | 1,234 | 1.500 | [1.0, 2.0] |\n"
                  "|  | 5 | - |  |\n"
                  "| yes | - | 22.000 | [] |\n"
                  "\n"
                  "- one &#42;two&#42;\n"
                  "- three\n"
                  "\n"
                  "### More of it\n"
                  "\n"
                  "| op | n |\n"
                  "| --- | ---: |\n");
    eti_report_free(report);
}

static void test_marks(void **state) {
    (void)state;
    static const eti_column marked[] = {
        {.name = {"ratio", 5}, .kind = ETI_COLUMN_NUMBER},
        {.name = {"is_relative", 11}, .kind = ETI_COLUMN_MARK},
        {.name = {"change", 6}, .kind = ETI_COLUMN_CHANGE},
    };
    const eti_cell cells[] = {DOUBLE(1.2), BOOL(true), DOUBLE(0.3),
                              DOUBLE(0.9), NO_CELL,    DOUBLE(-0.1)};
    eti_report *report = make_report(marked, 3, cells, 6);
    assert_report(report, "markdown", NULL,
                  "| ratio |  | change |\n"
                  "| ---: | --- | ---: |\n"
                  "| 1.200 | † | +30.0 % |\n"
                  "| 0.900 |  | -10.0 % |\n");
    eti_report_free(report);
}

static void test_series(void **state) {
    (void)state;
    static const double values[] = {1, 1, 1.5, 2};
    static const eti_column of_series[] = {
        {.name = {"series", 6}, .type = ETI_TYPE_LIST_FLOAT64, .kind = ETI_COLUMN_SERIES}};
    const eti_cell line[] = {{.kind = ETI_CELL_DOUBLES, .items = values, .n_items = 4}};
    eti_report *report = make_report(of_series, 1, line, 1);
    assert_report(report, "markdown", NULL,
                  "| series |\n"
                  "| --- |\n"
                  "| ▁▁▅█ |\n");
    eti_report_free(report);
}

/* A name stays in one cell, as plain text. */
static void test_injection(void **state) {
    (void)state;
    static const struct {
        eti_cell cell;
        const char *expected;
    } examples[] = {
        {TEXT("a|b"), "a&#124;b"},
        {TEXT("a\nb\r\nc"), "a b  c"},
        {TEXT("<script>"), "&#60;script&#62;"},
        {TEXT("@user"), "<span>&#64;</span>user"},
    };
    for (size_t i = 0; i < COUNT_OF(examples); i++) {
        eti_report *report = make_report(columns, 1, &examples[i].cell, 1);
        eti_buffer expected = {0};
        eti__buffer_printf(&expected, "| op |\n| --- |\n| %s |\n", examples[i].expected);
        eti__buffer_add_char(&expected, '\0');
        assert_report(report, "markdown", NULL, expected.data);
        eti__buffer_free(&expected);
        eti_report_free(report);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_series),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_injection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
