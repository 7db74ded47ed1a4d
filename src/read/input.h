/*
 * input.h - opens the inputs that users give: a gzip file stands for its contents, and a journal for its ETDump.
 */
#ifndef ETI_READ_INPUT_H
#define ETI_READ_INPUT_H

#include "base/files/file.h"

/* Opens an ETDump, an ETRecord, a log or a baseline (`expected` names the kind for messages; ETI_FILE_UNKNOWN: any). The
 * contents of a gzip file, or the ETDump of a journal, replace the file's bytes. A file (not bytes in memory) of another
 * kind is rejected after reading only its beginning: up to ETI_RUNNER_LOG_MOST_BEFORE bytes of a text, otherwise 4 KiB.
 * ETI_ERROR_MALFORMED: it is of another kind, or the gzip file is damaged; ETI_ERROR_LIMIT: the gzip file contains more
 * than 256 KiB plus 64 times its size, or more than 4 GiB. */
eti_status eti__input_open(struct eti_file *out, const eti_source *source, eti_file_kind expected,
                           eti_error *err) ETI_WARN_UNUSED;

/* Opens any file. At most 64 KiB of a device are read; ETI_ERROR_MALFORMED if it has more. */
eti_status eti__input_open_any(struct eti_file *out, const eti_source *source,
                               eti_error *err) ETI_WARN_UNUSED;

/* Opens a debug buffer, which may contain any bytes: a file that is not an intact gzip file is used unchanged. If it is
 * the log of a device, its first debug buffer is used. */
eti_status eti__input_open_debug_buffer(struct eti_file *out, const eti_source *source,
                                        eti_error *err) ETI_WARN_UNUSED;

#endif
