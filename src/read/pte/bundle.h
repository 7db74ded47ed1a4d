/*
 * bundle.h - finds the program inside a bundled program (.bpte, schema/bundled_program.fbs), and the test cases around it.
 */
#ifndef ETI_READ_PTE_BUNDLE_H
#define ETI_READ_PTE_BUNDLE_H

#include "base/arena.h"
#include "flatbuf/flatbuf.h"

/* Test cases of a method. */
typedef struct eti_bundle_suite {
    eti_text method;
    uint32_t n_cases;
    uint64_t n_bytes; /* of the tensors that are inputs and expected outputs */
} eti_bundle_suite;

typedef struct eti_bundle {
    eti_text program;
    const eti_bundle_suite *suites;
    uint32_t n_suites;
} eti_bundle;

/* Verifies the bundle that `bytes` is; texts are borrowed from them, all else lives in the arena. ETI_ERROR_MALFORMED,
 * ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__bundle_open(eti_bundle *out, eti_arena *arena, eti_text bytes,
                            eti_error *err) ETI_WARN_UNUSED;

/* The description that verification walks, for tests that damage bundles by it. */
extern const eti_table_schema *const eti__bundle_schema;

#endif
