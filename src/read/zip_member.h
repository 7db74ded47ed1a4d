/*
 * zip_member.h - turns a member of a ZIP into the bytes that were packed, piece by piece.
 *
 * Members are stored or deflated; encrypted ones and those of other methods are refused. At the end of
 * the bytes their number and their checksum are compared with what the ZIP says, so whoever reads a
 * member to its end has what was packed. Memory does not grow with the member.
 *
 * The bytes inflated from a ZIP, over all members and each time one is read, are limited to 256 KiB and 64
 * times the size of the file, and to 1 GiB. Stored members are as large as their part of the file, and
 * are not limited.
 */
#ifndef ETI_READ_ZIP_MEMBER_H
#define ETI_READ_ZIP_MEMBER_H

#include "read/zip_directory.h"

#define ZLIB_CONST
#include <zlib.h>

/* The bytes of one member; its fields are private. */
typedef struct eti_zip_stream {
    const uint8_t *packed; /* what was not read of it, in the file */
    uint64_t packed_left;
    uint64_t left;  /* of the size that the ZIP claims */
    uint32_t crc32; /* of what was read */
    uint32_t expected_crc32;
    bool is_deflated, has_ended;
    z_stream inflater;
} eti_zip_stream;

/* Starts reading `member`, one of zip->members. Success must be followed by eti__zip_stream_close().
 * Messages begin with what is wrong, without names. ETI_ERROR_MALFORMED; ETI_ERROR_LIMIT when more than
 * the above would be inflated, before anything is; ETI_ERROR_MEMORY. */
eti_status eti__zip_stream_open(eti_zip_stream *out, eti_zip *zip, const eti_zip_member *member,
                                eti_error *err) ETI_WARN_UNUSED;

/* Puts up to `size` (> 0) bytes at `buffer` and sets `*n` to their number; 0 only at the end. `context` is
 * the stream: this is a source of json.h. ETI_ERROR_MALFORMED, ETI_ERROR_MEMORY. */
eti_status eti__zip_stream_read(void *context, void *buffer, size_t size, size_t *n,
                                eti_error *err) ETI_WARN_UNUSED;

void eti__zip_stream_close(eti_zip_stream *stream);

/* Reads the first bytes of a member, at most `size`, and sets `*n` to their number, without looking at the checksum. Only
 * these count as inflated. Fails as eti__zip_stream_open() and eti__zip_stream_read(). */
eti_status eti__zip_member_begin(eti_zip *zip, const eti_zip_member *member, void *buffer,
                                 size_t size, size_t *n, eti_error *err) ETI_WARN_UNUSED;

/* Finds all bytes of a member, after comparing their checksum: in the file where they are stored, else inflated into `arena`.
 * Fails as eti__zip_stream_open() and eti__zip_stream_read(). */
eti_status eti__zip_member_load(eti_text *out, eti_arena *arena, eti_zip *zip,
                                const eti_zip_member *member, eti_error *err) ETI_WARN_UNUSED;

#endif
