/*
 * range_map.h - turns ranges of bytes into a line of characters, darker where more of the bytes are in a range:
 * "██▒  ░██".
 */
#ifndef ETI_WRITE_RANGE_MAP_H
#define ETI_WRITE_RANGE_MAP_H

#include "base/text.h"
#include "table/table.h"

#define ETI_RANGE_MAP_WIDTH 64 /* characters, if there is room */

/* Returns whether a cell of such a column is drawn. */
static inline bool eti__cell_is_ranges(eti_column_kind kind, const eti_cell *cell) {
    return kind == ETI_COLUMN_RANGES && cell->kind == ETI_CELL_UINTS;
}

/* Returns the end of the last range of a cell; 0: there is none. */
uint64_t eti__ranges_end(const eti_cell *cell);

/* Appends `width` characters for the bytes [0, whole), without blanks at the end. The cell's ranges are in order and do not
 * overlap. `is_ascii`: characters of ASCII in place of blocks. width >= 1. */
void eti__add_range_map(eti_buffer *out, const eti_cell *cell, uint64_t whole, size_t width,
                        bool is_ascii);

#endif
