/*
 * double.h - formats a double as Python does: repr() and "%g".
 */
#ifndef ETI_BASE_DOUBLE_H
#define ETI_BASE_DOUBLE_H

#include "base/status.h"

#define ETI_DOUBLE_TEXT_MAX 32

/* Writes the shortest decimal text that reads back as `value`, NUL-terminated, as Python's repr()
 * does: always with ".0" or an exponent, in the exponent form below 1e-4 and from 1e16 on. Returns
 * the length. */
size_t eti__double_repr(char out[ETI_DOUBLE_TEXT_MAX], double value);

/* Writes `value` as "%g" of C does in the "C" locale, whatever the locale of the process. */
size_t eti__double_general(char out[ETI_DOUBLE_TEXT_MAX], double value);

#endif
