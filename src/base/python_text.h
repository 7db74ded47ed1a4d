/*
 * python_text.h - turns text and bytes into what Python's repr() prints for them, and knows
 * characters and white space as Python 3.11 does (Unicode 14.0).
 */
#ifndef ETI_BASE_PYTHON_TEXT_H
#define ETI_BASE_PYTHON_TEXT_H

#include "base/text.h"

/* Appends repr() of a str. Bytes that are not valid UTF-8 count as U+FFFD. */
void eti__python_add_str(eti_buffer *out, eti_text text);

/* Appends repr() of bytes: b'...' */
void eti__python_add_bytes(eti_buffer *out, eti_text bytes);

/* Return str.isprintable() and str.isspace() of Python for one character. */
bool eti__python_is_printable(uint32_t code_point);
bool eti__python_is_space(uint32_t code_point);

/* Returns str.strip(): the view without the white space at its ends. */
eti_text eti__python_strip(eti_text text);

/* Characters stripped by int() and float(): the same except for U+001C to U+001F, which they do not accept. */
eti_text eti__python_strip_number(eti_text text);

#endif
