/* What a gate says: which rules break, which are undecided, what is allowed, and how it is told. */
#include "gate/gate.h"
#include "gate_fixture.h"
#include "table_cell.h"

static eti_error err;

static const gate_event before[] = {
    {"conv", "aten.convolution.default", "encoder.conv", 50000, "model.py", 12},
    {"relu", "aten.relu.default", "encoder", 20000, "model.py", 13},
    {"mm", "aten.mm.default", "head", 29000, "head.py", 7},
    {"tiny", "aten.add.Tensor", "head", 500, "head.py", 8},
};

/* conv takes 20 % longer, and tiny twice as long */
static const gate_event after[] = {
    {"conv", "aten.convolution.default", "encoder.conv", 60000, "model.py", 12},
    {"relu", "aten.relu.default", "encoder", 20000, "model.py", 13},
    {"mm", "aten.mm.default", "head", 29000, "head.py", 7},
    {"tiny", "aten.add.Tensor", "head", 1000, "head.py", 8},
};

/* The gate of these rules, and its checks by verdict. */
static eti_gate_outcome apply(const eti_profile *base, const eti_profile *new_side,
                              const char *const *rules, size_t n_rules, size_t counts[4]) {
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_gate gate;
    options.rules = rules;
    options.n_rules = n_rules;
    assert_ok(eti__gate_make(&gate, base, new_side, &options, &err));
    memset(counts, 0, 4 * sizeof *counts);
    for (size_t i = 0; i < gate.n_checks; i++)
        counts[gate.checks[i].finding]++;
    eti_gate_outcome outcome = gate.outcome;
    eti__gate_free(&gate);
    return outcome;
}

static void expect_rule(const char *rule, eti_gate_outcome outcome, size_t n_failed,
                        size_t n_passed) {
    eti_profile *base = make_side(before, COUNT_OF(before), 30, 500);
    eti_profile *new_side = make_side(after, COUNT_OF(after), 30, 500);
    size_t counts[4];
    eti_gate_outcome found = apply(base, new_side, &rule, 1, counts);
    if (found != outcome || counts[ETI_FINDING_FAILED] != n_failed ||
        counts[ETI_FINDING_PASSED] != n_passed)
        fail_msg("%s: outcome %d, %zu failed, %zu passed", rule, (int)found,
                 counts[ETI_FINDING_FAILED], counts[ETI_FINDING_PASSED]);
    eti_profile_free(new_side);
    eti_profile_free(base);
}

static void test_rules(void **state) {
    (void)state;
    expect_rule("p50>+5%", ETI_GATE_FAILED, 1, 2); /* tiny is below 1 % of the whole */
    expect_rule("p50>+5% min_share=0%", ETI_GATE_FAILED, 2, 2);
    expect_rule("p50>+5% min_share=0% min_effect=1us", ETI_GATE_FAILED, 1, 3);
    expect_rule("p50>+25%", ETI_GATE_PASSED, 0, 3);
    expect_rule("min>+19%", ETI_GATE_FAILED, 1, 2);
    expect_rule("avg>+21%", ETI_GATE_PASSED, 0, 3);
    expect_rule("op=relu:p50>+5%", ETI_GATE_PASSED, 0, 1);
    expect_rule("op=aten.conv*:p50>+5%", ETI_GATE_FAILED, 1, 0);
    expect_rule("p50>+9us", ETI_GATE_FAILED, 1, 3);
    expect_rule("p50>+11us", ETI_GATE_PASSED, 0, 4);
    expect_rule("total:p50>+5%", ETI_GATE_FAILED, 1, 0);
    expect_rule("total:p50>+15%", ETI_GATE_PASSED, 0, 1);
    expect_rule("overhead:p50>+1%", ETI_GATE_PASSED, 0, 1);
    expect_rule("module=encoder*:p50>+5%", ETI_GATE_FAILED, 1, 1);
    expect_rule("source=model.py*:avg>+5%", ETI_GATE_FAILED, 1, 1);
    expect_rule("p50>55us", ETI_GATE_FAILED, 1, 3);
    expect_rule("p90>61us", ETI_GATE_PASSED, 0, 4);
    expect_rule("total:max>0.1ms", ETI_GATE_FAILED, 1, 0);
    expect_rule("op=gone*:p50>+5%", ETI_GATE_TOO_FEW, 0, 0); /* nothing was checked */
}

/* Faster is never a failure. */
static void test_faster(void **state) {
    (void)state;
    eti_profile *base = make_side(after, COUNT_OF(after), 30, 500);
    eti_profile *new_side = make_side(before, COUNT_OF(before), 30, 500);
    size_t counts[4];
    assert_int_equal(apply(base, new_side, NULL, 0, counts), ETI_GATE_PASSED);
    eti_profile_free(new_side);
    eti_profile_free(base);
}

