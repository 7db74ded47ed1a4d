/*
 * list_text.h - turns a cell's list into the text that Python prints for it: [0.1, 2.0], ['a', 'b'].
 */
#ifndef ETI_TABLE_LIST_TEXT_H
#define ETI_TABLE_LIST_TEXT_H

#include "base/text.h"
#include "table/cell.h"

/* Returns whether the cell holds a list that has not been turned into text: ETI_CELL_DOUBLES, UINTS, INTS, TEXTS. */
bool eti__cell_is_list(const eti_cell *cell);

/* Appends the text of such a cell. */
void eti__list_add(eti_buffer *out, const eti_cell *cell);

#endif
