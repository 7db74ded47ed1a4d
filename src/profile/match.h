/*
 * numerics/differences.h - pairs the corresponding entries of two profiles, given in execution order.
 *
 * Between two exports, operators are inserted, removed, moved, renamed and given to delegates. Entries are compared by keys;
 * each rule is applied to the entries left by the previous ones:
 *
 * 1. the longest common sequence of strong keys, in order (Myers, Algorithmica 1, 1986): the same;
 * 2. the same node of the exported model: first with the same kind of kernel, then with the same operator, in order and
 *    then anywhere; finally, any entries of the node if both sides have equally many left. They are the same or moved if
 *    the weak keys are equal, otherwise renamed; if only one of them ran in a delegate, delegated or undelegated;
 * 3. between those, the longest common sequences of weak keys: the same;
 * 4. equal strong keys, then equal weak keys, anywhere, paired in order: moved;
 * 5. the same work, inside a delegate on one side and outside on the other, paired in order: delegated or undelegated;
 * 6. between two pairs, if both sides have equally many entries left, those at the same position with the same work:
 *    renamed;
 * 7. all others: removed or added.
 *
 * Two exports of one model (float and int8, another backend) have the same nodes; after a change of the model, other nodes
 * may have the old names. So if more than a tenth of the pairs found by rule 1 disagree in their nodes, nodes are ignored.
 * Otherwise, rules 2 to 6 never pair entries whose nodes disagree.
 */
#ifndef ETI_PROFILE_MATCH_H
#define ETI_PROFILE_MATCH_H

#include "etinspect.h"

#define ETI_NO_ENTRY UINT32_MAX
#define ETI_NO_WORK UINT32_MAX

/* Keys of an item: equal numbers mean equal keys in both profiles. */
typedef struct eti_match_item {
    uint32_t strong; /* name, operators, debug handles and module: everything that is known */
    uint32_t weak;   /* unchanged by changes of the surrounding graph */
    uint32_t work;   /* operators and module, whoever ran them; ETI_NO_WORK if unknown */
    bool is_delegated;
    /* Node of the exported model that the item runs; this and the keys below are 0 if unknown. */
    uint32_t origin;
    uint32_t kernel; /* node, module and kind of kernel */
    uint32_t op; /* node, module and operator, except for a copy made in addition to the operator */
    uint32_t node; /* node and module, except for items that only move data */
} eti_match_item;

typedef enum eti_match_kind {
    ETI_MATCH_SAME,
    ETI_MATCH_RENAMED,
    ETI_MATCH_MOVED,
    ETI_MATCH_DELEGATED,   /* portable before, run by a delegate now */
    ETI_MATCH_UNDELEGATED, /* run by a delegate before, portable now */
    ETI_MATCH_ADDED,
    ETI_MATCH_REMOVED,
} eti_match_kind;

/* Returns "same", "renamed", "moved", "delegated", ... */
const char *eti__match_kind_name(eti_match_kind kind);

typedef struct eti_match {
    eti_match_kind kind;
    uint32_t base,
        new_side; /* indices of the items; ETI_NO_ENTRY in place of the missing item if one was added or removed */
} eti_match;

typedef struct eti_match_side {
    const eti_match_item *items;
    uint32_t n;
} eti_match_side;

/* Matches the items of both sides, each once. Matches are in the order of the new side; a removed item follows the item
 * that preceded it. The caller frees `*out`. Time and memory are proportional to n, and to n times the number of
 * differences, up to 1024 of these; with more differences, rules 1 and 2 pair the k-th of equal keys with the k-th.
 * ETI_ERROR_MEMORY. */
eti_status eti__match_sides(eti_match **out, size_t *n, eti_match_side base,
                            eti_match_side new_side, eti_error *err) ETI_WARN_UNUSED;

#endif
