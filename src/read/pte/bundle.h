/*
 * bundle.h - finds the program inside a bundled program (.bpte, schema/bundled_program.fbs).
 */
#ifndef ETI_READ_PTE_BUNDLE_H
#define ETI_READ_PTE_BUNDLE_H

#include "base/status.h"

/* Verifies the bundle whose bytes `*bytes` is, and sets it to those of the program inside. ETI_ERROR_MALFORMED,
 * ETI_ERROR_LIMIT. */
eti_status eti__bundle_find_program(eti_text *bytes, eti_error *err) ETI_WARN_UNUSED;

#endif
