/*
 * memory_map.h - turns the lives of planned tensors into a map: instructions down, bytes across.
 */
#ifndef ETI_VIEW_PROGRAM_MEMORY_MAP_H
#define ETI_VIEW_PROGRAM_MEMORY_MAP_H

#include "table/table.h"
#include "view_program/planned_memory.h"

/* Adds a row for each instruction and arena with the ranges of bytes that are in use. ETI_ERROR_LIMIT: there are too many;
 * ETI_ERROR_MEMORY. */
eti_status eti__memory_add_map(eti_report *report, eti_planned_memory *memory,
                               eti_error *err) ETI_WARN_UNUSED;

#endif
