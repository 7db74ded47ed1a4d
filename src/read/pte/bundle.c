#include "read/pte/bundle.h"

#include "read/pte/bundled_program_schema.inc"

const eti_table_schema *const eti__bundle_schema = &bundled_program_schema;

#define TENSOR 1 /* the type of a Value's union */

/* Returns the bytes of all tensors in a vector of values. */
static uint64_t count_bytes(const eti_flatbuf *buffer, eti_vector values) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < values.count; i++) {
        eti_position value = eti__flatbuf_vector_table(buffer, values, i);
        eti_position tensor = eti__flatbuf_union(buffer, value, VALUE_VAL, TENSOR);
        if (tensor)
            n += eti__flatbuf_text(buffer, tensor, TENSOR_DATA).size;
    }
    return n;
}

static void read_suite(const eti_flatbuf *buffer, eti_position table, eti_bundle_suite *out) {
    eti_vector cases = eti__flatbuf_vector(buffer, table, BUNDLED_METHOD_TEST_SUITE_TEST_CASES);
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
    eti_flatbuf buffer = {
        .data = (const uint8_t *)bytes.data, .size = bytes.size, .has_unsure_sizes = true};
    eti_position root = 0;
    if (bytes.size > UINT32_MAX)
        return eti_fail(err, ETI_ERROR_LIMIT, "%zu bytes, but FlatBuffers end at %lu", bytes.size,
                        (unsigned long)UINT32_MAX);
    ETI_TRY(eti__flatbuf_verify(&buffer, &bundled_program_schema, 1, &root, err));
    out->program = eti__flatbuf_text(&buffer, root, BUNDLED_PROGRAM_PROGRAM);
    if (!out->program.data)
        return eti_fail(err, ETI_ERROR_MALFORMED, "the bundle has no program inside");
    eti_vector suites = eti__flatbuf_vector(&buffer, root, BUNDLED_PROGRAM_METHOD_TEST_SUITES);
    eti_bundle_suite *copy = eti__arena_alloc_zero(arena, suites.count, sizeof *copy);
    if (!copy)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < suites.count; i++)
        read_suite(&buffer, eti__flatbuf_vector_table(&buffer, suites, i), &copy[i]);
    out->suites = copy;
    out->n_suites = suites.count;
    return ETI_OK;
}
