#include "stats/parts.h"

#include "base/status.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== cut orders ============================================================================== */

/* Scores a cut of n values into the first k and the rest. Let A be the distance of two values. `first` is the sum of A
 * over all ordered pairs in the first part, `second` the same in the second part, and `between` the sum over all pairs
 * with one value in each part:
 *
 *     score(k) = k (n - k) / n * (2 between / (k (n - k)) - first / (k (k - 1)) - second / ((n - k) (n - k - 1)))
 */
static inline double cut_score(double first, double second, double between, size_t k, size_t n) {
    double before = (double)k, after = (double)(n - k);
    return before * after / (double)n *
           (2.0 * between / (before * after) - first / (before * (before - 1.0)) -
            second / (after * (after - 1.0)));
}

#define LEAST ETI_CUT_LEAST_PART
#define MOST ETI_CUT_MOST_COUNTED
#define ROUNDED_UP (1.0 + 1e-12) /* a share that is equal to alpha is not above it */

/* A set of values is a mask: bit i stands for value i. */
typedef struct counting {
    const double *values; /* ascending */
    size_t n;
    double total;        /* sum of the distances of all ordered pairs */
    double totals[MOST]; /* per value: sum of its distances to all others */
    double least;
    uint64_t *
        orders; /* per set: number of its orders in which a cut within it or at its end reaches `least` */
    double n_reached[MOST + 1];    /* per size: number of sets at whose end a cut reaches `least` */
    double most_reached[MOST + 1]; /* per size: the largest such number that alpha allows */
} counting;

static uint64_t factorial(size_t n) {
    return n < 2 ? 1 : n * factorial(n - 1);
}

/* Returns the number of ways to choose k of n values. */
static double binomial(size_t n, size_t k) {
    double ways = 1.0;
    for (size_t i = 1; i <= k; i++)
        ways = ways * (double)(n - k + i) / (double)i;
    return ways;
}

static void prepare(counting *c, double alpha) {
    for (size_t i = 0; i < c->n; i++) {
        for (size_t j = 0; j < i; j++) {
            c->totals[i] += c->values[i] - c->values[j];
            c->totals[j] += c->values[i] - c->values[j];
        }
    }
    for (size_t i = 0; i < c->n; i++)
        c->total += c->totals[i];
    for (size_t k = 0; k <= c->n; k++)
        c->most_reached[k] = alpha * binomial(c->n, k) * ROUNDED_UP;
}

/* Some of the values with smaller indexes may still join the set. */
typedef struct set {
    size_t mask, size;
    double sum;    /* of its values */
    double within; /* sum of the distances of all ordered pairs in it */
    double totals; /* sum of the totals of its values */
} set;

static set add_value(const counting *c, set s, size_t i) {
    s.within += 2.0 * (s.sum - (double)s.size * c->values[i]);
    s.sum += c->values[i];
    s.totals += c->totals[i];
    s.mask |= (size_t)1 << i;
    s.size++;
    return s;
}

/* Scores the cut after a set, which is that after its complement, too. Returns false if more sets of this size reach
 * `least` than alpha allows: that many orders have such a set at their beginning. */
static bool score_set(counting *c, set s) {
    size_t rest = c->n - s.size, others = (((size_t)1 << c->n) - 1) ^ s.mask;
    if (s.size < LEAST || rest < LEAST)
        return true;
    double between = s.totals - s.within, after = c->total - s.within - 2.0 * between;
    if (cut_score(s.within, after, between, s.size, c->n) < c->least)
        return true;
    c->orders[s.mask] = factorial(s.size);
    c->orders[others] = factorial(rest);
    c->n_reached[s.size]++;
    c->n_reached[rest]++;
    return !(c->n_reached[s.size] > c->most_reached[s.size]) &&
           !(c->n_reached[rest] > c->most_reached[rest]);
}

/* Scores all sets that a set and some of the first n values make, those without the largest values first: they are
 * the most likely to have a great score. */
static bool score_sets(counting *c, set s, size_t n) {
    if (n == 0)
        return score_set(c, s);
    return score_sets(c, s, n - 1) && score_sets(c, add_value(c, s, n - 1), n - 1);
}

