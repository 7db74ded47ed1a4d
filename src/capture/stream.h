/*
 * stream.h - runs that are sent while the program records, in packets:
 *
 *     head | a journal of some runs, see journal.h | CRC-32 of size, sequence, lost and the journal, little-endian
 *
 * The journal has only what a reader needs: the fields of the state, most of which are 0, the records, and the names.
 */
#ifndef ETC_CAPTURE_STREAM_H
#define ETC_CAPTURE_STREAM_H

#include "capture/journal.h"

#define ETC_STREAM_MAGIC_SIZE 8u

typedef struct etc_stream_head {
    uint8_t magic[ETC_STREAM_MAGIC_SIZE];
    uint8_t size[4];     /* of the journal; like the other numbers little-endian */
    uint8_t sequence[4]; /* number of the packet, from 0 */
    uint8_t lost[4];     /* number of runs that the program could not send so far */
} etc_stream_head;

enum { ETC_STREAM_CRC_SIZE = 4 };

#if ETC_HOSTED
static inline uint32_t etc__get_u32(const uint8_t *bytes) {
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

/* Returns whether bytes contain a packet of a stream, which may follow other bytes. */
bool etc__is_stream(const uint8_t *data, size_t size);
/* Makes a capture of the runs of a stream, as etc_open_recovered_memory() does. */
etc_status etc__open_stream(etc_capture **out, const uint8_t *data, size_t size);
#endif

#endif
