#include "numerics/verify.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ==== verify ================================================================================== */

/* numbers in scalar_type.fbs of the types that have tolerances */
enum { HALF = 5, FLOAT = 6, DOUBLE = 7 };

const char *eti__verify_name(eti_verdict_of_output verdict) {
    static const char *const names[] = {
        [ETI_VERIFY_PASSED] = "ok",           [ETI_VERIFY_VALUES] = "values",
        [ETI_VERIFY_TYPE] = "type",           [ETI_VERIFY_SIZES] = "sizes",
        [ETI_VERIFY_STRIDES] = "strides",     [ETI_VERIFY_NO_OUTPUT] = "no output",
        [ETI_VERIFY_NO_DATA] = "no data",     [ETI_VERIFY_NO_EXPECTED] = "not expected",
        [ETI_VERIFY_FAULT] = "faulty bundle",
    };
    return (unsigned)verdict < ETI_N_VERIFY_VERDICTS ? names[verdict] : "";
}

/* ---- errors ---------------------------------------------------------------------------------- */

static double mean(double sum, uint64_t n) {
    return n > 0 ? sum / (double)n : 0;
}

double eti__errors_mean_abs(const eti_output_errors *errors) {
    return mean(errors->sum_abs, errors->n);
}

double eti__errors_mean_rel(const eti_output_errors *errors) {
    return mean(errors->sum_rel, errors->n);
}

/* Behaves like std::max(): NaN counts only as the left argument. */
static double larger(double a, double b) {
    return a < b ? b : a;
}

/* Adds an element. Elements are added one after another, as in the runtime. */
static void add_error(eti_output_errors *errors, double difference, double e, double y) {
    double relative = difference / larger(larger(fabs(y), fabs(e)), (double)1e-8f);
    errors->n++;
    errors->sum_abs += difference;
    errors->max_abs = larger(errors->max_abs, difference);
    errors->sum_rel += relative;
    errors->max_rel = larger(errors->max_rel, relative);
}

static void join_errors(eti_output_errors *errors, const eti_output_errors *other) {
    errors->n += other->n;
    errors->sum_abs += other->sum_abs;
    errors->max_abs = larger(errors->max_abs, other->max_abs);
    errors->sum_rel += other->sum_rel;
    errors->max_rel = larger(errors->max_rel, other->max_rel);
}

/* ---- elements -------------------------------------------------------------------------------- */

/* Returns whether e and y are equal; `difference` is |e - y| in the type of the elements. */
static bool is_close(double e, double y, double difference, const eti_tolerances *tolerances) {
    if (isnan(e) && isnan(y))
        return true;
    if (!isfinite(e) && !isfinite(y) && (e > 0) == (y > 0))
        return true;
    if (tolerances->rtol == 0 && tolerances->atol == 0)
        return e == y;
    bool is_larger = difference > tolerances->atol + fabs(tolerances->rtol * y);
    return isfinite(difference) && !is_larger;
}

static void note_failure(eti_verified_output *out, uint64_t number) {
    if (out->n_failed++ == 0)
        out->first_failed = number;
}

static bool has_tolerances(int8_t scalar_type) {
    return scalar_type == HALF || scalar_type == FLOAT || scalar_type == DOUBLE;
}

static void compare_floats(eti_verified_output *out, const uint8_t *expected, const uint8_t *output,
                           uint64_t first, size_t n, const eti_tolerances *tolerances) {
    float e[ETI_ELEMENTS_AT_ONCE], y[ETI_ELEMENTS_AT_ONCE];
    eti__elements_as_floats(FLOAT, expected, n, e);
    eti__elements_as_floats(FLOAT, output, n, y);
    for (size_t i = 0; i < n; i++) {
        float difference = fabsf(y[i] - e[i]);
        add_error(&out->errors, (double)difference, (double)e[i], (double)y[i]);
        if (!is_close((double)e[i], (double)y[i], (double)difference, tolerances))
            note_failure(out, first + i);
    }
}

