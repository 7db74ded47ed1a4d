/*
 * bundle.h - finds the program inside a bundled program (.bpte, schema/bundled_program.fbs), and the test cases around it.
 *
 * A bundle with invalid test cases still has its program: invalid values are marked, and rejected by the code that needs
 * them.
 */
#ifndef ETI_PTE_BUNDLE_H
#define ETI_PTE_BUNDLE_H

#include "base/arena.h"
#include "flatbuf/flatbuf.h"
#include "tensors/tensors.h"

/* Largest number of dimensions that the runtime accepts. */
#define ETI_BUNDLE_MOST_DIMS 16

/* Types of values, as the schema numbers them. */
typedef enum eti_bundle_value_kind {
    ETI_BUNDLE_ABSENT, /* of a type that is not in the schema, or without a value */
    ETI_BUNDLE_TENSOR,
    ETI_BUNDLE_INT,
    ETI_BUNDLE_BOOL,
    ETI_BUNDLE_DOUBLE,
} eti_bundle_value_kind;

/* An input of a method, or an expected output. */
typedef struct eti_bundle_value {
    uint8_t kind;      /* an eti_bundle_value_kind */
    const char *fault; /* why it cannot be used, to follow "the value"; NULL if it can */
    int64_t as_int;    /* value of an int, or 0 or 1 for a bool */
    double as_double;
    eti_tensor_values tensor; /* only for a tensor without a fault */
    const uint8_t *
        dim_order; /* its dimensions from the slowest to the fastest, each once: the order of the data */
} eti_bundle_value;

/* A test run of a method: its inputs and its expected outputs. */
typedef struct eti_bundle_case {
    const eti_bundle_value *inputs, *expected;
    uint32_t n_inputs, n_expected; /* if n_expected is 0, nothing is known about the outputs */
} eti_bundle_case;

/* Test cases of a method. */
typedef struct eti_bundle_suite {
    eti_text method;
    uint32_t n_cases;
    uint64_t n_bytes; /* total bytes of the tensors among inputs and expected outputs */
    eti_position position;
} eti_bundle_suite;

typedef struct eti_bundle {
    eti_text program;
    const eti_bundle_suite *suites;
    uint32_t n_suites;
    eti_flatbuf buffer;
} eti_bundle;

/* Verifies the bundle in `bytes`; texts are borrowed from these, and everything else lives in the arena.
 * ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__bundle_open(eti_bundle *out, eti_arena *arena, eti_text bytes,
                            eti_error *err) ETI_WARN_UNUSED;

/* Reads the n_cases test cases of suite `i`. Data are borrowed from the bundle's bytes, and everything else lives in the
 * arena. ETI_ERROR_MEMORY. */
eti_status eti__bundle_read_suite(const eti_bundle_case **out, eti_arena *arena,
                                  const eti_bundle *bundle, uint32_t i,
                                  eti_error *err) ETI_WARN_UNUSED;

/* Computes `strides`, in elements, for each dimension of a tensor whose dimensions are stored in this order. Its elements
 * must have been counted. */
void eti__bundle_strides(const eti_tensor_values *tensor, const uint8_t *dim_order,
                         int64_t *strides);

/* Schema that verification follows, for tests that damage bundles with it. */
extern const eti_table_schema *const eti__bundle_schema;

#endif
