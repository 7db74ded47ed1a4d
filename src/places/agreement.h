/*
 * agreement.h - keeps the attributes of Events that all methods that may have run have in common.
 *
 * Operator, module, line of source, debug handles and attribution of each Event are found for each of the methods, and kept
 * if they are equal. The module is the innermost one that all of them name, as for an Event with several nodes; the
 * attribution is the weakest.
 */
#ifndef ETI_PLACES_AGREEMENT_H
#define ETI_PLACES_AGREEMENT_H

#include "base/intern.h"
#include "model/model.h"
#include "places/places.h"

typedef struct eti_agreement {
    eti_inspector *inspector;
    eti_places places;
    eti_intern views;     /* records with their operators and places */
    eti_intern states;    /* attributes in common */
    eti_intern lists;     /* lists that were compared */
    uint32_t **of_events; /* per block and Event: the number of its state; NULL for other blocks */
} eti_agreement;

/* Returns false if memory runs out. Free it in any case. */
bool eti__agreement_init(eti_agreement *agreement, eti_inspector *inspector);
void eti__agreement_free(eti_agreement *agreement);

/* Adds `known` of the Events of the blocks that are tried, see eti__methods_try(). Returns false if memory runs out. */
bool eti__agreement_add(eti_agreement *agreement);

/* Sets `known` of all Events that were added. Returns false if memory runs out. */
bool eti__agreement_set(eti_agreement *agreement);

#endif
