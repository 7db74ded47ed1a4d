/* Tests reports of a gate: broken, undecided and allowed rules, and the messages. */
#include "base/names.h"
#include "compare/compare.h"
#include "gate/gate.h"
#include "gate/parts.h"
#include "gate_fixture.h"
#include "stats/stats.h"
#include "table_cell.h"

#include <math.h>

static eti_error err;

#define FILES(n, first_file)                                                                       \
    (gate_side) {                                                                                  \
        .n_files = (n), .n_runs = 10, .framework = 500, .scatter = 10, .first = (first_file)       \
    }
/* Files of one side differ by up to 30 %. */
#define NOISY(n, first_file)                                                                       \
    (gate_side) {                                                                                  \
        .n_files = (n), .n_runs = 10, .framework = 500, .scatter = 300, .first = (first_file)      \
    }

/* Only the first events differ that much. */
#define PARTLY_NOISY(n, first_file, noisy)                                                         \
    (gate_side) {                                                                                  \
        .n_files = (n), .n_runs = 10, .framework = 500, .scatter = 300, .first = (first_file),     \
        .n_noisy = (noisy)                                                                         \
    }

static const gate_event before[] = {
    {"conv", "aten.convolution.default", "encoder.conv", 50000, "/home/me/model.py", 12},
    {"relu", "aten.relu.default", "encoder", 20000, "/home/me/model.py", 13},
    {"mm", "aten.mm.default", "head", 29000, "/home/me/head.py", 7},
    {"tiny", "aten.add.Tensor", "head", 500, "/home/me/head.py", 8},
    {"a", "aten.mul.Tensor", "tail", 30000, NULL, 0},
    {"b", "aten.mul.Tensor", "tail", 31000, NULL, 0},
    {"c", "aten.mul.Tensor", "tail", 32000, NULL, 0},
};

/* conv takes 20 % longer, and tiny twice as long */
static const gate_event after[] = {
    {"conv", "aten.convolution.default", "encoder.conv", 60000, "/home/me/model.py", 12},
    {"relu", "aten.relu.default", "encoder", 20000, "/home/me/model.py", 13},
    {"mm", "aten.mm.default", "head", 29000, "/home/me/head.py", 7},
    {"tiny", "aten.add.Tensor", "head", 1000, "/home/me/head.py", 8},
    {"a", "aten.mul.Tensor", "tail", 30000, NULL, 0},
    {"b", "aten.mul.Tensor", "tail", 31000, NULL, 0},
    {"c", "aten.mul.Tensor", "tail", 32000, NULL, 0},
};

/* Two sides, and a gate between them. */
typedef struct scene {
    eti_profile *base, *new_side;
    eti_gate_options options;
    eti_gate gate;
} scene;

static scene begin(const gate_event *base, gate_side base_side, const gate_event *new_side,
                   gate_side new_side_files) {
    return (scene){.base = make_side(base, COUNT_OF(before), base_side),
                   .new_side = make_side(new_side, COUNT_OF(after), new_side_files),
                   .options = ETI_GATE_OPTIONS_DEFAULT};
}

static scene begin_slower(size_t n_files) {
    return begin(before, FILES(n_files, 0), after, FILES(n_files, 100));
}

static scene begin_same(size_t n_files) {
    return begin(before, FILES(n_files, 0), before, FILES(n_files, 100));
}

static void judge(scene *s, const char *const *rules, size_t n_rules) {
    eti__gate_free(&s->gate);
    s->options.rules = rules;
    s->options.n_rules = n_rules;
    assert_ok(eti__gate_make(&s->gate, s->base, s->new_side, &s->options, &err));
}

static void end(scene *s) {
    eti__gate_free(&s->gate);
    eti_profile_free(s->base);
    eti_profile_free(s->new_side);
    free_files();
}

static const eti_check *check_of(const scene *s, const char *name) {
    for (size_t i = 0; i < s->gate.n_checks; i++) {
        if (eti__text_is(s->gate.checks[i].row->name, name))
            return &s->gate.checks[i];
    }
    fail_msg("%s is not checked", name);
    return NULL;
}

/* ---- outcomes -------------------------------------------------------------------------------- */

static void expect_rule(scene *s, const char *rule, eti_rule_outcome outcome, size_t n_failed,
                        size_t n_passed) {
    judge(s, &rule, 1);
    const eti_rule_judgement *found = &s->gate.judgements[0];
    if (found->outcome != outcome || found->checks[ETI_FINDING_FAILED] != n_failed ||
        found->checks[ETI_FINDING_PASSED] != n_passed)
        fail_msg("%s: %s, %zu failed, %zu passed", rule, eti__rule_outcome_name(found->outcome),
                 found->checks[ETI_FINDING_FAILED], found->checks[ETI_FINDING_PASSED]);
}

static void test_rules(void **state) {
    (void)state;
    scene s = begin_slower(5);
    expect_rule(&s, "p50>+5%", ETI_RULE_FAILED, 1, 5); /* tiny is below 1 % of the total */
    expect_rule(&s, "p50>+5% min_share=0%", ETI_RULE_FAILED, 2, 5);
    expect_rule(&s, "p50>+5% min_share=0% min_effect=1us", ETI_RULE_FAILED, 1, 6);
    expect_rule(&s, "p50>+22%", ETI_RULE_PASSED, 0, 6);
    expect_rule(&s, "min>+17%", ETI_RULE_FAILED, 1, 5);
    expect_rule(&s, "avg>+22%", ETI_RULE_PASSED, 0, 6);
    expect_rule(&s, "op=relu:p50>+5%", ETI_RULE_PASSED, 0, 1);
    expect_rule(&s, "op=aten.conv*:p50>+5%", ETI_RULE_FAILED, 1, 0);
    expect_rule(&s, "p50>+9us", ETI_RULE_FAILED, 1, 6);
    expect_rule(&s, "p50>+11us", ETI_RULE_PASSED, 0, 7);
    expect_rule(&s, "total:p50>+4%", ETI_RULE_FAILED, 1, 0);
    expect_rule(&s, "total:p50>+15%", ETI_RULE_PASSED, 0, 1);
    expect_rule(&s, "overhead:p50>+1%", ETI_RULE_PASSED, 0, 1);
    expect_rule(&s, "module=encoder*:p50>+5%", ETI_RULE_FAILED, 1, 1);
    expect_rule(&s, "source=*model.py*:avg>+5%", ETI_RULE_FAILED, 1, 1);
    end(&s);
}

