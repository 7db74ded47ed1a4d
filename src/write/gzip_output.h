/*
 * gzip_output.h - compresses what is written to a file (RFC 1952). The same bytes give the same file.
 */
#ifndef ETI_WRITE_GZIP_OUTPUT_H
#define ETI_WRITE_GZIP_OUTPUT_H

#include "base/files/atomic_file.h"

typedef struct eti_gzip eti_gzip;

/* Opens `*output`, which writes its bytes, compressed, to a file at `path`, as eti__output_open()
 * does. ETI_ERROR_WRITE, ETI_ERROR_MEMORY, with nothing left to free. */
eti_status eti__gzip_open(eti_gzip **out, eti_output **output, const char *path,
                          eti_error *err) ETI_WARN_UNUSED;

/* Returns the file, for settings of it. */
eti_output *eti__gzip_file(eti_gzip *gzip);

/* Ends the file once the output was committed, and frees `gzip`; puts it in place if `is_written`. */
eti_status eti__gzip_close(eti_gzip *gzip, bool is_written, eti_error *err) ETI_WARN_UNUSED;

#endif
