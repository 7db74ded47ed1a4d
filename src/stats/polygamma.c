#include "stats/polygamma.h"

#include <math.h>

/* From here on the asymptotic series below are exact to the last digits; smaller arguments are raised by recurrence. */
#define LARGE 10.0

/* Uses Abramowitz and Stegun, Handbook of Mathematical Functions, 1964, 6.3.18, 6.4.12 and 6.4.13, in powers of 1 /
 * x^2. */
double eti__digamma(double x) {
    double below = 0.0;
    while (x < LARGE) {
        below += 1.0 / x;
        x += 1.0;
    }
    double z = 1.0 / (x * x);
    double series =
        z *
        (1.0 / 12 -
         z * (1.0 / 120 -
              z * (1.0 / 252 - z * (1.0 / 240 - z * (1.0 / 132 - z * (691.0 / 32760 - z / 12))))));
    return log(x) - 0.5 / x - series - below;
}

double eti__trigamma(double x) {
    double below = 0.0;
    while (x < LARGE) {
        below += 1.0 / (x * x);
        x += 1.0;
    }
    double z = 1.0 / (x * x);
    double series =
        z *
        (1.0 / 6 -
         z * (1.0 / 30 -
              z * (1.0 / 42 - z * (1.0 / 30 - z * (5.0 / 66 - z * (691.0 / 2730 - z * 7 / 6))))));
    return (1.0 + 0.5 / x + series) / x + below;
}

double eti__tetragamma(double x) {
    double below = 0.0;
    while (x < LARGE) {
        below += 2.0 / (x * x * x);
        x += 1.0;
    }
    double z = 1.0 / (x * x);
    double series =
        z * (0.5 -
             z * (1.0 / 6 -
                  z * (1.0 / 6 - z * (3.0 / 10 - z * (5.0 / 6 - z * (691.0 / 210 - z * 35 / 2))))));
    return -z * (1.0 + 1.0 / x + series) - below;
}

double eti__trigamma_inverse(double y) {
    if (y > 1e7)
        return 1.0 / sqrt(y);
    if (y < 1e-6)
        return 1.0 / y;
    double x = 0.5 + 1.0 / y;
    for (int i = 0; i < 50; i++) {
        double trigamma = eti__trigamma(x);
        double step = trigamma * (1.0 - trigamma / y) / eti__tetragamma(x);
        x += step;
        if (-step / x < 1e-8)
            break;
    }
    return x;
}
