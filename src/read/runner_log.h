/*
 * runner_log.h - turns the log of a device into the ETDumps and debug buffers that were printed on it.
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
 * libetcapture prints the same, and before the end a line by which losses show, with the CRC-32 of ZIP:
 *
 *     # etcapture bytes=12345 crc32=89abcdef lost=0 debug_bytes=70 debug_crc32=01234567
 *
 * They are read, never run. Terminals may have put line breaks into the base64 and carriage returns at the
 * ends of lines.
 */
#ifndef ETI_READ_RUNNER_LOG_H
#define ETI_READ_RUNNER_LOG_H

#include "base/files/file.h"

typedef struct eti_runner_log {
    struct eti_file *dumps; /* n_dumps, in the order of the log, called as the log and the line */
    size_t n_dumps, dump_capacity;
    struct eti_file *debug_buffers;
    size_t n_debug_buffers, debug_buffer_capacity;
    uint64_t n_events_lost; /* by devices, while they recorded */
} eti_runner_log;

/* Bytes of other text that may stand before the first such place. */
#define ETI_RUNNER_LOG_MOST_BEFORE ((size_t)64 << 20)

/* Whether it begins as a text does. */
bool eti__runner_log_may_be(const void *data, size_t size);

/* Whether it is a text with such a place in it. */
bool eti__runner_log_is(const void *data, size_t size);

/* Reads all places. The caller frees `out`. ETI_ERROR_MALFORMED: nothing was printed there, or what was is cut, no
 * base64, or not what the device says that it printed; ETI_ERROR_MEMORY. */
eti_status eti__runner_log_read(eti_runner_log *out, const struct eti_file *log,
                                eti_error *err) ETI_WARN_UNUSED;

/* Files that were taken must be zeros. */
void eti__runner_log_free(eti_runner_log *log);

/* Puts the first debug buffer of the log in place of it; a log without one stays as it is. */
eti_status eti__runner_log_take_debug_buffer(struct eti_file *log, eti_error *err) ETI_WARN_UNUSED;

#endif
