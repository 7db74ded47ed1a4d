#include "account/shares.h"

#include "account/account.h"

#include <math.h>
#include <stdlib.h>

/* ==== typical time ============================================================================ */

/* Orders a few values. */
static void order_few(uint64_t *values, size_t n) {
    for (size_t i = 1; i < n; i++) {
        uint64_t value = values[i];
        size_t at = i;
        for (; at > 0 && values[at - 1] > value; at--)
            values[at] = values[at - 1];
        values[at] = value;
    }
}

static void swap(uint64_t *a, uint64_t *b) {
    uint64_t kept = *a;
    *a = *b;
    *b = kept;
}

static int compare_values(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

#define FEW 12

/* Reorders values so that the one of this rank, from 0, stands at its place, with no larger one before it and no smaller
 * one after it. */
static void select_rank(uint64_t *values, size_t n, size_t rank) {
    size_t first = 0, end = n;
    for (unsigned partitions_left = 64; end - first > FEW; partitions_left--) {
        if (partitions_left == 0) {
            qsort(values + first, end - first, sizeof *values, compare_values);
            return;
        }
        uint64_t sample[] = {values[first], values[first + (end - first) / 2], values[end - 1]};
        order_few(sample, 3);
        uint64_t pivot = sample[1];
        /* no value before `i` is larger than the pivot, none from `above` on smaller */
        size_t i = first, above = end;
        while (i < above) {
            while (values[i] < pivot)
                i++;
            while (values[above - 1] > pivot)
                above--;
            if (i < above)
                swap(&values[i++], &values[--above]);
        }
        first = rank < above ? first : rank < i ? rank : i;
        end = rank < above ? above : rank < i ? rank : end;
    }
    order_few(values + first, end - first);
}

eti_wide eti__doubled_median(uint64_t *values, size_t n) {
    eti_wide sum = {0};
    if (n == 0)
        return sum;
    select_rank(values, n, n / 2);
    uint64_t high = values[n / 2], low = high;
    for (size_t i = 0; i < n / 2 && n % 2 == 0; i++)
        low = i == 0 || values[i] > low ? values[i] : low;
    eti__wide_add(&sum, eti__wide_of(low));
    eti__wide_add(&sum, eti__wide_of(high));
    return sum;
}

static eti_wide times(eti_wide n, uint64_t factor) {
    eti_wide product = eti__wide_product(n.low, factor);
    product.high += n.high * factor;
    return product;
}

static eti_wide add_up(const uint64_t *values, size_t n) {
    uint64_t sum = 0, or_all = 0;
    for (size_t k = 0; k < n; k++) {
        sum += values[k];
        or_all |= values[k];
    }
    if (or_all < UINT64_MAX / (n + 1)) /* the sum fits in 64 bits */
        return eti__wide_of(sum);
    eti_wide total = {0};
    for (size_t k = 0; k < n; k++)
        eti__wide_add(&total, eti__wide_of(values[k]));
    return total;
}

bool eti__account_find_medians(eti_account *account) {
    size_t n = account->n_runs;
    uint64_t *values = malloc((n + 1) * sizeof *values);
    if (!values)
        return false;
    for (size_t i = 0; i < account->block->n_events; i++) {
        const uint64_t *self = eti__account_self(account, i);
        for (size_t k = 0; k < n; k++)
            values[k] = self[account->runs[k]];
        account->totals[i] = add_up(values, n);
        if (!account->events[i].is_counted)
            continue;
        account->doubled_medians[i] = eti__doubled_median(values, n);
        eti__wide_add(&account->whole_weight, times(account->doubled_medians[i], n));
    }
    free(values);
    return true;
}

eti_time_sum eti__account_sum(const eti_account *account, size_t event) {
    return (eti_time_sum){.total = account->totals[event],
                          .weight = times(account->doubled_medians[event], account->n_runs)};
}

eti_time_sum eti__account_sum_all(const eti_account *account) {
    return (eti_time_sum){.total = eti__account_total(account, account->whole),
                          .weight = account->whole_weight};
}

void eti__time_sum_add(eti_time_sum *sum, const eti_time_sum *added) {
    eti__wide_add(&sum->total, added->total);
    eti__wide_add(&sum->weight, added->weight);
    sum->methods |= added->methods;
}

int eti__time_sum_compare(const eti_time_sum *a, const eti_time_sum *b) {
    int order = eti__wide_compare(a->weight, b->weight);
    return order ? order : eti__wide_compare(a->total, b->total);
}

static double ratio(eti_wide part, eti_wide whole) {
    double all = eti__wide_as_double(whole);
    return all > 0 ? eti__wide_as_double(part) / all : 0;
}

double eti__time_sum_share(const eti_time_sum *sum, const eti_time_sum *whole) {
    return ratio(sum->weight, whole->weight);
}

double eti__time_sum_share_mean(const eti_time_sum *sum, const eti_time_sum *whole) {
    return ratio(sum->total, whole->total);
}

/* Ratio of mean to typical time, and its inverse, from which times are unsteady; and the share of the whole from which a
 * difference matters. */
#define UNSTEADY_RATIO 1.5
#define UNSTEADY_SHARE 0.01

bool eti__time_sum_is_unsteady(const eti_time_sum *sum, const eti_time_sum *whole) {
    double mean = 2 * eti__wide_as_double(sum->total), typical = eti__wide_as_double(sum->weight);
    return (mean > UNSTEADY_RATIO * typical || typical > UNSTEADY_RATIO * mean) &&
           fabs(mean - typical) > UNSTEADY_SHARE * eti__wide_as_double(whole->weight);
}

/* ==== runs by method ========================================================================== */

/* Returns the name that blocks of one method have in common. */
static eti_text method_of(const eti_event_block *block) {
    return block->method_name.size > 0 ? block->method_name : block->name;
}

uint64_t eti__method_runs_add(eti_method_runs *runs, const eti_account *account) {
    eti_text method = method_of(account->block);
    size_t i = 0;
    while (i < runs->n && !eti__text_equal(runs->of[i].method, method))
        i++;
    if (i == ETI_MOST_METHODS_APART)
        i--;
    if (i == runs->n)
        runs->of[runs->n++].method = method;
    runs->of[i].n_runs += account->n_runs;
    return (uint64_t)1 << i;
}

double eti__typical_ticks(const eti_method_runs *runs, const eti_time_sum *sum) {
    size_t n = 0;
    for (size_t i = 0; i < runs->n; i++)
        n += sum->methods >> i & 1 ? runs->of[i].n_runs : 0;
    return n > 0 ? eti__wide_as_double(sum->weight) / 2 / (double)n : 0;
}
