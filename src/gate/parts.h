/*
 * parts.h - pieces that the sources of the room share.
 */
#ifndef ETI_GATE_PARTS_H
#define ETI_GATE_PARTS_H

#include "compare/compare.h"
#include "etinspect.h"
#include "gate/gate.h"

/* ==== gate ==================================================================================== */

/* Adds the checks of rule number `rule`, and judges it. Fails with ETI_ERROR_USAGE if its unit does not
 * convert, it matches nothing, or the comparison cannot be made; with ETI_ERROR_LIMIT if there are too many
 * comparisons; or with ETI_ERROR_DATA or ETI_ERROR_MEMORY. */
eti_status eti__gate_apply(eti_gate *gate, uint32_t rule, eti_error *err) ETI_WARN_UNUSED;

/* ==== parts =================================================================================== */

/* Numbers that distinguish entries with the same name. */
typedef struct eti_gate_keys {
    const eti_gate *gate;
    const eti_diff_pair *pairs;
    uint32_t *of_blocks;   /* per block of the new side: its number among namesakes */
    uint32_t **of_entries; /* per block: the same for its entries */
} eti_gate_keys;

/* ==== result ================================================================================== */

/* Returns the name of an outcome, such as "failed", "undecided" or "nothing to check". */
const char *eti__rule_outcome_name(eti_rule_outcome outcome);

#endif
