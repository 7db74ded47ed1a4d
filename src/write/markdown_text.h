/*
 * markdown_text.h - puts text of somebody else's into Markdown so that it is shown as it is: no part of it is a mark, a
 * link or HTML, calls anybody or refers to anything on GitHub or GitLab.
 */
#ifndef ETI_WRITE_MARKDOWN_TEXT_H
#define ETI_WRITE_MARKDOWN_TEXT_H

#include "base/text.h"

/* Appends `text`, for a cell, a heading, the beginning of a line or an element of HTML. */
void eti__markdown_add_text(eti_buffer *out, eti_text text);

#endif
