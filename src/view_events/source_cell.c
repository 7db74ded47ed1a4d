#include "view_events/source_cell.h"

#include "rollup/rollup.h"

void eti__add_place_line(eti_buffer *out, const eti_places *places, const eti_place *place) {
    const eti_stack_frame *frame = &eti__places_frame(places, place->frame)->frame;
    eti__add_source_line(out, frame->file, frame->line);
}

bool eti__set_place_source(eti_row *row, const eti_places *places, const eti_place *place,
                           eti_cell *cell) {
    if (eti__place_has_line(place)) {
        eti__add_place_line(&row->scratch, places, place);
        return eti__row_take_cell(row, ETI_CELL_TEXT, cell);
    }
    if (place->has_frames)
        eti__cell_put(cell, eti__string_cell(ETI_GROUP_SEVERAL_LINES));
    return true;
}
