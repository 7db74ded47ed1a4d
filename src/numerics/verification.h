/*
 * verification.h - compares the outputs of all selected runs with those that the test cases of a
 * bundled program expect.
 *
 * A run's test case is the one that its EventBlock names (bundled_input_index), in the suite of the
 * method that ran.
 */
#ifndef ETI_NUMERICS_VERIFICATION_H
#define ETI_NUMERICS_VERIFICATION_H

#include "base/arena.h"
#include "base/files.h"
#include "base/intern.h"
#include "model/model.h"
#include "numerics/options.h"
#include "numerics/recorded.h"
#include "numerics/verify.h"
#include "pte/pte.h"

typedef struct eti_verified_row {
    const eti_event_block *block;
    size_t run;
    eti_text method;
    uint32_t test_case, output;
    const eti_bundle_value *expected;  /* NULL if the test case has no such output */
    const eti_recorded_tensor *tensor; /* NULL if the run has no such output */
    eti_verified_output verified;
    bool has_metrics;
    eti_metrics metrics; /* the base is the expected output */
} eti_verified_row;

/* Borrows data from the inspector and the file, which must outlive it. */
typedef struct eti_verification {
    eti_arena arena;
    struct eti_file file;
    eti_bundle bundle;
    eti_text_table methods;         /* methods that have suites */
    uint32_t *suites_of;            /* per method: number of its suite */
    const eti_bundle_case **suites; /* test cases of the suites that were read */
    eti_recorded recorded;
    eti_verified_row *rows; /* outputs of a run are adjacent */
    size_t n, capacity;
    size_t n_runs, n_passed; /* numbers of runs that were verified, and of those that passed */
    /* number of EventBlocks that ran without recording outputs, and of runs whose test case expects no output */
    size_t n_unverified;
    size_t n_uncompared; /* number of verified runs of which no output could be compared */
    size_t n_missing;    /* number of rows for outputs that the runs do not have */
    size_t n_compared;   /* number of rows whose elements were compared */
} eti_verification;

/* Compares all outputs with the bundled program in the file, which `out` owns from then on. Fails with
 * ETI_ERROR_USAGE if the method of a block or its test case is unknown (options->test_case chooses one) or there is
 * no debug buffer; with ETI_ERROR_DATA if the bundle has no test case with this number or for this method; with the
 * statuses of eti__recorded_list(); with ETI_ERROR_TOO_FEW if nothing could be compared; with ETI_ERROR_MALFORMED or
 * ETI_ERROR_LIMIT because of the file; or with ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__verification_make(eti_verification *out, const eti_inspector *inspector,
                                  const eti_numerics_options *options, struct eti_file *bundle,
                                  eti_error *err) ETI_WARN_UNUSED;
void eti__verification_free(eti_verification *verification);

#endif
