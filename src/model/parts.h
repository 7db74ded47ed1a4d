/*
 * parts.h - pieces that the sources of the room share.
 */
#ifndef ETI_MODEL_PARTS_H
#define ETI_MODEL_PARTS_H

#include "base/arena.h"
#include "base/array.h"
#include "base/files.h"
#include "etinspect.h"
#include "etrecord/etrecord.h"
#include "model/model.h"
#include "pte/pte.h"
#include "read/read.h"
#include "tensors/tensors.h"

#include <pthread.h>

/* ==== run events ============================================================================= */
/* Turns the events of one run into sources of Events. */

/* The events of one run that share a key; empty if all of them are outputs of the run. */
typedef struct eti_event_group {
    uint32_t example;      /* an event that has the key */
    uint32_t last_profile; /* last profile event of the group, or ETI_NO_EVENT */
    uint32_t last_debug;   /* last of its debug events */
} eti_event_group;

/* The events of one run that form an Event. */
typedef struct eti_event_source {
    uint32_t profile; /* ETI_NO_EVENT: the group has only debug events */
    uint32_t group;
} eti_event_source;

/* Fields that determine which group an event belongs to. */
typedef struct eti_event_digest {
    uint64_t key_hash; /* set if the key differs from that of the previous event */
    uint64_t identity_hash;
    uint32_t instruction;
    uint8_t kind; /* an eti_etdump_event_kind */
    bool is_run_output;
    bool lacks_value;     /* has a debug event without a value */
    bool repeats_key;     /* has the key of the previous event */
    bool differs_in_more; /* see keys_differ_in_more */
} eti_event_digest;

typedef struct eti_run_events {
    const eti_etdump *dump;
    eti_vector events;
    uint64_t seed;
    size_t n_threads;

    eti_event_digest *digests; /* per event */
    size_t n_parts;            /* number of threads that make them */
    size_t digest_capacity;

    eti_event_group *groups; /* in order of first appearance */
    size_t n_groups, group_capacity;
    uint32_t
        *next; /* per event: the next one of its kind in its group; for the last one, the first */
    size_t next_capacity;
    uint32_t *outputs; /* debug events that are outputs of the run */
    size_t n_outputs, output_capacity;
    uint32_t n_allocations;
    uint32_t latest_group; /* group of the previous event, which mostly belongs to the same call */
    /* Unlike identities, keys contain the chain, and distinguish absent delegate ids from empty ones. Where keys differ
     * only in these, events of different groups can have the same identity. */
    bool keys_differ_in_more;

    eti_event_source *sources; /* in the order of Events */
    size_t n_sources, source_capacity;
    uint64_t hash; /* hash of the identities of all sources, in order */

    eti_near_index index; /* finds groups, and later sources, by instruction */
} eti_run_events;

/* Reads the events of `run`. ETI_ERROR_MALFORMED names an event that lacks a part that the Inspector requires;
 * ETI_ERROR_MEMORY. */
eti_status eti__run_events_read(eti_run_events *out, const eti_etdump *dump,
                                const eti_etdump_run *run, eti_error *err) ETI_WARN_UNUSED;

void eti__run_events_free(eti_run_events *events);

/* Return the first and the next event of the list that ends with `last`, or ETI_NO_EVENT. */
static inline uint32_t eti__run_events_first(const eti_run_events *events, uint32_t last) {
    return last == ETI_NO_EVENT ? ETI_NO_EVENT : events->next[last];
}

static inline uint32_t eti__run_events_next(const eti_run_events *events, uint32_t last,
                                            uint32_t number) {
    return number == last ? ETI_NO_EVENT : events->next[number];
}

eti_event_identity eti__event_identity_of(const eti_etdump *dump, const eti_etdump_event *event);

/* ==== block ================================================================================== */
/* Turns the runs of one or more ETDumps into EventBlocks. */

/* Builds the blocks of all runs of all dumps, in order; everything lives in `arena`. Events get only their names and ids.
 * ETI_ERROR_MALFORMED names the run and event that lacks a part that the Inspector requires. */
eti_status eti__blocks_build(eti_blocks *out, eti_arena *arena, const eti_etdump *dumps,
                             size_t n_dumps, size_t n_threads, eti_error *err) ETI_WARN_UNUSED;

/* Drops the first `n_skipped` runs of each block that has a Method::execute, and stores the number of dropped runs in
 * `n_left_out`. Must be called before samples and values of the blocks are filled. ETI_ERROR_USAGE: a block has no runs left. */
eti_status eti__blocks_skip_first(eti_blocks *blocks, size_t n_skipped, uint64_t *n_left_out,
                                  eti_error *err) ETI_WARN_UNUSED;

/* ==== block label ============================================================================= */

/* Does the same for the blocks of an inspector; `by_method`: the inspector has several methods. */
bool eti__blocks_label(eti_blocks *blocks, bool by_method, eti_arena *arena) ETI_WARN_UNUSED;

