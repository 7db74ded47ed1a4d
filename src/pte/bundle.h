/*
 * bundle.h - finds the program inside a bundled program (.bpte, schema/bundled_program.fbs), and the test cases around it.
 */
#ifndef ETI_PTE_BUNDLE_H
#define ETI_PTE_BUNDLE_H

#include "flatbuf/flatbuf.h"

/* Schema that verification follows, for tests that damage bundles with it. */
extern const eti_table_schema *const eti__bundle_schema;

#endif