/* Compares elements of any other type, which has `width` bytes. */
static void compare_others(eti_verified_output *out, int8_t scalar_type, size_t width,
                           const uint8_t *expected, const uint8_t *output, uint64_t first, size_t n,
                           const eti_tolerances *tolerances) {
    double e[ETI_ELEMENTS_AT_ONCE] = {0}, y[ETI_ELEMENTS_AT_ONCE] = {0};
    if (out->has_errors) {
        eti__elements_as_doubles(scalar_type, expected, n, e);
        eti__elements_as_doubles(scalar_type, output, n, y);
    }
    for (size_t i = 0; i < n; i++) {
        double difference = fabs(y[i] - e[i]);
        if (out->has_errors)
            add_error(&out->errors, difference, e[i], y[i]);
        bool passes = has_tolerances(scalar_type)
                          ? is_close(e[i], y[i], difference, tolerances)
                          : memcmp(expected + i * width, output + i * width, width) == 0;
        if (!passes)
            note_failure(out, first + i);
    }
}

/* Compares elements of tensors with the same type and sizes, in memory order if both have the same, otherwise row by
 * row. */
static void compare_elements(eti_verified_output *out, const eti_tensor_values *expected,
                             const eti_tensor_values *output, bool has_one_order,
                             const eti_tolerances *tolerances) {
    uint8_t rooms[2][ETI_ELEMENTS_AT_ONCE * 8];
    size_t width = eti__element_type(expected->scalar_type)->width;
    for (uint64_t first = 0; first < expected->n_elements; first += ETI_ELEMENTS_AT_ONCE) {
        uint64_t left = expected->n_elements - first;
        size_t n = left < ETI_ELEMENTS_AT_ONCE ? (size_t)left : ETI_ELEMENTS_AT_ONCE;
        const uint8_t *e = eti__elements_at(expected, has_one_order, first, n, rooms[0]);
        const uint8_t *y = eti__elements_at(output, has_one_order, first, n, rooms[1]);
        if (expected->scalar_type == FLOAT)
            compare_floats(out, e, y, first, n, tolerances);
        else
            compare_others(out, expected->scalar_type, width, e, y, first, n, tolerances);
    }
}

/* ---- outputs --------------------------------------------------------------------------------- */

/* Returns the fault that is visible before any element is compared. */
static eti_verdict_of_output check(const eti_bundle_value *expected,
                                   const eti_tensor_values *output) {
    if (!expected || expected->kind != ETI_BUNDLE_TENSOR)
        return ETI_VERIFY_NO_EXPECTED;
    if (expected->fault)
        return ETI_VERIFY_FAULT;
    if (!output)
        return ETI_VERIFY_NO_OUTPUT;
    if (expected->tensor.scalar_type != output->scalar_type)
        return ETI_VERIFY_TYPE;
    if (!eti__sizes_equal(expected->tensor.sizes, expected->tensor.n_dims, output->sizes,
                          output->n_dims))
        return ETI_VERIFY_SIZES;
    if (output->n_elements > 0 && !output->data)
        return ETI_VERIFY_NO_DATA;
    return ETI_VERIFY_PASSED;
}

eti_verified_output eti__verify_output(const eti_bundle_value *expected,
                                       const eti_tensor_values *output,
                                       const eti_tolerances *tolerances) {
    eti_verified_output out = {.verdict = check(expected, output)};
    if (out.verdict != ETI_VERIFY_PASSED || !output) /* without an output the verdict is another */
        return out;
    bool has_one_order =
        output->n_dims == 0 || memcmp(expected->tensor.strides, output->strides,
                                      output->n_dims * sizeof *output->strides) == 0;
    out.has_errors = eti__elements_are_readable(output->scalar_type);
    compare_elements(&out, &expected->tensor, output, has_one_order, tolerances);
    if (!has_one_order)
        out.verdict = ETI_VERIFY_STRIDES;
    else if (out.n_failed > 0)
        out.verdict = ETI_VERIFY_VALUES;
    return out;
}

uint32_t eti__verify_row_count(const eti_bundle_case *expected, uint32_t n_outputs) {
    return expected->n_expected > n_outputs ? expected->n_expected : n_outputs;
}

