#include "model/notes.h"

#include "base/array.h"
#include "base/text.h"
#include "model/samples.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The ways to an ETDump with events in it, for all notes that find none. */
#define HOW_TO_TRACE                                                                               \
    "build the runtime with -DEXECUTORCH_BUILD_DEVTOOLS=ON -DEXECUTORCH_ENABLE_EVENT_TRACER=ON, "  \
    "give Module an ETDumpGen (in Python: enable_etdump=True) and write the ETDump after the "     \
    "last inference"

/* No program has nearly as many; a record made to be slow may. After so many events it is clear which
 * method fits. */
#define METHODS_COMPARED 16
#define EVENTS_COMPARED 65536
/* Bytes of operator names: enough for any real record, and then the verdict is clear. */
#define NAMES_COMPARED ((size_t)8 << 20)

/* What there is among all events of all blocks. */
typedef struct eti_events_seen {
    uint64_t n_events;
    bool any_printed;  /* that is no OPERATOR_CALL */
    bool any_executed; /* that belongs to an instruction of a method, not to loading */
    bool any_delegate_call;
    bool any_delegated;
} eti_events_seen;

typedef struct eti_collector {
    eti_inspector *inspector;
    eti_events_seen seen;
    bool failed; /* memory is out */
} eti_collector;

eti_status eti__notes_add(eti_inspector *inspector, eti_note_kind kind, eti_text text,
                          eti_error *err) {
    char line[sizeof((eti_error){0}).message];
    snprintf(line, sizeof line, "%.*s",
             (int)(text.size < sizeof line ? text.size : sizeof line - 1), text.data);
    eti_make_one_line(line);
    eti_note note = {.kind = kind};
    if (!ETI_GROW(inspector->notes, inspector->note_capacity, inspector->n_notes + 1) ||
        !eti__arena_copy_text(&inspector->arena, eti__text_of(line), &note.text))
        return eti_fail_memory(err);
    inspector->notes[inspector->n_notes++] = note;
    return ETI_OK;
}

static void add_note(eti_collector *collector, eti_note_kind kind, const char *format, ...)
    ETI_PRINTF(3, 4);

