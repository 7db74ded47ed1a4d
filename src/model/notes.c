#include "model/parts.h"

#include "base/sort.h"
#include "model/model.h"
#include "stats/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Explains how to get an ETDump with events, for all notes that find none. */
#define HOW_TO_TRACE                                                                               \
    "build the runtime with -DEXECUTORCH_BUILD_DEVTOOLS=ON -DEXECUTORCH_ENABLE_EVENT_TRACER=ON, "  \
    "give Module an ETDumpGen (in Python: enable_etdump=True) and write the ETDump after the "     \
    "last inference"

/* Explains why a file written by libetcapture has no events. */
#define HOW_TO_CAPTURE                                                                             \
    "libetcapture recorded none: end events while a run is open; etc_get_stats() counts those "    \
    "that were lost"

/* Facts about all events of all blocks. */
typedef struct eti_events_seen {
    uint64_t n_events;
    bool any_printed;  /* an event other than OPERATOR_CALL */
    bool any_executed; /* an event of an instruction of a method, not of loading */
    bool any_delegate_call;
    bool any_delegated;
    bool any_time; /* an event that took more than 0, or whose times are unknown */
} eti_events_seen;

typedef struct eti_collector {
    eti_inspector *inspector;
    eti_events_seen seen;
    eti_association fit; /* sums over the events of all blocks */
    bool failed;         /* out of memory */
} eti_collector;

