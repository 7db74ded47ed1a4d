/*
 * event.h - the structs behind the public eti_event and eti_event_block.
 *
 * They are made in four steps, each in its own file: block.c finds which runs and events belong
 * together and names the events, associate.c adds what the ETRecord knows, samples.c the times,
 * debug_data.c the values. All of it lives in the inspector's arena or is borrowed from the inputs.
 */
#ifndef ETI_MODEL_EVENT_H
#define ETI_MODEL_EVENT_H

#include "base/arena.h"
#include "model/value.h"
#include "read/etdump.h"
#include "read/pte/pte.h"
#include "read/record/node.h"

/* How the nodes that an event computes were found, most reliable first. */
typedef enum eti_attribution {
    ETI_ATTRIBUTION_NONE,     /* it is not of a delegate, or nothing is known */
    ETI_ATTRIBUTION_RECORDED, /* the delegate logged an identifier that the ETRecord knows */
    ETI_ATTRIBUTION_EXACT, /* the delegate's payload has as many nodes as it logged, and each fits */
    ETI_ATTRIBUTION_ALIGNED, /* the payload's nodes were aligned with the events: some were fused or added */
    ETI_ATTRIBUTION_INFERRED, /* without the payload, the operators of the ETRecord were aligned */
    ETI_ATTRIBUTION_CALL,     /* only the call as a whole is known */
    ETI_N_ATTRIBUTIONS,
} eti_attribution;

/* Returns "exact"; absent where nothing is known. */
eti_text eti__attribution_name(uint8_t attribution);

/* Attributes of an event beside its times; events share it. */
typedef struct eti_event_record {
    eti_text backend_name; /* absent: unknown */
    eti_debug_handles handles;
    int64_t num_outputs;
    const eti_text *op_types;
    size_t n_op_types;
    const eti_op_node *const *op_nodes;
    size_t n_op_nodes;
    uint8_t attribution; /* an eti_attribution */
    /* The event is the operator of its first node; the others were fused into it. */
    bool is_first_node;
    eti_text kernel_op; /* of a kernel with nodes of its own: the operator that all of them have */
} eti_event_record;

/* The attributes of an event about which nothing is known. */
extern const eti_event_record eti__no_record;

/* Values that were recorded for debugging; events of one group share them. */
typedef struct eti_values {
    const eti_value *values;
    size_t n;
} eti_values;

/* A profile may have millions of these, so a member that can be derived is not stored. */
struct eti_event {
    eti_text name;
    eti_event_block *block;
    const eti_event_record *record; /* as the Inspector has it; never NULL */
    /* The same by the method of the block, with delegates seen through; used for all columns except
     * those of the Inspector. Never NULL. */
    const eti_event_record *known;
    int32_t instruction_id; /* -1: none */
    int32_t delegate_id_int;
    uint8_t delegate_id_kind; /* an eti_delegate_id_kind; a string is the name */
    bool is_delegated_op;
    bool is_timed_as_delegated; /* is_delegated_op by the profile events alone: decides the time
                                   scale */
    bool is_timed;
    bool has_metadata;     /* in some run */
    bool is_operator_call; /* by its name: the framework's own, around an operator */
};

/* Counts of events that say how well dump and record fit. */
typedef struct eti_association {
    uint64_t n_instructions;   /* events that belong to an instruction, not to the framework */
    uint64_t n_with_handles;   /* of these, in the record's debug_handle_map */
    uint64_t n_with_operators; /* of these, with nodes in the graph */
    uint64_t n_delegated;
    uint64_t n_without_delegate_map; /* delegated events whose instruction the delegate_map lacks */
    int32_t example_without_delegate_map;
} eti_association;

/* Debug events of one instruction, as numbers in their run; its events all have the same array. */
typedef struct eti_debug_events {
    const uint32_t *events;
    size_t n;
} eti_debug_events;

/* Positions of a block's events among the events of a run, as numbers in the run. Runs that
 * recorded the same events in the same order share it. */
typedef struct eti_run_layout {
    const uint32_t *profile_events;       /* per event of the block; ETI_NO_EVENT: not timed */
    const eti_debug_events *debug_events; /* per event; NULL: no values were logged */
    const uint32_t *outputs;              /* debug events that are outputs of the run */
    size_t n_outputs;
    uint32_t n_allocations;
} eti_run_layout;

typedef struct eti_block_run {
    const eti_etdump *dump;
    uint32_t index; /* of the run in its file, for messages */
    eti_vector events;
    const eti_run_layout *layout;
} eti_block_run;

#define ETI_NO_METHOD SIZE_MAX

/* Up to this number of samples, an event is summarized each time a summary is asked for; above it,
 * the summary is kept. */
#define ETI_FEW_SAMPLES 32

struct eti_event_block {
    eti_text name;
    eti_text label; /* the name for people, see block_label.h */
    size_t number;  /* among the blocks of the inspector */
    /* The method that ran: its number in the ETRecord, or ETI_NO_METHOD; and its name, absent if it is not known. */
    size_t method;
    eti_text method_name;
    const eti_pte_plan
        *plan; /* of that method in the program; NULL: no program, or it fits none of its methods */
    bool
        has_other_payloads; /* delegates logged operators that are not those of their payloads in the plan */
    /* The methods that fit, if there are several, so that none is known, or (with no_attribution)
     * if the one that the user wants is not among them: bit i stands for the i-th method of the
     * inspector. */
    uint64_t methods_that_fit;
    eti_association association; /* of its events */
    int32_t bundled_input_index;
    eti_event *events;
    size_t n_events;
    eti_block_run *runs;
    size_t n_runs;
    size_t n_skipped;       /* runs that stand before `runs` and were left out */
    double *raw;            /* n_events x n_runs, by event, in the target scale; NULL: no times */
    uint64_t *start_time;   /* as many, as stamped */
    eti_summary *summaries; /* per event where there are many runs; NULL: made when asked for */
    const eti_values *const *debug_data; /* per event, NULL: none; NULL where no event has any */
    const eti_value *run_outputs;
    size_t n_run_outputs;
    const eti_value *reference_outputs; /* once they were read, see reference_outputs.h */
    size_t n_reference_outputs;
};

/* Returns the place of an event of the run in its file. */
static inline eti_position eti__block_run_position(const eti_block_run *run, uint32_t number) {
    return eti__etdump_event_position(run->dump, run->events, number);
}

#endif