/* Counts the orders of each set by its last value. */
static void count_orders(const counting *c) {
    size_t n_sets = (size_t)1 << c->n;
    for (size_t mask = 1; mask < n_sets; mask++) {
        if (c->orders[mask] > 0)
            continue;
        uint64_t sum = 0;
        for (size_t rest = mask; rest > 0; rest &= rest - 1)
            sum += c->orders[mask ^ (rest & -rest)];
        c->orders[mask] = sum;
    }
}

eti_status eti__share_of_orders(double *p, double *values, size_t n, double least, double alpha,
                                eti_error *err) {
    *p = 1.0;
    if (n < 2 * LEAST || n > MOST)
        return ETI_OK;
    size_t all = ((size_t)1 << n) - 1;
    eti__sort_doubles(values, n);
    counting c = {.values = values, .n = n, .least = least};
    c.orders = calloc(all + 1, sizeof *c.orders);
    if (!c.orders)
        return eti_fail_memory(err);
    prepare(&c, alpha);
    /* the complements of these sets have the largest value */
    if (score_sets(&c, (set){0}, n - 1)) {
        count_orders(&c);
        *p = (double)c.orders[all] / (double)factorial(n);
    }
    free(c.orders);
    return ETI_OK;
}

/* ==== e divisive ============================================================================== */

#define LEAST_PART ETI_CUT_LEAST_PART
#define ROUNDING                                                                                   \
    1e-9 /* relative tolerance for equal scores, in sums of a value's distances to all others */
/* Largest number of permutations that may reach the score of a change, including the original order. If the halves of the
 * values are separated by chance hardly less often than alpha allows, so few permutations would often miss such a
 * change, depending on the seed: `MOST_HITS_RARE` miss it with less than 1 of 1,000 seeds. */
#define MOST_HITS 5.0
#define MOST_HITS_RARE 30.0
#define SEEDS_PER_BEGIN 2000 /* chooses the orders of a segment: do not change it */
#define OFTEN (1.0 / 16) /* share of alpha; at most this, `MOST_HITS` miss less than 1 of 10,000 */

/* Values in a certain order. The sum of the distances of a value to those before it follows from the number and the sum of
 * the smaller ones among them, which a tree keeps, so that a cut takes n log n steps. The tree adds whole numbers: a value is
 * its distance from the smallest one, in steps of `step`. The number of values and the sum of n of them share 64 bits. */
typedef struct segment {
    size_t n;
    double *values;  /* ascending */
    uint32_t *ranks; /* in the order of the values: number of smaller values */
    uint64_t *items; /* per rank: the value, and 1 in the bits from `sum_bits` on */
    double *totals;  /* per rank: sum of its distances to all others, in steps */
    double *shares;  /* per number of values k: 1 / (k - 1) */
    /* node 1 stands for all ranks, nodes 2 i and 2 i + 1 for the halves of node i; a node has the sum of the items of its
     * first half */
    uint64_t *tree;
    size_t half;       /* a power of two: number of ranks in half of node 1 */
    unsigned sum_bits; /* number of bits of a sum of values */
    double step;
    double all_pairs; /* sum of the distances of all ordered pairs, in steps */
} segment;

static uint32_t count_smaller(const double *sorted, size_t n, double value) {
    size_t begin = 0;
    while (begin < n) {
        size_t middle = begin + (n - begin) / 2;
        if (sorted[middle] < value)
            begin = middle + 1;
        else
            n = middle;
    }
    return (uint32_t)begin;
}

static uint64_t value_of(const segment *s, uint64_t item) {
    return item & (((uint64_t)1 << s->sum_bits) - 1);
}

/* Number of bits of the mantissa of a double: more would only be zeros. */
#define MOST_BITS 52u

/* Turns the sorted values into items. A value has the bits that n of them leave in a sum. Returns false if the range of the
 * values is not finite. */
static bool make_items(segment *s) {
    unsigned count_bits = 1;
    while (s->n >> count_bits > 0)
        count_bits++;
    s->sum_bits = 64 - count_bits;
    unsigned bits = s->sum_bits - count_bits;
    double least = s->values[0], range = s->values[s->n - 1] - least;
    s->step = ldexp(range, -(int)(bits < MOST_BITS ? bits : MOST_BITS));
    if (!isfinite(range))
        return false;
    if (s->step < DBL_MIN)
        s->step = 0.0; /* a step of fewer digits: the values are as good as equal */
    for (size_t i = 0; i < s->n; i++) {
        double steps = s->step > 0 ? (s->values[i] - least) / s->step : 0.0;
        s->items[i] = (uint64_t)steps | (uint64_t)1 << s->sum_bits;
    }
    return true;
}

