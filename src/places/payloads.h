/*
 * payloads.h - reads the payload of each called delegate once.
 */
#ifndef ETI_PLACES_PAYLOADS_H
#define ETI_PLACES_PAYLOADS_H

#include "backends/backends.h"
#include "base/arena.h"
#include "base/intern.h"

/* A payload that was looked up. */
typedef struct eti_payload {
    const char *bytes; /* address of the payload, which is the key */
    size_t size;
    bool is_read; /* false: it cannot be read */
    eti_xnnpack graph;
} eti_payload;

/* Initialize to all zeros, except for the arena. */
typedef struct eti_payloads {
    eti_arena *arena; /* owns all graphs that were read */
    ETI_INTERN_OF(eti_payload) known;
    size_t n_damaged; /* number of XNNPACK payloads that cannot be read */
    size_t n_foreign; /* number of payloads of other backends */
    eti_text backend; /* backend of a foreign payload */
    eti_error damage; /* error of the first payload that cannot be read */
} eti_payloads;

/* Finds the nodes of the payload of a delegate with this identifier. Sets `*out` to NULL if they cannot be read, and
 * counts the failure. Fails with ETI_ERROR_MEMORY. */
eti_status eti__payloads_find(eti_payloads *payloads, eti_text backend, eti_text payload,
                              const eti_xnnpack **out, eti_error *err) ETI_WARN_UNUSED;

void eti__payloads_free(eti_payloads *payloads);

#endif
