/* Tests budgets, and lists of events that may be slower: their contents, and which line is reported as wrong. */
#include "support.h"

#include "gate/files.h"

static eti_error err;
static eti_arena arena;

static eti_status read_budgets(const char *text, eti_gate_rules *rules) {
    eti_source source = {"budget.csv", text, strlen(text)};
    *rules = (eti_gate_rules){0};
    return eti__gate_read_budgets(rules, &arena, &source, &err);
}

static eti_status read_list(const char *text, eti_allowances *list) {
    eti_source source = {"allow.csv", text, strlen(text)};
    *list = (eti_allowances){0};
    return eti__gate_read_allowances(list, &arena, &source, "2026-03-01", &err);
}

static int free_arena(void **state) {
    (void)state;
    eti__arena_free(&arena);
    return 0;
}

static void test_budget(void **state) {
    (void)state;
    eti_gate_rules rules;
    assert_ok(read_budgets("\xef\xbb\xbf# limits, \"agreed\" in March\r\n"
                           "\n"
                           "what,metric,limit,comment\r\n"
                           "total,p50,20ms,\"one frame, and\"\r\n"
                           "aten.conv*,p90,+10%\n"
                           "  # a comment\n"
                           "module=a.b,max,+3us,",
                           &rules));
    assert_int_equal(rules.n, 3);
    assert_int_equal(rules.rules[0].scope, ETI_GATE_TOTAL);
    assert_text(rules.rules[0].comment, "one frame, and");
    assert_text(rules.rules[0].origin, "budget.csv:4");
    assert_text(rules.rules[1].pattern, "aten.conv*");
    assert_absent(rules.rules[1].comment);
    assert_text(rules.rules[1].origin, "budget.csv:5");
    assert_text(rules.rules[2].origin, "budget.csv:7");
    assert_text(rules.rules[2].text, "module=a.b:max>+3us");
    free(rules.rules);
}

/* A figure is both what a rule is about and the metric; "operators" is also a scope. */
static void test_figures(void **state) {
    (void)state;
    eti_gate_rules rules;
    assert_ok(read_budgets("what,metric,limit,comment\nfile_size,,1MB,agreed\n"
                           "program,file_size,1MB\noperators,,+0\noperators,p50,1ms\n",
                           &rules));
    assert_int_equal(rules.n, 4);
    static const char *const texts[] = {"file_size>1MB", "program:file_size>1MB", "operators>+0",
                                        "operators:p50>1ms"};
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        eti_gate_rule parsed;
        assert_text(rules.rules[i].text, texts[i]);
        assert_int_equal(rules.rules[i].scope, i < 3 ? ETI_GATE_PROGRAM : ETI_GATE_OPERATORS);
        assert_ok(eti__gate_rule_parse(&parsed, &arena, rules.rules[i].text, &err));
        assert_int_equal(parsed.scope, rules.rules[i].scope);
        assert_int_equal(parsed.figure, rules.rules[i].figure);
    }
    assert_int_equal(rules.rules[0].figure, ETI_FIGURE_FILE_SIZE);
    assert_true(rules.rules[0].limit == 1e6);
    assert_text(rules.rules[0].comment, "agreed");
    free(rules.rules);
}

static void test_columns_in_any_order(void **state) {
    (void)state;
    eti_gate_rules rules;
    assert_ok(read_budgets("limit,owner,what,metric\n5us,me,x,p50\n", &rules));
    assert_int_equal(rules.n, 1);
    assert_text(rules.rules[0].pattern, "x");
    assert_absent(rules.rules[0].comment);
    free(rules.rules);
}

static void test_bad_budgets(void **state) {
    (void)state;
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", "budget.csv: the file is empty: expected a line of column names"},
        {"# nothing\n\n", "the file is empty"},
        {"total,p50,20ms\n", "line 1: there is no column what: expected the column names "},
        {"what,metric\n", "line 1: there is no column limit: expected the column names "},
        {"what,metric,limit\n\n,p50,20ms\n", "line 3: what is empty"},
        {"what,metric,limit\nx,p50\n", "line 2: limit is empty"},
        {"what,metric,limit\nx,,20ms\n", "line 2: metric is empty: expected p50"},
        {"what,metric,limit,limit\nx,p50,+5%,+500%\n",
         "budget.csv: line 1: the column limit occurs twice"},
        {"what,metric,comment,limit,comment\n", "line 1: the column comment occurs twice"},
        {"what,metric,limit\nfile_size,file_size,1MB\n",
         "line 2: file_size is a figure of the program: its scope is program, or none; found "},
        {"what,metric,limit\nprogram,,1MB\n", "line 2: metric is empty: expected p50"},
        {"what,metric,limit\nx,p50,20\n",
         "line 2: expected % or a unit: ns, us, ms, s or cycles; found x,p50,20"},
        {"what,metric,limit\nx,p50,+5%\nx,p51,+5%\n",
         "line 3: there is no 'p51': did you mean p50?; found x,p51,+5%"},
        {"what,metric,limit\nx,p50,\"+5%\n", "line 2: record 1 is not CSV"},
        {"what,metric,limit\nx\"y,p50,+5%\n", "line 2: record 1 is not CSV"},
        {"what,metric,limit\n\"x\ny\",p50,+5%\n", "line 2: a field is not a single line"},
        {"what,metric,limit\n\n\nx\x1b[31m,p50,+5%\n", "line 4: a field is not a single line"},
        {"what,metric,limit\nx\xff,p50,+5%\n", "line 2: a field is not a single line"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_gate_rules rules;
        assert_fails(read_budgets(cases[i].text, &rules), ETI_ERROR_MALFORMED, cases[i].message);
        free(rules.rules);
    }
}

