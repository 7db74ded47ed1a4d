/*
 * text.h - text for a screen: paragraphs, bars, maps of ranges.
 */
#ifndef ETI_WRITE_TEXT_H
#define ETI_WRITE_TEXT_H

#include "base/output.h"
#include "base/text.h"
#include "etinspect.h"
#include "write/write.h"

/* ==== paragraph =============================================================================== */
/* Turns a text into lines that fit a screen. */

/* Writes the words of a text, broken at blanks to fit the screen, and a line break. A number and its unit stay
 * together. `width`: columns; 0: any number. */
void eti__add_paragraph(eti_output *output, eti_text text, size_t width);

/* ==== range map =============================================================================== */
/* Turns ranges of bytes into a line of characters, darker where more of the bytes are in a range:
 * "██▒  ░██". */

/* Returns the end of the last range of a cell; 0: there is none. */
uint64_t eti__ranges_end(const eti_cell *cell);

/* Appends `width` characters for the bytes [0, whole), without blanks at the end. The cell's ranges are in order and do not
 * overlap. `is_ascii`: characters of ASCII in place of blocks. width >= 1. */
void eti__add_range_map(eti_buffer *out, const eti_cell *cell, uint64_t whole, size_t width,
                        bool is_ascii);

/* ==== screen ================================================================================== */
/* Determines the width, characters and colours for an output from its kind and the user's options. */

typedef struct eti_screen {
    size_t width; /* columns; 0: any number, as in a file or a pipe */
    bool is_terminal;
    bool has_color;
    bool has_utf8; /* false: ASCII only */
} eti_screen;

/* Returns the properties of the screen. Properties that `options` and the output leave open are
 * taken from environment variables: COLUMNS; NO_COLOR, CLICOLOR_FORCE and TERM; LC_ALL, LC_CTYPE
 * and LANG. */
eti_screen eti__screen_of(const eti_output *output, const eti_write_options *options);

/* ==== share bar =============================================================================== */
/* Turns shares into bars and colours, so that large shares stand out. */

/* Returns the escape sequence that begins the colour of a share: bold red from a quarter, red from a tenth, yellow from 3 %;
 * "": none. */
const char *eti__share_color(double share);

/* Writes a bar of `share` x `width` columns, in eighths of a column, or in "#" where `is_ascii`. Returns the number of
 * columns written, <= width. Shares below 0 and NaN count as 0, shares above 1 as 1. */
size_t eti__add_share_bar(eti_output *output, double share, size_t width, bool is_ascii);

/* Returns the size of the lines of a tree at the start of a text, "│  ├─ " or "|  |- ", which are not coloured. */
size_t eti__branches_size(eti_text text);

#endif
