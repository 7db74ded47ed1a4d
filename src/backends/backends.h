/*
 * backends.h - what delegates log and carry: names of kernels, nodes of payloads.
 */
#ifndef ETI_BACKENDS_BACKENDS_H
#define ETI_BACKENDS_BACKENDS_H

#include "base/arena.h"
#include "etinspect.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ==== kernel name ============================================================================= */
/* Finds operators by the names that kernels log: "native_call_addmm.out" belongs to aten::addmm
 * with the overload "out", and to nodes of aten.addmm.default. */

/* Returns the operator with its overload, such as "addmm.out", from the name of a kernel's event; absent for other
 * events. */
eti_text eti__kernel_overload(eti_text event_name);

/* Longest name of an operator with its namespace and overload, in bytes. A longer name is no operator's: a file may repeat
 * it a million times. */
#define ETI_LONGEST_OPERATOR 256

/* Returns an operator without its namespace and overload, in any notation: "add" for native_call_add.out, aten::add.out
 * and aten.add.Tensor. Absent for names in other notations, such as OPERATOR_CALL, and for longer ones. */
eti_text eti__operator_name(eti_text name);

/* Returns the operator, such as "addmm", from the name of a kernel's event; absent for other events. */
eti_text eti__kernel_operator(eti_text event_name);

/* Returns whether a kernel such as "addmm" is that of an op type such as "aten.addmm.default". */
bool eti__is_kernel_of(eti_text op_type, eti_text kernel);

/* Returns whether a kernel such as "addmm.out" is the operator "aten::addmm" with the overload "out". */
bool eti__is_overload_of(eti_text name, eti_text overload, eti_text kernel);

/* Returns whether an op type such as "aten.addmm.default" is that of a convolution, a linear layer, a product of matrices or
 * an attention. Where a delegate runs several nodes at once, such a node is what its time is for. */
bool eti__is_main_operator(eti_text op_type);

/* Returns the op type by which an operator is known in all exports: aten.convolution.default for aten.conv2d.default, which
 * only some backends keep. */
eti_text eti__whole_operator(eti_text op_type);

/* ==== backend ================================================================================= */
/* The backends whose events and payloads are understood. */

typedef enum eti_backend {
    ETI_BACKEND_OTHER,
    ETI_BACKEND_XNNPACK,
    ETI_BACKEND_VULKAN,
    ETI_BACKEND_COREML,
    ETI_BACKEND_QNN,
    ETI_BACKEND_ETHOSU,
    ETI_BACKEND_VGF,
    ETI_BACKEND_NEUTRON,
    ETI_BACKEND_NATIVE,
    ETI_N_BACKENDS,
} eti_backend;

/* Returns the backend with an identifier such as "XnnpackBackend". */
eti_backend eti__backend_of_id(eti_text id);

/* Returns the identifier of a backend, such as "VulkanBackend"; absent for ETI_BACKEND_OTHER. */
eti_text eti__backend_id(eti_backend backend);

/* Returns the name of a backend by which people know it, such as "Core ML" for CoreMLBackend: of unknown ones, the id
 * without "Backend". */
eti_text eti__backend_label(eti_text backend);

/* ==== delegate event ========================================================================== */
/* Reads what an event inside a delegate call means: its role, the unit of its value, the clock of
 * its stamps, and its names. One adapter per backend knows this. */

/* An event as the file has it. */
typedef struct eti_logged_event {
    eti_text name;     /* the string identifier, or the decimal text of an integer identifier */
    eti_text metadata; /* of the first run that has any; absent if none has */
    bool has_id;       /* false: a plain event, without a delegate's identifier */
    bool has_int_id;   /* the identifier is an integer */
} eti_logged_event;

typedef enum eti_delegate_role {
    ETI_DELEGATE_NODE,      /* runs a node of the delegate's graph */
    ETI_DELEGATE_DEVICE,    /* runs the whole call on an accelerator */
    ETI_DELEGATE_TRANSFER,  /* copies inputs or outputs */
    ETI_DELEGATE_WRAPPER,   /* contains other events; its own time is overhead */
    ETI_DELEGATE_PROFILING, /* the cost of measuring */
    ETI_DELEGATE_COUNTER,   /* a value that is no part of the call's time */
    ETI_DELEGATE_LOAD,      /* logged while loading */
} eti_delegate_role;

