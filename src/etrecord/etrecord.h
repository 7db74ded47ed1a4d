/*
 * etrecord.h - the ETRecord: its graphs, maps and names.
 */
#ifndef ETI_ETRECORD_ETRECORD_H
#define ETI_ETRECORD_ETRECORD_H

#include "base/arena.h"
#include "base/array.h"
#include "base/files.h"
#include "base/intern.h"
#include "etinspect.h"
#include "read/read.h"
#include "tensors/tensors.h"

/* ==== delegate call =========================================================================== */
/* An entry of the delegate_map of an ETRecord, for one instruction. */

/* One delegated call: {"name": backend, "delegate_map": {identifier: handles}}. */
typedef struct eti_delegate_entry {
    eti_text identifier;
    eti_debug_handles handles;
} eti_delegate_entry;

typedef struct eti_delegate_call {
    eti_text backend_name; /* "" if the record has none */
    /* In file order; of equal keys, the last value counts, in the position of the first. */
    const eti_delegate_entry *entries;
    size_t n_entries;
} eti_delegate_call;

/* ==== graph data ============================================================================== */
/* A graph of an ETRecord: its nodes, its lowered modules and the values between nodes. */

#define ETI_NO_NODE UINT32_MAX

/* Nodes that a delegate call replaces, in an ETRecord made after lowering. */
typedef struct eti_lowered_module {
    eti_text backend; /* such as "XnnpackBackend" */
    eti_text payload; /* for XNNPACK: the part that its nodes need; otherwise empty */
    size_t n_nodes;   /* number of delegated nodes */
    size_t first;     /* index of the first one in the whole graph */
    uint32_t call;    /* the node that calls it; ETI_NO_NODE if unknown */
} eti_lowered_module;

/* Operator nodes (calls, without getitem and memory.alloc) of the top graph, in graph order. */
typedef struct eti_graph {
    const eti_graph_node *nodes;
    size_t n_nodes;
    /* Only on request, in an ETRecord made after lowering: the modules that delegate calls stand for, in graph order.
     * Their nodes follow those of the graph in the same array. */
    const eti_lowered_module *modules;
    size_t n_modules, n_lowered;
    bool
        is_whole; /* n_nodes includes those nodes, too; delegate calls then represent no other nodes */
    bool has_functional; /* a node is an auto_functionalized */
} eti_graph;

/* A value on the edges of a graph: a tensor or a number. */
typedef struct eti_graph_value {
    eti_text name;     /* as in the file */
    const char *dtype; /* such as "float32"; NULL if it is not a tensor */
    eti_text shape;    /* such as "[1, s0]"; absent if it is not a tensor */
    uint32_t producer; /* a node; ETI_NO_NODE for an input of the graph, or if unknown */
    bool is_weight; /* an input of the graph that is a parameter, buffer or constant of the model */
    bool is_output; /* is an output of the graph */
} eti_graph_value;

/* Indices of the values that a node takes and produces, in order. */
typedef struct eti_graph_ports {
    const uint32_t *inputs, *outputs;
    uint32_t n_inputs, n_outputs;
} eti_graph_ports;

typedef struct eti_graph_values {
    const eti_graph_value *values; /* the inputs of the graph come first */
    size_t n_values, n_graph_inputs;
    const eti_graph_ports *ports; /* per node of the whole graph */
} eti_graph_values;

/* ==== etrecord ================================================================================ */
/* Reads an ETRecord (a ZIP): the maps of its methods and, on request, their graphs.
 *
 * Every layout since 2023 is supported. Only requested members are inflated, within the limits of
 * read/read.h; weights, constants, example inputs and reference outputs are never inflated with
 * them. */

typedef struct eti_etrecord eti_etrecord;

/* Opens the ZIP and parses the maps. The bytes of `file` must outlive the record; everything parsed lives in `arena`.
 * ETI_ERROR_MALFORMED, naming file and member: not a ZIP, a ZIP whose directory and members disagree (see
 * read/read.h), no identifier member, or invalid JSON; ETI_ERROR_LIMIT: more members or more to inflate than the
 * limits. */
eti_status eti__etrecord_open(eti_etrecord **out, eti_arena *arena, const struct eti_file *file,
                              eti_error *err) ETI_WARN_UNUSED;
/* Frees the tables; graphs, handles and texts stay in the arena. NULL is allowed. */
void eti__etrecord_close(eti_etrecord *record);

