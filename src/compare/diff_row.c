#include "compare/diff_row.h"

#include <math.h>

static void set_side(const eti_profile *profile, const eti_profile_block *block,
                     const eti_entry *entry, size_t *n, size_t *n_events, double *p50,
                     eti_sample_set *samples) {
    *p50 = (double)NAN;
    if (!entry || !block)
        return;
    *n_events = 1;
    *n = block->n_runs;
    *p50 = entry->summary.p50;
    if (!profile->is_summarised)
        *samples = (eti_sample_set){entry->samples, block->n_runs};
}

eti_diff_row eti__diff_row_of(const eti_diff *diff, uint32_t pair, const eti_entry *base,
                              const eti_entry *new_side) {
    const eti_diff_pair *of = &diff->pairs[pair];
    const eti_entry *entry = new_side ? new_side : base;
    eti_diff_row row = {.base = base, .new_side = new_side, .pair = pair, .adjusted_p = 1};
    row.name = entry->name;
    row.block = of->new_side ? of->new_side->name : of->base->name;
    set_side(diff->base, of->base, base, &row.n_base, &row.n_events_base, &row.p50_base,
             &row.samples_base);
    set_side(diff->new_side, of->new_side, new_side, &row.n_new, &row.n_events_new, &row.p50_new,
             &row.samples_new);
    return row;
}

static double share(double p50, const eti_entry *total) {
    return total && total->summary.p50 > 0 ? p50 / total->summary.p50 : (double)NAN;
}

void eti__diff_set_shares(const eti_diff *diff, eti_diff_row *row) {
    const eti_diff_pair *of = &diff->pairs[row->pair];
    const eti_entry *entry = row->new_side ? row->new_side : row->base;
    bool is_time = !entry || entry->kind != ETI_ENTRY_ALLOCATED;
    row->share_base = share(row->p50_base, is_time ? of->total_base : NULL);
    row->share_new = share(row->p50_new, is_time ? of->total_new : NULL);
    row->delta =
        (isnan(row->p50_new) ? 0 : row->p50_new) - (isnan(row->p50_base) ? 0 : row->p50_base);
    row->impact = share(row->delta, is_time ? of->total_base : NULL);
    row->ratio = isnan(row->p50_base) || isnan(row->p50_new)
                     ? (double)NAN
                     : eti__ratio(row->p50_new, row->p50_base);
}