/* A rule without a share uses the share of the options. */
static void test_shares(void **state) {
    (void)state;
    scene s = begin_slower(5);
    s.options.diff.min_share = 0;
    expect_rule(&s, "p50>+5%", ETI_RULE_FAILED, 2, 5);
    s.options.diff.min_share = 0.12;
    expect_rule(&s, "p50>+5%", ETI_RULE_FAILED, 1, 4);
    expect_rule(&s, "p50>+5% min_share=1%", ETI_RULE_FAILED, 1, 5);
    /* a rule in units of time applies to all events */
    expect_rule(&s, "p50>+9us", ETI_RULE_FAILED, 1, 6);
    end(&s);
}

static void test_limits(void **state) {
    (void)state;
    scene s = begin_slower(5);
    expect_rule(&s, "p50>55us", ETI_RULE_FAILED, 1, 6);
    expect_rule(&s, "p50>55us min_effect=4us", ETI_RULE_FAILED, 1, 6);
    expect_rule(&s, "p50>55us min_effect=7us", ETI_RULE_PASSED, 0, 7);
    expect_rule(&s, "p90>63us", ETI_RULE_PASSED, 0, 7);
    expect_rule(&s, "total:max>0.1ms", ETI_RULE_FAILED, 1, 0);
    expect_rule(&s, "p50>0us", ETI_RULE_FAILED, 7, 0);
    expect_rule(&s, "p50>55us min_share=20%", ETI_RULE_FAILED, 1, 0);
    assert_int_equal(s.gate.judgements[0].reach.n_small, 6);
    expect_rule(&s, "op=conv:p50>70us", ETI_RULE_PASSED, 0, 1);
    assert_true(s.gate.checks[0].p > 0.99); /* it lies below the limit */
    const eti_row_side *base = &s.gate.checks[0].row->base;
    assert_true(s.gate.checks[0].base == base->p50 && base->p50 != base->location);
    expect_rule(&s, "op=conv:p50>55us", ETI_RULE_FAILED, 1, 0);
    assert_true(s.gate.checks[0].is_tested);
    end(&s);
}

/* Five files scatter around a limit: their mean lies above it, but within chance. */
static void test_limit_within_scatter(void **state) {
    (void)state;
    scene s = begin(before, NOISY(5, 0), before, NOISY(5, 100));
    expect_rule(&s, "op=conv:p50>56us", ETI_RULE_CANNOT_TELL, 0, 0);
    const eti_check *check = check_of(&s, "conv");
    assert_true(check->is_tested && check->new_side > 0.056 && check->change.difference > 0);
    assert_true(check->p > 0.01 && check->p < 0.5);
    assert_int_equal(check->finding, ETI_FINDING_UNDECIDED);
    assert_int_equal(s.gate.outcome, ETI_GATE_UNDECIDED);
    assert_int_equal(s.gate.judgements[0].files_needed, 0);
    /* an excess up to the minimum effect is allowed */
    expect_rule(&s, "op=conv:p50>56us min_effect=20us", ETI_RULE_PASSED, 0, 1);
    end(&s);
    /* a single file counts as measured */
    s = begin(before, NOISY(1, 0), before, NOISY(1, 101));
    expect_rule(&s, "op=conv:p50>50us", ETI_RULE_FAILED, 1, 0);
    check = check_of(&s, "conv");
    assert_false(check->is_tested);
    expect_rule(&s, "op=conv:p50>90us", ETI_RULE_PASSED, 0, 1);
    assert_int_equal(s.gate.outcome, ETI_GATE_PASSED);
    end(&s);
    /* four files count as measured, too; a time equal to the limit is allowed */
    s = begin(before, FILES(1, 0), before, NOISY(4, 100));
    expect_rule(&s, "op=conv:p50>50us", ETI_RULE_FAILED, 1, 0);
    assert_false(check_of(&s, "conv")->is_tested);
    end(&s);
    s = begin(before, FILES(1, 5), before, FILES(1, 0));
    expect_rule(&s, "op=conv:p50>50.5us", ETI_RULE_PASSED, 0, 1);
    expect_rule(&s, "op=conv:p50>50.49us", ETI_RULE_FAILED, 1, 0);
    end(&s);
}

/* Faster is never a failure, and exchanging the sides exchanges slower and faster. */
static void test_faster(void **state) {
    (void)state;
    scene s = begin(after, FILES(5, 0), before, FILES(5, 100));
    judge(&s, NULL, 0);
    assert_int_equal(s.gate.outcome, ETI_GATE_PASSED);
    double faster = check_of(&s, "conv")->change.difference, p = check_of(&s, "conv")->p;
    end(&s);
    s = begin(before, FILES(5, 100), after, FILES(5, 0));
    judge(&s, NULL, 0);
    assert_int_equal(s.gate.outcome, ETI_GATE_FAILED);
    assert_true(fabs(check_of(&s, "conv")->change.difference + faster) < 1e-12);
    assert_true(fabs(check_of(&s, "conv")->p - p) < 1e-12);
    end(&s);
}

/* The rule stays undecided, however large the difference is. */
static void test_few_files(void **state) {
    (void)state;
    static const char *const rules[] = {"op:p50>+5%", "total:p50>+5%", "total:avg>+1us"};
    scene s = begin(before, FILES(10, 0), after, FILES(4, 100));
    judge(&s, rules, COUNT_OF(rules));
    assert_int_equal(s.gate.outcome, ETI_GATE_UNDECIDED);
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        assert_int_equal(s.gate.judgements[i].outcome, ETI_RULE_FEW_FILES);
        assert_int_equal(s.gate.judgements[i].files_needed, 6); /* C(12, 6) is 924, more than 300 */
        assert_int_equal(s.gate.judgements[i].checks[ETI_FINDING_PASSED], 0);
    }
    s.options.diff.alpha = 0.05;
    judge(&s, rules, COUNT_OF(rules));
    assert_int_equal(s.gate.outcome, ETI_GATE_FAILED);
    end(&s);
}

