/*
 * gzip.h - turns a gzip file (RFC 1952) into the bytes it holds.
 */
#ifndef ETI_READ_WRAPPED_GZIP_H
#define ETI_READ_WRAPPED_GZIP_H

#include "base/files/file.h"

/* Whether it begins like one. */
bool eti__gzip_begins(const struct eti_file *file);

/* The first bytes that come out of a file of which `file` may hold only the beginning: up to `most` of them, and of
 * those, as many as eti__gzip_read() would take. The caller frees `*out`. ETI_ERROR_MALFORMED: it is damaged;
 * ETI_ERROR_MEMORY. */
eti_status eti__gzip_peek(uint8_t **out, size_t *size, const struct eti_file *file, size_t most,
                          eti_error *err) ETI_WARN_UNUSED;

/* All members of the file, one after the other, as gzip -d gives them. The caller frees `*out`.
 * ETI_ERROR_MALFORMED, ETI_ERROR_LIMIT: see eti_file_unwrap(); ETI_ERROR_MEMORY. */
eti_status eti__gzip_read(uint8_t **out, size_t *size, const struct eti_file *file,
                          eti_error *err) ETI_WARN_UNUSED;

#endif
