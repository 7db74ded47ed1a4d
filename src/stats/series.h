/*
 * series.h - finds warm-up, trend, and dependence of each run on the previous one in a series of
 * values, one per run in the order of measurement.
 *
 * All values must be finite; this is not checked. For outliers see spread.h.
 */
#ifndef ETI_STATS_SERIES_H
#define ETI_STATS_SERIES_H

/* Returns the number of warm-up runs at the beginning, at most n / 2; 0 if n < 4. The later half of the runs defines
 * the usual time. A run is slow if it is above their median by more than 3.5 scaled MAD (spread.h) and by more than 5
 * %. The warm-up is the beginning in which slow runs outnumber the others by most, the shortest one if there are
 * several (the first change point of Page's cumulative sum, Biometrika 41, 1954): a single quick run does not end it,
 * and a single slow run later on does not extend it. `scratch` has room for n values. */
size_t eti__warm_up_runs(const double *values, size_t n, double *scratch);

typedef struct eti_run_trend {
    double per_run; /* change from each run to the next, in the unit of the values */
    double p;       /* probability of such a steady rise or fall without any trend; 1 if n < 3 */
} eti_run_trend;

/* Determines whether n values rise or fall. `p` is two-sided, by the Mann-Kendall test (Mann, Econometrica 13, 1945;
 * Kendall, Rank Correlation Methods, 1975) with correction for ties and continuity. It assumes independent runs: if a
 * run depends on the previous one, p is too small. `per_run` is the median slope between run i and run i + ceil(n /
 * 2), Theil's incomplete method (Theil, Proc. Kon. Ned. Akad. Wet. 53, 1950); outliers cannot move it far as long as
 * they are less than a quarter of the runs. O(n log n). `scratch` has room for 2 n values. */
eti_run_trend eti__trend_of(const double *values, size_t n, double *scratch);

/* Returns the correlation of each run's rank with that of the previous run (Wald and Wolfowitz, Ann. Math. Stat. 14,
 * 1943; an outlier is only one rank): about 0 for independent runs, up to 1 if runs hardly differ from the previous
 * one. Returns 0 if n < 3 or all are equal. `scratch` has room for 2 n values. */
double eti__lag_correlation(const double *values, size_t n, double *scratch);

#endif
