/*
 * input.h - opens the inputs that users give and decides their kind: a gzip file stands for its contents, and a journal for
 * its ETDump. An opened file keeps its kind and its packing; its readers verify it, but do not determine its kind again.
 */
#ifndef ETI_READ_INPUT_H
#define ETI_READ_INPUT_H

#include "base/files.h"

/* Opens an input of the kind `expected`: ETI_FILE_ETDUMP (or a log of a device), ETI_FILE_ETRECORD, ETI_FILE_PROGRAM (or a
 * bundled program), ETI_FILE_DATA. ETI_FILE_UNKNOWN, ETI_FILE_BASELINE: an input of any kind. The contents of a gzip file, or
 * the ETDump of a journal, replace the file's bytes. A file (not bytes in memory) that is no input is rejected after reading
 * only its beginning: up to ETI_LOG_MOST_BEFORE bytes of a text, otherwise 4 KiB. ETI_ERROR_MALFORMED: it is of another kind,
 * or the gzip file is damaged; ETI_ERROR_LIMIT: the gzip file contains more than 256 KiB plus 64 times its size, or more
 * than 4 GiB. */
eti_status eti__input_open(struct eti_file *out, const eti_source *source, eti_file_kind expected,
                           eti_error *err) ETI_WARN_UNUSED;

/* Returns ETI_ERROR_MALFORMED if the opened file is not of the kind `expected`, which is as above; an ETDump may not be a
 * log. */
eti_status eti__input_expect(const struct eti_file *file, eti_file_kind expected,
                             eti_error *err) ETI_WARN_UNUSED;

/* Opens any file. At most 64 KiB of a device are read; ETI_ERROR_MALFORMED if it has more. */
eti_status eti__input_open_any(struct eti_file *out, const eti_source *source,
                               eti_error *err) ETI_WARN_UNUSED;

/* Opens any file and leaves it packed. */
eti_status eti__input_open_unchanged(struct eti_file *out, const eti_source *source,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Opens a debug buffer, which may contain any bytes: a file that is not an intact gzip file is used unchanged. If it is
 * the log of a device, its first debug buffer is used. */
eti_status eti__input_open_debug_buffer(struct eti_file *out, const eti_source *source,
                                        eti_error *err) ETI_WARN_UNUSED;

#endif
