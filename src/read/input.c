#include "read/read.h"

#include "base/array.h"
#include "base/status.h"
#include "etcapture.h"
#include "read/kind.h"
#include "read/runner_log.h"
#include "read/zip.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* ==== gzip ==================================================================================== */
/* Reads the contents of a gzip file (RFC 1952). */

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

/* Inflates the first bytes of a file of which `file` may contain only the beginning: up to `most` bytes, but no more than
 * read_gzip() would accept. The caller frees `*out`. ETI_ERROR_MALFORMED: it is damaged; ETI_ERROR_MEMORY. */
static eti_status peek_gzip(uint8_t **out, size_t *size, const struct eti_file *file, size_t most,
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

/* Inflates all members of the file, one after the other, as gzip -d does. The caller frees `*out`. ETI_ERROR_MALFORMED,
 * ETI_ERROR_LIMIT: see eti_file_unwrap(); ETI_ERROR_MEMORY. */
static eti_status read_gzip(uint8_t **out, size_t *size, const struct eti_file *file,
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

/* ==== journal ================================================================================= */
/* Extracts the ETDump from a journal of libetcapture. */

static eti_status fail_capture(eti_error *err, const char *name, etc_status status) {
    switch (status) {
    case ETC_MEMORY:
        return eti_fail_memory(err);
    case ETC_STATE:
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: a process is still recording into this journal: wait until it ends, "
                        "or let it call etc_save_file()",
                        name);
    case ETC_UNSUPPORTED:
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: a journal of another version, or from a processor with another byte "
                        "order: recover it with the libetcapture that wrote it",
                        name);
    default:
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: a truncated or damaged journal of libetcapture", name);
    }
}

/* Opens the file at `path`, because it may be locked; if that fails, opens the bytes in memory, which may come from a
 * gzip file. */
static etc_status open_capture(etc_capture **out, const struct eti_file *file, const char *path) {
    etc_status status = path ? etc_open_recovered(out, path) : ETC_INVALID;
    if (status == ETC_OK || status == ETC_STATE)
        return status;
    return etc_open_recovered_memory(out, file->data, file->size);
}

static eti_status fail_empty(eti_error *err, const char *name, const etc_capture *capture) {
    etc_save_options all = ETC_SAVE_OPTIONS_INIT;
    all.partial_runs = true;
    etc_status status = etc_count_saved(capture, &all, NULL, NULL);
    if (status == ETC_FULL)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: this journal contains no runs: it was too small for the first; open "
                        "it with more bytes",
                        name);
    if (status == ETC_STATE)
        return eti_fail(err, ETI_ERROR_MALFORMED, "%s: this journal contains no runs", name);
    return eti_fail(err, ETI_ERROR_MALFORMED,
                    "%s: this journal contains no complete run; etinspect recover --partial writes "
                    "partial runs",
                    name);
}

static eti_status save(struct eti_file *file, const etc_capture *capture, eti_error *err) {
    uint64_t size;
    size_t used;
    etc_status status = etc_save_size(capture, NULL, &size);
    if (status == ETC_STATE || status == ETC_FULL)
        return fail_empty(err, file->name, capture);
    uint8_t *bytes = malloc((size_t)size + 1);
    if (!bytes)
        return eti_fail_memory(err);
    if (etc_save_memory(capture, NULL, bytes, (size_t)size, &used) != ETC_OK) {
        free(bytes);
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s: the ETDump of this journal would be larger than 2 GiB", file->name);
    }
    eti__file_replace(file, bytes, used);
    return ETI_OK;
}

/* Fails if another journal follows: it would be ignored. A stream has one in each packet. */
static eti_status check_alone(const struct eti_file *file, eti_error *err) {
    if (memcmp(file->data, ETC_STREAM_MAGIC, ETC_JOURNAL_MAGIC_SIZE) == 0)
        return ETI_OK;
    const uint8_t *next =
        memmem(file->data + ETC_JOURNAL_MAGIC_SIZE, file->size - ETC_JOURNAL_MAGIC_SIZE,
               ETC_JOURNAL_MAGIC, ETC_JOURNAL_MAGIC_SIZE);
    if (!next)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_MALFORMED,
                    "%s: another journal begins at byte %zu: give each journal in a file of its "
                    "own",
                    file->name, (size_t)(next - file->data));
}

