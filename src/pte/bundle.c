#include "pte/bundle.h"

#include "pte/bundled_program_schema.inc"

const eti_table_schema *const eti__bundle_schema = &bundled_program_schema;

/* ---- tensors --------------------------------------------------------------------------------- */

void eti__bundle_strides(const eti_tensor_values *tensor, const uint8_t *dim_order,
                         int64_t *strides) {
    int64_t stride = 1;
    for (uint32_t i = tensor->n_dims; i-- > 0;) {
        strides[dim_order[i]] = stride;
        if (tensor->sizes[dim_order[i]] > 0) /* the product of these cannot overflow */
            stride *= tensor->sizes[dim_order[i]];
    }
}

/* Returns why the order is invalid; NULL if it contains each dimension once. */
static const char *check_order(eti_text dim_order, uint32_t n_dims) {
    uint32_t seen = 0;
    if (dim_order.size != n_dims)
        return "has a dim_order whose length differs from that of its sizes";
    for (size_t i = 0; i < dim_order.size; i++) {
        uint8_t dimension = (uint8_t)dim_order.data[i];
        if (dimension >= n_dims || (seen >> dimension & 1) != 0)
            return "has a dim_order that is not a permutation of its dimensions";
        seen |= (uint32_t)1 << dimension;
    }
    return NULL;
}

/* Reads a tensor; sets the fault if the table does not contain a valid one. False: out of memory. */
static bool read_tensor(const eti_flatbuf *buffer, eti_position table, eti_arena *arena,
                        eti_bundle_value *out) {
    eti_tensor_values *tensor = &out->tensor;
    eti_vector sizes = eti__flatbuf_vector(buffer, table, TENSOR_SIZES);
    eti_text data = eti__flatbuf_text(buffer, table, TENSOR_DATA);
    eti_text dim_order = eti__flatbuf_text(buffer, table, TENSOR_DIM_ORDER);
    out->fault = "has more than 16 dimensions";
    if (sizes.count > ETI_BUNDLE_MOST_DIMS)
        return true;
    int64_t *numbers = eti__arena_alloc(arena, (size_t)sizes.count * 2, sizeof *numbers);
    if (!numbers)
        return false;
    for (uint32_t i = 0; i < sizes.count; i++)
        numbers[i] = eti__flatbuf_vector_i32(buffer, sizes, i);
    tensor->scalar_type = eti__flatbuf_i8(buffer, table, TENSOR_SCALAR_TYPE, 0);
    tensor->n_dims = sizes.count;
    tensor->sizes = numbers;
    out->fault = "has an unknown type, or one whose elements are not whole bytes";
    if (eti__scalar_type(tensor->scalar_type)->width == 0)
        return true;
    out->fault = "has sizes that are negative, or too large for any memory";
    if (eti__tensor_values_count(tensor))
        return true;
    out->fault = check_order(dim_order, sizes.count);
    if (out->fault)
        return true;
    out->dim_order = (const uint8_t *)(dim_order.data ? dim_order.data : "");
    eti__bundle_strides(tensor, out->dim_order, numbers + sizes.count);
    tensor->strides = numbers + sizes.count;
    if (eti__tensor_values_size(tensor) > data.size) /* more is legal, as for a slice */
        out->fault = "has less data than its sizes require";
    else
        tensor->data = tensor->n_elements > 0 ? (const uint8_t *)data.data : NULL;
    return true;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* Reads a value. False: out of memory. */
static bool read_value(const eti_flatbuf *buffer, eti_position table, eti_arena *arena,
                       eti_bundle_value *out) {
    out->kind = eti__flatbuf_u8(buffer, table, VALUE_VAL_TYPE, ETI_BUNDLE_ABSENT);
    eti_position of =
        out->kind > ETI_BUNDLE_DOUBLE ? 0 : eti__flatbuf_table(buffer, table, VALUE_VAL);
    if (!of)
        out->kind = ETI_BUNDLE_ABSENT;
    if (out->kind == ETI_BUNDLE_TENSOR)
        return read_tensor(buffer, of, arena, out);
    if (out->kind == ETI_BUNDLE_ABSENT)
        out->fault = "has an unknown type, or none";
    else if (out->kind == ETI_BUNDLE_INT)
        out->as_int = eti__flatbuf_i64(buffer, of, INT_INT_VAL, 0);
    else if (out->kind == ETI_BUNDLE_BOOL)
        out->as_int = eti__flatbuf_u8(buffer, of, BOOL_BOOL_VAL, 0) != 0;
    else
        out->as_double = eti__flatbuf_f64(buffer, of, DOUBLE_DOUBLE_VAL, 0);
    return true;
}

/* Reads a vector of values. False: out of memory. */
static bool read_values(const eti_flatbuf *buffer, eti_vector vector, eti_arena *arena,
                        const eti_bundle_value **out, uint32_t *n) {
    eti_bundle_value *values = eti__arena_alloc_zero(arena, vector.count, sizeof *values);
    *out = values;
    *n = vector.count;
    for (uint32_t i = 0; i < vector.count && values; i++) {
        eti_position table = eti__flatbuf_vector_table(buffer, vector, i);
        if (!read_value(buffer, table, arena, &values[i]))
            return false;
    }
    return values != NULL;
}

eti_status eti__bundle_read_suite(const eti_bundle_case **out, eti_arena *arena,
                                  const eti_bundle *bundle, uint32_t i, eti_error *err) {
    const eti_flatbuf *buffer = &bundle->buffer;
    eti_vector cases = eti__flatbuf_vector(buffer, bundle->suites[i].position,
                                           BUNDLED_METHOD_TEST_SUITE_TEST_CASES);
    eti_bundle_case *copy = eti__arena_alloc(arena, cases.count, sizeof *copy);
    if (!copy)
        return eti_fail_memory(err);
    for (uint32_t n = 0; n < cases.count; n++) {
        eti_position at = eti__flatbuf_vector_table(buffer, cases, n);
        eti_vector inputs = eti__flatbuf_vector(buffer, at, BUNDLED_METHOD_TEST_CASE_INPUTS);
        eti_vector expected =
            eti__flatbuf_vector(buffer, at, BUNDLED_METHOD_TEST_CASE_EXPECTED_OUTPUTS);
        if (!read_values(buffer, inputs, arena, &copy[n].inputs, &copy[n].n_inputs) ||
            !read_values(buffer, expected, arena, &copy[n].expected, &copy[n].n_expected))
            return eti_fail_memory(err);
    }
    *out = copy;
    return ETI_OK;
}

/* ---- bundles --------------------------------------------------------------------------------- */

/* Returns the total bytes of all tensors in a vector of values. */
static uint64_t count_bytes(const eti_flatbuf *buffer, eti_vector values) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < values.count; i++) {
        eti_position value = eti__flatbuf_vector_table(buffer, values, i);
        eti_position tensor = eti__flatbuf_union(buffer, value, VALUE_VAL, ETI_BUNDLE_TENSOR);
        if (tensor)
            n += eti__flatbuf_text(buffer, tensor, TENSOR_DATA).size;
    }
    return n;
}

