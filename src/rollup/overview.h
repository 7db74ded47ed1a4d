/*
 * overview.h - turns EventBlocks into the data of the view "summary", in one pass over the blocks.
 */
#ifndef ETI_ROLLUP_OVERVIEW_H
#define ETI_ROLLUP_OVERVIEW_H

#include "account/account.h"
#include "base/intern.h"
#include "model/model.h"
#include "rollup/grouping.h"
#include "rollup/rollup.h"

/* Number of Events shown as the most variable. */
#define ETI_MOST_NOISY 3

/* An operator or, with split_variants, an operator and the name of its kernel. */
typedef struct eti_overview_op {
    uint32_t op;     /* number in eti_overview.names, see op_type.h */
    uint32_t kernel; /* index into eti_overview.names.texts; 0: unused */
} eti_overview_op;

/* A backend on which operators ran, or the lack of one. */
typedef struct eti_overview_backend {
    eti_text name; /* name, or ETI_GROUP_NOT_DELEGATED or ETI_GROUP_UNKNOWN */
    /* number of operators, or of delegate calls that logged none; an Event that several blocks of a method have counts
     * once */
    uint64_t n_operators;
    eti_ticks ticks;
    const eti_event_block *newest; /* last block with this backend among those added so far */
    size_t n_runs; /* number of runs after the warm-up in the blocks with this backend */
} eti_overview_backend;

/* An operator with varying times. */
typedef struct eti_noisy_event {
    const eti_event *event;
    double variation; /* standard deviation / mean of its times after the warm-up */
    double median;
    double share; /* its self time as a share of its block */
    size_t n_runs;
} eti_noisy_event;

/* Initialize to all zeros. */
typedef struct eti_overview {
    const eti_inspector *inspector;
    const eti_view_options *options;
    eti_distinct_events operators;
    eti_shared_texts names; /* names of operators, and folded names of Events; 0 is "" */
    ETI_INTERN_OF(eti_overview_backend) backends;
    eti_overview_backend framework;     /* Events that are no operator; has no name */
    eti_pointer_table by_backend;       /* keyed by names of backends, which Events share */
    ETI_INTERN_OF(eti_overview_op) ops; /* per group of the rollup */
    eti_rollup rollup;
    eti_run_list list;
    eti_synthetic synthetic;
    eti_noisy_event noisy[ETI_MOST_NOISY]; /* most variable first */
    size_t n_noisy;
} eti_overview;

/* Makes the overview. Fails with ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__overview_make(eti_overview *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__overview_free(eti_overview *data);

#endif
