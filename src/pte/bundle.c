#include "pte/bundle.h"

#include "base/array.h"
#include "base/sort.h"
#include "pte/pte.h"
#include "read/read.h"

#include "pte/bundled_program_schema.inc"

#include <stdlib.h>
#include <string.h>

/* ==== bundle ================================================================================== */

const eti_table_schema *const eti__bundle_schema = &bundled_program_schema;

/* ---- tensors --------------------------------------------------------------------------------- */

/* Computes `strides`, in elements, for each dimension of a tensor whose dimensions are stored in this order. Its elements
 * must have been counted. */
static void bundle_strides(const eti_tensor_values *tensor, const uint8_t *dim_order,
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
    bundle_strides(tensor, out->dim_order, numbers + sizes.count);
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
    eti_repairs repairs = {.arena = arena, .left = 3 * (uint64_t)bytes.size};
    eti_status status = ETI_OK;
    for (uint32_t i = 0; i < suites.count && status == ETI_OK; i++)
        status = eti__repairs_apply(&repairs, &copy[i].method, err);
    eti__repairs_free(&repairs);
    ETI_TRY(status);
    out->suites = copy;
    out->n_suites = suites.count;
    return ETI_OK;
}

/* ==== bundle write ============================================================================ */

/*
 * A FlatBuffer written front to back, so that data need not be copied:
 *
 *     root offset, "BP08" | a vtable for each type of table | BundledProgram | suites, cases, values, sizes |
 *     data of tensors, at multiples of 16 | the program, at a multiple of 32
 *
 * Tables are built in memory, and offsets to the data are filled in last; then everything is written in one pass.
 */

#define SCHEMA_VERSION 2
#define MOST_BYTES INT32_MAX
#define CHUNK_BYTES ((size_t)1 << 16)

/* Types of tables. */
enum { PROGRAM, SUITE, CASE, VALUE, TENSOR, INT, BOOL, DOUBLE, N_TABLES };

#define MOST_FIELDS 4

/* Places of fields in a table, by their ids, after the offset of the vtable. */
static const struct layout {
    uint16_t size, n_fields, at[MOST_FIELDS];
    size_t alignment;
} layouts[N_TABLES] = {
    [PROGRAM] = {16, 3, {4, 8, 12}, 4},    /* version, suites, program */
    [SUITE] = {12, 2, {4, 8}, 4},          /* method, cases */
    [CASE] = {12, 2, {4, 8}, 4},           /* inputs, expected outputs */
    [VALUE] = {9, 2, {8, 4}, 4},           /* type, value */
    [TENSOR] = {17, 4, {16, 4, 8, 12}, 4}, /* type, sizes, data, dim_order */
    [INT] = {16, 1, {8}, 8},
    [BOOL] = {5, 1, {4}, 4},
    [DOUBLE] = {16, 1, {8}, 8},
};

/* Bytes after the tables. */
typedef struct blob {
    const eti_bundle_value *tensor; /* NULL: the program */
    uint64_t size, place;           /* of the vector, which begins with its length */
    size_t field;                   /* place of the offset to it */
    size_t alignment;
} blob;

typedef struct builder {
    eti_buffer bytes;
    size_t vtables[N_TABLES];
    blob *blobs;
    size_t n_blobs, blob_capacity;
    bool failed; /* out of memory */
} builder;

/* ---- numbers --------------------------------------------------------------------------------- */

static void align(builder *b, size_t alignment) {
    static const char zeros[8];
    eti__buffer_add(&b->bytes, zeros, (alignment - b->bytes.size % alignment) % alignment);
}

static void put(builder *b, size_t at, uint64_t number, size_t width) {
    for (size_t i = 0; i < width && !b->bytes.failed; i++)
        b->bytes.data[at + i] = (char)(uint8_t)(number >> 8 * i);
}

static void add(builder *b, uint64_t number, size_t width) {
    uint8_t bytes[8];
    for (size_t i = 0; i < width; i++)
        bytes[i] = (uint8_t)(number >> 8 * i);
    eti__buffer_add(&b->bytes, bytes, width);
}

