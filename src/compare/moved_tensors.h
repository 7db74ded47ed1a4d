/*
 * moved_tensors.h - lists the planned tensors of a method that have other places in another
 * program.
 *
 * Numbers of values differ between exports. A tensor is identified by its role, its name or the
 * operator that writes it, its type and its shape; of several equal ones, the k-th of one program
 * corresponds to the k-th of the other.
 */
#ifndef ETI_COMPARE_MOVED_TENSORS_H
#define ETI_COMPARE_MOVED_TENSORS_H

#include "program/program.h"
#include "table/table.h"

/* Adds a section without rows to the report. Fails with ETI_ERROR_MEMORY. */
eti_status eti__moved_tensors_begin(eti_table **out, eti_report *report,
                                    eti_error *err) ETI_WARN_UNUSED;

/* Adds a row for each tensor of a method that one side lacks, or that has another place or size. Fails with
 * ETI_ERROR_MEMORY. */
eti_status eti__moved_tensors_add(eti_table *table, eti_text method, const eti_planned_arenas *base,
                                  const eti_planned_arenas *new_side,
                                  eti_error *err) ETI_WARN_UNUSED;

#endif
