/*
 * program.h - parts of views of programs: instructions and sizes.
 */
#ifndef ETI_VIEW_PROGRAM_PROGRAM_H
#define ETI_VIEW_PROGRAM_PROGRAM_H

#include "account/account.h"
#include "base/arena.h"
#include "base/files.h"
#include "etinspect.h"
#include "program/program.h"

/* ==== instructions ============================================================================ */
/* Lists the instructions of a program with their times, the bytes that they move, and the memory
 * in use. */

/* Adds a section with a row for each instruction of the methods that ran: see rollup/rollup.h for the
 * statuses. The inspector must have ETDumps and a program. */
eti_status eti__view_add_instructions(eti_report *report, const eti_inspector *inspector,
                                      const eti_view_options *options,
                                      eti_error *err) ETI_WARN_UNUSED;

/* ==== program sizes =========================================================================== */
/* The sizes of a program's files and their parts, for the views "program" and "size". */

typedef struct eti_program_sizes {
    const eti_inspector *inspector;
    eti_sizes sizes;
    eti_arena arena;
} eti_program_sizes;

/* Makes the sizes of the inspector's first program and of all data files. They live as long as the report. ETI_ERROR_USAGE:
 * there is no program; ETI_ERROR_MALFORMED: an input is not a data file; ETI_ERROR_LIMIT, ETI_ERROR_MEMORY. */
eti_status eti__program_sizes_make(eti_program_sizes **out, eti_report *report,
                                   const eti_inspector *inspector, eti_error *err) ETI_WARN_UNUSED;

/* Adds a row for each category that has bytes, and the notes below them: duplicates, and external weights that no file has.
 * ETI_ERROR_MEMORY. */
eti_status eti__program_sizes_add_categories(eti_report *report, const eti_program_sizes *sizes,
                                             eti_error *err) ETI_WARN_UNUSED;

/* Returns the file of a row. */
const struct eti_file *eti__program_sizes_file(const eti_program_sizes *sizes, uint32_t file);

#endif