/* ==== names =================================================================================== */
/* Makes the names of an ETDump valid UTF-8, so that code that prints them may rely on it.
 *
 * A device that writes half a name, or uses another encoding, should not make the times
 * unreadable. (The Inspector rejects such a file.) Names are compared as stored in the file,
 * before they are repaired. */

/* Repairs the names of blocks and events (read/read.h); `n_repaired` is
 * the number of names changed. ETI_ERROR_LIMIT if strings overlap in the file so much that more than `allowed` bytes of
 * repaired names would be stored; ETI_ERROR_MEMORY. */
eti_status eti__names_repair(eti_blocks *blocks, eti_arena *arena, uint64_t allowed,
                             size_t *n_repaired, eti_error *err) ETI_WARN_UNUSED;

/* ==== event ================================================================================== */
/* Turns the stamps of a block's profile events into samples and their statistics. */

/* Fills the samples and start times of all timed events of the block. Needs the events' backends, because
 * delegates may have their own time scales. ETI_ERROR_DATA: stamps run backwards and are too large for a 32-bit clock;
 * ETI_ERROR_MEMORY. */
eti_status eti__samples_fill(eti_event_block *block, eti_arena *arena, const eti_options *options,
                             eti_error *err) ETI_WARN_UNUSED;

/* Returns the entry of options->delegate_time_scales that applies to `backend` (absent if unknown), or NULL. */
const eti_delegate_time_scale *eti__delegate_time_scale_for(const eti_options *options,
                                                            eti_text backend);

/* ==== associate ============================================================================== */
/* Gives events the debug handles, backends, operators, stack traces and modules that an
 * ETRecord has for their instructions. */

/* Chooses blocks by their number. */
typedef bool (*eti_block_choice)(const void *context, size_t block);

/* Sets `known` of all events, and the association, of the chosen blocks (NULL: all) from the maps and `graph` of one
 * method; `as_inspector` takes the Inspector's names of operators. ETI_ERROR_LIMIT if handles and nodes multiply to more than
 * 4194304 operators, or more than 65536 plus one for each byte of the record; ETI_ERROR_MEMORY. */
eti_status eti__associate(eti_blocks *blocks, eti_arena *arena, const eti_etrecord *record,
                          size_t method, const eti_graph *graph, bool as_inspector,
                          eti_block_choice is_chosen, const void *context,
                          eti_error *err) ETI_WARN_UNUSED;

/* Returns whether the event's name is one that the runtime's framework uses for itself. */
bool eti__is_framework_event(eti_text name);

/* ==== delegate keys =========================================================================== */
/* Finds the debug handles of a delegated operator by its identifier, as the Inspector does: by the
 * keys in the call's delegate_map that are substrings of the identifier. */

typedef struct eti_key_node eti_key_node;

/* The keys of one call, prepared so that one pass through a text finds all of them, whatever their number and length. */
typedef struct eti_delegate_keys {
    const eti_delegate_call *call;
    uint64_t seed;
    eti_key_node *nodes; /* the first is the node of the empty text */
    size_t n_nodes, capacity;
    eti_index index; /* nodes that are not their parent's first child */
} eti_delegate_keys;

/* Allocates memory, which eti__delegate_keys_free() frees. False: out of memory. `call` must outlive the keys. */
bool eti__delegate_keys_init(eti_delegate_keys *keys, const eti_delegate_call *call);
void eti__delegate_keys_free(eti_delegate_keys *keys);

/* Returns the handles of the entry whose key is the string identifier itself, if there is one and it is not null.
 * Otherwise, the last key in file order that is part of the text counts, even if an equal key precedes it. */
eti_debug_handles eti__delegate_keys_find(const eti_delegate_keys *keys, eti_text identifier,
                                          bool is_string);

/* ==== record ================================================================================== */

/* Returns the reference outputs as eti__etrecord_read_saved() reads them. */
eti_status eti__record_reference_outputs(eti_record *record, const eti_saved_value **out,
                                         eti_error *err) ETI_WARN_UNUSED;

/* ==== delegate events ======================================================================== */
/* Reads what delegates logged inside their calls. */

/* Sets `logged` of the events of a block that a delegate logged, and of the events without a delegate's identifier that
 * share the instruction of a delegate call. Needs `known`, metadata and repaired names. ETI_ERROR_MEMORY. */
eti_status eti__delegate_events_read(eti_event_block *block, eti_arena *arena,
                                     eti_error *err) ETI_WARN_UNUSED;

/* ==== methods ================================================================================ */
/* Finds the method that ran in each EventBlock. */

/* Lists the methods of program and record, finds the method of every block, and sets the attributes of its events
 * accordingly, those of the Inspector too if inspector->shows_found_methods. Must be called after the events have their
 * records. ETI_ERROR_USAGE: no method has the name given in the
 * options; ETI_ERROR_MEMORY, ETI_ERROR_LIMIT, or any status of reading a graph. */
