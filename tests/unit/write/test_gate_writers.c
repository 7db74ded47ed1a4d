/* Tests formats for continuous integration: JUnit, annotations of GitHub, benchmark JSON, GitLab's code quality, and Markdown
 * with folded and truncated parts. */
#include "gate/gate.h"
#include "report_text.h"

#include <math.h>

static eti_error err;

#define LITERAL(literal)                                                                           \
    { literal, sizeof(literal) - 1 }

#define NONE ((double)NAN)

static eti_rule_findings rules[] = {{.rule = LITERAL("op:p50>+5%"), .outcome = ETI_RULE_FAILED},
                                    {.rule = LITERAL("total:p50>+5%"),
                                     .outcome = ETI_RULE_FEW_FILES,
                                     .n = {[ETI_FINDING_UNDECIDED] = 1},
                                     .message = LITERAL("cannot tell: few")},
                                    {.rule = LITERAL("unused"),
                                     .outcome = ETI_RULE_NOTHING,
                                     .message = LITERAL("nothing to check")}};
static eti_rule_findings of_memory = {.rule = {"allocation:p50>+1%", 18}};

static const eti_finding failed = {
    .kind = ETI_FINDING_FAILED,
    .rule = &rules[0],
    .name = LITERAL("a&b"),
    .key = LITERAL("Execute/a&b p50"),
    .block = LITERAL("Execute"),
    .module = LITERAL("m"),
    .metric = "p50",
    .base = 1.0,
    .new_side = 1.5,
    .change = 0.55,
    .limit = 0.05,
    .p = 0.001,
    .low = 0.4,
    .high = 0.6,
    .files_base = 6,
    .files_new = 5,
    .runs_new = 50,
    .file = LITERAL("a,b:c.py"),
    .line = 12,
    .message = LITERAL("50% \"slower\"\r\n::warning::x <y>"),
};
static const eti_finding passed = {
    .kind = ETI_FINDING_PASSED,
    .rule = &rules[1],
    .name = LITERAL("whole"),
    .key = LITERAL("Execute/whole p50"),
    .block = LITERAL("Execute"),
    .metric = "p50",
    .base = 2.0,
    .new_side = 2.0,
    .change = 0.0,
    .limit = NONE,
    .p = NONE,
    .low = NONE,
    .high = NONE,
    .files_base = 1,
    .files_new = 1,
    .runs_new = 50,
};
static const eti_finding undecided = {
    .kind = ETI_FINDING_UNDECIDED,
    .rule = &rules[1],
    .name = LITERAL("x\x01\x1b\xff\xef\xbf\xbf"),
    .key = LITERAL("Execute/x\x01\x1b\xff\xef\xbf\xbf\tp50"),
    .block = LITERAL("Execute"),
    .metric = "p50",
    .base = NONE,
    .new_side = NONE,
    .change = NONE,
    .limit = NONE,
    .p = NONE,
    .low = NONE,
    .high = NONE,
    .files_base = 1,
    .files_new = 1,
    .runs_new = 2,
};
static const eti_finding allowed = {
    .kind = ETI_FINDING_ALLOWED,
    .rule = &rules[0],
    .name = LITERAL("c"),
    .key = LITERAL("Execute/c p50"),
    .block = LITERAL("Execute"),
    .metric = "p50",
    .base = 1.0,
    .new_side = 3.0,
    .change = NONE,
    .limit = NONE,
    .p = NONE,
    .low = NONE,
    .high = NONE,
    .files_base = 1,
    .files_new = 1,
    .runs_new = 9,
    .message = LITERAL("allowed: why"),
};
static const eti_finding allocated = {
    .kind = ETI_FINDING_FAILED,
    .rule = &of_memory,
    .name = LITERAL("allocated"),
    .key = LITERAL("Execute/allocated p50"),
    .block = LITERAL("Execute"),
    .metric = "p50",
    .is_bytes = true,
    .base = 4096,
    .new_side = 6144,
    .change = 0.5,
    .p = 0.001,
    .low = NONE,
    .high = NONE,
    .files_base = 1,
    .files_new = 1,
    .runs_new = 8,
    .message = LITERAL("more"),
};

static eti_finding findings[200];
static eti_gate_result result;

