#include "read/input.h"

#include "base/little_endian.h"
#include "read/kind.h"
#include "read/likeness.h"
#include "read/runner_log.h"
#include "read/wrapped/gzip.h"
#include "read/wrapped/journal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static eti_status unpack(struct eti_file *file, eti_error *err) {
    uint8_t *bytes;
    size_t size;
    ETI_TRY(eti__gzip_read(&bytes, &size, file, err));
    eti__file_replace(file, bytes, size);
    return ETI_OK;
}

/* Releases the file if opening it failed. */
static eti_status finish(struct eti_file *file, eti_status status) {
    if (status != ETI_OK)
        eti__file_release(file);
    return status;
}

/* ---- judging by the first bytes -------------------------------------------------------------- */

#define FIRST_UNPACKED ((size_t)4 << 10)
/* A gzip file's own header is shorter, whatever it claims. */
#define LONGEST_GZIP_HEADER ((size_t)1 << 20)

/* The first bytes of a file, or of the gzip file's contents. */
typedef struct beginning {
    const char *name;
    eti_file_kind expected; /* ETI_FILE_UNKNOWN: any input */
    bool is_unpacked;
    const uint8_t *data;
    size_t size;
    bool is_all;
} beginning;

static bool is_input(eti_file_kind kind) {
    return kind == ETI_FILE_ETDUMP || kind == ETI_FILE_ETRECORD || kind == ETI_FILE_RUNNER_LOG ||
           kind == ETI_FILE_BASELINE || kind == ETI_FILE_PROGRAM ||
           kind == ETI_FILE_BUNDLED_PROGRAM || kind == ETI_FILE_DATA || kind == ETI_FILE_EMPTY ||
           kind == ETI_FILE_JOURNAL;
}

static bool may_become_log(const beginning *b) {
    return !b->is_all && b->size < ETI_RUNNER_LOG_MOST_BEFORE &&
           eti__runner_log_may_be(b->data, b->size);
}

static eti_status judge_bytes(bool *is_judged, const beginning *b, eti_error *err) {
    *is_judged =
        is_input(eti_file_kind_of(b->data, b->size)) && !eti__is_other_zip(b->data, b->size);
    return *is_judged || may_become_log(b)
               ? ETI_OK
               : eti__fail_likeness(err, b->name, b->expected, b->is_unpacked, b->data, b->size);
}

/* Judges a gzip file by up to `most` bytes of its contents. */
static eti_status judge_unpacked(eti_file_kind expected, bool *is_judged,
                                 const struct eti_file *file, size_t most, eti_error *err) {
    uint8_t *bytes;
    beginning b = {.name = file->name, .expected = expected, .is_unpacked = true};
    ETI_TRY(eti__gzip_peek(&bytes, &b.size, file, most, err));
    b.data = bytes;
    eti_status status = ETI_OK;
    if (b.size > 0)
        status = judge_bytes(is_judged, &b, err);
    else if (file->size >= LONGEST_GZIP_HEADER)
        status = eti_fail(err, ETI_ERROR_MALFORMED, "%s: the gzip file is damaged", file->name);
    free(bytes);
    return status;
}

/* Judges a gzip file by its contents; faults of the whole file are reported when it is unpacked. */
static eti_status judge_gzip(eti_file_kind expected, bool *is_judged, const struct eti_file *file,
                             bool is_all, eti_error *err) {
    *is_judged = false;
    ETI_TRY(judge_unpacked(expected, is_judged, file, FIRST_UNPACKED, err));
    if (!*is_judged)
        ETI_TRY(judge_unpacked(expected, is_judged, file, ETI_RUNNER_LOG_MOST_BEFORE, err));
    *is_judged = *is_judged || is_all;
    return ETI_OK;
}

/* Bytes after the end of an ETDump mean nothing, and a stream may never end. */
#define MOST_BEHIND ((uint64_t)64 << 20)

/* Returns the end of the ETDump according to its size prefix; 0 if it has none. */
static uint64_t end_by_prefix(const struct eti_file *file) {
    const uint8_t *d = file->data;
    if (file->size < 12 || memcmp(d + 8, "ED00", 4) != 0)
        return 0;
    uint32_t size = eti__load_u32(d);
    return size > 0 ? (uint64_t)size + 4 : 0;
}

/* Reads on while a stream whose prefix gives its end continues, up to a limit. */
static eti_status judge_end(bool *is_judged, const struct eti_file *file, bool is_all,
                            eti_error *err) {
    uint64_t end = end_by_prefix(file);
    if (is_all || end == 0)
        return ETI_OK;
    *is_judged = false;
    if (file->size <= end + MOST_BEHIND)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_LIMIT,
                    "%s: according to its size prefix, the ETDump ends at byte %" PRIu64
                    ", but more than 64 MiB follow: end the stream there, or give a file",
                    file->name, end);
}