/* Fills the segment with n values. Returns false if it cannot have a change because some are not finite. */
static bool fill_segment(segment *s, const double *values, size_t n) {
    s->n = n;
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(values[i]))
            return false;
    }
    memcpy(s->values, values, n * sizeof *values);
    eti__sort_doubles(s->values, n);
    if (!make_items(s))
        return false;
    for (s->half = 1; 2 * s->half < n;)
        s->half *= 2;
    uint64_t below = 0, above = 0;
    for (size_t i = 0; i < n; i++)
        above += value_of(s, s->items[i]);
    for (size_t i = 0; i < n; i++) {
        uint64_t value = value_of(s, s->items[i]);
        above -= value;
        s->totals[i] = (double)(i * value - below + above - (n - 1 - i) * value);
        below += value;
        s->ranks[i] = count_smaller(s->values, n, values[i]);
        s->shares[i] = 1.0 / ((double)i - 1.0);
    }
    s->all_pairs = eti__sum(s->totals, n);
    return true;
}

/* Returns the largest difference that rounding can make between equal scores. */
static double rounding_of(const segment *s) {
    return ROUNDING * s->step * s->all_pairs / (double)s->n;
}

/* Adds an item to the tree. Returns the sum of those with smaller ranks that were added before. Does not branch by the
 * rank, which a processor would guess wrong half of the time. */
static inline uint64_t add_item(const segment *s, uint32_t rank, uint64_t item) {
    uint64_t smaller = 0;
    for (size_t bit = s->half, node = 1; bit > 0; bit /= 2) {
        uint64_t is_right = (rank & bit) != 0, in_first = s->tree[node];
        s->tree[node] = in_first + (item & (is_right - 1));
        smaller += in_first & (0 - is_right);
        node = 2 * node + is_right;
    }
    return smaller;
}

/* Returns the first of the best cuts. Moves one value after another from the second part to the first. Since first + second +
 * 2 between is the sum of all pairs, cut_score() is (all - (n - 1) (first / (k - 1) + second / (n - k - 1))) / n. */
static eti_change_point cut_best(const segment *s) {
    size_t n = s->n;
    memset(s->tree, 0, 2 * s->half * sizeof *s->tree);
    uint64_t sum = 0;
    double first = 0.0, second = s->all_pairs, unit = s->step / (double)n,
           rounding = rounding_of(s);
    eti_change_point best = {LEAST_PART, 1.0, (double)-INFINITY};
    for (size_t k = 1; k <= n - LEAST_PART; k++) {
        uint32_t rank = s->ranks[k - 1];
        uint64_t item = s->items[rank], value = value_of(s, item);
        uint64_t smaller = add_item(s, rank, item);
        uint64_t n_smaller = smaller >> s->sum_bits, sum_smaller = value_of(s, smaller);
        /* modulo 2^64, since some of the terms are negative */
        uint64_t distances = (2 * n_smaller - (k - 1)) * value + sum - 2 * sum_smaller;
        double before = (double)(int64_t)distances;
        sum += value;
        first += 2.0 * before;
        second -= 2.0 * (s->totals[rank] - before);
        if (k < LEAST_PART)
            continue;
        double score =
            unit *
            (s->all_pairs - (double)(n - 1) * (first * s->shares[k] + second * s->shares[n - k]));
        if (score > best.score + rounding)
            best = (eti_change_point){k, 1.0, score};
    }
    return best;
}

/* Shuffles by the method of Fisher and Yates. */
static void shuffle(const segment *s, eti_random *random) {
    for (size_t i = s->n - 1; i > 0; i--) {
        size_t j = (size_t)(eti__random_uniform(random) * (double)(i + 1));
        uint32_t rank = s->ranks[i];
        s->ranks[i] = s->ranks[j];
        s->ranks[j] = rank;
    }
}

/* Returns the share of n_orders orders of the segment with at least the score `least`, including the original order.
 * The others are drawn. Stops early with a value above alpha once the result is certain to be above alpha. Shuffles the
 * segment. */
