/* Tests OpenMetrics: names of families, units, labels that are unique, and numbers. A parser in tests/python/ reads the
 * text. */
#include "report_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const eti_column columns[] = {
    {.name = {"op", 2}, .type = ETI_TYPE_UTF8, .help = "name"},
    {.name = {"text", 4}, .type = ETI_TYPE_UTF8, .is_finding = true},
    {.name = {"p50 (ms)", 8},
     .type = ETI_TYPE_FLOAT64,
     .kind = ETI_COLUMN_TIME,
     .unit = "ms",
     .help = "a \"b\"\\\n"},
    {.name = {"bytes", 5}, .type = ETI_TYPE_INT64, .kind = ETI_COLUMN_BYTES},
    {.name = {"l2 miss", 7}, .type = ETI_TYPE_UINT64, .kind = ETI_COLUMN_COUNT},
    {.name = {"l2.miss", 7}, .type = ETI_TYPE_UINT64, .kind = ETI_COLUMN_COUNT},
    {.name = {"source", 6}, .type = ETI_TYPE_UTF8},
};

#define N_COLUMNS (sizeof columns / sizeof *columns)

static const eti_cell cells[] = {
    TEXT("a\"\\\n"), TEXT("1 ms"), DOUBLE(1.5),       INT(7),  INT(1),  INT(2),  TEXT("x.py:1"),
    TEXT("b"),       TEXT("2 ms"), DOUBLE(INFINITY),  NO_CELL, NO_CELL, NO_CELL, NO_CELL,
    TEXT("b"),       TEXT("3 ms"), DOUBLE(-INFINITY), INT(-8), NO_CELL, NO_CELL, NO_CELL,
    NO_CELL,         TEXT("4 ms"), NAN_CELL,          NO_CELL, NO_CELL, NO_CELL, NO_CELL,
    NO_CELL,         TEXT("5 ms"), DOUBLE(2000),      NO_CELL, NO_CELL, NO_CELL, NO_CELL,
};

static void test_a_report(void **state) {
    (void)state;
    eti_report *report = make_report(columns, N_COLUMNS, cells, COUNT(cells));
    assert_report(report, "openmetrics", NULL,
                  "# TYPE etinspect_things_p50_seconds gauge\n"
                  "# UNIT etinspect_things_p50_seconds seconds\n"
                  "# HELP etinspect_things_p50_seconds a \\\"b\\\"\\\\\\n\n"
                  "etinspect_things_p50_seconds{op=\"a\\\"\\\\\\n\"} 0.0015\n"
                  "etinspect_things_p50_seconds{op=\"b\",row=\"1\"} +Inf\n"
                  "etinspect_things_p50_seconds{op=\"b\",row=\"2\"} -Inf\n"
                  "etinspect_things_p50_seconds{row=\"4\"} 2\n"
                  "# TYPE etinspect_things_bytes gauge\n"
                  "# UNIT etinspect_things_bytes bytes\n"
                  "etinspect_things_bytes{op=\"a\\\"\\\\\\n\"} 7\n"
                  "etinspect_things_bytes{op=\"b\",row=\"2\"} -8\n"
                  "# TYPE etinspect_things_l2_miss gauge\n"
                  "etinspect_things_l2_miss{op=\"a\\\"\\\\\\n\"} 1\n"
                  "# TYPE etinspect_things_l2_miss_2 gauge\n"
                  "etinspect_things_l2_miss_2{op=\"a\\\"\\\\\\n\"} 2\n"
                  "# EOF\n");
    eti_report_free(report);
}

static void assert_selected(eti_selection selection, const char *expected) {
    eti_error err = ETI_ERROR_INIT;
    eti_report *report = make_report(columns, N_COLUMNS, cells, COUNT(cells));
    assert_ok(eti__report_select(report, &selection, &err));
    assert_report(report, "openmetrics", NULL, expected);
    eti_report_free(report);
}

