/*
 * etrecord.h - turns an ETRecord (a ZIP) into its methods' maps and, when asked, their graphs.
 *
 * Every layout from 2023 on is read. Only the members that are asked for are inflated, within the
 * limits of zip_member.h; weights, constants, example inputs and reference outputs never are.
 */
#ifndef ETI_READ_RECORD_ETRECORD_H
#define ETI_READ_RECORD_ETRECORD_H

#include "base/files/file.h"
#include "read/record/delegate_call.h"
#include "read/record/graph.h"
#include "read/tensors/saved_value.h"

typedef struct eti_etrecord eti_etrecord;

/* Opens the ZIP and parses the maps. The bytes of `file` must outlive the record; everything parsed
 * lives in `arena`. Not a ZIP, one whose directory and members disagree (see zip_directory.h), no
 * identifier member, bad JSON: ETI_ERROR_MALFORMED naming file and member; more members or more to
 * inflate than the limits: ETI_ERROR_LIMIT. */
eti_status eti__etrecord_open(eti_etrecord **out, eti_arena *arena, const struct eti_file *file,
                              eti_error *err) ETI_WARN_UNUSED;
/* Frees the tables; graphs, handles and texts stay in the arena. NULL is
 * allowed. */
void eti__etrecord_close(eti_etrecord *record);

/* Methods: every method that has an edge program or is named by a map, those of the
 * maps first. A record's only program counts as that of the maps' method, whatever its own name. */
size_t eti__etrecord_method_count(const eti_etrecord *record);
eti_text eti__etrecord_method_name(const eti_etrecord *record, size_t method);
bool eti__etrecord_method_has_graph(const eti_etrecord *record, size_t method);
bool eti__etrecord_method_has_handle_map(const eti_etrecord *record, size_t method);
size_t eti__etrecord_method_instruction_count(const eti_etrecord *record, size_t method);

/* Parses the edge graph of a method; a method without one gives an empty graph. */
eti_status eti__etrecord_read_graph(eti_etrecord *record, size_t method, eti_graph *out,
                                    eti_error *err) ETI_WARN_UNUSED;

/* The same, with the lowered modules that calls of delegates take. */
eti_status eti__etrecord_read_lowered(eti_etrecord *record, size_t method, eti_graph *out,
                                      eti_error *err) ETI_WARN_UNUSED;

/* Extra recorded programs (graph_map), such as "before/forward". etinspect itself shows the edge
 * graph only; these are for whoever asks a record for a graph by its name, as the Inspector's
 * get_exported_program() does. */
size_t eti__etrecord_extra_graph_count(const eti_etrecord *record);
eti_text eti__etrecord_extra_graph_name(const eti_etrecord *record, size_t i);
eti_status eti__etrecord_read_extra_graph(eti_etrecord *record, size_t i, eti_graph *out,
                                          eti_error *err) ETI_WARN_UNUSED;

/* A graph with what flows between its nodes, by the name that get_exported_program() knows it by; or
 * "exported_program", or NULL: the edge graph of `method`. ETI_ERROR_USAGE when there is none, with the names
 * that there are. */
eti_status eti__etrecord_read_values(eti_etrecord *record, size_t method, const char *name,
                                     eti_graph *out, eti_graph_values *values,
                                     eti_error *err) ETI_WARN_UNUSED;

/* The graph that the Inspector knows by this name as reference_graph_name: an extra recorded program, or ETI_EDGE_GRAPH, the edge
 * graph of `method`. ETI_ERROR_USAGE: the record has no such graph; the message names those that it has. */
#define ETI_EDGE_GRAPH "edge_dialect_graph_module"
eti_status eti__etrecord_read_reference_graph(eti_etrecord *record, size_t method, const char *name,
                                              eti_graph *out, eti_error *err) ETI_WARN_UNUSED;

/* Reads the member `name`, which torch.save wrote: "reference_outputs", "representative_inputs", a state_dict. NULL: the record
 * has no such member, or an empty one. Fails as eti__torch_save_read(). */
eti_status eti__etrecord_read_saved(eti_etrecord *record, const char *name,
                                    const eti_saved_value **out, eti_error *err) ETI_WARN_UNUSED;

/* The handles of the i-th instruction of the debug_handle_map, and its delegate (NULL: none). */
eti_debug_handles eti__etrecord_instruction_handles(const eti_etrecord *record, size_t method,
                                                    size_t i, const eti_delegate_call **delegate);

/* The id of that instruction; false: its key is no id. */
bool eti__etrecord_instruction_id(const eti_etrecord *record, size_t method, size_t i, int32_t *id);

/* Lookups by instruction id; keys of the file are compared as text, as the Inspector does. */
/* debug_handle_map; false: no such instruction. A JSON null gives ETI_HANDLES_NONE and true. */
bool eti__etrecord_find_handles(const eti_etrecord *record, size_t method, int32_t instruction_id,
                                eti_debug_handles *out);
/* delegate_map; NULL: no such instruction, or no delegate map. */
const eti_delegate_call *eti__etrecord_find_delegate(const eti_etrecord *record, size_t method,
                                                     int32_t instruction_id);
/* instruction_id_to_num_outs_map; 1 when it has no entry. */
int64_t eti__etrecord_find_num_outputs(const eti_etrecord *record, size_t method,
                                       int32_t instruction_id);
/* Whether that map has an entry. */
bool eti__etrecord_has_num_outputs(const eti_etrecord *record, size_t method,
                                   int32_t instruction_id);

/* Of the ZIP, bytes. */
uint64_t eti__etrecord_file_size(const eti_etrecord *record);

/* export_graph_id: false when the record has none. */
bool eti__etrecord_export_graph_id(const eti_etrecord *record, uint64_t *out);

#endif
