/*
 * payloads.h - reads the payload of each delegate that is called, once.
 */
#ifndef ETI_ACCOUNT_DELEGATE_PAYLOADS_H
#define ETI_ACCOUNT_DELEGATE_PAYLOADS_H

#include "base/intern.h"
#include "read/pte/xnnpack.h"

/* A payload that was asked for. */
typedef struct eti_payload {
    const char *bytes; /* where it lies: the key */
    size_t size;
    bool is_read; /* false: it cannot be */
    eti_xnnpack graph;
} eti_payload;

/* Starts as all zeros, except the arena. */
typedef struct eti_payloads {
    eti_arena *arena; /* of all that is read */
    ETI_INTERN_OF(eti_payload) known;
    size_t n_damaged; /* number of payloads of XNNPACK that cannot be read */
    size_t n_foreign; /* number of payloads of other backends */
    eti_text backend; /* of a foreign one */
    eti_error damage; /* of the first that cannot be read */
} eti_payloads;

/* Finds the nodes of a delegate with this identifier and this payload; NULL: they cannot be read, which is counted. ETI_ERROR_MEMORY. */
eti_status eti__payloads_find(eti_payloads *payloads, eti_text backend, eti_text payload,
                              const eti_xnnpack **out, eti_error *err) ETI_WARN_UNUSED;

void eti__payloads_free(eti_payloads *payloads);

#endif
