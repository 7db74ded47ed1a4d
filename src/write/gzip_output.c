#include "write/gzip_output.h"

#include <stdlib.h>
#include <zlib.h>

#define GZIP_WINDOW                                                                                \
    (15 + 16) /* value with which zlib writes gzip's header and uses its largest window */
#define MEMORY_LEVEL 8
#define MOST_AT_ONCE ((size_t)1 << 30) /* fits zlib's counters */

struct eti_gzip {
    eti_output *file;
    z_stream stream;
    unsigned char out[1 << 16];
};

/* Compresses the buffered bytes; if `flush` is Z_FINISH, also writes the bytes that zlib holds
 * back. */
static bool deflate_all(eti_gzip *gzip, int flush) {
    z_stream *stream = &gzip->stream;
    do {
        stream->next_out = gzip->out;
        stream->avail_out = sizeof gzip->out;
        if (deflate(stream, flush) == Z_STREAM_ERROR)
            return false;
        eti__output_add(gzip->file, gzip->out, sizeof gzip->out - stream->avail_out);
    } while (stream->avail_out == 0);
    return !eti__output_failed(gzip->file);
}

static bool write_compressed(void *context, const void *data, size_t size) {
    eti_gzip *gzip = context;
    const unsigned char *at = data;
    for (size_t n; size > 0; at += n, size -= n) {
        n = size < MOST_AT_ONCE ? size : MOST_AT_ONCE;
        gzip->stream.next_in = (unsigned char *)at;
        gzip->stream.avail_in = (unsigned)n;
        if (!deflate_all(gzip, Z_NO_FLUSH))
            return false;
    }
    return true;
}

eti_status eti__gzip_open(eti_gzip **out, eti_output **output, const char *path, eti_error *err) {
    eti_gzip *gzip = calloc(1, sizeof *gzip);
    *out = NULL;
    if (!gzip || deflateInit2(&gzip->stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW,
                              MEMORY_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
        free(gzip);
        return eti_fail_memory(err);
    }
    eti_status status = eti__output_open(&gzip->file, path, err);
    if (status == ETI_OK)
        status = eti__output_open_function(output, write_compressed, gzip, err);
    if (status == ETI_OK) {
        *out = gzip;
        return ETI_OK;
    }
    eti__output_discard(gzip->file);
    deflateEnd(&gzip->stream);
    free(gzip);
    return status;
}

eti_output *eti__gzip_file(eti_gzip *gzip) {
    return gzip->file;
}

eti_status eti__gzip_close(eti_gzip *gzip, bool is_written, eti_error *err) {
    eti_status status = ETI_OK;
    bool is_complete = is_written && deflate_all(gzip, Z_FINISH);
    if (is_complete || (is_written && eti__output_failed(gzip->file))) {
        status = eti__output_commit(gzip->file, err);
    } else if (is_written) {
        status = eti_fail(err, ETI_ERROR_WRITE, "zlib could not compress the file");
        eti__output_discard(gzip->file);
    } else {
        eti__output_discard(gzip->file);
    }
    deflateEnd(&gzip->stream);
    free(gzip);
    return status;
}
