#include "program/test_case.h"

#include "base/sort.h"
#include "program/program.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* State of making a test case, and its place in the input for messages. */
typedef struct maker {
    const eti_pte_plan *plan;
    const eti_test_file *file;
    const char *noun; /* "input" or "output" */
    eti_arena *arena;
    eti_error *err;
} maker;

/* ---- order ----------------------------------------------------------------------------------- */

static size_t count_digits(eti_text text, size_t at) {
    size_t n = 0;
    while (at + n < text.size && eti__is_digit(text.data[at + n]))
        n++;
    return n;
}

static eti_text without_zeros(eti_text text, size_t at, size_t n) {
    while (n > 1 && text.data[at] == '0') {
        at++;
        n--;
    }
    return (eti_text){text.data + at, n};
}

int eti__compare_names(eti_text a, eti_text b) {
    size_t i = 0, j = 0;
    while (i < a.size && j < b.size) {
        size_t n = count_digits(a, i), m = count_digits(b, j);
        if (n == 0 || m == 0) {
            if (a.data[i] != b.data[j])
                return (uint8_t)a.data[i] < (uint8_t)b.data[j] ? -1 : 1;
            i++;
            j++;
            continue;
        }
        eti_text x = without_zeros(a, i, n), y = without_zeros(b, j, m);
        if (x.size != y.size)
            return x.size < y.size ? -1 : 1;
        int order = memcmp(x.data, y.data, x.size);
        if (order != 0)
            return order;
        i += n;
        j += m;
    }
    return i < a.size ? 1 : j < b.size ? -1 : eti__text_compare(a, b);
}

static int compare_tensors(const void *a, const void *b, void *context) {
    const eti_tensor_file *file = context;
    const uint32_t *i = a, *j = b;
    int order = eti__compare_names(file->tensors[*i].name, file->tensors[*j].name);
    return order != 0 ? order : (*i > *j) - (*i < *j);
}

/* Sets `*order` to the indices of the file's tensors, value 0 first. */
static eti_status order_tensors(const maker *in, uint32_t **order) {
    size_t n = in->file->file->n_tensors;
    *order = eti__arena_alloc(in->arena, n, sizeof **order);
    if (!*order)
        return eti_fail_memory(in->err);
    for (uint32_t i = 0; i < n; i++)
        (*order)[i] = i;
    if (!in->file->is_ordered)
        eti__sort(*order, n, sizeof **order, compare_tensors, in->file->file);
    return ETI_OK;
}

/* ---- messages -------------------------------------------------------------------------------- */

static void add_found(eti_buffer *out, const eti_tensor_values *tensor) {
    eti__buffer_printf(out, "%s ", eti__element_type(tensor->scalar_type)->name);
    eti__buffer_add_sizes(out, tensor->sizes, tensor->n_dims);
}

static void add_taken(eti_buffer *out, const eti_pte_tensor *tensor) {
    eti__buffer_printf(out, "%s ", eti__scalar_type(tensor->scalar_type)->name);
    eti__tensor_add_bounds(out, tensor);
}

void eti__test_case_add_unfit(eti_buffer *out, const eti_tensor_values *found,
                              const eti_pte_tensor *tensor) {
    eti__buffer_add_string(out, "expected ");
    add_taken(out, tensor);
    eti__buffer_add_string(out, ", found ");
    add_found(out, found);
}

/* Fails because `taken`, the method's value, does not allow the tensor. */
static eti_status fail_unfit(const maker *in, uint32_t i, const eti_tensor_values *found,
                             const char *taken) {
    eti_buffer text = {0};
    add_found(&text, found);
    eti_text shown = eti__buffer_text(&text);
    eti_status status =
        text.failed ? eti_fail_memory(in->err)
                    : eti_fail(in->err, ETI_ERROR_DATA,
                               "%s: %.*s: expected %s for %s %u of %.*s, found %.*s",
                               in->file->name, ETI_TEXT_ARGS(found->name), taken, in->noun,
                               (unsigned)i, ETI_TEXT_ARGS(in->plan->name), ETI_TEXT_ARGS(shown));
    eti__buffer_free(&text);
    return status;
}

static eti_status fail_tensor(const maker *in, uint32_t i, const eti_tensor_values *found,
                              const eti_pte_tensor *tensor) {
    eti_buffer text = {0};
    add_taken(&text, tensor);
    eti__buffer_add_char(&text, '\0');
    eti_status status =
        text.failed ? eti_fail_memory(in->err) : fail_unfit(in, i, found, text.data);
    eti__buffer_free(&text);
    return status;
}

/* ---- tensors --------------------------------------------------------------------------------- */

