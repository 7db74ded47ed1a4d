/*
 * shared_handles.h - lists the debug handles that several instructions of a method have in the
 * ETRecord: an operator that quantizes the result of another has the handle of that operator, even
 * if another instruction runs it, and the steps of an unrolled loop share a handle.
 */
#ifndef ETI_PLACES_SHARED_HANDLES_H
#define ETI_PLACES_SHARED_HANDLES_H

#include "etrecord/etrecord.h"
#include "model/model.h"

/* Initialize to all zeros. */
typedef struct eti_shared_handles {
    int64_t *handles; /* sorted; NULL until they are listed */
    size_t n;
} eti_shared_handles;

/* Lists the handles, unless that was done before. Returns false if memory runs out. */
bool eti__shared_handles_list(eti_shared_handles *shared, const eti_etrecord *record,
                              size_t method);

bool eti__shared_handles_have(const eti_shared_handles *shared, int64_t handle);

void eti__shared_handles_free(eti_shared_handles *shared);

#endif
