#include "view_events/group_row.h"

#define DEFINE_SETTER(name, value)                                                                 \
    bool eti__set_group_##name(void *context, eti_cell *cell) {                                    \
        eti_group_row *row = context;                                                              \
        if (row->group)                                                                            \
            *cell = (value);                                                                       \
        return true;                                                                               \
    }

/* Summarizes the sums of the runs once for all statistics of a row. False: out of memory. */
static bool summarize(eti_group_row *row) {
    if (row->is_summarized || row->group->n_runs == 0)
        return true;
    double *scratch = eti__arena_alloc(row->arena, 2 * row->rollup->most_runs, sizeof *scratch);
    if (scratch)
        row->is_summarized = eti__rollup_summarize(
            row->rollup, (size_t)(row->group - row->rollup->groups), scratch, &row->times);
    return scratch != NULL;
}

#define DEFINE_STATISTIC(name)                                                                     \
    bool eti__set_group_##name(void *context, eti_cell *cell) {                                    \
        eti_group_row *row = context;                                                              \
        if (row->group && !summarize(row))                                                         \
            return false;                                                                          \
        if (row->is_summarized)                                                                    \
            *cell = eti__double_cell(row->times.name);                                             \
        return true;                                                                               \
    }

bool eti__set_group_method(void *context, eti_cell *cell) {
    const eti_group_row *row = context;
    *cell = eti__text_or_none(row->method);
    return true;
}

DEFINE_SETTER(events, eti__count_cell(row->group->n_events))
DEFINE_SETTER(calls, eti__count_cell(row->group->n_calls))
DEFINE_SETTER(total, eti__double_cell(eti__rollup_time(row->rollup, row->group->total)))
DEFINE_SETTER(share, eti__double_cell(eti__rollup_share(row->rollup, row->group->total)))
DEFINE_STATISTIC(p50)
DEFINE_STATISTIC(avg)
DEFINE_STATISTIC(min)
DEFINE_STATISTIC(max)
