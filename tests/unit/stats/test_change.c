#include "statistics_samples.h"

#include "support.h"

#include "stats/parts.h"
#include "stats/stats.h"

#include <math.h>
#include <string.h>

/* ==== change ================================================================================== */
/* Expected values of the example were computed by tests/parity/statistics_parity.py. */

enum { EVENTS = 8, A_SIDE = 5, FILES = 2 * A_SIDE };

/* Everything that a comparison of at most 400 rows in at most 20 files needs. */
typedef struct comparison {
    eti_file_values file_values;
    double values[400 * 20], logs[400 * 20], levels[20], scratch[400 * 20 + 5 * 400 + 2 * 20];
    double differences[400]; /* relative to the median */
    double p[400], p_scratch[800];
    eti_variance_prior prior;
    eti_change changes[400];
} comparison;

static comparison *new_comparison(size_t n, size_t n_base, size_t n_new) {
    comparison *c = calloc(1, sizeof *c);
    assert_non_null(c);
    c->file_values = (eti_file_values){n, n_base, n_new, c->values, NULL};
    return c;
}

static void run(comparison *c) {
    eti__log_values(c->logs, &c->file_values);
    eti__find_levels(c->levels, c->logs, &c->file_values, c->scratch);
    eti__find_changes(c->changes, c->logs, c->levels, &c->file_values, &c->prior, c->scratch);
    for (size_t i = 0; i < c->file_values.n; i++)
        c->differences[i] = c->changes[i].difference;
    double common = eti__median_of(c->differences, c->file_values.n, c->scratch);
    for (size_t i = 0; i < c->file_values.n; i++) {
        c->differences[i] -= common;
        c->p[i] = eti__student_above(c->differences[i] / c->changes[i].error, c->changes[i].dof);
    }
    eti__holm_adjust(c->p, c->file_values.n, c->p_scratch);
}

static double example_location(size_t e, size_t f) {
    double m = 1000.0 * (double)(e + 1);
    m *= 1.0 + 0.01 * ((double)((7 * e + 3 * f * f + e * f) % 11) - 5.0);
    m *= 1.0 + 0.02 * (double)(f % 3);
    return e == 2 && f >= A_SIDE ? m * 1.2 : m;
}

static comparison *new_example(void) {
    comparison *c = new_comparison(EVENTS, A_SIDE, A_SIDE);
    for (size_t e = 0; e < EVENTS; e++) {
        for (size_t f = 0; f < FILES; f++)
            c->values[e * FILES + f] = example_location(e, f);
    }
    return c;
}

static void the_example_has_the_results_of_the_oracle(void **state) {
    (void)state;
    comparison *c = new_example();
    run(c);
    assert_within(c->differences[2], 0.14250567, 4e-8);
    assert_within(c->changes[2].error, 0.02450357, 2e-7);
    assert_near(c->changes[2].dof, 8.0);
    assert_within(c->p[2], 0.00159191, 3e-6);
    for (size_t e = 0; e < EVENTS; e++)
        assert_true(e == 2 || c->p[e] > 0.5);
    free(c);
}

/* ---- properties ------------------------------------------------------------------------------ */

/* Fills values of rows with separate scatter, in files with separate levels. */
static comparison *new_random(uint64_t seed, size_t n, size_t n_base, size_t n_new) {
    comparison *c = new_comparison(n, n_base, n_new);
    uint64_t generator = seed;
    double levels[20];
    for (size_t f = 0; f < n_base + n_new; f++)
        levels[f] = 1.0 + 0.3 * next_uniform(&generator);
    for (size_t e = 0; e < n; e++) {
        double usual = 1000.0 * (1.0 + next_uniform(&generator)),
               scatter = 0.2 * next_uniform(&generator) * next_uniform(&generator);
        for (size_t f = 0; f < n_base + n_new; f++)
            c->values[e * (n_base + n_new) + f] =
                usual * levels[f] * (1.0 + scatter * next_uniform(&generator));
    }
    return c;
}