eti_verified_case eti__verify_case(const eti_bundle_case *expected,
                                   const eti_tensor_values *const *outputs, uint32_t n_outputs,
                                   const eti_tolerances *tolerances, eti_verified_output *rows) {
    bool has_expected = expected->n_expected > 0;
    eti_verified_case out = {
        .has_expected = has_expected, .passed = has_expected, .has_errors = has_expected};
    for (uint32_t i = 0; i < eti__verify_row_count(expected, n_outputs); i++) {
        const eti_bundle_value *value = i < expected->n_expected ? &expected->expected[i] : NULL;
        rows[i] = eti__verify_output(value, i < n_outputs ? outputs[i] : NULL, tolerances);
        out.passed = out.passed && rows[i].verdict == ETI_VERIFY_PASSED;
        out.has_errors = out.has_errors && rows[i].has_errors;
        join_errors(&out.errors, &rows[i].errors);
    }
    return out;
}

/* ==== verification ============================================================================ */

/* ---- the test case of a run ------------------------------------------------------------------- */

/* Lists the methods; of several suites for one method, the first counts. */
static eti_status list_methods(eti_verification *out, eti_error *err) {
    const eti_bundle *bundle = &out->bundle;
    out->suites_of = eti__arena_alloc(&out->arena, bundle->n_suites, sizeof *out->suites_of);
    if (!out->suites_of)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < bundle->n_suites; i++) {
        size_t n_before = out->methods.count;
        uint32_t number;
        if (!bundle->suites[i].method.data)
            continue;
        if (!eti__text_table_add(&out->methods, bundle->suites[i].method, NULL, &number))
            return eti_fail_memory(err);
        if (number == n_before)
            out->suites_of[number] = i;
    }
    return ETI_OK;
}

static eti_status open_bundle(eti_verification *out, eti_error *err) {
    eti_status status = eti__bundle_open(
        &out->bundle, &out->arena, (eti_text){(const char *)out->file.data, out->file.size}, err);
    if (status != ETI_OK) {
        eti__error_prefix(err, "%s", out->file.name);
        return status;
    }
    out->suites = eti__arena_alloc_zero(&out->arena, out->bundle.n_suites, sizeof(*out->suites));
    return out->suites ? list_methods(out, err) : eti_fail_memory(err);
}

/* Finds the suite of a method. If the method is unknown, uses the one that the user names, or the only one with test
 * cases. */
static eti_status find_suite(const eti_verification *in, const eti_inspector *inspector,
                             const eti_event_block *block, const eti_bundle_suite **out,
                             eti_error *err) {
    const eti_bundle *bundle = &in->bundle;
    eti_text method = block->method_name;
    if (!method.data && inspector->options.method)
        method = eti__text_of(inspector->options.method);
    if (!method.data && bundle->n_suites == 1)
        method = bundle->suites[0].method;
    if (!method.data)
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "the method of EventBlock %.*s is unknown, and %s has test cases of %" PRIu32
            " methods: name it (%smethod), or give the ETRecord",
            ETI_TEXT_ARGS(block->label), in->file.name, bundle->n_suites, eti__option_prefix());
    uint32_t number;
    if (!eti__text_table_find(&in->methods, method, &number))
        return eti_fail(err, ETI_ERROR_DATA, "%s: has no test cases for method %.*s", in->file.name,
                        ETI_TEXT_ARGS(method));
    *out = &bundle->suites[in->suites_of[number]];
    return ETI_OK;
}

static eti_status choose_case(const eti_verification *in, const eti_event_block *block,
                              const eti_numerics_options *options, const eti_bundle_suite *suite,
                              uint32_t *out, eti_error *err) {
    int64_t index = block->bundled_input_index;
    if (options->test_case != ETI_NO_TEST_CASE_ASKED)
        index = (int64_t)options->test_case; /* 32 bits, see the catalogue */
    if (index < 0 && suite->n_cases == 1)
        index = 0;
    if (index < 0)
        return eti_fail(err, ETI_ERROR_USAGE,
                        "the ETDump does not record which of the %" PRIu32
                        " test cases of %.*s the EventBlock %.*s ran: give its number (%stestset)",
                        suite->n_cases, ETI_TEXT_ARGS(suite->method), ETI_TEXT_ARGS(block->label),
                        eti__option_prefix());
    if (index >= suite->n_cases)
        return eti_fail(err, ETI_ERROR_DATA,
                        "%s: there is no test case %" PRId64 " of %.*s, which has %" PRIu32
                        ": give the bundled program that ran",
                        in->file.name, index, ETI_TEXT_ARGS(suite->method), suite->n_cases);
    *out = (uint32_t)index;
    return ETI_OK;
}

