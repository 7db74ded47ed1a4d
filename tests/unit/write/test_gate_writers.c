/* Formats for continuous integration: JUnit, annotations of GitHub, benchmark JSON, and Markdown that is folded and cut. */
#include "report_text.h"

#include <math.h>

static eti_error err;

static const char *const names[] = {
    "verdict",     "rule",        "name",    "key",        "block",      "module",      "metric",
    "base (ms)",   "new (ms)",    "change",  "p",          "change_low", "change_high", "runs",
    "source_file", "source_line", "message", "base_bytes", "new_bytes"};

typedef struct check {
    eti_cell cells[COUNT_OF(names)];
} check;

static const check failed = {
    {TEXT("failed"), TEXT("op:p50>+5%"), TEXT("a&b"), TEXT("Execute/a&b p50"), TEXT("Execute"),
     TEXT("m"), TEXT("p50"), DOUBLE(1.0), DOUBLE(1.5), DOUBLE(0.5), DOUBLE(0.001), DOUBLE(0.4),
     DOUBLE(0.6), INT(50), TEXT("a,b:c.py"), INT(12), TEXT("50% \"slower\"\r\n::warning::x <y>")}};
static const check passed = {{TEXT("passed"), TEXT("total:p50>+5%"), TEXT("whole"),
                              TEXT("Execute/whole p50"), TEXT("Execute"), NO_CELL, TEXT("p50"),
                              DOUBLE(2.0), DOUBLE(2.0), DOUBLE(0.0), NO_CELL, NO_CELL, NO_CELL,
                              INT(50), NO_CELL, NO_CELL, NO_CELL}};
static const check too_few = {{TEXT("too few"), TEXT("total:p50>+5%"),
                               TEXT("x\x01\x1b\xff\xef\xbf\xbf"),
                               TEXT("Execute/x\x01\x1b\xff\xef\xbf\xbf\tp50"), TEXT("Execute"),
                               NO_CELL, TEXT("p50"), NO_CELL, DOUBLE((double)NAN), NO_CELL, NO_CELL,
                               NO_CELL, NO_CELL, INT(2), NO_CELL, NO_CELL, TEXT("few")}};
static const check allowed = {{TEXT("allowed"), TEXT("op:p50>+5%"), TEXT("c"),
                               TEXT("Execute/c p50"), TEXT("Execute"), NO_CELL, TEXT("p50"),
                               DOUBLE(1.0), DOUBLE(3.0), NO_CELL, NO_CELL, NO_CELL, NO_CELL, INT(9),
                               NO_CELL, NO_CELL, TEXT("allowed: why")}};

static const check allocated = {
    {TEXT("failed"), TEXT("allocation:p50>+1%"), TEXT("allocated"), TEXT("Execute/allocated p50"),
     TEXT("Execute"), NO_CELL, TEXT("p50"), NO_CELL, NO_CELL, DOUBLE(0.5), DOUBLE(0.001), NO_CELL,
     NO_CELL, INT(8), NO_CELL, NO_CELL, TEXT("more"), INT(4096), INT(6144)}};

/* A report of a gate with these checks. */
static eti_report *make_gate(const check *const *checks, size_t n) {
    eti_column columns[COUNT_OF(names)],
        rule = {eti_text_of("rule"), ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, false, NULL};
    eti_cell rules[] = {TEXT("op:p50>+5%"), TEXT("total:p50>+5%"), TEXT("unused")};
    eti_report *report;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        columns[i] =
            (eti_column){eti_text_of(names[i]), ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, false, NULL};
    assert_ok(eti_report_new(&report, "gate", ETI_SCALE_MS, &err));
    assert_ok(
        eti_report_add(report, "rules", "Gate failed", make_typed_table(&rule, 1, rules, 3), &err));
    eti_table *table;
    assert_ok(eti_table_new(&table, columns, COUNT_OF(names), &err));
    for (size_t i = 0; i < n; i++)
        memcpy(eti_table_add_row(table), checks[i]->cells, sizeof checks[i]->cells);
    assert_ok(eti_report_add(report, "checks", "All <checks>", table, &err));
    report->sections[1].is_detail = true;
    return report;
}

static void expect(const check *const *checks, size_t n, const char *format, const char *expected) {
    eti_report *report = make_gate(checks, n);
    assert_report(report, format, NULL, expected);
    eti_report_free(report);
}

