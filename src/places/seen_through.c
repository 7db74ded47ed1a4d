#include "places/places.h"

#include "inside/inside.h"
#include "places/agreement.h"
#include "places/alignment.h"
#include "places/inferring.h"
#include "places/kernel_nodes.h"
#include "places/known_nodes.h"
#include "places/named_nodes.h"
#include "places/vulkan_calls.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ==== attribution note ======================================================================== */
/* Adds a note with the number of events whose operators are known and the ways in which they were
 * found. */

typedef struct known_counts {
    uint64_t n, n_known;
    uint64_t of[ETI_N_ATTRIBUTIONS];
} known_counts;

/* Lists the instructions whose delegates logged events. Returns false if memory runs out. */
static bool list_logging(eti_id_table *ids, const eti_event_block *block) {
    bool done = true;
    for (size_t i = 0; i < block->n_events && done; i++) {
        uint32_t ignored;
        if (block->events[i].is_delegated_op || block->events[i].logged)
            done = eti__id_table_add(ids, block->events[i].instruction_id, &ignored);
    }
    return done;
}

/* Returns whether the event has operators of its own, not only those of its whole call. A call without logged events has
 * those of the call. */
static bool has_operators(const eti_event *event) {
    const eti_event_record *known = event->known;
    if (known->attribution != ETI_ATTRIBUTION_NONE)
        return known->attribution != ETI_ATTRIBUTION_CALL;
    return known->n_op_types > 0 && !event->is_delegated_op;
}

static bool count_block(known_counts *counts, const eti_event_block *block) {
    eti_id_table logging = {0};
    bool done = list_logging(&logging, block);
    for (size_t i = 0; i < block->n_events && done; i++) {
        const eti_event *event = &block->events[i];
        bool is_call = eti__text_is(event->name, "DELEGATE_CALL");
        bool runs = !event->logged || event->logged->role == ETI_DELEGATE_NODE ||
                    event->logged->role == ETI_DELEGATE_DEVICE;
        uint32_t ignored;
        if (!eti__event_has_instruction(event) || event->is_operator_call || !runs ||
            (is_call && eti__id_table_find(&logging, event->instruction_id, &ignored)))
            continue;
        bool is_known = has_operators(event);
        counts->n++;
        counts->n_known += is_known;
        counts->of[is_call && is_known ? ETI_ATTRIBUTION_CALL : event->known->attribution]++;
    }
    eti__id_table_free(&logging);
    return done;
}

/* Appends counts like " (40 exact, 2 matched by order), 5 only those of their call". */
static void add_kinds(eti_buffer *text, const known_counts *counts) {
    const char *separator = " (";
    for (unsigned i = ETI_ATTRIBUTION_RECORDED; i < ETI_ATTRIBUTION_CALL; i++) {
        if (counts->of[i] == 0)
            continue;
        eti__buffer_printf(text, "%s%" PRIu64 " ", separator, counts->of[i]);
        eti__attribution_add_words(text, (uint8_t)i);
        separator = ", ";
    }
    eti__buffer_add_string(text, *separator == ',' ? ")" : "");
    if (counts->of[ETI_ATTRIBUTION_CALL] > 0)
        eti__buffer_printf(text, ", %" PRIu64 " only those of %s call",
                           counts->of[ETI_ATTRIBUTION_CALL],
                           counts->of[ETI_ATTRIBUTION_CALL] == 1 ? "its" : "their");
}

/* Adds a note like "operators are known for 42 of 43 events of kernels and delegates (40 exact, 2 matched by
 * order), 1 only those of their call"; call it after the events inside delegate calls have been attributed. It counts kernels,
 * events that delegates logged, and delegate calls in blocks where no delegate logged an event. Nothing is added if
 * no event has operators and no ETRecord was given, because programs have no operators for kernels. Fails with
 * ETI_ERROR_MEMORY. */
static eti_status attribution_note(eti_inspector *inspector, eti_error *err) {
    known_counts counts = {0};
    eti_buffer text = {0};
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        if (!count_block(&counts, &inspector->blocks.blocks[b]))
            return eti_fail_memory(err);
    }
    if (counts.n == 0 || (counts.n_known == 0 && !inspector->record))
        return ETI_OK;
    eti__buffer_printf(
        &text, "operators are known for %" PRIu64 " of %" PRIu64 " events of kernels and delegates",
        counts.n_known, counts.n);
    add_kinds(&text, &counts);
    return eti__notes_add(inspector, ETI_NOTE_INFO, &text, err);
}

