/*
 * xnnpack.h - the payload of XNNPACK: its nodes, and the nodes that own others.
 */
#ifndef ETI_BACKENDS_XNNPACK_H
#define ETI_BACKENDS_XNNPACK_H

#include "backends/backends.h"
#include "base/arena.h"

/* ==== xnnpack graph =========================================================================== */

/* How a node that lowering inserted changes the form of a tensor. */
typedef enum eti_xnnpack_change {
    ETI_XNNPACK_OTHER_CHANGE,
    ETI_XNNPACK_INTO,   /* into the form that a later node needs: quantized, channels last */
    ETI_XNNPACK_OUT_OF, /* out of the form that an earlier node produces */
} eti_xnnpack_change;

#define ETI_XNNPACK_NO_VALUE UINT32_MAX

/* ==== xnnpack owners ========================================================================== */
/* Finds the nodes that the nodes belong to that lowering inserted into the graph of an XNNPACK
 * delegate.
 *
 * An inserted node that brings a tensor into the form that later nodes need (quantized, channels
 * last) belongs to the nodes that use it. Any other inserted node belongs to the node that
 * produced its input. If there are no such nodes, it belongs to those on its other side. Paths
 * through other inserted nodes count. */

/* Sets the owners and the handle of each inserted node. A node without values in common with nodes that have handles
 * belongs to the next one that has a handle, or else to the previous one. The arena owns
 * `*owners`. Returns false if memory runs out. */
bool eti__xnnpack_find_owners(eti_xnnpack_node *nodes, uint32_t n, eti_arena *arena,
                              const uint32_t **owners);

#endif
