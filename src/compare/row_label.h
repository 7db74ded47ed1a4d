/*
 * row_label.h - names rows in sentences and tables such that namesakes differ.
 */
#ifndef ETI_COMPARE_ROW_LABEL_H
#define ETI_COMPARE_ROW_LABEL_H

#include "compare/diff_row.h"

/* Appends " of " and the label of a block. */
void eti__add_row_block(eti_buffer *out, eti_text label);

/* Returns the namesakes of a row, on the side on which it has its name; NULL for a total or a group. */
const eti_namesakes *eti__row_namesakes(const eti_diff_row *row);

/* Appends the label of a row (eti__add_entry_label()); the name of a group is enough. If `names_block`, the label of the
 * block follows, as in "addmm of forward". */
void eti__add_row(eti_buffer *out, const eti_diff_row *row, bool names_block);

/* Returns whether the modules of an event or a row may distinguish it from others of its name. */
bool eti__entry_needs_module(const eti_entry *entry, const eti_namesakes *namesakes);
bool eti__row_needs_module(const eti_diff_row *row);

#endif
