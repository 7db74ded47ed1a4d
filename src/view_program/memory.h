/*
 * memory.h - turns the memory that a program plans into tables: its tensors, its arenas, and the
 * tensors alive at their peaks.
 */
#ifndef ETI_VIEW_PROGRAM_MEMORY_H
#define ETI_VIEW_PROGRAM_MEMORY_H

#include "account/account.h"
#include "model/model.h"
#include "table/table.h"

/* Adds a row for each planned tensor, or, with options->at, for each tensor that lives at that instruction; a row for each
 * arena; and a row for each tensor that lives at its peak. With options->map, adds instead of the tensors the bytes in use
 * of each arena at each instruction. ETI_ERROR_USAGE: no program, no such method, no such instruction; ETI_ERROR_LIMIT,
 * ETI_ERROR_MEMORY. */
eti_status eti__view_memory(eti_report *report, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
