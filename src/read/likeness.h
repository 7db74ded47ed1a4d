/*
 * likeness.h - describes a file that is not an input, for the message that rejects it.
 */
#ifndef ETI_READ_LIKENESS_H
#define ETI_READ_LIKENESS_H

#include "base/status.h"

#include <stdbool.h>

#define ETI_HOW_TO_MAKE_A_RECORD                                                                   \
    "an ETRecord is made with generate_etrecord when a model is exported"

/* Fills `err` with a description of the file called `name`, judging by its first bytes, and with advice on what to give
 * instead. `expected`: ETI_FILE_UNKNOWN if any input is accepted. `is_unpacked`: the bytes come from a gzip file. Returns
 * ETI_ERROR_MALFORMED. */
eti_status eti__fail_likeness(eti_error *err, const char *name, eti_file_kind expected,
                              bool is_unpacked, const void *data, size_t size) ETI_WARN_UNUSED;

/* Returns whether it is a ZIP other than an ETRecord, judging by the name of its first member. */
bool eti__is_other_zip(const void *data, size_t size);

/* Describes the bytes in a phrase such as "a PNG image"; NULL if they are unlike any known format. */
const char *eti__likeness_of(const void *data, size_t size);

#endif
