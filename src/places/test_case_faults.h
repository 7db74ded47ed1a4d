/*
 * test_case_faults.h - names values in the test cases of bundled programs that cannot be used, or
 * that the method does not accept.
 */
#ifndef ETI_PLACES_TEST_CASE_FAULTS_H
#define ETI_PLACES_TEST_CASE_FAULTS_H

#include "model/model.h"

/* Adds a note for each bundled program: a warning with the number of such values and a description of the first, or
 * else an information with the number of test cases. Fails with ETI_ERROR_MEMORY. */
eti_status eti__test_case_faults_note(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