/* Where the files of a side differ as much, finding nothing proves nothing. */
static void test_cannot_tell(void **state) {
    (void)state;
    static const char *const total[] = {"total:p50>+5%", "op:p50>+5%"};
    scene s = begin(before, NOISY(5, 0), before, NOISY(5, 100));
    judge(&s, total, 2);
    assert_int_equal(s.gate.outcome, ETI_GATE_UNDECIDED);
    const eti_rule_judgement *of_total = &s.gate.judgements[0], *of_ops = &s.gate.judgements[1];
    assert_int_equal(of_ops->outcome, ETI_RULE_CANNOT_TELL);
    assert_true(of_ops->checks[ETI_FINDING_UNDECIDED] > 0);
    assert_int_equal(of_ops->checks[ETI_FINDING_UNDECIDED] + of_ops->checks[ETI_FINDING_PASSED], 6);
    assert_int_equal(of_total->outcome == ETI_RULE_PASSED, of_total->judgement.n_named == 0);
    /* with a wider margin the intervals are narrow enough */
    s.options.diff.margin = 1;
    judge(&s, total, 2);
    assert_int_equal(s.gate.judgements[1].outcome, ETI_RULE_PASSED);
    assert_int_equal(s.gate.judgements[1].checks[ETI_FINDING_UNDECIDED], 0);
    /* so they are for a rule that forbids only large changes */
    s.options.diff.margin = 0.1;
    expect_rule(&s, "op:p50>+100%", ETI_RULE_PASSED, 0, 6);
    end(&s);
}

/* Each metric has a comparison of its own, and that of the p50 of times compares locations. */
static void test_metrics(void **state) {
    (void)state;
    static const char *const rules[] = {"op=conv:p50>+5%", "op=conv:max>+5%", "op=conv:min>+5%",
                                        "total:max>+5%"};
    double base[4] = {0};
    scene s = begin_slower(5);
    judge(&s, rules, 4);
    assert_int_equal(s.gate.n_diffs, 3);
    for (size_t i = 0; i < s.gate.n_checks; i++)
        base[s.gate.checks[i].rule] = s.gate.checks[i].base;
    assert_true(base[2] <= base[0] && base[0] < 0.999 * base[1]);
    assert_true(base[3] > 3 * base[1]);
    end(&s);
}

/* Failures take precedence over undecided rules. */
static void test_failure_first(void **state) {
    (void)state;
    static const char *const rules[] = {"op:p50>+5%", "total:p50>1us"};
    scene s = begin_slower(4);
    judge(&s, rules, 2);
    assert_int_equal(s.gate.outcome, ETI_GATE_FAILED);
    assert_int_equal(s.gate.judgements[0].outcome, ETI_RULE_FEW_FILES);
    end(&s);
}

/* Rules share alpha, and the checks of each rule share its part. */
static void test_alpha(void **state) {
    (void)state;
    static const char *const rules[] = {"op:p50>+5%", "total:p50>+5%", "module:avg>+5%",
                                        "op=conv:p50>+5%"};
    scene s = begin_slower(5);
    s.options.diff.alpha = 0.05; /* five files are enough for a fourth of it */
    judge(&s, rules, 4);
    double p[7], scratch[14];
    size_t n = 0;
    for (size_t i = 0; i < s.gate.n_checks; i++) {
        if (s.gate.checks[i].rule == 0)
            p[n++] = s.gate.checks[i].row->judged.p_slower;
    }
    assert_int_equal(n, 6);
    eti__holm_adjust(p, n, scratch);
    for (size_t i = 0, k = 0; i < s.gate.n_checks; i++) {
        const eti_check *check = &s.gate.checks[i];
        if (check->rule == 0 && check->row->judged.estimate >= 0)
            assert_true(check->p == p[k]);
        k += check->rule == 0;
        if (check->rule == 3)
            assert_true(check->p == check->row->judged.p_slower); /* alone */
    }
    for (size_t i = 0; i < 4; i++)
        assert_true(s.gate.judgements[i].alpha == 0.05 / 4);
    /* levels and prior come from all events, whatever the pattern */
    const eti_check *conv = check_of(&s, "conv");
    for (size_t i = 0; i < s.gate.n_checks; i++) {
        const eti_check *check = &s.gate.checks[i];
        if (eti__text_is(check->row->name, "conv") && check->rule == 3)
            assert_true(check->row->change.difference == conv->row->change.difference &&
                        check->row->change.variance == conv->row->change.variance);
    }
    end(&s);
}

/* ---- the specification's example ------------------------------------------------------------- */

/* Returns the time of event e in file f of the example in compare.md 9.4, with a clock that is fine enough; new: files 5 to
 * 9, event 2 x 1.2. */
static double example_time(size_t event, size_t file) {
    double place = (double)((7 * event + 3 * file * file + event * file) % 11) - 5;
    double time =
        1000.0 * (double)(event + 1) * (1 + 0.01 * place) * (1 + 0.02 * (double)(file % 3));
    return event == 2 && file >= 5 ? time * 1.2 : time;
}

static eti_profile *make_example_file(size_t file) {
    static const double fine = 1e9;
    eti_buffer text = {0};
    unsigned long long whole = 0, ticks[8];
    for (size_t event = 0; event < 8; event++) {
        /* not all are multiples of one number: the clock has no steps */
        ticks[event] = (unsigned long long)llround(example_time(event, file) * fine) + file % 2;
        whole += ticks[event];
    }
    eti__buffer_printf(&text,
                       "time_scale,ns\n"
                       "block,Execute,,1,0\nexecute,Method::execute,,,,,,,,,%llu\n",
                       whole);
    for (size_t event = 0; event < 8; event++)
        eti__buffer_printf(&text, "kernel,e%zu,aten.e%zu,,,,,,,,%llu\n", event, event,
                           ticks[event]);
    return read_file(text);
}

static eti_profile *make_example_side(size_t first) {
    eti_profile *files[5];
    for (size_t i = 0; i < 5; i++)
        files[i] = make_example_file(first + i);
    return merge_files(files, 5);
}

