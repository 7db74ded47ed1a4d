/*
 * filter_syntax.h - turns the text of an expression into a tree.
 */
#ifndef ETI_TABLE_FILTER_SYNTAX_H
#define ETI_TABLE_FILTER_SYNTAX_H

#include "base/text.h"
#include "etinspect.h"

/* Fails with ETI_ERROR_USAGE at a byte of the expression. */
eti_status eti__filter_fail(eti_error *err, size_t at, const char *format, ...) ETI_PRINTF(3, 4);

#endif
