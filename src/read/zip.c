#define ZLIB_CONST /* zlib does not change its input */

#include "read/zip.h"

#include "base/status.h"
#include "read/read.h"

#include <limits.h>
#include <string.h>
#include <zlib.h>

/* ==== zip directory =========================================================================== */
/* Reads the directory of a ZIP.
 *
 *   file       member ... | directory entry ... | [zip64 end] [its locator] | end | comment
 *   member     "PK\3\4" needed flags method time date crc32 packed size name_n extra_n | name | extra | bytes
 *   entry      "PK\1\2" made needed flags method time date crc32 packed size name_n extra_n comment_n
 *              disk internal external place | name | extra | comment
 *   end        "PK\5\6" disk disk here_n n bytes place comment_n
 * zip64 end  "PK\6\6" left made needed disk disk here_n n bytes place
 *   locator    "PK\6\7" disk place disks
 *
 * Numbers are little-endian; `place` counts from the beginning of the file. If 2 or 4 bytes are
 * not enough for a number, they are all ones, and the number is in an extra field (id 1) or in the
 * zip64 end. */

#define END_BYTES 22u
#define COMMENT_BYTES 65535u
#define LOCATOR_BYTES 20u
#define END64_BYTES 56u
#define ENTRY_BYTES 46u
#define MEMBER_BYTES 30u

#define ELSEWHERE UINT32_MAX
#define FLAG_ENCRYPTED 1u
#define FLAG_SIZES_FOLLOW 8u
#define FLAG_NAME_IS_UTF8 0x800u

typedef struct zip_directory {
    const struct eti_file *file;
    eti_error *err;
    uint64_t place, size; /* both inside the file */
    uint64_t n_members;
    uint64_t members_size; /* total size of the members checked so far, with their headers */
} zip_directory;

/* Fields that both a member's header and its directory entry have. */
typedef struct zip_header {
    eti_text name, extra;
    uint16_t flags, method;
    uint32_t crc32;
    uint64_t packed_size, size;
    uint64_t place; /* place of the header; only in an entry */
} zip_header;

static uint16_t get_u16(const struct eti_file *file, uint64_t at) {
    return eti__load_u16(file->data + at);
}

static uint32_t get_u32(const struct eti_file *file, uint64_t at) {
    return eti__load_u32(file->data + at);
}

static uint64_t get_u64(const struct eti_file *file, uint64_t at) {
    return eti__load_u64(file->data + at);
}

static bool has_magic(const struct eti_file *file, uint64_t at, const char magic[4]) {
    return memcmp(file->data + at, magic, 4) == 0;
}

/* ---- the end --------------------------------------------------------------------------------- */

/* Finds the last end record: members may be ZIPs too, and a comment may follow. */
static bool find_end(const struct eti_file *file, uint64_t *at) {
    if (file->size < END_BYTES)
        return false;
    uint64_t last = file->size - END_BYTES;
    uint64_t first = last > COMMENT_BYTES ? last - COMMENT_BYTES : 0;
    for (*at = last; !has_magic(file, *at, "PK\5\6"); --*at) {
        if (*at == first)
            return false;
    }
    return true;
}

bool eti__zip_has_end(const struct eti_file *file) {
    uint64_t ignored;
    return find_end(file, &ignored);
}

static eti_status fail_zip(const zip_directory *directory, const char *what) {
    return eti_fail(directory->err, ETI_ERROR_MALFORMED, "%s: damaged ZIP file: %s",
                    directory->file->name, what);
}

static eti_status fail_part(const zip_directory *directory) {
    return eti_fail(directory->err, ETI_ERROR_MALFORMED,
                    "%s: expected a whole ZIP file, found one of several parts",
                    directory->file->name);
}

/* Returns whether a number in the end record equals that of the zip64 end, or refers to it. */
static bool allows(uint64_t number, uint64_t elsewhere, uint64_t large_number) {
    return number == elsewhere || number == large_number;
}

