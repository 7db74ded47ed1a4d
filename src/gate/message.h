/*
 * message.h - describes the result of a gate in words.
 */
#ifndef ETI_GATE_MESSAGE_H
#define ETI_GATE_MESSAGE_H

#include "base/text.h"
#include "compare/compare.h"
#include "etinspect.h"
#include "gate/gate.h"

/* Returns the total of the block that takes the most time, or NULL if no total is on both sides. */
const eti_diff_row *eti__gate_total(const eti_gate *gate);

/* Appends the outcome of a check in one line. `file` is its source file; absent if unknown. */
void eti__gate_add_message(eti_buffer *out, const eti_gate *gate, const eti_check *check,
                           eti_text file);

/* Appends in one line why rule number `rule` is undecided; appends nothing if it is decided. */
void eti__gate_add_rule_message(eti_buffer *out, const eti_gate *gate, const eti_evidence *evidence,
                                size_t rule);

/* Appends the outcome of the gate, in one sentence. */
void eti__gate_add_headline(eti_buffer *out, const eti_gate *gate, const eti_evidence *evidence);

/* Adds lines to the last section. Fails with ETI_ERROR_MEMORY. */
eti_status eti__gate_add_notes(eti_report *report, const eti_gate *gate,
                               eti_error *err) ETI_WARN_UNUSED;

#endif
