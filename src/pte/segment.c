#include "pte/segment.h"

#include "base/sort.h"
#include "base/status.h"

#include <inttypes.h>

/* Fields of DataSegment, which program.fbs and flat_tensor.fbs define in the same way. */
enum { OFFSET, SIZE };

/* Fails because of segment `i` of the vector. */
static eti_status fail_segment(const eti_flatbuf *buffer, eti_vector vector, uint32_t i,
                               const char *wrong, eti_error *err) {
    eti_position table = eti__flatbuf_vector_table(buffer, vector, i);
    return eti_fail(err, ETI_ERROR_MALFORMED,
                    "byte %zu: segments[%" PRIu32 "]: %" PRIu64 " bytes at %" PRIu64 " %s",
                    buffer->file_offset + table, i, eti__flatbuf_u64(buffer, table, SIZE, 0),
                    eti__flatbuf_u64(buffer, table, OFFSET, 0), wrong);
}

static int compare_offsets(const void *a, const void *b, void *context) {
    const eti_pte_segment *segments = context;
    const eti_pte_segment *x = &segments[*(const uint32_t *)a],
                          *y = &segments[*(const uint32_t *)b];
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Returns whether the segments are in order, as exporters write them, and do not overlap. */
static bool are_in_order(const eti_pte_segment *segments, uint32_t n) {
    uint64_t end = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (segments[i].size == 0)
            continue;
        if (segments[i].offset < end)
            return false;
        end = segments[i].offset + segments[i].size;
    }
    return true;
}

/* Sets `*overlapping` to a segment that begins inside another one, or to UINT32_MAX. */
static eti_status find_overlap(eti_pte_segment *segments, uint32_t n, eti_arena *arena,
                               uint32_t *overlapping, eti_error *err) {
    *overlapping = UINT32_MAX;
    if (are_in_order(segments, n))
        return ETI_OK;
    uint32_t *order = eti__arena_alloc(arena, n, sizeof *order);
    if (!order)
        return eti_fail_memory(err);
    uint32_t n_filled = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (segments[i].size > 0)
            order[n_filled++] = i;
    }
    eti__sort(order, n_filled, sizeof *order, compare_offsets, segments);
    for (uint32_t i = 1; i < n_filled; i++) {
        const eti_pte_segment *before = &segments[order[i - 1]];
        if (segments[order[i]].offset < before->offset + before->size)
            *overlapping = order[i];
    }
    return ETI_OK;
}

eti_status eti__segments_read(const eti_pte_segment **out, eti_arena *arena,
                              const eti_flatbuf *buffer, eti_vector vector,
                              const eti_segment_room *room, eti_error *err) {
    eti_pte_segment *segments = eti__arena_alloc(arena, vector.count, sizeof *segments);
    if (!segments)
        return eti_fail_memory(err);
    for (uint32_t i = 0; i < vector.count; i++) {
        eti_position table = eti__flatbuf_vector_table(buffer, vector, i);
        uint64_t offset = eti__flatbuf_u64(buffer, table, OFFSET, 0);
        uint64_t size = eti__flatbuf_u64(buffer, table, SIZE, 0);
        if (offset > room->end - room->base || size > room->end - room->base - offset)
            return fail_segment(buffer, vector, i, "lie outside the file (is it truncated?)", err);
        segments[i] = (eti_pte_segment){room->base + offset, size};
        if (size > 0 && segments[i].offset < room->metadata_end)
            return fail_segment(buffer, vector, i, "overlap the metadata", err);
    }
    uint32_t overlapping;
    ETI_TRY(find_overlap(segments, vector.count, arena, &overlapping, err));
    if (overlapping != UINT32_MAX)
        return fail_segment(buffer, vector, overlapping, "overlap those of another segment", err);
    *out = segments;
    return ETI_OK;
}
