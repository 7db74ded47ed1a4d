#include "model/block.h"

#include "base/array.h"
#include "base/index.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The events of one run that share a key. */
typedef struct eti_group {
    eti_etdump_key key;
    uint32_t first_profile, last_profile; /* 1-based into `links`; 0: none */
    uint32_t first_debug, last_debug;
    uint32_t n_debug;
    const eti_position *debug_events; /* in the arena; NULL: none, or not yet collected */
} eti_group;

/* An event in the list of its group, in order of appearance. */
typedef struct eti_link {
    eti_position event;
    uint32_t next; /* 1-based; 0: the last */
} eti_link;

/* What makes an event of one run the same as an event of another: its instruction, its profile
 * event's name and ids and its first debug event's. Kept as places in the file, compared by what is
 * there. */
typedef struct eti_signature {
    const eti_etdump *dump;
    eti_position profile; /* 0: none */
    eti_position debug;   /* 0: none */
    uint64_t hash;
} eti_signature;

/* An event of the run at hand: what it is known by and the group that holds its content. */
typedef struct eti_run_event {
    eti_signature signature;
    uint32_t group;
} eti_run_event;

/* What the blocks found so far are known by, and scratch arrays that are used again for each run.
 */
typedef struct eti_builder {
    eti_arena *arena;
    eti_error *err;
    eti_blocks *out;
    uint64_t seed;
    size_t block_capacity;
    const eti_signature **block_signatures; /* per block, n_events each */
    size_t block_signatures_capacity;
    eti_index block_index;

    const eti_etdump *dump;

    eti_group *groups;
    size_t n_groups, group_capacity;
    eti_link *links;
    size_t n_links, link_capacity;
    eti_index group_index;
    eti_position *outputs;
    size_t n_outputs, output_capacity;

    eti_run_event *signatures;
    size_t n_signatures, signature_capacity;
    eti_index signature_index;
} eti_builder;

static void free_builder(eti_builder *builder) {
    free(builder->block_signatures);
    free(builder->groups);
    free(builder->links);
    free(builder->outputs);
    free(builder->signatures);
    eti_index_free(&builder->block_index);
    eti_index_free(&builder->group_index);
    eti_index_free(&builder->signature_index);
}

/* ---- events of a run into groups ------------------------------------------------------------- */

static uint64_t hash_key(const eti_etdump_key *key, uint64_t seed) {
    uint64_t ids = (uint64_t)(uint32_t)key->instruction_id << 32 | (uint32_t)key->delegate_id_int;
    uint64_t hash = eti_hash_mix(eti_hash_mix(seed, ids), key->chain_index);
    return eti_text_hash(key->delegate_id_str, hash);
}

static bool keys_equal(const eti_etdump_key *a, const eti_etdump_key *b) {
    return a->instruction_id == b->instruction_id && a->delegate_id_int == b->delegate_id_int &&
           a->chain_index == b->chain_index && a->chain_is_negative == b->chain_is_negative &&
           eti_text_equal(a->delegate_id_str, b->delegate_id_str);
}

/* The group of `key`, made when it is new; NULL when memory is out. */
static eti_group *find_group(eti_builder *builder, const eti_etdump_key *key) {
    uint64_t hash = hash_key(key, builder->seed);
    eti_index_cursor cursor = eti_index_start(&builder->group_index, hash);
    for (uint32_t i; (i = eti_index_next(&builder->group_index, &cursor)) != ETI_INDEX_END;) {
        if (keys_equal(&builder->groups[i].key, key))
            return &builder->groups[i];
    }
    if (!ETI_GROW(builder->groups, builder->group_capacity, builder->n_groups + 1) ||
        !eti_index_add(&builder->group_index, hash, (uint32_t)builder->n_groups))
        return NULL;
    eti_group *group = &builder->groups[builder->n_groups++];
    *group = (eti_group){.key = *key};
    return group;
}

