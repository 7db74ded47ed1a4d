#include "view/groups.h"

#include "view/view.h"
#include "view_events/view_events.h"

#include <stdlib.h>
#include <string.h>

/* ==== method rows ============================================================================= */

static bool make_method_row(const void *context, size_t number, eti_row *out) {
    const eti_method_rows *rows = context;
    size_t at = eti__last_not_above(rows->first_rows, rows->n_parts, number);
    return rows->view->make_row(rows->parts[at], number - rows->first_rows[at], rows->columns,
                                rows->n_columns, out);
}

static void free_method_rows(void *context) {
    eti_method_rows *rows = context;
    for (size_t i = 0; i < rows->n_parts; i++) {
        rows->view->free(rows->parts[i]);
        eti__rollup_free(&rows->parts[i]->rollup);
        free(rows->parts[i]);
    }
    eti__summed_methods_free(&rows->methods);
    free(rows);
}

static eti_status take_part(eti_method_rows *rows, const eti_inspector *inspector,
                            const eti_summed_method *method, void *context, eti_error *err) {
    eti_method_part *part = calloc(1, rows->view->part_size);
    if (!part)
        return eti_fail_memory(err);
    part->method = method->name;
    rows->parts[rows->n_parts++] = part;
    ETI_TRY(rows->view->take(part, inspector, &method->options, context, err));
    rows->first_rows[rows->n_parts] = rows->first_rows[rows->n_parts - 1] + part->n_rows;
    eti__rollup_join_counts(&rows->counts, &part->rollup);
    return ETI_OK;
}

static eti_status take_parts(eti_method_rows *rows, const eti_inspector *inspector,
                             const eti_view_options *options, void *context, eti_error *err) {
    ETI_TRY(eti__summed_methods_find(&rows->methods, inspector, options, err));
    if (rows->methods.n == 1)
        rows->columns[0].name = NULL;
    for (size_t i = 0; i < rows->methods.n; i++)
        ETI_TRY(take_part(rows, inspector, &rows->methods.items[i], context, err));
    return ETI_OK;
}

eti_status eti__method_rows_make(eti_table **table, const eti_method_rows **out,
                                 const eti_method_view *view, const eti_column_spec *columns,
                                 size_t n_columns, const eti_inspector *inspector,
                                 const eti_view_options *options, void *context, eti_error *err) {
    eti_method_rows *rows = calloc(1, sizeof *rows);
    if (!rows)
        return eti_fail_memory(err);
    *out = rows;
    rows->view = view;
    rows->n_columns = n_columns;
    memcpy(rows->columns, columns, n_columns * sizeof *columns);
    eti_status status = take_parts(rows, inspector, options, context, err);
    if (status != ETI_OK) {
        free_method_rows(rows);
        return status;
    }
    eti_row_source source = {make_method_row, free_method_rows, rows};
    return eti__columns_make_rows(table, rows->columns, n_columns, rows->first_rows[rows->n_parts],
                                  source, eti__view_unit(inspector, options), err);
}

/* ==== attributed ============================================================================== */

/* Shares of the time from which the advice to add the program is given. */
#define LEAST_IN_DELEGATES 0.2
#define LEAST_NOT_SURE 0.5

/* Kinds of attribution, the most certain first, with the words of those that have no name of their own. */
static const struct {
    eti_attribution attribution;
    const char *text;
} kinds[] = {
    {ETI_ATTRIBUTION_RECORDED, NULL},
    {ETI_ATTRIBUTION_EXACT, NULL},
    {ETI_ATTRIBUTION_ALIGNED, NULL},
    {ETI_ATTRIBUTION_INFERRED, NULL},
    {ETI_ATTRIBUTION_CALL, "known only for the call as a whole"},
    {ETI_ATTRIBUTION_NONE, "unknown"},
};

