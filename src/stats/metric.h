/*
 * metric.h - names the metrics to which a series of runs is reduced.
 */
#ifndef ETI_STATS_METRIC_H
#define ETI_STATS_METRIC_H

typedef enum eti_metric {
    /* see stats/location.h; comparisons use it unless another metric is requested */
    ETI_METRIC_LOCATION,
    ETI_METRIC_P50,
    ETI_METRIC_AVG,
    ETI_METRIC_P90,
    ETI_METRIC_MIN,
    ETI_METRIC_MAX,
    ETI_N_METRICS,
} eti_metric;

#endif