/* Moves row e, file f of `c` to row rows[e], file files[f] of the result; both NULL: unchanged. */
static comparison *new_moved(const comparison *c, size_t n_base, const size_t *rows,
                             const size_t *files) {
    size_t n_files = c->file_values.n_base + c->file_values.n_new;
    comparison *moved = new_comparison(c->file_values.n, n_base, n_files - n_base);
    for (size_t e = 0; e < c->file_values.n; e++) {
        for (size_t f = 0; f < n_files; f++)
            moved->values[(rows ? rows[e] : e) * n_files + (files ? files[f] : f)] =
                c->values[e * n_files + f];
    }
    return moved;
}

static void assert_same_error(const eti_change *found, const eti_change *expected) {
    assert_bits(found->error, expected->error);
    assert_bits(found->dof, expected->dof);
    assert_bits(found->variance, expected->variance);
}

static void exchange_of_sides_exchanges_verdicts(void **state) {
    (void)state;
    static const size_t sides[][2] = {{5, 5}, {10, 3}, {4, 9}, {1, 7}};
    for (size_t i = 0; i < COUNT_OF(sides); i++) {
        size_t n_base = sides[i][0], n_new = sides[i][1], files[20];
        comparison *c = new_random(i, 12, n_base, n_new);
        for (size_t f = n_base; f < n_base + n_new; f++)
            c->values[3 * (n_base + n_new) + f] *= 1.7;
        for (size_t f = 0; f < n_base + n_new; f++)
            files[f] = (f + n_new) % (n_base + n_new);
        comparison *exchanged = new_moved(c, n_new, NULL, files);
        run(c);
        run(exchanged);
        assert_true(c->differences[3] > log(1.3));
        for (size_t e = 0; e < 12; e++) {
            /* The row that is the level has 0, of either sign. */
            assert_bits(exchanged->changes[e].difference + 0.0, 0.0 - c->changes[e].difference);
            assert_same_error(&exchanged->changes[e], &c->changes[e]);
        }
        free(exchanged);
        free(c);
    }
}

static void the_order_of_files_and_rows_changes_no_bit(void **state) {
    (void)state;
    enum { N = 40 };
    static const size_t files[] = {4, 2, 6, 0, 1, 3, 5, 10, 8, 7, 9};
    size_t rows[N];
    for (size_t e = 0; e < N; e++)
        rows[e] = (e * 7 + 3) % N;
    comparison *c = new_random(1, N, 7, 4), *moved = new_moved(c, 7, rows, files);
    run(c);
    run(moved);
    for (size_t f = 0; f < COUNT_OF(files); f++)
        assert_bits(moved->levels[files[f]], c->levels[f]);
    assert_bits(moved->prior.dof, c->prior.dof);
    assert_bits(moved->prior.variance, c->prior.variance);
    for (size_t e = 0; e < N; e++) {
        assert_bits(moved->changes[rows[e]].difference, c->changes[e].difference);
        assert_same_error(&moved->changes[rows[e]], &c->changes[e]);
    }
    free(moved);
    free(c);
}

/* Returns `c` with each location of the files from `first` on times `factor`. */
static comparison *new_scaled(const comparison *c, size_t first, double factor) {
    size_t n_base = c->file_values.n_base, n_files = n_base + c->file_values.n_new;
    comparison *scaled = new_moved(c, n_base, NULL, NULL);
    for (size_t i = 0; i < c->file_values.n * n_files; i++) {
        if (i % n_files >= first)
            scaled->values[i] *= factor;
    }
    return scaled;
}

/* Returns by how much all differences of `b` exceed those of `a`. */
static double assert_moved_together(const comparison *a, const comparison *b) {
    double moved = b->changes[0].difference - a->changes[0].difference;
    for (size_t e = 0; e < a->file_values.n; e++) {
        double other = b->changes[e].difference - a->changes[e].difference;
        assert_true(fabs(other - moved) < 1e-12);
    }
    return moved;
}