/* The unit of end - start. Bytes and counts are never times; cycles are times of an unknown clock. */
typedef enum eti_delegate_unit {
    ETI_UNIT_TICKS, /* of the dump, or of --delegate_time_scale */
    ETI_UNIT_NS,
    ETI_UNIT_US,
    ETI_UNIT_CYCLES,
    ETI_UNIT_BYTES,
    ETI_UNIT_COUNT,
    ETI_N_UNITS,
} eti_delegate_unit;

/* Returns a name such as "cycles"; absent for ticks. */
eti_text eti__delegate_unit_name(uint8_t unit);

typedef enum eti_delegate_clock {
    /* The stamps are comparable with those of the call if all events of the call lie within it. */
    ETI_CLOCK_UNKNOWN,
    ETI_CLOCK_HOST,   /* the stamps are comparable with those of the call */
    ETI_CLOCK_DEVICE, /* other origin, possibly other rate */
    ETI_CLOCK_NONE,   /* the start is 0; only the value means something */
} eti_delegate_clock;

/* The tensors that a delegate logged as arguments of a node. */
typedef struct eti_logged_tensor {
    eti_text dtype; /* in the backend's spelling, such as "Float" */
    const int64_t *sizes;
    uint32_t n_sizes;
    bool is_constant;
    int64_t value; /* id of the value in the delegate's graph; -1: unknown */
} eti_logged_tensor;

/* Largest level of an event; see eti_delegate_event. */
#define ETI_MOST_LEVELS 8

typedef struct eti_delegate_event {
    uint8_t backend; /* an eti_backend */
    uint8_t role;    /* an eti_delegate_role */
    uint8_t unit;    /* an eti_delegate_unit */
    uint8_t clock;   /* an eti_delegate_clock */
    /* Its parent, unless its clock is that of the host: the event of the call with the largest level above 0 that is
     * less than its own, or else the call. At most ETI_MOST_LEVELS. */
    uint8_t level;
    bool is_total;    /* a counter: the cycles of all events with the same parent together */
    bool wraps_at_32; /* its value is end - start modulo 2^32 */
    bool is_estimate; /* its time was not measured, but computed from that of a whole call */
    /* Short name for people and for keys. Ids of a process, a graph or a value are no part of it. */
    eti_text label;
    bool is_numbered; /* " #k" follows the label, for the k-th event with this label in the call */
    eti_text kernel;  /* absent: unknown */
    eti_text compute_unit; /* such as "GPU"; absent: unknown */
    eti_text node;         /* name or number of its node in the delegate's graph; absent: none */
    eti_text op;           /* the backend's name of the operator, as logged; absent: none */
    /* Number of the operator in the process: events of one call with equal numbers are one operator; -1: unknown. It is no
     * part of any key. */
    int64_t operator_number;
    const eti_text *supported_units;
    uint32_t n_supported_units;
    const eti_logged_tensor *tensors; /* in the order of the arguments */
    uint32_t n_tensors;
} eti_delegate_event;

/* Returns whether the value of an event is a time, in the account of the call. Counters have none, nor has the cost of
 * measuring in cycles: an accelerator that stops its own clock counts something else. */
static inline bool eti__delegate_event_has_time(const eti_delegate_event *event) {
    bool is_cycles = event->unit == ETI_UNIT_CYCLES;
    return event->unit != ETI_UNIT_BYTES && event->unit != ETI_UNIT_COUNT &&
           event->role != ETI_DELEGATE_COUNTER &&
           !(event->role == ETI_DELEGATE_PROFILING && is_cycles);
}

/* Returns whether an adapter reads the events of a backend; all events of others mean the same. */
bool eti__backend_has_adapter(eti_backend backend);