/* Undecided, with the number that would do, however large the difference is. */
static void test_too_few(void **state) {
    (void)state;
    eti_profile *base = make_side(before, COUNT_OF(before), 3, 500);
    eti_profile *new_side = make_side(after, COUNT_OF(after), 3, 500);
    static const char *const rules[] = {"total:p50>+5%", "total:p50>1us", "total:avg>1us"};
    size_t counts[4];
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        assert_int_equal(apply(base, new_side, &rules[i], 1, counts), ETI_GATE_TOO_FEW);
        assert_int_equal(counts[ETI_FINDING_TOO_FEW], 1);
    }
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_report *report;
    eti_gate_outcome outcome;
    assert_ok(eti__gate_report(&report, NULL, &outcome, base, new_side, &options, &err));
    assert_int_equal(outcome, ETI_GATE_TOO_FEW);
    eti_report_free(report);
    eti_profile_free(new_side);
    eti_profile_free(base);
}

/* A failure that is certain outranks what is not. */
static void test_failure_first(void **state) {
    (void)state;
    eti_profile *base = make_side(before, COUNT_OF(before), 5, 500);
    eti_profile *new_side = make_side(after, COUNT_OF(after), 8, 500);
    static const char *const rules[] = {"op:p50>+5%", "total:p50>1us"};
    size_t counts[4];
    assert_int_equal(apply(base, new_side, rules, 2, counts), ETI_GATE_FAILED);
    eti_profile_free(new_side);
    eti_profile_free(base);
}

static eti_cell cell_of(const eti_report *report, size_t row, const char *name) {
    const eti_table *table = eti_report_table(report, 1);
    for (size_t i = 0; i < eti_table_column_count(table); i++) {
        if (eti__text_is(eti_table_column_name(table, i), name))
            return table_cell(table, row, i);
    }
    fail_msg("there is no column %s", name);
    return (eti_cell){.kind = ETI_CELL_NONE};
}

static void expect_list(const char *list, eti_gate_outcome expected, const char *verdict,
                        const char *message, const char *note) {
    eti_profile *base = make_side(before, COUNT_OF(before), 30, 500);
    eti_profile *new_side = make_side(after, COUNT_OF(after), 30, 500);
    static const char *const rules[] = {"p50>+5%"};
    eti_source source = {"allow.csv", list, strlen(list)};
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    options.rules = rules;
    options.n_rules = 1;
    options.allowed = &source;
    options.n_allowed = 1;
    options.now = 1772323200; /* 2026-03-01 */
    eti_report *all, *report;
    eti_gate_outcome outcome;
    assert_ok(eti__gate_report(&all, &report, &outcome, base, new_side, &options, &err));
    assert_int_equal(outcome, expected);
    assert_int_equal(eti_table_row_count(eti_report_table(all, 1)), 3);
    assert_int_equal(eti_table_row_count(eti_report_table(report, 1)), 1);
    eti_report_free(all);
    assert_text(cell_of(report, 0, "verdict").as_text, verdict);
    eti_text found = cell_of(report, 0, "message").as_text;
    if (!eti__text_contains(found, eti__text_of(message)))
        fail_msg("'%s' is not in '%.*s'", message, (int)found.size, found.data);
    bool has_note = note == NULL;
    for (size_t i = 0; i < report->sections[0].n_notes; i++)
        has_note = has_note || eti__text_contains(report->sections[0].notes[i], eti__text_of(note));
    assert_true(has_note);
    eti_report_free(report);
    eti_profile_free(new_side);
    eti_profile_free(base);
}

static void test_allowed(void **state) {
    (void)state;
    expect_list("pattern,reason,expires\nconv,new kernel,2026-03-01\n", ETI_GATE_PASSED, "allowed",
                "allowed until 2026-03-01 (allow.csv:2: new kernel)", NULL);
    expect_list("pattern,reason\nencoder.*,new kernel\n", ETI_GATE_PASSED, "allowed",
                "; allowed (allow.csv:2: new kernel)", NULL);
    expect_list("pattern,reason,expires\naten.conv*,new kernel,2026-02-28\n", ETI_GATE_FAILED,
                "failed", "was allowed until 2026-02-28 (allow.csv:2: new kernel)", NULL);
    /* one that counts is stronger than one that has expired */
    expect_list("pattern,reason,expires\nconv,old,2026-02-28\nconv,newer,\n", ETI_GATE_PASSED,
                "allowed", "(allow.csv:3: newer)", NULL);
    expect_list("pattern,reason\nrelu,slow\n", ETI_GATE_FAILED, "failed", "model.py:12",
                "allow.csv:2: relu is not slower: the entry can go");
}