/* Levels are measured from the medians over all files, which move slightly when the sides move apart. */
static void a_factor_on_one_side_is_its_level(void **state) {
    (void)state;
    static const double factors[] = {0.5, 0.8, 1.1, 1.3, 2.0};
    comparison *c = new_random(2, 30, 5, 6);
    run(c);
    for (size_t i = 0; i < COUNT_OF(factors); i++) {
        comparison *scaled = new_scaled(c, 5, factors[i]);
        run(scaled);
        assert_true(fabs(assert_moved_together(c, scaled)) < 0.01);
        for (size_t e = 0; e < 30; e++)
            assert_true(fabs(scaled->differences[e] - c->differences[e]) < 1e-12);
        free(scaled);
    }
    free(c);
}

static void a_factor_on_all_files_changes_nothing(void **state) {
    (void)state;
    comparison *c = new_random(2, 30, 5, 6), *scaled = new_scaled(c, 0, 1.3);
    run(c);
    run(scaled);
    assert_true(fabs(assert_moved_together(c, scaled)) < 1e-12);
    for (size_t e = 0; e < 30; e++)
        assert_within(scaled->p[e], c->p[e], 1e-9);
    free(scaled);
    free(c);
}

/* ---- logarithms and levels ------------------------------------------------------------------- */

static void half_a_step_is_added(void **state) {
    (void)state;
    const double values[] = {2.0, 3.0, 4.0, 7.0}, steps[] = {1.0, 0.0};
    double logs[4];
    eti__log_values(logs, &(eti_file_values){2, 1, 1, values, steps});
    assert_bits(logs[0], log(2.5));
    assert_bits(logs[1], log(3.5));
    assert_bits(logs[2], log(4.0));
    assert_bits(logs[3], log(7.0));
}

/* Four of five rows follow the file, one does not. */
static void levels_are_those_of_most_rows(void **state) {
    (void)state;
    comparison *c = new_comparison(5, 2, 1);
    for (size_t e = 0; e < 5; e++) {
        double usual = 100.0 * (double)(e + 1);
        c->values[3 * e] = usual;
        c->values[3 * e + 1] = usual * (e == 1 ? 9.0 : 1.5);
        c->values[3 * e + 2] = usual * 0.5;
    }
    run(c);
    assert_near(c->levels[1] - c->levels[0], log(1.5));
    assert_near(c->levels[2] - c->levels[0], log(0.5));
    c->file_values.n = 4;
    run(c);
    for (size_t f = 0; f < 3; f++)
        assert_bits(c->levels[f], 0.0);
    free(c);
}

/* ---- differences and errors ------------------------------------------------------------------ */

/* Fills the change of one row, as measured. */
static eti_change change_of(const double *values, size_t n_base, size_t n_new, double step) {
    double logs[20], scratch[5 + 40];
    eti_file_values file_values = {1, n_base, n_new, values, &step};
    eti_change change;
    eti__log_values(logs, &file_values);
    eti__find_changes(&change, logs, NULL, &file_values, NULL, scratch);
    return change;
}

#define LEAST_VARIANCE (ETI_LEAST_DEVIATION * ETI_LEAST_DEVIATION)

static void equal_files_have_the_least_variance(void **state) {
    (void)state;
    const double values[] = {100, 100, 100, 110, 110, 110};
    eti_change change = change_of(values, 3, 3, 0.0);
    assert_near(change.difference, log(1.1));
    assert_near(change.variance, LEAST_VARIANCE);
    assert_near(change.error, sqrt(LEAST_VARIANCE * 2.0 / 3.0));
    assert_bits(change.dof, 4.0);
    assert_bits(change.relative_step, 0.0);
    change = change_of(values, 3, 3, 21.0);
    assert_bits(change.relative_step, 0.2);
    assert_near(change.variance, LEAST_VARIANCE + 0.2 * 0.2 / 12.0);
    assert_near(change.difference, log(120.5 / 110.5));
    assert_bits(change_of(values, 3, 3, 0.21).relative_step, 0.002);
}