/* Reduces a string identifier that has ids of its process to the part that is the same in all processes and runs, and a
 * number. Returns false, and changes nothing, if it has no such ids. */
bool eti__lasting_identifier(eti_text *identifier, uint64_t *number);

/* Returns the backend that logs events with such a name, if no other backend does, or ETI_BACKEND_OTHER. */
eti_backend eti__backend_of_event(const eti_logged_event *logged);

/* Reads an event of a backend. The event borrows the texts of `logged`; the arena owns the rest. Damaged names and metadata
 * give less, but never fail. Returns false if memory runs out. */
bool eti__delegate_event_read(eti_delegate_event *out, eti_backend backend,
                              const eti_logged_event *logged, eti_arena *arena);

/* ==== payload key ============================================================================= */

#define ETI_PAYLOAD_UNKNOWN_SIZE UINT64_MAX

/* The name under which a program keeps constants of a payload. */
typedef struct eti_payload_key {
    eti_text name;    /* empty: the payload itself contains the constants */
    uint64_t n_bytes; /* ETI_PAYLOAD_UNKNOWN_SIZE if the payload does not say it */
} eti_payload_key;

/* ==== core ml payload ========================================================================= */
/* The MIL operations in the payload of a Core ML delegate, with the debug handles of the nodes they were made of. */

typedef struct eti_coreml_symbol {
    eti_text name; /* as its event logs it, such as "linear_0_cast_fp16:linear" */
    const int64_t *handles;
    size_t n_handles;
    uint32_t order; /* number in the file */
    bool is_constant;
} eti_coreml_symbol;

typedef struct eti_coreml {
    const eti_coreml_symbol *symbols; /* by name */
    size_t n_symbols;
    size_t n_operators; /* number of symbols that are no constants */
} eti_coreml;

/* Reads a payload into the arena. ETI_ERROR_MALFORMED with the reason: not a payload of Core ML, without debug handles, or
 * damaged; ETI_ERROR_LIMIT; ETI_ERROR_MEMORY. */
eti_status eti__coreml_read(eti_coreml *out, eti_arena *arena, eti_text payload,
                            eti_error *err) ETI_WARN_UNUSED;

/* Returns the symbol with a name, or NULL. */
const eti_coreml_symbol *eti__coreml_find(const eti_coreml *payload, eti_text name);

/* ==== vela stream ============================================================================= */
/* The sizes in the payload of an Ethos-U delegate, which the compiler Vela made. */

typedef struct eti_vela {
    uint64_t command_bytes, weight_bytes;
    uint64_t scratch_bytes; /* taken from the temporary allocator in each call */
    bool has_scratch;
} eti_vela;

/* Reads a payload. ETI_ERROR_MALFORMED with the reason. */
eti_status eti__vela_read(eti_vela *out, eti_text payload, eti_error *err) ETI_WARN_UNUSED;

/* ==== vulkan ================================================================================== */
/* Reads the graph in the payload of a Vulkan delegate: the calls of its operators, in order.
 *
 * Weights are never read. The layout is schema/vulkan.fbs, after a header (little-endian, from the
 * start of the payload):
 *
 *      4  "VH00"
 *      8  u16 size of the header       10  u32 offset and 14  u32 size of the FlatBuffer
 *     18  u32 offset and 22  u64 size of the constants */

#define ETI_VULKAN_NONE UINT32_MAX
/* Most tensors that one call may take and return, and that all calls together may. Those beyond are left out. */
#define ETI_VULKAN_MOST_LINKS_OF_CALL 1024u
#define ETI_VULKAN_MOST_LINKS ((size_t)1 << 22)
/* Most dimensions of a tensor; those beyond are left out. */
#define ETI_VULKAN_MOST_DIMENSIONS 16u

/* The call of an operator. Its tensors are links[first_link ...]: the inputs, then the outputs. */
typedef struct eti_vulkan_call {
    uint32_t node_id; /* number of its node; dumps name it */
    eti_text op;      /* such as "et_vk.conv_with_clamp.default" */
    uint32_t first_link, n_inputs, n_outputs;
} eti_vulkan_call;

