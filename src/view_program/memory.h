/*
 * memory.h - the memory of a program's methods, with names, for the views "program" and
 * "memory".
 */
#ifndef ETI_VIEW_PROGRAM_MEMORY_H
#define ETI_VIEW_PROGRAM_MEMORY_H

#include "base/arena.h"
#include "etinspect.h"
#include "places/places.h"

/* Names of a method's operators and delegates, in UTF-8. */
typedef struct eti_method_names {
    eti_text method;
    eti_text *operators; /* "aten::add.out" */
    eti_text *delegates; /* "XnnpackBackend" */
} eti_method_names;

typedef struct eti_planned_memory {
    const eti_inspector *inspector;
    eti_planned_methods methods;
    eti_method_names *names;  /* of the methods */
    eti_scratches *scratches; /* the same */
    eti_arena arena;
} eti_planned_memory;

/* Finds the memory of the requested methods, which lives as long as the report. ETI_ERROR_USAGE: there is no program, or no
 * such method; ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__planned_memory_make(eti_planned_memory **out, eti_report *report,
                                    const eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* Adds a note that delegates take memory beside the arenas, if they do; `where` names the table with it. ETI_ERROR_MEMORY. */
eti_status eti__note_scratches(eti_report *report, const eti_planned_memory *memory,
                               const char *where, eti_error *err) ETI_WARN_UNUSED;

/* Names the operators and delegates of a method; texts live in `arena`. False: out of memory. */
bool eti__method_names_make(eti_method_names *out, eti_arena *arena, const eti_pte_plan *plan);

/* Returns the name of the operator or delegate that an instruction calls: "aten::add.out". */
eti_text eti__call_name(const eti_method_names *names, const eti_pte_instruction *call);
/* Returns the same for instruction number `instruction` of a method. */
eti_text eti__planned_call_name(const eti_planned_memory *memory, uint32_t method,
                                uint32_t instruction);

#endif
