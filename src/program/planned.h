/*
 * planned.h - a tensor with a place in an arena, and how long its bytes are in use: see liveness.h.
 */
#ifndef ETI_PROGRAM_PLANNED_H
#define ETI_PROGRAM_PLANNED_H

#include "read/pte/pte.h"

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
    uint32_t first; /* instruction at which its bytes are in use; of an unused tensor, no meaning */
    uint32_t last;  /* the last such instruction */
    uint32_t writer; /* the first instruction that writes it, or ETI_NO_INSTRUCTION */
    /* The planned tensor whose bytes it shows, or ETI_NO_PLANNED. Outputs may be views too. */
    uint32_t alias_of;
} eti_planned;

/* Returns the bytes of a tensor; 0 where its size is not known. */
uint64_t eti__planned_bytes(const eti_planned *planned);

/* Whether the bytes of a tensor are in use at its instructions: it is neither unused nor moved, and has some. */
bool eti__planned_uses_memory(const eti_planned *planned);

/* Whether they are at an instruction. */
bool eti__planned_is_live(const eti_planned *planned, uint32_t instruction);

/* Returns the byte behind the last one of a tensor in its arena; UINT64_MAX if there is no such number. */
uint64_t eti__planned_end(const eti_planned *planned);

#endif
