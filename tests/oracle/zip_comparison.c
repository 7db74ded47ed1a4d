#include "zip_comparison.h"

#include "base/arena.h"
#include "base/files.h"
#include "base/text.h"
#include "read/read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#define PIECE_BYTES 4096

/* One ZIP, opened by both readers. */
typedef struct comparison {
    eti_zip ours;
    zip_t *theirs;
    eti_buffer bytes; /* of a member */
    bool we_refuse, they_refuse, is_unclear;
    char *why;
} comparison;

static bool differ(comparison *c, const char *what, size_t member) {
    snprintf(c->why, 256, "member %zu: %s", member, what);
    return false;
}

/* ---- members --------------------------------------------------------------------------------- */

/* Reads into c->bytes; returns false if this library rejects it. */
static bool read_ours(comparison *c, size_t member) {
    eti_zip_stream stream;
    c->bytes.size = 0;
    if (eti__zip_stream_open(&stream, &c->ours, &c->ours.members[member], NULL) != ETI_OK)
        return false;
    char piece[PIECE_BYTES];
    size_t n = 0;
    eti_status status;
    while ((status = eti__zip_stream_read(&stream, piece, sizeof piece, &n, NULL)) == ETI_OK &&
           n > 0)
        eti__buffer_add(&c->bytes, piece, n);
    eti__zip_stream_close(&stream);
    return status == ETI_OK;
}

/* Reads libzip's member to its end, as far as it equals this library's; returns false if libzip rejects it. */
static bool read_theirs(const comparison *c, size_t member, bool *is_same) {
    zip_file_t *file = zip_fopen_index(c->theirs, member, 0);
    if (!file)
        return false;
    char piece[PIECE_BYTES];
    size_t at = 0;
    zip_int64_t n;
    *is_same = true;
    while ((n = zip_fread(file, piece, sizeof piece)) > 0 && *is_same) {
        *is_same =
            (size_t)n <= c->bytes.size - at && memcmp(c->bytes.data + at, piece, (size_t)n) == 0;
        at += (size_t)n;
    }
    *is_same = *is_same && at == c->bytes.size;
    zip_fclose(file);
    return n >= 0;
}

static bool compare_member(comparison *c, size_t member) {
    eti_text ours = c->ours.members[member].name;
    const char *theirs = zip_get_name(c->theirs, member, ZIP_FL_ENC_RAW);
    if (!theirs || ours.size != strlen(theirs) || memcmp(ours.data, theirs, ours.size) != 0)
        return differ(c, "it has another name", member);
    bool is_ours = read_ours(c, member), is_same = false;
    bool is_theirs = read_theirs(c, member, &is_same);
    if (is_ours && !is_theirs)
        return differ(c, "libzip refuses it", member);
    if (is_ours && !is_same)
        return differ(c, "libzip reads other bytes", member);
    c->we_refuse |= !is_ours;
    c->they_refuse |= !is_theirs;
    return true;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool has_several_ends(const struct eti_file *file) {
    const uint8_t *end = file->data + file->size,
                  *first = memmem(file->data, file->size, "PK\5\6", 4);
    return first && memmem(first + 1, (size_t)(end - first) - 1, "PK\5\6", 4);
}

/* Compares the lists, which have equally many members. */
static bool compare_counts(comparison *c) {
    size_t n = c->theirs ? (size_t)zip_get_num_entries(c->theirs, 0) : 0;
    if (c->theirs && n == c->ours.n_members)
        return true;
    c->is_unclear = has_several_ends(c->ours.file);
    if (c->theirs)
        snprintf(c->why, 256, "%zu members, for libzip %zu", c->ours.n_members, n);
    else
        snprintf(c->why, 256, "libzip refuses the ZIP");
    return false;
}

static bool compare(comparison *c) {
    c->they_refuse = !c->theirs;
    if (c->we_refuse)
        return true;
    if (!compare_counts(c))
        return false;
    for (size_t i = 0; i < c->ours.n_members; i++) {
        if (!compare_member(c, i))
            return false;
    }
    return true;
}

static zip_t *open_theirs(const uint8_t *data, size_t size) {
    /* Otherwise it would read the time zone's file for each member's date. */
    setenv("TZ", "UTC0", 1);
    zip_source_t *source = zip_source_buffer_create(data, size, 0, NULL);
    zip_t *zip = source ? zip_open_from_source(source, ZIP_RDONLY, NULL) : NULL;
    if (source && !zip)
        zip_source_free(source);
    return zip;
}

zip_agreement zip_compare_readers(const uint8_t *data, size_t size, char why[256]) {
    const struct eti_file file = {.name = (char *)(uintptr_t) "a.zip", .data = data, .size = size};
    eti_arena arena = {0};
    comparison c = {.theirs = open_theirs(data, size), .why = why};
    why[0] = '\0';
    c.we_refuse = eti__zip_open(&c.ours, &arena, &file, NULL) != ETI_OK;
    bool agree = compare(&c);
    if (c.theirs)
        zip_discard(c.theirs);
    eti__buffer_free(&c.bytes);
    eti__arena_free(&arena);
    if (c.is_unclear)
        why[0] = '\0';
    return c.is_unclear    ? ZIP_NOT_COMPARED
           : !agree        ? ZIP_DISAGREE
           : !c.we_refuse  ? ZIP_BOTH_ACCEPT
           : c.they_refuse ? ZIP_BOTH_REFUSE
                           : ZIP_WE_ARE_STRICTER;
}
