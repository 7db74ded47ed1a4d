/*
 * python_number.h - decides which texts Python's int() and float() accept, and returns what float() returns for them.
 *
 * Only ASCII digits count: a text with digits of other scripts, which Python accepts, is not a number here.
 */
#ifndef ETI_BASE_PYTHON_NUMBER_H
#define ETI_BASE_PYTHON_NUMBER_H

#include "base/text.h"

/* Returns whether int(text) succeeds; as in Python, at most 4300 digits are allowed. */
bool eti__python_is_int(eti_text text);

/* Stores float(text) in `*out`; returns false if Python would fail. A number too large for a double becomes infinite, as
 * in Python. `scratch` is overwritten; if memory runs out, scratch->failed is set. */
bool eti__python_float(eti_text text, double *out, eti_buffer *scratch);

#endif