/* As in Student's test, equal numbers of files are pooled, whatever the variances of the sides. */
static void equal_numbers_are_pooled(void **state) {
    (void)state;
    const double values[] = {exp(1.0), exp(1.2), exp(1.1), exp(3.0), exp(1.0), exp(2.0)};
    eti_change change = change_of(values, 3, 3, 0.0);
    assert_near(change.difference, 0.9);
    assert_near(change.variance, (0.01 + 1.0) / 2.0);
    assert_near(change.error, sqrt(1.01 / 3.0));
    assert_bits(change.dof, 4.0);
    assert_within(2.0 * eti__student_above(change.difference / change.error, change.dof),
                  0.1958178926484162, 1e-10); /* scipy.stats.ttest_ind */
}

/* As in Welch's test, six quiet files do not hide the noise of three. */
static void few_noisy_files_keep_their_noise(void **state) {
    (void)state;
    const double values[] = {exp(1.0), exp(1.2), exp(1.1), exp(1.0), exp(1.2),
                             exp(1.1), exp(3.0), exp(1.0), exp(2.0)};
    eti_change change = change_of(values, 6, 3, 0.0);
    double base = 0.008 / 6.0, new_side = 1.0 / 3.0, sum = base + new_side;
    assert_near(change.variance, (5 * 0.008 + 2 * 1.0) / 7.0);
    assert_near(change.error, sqrt(sum));
    assert_near(change.dof, sum * sum / (base * base / 5.0 + new_side * new_side / 2.0));
}

/* Either side may be the quiet one, and no variance is less than the least. */
static void quiet_files_have_the_least_variance_of_their_side(void **state) {
    (void)state;
    const double few_new[] = {10, 10, 10, 10, 10, 10, exp(3.0), exp(1.0), exp(2.0)},
                 few_base[] = {exp(3.0), exp(1.0), exp(2.0), 10, 10, 10, 10, 10, 10};
    double quiet = LEAST_VARIANCE / 6.0, noisy = 1.0 / 3.0, sum = quiet + noisy;
    double dof = sum * sum / (quiet * quiet / 5.0 + noisy * noisy / 2.0);
    eti_change change = change_of(few_new, 6, 3, 0.0), other = change_of(few_base, 3, 6, 0.0);
    assert_near(change.error, sqrt(sum));
    assert_near(change.dof, dof);
    assert_near(other.error, sqrt(sum));
    assert_near(other.dof, dof);
}

static void two_files_have_a_variance(void **state) {
    (void)state;
    const double values[] = {exp(1.0), exp(1.2), exp(3.0), exp(3.4)};
    eti_change change = change_of(values, 2, 2, 0.0);
    assert_near(change.variance, (0.02 + 0.08) / 2.0);
    assert_bits(change.dof, 2.0);
}

/* Where the larger side is the noisy one, pooling both gives more evidence. */
static void many_noisy_files_speak_for_the_few(void **state) {
    (void)state;
    const double values[] = {exp(3.0), exp(1.0), exp(2.0), exp(3.0), exp(1.0),
                             exp(2.0), exp(1.0), exp(1.2), exp(1.1)};
    eti_change change = change_of(values, 6, 3, 0.0);
    double pooled = (5 * 0.8 + 2 * 0.01) / 7.0;
    assert_near(change.error, sqrt(pooled / 6.0 + pooled / 3.0));
    assert_bits(change.dof, 7.0);
}

static void one_file_has_no_variance(void **state) {
    (void)state;
    const double values[] = {exp(1.0), exp(1.2), exp(1.1), exp(2.1)};
    eti_change change = change_of(values, 3, 1, 0.0);
    assert_near(change.difference, 1.0);
    assert_near(change.variance, 0.01);
    assert_near(change.error, sqrt(0.01 / 3.0 + 0.01));
    assert_bits(change.dof, 2.0);
}