static void test_junit(void **state) {
    (void)state;
    const check *const checks[] = {&failed, &too_few, &allowed, &passed};
    expect(
        checks, 4, "junit",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"etinspect gate\" tests=\"4\" failures=\"1\" errors=\"1\" "
        "skipped=\"1\">\n"
        "  <testsuite name=\"op:p50&#62;+5%\" tests=\"2\" failures=\"1\" errors=\"0\" "
        "skipped=\"1\">\n"
        "    <testcase name=\"Execute/a&#38;b p50\" classname=\"m\" file=\"a,b:c.py\" "
        "line=\"12\">\n"
        "      <properties>\n"
        "        <property name=\"metric\" value=\"p50\"/>\n"
        "        <property name=\"base (ms)\" value=\"1.0\"/>\n"
        "        <property name=\"new (ms)\" value=\"1.5\"/>\n"
        "        <property name=\"change\" value=\"0.5\"/>\n"
        "        <property name=\"change_low\" value=\"0.4\"/>\n"
        "        <property name=\"change_high\" value=\"0.6\"/>\n"
        "        <property name=\"p\" value=\"0.001\"/>\n"
        "        <property name=\"runs\" value=\"50\"/>\n"
        "      </properties>\n"
        "      <failure message=\"50% &#34;slower&#34;&#13;&#10;::warning::x &#60;y&#62;\" "
        "type=\"regression\"/>\n"
        "    </testcase>\n"
        "    <testcase name=\"Execute/c p50\" classname=\"Execute\">\n"
        "      <properties>\n"
        "        <property name=\"metric\" value=\"p50\"/>\n"
        "        <property name=\"base (ms)\" value=\"1.0\"/>\n"
        "        <property name=\"new (ms)\" value=\"3.0\"/>\n"
        "        <property name=\"runs\" value=\"9\"/>\n"
        "      </properties>\n"
        "      <skipped message=\"allowed: why\"/>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "  <testsuite name=\"total:p50&#62;+5%\" tests=\"2\" failures=\"0\" errors=\"1\" "
        "skipped=\"0\">\n"
        "    <testcase name=\"Execute/x\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd&#9;p50\" "
        "classname=\"Execute\">\n"
        "      <properties>\n"
        "        <property name=\"metric\" value=\"p50\"/>\n"
        "        <property name=\"new (ms)\" value=\"\"/>\n"
        "        <property name=\"runs\" value=\"2\"/>\n"
        "      </properties>\n"
        "      <error message=\"few\" type=\"too few samples\"/>\n"
        "    </testcase>\n"
        "    <testcase name=\"Execute/whole p50\" classname=\"Execute\">\n"
        "      <properties>\n"
        "        <property name=\"metric\" value=\"p50\"/>\n"
        "        <property name=\"base (ms)\" value=\"2.0\"/>\n"
        "        <property name=\"new (ms)\" value=\"2.0\"/>\n"
        "        <property name=\"change\" value=\"0.0\"/>\n"
        "        <property name=\"runs\" value=\"50\"/>\n"
        "      </properties>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "  <testsuite name=\"unused\" tests=\"0\" failures=\"0\" errors=\"0\" skipped=\"0\">\n"
        "  </testsuite>\n"
        "</testsuites>\n");
}

static void test_github(void **state) {
    (void)state;
    const check *const checks[] = {&failed, &too_few, &allowed, &passed};
    expect(checks, 4, "github",
           "::error file=a%2Cb%3Ac.py,line=12,title=op%3Ap50>+5%25::50%25 "
           "\"slower\"%0D%0A::warning::x <y>\n"
           "::warning title=total%3Ap50>+5%25::few\n"
           "::notice title=op%3Ap50>+5%25::allowed: why\n");
    expect(checks + 3, 1, "github", "");
}

static size_t count_lines(eti_text text) {
    size_t n = 0;
    for (size_t i = 0; i < text.size; i++)
        n += text.data[i] == '\n';
    return n;
}

static void test_github_many(void **state) {
    (void)state;
    const check *checks[12];
    for (size_t i = 0; i < 12; i++)
        checks[i] = &failed;
    eti_report *report = make_gate(checks, 10);
    eti_buffer text = write_to_buffer(report, "github", NULL);
    assert_int_equal(count_lines(eti_buffer_text(&text)), 10);
    assert_false(eti_text_contains(eti_buffer_text(&text), eti_text_of("more were not passed")));
    eti_buffer_free(&text);
    eti_report_free(report);
    report = make_gate(checks, 12);
    text = write_to_buffer(report, "github", NULL);
    assert_int_equal(count_lines(eti_buffer_text(&text)), 10);
    assert_true(eti_text_contains(
        eti_buffer_text(&text),
        eti_text_of("::warning title=etinspect gate::3 more checks were not passed\n")));
    eti_buffer_free(&text);
    eti_report_free(report);
}

