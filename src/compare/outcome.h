/*
 * outcome.h - turns the changes that were found, and those that could have been found, into an
 * answer in words.
 */
#ifndef ETI_COMPARE_OUTCOME_H
#define ETI_COMPARE_OUTCOME_H

#include "base/text.h"
#include "compare/compare.h"

/* Returns "slower", "not slower" or "cannot tell". */
const char *eti__outcome_name(eti_outcome outcome);

/* ---- words ----------------------------------------------------------------------------------- */

/* Appends the leading sentence as one line: "slower: addmm by 18.2 % (+12.1 to +24.3 %); ...". */
void eti__add_answer(eti_buffer *out, const eti_answer *answer);

/* Appends the kind of events that differs most from the others, such as "addmm (12 events)". */
void eti__add_odd_kind(eti_buffer *out, const eti_family *family);

#endif
