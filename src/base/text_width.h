/*
 * text_width.h - the number of terminal columns that a text takes, and text shortened to fit.
 *
 * East Asian wide characters take two columns, combining marks none; bytes that are not UTF-8 take the width of the U+FFFD
 * that is shown for them. The caller handles control characters.
 */
#ifndef ETI_BASE_TEXT_WIDTH_H
#define ETI_BASE_TEXT_WIDTH_H

#include "base/text.h"

/* Returns 0, 1 or 2. */
size_t eti__character_width(uint32_t code_point);

size_t eti__text_width(eti_text text);

/* Appends `text` if it is at most `width` columns wide, and otherwise its beginning and its end with `gap` between them,
 * at most `width` columns in total. The end is kept because it distinguishes names as often as the beginning. */
void eti__add_folded(eti_buffer *out, eti_text text, size_t width, const char *gap);

#endif
