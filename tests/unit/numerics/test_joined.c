#include "numerics/joined.h"
#include "numerics/numerics.h"

#include "support.h"

#include <math.h>
#include <string.h>

#define MOST 4

/* One point, for each of whose inputs there is a difference. */
typedef struct fixture {
    eti_point point;
    eti_matched_outputs outputs[MOST];
    eti_difference rows[MOST];
    eti_differences of[MOST];
    eti_input_differences inputs[MOST];
    size_t n;
} fixture;

static eti_difference *add(fixture *f, const char *key, uint8_t status, double snr,
                           double max_abs) {
    size_t i = f->n++;
    f->outputs[i] = (eti_matched_outputs){&f->point, &f->point, NULL, NULL, 0, {key, strlen(key)}};
    f->rows[i] = (eti_difference){.of = &f->outputs[i], .status = status};
    f->rows[i].metrics = (eti_metrics){.snr = snr,
                                       .max_abs = max_abs,
                                       .mse = max_abs,
                                       .cosine = snr,
                                       .psnr = snr,
                                       .pairs = 10 - i,
                                       .mismatched = i,
                                       .max_abs_at = i,
                                       .identical = i == 0};
    f->of[i] = (eti_differences){&f->rows[i], 1, eti__difference_is_compared(&f->rows[i])};
    f->inputs[i] = (eti_input_differences){i, &f->of[i]};
    return &f->rows[i];
}

static eti_joined_differences join_with(const fixture *f, bool is_each) {
    eti_joined_differences joined;
    eti_error err = ETI_ERROR_INIT;
    assert_int_equal(eti__differences_join(&joined, f->inputs, f->n, is_each, &err), ETI_OK);
    return joined;
}

/* Joins differences of one point. */
static eti_joined_difference join_one(const fixture *f) {
    eti_joined_differences joined = join_with(f, false);
    assert_int_equal(joined.n, 1);
    eti_joined_difference row = joined.rows[0];
    eti__joined_differences_free(&joined);
    return row;
}

static void each_metric_is_that_of_the_worst_input(void **state) {
    (void)state;
    fixture f = {.n = 0};
    add(&f, "add", ETI_DIFFERENCE_COMPARED, 60, 0.5);
    add(&f, "add", ETI_DIFFERENCE_COMPARED, 20, 0.25);
    add(&f, "add", ETI_DIFFERENCE_COMPARED, 30, 2);
    eti_joined_difference row = join_one(&f);
    assert_int_equal(row.n_compared, 3);
    assert_int_equal(row.input, 1);
    assert_ptr_equal(row.worst.of, &f.outputs[1]);
    assert_true(row.worst.metrics.snr == 20 && row.snr_p50 == 30);
    assert_true(row.worst.metrics.max_abs == 2 && row.worst.metrics.mse == 2);
    assert_true(row.worst.metrics.cosine == 20 && row.worst.metrics.psnr == 20);
    assert_int_equal(row.worst.metrics.max_abs_at, 2);
    assert_ptr_equal(row.of_max_abs, &f.rows[2]);
    assert_int_equal(row.worst.metrics.pairs, 8);
    assert_int_equal(row.worst.metrics.mismatched, 2);
    assert_false(row.worst.metrics.identical);
    assert_int_equal(row.worst.status, ETI_DIFFERENCE_COMPARED);
}

/* Adds outputs that do not differ; without a finite pair, `max_abs` is NaN. */
static void add_equal(fixture *f, double max_abs) {
    add(f, "add", ETI_DIFFERENCE_COMPARED, INFINITY, max_abs)->metrics.mismatched = 0;
}

static void infinities_are_ratios_and_nan_of_equal_outputs_says_nothing(void **state) {
    (void)state;
    fixture f = {.n = 0};
    add_equal(&f, 0);
    add_equal(&f, NAN);
    eti_joined_difference row = join_one(&f);
    assert_true(isinf(row.worst.metrics.snr) && row.worst.metrics.snr > 0);
    assert_true(isinf(row.snr_p50) && row.snr_p50 > 0);
    assert_true(row.worst.metrics.max_abs == 0);
    add_equal(&f, 0);
    add(&f, "add", ETI_DIFFERENCE_COMPARED, 40, 1);
    row = join_one(&f);
    assert_true(row.worst.metrics.snr == 40);
    assert_true(isinf(row.snr_p50) && row.snr_p50 > 0);
    assert_int_equal(row.input, 3);
    f = (fixture){.n = 0};
    add_equal(&f, NAN);
    add(&f, "add", ETI_DIFFERENCE_COMPARED, -INFINITY, 3);
    row = join_one(&f);
    assert_true(isinf(row.snr_p50) && row.snr_p50 < 0);
    assert_true(row.worst.metrics.max_abs == 3);
    assert_ptr_equal(row.of_max_abs, &f.rows[1]);
    /* a NaN in place of a zero, which counts as one */
    f = (fixture){.n = 0};
    add_equal(&f, 0);
    add(&f, "add", ETI_DIFFERENCE_COMPARED, INFINITY, NAN)->metrics.mismatched = 1;
    row = join_one(&f);
    assert_true(isnan(row.worst.metrics.max_abs));
}