static void add_note(eti_collector *collector, eti_note_kind kind, const char *format, ...) {
    char line[sizeof((eti_error){0}).message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (eti__notes_add(collector->inspector, kind, eti__text_of(line), NULL) != ETI_OK)
        collector->failed = true;
}

/* Of millions of events the first few answer most questions. */
static void look_at_block(eti_events_seen *seen, const eti_event_block *block) {
    seen->n_events += block->n_events;
    for (size_t i = 0; i < block->n_events; i++) {
        const eti_event *event = &block->events[i];
        seen->any_printed = seen->any_printed || !event->is_operator_call;
        seen->any_executed = seen->any_executed ||
                             (event->instruction_id != -1 && !eti__is_framework_event(event->name));
        seen->any_delegate_call =
            seen->any_delegate_call ||
            (!event->is_operator_call && eti__text_is(event->name, "DELEGATE_CALL"));
        seen->any_delegated = seen->any_delegated || event->is_delegated_op;
    }
}

/* ---- what the files are ---------------------------------------------------------------------- */

static void note_dumps(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    for (size_t i = 0; i < inspector->n_dumps; i++)
        add_note(collector, ETI_NOTE_INFO, "%s: an ETDump %s size prefix, %u run%s",
                 inspector->dumps[i].file_name,
                 inspector->dumps[i].buffer.file_offset ? "with" : "without",
                 inspector->dumps[i].runs.count, inspector->dumps[i].runs.count == 1 ? "" : "s");
    if (inspector->n_dumps > 0)
        add_note(collector, ETI_NOTE_INFO, "%" PRIu64 " event%s in %zu block%s",
                 collector->seen.n_events, collector->seen.n_events == 1 ? "" : "s",
                 inspector->blocks.n_blocks, inspector->blocks.n_blocks == 1 ? "" : "s");
}

static void note_skipped_runs(eti_collector *collector) {
    size_t asked = collector->inspector->options.skip_first;
    uint64_t n = collector->inspector->n_skipped_runs;
    if (asked > 0 && n > 0)
        add_note(collector, ETI_NOTE_INFO, "%" PRIu64 " first run%s left out (%sskip_first %zu)", n,
                 n == 1 ? " is" : "s are", eti__option_prefix(), asked);
    else if (asked > 0)
        add_note(collector, ETI_NOTE_WARNING,
                 "%sskip_first: no run is left out, for none has a Method::execute",
                 eti__option_prefix());
}

static void note_repaired_names(eti_collector *collector) {
    size_t n = collector->inspector->n_repaired_names;
    if (n > 0)
        add_note(
            collector, ETI_NOTE_WARNING,
            "%zu name%s in the ETDump %s not UTF-8: what cannot be read is shown as U+FFFD (was "
            "the ETDump damaged on its way from the device?)",
            n, n == 1 ? "" : "s", n == 1 ? "is" : "are");
}

static void note_record(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    const eti_association *fit = &inspector->association;
    for (size_t i = 0; i < eti__etrecord_method_count(inspector->record); i++)
        add_note(collector, ETI_NOTE_INFO,
                 "%s: an ETRecord, method %.*s with %zu instruction%s in its debug_handle_map%s",
                 inspector->record_file.name,
                 ETI_TEXT_ARGS(eti__etrecord_method_name(inspector->record, i)),
                 eti__etrecord_method_instruction_count(inspector->record, i),
                 eti__etrecord_method_instruction_count(inspector->record, i) == 1 ? "" : "s",
                 i == inspector->method ? ", whose operators are shown" : "");
    add_note(collector, ETI_NOTE_INFO, "%s: a graph of %zu operator%s", inspector->record_file.name,
             inspector->graph.n_nodes, inspector->graph.n_nodes == 1 ? "" : "s");
    uint64_t id;
    if (eti__etrecord_export_graph_id(inspector->record, &id))
        add_note(collector, ETI_NOTE_INFO, "%s: export graph id %" PRIu64,
                 inspector->record_file.name, id);
    if (inspector->n_dumps > 0)
        add_note(collector, ETI_NOTE_INFO,
                 "%" PRIu64 " of %" PRIu64 " events of instructions have operators",
                 fit->n_with_operators, fit->n_instructions);
}

/* ---- the ETDump alone ------------------------------------------------------------------------ */

static void note_empty_dumps(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    for (size_t i = 0; i < inspector->n_dumps; i++) {
        const eti_etdump *dump = &inspector->dumps[i];
        if (dump->runs.count == 0)
            add_note(collector, ETI_NOTE_WARNING,
                     "%s: holds no run data: nothing was traced, or the ETDump buffer was too "
                     "small; " HOW_TO_TRACE,
                     dump->file_name);
    }
}

static void note_events(eti_collector *collector) {
    const eti_blocks *blocks = &collector->inspector->blocks;
    const eti_events_seen *seen = &collector->seen;
    if (blocks->n_runs > 0 && seen->n_events == 0)
        add_note(collector, ETI_NOTE_WARNING,
                 "%" PRIu64 " run%s, but no event in %s: the runtime has no event tracer, or the "
                 "ETDump buffer was full; " HOW_TO_TRACE,
                 blocks->n_runs, blocks->n_runs == 1 ? "" : "s",
                 blocks->n_runs == 1 ? "it" : "any of them");
    else if (seen->n_events > 0 && !seen->any_printed)
        add_note(collector, ETI_NOTE_WARNING,
                 "all events are OPERATOR_CALL, which the table leaves out: the runtime recorded "
                 "no operator's own time");
    else if (seen->n_events > 0 && !seen->any_executed)
        add_note(collector, ETI_NOTE_WARNING,
                 "only loading and whole inferences were traced, no operator: " HOW_TO_TRACE);
    if (blocks->n_allocation_events > 0)
        add_note(collector, ETI_NOTE_INFO,
                 "%" PRIu64 " allocation event%s passed over: they carry no time",
                 blocks->n_allocation_events, blocks->n_allocation_events == 1 ? "" : "s");
}

static void note_delegates(eti_collector *collector) {
    const eti_events_seen *seen = &collector->seen;
    if (seen->any_delegate_call && !seen->any_delegated)
        add_note(collector, ETI_NOTE_INFO,
                 "the delegate logs no operators of its own: its time shows as DELEGATE_CALL only "
                 "(many backends log when built with profiling enabled)");
}

static void note_debug_buffer(eti_collector *collector) {
    uint64_t n_tensors = collector->inspector->debug_totals.n_tensors;
    if (n_tensors > 0 && !collector->inspector->has_debug_buffer)
        add_note(collector, ETI_NOTE_INFO,
                 "%" PRIu64 " recorded tensor%s without contents: give the debug buffer with "
                 "%sdebug_buffer_path",
                 n_tensors, n_tensors == 1 ? "" : "s", eti__option_prefix());
}

static bool is_backend_of_some_event(const eti_blocks *blocks, const char *backend) {
    for (size_t b = 0; b < blocks->n_blocks; b++) {
        for (size_t i = 0; i < blocks->blocks[b].n_events; i++) {
            const eti_event *event = &blocks->blocks[b].events[i];
            if (event->is_delegated_op && eti__text_is(event->record->backend_name, backend))
                return true;
        }
    }
    return false;
}

static void note_delegate_time_scales(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    const eti_options *options = &inspector->options;
    for (size_t i = 0; i < options->n_delegate_time_scales; i++) {
        const eti_delegate_time_scale *entry = &options->delegate_time_scales[i];
        if (entry->backend && !is_backend_of_some_event(&inspector->blocks, entry->backend))
            add_note(collector, ETI_NOTE_WARNING, "no event is delegated to %s: %s", entry->backend,
                     inspector->record
                         ? "its delegate time scale is not used"
                         : "backends are known only with the ETRecord, so its delegate time scale "
                           "is not used");
        else if (entry->scale == ETI_SCALE_CYCLES && options->target_time_scale != ETI_SCALE_CYCLES)
            add_note(collector, ETI_NOTE_WARNING,
                     "events delegated to %s are shown in cycles, not in %s",
                     entry->backend ? entry->backend : "backends",
                     eti_time_scale_name(options->target_time_scale));
    }
}

/* ---- the ETDump beside the ETRecord ---------------------------------------------------------- */

/* How many of the dump's instructions a method of the record knows, among the first events. */
static uint64_t count_fitting(const eti_inspector *inspector, size_t method) {
    uint64_t n = 0;
    size_t left = EVENTS_COMPARED;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        for (size_t i = 0; i < block->n_events && left > 0; i++, left--) {
            eti_debug_handles handles;
            const eti_event *event = &block->events[i];
            n += event->instruction_id != -1 && !eti__is_framework_event(event->name) &&
                 eti__etrecord_find_handles(inspector->record, method, event->instruction_id,
                                            &handles);
        }
    }
    return n;
}