static void test_benchmark(void **state) {
    (void)state;
    const check *const checks[] = {&failed, &passed, &failed, &too_few};
    expect(checks, 4, "benchmark",
           "[\n"
           "  {\"name\": \"Execute/a&b p50\", \"unit\": \"ms\", \"value\": 1.5, "
           "\"range\": \"+40.0 % to +60.0 %\", \"extra\": \"failed: op:p50>+5%\\nbase 1 ms\\n50 "
           "runs\"},\n"
           "  {\"name\": \"Execute/whole p50\", \"unit\": \"ms\", \"value\": 2.0, "
           "\"extra\": \"passed: total:p50>+5%\\nbase 2 ms\\n50 runs\"}\n"
           "]\n");
    expect(checks, 0, "benchmark", "[\n]\n");
    const check *const of_memory[] = {&allocated};
    expect(of_memory, 1, "benchmark",
           "[\n"
           "  {\"name\": \"Execute/allocated p50\", \"unit\": \"bytes\", \"value\": 6144, "
           "\"extra\": \"failed: allocation:p50>+1%\\nbase 4096 bytes\\n8 runs\"}\n"
           "]\n");
}

static void test_other_reports(void **state) {
    (void)state;
    static const char *const formats[] = {"junit", "github", "benchmark"};
    const eti_column column = {
        eti_text_of("name"), ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, false, NULL};
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        eti_buffer buffer = {0};
        eti_report *report = make_report(&column, 1, NULL, 0);
        assert_fails(eti_report_write(report, formats[i], NULL, keep_output, &buffer, &err),
                     ETI_ERROR_USAGE, "is for etinspect gate");
        eti_report_free(report);
        assert_ok(eti_report_new(&report, "gate", ETI_SCALE_MS, &err));
        assert_ok(
            eti_report_add(report, "checks", NULL, make_typed_table(&column, 1, NULL, 0), &err));
        assert_fails(eti_report_write(report, formats[i], NULL, keep_output, &buffer, &err),
                     ETI_ERROR_USAGE, "needs the column verdict");
        eti_report_free(report);
        eti_buffer_free(&buffer);
    }
}

static void test_folded(void **state) {
    (void)state;
    const eti_column column = {
        eti_text_of("name"), ETI_TYPE_UTF8, ETI_COLUMN_TEXT, false, false, NULL};
    const eti_cell cells[] = {TEXT("a")};
    eti_report *report;
    assert_ok(eti_report_new(&report, "gate", ETI_SCALE_MS, &err));
    assert_ok(
        eti_report_add(report, "rules", "Gate", make_typed_table(&column, 1, cells, 1), &err));
    assert_ok(eti_report_note(report, &err, "a note"));
    assert_ok(eti_report_add(report, "checks", "All <checks>",
                             make_typed_table(&column, 1, cells, 1), &err));
    report->sections[1].is_detail = true;
    assert_report(report, "markdown", NULL,
                  "### Gate\n\n| name |\n| --- |\n| a |\n\n- a note\n\n"
                  "<details>\n<summary>All &#60;checks&#62;</summary>\n\n"
                  "| name |\n| --- |\n| a |\n\n</details>\n");
    eti_report_free(report);
}

/* Never more than there is room for, and what is there is whole. */
static void test_cut(void **state) {
    (void)state;
    const check *checks[200];
    for (size_t i = 0; i < 200; i++)
        checks[i] = &failed;
    for (size_t room = 1; room < 20000; room += 97) {
        eti_report *report = make_gate(checks, 200);
        for (size_t i = 0; i < 100; i++)
            assert_ok(eti_report_note(report, &err, "a note on something that failed"));
        eti_write_options options = ETI_WRITE_OPTIONS_DEFAULT;
        options.most_bytes = room;
        eti_buffer text = write_to_buffer(report, "markdown", &options);
        eti_text all = eti_buffer_text(&text);
        assert_true(all.size <= room);
        if (all.size > 0)
            assert_int_equal(all.data[all.size - 1], '\n');
        assert_int_equal(eti_text_contains(all, eti_text_of("<details>")),
                         eti_text_contains(all, eti_text_of("</details>")));
        if (room > 100)
            assert_true(eti_text_contains(all, eti_text_of("there is no room")));
        eti_buffer_free(&text);
        eti_report_free(report);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_junit),         cmocka_unit_test(test_github),
        cmocka_unit_test(test_github_many),   cmocka_unit_test(test_benchmark),
        cmocka_unit_test(test_other_reports), cmocka_unit_test(test_folded),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
