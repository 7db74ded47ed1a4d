#include "account/account.h"
#include "base/arena.h"
#include "base/intern.h"
#include "base/status.h"
#include "base/text.h"
#include "etinspect.h"
#include "model/model.h"
#include "places/places.h"
#include "profile/labels.h"
#include "profile/parts.h"
#include "profile/profile.h"
#include "profile/profile_join.h"
#include "rollup/rollup.h"

#include <inttypes.h>
#include <stdlib.h>

/* ==== profile make ============================================================================ */
/* Makes a profile from an inspector. */

/* Longer lists of operators are not written out; such an event is identified by its name. */
#define LONGEST_OPS 1024
/* The total to which an event belongs, by role. */
static const uint8_t total_of[ETI_N_TIMED_ROLES] = {
    [ETI_ROLE_KERNEL] = ETI_ENTRY_OPERATORS,        [ETI_ROLE_DELEGATED] = ETI_ENTRY_DELEGATES,
    [ETI_ROLE_DEVICE] = ETI_ENTRY_DELEGATES,        [ETI_ROLE_TRANSFER] = ETI_ENTRY_DELEGATES,
    [ETI_ROLE_OVERHEAD] = ETI_ENTRY_DELEGATES,      [ETI_ROLE_PROFILING] = ETI_ENTRY_DELEGATES,
    [ETI_ROLE_DELEGATE_CALL] = ETI_ENTRY_DELEGATES, [ETI_ROLE_NOT_LOGGED] = ETI_ENTRY_DELEGATES,
    [ETI_ROLE_OPERATOR_CALL] = ETI_ENTRY_FRAMEWORK, [ETI_ROLE_INSTRUCTION] = ETI_ENTRY_FRAMEWORK,
    [ETI_ROLE_EXECUTE] = ETI_ENTRY_FRAMEWORK,       [ETI_ROLE_LOAD] = ETI_ENTRY_LOADING,
};

static const char *total_name(eti_entry_kind kind, bool has_execute, bool has_lanes) {
    switch (kind) {
    case ETI_ENTRY_EXECUTE: /* with lanes, the time in which at least one is busy */
        if (has_lanes)
            return "all lanes";
        return has_execute ? "Method::execute" : "all events";
    case ETI_ENTRY_OPERATORS:
        return "operators outside delegates";
    case ETI_ENTRY_DELEGATES:
        return "delegate calls";
    case ETI_ENTRY_FRAMEWORK:
        return "framework";
    default:
        return "loading";
    }
}
/* ---- a block of an inspector ----------------------------------------------------------------- */

/* The text for a record's handles; events share records. */
typedef struct spelled_handles {
    const eti_event_record *record;
    eti_text text;
} spelled_handles;

/* A block under construction. */
typedef struct builder {
    eti_profile *profile;
    const eti_account *account;
    eti_places places;
    eti_place *place; /* per event */
    uint32_t *runs;   /* runs that are kept, n_runs of them */
    double *scratch;  /* two values per run */
    size_t n_runs;
    const eti_inspector *inspector;
    eti_profile_block *out;
    uint64_t *totals[ETI_N_TOTALS]; /* n_runs values each; NULL if no event belongs to the total */
    ETI_INTERN_OF(spelled_handles) handles;
    eti_text *ops; /* per path of places.ops: its text, or absent */
    const eti_lowered_graph
        *graph; /* includes the origins of nodes; NULL if they were not requested */
} builder;

/* Copies a text into the arena. False: out of memory. */
static bool keep_text(builder *b, const eti_buffer *text, eti_text *out) {
    return !text->failed && eti__arena_copy_text(&b->profile->arena, eti__buffer_text(text), out);
}

static bool spell_handles(builder *b, const eti_event *event, eti_text *out) {
    const eti_debug_handles *handles = &event->record->handles;
    static const eti_intern_kind kind = {.item_size = sizeof(spelled_handles),
                                         .key_size = offsetof(spelled_handles, text)};
    size_t n_known = b->handles.count;
    uint32_t number;
    if (handles->kind == ETI_HANDLES_NONE || handles->n == 0)
        return true;
    if (!eti__intern_add(&b->handles.table, &kind, &(spelled_handles){.record = event->record},
                         &number))
        return false;
    spelled_handles *spelled = &b->handles.items[number];
    eti_buffer text = {0};
    for (size_t i = 0; number == n_known && i < handles->n; i++)
        eti__buffer_printf(&text, "%s%" PRId64, i > 0 ? " " : "", handles->handles[i]);
    bool done = number < n_known || keep_text(b, &text, &spelled->text);
    eti__buffer_free(&text);
    *out = spelled->text;
    return done;
}

