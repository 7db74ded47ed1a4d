/*
 * gzip_output.h - compresses the output to a file (RFC 1952). The same bytes give the same file.
 */
#ifndef ETI_WRITE_GZIP_OUTPUT_H
#define ETI_WRITE_GZIP_OUTPUT_H

#include "base/output.h"

typedef struct eti_gzip eti_gzip;

/* Opens `*output`, which writes its bytes, compressed, to a file at `path`, as eti__output_open()
 * does. ETI_ERROR_WRITE, ETI_ERROR_MEMORY, with nothing left to free. */
eti_status eti__gzip_open(eti_gzip **out, eti_output **output, const char *path,
                          eti_error *err) ETI_WARN_UNUSED;

/* Returns the file, so that it can be configured. */
eti_output *eti__gzip_file(eti_gzip *gzip);

/* Finishes the file once the output was committed, and frees `gzip`; puts the file in place if `is_written`. */
eti_status eti__gzip_close(eti_gzip *gzip, bool is_written, eti_error *err) ETI_WARN_UNUSED;

#endif