/* ==== seen through ============================================================================ */

/* A payload fits a call if at most one in this number of its nodes and events is unexplained. */
#define ONE_UNEXPLAINED_IN 16u

/* Counts about the payloads, for notes. */
typedef struct findings {
    size_t n_events,
        /* number of XNNPACK events in all blocks; number of those in calls that do not fit their payloads */
        n_misfits;
    /* number of the latter where the kernels are known and differ from those of the payload */
    size_t n_unlike;
    /* number of calls whose payload has handles that the record does not list for the call */
    size_t n_foreign_handles;
    /* In blocks with other calls than the record: number of operators and events that were compared, and number of
     * those without a counterpart. */
    uint64_t n_compared, n_alone;
    size_t n_foreign_blocks;
} findings;

typedef struct see_through {
    eti_inspector *inspector;
    eti_event_block *block;
    eti_delegated_calls calls;
    eti_payloads payloads;
    eti_alignment alignment;
    eti_inferring inferring;
    eti_record_fit record_fit;
    eti_known_nodes known;
    eti_named_nodes named;
    eti_vulkan_calls vulkan;
    eti_recorded_nodes recorded;
    bool uses_payloads; /* the program fits the block */
    bool uses_record;   /* the calls of the block match those of the record */
    /* The calls of the block that were passed have payloads whose nodes were counted, and each runs once. */
    bool is_in_order;
    findings findings;
    eti_error *err;
} see_through;

/* ---- payloads -------------------------------------------------------------------------------- */

static eti_status find_payload(see_through *s, const eti_event *call, const eti_xnnpack **out) {
    const eti_method *method = eti__method_of(s->inspector, s->block);
    eti_text backend, payload;
    *out = NULL;
    return eti__find_payload(s->inspector, method, s->block->plan, call, &backend, &payload)
               ? eti__payloads_find(&s->payloads, backend, payload, out, s->err)
               : ETI_OK;
}

/* Returns the lowered module that a call runs, or NULL if that is unknown. */
static const eti_lowered_module *module_of(const see_through *s, const eti_delegated_call *call) {
    return eti__find_lowered_module(s->inspector, eti__method_of(s->inspector, s->block),
                                    call->event);
}

/* Finds what the delegate_map has for an event; `*out` is NULL if it has nothing. */
static eti_status find_entry(see_through *s, const eti_event *event, const eti_delegate_entry **out,
                             eti_attribution *attribution) {
    const eti_delegate_call *map;
    *out = NULL;
    if (!eti__recorded_map_find(&s->recorded, s->inspector->record, s->block->method,
                                event->instruction_id, &map))
        return eti_fail_memory(s->err);
    if (map)
        *out = eti__recorded_entry_find(&s->recorded, map, event, attribution);
    return ETI_OK;
}

/* Returns whether all kernels are known; kernels of other releases may have unknown names, which prove nothing about
 * a payload. */
static bool knows_kernels(const eti_delegated_call *call) {
    for (size_t i = 0; i < call->n; i++) {
        if (eti__xnnpack_kinds_that_run_as(eti__xnnpack_kernel(call->names[i])) == 0)
            return false;
    }
    return true;
}

/* Aligns a call with its payload. Sets `*out` to NULL if there is no payload or it does not fit. */
static eti_status align(see_through *s, const eti_delegated_call *call, const eti_xnnpack **out) {
    const eti_xnnpack *payload;
    bool fits;
    *out = NULL;
    ETI_TRY(find_payload(s, call->event, &payload));
    if (!payload) {
        bool is_misfit = s->block->plan && !eti__delegated_call_delegate(call, s->block->plan);
        s->findings.n_events += is_misfit ? call->n : 0;
        s->findings.n_misfits += is_misfit ? call->n : 0;
        s->findings.n_unlike += is_misfit ? call->n : 0;
        return ETI_OK;
    }
    if (!eti__align(&s->alignment, payload, call->names, call->n))
        return eti_fail_memory(s->err);
    s->findings.n_events += call->n;
    fits = s->alignment.n_found > 0 &&
           s->alignment.n_unexplained <= (call->n + payload->n_nodes) / ONE_UNEXPLAINED_IN;
    s->findings.n_unlike += !fits && knows_kernels(call) ? call->n : 0;
    if (fits) {
        const eti_debug_handles *listed = &call->event->known->handles;
        if ((listed->n > 0 && !eti__payload_is_listed(payload, listed, &fits)) ||
            (fits && !eti__handle_nodes_fit(&s->known.graph, module_of(s, call), payload, &fits)))
            return eti_fail_memory(s->err);
        s->findings.n_foreign_handles += !fits;
    }
    s->findings.n_misfits += fits ? 0 : call->n;
    *out = fits ? payload : NULL;
    return ETI_OK;
}

