/*
 * method_payloads.h - finds the payload of the delegate that a method calls in an instruction.
 */
#ifndef ETI_MODEL_METHOD_PAYLOADS_H
#define ETI_MODEL_METHOD_PAYLOADS_H

#include "model/inspector.h"

/* Finds the instructions that call the lowered modules of the method's graph: as many as these, in the same order. False: out
 * of memory. */
bool eti__find_calls(const eti_inspector *inspector, eti_method *method, eti_arena *arena);

/* Finds the delegate that a method calls in the instruction of an event: in `plan`, which may be NULL, or else in an ETRecord
 * made after lowering, which keeps of XNNPACK's payloads what their nodes need, and of others nothing. False: unknown. */
bool eti__find_payload(const eti_inspector *inspector, const eti_method *method,
                       const eti_pte_plan *plan, const eti_event *event, eti_text *backend,
                       eti_text *payload);

#endif
