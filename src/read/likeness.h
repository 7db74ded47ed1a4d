/*
 * likeness.h - describes a file that is not an input, for the message that refuses it.
 */
#ifndef ETI_READ_LIKENESS_H
#define ETI_READ_LIKENESS_H

#include "base/status.h"

#include <stdbool.h>

#define ETI_HOW_TO_MAKE_A_RECORD                                                                   \
    "an ETRecord is made with generate_etrecord when a model is exported"

/* Fills `err` with a description of the file called `name`, judged by its first bytes, and what to give instead. `expected`:
 * ETI_FILE_UNKNOWN if it may be any input. `is_unpacked`: the bytes came out of a gzip file. Returns
 * ETI_ERROR_MALFORMED. */
eti_status eti__fail_likeness(eti_error *err, const char *name, eti_file_kind expected,
                              bool is_unpacked, const void *data, size_t size) ETI_WARN_UNUSED;

/* Whether it is a ZIP that is not an ETRecord, judged by the name of its first member. */
bool eti__is_other_zip(const void *data, size_t size);

/* Describes the bytes in half a sentence ("a PNG image"); NULL: unlike any format known. */
const char *eti__likeness_of(const void *data, size_t size);

#endif