/* Makes a report of a gate with these findings; its tables have no columns for a writer to use. */
static eti_report *make_gate(const eti_finding *const *from, size_t n) {
    static const char long_text[] = "a text as long as a line about something that failed, so that "
                                    "two hundred rows are more than there may be room for";
    const eti_column columns[] = {
        {.name = eti__text_of("number"), .type = ETI_TYPE_INT64, .kind = ETI_COLUMN_NUMBER},
        {.name = eti__text_of("text"), .type = ETI_TYPE_UTF8, .kind = ETI_COLUMN_TEXT}};
    eti_report *report;
    eti_table *table;
    assert_ok(eti__report_new(&report, "gate", ETI_SCALE_MS, &err));
    assert_ok(eti__report_add(report, "rules", "Gate failed", make_typed_table(columns, 2, NULL, 0),
                              &err));
    assert_ok(eti__table_new(&table, columns, 2, &err));
    for (size_t i = 0; i < n; i++) {
        eti_cell *cells = eti__table_add_row(table);
        cells[0] = (eti_cell)INT((int64_t)i);
        cells[1] = (eti_cell)TEXT(long_text);
        findings[i] = *from[i];
    }
    assert_ok(eti__report_add(report, "checks", "All <checks>", table, &err));
    report->sections[1].is_detail = true;
    report->selected = 1;
    result = (eti_gate_result){.time_scale = ETI_SCALE_MS,
                               .includes_units = true,
                               .rules = rules,
                               .n_rules = COUNT_OF(rules),
                               .findings = findings,
                               .n_findings = n};
    report->gate = &result;
    return report;
}

static void expect(const eti_finding *const *checks, size_t n, const char *format,
                   const char *expected) {
    eti_report *report = make_gate(checks, n);
    assert_report(report, format, NULL, expected);
    eti_report_free(report);
}

static void test_junit(void **state) {
    (void)state;
    const eti_finding *const checks[] = {&failed, &undecided, &allowed, &passed};
    expect(
        checks, 4, "junit",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<testsuites name=\"etinspect gate\" tests=\"6\" failures=\"1\" errors=\"2\" "
        "skipped=\"2\">\n"
        "  <testsuite name=\"op:p50&#62;+5%\" tests=\"2\" failures=\"1\" errors=\"0\" "
        "skipped=\"1\">\n"
        "    <testcase name=\"Execute/a&#38;b p50\" classname=\"m\" file=\"a,b:c.py\" "
        "line=\"12\">\n"
        "      <properties>\n"
        "        <property name=\"metric\" value=\"p50\"/>\n"
        "        <property name=\"base (ms)\" value=\"1.0\"/>\n"
        "        <property name=\"new (ms)\" value=\"1.5\"/>\n"
        "        <property name=\"change\" value=\"0.55\"/>\n"
        "        <property name=\"change_low\" value=\"0.4\"/>\n"
        "        <property name=\"change_high\" value=\"0.6\"/>\n"
        "        <property name=\"p\" value=\"0.001\"/>\n"
        "        <property name=\"base_files\" value=\"6\"/>\n"
        "        <property name=\"new_files\" value=\"5\"/>\n"
        "      </properties>\n"
        "      <failure message=\"50% &#34;slower&#34;&#13;&#10;::warning::x &#60;y&#62;\" "
        "type=\"regression\"/>\n"
        "    </testcase>\n"
        "    <testcase name=\"Execute/c p50\" classname=\"Execute\">\n"
        "      <properties>\n"
        "        <property name=\"metric\" value=\"p50\"/>\n"
        "        <property name=\"base (ms)\" value=\"1.0\"/>\n"
        "        <property name=\"new (ms)\" value=\"3.0\"/>\n"
        "        <property name=\"base_files\" value=\"1\"/>\n"
        "        <property name=\"new_files\" value=\"1\"/>\n"
        "      </properties>\n"
        "      <skipped message=\"allowed: why\"/>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "  <testsuite name=\"total:p50&#62;+5%\" tests=\"3\" failures=\"0\" errors=\"1\" "
        "skipped=\"1\">\n"
        "    <testcase name=\"total:p50&#62;+5%\" classname=\"etinspect gate\">\n"
        "      <error message=\"cannot tell: few\" type=\"undecided\"/>\n"
        "    </testcase>\n"
        "    <testcase name=\"Execute/x\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd&#9;p50\" "
        "classname=\"Execute\">\n"
        "      <properties>\n"
        "        <property name=\"metric\" value=\"p50\"/>\n"
        "        <property name=\"base_files\" value=\"1\"/>\n"
        "        <property name=\"new_files\" value=\"1\"/>\n"
        "      </properties>\n"
        "      <skipped message=\"undecided: see the case of the rule\"/>\n"
        "    </testcase>\n"
        "    <testcase name=\"Execute/whole p50\" classname=\"Execute\">\n"
        "      <properties>\n"
        "        <property name=\"metric\" value=\"p50\"/>\n"
        "        <property name=\"base (ms)\" value=\"2.0\"/>\n"
        "        <property name=\"new (ms)\" value=\"2.0\"/>\n"
        "        <property name=\"change\" value=\"0.0\"/>\n"
        "        <property name=\"base_files\" value=\"1\"/>\n"
        "        <property name=\"new_files\" value=\"1\"/>\n"
        "      </properties>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "  <testsuite name=\"unused\" tests=\"1\" failures=\"0\" errors=\"1\" skipped=\"0\">\n"
        "    <testcase name=\"unused\" classname=\"etinspect gate\">\n"
        "      <error message=\"nothing to check\" type=\"undecided\"/>\n"
        "    </testcase>\n"
        "  </testsuite>\n"
        "</testsuites>\n");
}

