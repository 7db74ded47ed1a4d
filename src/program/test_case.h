/*
 * test_case.h - makes a test case of a bundled program out of files of tensors: the values that a method takes and those that it
 * should give, checked against the method and with their dimensions in its order.
 */
#ifndef ETI_PROGRAM_TEST_CASE_H
#define ETI_PROGRAM_TEST_CASE_H

#include "read/pte/pte.h"
#include "read/tensors/tensor_file.h"

/* A file of tensors, and how messages name it. */
typedef struct eti_test_file {
    eti_tensor_file *file;
    const char *name;
    bool
        is_ordered; /* its tensors are values 0, 1, ... as they stand; otherwise in the order of their names */
} eti_test_file;

/* Makes the inputs of a case, one for each input of the method. Of an input that is a tensor, dtype and sizes are the method's; where
 * the method has upper bounds, there are no more elements. Of one that is a number, the tensor has a single element and no dimension, and its
 * value is the one that the program was exported with, as the runtime takes no other. All that is not in the files lives in
 * `arena`. Messages name the file and the tensor. ETI_ERROR_DATA: the file does not fit the method, or the method takes what
 * no test case can hold; ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT: the file is damaged; ETI_ERROR_MEMORY. */
eti_status eti__test_case_add_inputs(eti_bundle_case *out, eti_arena *arena,
                                     const eti_pte_plan *plan, const eti_test_file *file,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Makes the expected outputs, which are tensors, likewise. */
eti_status eti__test_case_add_expected(eti_bundle_case *out, eti_arena *arena,
                                       const eti_pte_plan *plan, const eti_test_file *file,
                                       eti_error *err) ETI_WARN_UNUSED;

/* Whether the runtime takes the tensor as this one of a method: type and sizes are its, or within its bounds. */
bool eti__test_case_fits(const eti_tensor_values *found, const eti_pte_tensor *tensor);
/* Appends "expected float32 [2, 6], found float32 [2, 5]". */
void eti__test_case_add_unfit(eti_buffer *out, const eti_tensor_values *found,
                              const eti_pte_tensor *tensor);

/* Compares names as people order them: numbers in them by their values. */
int eti__compare_names(eti_text a, eti_text b);

#endif
