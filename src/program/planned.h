/*
 * planned.h - a tensor with a place in an arena, and its life: see liveness.h.
 */
#ifndef ETI_PROGRAM_PLANNED_H
#define ETI_PROGRAM_PLANNED_H

#include "pte/pte.h"

typedef enum eti_planned_role {
    ETI_PLANNED_INPUT,      /* of the method */
    ETI_PLANNED_OUTPUT,     /* of the method */
    ETI_PLANNED_STATE,      /* lives from run to run */
    ETI_PLANNED_ACTIVATION, /* written, then read */
    ETI_PLANNED_MOVED, /* its value is moved in from another tensor, so its own bytes are never used */
    ETI_PLANNED_ALIAS,   /* a view of another tensor's bytes, which may be outside of the arenas */
    ETI_PLANNED_SCRATCH, /* working memory of a kernel */
    ETI_PLANNED_UNUSED,
} eti_planned_role;

#define ETI_N_PLANNED_ROLES (ETI_PLANNED_UNUSED + 1)

/* Returns the name of a role, such as "activation". */
const char *eti__planned_role_name(eti_planned_role role);

#define ETI_NO_INSTRUCTION UINT32_MAX
#define ETI_NO_PLANNED UINT32_MAX

/* A tensor with a place in an arena. */
typedef struct eti_planned {
    const eti_pte_tensor *tensor;
    uint32_t value; /* index into the method's values */
    uint8_t role;   /* an eti_planned_role */
    uint32_t
        first; /* first instruction at which its bytes are in use; undefined for an unused tensor */
    uint32_t last;   /* the last such instruction */
    uint32_t writer; /* first instruction that writes it, or ETI_NO_INSTRUCTION */
    /* The planned tensor whose bytes it shows, or ETI_NO_PLANNED. Outputs may be views, too. */
    uint32_t alias_of;
    bool
        is_elsewhere; /* a view whose bytes are not in its place, so that nothing uses that place */
} eti_planned;

/* Returns the number of bytes of a tensor; 0 if unknown. */
uint64_t eti__planned_bytes(const eti_planned *planned);

/* Returns whether the tensor uses memory during its life: it has bytes in its place, and is neither unused nor
 * moved. */
bool eti__planned_uses_memory(const eti_planned *planned);

/* Returns whether the tensor uses memory at an instruction. */
bool eti__planned_is_live(const eti_planned *planned, uint32_t instruction);

/* Returns the end of a tensor in its arena; UINT64_MAX on overflow. */
uint64_t eti__planned_end(const eti_planned *planned);

#endif
