/*
 * program_graph.h - turns a method of a program into a graph: a node for each instruction, and for each value that none of
 * them writes.
 *
 * Edges lead from the instruction that wrote a value last, in the order of the file; loops and
 * branches, which change that order, are not followed. A view of another tensor's bytes stands for
 * that tensor.
 */
#ifndef ETI_ACCOUNT_GRAPH_PROGRAM_GRAPH_H
#define ETI_ACCOUNT_GRAPH_PROGRAM_GRAPH_H

#include "account/graph.h"
#include "program/flow.h"

/* Makes the graph of the method that options.method of the inspector names, or else of "forward", or else of the first one of
 * the program. Node i behind the inputs is instruction i - n_inputs. ETI_ERROR_USAGE: no such method; ETI_ERROR_LIMIT: lists
 * are used so often that edges would be too many; ETI_ERROR_MEMORY. Free `out` by eti__timed_graph_free() in any case. */
eti_status eti__program_graph_make(eti_timed_graph *out, size_t *n_inputs,
                                   const eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* Finds the method of the program that ran by its name; NULL: "forward", or else the first. ETI_ERROR_USAGE. */
eti_status eti__program_method(const eti_pte_plan **out, const eti_inspector *inspector,
                               const char *name, eti_error *err) ETI_WARN_UNUSED;

#endif
