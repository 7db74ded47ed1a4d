/*
 * double.h - turns a double into text as Python does: repr() and "%g".
 */
#ifndef ETI_BASE_DOUBLE_H
#define ETI_BASE_DOUBLE_H

#include "base/status.h"

#define ETI_DOUBLE_TEXT_MAX 32

/* The shortest decimal text that reads back as `value`, as Python's repr() writes it: always with
 * ".0" or an exponent, the exponent form below 1e-4 and from 1e16 on. Returns the length;
 * NUL-terminated. */
size_t eti__double_repr(char out[ETI_DOUBLE_TEXT_MAX], double value);

/* C's "%g" in the "C" locale, whatever the process's locale is. */
size_t eti__double_general(char out[ETI_DOUBLE_TEXT_MAX], double value);

#endif
