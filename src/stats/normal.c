#include "stats/normal.h"

#include <math.h>

#define SQRT_HALF 0.70710678118654752440
#define SQRT_2_PI 2.50662827463100050242

double eti__normal_above(double z) {
    return 0.5 * erfc(z * SQRT_HALF);
}

double eti__normal_two_sided(double z) {
    return erfc(fabs(z) * SQRT_HALF);
}

/* Starts with Abramowitz and Stegun, Handbook of Mathematical Functions, 1964, 26.2.23, which is accurate to 4.5e-4;
 * each step of Halley's method triples the number of digits. */
double eti__normal_quantile_above(double p) {
    if (p > 0.5)
        return -eti__normal_quantile_above(1.0 - p);
    double t = sqrt(-2.0 * log(p));
    double z = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1.0 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for (int step = 0; step < 3; step++) {
        double error = (eti__normal_above(z) - p) * SQRT_2_PI * exp(z * z / 2.0);
        z += error / (1.0 - z * error / 2.0);
    }
    return z;
}
