#include "stats/hodges_lehmann.h"

#include <math.h>
#include <string.h>

#include "stats/order.h"
#include "stats/random.h"

/*
 * The differences are a matrix: row i is new_samples[0 ...] - base[i], ascending from left to right and, as
 * base is sorted, descending from top to bottom. Rounding keeps that order. What may still be the median is
 * a range [low[i], high[i]) of each row.
 *
 *          new ->
 *     base  . . . . [ ? ? ? ) . .        left of [: too small
 *       |   . . . . . [ ? ? ? ) .        from ) on: too great
 *       v   . . . . . . . [ ? ? )
 */
typedef struct matrix {
    const double *base, *new_samples;
    size_t n_rows, n_columns;
    size_t *low, *high;  /* of each row */
    size_t *below;       /* of each row: how many differences are less than the pivot */
    size_t *not_above;   /* and how many are not greater */
    double lower, upper; /* what may still be the median is greater and less */
    eti_random random;
} matrix;

/* The differences that are left are counted, so ranks are among all of them. */
typedef struct middle {
    uint64_t first, second; /* ranks; the same where the number of differences is odd */
} middle;

static double difference(const matrix *m, size_t row, size_t column) {
    return m->new_samples[column] - m->base[row];
}

static uint64_t count_left(const matrix *m) {
    uint64_t n_left = 0;
    for (size_t i = 0; i < m->n_rows; i++)
        n_left += m->high[i] - m->low[i];
    return n_left;
}

/* One of the differences that are left, each as likely as any other. */
static double choose_pivot(matrix *m, uint64_t n_left) {
    uint64_t at = eti__random_next(&m->random) % n_left;
    size_t row = 0;
    while (at >= m->high[row] - m->low[row]) {
        at -= m->high[row] - m->low[row];
        row++;
    }
    return difference(m, row, m->low[row] + (size_t)at);
}

/* For each row, how many differences are below the limit; returns their sum. The border between smaller and
 * greater ones moves to the right from row to row. */
static uint64_t count_below(const matrix *m, double limit, size_t *below) {
    uint64_t n_below = 0;
    size_t column = 0;
    for (size_t row = 0; row < m->n_rows; row++) {
        while (column < m->n_columns && difference(m, row, column) < limit)
            column++;
        below[row] = column;
        n_below += column;
    }
    return n_below;
}

static double greatest_below(const matrix *m, double pivot) {
    double greatest = pivot;
    bool found = false;
    for (size_t i = 0; i < m->n_rows; i++) {
        if (m->below[i] == 0)
            continue;
        double candidate = difference(m, i, m->below[i] - 1);
        if (!found || candidate > greatest)
            greatest = candidate;
        found = true;
    }
    return greatest;
}

static double least_above(const matrix *m, double pivot) {
    double least = pivot;
    bool found = false;
    for (size_t i = 0; i < m->n_rows; i++) {
        if (m->not_above[i] == m->n_columns)
            continue;
        double candidate = difference(m, i, m->not_above[i]);
        if (!found || candidate < least)
            least = candidate;
        found = true;
    }
    return least;
}

/* ---- bisection ------------------------------------------------------------------------------- */

/* With samples made for it, all random pivots may be bad ones, as their numbers are known. Halving the range of
 * doubles that are left ends after 64 steps for any samples. */
#ifndef ETI_MOST_RANDOM_PIVOTS
#define ETI_MOST_RANDOM_PIVOTS 50
#endif

