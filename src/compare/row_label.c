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

bool eti__entry_needs_module(const eti_entry *entry, const eti_namesakes *namesakes) {
    return namesakes && namesakes->n > 1 && entry->module.size > 0;
}

bool eti__row_needs_module(const eti_diff_row *row) {
    const eti_row_side *side = named_side(row);
    return side->namesakes && eti__entry_needs_module(side->entry, side->namesakes);
}
