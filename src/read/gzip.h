/*
 * gzip.h - reads the contents of a gzip file (RFC 1952).
 */
#ifndef ETI_READ_GZIP_H
#define ETI_READ_GZIP_H

#include "base/files.h"

/* Inflates the first bytes of a file of which `file` may contain only the beginning: up to `most` bytes, but no more than
 * eti__gzip_read() would accept. The caller frees `*out`. ETI_ERROR_MALFORMED: it is damaged; ETI_ERROR_MEMORY. */
eti_status eti__gzip_peek(uint8_t **out, size_t *size, const struct eti_file *file, size_t most,
                          eti_error *err) ETI_WARN_UNUSED;

/* Inflates all members of the file, one after the other, as gzip -d does. The caller frees `*out`. ETI_ERROR_MALFORMED,
 * ETI_ERROR_LIMIT: see eti_file_unwrap(); ETI_ERROR_MEMORY. */
eti_status eti__gzip_read(uint8_t **out, size_t *size, const struct eti_file *file,
                          eti_error *err) ETI_WARN_UNUSED;

#endif
