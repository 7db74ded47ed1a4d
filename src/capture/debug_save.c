/*
 * debug_save.c - writes the contents of the tensors of the runs that are saved, in the order of the file
 * and each at the next multiple of ETC_CONTENTS_ALIGNMENT: layout_values.c gives tensors the
 * same offsets.
 */
#include "capture/sink.h"

typedef struct contents {
    etc_sink sink; /* without a function: contents are only counted */
    uint64_t position;
    bool has_failed;
} contents;

static void put(contents *out, const void *data, size_t size) {
    if (size && out->sink.write && !out->has_failed)
        out->has_failed = out->sink.write(out->sink.context, data, size) != 0;
    out->position += size;
}

static void put_tensor(contents *out, const etc_capture *c, const etc_tensor_record *tensor) {
    static const uint8_t zeros[ETC_CONTENTS_ALIGNMENT] = {0};
    put(out, zeros, (size_t)(-out->position & (ETC_CONTENTS_ALIGNMENT - 1)));
    put(out, c->debug_buffer + tensor->offset, (size_t)etc__tensor_bytes(tensor));
}

static void put_run(contents *out, etc_cursor records) {
    etc_tensor_cursor tensors = {.records = records};
    for (const etc_tensor_record *tensor; (tensor = etc__next_contents(&tensors)) != NULL;)
        put_tensor(out, tensors.records.c, tensor);
}

static etc_status put_runs(contents *out, const etc_capture *c, const etc_save_options *options) {
    etc_save_options known;
    etc_run_cursor cursor;
    if (!etc__read_options(&known, options))
        return ETC_INVALID;
    uint32_t n = etc__count_runs(c, &known);
    if (n == 0)
        return etc__why_empty(c);
    etc__start_runs(c, &cursor, &known);
    for (; etc__next_run(c, &cursor); n--) {
        if (known.last_runs == 0 || n <= known.last_runs)
            put_run(out, cursor.records);
    }
    return out->has_failed ? ETC_IO : ETC_OK;
}

/* Returns the number of bytes that etc_save_debug() would write. */
static uint64_t contents_size(const etc_capture *c, const etc_save_options *options) {
    contents out = {0};
    if (!c->debug_sink.write)
        (void)put_runs(&out, c, options);
    return out.position;
}

etc_status etc_save_debug(const etc_capture *c, const etc_save_options *options, etc_sink sink) {
    if (!c)
        return ETC_OK;
    if (!sink.write)
        return ETC_INVALID;
    if (c->debug_sink.write || c->lane)
        return ETC_STATE;
    contents out = {.sink = sink};
    return put_runs(&out, c, options);
}

void etc__print_contents(etc_wire *w, const etc_capture *c, const etc_save_options *options) {
    if (!contents_size(c, options))
        return;
    (void)etc__put_blob(w, "debug_buffer.bin", c, options, etc_save_debug);
    w->debug_bytes = w->n_bytes;
    w->debug_crc = w->crc;
}

void etc__print_check(etc_wire *w) {
    etc__put_check(w, " debug_bytes=", w->debug_bytes, " debug_crc32=", w->debug_crc);
}

const etc_value_calls etc__value_calls = {
    etc__log_number, etc__log_tensors, NULL, etc__put_value, etc__print_contents, etc__print_check,
};
