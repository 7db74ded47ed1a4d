/*
 * python_number.h - decides which texts Python's int() and float() accept, and what float() makes
 * of them.
 *
 * Digits are ASCII only: those of other scripts, which Python takes too, make a text no number
 * here.
 */
#ifndef ETI_BASE_PYTHON_NUMBER_H
#define ETI_BASE_PYTHON_NUMBER_H

#include "base/text.h"

/* Whether int(text) works; like Python's, not for more than 4300 digits. */
bool eti__python_is_int(eti_text text);

/* float(text) in `*out`, or false when it does not work. Too large a number is infinite, as in
 * Python. `scratch` is overwritten; when memory is out, scratch->failed is set. */
bool eti__python_float(eti_text text, double *out, eti_buffer *scratch);

#endif
