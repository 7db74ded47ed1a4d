#include "view/groups.h"

#include "view/attributed.h"
#include "view/method_rows.h"
#include "view_events/view_events.h"

#include <stdlib.h>
#include <string.h>

/* Source of the rows. */
typedef struct group_rows {
    eti_method_part part; /* first: see method_rows.h */
    eti_groups groups;
    size_t
        *ranks; /* per group in order: from 1 in each block; NULL: rows are not listed by block */
} group_rows;

typedef struct named_row {
    eti_group_row group; /* first: see view_events/view_events.h */
    const group_rows *rows;
    const eti_groups *groups;
    size_t number;
    eti_row *out;
} named_row;

static bool set_name(void *context, eti_cell *cell) {
    named_row *row = context;
    eti__groups_add_name(row->groups, row->groups->order[row->number], &row->out->scratch);
    return eti__row_take_cell(row->out, ETI_CELL_TEXT, cell);
}

ETI_CELL_SETTER(named_row, block,
                eti__count_cell(eti__groups_block(row->groups, row->groups->order[row->number])))
ETI_CELL_SETTER(named_row, rank, eti__count_cell(row->rows->ranks[row->number]))
ETI_CELL_SETTER(named_row, share, eti__double_cell(row->groups->shares[row->number]))
ETI_CELL_SETTER(named_row, cumulative, eti__double_cell(row->groups->cumulative[row->number]))

/* Columns: the first is shown if there are several methods, the next two only in a list by block; the fourth has the name of
 * the grouping. */
