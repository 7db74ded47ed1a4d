/*
 * kernel_nodes.h - distinguishes the kernels of instructions that stand for several nodes of the
 * edge program.
 *
 * A kernel computes the nodes of its own operator, matched by name: native_call_add.out computes
 * those of aten.add.Tensor. If a block has one event of the kernel per instruction, and as many of
 * them as the list has nodes of this operator, the first event gets the first node in graph order,
 * and so on. Thus each step of an unrolled loop has its own node, although the steps share a debug
 * handle. Otherwise each event gets all nodes of the operator or, if no name matches, all nodes of
 * the list.
 *
 * Each list is sorted once, even if many events share it.
 */
#ifndef ETI_PLACES_KERNEL_NODES_H
#define ETI_PLACES_KERNEL_NODES_H

#include "etinspect.h"

/* Sets `known` of the kernels in all blocks to records with their own nodes. Fails with ETI_ERROR_MEMORY. */
eti_status eti__resolve_kernels(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
