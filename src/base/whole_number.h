/*
 * whole_number.h - reads whole numbers in decimal, without sign and blanks.
 */
#ifndef ETI_BASE_WHOLE_NUMBER_H
#define ETI_BASE_WHOLE_NUMBER_H

#include "base/status.h"

/* Takes a number up to `end`; false: there is no number, or it is above `most`. */
bool eti__take_u64(const char **at, const char *end, uint64_t most, uint64_t *out);
/* Reads a number that fills the text. */
bool eti__read_u64(eti_text text, uint64_t most, uint64_t *out);

#endif
