/*
 * row_label.h - names rows in sentences and tables such that namesakes differ.
 */
#ifndef ETI_COMPARE_ROW_LABEL_H
#define ETI_COMPARE_ROW_LABEL_H

#include "base/text.h"
#include "compare/diff_row.h"
#include "profile/profile.h"
#include "table/table.h"

/* Appends " of " and the label of a block. */
void eti__add_row_block(eti_buffer *out, eti_text label);

/* Returns the namesakes of a row, on the side on which it has its name; NULL for a total or a group. */
const eti_namesakes *eti__row_namesakes(const eti_diff_row *row);

/* Appends the label of a row (eti__add_entry_label()); the name of a group is enough. If `names_block`, the label of the
 * block follows, as in "addmm of forward". */
void eti__add_row(eti_buffer *out, const eti_diff_row *row, bool names_block);

/* Returns the label without the module, which tables show beside it; absent if the name is enough. */
eti_text eti__label_beside_module(const eti_namesakes *namesakes);

/* Whether people need labels or modules to distinguish the rows of a table. Starts as all zeros. */
typedef struct eti_row_needs {
    bool labels, modules;
} eti_row_needs;

/* Adds what an event or a row needs; namesakes may be NULL. */
void eti__needs_add(eti_row_needs *needs, const eti_entry *entry, const eti_namesakes *namesakes);
void eti__needs_add_row(eti_row_needs *needs, const eti_diff_row *row);

/* Shows these to people in a table with names in the column `name`, whose cells have these labels. */
void eti__needs_show(const eti_row_needs *needs, eti_table *table, const char *name);

#endif
