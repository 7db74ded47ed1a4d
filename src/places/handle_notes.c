#include "places/handle_notes.h"

#include "account/account.h"

#include <inttypes.h>

typedef struct handle_counts {
    uint64_t n_calls, n_missing; /* of kernels and delegates; of these, those without handles */
    bool has_control_flow;
} handle_counts;

/* ---- counting -------------------------------------------------------------------------------- */

static void add_call(handle_counts *counts, const eti_inspector *inspector, size_t method,
                     int32_t id) {
    eti_debug_handles handles;
    counts->n_calls++;
    counts->n_missing += !eti__etrecord_find_handles(inspector->record, method, id, &handles);
}

/* Returns whether the map of a method is there and has entries; other notes are about those that have none. */
static bool has_map(const eti_inspector *inspector, size_t method) {
    return method != ETI_NO_METHOD &&
           eti__etrecord_method_instruction_count(inspector->record, method) > 0;
}

static handle_counts count_plan(const eti_inspector *inspector, const eti_method *method) {
    handle_counts counts = {0};
    for (uint32_t c = 0; c < method->plan->n_chains; c++) {
        const eti_pte_chain *chain = &method->plan->chains[c];
        for (uint32_t i = 0; i < chain->n_instructions; i++) {
            uint8_t kind = chain->instructions[i].kind;
            counts.has_control_flow |= kind == ETI_PTE_JUMP_FALSE_CALL;
            if (kind == ETI_PTE_KERNEL_CALL || kind == ETI_PTE_DELEGATE_CALL)
                add_call(&counts, inspector, method->number, (int32_t)i);
        }
    }
    return counts;
}

/* Counts the calls that ran; one that several blocks of a method have counts once. Returns false if memory runs out. */
static bool count_blocks(handle_counts *counts, const eti_inspector *inspector) {
    eti_distinct_events distinct = {.inspector = inspector};
    bool done = true, is_new;
    for (size_t b = 0; b < inspector->blocks.n_blocks && done; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        for (size_t i = 0; i < block->n_events && done && has_map(inspector, block->method); i++) {
            const eti_event *event = &block->events[i];
            counts->has_control_flow |= eti__text_is(event->name, "JF_CALL");
            if (!eti__event_has_instruction(event) || event->is_operator_call ||
                event->is_delegated_op || eti__is_runtime_instruction(event->name))
                continue;
            done = eti__distinct_events_add(&distinct, event, &is_new);
            if (done && is_new)
                add_call(counts, inspector, block->method, event->instruction_id);
        }
    }
    eti__distinct_events_free(&distinct);
    return done;
}

/* ---- notes ----------------------------------------------------------------------------------- */

/* Adds a note; `of` describes the calls. */
static eti_status add_note(eti_inspector *inspector, const handle_counts *counts, eti_buffer *text,
                           const char *of, eti_error *err) {
    if (!counts->has_control_flow || counts->n_missing == 0) {
        eti__buffer_free(text);
        return ETI_OK;
    }
    eti__buffer_printf(
        text,
        "%" PRIu64 " of the %" PRIu64
        " calls of kernels and delegates %s are not in the debug_handle_map of "
        "%s, so that their events have no operator, module or source line: the "
        "export records no debug handles inside cond, map, scan and while_loop, nor for "
        "calls that it adds itself",
        counts->n_missing, counts->n_calls, of, inspector->record_file.name);
    return eti__notes_add(inspector, ETI_NOTE_HINT, text, err);
}

eti_status eti__handles_note(eti_inspector *inspector, eti_error *err) {
    if (!inspector->record || inspector->has_foreign_record)
        return ETI_OK;
    for (size_t i = 0; i < inspector->n_methods; i++) {
        const eti_method *method = &inspector->methods[i];
        eti_buffer text = {0};
        if (!method->plan || !has_map(inspector, method->number))
            continue;
        const handle_counts counts = count_plan(inspector, method);
        eti__buffer_add_string(&text, "method ");
        eti__buffer_add_text(&text, method->name);
        eti__buffer_add_string(&text, ": ");
        ETI_TRY(add_note(inspector, &counts, &text, "in the program", err));
    }
    handle_counts counts = {0};
    eti_buffer text = {0};
    if (inspector->n_programs > 0)
        return ETI_OK;
    if (!count_blocks(&counts, inspector))
        return eti_fail_memory(err);
    return add_note(inspector, &counts, &text, "that ran", err);
}
