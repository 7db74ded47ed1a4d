#include "stats/cut_orders.h"

#include "base/status.h"
#include "stats/order.h"

#include <stdlib.h>

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
    uint64_t product = 1;
    for (size_t i = 2; i <= n; i++)
        product *= i;
    return product;
}

static double binomial(size_t n, size_t k) {
    uint64_t ways = factorial(n) / factorial(k) / factorial(n - k);
    return (double)ways;
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
    if (eti__cut_score(s.within, after, between, s.size, c->n) < c->least)
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