static void test_limits(void **state) {
    (void)state;
    eti_buffer text = {0};
    eti_gate_rules rules;
    eti__buffer_add_string(&text, "what,metric,limit\n");
    eti__buffer_add_repeated(&text, "x,p50,1s\n", ETI_GATE_FILE_MAX_ROWS + 1);
    eti__buffer_add_char(&text, '\0');
    assert_fails(read_budgets(text.data, &rules), ETI_ERROR_LIMIT,
                 "line 10002: more than 10000 rows");
    free(rules.rules);
    text.size = 0;
    eti__buffer_add_repeated(&text, "#", ETI_GATE_FILE_MAX_SIZE + 1);
    eti__buffer_add_char(&text, '\0');
    assert_fails(read_budgets(text.data, &rules), ETI_ERROR_LIMIT, "more than 1048576 bytes");
    eti__buffer_free(&text);
    eti_source missing = {"/nonexistent/budget.csv", NULL, 0};
    assert_fails(eti__gate_read_budgets(&rules, &arena, &missing, &err), ETI_ERROR_READ,
                 "/nonexistent/budget.csv");
}

static void test_list(void **state) {
    (void)state;
    eti_allowances list;
    assert_ok(read_list("pattern,reason,expires\n"
                        "a*,\"known, #12\",2026-02-28\n"
                        "b,no end,\n"
                        "c,today,2026-03-01\n",
                        &list));
    assert_int_equal(list.n, 3);
    assert_text(list.entries[0].reason, "known, #12");
    assert_text(list.entries[0].origin, "allow.csv:2");
    assert_true(list.entries[0].is_expired);
    assert_false(list.entries[1].is_expired);
    assert_absent(list.entries[1].expires);
    assert_false(list.entries[2].is_expired);
    free(list.entries);
}

static void test_bad_days(void **state) {
    (void)state;
    static const char *const days[] = {"tomorrow",   "2026-2-28",  "2026-02-29", "2026-13-01",
                                       "2026-00-10", "2026-01-00", "2026-04-31", "2100-02-29",
                                       "20260228xx", "2026-02-281"};
    for (size_t i = 0; i < COUNT_OF(days); i++) {
        char text[128];
        eti_allowances list;
        snprintf(text, sizeof text, "pattern,reason,expires\na,b,%s\n", days[i]);
        assert_fails(read_list(text, &list), ETI_ERROR_MALFORMED, "line 2: expires is not a date");
        free(list.entries);
    }
    eti_allowances list;
    assert_ok(read_list("pattern,reason,expires\na,b,2028-02-29\na,b,2000-02-29\n", &list));
    assert_true(list.entries[1].is_expired);
    free(list.entries);
    assert_fails(read_list("pattern,reason,expires\na,,2028-02-29\n", &list), ETI_ERROR_MALFORMED,
                 "line 2: reason is empty");
    free(list.entries);
}

/* The last day of each month is valid, the day after it is not. */
static void test_last_days(void **state) {
    (void)state;
    static const int last[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    for (int month = 1; month <= 12; month++) {
        char text[128];
        eti_allowances list;
        snprintf(text, sizeof text, "pattern,reason,expires\na,b,2027-%02d-%02d\n", month,
                 last[month - 1]);
        assert_ok(read_list(text, &list));
        free(list.entries);
        snprintf(text, sizeof text, "pattern,reason,expires\na,b,2027-%02d-%02d\n", month,
                 last[month - 1] + 1);
        assert_fails(read_list(text, &list), ETI_ERROR_MALFORMED, "expires is not a date");
        free(list.entries);
    }
}

/* A list would apply forever because of one wrong letter. */
static void test_misspelled_expires(void **state) {
    (void)state;
    eti_allowances list;
    assert_fails(read_list("pattern,reason,expire\na,b,2020-01-01\n", &list), ETI_ERROR_MALFORMED,
                 "allow.csv: line 1: expected the columns pattern, reason and expires");
    assert_fails(read_list("pattern,reason,expires,reason\n", &list), ETI_ERROR_MALFORMED,
                 "allow.csv: line 1: the column reason occurs twice");
    assert_ok(read_list("owner,pattern,expires,reason\nme,a,2020-01-01,b\n", &list));
    assert_true(list.entries[0].is_expired);
    free(list.entries);
}

static void test_day_of(void **state) {
    (void)state;
    char day[11] = "xxxxxxxxxx";
    day[10] = 'x';
    eti__day_of(0, day);
    assert_int_equal(day[10], '\0');
    assert_string_equal(day, "1970-01-01");
    eti__day_of(951827696, day);
    assert_string_equal(day, "2000-02-29");
    eti__day_of(1772323199, day);
    assert_string_equal(day, "2026-02-28");
    eti__day_of(1772323200, day);
    assert_string_equal(day, "2026-03-01");
    eti__day_of(INT64_MAX, day);
    assert_string_equal(day, "1970-01-01");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_budget, free_arena),
        cmocka_unit_test_teardown(test_figures, free_arena),
        cmocka_unit_test_teardown(test_columns_in_any_order, free_arena),
        cmocka_unit_test_teardown(test_bad_budgets, free_arena),
        cmocka_unit_test_teardown(test_limits, free_arena),
        cmocka_unit_test_teardown(test_list, free_arena),
        cmocka_unit_test_teardown(test_bad_days, free_arena),
        cmocka_unit_test_teardown(test_last_days, free_arena),
        cmocka_unit_test_teardown(test_misspelled_expires, free_arena),
        cmocka_unit_test(test_day_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
