/*
 * methods.h - finds the method that ran in each EventBlock.
 */
#ifndef ETI_MODEL_METHODS_H
#define ETI_MODEL_METHODS_H

#include "etinspect.h"
#include "model/model.h"
#include "pte/pte.h"

/* ==== methods ================================================================================= */

/* Lists the methods of program and record, finds the method of every block, and sets the attributes of its events
 * accordingly, those of the Inspector too if inspector->shows_found_methods. Must be called after the events have their
 * records. ETI_ERROR_USAGE: no method has the name given in the
 * options; ETI_ERROR_MEMORY, ETI_ERROR_LIMIT, or any status of reading a graph. */
eti_status eti__methods_find(eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* ==== instructions ============================================================================ */

/* Returns whether the event logs the call that the plan's instruction makes; events with uninformative names fit any. */
bool eti__event_fits(const eti_event *event, const eti_pte_plan *plan,
                     const eti_pte_instruction *instruction);

/* ==== method fit ============================================================================== */
/* Compares a method of the inputs with the events of a block. */

/* Measures how well a method fits the events of a block. */
typedef struct eti_method_fit {
    uint64_t n_compared,
        n_unlike;        /* number of events, and of those without a matching instruction */
    uint64_t n_contrary; /* of these, kernels where the ETRecord has a delegate call */
    uint64_t n_missing;  /* instructions without an event */
} eti_method_fit;

/* Compares the events with the instructions of the program. False: out of memory. */
bool eti__fit_plan(const eti_event_block *block, const eti_pte_plan *plan, eti_method_fit *out);

/* Compares the events with the instructions of a method in the ETRecord. False: out of memory. */
bool eti__fit_record(const eti_inspector *inspector, const eti_event_block *block, size_t method,
                     eti_method_fit *out);

/* Compares the instructions that the ETRecord has for a method with those of the program; if the method has no jumps,
 * also vice versa. */
void eti__fit_files(const eti_inspector *inspector, const eti_method *method, eti_method_fit *out);

/* Number of bytes of operator names to compare: enough for any real record, and for a clear result. */
#define ETI_NAMES_COMPARED ((size_t)8 << 20)

/* Returns the number of the block's kernels whose names contradict their known operators, and adds the number of compared
 * kernels to `*n_compared`. `*left`, initially ETI_NAMES_COMPARED, limits the work. */
uint64_t eti__count_unlike_kernels(const eti_event_block *block, size_t *left,
                                   uint64_t *n_compared);

#endif
