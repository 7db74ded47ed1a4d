/*
 * shift.c - compares the values of two sides by their ranks.
 */
#include "stats/parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_COUNTED 1000 /* more values have more arrangements than a double can count */

/* ---- the distribution of U ------------------------------------------------------------------- */

/* Fills the number of arrangements with U = 0 .. n_last: the coefficients of the product of (1 - z^(most + i)) / (1 - z^i)
 * over i = 1 .. least. */
static void count_arrangements(double *counts, size_t n_last, size_t least, size_t most) {
    memset(counts, 0, (n_last + 1) * sizeof *counts);
    counts[0] = 1.0;
    for (size_t i = 1; i <= least; i++) {
        for (size_t u = n_last; u >= most + i; u--)
            counts[u] -= counts[u - most - i];
        for (size_t u = i; u <= n_last; u++)
            counts[u] += counts[u - i];
    }
}

bool eti__ranks_make(eti_ranks *out, size_t n_base, size_t n_new) {
    size_t least = n_base < n_new ? n_base : n_new, most = n_base < n_new ? n_new : n_base;
    *out = (eti_ranks){.n_base = n_base, .n_new = n_new, .dependence = 1.0};
    if (least >= MOST_COUNTED || most > MOST_COUNTED - least)
        return true;
    size_t n_last = least * most / 2;
    out->below = malloc((n_last + 1) * sizeof *out->below);
    if (!out->below)
        return false;
    count_arrangements(out->below, n_last, least, most);
    double all = 1.0, sum = 0.0;
    for (size_t i = 1; i <= least; i++)
        all = all * (double)(most + i) / (double)i;
    for (size_t u = 0; u <= n_last; u++) {
        sum += out->below[u];
        out->below[u] = sum / all;
    }
    return true;
}

void eti__ranks_free(eti_ranks *ranks) {
    free(ranks->below);
    *ranks = (eti_ranks){.n_base = 0};
}

static uint64_t count_pairs(const eti_ranks *ranks) {
    return (uint64_t)ranks->n_base * ranks->n_new;
}

/* Returns the standard deviation of U. Values that depend on each other are as good as fewer ones. */
static double deviation_of(const eti_ranks *ranks) {
    double n_base = (double)ranks->n_base, n_new = (double)ranks->n_new;
    return sqrt(n_base * n_new * (n_base + n_new + 1.0) / 12.0 * ranks->dependence);
}

double eti__ranks_below(const eti_ranks *ranks, uint64_t u) {
    uint64_t n = count_pairs(ranks);
    if (u >= n)
        return 1.0;
    if (!ranks->below)
        return eti__normal_above(((double)n / 2.0 - (double)u - 0.5) / deviation_of(ranks));
    return u <= n / 2 ? ranks->below[u] : 1.0 - ranks->below[n - u - 1];
}

uint64_t eti__ranks_outside(const eti_ranks *ranks, double beta) {
    uint64_t low = 0,
             high = count_pairs(ranks) / 2; /* of the first `low`, P(U <= low - 1) <= beta */
    while (low < high) {
        uint64_t middle = high - (high - low) / 2;
        if (eti__ranks_below(ranks, middle - 1) <= beta)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* ---- differences ----------------------------------------------------------------------------- */

/* Values of both sides in ascending order. */
typedef struct sides {
    const double *base, *new_side;
    size_t n_base, n_new;
} sides;

/* Returns how many of all differences are not above `limit`, in one pass, because fewer values of the base are low enough
 * for a smaller value of the new side. Sets `below` to the largest of these, and `above` to the smallest of the others. */
static uint64_t count_up_to(const sides *s, double limit, double *below, double *above) {
    uint64_t n = 0;
    size_t first = 0; /* the first value of the base whose difference is low enough */
    *below = -(double)INFINITY;
    *above = (double)INFINITY;
    for (size_t j = 0; j < s->n_new; j++) {
        while (first < s->n_base && s->new_side[j] - s->base[first] > limit)
            first++;
        n += s->n_base - first;
        if (first < s->n_base)
            *below = fmax(*below, s->new_side[j] - s->base[first]);
        if (first > 0)
            *above = fmin(*above, s->new_side[j] - s->base[first - 1]);
    }
    return n;
}

/* Returns how many pairs have a greater value on the new side. */
static uint64_t count_above(const double *base, size_t n_base, const double *new_side,
                            size_t n_new) {
    uint64_t n = 0;
    size_t below = 0;
    for (size_t j = 0; j < n_new; j++) {
        while (below < n_base && base[below] < new_side[j])
            below++;
        n += below;
    }
    return n;
}

/* Lists the differences above `low` and up to `high`, which must fit; returns their number. */
static size_t list_between(const sides *s, double low, double high, double *out) {
    size_t n = 0, first = 0;
    for (size_t j = 0; j < s->n_new; j++) {
        while (first < s->n_base && s->new_side[j] - s->base[first] > high)
            first++;
        for (size_t i = first; i < s->n_base && s->new_side[j] - s->base[i] > low; i++)
            out[n++] = s->new_side[j] - s->base[i];
    }
    return n;
}

/* Returns the difference of rank `rank` from 0. Halves the range in which it lies until the differences there fit `list`,
 * which has room for as many as both sides have values. */
static double find_difference(const sides *s, uint64_t rank, double *list) {
    double high = s->new_side[s->n_new - 1] - s->base[0];
    double low = nextafter(s->new_side[0] - s->base[s->n_base - 1], -(double)INFINITY);
    uint64_t n_low = 0, n_high = (uint64_t)s->n_base * s->n_new; /* not above these */
    while (n_high - n_low > s->n_base + s->n_new) {
        double middle = low + (high - low) / 2.0;
        if (middle <= low || middle >= high)
            return high;
        double below, above;
        uint64_t n = count_up_to(s, middle, &below, &above);
        if (n > rank) {
            high = below;
            n_high = n;
        } else {
            low = nextafter(above, -(double)INFINITY);
            n_low = n;
        }
    }
    eti__sort_doubles(list, list_between(s, low, high, list));
    return list[rank - n_low];
}

eti_shift eti__shift_of(const eti_ranks *ranks, const double *values, double beta,
                        double *scratch) {
    const sides s = {scratch, scratch + ranks->n_base, ranks->n_base, ranks->n_new};
    uint64_t n = count_pairs(ranks), outside = eti__ranks_outside(ranks, beta);
    memcpy(scratch, values, (s.n_base + s.n_new) * sizeof *values);
    eti__sort_doubles(scratch, s.n_base);
    eti__sort_doubles(scratch + s.n_base, s.n_new);
    double *list = scratch + s.n_base + s.n_new;
    double below = find_difference(&s, (n - 1) / 2, list);
    double above = n % 2 == 0 ? find_difference(&s, n / 2, list) : below;
    return (eti_shift){
        .estimate = (below + above) / 2.0,
        .low = outside > 0 ? find_difference(&s, outside - 1, list) : -(double)INFINITY,
        .high = outside > 0 ? find_difference(&s, n - outside, list) : (double)INFINITY,
        .p_slower = eti__ranks_below(ranks, n - count_above(s.base, s.n_base, s.new_side, s.n_new)),
        .p_faster = eti__ranks_below(ranks, n - count_above(s.new_side, s.n_new, s.base, s.n_base)),
    };
}
