#include "account/warm_up.h"

#include "stats/stats.h"

#include <stdlib.h>

size_t eti__warm_up_end(const eti_event_block *block, size_t first) {
    size_t end = first;
    while (end < block->n_runs && block->runs[end].dump == block->runs[first].dump)
        end++;
    return end;
}

bool eti__warm_up_find(const eti_event_block *block, const uint64_t *ticks, bool *is_warm_up) {
    double *values = malloc((2 * block->n_runs + 1) * sizeof *values);
    if (!values)
        return false;
    for (size_t first = 0, end; first < block->n_runs; first = end) {
        end = eti__warm_up_end(block, first);
        for (size_t run = first; run < end; run++)
            values[run - first] = (double)ticks[run];
        size_t n_warm_up = eti__warm_up_runs(values, end - first, values + (end - first));
        for (size_t run = first; run < first + n_warm_up; run++)
            is_warm_up[run] = true;
    }
    free(values);
    return true;
}
