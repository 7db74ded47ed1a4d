/*
 * writer.c - bytes go to a sink through a buffer.
 */
#include "capture/writer.h"

/* Defines the functions that are not inlined. */
#if !ETC_IS_FAST
extern inline uint8_t *etc__claim(etc_writer *w, uint32_t size);
extern inline void etc__put_words(etc_writer *w, const uint32_t *words, uint32_t n);
extern inline void etc__put_u32(etc_writer *w, uint32_t value);
#endif

static void write_sink(etc_writer *w, const void *data, size_t size) {
    if (size && !w->has_failed)
        w->has_failed = w->sink.write(w->sink.context, data, size) != 0;
}

#if !ETC_IS_FAST
uint32_t etc__divide(uint64_t *number, uint32_t divisor) {
    uint32_t rest = 0;
    for (unsigned i = 0; i < 64; i++) {
        bool is_larger = rest >> 31; /* than any divisor, once the next bit is added */
        rest = rest << 1 | (uint32_t)(*number >> 63);
        *number <<= 1;
        if (is_larger || rest >= divisor) {
            rest -= divisor;
            *number |= 1;
        }
    }
    return rest;
}
#endif

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
