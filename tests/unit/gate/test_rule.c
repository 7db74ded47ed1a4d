#include "support.h"

#include "base/arena.h"
#include "base/text.h"
#include "gate/gate.h"
#include "gate/parts.h"
#include "program/program.h"
#include "stats/stats.h"

/* ==== rule ==================================================================================== */
/* Tests rules of a gate: their syntax, and the places of errors in rules that cannot be read. */

static eti_error err;
static eti_arena arena;

static eti_gate_rule parse(const char *text) {
    eti_gate_rule rule;
    assert_ok(eti__gate_rule_parse(&rule, &arena, eti__text_of(text), &err));
    return rule;
}

static int free_arena(void **state) {
    (void)state;
    eti__arena_free(&arena);
    return 0;
}

static void test_defaults(void **state) {
    (void)state;
    eti_gate_rule rule = parse("p50>+5%");
    assert_int_equal(rule.scope, ETI_GATE_OP);
    assert_int_equal(rule.metric, ETI_METRIC_P50);
    assert_int_equal(rule.kind, ETI_GATE_RELATIVE);
    assert_bits(rule.limit, 0.05);
    assert_bits(rule.min_share, 0.01);
    assert_bits(rule.min_effect, 0);
    assert_absent(rule.pattern);
    assert_text(rule.text, "p50>+5%");
}

static void test_scopes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        eti_gate_scope scope;
        const char *pattern;
    } cases[] = {
        {"op:p50>+5%", ETI_GATE_OP, NULL},
        {"op=aten.conv*:p50>+5%", ETI_GATE_OP, "aten.conv*"},
        {"op=aten::add.out:p50>+5%", ETI_GATE_OP, "aten::add.out"},
        {"op=a>b=c:p50>+5%", ETI_GATE_OP, "a>b=c"},
        {"optype:p50>+5%", ETI_GATE_OPTYPE, NULL},
        {"optype=aten.conv*:p50>+5%", ETI_GATE_OPTYPE, "aten.conv*"},
        {"module:p50>+5%", ETI_GATE_MODULE, NULL},
        {"module=encoder.*:p50>+5%", ETI_GATE_MODULE, "encoder.*"},
        {"backend=Xnnpack*:p50>+5%", ETI_GATE_BACKEND, "Xnnpack*"},
        {"source=*model.py:12:p50>+5%", ETI_GATE_SOURCE, "*model.py:12"},
        {"total:p50>+5%", ETI_GATE_TOTAL, NULL},
        {"operators:p50>+5%", ETI_GATE_OPERATORS, NULL},
        {"delegates:p50>+5%", ETI_GATE_DELEGATES, NULL},
        {"overhead:p50>+5%", ETI_GATE_FRAMEWORK, NULL},
        {"framework:p50>+5%", ETI_GATE_FRAMEWORK, NULL},
        {"loading:p50>+5%", ETI_GATE_LOADING, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_gate_rule rule = parse(cases[i].text);
        assert_int_equal(rule.scope, cases[i].scope);
        if (cases[i].pattern)
            assert_text(rule.pattern, cases[i].pattern);
        else
            assert_absent(rule.pattern);
        assert_bits(rule.min_share, cases[i].scope < ETI_GATE_TOTAL ? 0.01 : 0);
    }
}

static void test_limits(void **state) {
    (void)state;
    eti_gate_rule rule = parse(" total : p90 > + 1.5e1 us min_effect = 2 ns ");
    assert_int_equal(rule.kind, ETI_GATE_DIFFERENCE);
    assert_int_equal(rule.metric, ETI_METRIC_P90);
    assert_bits(rule.limit, 15);
    assert_int_equal(rule.unit, ETI_SCALE_US);
    assert_bits(rule.min_effect, 2);
    assert_int_equal(rule.effect_unit, ETI_SCALE_NS);
    assert_text(rule.text, "total : p90 > + 1.5e1 us min_effect = 2 ns");
    rule = parse("max>20ms");
    assert_int_equal(rule.kind, ETI_GATE_ABSOLUTE);
    assert_int_equal(rule.unit, ETI_SCALE_MS);
    assert_bits(rule.min_share, 0);
    rule = parse("avg>+0%min_share=2.5% min_effect=1cycles");
    assert_bits(rule.min_share, 0.025);
    assert_bits(rule.limit, 0);
    assert_int_equal(rule.effect_unit, ETI_SCALE_CYCLES);
}

static void test_exponents(void **state) {
    (void)state;
    assert_bits(parse("p50>1e1us").limit, 10);
    assert_bits(parse("p50>1.5E+1us").limit, 15);
    assert_bits(parse("p50>2e-1us").limit, 0.2);
    assert_bits(parse("p50>0us").limit, 0);
}

