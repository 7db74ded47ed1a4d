/*
 * group_row.h - the cells that rows of groups of events have in common: number of Events, times, share.
 *
 * If the struct of a row begins with an eti_group_row, these are the set functions of its columns.
 */
#ifndef ETI_VIEW_EVENTS_GROUP_ROW_H
#define ETI_VIEW_EVENTS_GROUP_ROW_H

#include "base/arena.h"
#include "rollup/rollup.h"
#include "table/table.h"

typedef struct eti_group_row {
    eti_text method; /* method of these runs; absent unless there are several methods */
    const eti_rollup *rollup;
    const eti_group *group;
    eti_arena *arena;
    bool is_summarized;
    eti_summary times; /* of the sums per run; valid if `is_summarized` */
} eti_group_row;

/* Makes a row. `group` is a group of the rollup, or one without runs; NULL: the row has none of these cells. The arena,
 * which only statistics need, lives as long as the row. */
static inline eti_group_row eti__group_row_of(const eti_rollup *rollup, const eti_group *group,
                                              eti_arena *arena) {
    return (eti_group_row){.rollup = rollup, .group = group, .arena = arena};
}

bool eti__set_group_method(void *row, eti_cell *cell);
bool eti__set_group_events(void *row, eti_cell *cell);
bool eti__set_group_calls(void *row, eti_cell *cell);
bool eti__set_group_total(void *row, eti_cell *cell);
bool eti__set_group_share(void *row, eti_cell *cell);

/* Set statistics; groups without runs have none. */
bool eti__set_group_p50(void *row, eti_cell *cell);
bool eti__set_group_avg(void *row, eti_cell *cell);
bool eti__set_group_min(void *row, eti_cell *cell);
bool eti__set_group_max(void *row, eti_cell *cell);

#endif
