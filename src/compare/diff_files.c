/*
 * diff_files.c - compares the differences between files of one side with those between the sides.
 *
 * Two processes of the same program differ in more than chance between runs: where memory lies, which core it is,
 * what else the machine does. Runs of one process know nothing of that, however many they are.
 */
#include "base/array.h"
#include "compare/diff_parts.h"
#include "stats/mann_whitney.h"
#include "stats/order.h"

#include <string.h>

/* Among many files some may be out of line. */
#define MOST_P 0.001

/* The medians of the files in ascending order; `samples` are reordered. */
static void find_medians(const eti_profile_block *block, double *samples, double *medians) {
    for (size_t i = 0; i < block->n_files; i++) {
        size_t first = block->files[i];
        medians[i] = eti__median(samples + first, eti__file_end(block, i) - first);
    }
    eti__sort_doubles(medians, block->n_files);
}

bool eti__diff_files_agree(const eti_diff_pair *pair, eti_sample_set base, eti_sample_set new_side,
                           eti_scratch *scratch, bool *out) {
    size_t n_base = pair->base->n_files, n_new = pair->new_side->n_files;
    *out = true;
    if (n_base + n_new < 3)
        return true;
    size_t n_samples = base.n + new_side.n;
    if (!ETI_GROW(scratch->values, scratch->capacity,
                  n_samples + n_base + n_new + eti__mann_whitney_scratch(n_base, n_new)))
        return false;
    double *medians_base = scratch->values + n_samples, *medians_new = medians_base + n_base;
    memcpy(scratch->values, base.values, base.n * sizeof *base.values);
    memcpy(scratch->values + base.n, new_side.values, new_side.n * sizeof *new_side.values);
    find_medians(pair->base, scratch->values, medians_base);
    find_medians(pair->new_side, scratch->values + base.n, medians_new);
    bool is_apart =
        medians_base[n_base - 1] < medians_new[0] || medians_new[n_new - 1] < medians_base[0];
    *out = is_apart;
    if (!is_apart)
        *out = eti__mann_whitney_test(medians_base, n_base, medians_new, n_new, medians_new + n_new)
                   .p <= MOST_P;
    return true;
}