/* Powers of 1000 with kB, MB, GB, of 1024 with KiB, MiB, GiB. */
static void test_bytes(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double bytes;
    } cases[] = {
        {"file_size>3B", 3},
        {"file_size>3bytes", 3},
        {"file_size>3kB", 3000},
        {"file_size>3MB", 3000000},
        {"file_size>3GB", 3000000000},
        {"file_size>3KiB", 3072},
        {"file_size>3MiB", 3145728},
        {"file_size>3kib", 3072},
        {"file_size>3mib", 3145728},
        {"file_size>3GiB", 3221225472},
        {"file_size>3gib", 3221225472},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_bits(parse(cases[i].text).limit, cases[i].bytes);
}

/* The caret stands below byte number `at`, counted from 0. */
static void test_errors(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t at;
        const char *part;
    } cases[] = {
        {"", 0, "expected METRIC>LIMIT"},
        {"p50", 3, "expected METRIC>LIMIT"},
        {"op:", 3, "expected METRIC>LIMIT"},
        {"ops:p50>+5%", 0, "there is no 'ops': did you mean op?"},
        {":p50>+5%", 0, "expected a scope"},
        {"op=:p50>+5%", 2, "expected a pattern"},
        {"total=x:p50>+5%", 5, "there is only one total"},
        {"overhead=x:p50>+5%", 8, "there is only one framework"},
        {"op:p51>+5%", 3, "there is no 'p51': did you mean p50?"},
        {"op:>+5%", 3, "expected p50, avg, p90, p95, p99, min, max or fast"},
        {"p50>5%", 4, "a percentage is relative to BASE"},
        {"p50>", 4, "expected a limit"},
        {"p50>+", 5, "expected a limit"},
        {"p50>-5%", 4, "expected a limit"},
        {"p50>+nan%", 5, "expected a limit"},
        {"p50>+1e999%", 5, "expected a limit"},
        {"p50>+1.2.3%", 5, "expected a limit"},
        {"p50>+5", 6, "expected % or a unit"},
        {"p50>+5 minutes", 7, "expected % or a unit"},
        {"p50>+5% or so", 8, "expected min_share="},
        {"p50>+5% min_share", 17, "expected ="},
        {"p50>+5% min_share=1us", 8, "expected a share"},
        {"p50>+5% min_share=101%", 8, "cannot be more than 100"},
        {"p50>+5% min_effect=1%", 8, "expected a time"},
        {"op=\xc3\xa4:p50>5%", 10, "a percentage is relative to BASE"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_gate_rule rule;
        assert_fails(eti__gate_rule_parse(&rule, &arena, eti__text_of(cases[i].text), &err),
                     ETI_ERROR_USAGE, cases[i].part);
        assert_int_equal(err.position, cases[i].at + 1);
        assert_fails(eti__gate_check_rule(cases[i].text, &err), ETI_ERROR_USAGE, cases[i].part);
    }
}

static void test_long(void **state) {
    (void)state;
    char *text = malloc(ETI_GATE_RULE_MAX_SIZE + 2);
    eti_gate_rule rule;
    assert_non_null(text);
    memset(text, '1', ETI_GATE_RULE_MAX_SIZE + 1);
    text[ETI_GATE_RULE_MAX_SIZE + 1] = '\0';
    assert_fails(eti__gate_rule_parse(&rule, &arena, eti__text_of(text), &err), ETI_ERROR_USAGE,
                 "more than 4096 bytes");
    free(text);
}

static void test_parts(void **state) {
    (void)state;
    eti_gate_rule rule;
    assert_ok(eti__gate_rule_of_parts(&rule, &arena, eti__text_of(" aten::conv* "),
                                      eti__text_of("p90"), eti__text_of("20 us"), &err));
    assert_int_equal(rule.scope, ETI_GATE_OP);
    assert_text(rule.pattern, "aten::conv*");
    assert_text(rule.text, "aten::conv*:p90>20 us");
    assert_ok(eti__gate_rule_of_parts(&rule, &arena, eti__text_of("module=a*"), eti__text_of("p50"),
                                      eti__text_of("+5% min_share=3%"), &err));
    assert_int_equal(rule.scope, ETI_GATE_MODULE);
    assert_text(rule.pattern, "a*");
    assert_bits(rule.min_share, 0.03);
    assert_fails(eti__gate_rule_of_parts(&rule, &arena, eti__text_of(" "), eti__text_of("p50"),
                                         eti__text_of("+5%"), &err),
                 ETI_ERROR_USAGE, "expected an operator");
    assert_fails(eti__gate_rule_of_parts(&rule, &arena, eti__text_of("x"), eti__text_of("p5"),
                                         eti__text_of("+5%"), &err),
                 ETI_ERROR_USAGE, "did you mean p50?");
    assert_int_equal(err.position, 0);
}

