#include "model/parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ==== make events ============================================================================= */
/* Turns what a run recorded into the events of a block, with only their names and ids. */

const eti_event_record eti__no_record = {.num_outputs = 1};

/* Sources whose events one thread makes. */
typedef struct making_part {
    eti_arena arena; /* holds their names */
    bool failed, has_broken_names;
} making_part;

typedef struct making {
    eti_event *out;
    const eti_run_events *run;
    size_t n_parts;
    making_part parts[ETI_MAX_THREADS];
} making;

static void set_delegate_id(eti_event *event, const eti_event_identity *identity) {
    event->delegate_id_kind = ETI_DELEGATE_ID_NONE;
    event->delegate_id_int = -1;
    if (identity->delegate_id_int != -1) {
        event->delegate_id_kind = ETI_DELEGATE_ID_INT;
        event->delegate_id_int = identity->delegate_id_int;
    } else if (identity->delegate_id_str.size > 0) {
        event->delegate_id_kind = ETI_DELEGATE_ID_STRING;
    }
    event->is_delegated_op = event->delegate_id_kind != ETI_DELEGATE_ID_NONE;
}

/* Sets the event's ids, and its name if there is one: older runtimes do not name their debug events. */
static bool apply_identity(eti_event *event, const eti_run_events *run, uint32_t number,
                           eti_arena *arena) {
    eti_etdump_event recorded;
    eti__etdump_read_event(&recorded, run->dump,
                           eti__etdump_event_position(run->dump, run->events, number));
    eti_event_identity identity = eti__event_identity_of(run->dump, &recorded);
    eti_text name = identity.name;
    event->instruction_id = identity.instruction_id;
    event->has_chain = recorded.key.chain_index <= INT64_MAX;
    set_delegate_id(event, &identity);
    if (event->delegate_id_kind == ETI_DELEGATE_ID_INT) {
        char digits[16];
        int length = snprintf(digits, sizeof digits, "%d", identity.delegate_id_int);
        if (!eti__arena_copy_text(arena, (eti_text){digits, (size_t)length}, &name))
            return false;
    } else if (event->delegate_id_kind == ETI_DELEGATE_ID_STRING) {
        name = identity.delegate_id_str;
    }
    if (name.size > 0)
        event->name = name;
    return true;
}

static bool make_event(eti_event *event, const eti_run_events *run, eti_event_source from,
                       making_part *part) {
    uint32_t debug = eti__run_events_first(run, run->groups[from.group].last_debug);
    *event = (eti_event){
        .name = {"", 0},
        .record = &eti__no_record,
        .known = &eti__no_record,
        .delegate_id_int = -1,
        .is_timed = from.profile != ETI_NO_EVENT,
    };
    if (event->is_timed && !apply_identity(event, run, from.profile, &part->arena))
        return false;
    event->is_timed_as_delegated = event->is_delegated_op;
    if (debug != ETI_NO_EVENT && !apply_identity(event, run, debug, &part->arena))
        return false;
    event->is_operator_call = eti__text_contains(event->name, eti__text_of("OPERATOR_CALL"));
    if (eti__text_valid_utf8(event->name) != event->name.size)
        part->has_broken_names = true;
    return true;
}

static void make_part(void *context, size_t i) {
    making *all = context;
    making_part *part = &all->parts[i];
    size_t first, end;
    eti__parallel_part(all->run->n_sources, all->n_parts, i, &first, &end);
    for (size_t k = first; k < end && !part->failed; k++)
        part->failed = !make_event(&all->out[k], all->run, all->run->sources[k], part);
}

/* Makes one event for each source of the run; `out` has room for them. Names are views of the dump, or in `arena`. Sets
 * `*has_broken_names` if a name is not UTF-8, and leaves it unchanged otherwise. False: out of memory. */