enum { COLUMN_METHOD, COLUMN_BLOCK, COLUMN_RANK, COLUMN_NAME };
static const eti_column_spec columns[] = {
    {"method", ETI_TEXTS, false, "method of the runs", eti__set_group_method},
    {"block_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_block},
    {"rank", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_rank},
    {"", ETI_TEXTS, false, "key that the events have in common", set_name},
    {"p50", ETI_TIMES, false, "median self time per run", eti__set_group_p50},
    {"share", ETI_SHARES, false, "share of the total time", set_share},
    {"cumulative", ETI_SHARES, false, "share of this row and the rows above", set_cumulative},
    {"avg", ETI_TIMES, false, "mean self time per run", eti__set_group_avg},
    {"min", ETI_TIMES, false, "shortest self time in a run", eti__set_group_min},
    {"max", ETI_TIMES, false, "longest self time in a run", eti__set_group_max},
    {"events", ETI_COUNTS, false, "events in the group", eti__set_group_events},
    {"calls", ETI_COUNTS, false, "calls of events, after the warm-up", eti__set_group_calls},
    {"total", ETI_TIMES, false, "self time of all runs after the warm-up", eti__set_group_total},
};

static bool make_row(const eti_method_part *part, size_t number, const eti_column_spec *specs,
                     size_t n_specs, eti_row *out) {
    const group_rows *rows = (const group_rows *)part;
    const eti_groups *groups = &rows->groups;
    named_row row = {
        .group = eti__group_row_of(&groups->rollup, &groups->rollup.groups[groups->order[number]],
                                   &out->texts),
        .rows = rows,
        .groups = groups,
        .number = number,
        .out = out,
    };
    row.group.method = part->method;
    return eti__columns_set(specs, n_specs, &row, out);
}

static void free_rows(eti_method_part *part) {
    group_rows *rows = (group_rows *)part;
    free(rows->ranks);
    eti__groups_free(&rows->groups);
}

static eti_status find_grouping(const eti_view_options *options, eti_grouping *out, uint32_t *depth,
                                eti_error *err) {
    const char *wanted = options->group ? options->group : "op";
    if (eti__grouping_parse(wanted, out, depth))
        return ETI_OK;
    const char *nearest = eti__grouping_near(wanted);
    if (nearest && strncmp(nearest, wanted, strlen(nearest)) != 0)
        return eti_fail(err, ETI_ERROR_USAGE, "%sgroup: there is no '%s': did you mean %s?",
                        eti__option_prefix(), wanted, nearest);
    return eti_fail(err, ETI_ERROR_USAGE,
                    "%sgroup: expected op, backend, module, module:DEPTH, source, block or "
                    "method, found '%s'",
                    eti__option_prefix(), wanted);
}

/* Ranks the groups of each block. False: out of memory. */
static bool rank_groups(group_rows *rows) {
    const eti_groups *groups = &rows->groups;
    rows->ranks = malloc((groups->n + 1) * sizeof *rows->ranks);
    for (size_t i = 0, rank = 0; rows->ranks && i < groups->n; i++) {
        bool is_first = i == 0 || eti__groups_block(groups, groups->order[i]) !=
                                      eti__groups_block(groups, groups->order[i - 1]);
        rank = is_first ? 1 : rank + 1;
        rows->ranks[i] = rank;
    }
    return rows->ranks != NULL;
}

/* Common data of the parts of a table. */
typedef struct shared_rows {
    eti_account *accounts; /* as for eti__rollup_make() */
    double so_far;         /* cumulative share of the parts before */
} shared_rows;

static eti_status fill_rows(eti_method_part *part, const eti_inspector *inspector,
                            const eti_view_options *options, void *context, eti_error *err) {
    group_rows *rows = (group_rows *)part;
    eti_groups *groups = &rows->groups;
    shared_rows *shared = context;
    eti_grouping grouping = ETI_BY_OP;
    uint32_t depth;
    ETI_TRY(find_grouping(options, &grouping, &depth, err));
    ETI_TRY(eti__groups_make(groups, inspector, options, grouping, depth, shared->accounts, err));
    if (options->per_block && !rank_groups(rows))
        return eti_fail_memory(err);
    for (size_t i = 0; i < groups->n; i++)
        groups->cumulative[i] += shared->so_far;
    if (groups->n > 0)
        shared->so_far = groups->cumulative[groups->n - 1];
    part->n_rows = groups->n;
    eti__rollup_join_counts(&part->rollup, &groups->rollup);
    return eti__view_check_text(inspector, groups->n_bytes, err);
}

eti_status eti__view_add_groups(eti_report *report, const char *name,
                                const eti_inspector *inspector, const eti_view_options *options,
                                eti_account *accounts, eti_error *err) {
    static const eti_method_view view = {sizeof(group_rows), fill_rows, free_rows, make_row};
    eti_column_spec named[ETI_N_COLUMNS(columns)];
    shared_rows shared = {.accounts = accounts};
    eti_grouping grouping = ETI_BY_OP;
    const eti_method_rows *rows;
    uint32_t depth;
    eti_table *table;
    ETI_TRY(find_grouping(options, &grouping, &depth, err));
    memcpy(named, columns, sizeof columns);
    named[COLUMN_NAME].name = eti__grouping_name(grouping);
    if (grouping == ETI_BY_METHOD)
        named[COLUMN_METHOD].name = NULL;
    if (!options->per_block)
        named[COLUMN_BLOCK].name = named[COLUMN_RANK].name = NULL;
    ETI_TRY(eti__method_rows_make(&table, &rows, &view, named, ETI_N_COLUMNS(named), inspector,
                                  options, &shared, err));
    table->most_drawn = eti__view_most_drawn(inspector);
    ETI_TRY(eti__report_add(report, name, NULL, table, err));
    ETI_TRY(eti__view_note_warm_up(report, inspector, &rows->counts.runs, err));
    ETI_TRY(eti__view_note_slow_runs(report, &rows->counts, err));
    if (grouping == ETI_BY_OP || eti__grouping_of_record(grouping))
        ETI_TRY(eti__view_note_program(report, inspector, &rows->counts.attributed, err));
    if (grouping == ETI_BY_OP)
        ETI_TRY(eti__view_note_rounding(report, &rows->counts.rounding, err));
    return eti__view_note_uncounted(report, rows->counts.n_uncounted, err);
}

eti_status eti__view_groups(eti_report *report, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) {
    eti_grouping grouping = ETI_BY_OP;
    uint32_t depth;
    ETI_TRY(find_grouping(options, &grouping, &depth, err));
    ETI_TRY(eti__view_add_groups(report, "groups", inspector, options, NULL, err));
    const char *of_record = eti__grouping_of_record(grouping);
    return of_record ? eti__view_note_record(report, inspector, of_record, err) : ETI_OK;
}
