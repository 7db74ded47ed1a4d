/*
 * diff_row.h - pairs of blocks, and rows with both sides of a total, an Event or a group.
 */
#ifndef ETI_COMPARE_DIFF_ROW_H
#define ETI_COMPARE_DIFF_ROW_H

#include "compare/match.h"
#include "compare/profile.h"
#include "stats/verdict.h"

typedef struct eti_diff_row {
    /* NULL: added or removed. Of a group: its largest event on that side. */
    const eti_entry *base, *new_side;
    eti_text block;   /* name of the EventBlock */
    eti_text name;    /* of the entry on the new side, if it is there, or of the group */
    uint8_t match;    /* an eti_match_kind; ETI_MATCH_SAME for totals */
    uint8_t verdict;  /* an eti_verdict */
    bool is_compared; /* `comparison` and `adjusted_p` are there */
    bool is_paced;    /* samples were divided by the pace of their runs */
    /* files of a side differ as much as the sides: nothing counts as a change */
    bool files_disagree;
    uint32_t pair;        /* number of the pair of blocks */
    size_t n_base, n_new; /* samples; 0 on a side without the entry */
    eti_sample_set samples_base,
        samples_new; /* as measured, by run; none where they are not kept */
    size_t n_needed; /* samples a side without which nothing can be significant */
    size_t n_events_base, n_events_new; /* of a group; otherwise 0 or 1 */
    double p50_base, p50_new;           /* as measured, target scale; NaN where the side has none */
    double ratio; /* comparison.ratio, or that of the medians; NaN where a side is missing */
    double delta; /* p50_new - p50_base, where a missing one counts as 0 */
    double share_base,
        share_new; /* of the total (ETI_ENTRY_EXECUTE) of its block; NaN where unknown */
    /* delta / p50_base of that total: 0.02 means that the whole takes 2 % longer by it */
    double impact;
    eti_comparison comparison;
    double adjusted_p;
} eti_diff_row;

typedef struct eti_diff_rows {
    eti_diff_row *rows;
    size_t n;
    size_t n_family;   /* rows that are compared: they were tested together */
    size_t n_disagree; /* rows that would count as slower or faster, did their files agree */
    double mean_ratio; /* geometric, of the rows with a ratio */
} eti_diff_rows;

/* A pair of blocks; NULL: only one side has it. */
typedef struct eti_diff_pair {
    const eti_profile_block *base, *new_side;
    const eti_entry *total_base, *total_new; /* ETI_ENTRY_EXECUTE, or NULL */
    /* Per run; NULL: samples are compared as they are. */
    double *paces_base, *paces_new;
} eti_diff_pair;

/* Groups are of one pair of blocks each. Borrows from both profiles. */
typedef struct eti_diff {
    const struct eti_profile *base, *new_side;
    eti_diff_options options;
    eti_arena arena;
    eti_diff_pair *pairs;
    size_t n_pairs;
    eti_diff_rows totals;    /* in the order of blocks and kinds */
    eti_diff_rows events;    /* largest |impact| first */
    eti_diff_rows groups;    /* likewise; none unless options.group */
    eti_diff_rows allocated; /* in the order of blocks; numbers are bytes, shares unknown */
} eti_diff;

/* Returns a row with the fields that need neither tests nor shares; either side may be absent. */
eti_diff_row eti__diff_row_of(const eti_diff *diff, uint32_t pair, const eti_entry *base,
                              const eti_entry *new_side);

/* Fills the row's ratio, delta, impact and share of the total, from its medians. */
void eti__diff_set_shares(const eti_diff *diff, eti_diff_row *row);

#endif
