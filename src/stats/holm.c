#include "stats/holm.h"

#include <math.h>
#include <string.h>

#include "stats/order.h"

/* Returns the index of the first sorted value that equals `value`, which must be one of them. */
static size_t find_first(const double *sorted, size_t n, double value) {
    size_t low = 0, high = n - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sorted[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Multiplies the p-value of rank i (from 0) by n - i, but keeps it at least as large as those before it; equal
 * p-values count like the first of them. */
void eti__holm_adjust(double *p, size_t n, double *scratch) {
    double *sorted = scratch, *adjusted = scratch + n;
    memcpy(sorted, p, n * sizeof *p);
    eti__sort_doubles(sorted, n);
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        most = fmax(most, fmin(1.0, sorted[i] * (double)(n - i)));
        adjusted[i] = most;
    }
    for (size_t i = 0; i < n; i++)
        p[i] = adjusted[find_first(sorted, n, p[i])];
}