static bool spell_ops(builder *b, uint32_t ops, eti_text *out) {
    if (ops == ETI_PREFIX_ROOT || eti__places_ops_size(&b->places, ops) > LONGEST_OPS)
        return true;
    eti_buffer text = {0};
    bool done = true;
    if (!b->ops[ops].data) {
        eti__places_add_ops(&b->places, ops, &text);
        done = keep_text(b, &text, &b->ops[ops]);
        eti__buffer_free(&text);
    }
    *out = b->ops[ops];
    return done;
}

static bool spell_delegate_id(builder *b, const eti_event *event, eti_text *out) {
    eti_delegate_id id = eti_event_delegate_debug_identifier(event);
    if (id.kind == ETI_DELEGATE_ID_STRING)
        *out = id.string_id;
    if (id.kind != ETI_DELEGATE_ID_INT)
        return true;
    eti_buffer text = {0};
    eti__buffer_printf(&text, "%" PRId32, id.int_id);
    bool done = keep_text(b, &text, out);
    eti__buffer_free(&text);
    return done;
}

/* Sets module, source line and operators; no operators for a delegate call that logged events of its own. */
static bool set_place(builder *b, const eti_place *place, eti_role role, eti_entry *entry) {
    if (place->module != ETI_PREFIX_ROOT)
        entry->module = eti__places_module_name(&b->places, place->module);
    if (place->frame != ETI_PREFIX_ROOT) {
        const eti_place_frame *frame = eti__places_frame(&b->places, place->frame);
        entry->file = frame->frame.file;
        entry->line = frame->frame.line;
        entry->code = frame->frame.code;
    }
    return eti__role_is_around(role) || spell_ops(b, place->ops, &entry->op);
}

/* Sets the origin. Of several nodes, the first one of the model counts rather than one inserted by a quantizer. A
 * delegate call is not one of its nodes. */
static bool set_origin(builder *b, const eti_event *event, eti_entry *entry) {
    eti_event_nodes nodes = eti__event_nodes(event);
    const eti_op_node *found = NULL;
    bool is_call =
        event->known->attribution == ETI_ATTRIBUTION_CALL || entry->role == ETI_ROLE_DELEGATE_CALL;
    for (size_t i = 0; b->graph && b->graph->matched && !is_call && i < nodes.n; i++) {
        size_t number = eti__lowered_graph_number(b->graph, nodes.all[i]);
        if (number >= b->graph->graph.n_nodes)
            continue;
        const eti_op_node *node = &b->graph->graph.nodes[number].node;
        bool is_better = !found || (eti__node_is_inserted(found) && !eti__node_is_inserted(node));
        if (node->origin.data && is_better)
            found = node;
    }
    return !found || eti__arena_copy_text(&b->profile->arena, found->origin, &entry->origin);
}

/* Returns whether the event gets an entry: time around or between instructions counts only in totals. */
static bool is_shown(const builder *b, size_t event) {
    eti_role role = eti__account_role(b->account, event);
    return b->account->events[event].is_counted &&
           (!eti__role_is_framework(role) || role == ETI_ROLE_INSTRUCTION);
}

static bool add_to_total(builder *b, eti_entry_kind kind, const uint64_t *ticks) {
    if (!b->totals[kind])
        b->totals[kind] = eti__arena_alloc_zero(&b->profile->arena, b->n_runs, sizeof **b->totals);
    if (!b->totals[kind])
        return false;
    for (size_t i = 0; i < b->n_runs; i++)
        b->totals[kind][i] += ticks[b->runs[i]];
    return true;
}

/* Adds each event's self time to one total, and that of the run to ETI_ENTRY_EXECUTE. */
static bool add_up(builder *b) {
    bool is_whole_set = false;
    for (size_t i = 0; i < b->account->block->n_events; i++) {
        const eti_event_account *event = &b->account->events[i];
        if (event->role >= ETI_N_TIMED_ROLES)
            continue;
        bool is_loading = !event->is_counted || event->role == ETI_ROLE_LOAD;
        eti_entry_kind kind =
            is_loading ? ETI_ENTRY_LOADING : (eti_entry_kind)total_of[event->role];
        if (!add_to_total(b, kind, eti__account_self(b->account, i)) ||
            (!is_loading && !is_whole_set &&
             !add_to_total(b, ETI_ENTRY_EXECUTE, b->account->elapsed)))
            return false;
        is_whole_set = is_whole_set || !is_loading;
    }
    return true;
}

