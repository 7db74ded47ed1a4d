/*
 * input.h - opens what users give as inputs: a gzip file stands for what it holds, and a journal for its
 * ETDump.
 */
#ifndef ETI_READ_INPUT_H
#define ETI_READ_INPUT_H

#include "base/files/file.h"

/* Opens an ETDump, an ETRecord, a log or a baseline (`expected` says which, for messages; ETI_FILE_UNKNOWN: any); the file then holds what was in a gzip file or a journal in place of it. A
 * file (not bytes in memory) of another kind is refused before more than its beginning is read: of a text
 * ETI_RUNNER_LOG_MOST_BEFORE bytes, else 4 KiB. ETI_ERROR_MALFORMED: it is one of those, or the gzip file is
 * damaged; ETI_ERROR_LIMIT: that holds more than 256 KiB and 64 times its size, or than 4 GiB. */
eti_status eti__input_open(struct eti_file *out, const eti_source *source, eti_file_kind expected,
                           eti_error *err) ETI_WARN_UNUSED;

/* Opens whatever the bytes are. Of a device no more than 64 KiB are read: ETI_ERROR_MALFORMED. */
eti_status eti__input_open_any(struct eti_file *out, const eti_source *source,
                               eti_error *err) ETI_WARN_UNUSED;

/* Opens a debug buffer, whose bytes may be anything: a file that is not intact gzip is
 * taken as it is. Of the log of a device, the first debug buffer is taken. */
eti_status eti__input_open_debug_buffer(struct eti_file *out, const eti_source *source,
                                        eti_error *err) ETI_WARN_UNUSED;

#endif