static bool add_link(eti_builder *builder, eti_position event, uint32_t *first, uint32_t *last) {
    if (!ETI_GROW(builder->links, builder->link_capacity, builder->n_links + 1))
        return false;
    builder->links[builder->n_links++] = (eti_link){event, 0};
    uint32_t number = (uint32_t)builder->n_links;
    if (*last)
        builder->links[*last - 1].next = number;
    else
        *first = number;
    *last = number;
    return true;
}

static bool add_output(eti_builder *builder, eti_position event) {
    if (!ETI_GROW(builder->outputs, builder->output_capacity, builder->n_outputs + 1))
        return false;
    builder->outputs[builder->n_outputs++] = event;
    return true;
}

static eti_status group_event(eti_builder *builder, eti_position position, uint32_t number) {
    eti_etdump_event event = eti_etdump_read_event(builder->dump, position);
    if (event.has_debug_event && !event.debug_value)
        return eti_fail(builder->err, ETI_ERROR_MALFORMED,
                        "event %u: DebugEvent.debug_entry is missing (was the ETDump cut short?)",
                        number);
    if (event.has_debug_event && event.is_run_output && !add_output(builder, position))
        return eti_fail_memory(builder->err);
    if (event.kind == ETI_ETDUMP_ALLOCATION) {
        builder->out->n_allocation_events++;
        return ETI_OK;
    }
    if (event.kind == ETI_ETDUMP_NOTHING)
        return eti_fail(builder->err, ETI_ERROR_MALFORMED,
                        "event %u: expected a profile, debug or allocation event, found none",
                        number);

    eti_group *group = find_group(builder, &event.key);
    bool added = group != NULL;
    if (added && event.kind == ETI_ETDUMP_PROFILE) {
        added = add_link(builder, position, &group->first_profile, &group->last_profile);
    } else if (added && !event.is_run_output) {
        added = add_link(builder, position, &group->first_debug, &group->last_debug);
        group->n_debug++;
    }
    return added ? ETI_OK : eti_fail_memory(builder->err);
}

static eti_status group_run(eti_builder *builder, const eti_etdump_run *run) {
    builder->n_groups = builder->n_links = builder->n_outputs = 0;
    if (!eti_index_reset(&builder->group_index, run->events.count))
        return eti_fail_memory(builder->err);
    for (uint32_t i = 0; i < run->events.count; i++)
        ETI_TRY(group_event(builder, eti_etdump_event_position(builder->dump, run, i), i));
    return ETI_OK;
}

/* ---- groups into signatures ------------------------------------------------------------------ */

/* The part of a signature that comes from one event; "" and -1 mean nothing there. */
typedef struct eti_event_identity {
    int32_t instruction_id, delegate_id_int;
    eti_text name, delegate_id_str;
} eti_event_identity;

static eti_event_identity read_identity(const eti_etdump *dump, eti_position position) {
    eti_etdump_event event = eti_etdump_read_event(dump, position);
    eti_text empty = {"", 0};
    return (eti_event_identity){
        .instruction_id = event.key.instruction_id,
        .delegate_id_int = event.key.delegate_id_int,
        .name = event.name.size ? event.name : empty,
        .delegate_id_str = event.key.delegate_id_str.size ? event.key.delegate_id_str : empty,
    };
}

static uint64_t hash_identity(const eti_etdump *dump, eti_position position, uint64_t hash) {
    if (!position)
        return eti_hash_mix(hash, 1);
    eti_event_identity identity = read_identity(dump, position);
    uint64_t ids =
        (uint64_t)(uint32_t)identity.instruction_id << 32 | (uint32_t)identity.delegate_id_int;
    hash = eti_text_hash(identity.name, eti_hash_mix(hash, ids));
    return eti_text_hash(identity.delegate_id_str, hash);
}

static bool identities_equal(const eti_signature *a, eti_position at_a, const eti_signature *b,
                             eti_position at_b) {
    if (!at_a || !at_b)
        return !at_a && !at_b;
    eti_event_identity x = read_identity(a->dump, at_a);
    eti_event_identity y = read_identity(b->dump, at_b);
    return x.instruction_id == y.instruction_id && x.delegate_id_int == y.delegate_id_int &&
           eti_text_equal(x.name, y.name) && eti_text_equal(x.delegate_id_str, y.delegate_id_str);
}