static void test_github(void **state) {
    (void)state;
    const eti_finding *const checks[] = {&failed, &undecided, &allowed, &passed};
    expect(checks, 4, "github",
           "::error file=a%2Cb%3Ac.py,line=12,title=op%3Ap50>+5%25::50%25 "
           "\"slower\"%0D%0A::warning::x <y>\n"
           "::notice title=op%3Ap50>+5%25::allowed: why\n"
           "::warning title=total%3Ap50>+5%25::cannot tell: few\n"
           "::warning title=unused::nothing to check\n");
    /* rules without enough files are reported once */
    eti_report *report = make_gate(checks + 3, 1);
    eti_rule_findings alike[] = {rules[1], rules[1], rules[0]};
    findings[0].rule = &alike[2];
    result.rules = alike;
    result.n_rules = 3;
    assert_report(report, "github", NULL, "::warning title=total%3Ap50>+5%25::cannot tell: few\n");
    eti_report_free(report);
}

static size_t count_of(eti_text text, const char *part) {
    size_t n = 0;
    for (size_t i = 0; i + strlen(part) <= text.size; i++)
        n += memcmp(text.data + i, part, strlen(part)) == 0;
    return n;
}

/* Checks how many elements of each kind there are, and that the attributes count them. */
static void assert_elements(eti_gate_outcome outcome, const char *allowed_by, bool allows_undecided,
                            size_t n_failures, size_t n_errors, size_t n_skipped) {
    const eti_finding *const checks[] = {&failed, &undecided, &allowed, &passed};
    eti_report *report = make_gate(checks, 4);
    char attributes[128];
    result.outcome = outcome;
    result.allowed_by = (eti_text){allowed_by, allowed_by ? strlen(allowed_by) : 0};
    result.allows_undecided = allows_undecided;
    eti_buffer text = write_to_buffer(report, "junit", NULL);
    const eti_text junit = eti__buffer_text(&text);
    assert_int_equal(count_of(junit, "<failure "), n_failures);
    assert_int_equal(count_of(junit, "<error "), n_errors);
    assert_int_equal(count_of(junit, "<skipped "), n_skipped);
    assert_int_equal(count_of(junit, " &#34;slower&#34;"), 1); /* the message stays */
    assert_int_equal(count_of(junit, "\"cannot tell: few\""), 1);
    snprintf(attributes, sizeof attributes,
             "tests=\"6\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">", n_failures, n_errors,
             n_skipped);
    assert_int_equal(count_of(junit, attributes), 1);
    eti__buffer_free(&text);
    eti_report_free(report);
}

