#include "view/group_row.h"

#define DEFINE_SETTER(name, condition, value)                                                      \
    bool eti_set_group_##name(void *context, eti_cell *cell) {                                     \
        eti_group_row *row = context;                                                              \
        if (row->group && (condition))                                                             \
            *cell = (value);                                                                       \
        return true;                                                                               \
    }

/* Sorts the sums of the runs once for all statistics of a row. */
static bool summarize(eti_group_row *row) {
    if (!row->is_summarized && row->group->n_runs > 0)
        row->is_summarized = eti_rollup_summarize(
            row->rollup, (size_t)(row->group - row->rollup->groups), row->scratch, &row->times);
    return row->is_summarized;
}

DEFINE_SETTER(events, true, eti_count_cell(row->group->n_events))
DEFINE_SETTER(calls, true, eti_count_cell(row->group->n_calls))
DEFINE_SETTER(total, true, eti_double_cell(eti_rollup_time(row->rollup, row->group->total)))
DEFINE_SETTER(share, true, eti_double_cell(eti_rollup_share(row->rollup, row->group->total)))
DEFINE_SETTER(p50, summarize(row), eti_double_cell(row->times.p50))
DEFINE_SETTER(avg, summarize(row), eti_double_cell(row->times.avg))
DEFINE_SETTER(min, summarize(row), eti_double_cell(row->times.min))
DEFINE_SETTER(max, summarize(row), eti_double_cell(row->times.max))
