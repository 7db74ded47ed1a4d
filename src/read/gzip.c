#include "read/gzip.h"

#include "base/array.h"
#include "base/status.h"
#include "read/inflated.h"

#include <stdlib.h>
#include <zlib.h>

#define GZIP_WINDOW (15 + 16) /* zlib's parameter for gzip headers and the largest window */
#define STEP_BYTES ((size_t)64 << 10)

static size_t most_inflated(const struct eti_file *file) {
    return (size_t)eti__most_inflated(file->size, ETI_FILE_LARGEST_COPY);
}

/* State of inflation. */
typedef struct inflation {
    z_stream stream;
    const uint8_t *end; /* end of the file */
    uint8_t *bytes;
    size_t size, capacity, most;
} inflation;

/* Calls inflate() once, with room for its output. */
static int step(inflation *in) {
    size_t room = in->most - in->size < STEP_BYTES ? in->most - in->size + 1 : STEP_BYTES;
    if (!ETI_GROW(in->bytes, in->capacity, in->size + room))
        return Z_MEM_ERROR;
    in->stream.avail_in = eti__inflate_at_once((uint64_t)(in->end - in->stream.next_in));
    in->stream.next_out = in->bytes + in->size;
    in->stream.avail_out = (unsigned)room;
    int result = inflate(&in->stream, Z_NO_FLUSH);
    in->size += room - in->stream.avail_out;
    return result;
}

/* Inflates all members; returns Z_STREAM_END once the last one has ended with the file. */
static int inflate_all(inflation *in) {
    for (;;) {
        int result = step(in);
        if (in->size > in->most)
            return Z_OK;
        if (result == Z_STREAM_END && in->stream.next_in < in->end)
            result = inflateReset(&in->stream);
        if (result != Z_OK)
            return result;
    }
}

static eti_status fail(const struct eti_file *file, int result, eti_error *err) {
    switch (result) {
    case Z_MEM_ERROR:
        return eti_fail_memory(err);
    case Z_OK:
        return eti_fail(
            err, ETI_ERROR_LIMIT,
            "%s: the gzip file holds more than %zu bytes: unpack it first, if you trust it",
            file->name, most_inflated(file));
    case Z_BUF_ERROR:
        return eti_fail(err, ETI_ERROR_MALFORMED, "%s: the gzip file was cut short", file->name);
    default:
        return eti_fail(err, ETI_ERROR_MALFORMED, "%s: the gzip file is damaged", file->name);
    }
}

/* Inflates up to `most` bytes and returns zlib's result. The caller frees `in->bytes`. */
static int inflate_up_to(inflation *in, const struct eti_file *file, size_t most) {
    *in = (inflation){
        .stream = {.next_in = (uint8_t *)file->data},
        .end = file->data + file->size,
        .most = most,
    };
    int result = inflateInit2(&in->stream, GZIP_WINDOW);
    if (result == Z_OK) {
        result = inflate_all(in);
        (void)inflateEnd(&in->stream);
    }
    return result;
}

eti_status eti__gzip_peek(uint8_t **out, size_t *size, const struct eti_file *file, size_t most,
                          eti_error *err) {
    inflation in;
    size_t allowed = most_inflated(file);
    int result = inflate_up_to(&in, file, allowed < most ? allowed : most);
    *out = in.bytes;
    *size = in.size < in.most ? in.size : in.most;
    if (result == Z_STREAM_END || result == Z_OK || result == Z_BUF_ERROR)
        return ETI_OK;
    free(in.bytes);
    *out = NULL;
    return fail(file, result, err);
}

eti_status eti__gzip_read(uint8_t **out, size_t *size, const struct eti_file *file,
                          eti_error *err) {
    inflation in;
    int result = inflate_up_to(&in, file, most_inflated(file));
    *out = NULL;
    if (result != Z_STREAM_END) {
        free(in.bytes);
        return fail(file, result, err);
    }
    *out = in.bytes;
    *size = in.size;
    return ETI_OK;
}