/* Judges an input, as an eti_judge_function; the context is the expected kind. */
static eti_status judge(const void *context, bool *is_judged, const struct eti_file *file,
                        bool is_all, eti_error *err) {
    eti_file_kind expected = *(const eti_file_kind *)context;
    if (eti__gzip_begins(file))
        return judge_gzip(expected, is_judged, file, is_all, err);
    const beginning b = {file->name, expected, false, file->data, file->size, is_all};
    ETI_TRY(judge_bytes(is_judged, &b, err));
    return judge_end(is_judged, file, is_all, err);
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Replaces a journal by its ETDump. */
static eti_status recover(struct eti_file *file, const char *path, eti_error *err) {
    return eti__journal_is(file->data, file->size) ? eti__journal_unpack(file, path, err) : ETI_OK;
}

eti_status eti__input_open(struct eti_file *out, const eti_source *source, eti_file_kind expected,
                           eti_error *err) {
    const eti_file_judge by_kind = {judge, &expected};
    ETI_TRY(eti__file_open_judged(out, source, &by_kind, err));
    if (!eti__gzip_begins(out))
        return finish(out, recover(out, source->data ? NULL : source->path, err));
    bool is_judged = true, is_in_memory = source->data != NULL;
    eti_status status = unpack(out, err);
    const beginning all = {out->name, expected, true, out->data, out->size, true};
    if (status == ETI_OK && !is_in_memory)
        status = judge_bytes(&is_judged, &all, err);
    return finish(out, status == ETI_OK ? recover(out, NULL, err) : status);
}

#define MOST_OF_DEVICE ((size_t)64 << 10)

/* Returns whether the source is a device, which may have no end. */
static bool is_device(const eti_source *source) {
    struct stat status;
    if (source->data || !source->path)
        return false;
    bool is_found = strcmp(source->path, "-") == 0 ? fstat(STDIN_FILENO, &status) == 0
                                                   : stat(source->path, &status) == 0;
    return is_found && S_ISCHR(status.st_mode);
}

/* Judges a device, as an eti_judge_function: it must end soon. */
static eti_status judge_device(const void *context, bool *is_judged, const struct eti_file *file,
                               bool is_all, eti_error *err) {
    (void)context;
    *is_judged = is_all;
    return is_all || file->size < MOST_OF_DEVICE
               ? ETI_OK
               : eti_fail(err, ETI_ERROR_MALFORMED, "%s: this device never ends: give a file",
                          file->name);
}

/* Opens a file that may contain any bytes. */
static eti_status open_bytes(struct eti_file *out, const eti_source *source, eti_error *err) {
    const eti_file_judge by_end = {judge_device, NULL};
    return eti__file_open_judged(out, source, is_device(source) ? &by_end : NULL, err);
}

eti_status eti__input_open_any(struct eti_file *out, const eti_source *source, eti_error *err) {
    ETI_TRY(open_bytes(out, source, err));
    return eti__gzip_begins(out) ? finish(out, unpack(out, err)) : ETI_OK;
}

eti_status eti__input_open_debug_buffer(struct eti_file *out, const eti_source *source,
                                        eti_error *err) {
    ETI_TRY(open_bytes(out, source, err));
    eti_status status = eti__gzip_begins(out) ? unpack(out, err) : ETI_OK;
    if (status != ETI_OK && status != ETI_ERROR_MALFORMED)
        return finish(out, status);
    return eti__runner_log_is(out->data, out->size)
               ? finish(out, eti__runner_log_take_debug_buffer(out, err))
               : ETI_OK;
}

/* ---- files that are opened before they are inspected ----------------------------------------- */

static eti_status new_file(eti_file **out, struct eti_file *opened, eti_status status,
                           eti_error *err) {
    *out = status == ETI_OK ? malloc(sizeof **out) : NULL;
    if (*out)
        **out = *opened;
    else if (status == ETI_OK)
        return finish(opened, eti_fail_memory(err));
    return status;
}

eti_status eti_file_open(eti_file **out, const char *path, eti_error *err) {
    const eti_source source = {path, NULL, 0};
    struct eti_file file;
    return new_file(out, &file, eti__input_open_any(&file, &source, err), err);
}

eti_status eti_file_open_as(eti_file **out, const char *path, eti_file_kind expected,
                            eti_error *err) {
    const eti_source source = {path, NULL, 0};
    struct eti_file file;
    return new_file(out, &file, eti__input_open(&file, &source, expected, err), err);
}

eti_source eti_file_source(const eti_file *file) {
    return (eti_source){file->name, file->data, file->size};
}

void eti_file_close(eti_file *file) {
    if (!file)
        return;
    eti__file_release(file);
    free(file);
}