static eti_status add_text(eti_inspector *inspector, eti_note_kind kind, eti_text text,
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

eti_status eti__notes_add(eti_inspector *inspector, eti_note_kind kind, eti_buffer *text,
                          eti_error *err) {
    eti_status status = ETI_OK;
    if (text->failed)
        status = eti_fail_memory(err);
    else if (text->size > 0)
        status = add_text(inspector, kind, eti__buffer_text(text), err);
    eti__buffer_free(text);
    return status;
}

void eti__notes_mark_mismatch(eti_inspector *inspector) {
    if (!inspector->mismatch.data && inspector->n_notes > 0)
        inspector->mismatch = inspector->notes[inspector->n_notes - 1].text;
}

void eti__notes_leave_out_record(eti_inspector *inspector) {
    for (size_t i = 0; i < inspector->n_notes; i++) {
        inspector->notes[i].text.size -= inspector->notes[i].n_claimed;
        inspector->notes[i].n_claimed = 0;
    }
}

static void add_note(eti_collector *collector, eti_note_kind kind, const char *format, ...)
    ETI_PRINTF(3, 4);

static void add_note(eti_collector *collector, eti_note_kind kind, const char *format, ...) {
    char line[sizeof((eti_error){0}).message];
    va_list arguments;
    va_start(arguments, format);
    eti__vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (add_text(collector->inspector, kind, eti__text_of(line), NULL) != ETI_OK)
        collector->failed = true;
}

/* Warns that a file does not belong to the ETDump. */
#define add_mismatch(collector, ...)                                                               \
    (add_note((collector), ETI_NOTE_WARNING, __VA_ARGS__),                                         \
     eti__notes_mark_mismatch((collector)->inspector))

/* Warns that the record and the program come from two exports; after that, no other warning repeats it. */
#define add_two_exports(collector, ...)                                                            \
    ((collector)->inspector->has_foreign_record = true, add_mismatch((collector), __VA_ARGS__))

/* Warns that the record comes from another export than the program that ran. */
#define add_foreign(collector, ...)                                                                \
    ((collector)->inspector->leaves_out_record = true, add_two_exports((collector), __VA_ARGS__))

static void add_association(eti_association *sum, const eti_association *part) {
    sum->n_instructions += part->n_instructions;
    sum->n_with_handles += part->n_with_handles;
    sum->n_with_operators += part->n_with_operators;
    sum->n_delegated += part->n_delegated;
    if (part->n_without_delegate_map > 0)
        sum->example_without_delegate_map = part->example_without_delegate_map;
    sum->n_without_delegate_map += part->n_without_delegate_map;
}

/* Returns whether an event took more than 0 in a run, or its times are unknown. */
static bool has_times(const eti_event_block *block) {
    for (size_t i = 0; block->raw && i < block->n_events * block->n_runs; i++) {
        if (block->raw[i] != 0 && !isnan(block->raw[i]))
            return true;
    }
    return !block->raw && block->n_events > 0;
}

/* Updates the facts; in most cases, the first few of millions of events decide them. */
static void look_at_block(eti_collector *collector, const eti_event_block *block) {
    eti_events_seen *seen = &collector->seen;
    add_association(&collector->fit, &block->association);
    seen->n_events += block->n_events;
    seen->any_time = seen->any_time || has_times(block);
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

/* ---- descriptions of the files --------------------------------------------------------------- */

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

/* Returns whether another ETDump begins where the size prefix of the first says that it ends. */
static bool precedes_other(const eti_etdump *dump, const struct eti_file *file, uint64_t *end) {
    size_t offset = dump->buffer.file_offset; /* size of the prefix; 0 if there is none */
    *end = offset > 0 ? offset + (uint64_t)eti__load_u32(file->data) : 0;
    return *end > offset && *end < file->size &&
           eti_file_kind_of(file->data + *end, file->size - (size_t)*end) == ETI_FILE_ETDUMP;
}

bool eti__note_joined_dump(const eti_inspector *inspector, size_t i, eti_error *out) {
    const struct eti_file *file = &inspector->dump_files[i];
    uint64_t end;
    if (!precedes_other(&inspector->dumps[i], file, &end))
        return false;
    snprintf(out->message, sizeof out->message,
             "%s: another ETDump follows the first, which ends at byte %" PRIu64
             ", and is ignored: give each ETDump in a file of its own",
             file->name, end);
    eti_make_one_line(out->message);
    return true;
}

static void note_joined_dumps(eti_collector *collector) {
    eti_error note = ETI_ERROR_INIT;
    for (size_t i = 0; i < collector->inspector->n_dumps; i++) {
        if (eti__note_joined_dump(collector->inspector, i, &note))
            add_note(collector, ETI_NOTE_WARNING, "%s", note.message);
    }
}

static int compare_files(const void *a, const void *b, void *unused) {
    const struct eti_file *x = *(const struct eti_file *const *)a,
                          *y = *(const struct eti_file *const *)b;
    (void)unused;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    return memcmp(x->data, y->data, x->size);
}

/* Warns about ETDumps that are given twice: their runs count twice. */
static void note_repeated_dumps(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    size_t n = inspector->n_dumps, n_repeated = 0;
    const struct eti_file **files = calloc(n + 1, sizeof *files), *const *first = NULL;
    for (size_t i = 0; files && i < n; i++)
        files[i] = &inspector->dump_files[i];
    if (!files || n < 2) {
        collector->failed = collector->failed || !files;
        free((void *)files);
        return;
    }
    eti__sort((void *)files, n, sizeof *files, compare_files, NULL);
    for (size_t i = 1; i < n; i++) {
        if (compare_files(&files[i - 1], &files[i], NULL) == 0 && n_repeated++ == 0)
            first = &files[i - 1];
    }
    if (n_repeated == 1 && strcmp(first[0]->name, first[1]->name) == 0)
        add_note(collector, ETI_NOTE_WARNING,
                 "%s is given twice, so its runs count twice: give each file once", first[0]->name);
    else if (n_repeated == 1)
        add_note(collector, ETI_NOTE_WARNING,
                 "%s and %s are identical, so their runs count twice: give each file once",
                 first[0]->name, first[1]->name);
    else if (n_repeated > 1)
        add_note(collector, ETI_NOTE_WARNING,
                 "%zu files repeat others, such as %s, so their runs count more than once: give "
                 "each file once",
                 n_repeated, first[0]->name);
    free((void *)files);
}

static void note_skipped_runs(eti_collector *collector) {
    size_t asked = collector->inspector->options.skip_first;
    uint64_t n = collector->inspector->n_skipped_runs;
    if (asked > 0 && n > 0)
        add_note(collector, ETI_NOTE_INFO, "%" PRIu64 " leading run%s dropped (%sskip_first %zu)",
                 n, n == 1 ? " is" : "s are", eti__option_prefix(), asked);
    else if (asked > 0)
        add_note(collector, ETI_NOTE_WARNING,
                 "%sskip_first: no run is dropped, because none has a Method::execute",
                 eti__option_prefix());
}

static void note_repaired_names(eti_collector *collector) {
    size_t n = collector->inspector->n_repaired_names;
    if (n > 0)
        add_note(collector, ETI_NOTE_WARNING,
                 "%zu name%s in the ETDump %s not valid UTF-8; invalid bytes are shown as U+FFFD "
                 "(was the ETDump damaged during transfer from the device?)",
                 n, n == 1 ? "" : "s", n == 1 ? "is" : "are");
}

/* Returns whether a method of the record is that of a block; or the Inspector's method for all blocks. */
static bool is_shown(const eti_inspector *inspector, size_t method) {
    for (size_t i = 0; i < inspector->n_methods && eti__finds_methods(inspector); i++) {
        if (inspector->methods[i].number == method)
            return eti__method_ran(inspector, &inspector->methods[i]);
    }
    return method == inspector->method;
}

static void note_record(eti_collector *collector) {
    static const char claim[] = ", whose operators are shown";
    eti_inspector *inspector = collector->inspector;
    for (size_t i = 0; i < eti__etrecord_method_count(inspector->record); i++) {
        add_note(collector, ETI_NOTE_INFO,
                 "%s: an ETRecord, method %.*s with %zu instruction%s in its debug_handle_map%s",
                 inspector->record_file.name,
                 ETI_TEXT_ARGS(eti__etrecord_method_name(inspector->record, i)),
                 eti__etrecord_method_instruction_count(inspector->record, i),
                 eti__etrecord_method_instruction_count(inspector->record, i) == 1 ? "" : "s",
                 is_shown(inspector, i) ? claim : "");
        if (is_shown(inspector, i) && !collector->failed)
            inspector->notes[inspector->n_notes - 1].n_claimed = sizeof claim - 1;
    }
    add_note(collector, ETI_NOTE_INFO, "%s: a graph of %zu operator%s", inspector->record_file.name,
             inspector->graph.n_nodes, inspector->graph.n_nodes == 1 ? "" : "s");
    uint64_t id;
    if (eti__etrecord_export_graph_id(inspector->record, &id))
        add_note(collector, ETI_NOTE_INFO, "%s: export graph id %" PRIu64,
                 inspector->record_file.name, id);
}

/* ---- the ETDump alone ------------------------------------------------------------------------ */

static void note_empty_dumps(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    for (size_t i = 0; i < inspector->n_dumps; i++) {
        const eti_etdump *dump = &inspector->dumps[i];
        if (dump->runs.count == 0)
            add_note(collector, ETI_NOTE_WARNING,
                     "%s: contains no run data: nothing was traced, or the ETDump buffer was too "
                     "small; " HOW_TO_TRACE,
                     dump->file_name);
    }
}

/* Returns whether libetcapture wrote all dumps. */
static bool are_captured(const eti_inspector *inspector) {
    for (size_t i = 0; i < inspector->n_dumps; i++) {
        if (!eti__etdump_is_captured(&inspector->dumps[i]))
            return false;
    }
    return inspector->n_dumps > 0;
}

static void note_events(eti_collector *collector) {
    const eti_blocks *blocks = &collector->inspector->blocks;
    const eti_events_seen *seen = &collector->seen;
    bool is_captured = are_captured(collector->inspector);
    if (blocks->n_runs > 0 && seen->n_events == 0)
        add_note(
            collector, ETI_NOTE_WARNING, "%" PRIu64 " run%s, but no event in %s: %s",
            blocks->n_runs, blocks->n_runs == 1 ? "" : "s",
            blocks->n_runs == 1 ? "it" : "any of them",
            is_captured
                ? HOW_TO_CAPTURE
                : "the runtime has no event tracer, or the ETDump buffer was full; " HOW_TO_TRACE);
    else if (seen->n_events > 0 && !seen->any_printed)
        add_note(collector, ETI_NOTE_WARNING,
                 "all events are OPERATOR_CALL, which the table omits: the runtime did not record "
                 "the time of single operators");
    else if (seen->n_events > 0 && !seen->any_executed)
        add_note(collector, ETI_NOTE_WARNING,
                 "only loading and whole inferences were traced, but no operators: %s",
                 is_captured ? HOW_TO_CAPTURE : HOW_TO_TRACE);
    if (seen->any_executed && !seen->any_time)
        add_note(
            collector, ETI_NOTE_HINT,
            "all times are 0, so that shares say nothing: the runtime has no clock; see "
            "et_pal_current_ticks() of its platform, which may need a counter of the processor");
    if (blocks->n_allocation_events > 0)
        add_note(collector, ETI_NOTE_INFO,
                 "%" PRIu64 " allocation event%s ignored: they have no times",
                 blocks->n_allocation_events, blocks->n_allocation_events == 1 ? "" : "s");
}

static void note_delegates(eti_collector *collector) {
    const eti_events_seen *seen = &collector->seen;
    if (seen->any_delegate_call && !seen->any_delegated)
        add_note(collector, ETI_NOTE_INFO,
                 "the delegate does not log its own operators: its time is shown as DELEGATE_CALL "
                 "only (many backends log operators if built with profiling enabled)");
}

/* Returns whether an event has a tensor that is not empty, and whose contents are, or are not, in the debug buffer. */
static bool owns_tensor(const eti_values *values, bool is_stored) {
    for (size_t i = 0; values && i < values->n; i++) {
        for (size_t t = 0; t < values->values[i].n_tensors; t++) {
            const eti_tensor *tensor = &values->values[i].tensors[t];
            size_t k = 0;
            while (k < tensor->n_dims && tensor->sizes[k] > 0)
                k++;
            if (k == tensor->n_dims && (tensor->offset != -1) == is_stored)
                return true;
        }
    }
    return false;
}

/* Number of events that a note names, and largest number of bytes of each name. */
enum { MOST_OWNERS_NAMED = 3, MOST_OWNER = 64 };

/* Events that own tensors. */
typedef struct tensor_owners {
    uint64_t n;
    eti_text names[MOST_OWNERS_NAMED]; /* the first names that differ */
    size_t n_named;
} tensor_owners;

static void add_owner(tensor_owners *owners, eti_text name) {
    size_t i = 0;
    while (i < owners->n_named && !eti__text_equal(owners->names[i], name))
        i++;
    owners->n++;
    if (i == owners->n_named && i < MOST_OWNERS_NAMED)
        owners->names[owners->n_named++] = name;
}

/* Finds the owners that have a name. The call around an operator has the same tensors, and is no owner. */
static tensor_owners find_owners(const eti_blocks *blocks, bool is_stored) {
    tensor_owners owners = {.n = 0};
    for (size_t b = 0; b < blocks->n_blocks; b++) {
        const eti_event_block *block = &blocks->blocks[b];
        for (size_t i = 0; block->debug_data && i < block->n_events; i++) {
            eti_text name = eti__event_label(&block->events[i]);
            if (name.size > 0 && !block->events[i].is_operator_call &&
                owns_tensor(block->debug_data[i], is_stored))
                add_owner(&owners, name);
        }
    }
    return owners;
}

/* Notes tensors without contents, and the events that own them. */
static void note_tensors(eti_collector *collector, eti_note_kind kind, bool is_stored, uint64_t n,
                         const char *advice) {
    const tensor_owners owners = find_owners(&collector->inspector->blocks, is_stored);
    eti_buffer text = {0};
    eti__buffer_printf(&text, "%" PRIu64 " recorded tensor%s without contents", n,
                       n == 1 ? "" : "s");
    if (owners.n == 1)
        eti__buffer_add_string(&text, ", of ");
    else if (owners.n > 1)
        eti__buffer_printf(&text, ", of %" PRIu64 " events (", owners.n);
    for (size_t i = 0; i < owners.n_named; i++) {
        eti__buffer_add_string(&text, i > 0 ? ", " : "");
        eti__buffer_add_cut(&text, owners.names[i], MOST_OWNER);
    }
    if (owners.n > owners.n_named)
        eti__buffer_printf(&text, " and %" PRIu64 " more", owners.n - owners.n_named);
    eti__buffer_printf(&text, "%s%s%s%s", owners.n > 1 ? ")" : "", advice,
                       is_stored ? eti__option_prefix() : "", is_stored ? "debug_buffer_path" : "");
    collector->failed |= eti__notes_add(collector->inspector, kind, &text, NULL) != ETI_OK;
}

static void note_debug_buffer(eti_collector *collector) {
    const uint64_t *n = collector->inspector->debug_totals.n_tensors;
    bool has_buffer = collector->inspector->has_debug_buffer;
    if (n[ETI_CONTENTS_IN_BUFFER] > 0 && !has_buffer)
        note_tensors(collector, ETI_NOTE_INFO, true, n[ETI_CONTENTS_IN_BUFFER],
                     ": give the debug buffer with ");
    if (n[ETI_CONTENTS_NOT_RECORDED] > 0)
        note_tensors(collector, has_buffer ? ETI_NOTE_HINT : ETI_NOTE_INFO, false,
                     n[ETI_CONTENTS_NOT_RECORDED],
                     ", because the recording program had no debug buffer, or a full one");
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
                     inspector->record ? "its delegate time scale is not used"
                                       : "backends are known only with the ETRecord, so its "
                                         "delegate time scale is not used");
        else if (entry->scale == ETI_SCALE_CYCLES && entry->hz == 0 &&
                 options->target_time_scale != ETI_SCALE_CYCLES)
            add_note(collector, ETI_NOTE_WARNING,
                     "events of %s count cycles: the Inspector's table shows these instead of %s, "
                     "and commands divide the time of each delegate call by them; "
                     "%sdelegate_time_scale takes the frequency of the clock",
                     entry->backend ? entry->backend : "delegates",
                     eti_time_scale_name(options->target_time_scale), eti__option_prefix());
    }
}

