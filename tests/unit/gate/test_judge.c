#include "gate_fixture.h"

#include "compare/compare.h"
#include "gate/gate.h"
#include "gate/parts.h"

#include <math.h>

/* ==== limit =================================================================================== */
/* The test of a limit: Student's, one-sided, of the logarithms of the files. */

/* Quantiles of Student's distribution with 4 degrees of freedom, from tables. */
#define T_95 2.131846786
#define T_99 3.746947388

/* Five files of a run each, whose clock has no step. */
static const double times[] = {90001, 95000, 100003, 105007, 110001};
#define N_FILES COUNT_OF(times)

static eti_profile *make_profile(void) {
    eti_buffer text = {0};
    eti__buffer_add_string(&text, "time_scale,ns\n"
                                  "block,Execute,,5,0,1;2;3;4\nkernel,conv,,,,,,,,,");
    for (size_t i = 0; i < N_FILES; i++)
        eti__buffer_printf(&text, "%s%.0f", i > 0 ? ";" : "", times[i]);
    eti__buffer_add_char(&text, '\n');
    return read_file(text);
}

/* Returns a time that lies so many standard errors above the mean, of logarithms. */
static double time_at(double n_errors) {
    double mean = 0, square = 0;
    for (size_t i = 0; i < N_FILES; i++)
        mean += log(times[i]) / N_FILES;
    for (size_t i = 0; i < N_FILES; i++)
        square += pow(log(times[i]) - mean, 2) / (N_FILES - 1);
    return exp(mean + n_errors * sqrt(square / N_FILES));
}

static void expect_p(double limit, double p, eti_rule_outcome outcome) {
    eti_profile *profile = make_profile();
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    eti_gate gate;
    char rule[64];
    const char *const rules[] = {rule};
    snprintf(rule, sizeof rule, "op=conv:p50>%.9fns", limit);
    options.rules = rules;
    options.n_rules = 1;
    assert_ok(eti__gate_make(&gate, NULL, profile, &options, &err));
    assert_int_equal(gate.n_checks, 1);
    const eti_check *check = &gate.checks[0];
    assert_true(check->is_tested);
    if (fabs(check->p - p) > 1e-8)
        fail_msg("expected p = %.9g, found %.9g", p, check->p);
    if (fabs(check->change.difference - (log(time_at(0)) - log(limit))) > 1e-9)
        fail_msg("the difference is %.12g", check->change.difference);
    assert_true(check->change.dof == 4);
    assert_int_equal(gate.judgements[0].outcome, outcome);
    eti__gate_free(&gate);
    eti_profile_free(profile);
    free_files();
}

/* alpha is 0.01. What is measured above a limit, but not surely, is undecided; what is below it, passes. The density at T_99 is
 * 0.008682: a ten-thousandth of T_99 makes 3.253e-6. */
static void limits_are_tested_one_sided(void **state) {
    (void)state;
    expect_p(time_at(-T_95), 0.05, ETI_RULE_CANNOT_TELL);
    expect_p(time_at(-T_99 * 0.9999), 0.010003253, ETI_RULE_CANNOT_TELL);
    expect_p(time_at(-T_99 * 1.0001), 0.009996747, ETI_RULE_FAILED);
    expect_p(time_at(T_95), 0.95, ETI_RULE_PASSED);
    expect_p(time_at(T_99), 0.99, ETI_RULE_PASSED);
}

/* ==== program rule ============================================================================ */
/* Tests rules about figures of the program: exact, without statistics, with times or without. */

#define BLOCK                                                                                      \
    "time_scale,ns\nfile,a,,\nblock,Execute,,1,0\nexecute,all,,,,,,,,,,1,9,9,9,9,9,9,9,9\n"

typedef struct fixture {
    eti_profile *sides[2];
    eti_gate gate;
} fixture;

/* Judges one rule about two baselines, which keep such figures. */
static void open_gate(fixture *f, const char *base, const char *new_side, const char *rule) {
    const char *const figures[] = {base, new_side};
    eti_error err = ETI_ERROR_INIT;
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    options.rules = &rule;
    options.n_rules = 1;
    for (size_t i = 0; i < 2; i++) {
        eti_buffer text = {0};
        eti__buffer_printf(&text, "etinspect-baseline,4\n%s" BLOCK, figures[i]);
        f->sides[i] = read_file(text);
    }
    assert_ok(eti__gate_make(&f->gate, f->sides[0], f->sides[1], &options, &err));
    assert_int_equal(f->gate.n_checks, 1);
}

static void close_gate(fixture *f) {
    eti__gate_free(&f->gate);
    eti_profile_free(f->sides[0]);
    eti_profile_free(f->sides[1]);
    free_files();
}

/* Returns the outcome of one rule. */
static eti_gate_outcome judge(const char *base, const char *new_side, const char *rule,
                              const char *key) {
    fixture f;
    open_gate(&f, base, new_side, rule);
    eti_buffer found = {0};
    uint32_t *of_blocks = eti__gate_number_blocks(&f.gate, &f.gate.arena);
    assert_non_null(of_blocks);
    eti__gate_add_key(&found, &f.gate, of_blocks, &f.gate.checks[0]);
    assert_text(eti__buffer_text(&found), key);
    eti__buffer_free(&found);
    eti_gate_outcome outcome = f.gate.outcome;
    close_gate(&f);
    return outcome;
}

