/*
 * notes.h - turns the place of a row in the model into the cell of its column "source".
 */
#ifndef ETI_VIEW_EVENTS_NOTES_H
#define ETI_VIEW_EVENTS_NOTES_H

#include "base/intern.h"
#include "base/text.h"
#include "places/places.h"

/* Returns whether a place has exactly one line. */
static inline bool eti__place_has_line(const eti_place *place) {
    return place->has_frames && place->frame != ETI_PREFIX_ROOT;
}

/* Appends the line of a place that has one. */
void eti__add_place_line(eti_buffer *out, const eti_places *places, const eti_place *place);

#endif
