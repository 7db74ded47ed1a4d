/*
 * test_case.h - makes a test case of a bundled program from files of tensors: the inputs of a method and its expected
 * outputs, checked against the method and with their dimensions in its order.
 */
#ifndef ETI_PROGRAM_TEST_CASE_H
#define ETI_PROGRAM_TEST_CASE_H

#include "base/arena.h"
#include "base/text.h"
#include "pte/pte.h"
#include "tensors/tensors.h"

/* A file of tensors and the name that messages give it. */
typedef struct eti_test_file {
    eti_tensor_file *file;
    const char *name;
    bool
        is_ordered; /* its tensors are values 0, 1, ... in file order; otherwise in the order of their names */
} eti_test_file;

/* Makes the inputs of a case, one for each input of the method. A tensor must have the method's dtype and sizes; if the
 * method has upper bounds, it must not have more elements. For an input that is a number, the tensor has a single element
 * and no dimensions, and its value must be the one that the program was exported with, because the runtime accepts no
 * other. Everything that is not in the files lives in `arena`. Messages name the file and the tensor. ETI_ERROR_DATA: the
 * file does not fit the method, or an input of the method cannot be in a test case; ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT:
 * the file is damaged; ETI_ERROR_MEMORY. */
eti_status eti__test_case_add_inputs(eti_bundle_case *out, eti_arena *arena,
                                     const eti_pte_plan *plan, const eti_test_file *file,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Makes the expected outputs, which are tensors, in the same way. */
eti_status eti__test_case_add_expected(eti_bundle_case *out, eti_arena *arena,
                                       const eti_pte_plan *plan, const eti_test_file *file,
                                       eti_error *err) ETI_WARN_UNUSED;

/* Returns whether the runtime accepts the tensor for this one of the method: it has the same type, and the same sizes or
 * sizes within its bounds. */
bool eti__test_case_fits(const eti_tensor_values *found, const eti_pte_tensor *tensor);
/* Appends a text such as "expected float32 [2, 6], found float32 [2, 5]". */
void eti__test_case_add_unfit(eti_buffer *out, const eti_tensor_values *found,
                              const eti_pte_tensor *tensor);

/* Compares names in natural order: numbers in them by value. */
int eti__compare_names(eti_text a, eti_text b);

#endif
