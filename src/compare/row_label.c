#include "compare/row_label.h"

void eti__add_row_block(eti_buffer *out, eti_text label) {
    eti__buffer_add_string(out, " of ");
    eti__add_row_name(out, label);
}

/* Returns the side on which a row has its name. */
static const eti_row_side *named_side(const eti_diff_row *row) {
    return row->new_side.entry ? &row->new_side : &row->base;
}

const eti_namesakes *eti__row_namesakes(const eti_diff_row *row) {
    return named_side(row)->namesakes;
}

void eti__add_row(eti_buffer *out, const eti_diff_row *row, bool names_block) {
    const eti_row_side *side = named_side(row);
    if (side->namesakes)
        eti__add_entry_label(out, side->entry, side->namesakes);
    else
        eti__add_row_name(out, row->name);
    if (names_block)
        eti__add_row_block(out, row->block);
}

/* ---- tables ---------------------------------------------------------------------------------- */

eti_text eti__label_beside_module(const eti_namesakes *namesakes) {
    return namesakes ? namesakes->beside_module : (eti_text){0};
}

void eti__needs_add(eti_row_needs *needs, const eti_entry *entry, const eti_namesakes *namesakes) {
    if (!namesakes || namesakes->n < 2)
        return;
    needs->labels = needs->labels || namesakes->beside_module.data;
    needs->modules = needs->modules || entry->module.size > 0;
}

void eti__needs_add_row(eti_row_needs *needs, const eti_diff_row *row) {
    const eti_row_side *side = named_side(row);
    eti__needs_add(needs, side->entry, side->namesakes);
}

void eti__needs_show(const eti_row_needs *needs, eti_table *table, const char *name) {
    if (needs->labels || needs->modules)
        eti__table_distinguish(table, name, needs->modules ? "module" : NULL);
}
