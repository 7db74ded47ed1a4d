#include "read/zip_member.h"

#include "base/status.h"
#include "read/inflated.h"

#include <string.h>

#define METHOD_STORED 0
#define METHOD_DEFLATED 8

#define INFLATED_LARGEST ((uint64_t)1 << 30)

/* ---- opening --------------------------------------------------------------------------------- */

/* Checks that the sizes in the ZIP are possible before anything is read. */
static eti_status check_member(const eti_zip_member *member, eti_error *err) {
    if (member->is_encrypted)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "it is encrypted: save the file without encryption");
    if (member->method != METHOD_STORED && member->method != METHOD_DEFLATED)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "expected a member that is stored or deflated, found compression method %u",
                        (unsigned)member->method);
    if (member->method == METHOD_STORED && member->size != member->packed_size)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "damaged: its size is %llu bytes, but %llu are stored",
                        (unsigned long long)member->size, (unsigned long long)member->packed_size);
    return ETI_OK;
}

/* Counts the size of a deflated member towards the limit for inflated bytes. */
static eti_status count_inflated(eti_zip *zip, const eti_zip_member *member, eti_error *err) {
    uint64_t allowed = eti__most_inflated(zip->file->size, INFLATED_LARGEST);
    if (member->size > allowed - zip->inflated)
        return eti_fail(err, ETI_ERROR_LIMIT,
                        "%llu bytes inflate to %llu; for a file of %llu bytes at most %llu may be "
                        "inflated in all, and %llu already were",
                        (unsigned long long)member->packed_size, (unsigned long long)member->size,
                        (unsigned long long)zip->file->size, (unsigned long long)allowed,
                        (unsigned long long)zip->inflated);
    zip->inflated += member->size;
    return ETI_OK;
}

eti_status eti__zip_stream_open(eti_zip_stream *out, eti_zip *zip, const eti_zip_member *member,
                                eti_error *err) {
    ETI_TRY(check_member(member, err));
    *out = (eti_zip_stream){
        .packed = zip->file->data + member->place,
        .packed_left = member->packed_size,
        .left = member->size,
        .expected_crc32 = member->crc32,
        .is_deflated = member->method == METHOD_DEFLATED,
    };
    if (!out->is_deflated)
        return ETI_OK;
    ETI_TRY(count_inflated(zip, member, err));
    /* Raw deflate: a ZIP omits zlib's own header. */
    return inflateInit2(&out->inflater, -MAX_WBITS) == Z_OK ? ETI_OK : eti_fail_memory(err);
}

void eti__zip_stream_close(eti_zip_stream *stream) {
    if (stream->is_deflated)
        (void)inflateEnd(&stream->inflater);
}

/* ---- reading --------------------------------------------------------------------------------- */

static size_t copy_piece(eti_zip_stream *stream, void *buffer, size_t size) {
    size_t n = stream->packed_left < size ? (size_t)stream->packed_left : size;
    memcpy(buffer, stream->packed, n);
    stream->packed += n;
    stream->packed_left -= n;
    return n;
}

static eti_status fail_inflating(const z_stream *inflater, int result, eti_error *err) {
    if (result == Z_MEM_ERROR)
        return eti_fail_memory(err);
    if (result == Z_BUF_ERROR)
        return eti_fail(err, ETI_ERROR_MALFORMED, "damaged: the deflated data are incomplete");
    return eti_fail(err, ETI_ERROR_MALFORMED, "damaged: it cannot be inflated: %s",
                    inflater->msg ? inflater->msg : zError(result));
}

/* Inflates the next piece. Bytes after the end of the deflated data are ignored. */
static eti_status inflate_piece(eti_zip_stream *stream, void *buffer, size_t size, size_t *n,
                                eti_error *err) {
    z_stream *inflater = &stream->inflater;
    unsigned room = eti__inflate_at_once(size);
    inflater->next_out = buffer;
    inflater->avail_out = room;
    while (inflater->avail_out > 0 && !stream->has_ended) {
        unsigned given = eti__inflate_at_once(stream->packed_left);
        inflater->next_in = stream->packed;
        inflater->avail_in = given;
        int result = inflate(inflater, Z_NO_FLUSH);
        if (result != Z_OK && result != Z_STREAM_END)
            return fail_inflating(inflater, result, err);
        stream->has_ended = result == Z_STREAM_END;
        stream->packed += given - inflater->avail_in;
        stream->packed_left -= given - inflater->avail_in;
    }
    *n = room - inflater->avail_out;
    return ETI_OK;
}