/* ---- the ETDump beside the ETRecord ---------------------------------------------------------- */

/* Returns whether the method of a block that ran instructions was not found. */
static bool has_unknown_method(const eti_inspector *inspector) {
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        if (!block->method_name.data && eti__block_has_instructions(block))
            return true;
    }
    return false;
}

/* Warns, with no_attribution, that one method is used for all blocks, as the Inspector does, or for those whose method is
 * unknown. */
static void note_chosen_method(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    const eti_etrecord *record = inspector->record;
    size_t n = record ? eti__etrecord_method_count(record) : 0;
    if (n > 1 && inspector->options.no_attribution && !inspector->options.method &&
        (!inspector->shows_found_methods || has_unknown_method(inspector)))
        add_note(collector, ETI_NOTE_WARNING,
                 "%s: has %zu methods, and the ETDump does not record which one ran: showing "
                 "operators of %.*s (choose with %smethod)",
                 inspector->record_file.name, n,
                 ETI_TEXT_ARGS(eti__etrecord_method_name(record, inspector->method)),
                 eti__option_prefix());
}

static size_t count_with_instructions(const eti_inspector *inspector) {
    size_t n = 0;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++)
        n += eti__block_has_instructions(&inspector->blocks.blocks[b]);
    return n;
}

/* `may_choose`: no other block ran instructions, so that one method is enough for all. */
static void note_methods_that_fit(eti_collector *collector, const eti_event_block *block,
                                  bool may_choose) {
    const eti_inspector *inspector = collector->inspector;
    bool may_give = inspector->n_programs == 0;
    eti_buffer names = {0};
    eti__methods_add_names(&names, inspector, block->methods_that_fit);
    eti_text all = eti__buffer_text(&names);
    collector->failed |= names.failed;
    if (inspector->options.no_attribution)
        add_note(
            collector, ETI_NOTE_WARNING,
            "block %.*s: method %.*s matches its instructions better than %s: try %smethod %.*s",
            ETI_TEXT_ARGS(block->label), ETI_TEXT_ARGS(all), inspector->options.method,
            eti__option_prefix(), ETI_TEXT_ARGS(all));
    else
        add_note(
            collector, ETI_NOTE_HINT,
            "block %.*s: the methods %.*s match its instructions equally well, so the method "
            "that ran is unknown: operators and modules are those that all have in common, and "
            "times may be those of several: %s%s%s%slabel its runs with %srun_methods",
            ETI_TEXT_ARGS(block->label), ETI_TEXT_ARGS(all),
            may_give ? "give the program too, or " : "", may_choose ? "choose with " : "",
            may_choose ? eti__option_prefix() : "", may_choose ? "method, or " : "",
            eti__option_prefix());
    eti__buffer_free(&names);
}