static void small_variances_are_raised_and_large_ones_kept(void **state) {
    (void)state;
    comparison *c = new_random(3, 40, 5, 5);
    run(c);
    assert_true(c->prior.dof > 0.0 && !isinf(c->prior.dof));
    eti_change own[40];
    double squares[40];
    eti__find_changes(own, c->logs, c->levels, &c->file_values, NULL, c->scratch);
    size_t n_raised = 0;
    for (size_t e = 0; e < 40; e++) {
        double variance = own[e].variance, dof = own[e].dof;
        eti__moderate_variance(&c->prior, &variance, &dof);
        n_raised += variance > own[e].variance;
        assert_bits(c->changes[e].variance, variance);
        assert_bits(c->changes[e].dof, dof);
        assert_bits(c->changes[e].difference, own[e].difference);
        squares[e] = variance * 2.0 / 5.0;
    }
    assert_true(n_raised > 5 && n_raised < 35);
    for (size_t e = 0; e < 40; e++)
        assert_true(c->changes[e].error >= sqrt(squares[e]) * (1.0 - 1e-12));
    free(c);
}

static void one_side_has_a_mean(void **state) {
    (void)state;
    const double values[] = {exp(1.0), exp(1.2), exp(1.1), exp(5.0), exp(5.0), exp(5.0)};
    eti_file_values file_values = {2, 0, 3, values, NULL};
    double logs[6], levels[] = {0.0, 0.2, 0.1}, scratch[2 * 5 + 2 * 3];
    eti_change changes[2];
    eti__log_values(logs, &file_values);
    eti__find_changes(changes, logs, NULL, &file_values, NULL, scratch);
    assert_near(changes[0].difference, 1.1);
    assert_near(changes[0].variance, 0.01);
    assert_near(changes[0].error, 0.1 / sqrt(3.0));
    assert_bits(changes[0].dof, 2.0);
    assert_near(changes[1].error, ETI_LEAST_DEVIATION / sqrt(3.0));
    eti__find_changes(changes, logs, levels, &file_values, NULL, scratch);
    assert_near(changes[0].difference, 1.0);
    assert_near(changes[0].variance, LEAST_VARIANCE);
}

/* ---- numbers of files ------------------------------------------------------------------------ */

static void fewest_files_are_those_of_the_specification(void **state) {
    (void)state;
    assert_int_equal(eti__fewest_files(0.5), 1);
    assert_int_equal(eti__fewest_files(0.05), 3); /* C(6, 3) is 1 / 0.05 */
    assert_int_equal(eti__fewest_files(0.01), 5);
    assert_int_equal(eti__fewest_files(0.005), 5); /* C(10, 5) is 252 */
    assert_int_equal(eti__fewest_files(0.0025), 6);
    assert_int_equal(eti__fewest_files(0.001), 7);
    assert_int_equal(eti__fewest_files(1e-9), 17);
}

/* ==== variance prior ========================================================================== */
/* Expected values come from the specification. */

static eti_variance_prior prior_of(const double *variances, size_t n, double dof) {
    double scratch[200];
    assert_true(2 * n <= COUNT_OF(scratch));
    return eti__variance_prior_of(variances, n, dof, scratch);
}

static void assert_moderated(const eti_variance_prior *prior, double variance, double expected,
                             double expected_dof) {
    double dof = 8.0;
    eti__moderate_variance(prior, &variance, &dof);
    assert_within(variance, expected, 3e-5);
    assert_within(dof, expected_dof, 5e-8);
}

static void variances_that_differ_have_the_prior_of_the_specification(void **state) {
    (void)state;
    const double variances[] = {1e-4, 2e-4, 4e-4, 8e-4, 10e-4, 50e-4};
    eti_variance_prior prior = prior_of(variances, COUNT_OF(variances), 8.0);
    assert_within(prior.dof, 3.3784974837, 2e-11);
    assert_within(prior.variance, 4.2992257806e-4, 3e-11);
    assert_moderated(&prior, 1e-4, 1.9796e-4, 11.378497);
    assert_moderated(&prior, 2e-4, 2.6827e-4, 11.378497);
    assert_moderated(&prior, 4e-4, 4.0888e-4, 11.378497);
    assert_moderated(&prior, 8e-4, 8e-4, 8.0);
    assert_moderated(&prior, 10e-4, 10e-4, 8.0);
    assert_moderated(&prior, 50e-4, 50e-4, 8.0);
}

