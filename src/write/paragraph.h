/*
 * paragraph.h - turns a text into lines that fit a screen.
 */
#ifndef ETI_WRITE_PARAGRAPH_H
#define ETI_WRITE_PARAGRAPH_H

#include "base/output.h"

/* Writes the words of a text, broken at blanks to fit the screen, and a line break. A number and its % stay together.
 * `width`: columns; 0: any number. */
void eti__add_paragraph(eti_output *output, eti_text text, size_t width);

#endif
