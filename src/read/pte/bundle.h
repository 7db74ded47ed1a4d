/*
 * bundle.h - finds the program inside a bundled program (.bpte, schema/bundled_program.fbs), and the test cases around it.
 *
 * A bundle whose test cases make no sense still has its program: such values are marked, and refused by those who need them.
 */
#ifndef ETI_READ_PTE_BUNDLE_H
#define ETI_READ_PTE_BUNDLE_H

#include "base/arena.h"
#include "flatbuf/flatbuf.h"
#include "read/tensors/tensor_values.h"

/* More dimensions the runtime does not take. */
#define ETI_BUNDLE_MOST_DIMS 16

/* Types of values, as the schema numbers them. */
typedef enum eti_bundle_value_kind {
    ETI_BUNDLE_ABSENT, /* of a type that the schema does not know, or without a value */
    ETI_BUNDLE_TENSOR,
    ETI_BUNDLE_INT,
    ETI_BUNDLE_BOOL,
    ETI_BUNDLE_DOUBLE,
} eti_bundle_value_kind;

/* An input of a method, or an output that is expected of it. */
typedef struct eti_bundle_value {
    uint8_t kind;      /* an eti_bundle_value_kind */
    const char *fault; /* why it cannot be used, after "the value"; NULL: it can */
    int64_t as_int;    /* of an int, and of a bool 0 or 1 */
    double as_double;
    eti_tensor_values tensor; /* of a tensor without a fault */
    const uint8_t *
        dim_order; /* of its dimensions from the slowest to the fastest, each once: the order of the data */
} eti_bundle_value;

/* A run of a method: what it takes and what it should give. */
typedef struct eti_bundle_case {
    const eti_bundle_value *inputs, *expected;
    uint32_t n_inputs, n_expected; /* none expected: nothing is known about outputs */
} eti_bundle_case;

/* Test cases of a method. */
typedef struct eti_bundle_suite {
    eti_text method;
    uint32_t n_cases;
    uint64_t n_bytes; /* of the tensors that are inputs and expected outputs */
    eti_position position;
} eti_bundle_suite;

typedef struct eti_bundle {
    eti_text program;
    const eti_bundle_suite *suites;
    uint32_t n_suites;
    eti_flatbuf buffer;
} eti_bundle;

/* Verifies the bundle that `bytes` is; texts are borrowed from them, all else lives in the arena. ETI_ERROR_MALFORMED,
 * ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__bundle_open(eti_bundle *out, eti_arena *arena, eti_text bytes,
                            eti_error *err) ETI_WARN_UNUSED;

/* Reads the n_cases test cases of suite `i`. Data are borrowed from the bundle's bytes, all else lives in the arena.
 * ETI_ERROR_MEMORY. */
eti_status eti__bundle_read_suite(const eti_bundle_case **out, eti_arena *arena,
                                  const eti_bundle *bundle, uint32_t i,
                                  eti_error *err) ETI_WARN_UNUSED;

/* Returns the first suite of a method, as the runtime does; NULL: there is none. */
const eti_bundle_suite *eti__bundle_find_suite(const eti_bundle *bundle, eti_text method);

/* Fills `strides`, a stride in elements for each dimension of a tensor whose dimensions lie in this order. The sizes were
 * counted. */
void eti__bundle_strides(const eti_tensor_values *tensor, const uint8_t *dim_order,
                         int64_t *strides);

/* The description that verification walks, for tests that damage bundles by it. */
extern const eti_table_schema *const eti__bundle_schema;

#endif
