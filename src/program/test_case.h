/*
 * test_case.h - makes a test case of a bundled program from files of tensors.
 */
#ifndef ETI_PROGRAM_TEST_CASE_H
#define ETI_PROGRAM_TEST_CASE_H

#include "etinspect.h"

/* Compares names in natural order: numbers in them by value. */
int eti__compare_names(eti_text a, eti_text b);

#endif
