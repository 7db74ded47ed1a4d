/*
 * weight_places.h - finds the module of weights that XNNPACK payloads store under a name: that of the nodes in the payload
 * that use them, instead of the module of the whole delegate call.
 */
#ifndef ETI_PLACES_WEIGHT_PLACES_H
#define ETI_PLACES_WEIGHT_PLACES_H

#include "base/arena.h"
#include "base/intern.h"
#include "places/call_places.h"
#include "places/handle_nodes.h"
#include "places/payloads.h"

typedef struct eti_weight_place {
    uint32_t delegate;
    eti_text key, module;
} eti_weight_place;

/* Modules of the weights of one method. Initialize to all zeros. */
typedef struct eti_weight_places {
    ETI_INTERN_OF(eti_weight_place) found;
    eti_arena arena; /* of the classes of nodes */
    eti_handle_nodes nodes;
    bool *is_read;   /* per delegate; allocated with malloc() */
    uint64_t n_left; /* number of payload bytes that may still be examined */
} eti_weight_places;

/* Prepares for the delegates of the method of `places`. `most` is the number of payload bytes that may be examined.
 * Returns false if memory runs out. Free it in any case. */
bool eti__weight_places_init(eti_weight_places *out, const eti_call_places *places, uint64_t most);
void eti__weight_places_free(eti_weight_places *weights);

/* Adds the weights of the delegate that an instruction calls, unless they were added before. None is known if the payload
 * cannot be read, or if the ETRecord does not fit it because it is of another export. Fails with ETI_ERROR_MEMORY. */
eti_status eti__weight_places_add(eti_weight_places *weights, eti_call_places *places,
                                  eti_payloads *payloads, uint32_t instruction,
                                  eti_error *err) ETI_WARN_UNUSED;

/* Returns the innermost module of the nodes that use a weight; absent if it is unknown. The record owns the text. */
eti_text eti__weight_places_find(const eti_weight_places *weights, uint32_t delegate, eti_text key);

#endif
