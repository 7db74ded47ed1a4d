/*
 * differences.h - computes metrics of pairs of outputs, and finds the operators that cause errors.
 *
 * An error of an operator propagates to all operators that use its result. The loss of an operator
 * itself is the lowest signal-to-noise ratio of its compared inputs minus the ratio of its output.
 * Ratios above ETI_FLOAT_SNR count as ETI_FLOAT_SNR, because rounding to float32 alone causes them.
 */
#ifndef ETI_NUMERICS_DIFFERENCES_H
#define ETI_NUMERICS_DIFFERENCES_H

#include "account/account.h"
#include "base/arena.h"
#include "numerics/match.h"
#include "numerics/metrics.h"
#include "tensors/tensors.h"

#define ETI_FLOAT_SNR ETI_MOST_DROP

typedef enum eti_difference_status {
    ETI_DIFFERENCE_COMPARED,
    ETI_DIFFERENCE_VIEW, /* compared in row-major order, because the shapes are those of a view */
    ETI_DIFFERENCE_NONFINITE, /* compared, but one side has more NaN or infinities */
    /* The statuses from here on have no metrics. */
    ETI_DIFFERENCE_SHAPE,
    ETI_DIFFERENCE_OUTSIDE,  /* outside of the debug buffer */
    ETI_DIFFERENCE_TYPE,     /* its elements cannot be read */
    ETI_DIFFERENCE_CONTENTS, /* its elements were not recorded */
    ETI_DIFFERENCE_ONLY_BASE,
    ETI_DIFFERENCE_ONLY_NEW,
    ETI_N_DIFFERENCE_STATUSES,
} eti_difference_status;

typedef struct eti_difference {
    const eti_matched_outputs *of;
    uint8_t status;  /* an eti_difference_status */
    bool has_snr_in; /* the node and therefore its inputs are known */
    double snr_in, snr_drop;
    eti_metrics metrics; /* set if it was compared */
    /* backend of a delegate on the other side that contains the node; absent if there is none */
    eti_text inside;
} eti_difference;

typedef struct eti_differences {
    eti_difference *rows;
    size_t n, n_compared;
} eti_differences;

static inline bool eti__difference_is_compared(const eti_difference *difference) {
    return difference->status <= ETI_DIFFERENCE_NONFINITE;
}

/* Returns a word such as "view", or NULL if it was compared without a remark. */
const char *eti__difference_status_name(uint8_t status);

/* Loads the elements of tensors that have elements but no `values.data`. */
typedef struct eti_element_loader {
    /* Makes the values of `tensor` with data that is in `arena` or outlives it. */
    eti_status (*load)(void *context, const eti_recorded_tensor *tensor, eti_arena *arena,
                       eti_tensor_values *out, eti_error *err);
    void *context;
} eti_element_loader;

/* Makes the values of a tensor with data. `loader` is NULL if all tensors have data. Fails with any status of
 * loading. */
eti_status eti__elements_load(const eti_element_loader *loader, const eti_recorded_tensor *tensor,
                              eti_arena *arena, eti_tensor_values *out,
                              eti_error *err) ETI_WARN_UNUSED;

/* Compares all pairs, on `n_threads` threads. `origins` has the graphs of one side; `of_base` means that this is the
 * base. If it is NULL, the inputs of operators are unknown. `loader` loads tensors of the base. Fails with any status
 * of loading, or with ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__differences_find(eti_differences *out, const eti_matches *matches,
                                 const eti_tolerances *tolerances, const eti_element_loader *loader,
                                 const eti_origins *origins, bool of_base, size_t n_threads,
                                 eti_error *err) ETI_WARN_UNUSED;

/* Stores, for points that `side` lacks (the new side if `is_of_newer`), the backend of the delegate that contains
 * them, among the delegates that recorded the tensors [first, end). Returns false if memory runs out. */
bool eti__differences_explain(eti_differences *differences, const eti_origins *side, size_t first,
                              size_t end, bool is_of_newer);

void eti__differences_free(eti_differences *differences);

#endif
