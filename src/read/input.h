/*
 * input.h - opens what users give as inputs: a gzip file stands for what it holds.
 */
#ifndef ETI_READ_INPUT_H
#define ETI_READ_INPUT_H

#include "base/file.h"

/* eti__file_open_source(), and what a gzip file holds in place of it. ETI_ERROR_MALFORMED: it is damaged;
 * ETI_ERROR_LIMIT: it holds more than 256 KiB and 64 times its size, or than 4 GiB. */
eti_status eti__input_open(struct eti_file *out, const eti_source *source,
                           eti_error *err) ETI_WARN_UNUSED;

/* Does the same for a debug buffer, whose bytes may be anything: a file that is not intact gzip is
 * taken as it is. Of the log of a device, the first debug buffer is taken. */
eti_status eti__input_open_debug_buffer(struct eti_file *out, const eti_source *source,
                                        eti_error *err) ETI_WARN_UNUSED;

#endif
