/*
 * scope.h - finds the rows that a rule is about, and whether the sides are alike.
 */
#ifndef ETI_GATE_SCOPE_H
#define ETI_GATE_SCOPE_H

#include "base/text.h"
#include "compare/compare.h"
#include "etinspect.h"
#include "gate/gate.h"

/* ==== scope =================================================================================== */

/* Finds the comparison that the rule needs, and makes it if no earlier rule needed it. Fails with ETI_ERROR_USAGE if
 * it cannot be made, with ETI_ERROR_LIMIT if there are too many, or with ETI_ERROR_DATA or ETI_ERROR_MEMORY. */
eti_status eti__gate_find_diff(eti_gate *gate, const eti_gate_rule *rule, const eti_diff **out,
                               eti_error *err) ETI_WARN_UNUSED;

/* Returns the rows from which the rule selects. */
const eti_diff_rows *eti__gate_rows_of(const eti_gate_rule *rule, const eti_diff *diff);

/* Returns whether the pattern of an exception matches a total, an event or a group on either side. */
bool eti__gate_fits_anything(const eti_gate *gate, eti_text pattern);

/* Returns whether the row is in the scope of the rule and matches its pattern. */
bool eti__gate_is_about(const eti_gate_rule *rule, const eti_diff_row *row);

/* Returns whether a pattern matches the name of a row or, for an event, its operator. */
bool eti__gate_fits(eti_text pattern, const eti_gate_rule *rule, const eti_diff_row *row);

/* Appends that a side has no ETRecord, without which the rule cannot match, and what to give; appends nothing if the rule
 * can match events of both sides. If both sides lack it, their events still have operators, which are their names; this is
 * appended only if the rule selects by something else, or `is_unfit`: it matches nothing. */
void eti__gate_add_lacking_record(eti_buffer *out, const eti_gate_rule *rule, const eti_diff *diff,
                                  bool is_unfit);

/* Fails with ETI_ERROR_USAGE because the rule matches nothing on either side; the message suggests the most similar
 * name, or an ETRecord. */
eti_status eti__gate_fail_unfit(const eti_gate_rule *rule, const eti_diff *diff,
                                eti_error *err) ETI_WARN_UNUSED;

/* ==== unlike ================================================================================== */

/* Finds why a rule with these n checks, none of which is broken, must not pass: only the base has a block that the rule
 * is about, the sides of a block have little in common, or warm-up took many more runs of the new side. Returns false if
 * memory runs out. */
bool eti__gate_find_unlike(const eti_gate_rule *rule, const eti_diff *diff, const eti_check *checks,
                           size_t n, eti_unlike *out);

/* Append why rule number `rule` with the outcome ETI_RULE_UNLIKE is undecided, and what to do. */
void eti__gate_add_unlike(eti_buffer *out, const eti_gate *gate, size_t rule);
void eti__gate_add_unlike_remedy(eti_buffer *out, const eti_gate *gate, size_t rule);

#endif
