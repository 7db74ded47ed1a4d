/*
 * percent.h - turns shares and changes into percentages: one form for all reports, whatever the locale.
 */
#ifndef ETI_BASE_PERCENT_H
#define ETI_BASE_PERCENT_H

#include "base/text.h"

#define ETI_PERCENT_MAX 48 /* bytes; all of them ASCII */

/* Writes a change, 0.123 as "+12.3 %", and returns its length; without decimals from 1000 % on;
 * "unknown" if it is not finite. */
size_t eti__write_change(char out[ETI_PERCENT_MAX], double change);
/* Writes a share in the same way, without a plus: "12.3 %". */
size_t eti__write_share(char out[ETI_PERCENT_MAX], double share);

/* Appends them. */
void eti__add_change(eti_buffer *out, double change);
void eti__add_share(eti_buffer *out, double share);

#endif