typedef struct eti_vulkan {
    const eti_vulkan_call *calls;
    uint32_t n_calls;
    const uint32_t *links; /* values */
    const uint32_t
        *constants_of; /* by value: index of its constant; ETI_VULKAN_NONE: not a constant */
    uint32_t n_values;
    const eti_payload_key *constants; /* each name is the SHA-256 of the bytes */
    uint32_t n_constants;
    const uint32_t *tables; /* by value: position of the tensor in `bytes`; 0: no tensor */
    eti_text bytes;         /* the FlatBuffer, which the payload owns */
} eti_vulkan;

/* Returns whether a delegate with this identifier ("VulkanBackend") has such payloads. */
bool eti__is_vulkan(eti_text backend);

/* Reads a payload into the arena; names are borrowed from the payload. ETI_ERROR_MALFORMED with the reason: not a payload of
 * Vulkan, or damaged; ETI_ERROR_LIMIT; ETI_ERROR_MEMORY. */
eti_status eti__vulkan_read(eti_vulkan *out, eti_arena *arena, eti_text payload,
                            eti_error *err) ETI_WARN_UNUSED;

/* Returns the number of tensors that all calls take together. */
size_t eti__vulkan_count_inputs(const eti_vulkan *graph);

/* Returns the number of calls that run; the others prepare constants while loading. */
uint32_t eti__vulkan_count_run(const eti_vulkan *graph);

/* Sets the tensors of an event to those that a call takes and returns. Returns false if memory runs out. */
bool eti__vulkan_set_tensors(const eti_vulkan *graph, uint32_t call, eti_delegate_event *event,
                             eti_arena *arena);

/* ==== vulkan operators ======================================================================== */
/* Compares the operators of a Vulkan graph with those of the edge program that they were made from, and with kernels. */

/* Kind of an operator. */
typedef struct eti_vulkan_op {
    eti_text name;   /* "view" for aten.view_copy.default */
    uint16_t family; /* bits: families that it is of */
    uint16_t takes;  /* bits: families of operators of the edge program that it may be made from */
    /* It only changes the form of a tensor, so that the exporter inserts it or leaves it out. */
    bool is_light;
    bool is_prepack; /* it runs while loading */
    bool is_product; /* convolution, linear, matrix product, attention */
    /* Its part of the work is done by its producer (batch_norm, relu), or by its user (permute before a linear) if no call of
     * its own does. */
    bool joins_producer, joins_user;
} eti_vulkan_op;

typedef enum eti_vulkan_fit { ETI_VULKAN_UNLIKE, ETI_VULKAN_FITS, ETI_VULKAN_EQUAL } eti_vulkan_fit;

/* Returns the kind of an operator such as "et_vk.prepack.default" or "aten.view_copy.default". */
eti_vulkan_op eti__vulkan_op_of(eti_text op);

/* Returns the kind of operators that a kernel such as "conv2d_pw_tiled_float" runs. */
eti_vulkan_op eti__vulkan_op_of_kernel(eti_text kernel);

/* Returns whether an operator of the Vulkan graph may be made from an operator of the edge program, or a kernel may run for
 * an operator of the Vulkan graph. */
eti_vulkan_fit eti__vulkan_fit(const eti_vulkan_op *made, const eti_vulkan_op *of);

/* ==== native ================================================================================== */
/* Reads the graph in the payload of the native backend. The layout is schema/native.fbs. Nodes and values have the names of
 * torch.fx. Branches of control flow operators are not read: their nodes have names of their own. */

#define ETI_NATIVE_NONE UINT32_MAX

/* A node that runs. Its tensors are links[first_link ...]: the inputs, then the outputs. */
typedef struct eti_native_node {
    eti_text name; /* as in the exporter's graph, such as "aten_linear_default_1" */
    eti_text op;   /* such as "aten.linear.default" */
    uint32_t first_link, n_inputs, n_outputs;
} eti_native_node;