/* Replaces the values of the end record at `*at` by those of the zip64 end, and `*at` by its place. */
static eti_status read_zip64_end(zip_directory *directory, uint64_t *at) {
    const struct eti_file *file = directory->file;
    uint64_t locator = *at - LOCATOR_BYTES, end = locator - END64_BYTES;
    if (locator < END64_BYTES || get_u64(file, locator + 8) != end ||
        !has_magic(file, end, "PK\6\6"))
        return fail_zip(directory, "its zip64 end record is not at the expected position: the file "
                                   "was cut short or changed");
    uint64_t n_members = get_u64(file, end + 32), size = get_u64(file, end + 40),
             place = get_u64(file, end + 48);
    if (get_u64(file, end + 16) != 0 || get_u64(file, end + 24) != n_members)
        return fail_part(directory);
    if (!allows(directory->n_members, UINT16_MAX, n_members) ||
        !allows(directory->size, ELSEWHERE, size) || !allows(directory->place, ELSEWHERE, place))
        return fail_zip(directory, "its end record and its zip64 end record disagree");
    directory->n_members = n_members;
    directory->size = size;
    directory->place = place;
    *at = end;
    return ETI_OK;
}

static eti_status read_end(zip_directory *directory, uint64_t at) {
    const struct eti_file *file = directory->file;
    if (get_u16(file, at + 20) > file->size - at - END_BYTES)
        return fail_zip(directory, "it was cut short in its comment");
    directory->n_members = get_u16(file, at + 10);
    directory->size = get_u32(file, at + 12);
    directory->place = get_u32(file, at + 16);
    if (get_u32(file, at + 4) != 0 || get_u16(file, at + 8) != directory->n_members)
        return fail_part(directory);
    if (at >= LOCATOR_BYTES && has_magic(file, at - LOCATOR_BYTES, "PK\6\7"))
        ETI_TRY(read_zip64_end(directory, &at));

    if (directory->place > at || directory->size != at - directory->place)
        return fail_zip(
            directory,
            "its directory is not at the expected position: the file was cut short or changed");
    if (directory->n_members > directory->size / ENTRY_BYTES)
        return fail_zip(directory,
                        "the directory is too small for the number of members it declares");
    return ETI_OK;
}

/* ---- one member ------------------------------------------------------------------------------ */

static eti_status fail_member(const zip_directory *directory, const zip_header *member,
                              const char *what) {
    return eti_fail(directory->err, ETI_ERROR_MALFORMED, "%s: damaged ZIP file: member %.*s: %s",
                    directory->file->name, ETI_TEXT_ARGS(member->name), what);
}

/* Finds the contents of the extra field for large sizes; absent if there is no such field. Returns false if a field is
 * longer than the extra data. */
static bool find_zip64(eti_text extra, eti_text *zip64) {
    const struct eti_file bytes = {.data = (const uint8_t *)extra.data, .size = extra.size};
    *zip64 = (eti_text){NULL, 0};
    for (uint64_t at = 0; extra.size - at >= 4;) {
        size_t size = get_u16(&bytes, at + 2);
        if (size > extra.size - at - 4)
            return false;
        if (get_u16(&bytes, at) == 1 && !zip64->data)
            *zip64 = (eti_text){extra.data + at + 4, size};
        at += 4 + size;
    }
    return true;
}

/* Takes the number from the front of `zip64` if it is not stored in its own place. */
static bool take_zip64(eti_text *zip64, uint64_t *number) {
    if (*number != ELSEWHERE)
        return true;
    if (zip64->size < 8)
        return false;
    const struct eti_file bytes = {.data = (const uint8_t *)zip64->data, .size = zip64->size};
    *number = get_u64(&bytes, 0);
    zip64->data += 8;
    zip64->size -= 8;
    return true;
}

/* Reads the numbers that are at the same distance from `at` in headers and entries, and the name and extra field after
 * the `header` bytes. Returns false unless all of it is before `end`. */
