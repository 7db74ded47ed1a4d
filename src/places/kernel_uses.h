/*
 * kernel_uses.h - finds the nodes of a graph that a program runs as kernels, although a delegate
 * has nodes with the same debug handle.
 *
 * It counts, for each debug handle and name of an operator, the nodes of the graph and the kernel
 * calls of the program. If there are as many calls as nodes, all these nodes are kernels. If there
 * are fewer, it is unknown which of the nodes they run.
 */
#ifndef ETI_PLACES_KERNEL_USES_H
#define ETI_PLACES_KERNEL_USES_H

#include "etrecord/etrecord.h"
#include "pte/pte.h"

/* Sets `*out` to an array with the answer for each node, which the caller frees; to NULL if the record has no kernel
 * calls of the plan. Returns false if memory runs out. */
bool eti__find_kernel_uses(bool **out, const eti_graph *graph, const eti_etrecord *record,
                           size_t method, const eti_pte_plan *plan);

#endif