/* The name of a node, or of a value that it returns. */
typedef struct eti_native_name {
    eti_text name;
    uint32_t node; /* ETI_NATIVE_NONE: several nodes have it */
} eti_native_name;

#define ETI_NATIVE_MOST_KEYS 3

/* An input of the graph whose bytes the program keeps as named data. */
typedef struct eti_native_constant {
    eti_text name;
    eti_text keys
        [ETI_NATIVE_MOST_KEYS]; /* of the numbers, their scales and their zero points; empty: none */
} eti_native_constant;

typedef struct eti_native {
    const eti_native_node *nodes; /* in order of execution */
    uint32_t n_nodes;
    const eti_text *links;        /* names of values */
    const eti_native_name *names; /* by name */
    size_t n_names;
    const eti_native_constant *constants; /* by name */
    uint32_t n_constants;
    const eti_payload_key *keys; /* of all constants */
    uint32_t n_keys;
} eti_native;

/* Reads a payload into the arena; names are borrowed from the payload. ETI_ERROR_MALFORMED with the reason: not a payload of
 * the native backend, or damaged; ETI_ERROR_LIMIT; ETI_ERROR_MEMORY. */
eti_status eti__native_read(eti_native *out, eti_arena *arena, eti_text payload,
                            eti_error *err) ETI_WARN_UNUSED;

/* Returns the number of the node that has a name or returns a value of this name, or ETI_NATIVE_NONE. */
uint32_t eti__native_find(const eti_native *payload, eti_text name);

/* Returns the constant that a value is, or NULL. */
const eti_native_constant *eti__native_constant_of(const eti_native *payload, eti_text value);

/* ==== data flow =============================================================================== */
/* Pairs the items of two graphs that compute the same: operators that an exporter made, and the
 * operators that it made them from.
 *
 * Items are numbered in order of execution. First, lists of items are paired in order, so that as
 * many as possible fit (a longest common subsequence); pairs that are known already split the
 * lists. Then each item left over is paired with one that lies between the same neighbours in the
 * data flow. An item in the middle of a graph has neighbours on both sides: the nearest paired
 * items whose results it needs or that need its result, also through items without a pair.
 *
 * The work is limited. Lists that are too long for all their combinations are paired in order
 * alone: each item takes the next one that fits, among a few. After the limit, no more neighbours
 * are looked for. `is_cut` is set in both cases. */

#define ETI_NO_ITEM UINT32_MAX

/* An item takes the result of another. */
typedef struct eti_flow_edge {
    uint32_t giver, user;
} eti_flow_edge;

/* The neighbours of item i are items[firsts[i]] to items[firsts[i + 1] - 1]. */
typedef struct eti_flow_side {
    uint32_t *firsts, *items;
} eti_flow_side;

typedef enum eti_flow_direction { ETI_FLOW_BACK, ETI_FLOW_AHEAD } eti_flow_direction;

typedef struct eti_flow {
    uint32_t n;
    eti_flow_side sides[2]; /* by direction: givers, users */
} eti_flow;

/* Makes a graph of `n` items. Returns false if memory runs out. */
bool eti__flow_make(eti_flow *out, eti_arena *arena, uint32_t n, const eti_flow_edge *edges,
                    size_t n_edges);

/* ==== pairs =================================================================================== */

/* Returns 0 if an item was not made from another, 2 if their kinds are equal, 1 if they fit. */
typedef uint8_t eti_item_fit(const void *context, uint32_t made, uint32_t from);

/* Most neighbours that are looked for on one side of an item. */
#define ETI_MOST_NEIGHBOURS 64u

typedef struct eti_pairs {
    /* Set by the caller. */
    const eti_flow *made, *from;
    eti_item_fit *fit;
    const void *context;
    const bool *is_left_out; /* per item that was made: it gets no pair by data flow */
    size_t *work;            /* steps of all pairings so far, which are limited */
    /* Results; the arena owns them. */
    uint32_t *from_of; /* per item that was made: the item that it was made from; ETI_NO_ITEM */
    uint32_t *made_of; /* the reverse */
    /* Per item that was made: on how many sides it has the neighbours of its pair, or has none like that; 2 for pairs found in
     * order. */
    uint8_t *n_sides;
    bool is_cut;                    /* a limit was reached */
    struct eti_flow_walker *walker; /* scratch */
} eti_pairs;