/* Replaces a journal by its ETDump, with the runs that were complete. `path`, from which the file was read, is checked
 * for a process that is still writing to it; NULL: the file has no path. ETI_ERROR_MALFORMED: the journal is damaged, has
 * another version, is still being written to, or has no complete run; ETI_ERROR_MEMORY. */
static eti_status unpack_journal(struct eti_file *file, const char *path, eti_error *err) {
    etc_capture *capture;
    ETI_TRY(check_alone(file, err));
    etc_status status = open_capture(&capture, file, path);
    if (status != ETC_OK)
        return fail_capture(err, file->name, status);
    eti_status result = save(file, capture, err);
    etc_close(capture);
    return result;
}

/* ==== input =================================================================================== */

static void decide_kind(struct eti_file *file) {
    file->kind = eti_file_kind_of(file->data, file->size);
}

/* Replaces a gzip file by its contents, and decides their kind. */
static eti_status unpack(struct eti_file *file, eti_error *err) {
    uint8_t *bytes;
    size_t size = 0;
    ETI_TRY(read_gzip(&bytes, &size, file, err));
    eti__file_replace(file, bytes, size);
    file->packing |= ETI_FROM_GZIP;
    decide_kind(file);
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

/* Context of judging an input. */
typedef struct judging {
    eti_file_kind expected; /* ETI_FILE_UNKNOWN: any input */
    bool *is_gzip;
    eti_file_kind *kind; /* unless it is a gzip file */
} judging;

static bool is_input(eti_file_kind kind) {
    return kind == ETI_FILE_ETDUMP || kind == ETI_FILE_ETRECORD || kind == ETI_FILE_RUNNER_LOG ||
           kind == ETI_FILE_BASELINE || kind == ETI_FILE_PROGRAM ||
           kind == ETI_FILE_BUNDLED_PROGRAM || kind == ETI_FILE_DATA || kind == ETI_FILE_EMPTY ||
           kind == ETI_FILE_JOURNAL;
}

/* Returns whether more bytes may show that it is a log. */
static bool may_become_log(const eti_beginning *b, bool is_all) {
    return !is_all && b->size < ETI_LOG_MOST_BEFORE && eti__kind_may_be_log(b->data, b->size);
}

static eti_status judge_bytes(bool *is_judged, const eti_beginning *b, eti_file_kind expected,
                              bool is_all, eti_error *err) {
    *is_judged = is_input(b->kind) && !eti__kind_is_other_zip(b->data, b->size);
    return *is_judged || may_become_log(b, is_all) ? ETI_OK : eti__fail_likeness(err, b, expected);
}

/* Judges a gzip file by up to `most` bytes of its contents. */
static eti_status judge_unpacked(eti_file_kind expected, bool *is_judged,
                                 const struct eti_file *file, size_t most, eti_error *err) {
    uint8_t *bytes;
    eti_beginning b = {.name = file->name, .is_unpacked = true};
    ETI_TRY(peek_gzip(&bytes, &b.size, file, most, err));
    b.data = bytes;
    eti_status status = ETI_OK;
    if (b.size > 0) {
        b.kind = eti_file_kind_of(bytes, b.size);
        status = judge_bytes(is_judged, &b, expected, false, err);
    } else if (file->size >= LONGEST_GZIP_HEADER) {
        status = eti_fail(err, ETI_ERROR_MALFORMED, "%s: the gzip file is damaged", file->name);
    }
    free(bytes);
    return status;
}

/* Judges a gzip file by its contents; faults of the whole file are reported when it is unpacked. */
static eti_status judge_gzip(eti_file_kind expected, bool *is_judged, const struct eti_file *file,
                             bool is_all, eti_error *err) {
    *is_judged = false;
    ETI_TRY(judge_unpacked(expected, is_judged, file, FIRST_UNPACKED, err));
    if (!*is_judged)
        ETI_TRY(judge_unpacked(expected, is_judged, file, ETI_LOG_MOST_BEFORE, err));
    *is_judged = *is_judged || is_all;
    return ETI_OK;
}

/* Bytes after the end of an ETDump mean nothing, and a stream may never end. */
#define MOST_BEHIND ((uint64_t)64 << 20)

/* Reads on while a stream whose prefix gives its end continues, up to a limit. */
static eti_status judge_end(bool *is_judged, const struct eti_file *file, bool is_all,
                            eti_error *err) {
    uint64_t end = eti__kind_prefixed_end(file->data, file->size);
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

/* Judges an input, as an eti_judge_function; the context is a judging. Because it is called with at least 4 KiB or with all
 * bytes, a kind that it finds is that of the whole file. */
static eti_status judge(const void *context, bool *is_judged, const struct eti_file *file,
                        bool is_all, eti_error *err) {
    const judging *in = context;
    *is_judged = *in->kind != ETI_FILE_UNKNOWN;
    if (!*is_judged) {
        *in->is_gzip = eti__kind_is_gzip(file->data, file->size);
        if (*in->is_gzip)
            return judge_gzip(in->expected, is_judged, file, is_all, err);
        *in->kind = eti_file_kind_of(file->data, file->size);
        const eti_beginning b = {file->name, file->data, file->size, *in->kind, false};
        ETI_TRY(judge_bytes(is_judged, &b, in->expected, is_all, err));
    }
    return judge_end(is_judged, file, is_all, err);
}

/* ---- ZIP files that are no ETRecord ---------------------------------------------------------- */

/* The member that makes a ZIP a native package of ExecuTorch: its program beside the weights. */
#define NATIVE_MEMBER "program.ptg"

static bool has_member(const eti_zip *zip, const char *name) {
    for (size_t i = 0; i < zip->n_members; i++) {
        if (eti__text_is(zip->members[i].name, name))
            return true;
    }
    return false;
}

eti_status eti__input_check_zip(const struct eti_file *file, const char *expected, eti_error *err) {
    eti_arena arena = {0};
    eti_zip zip;
    if (file->kind != ETI_FILE_ETRECORD)
        return ETI_OK;
    eti_status status = eti__zip_open_large(&zip, &arena, file, ETI_ZIP_TENSORS, NULL);
    bool is_other = status == ETI_OK && !has_member(&zip, ETI_RECORD_MEMBER);
    bool is_native = is_other && has_member(&zip, NATIVE_MEMBER);
    eti__arena_free(&arena);
    if (status == ETI_ERROR_MEMORY)
        return eti_fail_memory(err);
    if (!is_other)
        return ETI_OK;
    if (is_native)
        return eti_fail(err, ETI_ERROR_MALFORMED,
                        "%s is a native package (.ptn), which etinspect does not read", file->name);
    return expected ? eti_fail(err, ETI_ERROR_MALFORMED,
                               "%s: a ZIP archive, but not an ETRecord: expected %s", file->name,
                               expected)
                    : eti_fail(err, ETI_ERROR_MALFORMED,
                               "%s: a ZIP archive, but not an ETRecord; " ETI_HOW_TO_MAKE_A_RECORD,
                               file->name);
}

/* Describes the kind of file that is needed; NULL: an ETRecord, or any input. */
static const char *name_of_needed(eti_file_kind expected) {
    static const char *const names[] = {
        [ETI_FILE_ETDUMP] = "an ETDump",        [ETI_FILE_PROGRAM] = "a program (.pte, .bpte)",
        [ETI_FILE_DATA] = "a data file (.ptd)", [ETI_FILE_JOURNAL] = "a journal of libetcapture",
        [ETI_FILE_BASELINE] = "a baseline",
    };
    return (size_t)expected < sizeof names / sizeof *names ? names[expected] : NULL;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* Replaces a journal by its ETDump. */
static eti_status recover(struct eti_file *file, const char *path, eti_error *err) {
    if (file->kind != ETI_FILE_JOURNAL)
        return ETI_OK;
    ETI_TRY(unpack_journal(file, path, err));
    file->packing |= ETI_FROM_JOURNAL;
    file->kind = ETI_FILE_ETDUMP;
    return ETI_OK;
}

/* Opens an input of any kind; `expected` is for messages. */
static eti_status open_input(struct eti_file *out, const eti_source *source, eti_file_kind expected,
                             eti_error *err) {
    bool is_gzip = false, is_judged, is_in_memory = source->data != NULL;
    eti_file_kind kind = ETI_FILE_UNKNOWN;
    const judging in = {expected, &is_gzip, &kind};
    const eti_file_judge by_kind = {judge, &in};
    ETI_TRY(eti__file_open_judged(out, source, &by_kind, err));
    if (is_in_memory) {
        is_gzip = eti__kind_is_gzip(out->data, out->size);
        decide_kind(out);
    } else {
        out->kind = kind;
    }
    eti_status status = is_gzip ? unpack(out, err) : ETI_OK;
    if (status == ETI_OK && is_gzip && !is_in_memory) {
        const eti_beginning all = {out->name, out->data, out->size, out->kind, true};
        status = judge_bytes(&is_judged, &all, expected, true, err);
    }
    if (status == ETI_OK)
        status = eti__input_check_zip(out, name_of_needed(expected), err);
    if (status == ETI_OK)
        status = recover(out, is_gzip || is_in_memory ? NULL : source->path, err);
    return finish(out, status);
}

eti_status eti__input_expect(const struct eti_file *file, eti_file_kind expected, eti_error *err) {
    const eti_beginning all = {file->name, file->data, file->size, file->kind, false};
    bool is_expected = file->kind == expected;
    switch (expected) {
    case ETI_FILE_ETDUMP:
        return is_expected
                   ? ETI_OK
                   : eti_fail(err, ETI_ERROR_MALFORMED, "%s: expected an ETDump, found %s%s",
                              file->name, file->kind == ETI_FILE_UNKNOWN ? "a file that is " : "",
                              eti_file_kind_text(file->kind));
    case ETI_FILE_ETRECORD: /* a ZIP may have other bytes before it */
        is_expected = is_expected || eti__zip_has_end(file);
        break;
    case ETI_FILE_PROGRAM:
        is_expected = is_expected || file->kind == ETI_FILE_BUNDLED_PROGRAM;
        break;
    case ETI_FILE_DATA:
        break;
    default:
        return ETI_OK;
    }
    return is_expected ? ETI_OK : eti__fail_likeness(err, &all, expected);
}

eti_status eti__input_open(struct eti_file *out, const eti_source *source, eti_file_kind expected,
                           eti_error *err) {
    ETI_TRY(open_input(out, source, expected, err));
    if (expected == ETI_FILE_ETDUMP && out->kind == ETI_FILE_RUNNER_LOG)
        return ETI_OK;
    return finish(out, eti__input_expect(out, expected, err));
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

/* Decides the kind of an opened file; the contents of a gzip file replace its bytes. */
static eti_status unpack_any(struct eti_file *file, eti_error *err) {
    decide_kind(file);
    return eti__kind_is_gzip(file->data, file->size) ? unpack(file, err) : ETI_OK;
}

/* Opens any file. At most 64 KiB of a device are read; ETI_ERROR_MALFORMED if it has more. */
static eti_status open_input_any(struct eti_file *out, const eti_source *source, eti_error *err) {
    ETI_TRY(open_bytes(out, source, err));
    return finish(out, unpack_any(out, err));
}

eti_status eti__input_open_unchanged(struct eti_file *out, const eti_source *source,
                                     eti_error *err) {
    ETI_TRY(eti__file_open_source(out, source, err));
    decide_kind(out);
    return ETI_OK;
}

eti_status eti__input_open_debug_buffer(struct eti_file *out, const eti_source *source,
                                        eti_error *err) {
    ETI_TRY(open_bytes(out, source, err));
    eti_status status = unpack_any(out, err);
    if (status != ETI_OK && status != ETI_ERROR_MALFORMED)
        return finish(out, status);
    return out->kind == ETI_FILE_RUNNER_LOG
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
    return new_file(out, &file, open_input_any(&file, &source, err), err);
}

eti_status eti_file_open_as(eti_file **out, const char *path, eti_file_kind expected,
                            eti_error *err) {
    const eti_source source = {path, NULL, 0};
    struct eti_file file;
    return new_file(out, &file, open_input(&file, &source, expected, err), err);
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
