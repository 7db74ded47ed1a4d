/*
 * rule.h - parses the rules of a gate.
 */
#ifndef ETI_GATE_RULE_H
#define ETI_GATE_RULE_H

#include "base/arena.h"
#include "etinspect.h"
#include "gate/gate.h"
#include "stats/stats.h"

/* ==== rule ==================================================================================== */

#define ETI_GATE_RULE_MAX_SIZE 4096 /* in bytes */

/* Returns the name of the metric or figure that a rule is about. */
const char *eti__gate_measure_name(const eti_gate_rule *rule);
/* Returns whether a rule is about bytes, not about time or a number of items. */
bool eti__gate_is_about_bytes(const eti_gate_rule *rule);
const char *eti__gate_scope_name(eti_gate_scope scope);

/* Parses a rule with its parts in columns; the first is a scope, a pattern of operators or, without a metric, a figure.
 * Fails like eti__gate_rule_parse(), but without a position. */
eti_status eti__gate_rule_of_parts(eti_gate_rule *out, eti_arena *arena, eti_text what,
                                   eti_text metric, eti_text limit, eti_error *err) ETI_WARN_UNUSED;

/* ==== files =================================================================================== */

#define ETI_GATE_FILE_MAX_SIZE ((size_t)1 << 20) /* in bytes */
#define ETI_GATE_FILE_MAX_ROWS 10000

/* Stores the day, in UTC, of a time in seconds since 1970. */
void eti__day_of(int64_t seconds, char out[11]);

#endif