static void expect_near(double found, double expected, double error) {
    if (!(fabs(found - expected) <= error))
        fail_msg("%.12g is not %.12g", found, expected);
}

static void test_example(void **state) {
    (void)state;
    scene s = {.base = make_example_side(0),
               .new_side = make_example_side(5),
               .options = ETI_GATE_OPTIONS_DEFAULT};
    judge(&s, NULL, 0);
    assert_int_equal(s.gate.outcome, ETI_GATE_FAILED);
    const eti_rule_judgement *of_ops = &s.gate.judgements[0], *of_total = &s.gate.judgements[1];
    assert_int_equal(of_ops->checks[ETI_FINDING_FAILED], 1);
    assert_int_equal(of_ops->checks[ETI_FINDING_PASSED], 7);
    assert_int_equal(of_total->outcome, ETI_RULE_PASSED);
    const eti_check *check = check_of(&s, "e2"), *total = check_of(&s, "Method::execute");
    assert_int_equal(check->finding, ETI_FINDING_FAILED);
    expect_near(check->row->judged.estimate, 0.14250567, 1e-8);
    expect_near(check->row->change.error, 0.02450357, 1e-8);
    expect_near(check->p, 0.00159191, 1e-8);
    expect_near(total->row->shift.estimate, 0.01609582, 1e-8);
    expect_near(total->row->shift.high, 0.03313831, 1e-8);
    end(&s);
}

/* ---- rules that cannot be checked ------------------------------------------------------------ */

static void expect_refused(scene *s, const char *rule, const char *message) {
    eti_gate gate;
    s->options.rules = &rule;
    s->options.n_rules = 1;
    assert_fails(eti__gate_make(&gate, s->base, s->new_side, &s->options, &err), ETI_ERROR_USAGE,
                 message);
    eti__gate_free(&gate);
}

/* A rule that matches nothing is an error; a rule that matches only events that are too small is not. */
static void test_unfit(void **state) {
    (void)state;
    scene s = begin_slower(5);
    expect_refused(&s, "op=gone*:p50>+5%",
                   "the rule op=gone*:p50>+5% matches nothing on either side");
    assert_false(eti__text_contains(eti__text_of(err.message), eti__text_of("did you mean")));
    expect_refused(&s, "op=relo:p50>+5%", "did you mean relu?");
    expect_refused(&s, "op=*convoluton*:p50>1us", "did you mean aten.convolution.default?");
    expect_refused(&s, "module=heat:p50>+5%", "did you mean head?");
    expect_refused(&s, "delegates:p50>+5%", "neither side has delegates");
    expect_refused(&s, "allocation:p50>+5%", "neither side has allocation");
    expect_rule(&s, "op=tiny:p50>+5%", ETI_RULE_NOTHING, 0, 0);
    assert_int_equal(s.gate.judgements[0].reach.n_small, 1);
    assert_int_equal(s.gate.outcome, ETI_GATE_UNDECIDED);
    end(&s);
}

static void test_one_process(void **state) {
    (void)state;
    scene s = begin_slower(1);
    s.options.diff.one_process = true;
    expect_rule(&s, "p50>+5%", ETI_RULE_FAILED, 1, 5);
    expect_refused(&s, "p90>+5%", "compares a p90, which a single run does not have");
    expect_rule(&s, "p90>1ms", ETI_RULE_PASSED, 0, 7);
    end(&s);
}

/* The same file is not a second process; limits do not need one. */
#define DIGEST "2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"

static void test_same_file(void **state) {
    (void)state;
    scene s = begin_same(5);
    eti_profile *other = s.new_side;
    s.new_side = s.base;
    s.base->files[0].size = 7;
    s.base->files[0].sha256 = eti__text_of(DIGEST);
    expect_refused(&s, "p50>+5%", "is on both sides");
    expect_rule(&s, "p50>1ms", ETI_RULE_PASSED, 0, 7);
    s.new_side = other;
    end(&s);
}

static void test_errors(void **state) {
    (void)state;
    scene s = begin_same(1);
    expect_refused(&s, "p50>+5cycles", "p50>+5cycles is in cycles, but times are in ms");
    expect_refused(&s, "p50>+5", "expected % or a unit");
    assert_int_equal(err.position, 7);
    s.options.diff.alpha = 2;
    expect_refused(&s, "p50>+5%", "alpha: 2 is out of range");
    end(&s);
}

/* Each comparison costs as much as a diff. */
static void test_many_comparisons(void **state) {
    (void)state;
    enum { N = 65 };
    char texts[N][64];
    const char *rules[N];
    eti_gate gate;
    scene s = begin_same(1);
    for (int i = 0; i < N; i++) {
        snprintf(texts[i], sizeof texts[i], "p50>+5%% min_share=%d%%", i + 1);
        rules[i] = texts[i];
    }
    judge(&s, rules, N - 1);
    assert_int_equal(s.gate.n_diffs, N - 1);
    s.options.n_rules = N;
    assert_fails(eti__gate_make(&gate, s.base, s.new_side, &s.options, &err), ETI_ERROR_LIMIT,
                 "more than 64 different comparisons");
    eti__gate_free(&gate);
    /* any number of limits share one comparison, and totals need none of their own */
    for (int i = 0; i < N; i++)
        snprintf(texts[i], sizeof texts[i], i % 2 ? "p90>%dus" : "total:p50>+%d%%", i + 1);
    judge(&s, rules, N);
    assert_int_equal(s.gate.n_diffs, 1);
    end(&s);
}

/* Returns a side with n events. */
static eti_profile *make_many(int n) {
    eti_buffer text = {0};
    eti__buffer_add_string(&text, "time_scale,ns\nblock,Execute,,1,0\n");
    for (int i = 0; i < n; i++)
        eti__buffer_printf(&text, "kernel,k%d,,,,,,,,,%d\n", i, 100 + n);
    return read_file(text);
}

