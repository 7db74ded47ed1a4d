/*
 * python.h - text and numbers as Python's repr() and str() write them.
 */
#ifndef ETI_BASE_PYTHON_H
#define ETI_BASE_PYTHON_H

#include "base/text.h"
#include "etinspect.h"

/* ==== python number =========================================================================== */
/* Decides which texts Python's int() and float() accept, and returns what float() returns for
 * them.
 *
 * Only ASCII digits count: a text with digits of other scripts, which Python accepts, is not a
 * number here. */

/* Returns whether int(text) succeeds; as in Python, at most 4300 digits are allowed. */
bool eti__python_is_int(eti_text text);

/* Stores float(text) in `*out`; returns false if Python would fail. A number too large for a double becomes infinite, as
 * in Python. `scratch` is overwritten; if memory runs out, scratch->failed is set. */
bool eti__python_float(eti_text text, double *out, eti_buffer *scratch);

/* ==== python text ============================================================================= */
/* Formats text and bytes as Python's repr() does, and classifies characters and white space as
 * Python 3.11 does (Unicode 14.0). */

/* Appends repr() of a str. Bytes that are not valid UTF-8 are treated as U+FFFD. */
void eti__python_add_str(eti_buffer *out, eti_text text);

/* Appends repr() of bytes, such as b'...'. */
void eti__python_add_bytes(eti_buffer *out, eti_text bytes);

/* Return Python's str.isprintable() and str.isspace() for one character. */
bool eti__python_is_printable(uint32_t code_point);
bool eti__python_is_space(uint32_t code_point);

/* Returns str.strip(): the text without white space at its ends. */
eti_text eti__python_strip(eti_text text);

/* Returns the text without the characters that int() and float() strip: the same, except for U+001C to U+001F, which they
 * do not accept. */
eti_text eti__python_strip_number(eti_text text);

#endif
