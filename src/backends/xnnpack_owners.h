/*
 * xnnpack_owners.h - finds the nodes that the nodes belong to that lowering inserted into the graph
 * of an XNNPACK delegate.
 *
 * An inserted node that brings a tensor into the form that later nodes need (quantized, channels
 * last) belongs to the nodes that use it. Any other inserted node belongs to the node that produced
 * its input. If there are no such nodes, it belongs to those on its other side. Paths through other
 * inserted nodes count.
 */
#ifndef ETI_BACKENDS_XNNPACK_OWNERS_H
#define ETI_BACKENDS_XNNPACK_OWNERS_H

#include "backends/xnnpack_graph.h"
#include "base/arena.h"

/* Sets the owners and the handle of each inserted node. A node without values in common with nodes that have handles
 * belongs to the next one that has a handle, or else to the previous one. The arena owns
 * `*owners`. Returns false if memory runs out. */
bool eti__xnnpack_find_owners(eti_xnnpack_node *nodes, uint32_t n, eti_arena *arena,
                              const uint32_t **owners);

#endif
