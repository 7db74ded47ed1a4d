/*
 * parts.h - functions shared by the sources of a gate's report.
 */
#ifndef ETI_GATE_PARTS_H
#define ETI_GATE_PARTS_H

#include "gate/gate.h"

/* findings.c: fills the rules and findings of a result, in `arena`; passed findings only with `lists_passed`.
 * ETI_ERROR_MEMORY. */
eti_status eti__gate_result_make(eti_gate_result *out, const eti_gate *gate, bool lists_passed,
                                 eti_arena *arena, eti_error *err) ETI_WARN_UNUSED;

/* message.c: appends the outcome of a check in one line. */
void eti__gate_add_message(eti_buffer *out, const eti_gate *gate, const eti_check *check);

/* Numbers that distinguish entries with the same name. */
typedef struct eti_gate_keys {
    const eti_gate *gate;
    const eti_diff_pair *pairs;
    uint32_t *of_blocks;   /* per block of the new side: its number among those with its name */
    uint32_t **of_entries; /* the same of entries, per block */
} eti_gate_keys;

/* keys.c: numbers all entries of the new side, in `arena`. False: out of memory. */
bool eti__gate_keys_make(eti_gate_keys *out, const eti_gate *gate, eti_arena *arena);

/* Appends the key of a check, the same in every run: "Execute/native_call_addmm.out #2 p50". */
void eti__gate_add_key(eti_buffer *out, const eti_gate_keys *keys, const eti_check *check);

#endif