static bool signatures_equal(const eti_signature *a, const eti_signature *b) {
    return a->hash == b->hash && identities_equal(a, a->profile, b, b->profile) &&
           identities_equal(a, a->debug, b, b->debug);
}

/* Equal signatures inside one run keep the place of the first and the content of the last. */
static eti_status add_signature(eti_builder *builder, eti_position profile, uint32_t group_number) {
    const eti_group *group = &builder->groups[group_number];
    eti_signature signature = {
        .dump = builder->dump,
        .profile = profile,
        .debug = group->first_debug ? builder->links[group->first_debug - 1].event : 0,
    };
    signature.hash = hash_identity(signature.dump, signature.profile, builder->seed);
    signature.hash = hash_identity(signature.dump, signature.debug, signature.hash);

    eti_index_cursor cursor = eti_index_start(&builder->signature_index, signature.hash);
    for (uint32_t i; (i = eti_index_next(&builder->signature_index, &cursor)) != ETI_INDEX_END;) {
        if (signatures_equal(&builder->signatures[i].signature, &signature)) {
            builder->signatures[i] = (eti_run_event){signature, group_number};
            return ETI_OK;
        }
    }
    if (!ETI_GROW(builder->signatures, builder->signature_capacity, builder->n_signatures + 1) ||
        !eti_index_add(&builder->signature_index, signature.hash, (uint32_t)builder->n_signatures))
        return eti_fail_memory(builder->err);
    builder->signatures[builder->n_signatures++] = (eti_run_event){signature, group_number};
    return ETI_OK;
}

static eti_status add_signatures(eti_builder *builder) {
    builder->n_signatures = 0;
    if (!eti_index_reset(&builder->signature_index, builder->n_links))
        return eti_fail_memory(builder->err);
    for (uint32_t g = 0; g < builder->n_groups; g++) {
        const eti_group *group = &builder->groups[g];
        for (uint32_t i = group->first_profile; i; i = builder->links[i - 1].next)
            ETI_TRY(add_signature(builder, builder->links[i - 1].event, g));
        if (!group->first_profile && group->first_debug)
            ETI_TRY(add_signature(builder, 0, g));
    }
    return ETI_OK;
}

/* ---- runs into blocks ------------------------------------------------------------------------ */

static uint64_t hash_run(const eti_builder *builder, const eti_etdump_run *run) {
    uint64_t hash = eti_text_hash(run->name, builder->seed);
    hash = eti_hash_mix(hash, (uint32_t)run->bundled_input_index);
    for (size_t i = 0; i < builder->n_signatures; i++)
        hash = eti_hash_mix(hash, builder->signatures[i].signature.hash);
    return hash;
}

static bool belongs_to(const eti_builder *builder, const eti_etdump_run *run, uint32_t number) {
    const eti_event_block *block = &builder->out->blocks[number];
    if (block->n_events != builder->n_signatures ||
        block->bundled_input_index != run->bundled_input_index ||
        !eti_text_equal(block->name, run->name))
        return false;
    for (size_t i = 0; i < builder->n_signatures; i++) {
        if (!signatures_equal(&builder->block_signatures[number][i],
                              &builder->signatures[i].signature))
            return false;
    }
    return true;
}

/* The identity's ids go into the event; a name only if there is one, for older runtimes do not name
 * their debug events. */
static bool apply_identity(eti_builder *builder, eti_event *event, eti_position position) {
    eti_event_identity identity = read_identity(builder->dump, position);
    eti_text name = identity.name;
    event->delegate_id = (eti_delegate_id){.kind = ETI_DELEGATE_ID_NONE};
    if (identity.delegate_id_int != -1) {
        char digits[16];
        int length = snprintf(digits, sizeof digits, "%d", identity.delegate_id_int);
        event->delegate_id.kind = ETI_DELEGATE_ID_INT;
        event->delegate_id.int_id = identity.delegate_id_int;
        if (!eti_arena_copy_text(builder->arena, (eti_text){digits, (size_t)length}, &name))
            return false;
    } else if (identity.delegate_id_str.size > 0) {
        event->delegate_id.kind = ETI_DELEGATE_ID_STRING;
        event->delegate_id.string_id = identity.delegate_id_str;
        name = identity.delegate_id_str;
    }
    event->is_delegated_op = event->delegate_id.kind != ETI_DELEGATE_ID_NONE;
    if (name.size > 0)
        event->name = name;
    return true;
}