/* Return the number and the properties of methods: every method that has an edge program or is named by a map; those of
 * the maps come first. A record's only program counts as that of the maps' method, whatever its own name. */
size_t eti__etrecord_method_count(const eti_etrecord *record);
eti_text eti__etrecord_method_name(const eti_etrecord *record, size_t method);
bool eti__etrecord_method_has_graph(const eti_etrecord *record, size_t method);
bool eti__etrecord_method_has_handle_map(const eti_etrecord *record, size_t method);
size_t eti__etrecord_method_instruction_count(const eti_etrecord *record, size_t method);

/* Parses the edge graph of a method; a method without one yields an empty graph. */
eti_status eti__etrecord_read_graph(eti_etrecord *record, size_t method, eti_graph *out,
                                    eti_error *err) ETI_WARN_UNUSED;

/* Does the same, and includes the lowered modules that delegate calls take. */
eti_status eti__etrecord_read_lowered(eti_etrecord *record, size_t method, eti_graph *out,
                                      eti_error *err) ETI_WARN_UNUSED;

/* Reads a graph and the values between its nodes; `name` is the name for get_exported_program(), "exported_program", or
 * NULL for the edge graph of `method`. ETI_ERROR_USAGE if there is none; the message lists the existing names. */
eti_status eti__etrecord_read_values(eti_etrecord *record, size_t method, const char *name,
                                     eti_graph *out, eti_graph_values *values,
                                     eti_error *err) ETI_WARN_UNUSED;

/* Reads the graph that the Inspector accepts by this name as reference_graph_name: an extra recorded program, or
 * ETI_EDGE_GRAPH, the edge graph of `method`. ETI_ERROR_USAGE: the record has no such graph; the message lists those that
 * it has. */
#define ETI_EDGE_GRAPH "edge_dialect_graph_module"
eti_status eti__etrecord_read_reference_graph(eti_etrecord *record, size_t method, const char *name,
                                              eti_graph *out, eti_error *err) ETI_WARN_UNUSED;

/* Reads the member `name`, written by torch.save: "reference_outputs", "representative_inputs" or a state_dict. Sets
 * `*out` to NULL if the record has no such member, or an empty one. Fails like eti__torch_save_read(). */
eti_status eti__etrecord_read_saved(eti_etrecord *record, const char *name,
                                    const eti_saved_value **out, eti_error *err) ETI_WARN_UNUSED;

/* Reads the parameters and buffers of a method's edge program, a dict of tensors by their names in the model. Sets `*out` to
 * NULL if the record has none, or if they have more than `most` bytes. Fails like eti__torch_save_read(). */
eti_status eti__etrecord_read_weights(eti_etrecord *record, size_t method, uint64_t most,
                                      const eti_saved_value **out, eti_error *err) ETI_WARN_UNUSED;

/* Returns the handles of the i-th instruction of the debug_handle_map, and its delegate (NULL if none). */
eti_debug_handles eti__etrecord_instruction_handles(const eti_etrecord *record, size_t method,
                                                    size_t i, const eti_delegate_call **delegate);

/* Stores the id of that instruction; returns false if its key is not an id. */
bool eti__etrecord_instruction_id(const eti_etrecord *record, size_t method, size_t i, int32_t *id);

/* The following functions look up instruction ids; keys in the file are compared as text, as by the Inspector. */
/* Searches debug_handle_map; returns false if there is no such instruction. A JSON null yields ETI_HANDLES_NONE and true. */
bool eti__etrecord_find_handles(const eti_etrecord *record, size_t method, int32_t instruction_id,
                                eti_debug_handles *out);
/* Searches delegate_map; returns NULL if there is no such instruction, or no delegate map. */
const eti_delegate_call *eti__etrecord_find_delegate(const eti_etrecord *record, size_t method,
                                                     int32_t instruction_id);
/* Searches instruction_id_to_num_outs_map; returns 1 if there is no entry. */
int64_t eti__etrecord_find_num_outputs(const eti_etrecord *record, size_t method,
                                       int32_t instruction_id);
/* Returns whether that map has an entry. */
bool eti__etrecord_has_num_outputs(const eti_etrecord *record, size_t method,
                                   int32_t instruction_id);

/* Returns the size of the ZIP in bytes. */
uint64_t eti__etrecord_file_size(const eti_etrecord *record);