/* Events that only one side has are matched with the rules, whichever side that is. */
static void test_work(void **state) {
    (void)state;
    enum { N_RULES = 16384, N_EVENTS = 16384 };
    static const char *rules[N_RULES];
    eti_profile *few = make_many(2), *many = make_many(N_EVENTS);
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_gate gate;
    for (size_t i = 0; i < N_RULES; i++)
        rules[i] = "op=k1:p50>1s";
    options.rules = rules;
    options.n_rules = N_RULES;
    assert_fails(eti__gate_make(&gate, few, many, &options, &err), ETI_ERROR_LIMIT,
                 "16384 rules and 0 allowed regressions are too many for 16386 events");
    eti__gate_free(&gate);
    assert_fails(eti__gate_make(&gate, many, few, &options, &err), ETI_ERROR_LIMIT,
                 "too many for 16386 events");
    eti__gate_free(&gate);
    eti_profile_free(few);
    eti_profile_free(many);
    free_files();
}

/* Events with one name are numbered, so that their keys differ. */
static void test_keys(void **state) {
    (void)state;
    static const char *const keys[] = {"Execute/k p50", "Execute/k #2 p50", "Execute/k #3 p50"};
    gate_event events[COUNT_OF(keys)];
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        events[i] = (gate_event){.name = "k", .module = "m", .ticks = 50000};
    eti_profile *profile = make_side(events, COUNT_OF(keys), FILES(1, 0));
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_report *report;
    eti_gate_outcome outcome;
    options.rules = &(const char *){"op:p50>1us"};
    options.n_rules = 1;
    assert_ok(eti__gate_report(&report, &outcome, NULL, profile, &options, &err));
    assert_int_equal(report->gate->n_findings, COUNT_OF(keys));
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        bool is_found = false;
        for (size_t k = 0; k < COUNT_OF(keys); k++)
            is_found = is_found || eti__text_is(report->gate->findings[k].key, keys[i]);
        assert_true(is_found);
    }
    eti_report_free(report);
    eti_profile_free(profile);
    free_files();
}

/* ---- reports --------------------------------------------------------------------------------- */

static eti_report *report_of(scene *s, const char *const *rules, size_t n_rules,
                             eti_gate_outcome expected) {
    eti_report *report;
    eti_gate_outcome outcome;
    s->options.rules = rules;
    s->options.n_rules = n_rules;
    assert_ok(eti__gate_report(&report, &outcome, s->base, s->new_side, &s->options, &err));
    assert_int_equal(outcome, expected);
    assert_int_equal(report->gate->outcome, expected);
    return report;
}

static eti_cell cell_of(const eti_report *report, size_t section, size_t row, const char *name) {
    const eti_table *table = eti_report_table(report, section);
    for (size_t i = 0; i < eti_table_column_count(table); i++) {
        if (eti__text_is(eti_table_column_name(table, i), name))
            return table_cell(table, row, i);
    }
    fail_msg("there is no column %s", name);
    return (eti_cell){.kind = ETI_CELL_NONE};
}

static void expect_contains(eti_text found, const char *expected) {
    if (!eti__text_contains(found, eti__text_of(expected)))
        fail_msg("'%s' is not in '%.*s'", expected, (int)found.size, found.data);
}

static bool has_note(const eti_report *report, const char *note) {
    for (size_t i = 0; i < report->sections[0].n_notes; i++) {
        if (eti__text_contains(report->sections[0].notes[i], eti__text_of(note)))
            return true;
    }
    return false;
}

/* Runs a gate with a list of exceptions: one row fails or is allowed, five are hidden. */
static void expect_list(const char *list, eti_gate_outcome expected, const char *verdict,
                        const char *message, const char *note) {
    scene s = begin_slower(5);
    static const char *const rules[] = {"op:p50>+5%"};
    eti_source source = {"allow.csv", list, strlen(list)};
    s.options.allowed = &source;
    s.options.n_allowed = 1;
    s.options.now = 1772323200; /* 2026-03-01 */
    eti_report *report = report_of(&s, rules, 1, expected);
    assert_int_equal(eti_table_row_count(eti_report_table(report, 2)), 6);
    assert_int_equal(report->sections[2].n_kept_back, 5);
    assert_text(cell_of(report, 2, 0, "verdict").as_text, verdict);
    expect_contains(cell_of(report, 2, 0, "message").as_text, message);
    if (note && !has_note(report, note))
        fail_msg("there is no note '%s'", note);
    eti_report_free(report);
    end(&s);
}

static void test_allowed(void **state) {
    (void)state;
    expect_list("pattern,reason,expires\nconv,new kernel,2026-03-01\n", ETI_GATE_PASSED, "allowed",
                "allowed until 2026-03-01 (allow.csv:2: new kernel)",
                "passed: slower, but allowed: conv is 20.");
    expect_list("pattern,reason\nencoder.*,new kernel\n", ETI_GATE_PASSED, "allowed",
                "; allowed (allow.csv:2: new kernel)",
                "nothing else checked is slower by more than its limit with a margin of 10 %");
    expect_list("pattern,reason,expires\naten.conv*,new kernel,2026-02-28\n", ETI_GATE_FAILED,
                "failed", "was allowed until 2026-02-28 (allow.csv:2: new kernel)", NULL);
    /* a valid entry takes precedence over an expired one */
    expect_list("pattern,reason,expires\nconv,old,2026-02-28\nconv,newer,\n", ETI_GATE_PASSED,
                "allowed", "(allow.csv:3: newer)", NULL);
    expect_list("pattern,reason\nrelu,slow\n", ETI_GATE_FAILED, "failed", "model.py:12",
                "allow.csv:2: relu is not slower: the entry can be removed");
}

static void test_message(void **state) {
    (void)state;
    expect_list("pattern,reason\n", ETI_GATE_FAILED, "failed",
                "conv (aten.convolution.default): 0.05063 -> 0.06087 ms, 20.2 % slower (between "
                "19.6 % and ",
                "failed: conv is 20.");
    expect_list("pattern,reason\n", ETI_GATE_FAILED, "failed",
                " adjusted for 6 checks, 5 and 5 files; rule op:p50>+5%; /home/me/model.py:12",
                "; the limit is 5 %; 5 and 5 files");
    expect_list("pattern,reason\n", ETI_GATE_FAILED, "failed", " % slower (between ",
                "checked 6 of 7 events (9");
}