/* Makes empty texts absent, which means unknown, as in baselines. */
static void forget_empty(eti_entry *entry) {
    eti_text *const texts[] = {&entry->op,          &entry->module,  &entry->backend,
                               &entry->delegate_id, &entry->handles, &entry->file,
                               &entry->code};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (texts[i]->size == 0)
            texts[i]->data = NULL;
    }
    if (!entry->file.data)
        entry->line = 0;
    if (entry->op_type.size == 0)
        entry->op_type = eti__text_of(ETI_GROUP_NO_NAME);
}

/* Returns "cycles" if a delegate logged the event in cycles of a clock with an unknown frequency. The cost of measuring mixes
 * cycles with ticks of other clocks, so it has no unit. */
static eti_text unit_of(const builder *b, size_t event) {
    bool is_countable = true;
    const eti_options *options = &b->inspector->options;
    eti_role role = eti__account_role(b->account, event);
    const eti_event *of = &b->account->block->events[event];
    bool is_in_cycles = eti__role_is_logged(role) && role != ETI_ROLE_PROFILING &&
                        eti__event_scale(options, of, &is_countable) == ETI_SCALE_CYCLES &&
                        !is_countable && options->source_time_scale != ETI_SCALE_CYCLES;
    return is_in_cycles ? eti__text_of(eti_time_scale_name(ETI_SCALE_CYCLES)) : (eti_text){NULL, 0};
}

static bool add_entry(builder *b, size_t event, eti_entry *out) {
    const eti_event *of = &b->account->block->events[event];
    eti_role role = eti__account_role(b->account, event);
    const uint64_t *self = eti__account_self(b->account, event);
    uint64_t *ticks = eti__arena_alloc(&b->profile->arena, b->n_runs, sizeof *ticks);
    if (!ticks)
        return false;
    eti_text unit = unit_of(b, event);
    for (size_t i = 0; i < b->n_runs; i++)
        ticks[i] = unit.data ? eti__account_value(b->account, event, b->runs[i]) : self[b->runs[i]];
    *out = (eti_entry){.kind = ETI_ENTRY_EVENT,
                       .role = (uint8_t)role,
                       .event = of,
                       .name = eti__event_label(of),
                       .unit = unit,
                       .op_type = eti__op_type_of(b->account, event).name,
                       .backend = eti__account_backend(b->account, event)};
    if (role == ETI_ROLE_NOT_LOGGED)
        out->role = ETI_ROLE_DELEGATE_CALL;
    bool done = eti__entry_set_ticks(b->profile, b->out, out, ticks, b->scratch) &&
                set_place(b, &b->place[event], role, out) && spell_handles(b, of, &out->handles) &&
                spell_delegate_id(b, of, &out->delegate_id) && set_origin(b, of, out);
    forget_empty(out);
    return done;
}

static bool add_totals(builder *b, eti_profile_block *block) {
    for (int kind = 0; kind < ETI_N_TOTALS; kind++) {
        if (!b->totals[kind])
            continue;
        eti_entry *entry = &block->entries[block->n_entries++];
        bool has_execute = b->account->execute != ETI_NO_EVENT && b->account->n_outside == 0;
        *entry = (eti_entry){.kind = (uint8_t)kind,
                             .name = eti__text_of(total_name((eti_entry_kind)kind, has_execute,
                                                             b->account->n_lanes > 1))};
        if (!eti__entry_set_ticks(b->profile, b->out, entry, b->totals[kind], b->scratch))
            return false;
    }
    block->n_totals = block->n_entries;
    return true;
}

static bool add_allocated(builder *b, eti_profile_block *out) {
    const eti_block_run *runs = b->account->block->runs;
    uint64_t *bytes = eti__arena_alloc(&b->profile->arena, b->n_runs, sizeof *bytes), all = 0;
    for (size_t i = 0; bytes && i < b->n_runs; i++) {
        bytes[i] = eti__run_allocated(&runs[b->runs[i]]);
        all |= bytes[i];
    }
    if (!bytes || all == 0)
        return bytes != NULL;
    out->allocated = eti__arena_alloc_zero(&b->profile->arena, 1, sizeof *out->allocated);
    if (!out->allocated)
        return false;
    *out->allocated = (eti_entry){.kind = ETI_ENTRY_ALLOCATED, .name = eti__text_of("allocated")};
    return eti__entry_set_ticks(b->profile, out, out->allocated, bytes, b->scratch);
}