static eti_status read_suite(eti_verification *in, const eti_bundle_suite *suite,
                             const eti_bundle_case **out, eti_error *err) {
    size_t i = (size_t)(suite - in->bundle.suites);
    if (!in->suites[i])
        ETI_TRY(eti__bundle_read_suite(&in->suites[i], &in->arena, &in->bundle, (uint32_t)i, err));
    *out = in->suites[i];
    return ETI_OK;
}

/* Limit: a small file may expect outputs that no run has, for each run. */
#define MOST_MISSING 65536

/* ---- rows ------------------------------------------------------------------------------------- */

static eti_status add_row(eti_verification *out, eti_verified_row row,
                          const eti_tolerances *tolerances, eti_error *err) {
    row.has_metrics = eti__verdict_compares(row.verified.verdict) &&
                      eti__metrics_compare(&row.expected->tensor, &row.tensor->values, tolerances,
                                           1, &row.metrics) == ETI_OK;
    if (!ETI_GROW(out->rows, out->capacity, out->n + 1))
        return eti_fail_memory(err);
    out->rows[out->n++] = row;
    out->n_compared += eti__verdict_compares(row.verified.verdict);
    return ETI_OK;
}

/* Compares the outputs of a run with those of the test case that `row` names. */
static eti_status verify_run(eti_verification *out, eti_verified_row row,
                             const eti_bundle_case *expected, const eti_recorded_tensor *outputs,
                             uint32_t n_outputs, const eti_tolerances *tolerances, eti_error *err) {
    uint32_t n = eti__verify_row_count(expected, n_outputs);
    out->n_missing += n - n_outputs;
    if (out->n_missing > MOST_MISSING)
        return eti_fail(err, ETI_ERROR_LIMIT,
                        "%s: the test cases that ran expect more than %d outputs that the runs do "
                        "not have: give the bundled program that ran",
                        out->file.name, MOST_MISSING);
    const eti_tensor_values **values = calloc((size_t)n_outputs + 1, sizeof *values);
    eti_verified_output *verified = calloc((size_t)n + 1, sizeof *verified);
    eti_status status = values && verified ? ETI_OK : eti_fail_memory(err);
    for (uint32_t i = 0; status == ETI_OK && i < n_outputs; i++)
        values[i] = outputs[i].fault == ETI_RECORDED_SHAPE ? NULL : &outputs[i].values;
    if (status == ETI_OK)
        out->n_passed += eti__verify_case(expected, values, n_outputs, tolerances, verified).passed;
    out->n_runs++;
    size_t n_before = out->n_compared;
    for (row.output = 0; status == ETI_OK && row.output < n; row.output++) {
        uint32_t i = row.output;
        row.expected = i < expected->n_expected ? &expected->expected[i] : NULL;
        row.tensor = i < n_outputs ? &outputs[i] : NULL;
        row.verified = verified[i];
        status = add_row(out, row, tolerances, err);
    }
    out->n_uncompared += out->n_compared == n_before;
    free(values);
    free(verified);
    return status;
}

static eti_status add_run(eti_verification *out, const eti_inspector *inspector,
                          const eti_numerics_options *options, const eti_recorded_tensor *outputs,
                          uint32_t n_outputs, eti_error *err) {
    eti_verified_row row = {.block = outputs->block, .run = outputs->run};
    const eti_bundle_suite *suite;
    const eti_bundle_case *cases;
    ETI_TRY(find_suite(out, inspector, row.block, &suite, err));
    ETI_TRY(choose_case(out, row.block, options, suite, &row.test_case, err));
    ETI_TRY(read_suite(out, suite, &cases, err));
    row.method = suite->method;
    if (cases[row.test_case].n_expected == 0) {
        out->n_unverified++;
        return ETI_OK;
    }
    return verify_run(out, row, &cases[row.test_case], outputs, n_outputs, &options->tolerances,
                      err);
}

