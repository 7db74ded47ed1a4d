/*
 * etrecord.h - reads an ETRecord (a ZIP): the maps of its methods and, on request, their graphs.
 *
 * Every layout since 2023 is supported. Only requested members are inflated, within the limits of read/read.h; weights,
 * constants, example inputs and reference outputs are never inflated with them.
 */
#ifndef ETI_ETRECORD_ETRECORD_H
#define ETI_ETRECORD_ETRECORD_H

#include "base/arena.h"
#include "base/files.h"
#include "etrecord/delegate_call.h"
#include "etrecord/graph.h"
#include "tensors/tensors.h"

typedef struct eti_etrecord eti_etrecord;

/* Opens the ZIP and parses the maps. The bytes of `file` must outlive the record; everything parsed lives in `arena`.
 * ETI_ERROR_MALFORMED, naming file and member: not a ZIP, a ZIP whose directory and members disagree (see
 * read/zip.h), no identifier member, or invalid JSON; ETI_ERROR_LIMIT: more members or more to inflate than the
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

#endif