/* Makes the offset at `field` refer to the bytes that are added next. */
static void lead_here(builder *b, size_t field) {
    put(b, field, b->bytes.size - field, 4);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void add_vtables(builder *b) {
    for (size_t i = 0; i < N_TABLES; i++) {
        const struct layout *layout = &layouts[i];
        b->vtables[i] = b->bytes.size;
        add(b, 4 + 2 * (uint64_t)layout->n_fields, 2);
        add(b, layout->size, 2);
        for (size_t field = 0; field < layout->n_fields; field++)
            add(b, layout->at[field], 2);
    }
}

/* Adds a table of zeros, to which the offset at `from` refers; returns its place. */
static size_t add_table(builder *b, int type, size_t from) {
    static const char zeros[16];
    const struct layout *layout = &layouts[type];
    align(b, layout->alignment);
    lead_here(b, from);
    size_t table = b->bytes.size;
    add(b, table - b->vtables[type], 4);
    eti__buffer_add(&b->bytes, zeros, layout->size - 4u);
    return table;
}

static size_t field_of(size_t table, int type, unsigned field) {
    return table + layouts[type].at[field];
}

/* Adds a vector of `n` offsets, to which the offset at `from` refers; returns the place of the first. */
static size_t add_offsets(builder *b, size_t from, uint32_t n) {
    align(b, 4);
    lead_here(b, from);
    add(b, n, 4);
    size_t first = b->bytes.size;
    for (uint32_t i = 0; i < n && !b->bytes.failed; i++)
        add(b, 0, 4);
    return first;
}

static void add_bytes(builder *b, size_t from, const void *bytes, size_t n) {
    align(b, 4);
    lead_here(b, from);
    add(b, n, 4);
    eti__buffer_add(&b->bytes, bytes, n);
}

static void add_text(builder *b, size_t from, eti_text text) {
    add_bytes(b, from, text.data, text.size);
    add(b, 0, 1);
}

static void add_blob(builder *b, const blob *new_blob) {
    if (!ETI_GROW(b->blobs, b->blob_capacity, b->n_blobs + 1)) {
        b->failed = true;
        return;
    }
    b->blobs[b->n_blobs++] = *new_blob;
}

/* ---- values ---------------------------------------------------------------------------------- */

static void add_tensor(builder *b, size_t from, const eti_bundle_value *value) {
    const eti_tensor_values *tensor = &value->tensor;
    size_t table = add_table(b, TENSOR, from);
    put(b, field_of(table, TENSOR, 0), (uint8_t)tensor->scalar_type, 1);
    align(b, 4);
    lead_here(b, field_of(table, TENSOR, 1));
    add(b, tensor->n_dims, 4);
    for (uint32_t i = 0; i < tensor->n_dims; i++)
        add(b, (uint64_t)tensor->sizes[i], 4);
    add_blob(b, &(blob){.tensor = value,
                        .size = eti__tensor_values_size(tensor),
                        .field = field_of(table, TENSOR, 2),
                        .alignment = 16});
    add_bytes(b, field_of(table, TENSOR, 3), value->dim_order, tensor->n_dims);
}

static void add_value(builder *b, size_t from, const eti_bundle_value *value) {
    size_t table = add_table(b, VALUE, from), of = field_of(table, VALUE, 1);
    uint64_t bits;
    put(b, field_of(table, VALUE, 0), value->kind, 1);
    if (value->kind == ETI_BUNDLE_TENSOR) {
        add_tensor(b, of, value);
    } else if (value->kind == ETI_BUNDLE_INT) {
        put(b, field_of(add_table(b, INT, of), INT, 0), (uint64_t)value->as_int, 8);
    } else if (value->kind == ETI_BUNDLE_BOOL) {
        put(b, field_of(add_table(b, BOOL, of), BOOL, 0), value->as_int != 0, 1);
    } else {
        memcpy(&bits, &value->as_double, sizeof bits);
        put(b, field_of(add_table(b, DOUBLE, of), DOUBLE, 0), bits, 8);
    }
}

static void add_values(builder *b, size_t from, const eti_bundle_value *values, uint32_t n) {
    size_t first = add_offsets(b, from, n);
    for (uint32_t i = 0; i < n && !b->bytes.failed; i++)
        add_value(b, first + (size_t)i * 4, &values[i]);
}

static void add_suite(builder *b, size_t from, const eti_bundle_part *part) {
    size_t table = add_table(b, SUITE, from);
    add_text(b, field_of(table, SUITE, 0), part->method);
    size_t first = add_offsets(b, field_of(table, SUITE, 1), part->n_cases);
    for (uint32_t i = 0; i < part->n_cases && !b->bytes.failed; i++) {
        const eti_bundle_case *one = &part->cases[i];
        size_t at = add_table(b, CASE, first + (size_t)i * 4);
        add_values(b, field_of(at, CASE, 0), one->inputs, one->n_inputs);
        add_values(b, field_of(at, CASE, 1), one->expected, one->n_expected);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int compare_parts(const void *a, const void *b, void *context) {
    (void)context;
    const eti_bundle_part *const *left = a, *const *right = b;
    return eti__text_compare((*left)->method, (*right)->method);
}

static void build(builder *b, const eti_bundle_part *const *parts, size_t n, eti_text program) {
    add(b, 0, 4);
    eti__buffer_add_string(&b->bytes, "BP08");
    add_vtables(b);
    size_t root = add_table(b, PROGRAM, 0);
    put(b, field_of(root, PROGRAM, 0), SCHEMA_VERSION, 4);
    size_t first = add_offsets(b, field_of(root, PROGRAM, 1), (uint32_t)n);
    for (size_t i = 0; i < n && !b->bytes.failed; i++)
        add_suite(b, first + i * 4, parts[i]);
    add_blob(b,
             &(blob){.size = program.size, .field = field_of(root, PROGRAM, 2), .alignment = 32});
}

/* Gives each blob its place after the tables, and makes its field refer to it. */
static eti_status place_blobs(builder *b, eti_error *err) {
    uint64_t end = b->bytes.size;
    if (b->failed || b->bytes.failed)
        return eti_fail_memory(err);
    for (size_t i = 0; i < b->n_blobs && end <= MOST_BYTES; i++) {
        blob *next = &b->blobs[i];
        uint64_t data = (end + 4 + next->alignment - 1) / next->alignment * next->alignment;
        next->place = data - 4;
        end = next->size > MOST_BYTES ? UINT64_MAX : data + next->size;
        put(b, next->field, next->place - next->field, 4);
    }
    return end <= MOST_BYTES
               ? ETI_OK
               : eti_fail(
                     err, ETI_ERROR_LIMIT,
                     "the program and its test cases exceed the size limit of FlatBuffers, 2 GiB");
}

/* Writes the elements in the order of dim_order. */
static eti_status write_tensor(const eti_bundle_value *value, eti_output *output, eti_error *err) {
    int64_t numbers[2][ETI_BUNDLE_MOST_DIMS];
    eti_tensor_values tensor = value->tensor;
    size_t width = eti__element_type(tensor.scalar_type)->width, at_once = CHUNK_BYTES / width;
    if (tensor.n_elements == 0)
        return ETI_OK;
    for (uint32_t i = 0; i < tensor.n_dims; i++) {
        numbers[0][i] = value->tensor.sizes[value->dim_order[i]];
        numbers[1][i] = value->tensor.strides[value->dim_order[i]];
    }
    tensor.sizes = numbers[0];
    tensor.strides = numbers[1];
    if (eti__tensor_values_are_row_major(&tensor)) {
        eti__output_add(output, tensor.data, (size_t)eti__tensor_values_size(&tensor));
        return ETI_OK;
    }
    uint8_t *room = malloc(CHUNK_BYTES);
    if (!room)
        return eti_fail_memory(err);
    for (uint64_t done = 0; done < tensor.n_elements; done += at_once) {
        uint64_t n = tensor.n_elements - done < at_once ? tensor.n_elements - done : at_once;
        eti__tensor_values_copy(&tensor, done, n, room);
        eti__output_add(output, room, (size_t)n * width);
    }
    free(room);
    return ETI_OK;
}

static eti_status write_blobs(const builder *b, eti_text program, eti_output *output,
                              eti_error *err) {
    static const char zeros[32];
    uint64_t end = b->bytes.size;
    for (size_t i = 0; i < b->n_blobs; i++) {
        const blob *next = &b->blobs[i];
        const uint8_t size[4] = {(uint8_t)next->size, (uint8_t)(next->size >> 8),
                                 (uint8_t)(next->size >> 16), (uint8_t)(next->size >> 24)};
        eti__output_add(output, zeros, (size_t)(next->place - end));
        eti__output_add(output, size, sizeof size);
        if (next->tensor)
            ETI_TRY(write_tensor(next->tensor, output, err));
        else
            eti__output_add_text(output, program);
        end = next->place + 4 + next->size;
    }
    return ETI_OK;
}

eti_status eti__bundle_write(const eti_bundle_part *parts, size_t n, eti_text program,
                             eti_output *output, eti_error *err) {
    builder b = {.n_blobs = 0};
    eti_status status = ETI_ERROR_MEMORY;
    const eti_bundle_part **sorted = malloc((n > 0 ? n : 1) * sizeof *sorted);
    for (size_t i = 0; sorted && i < n; i++)
        sorted[i] = &parts[i];
    if (sorted) {
        eti__sort(sorted, n, sizeof *sorted, compare_parts, NULL);
        build(&b, sorted, n, program);
        status = place_blobs(&b, err);
    } else {
        status = eti_fail_memory(err);
    }
    if (status == ETI_OK) {
        eti__output_add_text(output, eti__buffer_text(&b.bytes));
        status = write_blobs(&b, program, output, err);
    }
    eti__buffer_free(&b.bytes);
    free(b.blobs);
    free(sorted);
    return status;
}