eti_status eti__overview_note_attribution(eti_report *report, const eti_overview *data,
                                          eti_error *err) {
    const eti_wide *times = data->rollup.attributed.of;
    double logged = eti__attributed_times_logged(&data->rollup.attributed);
    eti_buffer text = {0};
    const char *separator = "";
    if (logged <= eti__wide_as_double(times[ETI_ATTRIBUTION_NONE]))
        return ETI_OK;
    eti__buffer_add_string(&text, "time logged by delegates, by node of the model: ");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        double time = eti__wide_as_double(times[kinds[i].attribution]);
        if (time == 0)
            continue;
        eti__buffer_add_string(&text, separator);
        eti__add_share(&text, time / logged);
        eti__buffer_add_char(&text, ' ');
        if (kinds[i].text)
            eti__buffer_add_string(&text, kinds[i].text);
        else
            eti__attribution_add_words(&text, (uint8_t)kinds[i].attribution);
        separator = ", ";
    }
    return eti__report_take_note(report, &text, err);
}

/* Returns whether much of the time is in delegates whose operators are uncertain. */
static bool would_tell(const eti_attributed_times *times) {
    double logged = eti__attributed_times_logged(times);
    return logged > 0 &&
           eti__wide_as_double(times->in_delegates) >=
               LEAST_IN_DELEGATES * eti__wide_as_double(times->whole) &&
           eti__wide_as_double(times->seen_by_program) >= LEAST_NOT_SURE * logged;
}

void eti__program_hint(eti_buffer *text, const eti_inspector *inspector,
                       const eti_attributed_times *times, bool names_options) {
    if (inspector->n_programs > 0 || inspector->options.no_attribution || !would_tell(times))
        return;
    const char *prefix = eti__option_prefix();
    double share = eti__wide_as_double(times->in_delegates) / eti__wide_as_double(times->whole);
    eti__add_share(text, share);
    eti__buffer_add_string(text, " of the time is in delegates: give ");
    eti__buffer_add_string(text, eti__uses_record(inspector) ? "the program too"
                                                             : "the ETRecord and the program");
    if (!names_options)
        eti__buffer_add_string(text, " (.pte)");
    else if (eti__uses_record(inspector))
        eti__buffer_printf(text, " (%sprogram_path model.pte)", prefix);
    else
        eti__buffer_printf(text, " (%setrecord_path, %sprogram_path)", prefix, prefix);
    eti__buffer_add_string(text, " to see its layers");
}

eti_status eti__view_note_program(eti_report *report, const eti_inspector *inspector,
                                  const eti_attributed_times *times, eti_error *err) {
    eti_buffer text = {0};
    eti__program_hint(&text, inspector, times, true);
    return text.size > 0 || text.failed ? eti__report_take_note(report, &text, err) : ETI_OK;
}

/* ==== groups ================================================================================== */

