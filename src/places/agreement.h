/*
 * agreement.h - keeps what all methods that may have run say about the Events of a block.
 *
 * Operator, module, line of source, debug handles and attribution of each Event are found for each of the methods. Of these,
 * what all methods have is kept. The module is the innermost one that all of them name, as for an Event with several nodes; the
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
    eti_intern views;     /* records, each with what it says */
    eti_intern states;    /* what the methods so far agree on */
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