/* Returns the times of Method::execute in the runs of a block; NULL: none are known. */
static const double *run_times(const eti_event_block *block) {
    for (size_t i = 0; block->raw && i < block->n_events; i++) {
        if (block->events[i].is_timed && eti__text_is(block->events[i].name, "Method::execute"))
            return block->raw + i * block->n_runs;
    }
    return NULL;
}

/* Copies the times after the warm-up of each ETDump, and returns their number. `scratch` has room for one number per run. */
static size_t copy_settled(const eti_event_block *block, const double *times, bool keeps_warm_up,
                           double *out, double *scratch) {
    size_t n = 0;
    for (size_t first = 0, end; first < block->n_runs; first = end) {
        end = eti__warm_up_end(block, first);
        size_t skip = keeps_warm_up ? 0 : eti__warm_up_runs(times + first, end - first, scratch);
        for (size_t i = first + skip; i < end; i++)
            out[n++] = times[i];
    }
    return n;
}

/* Appends a time with two digits, such as "4.1 ms". */
static void add_about(eti_buffer *out, double time, eti_time_scale scale) {
    static const eti_time_scale larger[] = {ETI_SCALE_US, ETI_SCALE_MS, ETI_SCALE_S};
    if (scale != ETI_SCALE_CYCLES) {
        time *= eti__time_scale_factor(ETI_SCALE_NS, scale, 0);
        scale = ETI_SCALE_NS;
        for (size_t i = 0; i < sizeof larger / sizeof *larger && time >= 999.5; i++) {
            time /= 1000;
            scale = larger[i];
        }
    }
    eti__buffer_printf(out, "%.*f %s", time < 9.95 ? 1 : 0, time, eti_time_scale_name(scale));
}

