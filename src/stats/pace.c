#include "stats/pace.h"

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

bool eti_pace_helps(const double *values, const double *pace, size_t n, double *scratch) {
    double *paced = scratch + n;
    for (size_t i = 0; i < n; i++)
        paced[i] = values[i] / pace[i];
    eti_spread plain_spread = eti_spread_of(values, n, scratch);
    eti_spread paced_spread = eti_spread_of(paced, n, scratch);
    /* Neither median is negative, so this compares the quotients. */
    return paced_spread.mad * plain_spread.median < plain_spread.mad * paced_spread.median;
}
