/*
 * fuzz_wrapped.c - the input is a gzip file, the log of a device, or neither. The result is not read further: the other
 * targets do that.
 */

#include "fuzz.h"

#define MOST_INFLATED(size) (((uint64_t)256 << 10) + 64 * (uint64_t)(size))

static void expect_failure(eti_status status, const eti_error *err) {
    FUZZ_EXPECT(status == ETI_ERROR_MALFORMED || status == ETI_ERROR_LIMIT);
    FUZZ_EXPECT(err->status == status && strncmp(err->message, "fuzz.in", 7) == 0);
}

/* All that is in the files is there, and is no more than base64 can hold. */
static size_t look_at(const struct eti_file *files, size_t n) {
    size_t size = 0;
    for (size_t i = 0; i < n; i++) {
        FUZZ_EXPECT(strncmp(files[i].name, "fuzz.in, line ", 14) == 0);
        fuzz_touch_bytes(files[i].data, files[i].size);
        size += files[i].size;
    }
    return size;
}

static void read_log(const struct eti_file *file) {
    eti_runner_log log;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__runner_log_read(&log, file, &err);
    if (status != ETI_OK) {
        expect_failure(status, &err);
        return;
    }
    FUZZ_EXPECT(log.n_dumps + log.n_debug_buffers > 0);
    size_t size = look_at(log.dumps, log.n_dumps);
    size += look_at(log.debug_buffers, log.n_debug_buffers);
    FUZZ_EXPECT(size <= file->size / 4 * 3);
    eti__runner_log_free(&log);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input input = {data, size};
    eti_source source = fuzz_source("fuzz.in", fuzz_take_rest(&input));
    struct eti_file file;
    eti_error err = ETI_ERROR_INIT;
    eti_status status = eti__input_open(&file, &source, ETI_FILE_UNKNOWN, &err);
    if (status != ETI_OK) {
        expect_failure(status, &err);
    } else {
        FUZZ_EXPECT(file.size <= MOST_INFLATED(size));
        if (eti_file_kind_of(file.data, file.size) == ETI_FILE_RUNNER_LOG)
            read_log(&file);
        eti__file_release(&file);
    }
    if (eti__input_open_debug_buffer(&file, &source, &err) == ETI_OK)
        eti__file_release(&file);
    fuzz_source_free(source);
    return 0;
}
