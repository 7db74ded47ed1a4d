/*
 * percent.h - formats shares and changes as percentages, in one form for all reports, whatever the locale.
 */
#ifndef ETI_BASE_PERCENT_H
#define ETI_BASE_PERCENT_H

#include "base/text.h"

#define ETI_PERCENT_MAX 48 /* in bytes; all characters are ASCII */

/* Writes a change (0.123 as "+12.3 %") and returns its length; from 1000 % on it has no decimals. Writes "unknown" if it
 * is not finite. */
size_t eti__write_change(char out[ETI_PERCENT_MAX], double change);
/* Writes a share in the same form, without a plus sign: "12.3 %". */
size_t eti__write_share(char out[ETI_PERCENT_MAX], double share);

/* Append the same text. */
void eti__add_change(eti_buffer *out, double change);
void eti__add_share(eti_buffer *out, double share);

#endif
