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
    uint32_t position;
    bool is_counting;
    bool has_failed;
    uint8_t n_buffered;
    uint8_t buffer[128];
} etc_writer;

void etc__put_bytes(etc_writer *w, const void *data, size_t size);
/* Writes what is still buffered. Returns ETC_IO if any write failed. */
etc_status etc__flush(etc_writer *w);

ETC_FAST void etc__put_u32(etc_writer *w, uint32_t value) {
    w->position += 4;
    if (w->is_counting)
        return;
    if (w->n_buffered > sizeof w->buffer - 4)
        etc__flush(w);
    uint8_t *out = w->buffer + w->n_buffered;
    out[0] = (uint8_t)value;
    out[1] = (uint8_t)(value >> 8);
    out[2] = (uint8_t)(value >> 16);
    out[3] = (uint8_t)(value >> 24);
    w->n_buffered = (uint8_t)(w->n_buffered + 4);
}

void etc__put_u16(etc_writer *w, uint16_t value);
void etc__put_u64(etc_writer *w, uint64_t value);
/* Writes zeros up to a multiple of `unit`, which is a power of two. */
void etc__pad(etc_writer *w, uint32_t unit);

#endif