static void variances_alike_are_taken_for_one(void **state) {
    (void)state;
    const double variances[] = {1e-4, 1.1e-4, 0.9e-4, 1.05e-4, 1e-4};
    eti_variance_prior prior = prior_of(variances, COUNT_OF(variances), 8.0);
    assert_true(isinf(prior.dof));
    assert_within(prior.variance, 1.1533051900e-4, 1e-10);
    assert_moderated(&prior, 1e-4, 1.15330519e-4, 1e6);
    assert_moderated(&prior, 1.2e-4, 1.2e-4, 8.0);
}

static void fewer_than_five_have_no_prior(void **state) {
    (void)state;
    const double variances[] = {1e-4, 2e-4, 3e-4, 4e-4};
    eti_variance_prior prior = prior_of(variances, COUNT_OF(variances), 8.0);
    assert_bits(prior.dof, 0.0);
    assert_moderated(&prior, 1e-4, 1e-4, 8.0);
    assert_moderated(&prior, 0.0, 0.0, 8.0);
}

static void their_order_changes_no_bit(void **state) {
    (void)state;
    double *variances = make_samples(SAMPLES_HEAVY, 3, 1e-4, 50), turned[50];
    for (size_t i = 0; i < 50; i++)
        turned[i] = variances[(i * 7 + 11) % 50];
    eti_variance_prior prior = prior_of(variances, 50, 8.0), other = prior_of(turned, 50, 8.0);
    assert_true(prior.dof > 0.0 && !isinf(prior.dof));
    assert_bits(other.dof, prior.dof);
    assert_bits(other.variance, prior.variance);
    free(variances);
}

static void their_unit_is_that_of_the_prior(void **state) {
    (void)state;
    double *variances = make_samples(SAMPLES_HEAVY, 4, 1e-4, 50), scaled[50];
    for (size_t i = 0; i < 50; i++)
        scaled[i] = 1e6 * variances[i];
    eti_variance_prior prior = prior_of(variances, 50, 5.0), other = prior_of(scaled, 50, 5.0);
    assert_near(other.dof, prior.dof);
    assert_near(other.variance, 1e6 * prior.variance);
    free(variances);
}

static void a_few_wild_ones_do_not_make_it(void **state) {
    (void)state;
    double *variances = make_samples(SAMPLES_HEAVY, 5, 1e-4, 50);
    eti_variance_prior prior = prior_of(variances, 50, 8.0);
    for (size_t i = 0; i < 50; i++) {
        if (variances[i] > 2.5e-3)
            variances[i] *= 1e6;
    }
    eti_variance_prior wilder = prior_of(variances, 50, 8.0);
    assert_within(wilder.dof, prior.dof, 1e-9);
    assert_within(wilder.variance, prior.variance, 1e-9);
    free(variances);
}

/* A variance of 0 counts as 1e-5 of the median, 1.5e-9 here. */
static void zeros_have_logarithms(void **state) {
    (void)state;
    const double zeros[] = {0.0, 0.0, 1e-4, 2e-4, 4e-4, 8e-4},
                 raised[] = {1.5e-9, 1.5e-9, 1e-4, 2e-4, 4e-4, 8e-4},
                 larger[] = {1.6e-9, 1.6e-9, 1e-4, 2e-4, 4e-4, 8e-4};
    eti_variance_prior prior = prior_of(zeros, COUNT_OF(zeros), 8.0),
                       expected = prior_of(raised, COUNT_OF(raised), 8.0),
                       other = prior_of(larger, COUNT_OF(larger), 8.0);
    assert_near(prior.dof, expected.dof);
    assert_near(prior.variance, expected.variance);
    assert_true(other.dof > 1.001 * prior.dof);
}

/* ==== holm ==================================================================================== */
/* Expected values were worked out by hand; statsmodels.stats.multitest.multipletests(p, method="holm") agrees. */

#define assert_adjusted(expected, ...)                                                             \
    do {                                                                                           \
        double p_[] = {__VA_ARGS__}, expected_[] = expected;                                       \
        double scratch_[2 * COUNT_OF(p_)];                                                         \
        eti__holm_adjust(p_, COUNT_OF(p_), scratch_);                                              \
        for (size_t i_ = 0; i_ < COUNT_OF(p_); i_++)                                               \
            assert_near(p_[i_], expected_[i_]);                                                    \
    } while (0)
