/*
 * parts.h - pieces that the sources of the room share.
 */
#ifndef ETI_COMPARE_PARTS_H
#define ETI_COMPARE_PARTS_H

#include "compare/compare.h"
#include "program/program.h"

/* ==== steps of diff.c ========================================================================= */

/* Sets base_factor and base_scale. Fails with ETI_ERROR_USAGE if the times of the sides cannot be
 * converted to each other. */
eti_status eti__diff_find_scale(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* Pairs blocks, and makes a row of each total and each event. Fails with ETI_ERROR_MEMORY. */
eti_status eti__diff_match_blocks(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;
eti_status eti__diff_list_rows(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* Adds the clocks of both sides. Returns false if memory runs out. */
bool eti__diff_add_clocks(eti_diff *diff) ETI_WARN_UNUSED;

/* Makes a row of each group of events with an equal property diff->options.group. Fails with
 * ETI_ERROR_USAGE if there is no such grouping, or with ETI_ERROR_MEMORY. */
eti_status eti__diff_list_groups(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* Fills the row's locations, ratio and shares of `total`, the row of its block's total; NULL: no total. `scratch` has room
 * for the units of a side. */
void eti__diff_set_sizes(const eti_diff *diff, eti_diff_row *row, const eti_diff_row *total,
                         double *scratch);

/* Chooses the families of tests, finds levels and changes, and judges all rows. Fails with
 * ETI_ERROR_MEMORY. */
eti_status eti__diff_judge(eti_diff *diff, eti_error *err) ETI_WARN_UNUSED;

/* Fills delta and impact after the row was judged. */
void eti__diff_set_delta(eti_diff_row *row, const eti_diff_row *total);

/* Sorts the rows of events or groups, and sets n_changed. Fails with ETI_ERROR_MEMORY. */
eti_status eti__diff_sort_rows(eti_diff_rows *rows, eti_error *err) ETI_WARN_UNUSED;

struct grouper;

/* ==== rows ==================================================================================== */

/* Returns a row with the members that need neither units nor tests; either side may be absent. */
eti_diff_row eti__diff_row_of(const eti_diff *diff, uint32_t pair, const eti_entry *base,
                              const eti_entry *new_side);

/* Returns the typical ticks of an entry in all runs of its block: the median of each file x its runs. */
double eti__entry_typical(const eti_profile_block *block, const eti_entry *entry);

/* Returns whether the rows must name their block. */
bool eti__diff_rows_name_blocks(const eti_diff *diff, const eti_diff_rows *rows);

/* Fills the values of a row in the units of its block by a metric, in ticks of the new side, base first; `out` has room for
 * pair->n_base + pair->n_new values. Returns false if a value is unknown. */
bool eti__diff_row_metric(const eti_diff *diff, const eti_diff_row *row, eti_metric metric,
                          double *out);

/* Returns the step of an event's clock, in ticks of the new side; the coarser one if the clocks of the sides
 * count different units. */
double eti__diff_clock_step(const eti_diff *diff, const eti_entry *entry);

/* A property by which events are grouped. */
typedef struct eti_diff_grouping {
    const char *name, *nouns, *alike; /* "module", "modules", "all modules alike" */
    bool has_gaps;                    /* recorded results can be grouped, too */
    const char *unknown;              /* name of the group of events without the property */
    /* Finds the property; leaves `*out` absent if it is unknown. Returns false if memory runs out. */
    bool (*find_name)(struct grouper *g, const eti_entry *entry, eti_text *out);
} eti_diff_grouping;

/* Returns NULL if there is no such grouping, or no name. */
const eti_diff_grouping *eti__find_diff_grouping(const char *name);
static inline bool eti__has_gaps(const eti_diff_grouping *grouping) {
    return grouping && grouping->has_gaps;
}

/* ==== shared times ============================================================================ */

/* Typical times of rows on each side, and of those rows that both sides have. */
typedef struct eti_shared_times {
    double base, new_side;
    double of_base, of_new_side;
} eti_shared_times;

/* Adds a row; does nothing if it is a rest or counts cycles. */
void eti__add_shared(eti_shared_times *times, const eti_diff_row *row);

/* ==== words =================================================================================== */

/* Appends a name, shortened if it is long. */
void eti__add_row_name(eti_buffer *out, eti_text name);

/* Returns "slower", "not slower" or "cannot tell". */
const char *eti__outcome_name(eti_outcome outcome);

/* Appends the leading sentence as one line: "slower: addmm is 18.2 % slower (between 12.1 % and 24.3 %); ...". */
void eti__add_answer(eti_buffer *out, const eti_answer *answer);

/* Appends the kind of events that differs most from the others, such as "addmm (12 events)". */
void eti__add_odd_kind(eti_buffer *out, const eti_family *family);

/* ==== notes =================================================================================== */
/* As in compare.h: lines about a comparison. All fail with ETI_ERROR_MEMORY. */

/* Adds peculiarities of the evidence: runs that depend on the previous ones, and files that are copies. */
eti_status eti__note_evidence(eti_report *report, const eti_diff *diff,
                              eti_error *err) ETI_WARN_UNUSED;

/* Names events that are hard to judge because the step of their clock is a large part of their time. */
eti_status eti__note_steps(eti_report *report, const eti_diff *diff,
                           eti_error *err) ETI_WARN_UNUSED;

/* Adds the names of events that were renamed, added or removed: a few of each kind, with the number of events of a
 * name. */
eti_status eti__note_matches(eti_report *report, const eti_diff *diff,
                             eti_error *err) ETI_WARN_UNUSED;

/* Adds the number of events that were checked. */
eti_status eti__note_coverage(eti_report *report, const eti_diff *diff,
                              eti_error *err) ETI_WARN_UNUSED;

/* ==== reports ================================================================================= */

/* Adds the section "summary": one row for programs; people read its notes, which begin with the answer. The tables
 * copy all data that they need. Fails with ETI_ERROR_MEMORY. */
eti_status eti__diff_add_summary(eti_report *report, const eti_diff *diff, const eti_answer *answer,
                                 eti_error *err) ETI_WARN_UNUSED;

/* Adds the section "files": a row for each file of each EventBlock, with its level and its total. Fails with
 * ETI_ERROR_MEMORY. */
eti_status eti__diff_add_files(eti_report *report, const eti_diff *diff,
                               eti_error *err) ETI_WARN_UNUSED;

/* Reports the changes from one program to another: bytes by category and arena, operators and delegates, and the places of
 * planned tensors. The profiles have a program each and no times. Fails with ETI_ERROR_USAGE if a side has no
 * program or options.group is given, or with ETI_ERROR_LIMIT or ETI_ERROR_MEMORY. */
eti_status eti__program_diff_report(eti_report **out, const eti_profile *base,
                                    const eti_profile *new_side, const eti_diff_options *options,
                                    eti_error *err) ETI_WARN_UNUSED;

/* Adds a section of planned tensors without rows to the report. Fails with ETI_ERROR_MEMORY. */
eti_status eti__moved_tensors_begin(eti_table **out, eti_report *report,
                                    eti_error *err) ETI_WARN_UNUSED;

/* Adds a row for each tensor of a method that one side lacks, or that has another place or size. Numbers of values differ
 * between exports: a tensor is identified by its role, its name or the operator that writes it, its type and its shape; of
 * several equal ones, the k-th of one program corresponds to the k-th of the other. Fails with ETI_ERROR_MEMORY. */
eti_status eti__moved_tensors_add(eti_table *table, eti_text method, const eti_planned_arenas *base,
                                  const eti_planned_arenas *new_side,
                                  eti_error *err) ETI_WARN_UNUSED;

#endif