static eti_status fail_checksum(eti_error *err) {
    return eti_fail(err, ETI_ERROR_MALFORMED,
                    "damaged: its checksum differs from the one in the ZIP");
}

static eti_status check_end(const eti_zip_stream *stream, eti_error *err) {
    if (stream->left > 0)
        return eti_fail(err, ETI_ERROR_MALFORMED, "damaged: smaller than stated in the ZIP");
    return stream->crc32 == stream->expected_crc32 ? ETI_OK : fail_checksum(err);
}

eti_status eti__zip_stream_read(void *context, void *buffer, size_t size, size_t *n,
                                eti_error *err) {
    eti_zip_stream *stream = context;
    *n = 0;
    if (stream->is_deflated)
        ETI_TRY(inflate_piece(stream, buffer, size, n, err));
    else
        *n = copy_piece(stream, buffer, size);
    if (*n > stream->left)
        return eti_fail(err, ETI_ERROR_MALFORMED, "damaged: larger than stated in the ZIP");
    stream->left -= *n;
    stream->crc32 = (uint32_t)crc32_z(stream->crc32, buffer, *n);
    return *n > 0 ? ETI_OK : check_end(stream, err);
}

/* ---- members as a whole ---------------------------------------------------------------------- */

/* Fills `buffer` up to the end of the member. */
static eti_status fill_buffer(eti_zip_stream *stream, void *buffer, size_t size, size_t *n,
                              eti_error *err) {
    size_t read = 1;
    for (*n = 0; *n < size && read > 0; *n += read)
        ETI_TRY(eti__zip_stream_read(stream, (char *)buffer + *n, size - *n, &read, err));
    return ETI_OK;
}

eti_status eti__zip_member_begin(eti_zip *zip, const eti_zip_member *member, void *buffer,
                                 size_t size, size_t *n, eti_error *err) {
    eti_zip_stream stream;
    *n = 0;
    ETI_TRY(eti__zip_stream_open(&stream, zip, member, err));
    eti_status status = fill_buffer(&stream, buffer, size, n, err);
    if (stream.is_deflated)
        zip->inflated -= stream.left;
    eti__zip_stream_close(&stream);
    return status;
}

/* Finds the bytes in the file, where they are stored unpacked. */
static eti_status load_stored(eti_text *out, const eti_zip_stream *stream, eti_error *err) {
    const eti_text bytes = {(const char *)stream->packed, (size_t)stream->packed_left};
    if ((uint32_t)crc32_z(0, (const uint8_t *)bytes.data, bytes.size) != stream->expected_crc32)
        return fail_checksum(err);
    *out = bytes;
    return ETI_OK;
}

static eti_status load_deflated(eti_text *out, eti_arena *arena, eti_zip_stream *stream,
                                eti_error *err) {
    size_t size = (size_t)stream->left, n;
    uint8_t *bytes = eti__arena_alloc(arena, size + 1, 1);
    if (!bytes)
        return eti_fail_memory(err);
    /* Requests one more byte than there should be, so that the end is reached and everything is compared. */
    ETI_TRY(fill_buffer(stream, bytes, size + 1, &n, err));
    *out = (eti_text){(const char *)bytes, n};
    return ETI_OK;
}

eti_status eti__zip_member_load(eti_text *out, eti_arena *arena, eti_zip *zip,
                                const eti_zip_member *member, eti_error *err) {
    eti_zip_stream stream;
    *out = (eti_text){NULL, 0};
    ETI_TRY(eti__zip_stream_open(&stream, zip, member, err));
    eti_status status = stream.is_deflated ? load_deflated(out, arena, &stream, err)
                                           : load_stored(out, &stream, err);
    eti__zip_stream_close(&stream);
    return status;
}
