/*
 * liveness.h - turns the instructions of a method into the life of each planned tensor: its role, and the instructions
 * between which its bytes are in use.
 *
 * Nothing but the program is needed. A program does not say which arguments of a delegate's call are outputs; where the
 * caller knows their number, from an ETRecord, it is taken. Time grows with instructions, arguments and tensors, and the
 * logarithm of their number, whatever the file says.
 */
#ifndef ETI_PROGRAM_LIVENESS_H
#define ETI_PROGRAM_LIVENESS_H

#include "program/calls.h"

typedef enum eti_planned_role {
    ETI_PLANNED_INPUT,      /* of the method */
    ETI_PLANNED_OUTPUT,     /* of the method */
    ETI_PLANNED_STATE,      /* lives from run to run */
    ETI_PLANNED_ACTIVATION, /* written, then read */
    ETI_PLANNED_MOVED, /* its value is moved in from another tensor; its own bytes are never used */
    ETI_PLANNED_ALIAS, /* a view of another tensor's bytes */
    ETI_PLANNED_SCRATCH, /* room that one kernel works in */
    ETI_PLANNED_UNUSED,
} eti_planned_role;

#define ETI_N_PLANNED_ROLES (ETI_PLANNED_UNUSED + 1)

/* Returns the name of a role: "activation". */
const char *eti__planned_role_name(eti_planned_role role);

#define ETI_NO_INSTRUCTION UINT32_MAX
#define ETI_NO_PLANNED UINT32_MAX

/* A tensor with a place in an arena. */
typedef struct eti_planned {
    const eti_pte_tensor *tensor;
    uint32_t value; /* index among the method's values */
    uint8_t role;   /* an eti_planned_role */
    uint32_t first,
        last;        /* instructions: in use at both and between; of an unused one, no meaning */
    uint32_t writer; /* the first instruction that writes it, or ETI_NO_INSTRUCTION */
    uint32_t
        alias_of; /* the planned tensor whose bytes it shows, or ETI_NO_PLANNED; outputs may be views too */
} eti_planned;

typedef struct eti_liveness {
    const eti_pte_plan *plan;
    uint32_t n_instructions;
    const eti_planned *tensors; /* in order of their values */
    uint32_t n_tensors;
    bool has_jumps_or_moves; /* intervals are then an estimate */
} eti_liveness;

/* Whether the bytes of a tensor are in use at its instructions: it is neither unused nor moved, and has some. */
bool eti__planned_uses_memory(const eti_planned *planned);

/* Returns the byte behind the last one of a tensor in its arena; UINT64_MAX if there is no such number. */
uint64_t eti__planned_end(const eti_planned *planned);

/* Finds the life of each planned tensor of `plan`. `n_outputs` holds the number of outputs of each instruction that calls a
 * delegate, UINT32_MAX where it is not known; NULL: none is. Everything lives in `arena`. ETI_ERROR_MEMORY. */
eti_status eti__liveness_make(eti_liveness *out, eti_arena *arena, const eti_pte_plan *plan,
                              const uint32_t *n_outputs, eti_error *err) ETI_WARN_UNUSED;

#endif
