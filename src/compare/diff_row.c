#include "compare/diff_row.h"

#include <math.h>

/* ---- rows of entries ------------------------------------------------------------------------- */

static void set_side(eti_row_side *side, const eti_profile_block *block,
                     const eti_namesakes *namesakes, const eti_entry *entry) {
    side->p50 = side->location = side->share = (double)NAN;
    if (!entry || !block)
        return;
    side->entry = entry;
    if (entry->kind == ETI_ENTRY_EVENT && namesakes)
        side->namesakes = &namesakes[entry - block->entries];
    side->times = entry->times;
    side->ticks = entry->ticks;
    side->n_events = 1;
    side->n_runs = block->n_runs;
    side->p50 = entry->summary.p50;
}

eti_diff_row eti__diff_row_of(const eti_diff *diff, uint32_t pair, const eti_entry *base,
                              const eti_entry *new_side) {
    const eti_diff_pair *of = &diff->pairs[pair];
    const eti_entry *entry = new_side ? new_side : base;
    eti_diff_row row = {.pair = pair, .kind = entry->kind, .name = entry->name};
    row.block = of->new_side ? of->new_side->label : of->base->label;
    row.adjusted_p = 1;
    row.detectable = row.raw_ratio = row.ratio = (double)NAN;
    set_side(&row.base, of->base, of->namesakes_base, base);
    if (diff->base->target_scale != diff->new_side->target_scale)
        row.base.p50 *= diff->base->factor / diff->base_factor;
    set_side(&row.new_side, of->new_side, of->namesakes_new, new_side);
    return row;
}

bool eti__diff_rows_name_blocks(const eti_diff *diff, const eti_diff_rows *rows) {
    eti_row_blocks blocks = {.must_be_named = false};
    for (size_t i = 0; i < rows->n && !blocks.must_be_named; i++)
        eti__row_blocks_add(&blocks, rows->rows[i].kind, &diff->pairs[rows->rows[i].pair]);
    return blocks.must_be_named;
}

void eti__coverage_add(eti_coverage *coverage, eti_unjudged unjudged) {
    coverage->n_events++;
    coverage->n_judged += unjudged == ETI_JUDGED;
    coverage->n_few_files += unjudged == ETI_UNJUDGED_FEW_FILES;
    coverage->n_small += unjudged == ETI_UNJUDGED_SMALL;
    coverage->n_no_time += unjudged == ETI_UNJUDGED_NO_TIME;
    coverage->n_missing += unjudged == ETI_UNJUDGED_MISSING;
}

/* ---- values ---------------------------------------------------------------------------------- */

double eti__file_metric(const eti_file_times *times, eti_metric metric) {
    switch (metric) {
    case ETI_METRIC_P50:
        return times->p50;
    case ETI_METRIC_AVG:
        return times->avg;
    case ETI_METRIC_P90:
        return times->p90;
    case ETI_METRIC_MIN:
        return times->min;
    case ETI_METRIC_MAX:
        return times->max;
    default:
        return times->location;
    }
}

/* Fills the values of a side; a single run has one time, whatever the metric. */
static bool fill_side(const eti_diff *diff, const eti_row_side *side, size_t n, double *out) {
    bool is_run = diff->options.one_process;
    if (is_run ? !side->ticks : !side->times)
        return false;
    for (size_t i = 0; i < n; i++)
        out[i] = is_run ? (double)side->ticks[i] : eti__file_metric(&side->times[i], diff->metric);
    return true;
}

bool eti__diff_row_values(const eti_diff *diff, const eti_diff_row *row, double *out) {
    const eti_diff_pair *pair = &diff->pairs[row->pair];
    if (!fill_side(diff, &row->base, pair->n_base, out))
        return false;
    for (size_t i = 0; row->kind != ETI_ENTRY_ALLOCATED && i < pair->n_base; i++)
        out[i] *= diff->base_scale;
    return fill_side(diff, &row->new_side, pair->n_new, out + pair->n_base);
}

bool eti__has_missing(const double *values, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (isnan(values[i]))
            return true;
    }
    return false;
}

eti_unjudged eti__find_unjudged(const double *values, size_t n, double least, double *scratch) {
    if (eti__has_missing(values, n))
        return ETI_UNJUDGED_MISSING;
    for (size_t i = 0; i < n; i++) {
        if (!(values[i] > 0))
            return ETI_UNJUDGED_NO_TIME;
    }
    return eti__median_of(values, n, scratch) < least ? ETI_UNJUDGED_SMALL : ETI_JUDGED;
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Returns the geometric mean (changes are those of logarithms) over the units that have the row; 0 if a value is 0. */
static double mean_of(const double *values, size_t n) {
    double sum = 0;
    size_t n_lacking = 0;
    for (size_t i = 0; i < n; i++) {
        n_lacking += isnan(values[i]) ? 1 : 0;
        sum += isnan(values[i]) ? 0 : log(values[i]);
    }
    return n > 1 ? exp(sum / (double)(n - n_lacking)) : values[0];
}

static void set_location(const eti_diff *diff, eti_row_side *side, size_t n, double factor,
                         double *scratch) {
    if (fill_side(diff, side, n, scratch) && n > 0)
        side->location = mean_of(scratch, n) / factor;
}

static double share_of(double location, double total) {
    return total > 0 ? location / total : (double)NAN;
}

void eti__diff_set_sizes(const eti_diff *diff, eti_diff_row *row, const eti_diff_row *total,
                         double *scratch) {
    const eti_diff_pair *pair = &diff->pairs[row->pair];
    bool is_time = row->kind != ETI_ENTRY_ALLOCATED;
    set_location(diff, &row->base, pair->n_base, is_time ? diff->base_factor : 1, scratch);
    set_location(diff, &row->new_side, pair->n_new, is_time ? diff->new_side->factor : 1, scratch);
    double base = row->base.location, new_side = row->new_side.location;
    row->delta = (isnan(new_side) ? 0 : new_side) - (isnan(base) ? 0 : base);
    row->raw_ratio = base > 0 ? new_side / base : (double)NAN;
    if (base == 0 && new_side == 0)
        row->raw_ratio = 1;
    row->ratio = row->raw_ratio;
    row->impact = row->base.share = row->new_side.share = (double)NAN;
    if (!total || !is_time)
        return;
    row->base.share = share_of(base, total->base.location);
    row->new_side.share = share_of(new_side, total->new_side.location);
    row->impact = share_of(row->delta, total->base.location);
}
