#include "places/block_methods.h"

#include "account/account.h"
#include "places/alignment.h"
#include "places/payloads.h"

#include <stdlib.h>

typedef struct teller {
    eti_inspector *inspector;
    eti_payloads payloads;
    eti_alignment alignment;
    eti_call_order order; /* of the current block */
    eti_text *names;      /* names of the events of the current delegate call */
    size_t n_names, capacity;
    uint64_t n_logged; /* number of operators that delegates logged in the current block */
    bool is_unsure;    /* some payloads of the current method cannot be read */
    size_t n_misfits;  /* number of blocks that fit the payloads of no method */
    size_t n_open;     /* number of blocks whose method payloads that cannot be read leave open */
    eti_error *err;
} teller;

/* Adds the number of events and nodes of a delegate call that have no counterpart. */
static eti_status add_call(teller *t, const eti_event *call, const eti_method *method,
                           uint64_t *n_unlike) {
    const eti_xnnpack *payload = NULL;
    eti_text backend, bytes;
    if (!eti__find_payload(t->inspector, method, method->plan, call, &backend, &bytes))
        return ETI_OK;
    ETI_TRY(eti__payloads_find(&t->payloads, backend, bytes, &payload, t->err));
    if (!payload) {
        t->is_unsure = t->is_unsure || eti__is_xnnpack(backend);
        return ETI_OK;
    }
    if (!eti__align(&t->alignment, payload, t->names, t->n_names))
        return eti_fail_memory(t->err);
    *n_unlike += t->alignment.n_unexplained;
    return ETI_OK;
}

/* Counts the operators that the first run of the block logged but the method's payloads lack, and the other way
 * round; payloads that cannot be read may lack more. */
static eti_status count_unlike(teller *t, const eti_event_block *block, const eti_method *method,
                               uint64_t *n_unlike) {
    uint32_t current = ETI_NO_CALL;
    *n_unlike = 0;
    t->is_unsure = false;
    t->n_logged = 0;
    t->n_names = 0;
    for (size_t i = 0; i < t->order.n_calls; i++) {
        const eti_call *call = &t->order.calls[i];
        if (call->delegate_call == ETI_NO_CALL)
            continue;
        if (current != ETI_NO_CALL && call->delegate_call != current) {
            ETI_TRY(add_call(t, &block->events[t->order.calls[current].event], method, n_unlike));
            t->n_names = 0;
        }
        current = call->delegate_call;
        t->n_logged++;
        if (!ETI_GROW(t->names, t->capacity, t->n_names + 1))
            return eti_fail_memory(t->err);
        t->names[t->n_names++] = block->events[call->event].name;
    }
    return current == ETI_NO_CALL
               ? ETI_OK
               : add_call(t, &block->events[t->order.calls[current].event], method, n_unlike);
}

/* Keeps only those methods that fit the block and whose payloads fit best, or may do so if they could be read. */
static eti_status tell_apart(teller *t, const eti_event_block *block, uint64_t *methods) {
    uint64_t n_unlike[ETI_METHODS_COMPARED], least = UINT64_MAX, unsure = 0;
    ETI_TRY(eti__call_order_read(&t->order, block, &block->runs[0], t->err));
    *methods = 0;
    for (size_t i = 0; i < t->inspector->n_methods; i++) {
        const uint64_t bit = UINT64_C(1) << i;
        n_unlike[i] = UINT64_MAX;
        if (!(block->methods_that_fit & bit))
            continue;
        ETI_TRY(count_unlike(t, block, &t->inspector->methods[i], &n_unlike[i]));
        if (t->is_unsure)
            unsure |= bit;
        else if (n_unlike[i] < least)
            least = n_unlike[i];
    }
    for (size_t i = 0; i < t->inspector->n_methods; i++) {
        if (n_unlike[i] <= least && n_unlike[i] <= t->n_logged / ETI_ONE_MISFIT_IN)
            *methods |= UINT64_C(1) << i;
    }
    t->n_misfits += *methods == 0;
    t->n_open += (*methods & unsure) != 0 && (*methods & (*methods - 1)) != 0;
    return ETI_OK;
}

/* Adds a note that says why payloads do not distinguish the methods. */
static eti_status note_payloads(teller *t) {
    const eti_inspector *inspector = t->inspector;
    const char *file =
        inspector->n_programs > 0 ? inspector->program_files[0].name : inspector->record_file.name;
    eti_buffer text = {0};
    if (t->n_misfits > 0)
        eti__buffer_printf(
            &text,
            "%s does not match: no method has the operators that delegates logged in "
            "%zu block%s; give the program (.pte) of the export that ran",
            file, t->n_misfits, t->n_misfits == 1 ? "" : "s");
    else if (t->n_open > 0)
        eti__buffer_printf(
            &text,
            "%s: cannot read %zu payload%s of XNNPACK (%s), so the method that ran is unknown",
            file, t->payloads.n_damaged, t->payloads.n_damaged == 1 ? "" : "s",
            t->payloads.damage.message);
    ETI_TRY(eti__notes_add(t->inspector, ETI_NOTE_WARNING, &text, t->err));
    if (t->n_misfits > 0)
        eti__notes_mark_mismatch(t->inspector);
    return ETI_OK;
}

