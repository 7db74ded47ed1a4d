#include "read/journal.h"

#include "etcapture.h"

#include "base/status.h"

#include <stdlib.h>
#include <string.h>

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
    if (etc_count_saved(capture, &all, NULL, NULL) == ETC_STATE)
        return eti_fail(err, ETI_ERROR_MALFORMED, "%s: this journal contains no runs", name);
    return eti_fail(err, ETI_ERROR_MALFORMED,
                    "%s: this journal contains no complete run; etinspect recover --partial writes "
                    "partial runs",
                    name);
}

static eti_status save(struct eti_file *file, const etc_capture *capture, eti_error *err) {
    uint64_t size;
    size_t used;
    if (etc_save_size(capture, NULL, &size) == ETC_STATE)
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

/* Fails if another journal follows: it would be ignored. */
static eti_status check_alone(const struct eti_file *file, eti_error *err) {
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

eti_status eti__journal_unpack(struct eti_file *file, const char *path, eti_error *err) {
    etc_capture *capture;
    ETI_TRY(check_alone(file, err));
    etc_status status = open_capture(&capture, file, path);
    if (status != ETC_OK)
        return fail_capture(err, file->name, status);
    eti_status result = save(file, capture, err);
    etc_close(capture);
    return result;
}