/* Figures need no scope, and their limits are numbers of bytes or of things. */
static void test_figures(void **state) {
    (void)state;
    static const struct {
        const char *text;
        eti_figure figure;
        eti_gate_limit kind;
        double limit;
    } cases[] = {
        {"file_size > 1MB", ETI_FIGURE_FILE_SIZE, ETI_GATE_ABSOLUTE, 1e6},
        {"arena_size>2MiB", ETI_FIGURE_ARENA_SIZE, ETI_GATE_ABSOLUTE, 2 << 20},
        {"arena_peak>1.5kB", ETI_FIGURE_ARENA_PEAK, ETI_GATE_ABSOLUTE, 1500},
        {"waste>+1KiB", ETI_FIGURE_WASTE, ETI_GATE_DIFFERENCE, 1024},
        {"constants>+1%", ETI_FIGURE_CONSTANTS, ETI_GATE_RELATIVE, 0.01},
        {"program:delegate_blobs > 7 B", ETI_FIGURE_DELEGATE_BLOBS, ETI_GATE_ABSOLUTE, 7},
        {"instructions > +0", ETI_FIGURE_INSTRUCTIONS, ETI_GATE_DIFFERENCE, 0},
        {"operators > 30", ETI_FIGURE_OPERATORS, ETI_GATE_ABSOLUTE, 30},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_gate_rule rule = parse(cases[i].text);
        assert_int_equal(rule.scope, ETI_GATE_PROGRAM);
        assert_int_equal(rule.figure, cases[i].figure);
        assert_int_equal(rule.kind, cases[i].kind);
        assert_bits(rule.limit, cases[i].limit);
    }
    assert_int_equal(parse("operators:p50>+5%").scope, ETI_GATE_OPERATORS);
    static const char *const wrong[][2] = {
        {"file_size>1mb", "B, KiB, MiB, GiB, kB, MB or GB"},
        {"file_size>1", "B, KiB, MiB, GiB, kB, MB or GB"},
        {"file_size>1ms", "B, KiB, MiB, GiB, kB, MB or GB"},
        {"operators>30B", "operators is a count"},
        {"file_size>1MB min_effect=1B", "file_size is exact"},
        {"program:p50>1MB", "expected file_size, arena_size"},
        {"program:file_siz>1MB", "did you mean file_size?"},
        {"arena_peek>1MB", "did you mean arena_peak?"},
        {"op:file_size>1MB", "file_size is a figure of the program: its scope is program, or none"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        eti_gate_rule rule;
        assert_fails(eti__gate_rule_parse(&rule, &arena, eti__text_of(wrong[i][0]), &err),
                     ETI_ERROR_USAGE, wrong[i][1]);
    }
    eti_gate_rule rule;
    assert_ok(eti__gate_rule_of_parts(&rule, &arena, eti__text_of("program"), eti__text_of("waste"),
                                      eti__text_of("1kB"), &err));
    assert_text(rule.text, "program:waste>1kB");
}

/* ==== files =================================================================================== */
/* Tests budgets, and lists of events that may be slower: their contents, and which line is reported as wrong. */

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
static void test_figures_in_files(void **state) {
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

static void test_limits_in_files(void **state) {
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
        cmocka_unit_test_teardown(test_defaults, free_arena),
        cmocka_unit_test_teardown(test_scopes, free_arena),
        cmocka_unit_test_teardown(test_limits, free_arena),
        cmocka_unit_test_teardown(test_exponents, free_arena),
        cmocka_unit_test_teardown(test_bytes, free_arena),
        cmocka_unit_test_teardown(test_errors, free_arena),
        cmocka_unit_test_teardown(test_long, free_arena),
        cmocka_unit_test_teardown(test_parts, free_arena),
        cmocka_unit_test_teardown(test_figures, free_arena),
        cmocka_unit_test_teardown(test_budget, free_arena),
        cmocka_unit_test_teardown(test_figures_in_files, free_arena),
        cmocka_unit_test_teardown(test_columns_in_any_order, free_arena),
        cmocka_unit_test_teardown(test_bad_budgets, free_arena),
        cmocka_unit_test_teardown(test_limits_in_files, free_arena),
        cmocka_unit_test_teardown(test_list, free_arena),
        cmocka_unit_test_teardown(test_bad_days, free_arena),
        cmocka_unit_test_teardown(test_last_days, free_arena),
        cmocka_unit_test_teardown(test_misspelled_expires, free_arena),
        cmocka_unit_test(test_day_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
