/*
 * numerics.h - recorded tensors: statistics, origins, references, matching, differences.
 */
#ifndef ETI_NUMERICS_NUMERICS_H
#define ETI_NUMERICS_NUMERICS_H

#include "account/account.h"
#include "base/arena.h"
#include "base/files.h"
#include "base/intern.h"
#include "base/names.h"
#include "etinspect.h"
#include "places/places.h"
#include "pte/pte.h"
#include "tensors/tensors.h"

/* ==== statistics ============================================================================== */
/* Turns the elements of a tensor into its statistics, reading each once.
 *
 * Sums, and squares around the mean, of a few elements at a time are joined in extended precision,
 * so that accuracy does not depend on the size of a tensor, and squares neither overflow nor
 * underflow. */

typedef struct eti_tensor_statistics {
    uint64_t n; /* number of elements */
    uint64_t n_nan, n_inf, n_zero;
    double min, max; /* of the finite elements, if there are any */
    /* For the finite elements: their sum, and the sum of their squared distances from their mean. */
    long double sum, squares;
} eti_tensor_statistics;

/* Adds the elements number [first, first + n), in memory order if `is_dense`. `statistics` starts as all zeros. */
void eti__statistics_add(eti_tensor_statistics *statistics, const eti_tensor_values *values,
                         bool is_dense, uint64_t first, uint64_t n);
/* Adds the statistics of other elements. */
void eti__statistics_join(eti_tensor_statistics *statistics, const eti_tensor_statistics *other);

/* Returns the number of finite elements; if 0, the functions below return NaN. */
static inline uint64_t eti__statistics_finite(const eti_tensor_statistics *statistics) {
    return statistics->n - statistics->n_nan - statistics->n_inf;
}
double eti__statistics_min(const eti_tensor_statistics *statistics);
double eti__statistics_max(const eti_tensor_statistics *statistics);
double eti__statistics_mean(const eti_tensor_statistics *statistics);
/* Returns the standard deviation of the population. */
double eti__statistics_deviation(const eti_tensor_statistics *statistics);
double eti__statistics_absmax(const eti_tensor_statistics *statistics);

/* ==== recorded ================================================================================ */
/* Lists the tensors that runs recorded, with their statistics.
 *
 * A run's tensors are in the order of logging: those of each Event, flattened, and then the
 * outputs of the run. The Events of an instruction share its tensors, which are listed once, with
 * the Event that is not the framework's own. */

/* Reason why a tensor has no readable elements. */
typedef enum eti_recorded_fault {
    ETI_RECORDED_FINE,
    ETI_RECORDED_OUTSIDE,  /* it lies outside of the debug buffer */
    ETI_RECORDED_TYPE,     /* elements of this type cannot be read */
    ETI_RECORDED_SHAPE,    /* its sizes are impossible */
    ETI_RECORDED_CONTENTS, /* there was no room for its elements when it was recorded */
} eti_recorded_fault;

typedef struct eti_recorded_tensor {
    const eti_event_block *block;
    size_t run;             /* index in its block */
    const eti_event *event; /* NULL for an output of the run */
    uint32_t index,
        /* index among the tensors of the event, or among the outputs; and their number */
        n_of_event;
    uint32_t buffer;        /* index of the debug buffer of its ETDump */
    uint8_t fault;          /* an eti_recorded_fault */
    bool is_dense;          /* its elements are contiguous, see tensors/tensors.h */
    bool has_odd_strides;   /* recorded strides are not dense; `values` has row-major ones */
    int64_t offset;         /* offset as recorded */
    const int64_t *strides; /* n_strides strides as recorded */
    size_t n_strides;
    eti_tensor_values values; /* `data` is NULL if there are no elements, or a fault */
    eti_tensor_statistics statistics;
} eti_recorded_tensor;