/* Returns the bit of the method that the user asked for; 0: no preference. */
static uint64_t wanted_method(const eti_inspector *inspector) {
    const char *wanted = inspector->options.method;
    for (size_t i = 0; wanted && i < inspector->n_methods; i++) {
        if (eti__text_is(inspector->methods[i].name, wanted))
            return UINT64_C(1) << i;
    }
    return 0;
}

/* Adds a note that the requested method did not run in the block, which now has the method that its payloads show. */
static eti_status note_unwanted(teller *t, const eti_event_block *block) {
    eti_buffer text = {0};
    eti__buffer_printf(&text,
                       "%smethod %s: block %.*s did not run this method, because its delegates "
                       "logged the operators of %.*s",
                       eti__option_prefix(), t->inspector->options.method,
                       ETI_TEXT_ARGS(block->label), ETI_TEXT_ARGS(block->method_name));
    return eti__notes_add(t->inspector, ETI_NOTE_HINT, &text, t->err);
}

static eti_status note_all_unwanted(teller *t, const uint64_t *methods) {
    uint64_t wanted = wanted_method(t->inspector);
    for (size_t b = 0; wanted && b < t->inspector->blocks.n_blocks; b++) {
        if (methods[b] != 0 && !(methods[b] & wanted))
            ETI_TRY(note_unwanted(t, &t->inspector->blocks.blocks[b]));
    }
    return ETI_OK;
}

/* Adds a note that some runs of a block may be of other methods than the user's, which was chosen for all of them. */
static eti_status note_choice(teller *t, const eti_event_block *block, uint64_t methods) {
    eti_buffer text = {0};
    eti__buffer_printf(&text, "block %.*s: the methods ", ETI_TEXT_ARGS(block->label));
    eti__methods_add_names(&text, t->inspector, methods);
    eti__buffer_printf(&text,
                       " match its instructions equally well: %smethod %s is used for all of its "
                       "runs, but some may be of another method",
                       eti__option_prefix(), t->inspector->options.method);
    return eti__notes_add(t->inspector, ETI_NOTE_HINT, &text, t->err);
}

/* Chooses the user's method where the payloads leave the choice open. */
static eti_status choose_wanted(teller *t, uint64_t *methods) {
    uint64_t wanted = wanted_method(t->inspector);
    for (size_t b = 0; wanted && b < t->inspector->blocks.n_blocks; b++) {
        eti_event_block *block = &t->inspector->blocks.blocks[b];
        if (!(block->methods_that_fit & wanted))
            continue;
        if (methods[b] != wanted && (methods[b] == 0 || (methods[b] & wanted))) {
            ETI_TRY(note_choice(t, block, methods[b] != 0 ? methods[b] : block->methods_that_fit));
            methods[b] = wanted;
        }
    }
    return ETI_OK;
}

static eti_status tell_all_apart(teller *t, uint64_t *methods) {
    eti_blocks *blocks = &t->inspector->blocks;
    for (size_t b = 0; b < blocks->n_blocks; b++) {
        eti_event_block *block = &blocks->blocks[b];
        if (block->methods_that_fit == 0 || block->n_runs == 0)
            continue;
        ETI_TRY(tell_apart(t, block, &methods[b]));
    }
    ETI_TRY(choose_wanted(t, methods));
    for (size_t b = 0; b < blocks->n_blocks; b++) {
        if (methods[b] == 0)
            blocks->blocks[b].methods_that_fit = 0;
    }
    ETI_TRY(eti__methods_choose(t->inspector, methods, t->err));
    ETI_TRY(note_all_unwanted(t, methods));
    return note_payloads(t);
}

eti_status eti__tell_methods_apart(eti_inspector *inspector, eti_error *err) {
    if (!eti__has_several_methods(inspector))
        return ETI_OK;
    teller t = {.inspector = inspector, .payloads.arena = &inspector->arena, .err = err};
    uint64_t *methods = calloc(inspector->blocks.n_blocks + 1, sizeof *methods);
    eti_status status = methods ? tell_all_apart(&t, methods) : eti_fail_memory(err);
    eti__call_order_free(&t.order);
    eti__alignment_free(&t.alignment);
    eti__payloads_free(&t.payloads);
    free(t.names);
    free(methods);
    return status;
}
