/*
 * delegate_call.h - an entry of the delegate_map of an ETRecord, for one instruction.
 */
#ifndef ETI_ETRECORD_DELEGATE_CALL_H
#define ETI_ETRECORD_DELEGATE_CALL_H

#include "etinspect.h"

/* One delegated call: {"name": backend, "delegate_map": {identifier: handles}}. */
typedef struct eti_delegate_entry {
    eti_text identifier;
    eti_debug_handles handles;
} eti_delegate_entry;

typedef struct eti_delegate_call {
    eti_text backend_name; /* "" if the record has none */
    /* In file order; of equal keys, the last value counts, in the position of the first. */
    const eti_delegate_entry *entries;
    size_t n_entries;
} eti_delegate_call;

#endif
