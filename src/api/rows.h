/*
 * rows.h - lists the files from which the rows of many ETDumps are read.
 */
#ifndef ETI_API_ROWS_H
#define ETI_API_ROWS_H

#include "etinspect.h"

#include <stdbool.h>

/* Steps through the paths of all ETDumps and of all lists of ETDumps, starting with *i = 0; false after the last. The paths
 * live as long as `rows`. */
bool eti__rows_next_input(const eti_rows *rows, size_t *i, const char **out);

#endif
