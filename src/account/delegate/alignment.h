/*
 * alignment.h - aligns the operators that a delegate logged with the nodes that it was given.
 *
 * The runtime makes one operator of each node, in order, after an optimisation of its own: a clamp runs inside the
 * convolution before it, a conversion inside the operator after it; a node's own limits may run as
 * a clamp behind it. Therefore, if there are as many events as nodes, and each event is of a kind
 * that fits its node, they are paired one by one. Otherwise events and nodes are aligned in order,
 * so that as many events as possible find a node; a remaining node is part of an operator that it
 * gives its values to, or takes them from. If fewer than half of the events find a node, the
 * alignment is dropped.
 */
#ifndef ETI_ACCOUNT_DELEGATE_ALIGNMENT_H
#define ETI_ACCOUNT_DELEGATE_ALIGNMENT_H

#include "account/delegate/xnnpack_kinds.h"

/* Of an event: no node. Of a node: no event. */
#define ETI_NOT_ALIGNED UINT32_MAX

/* A program, or a method of it, fits a block where at most one in this number of the operators that delegates logged is not
 * of its payloads. */
#define ETI_ONE_MISFIT_IN 4u

/* Starts as all zeros; made for one call of a delegate after another. */
typedef struct eti_alignment {
    uint32_t *nodes; /* per event: the node that it runs, or ETI_NOT_ALIGNED */
    /* Per node: the event that its work is part of, or ETI_NOT_ALIGNED. Only where events were found and is_exact is false. */
    uint32_t *hosts;
    size_t n_found; /* number of events that found a node */
    /* Number of nodes and events left over that no optimisation accounts for, and of events that give other numbers than
     * their nodes: the payload may be another one. */
    size_t n_unexplained;
    bool is_exact;
    size_t work; /* of all alignments so far, which is limited */
    struct eti_alignment_scratch *scratch;
} eti_alignment;

/* Aligns `n` events, by name, with the nodes. Results are valid until the next call. False: out of memory. */
bool eti__align(eti_alignment *alignment, const eti_xnnpack *payload, const eti_text *names,
                size_t n);

/* Returns the node that gives a value, or ETI_NOT_ALIGNED; after an alignment that is not exact. */
uint32_t eti__alignment_producer(const eti_alignment *alignment, uint32_t value);

/* Whether a node is part of a later one. */
bool eti__alignment_is_fused_ahead(const eti_alignment *alignment, uint32_t node);

void eti__alignment_free(eti_alignment *alignment);

#endif