/* Counts the selected blocks that ran but recorded no output. Tensors are in block order. */
static size_t count_silent(const eti_recorded *recorded, const eti_inspector *inspector,
                           const eti_view_options *options) {
    size_t n = 0, at = 0;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        bool has_outputs = false;
        for (; at < recorded->n && recorded->tensors[at].block == block; at++)
            has_outputs = has_outputs || !recorded->tensors[at].event;
        n += eti__block_is_chosen(options, block) && eti__block_runs(block) && !has_outputs;
    }
    return n;
}

static eti_status check_any(const eti_verification *in, eti_error *err) {
    if (in->n_compared > 0)
        return ETI_OK;
    if (in->n_unverified > 0 && in->n == 0)
        return eti_fail(err, ETI_ERROR_TOO_FEW,
                        "%s: the test cases that ran have no expected outputs, so nothing can be "
                        "verified: bundle them with expected outputs",
                        in->file.name);
    return eti_fail(err, ETI_ERROR_TOO_FEW,
                    "no outputs of a run can be compared with those of %s: record the outputs of "
                    "the program in the debug buffer",
                    in->file.name);
}

eti_status eti__verification_make(eti_verification *out, const eti_inspector *inspector,
                                  const eti_numerics_options *options, struct eti_file *bundle,
                                  eti_error *err) {
    *out = (eti_verification){.file = *bundle};
    *bundle = (struct eti_file){.data = NULL};
    ETI_TRY(open_bundle(out, err));
    ETI_TRY(eti__recorded_list(&out->recorded, inspector, &options->view, err));
    const eti_recorded_tensor *tensors = out->recorded.tensors;
    for (size_t i = 0, end; i < out->recorded.n; i = end) {
        end = i + 1;
        if (tensors[i].event)
            continue;
        while (end < out->recorded.n && !tensors[end].event &&
               eti__recorded_together(&tensors[i], &tensors[end]))
            end++;
        ETI_TRY(add_run(out, inspector, options, &tensors[i], (uint32_t)(end - i), err));
    }
    out->n_unverified += count_silent(&out->recorded, inspector, &options->view);
    return check_any(out, err);
}

void eti__verification_free(eti_verification *verification) {
    eti__recorded_free(&verification->recorded);
    eti__text_table_free(&verification->methods);
    eti__arena_free(&verification->arena);
    eti__file_release(&verification->file);
    free(verification->rows);
    *verification = (eti_verification){.n = 0};
}

/* ==== output metrics ========================================================================== */

#define N ETI_ELEMENTS_AT_ONCE

/* ---- elements --------------------------------------------------------------------------------- */

static eti_status view(eti_tensor_values *out, int64_t strides[ETI_TENSOR_MOST_DIMS],
                       const eti_tensor *tensor, const char *what, eti_error *err) {
    *out = (eti_tensor_values){.scalar_type = tensor->scalar_type,
                               .n_dims = (uint32_t)tensor->n_dims,
                               .sizes = tensor->sizes,
                               .strides = tensor->strides,
                               .data = tensor->data};
    if (!eti__elements_are_readable(tensor->scalar_type))
        return eti_fail(err, ETI_ERROR_DATA,
                        "the %s has elements of the type %s, which cannot be "
                        "read",
                        what, tensor->dtype);
    const char *fault = tensor->n_dims > ETI_TENSOR_MOST_DIMS ? "it has more than 64 dimensions"
                                                              : eti__tensor_values_count(out);
    if (fault)
        return eti_fail(err, ETI_ERROR_DATA, "the %s cannot be read: %s", what, fault);
    if (out->n_elements > 0 && !out->data)
        return eti_fail(err, ETI_ERROR_DATA, "the %s has no data", what);
    if (out->strides && eti__elements_are_dense(out))
        return ETI_OK;
    eti__tensor_values_dense_strides(out, false, strides);
    out->strides = strides;
    return ETI_OK;
}