/* Sets `*out` to whether the backend logs identifiers of its own; if so, it logs them for all events of a call. */
static eti_status logs_identifiers(see_through *s, const eti_delegated_call *call, bool *out) {
    *out = false;
    for (size_t i = 0; i < call->n && !*out; i++) {
        const eti_delegate_entry *entry;
        eti_attribution attribution;
        ETI_TRY(find_entry(s, call->events[i], &entry, &attribution));
        *out = entry != NULL;
    }
    return ETI_OK;
}

/* Counts the nodes that the i-th call runs, unless its payload does not fit or a loop may repeat it. */
static eti_status count_nodes(see_through *s, size_t i, const eti_xnnpack *payload) {
    const eti_delegated_call *call = &s->calls.calls[i];
    const eti_xnnpack *found;
    bool is_recorded;
    ETI_TRY(find_payload(s, call->event, &found));
    ETI_TRY(logs_identifiers(s, call, &is_recorded));
    bool is_later =
        i == 0 || (call->chain == call[-1].chain && call->instruction > call[-1].instruction);
    s->is_in_order = s->is_in_order && is_later && payload == found && !is_recorded;
    return !s->is_in_order || !payload ||
                   eti__node_choices_count(&s->known.graph, module_of(s, call), payload,
                                           s->block->number)
               ? ETI_OK
               : eti_fail_memory(s->err);
}

/* Decides whether the payloads of the program are the ones that ran. */
static eti_status judge_payloads(see_through *s, eti_event_block *block) {
    const findings before = s->findings;
    s->is_in_order = true;
    for (size_t i = 0; i < s->calls.n; i++) {
        const eti_xnnpack *payload;
        ETI_TRY(align(s, &s->calls.calls[i], &payload));
        ETI_TRY(count_nodes(s, i, payload));
    }
    size_t n = s->findings.n_events - before.n_events;
    size_t n_misfits = s->findings.n_misfits - before.n_misfits;
    size_t n_unlike = s->findings.n_unlike - before.n_unlike;
    block->has_other_payloads = block->plan && n_unlike > n / ETI_ONE_MISFIT_IN;
    s->uses_payloads = n > 0 && n_misfits <= n / ETI_ONE_MISFIT_IN;
    if (!s->uses_payloads)
        s->findings.n_misfits = before.n_misfits + n;
    return ETI_OK;
}

/* Decides whether the record belongs to the model that ran; if a payload fits both, it does. */
static eti_status judge_record(see_through *s) {
    s->uses_record = true;
    eti__record_fit_begin(&s->record_fit, s->inspector->record, s->block->method);
    for (size_t i = 0; i < s->calls.n && !s->uses_payloads; i++) {
        if (!eti__record_fit_add(&s->record_fit, &s->calls.calls[i]))
            return eti_fail_memory(s->err);
    }
    if (eti__record_is_foreign(&s->record_fit)) {
        s->uses_record = false;
        s->findings.n_foreign_blocks++;
        s->findings.n_compared += s->record_fit.n_compared;
        s->findings.n_alone += s->record_fit.n_unlike;
    }
    return ETI_OK;
}

/* ---- events ---------------------------------------------------------------------------------- */