/* Numbers in the order of the doubles, and back. */
static uint64_t number_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static double double_of(uint64_t number) {
    uint64_t bits = number >> 63 ? number & ~(UINT64_C(1) << 63) : ~number;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double bisect(const matrix *m) {
    uint64_t lower = number_of(m->lower), upper = number_of(m->upper);
    return double_of(lower + (upper - lower) / 2) + 0.0; /* no -0 */
}

/* ---- narrowing ------------------------------------------------------------------------------- */

static void swap(size_t **a, size_t **b) {
    size_t *swapped = *a;
    *a = *b;
    *b = swapped;
}

/* Takes away what the pivot rules out. True when the middle is found. */
static bool narrow(matrix *m, middle wanted, double pivot, double *found) {
    uint64_t n_below = count_below(m, pivot, m->below);
    if (wanted.second < n_below) {
        swap(&m->high, &m->below);
        m->upper = pivot;
        return false;
    }
    uint64_t n_not_above = count_below(m, nextafter(pivot, (double)INFINITY), m->not_above);
    if (wanted.first >= n_not_above) {
        swap(&m->low, &m->not_above);
        m->lower = pivot;
        return false;
    }
    double first = wanted.first < n_below ? greatest_below(m, pivot) : pivot;
    double second = wanted.second >= n_not_above ? least_above(m, pivot) : pivot;
    *found = wanted.first == wanted.second ? first : (first + second) / 2.0;
    return true;
}

/* Of what is left. */
static double select_middle(const matrix *m, middle wanted, double *differences) {
    size_t n = 0;
    uint64_t n_below = 0;
    for (size_t i = 0; i < m->n_rows; i++) {
        n_below += m->low[i];
        for (size_t j = m->low[i]; j < m->high[i]; j++)
            differences[n++] = difference(m, i, j);
    }
    const size_t ranks[] = {(size_t)(wanted.first - n_below), (size_t)(wanted.second - n_below)};
    eti__select_ranks(differences, n, ranks, 2);
    double first = differences[ranks[0]], second = differences[ranks[1]];
    return ranks[0] == ranks[1] ? first : (first + second) / 2.0;
}

/* ---- a first guess --------------------------------------------------------------------------- */

#define GRID ((size_t)16) /* quantiles of each side */
#define GRID_ERROR 8      /* the median of the grid is hardly ever off by more of its differences */

/* The differences of a few quantiles are spread as all differences are, so two near their median leave
 * little between them. True when the middle is found already. */
static bool narrow_by_grid(matrix *m, middle wanted, double *found) {
    double grid[GRID * GRID];
    for (size_t i = 0; i < GRID; i++) {
        size_t row = m->n_rows * (2 * i + 1) / (2 * GRID);
        for (size_t j = 0; j < GRID; j++)
            grid[i * GRID + j] = difference(m, row, m->n_columns * (2 * j + 1) / (2 * GRID));
    }
    const size_t ranks[] = {GRID * GRID / 2 - GRID_ERROR, GRID * GRID / 2 + GRID_ERROR};
    eti__select_ranks(grid, GRID * GRID, ranks, 2);
    return narrow(m, wanted, grid[ranks[0]], found) || narrow(m, wanted, grid[ranks[1]], found);
}

/* ---- all together ---------------------------------------------------------------------------- */

size_t eti__hodges_lehmann_differences(size_t n_base, size_t n_new) {
    return 4 * (n_base + n_new);
}

double eti__hodges_lehmann(const double *base, size_t n_base, const double *new_samples,
                           size_t n_new, eti_hodges_lehmann_scratch scratch) {
    matrix m = {
        .base = base,
        .new_samples = new_samples,
        .n_rows = n_base,
        .n_columns = n_new,
        .low = scratch.ranks,
        .high = scratch.ranks + n_base,
        .below = scratch.ranks + 2 * n_base,
        .not_above = scratch.ranks + 3 * n_base,
        .lower = nextafter(new_samples[0] - base[n_base - 1], -(double)INFINITY),
        .upper = nextafter(new_samples[n_new - 1] - base[0], (double)INFINITY),
        .random = eti__random_start(0, 0),
    };
    for (size_t i = 0; i < n_base; i++) {
        m.low[i] = 0;
        m.high[i] = n_new;
    }
    uint64_t n_all = (uint64_t)n_base * n_new;
    middle wanted = {(n_all - 1) / 2, n_all / 2};
    uint64_t few = eti__hodges_lehmann_differences(n_base, n_new);
    double found;
    if (n_all > 4 * few && narrow_by_grid(&m, wanted, &found))
        return found;
    uint64_t n_left = count_left(&m);
    for (int step = 0; n_left > few; step++) {
        double pivot = step < ETI_MOST_RANDOM_PIVOTS ? choose_pivot(&m, n_left) : bisect(&m);
        if (narrow(&m, wanted, pivot, &found))
            return found;
        n_left = count_left(&m);
    }
    return select_middle(&m, wanted, scratch.differences);
}
