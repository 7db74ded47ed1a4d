/*
 * method_payloads.h - finds the payload of the delegate that a method calls at an instruction.
 */
#ifndef ETI_MODEL_METHOD_PAYLOADS_H
#define ETI_MODEL_METHOD_PAYLOADS_H

#include "base/arena.h"
#include "etrecord/etrecord.h"
#include "model/inspector.h"
#include "pte/pte.h"

/* Finds the instructions that call the lowered modules of the method's graph, in the same order and number. False: out of
 * memory. */
bool eti__find_calls(const eti_inspector *inspector, eti_method *method, eti_arena *arena);

/* Finds the delegate that a method calls at the instruction of an event: in `plan`, which may be NULL, or else in an
 * ETRecord made after lowering, which keeps the nodes' data of XNNPACK payloads but nothing of others. Returns false if
 * it is unknown. */
bool eti__find_payload(const eti_inspector *inspector, const eti_method *method,
                       const eti_pte_plan *plan, const eti_event *event, eti_text *backend,
                       eti_text *payload);

/* Returns the lowered module that the instruction of an event calls, or NULL if that is unknown. */
const eti_lowered_module *eti__find_lowered_module(const eti_inspector *inspector,
                                                   const eti_method *method,
                                                   const eti_event *event);

#endif