static void add_cluster(eti_buffer *out, double time, size_t n, eti_time_scale scale) {
    add_about(out, time, scale);
    eti__buffer_printf(out, " (%zu runs)", n);
}

/* Notes that the times of a block's runs, whose method is unknown, look like those of two methods. */
static void note_clusters(eti_collector *collector, const eti_event_block *block) {
    eti_inspector *inspector = collector->inspector;
    eti_time_scale scale = inspector->options.target_time_scale;
    const double *times = run_times(block);
    double *settled = times ? malloc((2 * block->n_runs + 1) * sizeof *settled) : NULL;
    eti_clusters found;
    collector->failed |= times && !settled;
    size_t n = settled ? copy_settled(block, times, inspector->options.keeps_warm_up, settled,
                                      settled + block->n_runs)
                       : 0;
    if (n > 0 && eti__find_clusters(settled, n, &found)) {
        eti_buffer text = {0};
        eti__buffer_printf(&text, "block %.*s: its %zu runs%s take about ",
                           ETI_TEXT_ARGS(block->label), n,
                           n < block->n_runs ? " after the warm-up" : "");
        add_cluster(&text, found.high, found.n_high, scale);
        eti__buffer_add_string(&text, " or ");
        add_cluster(&text, found.low, found.n_low, scale);
        eti__buffer_add_string(&text, ": they may be runs of several methods (");
        eti__methods_add_names(&text, inspector, block->methods_that_fit);
        eti__buffer_printf(&text,
                           "), or one method at two speeds; if you know which method ran when, "
                           "label them with %srun_methods",
                           eti__option_prefix());
        collector->failed |= eti__notes_add(inspector, ETI_NOTE_HINT, &text, NULL) != ETI_OK;
    }
    free(settled);
}