static bool make_event(eti_builder *builder, eti_event *event, const eti_run_event *from) {
    *event = (eti_event){
        .name = {"", 0},
        .num_outputs = 1,
        .instruction_id = builder->groups[from->group].key.instruction_id,
    };
    if (from->signature.profile && !apply_identity(builder, event, from->signature.profile))
        return false;
    event->is_timed_as_delegated = event->is_delegated_op;
    return !from->signature.debug || apply_identity(builder, event, from->signature.debug);
}

static eti_status add_block(eti_builder *builder, const eti_etdump_run *run, uint64_t hash) {
    eti_blocks *out = builder->out;
    size_t n = builder->n_signatures;
    if (!ETI_GROW(out->blocks, builder->block_capacity, out->n_blocks + 1) ||
        !ETI_GROW(builder->block_signatures, builder->block_signatures_capacity,
                  out->n_blocks + 1) ||
        !eti_index_add(&builder->block_index, hash, (uint32_t)out->n_blocks))
        return eti_fail_memory(builder->err);

    eti_event_block *block = &out->blocks[out->n_blocks];
    eti_event *events = eti_arena_alloc(builder->arena, n, sizeof *events);
    eti_signature *signatures = eti_arena_alloc(builder->arena, n, sizeof *signatures);
    if (!events || !signatures)
        return eti_fail_memory(builder->err);
    for (size_t i = 0; i < n; i++) {
        signatures[i] = builder->signatures[i].signature;
        if (!make_event(builder, &events[i], &builder->signatures[i]))
            return eti_fail_memory(builder->err);
    }
    *block = (eti_event_block){
        .name = run->name,
        .bundled_input_index = run->bundled_input_index,
        .events = events,
        .n_events = n,
    };
    builder->block_signatures[out->n_blocks++] = signatures;
    return ETI_OK;
}

/* The block of the run at hand, made when it is new; NULL with `err` filled when memory is out. */
static eti_event_block *find_block(eti_builder *builder, const eti_etdump_run *run) {
    uint64_t hash = hash_run(builder, run);
    eti_index_cursor cursor = eti_index_start(&builder->block_index, hash);
    for (uint32_t i; (i = eti_index_next(&builder->block_index, &cursor)) != ETI_INDEX_END;) {
        if (belongs_to(builder, run, i))
            return &builder->out->blocks[i];
    }
    if (add_block(builder, run, hash) != ETI_OK)
        return NULL;
    return &builder->out->blocks[builder->out->n_blocks - 1];
}

/* The debug events of a group become an array in the arena once: all events of the group share it,
 * for a copy each would make a small file large. */
static bool collect_debug_events(eti_builder *builder, eti_group *group) {
    if (group->n_debug == 0 || group->debug_events)
        return true;
    eti_position *events = eti_arena_alloc(builder->arena, group->n_debug, sizeof *events);
    if (!events)
        return false;
    size_t n = 0;
    for (uint32_t i = group->first_debug; i; i = builder->links[i - 1].next)
        events[n++] = builder->links[i - 1].event;
    group->debug_events = events;
    return true;
}

/* Per event of the run at hand; NULL when memory is out. */
static eti_debug_events *make_debug_events(eti_builder *builder) {
    size_t n = builder->n_signatures;
    eti_debug_events *debug = eti_arena_alloc(builder->arena, n, sizeof *debug);
    for (size_t i = 0; debug && i < n; i++) {
        eti_group *group = &builder->groups[builder->signatures[i].group];
        if (!collect_debug_events(builder, group))
            return NULL;
        debug[i] = (eti_debug_events){group->debug_events, group->n_debug};
    }
    return debug;
}

