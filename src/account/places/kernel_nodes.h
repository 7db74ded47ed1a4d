/*
 * kernel_nodes.h - tells apart the kernels of instructions that stand for several nodes of the edge program.
 *
 * A kernel computes the nodes of its own operator, matched by name: native_call_add.out those of aten.add.Tensor. Where a
 * block has as many events of it, one an instruction, as the list has nodes of this operator, the first event is the first
 * node in graph order, and so on: the steps of an unrolled loop, which share a debug handle, have a node each. Otherwise each
 * event is all nodes of the operator, and where no name matches, all of the list.
 *
 * Each list is sorted once, however many events share it.
 */
#ifndef ETI_ACCOUNT_PLACES_KERNEL_NODES_H
#define ETI_ACCOUNT_PLACES_KERNEL_NODES_H

#include "model/inspector.h"

/* Sets `known` of the kernels of all blocks to records with their own nodes. ETI_ERROR_MEMORY. */
eti_status eti__resolve_kernels(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
