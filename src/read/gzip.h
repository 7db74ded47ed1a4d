/*
 * gzip.h - turns a gzip file (RFC 1952) into the bytes it holds.
 */
#ifndef ETI_READ_GZIP_H
#define ETI_READ_GZIP_H

#include "base/file.h"

/* Whether it begins like one. */
bool eti__gzip_begins(const struct eti_file *file);

/* All members of the file, one after the other, as gzip -d gives them. The caller frees `*out`.
 * ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT: see eti_file_unwrap(); ETI_ERROR_MEMORY. */
eti_status eti__gzip_read(uint8_t **out, size_t *size, const struct eti_file *file,
                          eti_error *err) ETI_WARN_UNUSED;

#endif