/* Source of the rows. */
typedef struct group_rows {
    eti_method_part part; /* first: see groups.h */
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
ETI_CELL_SETTER(named_row, cumulative, eti__double_cell(row->groups->cumulative[row->number]))

/* Columns: the first is shown if there are several methods, the next two only in a list by block; the fourth has the name of
 * the grouping. */
enum { COLUMN_METHOD, COLUMN_BLOCK, COLUMN_RANK, COLUMN_NAME };
static const eti_column_spec group_columns[] = {
    {"method", ETI_TEXTS, false, "method of the runs", eti__set_group_method},
    {"block_id", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_block},
    {"rank", ETI_TYPE_INT64, ETI_COLUMN_NUMBER, false, NULL, set_rank},
    {"", ETI_TEXTS, false, "key that the events have in common", set_name},
    ETI_GROUP_TYPICAL_COLUMN,
    ETI_GROUP_SHARE_COLUMNS,
    {"cumulative", ETI_SHARES, false, "share of this row and the rows above", set_cumulative},
    {"avg", ETI_TIMES, false, "mean self time per run", eti__set_group_avg},
    {"min", ETI_TIMES, false, "shortest self time in a run", eti__set_group_min},
    {"max", ETI_TIMES, false, "longest self time in a run", eti__set_group_max},
    {"events", ETI_COUNTS, false, "events in the group", eti__set_group_events},
    {"calls", ETI_COUNTS, false, "calls of events, after the warm-up", eti__set_group_calls},
    {"total", ETI_TIMES, false, "self time of all runs after the warm-up", eti__set_group_total},
    {"p50", ETI_TIMES, true, "median of the self times per run", eti__set_group_p50},
    ETI_GROUP_MEAN_COLUMN,
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
    row.group.whole = &groups->wholes[number];
    row.group.is_of_block = groups->per_block || groups->grouping == ETI_BY_BLOCK;
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
                    "%sgroup: expected op, kernel, backend, compute_unit, module, module:DEPTH, "
                    "source, block or method, found '%s'",
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

static eti_status fill_rows(eti_method_part *part, const eti_inspector *inspector,
                            const eti_view_options *options, void *context, eti_error *err) {
    group_rows *rows = (group_rows *)part;
    eti_groups *groups = &rows->groups;
    double *so_far = context; /* cumulative share of the parts before */
    eti_grouping grouping = ETI_BY_OP;
    uint32_t depth;
    ETI_TRY(find_grouping(options, &grouping, &depth, err));
    ETI_TRY(eti__groups_make(groups, inspector, options, grouping, depth, err));
    if (options->per_block && !rank_groups(rows))
        return eti_fail_memory(err);
    for (size_t i = 0; i < groups->n; i++)
        groups->cumulative[i] += *so_far;
    if (groups->n > 0)
        *so_far = groups->cumulative[groups->n - 1];
    part->n_rows = groups->n;
    eti__rollup_join_counts(&part->rollup, &groups->rollup);
    return eti__view_check_text(inspector, groups->n_bytes, err);
}

eti_status eti__view_add_groups(eti_report *report, const char *name,
                                const eti_inspector *inspector, const eti_view_options *options,
                                eti_error *err) {
    static const eti_method_view view = {sizeof(group_rows), fill_rows, free_rows, make_row};
    eti_column_spec named[ETI_N_COLUMNS(group_columns)];
    double so_far = 0;
    eti_grouping grouping = ETI_BY_OP;
    const eti_method_rows *rows;
    uint32_t depth;
    eti_table *table;
    ETI_TRY(find_grouping(options, &grouping, &depth, err));
    memcpy(named, group_columns, sizeof group_columns);
    named[COLUMN_NAME].name = eti__grouping_name(grouping);
    if (grouping == ETI_BY_METHOD)
        named[COLUMN_METHOD].name = NULL;
    if (!options->per_block)
        named[COLUMN_BLOCK].name = named[COLUMN_RANK].name = NULL;
    ETI_TRY(eti__method_rows_make(&table, &rows, &view, named, ETI_N_COLUMNS(named), inspector,
                                  options, &so_far, err));
    table->most_drawn = eti__view_most_drawn(inspector);
    ETI_TRY(eti__report_add(report, name, NULL, table, err));
    ETI_TRY(eti__view_note_runs(report, inspector, &rows->counts.runs, err));
    ETI_TRY(eti__view_note_unsteady(report, &rows->counts, err));
    if (grouping == ETI_BY_OP || eti__grouping_of_record(grouping))
        ETI_TRY(eti__view_note_program(report, inspector, &rows->counts.attributed, err));
    if (grouping == ETI_BY_OP)
        ETI_TRY(eti__view_note_rounding(report, &rows->counts.rounding, err));
    return eti__view_note_cycles(report, &rows->counts.cycles, err);
}

eti_status eti__view_groups(eti_report *report, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) {
    eti_grouping grouping = ETI_BY_OP;
    uint32_t depth;
    ETI_TRY(find_grouping(options, &grouping, &depth, err));
    ETI_TRY(eti__view_add_groups(report, "groups", inspector, options, err));
    const char *of_record = eti__grouping_of_record(grouping);
    return of_record ? eti__view_note_record(report, inspector, of_record, err) : ETI_OK;
}
