/*
 * writer.c - bytes go to a sink through a buffer.
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
    if (w->is_counting) {
        w->position += (uint32_t)size;
    } else if (size <= ETC_BUFFER_SIZE) {
        memcpy(etc__claim(w, (uint32_t)size), data, size);
    } else {
        etc__flush(w);
        write_sink(w, data, size);
        w->position += (uint32_t)size;
    }
}

void etc__pad(etc_writer *w) {
    static const uint8_t zeros[8] = {0};
    etc__put_bytes(w, zeros, (size_t)(-w->position & 7));
}