static bool run_has_debug_events(const eti_builder *builder) {
    for (size_t i = 0; i < builder->n_signatures; i++) {
        if (builder->signatures[i].signature.debug)
            return true;
    }
    return false;
}

static bool fill_block_run(eti_builder *builder, eti_block_run *out, uint32_t run_index) {
    size_t n = builder->n_signatures;
    eti_position *profile = eti_arena_alloc(builder->arena, n, sizeof *profile);
    eti_position *outputs = eti_arena_alloc(builder->arena, builder->n_outputs, sizeof *outputs);
    if (!profile || !outputs)
        return false;
    for (size_t i = 0; i < n; i++)
        profile[i] = builder->signatures[i].signature.profile;
    if (builder->n_outputs > 0)
        memcpy(outputs, builder->outputs, builder->n_outputs * sizeof *outputs);

    eti_debug_events *debug = NULL;
    if (run_has_debug_events(builder)) {
        debug = make_debug_events(builder);
        if (!debug)
            return false;
    }
    *out = (eti_block_run){builder->dump, run_index, profile, debug, outputs, builder->n_outputs};
    return true;
}

static eti_status add_run(eti_builder *builder, uint32_t run_index) {
    eti_etdump_run run = eti_etdump_read_run(builder->dump, run_index);
    builder->out->n_runs++;
    if (!run.name.data)
        return eti_fail(builder->err, ETI_ERROR_MALFORMED, "RunData.name is missing");
    if (!run.has_events) {
        builder->out->n_runs_without_events++;
        return ETI_OK;
    }
    ETI_TRY(group_run(builder, &run));
    ETI_TRY(add_signatures(builder));
    if (builder->n_signatures == 0)
        builder->out->n_runs_without_events++;

    eti_event_block *block = find_block(builder, &run);
    if (!block || !ETI_GROW(block->runs, block->run_capacity, block->n_runs + 1) ||
        !fill_block_run(builder, &block->runs[block->n_runs], run_index))
        return eti_fail_memory(builder->err);
    block->n_runs++;
    return ETI_OK;
}

static eti_status add_dump(eti_builder *builder, const eti_etdump *dump) {
    builder->dump = dump;
    for (uint32_t i = 0; i < dump->runs.count; i++) {
        eti_status status = add_run(builder, i);
        if (status != ETI_OK) {
            eti_error_prefix(builder->err, "%s: run %u", dump->file_name, i);
            return status;
        }
    }
    return ETI_OK;
}

/* What grew while runs were read moves into the arena; true when memory sufficed. Frees in any
 * case. */
static bool settle(eti_builder *builder) {
    eti_blocks *out = builder->out;
    bool settled = true;
    for (size_t i = 0; i < out->n_blocks; i++) {
        eti_event_block *block = &out->blocks[i];
        eti_block_run *runs = eti_arena_alloc(builder->arena, block->n_runs, sizeof *runs);
        if (runs && block->n_runs > 0)
            memcpy(runs, block->runs, block->n_runs * sizeof *runs);
        settled = settled && runs;
        free(block->runs);
        block->runs = runs;
    }
    eti_event_block *blocks = eti_arena_alloc(builder->arena, out->n_blocks, sizeof *blocks);
    if (blocks && out->n_blocks > 0)
        memcpy(blocks, out->blocks, out->n_blocks * sizeof *blocks);
    free(out->blocks);
    out->blocks = blocks;
    return settled && blocks;
}

eti_status eti_blocks_build(eti_blocks *out, eti_arena *arena, const eti_etdump *dumps,
                            size_t n_dumps, eti_error *err) {
    *out = (eti_blocks){0};
    eti_builder builder = {.arena = arena, .err = err, .out = out, .seed = eti_hash_seed()};
    eti_status status = ETI_OK;
    for (size_t i = 0; i < n_dumps && status == ETI_OK; i++)
        status = add_dump(&builder, &dumps[i]);
    if (!settle(&builder) && status == ETI_OK)
        status = eti_fail_memory(err);
    free_builder(&builder);
    return status;
}
