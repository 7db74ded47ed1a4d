/*
 * judge.h - judges the rules of a gate.
 */
#ifndef ETI_GATE_JUDGE_H
#define ETI_GATE_JUDGE_H

#include "base/text.h"
#include "gate/gate.h"

/* Appends the figure of a check, on both sides or compared with its limit. */
void eti__gate_add_figures(eti_buffer *out, const eti_gate_rule *rule, const eti_check *check);

#endif
