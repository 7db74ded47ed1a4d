/*
 * graph_values.h - finds what flows between the nodes of an exported program, and through the calls of its lowered modules.
 */
#ifndef ETI_READ_RECORD_GRAPH_VALUES_H
#define ETI_READ_RECORD_GRAPH_VALUES_H

#include "base/arena.h"
#include "read/record/graph_data.h"
#include "read/record/lowered_module.h"

/* Finds the values of a program that was read with them, and whose nodes have their numbers, below n_nodes. False: out of
 * memory. */
bool eti__graph_values_make(eti_graph_values *out, const eti_program *program, size_t n_nodes,
                            eti_arena *arena);

/* Finds those of the program's lowered modules, too; `graph` is the one that was made of all. A node of a module takes what the
 * call takes in its place and what the call gives is of the node that made it, where call and module have as many. */
bool eti__graph_values_make_lowered(eti_graph_values *out, const eti_program *program,
                                    const eti_lowered_programs *lowered, const eti_graph *graph,
                                    eti_arena *arena);

#endif