static eti_status set_from_payload(see_through *s, const eti_delegated_call *call,
                                   const eti_xnnpack *payload) {
    if (!eti__known_nodes_begin(&s->known, &s->alignment, payload, call->n) ||
        !eti__node_choices_make(&s->known.choices, &s->known.graph, module_of(s, call), payload,
                                s->is_in_order))
        return eti_fail_memory(s->err);
    for (size_t i = 0; i < call->n; i++) {
        bool is_found = s->alignment.nodes[i] != ETI_NOT_ALIGNED;
        eti_event *event = call->events[i];
        if (!(is_found ? eti__known_nodes_set(&s->known, &s->alignment, payload, i, event)
                       : eti__known_nodes_set_call(&s->known, call->event->known, event)))
            return eti_fail_memory(s->err);
    }
    return ETI_OK;
}

static eti_status set_without_payload(see_through *s, const eti_delegated_call *call) {
    bool is_inferred;
    if (call->event->known->handles.n == 0)
        return ETI_OK;
    if (!eti__infer(&s->inferring, call, &is_inferred))
        return eti_fail_memory(s->err);
    is_inferred = is_inferred && s->uses_record;
    for (size_t i = 0; i < call->n; i++) {
        const eti_graph_node *node = is_inferred ? s->inferring.found[i] : NULL;
        eti_event *event = call->events[i];
        if (!(node ? eti__known_nodes_infer(&s->known, node, event)
                   : eti__known_nodes_set_call(&s->known, call->event->known, event)))
            return eti_fail_memory(s->err);
    }
    return ETI_OK;
}

static eti_status set_recorded(see_through *s, const eti_delegated_call *call) {
    for (size_t i = 0; i < call->n; i++) {
        eti_event *event = call->events[i];
        const eti_delegate_entry *entry;
        eti_attribution attribution;
        ETI_TRY(find_entry(s, event, &entry, &attribution));
        bool done =
            entry ? eti__known_nodes_set_recorded(&s->known, &entry->handles, attribution, event)
                  : eti__known_nodes_set_call(&s->known, call->event->known, event);
        if (!done)
            return eti_fail_memory(s->err);
    }
    return ETI_OK;
}

/* Drops what the associations with the record's map gave the events: its keys are only parts of their identifiers. */
static eti_status drop_handles(see_through *s, const eti_delegated_call *call) {
    for (size_t i = 0; i < call->n; i++) {
        eti_event *event = call->events[i];
        if (event->known->handles.n > 0 &&
            !eti__known_nodes_drop(&s->known, &eti__no_record, ETI_ATTRIBUTION_NONE, event))
            return eti_fail_memory(s->err);
    }
    return ETI_OK;
}

static bool is_vulkan(const eti_delegated_call *call) {
    return eti__is_vulkan(call->event->known->backend_name);
}

/* Finds the nodes that use the weights of the block's method. */
static eti_status find_weights(see_through *s, eti_weight_users *out) {
    *out = (eti_weight_users){.graph = eti__methods_graph(s->inspector, s->block->method)};
    if (!out->graph || !s->inspector->opened_record)
        return ETI_OK;
    return eti__record_weight_users(s->inspector->opened_record, s->block->method, &out->items,
                                    &out->n, s->err);
}

static eti_status set_vulkan(see_through *s, const eti_delegated_call *call) {
    const eti_method *method = eti__method_of(s->inspector, s->block);
    const eti_delegate_call *unused;
    const eti_vulkan *graph = NULL;
    eti_weight_users weights = {0};
    eti_text backend, payload;
    if (!eti__recorded_map_find(&s->recorded, s->inspector->record, s->block->method,
                                call->event->instruction_id, &unused))
        return eti_fail_memory(s->err);
    if (eti__find_payload(s->inspector, method, s->block->plan, call->event, &backend, &payload))
        ETI_TRY(eti__payloads_find_vulkan(&s->payloads, backend, payload, &graph, s->err));
    if (graph)
        ETI_TRY(find_weights(s, &weights));
    return eti__vulkan_calls_set(&s->vulkan, &s->known, call, graph, &weights)
               ? ETI_OK
               : eti_fail_memory(s->err);
}

