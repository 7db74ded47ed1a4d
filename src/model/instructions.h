/*
 * instructions.h - finds the instructions of a program that the events of a block belong to.
 */
#ifndef ETI_MODEL_INSTRUCTIONS_H
#define ETI_MODEL_INSTRUCTIONS_H

#include "model/event.h"
#include "pte/pte.h"

/* Returns the number, within its run, of the chain of instructions that an event belongs to. */
uint64_t eti__event_chain(const eti_event *event);

/* Returns whether an event of the block belongs to an instruction; events of loading do not. */
bool eti__block_has_instructions(const eti_event_block *block);

/* Returns the instruction of a plan that an event belongs to; NULL if it belongs to none of the plan. */
const eti_pte_instruction *eti__event_instruction(const eti_event *event, const eti_pte_plan *plan);

/* Returns whether the event logs the call that the plan's instruction makes; events with uninformative names fit any. */
bool eti__event_fits(const eti_event *event, const eti_pte_plan *plan,
                     const eti_pte_instruction *instruction);

/* Returns the first event of the block that does not log the call that its instruction in the plan makes; NULL if all do.
 * `*instruction` is then that instruction; NULL if the plan has no such instruction. */
const eti_event *eti__first_misfit(const eti_event_block *block, const eti_pte_plan *plan,
                                   const eti_pte_instruction **instruction);

#endif
