/*
 * kind.h - the kind of a file by its first bytes, and the message that rejects a file of another kind.
 */
#ifndef ETI_READ_KIND_H
#define ETI_READ_KIND_H

#include "etinspect.h"

#include <stdbool.h>

/* Begins each place in the log of a device from which files are extracted. */
#define ETI_LOG_MARK "#[RUN THIS]"

/* Number of bytes of other text that may precede the first such place. */
#define ETI_LOG_MOST_BEFORE ((size_t)64 << 20)

/* The first bytes of a file, or of the contents of a gzip file. */
typedef struct eti_beginning {
    const char *name; /* of the file */
    const void *data;
    size_t size;
    eti_file_kind kind; /* of these bytes: see eti_file_kind_of() */
    bool is_unpacked;   /* from a gzip file */
} eti_beginning;

/* Returns whether the data begin like a gzip file. */
bool eti__kind_is_gzip(const void *data, size_t size);

/* Returns whether the data begin like text, so that the log of a device may follow. */
bool eti__kind_may_be_log(const void *data, size_t size);

/* Returns whether it is a ZIP other than an ETRecord, judging by the name of its first member. */
bool eti__kind_is_other_zip(const void *data, size_t size);

/* Returns the end of an ETDump according to its size prefix; 0: it has none. */
uint64_t eti__kind_prefixed_end(const void *data, size_t size);

/* Fills `err` with a description of the file, and with advice on what to give instead. `expected`: ETI_FILE_UNKNOWN if any
 * input is accepted. Returns ETI_ERROR_MALFORMED. */
eti_status eti__fail_likeness(eti_error *err, const eti_beginning *beginning,
                              eti_file_kind expected) ETI_WARN_UNUSED;

#endif