static eti_status see_through_call(see_through *s, const eti_delegated_call *call) {
    const eti_xnnpack *payload = NULL;
    bool is_recorded;
    if (call->events[0]->known->attribution != ETI_ATTRIBUTION_NONE)
        return ETI_OK; /* the same call was seen earlier in a loop */
    if (eti__has_named_nodes(eti__backend_of_id(call->event->known->backend_name)))
        return eti__named_nodes_set(&s->named, s->block, call, s->err);
    if (is_vulkan(call))
        return set_vulkan(s, call);
    ETI_TRY(logs_identifiers(s, call, &is_recorded));
    if (is_recorded)
        return set_recorded(s, call);
    ETI_TRY(drop_handles(s, call));
    if (s->uses_payloads) {
        findings unchanged = s->findings;
        const eti_xnnpack *found;
        ETI_TRY(align(s, call, &payload));
        ETI_TRY(find_payload(s, call->event, &found));
        s->findings = unchanged;
        s->is_in_order = s->is_in_order && payload == found;
    }
    return payload ? set_from_payload(s, call, payload) : set_without_payload(s, call);
}

/* Finds the nodes that a delegate call is for, whether or not it logged its operators. */
static eti_status set_call(see_through *s, eti_event *call) {
    const eti_xnnpack *payload;
    if (eti__backend_of_id(call->known->backend_name) == ETI_BACKEND_NATIVE)
        return eti__named_nodes_set_native_call(&s->named, s->block, call, s->err);
    if (call->known->n_op_nodes < 2)
        return ETI_OK;
    ETI_TRY(find_payload(s, call, &payload));
    if (!payload)
        return ETI_OK;
    return eti__known_nodes_set_work(&s->known, payload, call) ? ETI_OK : eti_fail_memory(s->err);
}

static eti_status set_calls(see_through *s) {
    bool is_other = s->block->has_other_payloads || (s->calls.n > 0 && !s->uses_payloads);
    for (size_t i = 0; i < s->block->n_events && !is_other; i++) {
        eti_event *event = &s->block->events[i];
        if (eti__text_is(event->name, "DELEGATE_CALL"))
            ETI_TRY(set_call(s, event));
    }
    return ETI_OK;
}

static eti_status see_through_block(see_through *s, eti_event_block *block) {
    s->block = block;
    ETI_TRY(eti__delegated_calls_list(&s->calls, block, s->err));
    ETI_TRY(judge_payloads(s, block));
    ETI_TRY(judge_record(s));
    for (size_t i = 0; i < s->calls.n; i++)
        ETI_TRY(see_through_call(s, &s->calls.calls[i]));
    if (!eti__named_nodes_set_plain(&s->named, block))
        return eti_fail_memory(s->err);
    return set_calls(s);
}

/* ---- notes ----------------------------------------------------------------------------------- */

/* Returns the name of the file with the payloads: the program, or the ETRecord if there is no program. */
static const char *payloads_name(const see_through *s) {
    const eti_inspector *inspector = s->inspector;
    return inspector->n_programs > 0 ? inspector->program_files[0].name
                                     : inspector->record_file.name;
}

static eti_status note_damage(see_through *s) {
    eti_buffer text = {0};
    size_t n = s->payloads.n_damaged;
    if (n == 0)
        return ETI_OK;
    eti__buffer_printf(
        &text, "%s: cannot read %zu payload%s of %.*s (%s): nodes of their operators are %s",
        payloads_name(s), n, n == 1 ? "" : "s",
        ETI_TEXT_ARGS(eti__backend_label(s->payloads.damaged)), s->payloads.damage.message,
        eti__uses_record(s->inspector) ? "inferred from the ETRecord where possible" : "unknown");
    return eti__notes_add(s->inspector, ETI_NOTE_WARNING, &text, s->err);
}

/* Adds a warning that a file does not belong to the ETDump. */
static eti_status warn_of_mismatch(see_through *s, eti_buffer *text) {
    ETI_TRY(eti__notes_add(s->inspector, ETI_NOTE_WARNING, text, s->err));
    eti__notes_mark_mismatch(s->inspector);
    return ETI_OK;
}

static eti_status note_misfits(see_through *s) {
    eti_buffer text = {0};
    const findings *found = &s->findings;
    if (found->n_misfits == 0)
        return ETI_OK;
    if (found->n_foreign_handles > 0 && found->n_misfits > found->n_events / ETI_ONE_MISFIT_IN)
        s->inspector->leaves_out_record = true;
    if (found->n_foreign_handles > 0)
        eti__buffer_printf(&text,
                           "%s and %s are from two exports: the nodes of %zu delegate call%s "
                           "differ from those of the ETRecord, so the payloads are not used; give "
                           "the files saved with the .pte that ran",
                           payloads_name(s), s->inspector->record_file.name,
                           found->n_foreign_handles, found->n_foreign_handles == 1 ? "" : "s");
    else
        eti__buffer_printf(&text,
                           "%s does not match: %zu of %zu operators logged by delegates are not in "
                           "the payloads, so "
                           "the payloads are not used; give the program of the export that ran",
                           payloads_name(s), found->n_misfits, found->n_events);
    return warn_of_mismatch(s, &text);
}

