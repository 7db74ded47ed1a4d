#include "stats/verdict.h"

#include "stats/mann_whitney.h"

const char *eti__verdict_name(eti_verdict verdict) {
    static const char *const names[ETI_N_VERDICTS] = {
        [ETI_VERDICT_NOISE] = "~",           [ETI_VERDICT_SLOWER] = "slower",
        [ETI_VERDICT_FASTER] = "faster",     [ETI_VERDICT_UNDECIDED] = "undecided",
        [ETI_VERDICT_ADDED] = "added",       [ETI_VERDICT_REMOVED] = "removed",
        [ETI_VERDICT_UNTESTED] = "untested",
    };
    return names[verdict];
}

eti_verdict eti__judge(const eti_comparison *comparison, double adjusted_p, size_t n_family,
                       const eti_rule *rule) {
    if (adjusted_p >= rule->alpha)
        return comparison->least_p * (double)n_family < rule->alpha ? ETI_VERDICT_NOISE
                                                                    : ETI_VERDICT_UNDECIDED;
    double least = 1.0 + rule->least_effect;
    if (comparison->ratio_interval.low > 1.0 && comparison->ratio >= least)
        return ETI_VERDICT_SLOWER;
    if (comparison->ratio_interval.high < 1.0 && comparison->ratio <= 1.0 / least)
        return ETI_VERDICT_FASTER;
    return ETI_VERDICT_NOISE;
}

/* More samples give a lower p, except for the step from 8, where the test is exact, to 9. */
size_t eti__samples_needed(size_t at_least, size_t n_family, double alpha) {
    size_t n = at_least > 1 ? at_least : 1;
    while (eti__mann_whitney_least_p(n, n) * (double)n_family >= alpha)
        n++;
    return n;
}

/* Ties only make the least p of the approximation smaller. */
size_t eti__samples_needed_with_ties(size_t n_family, double alpha) {
    size_t n = 1;
    while (eti__mann_whitney_least_approximate_p(n, n) * (double)n_family >= alpha)
        n++;
    return n;
}
