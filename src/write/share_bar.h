/*
 * share_bar.h - turns shares into bars and colours, so that large shares stand out.
 */
#ifndef ETI_WRITE_SHARE_BAR_H
#define ETI_WRITE_SHARE_BAR_H

#include "base/output.h"

#define ETI_COLOR_END "\033[0m"

/* Returns the escape sequence that begins the colour of a share: bold red from a quarter, red from a tenth, yellow from 3 %;
 * "": none. */
const char *eti__share_color(double share);

/* Writes a bar of `share` x `width` columns, in eighths of a column, or in "#" where `is_ascii`. Returns the number of
 * columns written, <= width. Shares below 0 and NaN count as 0, shares above 1 as 1. */
size_t eti__add_share_bar(eti_output *output, double share, size_t width, bool is_ascii);

/* Returns the size of the lines of a tree at the start of a text, "│  ├─ " or "|  |- ", which are not coloured. */
size_t eti__branches_size(eti_text text);

#endif