/* Appends the number of logged operators that the record lacks. */
static void add_unlike(eti_buffer *text, const findings *found) {
    eti__buffer_add_string(
        text,
        "delegates logged operators other than those that the ETRecord lists for their calls (");
    if (found->n_alone > 0)
        eti__buffer_printf(text, "%" PRIu64 " of %" PRIu64 " have no counterpart)", found->n_alone,
                           found->n_compared);
    else
        eti__buffer_add_string(text, "quantized in one, but not in the other)");
}

/* Adds a note that a method chosen by the user may be the method of other blocks. */
static eti_status note_other_method(see_through *s) {
    eti_buffer text = {0};
    eti__buffer_printf(&text, "%smethod %s: in %zu block%s ", eti__option_prefix(),
                       s->inspector->options.method, s->findings.n_foreign_blocks,
                       s->findings.n_foreign_blocks == 1 ? "" : "s");
    add_unlike(&text, &s->findings);
    eti__buffer_add_string(&text, ": another method ran in them");
    return eti__notes_add(s->inspector, ETI_NOTE_HINT, &text, s->err);
}

static eti_status note_foreign_record(see_through *s) {
    eti_buffer text = {0};
    bool is_said = s->inspector->has_foreign_record ||
                   (s->findings.n_misfits > 0 && s->inspector->n_programs == 0);
    bool is_other_method = s->inspector->options.method && eti__has_several_methods(s->inspector);
    if (s->findings.n_foreign_blocks == 0)
        return ETI_OK;
    if (!is_other_method)
        s->inspector->leaves_out_record = true;
    if (is_said)
        return ETI_OK;
    if (is_other_method)
        return note_other_method(s);
    eti__buffer_printf(&text, "%s: ", s->inspector->record_file.name);
    add_unlike(&text, &s->findings);
    if (s->inspector->run_methods.data)
        eti__buffer_printf(&text,
                           "; a label of %srun_methods is not the method that ran, or the ETRecord "
                           "is from another export",
                           eti__option_prefix());
    else
        eti__buffer_add_string(
            &text, "; it is from another export; use the ETRecord saved with the .pte that ran");
    return warn_of_mismatch(s, &text);
}

/* Adds a note on a backend that does not measure the times of its operations. */
static eti_status note_estimates(eti_inspector *inspector, eti_error *err) {
    const eti_delegate_event *found = NULL;
    eti_buffer text = {0};
    for (size_t b = 0; b < inspector->blocks.n_blocks && !found; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        for (size_t i = 0; i < block->n_events && !found; i++) {
            const eti_delegate_event *logged = block->events[i].logged;
            found = logged && logged->is_estimate ? logged : NULL;
        }
    }
    if (!found)
        return ETI_OK;
    eti__buffer_printf(
        &text,
        "%.*s estimates the times of its operations: it measures a whole call, and "
        "divides its time by the costs that it expects",
        ETI_TEXT_ARGS(eti__backend_label(eti__backend_id((eti_backend)found->backend))));
    return eti__notes_add(inspector, ETI_NOTE_HINT, &text, err);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Returns the plan of a method in the program if one of its blocks ran it; otherwise NULL. */
static const eti_pte_plan *plan_of(const eti_inspector *inspector, size_t method) {
    const eti_blocks *blocks = &inspector->blocks;
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        if (blocks->blocks[i].method == method && blocks->blocks[i].plan)
            return blocks->blocks[i].plan;
    }
    return NULL;
}

