/*
 * parts.h - pieces that the sources of the room share.
 */
#ifndef ETI_PLACES_PARTS_H
#define ETI_PLACES_PARTS_H

#include "places/places.h"

/* Finds the place that nodes share; its `ops` are 0. */
bool eti__places_of_nodes(eti_places *places, const eti_event_nodes *nodes, eti_place *out);

#endif