/* Too few files are reported once, however many events there are. */
static void test_report_of_few_files(void **state) {
    (void)state;
    scene s = begin_slower(1);
    eti_report *report = report_of(&s, NULL, 0, ETI_GATE_UNDECIDED);
    assert_int_equal(report->sections[0].n_notes, 1);
    expect_contains(report->sections[0].notes[0],
                    "cannot tell: not enough files (base 1, new 1): one process cannot show a "
                    "change; need 5 per side, recorded in turns (etinspect measure records them)");
    assert_true(report->sections[2].is_told_above);
    assert_int_equal(report->sections[2].n_kept_back, 7);
    assert_null(report->gate->findings[0].message.data);
    expect_contains(report->gate->rules[1].message, "need 5 per side");
    eti_report_free(report);
    /* a limit is compared with the measured time */
    report = report_of(&s, &(const char *){"total:p50>1us"}, 1, ETI_GATE_FAILED);
    expect_contains(report->sections[0].notes[0],
                    "failed: Method::execute with p50 206.6 us, above 1 us");
    assert_true(has_note(report, "limits are compared with the times in 1 file; another process"));
    expect_contains(report->gate->findings[0].message, "as measured in 1 file");
    assert_false(has_note(report, "chance alone"));
    eti_report_free(report);
    end(&s);
}

/* A gate and a diff of the same sides count the same time. */
static void test_coverage_is_that_of_diff(void **state) {
    (void)state;
    scene s = begin_slower(5);
    judge(&s, &(const char *){"op:p50>+5%"}, 1);
    const eti_coverage *of_diff = &s.gate.diffs[0]->coverage;
    assert_int_equal(s.gate.coverage.n_judged, of_diff->n_judged);
    assert_true(of_diff->share > 0.9);
    assert_true(fabs(s.gate.coverage.share - of_diff->share) < 1e-12);
    end(&s);
}

/* Two rules about one event name it once; an event and the group with its name are two items. */
static void test_headline_names_items_once(void **state) {
    (void)state;
    scene s = begin_slower(7);
    const char *const metrics[] = {"op:p50>+5%", "op:max>+5%"};
    eti_report *report = report_of(&s, metrics, 2, ETI_GATE_FAILED);
    eti_text headline = report->gate->headline;
    expect_contains(headline, "failed: conv is ");
    assert_false(eti__text_contains(headline, eti__text_of("; conv is ")));
    eti_report_free(report);
    const char *const scopes[] = {"op:max>+5%", "optype:max>+5%"};
    gate_event same[COUNT_OF(after)];
    memcpy(same, after, sizeof same);
    same[0].name = "aten.convolution.default";
    eti_profile_free(s.base);
    eti_profile_free(s.new_side);
    s.new_side = make_side(same, COUNT_OF(same), FILES(7, 100));
    memcpy(same, before, sizeof same);
    same[0].name = "aten.convolution.default";
    s.base = make_side(same, COUNT_OF(same), FILES(7, 0));
    report = report_of(&s, scopes, 2, ETI_GATE_FAILED);
    headline = report->gate->headline;
    expect_contains(headline, "failed: aten.convolution.default is ");
    expect_contains(headline, " slower by max (between ");
    expect_contains(headline, "); aten.convolution.default is ");
    eti_report_free(report);
    end(&s);
}

/* Rows without a verdict for another reason than too few files have the interval that diff shows. */
static void test_undecided_rows_have_intervals(void **state) {
    (void)state;
    scene s = begin(before, FILES(7, 0), before, FILES(7, 100));
    eti_report *report = report_of(&s, &(const char *){"total:p90>+5%"}, 1, ETI_GATE_UNDECIDED);
    const eti_finding *finding = &report->gate->findings[0];
    expect_contains(report->sections[0].notes[0], "needs 20 in every file"); /* they have 10 runs */
    assert_true(finding->low <= finding->change && finding->change <= finding->high);
    eti_report_free(report);
    end(&s);
    s = begin_slower(3);
    report = report_of(&s, &(const char *){"total:p50>+5%"}, 1, ETI_GATE_UNDECIDED);
    assert_true(isnan(report->gate->findings[0].low));
    eti_report_free(report);
    end(&s);
}

static void test_report_of_noise(void **state) {
    (void)state;
    scene s = begin(before, NOISY(5, 0), before, NOISY(5, 100));
    eti_report *report = report_of(&s, NULL, 0, ETI_GATE_UNDECIDED);
    expect_contains(report->sections[0].notes[0], "of 6 events (");
    expect_contains(report->sections[0].notes[0], " may be more than 15 % slower: conv, ");
    expect_contains(report->sections[0].notes[0], " files per side are needed");
    /* the sentence about the only undecided rule is not repeated */
    assert_true(eti__text_equal(report->gate->rules[0].message, report->gate->headline));
    assert_false(has_note(report, "op:p50>+5%: cannot tell: "));
    assert_true(report->gate->rules[0].files_needed > 5);
    assert_int_equal(cell_of(report, 1, 0, "files_needed").as_int,
                     (int64_t)report->gate->rules[0].files_needed);
    eti_report_free(report);
    const char *const limit = "op=conv:p50>56us";
    report = report_of(&s, &limit, 1, ETI_GATE_UNDECIDED);
    expect_contains(report->sections[0].notes[0],
                    "cannot tell: 1 of 1 values is above the limit, but the files differ too much");
    assert_true(has_note(report, "op=conv:p50>56us: cannot tell: 1 of 1 values is above"));
    eti_report_free(report);
    end(&s);
    /* times are those of the metric */
    const char *const largest = "op:max>+900%";
    s = begin_same(5);
    report = report_of(&s, &largest, 1, ETI_GATE_PASSED);
    expect_contains(
        report->sections[0].notes[0],
        "passed: nothing checked is slower by more than its limit with a margin of 10 %; "
        "5 and 5 files");
    eti_report_free(report);
    end(&s);
}