/* Finds the nodes of the delegated events in the blocks of one method. */
static eti_status see_through_method(see_through *s, size_t method) {
    static const eti_graph empty = {0};
    eti_blocks *blocks = &s->inspector->blocks;
    const eti_graph *graph = eti__methods_graph(s->inspector, method);
    s->known.work = (eti_call_work){.record = s->inspector->record, .method = method};
    if (!eti__handle_nodes_init(&s->known.graph, &s->inspector->arena, graph ? graph : &empty) ||
        !eti__handle_nodes_leave_kernels(&s->known.graph, s->inspector->record, method,
                                         plan_of(s->inspector, method)))
        return eti_fail_memory(s->err);
    for (size_t i = 0; i < blocks->n_blocks; i++) {
        if (blocks->blocks[i].method == method &&
            eti__block_is_to_set(s->inspector, &blocks->blocks[i]))
            ETI_TRY(see_through_block(s, &blocks->blocks[i]));
    }
    eti__handle_nodes_free(&s->known.graph);
    eti__call_work_free(&s->known.work);
    return ETI_OK;
}

static eti_status see_through_blocks(see_through *s) {
    const eti_inspector *inspector = s->inspector;
    for (size_t i = 0; i < inspector->n_methods; i++) {
        if (inspector->methods[i].number != ETI_NO_METHOD)
            ETI_TRY(see_through_method(s, inspector->methods[i].number));
    }
    if (inspector->n_methods == 0 && inspector->method != ETI_NO_METHOD)
        ETI_TRY(see_through_method(s, inspector->method));
    return see_through_method(s, ETI_NO_METHOD);
}

static eti_status see_through_all(see_through *s) {
    ETI_TRY(see_through_blocks(s));
    if (s->inspector->tries_methods)
        return ETI_OK;
    s->findings.n_events += s->vulkan.n_events;
    s->findings.n_misfits += s->vulkan.n_misfits;
    ETI_TRY(note_misfits(s));
    ETI_TRY(note_foreign_record(s));
    ETI_TRY(note_damage(s));
    return eti__recorded_nodes_note(&s->recorded, s->inspector, s->err);
}

/* Sets `known` of the delegated Events of all blocks. A payload that cannot be read is not an error: a note gives the
 * reason, and the next best source is used. Fails with ETI_ERROR_MEMORY. */
static eti_status see_through_delegates(eti_inspector *inspector, eti_error *err) {
    see_through s = {.inspector = inspector,
                     .payloads.arena = &inspector->arena,
                     .known.arena = &inspector->arena,
                     .err = err};
    s.named.inspector = inspector;
    s.named.known = &s.known;
    s.named.recorded = &s.recorded;
    s.named.payloads = &s.payloads;
    if (inspector->n_programs == 0 && !inspector->record)
        return ETI_OK;
    eti_status status = see_through_all(&s);
    eti__delegated_calls_free(&s.calls);
    eti__payloads_free(&s.payloads);
    eti__alignment_free(&s.alignment);
    eti__inferring_free(&s.inferring);
    eti__record_fit_free(&s.record_fit);
    eti__vulkan_calls_free(&s.vulkan);
    eti__recorded_nodes_free(&s.recorded);
    eti__known_nodes_free(&s.known);
    eti__named_nodes_free(&s.named);
    return status;
}

/* ==== several methods ========================================================================= */

/* Number of Events, once for each method that fits their block, that are examined. A real program has some ten thousand
 * Events and a few methods. */
#define MOST_TRIED ((size_t)1 << 22)

static bool is_small(const eti_inspector *inspector) {
    size_t n = 0;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        for (uint64_t fit = block->methods_that_fit; fit != 0 && n <= MOST_TRIED; fit &= fit - 1)
            n += block->n_events;
    }
    return n > 0 && n <= MOST_TRIED;
}

static eti_status try_method(eti_inspector *inspector, size_t method, eti_agreement *agreement,
                             eti_error *err) {
    bool any;
    ETI_TRY(eti__methods_try(inspector, method, &any, err));
    if (!any)
        return ETI_OK;
    ETI_TRY(see_through_delegates(inspector, err));
    ETI_TRY(eti__resolve_kernels(inspector, err));
    return eti__agreement_add(agreement) ? ETI_OK : eti_fail_memory(err);
}

/* Sets `known` of the Events in blocks whose method is unknown to what all methods that fit agree on. The method whose graph is
 * shown is the first, so that its nodes are those of the Events where all agree. */
