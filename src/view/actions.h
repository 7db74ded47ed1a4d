/*
 * actions.h - changes that could save time or memory, each with an upper bound of what it saves.
 */
#ifndef ETI_VIEW_ACTIONS_H
#define ETI_VIEW_ACTIONS_H

#include "account/account.h"
#include "base/arena.h"
#include "etinspect.h"
#include "rollup/rollup.h"
#include "table/table.h"

typedef struct eti_action {
    const char *kind; /* such as "delegate", for programs */
    eti_text method;  /* absent if it is unknown, or if several are concerned */
    eti_text text;    /* one or two sentences */
    double bound;     /* most time per run that it could save, in the target scale; NaN: none */
    double share;     /* the same as a share of the typical time; NaN if it is no such share */
    uint64_t bytes;   /* most bytes that it could save; 0: none */
    bool is_once;     /* it saves time only in the first run */
    bool is_unsteady; /* of Events whose mean and typical time differ */
    double weight;    /* by which actions are ordered: the bound x runs */
} eti_action;

/* Initialize with eti__actions_find(). */
typedef struct eti_actions {
    const eti_inspector *inspector;
    eti_action *
        items; /* those that save most per run first, then those of the first run, then those of memory */
    size_t n, capacity;
    eti_arena arena;
} eti_actions;

/* Finds the actions. Fails with ETI_ERROR_LIMIT because of a program, or ETI_ERROR_MEMORY; free `out` in any case. */
eti_status eti__actions_find(eti_actions *out, const eti_layers *layers,
                             const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;
void eti__actions_free(eti_actions *actions);

/* Adds them as the section "actions" with a numbered note each; nothing if there are none. Fails with ETI_ERROR_MEMORY. */
eti_status eti__actions_add(eti_report *report, const eti_actions *actions,
                            const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
