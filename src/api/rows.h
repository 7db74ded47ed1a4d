/*
 * table/table.h - lists the files from which the rows of many ETDumps are read.
 */
#ifndef ETI_API_ROWS_H
#define ETI_API_ROWS_H

#include "etinspect.h"

#include <stdbool.h>

/* Steps through the paths of all ETDumps and of all lists of ETDumps, starting with *i = 0; false after the last. The paths
 * live as long as `rows`. */
bool eti__rows_next_input(const eti_rows *rows, size_t *i, const char **out);

/* Sets a function that readers call, in their threads, with a warning about an ETDump, on one line, and the number of the
 * warning. Numbers ascend while ETDumps are read; whenever an ETDump is read, its warnings have the same numbers. Must be
 * called before readers are opened. */
void eti__rows_on_warning(eti_rows *rows,
                          void (*function)(void *context, size_t number, const char *text),
                          void *context);

#endif
