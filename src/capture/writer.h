/*
 * writer.h - a file that is written front to back: bytes go to a sink through a buffer.
 *
 * The place of each byte is known in advance; while counting, nothing is written.
 */
#ifndef ETC_CAPTURE_WRITER_H
#define ETC_CAPTURE_WRITER_H

#include "capture/capture.h"

/* At least as large as any table. */
#if ETC_HOSTED && ETC_IS_FAST
#define ETC_BUFFER_SIZE 4096u
#elif ETC_IS_FAST
#define ETC_BUFFER_SIZE 128u
#else
#define ETC_BUFFER_SIZE 64u
#endif

typedef struct etc_writer {
    uint32_t position;
    bool is_counting;
    bool has_failed;
    uint32_t n_buffered;
    uint8_t *buffer; /* ETC_BUFFER_SIZE bytes */
    etc_sink sink;
} etc_writer;

void etc__put_bytes(etc_writer *w, const void *data, size_t size);
/* Writes the bytes that are still buffered. Returns ETC_IO if any write failed. */
etc_status etc__flush(etc_writer *w);
/* Writes zeros up to a multiple of 8. */
void etc__pad(etc_writer *w);

/* Returns the place for the next bytes, at most ETC_BUFFER_SIZE; they count as written. */
ETC_SHARED uint8_t *etc__claim(etc_writer *w, uint32_t size) {
    if (size > ETC_BUFFER_SIZE - w->n_buffered)
        etc__flush(w);
    uint8_t *out = w->buffer + w->n_buffered;
    w->position += size;
    w->n_buffered += size;
    return out;
}

/* Writes numbers of 32 bits, little-endian whatever the order of the machine. */
ETC_SHARED void etc__put_words(etc_writer *w, const uint32_t *words, uint32_t n) {
    if (w->is_counting) {
        w->position += 4 * n;
        return;
    }
    uint8_t *out = etc__claim(w, 4 * n);
#if ETC_IS_LITTLE
    memcpy(out, words, (size_t)4 * n);
#else
    for (uint32_t i = 0; i < 4 * n; i++)
        out[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
#endif
}

ETC_SHARED void etc__put_u32(etc_writer *w, uint32_t value) {
    etc__put_words(w, &value, 1);
}

#endif