static void test_message(void **state) {
    (void)state;
    expect_list("pattern,reason\n", ETI_GATE_FAILED, "failed",
                "conv (aten.convolution.default): p50 0.0505 -> 0.0606 ms, +20.0 % (95 % interval ",
                "failed: conv (aten.convolution.default): p50 0.0505 -> 0.0606 ms");
    expect_list("pattern,reason\n", ETI_GATE_FAILED, "failed",
                "adjusted for 3 checks, 30 and 30 runs; rule p50>+5%; model.py:12", NULL);
}

/* Rules about events compare with the pace of runs, so one about the total is missed here. */
static void test_all_slower(void **state) {
    (void)state;
    enum { N = 12 };
    gate_event fast[N], slow[N];
    static const char *const rules[] = {"op:p50>+5%", "total:p50>5s"};
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_report *report;
    eti_gate_outcome outcome;
    for (unsigned i = 0; i < N; i++) {
        fast[i] = (gate_event){"op", "aten.op", NULL, 10000 + 100 * i, NULL, 0};
        slow[i] = (gate_event){"op", "aten.op", NULL, 2 * fast[i].ticks, NULL, 0};
    }
    eti_profile *base = make_side(fast, N, 30, 0), *new_side = make_side(slow, N, 30, 0);
    options.rules = rules;
    for (options.n_rules = 1; options.n_rules <= 2; options.n_rules++) {
        assert_ok(eti__gate_report(&report, NULL, &outcome, base, new_side, &options, &err));
        assert_int_equal(outcome, ETI_GATE_PASSED);
        assert_int_equal(report->sections[0].n_notes, options.n_rules == 1);
        if (options.n_rules == 1)
            assert_true(eti__text_contains(report->sections[0].notes[0],
                                           eti__text_of("Method::execute is slower")));
        eti_report_free(report);
    }
    eti_profile_free(new_side);
    /* of what is as quick as it was nothing is to be said */
    options.n_rules = 1;
    assert_ok(eti__gate_report(&report, NULL, &outcome, base, base, &options, &err));
    assert_int_equal(outcome, ETI_GATE_PASSED);
    assert_int_equal(report->sections[0].n_notes, 0);
    eti_report_free(report);
    eti_profile_free(base);
}

/* Ten checks are spelled out; how many more there are is told. */
static void test_many_failed(void **state) {
    (void)state;
    enum { MOST = 11 };
    gate_event fast[MOST], slow[MOST];
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    options.diff.keep_pace = true;
    for (unsigned i = 0; i < MOST; i++) {
        fast[i] = (gate_event){"op", "aten.op", NULL, 10000 + 100 * i, NULL, 0};
        slow[i] = (gate_event){"op", "aten.op", NULL, 2 * fast[i].ticks, NULL, 0};
    }
    for (size_t n = 10; n <= MOST; n++) {
        eti_profile *base = make_side(fast, n, 30, 0), *new_side = make_side(slow, n, 30, 0);
        eti_report *report;
        eti_gate_outcome outcome;
        options.rules = &(const char *){"op:p50>+5%"};
        options.n_rules = 1;
        assert_ok(eti__gate_report(&report, NULL, &outcome, base, new_side, &options, &err));
        assert_int_equal(outcome, ETI_GATE_FAILED);
        assert_int_equal(report->sections[0].n_notes, n);
        for (size_t i = 0; i < 10; i++)
            assert_true(eti__text_contains(report->sections[0].notes[i],
                                           eti__text_of("failed: op (aten.op)")));
        if (n == 11)
            assert_text(report->sections[0].notes[10], "and 1 more, in the table of checks");
        eti_report_free(report);
        eti_profile_free(new_side);
        eti_profile_free(base);
    }
}

/* Added and removed events are compared with nothing, which is said. */
static void test_added(void **state) {
    (void)state;
    eti_profile *base = make_side(before, 3, 30, 500);
    eti_profile *new_side = make_side(before + 1, 3, 30, 500);
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_report *report;
    eti_gate_outcome outcome;
    assert_ok(eti__gate_report(&report, NULL, &outcome, base, new_side, &options, &err));
    assert_int_equal(outcome, ETI_GATE_PASSED);
    assert_int_equal(report->sections[0].n_notes, 1);
    assert_text(report->sections[0].notes[0],
                "events added: 1, removed: 1; no rule compares them, but totals count them");
    eti_report_free(report);
    eti_profile_free(new_side);
    eti_profile_free(base);
}

