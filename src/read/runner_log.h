/*
 * runner_log.h - extracts the ETDumps and debug buffers that were printed to the log of a device.
 *
 * ExecuTorch's runner for Arm boards (examples/arm/executor_runner) has no file system. It prints shell
 * commands for the user to run instead:
 *
 *     #[RUN THIS]
 *     # Writing debug_buffer.bin [base64]
 *     echo "AAAA..." | base64 -d >debug_buffer.bin
 *     # Writing etdump.bin [base64]
 *     echo "BBBB..." | base64 -d >etdump.bin
 *     #[END]
 *
 * libetcapture prints the same commands, and before the end a line that reveals losses, with the CRC-32 used by ZIP:
 *
 *     # etcapture bytes=12345 crc32=89abcdef lost=0 debug_bytes=70 debug_crc32=01234567
 *
 * The commands are read, never run. Terminals may have inserted line breaks into the base64, and carriage returns at
 * the ends of lines.
 */
#ifndef ETI_READ_RUNNER_LOG_H
#define ETI_READ_RUNNER_LOG_H

#include "base/files.h"

typedef struct eti_runner_log {
    struct eti_file *
        dumps; /* n_dumps of them, in the order of the log; each is named after the log and its line */
    size_t n_dumps, dump_capacity;
    struct eti_file *debug_buffers;
    size_t n_debug_buffers, debug_buffer_capacity;
    /* Lost by devices while recording. A device prints the number since it made its capture: if the number did not shrink
     * since the print before, the difference is added. */
    uint64_t n_events_lost;
} eti_runner_log;

/* Reads all places. The caller frees `out`. ETI_ERROR_MALFORMED: nothing was printed there, or it is truncated, not
 * base64, or does not match the device's size and checksum; ETI_ERROR_MEMORY. */
eti_status eti__runner_log_read(eti_runner_log *out, const struct eti_file *log,
                                eti_error *err) ETI_WARN_UNUSED;

/* Frees the log; files that were taken from it must be set to zeros. */
void eti__runner_log_free(eti_runner_log *log);

/* Replaces the log by its first debug buffer; a log without one is unchanged. */
eti_status eti__runner_log_take_debug_buffer(struct eti_file *log, eti_error *err) ETI_WARN_UNUSED;

#endif
