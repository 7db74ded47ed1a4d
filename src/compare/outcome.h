/*
 * outcome.h - turns the changes that were found, and those that could have been found, into an
 * answer in words.
 *
 * diff, gate and measure give the same answers: "slower"; "not slower", if a relevant change would
 * have been found; or "cannot tell", with the reason and a remedy. A gate fills the evidence of
 * each rule itself.
 */
#ifndef ETI_COMPARE_OUTCOME_H
#define ETI_COMPARE_OUTCOME_H

#include "base/text.h"
#include "compare/row_label.h"
#include "stats/stats.h"
#include "table/table.h"

typedef enum eti_outcome {
    ETI_OUTCOME_SLOWER,
    ETI_OUTCOME_NOT_SLOWER, /* not slower, and `most_detectable` or less would have been found */
    ETI_OUTCOME_CANNOT_TELL,
} eti_outcome;

/* Describes the changes that a comparison could have found. */
typedef struct eti_evidence {
    size_t n_base, n_new; /* number of files; of runs with one_process */
    size_t fewest;        /* smallest number of files per side for a verdict */
    bool one_process;     /* see the option */
    bool has_equal_ticks; /* in every file, all runs of each event took the same number of ticks */
    double total_detectable; /* as a share; NaN if no total was tested */
    /* standard deviation of a total between files of one side, as a share */
    double total_deviation;
    double event_detectable; /* of the family's median event; NaN if no event was tested */
    double most_detectable;  /* larger shares do not allow an answer */
    bool
        is_raised; /* most_detectable is more than the option asks for, see eti__most_detectable() */
    /* number of files per side with which no share would be larger; 0 if unknown; may reach ETI_TOO_MANY_FILES */
    size_t n_needed;
} eti_evidence;

/* Returns a cell with the number of files that are needed; empty if it is unknown or no such number suffices. */
static inline eti_cell eti__files_needed_cell(size_t n_needed) {
    if (n_needed == 0 || n_needed >= ETI_TOO_MANY_FILES)
        return (eti_cell){.kind = ETI_CELL_NONE};
    return eti__count_cell(n_needed);
}

/* If events that both sides have take less than this share of the time of a side, the sides have little in common. */
#define ETI_LITTLE_IN_COMMON 0.5

/* Holds everything that the leading sentence of a comparison states. */
typedef struct eti_answer {
    eti_outcome outcome;
    eti_evidence evidence;
    size_t n_slower, n_faster;  /* number of events; of groups if `parts` are groups */
    const eti_diff_rows *parts; /* the events, or the groups, that n_slower and n_faster count */
    double level; /* level of the block of the first of these, new / base; 1 if it is not visible */
    const eti_diff_row *total; /* worst of the judged totals; NULL if none is judged */
    /* judged event with the largest increase of time; NULL if no event takes longer */
    const eti_diff_row *largest;
    /* share of each side's time in events that both have; NaN if unknown */
    double shared_base, shared_new;
    bool names_blocks; /* there are several blocks, so rows are named with theirs */
} eti_answer;

/* Fills the evidence of a comparison, and its answer. Borrows from `diff`. */
eti_evidence eti__diff_evidence(const eti_diff *diff);
eti_answer eti__diff_answer(const eti_diff *diff);

/* Returns the change, as a share, that must be detectable for an answer: `detectable`, or more if changes up to
 * `least_effect` are ignored, because a change of exactly that effect is never detected with certainty. */
double eti__most_detectable(double detectable, double least_effect);

/* Return whether there are enough files, and whether the detectable changes are small enough. */
bool eti__evidence_has_files(const eti_evidence *evidence);
bool eti__evidence_is_enough(const eti_evidence *evidence);

/* Returns "slower", "not slower" or "cannot tell". */
const char *eti__outcome_name(eti_outcome outcome);

/* ---- words ----------------------------------------------------------------------------------- */

/* Appends the leading sentence as one line: "slower: addmm by 18.2 % (+12.1 to +24.3 %); ...". */
void eti__add_answer(eti_buffer *out, const eti_answer *answer);
/* Append parts of the sentence: "a change of the total by 6 %, of half of the events by 5 %, would have been found",
 * and "the total differs by 16 % between files ..., about 24 files per side are needed" or "1 file per side, ...". */
void eti__add_detectable(eti_buffer *out, const eti_evidence *evidence);
void eti__add_doubt(eti_buffer *out, const eti_evidence *evidence);
/* Appends "5 and 5 files", or runs. */
void eti__add_units(eti_buffer *out, const eti_evidence *evidence);
/* Returns whether a row with a verdict of slower or faster is so as measured, and not only relative to the level. */
bool eti__is_so_as_measured(const eti_diff_row *row);

/* Appends a row that is slower or faster, such as "addmm by 18.2 % (+12.1 % to +24.3 %; as measured +50.0 %)". */
void eti__add_changed_row(eti_buffer *out, const eti_diff_row *row, bool names_block);
/* Number of events that were not checked for a reason. */
typedef struct eti_reason {
    size_t n;
    const char *words;
} eti_reason;

/* Appends the reasons with a number above 0, such as "274 below min_share, 3 with a time of 0"; `before` precedes the
 * first. */
void eti__add_reasons(eti_buffer *out, const char *before, const eti_reason *reasons, size_t n);
/* Appends "checked 11 of 285 events (97.1 % of the time); 274 below min_share, 3 with a time of 0". */
void eti__add_coverage(eti_buffer *out, const eti_coverage *coverage);

/* Returns whether the level of a pair differs enough to be visible in numbers of three digits; ratios relative to it
 * are then marked. */
bool eti__has_level(const eti_diff_pair *pair);

/* Ends each answer with one_process, because such an answer does not apply to the program in general. */
#define ETI_ONE_PROCESS_NOTE                                                                       \
    "this applies only to the runs of these processes; another process of the same program may "   \
    "differ"

#endif
