/*
 * markdown.h - puts untrusted text into Markdown so that it is shown literally: no part of it
 * becomes markup, a link, HTML, or a mention or reference on GitHub or GitLab.
 */
#ifndef ETI_WRITE_MARKDOWN_H
#define ETI_WRITE_MARKDOWN_H

#include "base/text.h"
#include "etinspect.h"

/* Appends `text`, for a cell, a heading, the beginning of a line or an element of HTML. */
void eti__markdown_add_text(eti_buffer *out, eti_text text);

#endif
