/*
 * xnnpack.h - reads the nodes in the payload of an XNNPACK delegate: their operations, and the operators they belong to.
 *
 * Weights are never read. The layout is schema/xnnpack.fbs, after a header (little-endian, from the start of the payload),
 * which older payloads lack:
 *
 *      4  "XH00"
 *      8  u16 size of the header       10  u32 offset and 14  u32 size of the FlatBuffer
 *     18  u32 offset and 22  u64 size of the constants
 */
#ifndef ETI_BACKENDS_XNNPACK_H
#define ETI_BACKENDS_XNNPACK_H

#include "backends/xnnpack_graph.h"
#include "base/arena.h"

/* Returns whether a delegate with this identifier ("XnnpackBackend") has such payloads. */
bool eti__is_xnnpack(eti_text backend);

/* Reads a payload into the arena. A node without a handle gets that of its owner. ETI_ERROR_MALFORMED with the reason: not
 * a payload of XNNPACK, or damaged; ETI_ERROR_LIMIT; ETI_ERROR_MEMORY. */
eti_status eti__xnnpack_read(eti_xnnpack *out, eti_arena *arena, eti_text payload,
                             eti_error *err) ETI_WARN_UNUSED;

#endif
