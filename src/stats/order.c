#include "stats/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FEW 24 /* are sorted by insertion */

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

/* Hoare's partition: afterwards values[0 .. result] <= values[result + 1 ..], and both parts have some. */
static size_t partition(double *values, size_t n) {
    double pivot = median_of_3(values[0], values[n / 2], values[n - 1]);
    /* The last one may not be the pivot, or all could end up on the left. */
    if (values[n - 1] == pivot) {
        values[n - 1] = values[0];
        values[0] = pivot;
    }
    size_t low = 0, high = n - 1;
    for (;; low++, high--) {
        while (values[low] < pivot)
            low++;
        while (values[high] > pivot)
            high--;
        if (low >= high)
            return high;
        double swapped = values[low];
        values[low] = values[high];
        values[high] = swapped;
    }
}

static int compare_doubles(const void *a, const void *b) {
    double x, y;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    return (x > y) - (x < y);
}

/* Puts the values of the ranks (ascending) where they are in sorted order. After too many partitions that
 * were of no use, as somebody may contrive, the rest is sorted. */
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
    size_t n_left = partition(values, n) + 1, n_left_ranks = 0;
    while (n_left_ranks < n_ranks && ranks[n_left_ranks] < base + n_left)
        n_left_ranks++;
    select_ranks(values, n_left, base, ranks, n_left_ranks, partitions_left - 1);
    select_ranks(values + n_left, n - n_left, base + n_left, ranks + n_left_ranks,
                 n_ranks - n_left_ranks, partitions_left - 1);
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
        size_t n_left = partition(values, n) + 1;
        sort_part(values, n_left, partitions_left);
        values += n_left;
        n -= n_left;
    }
    sort_few(values, n);
}

void eti_sort_doubles(double *values, size_t n) {
    sort_part(values, n, partitions_for(n));
}

void eti_select_ranks(double *values, size_t n, const size_t *ranks, size_t n_ranks) {
    select_ranks(values, n, 0, ranks, n_ranks, partitions_for(n));
}

double eti_median(double *values, size_t n) {
    const size_t ranks[] = {(n - 1) / 2, n / 2};
    eti_select_ranks(values, n, ranks, 2);
    return ranks[0] == ranks[1] ? values[ranks[0]] : (values[ranks[0]] + values[ranks[1]]) / 2.0;
}

double eti_percentile(const double *sorted, size_t n, double quantile) {
    double place = (double)(n - 1) * quantile;
    if (place >= (double)(n - 1))
        return sorted[n - 1];
    double below = floor(place);
    size_t at = (size_t)below;
    double fraction = place - below;
    double difference = sorted[at + 1] - sorted[at];
    if (fraction >= 0.5)
        return sorted[at + 1] - difference * (1.0 - fraction);
    return sorted[at] + difference * fraction;
}
