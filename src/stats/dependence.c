#include "stats/dependence.h"

#include "stats/series.h"
#include "stats/student.h"

#include <math.h>

#define FEWEST_RUNS 8 /* with fewer runs of a side, a correlation is hardly more than chance */
#define FEWEST_INDEPENDENT 2.0

double eti__correlation_of_runs(const double *values, size_t n, double *scratch) {
    if (n < FEWEST_RUNS)
        return 0.0;
    double r = eti__lag_correlation(values, n, scratch);
    return r > 0.0 ? r + (1.0 + 4.0 * r) / (double)n : r;
}

/* Returns how many of the n runs of a side count as one. */
static double count_as_one(double r, double n) {
    double most = n / FEWEST_INDEPENDENT;
    return r < 1.0 ? fmin((1.0 + r) / (1.0 - r), most) : most;
}

void eti__widen_for_dependence(eti_change *change, double r, size_t n_base, size_t n_new) {
    change->dependence = 1.0;
    if (!(r > 0.0))
        return;
    double base = (double)n_base, new_side = (double)n_new;
    double of_base = count_as_one(r, base), of_new = count_as_one(r, new_side);
    double n_independent = base / of_base + new_side / of_new;
    /* the variance of dependent runs around their mean is too small by this factor */
    double too_small = (1.0 - 2.0 / n_independent) / (1.0 - 2.0 / (base + new_side));
    change->dependence = (of_base / base + of_new / new_side) / (1.0 / base + 1.0 / new_side);
    change->error *= sqrt(change->dependence / too_small);
    change->dof = fmax(change->dof / change->dependence, 1.0);
    double t = change->difference / change->error;
    change->p = isfinite(t) ? eti__student_two_sided(t, change->dof) : 1.0;
}
