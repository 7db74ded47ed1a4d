/*
 * bundle.h - turns a program and test cases into a bundled program (.bpte), as schema/bundled_program.fbs describes it.
 */
#ifndef ETI_PTE_BUNDLE_WRITE_H
#define ETI_PTE_BUNDLE_WRITE_H

#include "base/output.h"
#include "pte/bundle.h"

/* Test cases of a method, in the order of their numbers. */
typedef struct eti_bundle_part {
    eti_text method;
    const eti_bundle_case *cases;
    uint32_t n_cases;
} eti_bundle_part;

/* Writes `n` parts, one for each method, in the order of the methods' names, around the bytes of a program, which begin at a
 * multiple of 32 bytes. Data of tensors begin at multiples of 16 and are in the order of dim_order, whatever the strides.
 * The values must be valid. ETI_ERROR_LIMIT: more than the 2 GiB that a FlatBuffer can have, and nothing was written;
 * ETI_ERROR_MEMORY. The output reports failures to write. */
eti_status eti__bundle_write(const eti_bundle_part *parts, size_t n, eti_text program,
                             eti_output *output, eti_error *err) ETI_WARN_UNUSED;

#endif
