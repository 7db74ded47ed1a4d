#include "stats/pace.h"

#include <math.h>

#include "stats/order.h"
#include "stats/spread.h"

static double pace_of_run(const double *const *samples, const double *usual, size_t n_events,
                          size_t run, double *relative) {
    size_t n = 0;
    for (size_t i = 0; i < n_events; i++) {
        if (usual[i] > 0.0)
            relative[n++] = samples[i][run] / usual[i];
    }
    if (n < ETI_PACE_FEWEST_EVENTS)
        return 1.0;
    double pace = eti_median(relative, n);
    return pace > 0.0 ? pace : 1.0;
}

void eti_find_paces(double *pace, const double *const *samples, const double *usual,
                    size_t n_events, size_t n_runs, double *scratch) {
    for (size_t run = 0; run < n_runs; run++)
        pace[run] = pace_of_run(samples, usual, n_events, run, scratch);
}

static double divisor(double pace, eti_pace_share share) {
    switch (share) {
    case ETI_PACE_HALF:
        return sqrt(pace);
    case ETI_PACE_FULL:
        return pace;
    case ETI_PACE_MORE:
        return pace * sqrt(pace);
    default:
        return 1.0;
    }
}

void eti_apply_pace(double *out, const double *values, const double *pace, size_t n,
                    eti_pace_share share) {
    for (size_t i = 0; i < n; i++)
        out[i] = values[i] / divisor(pace[i], share);
}

eti_pace_share eti_choose_pace_share(const double *values, const double *pace, size_t n,
                                     double *scratch) {
    eti_pace_share best = ETI_PACE_NONE;
    eti_spread least = eti_spread_of(values, n, scratch);
    for (eti_pace_share share = ETI_PACE_HALF; share <= ETI_PACE_MORE; share++) {
        eti_apply_pace(scratch + n, values, pace, n, share);
        eti_spread spread = eti_spread_of(scratch + n, n, scratch);
        /* Neither median is negative, so this compares the quotients. */
        if (spread.mad * least.median < least.mad * spread.median) {
            best = share;
            least = spread;
        }
    }
    return best;
}