static void read_suite(const eti_flatbuf *buffer, eti_position table, eti_bundle_suite *out) {
    eti_vector cases = eti__flatbuf_vector(buffer, table, BUNDLED_METHOD_TEST_SUITE_TEST_CASES);
    out->position = table;
    out->method = eti__flatbuf_text(buffer, table, BUNDLED_METHOD_TEST_SUITE_METHOD_NAME);
    out->n_cases = cases.count;
    for (uint32_t i = 0; i < cases.count; i++) {
        eti_position at = eti__flatbuf_vector_table(buffer, cases, i);
        out->n_bytes +=
            count_bytes(buffer, eti__flatbuf_vector(buffer, at, BUNDLED_METHOD_TEST_CASE_INPUTS)) +
            count_bytes(buffer,
                        eti__flatbuf_vector(buffer, at, BUNDLED_METHOD_TEST_CASE_EXPECTED_OUTPUTS));
    }
}

eti_status eti__bundle_open(eti_bundle *out, eti_arena *arena, eti_text bytes, eti_error *err) {
    eti_flatbuf *buffer = &out->buffer;
    *buffer = (eti_flatbuf){
        .data = (const uint8_t *)bytes.data, .size = bytes.size, .has_unsure_sizes = true};
    eti_position root = 0;
    if (bytes.size > UINT32_MAX)
        return eti_fail(err, ETI_ERROR_LIMIT, "%zu bytes, but a FlatBuffer has at most %lu",
                        bytes.size, (unsigned long)UINT32_MAX);
    ETI_TRY(eti__flatbuf_verify(buffer, &bundled_program_schema, 1, &root, err));
    out->program = eti__flatbuf_text(buffer, root, BUNDLED_PROGRAM_PROGRAM);
    if (!out->program.data)
        return eti_fail(err, ETI_ERROR_MALFORMED, "the bundle contains no program");
    eti_vector suites = eti__flatbuf_vector(buffer, root, BUNDLED_PROGRAM_METHOD_TEST_SUITES);
    eti_bundle_suite *copy = eti__arena_alloc_zero(arena, suites.count, sizeof *copy);
    if (!copy)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < suites.count; i++)
        read_suite(buffer, eti__flatbuf_vector_table(buffer, suites, i), &copy[i]);
    out->suites = copy;
    out->n_suites = suites.count;
    return ETI_OK;
}
