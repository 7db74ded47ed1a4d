/*
 * diff.h - turns two profiles into what changed between them: totals, events and groups of events, with how
 * certain that is.
 *
 * Blocks are paired by name and bundled input, the k-th with the k-th; their events by match.h. Events are one
 * family of tests, totals another, groups a third: within each, p-values are adjusted by Holm's method.
 *
 * An event is known by kind, name and operators; by module and the code of its source line where the record knows
 * these, otherwise by debug handles and delegate id, which an operator that is inserted before it changes.
 *
 * The samples of events and groups are divided by the pace of their runs (stats/pace.h), as far as these
 * tell; totals never are. Where a side has several files, these must tell of the change as well (diff_files.c).
 * What is shown of both sides, p50 and delta, is always as measured; ratio, interval, shift and
 * p are those of the samples as compared.
 */
#ifndef ETI_COMPARE_DIFF_H
#define ETI_COMPARE_DIFF_H

#include "compare/match.h"
#include "compare/profile.h"
#include "stats/verdict.h"

typedef enum eti_diff_verdict {
    ETI_DIFF_NOISE,
    ETI_DIFF_SLOWER,
    ETI_DIFF_FASTER,
    ETI_DIFF_TOO_FEW, /* samples on one side or both: n_needed would do */
    ETI_DIFF_ADDED,
    ETI_DIFF_REMOVED,
    ETI_DIFF_UNTESTED, /* a baseline without samples: there are medians, but no test */
    ETI_N_DIFF_VERDICTS,
} eti_diff_verdict;

/* "slower", "~", ... */
const char *eti_diff_verdict_name(eti_diff_verdict verdict);
/* "same", "renamed", "moved", "delegated", ... */
const char *eti_match_kind_name(eti_match_kind kind);

typedef struct eti_diff_row {
    /* NULL: added or removed. Of a group: its largest event on that side. */
    const eti_entry *base, *new_side;
    eti_text block;   /* name of the EventBlock */
    eti_text name;    /* of the entry on the new side, if it is there, or of the group */
    uint8_t match;    /* an eti_match_kind; ETI_MATCH_SAME for totals */
    uint8_t verdict;  /* an eti_diff_verdict */
    bool is_compared; /* `comparison` and `adjusted_p` are there */
    bool is_paced;    /* samples were divided by the pace of their runs */
    bool
        files_disagree; /* files of a side differ as much as the sides: nothing counts as a change */
    uint32_t pair;      /* number of the pair of blocks */
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
    double
        impact; /* delta / p50_base of that total: 0.02 means that the whole takes 2 % longer by it */
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

/* ETI_ERROR_USAGE: options out of range, an unknown group, or sides that are not alike (time scale, method, labels that
 * both have) unless options.allow_unlike; ETI_ERROR_DATA: no pair of blocks; ETI_ERROR_MEMORY. To be freed in any case. */
eti_status eti_diff_make(eti_diff *out, const struct eti_profile *base,
                         const struct eti_profile *new_side, const eti_diff_options *options,
                         eti_error *err) ETI_WARN_UNUSED;
void eti_diff_free(eti_diff *diff);

/* ETI_ERROR_USAGE: a number is out of range. */
eti_status eti_diff_check_options(const eti_diff_options *options, eti_error *err) ETI_WARN_UNUSED;

/* Whether times may be compared: the same time scales, methods and labels, where both sides have them; labels that
 * tell builds apart (commit, build, date, branch, version) may differ. ETI_ERROR_USAGE names what differs. */
eti_status eti_profiles_check_alike(const struct eti_profile *base,
                                    const struct eti_profile *new_side,
                                    eti_error *err) ETI_WARN_UNUSED;

#endif
