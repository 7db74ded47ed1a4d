/*
 * event.h - the structs behind the public eti_event and eti_event_block.
 *
 * They are made in four steps, each in its own file: block.c finds the runs and events that belong together and names the
 * events, associate.c adds data from the ETRecord, samples.c the times, debug_data.c the values. Everything lives in the
 * inspector's arena or is borrowed from the inputs.
 */
#ifndef ETI_MODEL_EVENT_H
#define ETI_MODEL_EVENT_H

#include "etrecord/etrecord.h"
#include "flatbuf/flatbuf.h"
#include "model/value.h"
#include "pte/pte.h"
#include "read/read.h"

/* How the nodes computed by an event were found, most reliable first. */
typedef enum eti_attribution {
    ETI_ATTRIBUTION_NONE,     /* not an event of a delegate, or nothing is known */
    ETI_ATTRIBUTION_RECORDED, /* the delegate logged an identifier that is in the ETRecord */
    ETI_ATTRIBUTION_EXACT, /* the delegate's payload has as many nodes as were logged, and each one fits */
    ETI_ATTRIBUTION_ALIGNED, /* the payload's nodes were aligned with the events: some were fused or added */
    /* the operators of the ETRecord were aligned, without a payload; or several of its nodes fit the payload's node, or
     * another of them may be the reason why lowering inserted that */
    ETI_ATTRIBUTION_INFERRED,
    ETI_ATTRIBUTION_CALL, /* only the whole call is known */
    ETI_N_ATTRIBUTIONS,
} eti_attribution;

/* Returns a name such as "exact"; absent if nothing is known. */
eti_text eti__attribution_name(uint8_t attribution);

/* Attributes of an event apart from its times; events share it. */
typedef struct eti_event_record {
    eti_text backend_name; /* absent if unknown */
    eti_debug_handles handles;
    int64_t num_outputs;
    const eti_text *op_types;
    size_t n_op_types;
    const eti_op_node *const *op_nodes;
    size_t n_op_nodes;
    uint8_t attribution; /* an eti_attribution */
    /* The event is one of its first n_own_nodes nodes; the others were fused into it. 0: all are its own. */
    size_t n_own_nodes;
    eti_text own_op; /* operator of all its own nodes, if known without looking at them */
} eti_event_record;

/* The attributes of an event that nothing is known about. */
extern const eti_event_record eti__no_record;

/* Values that were recorded for debugging; events of a group share them. */
typedef struct eti_values {
    const eti_value *values;
    size_t n;
} eti_values;

/* A profile may have millions of these, so derived data is not stored in them. */
struct eti_event {
    eti_text name;
    eti_event_block *block;
    const eti_event_record *record; /* attributes as the Inspector has them; never NULL */
    /* The same attributes for the block's method, with nodes found inside delegates; used for all columns except those of
     * the Inspector. Never NULL. */
    const eti_event_record *known;
    int32_t instruction_id; /* as recorded; see eti__event_names_instruction() in associate.h */
    int32_t delegate_id_int;
    uint8_t delegate_id_kind; /* an eti_delegate_id_kind; a string id is the name */
    bool is_delegated_op;
    bool
        is_timed_as_delegated; /* is_delegated_op according to the profile events alone; selects the time scale */
    bool is_timed;
    bool has_chain;        /* false: recorded outside of instructions, with chain -1 */
    bool has_metadata;     /* in at least one run */
    bool is_operator_call; /* according to its name: the framework's own event around an operator */
};

/* Numbers of events, to judge how well dump and record fit together. */
typedef struct eti_association {
    uint64_t n_instructions;   /* events that belong to an instruction, not to the framework */
    uint64_t n_with_handles;   /* of these, events in the record's debug_handle_map */
    uint64_t n_with_operators; /* of these, events with nodes in the graph */
    uint64_t n_delegated;
    uint64_t
        n_without_delegate_map; /* delegated events whose instruction is not in the delegate_map */
    int32_t example_without_delegate_map;
} eti_association;

/* Debug events of one instruction, as indices into their run; all events of the instruction have the same array. */
typedef struct eti_debug_events {
    const uint32_t *events;
    size_t n;
} eti_debug_events;

/* Positions of a block's events among the events of a run, as indices into the run. Runs that recorded the same events in
 * the same order share it. */
typedef struct eti_run_layout {
    const uint32_t *profile_events;       /* per event of the block; ETI_NO_EVENT if not timed */
    const eti_debug_events *debug_events; /* per event; NULL if no values were logged */
    const uint32_t *outputs;              /* debug events that are outputs of the run */
    size_t n_outputs;
    uint32_t n_allocations;
} eti_run_layout;

typedef struct eti_block_run {
    const eti_etdump *dump;
    uint32_t index; /* index of the run in its file, for messages */
    eti_vector events;
    const eti_run_layout *layout;
} eti_block_run;

#define ETI_NO_METHOD SIZE_MAX

/* Up to this number of samples, an event is summarized at each request; above it, the summary is kept. */
#define ETI_FEW_SAMPLES 32

struct eti_event_block {
    eti_text name;
    eti_text label; /* readable name, see block_label.h */
    size_t number;  /* index among the inspector's blocks */
    /* Method that ran: its number in the ETRecord, or ETI_NO_METHOD, and its name, absent if unknown. */
    size_t method;
    eti_text method_name;
    const eti_pte_plan *
        plan; /* plan of that method in the program; NULL if there is no program, or none of its methods fits */
    bool
        has_other_payloads; /* delegates logged operators other than those of their payloads in the plan */
    /* Methods that fit, if there are several, so that the method is unknown; or, with no_attribution, if the requested
     * method is not among them. Bit i stands for the i-th method of the inspector. */
    uint64_t methods_that_fit;
    eti_association association; /* sums over its events */
    int32_t bundled_input_index;
    bool is_loading; /* loads what other blocks run, see mark_loading() in block.c */
    eti_event *events;
    size_t n_events;
    eti_block_run *runs;
    size_t n_runs;
    size_t n_skipped; /* runs before `runs` that were dropped */
    double *raw; /* n_events x n_runs, by event, in the target scale; NULL if there are no times */
    uint64_t *start_time;   /* of the same size, as stamped */
    eti_summary *summaries; /* per event, if there are many runs; NULL: computed on request */
    const eti_values *const
        *debug_data; /* per event, NULL if it has none; NULL if no event has any */
    const eti_value *run_outputs;
    size_t n_run_outputs;
    const eti_value *reference_outputs; /* set once they are read, see reference_outputs.h */
    size_t n_reference_outputs;
};

/* Returns the position of an event of the run in its file. */
static inline eti_position eti__block_run_position(const eti_block_run *run, uint32_t number) {
    return eti__etdump_event_position(run->dump, run->events, number);
}

#endif