static void note_unknown_method(eti_collector *collector, const eti_event_block *block,
                                bool may_choose) {
    note_methods_that_fit(collector, block, may_choose);
    if (!collector->inspector->options.no_attribution)
        note_clusters(collector, block);
}

/* Adds notes on blocks whose method is unknown or does not match the files. */
static void note_methods(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    size_t n_with_instructions = inspector->n_methods > 0 ? count_with_instructions(inspector) : 0;
    for (size_t b = 0; b < inspector->blocks.n_blocks && n_with_instructions > 0; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        if (!eti__block_has_instructions(block))
            continue;
        if (block->methods_that_fit != 0 && inspector->options.no_attribution &&
            !inspector->options.method)
            continue; /* note_chosen_method() warns */
        if (block->methods_that_fit != 0)
            note_unknown_method(collector, block, n_with_instructions == 1);
        else if (inspector->options.no_attribution)
            continue;
        else if (inspector->n_programs > 0 && !block->plan)
            add_mismatch(
                collector,
                "%s: its instructions do not match the events of block %.*s: it comes from "
                "another export; give the program that ran",
                inspector->program_files[0].name, ETI_TEXT_ARGS(block->label));
        else if (!block->method_name.data)
            add_mismatch(collector,
                         "%s: no method has the instructions of the events of block %.*s: it comes "
                         "from another export; use the ETRecord saved with the .pte that ran",
                         inspector->record_file.name, ETI_TEXT_ARGS(block->label));
    }
}

#define TWO_EXPORTS "they come from two exports; give the files saved with the .pte that ran"

/* Returns whether some block ran this method of the program. */
static bool is_run(const eti_inspector *inspector, const eti_method *method) {
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        if (inspector->blocks.blocks[b].plan == method->plan)
            return true;
    }
    return false;
}

static void note_method_files(eti_collector *collector, const eti_method *method) {
    const eti_inspector *inspector = collector->inspector;
    const char *record = inspector->record_file.name, *program = inspector->program_files[0].name;
    eti_method_fit fit;
    if (method->number == ETI_NO_METHOD) {
        add_two_exports(collector, "%s: has no method %.*s, which %s has: " TWO_EXPORTS, record,
                        ETI_TEXT_ARGS(method->name), program);
        return;
    }
    eti__fit_files(inspector, method, &fit);
    if (fit.n_contrary > 0)
        add_two_exports(
            collector,
            "%s: %" PRIu64 " of the %" PRIu64 " instructions of method %.*s do not exist "
            "in %s, or call something else: " TWO_EXPORTS,
            record, fit.n_contrary, fit.n_compared, ETI_TEXT_ARGS(method->name), program);
    else if (fit.n_missing > fit.n_compared)
        add_two_exports(collector,
                        "%s: has %" PRIu64 " instructions for method %.*s, and %s has %" PRIu64
                        " more: " TWO_EXPORTS,
                        record, fit.n_compared, ETI_TEXT_ARGS(method->name), program,
                        fit.n_missing);
}

/* Checks that record and program have the same methods with the same instructions, as files of one export do. */
static void note_files(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    if (!inspector->record || inspector->n_programs == 0 ||
        eti__etrecord_method_count(inspector->record) > ETI_METHODS_COMPARED)
        return;
    for (size_t i = 0; i < inspector->n_methods && !inspector->has_foreign_record; i++) {
        if (!inspector->methods[i].plan)
            continue;
        note_method_files(collector, &inspector->methods[i]);
        /* the events fit the program, or the program is all there is: it is the record that does not fit */
        if (inspector->has_foreign_record &&
            (inspector->n_dumps == 0 || is_run(inspector, &inspector->methods[i])))
            collector->inspector->leaves_out_record = true;
    }
}

