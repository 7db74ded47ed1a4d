/*
 * match.h - pairs the corresponding entries of two profiles, given in execution order.
 */
#ifndef ETI_PROFILE_MATCH_H
#define ETI_PROFILE_MATCH_H

#include "etinspect.h"
#include "profile/profile.h"

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