static size_t count_warm_up(const builder *b, size_t first, size_t end) {
    size_t n = 0;
    for (size_t run = first; run < end; run++)
        n += b->account->is_warm_up[run];
    return n;
}

/* Drops the first runs of every file. */
static bool choose_runs(builder *b, size_t skip_first) {
    const eti_event_block *block = b->account->block;
    b->scratch = malloc((2 * block->n_runs + 1) * sizeof *b->scratch);
    eti_file_runs *files = eti__arena_alloc(&b->profile->arena, block->n_runs, sizeof *files);
    b->runs = malloc((block->n_runs + 1) * sizeof *b->runs);
    b->out->files = files;
    if (!b->scratch || !b->runs || !files)
        return false;
    for (size_t first = 0, end; first < block->n_runs; first = end) {
        end = eti__warm_up_end(block, first);
        size_t n = end - first, skip = skip_first < n ? skip_first : n;
        if (skip_first == ETI_SKIP_WARM_UP)
            skip = count_warm_up(b, first, end);
        if (skip < n)
            files[b->out->n_files++] =
                (eti_file_runs){(uint32_t)(block->runs[first].dump - b->inspector->dumps),
                                b->n_runs, n - skip, skip};
        for (size_t run = first + skip; run < end; run++)
            b->runs[b->n_runs++] = (uint32_t)run;
    }
    return true;
}

static bool fill_block(builder *b, size_t skip_first, eti_profile_block *out) {
    const eti_event_block *block = b->account->block;
    out->entries =
        eti__arena_alloc(&b->profile->arena, block->n_events + ETI_N_TOTALS, sizeof *out->entries);
    b->out = out;
    if (!out->entries || !choose_runs(b, skip_first) ||
        !(b->place = eti__places_of_block(&b->places, b->account)) ||
        !(b->ops = calloc(b->places.ops.n_nodes + 1, sizeof *b->ops)))
        return false;
    out->name = block->name;
    out->label = block->label;
    out->method = eti__has_several_methods(b->inspector) ? block->method_name : (eti_text){NULL, 0};
    out->bundled_input_index = block->bundled_input_index;
    out->n_runs = b->n_runs;
    out->n_skipped = block->n_runs - b->n_runs;
    b->profile->factor = b->account->factor;
    if (b->n_runs == 0)
        return true;
    if (!add_up(b) || !add_totals(b, out))
        return false;
    for (size_t i = 0; i < block->n_events; i++) {
        if (is_shown(b, i) && !add_entry(b, i, &out->entries[out->n_entries++]))
            return false;
    }
    return add_allocated(b, out);
}

static void free_builder(builder *b) {
    eti__places_free(&b->places);
    eti__intern_free(&b->handles.table);
    free(b->place);
    free(b->runs);
    free(b->scratch);
    free(b->ops);
}

static eti_status add_block(eti_profile *profile, const eti_inspector *inspector,
                            const eti_event_block *block, const eti_lowered_graph *graph,
                            size_t skip_first, eti_error *err) {
    builder b = {.profile = profile, .inspector = inspector, .graph = graph};
    ETI_TRY(eti__account_of(&b.account, inspector, block, err));
    eti_profile_block *out = &profile->blocks[profile->n_blocks];
    *out = (eti_profile_block){0};
    bool done = eti__places_init(&b.places) && fill_block(&b, skip_first, out);
    free_builder(&b);
    profile->n_blocks += done && out->n_runs > 0;
    return done ? ETI_OK : eti_fail_memory(err);
}

/* ---- all blocks of an inspector -------------------------------------------------------------- */

static bool is_wanted(const eti_profile_options *options, const eti_event_block *block) {
    return eti__block_is_called(block, options->block);
}

static eti_status check_blocks(const eti_profile *profile, const eti_inspector *inspector,
                               const eti_profile_options *options, eti_error *err) {
    size_t n_wanted = 0;
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++)
        n_wanted += is_wanted(options, &inspector->blocks.blocks[i]);
    if (n_wanted == 0 && inspector->blocks.n_blocks > 0)
        return eti__block_fail(&inspector->blocks, options->block, err);
    if (profile->n_blocks == 0 && (inspector->n_dumps > 0 || inspector->n_programs == 0))
        return eti_fail(err, ETI_ERROR_DATA,
                        "%.*s: no run has a time, or none is left after dropping the first runs",
                        ETI_TEXT_ARGS(profile->name));
    return ETI_OK;
}