/* Compares the instructions of the record with the events of a block. Returns false if that is not possible. */
static bool fit_record(eti_collector *collector, const eti_event_block *block,
                       eti_method_fit *fit) {
    const eti_inspector *inspector = collector->inspector;
    if (!inspector->record || block->method == ETI_NO_METHOD || !eti__block_has_instructions(block))
        return false;
    bool done = eti__fit_record(inspector, block, block->method, fit);
    collector->failed |= !done;
    return done;
}

/* Warns about kernels where the record has delegate calls. All exports number instructions from 0, so that a record of
 * another export has most of the numbers, but with other operations. */
static void note_contrary(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    uint64_t n_contrary = 0, n_compared = 0;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        eti_method_fit fit;
        if (!fit_record(collector, &inspector->blocks.blocks[b], &fit))
            continue;
        n_contrary += fit.n_contrary;
        n_compared += fit.n_compared;
    }
    if (n_contrary > 0)
        collector->inspector->leaves_out_record = true;
    if (n_contrary > 0 && !inspector->has_foreign_record)
        add_foreign(collector,
                    "%s: %" PRIu64 " of %" PRIu64
                    " events of instructions are kernels where it has delegate calls: it comes "
                    "from another export; use the ETRecord saved with the .pte that ran",
                    inspector->record_file.name, n_contrary, n_compared);
}

/* Warns about instructions without events, which are missing if the run ended early or the record comes from another
 * export. */
static void note_missing(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        eti_method_fit fit;
        if (!fit_record(collector, block, &fit))
            continue;
        size_t n = eti__etrecord_method_instruction_count(inspector->record, block->method);
        if (fit.n_missing > n / 4 && !inspector->has_foreign_record)
            add_note(collector, ETI_NOTE_WARNING,
                     "block %.*s: %" PRIu64
                     " of the %zu instructions of %s have no event: the run ended early, or the "
                     "ETRecord comes from another export",
                     ETI_TEXT_ARGS(block->label), fit.n_missing, n, inspector->record_file.name);
    }
}

/* Returns whether a debug handle of the method's instructions is that of a node in a lowered module. The Inspector's graph
 * lacks these nodes if the record was made after lowering. */
static bool has_lowered_nodes(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    eti_graph graph;
    eti_handle_index by_handle = {0};
    bool is_found = false;
    if (eti__record_graph(inspector->opened_record, ETI_READ_LOWERED, inspector->method, NULL,
                          &graph, NULL, NULL) != ETI_OK)
        return false;
    graph = eti__graph_whole(&graph);
    if (!eti__handle_index_init(&by_handle, &graph))
        collector->failed = true;
    size_t n = eti__etrecord_method_instruction_count(inspector->record, inspector->method);
    for (size_t i = 0; i < n && by_handle.n > 0 && !is_found; i++) {
        const eti_delegate_call *call;
        eti_debug_handles handles =
            eti__etrecord_instruction_handles(inspector->record, inspector->method, i, &call);
        for (size_t k = 0; k < handles.n && !is_found; k++) {
            size_t at = eti__handle_index_first(&by_handle, handles.handles[k]);
            is_found = at < by_handle.n && by_handle.nodes[at].handle == handles.handles[k];
        }
    }
    eti__handle_index_free(&by_handle);
    return is_found;
}

static void note_fit(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    const eti_association *fit = &collector->fit;
    const char *name = inspector->record_file.name;
    if (fit->n_instructions == 0)
        return;
    if (eti__etrecord_method_instruction_count(inspector->record, inspector->method) == 0)
        add_note(collector, ETI_NOTE_WARNING,
                 "%s: its debug_handle_map has no instructions, so operators have no names: the "
                 "export records nothing inside scan",
                 name);
    else if (fit->n_with_handles == 0)
        add_foreign(collector,
                    "%s: no instruction of the ETDump is in its debug_handle_map: it comes from "
                    "another export; use the ETRecord saved with the .pte that ran",
                    name);
    else if (fit->n_with_operators == 0 && fit->n_delegated < fit->n_instructions &&
             !has_lowered_nodes(collector))
        add_note(collector, ETI_NOTE_WARNING,
                 "%s: no debug handle of the events is in its graph, so operators have no names, "
                 "stacks or modules: it was changed after export, or comes from another export",
                 name);
}

