#include "stats/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW 24 /* smaller arrays are sorted by insertion */

static void sort_few(double *values, size_t n) {
    for (size_t i = 1; i < n; i++) {
        double value = values[i];
        size_t at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

static double median_of_3(double a, double b, double c) {
    if (a > b) {
        double swapped = a;
        a = b;
        b = swapped;
    }
    return c <= a ? a : c < b ? c : b;
}

/* Moves the values below the pivot, or not above it, to the front; returns their number. The loop has no branch that
 * depends on a value (Lomuto's partition), because processors would mispredict half of such branches, which takes
 * longer than everything else. */
static size_t move_below(double *values, size_t n, double pivot) {
    size_t n_below = 0;
    for (size_t i = 0; i < n; i++) {
        double value = values[i];
        values[i] = values[n_below];
        values[n_below] = value;
        n_below += value < pivot;
    }
    return n_below;
}

static size_t move_not_above(double *values, size_t n, double pivot) {
    size_t n_not_above = 0;
    for (size_t i = 0; i < n; i++) {
        double value = values[i];
        values[i] = values[n_not_above];
        values[n_not_above] = value;
        n_not_above += value <= pivot;
    }
    return n_not_above;
}

/* Three parts: values[0 ...] are less than those from `middle` on; these are equal to each other and less than those
 * from `right` on. The left part and the right part are both smaller than the whole. */
typedef struct parts {
    size_t middle, right;
} parts;

static parts partition(double *values, size_t n) {
    double pivot = median_of_3(values[0], values[n / 2], values[n - 1]);
    size_t n_below = move_below(values, n, pivot);
    /* few values are below the pivot if many are equal to it; then, at the latest, the equal ones must be separated */
    if (n_below > n / 8)
        return (parts){n_below, n_below};
    return (parts){n_below, n_below + move_not_above(values + n_below, n - n_below, pivot)};
}

static int compare_doubles(const void *a, const void *b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* Puts the values of the ranks (ascending) at their positions in sorted order. Sorts the rest after too many useless
 * partitions, which only a contrived order causes. */
static void select_ranks(double *values, size_t n, size_t base, const size_t *ranks, size_t n_ranks,
                         unsigned partitions_left) {
    if (n_ranks == 0)
        return;
    if (n <= FEW) {
        sort_few(values, n);
        return;
    }
    if (partitions_left == 0) {
        qsort(values, n, sizeof *values, compare_doubles);
        return;
    }
    parts at = partition(values, n);
    size_t n_left = 0;
    while (n_left < n_ranks && ranks[n_left] < base + at.middle)
        n_left++;
    size_t n_done = n_left;
    while (n_done < n_ranks && ranks[n_done] < base + at.right)
        n_done++;
    select_ranks(values, at.middle, base, ranks, n_left, partitions_left - 1);
    select_ranks(values + at.right, n - at.right, base + at.right, ranks + n_done, n_ranks - n_done,
                 partitions_left - 1);
}

static unsigned partitions_for(size_t n) {
    unsigned partitions = 8;
    for (; n > 1; n /= 2)
        partitions += 2;
    return partitions;
}

static void sort_part(double *values, size_t n, unsigned partitions_left) {
    while (n > FEW) {
        if (partitions_left-- == 0) {
            qsort(values, n, sizeof *values, compare_doubles);
            return;
        }
        parts at = partition(values, n);
        sort_part(values, at.middle, partitions_left);
        values += at.right;
        n -= at.right;
    }
    sort_few(values, n);
}

void eti__sort_doubles(double *values, size_t n) {
    sort_part(values, n, partitions_for(n));
}

void eti__select_ranks(double *values, size_t n, const size_t *ranks, size_t n_ranks) {
    select_ranks(values, n, 0, ranks, n_ranks, partitions_for(n));
}

double eti__median(double *values, size_t n) {
    const size_t ranks[] = {(n - 1) / 2, n / 2};
    eti__select_ranks(values, n, ranks, 2);
    return ranks[0] == ranks[1] ? values[ranks[0]] : (values[ranks[0]] + values[ranks[1]]) / 2.0;
}

double eti__median_of(const double *values, size_t n, double *scratch) {
    memcpy(scratch, values, n * sizeof *values);
    return eti__median(scratch, n);
}

double eti__percentile_between(double below, double above, uint64_t n, double quantile) {
    double place = (double)(n - 1) * quantile;
    double fraction = place - floor(place), difference = above - below;
    if (place >= (double)(n - 1))
        return below;
    if (fraction >= 0.5)
        return above - difference * (1.0 - fraction);
    return below + difference * fraction;
}

double eti__percentile(const double *sorted, size_t n, double quantile) {
    double place = (double)(n - 1) * quantile;
    if (place >= (double)(n - 1))
        return sorted[n - 1];
    size_t at = (size_t)floor(place);
    return eti__percentile_between(sorted[at], sorted[at + 1], n, quantile);
}
