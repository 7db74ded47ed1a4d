#include "numerics/recorded_notes.h"

#include "base/sort.h"
#include "base/text.h"
#include "model/notes.h"
#include "numerics/recorded.h"

#include <stdlib.h>

static eti_status note_outside(eti_inspector *inspector, const eti_recorded *recorded,
                               eti_error *err) {
    const struct eti_file *buffer = &inspector->debug_buffer_file;
    size_t n = recorded->n_outside;
    eti_buffer text = {0};
    if (n == 0)
        return ETI_OK;
    eti__buffer_printf(&text, "%s: %zu of %zu recorded tensors lie beyond its end at byte %zu: ",
                       buffer->name, n, recorded->n_with_bytes, buffer->size);
    if (eti__recorded_is_foreign(recorded))
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

/* Bytes of a tensor in the debug buffer. */
typedef struct stored {
    size_t start, end;
} stored;

static int compare_stored(const void *a, const void *b, void *unused) {
    const stored *x = a, *y = b;
    (void)unused;
    return (x->start > y->start) - (x->start < y->start);
}

static bool is_zero(const uint8_t *data, size_t start, size_t end) {
    while (start < end && data[start] == 0)
        start++;
    return start == end;
}

/* Adds a note if most padding bytes are not zeros. A writer fills the bytes before a tensor with zeros, up to its
 * alignment; other bytes show that the described tensors are not the stored ones. */
static eti_status note_padding(eti_inspector *inspector, const eti_recorded *recorded,
                               eti_error *err) {
    const struct eti_file *buffer = &inspector->debug_buffer_file;
    stored *all = malloc((recorded->n + 1) * sizeof *all);
    size_t n = 0, n_gaps = 0, n_used = 0;
    eti_buffer text = {0};
    if (!all)
        return eti_fail_memory(err);
    for (size_t i = 0; i < recorded->n; i++) {
        const eti_tensor_values *values = &recorded->tensors[i].values;
        if (recorded->tensors[i].fault != ETI_RECORDED_FINE || !values->data)
            continue;
        size_t start = (size_t)(values->data - (const uint8_t *)buffer->data);
        all[n++] = (stored){start, start + (size_t)eti__tensor_values_size(values)};
    }
    eti__sort(all, n, sizeof *all, compare_stored, NULL);
    for (size_t i = 1; i < n; i++) {
        size_t from = all[i - 1].end, to = all[i].start;
        if (to <= from || to - from > MOST_PADDING)
            continue;
        n_gaps++;
        n_used += !is_zero(buffer->data, from, to);
    }
    free(all);
    if (n_used > n_gaps / 2)
        eti__buffer_printf(
            &text,
            "%s: %zu of %zu gaps between recorded tensors are not zero, but the runtime writes "
            "zeros there: it does not belong to this ETDump; give the debug buffer written with it",
            buffer->name, n_used, n_gaps);
    return eti__notes_add(inspector, ETI_NOTE_WARNING, &text, err);
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

static eti_status note_all(eti_inspector *inspector, const eti_recorded *recorded, eti_error *err) {
    size_t n = recorded->n_with_bytes - recorded->n_outside;
    eti_buffer text = {0};
    if (recorded->n_with_bytes > 0 && recorded->n_outside == 0)
        eti__buffer_printf(&text, "%zu recorded tensor%s in the debug buffer", n,
                           n == 1 ? " lies" : "s lie");
    else if (recorded->n == 0)
        eti__buffer_printf(&text,
                           "%s: a debug buffer, but it contains no tensors: turn on logging of "
                           "intermediate outputs, or of program outputs",
                           inspector->debug_buffer_file.name);
    ETI_TRY(eti__notes_add(inspector, recorded->n > 0 ? ETI_NOTE_INFO : ETI_NOTE_HINT, &text, err));
    ETI_TRY(note_outside(inspector, recorded, err));
    if (!eti__recorded_is_foreign(recorded))
        ETI_TRY(note_padding(inspector, recorded, err));
    return note_types(inspector, recorded, err);
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
