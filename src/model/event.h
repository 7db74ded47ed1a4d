/*
 * event.h - what the public eti_event and eti_event_block are made of.
 *
 * They are made in four steps, each in its own file: block.c finds which runs and events belong
 * together and names the events, associate.c adds what the ETRecord knows, samples.c the times,
 * debug_data.c the values. All of it lives in the inspector's arena or is borrowed from the inputs.
 */
#ifndef ETI_MODEL_EVENT_H
#define ETI_MODEL_EVENT_H

#include "base/arena.h"
#include "format/etdump.h"

struct eti_event {
    eti_text name;
    int32_t instruction_id; /* -1: none */
    bool is_delegated_op;
    bool is_timed_as_delegated; /* is_delegated_op by the profile events alone: decides the time
                                   scale */
    eti_delegate_id delegate_id;

    /* from the ETRecord */
    eti_text backend_name;
    eti_debug_handles handles;
    int64_t num_outputs;
    const eti_text *op_types;
    size_t n_op_types;
    const eti_op_node *const *op_nodes;
    size_t n_op_nodes;

    /* one per sample */
    size_t n_samples;
    double *raw;
    uint64_t *start_time;
    eti_text *metadata; /* NULL: no sample has any */
    eti_summary summary;

    const eti_value *debug_data; /* one array for all events of a group */
    size_t n_debug_data;
};

/* The debug events of one instruction in one run; its events all have the same array. */
typedef struct eti_debug_events {
    const eti_position *events;
    size_t n;
} eti_debug_events;

/* One run of a block: for each event of the block, where this run recorded it. */
typedef struct eti_block_run {
    const eti_etdump *dump;
    uint32_t index;                       /* of the run in its file, for messages */
    const eti_position *profile_events;   /* per event; 0: not timed */
    const eti_debug_events *debug_events; /* per event; NULL: this run logged no values */
    const eti_position *outputs;          /* debug events that are outputs of the run */
    size_t n_outputs;
} eti_block_run;

struct eti_event_block {
    eti_text name;
    int32_t bundled_input_index;
    eti_event *events;
    size_t n_events;
    eti_block_run *runs;
    size_t n_runs, run_capacity;
    const eti_value *run_outputs;
    size_t n_run_outputs;
};

#endif
