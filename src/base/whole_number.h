/*
 * whole_number.h - reads unsigned decimal integers without sign or blanks.
 */
#ifndef ETI_BASE_WHOLE_NUMBER_H
#define ETI_BASE_WHOLE_NUMBER_H

#include "base/status.h"

/* Takes a number off the text at `*at`, which ends at `end`. Returns false if there is no number, or if it exceeds
 * `most`. */
bool eti__take_u64(const char **at, const char *end, uint64_t most, uint64_t *out);
/* Reads a number that must fill the text. */
bool eti__read_u64(eti_text text, uint64_t most, uint64_t *out);

#endif
