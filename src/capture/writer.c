/*
 * writer.c - numbers become little-endian bytes, whatever the order of the machine.
 */
#include "capture/writer.h"

static void write_sink(etc_writer *w, const void *data, size_t size) {
    if (size && !w->has_failed)
        w->has_failed = w->sink.write(w->sink.context, data, size) != 0;
}

etc_status etc__flush(etc_writer *w) {
    write_sink(w, w->buffer, w->n_buffered);
    w->n_buffered = 0;
    return w->has_failed ? ETC_IO : ETC_OK;
}

void etc__put_bytes(etc_writer *w, const void *data, size_t size) {
    w->position += (uint32_t)size;
    if (w->is_counting)
        return;
    if (size > sizeof w->buffer - w->n_buffered) {
        etc__flush(w);
        if (size > sizeof w->buffer) {
            write_sink(w, data, size);
            return;
        }
    }
    memcpy(w->buffer + w->n_buffered, data, size);
    w->n_buffered = (uint8_t)(w->n_buffered + size);
}

void etc__put_u16(etc_writer *w, uint16_t value) {
    uint8_t bytes[] = {(uint8_t)value, (uint8_t)(value >> 8)};
    etc__put_bytes(w, bytes, sizeof bytes);
}

void etc__put_u64(etc_writer *w, uint64_t value) {
    etc__put_u32(w, (uint32_t)value);
    etc__put_u32(w, (uint32_t)(value >> 32));
}

void etc__pad(etc_writer *w, uint32_t unit) {
    static const uint8_t zeros[8] = {0};
    etc__put_bytes(w, zeros, (size_t)(-w->position & (unit - 1)));
}
