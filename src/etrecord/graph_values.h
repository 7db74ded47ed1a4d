/*
 * graph_values.h - finds the values between the nodes of an exported program, and through the calls of its lowered modules.
 */
#ifndef ETI_ETRECORD_GRAPH_VALUES_H
#define ETI_ETRECORD_GRAPH_VALUES_H

#include "base/arena.h"
#include "etrecord/graph_data.h"
#include "etrecord/lowered_module.h"

/* Finds the values of a program that was read with them, and whose nodes are numbered below n_nodes. False: out of
 * memory. */
bool eti__graph_values_make(eti_graph_values *out, const eti_program *program, size_t n_nodes,
                            eti_arena *arena);

/* Finds the values of the program's lowered modules as well; `graph` is the one made from all of them. A node of a module
 * takes the call's input in place of the module's, and is the producer of the call's output, if call and module have
 * equally many. */
bool eti__graph_values_make_lowered(eti_graph_values *out, const eti_program *program,
                                    const eti_lowered_programs *lowered, const eti_graph *graph,
                                    eti_arena *arena);

#endif
