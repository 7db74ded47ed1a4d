#include "stats/student.h"

#include <float.h>
#include <math.h>

#include "stats/normal.h"

#define SQRT_PI 1.77245385090551602730
#define SQRT_HALF 0.70710678118654752440
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

/* Uses Newton's method. P(|T| < t) is concave in t, so all steps from below stay below. */
static double find_inside(double inside, double dof) {
    double t = 0.0, step = inside / density(0.0, dof);
    for (int i = 0; i < MOST_STEPS && step > CLOSE * t; i++) {
        t += step;
        step = (inside - divide(t, dof).inside) / density(t, dof);
    }
    return t + step;
}

/* Uses Newton's method on the logarithm of P(|T| >= t) as a function of log(t), which is concave, too, and nearly
 * straight. */
static double find_outside(double outside, double dof) {
    double t = eti__normal_quantile_above(outside / 2.0), step = 1.0;
    for (int i = 0; i < MOST_STEPS && fabs(step) > CLOSE; i++) {
        double found = divide(t, dof).outside;
        step = log(found / outside) * found / (density(t, dof) * t);
        t *= exp(step);
    }
    return t;
}

double eti__student_quantile(double probability, double dof) {
    double outside = 2.0 * fmin(probability, 1.0 - probability);
    double t = outside < 0.5 ? find_outside(outside, dof)
                             : find_inside(fabs(2.0 * probability - 1.0), dof);
    return probability < 0.5 ? -t : t;
}