#define LIST(...)                                                                                  \
    { __VA_ARGS__ }

static void p_values_count_as_often_as_tests_are_left(void **state) {
    (void)state;
    assert_adjusted(LIST(0.03), 0.03);
    assert_adjusted(LIST(0.02, 0.03), 0.01, 0.03);
    assert_adjusted(LIST(0.03, 0.06, 0.06, 0.02), 0.01, 0.04, 0.03, 0.005);
}

static void no_p_value_falls_below_one_before_it(void **state) {
    (void)state;
    assert_adjusted(LIST(0.06, 0.06, 0.06), 0.02, 0.03, 0.04);
    assert_adjusted(LIST(0.06, 0.06, 0.06), 0.04, 0.03, 0.02);
}

static void equal_p_values_stay_equal(void **state) {
    (void)state;
    assert_adjusted(LIST(0.04, 0.04, 0.04, 0.04), 0.01, 0.01, 0.01, 0.01);
    assert_adjusted(LIST(0.9, 0.06, 0.06), 0.9, 0.02, 0.02);
}

static void no_p_value_is_above_one(void **state) {
    (void)state;
    assert_adjusted(LIST(1.0, 1.0, 0.0, 1.0), 0.5, 1.0, 0.0, 0.6);
}

static void no_p_values_are_no_mistake(void **state) {
    (void)state;
    double none[2];
    eti__holm_adjust(none, 0, none);
}

/* ==== verdict ================================================================================= */

static void verdicts_have_names(void **state) {
    (void)state;
    static const char *const names[ETI_N_VERDICTS] = {"~",     "slower",  "faster",  "undecided",
                                                      "added", "removed", "untested"};
    for (int i = 0; i < ETI_N_VERDICTS; i++)
        assert_string_equal(eti__verdict_name((eti_verdict)i), names[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_example_has_the_results_of_the_oracle),
        cmocka_unit_test(exchange_of_sides_exchanges_verdicts),
        cmocka_unit_test(the_order_of_files_and_rows_changes_no_bit),
        cmocka_unit_test(a_factor_on_one_side_is_its_level),
        cmocka_unit_test(a_factor_on_all_files_changes_nothing),
        cmocka_unit_test(half_a_step_is_added),
        cmocka_unit_test(levels_are_those_of_most_rows),
        cmocka_unit_test(equal_files_have_the_least_variance),
        cmocka_unit_test(equal_numbers_are_pooled),
        cmocka_unit_test(few_noisy_files_keep_their_noise),
        cmocka_unit_test(quiet_files_have_the_least_variance_of_their_side),
        cmocka_unit_test(two_files_have_a_variance),
        cmocka_unit_test(many_noisy_files_speak_for_the_few),
        cmocka_unit_test(one_file_has_no_variance),
        cmocka_unit_test(small_variances_are_raised_and_large_ones_kept),
        cmocka_unit_test(one_side_has_a_mean),
        cmocka_unit_test(fewest_files_are_those_of_the_specification),
        cmocka_unit_test(variances_that_differ_have_the_prior_of_the_specification),
        cmocka_unit_test(variances_alike_are_taken_for_one),
        cmocka_unit_test(fewer_than_five_have_no_prior),
        cmocka_unit_test(their_order_changes_no_bit),
        cmocka_unit_test(their_unit_is_that_of_the_prior),
        cmocka_unit_test(a_few_wild_ones_do_not_make_it),
        cmocka_unit_test(zeros_have_logarithms),
        cmocka_unit_test(p_values_count_as_often_as_tests_are_left),
        cmocka_unit_test(no_p_value_falls_below_one_before_it),
        cmocka_unit_test(equal_p_values_stay_equal),
        cmocka_unit_test(no_p_value_is_above_one),
        cmocka_unit_test(no_p_values_are_no_mistake),
        cmocka_unit_test(verdicts_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