bool eti__test_case_fits(const eti_tensor_values *found, const eti_pte_tensor *tensor) {
    uint64_t most = 1;
    if (found->scalar_type != tensor->scalar_type || found->n_dims != tensor->n_dims)
        return false;
    for (uint32_t i = 0; i < found->n_dims; i++) {
        if (found->sizes[i] > INT32_MAX ||
            (tensor->dynamism == ETI_PTE_STATIC && found->sizes[i] != tensor->sizes[i]))
            return false;
        if (__builtin_mul_overflow(most, (uint64_t)tensor->sizes[i], &most))
            most = UINT64_MAX;
    }
    return tensor->dynamism == ETI_PTE_UNBOUND || found->n_elements <= most;
}

/* Returns whether the order contains each dimension once, which a program does not guarantee. */
static bool is_whole(const uint8_t *dim_order, uint32_t n_dims) {
    uint32_t seen = 0;
    for (uint32_t i = 0; i < n_dims; i++) {
        if (dim_order[i] >= n_dims)
            return false;
        seen |= (uint32_t)1 << dim_order[i];
    }
    return seen == ((uint32_t)1 << n_dims) - 1;
}

static eti_status make_tensor(const maker *in, uint32_t i, const eti_pte_tensor *tensor,
                              eti_bundle_value *out) {
    uint8_t *dim_order;
    if (tensor->n_dims > ETI_BUNDLE_MOST_DIMS)
        return eti_fail(in->err, ETI_ERROR_DATA,
                        "%s %u of %.*s has %u dimensions, but a tensor of a test case at most %d",
                        in->noun, (unsigned)i, ETI_TEXT_ARGS(in->plan->name),
                        (unsigned)tensor->n_dims, ETI_BUNDLE_MOST_DIMS);
    if (tensor->dim_order && !is_whole(tensor->dim_order, tensor->n_dims))
        return eti_fail(in->err, ETI_ERROR_DATA,
                        "%s %u of %.*s has a dim_order that does not name each dimension once",
                        in->noun, (unsigned)i, ETI_TEXT_ARGS(in->plan->name));
    if (!eti__test_case_fits(&out->tensor, tensor))
        return fail_tensor(in, i, &out->tensor, tensor);
    dim_order = eti__arena_alloc(in->arena, tensor->n_dims, 1);
    if (!dim_order)
        return eti_fail_memory(in->err);
    for (uint32_t d = 0; d < tensor->n_dims; d++)
        dim_order[d] = tensor->dim_order ? tensor->dim_order[d] : (uint8_t)d;
    out->kind = ETI_BUNDLE_TENSOR;
    out->dim_order = dim_order;
    return ETI_OK;
}

/* ---- numbers --------------------------------------------------------------------------------- */

enum {
    BYTE,
    CHAR,
    SHORT,
    INT,
    LONG,
    HALF,
    FLOAT,
    DOUBLE,
    BOOL = 11
}; /* numbers in scalar_type.fbs */

/* Reads the only element of an integer tensor; returns false for any other type. */
static bool read_int(const eti_tensor_values *tensor, int64_t *out) {
    uint8_t width = eti__element_type(tensor->scalar_type)->width;
    uint64_t bits = 0;
    if (width == 0 || tensor->scalar_type < BYTE || tensor->scalar_type > LONG)
        return false;
    for (uint8_t i = 0; i < width; i++)
        bits |= (uint64_t)tensor->data[i] << 8 * i;
    if (tensor->scalar_type != BYTE && width < 8 && (bits >> (8 * width - 1) & 1) != 0)
        bits |= UINT64_MAX << 8 * width;
    memcpy(out, &bits, sizeof *out);
    return true;
}

static bool read_double(const eti_tensor_values *tensor, double *out) {
    int64_t whole;
    if (tensor->scalar_type == FLOAT) {
        *out = (double)eti__load_f32(tensor->data);
        return true;
    }
    if (tensor->scalar_type == DOUBLE) {
        *out = eti__load_f64(tensor->data);
        return true;
    }
    if (!read_int(tensor, &whole))
        return false;
    *out = (double)whole;
    return true;
}

/* Returns whether the runtime treats the two as equal. */
static bool is_same_double(double a, double b) {
    if (isnan(a) || isnan(b))
        return isnan(a) && isnan(b);
    if (!isfinite(a) || !isfinite(b))
        return a == b;
    return fabs(a - b) <= 1e-4 + fabs(1e-5 * b);
}

static eti_status fail_value(const maker *in, uint32_t i, const eti_bundle_value *value,
                             const char *taken) {
    return eti_fail(in->err, ETI_ERROR_DATA,
                    "%s: %.*s: expected %s for %s %u of %.*s, the value that the program was "
                    "exported with: the runtime accepts no other",
                    in->file->name, ETI_TEXT_ARGS(value->tensor.name), taken, in->noun, (unsigned)i,
                    ETI_TEXT_ARGS(in->plan->name));
}

