/*
 * program_graph.h - turns a method of a program into a graph with one node for each instruction and
 * one for each value that no instruction writes.
 *
 * Edges lead from the instruction that wrote a value last, in file order; loops and branches, which
 * change that order, are not followed. A view of another tensor's bytes stands for that tensor.
 */
#ifndef ETI_ROLLUP_PROGRAM_GRAPH_H
#define ETI_ROLLUP_PROGRAM_GRAPH_H

#include "model/model.h"
#include "pte/pte.h"
#include "rollup/graph.h"

/* Makes the graph of the method named by options.method of the inspector, or else of "forward", or else of the first
 * method of the program. Node i after the inputs is instruction i - n_inputs. Fails with ETI_ERROR_USAGE if there is
 * no such method, ETI_ERROR_LIMIT if lists are used so often that there would be too many edges, or ETI_ERROR_MEMORY.
 * Free `out` with eti__timed_graph_free() in any case. */
eti_status eti__program_graph_make(eti_timed_graph *out, size_t *n_inputs,
                                   const eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* Finds the method of the program that ran, by name; NULL: "forward", or else the first. Fails with ETI_ERROR_USAGE
 * if there is no such method. */
eti_status eti__program_method(const eti_pte_plan **out, const eti_inspector *inspector,
                               const char *name, eti_error *err) ETI_WARN_UNUSED;

#endif