eti_status eti__methods_find(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* ==== instructions ============================================================================ */

/* Returns whether the event logs the call that the plan's instruction makes; events with uninformative names fit any. */
bool eti__event_fits(const eti_event *event, const eti_pte_plan *plan,
                     const eti_pte_instruction *instruction);

/* ==== method fit ============================================================================== */
/* Compares a method of the inputs with the events of a block. */

/* Measures how well a method fits the events of a block. */
typedef struct eti_method_fit {
    uint64_t n_compared,
        n_unlike;        /* number of events, and of those without a matching instruction */
    uint64_t n_contrary; /* of these, kernels where the ETRecord has a delegate call */
    uint64_t n_missing;  /* instructions without an event */
} eti_method_fit;

/* Compares the events with the instructions of the program. False: out of memory. */
bool eti__fit_plan(const eti_event_block *block, const eti_pte_plan *plan, eti_method_fit *out);

/* Compares the events with the instructions of a method in the ETRecord. False: out of memory. */
bool eti__fit_record(const eti_inspector *inspector, const eti_event_block *block, size_t method,
                     eti_method_fit *out);

/* Compares the instructions that the ETRecord has for a method with those of the program; if the method has no jumps,
 * also vice versa. */
void eti__fit_files(const eti_inspector *inspector, const eti_method *method, eti_method_fit *out);

/* Number of bytes of operator names to compare: enough for any real record, and for a clear result. */
#define ETI_NAMES_COMPARED ((size_t)8 << 20)

/* Returns the number of the block's kernels whose names contradict their known operators, and adds the number of compared
 * kernels to `*n_compared`. `*left`, initially ETI_NAMES_COMPARED, limits the work. */
uint64_t eti__count_unlike_kernels(const eti_event_block *block, size_t *left,
                                   uint64_t *n_compared);

/* ==== run labels ============================================================================= */
/* The methods of runs, as labelled by the user. */

/* A block after the split. */
typedef struct eti_labelled_block {
    size_t from;   /* number of the block before the split */
    size_t method; /* the label: index in inspector->methods; ETI_NO_METHOD: no label */
} eti_labelled_block;

/* Splits each block for which several methods fit by the labels of its runs: each part has the runs with one label, in
 * their order. The k-th label is that of the k-th run, in the order of recording, of the runs that an ETDump has in these
 * blocks. `fits` has the methods that fit each block, as sets of bits for inspector->methods. The caller frees `*out`, with
 * one item per block after the split. Adds a note on labels without a run. ETI_ERROR_USAGE: a label is no method, or does
 * not fit the block of its run, or there are fewer labels than runs; ETI_ERROR_MEMORY. */
eti_status eti__run_labels_split(eti_inspector *inspector, const uint64_t *fits,
                                 eti_labelled_block **out, eti_error *err) ETI_WARN_UNUSED;

/* ==== debug data ============================================================================= */
/* Turns the values recorded by debug events into eti_values, and checks that all runs of a
 * block recorded the same ones. */

/* Fills debug_data of the block's events, and its run_outputs, in time and memory proportional to the recorded data:
 * events of a group share their values. `debug_buffer` may be NULL; messages name the file and the run. A tensor without
 * recorded contents equals any tensor of its type and shape. ETI_ERROR_MALFORMED: a value without contents, a tensor with
 * impossible sizes or outside the buffer; ETI_ERROR_DATA: runs of one block with different values; ETI_ERROR_LIMIT:
 * tensors overlap so much that all comparisons would read more than 64 MiB plus 4 times the buffer; ETI_ERROR_MEMORY. */
eti_status eti__debug_data_fill(eti_event_block *block, eti_arena *arena,
                                const struct eti_file *debug_buffer, eti_debug_totals *totals,
                                eti_error *err) ETI_WARN_UNUSED;

/* ==== reference outputs ======================================================================= */
/* Gives EventBlocks the outputs that the ETRecord expects of them, as values.
 *
 * An ETRecord has lists of test cases by method name. Blocks use those of their method; if the
 * method is unknown or has none, they use those of "forward", as the Inspector does.
 * eti_inspector_read_reference_outputs() of etinspect.h is implemented here. */

/* Makes values of the items of a list or tuple: tensors (copied to `arena` unless they are row-major), lists that consist
 * of tensors, and numbers; any other item becomes ETI_VALUE_NONE. A value that is neither a list nor a tuple yields one
 * value. ETI_ERROR_MEMORY. */
eti_status eti__values_of_saved(const eti_value **out, size_t *n, eti_arena *arena,
                                const eti_saved_value *saved, eti_error *err) ETI_WARN_UNUSED;

/* ==== tensor ================================================================================== */

/* Returns whether both have the same type, shape and elements. Bit-identical tensors are equal even if they contain NaN,
 * unlike in torch.equal(); 0.0 equals -0.0. A tensor without data equals any tensor of its type and shape. */
bool eti__tensors_equal(const eti_tensor_view *a, const eti_tensor_view *b);

/* ==== notes ================================================================================== */
/* Explains in notes why the result of an inspector is empty, unlabelled or surprising. */

/* Fills inspector->notes, in the arena. ETI_ERROR_MEMORY. */
eti_status eti__notes_collect(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
