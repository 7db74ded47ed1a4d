/*
 * outcome.h - turns the changes that were found, and those that could have been found, into an
 * answer in words.
 *
 * diff, gate and measure have the same answers: "slower"; "not slower", if a change worth naming
 * would have been found; or "cannot tell", with the reason and a remedy. A gate fills the evidence
 * of each rule by itself.
 */
#ifndef ETI_COMPARE_OUTCOME_H
#define ETI_COMPARE_OUTCOME_H

#include "base/percent.h"
#include "compare/diff_row.h"
#include "table/cell.h"

typedef enum eti_outcome {
    ETI_OUTCOME_SLOWER,
    ETI_OUTCOME_NOT_SLOWER, /* and `most_detectable` or less would have been found */
    ETI_OUTCOME_CANNOT_TELL,
} eti_outcome;

/* Describes which changes a comparison could have found. */
typedef struct eti_evidence {
    size_t n_base, n_new;    /* files; with one_process runs */
    size_t fewest;           /* fewest files per side for a judgement */
    bool one_process;        /* as the option */
    bool has_equal_ticks;    /* in every file, all runs of each event took the same ticks */
    double total_detectable; /* as a share; NaN: none was tested */
    double
        total_deviation; /* standard deviation of a total between files of one side, as a share */
    double event_detectable; /* of the median event of the family; NaN: none was tested */
    double most_detectable;  /* shares above this are no answer */
    size_t
        n_needed; /* files per side with which they would not be above; 0: unknown; ETI_TOO_MANY_FILES or more */
} eti_evidence;

/* Returns a cell with a number of files that are needed, without one where it is unknown or no such number would do. */
static inline eti_cell eti__files_needed_cell(size_t n_needed) {
    if (n_needed == 0 || n_needed >= ETI_TOO_MANY_FILES)
        return (eti_cell){.kind = ETI_CELL_NONE};
    return eti__count_cell(n_needed);
}

/* Everything that the leading sentence of a comparison says. */
typedef struct eti_answer {
    eti_outcome outcome;
    eti_evidence evidence;
    size_t n_slower, n_faster;  /* events; groups where none of these is */
    const eti_diff_rows *parts; /* the events, or the groups, that n_slower and n_faster count */
    double level; /* of the block of the first of these, new / base; 1: none that is seen */
    const eti_diff_row *total; /* of those that are judged the worst; NULL: none is */
    const eti_diff_row
        *largest; /* the judged event that takes the most time more; NULL: none does */
    /* share of each side's time in events that both have; NaN: unknown */
    double shared_base, shared_new;
} eti_answer;

/* Fills the evidence of a comparison, and its answer. Borrows from `diff`. */
eti_evidence eti__diff_evidence(const eti_diff *diff);
eti_answer eti__diff_answer(const eti_diff *diff);

/* Returns the change, as a share, that must have been detectable for an answer: `detectable`, or
 * more if changes up to `least_effect` are ignored, because that effect itself is never found for
 * certain. */
double eti__most_detectable(double detectable, double least_effect);

/* Returns whether there are files enough, and whether what could have been found is small enough. */
bool eti__evidence_has_files(const eti_evidence *evidence);
bool eti__evidence_is_enough(const eti_evidence *evidence);

/* Returns "slower", "not slower" or "cannot tell". */
const char *eti__outcome_name(eti_outcome outcome);

/* ---- words ----------------------------------------------------------------------------------- */

/* Appends the whole leading sentence, one line: "slower: addmm by 18.2 % (+12.1 to +24.3 %); ...". */
void eti__add_answer(eti_buffer *out, const eti_answer *answer);
/* Appends its parts: "a change of the total by 6 %, of half of the events by 5 %, would have been found", and "the total
 * differs by 16 % between files ..., about 24 files per side are needed" or "1 file per side, ...". */
void eti__add_detectable(eti_buffer *out, const eti_evidence *evidence);
void eti__add_doubt(eti_buffer *out, const eti_evidence *evidence);
/* Appends "5 and 5 files", or runs. */
void eti__add_units(eti_buffer *out, const eti_evidence *evidence);
/* Appends a name, cut where it is long. */
void eti__add_row_name(eti_buffer *out, eti_text name);
/* Whether a row that is slower or faster is that as measured, and not only relative to the level. */
bool eti__is_so_as_measured(const eti_diff_row *row);

/* Appends "addmm by 18.2 % (+12.1 % to +24.3 %; as measured +50.0 %)": a row that is slower or faster. */
void eti__add_changed_row(eti_buffer *out, const eti_diff_row *row);
/* Number of events that were not checked, and why. */
typedef struct eti_reason {
    size_t n;
    const char *words;
} eti_reason;

/* Appends "274 below min_share, 3 with a time of 0": the reasons that hold for any, the first one after `before`. */
void eti__add_reasons(eti_buffer *out, const char *before, const eti_reason *reasons, size_t n);
/* Appends "checked 11 of 285 events (97.1 % of the time); 274 below min_share, 3 with a time of 0". */
void eti__add_coverage(eti_buffer *out, const eti_coverage *coverage);

/* Whether the level of a pair differs enough to be visible in numbers of three digits: ratios
 * relative to it are then marked. */
bool eti__has_level(const eti_diff_pair *pair);

/* Ends each answer with one_process, which does not apply to the program in general. */
#define ETI_ONE_PROCESS_NOTE                                                                       \
    "this applies only to the runs of these processes; another process of the same program may "   \
    "differ"

#endif