static void load(const eti_tensor_values *values, uint64_t first, size_t n, float *out) {
    uint8_t room[N * 8];
    double wide[N];
    const uint8_t *bytes =
        eti__elements_at(values, eti__tensor_values_are_row_major(values), first, n, room);
    if (eti__elements_fit_floats(values->scalar_type)) {
        eti__elements_as_floats(values->scalar_type, bytes, n, out);
        return;
    }
    eti__elements_as_doubles(values->scalar_type, bytes, n, wide);
    for (size_t i = 0; i < n; i++)
        out[i] = (float)wide[i];
}

static void add_shape(eti_buffer *out, const eti_tensor *tensor) {
    size_t n = tensor->n_dims < ETI_TENSOR_MOST_DIMS ? tensor->n_dims : ETI_TENSOR_MOST_DIMS;
    eti__buffer_add_sizes(out, tensor->sizes, n);
}

static eti_status check_shapes(const eti_tensor *reference, const eti_tensor *output,
                               eti_error *err) {
    if (eti__sizes_equal(reference->sizes, reference->n_dims, output->sizes, output->n_dims))
        return ETI_OK;
    eti_buffer text = {0};
    add_shape(&text, output);
    eti__buffer_add_string(&text, ", the reference output the shape ");
    add_shape(&text, reference);
    eti_text shapes = eti__buffer_text(&text);
    eti_status status = text.failed ? eti_fail_memory(err)
                                    : eti_fail(err, ETI_ERROR_DATA, "the output has the shape %.*s",
                                               ETI_TEXT_ARGS(shapes));
    eti__buffer_free(&text);
    return status;
}

/* ---- numbers ---------------------------------------------------------------------------------- */

/* Sums of floats, in doubles; torch's own, in floats, have about as many digits as a float. */
typedef struct float_sums {
    double a2, b2, d2, ab;
} float_sums;

static void add_block(float_sums *sums, const float *a, const float *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        float d = a[i] - b[i];
        sums->a2 += (double)(a[i] * a[i]);
        sums->b2 += (double)(b[i] * b[i]);
        sums->d2 += (double)(d * d);
        sums->ab += (double)(a[i] * b[i]);
    }
}

double eti__round_to_cents(double value) {
    char text[64];
    int64_t cents = 0;
    /* beyond this, a double has at most two decimals, or is not finite */
    if (!(fabs(value) < 0x1p46))
        return value;
    (void)eti__snprintf(text, sizeof text, "%.2f", fabs(value));
    for (const char *at = text; *at; at++) { /* skips the decimal point */
        if (eti__is_digit(*at))
            cents = cents * 10 + (*at - '0');
    }
    return copysign((double)cents / 100, value);
}

static void finish(eti_output_metrics *out, const float_sums *sums, uint64_t n) {
    float power = (float)(sums->a2 / (double)n), noise = (float)(sums->d2 / (double)n);
    float magnitudes = sqrtf((float)sums->a2) * sqrtf((float)sums->b2);
    out->snr = eti__round_to_cents((double)(10.0F * log10f(power / noise)));
    out->mse = eti__round_to_cents((double)noise);
    out->cosine_similarity = eti__round_to_cents((double)((float)sums->ab / magnitudes));
}

eti_status eti__output_metrics_compare(eti_output_metrics *out, const eti_tensor *reference,
                                       const eti_tensor *output, eti_error *err) {
    int64_t strides[2][ETI_TENSOR_MOST_DIMS];
    eti_tensor_values a, b;
    float_sums sums = {0, 0, 0, 0};
    ETI_TRY(view(&a, strides[0], reference, "reference output", err));
    ETI_TRY(view(&b, strides[1], output, "output", err));
    ETI_TRY(check_shapes(reference, output, err));
    for (uint64_t first = 0; first < a.n_elements; first += N) {
        float x[N], y[N];
        size_t n = a.n_elements - first < N ? (size_t)(a.n_elements - first) : N;
        load(&a, first, n, x);
        load(&b, first, n, y);
        add_block(&sums, x, y, n);
    }
    finish(out, &sums, a.n_elements);
    return ETI_OK;
}