/* Stores the export_graph_id; returns false if the record has none. */
bool eti__etrecord_export_graph_id(const eti_etrecord *record, uint64_t *out);

/* ==== exported program ======================================================================== */
/* An exported program as lists of inputs and nodes, as in its JSON. */

typedef struct eti_argument eti_argument;

/* Numbers are those of texts in the program's tables, or ETI_NO_TEXT. */
typedef struct eti_program_node eti_program_node;

/* A tensor of the graph, under the name used by arguments. */
typedef struct eti_program_tensor eti_program_tensor;

typedef struct eti_program {
    eti_argument *inputs;
    eti_argument *input_specs; /* names by position, as in the signature */
    eti_argument *outputs;     /* only if values are read */
    eti_program_node *nodes;
    size_t n_nodes;
    bool is_quantized; /* a target is an operator inserted by quantizers */
    eti_text_table targets;
    eti_text_table input_names;
    eti_text_table stack_traces;
    eti_text_table module_stacks;
    eti_text_table origins;      /* names of nodes of the exported program */
    eti_program_tensor *tensors; /* only if values are read */
    eti_text_table shapes;       /* such as "[1, 3, s0]" */
} eti_program;

/* ==== graph =================================================================================== */
/* Turns the JSON of an exported program (a member of an ETRecord) into its operator nodes.
 *
 * Only the names and operators of nodes and the metadata that the Inspector shows are kept, and on
 * request their inputs and outputs; constants, delegate blobs and nested graphs are skipped. Nodes
 * and text live in the given arena; data that nodes have in common (targets, stack traces,
 * modules) is stored once.
 *
 * Nodes are named as torch 2.13 names them when executorch 1.5 loads the program. Whether an
 * operator is registered in a given Python process is unknown here: an edge or torch operator
 * counts as known, whereas the Inspector would drop the handle of one that it cannot find. */

/* Returns the graph including the nodes of its lowered modules. */
eti_graph eti__graph_whole(const eti_graph *graph);

/* Returns whether a node is the one represented by its debug handle. */
bool eti__graph_has_handle(const eti_graph *graph, size_t node);

/* Reads the program from `json`, which must have just been opened, and closes it in any case. ETI_ERROR_MALFORMED with
 * the byte position or the node, ETI_ERROR_LIMIT (nesting), ETI_ERROR_MEMORY, or the status of the reader's source. */
eti_status eti__graph_read(eti_graph *out, eti_arena *arena, eti_json *json,
                           eti_error *err) ETI_WARN_UNUSED;

/* ==== id table ================================================================================ */
/* Numbers distinct instruction ids 0, 1, 2, … in the order in which they first came.
 *
 * A record lists the instructions of a program in their order, so that an id is found among them
 * without a table of hashes, which is made only when one comes out of order. The arrays are the
 * heap's. */

/* Starts as all zeros. */
typedef struct eti_id_table {
    int32_t *ids; /* by number */
    size_t count;
    size_t capacity;
    eti_index index; /* of all ids, or empty as long as each is above the one before */
    uint64_t seed;
} eti_id_table;

/* The number of `id`, which is added when it is new: `*number` is then the old `count`. False: out of memory. */
bool eti__id_table_add(eti_id_table *table, int32_t id, uint32_t *number);

/* Returns false if `id` was never added. */
bool eti__id_table_find(const eti_id_table *table, int32_t id, uint32_t *number);

void eti__id_table_free(eti_id_table *table);

/* ==== lowered module ========================================================================== */
/* Reads the delegated program and the beginning of the delegate's payload from the text of a
 * lowered module, which a delegate call takes in an ETRecord made after lowering.
 *
 *     {"backend_id": "XnnpackBackend", "processed_bytes": "AAAAAFhIMDA…", "compile_specs": […],
 *      "original_module": {"graph_module": …}, "original_state_dict": "…", …} */

/* Largest number of modules read for a graph. */
#define ETI_MOST_LOWERED_MODULES 4096
/* Largest number of payload bytes kept for all modules of a graph. */
#define ETI_MOST_PAYLOAD ((size_t)64 << 20)

typedef struct eti_lowered_program eti_lowered_program;
struct eti_lowered_program {
    eti_lowered_program *next;
    eti_text backend; /* such as "XnnpackBackend"; empty if unknown */
    eti_text payload; /* for XNNPACK: the part that its nodes need, in the arena; otherwise empty */
    eti_program program;
};

