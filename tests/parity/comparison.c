#include "comparison.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void stop(const char *why) {
    fprintf(stderr, "statistics: %s\n", why);
    exit(1);
}

void *allocate(size_t n, size_t size) {
    void *found = calloc(n + 1, size);
    if (!found)
        stop("out of memory");
    return found;
}

void comparison_open(comparison *out, size_t n, size_t n_base, size_t n_new) {
    size_t n_files = n_base + n_new;
    *out = (comparison){
        .values = allocate(n * n_files, sizeof(double)),
        .steps = allocate(n, sizeof(double)),
        .logs = allocate(n * n_files, sizeof(double)),
        .levels = allocate(n_files, sizeof(double)),
        .changes = allocate(n, sizeof(eti_change)),
        .adjusted_p = allocate(n, sizeof(double)),
        .scratch = allocate(n * n_files + 5 * n + 2 * n_files, sizeof(double)),
    };
    out->locations = (eti_locations){n, n_base, n_new, out->values, out->steps, 0};
}

void comparison_run(comparison *c, bool relative) {
    const eti_locations *locations = &c->locations;
    eti__log_locations(c->logs, locations);
    if (relative)
        eti__find_levels(c->levels, c->logs, locations, c->changes, c->scratch);
    c->locations.n_level_rows =
        relative && locations->n >= ETI_LEVEL_FEWEST_EVENTS ? locations->n : 0;
    eti__find_changes(c->changes, c->logs, relative ? c->levels : NULL, locations,
                      relative ? &c->prior : NULL, c->scratch);
    for (size_t i = 0; i < locations->n; i++)
        c->adjusted_p[i] = c->changes[i].p;
    eti__holm_adjust(c->adjusted_p, locations->n, c->scratch);
}

void comparison_close(comparison *c) {
    free(c->values);
    free(c->steps);
    free(c->logs);
    free(c->levels);
    free(c->changes);
    free(c->adjusted_p);
    free(c->scratch);
}
