#include "stats/spread.h"

#include <math.h>
#include <string.h>

#include "stats/order.h"
#include "stats/summary.h"

#define OUTLIER_Z 3.5
#define MAD_FACTOR 0.6745 /* as printed by Iglewicz and Hoaglin: Phi^-1(3/4), rounded */
#define MEAN_DEVIATION_FACTOR 1.253314 /* sqrt(pi / 2) */

eti_spread eti__spread_of(const double *values, size_t n, double *scratch) {
    memcpy(scratch, values, n * sizeof *values);
    eti_spread spread = {.median = eti__median(scratch, n)};
    for (size_t i = 0; i < n; i++)
        scratch[i] = fabs(values[i] - spread.median);
    spread.mean_deviation = eti__mean(scratch, n);
    spread.mad = eti__median(scratch, n);
    return spread;
}

double eti__coefficient_of_variation(const double *values, size_t n, double *scratch) {
    if (n < 2)
        return 0.0;
    double mean = eti__mean(values, n);
    for (size_t i = 0; i < n; i++)
        scratch[i] = (values[i] - mean) * (values[i] - mean);
    double deviation = sqrt(eti__mean(scratch, n) * ((double)n / (double)(n - 1)));
    return deviation == 0.0 ? 0.0 : deviation / mean;
}

double eti__modified_z(const eti_spread *spread, double value) {
    double distance = value - spread->median;
    if (distance == 0.0)
        return 0.0;
    if (spread->mad > 0.0)
        return MAD_FACTOR * distance / spread->mad;
    return distance / (MEAN_DEVIATION_FACTOR * spread->mean_deviation);
}

bool eti__is_outlier(const eti_spread *spread, double value) {
    return fabs(eti__modified_z(spread, value)) > OUTLIER_Z;
}