/* Returns whether another method than the requested one fits the block, of which note_methods() warns. */
static bool is_better_elsewhere(const eti_inspector *inspector, const eti_event_block *block) {
    return !eti__finds_methods(inspector) && block->methods_that_fit != 0;
}

/* Warns about kernels that do not belong to their operators. All exports number instructions from 0, so a record of
 * another export matches by number; but then the kernels that ran are not those of the operators it lists. */
static void note_operator_names(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    uint64_t n_compared = 0, n_different = 0;
    size_t left = ETI_NAMES_COMPARED;
    for (size_t b = 0; b < inspector->blocks.n_blocks; b++) {
        const eti_event_block *block = &inspector->blocks.blocks[b];
        if (!is_better_elsewhere(inspector, block))
            n_different += eti__count_unlike_kernels(block, &left, &n_compared);
    }
    if (n_different > 1 && n_different > n_compared / 4)
        add_foreign(collector,
                    "%s: %" PRIu64 " of %" PRIu64
                    " kernels that ran do not belong to the operators it lists for them: it seems "
                    "to come from another export; use the ETRecord saved with the .pte that ran",
                    inspector->record_file.name, n_different, n_compared);
}

static void note_record_parts(eti_collector *collector) {
    const eti_inspector *inspector = collector->inspector;
    const char *name = inspector->record_file.name;
    if (inspector->method == ETI_NO_METHOD) {
        add_note(collector, ETI_NOTE_WARNING,
                 "%s: has neither an edge program nor a debug_handle_map, so events have no "
                 "operators; generate it again at export time",
                 name);
        return;
    }
    eti_text method = eti__etrecord_method_name(inspector->record, inspector->method);
    bool has_graph = eti__etrecord_method_has_graph(inspector->record, inspector->method);
    if (!eti__etrecord_method_has_handle_map(inspector->record, inspector->method))
        add_note(collector, ETI_NOTE_WARNING,
                 "%s: has no debug_handle_map for method %.*s%s, so events have no operators; "
                 "generate it again at export time",
                 name, ETI_TEXT_ARGS(method),
                 has_graph ? ", only its graph, like some files of 2023" : "");
    else if (!has_graph)
        add_note(collector, ETI_NOTE_WARNING,
                 "%s: has no edge program for method %.*s, so events have no operators", name,
                 ETI_TEXT_ARGS(method));
    else
        note_fit(collector);
    note_operator_names(collector);
}

static void note_delegate_map(eti_collector *collector) {
    const eti_association *fit = &collector->fit;
    if (fit->n_without_delegate_map > 0)
        add_note(collector, ETI_NOTE_WARNING,
                 "%s: no delegate mapping found for %" PRIu64
                 " delegated event%s (instruction id %d): their backend is unknown",
                 collector->inspector->record_file.name, fit->n_without_delegate_map,
                 fit->n_without_delegate_map == 1 ? "" : "s", fit->example_without_delegate_map);
}

/* ---- all notes ------------------------------------------------------------------------------- */

eti_status eti__notes_collect(eti_inspector *inspector, eti_error *err) {
    eti_collector collector = {.inspector = inspector};
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++)
        look_at_block(&collector, &inspector->blocks.blocks[i]);

    note_dumps(&collector);
    note_joined_dumps(&collector);
    note_repeated_dumps(&collector);
    if (inspector->n_events_lost > 0)
        add_note(&collector, ETI_NOTE_WARNING,
                 "the device lost %" PRIu64
                 " events while recording and left out the affected runs: give its capture more "
                 "memory; etc_get_stats() shows why each was lost",
                 inspector->n_events_lost);
    note_skipped_runs(&collector);
    note_repaired_names(&collector);
    if (inspector->record)
        note_record(&collector);
    note_empty_dumps(&collector);
    note_events(&collector);
    note_delegates(&collector);
    note_debug_buffer(&collector);
    note_delegate_time_scales(&collector);
    if (inspector->options.method && !inspector->record && inspector->n_programs == 0)
        add_note(&collector, ETI_NOTE_WARNING, "no ETRecord was given: method %s is not used",
                 inspector->options.method);
    if (inspector->record) {
        note_record_parts(&collector);
        note_delegate_map(&collector);
    }
    return collector.failed ? eti_fail_memory(err) : ETI_OK;
}

eti_status eti__notes_of_methods(eti_inspector *inspector, eti_error *err) {
    eti_collector collector = {.inspector = inspector};
    note_chosen_method(&collector);
    note_methods(&collector);
    if (!inspector->options.no_attribution) {
        note_files(&collector);
        note_contrary(&collector);
        note_missing(&collector);
    }
    return collector.failed ? eti_fail_memory(err) : ETI_OK;
}