/* Four cases did not pass by themselves, and two rules are undecided. */
static void what_a_status_allows_is_skipped(void **state) {
    (void)state;
    assert_elements(ETI_GATE_FAILED, NULL, false, 1, 2, 2);
    assert_elements(ETI_GATE_FAILED, NULL, true, 1, 0, 4);
    assert_elements(ETI_GATE_FAILED, "allowed by --failed_status 0", false, 0, 0, 5);
    assert_elements(ETI_GATE_FAILED, "allowed by --failed_status 0", true, 0, 0, 5);
    assert_elements(ETI_GATE_UNDECIDED, "allowed by --undecided_status 0", true, 0, 0, 5);
}

static void annotations_of_what_a_status_allows_are_notices(void **state) {
    (void)state;
    const eti_finding *const checks[] = {&failed, &allowed};
    eti_report *report = make_gate(checks, 2);
    result.outcome = ETI_GATE_FAILED;
    result.allowed_by = eti__text_of("allowed by --failed_status 0");
    assert_report(report, "github", NULL,
                  "::notice file=a%2Cb%3Ac.py,line=12,title=op%3Ap50>+5%25::50%25 "
                  "\"slower\"%0D%0A::warning::x <y>; allowed by --failed_status 0\n"
                  "::notice title=op%3Ap50>+5%25::allowed: why\n"
                  "::notice title=total%3Ap50>+5%25::cannot tell: few; "
                  "allowed by --failed_status 0\n"
                  "::notice title=unused::nothing to check; allowed by --failed_status 0\n");
    eti_report_free(report);
}

static size_t count_lines(eti_text text) {
    size_t n = 0;
    for (size_t i = 0; i < text.size; i++)
        n += text.data[i] == '\n';
    return n;
}

static void test_github_many(void **state) {
    (void)state;
    const eti_finding *checks[12];
    for (size_t i = 0; i < 12; i++)
        checks[i] = i % 2 == 0 ? &failed : &allowed;
    eti_report *report = make_gate(checks, 8);
    eti_buffer text = write_to_buffer(report, "github", NULL);
    assert_int_equal(count_lines(eti__buffer_text(&text)), 10);
    assert_false(eti__text_contains(eti__buffer_text(&text), eti__text_of("left out")));
    eti__buffer_free(&text);
    eti_report_free(report);
    report = make_gate(checks, 12);
    text = write_to_buffer(report, "github", NULL);
    assert_int_equal(count_lines(eti__buffer_text(&text)), 10);
    assert_true(eti__text_contains(
        eti__buffer_text(&text),
        eti__text_of("::warning title=etinspect gate::5 more messages are left out, because GitHub "
                     "shows at most 10 of a step\n")));
    eti__buffer_free(&text);
    eti_report_free(report);
}

static void test_benchmark(void **state) {
    (void)state;
    const eti_finding *const checks[] = {&failed, &passed, &failed, &undecided};
    expect(
        checks, 4, "benchmark",
        "[\n"
        "  {\"name\": \"Execute/a&b p50\", \"unit\": \"ms\", \"value\": 1.5, "
        "\"range\": \"+40.0 % to +60.0 %\", \"extra\": \"failed: op:p50>+5%\\nbase 1 ms\\n5 files, "
        "50 runs\"},\n"
        "  {\"name\": \"Execute/whole p50\", \"unit\": \"ms\", \"value\": 2.0, "
        "\"extra\": \"passed: total:p50>+5%\\nbase 2 ms\\n1 file, 50 runs\"}\n"
        "]\n");
    expect(checks, 0, "benchmark", "[\n]\n");
    const eti_finding *const allocations[] = {&allocated};
    expect(allocations, 1, "benchmark",
           "[\n"
           "  {\"name\": \"Execute/allocated p50\", \"unit\": \"bytes\", \"value\": 6144, "
           "\"extra\": \"failed: allocation:p50>+1%\\nbase 4096 bytes\\n1 file, 8 runs\"}\n"
           "]\n");
}