/* Outputs without a finite pair have no largest difference, but may differ more than all others. */
static void a_metric_is_unknown_if_it_is_unknown_for_outputs_that_differ(void **state) {
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        fixture f = {.n = 0};
        for (size_t k = 0; k < 3; k++) {
            eti_difference *row = add(&f, "add", ETI_DIFFERENCE_COMPARED, 40, k == i ? NAN : 1);
            row->metrics.mse = 1;
        }
        eti_joined_difference joined = join_one(&f);
        assert_true(isnan(joined.worst.metrics.max_abs));
        assert_true(joined.worst.metrics.mse == 1 && joined.worst.metrics.cosine == 40);
    }
}

static void medians_are_numpys(void **state) {
    (void)state;
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2}, one[] = {7};
    double equal[] = {INFINITY, INFINITY}, opposite[] = {INFINITY, -INFINITY};
    double half[] = {INFINITY, 5}, low[] = {-INFINITY, 5};
    assert_true(eti__joined_median(odd, 3) == 2);
    assert_true(eti__joined_median(even, 4) == 2.5);
    assert_true(eti__joined_median(one, 1) == 7);
    assert_true(eti__joined_median(equal, 2) == INFINITY);
    assert_true(eti__joined_median(opposite, 2) == -INFINITY);
    assert_true(eti__joined_median(half, 2) == INFINITY);
    assert_true(eti__joined_median(low, 2) == -INFINITY);
}

static void the_worst_status_is_kept_with_the_metrics_of_others(void **state) {
    (void)state;
    fixture f = {.n = 0};
    add(&f, "add", ETI_DIFFERENCE_ONLY_BASE, 0, 0);
    add(&f, "add", ETI_DIFFERENCE_VIEW, 50, 1);
    add(&f, "add", ETI_DIFFERENCE_SHAPE, 0, 0);
    eti_joined_difference row = join_one(&f);
    assert_int_equal(row.worst.status, ETI_DIFFERENCE_SHAPE);
    assert_int_equal(row.n_inputs, 3);
    assert_int_equal(row.n_compared, 1);
    assert_int_equal(row.input, 1);
    assert_true(row.worst.metrics.snr == 50 && row.snr_p50 == 50);
    add(&f, "add", ETI_DIFFERENCE_NONFINITE, 90, 0);
    row = join_one(&f);
    assert_int_equal(row.worst.status, ETI_DIFFERENCE_NONFINITE);
    assert_int_equal(row.n_compared, 2);
    assert_true(row.worst.metrics.snr == 50 && row.snr_p50 == 70);
    f = (fixture){.n = 0};
    add(&f, "add", ETI_DIFFERENCE_ONLY_NEW, 0, 0);
    add(&f, "add", ETI_DIFFERENCE_OUTSIDE, 0, 0);
    row = join_one(&f);
    assert_int_equal(row.worst.status, ETI_DIFFERENCE_OUTSIDE);
    assert_int_equal(row.n_compared, 0);
    assert_int_equal(row.input, 1);
    assert_true(isnan(row.snr_p50));
}

static void the_largest_drop_is_kept(void **state) {
    (void)state;
    fixture f = {.n = 0};
    static const double drops[] = {3, 40, 7};
    for (size_t i = 0; i < 3; i++) {
        eti_difference *row = add(&f, "add", ETI_DIFFERENCE_COMPARED, 60 - (double)i, 0);
        row->has_snr_in = i > 0;
        row->snr_in = 100 + drops[i];
        row->snr_drop = drops[i];
    }
    eti_joined_difference row = join_one(&f);
    assert_true(row.worst.has_snr_in && row.worst.snr_drop == 40 && row.worst.snr_in == 140);
}

static void other_points_and_inputs_of_their_own_stay_apart(void **state) {
    (void)state;
    fixture f = {.n = 0};
    add(&f, "add", ETI_DIFFERENCE_COMPARED, 60, 0);
    add(&f, "mul", ETI_DIFFERENCE_SHAPE, 0, 0);
    add(&f, "add", ETI_DIFFERENCE_COMPARED, 30, 0);
    eti_joined_differences joined = join_with(&f, false);
    assert_int_equal(joined.n, 2);
    assert_int_equal(joined.n_compared, 1);
    assert_int_equal(joined.rows[0].n_compared, 2);
    assert_int_equal(joined.rows[0].n_inputs, 2);
    assert_int_equal(joined.rows[1].n_inputs, 1);
    assert_int_equal(joined.rows[1].n_compared, 0);
    eti__joined_differences_free(&joined);
    joined = join_with(&f, true);
    assert_int_equal(joined.n, 3);
    assert_int_equal(joined.n_compared, 2);
    assert_int_equal(joined.rows[2].input, 2);
    assert_true(joined.rows[2].worst.metrics.snr == 30);
    eti__joined_differences_free(&joined);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_metric_is_that_of_the_worst_input),
        cmocka_unit_test(infinities_are_ratios_and_nan_of_equal_outputs_says_nothing),
        cmocka_unit_test(a_metric_is_unknown_if_it_is_unknown_for_outputs_that_differ),
        cmocka_unit_test(medians_are_numpys),
        cmocka_unit_test(the_worst_status_is_kept_with_the_metrics_of_others),
        cmocka_unit_test(the_largest_drop_is_kept),
        cmocka_unit_test(other_points_and_inputs_of_their_own_stay_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
