/*
 * runner_log.h - extracts the ETDumps and debug buffers that were printed to the log of a device.
 */
#ifndef ETI_READ_RUNNER_LOG_H
#define ETI_READ_RUNNER_LOG_H

#include "base/files.h"
#include "etinspect.h"

/* Replaces the log by its first debug buffer; a log without one is unchanged. */
eti_status eti__runner_log_take_debug_buffer(struct eti_file *log, eti_error *err) ETI_WARN_UNUSED;

#endif