/* The names of groups outlive the comparison that made them. */
static void test_groups(void **state) {
    (void)state;
    eti_profile *base = make_side(before, COUNT_OF(before), 30, 500);
    eti_profile *new_side = make_side(after, COUNT_OF(after), 30, 500);
    static const char *const rules[] = {"source=model.py*:p50>+5%"};
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_report *report;
    eti_gate_outcome outcome;
    options.rules = rules;
    options.n_rules = 1;
    assert_ok(eti__gate_report(&report, NULL, &outcome, base, new_side, &options, &err));
    assert_int_equal(outcome, ETI_GATE_FAILED);
    assert_int_equal(eti_table_row_count(eti_report_table(report, 1)), 2);
    assert_text(cell_of(report, 0, "name").as_text, "model.py:12");
    assert_text(cell_of(report, 1, "name").as_text, "model.py:13");
    assert_text(cell_of(report, 0, "key").as_text, "Execute/model.py:12 p50");
    assert_int_equal(cell_of(report, 0, "op").kind, ETI_CELL_NONE);
    assert_int_equal(cell_of(report, 0, "source_line").as_int, 12);
    eti_report_free(report);
    eti_profile_free(new_side);
    eti_profile_free(base);
}

/* Findings beside the tables: as plain numbers, and texts of their own. */
static void test_result(void **state) {
    (void)state;
    eti_profile *base = make_side(before, COUNT_OF(before), 30, 500);
    eti_profile *new_side = make_side(after, COUNT_OF(after), 30, 500);
    static const char *const rules[] = {"p50>+5%", "op=gone*:p50>1us"};
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_report *all, *not_passed;
    eti_gate_outcome outcome;
    options.rules = rules;
    options.n_rules = 2;
    assert_ok(eti__gate_report(&all, &not_passed, &outcome, base, new_side, &options, &err));
    const eti_gate_result *result = all->gate;
    assert_int_equal(result->outcome, ETI_GATE_FAILED);
    assert_int_equal(result->time_scale, ETI_SCALE_MS);
    assert_int_equal(result->n_rules, 2);
    assert_int_equal(result->rules[0].n[ETI_FINDING_FAILED], 1);
    assert_int_equal(result->rules[0].n[ETI_FINDING_PASSED], 2);
    assert_int_equal(result->rules[1].n[ETI_FINDING_PASSED], 0);
    assert_int_equal(result->n_findings, 3);
    const eti_finding *first = &result->findings[0];
    assert_int_equal(first->kind, ETI_FINDING_FAILED);
    assert_ptr_equal(first->rule, &result->rules[0]);
    assert_text(first->name, "conv");
    assert_text(first->file, "model.py");
    assert_int_equal(first->line, 12);
    assert_true(first->is_compared && !first->is_bytes);
    assert_true(first->base > 0.050 && first->base < 0.051);
    assert_true(first->change > 0.19 && first->change < 0.21);
    assert_true(first->low <= first->change && first->change <= first->high);
    assert_int_equal(first->n_base, 30);
    assert_non_null(first->message.data);
    assert_null(result->findings[2].message.data); /* it was passed */
    assert_int_equal(not_passed->gate->n_findings, 1);
    assert_int_equal(not_passed->gate->rules[0].n[ETI_FINDING_PASSED], 2);
    eti_report_free(all);
    eti_report_free(not_passed);
    eti_profile_free(new_side);
    eti_profile_free(base);
}

static void test_errors(void **state) {
    (void)state;
    eti_profile *side = make_side(before, COUNT_OF(before), 30, 500);
    static const char *const cycles[] = {"p50>+5cycles"}, *const bad[] = {"p50>+5"};
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_report *report;
    eti_gate_outcome outcome;
    options.rules = cycles;
    options.n_rules = 1;
    assert_fails(eti__gate_report(&report, NULL, &outcome, side, side, &options, &err),
                 ETI_ERROR_USAGE, "the rule p50>+5cycles is in cycles, but times are in ms");
    assert_null(report);
    options.rules = bad;
    assert_fails(eti__gate_report(&report, NULL, &outcome, side, side, &options, &err),
                 ETI_ERROR_USAGE, "expected % or a unit");
    assert_int_equal(err.position, 7);
    options = (eti_gate_options)ETI_GATE_OPTIONS_DEFAULT;
    options.diff.alpha = 2;
    assert_fails(eti__gate_report(&report, NULL, &outcome, side, side, &options, &err),
                 ETI_ERROR_USAGE, "alpha is 2");
    eti_profile_free(side);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),       cmocka_unit_test(test_faster),
        cmocka_unit_test(test_too_few),     cmocka_unit_test(test_failure_first),
        cmocka_unit_test(test_all_slower),  cmocka_unit_test(test_allowed),
        cmocka_unit_test(test_message),     cmocka_unit_test(test_added),
        cmocka_unit_test(test_many_failed), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_groups),      cmocka_unit_test(test_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
