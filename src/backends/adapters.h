/*
 * adapters.h - the adapter of each backend: one source per backend defines it.
 */
#ifndef ETI_BACKENDS_ADAPTERS_H
#define ETI_BACKENDS_ADAPTERS_H

#include "backends/backends.h"
#include "base/arena.h"

typedef struct eti_adapter {
    const char *id; /* identifier of the backend in a record or program */
    /* Returns whether only this backend logs events with such a name; NULL: no name shows the backend. */
    bool (*owns)(const eti_logged_event *logged);
    /* Fills `out`, which has the name as label, no parent but the call, and the role of a node; NULL: leaves it so. Returns
     * false if memory runs out. */
    bool (*read)(eti_delegate_event *out, const eti_logged_event *logged, eti_arena *arena);
} eti_adapter;

bool eti__coreml_owns(const eti_logged_event *logged);
bool eti__coreml_read_event(eti_delegate_event *out, const eti_logged_event *logged,
                            eti_arena *arena);

bool eti__qnn_owns(const eti_logged_event *logged);
bool eti__qnn_read_event(eti_delegate_event *out, const eti_logged_event *logged, eti_arena *arena);

bool eti__ethosu_owns(const eti_logged_event *logged);
bool eti__ethosu_read_event(eti_delegate_event *out, const eti_logged_event *logged,
                            eti_arena *arena);

bool eti__vgf_owns(const eti_logged_event *logged);
bool eti__vgf_read_event(eti_delegate_event *out, const eti_logged_event *logged, eti_arena *arena);

bool eti__neutron_owns(const eti_logged_event *logged);
bool eti__neutron_read_event(eti_delegate_event *out, const eti_logged_event *logged,
                             eti_arena *arena);

bool eti__native_read_event(eti_delegate_event *out, const eti_logged_event *logged,
                            eti_arena *arena);

bool eti__vulkan_owns_event(const eti_logged_event *logged);
bool eti__vulkan_read_event(eti_delegate_event *out, const eti_logged_event *logged,
                            eti_arena *arena);

#endif
