/*
 * outcome.h - turns the changes that were found, and those that could have been found, into an
 * answer in words.
 */
#ifndef ETI_COMPARE_OUTCOME_H
#define ETI_COMPARE_OUTCOME_H

#include "base/text.h"
#include "compare/compare.h"

bool eti__evidence_is_enough(const eti_evidence *evidence);

/* Returns "slower", "not slower" or "cannot tell". */
const char *eti__outcome_name(eti_outcome outcome);

/* ---- words ----------------------------------------------------------------------------------- */

/* Appends the leading sentence as one line: "slower: addmm by 18.2 % (+12.1 to +24.3 %); ...". */
void eti__add_answer(eti_buffer *out, const eti_answer *answer);
/* Returns whether a row with a verdict of slower or faster is so as measured, and not only relative to the level. */
bool eti__is_so_as_measured(const eti_diff_row *row);

/* Returns whether the level of a pair differs enough to be visible in numbers of three digits; ratios relative to it
 * are then marked. */
bool eti__has_level(const eti_diff_pair *pair);

#endif
