#include "read/input.h"

#include "read/gzip.h"
#include "read/runner_log.h"

#include <stdlib.h>

static eti_status unpack(struct eti_file *file, eti_error *err) {
    uint8_t *bytes;
    size_t size;
    ETI_TRY(eti__gzip_read(&bytes, &size, file, err));
    eti__file_replace(file, bytes, size);
    return ETI_OK;
}

/* Releases the file when something went wrong with it. */
static eti_status finish(struct eti_file *file, eti_status status) {
    if (status != ETI_OK)
        eti__file_release(file);
    return status;
}

eti_status eti__input_open(struct eti_file *out, const eti_source *source, eti_error *err) {
    ETI_TRY(eti__file_open_source(out, source, err));
    return eti__gzip_begins(out) ? finish(out, unpack(out, err)) : ETI_OK;
}

eti_status eti__input_open_debug_buffer(struct eti_file *out, const eti_source *source,
                                        eti_error *err) {
    ETI_TRY(eti__file_open_source(out, source, err));
    eti_status status = eti__gzip_begins(out) ? unpack(out, err) : ETI_OK;
    if (status != ETI_OK && status != ETI_ERROR_MALFORMED)
        return finish(out, status);
    return eti__runner_log_is(out->data, out->size)
               ? finish(out, eti__runner_log_take_debug_buffer(out, err))
               : ETI_OK;
}

/* ---- files that are opened before they are inspected ----------------------------------------- */

eti_status eti_file_open(eti_file **out, const char *path, eti_error *err) {
    *out = NULL;
    struct eti_file *file = malloc(sizeof *file);
    if (!file)
        return eti_fail_memory(err);
    eti_source source = {path, NULL, 0};
    eti_status status = eti__input_open(file, &source, err);
    if (status != ETI_OK) {
        free(file);
        return status;
    }
    *out = file;
    return ETI_OK;
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
