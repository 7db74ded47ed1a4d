#include "account/slow_runs.h"

#include "account/run_list.h"

#include <stdlib.h>

static void keep_largest(eti_slow_runs *runs, const eti_event_block *block, uint32_t number,
                         double excess, double ratio) {
    if (runs->block && excess <= runs->most_excess)
        return;
    runs->block = block;
    runs->number = number;
    runs->most_excess = excess;
    runs->ratio = ratio;
}

bool eti__slow_runs_add(eti_slow_runs *runs, const eti_account *account) {
    size_t n = account->n_runs;
    double *times = malloc((2 * n + 1) * sizeof *times);
    if (!times)
        return false;
    for (size_t i = 0; i < n; i++)
        runs->total += times[i] = eti__run_elapsed(account, account->runs[i]);
    eti_spread spread = {0};
    if (n > 0)
        spread = eti__spread_of(times, n, times + n);
    for (size_t i = 0; i < n && spread.median > 0; i++) {
        double excess = times[i] - spread.median;
        if (excess <= 0 || !eti__run_is_outlier(&spread, n, times[i]))
            continue;
        runs->n++;
        runs->excess += excess;
        keep_largest(runs, account->block, account->runs[i], excess, times[i] / spread.median);
    }
    free(times);
    return true;
}

void eti__slow_runs_join(eti_slow_runs *out, const eti_slow_runs *joined) {
    out->total += joined->total;
    out->excess += joined->excess;
    out->n += joined->n;
    if (joined->block)
        keep_largest(out, joined->block, joined->number, joined->most_excess, joined->ratio);
}

bool eti__slow_runs_matter(const eti_slow_runs *runs) {
    return runs->excess > ETI_SLOW_RUNS_MATTER * runs->total;
}
