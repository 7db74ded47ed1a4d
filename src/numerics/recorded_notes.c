#include "numerics/recorded_notes.h"

#include "base/sort.h"
#include "numerics/recorded.h"

#include <stdlib.h>

static eti_status note_outside(eti_inspector *inspector, const eti_recorded_buffer *buffer,
                               eti_error *err) {
    eti_buffer text = {0};
    if (buffer->n_outside == 0)
        return ETI_OK;
    eti__buffer_printf(&text, "%s: %zu of %zu recorded tensors lie beyond its end at byte %zu: ",
                       buffer->file->name, buffer->n_outside, buffer->n_with_bytes,
                       buffer->file->size);
    if (eti__recorded_is_foreign(buffer))
        eti__buffer_add_string(
            &text, "it does not belong to this ETDump: give the debug buffer written with it");
    else
        eti__buffer_add_string(
            &text,
            "it was cut short, or does not belong to this ETDump: copy it from the device again");
    return eti__notes_add(inspector, ETI_NOTE_WARNING, &text, err);
}

/* ---- bytes between tensors -------------------------------------------------------------------- */

/* Wider gaps are not padding; other data was stored there. */
#define MOST_PADDING 63

/* Bytes of a tensor in a debug buffer. */
typedef struct stored {
    size_t buffer, start, end;
} stored;

typedef struct gaps {
    size_t n, n_used;
} gaps;

static int compare_stored(const void *a, const void *b, void *unused) {
    const stored *x = a, *y = b;
    (void)unused;
    if (x->buffer != y->buffer)
        return x->buffer < y->buffer ? -1 : 1;
    return (x->start > y->start) - (x->start < y->start);
}

static bool is_zero(const uint8_t *data, size_t start, size_t end) {
    while (start < end && data[start] == 0)
        start++;
    return start == end;
}

/* Lists the bytes of the tensors in all debug buffers, in order; returns their number. */
static size_t list_stored(stored *out, const eti_recorded *recorded) {
    size_t n = 0;
    for (size_t i = 0; i < recorded->n; i++) {
        const eti_recorded_tensor *tensor = &recorded->tensors[i];
        if (tensor->fault != ETI_RECORDED_FINE || !tensor->values.data)
            continue;
        size_t start = (size_t)(tensor->values.data - recorded->buffers[tensor->buffer].file->data);
        out[n++] = (stored){tensor->buffer, start,
                            start + (size_t)eti__tensor_values_size(&tensor->values)};
    }
    eti__sort(out, n, sizeof *out, compare_stored, NULL);
    return n;
}

/* Counts the gaps between tensors per debug buffer, and those that are not all zeros. */
static eti_status count_gaps(gaps *out, const eti_recorded *recorded, eti_error *err) {
    stored *all = malloc((recorded->n + 1) * sizeof *all);
    if (!all)
        return eti_fail_memory(err);
    size_t n = list_stored(all, recorded);
    for (size_t i = 1; i < n; i++) {
        size_t of = all[i].buffer, from = all[i - 1].end, to = all[i].start;
        if (all[i - 1].buffer != of || to <= from || to - from > MOST_PADDING)
            continue;
        out[of].n++;
        out[of].n_used += !is_zero(recorded->buffers[of].file->data, from, to);
    }
    free(all);
    return ETI_OK;
}

/* Adds a note if most padding bytes are not zeros. A writer fills the bytes before a tensor with zeros, up to its
 * alignment; other bytes show that the described tensors are not the stored ones. */
static eti_status note_padding(eti_inspector *inspector, const eti_recorded_buffer *buffer,
                               const gaps *between, eti_error *err) {
    eti_buffer text = {0};
    if (!eti__recorded_is_foreign(buffer) && between->n_used > between->n / 2)
        eti__buffer_printf(
            &text,
            "%s: %zu of %zu gaps between recorded tensors are not zero, but the runtime writes "
            "zeros there: it does not belong to this ETDump; give the debug buffer written with it",
            buffer->file->name, between->n_used, between->n);
    return eti__notes_add(inspector, ETI_NOTE_WARNING, &text, err);
}

/* ---- all -------------------------------------------------------------------------------------- */

static eti_status note_empty(eti_inspector *inspector, const eti_recorded_buffer *buffer,
                             eti_error *err) {
    eti_buffer text = {0};
    if (buffer->n == 0)
        eti__buffer_printf(&text,
                           "%s: a debug buffer, but it contains no tensors: turn on logging of "
                           "intermediate outputs, or of program outputs",
                           buffer->file->name);
    return eti__notes_add(inspector, ETI_NOTE_HINT, &text, err);
}

static eti_status note_types(eti_inspector *inspector, const eti_recorded *recorded,
                             eti_error *err) {
    eti_buffer text = {0};
    size_t n = 0;
    for (size_t i = 0; i < recorded->n; i++)
        n += recorded->tensors[i].fault == ETI_RECORDED_TYPE;
    if (n > 0)
        eti__buffer_printf(&text, "%zu recorded tensor%s of a type whose elements cannot be read",
                           n, n == 1 ? " is" : "s are");
    return eti__notes_add(inspector, ETI_NOTE_HINT, &text, err);
}

static eti_status note_buffers(eti_inspector *inspector, const eti_recorded *recorded,
                               const gaps *between, eti_error *err) {
    size_t n = recorded->n_with_bytes;
    eti_buffer text = {0};
    if (n > 0 && recorded->n_outside == 0)
        eti__buffer_printf(&text, "%zu recorded tensor%s in the debug buffer%s", n,
                           n == 1 ? " lies" : "s lie", recorded->n_buffers == 1 ? "" : "s");
    ETI_TRY(eti__notes_add(inspector, ETI_NOTE_INFO, &text, err));
    for (size_t i = 0; i < recorded->n_buffers; i++) {
        const eti_recorded_buffer *buffer = &recorded->buffers[i];
        ETI_TRY(note_empty(inspector, buffer, err));
        ETI_TRY(note_outside(inspector, buffer, err));
        ETI_TRY(note_padding(inspector, buffer, &between[i], err));
    }
    return note_types(inspector, recorded, err);
}

static eti_status note_all(eti_inspector *inspector, const eti_recorded *recorded, eti_error *err) {
    gaps *between = calloc(recorded->n_buffers, sizeof *between);
    if (!between)
        return eti_fail_memory(err);
    eti_status status = count_gaps(between, recorded, err);
    if (status == ETI_OK)
        status = note_buffers(inspector, recorded, between, err);
    free(between);
    return status;
}

eti_status eti__recorded_note(eti_inspector *inspector, eti_error *err) {
    eti_view_options options = ETI_VIEW_OPTIONS_DEFAULT;
    eti_recorded recorded = {.n = 0};
    options.run = "all";
    if (!inspector->has_debug_buffer)
        return ETI_OK;
    eti_status status = eti__recorded_find(&recorded, inspector, &options, err);
    if (status == ETI_OK)
        status = note_all(inspector, &recorded, err);
    eti__recorded_free(&recorded);
    return status;
}