/* A row has the same labels whichever rows and columns are chosen: the row of -8 bytes is one of two that are called "b". */
static void test_selected(void **state) {
    (void)state;
    static const char header[] = "# TYPE etinspect_things_bytes gauge\n"
                                 "# UNIT etinspect_things_bytes bytes\n";
    char both[300], one[300];
    (void)snprintf(one, sizeof one, "%s%s", header,
                   "etinspect_things_bytes{op=\"b\",row=\"2\"} -8\n# EOF\n");
    (void)snprintf(both, sizeof both, "%s%s", header,
                   "etinspect_things_bytes{op=\"b\",row=\"2\"} -8\n"
                   "etinspect_things_bytes{op=\"a\\\"\\\\\\n\"} 7\n# EOF\n");
    assert_selected((eti_selection){.filter = "bytes < 0", .columns = "bytes"}, one);
    assert_selected((eti_selection){.filter = "bytes < 0", .columns = "bytes,text,op"}, one);
    assert_selected((eti_selection){.sort = "bytes", .top = 2, .columns = "bytes,source"}, both);
    assert_selected((eti_selection){.columns = "op"}, "# EOF\n");
}

/* The user's labels replace labels of the report of the same name; names in use change. */
static void test_labels(void **state) {
    (void)state;
    static const eti_label labels[] = {{"op", "mine"}, {"1", "x"}, {"board", "new"}, {"__a", ""}};
    eti_error err = ETI_ERROR_INIT;
    eti_write_options options = ETI_WRITE_OPTIONS_DEFAULT;
    eti_report *report = make_report(columns, 3, cells, 0);
    eti_cell *row = eti__table_add_row(report->sections[0].table);
    assert_non_null(row);
    memcpy(row, cells, 3 * sizeof *row);
    assert_ok(eti__report_add_label(report, "board", "old", &err));
    assert_ok(eti__report_add_label(report, "label.op", "other", &err));
    options.labels = labels;
    options.n_labels = COUNT(labels);
    assert_report(report, "openmetrics", &options,
                  "# TYPE etinspect_things_p50_seconds gauge\n"
                  "# UNIT etinspect_things_p50_seconds seconds\n"
                  "# HELP etinspect_things_p50_seconds a \\\"b\\\"\\\\\\n\n"
                  "etinspect_things_p50_seconds{op=\"a\\\"\\\\\\n\",label_op=\"other\","
                  "label_op_2=\"mine\",_1=\"x\",board=\"new\",label___a=\"\"} 0.0015\n"
                  "# EOF\n");
    eti_report_free(report);
}

static void test_times_of_runs(void **state) {
    (void)state;
    static const eti_method_times methods[] = {{{"a", 1}, 2, {0, 1, 2, 3, 4, 5, 6}},
                                               {{NULL, 0}, 1, {0, 7, 7, 7, 7, 7, 7}}};
    eti_report *report = make_report(columns, N_COLUMNS, NULL, 0);
    report->methods = methods;
    report->n_methods = 2;
#define RUN "etinspect_run_seconds"
    assert_report(
        report, "openmetrics", NULL,
        "# TYPE " RUN " summary\n# UNIT " RUN " seconds\n# HELP " RUN
        " time of a run after the warm-up\n" RUN "{method=\"a\",quantile=\"0\"} 0.005\n" RUN
        "{method=\"a\",quantile=\"0.1\"} 0.001\n" RUN "{method=\"a\",quantile=\"0.5\"} 0.002\n" RUN
        "{method=\"a\",quantile=\"0.9\"} 0.003\n" RUN "{method=\"a\",quantile=\"1\"} 0.006\n" RUN
        "_count{method=\"a\"} 2\n" RUN "_sum{method=\"a\"} 0.008\n" RUN
        "{quantile=\"0\"} 0.007\n" RUN "{quantile=\"0.1\"} 0.007\n" RUN
        "{quantile=\"0.5\"} 0.007\n" RUN "{quantile=\"0.9\"} 0.007\n" RUN
        "{quantile=\"1\"} 0.007\n" RUN "_count 1\n" RUN "_sum 0.007\n# EOF\n");
    report->has_one_table = true;
    assert_report(report, "openmetrics", NULL, "# EOF\n");
    report->n_methods = 0;
    eti_report_free(report);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_report),
        cmocka_unit_test(test_selected),
        cmocka_unit_test(test_labels),
        cmocka_unit_test(test_times_of_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
