/*
 * python_number.h - decides which texts Python's int() and float() accept, and what float() makes
 * of them.
 *
 * Only ASCII digits count: a text with digits of other scripts, which Python accepts, is not a
 * number here.
 */
#ifndef ETI_BASE_PYTHON_NUMBER_H
#define ETI_BASE_PYTHON_NUMBER_H

#include "base/text.h"

/* Whether int(text) works; like Python's, not for more than 4300 digits. */
bool eti__python_is_int(eti_text text);

/* Stores float(text) in `*out`; returns false if Python would fail. A number that is too large is
 * infinite, as in Python. `scratch` is overwritten; if memory runs out, scratch->failed is set. */
bool eti__python_float(eti_text text, double *out, eti_buffer *scratch);

#endif