static eti_status list_files(eti_profile *profile, const eti_inspector *inspector, eti_error *err) {
    profile->files =
        eti__arena_alloc(&profile->arena, inspector->n_dumps + 1, sizeof *profile->files);
    if (!profile->files)
        return eti_fail_memory(err);
    for (; profile->n_files < inspector->n_dumps; profile->n_files++) {
        const struct eti_file *file = &inspector->dump_files[profile->n_files];
        eti_profile_file *entry = &profile->files[profile->n_files];
        *entry = (eti_profile_file){
            .name = eti__text_of(file->name), .size = file->size, .data = file->data};
        if (!eti__arena_own_text(&profile->arena, entry->name, &entry->shown))
            return eti_fail_memory(err);
    }
    ETI_TRY(eti__profile_check_files(profile, err));
    return eti__profile_find_pairs(profile, err);
}

/* Finds out whether blocks have equal names. False: out of memory. */
static bool find_variants(const eti_profile *profile, bool *out) {
    eti_text_table names = {0};
    uint32_t number;
    bool done = true;
    for (size_t i = 0; i < profile->n_blocks && done; i++)
        done = eti__text_table_add(&names, profile->blocks[i].name, NULL, &number);
    *out = names.count < profile->n_blocks;
    eti__text_table_free(&names);
    return done;
}

/* Joins blocks that differ in a few events and come from several files: the Inspector separates runs that differ in any
 * event. */
static eti_status join_variants(eti_profile *profile, eti_error *err) {
    bool has_variants;
    if (profile->n_files < 2)
        return ETI_OK;
    if (!find_variants(profile, &has_variants))
        return eti_fail_memory(err);
    if (!has_variants)
        return ETI_OK;
    uint32_t *numbers = malloc(profile->n_files * sizeof *numbers);
    if (!numbers)
        return eti_fail_memory(err);
    for (size_t i = 0; i < profile->n_files; i++)
        numbers[i] = (uint32_t)i;
    const eti_join_source source = {profile->blocks, profile->n_blocks, numbers};
    eti_status status = eti__profile_join(profile, &source, 1, err);
    free(numbers);
    return status;
}

/* Graphs of methods, with the origins of nodes; read on demand. */
typedef struct method_graphs {
    eti_lowered_graph *graphs; /* one per method of the ETRecord */
    bool *is_read;
    size_t n;
} method_graphs;

static eti_status find_graph(method_graphs *graphs, const eti_inspector *inspector, size_t method,
                             const eti_lowered_graph **out, eti_error *err) {
    *out = NULL;
    if (method >= graphs->n)
        return ETI_OK;
    *out = &graphs->graphs[method];
    if (graphs->is_read[method])
        return ETI_OK;
    graphs->is_read[method] = true;
    return eti__lowered_graph_read_method(&graphs->graphs[method], inspector, method, err);
}

static eti_status add_wanted(eti_profile *profile, const eti_inspector *inspector,
                             const eti_profile_options *options, method_graphs *graphs,
                             eti_error *err) {
    for (size_t i = 0; i < inspector->blocks.n_blocks; i++) {
        const eti_event_block *block = &inspector->blocks.blocks[i];
        const eti_lowered_graph *graph;
        size_t method = block->method != ETI_NO_METHOD ? block->method : inspector->method;
        if (!is_wanted(options, block) || !block->raw)
            continue;
        ETI_TRY(find_graph(graphs, inspector, method, &graph, err));
        ETI_TRY(add_block(profile, inspector, block, graph, options->skip_first, err));
    }
    return ETI_OK;
}

static eti_status add_blocks(eti_profile *profile, const eti_inspector *inspector,
                             const eti_profile_options *options, eti_error *err) {
    method_graphs graphs = {.n = 0};
    if (options->origins && inspector->record)
        graphs.n = eti__etrecord_method_count(inspector->record);
    graphs.graphs = calloc(graphs.n + 1, sizeof *graphs.graphs);
    graphs.is_read = calloc(graphs.n + 1, sizeof *graphs.is_read);
    eti_status status = graphs.graphs && graphs.is_read
                            ? add_wanted(profile, inspector, options, &graphs, err)
                            : eti_fail_memory(err);
    for (size_t i = 0; graphs.graphs && i < graphs.n; i++)
        eti__lowered_graph_free(&graphs.graphs[i]);
    free(graphs.graphs);
    free(graphs.is_read);
    return status;
}