static bool make_events(eti_event *out, const eti_run_events *run, eti_arena *arena,
                        size_t n_threads, bool *has_broken_names) {
    making all; /* only the parts that are used are initialised */
    all.out = out;
    all.run = run;
    all.n_parts = run->n_sources * sizeof *out >= ETI_PARALLEL_BYTES / 4 ? n_threads : 1;
    for (size_t i = 0; i < all.n_parts; i++)
        all.parts[i] = (making_part){.failed = false};
    eti__parallel(all.n_parts, make_part, &all);
    bool made = true;
    for (size_t i = 0; i < all.n_parts; i++) {
        making_part *part = &all.parts[i];
        eti__arena_join(arena, &part->arena);
        made = made && !part->failed;
        *has_broken_names = *has_broken_names || part->has_broken_names;
    }
    return made;
}

/* ==== block =================================================================================== */

/* Number of recent layouts that the next run is compared with before its events are analysed. */
#define RECENT_LAYOUTS 4
/* From this run on, all runs of a large dump are compared with the layout of the previous run; the first run may be one
 * of loading. */
#define COMPARED_RUN 2

/* A run with a known layout, and the number of its block. */
typedef struct eti_known_run {
    size_t block;
    eti_block_run run;
} eti_known_run;

typedef struct eti_builder {
    eti_arena *arena;
    eti_error *err;
    eti_blocks *out;
    size_t block_capacity;
    eti_index block_index;
    eti_known_run
        *runs; /* the runs of all blocks, in order; until the end, a block has only its first one */
    size_t n_runs, run_capacity;
    const eti_etdump *dump;
    eti_run_events events; /* events of the current run, if it is unlike all before */
    eti_known_run recent[RECENT_LAYOUTS]; /* the latest one first */
    size_t n_recent;
    size_t n_threads;
    bool *repeats; /* per run of a large dump: whether it repeats `compared`; NULL: unknown */
    eti_known_run compared;
} eti_builder;

/* ---- layouts --------------------------------------------------------------------------------- */

/* Stores the debug events of a group as one array in the arena that all events of the group share: with a copy for each
 * event, a small file would need much memory. */
static bool collect_debug_events(eti_builder *builder, const eti_event_group *group,
                                 eti_debug_events *out) {
    const eti_run_events *events = &builder->events;
    uint32_t last = group->last_debug, first = eti__run_events_first(events, last);
    if (last == ETI_NO_EVENT || out->events)
        return true;
    size_t n = 0;
    for (uint32_t i = first; i != ETI_NO_EVENT; i = eti__run_events_next(events, last, i))
        n++;
    uint32_t *numbers = eti__arena_alloc(builder->arena, n, sizeof *numbers);
    if (!numbers)
        return false;
    *out = (eti_debug_events){numbers, n};
    for (uint32_t i = first; i != ETI_NO_EVENT; i = eti__run_events_next(events, last, i))
        *numbers++ = i;
    return true;
}

/* Makes the debug events of each event of the current run; NULL if memory runs out. */
static const eti_debug_events *make_debug_events(eti_builder *builder) {
    const eti_run_events *events = &builder->events;
    eti_debug_events *of_events =
        eti__arena_alloc(builder->arena, events->n_sources, sizeof *of_events);
    eti_debug_events *of_groups = calloc(events->n_groups + 1, sizeof *of_groups);
    bool made = of_events && of_groups;
    for (size_t i = 0; made && i < events->n_sources; i++) {
        uint32_t group = events->sources[i].group;
        made = collect_debug_events(builder, &events->groups[group], &of_groups[group]);
        of_events[i] = of_groups[group];
    }
    free(of_groups);
    return made ? of_events : NULL;
}

static bool has_debug_events(const eti_run_events *events) {
    for (size_t i = 0; i < events->n_sources; i++) {
        if (events->groups[events->sources[i].group].last_debug != ETI_NO_EVENT)
            return true;
    }
    return false;
}

