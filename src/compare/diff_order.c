/*
 * diff_order.c - sorts rows for people: changes first, the largest first.
 */
#include "compare/diff_parts.h"

#include <math.h>
#include <stdlib.h>

/* Largest number of rows without a verdict of slower or faster that people see; there may be thousands. */
#define MOST_UNJUDGED ((size_t)20)

typedef enum interest {
    IS_SLOWER_OR_FASTER,
    IS_UNDECIDED,
    IS_OTHER_CHANGE, /* added, removed, renamed, or moved to a delegate */
    IS_UNCHANGED,
} interest;

typedef struct sort_key {
    double size;
    uint32_t number;
    uint32_t interest; /* an enum interest */
} sort_key;

static interest interest_of(const eti_diff_row *row) {
    switch (row->verdict) {
    case ETI_VERDICT_SLOWER:
    case ETI_VERDICT_FASTER:
        return IS_SLOWER_OR_FASTER;
    case ETI_VERDICT_UNDECIDED:
        return IS_UNDECIDED;
    case ETI_VERDICT_ADDED:
    case ETI_VERDICT_REMOVED:
        return IS_OTHER_CHANGE;
    default:
        break;
    }
    bool is_same = row->match == ETI_MATCH_SAME || row->match == ETI_MATCH_MOVED;
    return is_same ? IS_UNCHANGED : IS_OTHER_CHANGE;
}

/* Returns the size of the change; relative to the level if the ratio is. If the row is not judged, uses the ratio
 * itself. */
static double size_of(const eti_diff_row *row) {
    double size = fabs(row->delta);
    if (row->verdict == ETI_VERDICT_UNDECIDED)
        size = fabs(log(row->ratio));
    else if (!isnan(row->ratio))
        size = row->base.location * fabs(row->ratio - 1);
    return isnan(size) ? 0 : size;
}

static int compare_keys(const void *a, const void *b) {
    const sort_key *x = a, *y = b;
    if (x->interest != y->interest)
        return x->interest < y->interest ? -1 : 1;
    if (x->size != y->size)
        return x->size > y->size ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* Puts row keys[i].number at place i, following the cycles of this permutation. */
static void arrange(eti_diff_row *rows, sort_key *keys, size_t n) {
    for (uint32_t first = 0; first < n; first++) {
        eti_diff_row row = rows[first];
        uint32_t at = first, from;
        while ((from = keys[at].number) != first && from != at) {
            rows[at] = rows[from];
            keys[at].number = at;
            at = from;
        }
        if (at != first)
            rows[at] = row;
        keys[at].number = at;
    }
}

static size_t count_changed(const sort_key *keys, size_t n) {
    size_t n_judged = 0, n_all = 0;
    while (n_all < n && keys[n_all].interest != IS_UNCHANGED)
        n_judged += keys[n_all++].interest == IS_SLOWER_OR_FASTER;
    size_t n_other = n_all - n_judged;
    return n_judged + (n_other < MOST_UNJUDGED ? n_other : MOST_UNJUDGED);
}

eti_status eti__diff_sort_rows(eti_diff_rows *rows, eti_error *err) {
    sort_key *keys = malloc((rows->n + 1) * sizeof *keys);
    if (!keys)
        return eti_fail_memory(err);
    for (size_t i = 0; i < rows->n; i++)
        keys[i] = (sort_key){size_of(&rows->rows[i]), (uint32_t)i, interest_of(&rows->rows[i])};
    qsort(keys, rows->n, sizeof *keys, compare_keys);
    rows->n_changed = count_changed(keys, rows->n);
    arrange(rows->rows, keys, rows->n);
    free(keys);
    return ETI_OK;
}