static double draw_p(const segment *s, double least, double alpha, eti_random *random) {
    double most = 2.0 / binomial(s->n, s->n / 2) > OFTEN * alpha ? MOST_HITS_RARE : MOST_HITS;
    double n_orders = ceil(most / alpha), n_hits = 1.0;
    for (double i = 1.0; i < n_orders && n_hits / n_orders <= alpha; i++) {
        shuffle(s, random);
        n_hits += !(cut_best(s).score < least); /* NaN is not a change */
    }
    return n_hits / n_orders;
}

/* Finds the share of all orders of the segment that have at least the score of `cut`, or, of long segments, of drawn
 * orders. Any value above alpha may stand for others. Reorders the segment. */
static eti_status find_p(eti_change_point *cut, const segment *s, double alpha, eti_random random,
                         eti_error *err) {
    double least = cut->score - rounding_of(s);
    if (!isfinite(least))
        return ETI_OK; /* not a change: p is 1 */
    if (s->n <= ETI_CUT_MOST_COUNTED)
        return eti__share_of_orders(&cut->p, s->values, s->n, least, alpha, err);
    cut->p = draw_p(s, least, alpha, &random);
    return ETI_OK;
}

/* ---- series ---------------------------------------------------------------------------------- */

typedef struct division {
    const double *values;
    segment segment; /* has room for all values */
    size_t fewest;   /* shorter segments are not divided */
    double alpha;
    uint64_t seed;
    eti_change_point *out;
    size_t n_out;
} division;

/* Divides values[begin .. end - 1] and then both parts. The result of a part does not depend on other parts. */
static eti_status divide(division *d, size_t begin, size_t end, eti_error *err) {
    if (end - begin < d->fewest)
        return ETI_OK;
    eti_change_point cut = {LEAST_PART, 1.0, (double)-INFINITY};
    if (fill_segment(&d->segment, d->values + begin, end - begin)) {
        cut = cut_best(&d->segment);
        ETI_TRY(find_p(&cut, &d->segment, d->alpha,
                       eti__random_start(d->seed, begin * SEEDS_PER_BEGIN + end), err));
    }
    if (cut.p > d->alpha)
        return ETI_OK;
    cut.at += begin;
    ETI_TRY(divide(d, begin, cut.at, err));
    d->out[d->n_out++] = cut;
    return divide(d, cut.at, end, err);
}

size_t eti__fewest_values(double alpha) {
    size_t n = ETI_E_DIVISIVE_FEWEST;
    /* two of the halves separate the smaller values from the larger ones; if orders are drawn, twice as many halves make
     * sure that few of the drawn ones do */
    while (binomial(n, n / 2) < (n > ETI_CUT_MOST_COUNTED ? 4.0 : 2.0) / alpha)
        n++;
    return n;
}

eti_status eti__find_change_points(eti_change_point *out, size_t *n_out, const double *values,
                                   size_t n, double alpha, uint64_t seed, eti_error *err) {
    if (n > ETI_E_DIVISIVE_MOST)
        return eti_fail(err, ETI_ERROR_LIMIT, "%zu values are too many for a series: at most %zu",
                        n, ETI_E_DIVISIVE_MOST);
    division d = {.values = values,
                  .segment = {.values = malloc((n + 1) * sizeof *d.segment.values),
                              .ranks = malloc((n + 1) * sizeof *d.segment.ranks),
                              .items = malloc((n + 1) * sizeof *d.segment.items),
                              .totals = malloc((n + 1) * sizeof *d.segment.totals),
                              .shares = malloc((n + 1) * sizeof *d.segment.shares),
                              .tree = malloc((2 * n + 2) * sizeof *d.segment.tree)},
                  .fewest = eti__fewest_values(alpha),
                  .alpha = alpha,
                  .seed = seed,
                  .out = out};
    segment *s = &d.segment;
    bool done = s->values && s->ranks && s->items && s->totals && s->shares && s->tree;
    eti_status status = done ? divide(&d, 0, n, err) : eti_fail_memory(err);
    *n_out = d.n_out;
    free(s->values);
    free(s->ranks);
    free(s->items);
    free(s->totals);
    free(s->shares);
    free(s->tree);
    return status;
}