/* ==== node ==================================================================================== */
/* The structs behind the public eti_graph_node, eti_op_node and eti_module. */

struct eti_module {
    eti_text key, path, type;
};

struct eti_op_node {
    eti_text name;
    eti_text stack_trace;      /* absent if the graph has none */
    const eti_module *modules; /* outermost first */
    size_t n_modules;
    /* A quantizer inserted it into a graph module, which is its only module and stands for no module of the model. */
    bool is_of_quantizer;
    bool
        has_modules; /* false if the graph has no module stack for this node (which is not the same as an empty one) */
    /* Name of the exported program's node that it comes from; absent if unknown, or if values were not read. */
    eti_text origin;
    const eti_op_node *served; /* operator that a node without modules of its own serves, or NULL */
};

/* Returns whether a module is not part of the model but a wrapper added by torch.export. Nodes inserted by quantizers
 * have no other module. */
bool eti__module_is_wrapper(const eti_module *module);

/* Returns whether a node was inserted into the model: its only module is a wrapper. */
bool eti__node_is_inserted(const eti_op_node *node);

/* Returns whether a node is in a module of the model. */
bool eti__node_has_own_modules(const eti_op_node *node);

struct eti_graph_node {
    eti_op_node node;
    eti_text op_type;      /* of auto_functionalized: the operator that it calls */
    eti_text inspector_op; /* the Inspector's name of it if that differs; absent otherwise */
    eti_text target;
    /* Nodes whose values it takes, all before it in the graph; none if this was not read. */
    const eti_graph_node *const *producers;
    uint32_t n_producers;
    bool has_debug_handle;
    int64_t debug_handle;
};

/* ==== record maps ============================================================================= */
/* Turns the JSON maps of an ETRecord into tables by method and instruction id.
 *
 *     debug_handle_map                {"forward": {"3": 7, "4": [7, 8]}}
 *     delegate_map                    {"forward": {"4": {"name": "XnnpackBackend",
 *                                                        "delegate_map": {"0": [7]}}}}
 *     instruction_id_to_num_outs_map  {"forward": {"4": 2}}
 *
 * Instruction ids are compared as text, as the Inspector does: no event has the id "07". Of equal
 * keys, the last value counts, in the position of the first. Everything lives in the given arena. */

/* The values of one map of a method; the functions below know the size of a value. */
typedef struct eti_instruction_map {
    bool present; /* the file has an entry for the method, which may be empty */
    eti_id_table ids;
    void *values; /* by number in `ids` */
    size_t capacity;
    eti_text_table others; /* keys that are not ids, which are only counted */
} eti_instruction_map;

typedef struct eti_method_maps {
    eti_instruction_map handles;
    eti_instruction_map delegates;
    eti_instruction_map num_outputs;
} eti_method_maps;

typedef struct eti_record_maps {
    eti_arena *arena;
    eti_text_table methods;
    eti_method_maps *by_method;
    size_t capacity;
    /* Totals over all maps so far, for the limits. */
    size_t n_keys;
    size_t n_listed_handles;
    size_t identifier_bytes;
} eti_record_maps;

void eti__record_maps_init(eti_record_maps *maps, eti_arena *arena);
void eti__record_maps_free(eti_record_maps *maps);

/* Returns the number of distinct keys. */
size_t eti__instruction_map_count(const eti_instruction_map *map);

/* Read one member each from `json`, which the caller opens and closes, and which keeps errors. ETI_ERROR_LIMIT for more
 * than 10000 methods, or in all maps together, 2097152 keys, 4194304 handles in lists, or 8 MiB of delegate identifiers. */
void eti__record_maps_read_handles(eti_record_maps *maps, eti_json *json);
void eti__record_maps_read_delegates(eti_record_maps *maps, eti_json *json);
void eti__record_maps_read_num_outputs(eti_record_maps *maps, eti_json *json);

/* Return the value of an instruction; NULL if there is no such instruction. */
const eti_debug_handles *eti__method_maps_find_handles(const eti_method_maps *maps, int32_t id);
const eti_delegate_call *eti__method_maps_find_delegate(const eti_method_maps *maps, int32_t id);
const int64_t *eti__method_maps_find_num_outputs(const eti_method_maps *maps, int32_t id);

#endif
