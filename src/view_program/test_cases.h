/*
 * test_cases.h - lists the values in the test cases of a bundled program.
 */
#ifndef ETI_VIEW_PROGRAM_TEST_CASES_H
#define ETI_VIEW_PROGRAM_TEST_CASES_H

#include "model/model.h"
#include "table/table.h"

/* Adds the table "test_cases" for a bundled program, a row for each value; nothing for other programs. */
eti_status eti__test_cases_add(eti_report *report, const eti_inspector *inspector,
                               eti_error *err) ETI_WARN_UNUSED;

#endif