/* As a table shows it, values of times or tests are unknown. */
static void its_row_has_both_sides_and_the_change(void **state) {
    (void)state;
    fixture f;
    open_gate(&f, "program,operators,80\n", "program,operators,100\n", "operators > +1%");
    const eti_check *check = &f.gate.checks[0];
    const eti_diff_row *row = check->row;
    assert_text(row->name, "operators");
    assert_text(row->block, "program");
    assert_true(check->base == 80 && check->new_side == 100 && check->p == 1);
    assert_true(row->base.p50 == 80 && row->base.location == 80);
    assert_true(row->new_side.p50 == 100 && row->new_side.location == 100);
    assert_bits(row->delta, 20);
    assert_bits(row->ratio, 1.25);
    assert_true(isnan(row->base.share) && isnan(row->impact));
    close_gate(&f);
    open_gate(&f, "program,operators,0\n", "program,operators,100\n", "operators > +1");
    assert_true(isnan(f.gate.checks[0].row->ratio));
    close_gate(&f);
}

static void a_limit_is_of_the_new_side(void **state) {
    (void)state;
    static const char key[] = "program/file_size";
    assert_int_equal(judge("", "program,file_size,1000\n", "file_size > 1kB", key),
                     ETI_GATE_PASSED);
    assert_int_equal(judge("", "program,file_size,1001\n", "file_size > 1kB", key),
                     ETI_GATE_FAILED);
}

static void changes_are_exact(void **state) {
    (void)state;
    static const char base[] = "program,operators,100\n", key[] = "program/operators";
    assert_int_equal(judge(base, "program,operators,101\n", "operators > +1%", key),
                     ETI_GATE_PASSED);
    assert_int_equal(judge(base, "program,operators,102\n", "operators > +1%", key),
                     ETI_GATE_FAILED);
    assert_int_equal(judge(base, "program,operators,101\n", "operators > +0", key),
                     ETI_GATE_FAILED);
    assert_int_equal(judge(base, "program,operators,99\n", "operators > +0", key), ETI_GATE_PASSED);
}

/* Starting from zero, any growth exceeds any percentage. */
static void missing_values_grow(void **state) {
    (void)state;
    static const char base[] = "program,waste,0\n", key[] = "program/waste";
    assert_int_equal(judge(base, "program,waste,1\n", "waste > +500%", key), ETI_GATE_FAILED);
    assert_int_equal(judge(base, "program,waste,0\n", "waste > +500%", key), ETI_GATE_PASSED);
}

static void a_side_without_its_figure_is_refused(void **state) {
    (void)state;
    const char *const rules[] = {"file_size > +1%"};
    const gate_event event = {.name = "k", .ticks = 10};
    const gate_side side = {.n_files = 1, .n_runs = 1};
    eti_profile *profile = make_side(&event, 1, side);
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_error err = ETI_ERROR_INIT;
    eti_gate gate;
    options.rules = rules;
    options.n_rules = 1;
    assert_fails(eti__gate_make(&gate, profile, profile, &options, &err), ETI_ERROR_USAGE,
                 "the new side has none: give its .pte after the ETDump");
    eti__gate_free(&gate);
    eti_profile_free(profile);
    free_files();
}

/* Judges figures that grew, with a list of exceptions. */
static eti_finding_kind judge_allowed(const char *list) {
    static const char *const figures[] = {"program,operators,80\n", "program,operators,100\n"};
    const char *const rule = "operators > +1%";
    const eti_source source = {"allow.csv", list, strlen(list)};
    eti_gate_options options = ETI_GATE_OPTIONS_DEFAULT;
    eti_profile *sides[2];
    eti_error err = ETI_ERROR_INIT;
    eti_gate gate;
    options.rules = &rule;
    options.n_rules = options.n_allowed = 1;
    options.allowed = &source;
    options.now = 1772323200; /* 2026-03-01 */
    for (size_t i = 0; i < 2; i++) {
        eti_buffer text = {0};
        eti__buffer_printf(&text, "etinspect-baseline,4\n%s" BLOCK, figures[i]);
        sides[i] = read_file(text);
    }
    assert_ok(eti__gate_make(&gate, sides[0], sides[1], &options, &err));
    eti_finding_kind finding = (eti_finding_kind)gate.checks[0].finding;
    assert_int_equal(gate.n_checks, 1);
    assert_int_equal(gate.judgements[0].checks[finding], 1);
    assert_int_equal(gate.outcome,
                     finding == ETI_FINDING_ALLOWED ? ETI_GATE_PASSED : ETI_GATE_FAILED);
    eti__gate_free(&gate);
    eti_profile_free(sides[0]);
    eti_profile_free(sides[1]);
    free_files();
    return finding;
}

/* As for other checks, the pattern of an exception is a name or a scope. */
static void growth_is_allowed_by_figure_or_scope(void **state) {
    (void)state;
    assert_int_equal(judge_allowed("pattern,reason\noperators,x\n"), ETI_FINDING_ALLOWED);
    assert_int_equal(judge_allowed("pattern,reason\nprogram,x\n"), ETI_FINDING_ALLOWED);
    assert_int_equal(judge_allowed("pattern,reason\nfile_size,x\n"), ETI_FINDING_FAILED);
    assert_int_equal(judge_allowed("pattern,reason\ntotal,x\n"), ETI_FINDING_FAILED);
    assert_int_equal(judge_allowed("pattern,reason,expires\noperators,x,2026-02-28\n"),
                     ETI_FINDING_FAILED);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_are_tested_one_sided),
        cmocka_unit_test(a_limit_is_of_the_new_side),
        cmocka_unit_test(its_row_has_both_sides_and_the_change),
        cmocka_unit_test(changes_are_exact),
        cmocka_unit_test(missing_values_grow),
        cmocka_unit_test(a_side_without_its_figure_is_refused),
        cmocka_unit_test(growth_is_allowed_by_figure_or_scope),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