/* Sentences have the limit of a rule in the unit of the rule, whatever the outcome. The total takes 193 us. */
static void test_limits_in_time(void **state) {
    (void)state;
    static const struct {
        const char *rule;
        eti_gate_outcome outcome;
        const char *sentence;
    } cases[] = {
        {"total:p50>+90us", ETI_GATE_PASSED, "; the limit is +90 us with a margin of 10 %"},
        {"op:p50>+0.5us", ETI_GATE_UNDECIDED,
         " may be slower by more than 0.5 us and a margin of 10 %: conv, "},
    };
    scene s = begin(before, NOISY(5, 0), before, NOISY(5, 100));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        eti_report *report = report_of(&s, &cases[i].rule, 1, cases[i].outcome);
        expect_contains(report->gate->headline, cases[i].sentence);
        eti_report_free(report);
    }
    end(&s);
    s = begin_slower(5);
    eti_report *report = report_of(&s, &(const char *){"op:p50>+0.5us"}, 1, ETI_GATE_FAILED);
    expect_contains(report->gate->headline, "; the limit is +0.5 us; 5 and 5 files");
    eti_report_free(report);
    end(&s);
}

/* A pass says where the total lies. */
static void test_report_of_pass(void **state) {
    (void)state;
    scene s = begin_same(5);
    eti_report *report = report_of(&s, NULL, 0, ETI_GATE_PASSED);
    expect_contains(
        report->sections[0].notes[0],
        "passed: Method::execute is between 0.1 % faster and 0.1 % slower; the limit is "
        "5 % with a margin of 10 %; 5 and 5 files");
    assert_int_equal(report->sections[0].n_notes, 2);
    assert_text(cell_of(report, 0, 0, "verdict").as_text, "passed");
    assert_int_equal(cell_of(report, 0, 0, "checked").as_int, 6);
    assert_int_equal(cell_of(report, 0, 0, "events").as_int, 7);
    assert_int_equal(cell_of(report, 1, 0, "small").as_int, 1);
    eti_report_free(report);
    s.options.diff.lists_all = true;
    report = report_of(&s, NULL, 0, ETI_GATE_PASSED);
    assert_int_equal(report->sections[2].n_kept_back, 0);
    eti_report_free(report);
    end(&s);
}

/* Rules about events compare relative to the level; a rule about the total would find this change. */
static void test_all_slower(void **state) {
    (void)state;
    static const char *const rules[] = {"op:p50>+5%", "total:p50>5s"};
    gate_event slow[COUNT_OF(before)];
    memcpy(slow, before, sizeof slow);
    for (size_t i = 0; i < COUNT_OF(slow); i++)
        slow[i].ticks *= 2;
    scene s = begin(before, FILES(5, 0), slow, FILES(5, 100));
    eti_report *report = report_of(&s, rules, 1, ETI_GATE_PASSED);
    assert_true(has_note(report, "Method::execute is slower, 0.19"));
    assert_true(has_note(report, "all events: +100.0 %; single events are judged without it"));
    eti_report_free(report);
    report = report_of(&s, rules, 2, ETI_GATE_PASSED);
    assert_false(has_note(report, "Method::execute is slower"));
    eti_report_free(report);
    report = report_of(&s, NULL, 0, ETI_GATE_FAILED);
    assert_text(cell_of(report, 2, 0, "name").as_text, "Method::execute");
    assert_int_equal(report->gate->rules[0].outcome, ETI_RULE_PASSED);
    eti_report_free(report);
    end(&s);
    /* in turns, the level is a check with an own share of alpha: its p is not one of the seven of the events. All 7 files of
     * a side above all of the other happen by chance in 1 of C(14, 7) = 3,432 cases. */
    s = begin(before, FILES(7, 0), slow, FILES(7, 100));
    s.options.diff.in_turns = true;
    report = report_of(&s, rules, 1, ETI_GATE_FAILED);
    expect_contains(report->gate->headline, "failed: all events alike are 100");
    expect_contains(report->gate->findings[0].message, ", p = 0.00029, 7 and 7 files;");
    eti_report_free(report);
    end(&s);
}

/* The message names three events, and the number of the others. */
static void test_many_failed(void **state) {
    (void)state;
    gate_event slow[COUNT_OF(before)];
    memcpy(slow, before, sizeof slow);
    for (size_t i = 0; i < 4; i++)
        slow[i].ticks *= 3; /* of conv, relu, mm and tiny; a, b and c are the level */
    scene s = begin(before, FILES(5, 0), slow, FILES(5, 100));
    static const char *const rules[] = {"total:p50>+5%", "op=c*:p50>+5%", "op=relu:p50>+5%",
                                        "op=mm:p50>+5%"};
    s.options.diff.alpha = 0.05;
    s.options.diff.in_turns = true;
    eti_report *report = report_of(&s, rules, 4, ETI_GATE_FAILED);
    expect_contains(report->sections[0].notes[0], "failed: Method::execute is ");
    expect_contains(report->sections[0].notes[0], "; the limit is 5 %; 5 and 5 files");
    eti_report_free(report);
    end(&s);
}

/* Added and removed events are compared with nothing, and a note says so. */
static void test_added(void **state) {
    (void)state;
    scene s = {.base = make_side(before, 6, FILES(5, 0)),
               .new_side = make_side(before + 1, 6, FILES(5, 100)),
               .options = ETI_GATE_OPTIONS_DEFAULT};
    eti_report *report = report_of(&s, &(const char *){"op:p50>+5%"}, 1, ETI_GATE_PASSED);
    assert_true(has_note(report, "1 added, 1 removed"));
    assert_int_equal(report->gate->rules[0].reach.n_one_side, 2);
    eti_report_free(report);
    end(&s);
}

/* The names of groups outlive the comparison in which they were made. */
static void test_groups(void **state) {
    (void)state;
    scene s = begin_slower(5);
    static const char *const rules[] = {"source=*model.py*:p50>+5%"};
    const eti_label map = {"/home/me", "models/"};
    s.options.source_paths = (eti_source_paths){.maps = &map, .n_maps = 1};
    eti_report *report = report_of(&s, rules, 1, ETI_GATE_FAILED);
    assert_int_equal(eti_table_row_count(eti_report_table(report, 2)), 2);
    assert_text(cell_of(report, 2, 0, "name").as_text, "/home/me/model.py:12");
    assert_text(cell_of(report, 2, 1, "name").as_text, "/home/me/model.py:13");
    assert_text(cell_of(report, 2, 0, "key").as_text, "Execute//home/me/model.py:12 p50");
    assert_int_equal(cell_of(report, 2, 0, "op").kind, ETI_CELL_NONE);
    assert_text(cell_of(report, 2, 0, "source_file").as_text, "models/model.py");
    assert_int_equal(cell_of(report, 2, 0, "source_line").as_int, 12);
    expect_contains(cell_of(report, 2, 0, "message").as_text, "; models/model.py:12");
    eti_report_free(report);
    end(&s);
}

