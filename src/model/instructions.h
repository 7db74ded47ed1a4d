/*
 * instructions.h - finds the instructions of a program that the events of a block belong to.
 */
#ifndef ETI_MODEL_INSTRUCTIONS_H
#define ETI_MODEL_INSTRUCTIONS_H

#include "model/event.h"

/* Returns the number, in its run, of the chain of instructions that an event belongs to. */
uint64_t eti__event_chain(const eti_event *event);

/* Whether an event of the block belongs to an instruction: those of loading do not. */
bool eti__block_has_instructions(const eti_event_block *block);

/* Returns the instruction of a plan that an event belongs to; NULL: none, or none of the plan. */
const eti_pte_instruction *eti__event_instruction(const eti_event *event, const eti_pte_plan *plan);

/* Whether the event logs what the instruction of the plan calls; events of names that say nothing fit any. */
bool eti__event_fits(const eti_event *event, const eti_pte_plan *plan,
                     const eti_pte_instruction *instruction);

/* Returns the first event of the block that does not log what its instruction in the plan calls; NULL: all do.
 * `*instruction` is then what it should log; NULL: the plan has no such instruction. */
const eti_event *eti__first_misfit(const eti_event_block *block, const eti_pte_plan *plan,
                                   const eti_pte_instruction **instruction);

#endif
