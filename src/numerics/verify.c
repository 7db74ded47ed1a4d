#include "numerics/verify.h"

#include <math.h>
#include <string.h>

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