static bool read_common(const struct eti_file *file, uint64_t at, uint64_t header, uint64_t end,
                        zip_header *out) {
    uint64_t numbers = at + (header == ENTRY_BYTES ? 8 : 6);
    out->flags = get_u16(file, numbers);
    out->method = get_u16(file, numbers + 2);
    out->crc32 = get_u32(file, numbers + 8);
    out->packed_size = get_u32(file, numbers + 12);
    out->size = get_u32(file, numbers + 16);
    size_t name_size = get_u16(file, numbers + 20), extra_size = get_u16(file, numbers + 22);
    if (name_size + extra_size > end - at - header)
        return false;
    out->name = (eti_text){(const char *)file->data + at + header, name_size};
    out->extra = (eti_text){out->name.data + name_size, extra_size};
    return true;
}

/* Reads the header before the member of `entry`. */
static eti_status read_header(const zip_directory *directory, const zip_header *entry,
                              zip_header *out) {
    const struct eti_file *file = directory->file;
    if (directory->place < MEMBER_BYTES || entry->place > directory->place - MEMBER_BYTES ||
        !has_magic(file, entry->place, "PK\3\4") ||
        !read_common(file, entry->place, MEMBER_BYTES, directory->place, out))
        return fail_member(directory, entry, "it is not where the directory says");
    eti_text zip64;
    if (!find_zip64(out->extra, &zip64))
        return fail_member(directory, entry, "an extra field of its header is incomplete");
    if (!take_zip64(&zip64, &out->size) || !take_zip64(&zip64, &out->packed_size))
        return fail_member(directory, entry, "its size is missing");
    return ETI_OK;
}

/* Compares a number in the header and in the entry. A writer that cannot seek back leaves zeros for sizes that it learns
 * too late; these follow the member. */
static bool agrees(const zip_header *header, uint64_t in_header, uint64_t in_entry) {
    return in_header == in_entry || (in_header == 0 && (header->flags & FLAG_SIZES_FOLLOW));
}

static eti_status check_member(zip_directory *directory, const zip_header *entry,
                               eti_zip_member *out) {
    zip_header header = {0};
    if (entry->name.size > ETI_ZIP_NAME_BYTES)
        return eti_fail(directory->err, ETI_ERROR_LIMIT,
                        "%s: a member's name has %zu bytes; at most %d are supported",
                        directory->file->name, entry->name.size, ETI_ZIP_NAME_BYTES);
    if (memchr(entry->name.data, '\0', entry->name.size))
        return fail_member(directory, entry, "its name contains a NUL");
    if ((entry->flags & FLAG_NAME_IS_UTF8) && eti__text_valid_utf8(entry->name) < entry->name.size)
        return fail_member(directory, entry, "its name is marked as UTF-8, but is not valid UTF-8");
    ETI_TRY(read_header(directory, entry, &header));
    if (!eti__text_equal(entry->name, header.name))
        return fail_member(directory, entry, "its header and the directory have different names");
    if (entry->method != header.method)
        return fail_member(directory, entry, "its header and the directory have different methods");
    if (!agrees(&header, header.crc32, entry->crc32) ||
        !agrees(&header, header.size, entry->size) ||
        !agrees(&header, header.packed_size, entry->packed_size))
        return fail_member(directory, entry,
                           "its header and the directory have different sizes or checksums");

    uint64_t header_size = MEMBER_BYTES + header.name.size + header.extra.size;
    if (entry->packed_size > directory->place - entry->place - header_size)
        return fail_member(directory, entry, "it does not end before the directory");
    directory->members_size += header_size + entry->packed_size;
    if (directory->members_size > directory->place)
        return fail_member(directory, entry, "it overlaps other members");
    *out = (eti_zip_member){
        .name = entry->name,
        .is_encrypted = (entry->flags | header.flags) & FLAG_ENCRYPTED,
        .method = entry->method,
        .crc32 = entry->crc32,
        .place = entry->place + header_size,
        .packed_size = entry->packed_size,
        .size = entry->size,
    };
    return ETI_OK;
}

