/*
 * parts.h - pieces that the sources of the room share.
 */
#ifndef ETI_GATE_PARTS_H
#define ETI_GATE_PARTS_H

#include "base/arena.h"
#include "base/text.h"
#include "gate/gate.h"

/* ==== rule ==================================================================================== */

#define ETI_GATE_RULE_MAX_SIZE 4096              /* in bytes */
#define ETI_GATE_FILE_MAX_SIZE ((size_t)1 << 20) /* in bytes */
#define ETI_GATE_FILE_MAX_ROWS 10000

/* Returns whether a rule compares times or bytes of both sides. */
static inline bool eti__gate_compares(const eti_gate_rule *rule) {
    return rule->kind != ETI_GATE_ABSOLUTE && rule->scope != ETI_GATE_PROGRAM;
}

/* Returns the name of the metric or figure that a rule is about. */
const char *eti__gate_measure_name(const eti_gate_rule *rule);
/* Returns whether a rule is about bytes, not about time or a number of items. */
bool eti__gate_is_about_bytes(const eti_gate_rule *rule);
const char *eti__gate_scope_name(eti_gate_scope scope);

/* Parses a rule with its parts in columns; the first is a scope, a pattern of operators or, without a metric, a figure.
 * Fails like eti__gate_rule_parse(), but without a position. */
eti_status eti__gate_rule_of_parts(eti_gate_rule *out, eti_arena *arena, eti_text what,
                                   eti_text metric, eti_text limit, eti_error *err) ETI_WARN_UNUSED;

/* Stores the day, in UTC, of a time in seconds since 1970. */
void eti__day_of(int64_t seconds, char out[11]);

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

/* ==== judge =================================================================================== */

/* Adds the checks of rule number `rule`, and judges it. Fails with ETI_ERROR_USAGE if its unit does not
 * convert, it matches nothing, or the comparison cannot be made; with ETI_ERROR_LIMIT if there are too many
 * comparisons; or with ETI_ERROR_DATA or ETI_ERROR_MEMORY. */
eti_status eti__gate_apply(eti_gate *gate, uint32_t rule, eti_error *err) ETI_WARN_UNUSED;

/* Appends the figure of a check, on both sides or compared with its limit. */
void eti__gate_add_figures(eti_buffer *out, const eti_gate_rule *rule, const eti_check *check);

/* ==== message ================================================================================= */

/* Returns the total of the block that takes the most time, or NULL if no total is on both sides. */
const eti_diff_row *eti__gate_total(const eti_gate *gate);

/* Returns the name of the unit of the limit of a rule; NULL if it is a share. */
const char *eti__gate_limit_unit(const eti_gate_rule *rule);

/* Appends the outcome of a check in one line. `file` is its source file; absent if unknown. */
void eti__gate_add_message(eti_buffer *out, const eti_gate *gate, const eti_check *check,
                           eti_text file);

/* Appends in one line why rule number `rule` is undecided; appends nothing if it is decided. */
void eti__gate_add_rule_message(eti_buffer *out, const eti_gate *gate, size_t rule);

/* Appends the outcome of the gate, in one sentence. */
void eti__gate_add_headline(eti_buffer *out, const eti_gate *gate);

/* Adds lines to the last section. Fails with ETI_ERROR_MEMORY. */
eti_status eti__gate_add_notes(eti_report *report, const eti_gate *gate,
                               eti_error *err) ETI_WARN_UNUSED;

/* ==== report ================================================================================== */

/* Returns the name of an outcome, such as "failed", "undecided" or "nothing to check". */
const char *eti__rule_outcome_name(eti_rule_outcome outcome);

/* Returns the number of checks of a rule. */
size_t eti__count_checks(const eti_rule_findings *rule);

/* Numbers the blocks of the new side with equal names, from 1. `arena` owns the numbers; NULL: out of memory. */
uint32_t *eti__gate_number_blocks(const eti_gate *gate, eti_arena *arena);

/* Appends the key of a check, which is the same in every run: "Execute/native_call_addmm.out #2 p50". */
void eti__gate_add_key(eti_buffer *out, const eti_gate *gate, const uint32_t *of_blocks,
                       const eti_check *check);

#endif