/* Adds the user's labels and, if the note of an ETDump says that its times are not elapsed times, a label with the clock. */
static eti_status add_labels(eti_profile *profile, const eti_inspector *inspector,
                             const eti_profile_options *options, eti_error *err) {
    const char *clock = eti__etdumps_clock(inspector->dumps, inspector->n_dumps);
    size_t n = options->n_labels;
    if (!clock || strcmp(clock, ETI_CLOCK_WALL) == 0 ||
        eti__find_label(options->labels, n, ETI_CLOCK_LABEL))
        return eti__profile_add_labels(profile, options->labels, n, err);
    if (strcmp(clock, ETI_CLOCK_MIXED) == 0 && !options->allow_unlike)
        return eti_fail(
            err, ETI_ERROR_USAGE,
            "%.*s and %zu more ETDumps have times of different clocks, elapsed time and "
            "CPU time; use %sallow_unlike to compare them anyway",
            ETI_TEXT_ARGS(profile->name), inspector->n_dumps - 1, eti__option_prefix());
    eti_label *labels = eti__arena_alloc(&profile->arena, n + 1, sizeof *labels);
    if (!labels)
        return eti_fail_memory(err);
    if (n > 0)
        memcpy(labels, options->labels, n * sizeof *labels);
    labels[n] = (eti_label){ETI_CLOCK_LABEL, clock};
    return eti__profile_add_labels(profile, labels, n + 1, err);
}

static eti_status fill_profile(eti_profile *profile, const eti_inspector *inspector,
                               const eti_profile_options *options, eti_error *err) {
    const eti_blocks *blocks = &inspector->blocks;
    (void)eti__inspector_keep(inspector);
    profile->inspector = inspector;
    profile->source_scale = inspector->options.source_time_scale;
    profile->target_scale = inspector->options.target_time_scale;
    profile->clock_hz = inspector->options.clock_hz;
    profile->has_ticks = true;
    profile->has_fixed_skip = options->skip_first != ETI_SKIP_WARM_UP;
    ETI_TRY(list_files(profile, inspector, err));
    if (profile->n_files > 0)
        profile->name = profile->files[0].name;
    else if (inspector->n_programs > 0)
        profile->name = eti__text_of(inspector->program_files[0].name);
    if (inspector->options.method)
        profile->method = eti__text_of(inspector->options.method);
    else if (inspector->n_methods == 1)
        profile->method = inspector->methods[0].name;
    ETI_TRY(add_labels(profile, inspector, options, err));
    profile->blocks =
        eti__arena_alloc_zero(&profile->arena, blocks->n_blocks + 1, sizeof *profile->blocks);
    if (!profile->blocks)
        return eti_fail_memory(err);
    ETI_TRY(add_blocks(profile, inspector, options, err));
    ETI_TRY(check_blocks(profile, inspector, options, err));
    if (!eti__delegate_scales_find(profile))
        return eti_fail_memory(err);
    return join_variants(profile, err);
}

eti_status eti__profile_from_inspector(eti_profile **out, const eti_inspector *inspector,
                                       const eti_profile_options *options, eti_error *err) {
    static const eti_profile_options defaults = ETI_PROFILE_OPTIONS_DEFAULT;
    eti_profile *profile = eti__profile_new();
    *out = NULL;
    if (!profile)
        return eti_fail_memory(err);
    eti_status status = fill_profile(profile, inspector, options ? options : &defaults, err);
    if (status == ETI_OK)
        *out = profile;
    else
        eti_profile_free(profile);
    return status;
}

/* ==== profile open ============================================================================ */
/* Makes a profile from the files of one process. */

eti_status eti__profile_open(eti_profile **out, const eti_inputs *inputs,
                             const eti_options *opening, const eti_profile_options *options,
                             eti_error *err) {
    eti_inspector *inspector;
    static const eti_options defaults = ETI_OPTIONS_DEFAULT;
    eti_options merging = opening ? *opening : defaults;
    merging.merges_ids = true;
    *out = NULL;
    ETI_TRY(eti__open_seen_through(&inspector, inputs, &merging, err));
    eti_status status = eti__profile_from_inspector(out, inspector, options, err);
    eti_inspector_close(inspector); /* the profile keeps a reference */
    return status;
}