static eti_status make_number(const maker *in, uint32_t i, const eti_pte_value *taken,
                              eti_bundle_value *out) {
    static const char *const expected[] = {[ETI_PTE_INT] = "an integer without dimensions",
                                           [ETI_PTE_BOOL] = "a bool without dimensions",
                                           [ETI_PTE_DOUBLE] = "a float without dimensions"};
    const eti_tensor_values *tensor = &out->tensor;
    char text[64];
    bool is_one = tensor->n_dims == 0, is_same = true;
    if (taken->kind == ETI_PTE_INT) {
        out->kind = ETI_BUNDLE_INT;
        is_one = is_one && read_int(tensor, &out->as_int);
        is_same = out->as_int == taken->of.as_int;
        (void)snprintf(text, sizeof text, "%" PRId64, taken->of.as_int);
    } else if (taken->kind == ETI_PTE_BOOL) {
        out->kind = ETI_BUNDLE_BOOL;
        is_one = is_one && tensor->scalar_type == BOOL;
        out->as_int = is_one && tensor->data[0] != 0;
        is_same = (out->as_int != 0) == taken->of.as_bool;
        (void)snprintf(text, sizeof text, "%s", taken->of.as_bool ? "true" : "false");
    } else {
        out->kind = ETI_BUNDLE_DOUBLE;
        is_one = is_one && read_double(tensor, &out->as_double);
        is_same = is_same_double(taken->of.as_double, out->as_double);
        (void)eti__snprintf(text, sizeof text, "%.17g", taken->of.as_double);
    }
    if (!is_one)
        return fail_unfit(in, i, tensor, expected[taken->kind]);
    return is_same ? ETI_OK : fail_value(in, i, out, text);
}

/* ---- values ---------------------------------------------------------------------------------- */

static eti_status make_value(const maker *in, uint32_t i, int32_t number, bool may_be_number,
                             eti_bundle_value *out) {
    static const eti_pte_value none = {.kind = ETI_PTE_ABSENT};
    const eti_pte_value *taken =
        number >= 0 && (uint32_t)number < in->plan->n_values ? &in->plan->values[number] : &none;
    if (taken->kind == ETI_PTE_TENSOR)
        return make_tensor(in, i, taken->of.as_tensor, out);
    if (may_be_number && (taken->kind == ETI_PTE_INT || taken->kind == ETI_PTE_BOOL ||
                          taken->kind == ETI_PTE_DOUBLE))
        return make_number(in, i, taken, out);
    return eti_fail(in->err, ETI_ERROR_DATA,
                    "%s %u of %.*s is not a tensor%s, so no test case can contain it", in->noun,
                    (unsigned)i, ETI_TEXT_ARGS(in->plan->name), may_be_number ? " or number" : "");
}

static eti_status make_values(const maker *in, const eti_pte_indices *taken, bool may_be_numbers,
                              const eti_bundle_value **out, uint32_t *n) {
    eti_bundle_value *values = eti__arena_alloc_zero(in->arena, taken->n, sizeof *values);
    size_t n_found = in->file->file->n_tensors;
    uint32_t *order;
    if (!values)
        return eti_fail_memory(in->err);
    if (n_found != taken->n)
        return eti_fail(in->err, ETI_ERROR_DATA,
                        "%s: expected %u tensor%s, one for each %s of %.*s, found %zu",
                        in->file->name, (unsigned)taken->n, taken->n == 1 ? "" : "s", in->noun,
                        ETI_TEXT_ARGS(in->plan->name), n_found);
    ETI_TRY(order_tensors(in, &order));
    for (uint32_t i = 0; i < taken->n; i++) {
        ETI_TRY(
            eti__tensor_file_load(&values[i].tensor, in->file->file, order[i], in->arena, in->err));
        ETI_TRY(make_value(in, i, taken->items[i], may_be_numbers, &values[i]));
    }
    *out = values;
    *n = taken->n;
    return ETI_OK;
}

eti_status eti__test_case_add_inputs(eti_bundle_case *out, eti_arena *arena,
                                     const eti_pte_plan *plan, const eti_test_file *file,
                                     eti_error *err) {
    maker in = {plan, file, "input", arena, err};
    return make_values(&in, &plan->inputs, true, &out->inputs, &out->n_inputs);
}

eti_status eti__test_case_add_expected(eti_bundle_case *out, eti_arena *arena,
                                       const eti_pte_plan *plan, const eti_test_file *file,
                                       eti_error *err) {
    maker in = {plan, file, "output", arena, err};
    return make_values(&in, &plan->outputs, false, &out->expected, &out->n_expected);
}
