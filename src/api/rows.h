/*
 * rows.h - which files the rows of many ETDumps are read from.
 */
#ifndef ETI_API_ROWS_H
#define ETI_API_ROWS_H

#include "etinspect.h"

#include <stdbool.h>

/* Steps through the paths of all ETDumps and lists of them, from *i = 0 on; false after the last. They live as long as `rows`. */
bool eti__rows_next_input(const eti_rows *rows, size_t *i, const char **out);

#endif