/* sha256sum made the fingerprints: printf 'op:p50>+5%%\nExecute/a&b p50' | sha256sum | cut -c 1-32 */
static void test_codequality(void **state) {
    (void)state;
    const eti_finding *const checks[] = {&failed, &undecided, &allowed, &passed, &failed};
    expect(checks, 5, "codequality",
           "[\n"
           "  {\"description\": \"50% \\\"slower\\\"\\r\\n::warning::x <y>\", "
           "\"check_name\": \"op:p50>+5%\", \"fingerprint\": \"a6d499672c8b0f832e6be8d1a237e84c\", "
           "\"severity\": \"major\", "
           "\"location\": {\"path\": \"a,b:c.py\", \"lines\": {\"begin\": 12}}},\n"
           "  {\"description\": \"allowed: why\", "
           "\"check_name\": \"op:p50>+5%\", \"fingerprint\": \"81bbba933c18b8ef7e136f3310fa339d\", "
           "\"severity\": \"info\", "
           "\"location\": {\"path\": \"etinspect\", \"lines\": {\"begin\": 1}}},\n"
           "  {\"description\": \"cannot tell: few\", "
           "\"check_name\": \"total:p50>+5%\", "
           "\"fingerprint\": \"bf87eb3f23923f3ec4be594b24c4afec\", \"severity\": \"minor\", "
           "\"location\": {\"path\": \"etinspect\", \"lines\": {\"begin\": 1}}},\n"
           "  {\"description\": \"nothing to check\", "
           "\"check_name\": \"unused\", \"fingerprint\": \"2a37b3fecb9e5b1ea21167eae81c526f\", "
           "\"severity\": \"minor\", "
           "\"location\": {\"path\": \"etinspect\", \"lines\": {\"begin\": 1}}}\n"
           "]\n");
    const eti_finding *const one[] = {&failed};
    eti_report *report = make_gate(one, 1);
    result.allowed_by = (eti_text)LITERAL("allowed by --failed_status 0");
    result.n_rules = 1;
    assert_report(report, "codequality", NULL,
                  "[\n"
                  "  {\"description\": \"50% \\\"slower\\\"\\r\\n::warning::x <y>; "
                  "allowed by --failed_status 0\", "
                  "\"check_name\": \"op:p50>+5%\", "
                  "\"fingerprint\": \"a6d499672c8b0f832e6be8d1a237e84c\", \"severity\": \"info\", "
                  "\"location\": {\"path\": \"a,b:c.py\", \"lines\": {\"begin\": 12}}}\n"
                  "]\n");
    eti_report_free(report);
}

static void test_other_reports(void **state) {
    (void)state;
    static const char *const formats[] = {"junit", "github", "benchmark", "codequality"};
    const eti_column column = {
        .name = eti__text_of("name"), .type = ETI_TYPE_UTF8, .kind = ETI_COLUMN_TEXT};
    for (size_t i = 0; i < COUNT_OF(formats); i++) {
        eti_buffer buffer = {0};
        eti_report *report = make_report(&column, 1, NULL, 0);
        assert_fails(eti__report_write(report, formats[i], NULL, keep_output, &buffer, &err),
                     ETI_ERROR_USAGE, "is for etinspect gate");
        eti_report_free(report);
        eti__buffer_free(&buffer);
    }
}

static void test_folded(void **state) {
    (void)state;
    const eti_column column = {
        .name = eti__text_of("name"), .type = ETI_TYPE_UTF8, .kind = ETI_COLUMN_TEXT};
    const eti_cell cells[] = {TEXT("a")};
    eti_report *report;
    assert_ok(eti__report_new(&report, "gate", ETI_SCALE_MS, &err));
    assert_ok(
        eti__report_add(report, "rules", "Gate", make_typed_table(&column, 1, cells, 1), &err));
    assert_ok(eti__report_note(report, &err, "a note"));
    assert_ok(eti__report_add(report, "checks", "All <checks>",
                              make_typed_table(&column, 1, cells, 1), &err));
    report->sections[1].is_detail = true;
    assert_report(report, "markdown", NULL,
                  "### Gate\n\n| name |\n| --- |\n| a |\n\n- a note\n\n"
                  "<details>\n<summary>All &#60;checks&#62;</summary>\n\n"
                  "| name |\n| --- |\n| a |\n\n</details>\n");
    eti_report_free(report);
}

