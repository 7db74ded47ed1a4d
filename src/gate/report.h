/*
 * report.h - makes the tables of a gate, whose keys are the same in every run.
 */
#ifndef ETI_GATE_REPORT_H
#define ETI_GATE_REPORT_H

#include "base/arena.h"
#include "base/text.h"
#include "gate/gate.h"
#include "gate/parts.h"

/* Returns the number of checks of a rule. */
size_t eti__count_checks(const eti_rule_findings *rule);

/* Numbers all entries of the new side; `arena` owns the result. Returns false if memory runs out. */
bool eti__gate_keys_make(eti_gate_keys *out, const eti_gate *gate, eti_arena *arena);

/* Appends the key of a check, which is the same in every run: "Execute/native_call_addmm.out #2 p50". */
void eti__gate_add_key(eti_buffer *out, const eti_gate_keys *keys, const eti_check *check);

#endif
