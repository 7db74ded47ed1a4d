/*
 * alignment.h - aligns the operators that a delegate logged with the nodes in its payload.
 *
 * The runtime makes one operator of each node, in order, after its own optimisation: a clamp runs
 * inside the convolution before it, a conversion inside the operator after it; a node's own limits
 * may run as a clamp after it. Therefore, if there are as many events as nodes and the kind of each
 * event fits its node, they are paired one by one. Otherwise events and nodes are aligned in order,
 * so that as many events as possible find a node; a remaining node becomes part of an operator that
 * consumes or produces its values. If fewer than half of the events find a node, the alignment is
 * dropped.
 */
#ifndef ETI_PLACES_ALIGNMENT_H
#define ETI_PLACES_ALIGNMENT_H

#include "backends/backends.h"
#include "etinspect.h"

/* ==== alignment =============================================================================== */

/* marks an event without a node, and a node without an event */
#define ETI_NOT_ALIGNED UINT32_MAX

/* A program or method fits a block if at most one in this number of the operators that delegates logged is not in its
 * payloads. */
#define ETI_ONE_MISFIT_IN 4u

/* Initialize to all zeros; can be reused for one delegate call after another. */
typedef struct eti_alignment {
    uint32_t *nodes; /* per event: the node that it runs, or ETI_NOT_ALIGNED */
    /* per node: the event that includes its work, or ETI_NOT_ALIGNED; set only if events were found and is_exact is
     * false */
    uint32_t *hosts;
    size_t n_found; /* number of events that found a node */
    /* number of unmatched nodes and events that no optimisation explains, plus events with another number type than
     * their nodes; if not 0, the payload may be the wrong one */
    size_t n_unexplained;
    bool is_exact;
    size_t work; /* number of table cells in all alignments so far, which is limited */
    struct eti_alignment_scratch *scratch;
} eti_alignment;

/* Aligns `n` events, by name, with the nodes. Results are valid until the next call. Returns false if memory runs
 * out. */
bool eti__align(eti_alignment *alignment, const eti_xnnpack *payload, const eti_text *names,
                size_t n);

/* Returns the node that produces a value, or ETI_NOT_ALIGNED; valid after an alignment that is not exact. */
uint32_t eti__alignment_producer(const eti_alignment *alignment, uint32_t value);

/* Returns whether a node is fused into a later one. */
bool eti__alignment_is_fused_ahead(const eti_alignment *alignment, uint32_t node);

void eti__alignment_free(eti_alignment *alignment);

/* ==== block methods =========================================================================== */
/* Distinguishes methods with the same instructions by the payloads of the delegates that they
 * call: the method that ran is the one with the nodes that the delegates logged. */

/* Sets the method of each block that fits several methods, where the payloads of one fit better than those of the
 * others. Fails with ETI_ERROR_MEMORY, or with any status of reading a graph. */
eti_status eti__tell_methods_apart(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

#endif