static eti_status agree(eti_inspector *inspector, eti_error *err) {
    eti_agreement agreement;
    eti_status status = ETI_OK;
    if (!is_small(inspector))
        return ETI_OK;
    if (!eti__agreement_init(&agreement, inspector))
        status = eti_fail_memory(err);
    for (int is_later = 0; is_later < 2; is_later++) {
        for (size_t i = 0; i < inspector->n_methods && status == ETI_OK; i++) {
            if ((inspector->methods[i].number != inspector->method) == is_later)
                status = try_method(inspector, i, &agreement, err);
        }
    }
    eti__methods_end_trial(inspector);
    if (status == ETI_OK && !eti__agreement_set(&agreement))
        status = eti_fail_memory(err);
    eti__agreement_free(&agreement);
    return status;
}

/* ==== records of other exports ================================================================ */

/* Takes from all Events what they have from the ETRecord, and from the notes that it is shown. A backend stays if the program has it, too. */
static eti_status leave_out_record(eti_inspector *inspector, eti_error *err) {
    const eti_event_record *last = NULL, *left = NULL;
    eti__notes_leave_out_record(inspector);
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        eti_event_block *block = &inspector->blocks.blocks[b];
        bool has_backends = eti__block_is_of_program(block);
        for (size_t i = 0; i < block->n_events; i++) {
            eti_event *event = &block->events[i];
            if (event->known != last) { /* neighbours often share it */
                eti_event_record *made = eti__arena_alloc(&inspector->arena, 1, sizeof *made);
                if (!made)
                    return eti_fail_memory(err);
                last = event->known;
                *made = eti__no_record;
                if (has_backends)
                    made->backend_name = last->backend_name;
                left = made;
            }
            event->known = left;
        }
        last = NULL;
    }
    return ETI_OK;
}

/* Warns if the note of an ETDump says that another program ran, unless a warning was made from the events. */
static eti_status compare_program(eti_inspector *inspector, eti_error *err) {
    const struct eti_file *program = inspector->program_files;
    if (inspector->n_programs != 1 || program->kind != ETI_FILE_PROGRAM)
        return ETI_OK;
    for (size_t i = 0; i < inspector->n_dumps && !inspector->mismatch.data; i++) {
        const eti_etdump *dump = &inspector->dumps[i];
        eti_buffer text = {0};
        if (!dump->note.program_sha256[0] || eti__dump_is_of_program(inspector, dump))
            continue;
        eti__buffer_printf(&text,
                           "%s: is not the program of which %s was recorded; give the program that "
                           "ran",
                           program->name, dump->file_name);
        ETI_TRY(eti__notes_add(inspector, ETI_NOTE_WARNING, &text, err));
        eti__notes_mark_mismatch(inspector);
    }
    return ETI_OK;
}

/* Fails with the warning that a file does not belong to the ETDump, if there is one. */
static eti_status refuse_mismatch(const eti_inspector *inspector, eti_error *err) {
    eti_text mismatch = inspector->mismatch;
    if (!mismatch.data)
        return ETI_OK;
    return eti_fail(err, ETI_ERROR_DATA, "%.*s", (int)mismatch.size, mismatch.data);
}

eti_status eti__open_seen_through(eti_inspector **out, const eti_inputs *inputs,
                                  const eti_options *options, eti_error *err) {
    ETI_TRY(eti__inspector_open(out, inputs, options, err));
    bool sees_through = !(*out)->options.no_attribution;
    eti_status status = eti__finds_methods(*out) ? eti__tell_methods_apart(*out, err) : ETI_OK;
    if (status == ETI_OK)
        status = eti__notes_of_methods(*out, err);
    if (status == ETI_OK && sees_through)
        status = agree(*out, err);
    if (status == ETI_OK && sees_through)
        status = see_through_delegates(*out, err);
    if (status == ETI_OK && sees_through)
        status = note_estimates(*out, err);
    if (status == ETI_OK)
        status = eti__resolve_kernels(*out, err);
    if (status == ETI_OK && sees_through && (*out)->leaves_out_record)
        status = leave_out_record(*out, err);
    if (status == ETI_OK && sees_through)
        status = compare_program(*out, err);
    if (status == ETI_OK && (*out)->options.strict)
        status = refuse_mismatch(*out, err);
    if (status == ETI_OK && sees_through && ((*out)->record || (*out)->n_programs > 0))
        status = attribution_note(*out, err);
    if (status != ETI_OK) {
        eti_inspector_close(*out);
        *out = NULL;
    }
    return status;
}
