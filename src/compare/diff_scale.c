/*
 * diff_scale.c - converts the ticks of the base to those of the new side, whose clocks may have different rates.
 */
#include "compare/diff_parts.h"

#include <math.h>

static bool has_same_ticks(const eti_profile *base, const eti_profile *new_side) {
    return base->source_scale == new_side->source_scale &&
           base->target_scale == new_side->target_scale &&
           (base->source_scale != ETI_SCALE_CYCLES || base->clock_hz == new_side->clock_hz);
}

eti_status eti__diff_find_scale(eti_diff *diff, eti_error *err) {
    const eti_profile *base = diff->base, *new_side = diff->new_side;
    diff->base_factor = base->factor;
    diff->base_scale = 1;
    /* a side without blocks is a program without times */
    if (has_same_ticks(base, new_side) || base->n_blocks == 0 || new_side->n_blocks == 0)
        return ETI_OK;
    if (!eti__time_scales_fit(base->source_scale, new_side->target_scale, base->clock_hz))
        return eti_fail(err, ETI_ERROR_USAGE,
                        "%.*s is in %s and %.*s in %s, which cannot be converted to each other: "
                        "give %sclock_hz, and one %starget_time_scale for both",
                        ETI_TEXT_ARGS(base->name), eti_time_scale_name(base->source_scale),
                        ETI_TEXT_ARGS(new_side->name), eti_time_scale_name(new_side->target_scale),
                        eti__option_prefix(), eti__option_prefix());
    diff->base_factor =
        eti__time_scale_factor(base->source_scale, new_side->target_scale, base->clock_hz);
    diff->base_scale = new_side->factor / diff->base_factor;
    return ETI_OK;
}

bool eti__diff_add_clocks(eti_diff *diff) {
    bool is_one_scale = diff->base_scale == 1;
    return eti__clocks_add(is_one_scale ? &diff->clocks : &diff->base_clocks, diff->base) &&
           eti__clocks_add(&diff->clocks, diff->new_side);
}

double eti__diff_clock_step(const eti_diff *diff, const eti_entry *entry) {
    return fmax(eti__clock_step(&diff->clocks, entry),
                diff->base_scale * eti__clock_step(&diff->base_clocks, entry));
}
