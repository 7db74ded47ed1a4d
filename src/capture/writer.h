/*
 * writer.h - a file that is written front to back: numbers become bytes, and bytes go to a sink.
 *
 * The place of each byte is known before; while counting nothing is written.
 */
#ifndef ETC_CAPTURE_WRITER_H
#define ETC_CAPTURE_WRITER_H

#include "capture/capture.h"

typedef struct etc_writer {
    etc_sink sink;
    uint64_t position;
    bool is_counting;
    bool has_failed;
    uint8_t n_buffered;
    uint8_t buffer[128];
} etc_writer;

void etc__put_bytes(etc_writer *w, const void *data, size_t size);
void etc__put_u16(etc_writer *w, uint16_t value);
void etc__put_u32(etc_writer *w, uint32_t value);
void etc__put_u64(etc_writer *w, uint64_t value);
/* Writes zeros up to a multiple of `unit`, which is a power of two. */
void etc__pad(etc_writer *w, uint32_t unit);
/* Writes what is still buffered. Returns ETC_IO if any write failed. */
etc_status etc__flush(etc_writer *w);

#endif