static void note_other_methods(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    const eti_etrecord *record = inspector->record;
    size_t n = eti__etrecord_method_count(record);
    if (n < 2)
        return;
    eti_text chosen = eti__etrecord_method_name(record, inspector->method);
    if (!inspector->options.method)
        add_note(collector, ETI_NOTE_WARNING,
                 "%s: has %zu methods and an ETDump does not say which of them ran: operators are "
                 "those of %.*s (choose with %smethod)",
                 inspector->record_file.name, n, ETI_TEXT_ARGS(chosen), eti__option_prefix());
    size_t best = inspector->method;
    uint64_t most = count_fitting(inspector, best);
    for (size_t i = 0; i < n && i < METHODS_COMPARED; i++) {
        uint64_t fitting = count_fitting(inspector, i);
        if (fitting > most) {
            most = fitting;
            best = i;
        }
    }
    eti_text name = eti__etrecord_method_name(record, best);
    if (best != inspector->method)
        add_note(collector, ETI_NOTE_WARNING,
                 "%s: method %.*s fits the ETDump's instructions better than %.*s: try %smethod "
                 "%.*s",
                 inspector->record_file.name, ETI_TEXT_ARGS(name), ETI_TEXT_ARGS(chosen),
                 eti__option_prefix(), ETI_TEXT_ARGS(name));
}

static void note_fit(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    const eti_association *fit = &inspector->association;
    const char *name = inspector->record_file.name;
    if (fit->n_instructions == 0)
        return;
    if (eti__etrecord_method_instruction_count(inspector->record, inspector->method) == 0)
        add_note(collector, ETI_NOTE_WARNING,
                 "%s: its debug_handle_map knows no instruction, so no operator has a name: the "
                 "export keeps nothing of what is inside of scan",
                 name);
    else if (fit->n_with_handles == 0)
        add_note(collector, ETI_NOTE_WARNING,
                 "%s: none of the ETDump's instructions is in its debug_handle_map: it was made by "
                 "another export; use the ETRecord saved with the .pte that ran",
                 name);
    else if (fit->n_with_operators == 0 && fit->n_delegated < fit->n_instructions)
        add_note(collector, ETI_NOTE_WARNING,
                 "%s: none of the events' debug handles is in its graph, so no operator has a "
                 "name, stack or module: it was changed after export, or made by another one",
                 name);
}

/* The operator in a kernel's event: "addmm" of "native_call_addmm.out"; absent for other events. */
static eti_text kernel_operator(eti_text name) {
    static const char prefix[] = "native_call_";
    size_t skipped = sizeof prefix - 1;
    const char *dot = name.size > skipped && memcmp(name.data, prefix, skipped) == 0
                          ? memchr(name.data + skipped, '.', name.size - skipped)
                          : NULL;
    if (!dot)
        return (eti_text){NULL, 0};
    return (eti_text){name.data + skipped, (size_t)(dot - name.data) - skipped};
}

