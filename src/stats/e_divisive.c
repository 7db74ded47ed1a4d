/* Scores a cut of n values into the first k and the rest. Let A be the distance of two values. W is the sum of A over all
 * ordered pairs in the first part, V the same in the second part, and B the sum over all pairs with one value in each part.
 *
 *     score(k) = k (n - k) / n * (2 B / (k (n - k)) - W / (k (k - 1)) - V / ((n - k) (n - k - 1)))
 */
#include "stats/e_divisive.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/random.h"

#define LEAST_PART 3 /* smallest number of values in a part */
#define ROUNDING                                                                                   \
    1e-9 /* relative tolerance for equal scores, in sums of a value's distances to all others */
#define MOST_HITS                                                                                  \
    5.0 /* largest number of permutations that may reach the score of a change, including the original order */

/* Values in a certain order, each with the sum of its distances to all others; `before` has the sums of the distances
 * to the values before it. */
typedef struct segment {
    double *values, *totals, *before;
    size_t n;
} segment;

static void find_totals(const segment *s) {
    memset(s->totals, 0, s->n * sizeof *s->totals);
    for (size_t i = 0; i < s->n; i++) {
        for (size_t j = 0; j < s->n; j++)
            s->totals[j] += fabs(s->values[j] - s->values[i]);
    }
}

static double sum_totals(const segment *s) {
    double sum = 0.0;
    for (size_t i = 0; i < s->n; i++)
        sum += s->totals[i];
    return sum;
}

static void find_distances_before(const segment *s) {
    memset(s->before, 0, s->n * sizeof *s->before);
    for (size_t i = 0; i < s->n; i++) {
        double value = s->values[i];
        for (size_t j = i + 1; j < s->n; j++)
            s->before[j] += fabs(s->values[j] - value);
    }
}

static double score_of(double within_first, double within_second, double between, size_t k,
                       size_t n) {
    double first = (double)k, second = (double)(n - k);
    return first * second / (double)n *
           (2.0 * between / (first * second) - within_first / (first * (first - 1.0)) -
            within_second / (second * (second - 1.0)));
}

/* Returns the largest difference that rounding can make between equal scores. */
static double rounding_of(const segment *s) {
    return ROUNDING * sum_totals(s) / (double)s->n;
}

/* Returns the first of the best cuts. Moves one value after another from the second part to the first. */
static eti_change_point cut_best(const segment *s) {
    find_distances_before(s);
    double first = 0.0, second = sum_totals(s), between = 0.0, rounding = rounding_of(s);
    eti_change_point best = {LEAST_PART, 1.0, (double)-INFINITY};
    for (size_t k = 1; k <= s->n - LEAST_PART; k++) {
        double before = s->before[k - 1], after = s->totals[k - 1] - before;
        first += 2.0 * before;
        second -= 2.0 * after;
        between += after - before;
        if (k < LEAST_PART)
            continue;
        double score = score_of(first, second, between, k, s->n);
        if (score > best.score + rounding)
            best = (eti_change_point){k, 1.0, score};
    }
    return best;
}

static void swap(double *values, size_t i, size_t j) {
    double value = values[i];
    values[i] = values[j];
    values[j] = value;
}

/* Shuffles by the method of Fisher and Yates. */
static void shuffle(const segment *s, eti_random *random) {
    for (size_t i = s->n - 1; i > 0; i--) {
        size_t j = (size_t)(eti__random_uniform(random) * (double)(i + 1));
        swap(s->values, i, j);
        swap(s->totals, i, j);
    }
}

/* Returns the share of permutations of the segment with at least this score, including the original order. Stops
 * early with a value above alpha once the result is certain to be above alpha. Shuffles the segment. */
static double find_p(const segment *s, double score, double alpha, eti_random *random) {
    double n_orders = ceil(MOST_HITS / alpha), n_hits = 1.0;
    double least = score - rounding_of(s);
    for (double i = 1.0; i < n_orders && n_hits / n_orders <= alpha; i++) {
        shuffle(s, random);
        n_hits += !(cut_best(s).score < least); /* NaN is not a change */
    }
    return n_hits / n_orders;
}

/* ---- series ---------------------------------------------------------------------------------- */

typedef struct division {
    const double *values;
    segment segment; /* has room for all values */
    double alpha;
    uint64_t seed;
    eti_change_point *out;
    size_t n_out;
} division;

static eti_status open_segment(segment *out, size_t n, eti_error *err) {
    if (n > ETI_E_DIVISIVE_MOST)
        return eti_fail(err, ETI_ERROR_LIMIT, "%zu files are too many for a series: at most %zu", n,
                        ETI_E_DIVISIVE_MOST);
    out->values = malloc((3 * n + 1) * sizeof *out->values);
    if (!out->values)
        return eti_fail_memory(err);
    out->totals = out->values + n;
    out->before = out->values + 2 * n;
    out->n = n;
    return ETI_OK;
}

static void fill_segment(segment *out, const double *values, size_t n) {
    memcpy(out->values, values, n * sizeof *values);
    out->n = n;
    find_totals(out);
}

/* Divides values[begin .. end - 1] and then both parts. The result of a part does not depend on other parts. */
static void divide(division *d, size_t begin, size_t end) {
    if (end - begin < ETI_E_DIVISIVE_FEWEST)
        return;
    fill_segment(&d->segment, d->values + begin, end - begin);
    eti_change_point cut = cut_best(&d->segment);
    eti_random random = eti__random_start(d->seed, begin * ETI_E_DIVISIVE_MOST + end);
    cut.p = find_p(&d->segment, cut.score, d->alpha, &random);
    if (cut.p > d->alpha)
        return;
    cut.at += begin;
    divide(d, begin, cut.at);
    d->out[d->n_out++] = cut;
    divide(d, cut.at, end);
}

size_t eti__fewest_values(double alpha) {
    size_t n = 2;
    /* `ways` is C(n, n / 2), the number of equally likely halves */
    for (double ways = 2.0; ways < 2.0 / alpha; n++) {
        size_t half = n / 2;
        ways = ways * (double)(n + 1) / (double)(half + 1);
    }
    return n;
}

eti_status eti__best_cut(eti_change_point *out, const double *values, size_t n, eti_error *err) {
    segment s;
    ETI_TRY(open_segment(&s, n, err));
    fill_segment(&s, values, n);
    *out = cut_best(&s);
    free(s.values);
    return ETI_OK;
}

eti_status eti__find_change_points(eti_change_point *out, size_t *n_out, const double *values,
                                   size_t n, double alpha, uint64_t seed, eti_error *err) {
    division d = {.values = values, .alpha = alpha, .seed = seed, .out = out};
    ETI_TRY(open_segment(&d.segment, n, err));
    divide(&d, 0, n);
    *n_out = d.n_out;
    free(d.segment.values);
    return ETI_OK;
}
