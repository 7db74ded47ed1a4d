#include "stats/parts.h"

#include <float.h>
#include <math.h>

/* ==== normal ================================================================================== */

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

/* ==== student ================================================================================= */

#define SQRT_PI 1.77245385090551602730
#define MANY 1e4 /* degrees of freedom from which the normal approximation is exact */
#define AS_GOOD_AS_INFINITE 1e18 /* degrees of freedom that count as infinite */
#define MOST_STEPS 100           /* largest number of Newton's steps */
#define CLOSE 1e-8               /* a smaller step leaves an error of its square */

/* Returns gamma(a + 1/2) / gamma(a) by its asymptotic series, where no large logarithms cancel. */
static double gamma_ratio(double a) {
    double factor = 1.0;
    while (a < 20.0) {
        factor *= a / (a + 0.5);
        a += 1.0;
    }
    double z = 1.0 / (a * a);
    double series =
        -1.0 / 8 + z * (1.0 / 192 - z * (1.0 / 640 - z * (17.0 / 14336 - z * 31 / 18432)));
    return factor * sqrt(a) * exp(series / a);
}

/* Returns the continued fraction of the incomplete beta function (DLMF 8.17.22) by Lentz's method. */
static double beta_fraction(double x, double a, double b) {
    double c = 1.0, d = 1.0 / (1.0 - (a + b) * x / (a + 1.0)), fraction = d;
    for (int m = 1; m < 100000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m));
        d = 1.0 / (1.0 + even * d);
        c = 1.0 + even / c;
        fraction *= c * d;
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0));
        d = 1.0 / (1.0 + odd * d);
        c = 1.0 + odd / c;
        fraction *= c * d;
        if (fabs(c * d - 1.0) < DBL_EPSILON)
            break;
    }
    return fraction;
}

/* The probabilities of |T| >= t and of |T| < t; the smaller one is accurate to all digits. */
typedef struct shares {
    double outside, inside;
} shares;

/* Uses Hill, Algorithm 395, Comm. ACM 13, 1970: relative error below 1e-12 from MANY degrees of freedom on. */
static shares divide_many(double t, double dof) {
    double a = dof - 0.5, b = 48.0 * a * a;
    double y = sqrt(a * log1p(t * t / dof)), y2 = y * y;
    double beyond =
        (((0.4 * y2 + 3.3) * y2 + 24.0) * y2 + 85.5) / (b * (0.8 * y2 * y2 + 100.0 + b));
    double z = (y + y * ((y2 + 3.0) / b - beyond)) * SQRT_HALF;
    return (shares){erfc(z), erf(z)};
}

/* Computes the smaller share first, because the fraction converges fast only for that one. */
static shares divide_few(double t, double dof) {
    double a = dof / 2.0, sum = dof + t * t, x = dof / sum, y = t * t / sum;
    double power = exp(-a * log1p(t * t / dof)) * sqrt(y) * gamma_ratio(a) / SQRT_PI;
    if (x < (a + 1.0) / (a + 2.5)) {
        double outside = power / a * beta_fraction(x, a, 0.5);
        return (shares){outside, 1.0 - outside};
    }
    double inside = 2.0 * power * beta_fraction(y, 0.5, a);
    return (shares){1.0 - inside, inside};
}

static shares divide(double t, double dof) {
    if (isinf(t))
        return (shares){0.0, 1.0};
    return dof < MANY ? divide_few(t, dof) : divide_many(t, fmin(dof, AS_GOOD_AS_INFINITE));
}

/* Returns the density of |T|. */
static double density(double t, double dof) {
    double n = fmin(dof, AS_GOOD_AS_INFINITE);
    return 2.0 * gamma_ratio(n / 2.0) / (sqrt(n) * SQRT_PI) *
           exp(-(n + 1.0) / 2.0 * log1p(t * t / n));
}

double eti__student_two_sided(double t, double dof) {
    return isnan(t) ? t : divide(fabs(t), dof).outside;
}

double eti__student_above(double t, double dof) {
    double outside = eti__student_two_sided(t, dof) / 2.0;
    return t < 0.0 ? 1.0 - outside : outside;
}

/* Uses Newton's method on the logarithm of P(|T| >= t) as a function of log(t), which is concave and nearly straight. */
double eti__student_quantile(double probability, double dof) {
    double outside = 2.0 * fmin(probability, 1.0 - probability), step = 1.0;
    double t = eti__normal_quantile_above(outside / 2.0);
    for (int i = 0; i < MOST_STEPS && fabs(step) > CLOSE && t > 0.0; i++) {
        double found = divide(t, dof).outside;
        step = log(found / outside) * found / (density(t, dof) * t);
        t *= exp(step);
    }
    return probability < 0.5 ? -t : t;
}

/* ==== polygamma =============================================================================== */

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

/* ==== mann whitney ============================================================================ */

#define MOST_VALUES (UINT64_C(1) << 32) /* keeps products of two counts sufficiently exact */

bool eti__rank_sum_is_possible(const eti_rank_sum *ranks) {
    if (ranks->n_new < 1 || ranks->n_new > MOST_VALUES || ranks->n_base < 1 ||
        ranks->n_base > MOST_VALUES)
        return false;
    double n_new = (double)ranks->n_new, n_base = (double)ranks->n_base, n = n_new + n_base;
    double least = n_new * (n_new + 1.0) / 2.0;
    return ranks->rank_sum >= least && ranks->rank_sum <= least + n_new * n_base &&
           ranks->tie_term >= 0.0 && ranks->tie_term <= n * (n * n - 1.0);
}

double eti__mann_whitney(const eti_rank_sum *ranks) {
    double n_new = (double)ranks->n_new, n_base = (double)ranks->n_base, n = n_new + n_base;
    double u = ranks->rank_sum - n_new * (n_new + 1.0) / 2.0;
    double ties = ranks->tie_term / (n * (n - 1.0));
    double variance = n_new * n_base / 12.0 * (n + 1.0 - ties);
    return variance > 0.0 ? eti__normal_two_sided((u - n_new * n_base / 2.0) / sqrt(variance))
                          : 1.0;
}

/* ==== sign test =============================================================================== */

double eti__sign_test(size_t n_above, size_t n_below) {
    size_t least = n_above < n_below ? n_above : n_below;
    double n = (double)n_above + (double)n_below, sum = 0, p = -n * log(2);
    for (size_t i = 0; i <= least; i++) {
        sum += exp(p);
        p += log((n - (double)i) / (double)(i + 1));
    }
    return fmin(1, 2 * sum);
}