/* Whether "addmm" is the operator of "aten.addmm.default". */
static bool is_operator_of(eti_text op_type, eti_text kernel) {
    for (size_t at = 1; at + kernel.size < op_type.size; at++) {
        if (op_type.data[at - 1] == '.' && op_type.data[at + kernel.size] == '.' &&
            memcmp(op_type.data + at, kernel.data, kernel.size) == 0)
            return true;
    }
    return false;
}

/* `left` goes down by what was looked at. */
static bool has_operator(const eti_event *event, eti_text kernel, size_t *left) {
    for (size_t i = 0; i<event->record->n_op_types && * left> 0; i++) {
        size_t size = event->record->op_types[i].size + 1;
        *left -= size < *left ? size : *left;
        if (is_operator_of(event->record->op_types[i], kernel))
            return true;
    }
    return false;
}

/* All exports number instructions from 0 on, so a record of another one fits by number; but then
 * the kernels that ran are not those of the operators it names. */
static void note_operator_names(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    uint64_t n_compared = 0, n_different = 0;
    size_t left = NAMES_COMPARED;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        for (size_t i = 0; i < inspector->blocks.blocks[b].n_events && left > 0; i++) {
            const eti_event *event = &inspector->blocks.blocks[b].events[i];
            eti_text kernel = kernel_operator(event->name);
            if (!kernel.data || event->record->n_op_types == 0)
                continue;
            n_compared++;
            n_different += !has_operator(event, kernel, &left);
        }
    }
    if (n_different > 1 && n_different > n_compared / 4)
        add_note(collector, ETI_NOTE_WARNING,
                 "%s: %" PRIu64 " of %" PRIu64 " kernels that ran are not of the operators it has "
                 "for them: it seems to be of another export; use the ETRecord saved with the .pte "
                 "that ran",
                 inspector->record_file.name, n_different, n_compared);
}

static void note_record_parts(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    const char *name = inspector->record_file.name;
    if (inspector->method == ETI_NO_METHOD) {
        add_note(collector, ETI_NOTE_WARNING,
                 "%s: has neither an edge program nor a debug_handle_map: events stay without "
                 "operators; generate it again at export time",
                 name);
        return;
    }
    eti_text method = eti__etrecord_method_name(inspector->record, inspector->method);
    bool has_graph = eti__etrecord_method_has_graph(inspector->record, inspector->method);
    if (!eti__etrecord_method_has_handle_map(inspector->record, inspector->method))
        add_note(collector, ETI_NOTE_WARNING,
                 "%s: has no debug_handle_map for method %.*s%s: events stay without operators; "
                 "generate it again at export time",
                 name, ETI_TEXT_ARGS(method),
                 has_graph ? ", only its graph, as files of 2023 may" : "");
    else if (!has_graph)
        add_note(collector, ETI_NOTE_WARNING,
                 "%s: has no edge program for method %.*s: events stay without operators", name,
                 ETI_TEXT_ARGS(method));
    else
        note_fit(collector);
    note_operator_names(collector);
    note_other_methods(collector);
}

static void note_delegate_map(eti_collector *collector) {
    const eti_association *fit = &collector->inspector->association;
    if (fit->n_without_delegate_map > 0)
        add_note(collector, ETI_NOTE_WARNING,
                 "%s: no delegate mapping found for %" PRIu64 " delegated event%s (instruction id "
                 "%d): their backend is unknown",
                 collector->inspector->record_file.name, fit->n_without_delegate_map,
                 fit->n_without_delegate_map == 1 ? "" : "s", fit->example_without_delegate_map);
}

/* ---- all ------------------------------------------------------------------------------------- */

eti_status eti__notes_collect(eti_inspector *inspector, eti_error *err) {
    eti_collector collector = {.inspector = inspector};
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++)
        look_at_block(&collector.seen, &inspector->blocks.blocks[i]);

    note_dumps(&collector);
    note_skipped_runs(&collector);
    note_repaired_names(&collector);
    if (inspector->record)
        note_record(&collector);
    note_empty_dumps(&collector);
    note_events(&collector);
    note_delegates(&collector);
    note_debug_buffer(&collector);
    note_delegate_time_scales(&collector);
    if (inspector->options.method && !inspector->record)
        add_note(&collector, ETI_NOTE_WARNING, "no ETRecord was given: method %s is not used",
                 inspector->options.method);
    if (inspector->record) {
        note_record_parts(&collector);
        note_delegate_map(&collector);
    }
    return collector.failed ? eti_fail_memory(err) : ETI_OK;
}
