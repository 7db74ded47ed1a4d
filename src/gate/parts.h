/*
 * parts.h - functions shared by the sources of a gate.
 */
#ifndef ETI_GATE_PARTS_H
#define ETI_GATE_PARTS_H

#include "compare/outcome.h"
#include "gate/gate.h"

/* ---- scope.c: what a rule is about ----------------------------------------------------------- */

/* Finds the comparison that the rule needs, and makes it if no earlier rule needed it.
 * ETI_ERROR_USAGE: it cannot be made; ETI_ERROR_LIMIT: there are too many; ETI_ERROR_DATA;
 * ETI_ERROR_MEMORY. */
eti_status eti__gate_find_diff(eti_gate *gate, const eti_gate_rule *rule, const eti_diff **out,
                               eti_error *err) ETI_WARN_UNUSED;

/* Returns the rows from which the rule chooses. */
const eti_diff_rows *eti__gate_rows_of(const eti_gate_rule *rule, const eti_diff *diff);

/* Whether the pattern of an exception fits a total, an event or a group on either side. */
bool eti__gate_fits_anything(const eti_gate *gate, eti_text pattern);

/* Whether the row is in the scope of the rule and its pattern fits. */
bool eti__gate_is_about(const eti_gate_rule *rule, const eti_diff_row *row);

/* Whether a pattern fits the name of a row or, for an event, its operator. */
bool eti__gate_fits(eti_text pattern, const eti_gate_rule *rule, const eti_diff_row *row);

/* Fails because the rule fits nothing on either side; the message suggests the most similar name.
 * ETI_ERROR_USAGE. */
eti_status eti__gate_fail_unfit(const eti_gate_rule *rule, const eti_diff *diff,
                                eti_error *err) ETI_WARN_UNUSED;

/* ---- limit.c ---------------------------------------------------------------- */

/* Fills new_side of n checks of a limit, and change, p (one-sided, not adjusted) and is_tested of those with enough files.
 * `limit` is in the target scale, or in bytes. False: out of memory. */
bool eti__gate_test_limit(const eti_gate_rule *rule, const eti_diff *diff, double limit,
                          eti_check *checks, size_t n);

/* ---- program_rule.c ------------------------------------------------------------------------ */

/* Applies rule number `rule`, which is about a figure. ETI_ERROR_USAGE: a side that it needs has no program;
 * ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__gate_apply_figure(eti_gate *gate, uint32_t rule, eti_error *err) ETI_WARN_UNUSED;

/* Appends the figure of a check, on both sides or against its limit. */
void eti__gate_add_figures(eti_buffer *out, const eti_gate_rule *rule, const eti_check *check);

/* ---- the report ------------------------------------------------------------------------------ */

/* findings.c: fills the rules and findings of a result, in `arena`. ETI_ERROR_MEMORY. */
eti_status eti__gate_result_make(eti_gate_result *out, const eti_gate *gate, eti_arena *arena,
                                 eti_error *err) ETI_WARN_UNUSED;

/* message.c: returns which changes the gate could have found. */
eti_evidence eti__gate_evidence(const eti_gate *gate);

/* Returns the total of the block that takes longest; NULL: both sides have none in common. */
const eti_diff_row *eti__gate_total(const eti_gate *gate);

/* Appends the outcome of a check in one line. `file`: its source file; absent: unknown. */
void eti__gate_add_message(eti_buffer *out, const eti_gate *gate, const eti_check *check,
                           eti_text file);

/* Appends the reason why rule number `rule` is undecided, in one line; nothing if it is decided. */
void eti__gate_add_rule_message(eti_buffer *out, const eti_gate *gate, const eti_evidence *evidence,
                                size_t rule);

/* Appends the outcome of the gate, in one sentence. */
void eti__gate_add_headline(eti_buffer *out, const eti_gate *gate, const eti_evidence *evidence);

/* tables.c: add a section to the report, whose gate is set. ETI_ERROR_MEMORY. */
eti_status eti__gate_add_rules(eti_report *report, eti_error *err) ETI_WARN_UNUSED;
eti_status eti__gate_add_findings(eti_report *report, const eti_gate *gate,
                                  eti_error *err) ETI_WARN_UNUSED;

/* Returns the number of checks of a rule. */
size_t eti__count_checks(const eti_rule_findings *rule);

/* notes.c: adds lines to the last section. ETI_ERROR_MEMORY. */
eti_status eti__gate_add_notes(eti_report *report, const eti_gate *gate,
                               eti_error *err) ETI_WARN_UNUSED;

/* Numbers that distinguish entries with the same name. */
typedef struct eti_gate_keys {
    const eti_gate *gate;
    const eti_diff_pair *pairs;
    uint32_t *of_blocks;   /* per block of the new side: its number among those with its name */
    uint32_t **of_entries; /* the same of entries, per block */
} eti_gate_keys;

/* keys.c: numbers all entries of the new side, in `arena`. False: out of memory. */
bool eti__gate_keys_make(eti_gate_keys *out, const eti_gate *gate, eti_arena *arena);

/* Appends the key of a check, the same in every run: "Execute/native_call_addmm.out #2 p50". */
void eti__gate_add_key(eti_buffer *out, const eti_gate_keys *keys, const eti_check *check);

#endif
