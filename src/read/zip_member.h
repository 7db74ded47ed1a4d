/*
 * zip_member.h - reads the unpacked bytes of a ZIP's member, piece by piece.
 *
 * Members are stored or deflated; encrypted ones and those with other methods are rejected. At the end, the number of bytes
 * and their checksum are compared with those in the ZIP, so that the original bytes are guaranteed once a member is read to
 * its end. Memory does not depend on the size of the member.
 *
 * The bytes inflated from a ZIP, over all members and each time one is read, are limited to 256 KiB plus 64 times the size
 * of the file, and to 1 GiB. Stored members are as large as their part of the file, and are not limited.
 */
#ifndef ETI_READ_ZIP_MEMBER_H
#define ETI_READ_ZIP_MEMBER_H

#include "base/arena.h"
#include "read/zip_directory.h"

#define ZLIB_CONST
#include <zlib.h>

/* The bytes of one member; its fields are private. */
typedef struct eti_zip_stream {
    const uint8_t *packed; /* the unread packed bytes, in the file */
    uint64_t packed_left;
    uint64_t left;  /* unread part of the size claimed by the ZIP */
    uint32_t crc32; /* checksum of the bytes read so far */
    uint32_t expected_crc32;
    bool is_deflated, has_ended;
    z_stream inflater;
} eti_zip_stream;

/* Starts reading `member`, one of zip->members. Success must be followed by eti__zip_stream_close(). Messages begin with
 * the fault, without names. ETI_ERROR_MALFORMED; ETI_ERROR_LIMIT if the limit above would be exceeded, before anything is
 * inflated; ETI_ERROR_MEMORY. */
eti_status eti__zip_stream_open(eti_zip_stream *out, eti_zip *zip, const eti_zip_member *member,
                                eti_error *err) ETI_WARN_UNUSED;

/* Stores up to `size` (> 0) bytes at `buffer` and their number in `*n`; 0 only at the end. `context` is the stream, so
 * that this can be a source for json.h. ETI_ERROR_MALFORMED, ETI_ERROR_MEMORY. */
eti_status eti__zip_stream_read(void *context, void *buffer, size_t size, size_t *n,
                                eti_error *err) ETI_WARN_UNUSED;

void eti__zip_stream_close(eti_zip_stream *stream);

/* Reads the first bytes of a member, at most `size`, and stores their number in `*n`; the checksum is not checked. Only
 * these bytes count as inflated. Fails like eti__zip_stream_open() and eti__zip_stream_read(). */
eti_status eti__zip_member_begin(eti_zip *zip, const eti_zip_member *member, void *buffer,
                                 size_t size, size_t *n, eti_error *err) ETI_WARN_UNUSED;

/* Finds all bytes of a member and checks their checksum; a stored member is a view of the file, a deflated one is
 * inflated into `arena`. Fails like eti__zip_stream_open() and eti__zip_stream_read(). */
eti_status eti__zip_member_load(eti_text *out, eti_arena *arena, eti_zip *zip,
                                const eti_zip_member *member, eti_error *err) ETI_WARN_UNUSED;

#endif
