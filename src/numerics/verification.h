/*
 * verification.h - compares the outputs of all runs that are chosen with those that the test cases of a bundled program expect.
 *
 * A run's test case is the one that its EventBlock says (bundled_input_index), in the suite of the method that ran.
 */
#ifndef ETI_NUMERICS_VERIFICATION_H
#define ETI_NUMERICS_VERIFICATION_H

#include "base/text_table.h"
#include "numerics/options.h"
#include "numerics/recorded.h"
#include "numerics/verify.h"

typedef struct eti_verified_row {
    const eti_event_block *block;
    size_t run;
    eti_text method;
    uint32_t test_case, output;
    const eti_bundle_value *expected;  /* NULL: the test case has no such output */
    const eti_recorded_tensor *tensor; /* NULL: the run has no such output */
    eti_verified_output verified;
    bool has_metrics;
    eti_metrics metrics; /* the base is what is expected */
} eti_verified_row;

/* Data borrowed from the inspector and from the file must stay. */
typedef struct eti_verification {
    eti_arena arena;
    struct eti_file file;
    eti_bundle bundle;
    eti_text_table methods;         /* that have suites */
    uint32_t *suites_of;            /* per method: number of its suite */
    const eti_bundle_case **suites; /* test cases of the suites that are read */
    eti_recorded recorded;
    eti_verified_row *rows; /* outputs of a run together */
    size_t n, capacity;
    size_t n_runs, n_passed; /* of those that were verified */
    /* EventBlocks that ran without recording outputs, and runs whose test case expects none */
    size_t n_unverified;
    size_t n_missing;  /* rows of outputs that the runs do not have */
    size_t n_compared; /* rows whose elements were compared */
} eti_verification;

/* Compares all with the bundled program in the file, which `out` owns from then on. ETI_ERROR_USAGE: the method of a block or its test case is not known (options->test_case chooses one), or
 * there is no debug buffer; ETI_ERROR_DATA: the bundle has no test case of this number or none of this method, and the statuses of
 * eti__recorded_list(); ETI_ERROR_TOO_FEW: nothing could be compared; ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT: of the
 * file; ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__verification_make(eti_verification *out, const eti_inspector *inspector,
                                  const eti_numerics_options *options, struct eti_file *bundle,
                                  eti_error *err) ETI_WARN_UNUSED;
void eti__verification_free(eti_verification *verification);

#endif
