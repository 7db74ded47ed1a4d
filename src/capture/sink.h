/*
 * sink.h - a wire on which files are sent as text.
 */
#ifndef ETC_CAPTURE_SINK_H
#define ETC_CAPTURE_SINK_H

#include "capture/capture.h"

struct etc_wire {
    void (*put)(void *context, char character);
    void *context;
    uint32_t width, column; /* of base64; 0: any */
    uint32_t waiting;       /* bytes that do not yet make a group of three */
    unsigned n_waiting;
    uint64_t n_bytes;
    uint32_t crc;
    uint32_t debug_crc;
    uint64_t debug_bytes; /* of the contents of tensors; 0 without any */
};

/* Writes the shell command that makes `file` with the output of `save`, whose size and CRC are in the wire then. */
etc_status
etc__put_blob(etc_wire *w, const char *file, const etc_capture *c, const etc_save_options *options,
              etc_status (*save)(const etc_capture *, const etc_save_options *, etc_sink));
/* Writes a size and a CRC, with a text before each. */
void etc__put_check(etc_wire *w, const char *bytes, uint64_t n_bytes, const char *crc,
                    uint32_t value);

#endif