/* Starts without pairs. Returns false if memory runs out. */
bool eti__pairs_begin(eti_pairs *pairs, eti_arena *arena);

/* Pairs two items. */
void eti__pairs_set(eti_pairs *pairs, uint32_t made, uint32_t from, uint8_t n_sides);

/* Pairs the items of two ascending lists in order; those that have pairs keep them. Returns false if memory runs out. */
bool eti__pair_in_order(eti_pairs *pairs, const uint32_t *made, uint32_t n_made,
                        const uint32_t *from, uint32_t n_from);

/* Pairs the other items by data flow: first those with all their neighbours, then those with the neighbours of one side. */
void eti__pair_by_flow(eti_pairs *pairs);

/* Lists the nearest items with a pair on one side of an item, at most ETI_MOST_NEIGHBOURS, and returns their number. `of_made`:
 * the item is one that was made. */
uint32_t eti__pairs_near(eti_pairs *pairs, bool of_made, uint32_t item,
                         eti_flow_direction direction, uint32_t *out);

/* Lists the items without a pair between the neighbours of an item that was made, which has none either: at most
 * ETI_MOST_NEIGHBOURS, ascending. Returns their number. */
uint32_t eti__pairs_between(eti_pairs *pairs, uint32_t made, uint32_t *out);

/* ==== aligned lists =========================================================================== */

/* Pairs the numbers below `n` with those below `m` in order, so that as many as possible fit, and of equal kinds as many as
 * possible. `out` has room for `n` numbers. `*is_cut` is set if the limit was reached. Returns false if memory runs out. */
bool eti__align_lists(eti_item_fit *fit, const void *context, uint32_t n, uint32_t m, uint32_t *out,
                      size_t *work, bool *is_cut);

/* ==== xnnpack graph =========================================================================== */
/* The nodes of an XNNPACK delegate, as they are read from its payload. */

/* Operation of a node, by the schema's number. */
typedef enum eti_xnnpack_kind {
    ETI_XNNPACK_NONE,
    ETI_XNNPACK_ADD,
    ETI_XNNPACK_FULLY_CONNECTED,
    ETI_XNNPACK_SOFTMAX,
    ETI_XNNPACK_SIGMOID,
    ETI_XNNPACK_STATIC_TRANSPOSE,
    ETI_XNNPACK_CLAMP,
    ETI_XNNPACK_CONV2D,
    ETI_XNNPACK_DIV,
    ETI_XNNPACK_STATIC_RESIZE_BILINEAR_2D,
    ETI_XNNPACK_STATIC_CONSTANT_PAD,
    ETI_XNNPACK_AVG_POOLING_2D,
    ETI_XNNPACK_MINIMUM,
    ETI_XNNPACK_DEPTHWISE_CONV2D,
    ETI_XNNPACK_MAX_POOLING_2D,
    ETI_XNNPACK_MULTIPLY,
    ETI_XNNPACK_SUBTRACT,
    ETI_XNNPACK_FLOOR,
    ETI_XNNPACK_CONVERT,
    ETI_XNNPACK_GLOBAL_AVG_POOLING_2D,
    ETI_XNNPACK_STATIC_RESHAPE,
    ETI_XNNPACK_ARG_MAX_POOLING_2D,
    ETI_XNNPACK_SQUARE_ROOT,
    ETI_XNNPACK_CEILING,
    ETI_XNNPACK_HARDSWISH,
    ETI_XNNPACK_LEAKY_RELU,
    ETI_XNNPACK_MAXIMUM,
    ETI_XNNPACK_NEGATE,
    ETI_XNNPACK_SQUARE,
    ETI_XNNPACK_ELU,
    ETI_XNNPACK_ABS,
    ETI_XNNPACK_PRELU,
    ETI_XNNPACK_CONCATENATE_2,
    ETI_XNNPACK_CONCATENATE_3,
    ETI_XNNPACK_CONCATENATE_4,
    ETI_XNNPACK_STATIC_SLICE,
    ETI_XNNPACK_SCALED_DOT_PRODUCT_ATTENTION,
    ETI_XNNPACK_BATCH_MATRIX_MULTIPLY,
    ETI_XNNPACK_CONCATENATE_5,
    ETI_XNNPACK_CONV_TRANSPOSE_2D,
    ETI_XNNPACK_RECIPROCAL_SQUARE_ROOT,
    ETI_XNNPACK_LOG,
    ETI_XNNPACK_GELU,
    ETI_XNNPACK_TANH,
    ETI_XNNPACK_EXP,
    ETI_XNNPACK_SIN,
    ETI_XNNPACK_COPY,
    ETI_XNNPACK_COS,
    ETI_XNNPACK_N_KINDS,
} eti_xnnpack_kind;

