#include "stats/pace.h"

#include <math.h>

#include "stats/order.h"
#include "stats/spread.h"

/* Of the scatter with the full pace: less says that another share is the event's own. */
#define CLEARLY_LESS 0.9

static double pace_of_run(const double *const *samples, const double *usual, size_t n_events,
                          size_t run, double *relative) {
    size_t n = 0;
    for (size_t i = 0; i < n_events; i++) {
        if (usual[i] > 0.0)
            relative[n++] = samples[i][run] / usual[i];
    }
    if (n < ETI_PACE_FEWEST_EVENTS)
        return 1.0;
    double pace = eti__median(relative, n);
    return pace > 0.0 ? pace : 1.0;
}

void eti__find_paces(double *pace, const double *const *samples, const double *usual,
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

void eti__apply_pace(double *out, const double *values, const double *pace, size_t n,
                     eti_pace_share share) {
    for (size_t i = 0; i < n; i++)
        out[i] = values[i] / divisor(pace[i], share);
}

static double relative_scatter(const double *values, size_t n, double *scratch) {
    if (n == 0)
        return 0.0;
    eti_spread spread = eti__spread_of(values, n, scratch);
    return spread.median > 0.0 ? spread.mad / spread.median : 0.0;
}

eti_pace_share eti__choose_pace_share(const double *values, const double *pace, size_t n_base,
                                      size_t n, double *scratch) {
    static const eti_pace_share shares[] = {ETI_PACE_FULL, ETI_PACE_NONE, ETI_PACE_HALF,
                                            ETI_PACE_MORE};
    eti_pace_share best = ETI_PACE_FULL;
    double least = 0.0, *paced = scratch + n;
    if (n_base < 2 && n - n_base < 2)
        return best;
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        eti__apply_pace(paced, values, pace, n, shares[i]);
        double scatter = relative_scatter(paced, n_base, scratch) +
                         relative_scatter(paced + n_base, n - n_base, scratch);
        if (i == 0) {
            least = scatter * CLEARLY_LESS;
        } else if (scatter < least) {
            best = shares[i];
            least = scatter;
        }
    }
    return best;
}
