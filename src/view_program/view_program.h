/*
 * view_program.h - views of a program: the program itself, memory, size, graph.
 */
#ifndef ETI_VIEW_PROGRAM_VIEW_PROGRAM_H
#define ETI_VIEW_PROGRAM_VIEW_PROGRAM_H

#include "account/account.h"
#include "etinspect.h"

/* ==== graph nodes ============================================================================= */
/* Turns a graph of the ETRecord into a table of its nodes. */

/* Makes the view "graph" of the graph named by options->graph, see rollup/rollup.h. The graph lives as long as the report.
 * ETI_ERROR_USAGE: there is no such graph. */
eti_status eti__view_graph(eti_report *report, const eti_inspector *inspector,
                           const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* ==== memory ================================================================================== */
/* Turns the memory that a program plans into tables: its tensors, its arenas, and the tensors
 * alive at their peaks. */

/* Adds a row for each planned tensor, or, with options->at, for each tensor that lives at that instruction; a row for each
 * arena; and a row for each tensor that lives at its peak. With options->map, adds instead of the tensors the bytes in use
 * of each arena at each instruction. ETI_ERROR_USAGE: no program, no such method, no such instruction; ETI_ERROR_LIMIT,
 * ETI_ERROR_MEMORY. */
eti_status eti__view_memory(eti_report *report, const eti_inspector *inspector,
                            const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* ==== program ================================================================================= */
/* Turns a program into an overview: its files, methods, inputs and outputs, and its largest parts. */

/* Adds the tables. ETI_ERROR_USAGE: no program, or no such method; ETI_ERROR_MALFORMED: an input is not a data file;
 * ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__view_program(eti_report *report, const eti_inspector *inspector,
                             const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

/* ==== size ==================================================================================== */
/* Turns the files of a program into rows whose sizes add up exactly to those of the files. */

/* Adds a row for each part, or, with options->group, for each category, dtype, op or module. ETI_ERROR_USAGE: no program, or
 * another group; ETI_ERROR_MALFORMED: an input is not a data file; ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__view_size(eti_report *report, const eti_inspector *inspector,
                          const eti_view_options *options, eti_error *err) ETI_WARN_UNUSED;

#endif
