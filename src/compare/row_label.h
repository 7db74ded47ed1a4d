/*
 * row_label.h - names rows in sentences such that namesakes differ: by their module, source line or number.
 */
#ifndef ETI_COMPARE_ROW_LABEL_H
#define ETI_COMPARE_ROW_LABEL_H

#include "compare/diff_row.h"

/* Appends a name, shortened if it is long. */
void eti__add_row_name(eti_buffer *out, eti_text name);

/* Appends the name of a total or event of a block. If the block has other events of that name, appends the module, as in
 * "addmm (encoder.layers.0)"; the source line, if others of these have the same module or none is known; and the number
 * among all of them, as in "addmm #3", if even that is not enough. If `names_block`, the label of the block follows, as in
 * "addmm of forward". */
void eti__add_entry_label(eti_buffer *out, const eti_profile_block *block, const eti_entry *entry,
                          bool names_block);

/* Does the same with a row; the name of a group is enough. */
void eti__add_row(eti_buffer *out, const eti_diff_row *row, bool names_block);

/* Returns whether another event of the block has the name of this one, and their modules may distinguish them. */
bool eti__entry_needs_module(const eti_profile_block *block, const eti_entry *entry);
bool eti__row_needs_module(const eti_diff_row *row);

#endif