/* Numbers of the tensors of a debug buffer. */
typedef struct eti_recorded_buffer {
    const struct eti_file *file; /* NULL without a debug buffer */
    size_t n;
    size_t n_with_bytes; /* number of tensors that must lie in it */
    size_t n_outside;
    uint64_t n_bytes; /* sizes of the tensors in it, which may overlap; at most UINT64_MAX */
} eti_recorded_buffer;

typedef struct eti_recorded {
    eti_arena arena;
    eti_recorded_tensor *tensors;
    size_t n, capacity;
    eti_recorded_buffer *buffers; /* one for each ETDump, or one for all */
    size_t n_buffers;
    size_t n_with_bytes, n_outside; /* sums over the buffers */
} eti_recorded;

/* Lists the tensors of the selected blocks: those of all runs if `run` is "all", of the run with this number, or, if
 * `run` is NULL, of the first run of each block that recorded any (if ETDumps have debug buffers of their own, of the
 * first run of each ETDump). Fails with ETI_ERROR_USAGE if `run` is none of these, no block has such a run, or there
 * are tensors but no debug buffer; with ETI_ERROR_DATA if more than half of those of all runs lie outside of their debug
 * buffer; with ETI_ERROR_LIMIT if those of a debug buffer overlap so much that more than 64 MiB and 4 times its size would
 * be read; or with ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__recorded_read(eti_recorded *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
/* Does the same without the statistics, which stay all zeros. */
eti_status eti__recorded_list(eti_recorded *out, const eti_inspector *inspector,
                              const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__recorded_free(eti_recorded *recorded);

/* Returns whether two tensors were recorded by the same run. */
static inline bool eti__recorded_together(const eti_recorded_tensor *a,
                                          const eti_recorded_tensor *b) {
    return a->block == b->block && a->run == b->run;
}

/* ==== origins ================================================================================= */
/* Finds the node of the edge program that computed a recorded tensor, and the recorded tensors
 * that were its inputs.
 *
 * A kernel's tensors belong to the last node of its last debug handle. The last tensors of a
 * delegate call are its outputs; the ETRecord has their number, and the others are inputs. The
 * boundary of a call consists of the values of its nodes that are used outside of the call, or by
 * the graph's output. If the boundary has as many handles as the call has outputs, output k
 * belongs to the k-th handle in the order of their last positions in the list. If instead it has
 * as many values as the call has outputs, as with a node that splits a tensor, the same order
 * applies, and the values of one handle are in graph order. Otherwise, as in the Inspector, the
 * last output belongs to the last handle in the list, and so on backwards. */

/* Origin of a recorded tensor. */
typedef struct eti_tensor_origin {
    const eti_graph_node *node; /* NULL if unknown, or for an input or an output of the run */
    /* last node in the graph with its debug handle, which may be a view that is not executed */
    const eti_graph_node *last;
    uint32_t port; /* for a delegate call: index of the output of its node */
    bool is_input; /* for a delegate call: whether it is an input */
    /* for a delegate call: whether a later node has the same handle and produces the value of that handle */
    bool is_inner;
} eti_tensor_origin;

/* Last node with a debug handle. */
typedef struct eti_handled_node {
    int64_t handle;
    uint32_t node;
} eti_handled_node;

/* The graph of a method, with the uses of each value. */
typedef struct eti_origin_graph {
    eti_lowered_graph graph;
    uint32_t *first_use; /* per value: index of its first use; one more than values */
    uint32_t *uses;      /* nodes */
    uint32_t *marks;     /* per node: the last search that visited it */
    uint32_t n_searches;
    ETI_INTERN_OF(eti_handled_node) last_nodes;
} eti_origin_graph;

typedef struct eti_origins {
    const eti_recorded *recorded;
    eti_tensor_origin *of; /* per tensor */
    eti_origin_graph *graphs;
    size_t n_graphs;
} eti_origins;

/* Finds the origins of all tensors; none without an ETRecord. Fails with any status of reading the ETRecord. Free
 * `out` in any case. */
eti_status eti__origins_find(eti_origins *out, const eti_recorded *recorded,
                             const eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;
void eti__origins_free(eti_origins *origins);

/* Returns the graph of the method that the block ran, or NULL if there is none. */
eti_origin_graph *eti__origins_graph(const eti_origins *origins, const eti_event_block *block);

/* The recorded tensors from which another was computed. */
typedef struct eti_tensor_inputs {
    uint32_t *tensors; /* indexes into `recorded`, in ascending order; allocated with malloc() */
    size_t n, capacity;
} eti_tensor_inputs;

/* Finds the nearest tensors upstream in the same run: the inputs that the delegate logged, or the results of the
 * nodes that the nodes of the event use. There are none if they were not recorded or are unknown. Returns false if
 * memory runs out. */
bool eti__origins_inputs(eti_origins *origins, size_t tensor, eti_tensor_inputs *out);

/* ==== points ================================================================================== */
/* Turns the tensors that a run recorded into points: places of the model whose values can be
 * compared.
 *
 * A point is an output of an Event: the result of one node for a delegate call, all tensors for a
 * kernel. Events with the same debug handles are one point, with the values of the largest
 * instruction; Events with overlapping handles are one point, too, with the handles of all. An
 * output of a delegate call remains a point of its own if no later Event has its handle. A
 * delegate call is left out if the delegate logged values of operators inside it. */

typedef struct eti_point {
    const eti_event *event;             /* NULL for a file, or for an output of the run */
    const eti_recorded_tensor *tensors; /* n tensors */
    size_t n;
    /* the outputs of the node that they are, in ascending order; NULL: all, from 0 on */
    const uint32_t *ports;
    /* All debug handles, in order, and the handle of this output; none if unknown. */
    const int64_t *handles;
    size_t n_handles;
    int64_t handle;
    const eti_graph_node *node;      /* NULL if unknown */
    const eti_graph_node *last_node; /* last node of the graph with its handle; NULL if unknown */
    eti_text source_node;            /* node of the exported program; absent if unknown */
    /* Names of all Events with these handles, one for each list of handles; none for a file. */
    const eti_text *names;
    size_t n_names;
    eti_text name;       /* name of the Event; for a file, the names of its operators */
    int32_t instruction; /* instruction of the program; -1 if there is none or it is unknown */
    /* index among the outputs of the Event, and number of these outputs */
    uint32_t output, n_outputs;
    bool has_handle;
    /* The Inspector does not compare it, because a later Event has other handles of this delegate call. */
    bool is_remainder;
} eti_point;

typedef struct eti_points {
    eti_arena arena;
    eti_point *points; /* in order of execution */
    size_t n, capacity;
} eti_points;

/* Finds the points of the recorded tensors [first, end), which must end at the end of an Event or a run. Fails with
 * ETI_ERROR_LIMIT if handles overlap too much, or with ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__points_find(eti_points *out, const eti_origins *origins, size_t first, size_t end,
                            eti_error *err) ETI_WARN_UNUSED;

/* Lists every Event, and the outputs of runs, with all of their tensors, without searching for nodes. Fails with the
 * same statuses. */
eti_status eti__points_of_events(eti_points *out, const eti_origins *origins, size_t first,
                                 size_t end, eti_error *err) ETI_WARN_UNUSED;

/* Sets the nodes of points of a file that have none: the last node with their debug handle, in the graph of the
 * method whose tensors `origins` has. The file must have the handles of that export. Returns false if memory runs
 * out. */
bool eti__points_find_nodes(eti_points *points, const eti_origins *origins);

void eti__points_free(eti_points *points);

/* Returns whether the point is an output of a run. */
static inline bool eti__point_is_run_outputs(const eti_point *point) {
    return !point->event && !point->name.data;
}

/* ==== match =================================================================================== */
/* Pairs the points of two sides, and their outputs.
 *
 * Two points are paired if they are the same node of the exported program, which keeps its name in
 * every export of a model. Otherwise they are paired, within one export, by the same debug handle;
 * by instruction; or by the name of their Event and its number among Events with this name. If two
 * nodes of a side have the same name, their operators must also be the same. Outputs of runs are
 * paired by their number. */

typedef enum eti_match_by {
    ETI_MATCH_BY_SOURCE,
    ETI_MATCH_BY_HANDLE,
    ETI_MATCH_BY_INSTRUCTION,
    ETI_MATCH_BY_NAME,
} eti_match_by;

/* A comparison, or the reason why there is none. */
typedef struct eti_matched_outputs {
    const eti_point *base, *newer; /* NULL if only the other side has it */
    const eti_recorded_tensor *base_tensor, *newer_tensor;
    uint32_t output; /* of the Event of the new side, or of the only side */
    /* key by which its point is paired, the same for each input; empty if it has no key */
    eti_text key;
} eti_matched_outputs;

typedef struct eti_matches {
    eti_arena texts;
    /* in the order of the new side; outputs of the base alone where the base has them */
    eti_matched_outputs *outputs;
    size_t n, capacity;
    size_t n_paired; /* number of points */
} eti_matches;

/* Returns which output of the node it is, whatever else its Event writes; it is the same if the sides are swapped. If one side
 * recorded fewer outputs of the node, the other says which. */
uint32_t eti__matched_port(const eti_matched_outputs *of);

/* Pairs points, including the outputs of both sides. Fails with ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__points_match(eti_matches *out, const eti_points *base, const eti_points *newer,
                             eti_match_by by, eti_error *err) ETI_WARN_UNUSED;
void eti__matches_free(eti_matches *matches);

/* ==== metrics ================================================================================= */
/* Computes numbers that measure the difference of two tensors with the same number of elements,
 * reading each once.
 *
 * Elements are paired in row-major order, regardless of strides, and compared as doubles, except
 * that 64-bit integers, which doubles would round, are compared as integers. Sums of a few
 * elements at a time are joined in extended precision: accuracy does not depend on the size of a
 * tensor, and only the last bits depend on the number of parts into which it is divided.
 *
 * mse, l1 and snr cover all pairs except those of the same infinity, which do not differ. A NaN
 * counts as 0, and any other infinity makes the difference infinite. They are never NaN.
 *
 * gap_mse, gap_l1 and gap_snr are those of the Inspector's calculate_numeric_gap(). They cover all
 * pairs, after NaN was replaced by 0 and infinities by the largest double with their sign, in each
 * tensor that has a NaN. A tensor without NaN keeps its infinities, and two of the same sign make
 * the results NaN.
 *
 * All other metrics cover the pairs in which both elements are finite. */

/* A pair matches if |base - new| <= atol + rtol * |base|, both are NaN, or both are the same infinity. */
typedef struct eti_tolerances {
    double rtol, atol; /* not negative */
} eti_tolerances;

#define ETI_USUAL_RTOL 1e-5
#define ETI_USUAL_ATOL 1e-8

/* a is an element of the base, b is its partner. */
typedef struct eti_metrics {
    double mse; /* mean of (a - b)^2; 0 if there are no pairs */
    double l1;  /* sum of |a - b| */
    /* 10 log10(mean of a^2 / mse), in decibels; infinite if nothing differs, minus infinity if a difference is
     * infinite */
    double snr;
    double gap_mse; /* NaN if there are no elements */
    double gap_l1;
    double gap_snr; /* infinite if gap_mse is 0, NaN if both powers are 0 or infinite */

    /* number of pairs that are finite on both sides; if 0, metrics up to `ulp_max` are NaN */
    uint64_t pairs;
    double max_abs;  /* largest |a - b| */
    double mean_abs; /* mean of |a - b| */
    double rmse;     /* square root of the mean of (a - b)^2 */
    double max_rel;  /* largest |a - b| / max(|a|, |b|, 1e-8) */
    /* sum of ab / (sqrt(sum of a^2) sqrt(sum of b^2)); NaN if either is all zeros */
    double cosine;
    /* 10 log10(max |a|^2 / mean of (a - b)^2), in decibels; infinite if nothing differs, NaN if all are zeros */
    double psnr;
    /* largest number of floats of the type from a to b, including b; NaN unless both have the same type of floats */
    double ulp_max;
    uint64_t max_abs_at; /* number of the first pair with max_abs, in row-major order */

    uint64_t mismatched; /* number of pairs that do not match, finite or not */
    uint64_t nan_base, nan_new, inf_base, inf_new;
    bool identical; /* same type, sizes and bytes */
} eti_metrics;

/* Returns whether elements differ; a NaN does not differ from a NaN in its place, which matches it. If none differ, metrics
 * that are NaN have no importance. */
static inline bool eti__metrics_differ(const eti_metrics *metrics) {
    return metrics->mse > 0 || metrics->max_abs > 0 || metrics->mismatched > 0;
}

/* Compares two tensors, on `n_threads` threads if they have many elements; 0: as many as may run at once. The metrics
 * are equal to the last bit for any number of threads. Fails with ETI_ERROR_DATA if the tensors have different
 * numbers of elements, elements without data, or a type that tensors/tensors.h cannot read. */
eti_status eti__metrics_compare(const eti_tensor_values *base, const eti_tensor_values *newer,
                                const eti_tolerances *tolerances, size_t n_threads,
                                eti_metrics *out) ETI_WARN_UNUSED;

/* ==== differences ============================================================================= */
/* Computes metrics of pairs of outputs, and finds the operators that cause errors.
 *
 * An error of an operator propagates to all operators that use its result. The loss of an operator
 * itself is the lowest signal-to-noise ratio of its compared inputs minus the ratio of its output.
 * Ratios above ETI_FLOAT_SNR count as ETI_FLOAT_SNR, because rounding to float32 alone causes
 * them. */

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

/* ==== distribution ============================================================================ */
/* Turns the finite elements of a tensor into percentiles and a histogram, in a few passes and in
 * memory that does not depend on the number of elements. */

#define ETI_HISTOGRAM_BINS 16

/* Counts the finite elements in bins of equal width from `min` to `max`, the smallest and the largest of them, like
 * numpy.histogram. */
void eti__tensor_histogram(const eti_tensor_values *values, bool is_dense, double min, double max,
                           int64_t counts[ETI_HISTOGRAM_BINS]);
bool eti__tensor_percentiles(const eti_tensor_values *values, bool is_dense, uint64_t n_finite,
                             const double *quantiles, size_t n, double *out);

/* ==== joined ================================================================================== */
/* Joins the differences of several inputs at the same point into one: the worst of them, and their
 * median.
 *
 * Each metric has its worst value over the inputs: the lowest of snr, psnr, cosine and pairs, the
 * highest of all others; `identical` is true if it is true for all. A metric that is NaN for an
 * input is skipped if nothing differs in this input, and otherwise makes the joined metric NaN,
 * because it may be worse than all others. A metric is NaN if it is NaN for all inputs.
 *
 * The worst status is nonfinite. The others follow from bad to good: shape; the statuses without
 * values (outside, type, contents); points that only one side has, because a program branches;
 * view; and none. */

typedef struct eti_joined_difference {
    /* `of` belongs to the lowest snr or, if nothing was compared, to the worst status */
    eti_difference worst;
    /* the pair with worst.metrics.max_abs; NULL if nothing was compared */
    const eti_difference *of_max_abs;
    size_t input;      /* index of the input of worst.of */
    size_t n_inputs;   /* number of inputs that have it on a side */
    size_t n_compared; /* number of these in which it was compared */
    double
        snr_p50; /* median of snr; NaN if nothing was compared; of two infinities, the lower one */
} eti_joined_difference;

typedef struct eti_joined_differences {
    eti_joined_difference *rows; /* in the order of the first input that has them */
    size_t n, n_compared;        /* n_compared is the number of rows with a compared difference */
} eti_joined_differences;

/* Differences of an input. */
typedef struct eti_input_differences {
    size_t input;
    const eti_differences *of;
} eti_input_differences;

/* Joins the differences of points that were paired by the same key. With `is_each`, keeps them unchanged, one input
 * after another. Fails with ETI_ERROR_MEMORY. Free `out` in any case. */
eti_status eti__differences_join(eti_joined_differences *out, const eti_input_differences *inputs,
                                 size_t n, bool is_each, eti_error *err) ETI_WARN_UNUSED;
void eti__joined_differences_free(eti_joined_differences *joined);

/* ==== options ================================================================================= */
/* Options for comparing recorded tensors. */

typedef struct eti_numerics_options {
    eti_view_options view; /* selects blocks and runs */
    /* n_references files or folders of tensors, one for each input or one for all; or a bundled program */
    const eti_source *references;
    size_t n_references;
    bool is_each; /* each input has its own rows; otherwise a row has the worst of all inputs */
    const char *match;  /* "source", "handle", "instruction" or "name"; NULL: the best that fits */
    const char *metric; /* "mse", "l1" or "snr": the Inspector's table; NULL: all metrics */
    eti_tolerances tolerances;
    const char *const *fail_on; /* n_fail_on expressions */
    size_t n_fail_on;
    eti_source_paths source_paths; /* source paths of outputs that fail */
    size_t min_compared;           /* smallest number of compared outputs for an answer */
    /* test case of a bundled program; ETI_NO_TEST_CASE_ASKED: the one that the block ran */
    size_t test_case;
    bool verify; /* outputs that do not pass, or cannot be verified, make the command fail */
} eti_numerics_options;

#define ETI_NO_TEST_CASE_ASKED SIZE_MAX

#define ETI_NUMERICS_OPTIONS_DEFAULT                                                               \
    { .tolerances = {ETI_USUAL_RTOL, ETI_USUAL_ATOL}, .test_case = ETI_NO_TEST_CASE_ASKED }

/* ==== output metrics ========================================================================== */
/* Compares an output with the expected one like the Inspector's compare_results(): in single
 * precision, rounded to two decimals. */

typedef struct eti_output_metrics {
    double snr, mse, cosine_similarity;
} eti_output_metrics;

/* Compares two tensors. Fails with ETI_ERROR_DATA if their shapes differ, they have no data, or their elements cannot
 * be read; the message names neither tensor. */
eti_status eti__output_metrics_compare(eti_output_metrics *out, const eti_tensor *reference,
                                       const eti_tensor *output, eti_error *err) ETI_WARN_UNUSED;

/* ==== recorded notes ========================================================================== */
/* Adds notes to the inspector about faults of debug buffers. */

/* Adds notes with the number of tensors of all runs that lie in their debug buffers, and the number with types that cannot
 * be read; and for each debug buffer with the number that lie beyond its end, and whether the bytes between them belong to
 * another run. Adds none without a debug buffer. Fails with ETI_ERROR_MEMORY. */
eti_status eti__recorded_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* ==== reference points ======================================================================== */
/* Turns a file of tensors into points. The name of a tensor identifies its point:
 *
 *     7:conv2d,relu             result of the nodes with debug handle 7
 *     7:split#0                 the first of several outputs
 *     Execute.0/handle:7:add#0  the first output of the node with debug handle 7, in this run
 *     Execute.0/3:add.out#0     output 0 of instruction 3, whose Event is called add.out
 *     Execute.0/output#0        output 0 of the run
 *     Execute.0/3:add.out#0~2   output 0 of instruction 3, the second time it ran
 *
 * Any other name is the name of an Event. */

typedef struct eti_reference_points {
    eti_points points;
    eti_arena arena;
    struct eti_file file; /* all zeros for a folder */
    eti_tensor_file tensors;
    eti_recorded_tensor *recorded;      /* in the order of the points; `data` may be missing */
    size_t *numbers;                    /* their indexes in the file */
    bool has_handles, has_instructions; /* true if a point has them */
    eti_text_table runs;                /* prefixes of names, such as "Execute.0" */
    uint32_t *run_of; /* per point: 1 + the number of its run; 0 if its name has no run */
} eti_reference_points;

/* Reads the file or the folder; a file in memory must outlive the points. Fails with the statuses of
 * eti__tensor_file_open(). Free `out` in any case. */
eti_status eti__reference_points_read(eti_reference_points *out, const eti_source *source,
                                      eti_error *err) ETI_WARN_UNUSED;
/* Is an eti_element_loader for tensors of eti_reference_points. */
eti_status eti__reference_points_load(void *reference, const eti_recorded_tensor *tensor,
                                      eti_arena *arena, eti_tensor_values *out,
                                      eti_error *err) ETI_WARN_UNUSED;
/* Copies the points of the runs with the given numbers (NULL: of all runs), and those without a run. Fails with
 * ETI_ERROR_MEMORY. Free `out` in any case; it borrows from `reference`. */
eti_status eti__reference_points_choose(eti_points *out, const eti_reference_points *reference,
                                        const bool *is_chosen, eti_error *err) ETI_WARN_UNUSED;
void eti__reference_points_free(eti_reference_points *reference);

/* ==== run inputs ============================================================================== */
/* Numbers the inputs of runs.
 *
 * Input 0 of a method is that of its first listed run, input 1 that of the next one, in the order
 * of the ETDumps and of the runs in them. Input i of a side is input i of each of its methods: if
 * each method ran once, there is one input. */

/* Range of tensors that were recorded with an input: [first, end). */
typedef struct eti_run_input {
    size_t first, end;
} eti_run_input;

typedef struct eti_run_inputs {
    eti_run_input *inputs;
    size_t n;
    /* Names of the runs, as in names of saved tensors ("Execute.0"), ordered by input, and the input of each. */
    eti_text_table names;
    size_t *input_of;
    eti_arena arena;
} eti_run_inputs;

/* Finds the inputs and sorts the tensors by them; those of a run keep their order. Fails with ETI_ERROR_MEMORY. Free
 * `out` in any case. */
eti_status eti__run_inputs_arrange(eti_run_inputs *out, eti_recorded *recorded,
                                   eti_error *err) ETI_WARN_UNUSED;
void eti__run_inputs_free(eti_run_inputs *inputs);

/* ==== saved =================================================================================== */
/* Names recorded tensors for saving, so that a reader finds them.
 *
 * With the key "event", a tensor is called <block>.<run>/<instruction>:<event name>#<output>, and
 * an output of the run <block>.<run>/output#<number>; "-" replaces a missing instruction number.
 * With the key "handle", a tensor is called <handle>:<source node>#<output>, and only points (see
 * points.h), which can be compared, are listed. These names are the same in all runs of one
 * export; if several runs are listed, <block>.<run>/handle: precedes them. If several tensors
 * would have the same name, all but the first get a suffix ~2, ~3, ... */

/* Keys that name tensors, in the order of the option's choices. */
typedef enum eti_saved_key { ETI_SAVED_BY_EVENT, ETI_SAVED_BY_HANDLE } eti_saved_key;

typedef struct eti_saved_tensors {
    eti_arena arena; /* owns the names */
    eti_tensor_values *tensors;
    size_t n;
    /* number of tensors that are not listed because they cannot be read */
    size_t n_without_elements;
    /* number of tensors that are not listed because the key is "handle" and they are not points */
    size_t n_without_node;
} eti_saved_tensors;

/* Lists those of the tensors numbers[0 .. n-1] that have a name and elements, in this order. Fails with
 * ETI_ERROR_LIMIT if handles overlap too much, or with ETI_ERROR_MEMORY. Free `out` in any case; it borrows from
 * `origins`. */
eti_status eti__saved_tensors_list(eti_saved_tensors *out, const eti_origins *origins,
                                   const size_t *numbers, size_t n, unsigned key,
                                   eti_error *err) ETI_WARN_UNUSED;
void eti__saved_tensors_free(eti_saved_tensors *saved);

/* ==== verify ================================================================================== */
/* Compares the outputs of a run with those that a test case of a bundled program expects, like
 * ExecuTorch's verify_method_outputs() and compute_method_output_error_stats().
 *
 * Let e be an expected element and y an element of the run, of type float32, float64 or float16
 * (computed in float64). They are equal if both are NaN, or if neither is finite and both or none
 * is above 0 (so a NaN also equals -Inf); otherwise, with rtol = atol = 0, if e == y; otherwise,
 * if |e - y| <= atol + |rtol * y|. Elements of all other types must have the same bytes. Before
 * that, types, sizes and strides must be equal.
 *
 * If the runtime would abort, for example because of different strides, or would stop comparing,
 * for example at expected outputs that the method does not have, the output fails. */

typedef enum eti_verdict_of_output {
    ETI_VERIFY_PASSED,
    ETI_VERIFY_VALUES,      /* elements differ by more than the tolerance */
    ETI_VERIFY_TYPE,        /* types differ */
    ETI_VERIFY_SIZES,       /* sizes differ */
    ETI_VERIFY_STRIDES,     /* dimensions are in another order */
    ETI_VERIFY_NO_OUTPUT,   /* the run has no such output, or it is not a tensor */
    ETI_VERIFY_NO_DATA,     /* the elements of the output are unknown */
    ETI_VERIFY_NO_EXPECTED, /* the test case has no such output, or it is not a tensor */
    ETI_VERIFY_FAULT,       /* the value has a fault, see pte/pte.h */
    ETI_N_VERIFY_VERDICTS,
} eti_verdict_of_output;

/* Errors of a number of elements. Relative errors are |e - y| / max(|e|, |y|, 1e-8f). A maximum ignores NaN; a sum
 * does not. */
typedef struct eti_output_errors {
    uint64_t n; /* number of elements */
    double sum_abs, sum_rel, max_abs, max_rel;
} eti_output_errors;

/* Return the mean errors; 0 if there are no elements. */
double eti__errors_mean_abs(const eti_output_errors *errors);
double eti__errors_mean_rel(const eti_output_errors *errors);

typedef struct eti_verified_output {
    eti_verdict_of_output verdict;
    /* number of elements that did not pass; set for verdicts that compare elements */
    uint64_t n_failed;
    /* number of the first of these, in memory order or, if strides differ, in row-major order */
    uint64_t first_failed;
    /* types and sizes are equal, and elements are numbers. Errors are computed in float32 like the runtime, for other
     * types in float64 */
    bool has_errors;
    eti_output_errors errors;
} eti_verified_output;

typedef struct eti_verified_case {
    bool has_expected; /* if false, nothing is verified and the case does not pass */
    bool passed;
    bool has_errors;          /* all of its outputs have errors */
    eti_output_errors errors; /* errors of all outputs together */
} eti_verified_case;

/* Returns the number of rows of a case: the larger of the numbers of outputs of the run and of expected outputs. */
uint32_t eti__verify_row_count(const eti_bundle_case *expected, uint32_t n_outputs);

/* Compares all outputs of a run, which are NULL if they are not tensors, and fills a row for each. */
eti_verified_case eti__verify_case(const eti_bundle_case *expected,
                                   const eti_tensor_values *const *outputs, uint32_t n_outputs,
                                   const eti_tolerances *tolerances, eti_verified_output *rows);

/* Returns whether the elements of both were compared. */
static inline bool eti__verdict_compares(eti_verdict_of_output verdict) {
    return verdict == ETI_VERIFY_PASSED || verdict == ETI_VERIFY_VALUES ||
           verdict == ETI_VERIFY_STRIDES;
}

/* Returns the verdict in a word, such as "values"; never NULL. */
const char *eti__verify_name(eti_verdict_of_output verdict);

/* ==== verification ============================================================================ */
/* Compares the outputs of all selected runs with those that the test cases of a bundled program
 * expect.
 *
 * A run's test case is the one that its EventBlock names (bundled_input_index), in the suite of
 * the method that ran. */

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
