/*
 * moved_tensors.h - lists the planned tensors of a method that have other places in another program.
 *
 * Numbers of values differ between exports. A tensor is known by its role, its name or what writes it, its type and its shape;
 * of several that are alike, the k-th of one program is the k-th of the other.
 */
#ifndef ETI_COMPARE_MOVED_TENSORS_H
#define ETI_COMPARE_MOVED_TENSORS_H

#include "program/arenas.h"
#include "table/report.h"

/* Adds a section without rows to the report. ETI_ERROR_MEMORY. */
eti_status eti__moved_tensors_begin(eti_table **out, eti_report *report,
                                    eti_error *err) ETI_WARN_UNUSED;

/* Adds a row for each tensor of a method that one side lacks, or that has another place or size. ETI_ERROR_MEMORY. */
eti_status eti__moved_tensors_add(eti_table *table, eti_text method, const eti_planned_arenas *base,
                                  const eti_planned_arenas *new_side,
                                  eti_error *err) ETI_WARN_UNUSED;

#endif