#define ETI_XNNPACK_MOST_INPUTS 5

/* Largest number of owners of a node; of more users, the first ones are listed. */
#define ETI_XNNPACK_MOST_OWNERS 16

typedef struct eti_xnnpack_node {
    uint8_t kind;    /* an eti_xnnpack_kind; ETI_XNNPACK_NONE if unknown */
    bool has_limits; /* has output_min_max: its output is clamped */
    bool has_handle; /* false if no node of the payload has one */
    bool
        is_inserted; /* without a handle of its own: lowering inserted it, and its handle is an owner's */
    /* no other nodes come into question as its owners; true for a node that was not inserted */
    bool is_owner_sure;
    uint8_t change;      /* an eti_xnnpack_change; only of inserted nodes */
    uint8_t output_bits; /* bits of each number in the output: 8, 16 or 32; 0 if unknown */
    uint8_t n_inputs;
    uint32_t debug_handle; /* the handle of the first owner */
    /* Range in the payload's owners: the nodes that it belongs to, with different handles of their own; see
     * xnnpack.h. None if it was not inserted, or if no node has a handle. */
    uint32_t first_owner, n_owners;
    uint32_t inputs[ETI_XNNPACK_MOST_INPUTS]; /* ids of values */
    uint32_t output;                          /* id of a value */
    uint32_t bias; /* id of a value; ETI_XNNPACK_NO_VALUE if the operation has none */
} eti_xnnpack_node;

/* The weights of a value that are stored outside the payload. */
typedef struct eti_xnnpack_value {
    uint32_t numbers, scales; /* indices into the keys; ETI_XNNPACK_NO_KEY if there are none */
} eti_xnnpack_value;

#define ETI_XNNPACK_NO_KEY UINT32_MAX

typedef struct eti_xnnpack {
    const eti_xnnpack_node *nodes; /* in execution order */
    uint32_t n_nodes;
    const uint32_t *owners; /* indices into the nodes; each node's owners are ascending */
    const eti_payload_key *keys;
    uint32_t n_keys;
    const eti_xnnpack_value *values; /* by id; a node may name ids of n_values or more */
    uint32_t n_values;
} eti_xnnpack;

/* Returns whether a node of this kind only copies numbers, possibly to other places or in another type. */
static inline bool eti__xnnpack_kind_moves(uint8_t kind) {
    return kind == ETI_XNNPACK_STATIC_TRANSPOSE || kind == ETI_XNNPACK_CONVERT ||
           kind == ETI_XNNPACK_STATIC_RESHAPE || kind == ETI_XNNPACK_COPY;
}

/* ==== xnnpack ================================================================================= */
/* Reads the nodes in the payload of an XNNPACK delegate: their operations, and the operators they
 * belong to.
 *
 * Weights are never read. The layout is schema/xnnpack.fbs, after a header (little-endian, from
 * the start of the payload), which older payloads lack:
 *
 *      4  "XH00"
 *      8  u16 size of the header       10  u32 offset and 14  u32 size of the FlatBuffer
 *     18  u32 offset and 22  u64 size of the constants */