/* Only selected rows are written, in their order, whichever columns are selected. */
static void test_selected(void **state) {
    (void)state;
    const eti_finding *const checks[] = {&failed, &undecided, &allowed, &passed};
    const eti_selection selection = {.filter = "number != 1", .sort = "number:desc", .top = 2};
    eti_report *report = make_gate(checks, 4);
    assert_ok(eti__report_select(report, &selection, &err));
    assert_report(report, "github", NULL,
                  "::notice title=op%3Ap50>+5%25::allowed: why\n"
                  "::warning title=total%3Ap50>+5%25::cannot tell: few\n"
                  "::warning title=unused::nothing to check\n");
    assert_report(report, "benchmark", NULL,
                  "[\n"
                  "  {\"name\": \"Execute/whole p50\", \"unit\": \"ms\", \"value\": 2.0, "
                  "\"extra\": \"passed: total:p50>+5%\\nbase 2 ms\\n1 file, 50 runs\"},\n"
                  "  {\"name\": \"Execute/c p50\", \"unit\": \"ms\", \"value\": 3.0, "
                  "\"extra\": \"allowed: op:p50>+5%\\nbase 1 ms\\n1 file, 9 runs\"}\n"
                  "]\n");
    eti_buffer text = write_to_buffer(report, "junit", NULL);
    assert_true(
        eti__text_contains(eti__buffer_text(&text),
                           eti__text_of("tests=\"3\" failures=\"0\" errors=\"1\" skipped=\"1\"")));
    eti__buffer_free(&text);
    eti_report_free(report);
}

/* A rule that is given twice makes one suite. */
static void test_repeated_rule(void **state) {
    (void)state;
    const eti_finding *const checks[] = {&failed, &allowed};
    eti_report *report = make_gate(checks, 2);
    eti_rule_findings twice[] = {rules[0], rules[0]};
    findings[0].rule = &twice[0];
    findings[1].rule = &twice[1];
    result.rules = twice;
    result.n_rules = 2;
    eti_buffer text = write_to_buffer(report, "junit", NULL);
    assert_true(eti__text_contains(
        eti__buffer_text(&text),
        eti__text_of("<testsuite name=\"op:p50&#62;+5%\" tests=\"2\" failures=\"1\" "
                     "errors=\"0\" skipped=\"1\">")));
    eti__buffer_free(&text);
    eti_report_free(report);
}

/* Without units, the names of times have none. */
static void test_units(void **state) {
    (void)state;
    const eti_finding *const checks[] = {&failed};
    eti_report *report = make_gate(checks, 1);
    result.includes_units = false;
    eti_buffer text = write_to_buffer(report, "junit", NULL);
    assert_true(
        eti__text_contains(eti__buffer_text(&text), eti__text_of("name=\"base\" value=\"1.0\"")));
    eti__buffer_free(&text);
    eti_report_free(report);
}

/* The output never exceeds the room, and what is written is complete. */
static void test_cut(void **state) {
    (void)state;
    const eti_finding *checks[200];
    for (size_t i = 0; i < 200; i++)
        checks[i] = &failed;
    for (size_t room = 1; room < 20000; room += 97) {
        eti_report *report = make_gate(checks, 200);
        for (size_t i = 0; i < 100; i++)
            assert_ok(eti__report_note(report, &err, "a note on something that failed"));
        eti_write_options options = ETI_WRITE_OPTIONS_DEFAULT;
        options.most_bytes = room;
        eti_buffer text = write_to_buffer(report, "markdown", &options);
        eti_text all = eti__buffer_text(&text);
        assert_true(all.size <= room);
        if (all.size > 0)
            assert_int_equal(all.data[all.size - 1], '\n');
        assert_int_equal(eti__text_contains(all, eti__text_of("<details>")),
                         eti__text_contains(all, eti__text_of("</details>")));
        if (room > 100)
            assert_true(eti__text_contains(all, eti__text_of("for lack of space")));
        eti__buffer_free(&text);
        eti_report_free(report);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_junit),
        cmocka_unit_test(test_github),
        cmocka_unit_test(test_github_many),
        cmocka_unit_test(test_benchmark),
        cmocka_unit_test(test_codequality),
        cmocka_unit_test(test_other_reports),
        cmocka_unit_test(test_folded),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_selected),
        cmocka_unit_test(test_repeated_rule),
        cmocka_unit_test(test_units),
        cmocka_unit_test(what_a_status_allows_is_skipped),
        cmocka_unit_test(annotations_of_what_a_status_allows_are_notices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
