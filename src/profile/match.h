/*
 * match.h - turns the entries of two profiles, in the order in which they ran, into pairs of corresponding entries.
 *
 * Between two exports operators are inserted, removed, moved, renamed and handed to delegates. Entries are known by
 * keys; the rules are tried one after the other, each on what the ones before have left:
 *
 * 1. the longest common sequence of strong keys, in order (Myers, Algorithmica 1, 1986): the same;
 * 2. the same node of the exported model, first by the same kind of kernel, then by the same operator, in order and then
 *    anywhere, at last where as many are left on both sides: the same or moved where the weak keys are equal, else renamed, or
 *    on both sides of a delegate's border delegated or undelegated;
 * 3. between those, the longest common sequences of weak keys: the same;
 * 4. equal strong keys, then equal weak keys, anywhere, the first to the first: moved;
 * 5. the same work on both sides of a delegate's border, the first to the first: delegated or undelegated;
 * 6. between pairs, as many of one side as of the other, of which those at the same place do the same work: renamed;
 * 7. the rest was removed or added.
 *
 * Two exports of one model (float and int8, another backend) agree in their nodes; after a change of the model other nodes
 * have their names. So where more than a tenth of the first rule's pairs disagree, nodes do not count. Else no pair of the
 * rules from 2 on disagrees.
 */
#ifndef ETI_PROFILE_MATCH_H
#define ETI_PROFILE_MATCH_H

#include "base/status.h"

#define ETI_NO_ENTRY UINT32_MAX
#define ETI_NO_WORK UINT32_MAX

/* Equal numbers stand for equal keys, in both profiles. */
typedef struct eti_match_item {
    uint32_t strong; /* name, operators, debug handles, module: all that is known */
    uint32_t weak;   /* what stays when the graph around it changes */
    uint32_t work;   /* operators and module, whoever ran them; ETI_NO_WORK: unknown */
    bool is_delegated;
    /* The node of the exported model that is run; 0: unknown, as are all below. */
    uint32_t origin;
    uint32_t kernel; /* node, module and kind of kernel */
    uint32_t op;     /* node, module and operator, unless it is a copy beside the operator */
    uint32_t node;   /* node and module, unless it only moves data */
} eti_match_item;

typedef enum eti_match_kind {
    ETI_MATCH_SAME,
    ETI_MATCH_RENAMED,
    ETI_MATCH_MOVED,
    ETI_MATCH_DELEGATED,   /* portable before, a delegate's now */
    ETI_MATCH_UNDELEGATED, /* the other way round */
    ETI_MATCH_ADDED,
    ETI_MATCH_REMOVED,
} eti_match_kind;

/* "same", "renamed", "moved", "delegated", ... */
const char *eti__match_kind_name(eti_match_kind kind);

typedef struct eti_match {
    eti_match_kind kind;
    uint32_t base, new_side; /* numbers of items; ETI_NO_ENTRY for what was added or removed */
} eti_match;

typedef struct eti_match_side {
    const eti_match_item *items;
    uint32_t n;
} eti_match_side;

/* Every item of both sides is in one match: in the order of the new side, with what was removed behind what came
 * before it. The caller frees `*out`. Time and memory grow with n, and with n times the number of differences up to
 * 1024 of these; where there are more, rules 1 and 2 take the k-th of equal keys for the k-th.
 * ETI_ERROR_MEMORY. */
eti_status eti__match_sides(eti_match **out, size_t *n, eti_match_side base,
                            eti_match_side new_side, eti_error *err) ETI_WARN_UNUSED;

#endif
