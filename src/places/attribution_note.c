#include "places/attribution_note.h"

#include <inttypes.h>

typedef struct known_counts {
    uint64_t n, n_known;
    uint64_t of[ETI_N_ATTRIBUTIONS];
} known_counts;

static bool logs_operators(const eti_event_block *block) {
    for (size_t i = 0; i < block->n_events; i++) {
        if (block->events[i].is_delegated_op)
            return true;
    }
    return false;
}

/* Returns whether the event has operators of its own, not only those of its whole call. */
static bool has_operators(const eti_event *event) {
    const eti_event_record *known = event->known;
    if (known->attribution != ETI_ATTRIBUTION_NONE)
        return known->attribution != ETI_ATTRIBUTION_CALL;
    return known->n_op_types > 0 && !event->is_delegated_op &&
           !eti__text_is(event->name, "DELEGATE_CALL");
}

static void count_block(known_counts *counts, const eti_event_block *block) {
    bool is_logged = logs_operators(block);
    for (size_t i = 0; i < block->n_events; i++) {
        const eti_event *event = &block->events[i];
        bool is_around = is_logged && eti__text_is(event->name, "DELEGATE_CALL");
        if (!eti__event_has_instruction(event) || event->is_operator_call || is_around)
            continue;
        counts->n++;
        counts->n_known += has_operators(event);
        counts->of[event->known->attribution]++;
    }
}

/* Appends counts like " (40 exact, 2 aligned), 5 only those of their call". */
static void add_kinds(eti_buffer *text, const known_counts *counts) {
    const char *separator = " (";
    for (unsigned i = ETI_ATTRIBUTION_RECORDED; i < ETI_ATTRIBUTION_CALL; i++) {
        if (counts->of[i] == 0)
            continue;
        eti__buffer_printf(text, "%s%" PRIu64 " ", separator, counts->of[i]);
        eti__buffer_add_text(text, eti__attribution_name((uint8_t)i));
        separator = ", ";
    }
    eti__buffer_add_string(text, *separator == ',' ? ")" : "");
    if (counts->of[ETI_ATTRIBUTION_CALL] > 0)
        eti__buffer_printf(text, ", %" PRIu64 " only those of their call",
                           counts->of[ETI_ATTRIBUTION_CALL]);
}

eti_status eti__attribution_note(eti_inspector *inspector, eti_error *err) {
    known_counts counts = {0};
    eti_buffer text = {0};
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++)
        count_block(&counts, &inspector->blocks.blocks[b]);
    if (counts.n == 0 || (counts.n_known == 0 && !inspector->record))
        return ETI_OK;
    eti__buffer_printf(
        &text, "operators are known for %" PRIu64 " of %" PRIu64 " events of kernels and delegates",
        counts.n_known, counts.n);
    add_kinds(&text, &counts);
    return eti__notes_add(inspector, ETI_NOTE_INFO, &text, err);
}
