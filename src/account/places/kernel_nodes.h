/*
 * kernel_nodes.h - distinguishes the kernels of instructions that stand for several nodes of the edge program.
 *
 * A kernel computes the nodes of its own operator, matched by name: native_call_add.out those of
 * aten.add.Tensor. If a block has one event of the kernel per instruction, and as many of them as
 * the list has nodes of this operator, the first event gets the first node in graph order, and so
 * on: each step of an unrolled loop, whose steps share a debug handle, then has its own node.
 * Otherwise each event gets all nodes of the operator, or, if no name matches, all nodes of the
 * list.
 *
 * Each list is sorted once, however many events share it.
 */
#ifndef ETI_ACCOUNT_PLACES_KERNEL_NODES_H
#define ETI_ACCOUNT_PLACES_KERNEL_NODES_H

#include "model/inspector.h"

/* Sets `known` of the kernels of all blocks to records with their own nodes. ETI_ERROR_MEMORY. */
eti_status eti__resolve_kernels(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