/* Tests the findings beside the tables: as plain numbers, with texts of their own. */
static void test_result(void **state) {
    (void)state;
    scene s = begin_slower(5);
    static const char *const rules[] = {"op:p50>+5%", "op=tiny:p50>1us"};
    eti_report *report = report_of(&s, rules, 2, ETI_GATE_FAILED);
    const eti_gate_result *result = report->gate;
    assert_int_equal(result->time_scale, ETI_SCALE_MS);
    assert_int_equal(result->n_rules, 2);
    assert_int_equal(result->rules[0].n[ETI_FINDING_FAILED], 1);
    assert_int_equal(result->rules[0].n[ETI_FINDING_PASSED], 5);
    assert_int_equal(result->n_findings, 7);
    const eti_finding *first = &result->findings[0];
    assert_int_equal(first->kind, ETI_FINDING_FAILED);
    assert_ptr_equal(first->rule, &result->rules[0]);
    assert_text(first->name, "conv");
    assert_text(first->op, "aten.convolution.default");
    assert_text(first->module, "encoder.conv");
    assert_text(first->block, "Execute");
    assert_text(first->file, "/home/me/model.py");
    assert_int_equal(first->line, 12);
    assert_true(first->is_compared && first->is_tested && !first->is_bytes);
    expect_near(first->base, 0.0502, 1e-3);
    expect_near(first->change, first->new_side / first->base - 1, 1e-12);
    expect_near(first->change, 0.2, 0.01);
    assert_true(first->low < first->change && first->change < first->high);
    expect_near(first->p50_base, 0.0506, 1e-3);
    assert_int_equal(first->files_base, 5);
    assert_int_equal(first->runs_new, 50);
    expect_near(first->limit, 0.05, 1e-12);
    assert_non_null(first->message.data);
    assert_null(result->findings[2].message.data); /* it passed */
    eti_report_free(report);
    end(&s);
}

/* Returns whether a column of findings is hidden from people. */
static bool is_extra(const eti_report *report, const char *name) {
    const eti_table *table = eti_report_table(report, 2);
    for (size_t i = 0; i < eti_table_column_count(table); i++) {
        if (eti__text_is(eti_table_column_name(table, i), name))
            return eti_table_column_is_extra(table, i);
    }
    fail_msg("there is no column %s", name);
    return false;
}

/* People see a column if it says something about a finding that they see: one that failed or is allowed. */
static void test_columns(void **state) {
    (void)state;
    static const char *const rules[] = {"op:p50>+5%"};
    static const char list[] = "pattern,reason\nmm,slow\n";
    const eti_source source = {"allow.csv", list, strlen(list)};
    gate_event base[COUNT_OF(before)], slower[COUNT_OF(before)];
    memcpy(base, before, sizeof before);
    base[0].file = base[1].file = NULL; /* conv, relu */
    memcpy(slower, base, sizeof base);
    slower[0].ticks = slower[0].ticks * 3 / 2;
    /* conv alone fails; mm, which has a source, passes */
    scene s = begin(base, FILES(5, 0), slower, FILES(5, 100));
    eti_report *report = report_of(&s, rules, 1, ETI_GATE_FAILED);
    assert_true(is_extra(report, "source_file") && is_extra(report, "source_line"));
    assert_true(is_extra(report, "reason"));
    assert_false(is_extra(report, "base (ms)") || is_extra(report, "new (ms)"));
    assert_true(is_extra(report, "base_bytes") && is_extra(report, "new_bytes"));
    assert_true(is_extra(report, "base_count") && is_extra(report, "new_count"));
    eti_report_free(report);
    end(&s);
    /* mm fails after conv, or is allowed */
    slower[2].ticks = slower[2].ticks * 6 / 5;
    s = begin(base, FILES(8, 0), slower, FILES(8, 100));
    s.options.diff.in_turns = true; /* half of the kinds changed */
    report = report_of(&s, rules, 1, ETI_GATE_FAILED);
    assert_text(cell_of(report, 2, 0, "name").as_text, "conv");
    assert_text(cell_of(report, 2, 1, "name").as_text, "mm");
    assert_false(is_extra(report, "source_file") || is_extra(report, "source_line"));
    assert_true(is_extra(report, "reason"));
    eti_report_free(report);
    s.options.allowed = &source;
    s.options.n_allowed = 1;
    report = report_of(&s, rules, 1, ETI_GATE_FAILED);
    assert_false(is_extra(report, "source_file"));
    assert_false(is_extra(report, "reason"));
    eti_report_free(report);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rules),
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_limit_within_scatter),
        cmocka_unit_test(test_faster),
        cmocka_unit_test(test_few_files),
        cmocka_unit_test(test_cannot_tell),
        cmocka_unit_test(test_metrics),
        cmocka_unit_test(test_failure_first),
        cmocka_unit_test(test_alpha),
        cmocka_unit_test(test_example),
        cmocka_unit_test(test_unfit),
        cmocka_unit_test(test_one_process),
        cmocka_unit_test(test_same_file),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_many_comparisons),
        cmocka_unit_test(test_work),
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_allowed),
        cmocka_unit_test(test_message),
        cmocka_unit_test(test_report_of_few_files),
        cmocka_unit_test(test_coverage_is_that_of_diff),
        cmocka_unit_test(test_headline_names_items_once),
        cmocka_unit_test(test_undecided_rows_have_intervals),
        cmocka_unit_test(test_report_of_noise),
        cmocka_unit_test(test_limits_in_time),
        cmocka_unit_test(test_report_of_pass),
        cmocka_unit_test(test_all_slower),
        cmocka_unit_test(test_many_failed),
        cmocka_unit_test(test_added),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_result),
        cmocka_unit_test(test_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
