/*
 * parts.h - what the report of a gate is made of.
 */
#ifndef ETI_GATE_PARTS_H
#define ETI_GATE_PARTS_H

#include "gate/gate.h"

/* findings.c: fills the rules and findings of a result, in `arena`; those that were passed with `lists_passed`.
 * ETI_ERROR_MEMORY. */
eti_status eti__gate_result_make(eti_gate_result *out, const eti_gate *gate, bool lists_passed,
                                 eti_arena *arena, eti_error *err) ETI_WARN_UNUSED;

/* message.c: appends what became of a check. */
void eti__gate_add_message(eti_buffer *out, const eti_gate *gate, const eti_check *check);

/* Numbers that tell apart what has the same name. */
typedef struct eti_gate_keys {
    const eti_gate *gate;
    const eti_diff_pair *pairs;
    uint32_t *of_blocks;   /* per block of the new side: which of those with its name it is */
    uint32_t **of_entries; /* the same of entries, per block */
} eti_gate_keys;

/* keys.c: numbers all entries of the new side, in `arena`. False: out of memory. */
bool eti__gate_keys_make(eti_gate_keys *out, const eti_gate *gate, eti_arena *arena);

/* Appends what a check is called, from run to run: "Execute/native_call_addmm.out #2 p50". */
void eti__gate_add_key(eti_buffer *out, const eti_gate_keys *keys, const eti_check *check);

#endif
