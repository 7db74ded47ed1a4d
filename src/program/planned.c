#include "program/planned.h"

const char *eti__planned_role_name(eti_planned_role role) {
    static const char *const names[] = {
        [ETI_PLANNED_INPUT] = "input",     [ETI_PLANNED_OUTPUT] = "output",
        [ETI_PLANNED_STATE] = "state",     [ETI_PLANNED_ACTIVATION] = "activation",
        [ETI_PLANNED_MOVED] = "moved",     [ETI_PLANNED_ALIAS] = "alias",
        [ETI_PLANNED_SCRATCH] = "scratch", [ETI_PLANNED_UNUSED] = "unused",
    };
    return names[role];
}

uint64_t eti__planned_bytes(const eti_planned *planned) {
    return planned->tensor->n_bytes == ETI_PTE_UNKNOWN_SIZE ? 0 : planned->tensor->n_bytes;
}

uint64_t eti__planned_end(const eti_planned *planned) {
    uint64_t end;
    if (__builtin_add_overflow(planned->tensor->memory_offset, eti__planned_bytes(planned), &end))
        return UINT64_MAX;
    return end;
}

bool eti__planned_uses_memory(const eti_planned *planned) {
    return planned->role != ETI_PLANNED_UNUSED && planned->role != ETI_PLANNED_MOVED &&
           !planned->is_elsewhere && eti__planned_bytes(planned) > 0;
}

bool eti__planned_is_live(const eti_planned *planned, uint32_t instruction) {
    return eti__planned_uses_memory(planned) && planned->first <= instruction &&
           instruction <= planned->last;
}