/* ---- all members ----------------------------------------------------------------------------- */

static eti_status fail_entry(const zip_directory *directory, uint64_t i) {
    return eti_fail(directory->err, ETI_ERROR_MALFORMED,
                    "%s: damaged ZIP file: entry %llu of %llu in the directory is invalid",
                    directory->file->name, (unsigned long long)i + 1,
                    (unsigned long long)directory->n_members);
}

/* Reads the entry at `*at`, and advances `*at` to the next one. */
static eti_status read_entry(const zip_directory *directory, uint64_t i, uint64_t at,
                             zip_header *out, uint64_t *next) {
    const struct eti_file *file = directory->file;
    uint64_t end = directory->place + directory->size;
    if (end - at < ENTRY_BYTES || !has_magic(file, at, "PK\1\2") ||
        !read_common(file, at, ENTRY_BYTES, end, out))
        return fail_entry(directory, i);
    *next = at + ENTRY_BYTES + out->name.size + out->extra.size;
    uint64_t comment_size = get_u16(file, at + 32);
    if (comment_size > end - *next)
        return fail_entry(directory, i);
    *next += comment_size;

    out->place = get_u32(file, at + 42);
    eti_text zip64;
    if (!find_zip64(out->extra, &zip64))
        return fail_member(directory, out, "an extra field of its entry is incomplete");
    if (!take_zip64(&zip64, &out->size) || !take_zip64(&zip64, &out->packed_size) ||
        !take_zip64(&zip64, &out->place))
        return fail_member(directory, out, "its size is missing");
    return ETI_OK;
}

static eti_status read_members(zip_directory *directory, eti_zip_member *members) {
    uint64_t at = directory->place;
    for (uint64_t i = 0; i < directory->n_members; i++) {
        zip_header entry = {0};
        ETI_TRY(read_entry(directory, i, at, &entry, &at));
        ETI_TRY(check_member(directory, &entry, &members[i]));
    }
    if (at != directory->place + directory->size)
        return fail_zip(directory, "the directory contains data after its last entry");
    return ETI_OK;
}

eti_status eti__zip_open(eti_zip *out, eti_arena *arena, const struct eti_file *file,
                         eti_error *err) {
    return eti__zip_open_large(out, arena, file, ETI_ZIP_MEMBERS, err);
}

eti_status eti__zip_open_large(eti_zip *out, eti_arena *arena, const struct eti_file *file,
                               uint64_t most_members, eti_error *err) {
    zip_directory directory = {.file = file, .err = err};
    *out = (eti_zip){.file = file};
    uint64_t end;
    if (!find_end(file, &end))
        return fail_zip(&directory, "its end record is missing: the file was cut short");
    ETI_TRY(read_end(&directory, end));
    if (directory.n_members > most_members)
        return eti_fail(err, ETI_ERROR_LIMIT,
                        "%s: a ZIP with %llu members; at most %llu are supported", file->name,
                        (unsigned long long)directory.n_members, (unsigned long long)most_members);
    eti_zip_member *members = eti__arena_alloc(arena, (size_t)directory.n_members, sizeof *members);
    if (!members)
        return eti_fail_memory(err);
    ETI_TRY(read_members(&directory, members));
    out->members = members;
    out->n_members = (size_t)directory.n_members;
    return ETI_OK;
}

/* ==== zip member ============================================================================== */

#define METHOD_STORED 0
#define METHOD_DEFLATED 8

#define INFLATED_LARGEST ((uint64_t)1 << 30)

/* ---- opening --------------------------------------------------------------------------------- */

/* Checks that the sizes in the ZIP are possible before anything is read. */
static eti_status check_inflatable(const eti_zip_member *member, eti_error *err) {
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
    ETI_TRY(check_inflatable(member, err));
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