/* Makes the layout of the current run; NULL if memory runs out. */
static const eti_run_layout *make_layout(eti_builder *builder) {
    const eti_run_events *events = &builder->events;
    eti_run_layout *layout = eti__arena_alloc(builder->arena, 1, sizeof *layout);
    uint32_t *profile = eti__arena_alloc(builder->arena, events->n_sources, sizeof *profile);
    uint32_t *outputs = eti__arena_alloc(builder->arena, events->n_outputs, sizeof *outputs);
    if (!layout || !profile || !outputs)
        return NULL;
    for (size_t i = 0; i < events->n_sources; i++)
        profile[i] = events->sources[i].profile;
    if (events->n_outputs > 0)
        memcpy(outputs, events->outputs, events->n_outputs * sizeof *outputs);
    *layout = (eti_run_layout){
        .profile_events = profile,
        .outputs = outputs,
        .n_outputs = events->n_outputs,
        .n_allocations = events->n_allocations,
    };
    if (!has_debug_events(events))
        return layout;
    layout->debug_events = make_debug_events(builder);
    return layout->debug_events ? layout : NULL;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static bool is_same_event(const eti_builder *builder, uint32_t number, const eti_block_run *first,
                          uint32_t first_number) {
    if (number == ETI_NO_EVENT || first_number == ETI_NO_EVENT)
        return number == first_number;
    eti_event_identity a = eti__event_identity_read(
        builder->dump, eti__etdump_event_position(builder->dump, builder->events.events, number));
    eti_event_identity b =
        eti__event_identity_read(first->dump, eti__block_run_position(first, first_number));
    return eti__event_identities_equal(&a, &b);
}

static uint32_t first_debug_event(const eti_run_layout *layout, size_t event) {
    bool has_any = layout->debug_events && layout->debug_events[event].n > 0;
    return has_any ? layout->debug_events[event].events[0] : ETI_NO_EVENT;
}

/* Returns whether the current run recorded the events of the block. */
static bool belongs_to(const eti_builder *builder, const eti_etdump_run *run,
                       const eti_event_block *block) {
    const eti_run_events *events = &builder->events;
    if (block->n_events != events->n_sources ||
        block->bundled_input_index != run->bundled_input_index ||
        !eti__text_equal(block->name, run->name))
        return false;
    const eti_block_run *first = &block->runs[0];
    for (size_t i = 0; i < events->n_sources; i++) {
        const eti_event_source *source = &events->sources[i];
        uint32_t last_debug = events->groups[source->group].last_debug;
        if (!is_same_event(builder, source->profile, first, first->layout->profile_events[i]) ||
            !is_same_event(builder, eti__run_events_first(events, last_debug), first,
                           first_debug_event(first->layout, i)))
            return false;
    }
    return true;
}

static eti_status add_block(eti_builder *builder, const eti_etdump_run *run, uint64_t hash) {
    eti_blocks *out = builder->out;
    size_t n = builder->events.n_sources;
    if (!ETI_GROW(out->blocks, builder->block_capacity, out->n_blocks + 1) ||
        !eti__index_add(&builder->block_index, hash, (uint32_t)out->n_blocks))
        return eti_fail_memory(builder->err);
    eti_event *events = eti__arena_alloc(builder->arena, n, sizeof *events);
    if (!events || !make_events(events, &builder->events, builder->arena, builder->n_threads,
                                &out->has_broken_names))
        return eti_fail_memory(builder->err);
    if (eti__text_valid_utf8(run->name) != run->name.size)
        out->has_broken_names = true;
    out->blocks[out->n_blocks++] = (eti_event_block){
        .name = run->name,
        .bundled_input_index = run->bundled_input_index,
        .events = events,
        .n_events = n,
    };
    return ETI_OK;
}

typedef struct wanted_block {
    const eti_builder *builder;
    const eti_etdump_run *run;
} wanted_block;

static bool is_wanted_block(const void *wanted, uint32_t number) {
    const wanted_block *w = wanted;
    return belongs_to(w->builder, w->run, &w->builder->out->blocks[number]);
}

/* Finds the block of the current run, and makes it if it is new. */
static eti_status find_block(eti_builder *builder, const eti_etdump_run *run, size_t *out) {
    uint64_t hash = eti__text_hash(run->name, builder->events.hash);
    hash = eti__hash_mix(hash, (uint32_t)run->bundled_input_index);
    wanted_block wanted = {builder, run};
    uint32_t known = eti__index_find(&builder->block_index, hash, is_wanted_block, &wanted);
    *out = known != ETI_INDEX_END ? known : builder->out->n_blocks;
    return known != ETI_INDEX_END ? ETI_OK : add_block(builder, run, hash);
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* Returns whether the run recorded the same things in the same order as the one before. */
static bool is_repetition(const eti_builder *builder, const eti_etdump_run *run,
                          const eti_known_run *recent) {
    const eti_event_block *block = &builder->out->blocks[recent->block];
    if (run->events.count != recent->run.events.count ||
        run->bundled_input_index != block->bundled_input_index ||
        !eti__text_equal(run->name, block->name))
        return false;
    for (uint32_t i = 0; i < run->events.count; i++) {
        eti_position event = eti__etdump_event_position(builder->dump, run->events, i);
        if (!eti__etdump_events_alike(builder->dump, event, recent->run.dump,
                                      eti__block_run_position(&recent->run, i)))
            return false;
    }
    return true;
}

/* Finds a recent run that this one repeats, and makes it the latest. */
static bool find_repetition(eti_builder *builder, const eti_etdump_run *run) {
    for (size_t i = 0; i < builder->n_recent; i++) {
        eti_known_run found = builder->recent[i];
        if (!is_repetition(builder, run, &found))
            continue;
        memmove(&builder->recent[1], &builder->recent[0], i * sizeof found);
        builder->recent[0] = found;
        return true;
    }
    return false;
}

static void remember(eti_builder *builder, size_t block, const eti_block_run *run) {
    if (builder->n_recent < RECENT_LAYOUTS)
        builder->n_recent++;
    memmove(&builder->recent[1], &builder->recent[0],
            (builder->n_recent - 1) * sizeof builder->recent[0]);
    builder->recent[0] = (eti_known_run){block, *run};
}

static eti_status append_run(eti_builder *builder, size_t block_number, const eti_block_run *run) {
    eti_event_block *block = &builder->out->blocks[block_number];
    if (!ETI_GROW(builder->runs, builder->run_capacity, builder->n_runs + 1) ||
        (!block->runs && !(block->runs = eti__arena_alloc(builder->arena, 1, sizeof *run))))
        return eti_fail_memory(builder->err);
    if (block->n_runs++ == 0)
        block->runs[0] = *run;
    builder->runs[builder->n_runs++] = (eti_known_run){block_number, *run};
    builder->out->n_allocation_events += run->layout->n_allocations;
    if (block->n_events == 0)
        builder->out->n_runs_without_events++;
    return ETI_OK;
}

/* Adds a run that is unlike the recent ones, after analysing its events. */
static eti_status add_new_run(eti_builder *builder, const eti_etdump_run *run, uint32_t index) {
    size_t block;
    ETI_TRY(eti__run_events_read(&builder->events, builder->dump, run, builder->err));
    ETI_TRY(find_block(builder, run, &block));
    eti_block_run added = {builder->dump, index, run->events, make_layout(builder)};
    if (!added.layout)
        return eti_fail_memory(builder->err);
    remember(builder, block, &added);
    return append_run(builder, block, &added);
}

static eti_status add_run(eti_builder *builder, uint32_t index) {
    eti_etdump_run run = eti__etdump_read_run(builder->dump, index);
    builder->out->n_runs++;
    if (!run.name.data)
        return eti_fail(builder->err, ETI_ERROR_MALFORMED, "RunData.name is missing");
    if (!run.has_events) {
        builder->out->n_runs_without_events++;
        return ETI_OK;
    }
    const eti_known_run *latest = &builder->recent[0];
    if (builder->repeats && builder->repeats[index])
        latest = &builder->compared;
    else if (!find_repetition(builder, &run))
        return add_new_run(builder, &run, index);
    eti_block_run repeated = {builder->dump, index, run.events, latest->run.layout};
    return append_run(builder, latest->block, &repeated);
}

static void compare_part(void *context, size_t i) {
    eti_builder *builder = context;
    size_t first, end;
    eti__parallel_part(builder->dump->runs.count, builder->n_threads, i, &first, &end);
    for (size_t run = first; run < end; run++) {
        eti_etdump_run read = eti__etdump_read_run(builder->dump, (uint32_t)run);
        builder->repeats[run] =
            read.name.data && read.has_events && is_repetition(builder, &read, &builder->compared);
    }
}

/* Compares all runs of a large dump with the previous run at once, because most repeat it. If memory runs out, they are
 * compared one by one. */
static void compare_runs(eti_builder *builder) {
    const eti_etdump *dump = builder->dump;
    if (builder->n_threads < 2 || builder->n_recent == 0 || dump->runs.count < 8 ||
        dump->buffer.size < ETI_PARALLEL_BYTES)
        return;
    builder->repeats = calloc(dump->runs.count, sizeof *builder->repeats);
    builder->compared = builder->recent[0];
    if (builder->repeats)
        eti__parallel(builder->n_threads, compare_part, builder);
}

static eti_status add_dump(eti_builder *builder, const eti_etdump *dump) {
    builder->dump = dump;
    free(builder->repeats);
    builder->repeats = NULL;
    for (uint32_t i = 0; i < dump->runs.count; i++) {
        if (i == COMPARED_RUN)
            compare_runs(builder);
        eti_status status = add_run(builder, i);
        if (status != ETI_OK) {
            eti__error_prefix(builder->err, "%s: run %u", dump->file_name, i);
            return status;
        }
    }
    return ETI_OK;
}

/* ---- the result ------------------------------------------------------------------------------ */

/* Gives all blocks their runs. */
static bool settle_runs(eti_builder *builder) {
    eti_event_block *blocks = builder->out->blocks;
    eti_block_run *runs = eti__arena_alloc(builder->arena, builder->n_runs, sizeof *runs);
    for (size_t b = 0; runs && b < builder->out->n_blocks; b++) {
        blocks[b].runs = runs;
        runs += blocks[b].n_runs;
        blocks[b].n_runs = 0;
    }
    for (size_t i = 0; runs && i < builder->n_runs; i++) {
        eti_event_block *block = &blocks[builder->runs[i].block];
        block->runs[block->n_runs++] = builder->runs[i].run;
    }
    free(builder->runs);
    return runs != NULL;
}

/* Returns whether an event has a name that ExecuTorch's runtime gives to inference. */
static bool is_of_inference(const eti_event *event) {
    return eti__text_begins_with(event->name, "native_call_") ||
           eti__text_is(event->name, "OPERATOR_CALL") ||
           eti__text_is(event->name, "DELEGATE_CALL") ||
           eti__text_is(event->name, "Method::execute");
}

/* Returns whether each ETDump has at most one run of the block, without events of inference. */
static bool may_load(const eti_event_block *block) {
    for (size_t i = 1; i < block->n_runs; i++) {
        if (block->runs[i].dump == block->runs[i - 1].dump)
            return false;
    }
    for (size_t i = 0; i < block->n_events; i++) {
        if (is_of_inference(&block->events[i]))
            return false;
    }
    return true;
}

static bool is_executed(const eti_event_block *block) {
    for (size_t i = 0; i < block->n_events; i++) {
        if (eti__text_is(block->events[i].name, "Method::execute"))
            return true;
    }
    return false;
}

static bool has_times(const eti_event_block *block) {
    for (size_t i = 0; i < block->n_events; i++) {
        if (block->events[i].is_timed)
            return true;
    }
    return false;
}

/* Marks the blocks that load, by the name that ExecuTorch gives to such runs: engines other than ExecuTorch choose names of
 * their own for the events of loading. If no block of another name has times, "Default" may be the name of everything. */
static void mark_loading(eti_blocks *out) {
    bool any_other = false;
    for (size_t b = 0; b < out->n_blocks && !any_other; b++)
        any_other = !eti__text_is(out->blocks[b].name, "Default") && has_times(&out->blocks[b]);
    for (size_t b = 0; b < out->n_blocks && any_other; b++) {
        eti_event_block *block = &out->blocks[b];
        block->is_loading = eti__text_is(block->name, "Default") && may_load(block);
    }
}

/* Moves arrays that grew while runs were read into the arena, and frees them in any case. Returns true if memory
 * sufficed. */
static bool settle(eti_builder *builder) {
    eti_blocks *out = builder->out;
    bool settled = settle_runs(builder);
    eti_event_block *blocks = eti__arena_alloc(builder->arena, out->n_blocks, sizeof *blocks);
    if (blocks && out->n_blocks > 0)
        memcpy(blocks, out->blocks, out->n_blocks * sizeof *blocks);
    free(out->blocks);
    out->blocks = blocks;
    for (size_t b = 0; blocks && b < out->n_blocks; b++) {
        blocks[b].number = b;
        for (size_t i = 0; i < blocks[b].n_events; i++)
            blocks[b].events[i].block = &blocks[b];
    }
    if (settled && blocks)
        mark_loading(out);
    return settled && blocks;
}

eti_status eti__blocks_build(eti_blocks *out, eti_arena *arena, const eti_etdump *dumps,
                             size_t n_dumps, size_t n_threads, eti_error *err) {
    *out = (eti_blocks){0};
    eti_builder builder = {.arena = arena, .err = err, .out = out, .n_threads = n_threads};
    builder.events.seed = eti__hash_seed();
    builder.events.n_threads = n_threads;
    eti_status status = ETI_OK;
    for (size_t i = 0; i < n_dumps && status == ETI_OK; i++)
        status = add_dump(&builder, &dumps[i]);
    if (!settle(&builder) && status == ETI_OK)
        status = eti_fail_memory(err);
    eti__run_events_free(&builder.events);
    free(builder.repeats);
    eti__index_free(&builder.block_index);
    return status;
}

/* ---- warm-up --------------------------------------------------------------------------------- */

size_t eti__warm_up_end(const eti_event_block *block, size_t first) {
    size_t end = first;
    while (end < block->n_runs && block->runs[end].dump == block->runs[first].dump)
        end++;
    return end;
}

eti_status eti__blocks_skip_first(eti_blocks *blocks, size_t n_skipped, uint64_t *n_left_out,
                                  eti_error *err) {
    *n_left_out = 0;
    for (size_t i = 0; n_skipped > 0 && i < blocks->n_blocks; i++) {
        eti_event_block *block = &blocks->blocks[i];
        if (!is_executed(block))
            continue;
        eti_text name = block->is_labelled ? block->label : block->name;
        if (n_skipped >= block->n_runs)
            return eti_fail(
                err, ETI_ERROR_USAGE,
                "%sskip_first: this would drop all runs of the block %.*s, which has %zu run%s",
                eti__option_prefix(), ETI_TEXT_ARGS(name), block->n_runs,
                block->n_runs == 1 ? "" : "s");
        block->n_skipped = n_skipped;
        block->runs += n_skipped;
        block->n_runs -= n_skipped;
        *n_left_out += n_skipped;
    }
    return ETI_OK;
}

/* ==== names =================================================================================== */

static eti_status repair_block(eti_repairs *repairs, eti_event_block *block, eti_error *err) {
    ETI_TRY(eti__repairs_apply(repairs, &block->name, err));
    for (size_t i = 0; i < block->n_events; i++)
        ETI_TRY(eti__repairs_apply(repairs, &block->events[i].name, err));
    return ETI_OK;
}

eti_status eti__names_repair(eti_blocks *blocks, eti_arena *arena, uint64_t allowed,
                             size_t *n_repaired, eti_error *err) {
    *n_repaired = 0;
    if (!blocks->has_broken_names)
        return ETI_OK;
    eti_repairs repairs = {.arena = arena, .left = allowed};
    eti_status status = ETI_OK;
    for (size_t i = 0; i < blocks->n_blocks && status == ETI_OK; i++)
        status = repair_block(&repairs, &blocks->blocks[i], err);
    *n_repaired = repairs.texts.count;
    for (size_t i = 0; i < blocks->n_blocks && status == ETI_OK; i++)
        /* made of the names before */
        status = eti__repairs_apply(&repairs, &blocks->blocks[i].label, err);
    eti__repairs_free(&repairs);
    return status;
}

/* ==== block label ============================================================================= */

/* Longer names are not repeated in labels. */
#define LONGEST_NAME 256

/* The blocks with the same name. */
typedef struct same_name {
    size_t n, n_labelled;
    bool has_inputs; /* each block has another input index */
} same_name;

typedef struct labelling {
    eti_text_table names, inputs;
    uint32_t *name_of; /* per block: index into `names` */
    same_name *same;   /* per name */
    eti_buffer text;
} labelling;

static eti_text name_of(const eti_named_block *block) {
    return block->method.size > 0 ? block->method : block->name;
}

static void spell_input(eti_buffer *out, const eti_named_block *block) {
    out->size = 0;
    eti__buffer_add_text(out, name_of(block));
    eti__buffer_printf(out, " [input %d]", (int)block->bundled_input_index);
}

static bool count_block(labelling *l, const eti_named_block *block, size_t number,
                        eti_arena *arena) {
    uint32_t input = 0;
    if (!eti__text_table_add(&l->names, name_of(block), NULL, &l->name_of[number]))
        return false;
    same_name *same = &l->same[l->name_of[number]];
    if (same->n++ == 0)
        same->has_inputs = true;
    if (name_of(block).size > LONGEST_NAME)
        return true;
    size_t n_inputs = l->inputs.count;
    spell_input(&l->text, block);
    bool done = !l->text.failed &&
                eti__text_table_add(&l->inputs, eti__buffer_text(&l->text), arena, &input);
    if (input < n_inputs || block->bundled_input_index == -1)
        same->has_inputs = false;
    return done;
}

static bool label_block(labelling *l, eti_named_block *block, size_t number, eti_arena *arena) {
    same_name *same = &l->same[l->name_of[number]];
    size_t place = same->n_labelled++;
    block->label = name_of(block);
    if (same->n < 2 || name_of(block).size > LONGEST_NAME)
        return true;
    spell_input(&l->text, block);
    if (!same->has_inputs) {
        l->text.size = 0;
        eti__buffer_add_text(&l->text, name_of(block));
        eti__buffer_printf(&l->text, " [%zu]", place);
    }
    return !l->text.failed &&
           eti__arena_copy_text(arena, eti__buffer_text(&l->text), &block->label);
}

bool eti__named_blocks_label(eti_named_block *blocks, size_t n, eti_arena *arena) {
    labelling l = {.name_of = calloc(n + 1, sizeof *l.name_of),
                   .same = calloc(n + 1, sizeof *l.same)};
    bool done = l.name_of && l.same;
    for (size_t i = 0; i < n && done; i++)
        done = count_block(&l, &blocks[i], i, arena);
    for (size_t i = 0; i < n && done; i++)
        done = label_block(&l, &blocks[i], i, arena);
    eti__text_table_free(&l.names);
    eti__text_table_free(&l.inputs);
    eti__buffer_free(&l.text);
    free(l.name_of);
    free(l.same);
    return done;
}

bool eti__blocks_label(eti_blocks *blocks, bool by_method, eti_arena *arena) {
    size_t n = blocks->n_blocks;
    eti_named_block *named = calloc(n + 1, sizeof *named);
    for (size_t i = 0; named && i < n; i++)
        named[i] = (eti_named_block){.name = blocks->blocks[i].name,
                                     .method = by_method ? blocks->blocks[i].method_name
                                                         : (eti_text){NULL, 0},
                                     .bundled_input_index = blocks->blocks[i].bundled_input_index};
    bool done = named && eti__named_blocks_label(named, n, arena);
    for (size_t i = 0; i < n && done; i++)
        blocks->blocks[i].label = named[i].label;
    free(named);
    return done;
}