/* Returns whether a delegate with this identifier ("XnnpackBackend") has such payloads. */
bool eti__is_xnnpack(eti_text backend);

/* Reads a payload into the arena. A node without a handle gets that of its owner. ETI_ERROR_MALFORMED with the reason: not
 * a payload of XNNPACK, or damaged; ETI_ERROR_LIMIT; ETI_ERROR_MEMORY. */
eti_status eti__xnnpack_read(eti_xnnpack *out, eti_arena *arena, eti_text payload,
                             eti_error *err) ETI_WARN_UNUSED;

/* ==== xnnpack kinds =========================================================================== */
/* Finds the kernel name of an XNNPACK node, and the operators of the edge program that become such
 * a node. */

/* Returns the name of a kind, such as "Conv2d"; absent if the kind is unknown. */
eti_text eti__xnnpack_kind_name(uint8_t kind);

/* Returns the kernel of an event, such as "Fully Connected" for "Fully Connected (NC, F32) GEMM #1". */
eti_text eti__xnnpack_kernel(eti_text event_name);

/* Returns whether a node of this kind may run as this kernel. */
bool eti__xnnpack_kind_runs_as(uint8_t kind, eti_text kernel);

/* Set of kinds, with one bit per kind. */
typedef uint64_t eti_xnnpack_kinds;

/* Returns the kinds that may run as this kernel. */
eti_xnnpack_kinds eti__xnnpack_kinds_that_run_as(eti_text kernel);

static inline bool eti__xnnpack_kinds_have(eti_xnnpack_kinds kinds, uint8_t kind) {
    return kind < 64 && (kinds >> kind & 1) != 0;
}

/* Returns whether an event, judged by its name, may produce numbers of this many bits. "Convolution (NHWC, F16) IGEMM
 * #1" produces 16-bit numbers, possibly for a node that asked for 32 bits. */
bool eti__xnnpack_event_gives(eti_text event_name, uint8_t bits);

/* Number types in the name of an event. */
typedef enum eti_xnnpack_numbers {
    ETI_XNNPACK_WIDE,      /* 16 bits or more, or not stated */
    ETI_XNNPACK_BYTES,     /* 8 bits, possibly quantized */
    ETI_XNNPACK_QUANTIZED, /* at least one type is quantized */
} eti_xnnpack_numbers;

eti_xnnpack_numbers eti__xnnpack_event_numbers(eti_text event_name);

/* Returns whether the kernel looks up the result of a chain of nodes for each 8-bit value. */
bool eti__xnnpack_is_lookup(eti_text kernel);

/* Returns whether the kernel may apply a node's own limits. */
bool eti__xnnpack_may_clamp(eti_text kernel);

/* Returns whether a node of this kind may be missing because a neighbour does its work. */
bool eti__xnnpack_kind_is_fusible(uint8_t kind);

/* Returns whether kernels of this kind clamp their results. */
bool eti__xnnpack_kind_clamps_inside(uint8_t kind);

/* Returns the kinds for which eti__xnnpack_kind_is_fusible() is true. */
eti_xnnpack_kinds eti__xnnpack_fusible_kinds(void);

/* Returns the kinds that an operator of the edge program may become. */
eti_xnnpack_kinds eti__xnnpack_kinds_of(eti_text op_type);

/* Returns the kinds that an operator may become if it is not fused into the preceding operator: a batch normalization
 * runs as a convolution unless a convolution precedes it. */
eti_xnnpack_kinds eti__xnnpack_kinds_of_folded(eti_text op_type);

/* Returns whether an operator of the edge program, such as "aten.convolution.default", becomes a node of this kind. */
bool eti__xnnpack_kind_is_of(uint8_t kind, eti_text op_type);

/* Returns whether an operator may produce numbers of this many bits: those that quantize produce 8 bits, those that
 * dequantize more. */
bool eti__xnnpack_op_gives(eti_text op_type, uint8_t bits);

/* Returns whether the operator is one that quantizers insert around the operators that they serve. */
bool eti__is_quantizing(eti_text op_type);

#endif
