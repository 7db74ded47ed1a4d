/*
 * python_text.h - formats text and bytes as Python's repr() does, and classifies characters and white space as Python 3.11
 * does (Unicode 14.0).
 */
#ifndef ETI_BASE_PYTHON_TEXT_H
#define ETI_BASE_PYTHON_TEXT_H

#include "base/text.h"

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
