#include "read/pte/ranges.h"

#include "base/sort.h"

/* What is behind the metadata's own bytes, or among them. */
typedef struct eti_spots {
    eti_range *items;
    size_t n;
} eti_spots;

static void add_spot(eti_spots *spots, uint64_t offset, uint64_t size, eti_range_kind kind,
                     uint32_t index) {
    if (size > 0)
        spots->items[spots->n++] = (eti_range){offset, size, (uint8_t)kind, index};
}

static void add_texts(eti_spots *spots, const struct eti_file *file, const eti_text *texts,
                      uint32_t n, eti_range_kind kind) {
    for (uint32_t i = 0; i < n; i++) {
        if (texts[i].size > 0)
            add_spot(spots, (uint64_t)((const uint8_t *)texts[i].data - file->data), texts[i].size,
                     kind, i);
    }
}

static void add_segments(eti_spots *spots, uint64_t base, const eti_pte_segment *segments,
                         uint32_t n) {
    for (uint32_t i = 0; i < n; i++)
        add_spot(spots, base + segments[i].offset, segments[i].size, ETI_RANGE_SEGMENT, i);
}

static int compare_spots(const void *a, const void *b, void *context) {
    const eti_range *x = a, *y = b;
    (void)context;
    if (x->offset != y->offset)
        return x->offset < y->offset ? -1 : 1;
    if (x->kind != y->kind)
        return x->kind < y->kind ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

/* ---- what is between ------------------------------------------------------------------------- */

/* Where the parts of a file end that have one kind each between the spots. */
typedef struct eti_part {
    uint64_t end;
    eti_range_kind kind;
} eti_part;

typedef struct eti_division {
    eti_range *items;
    size_t n;
    uint64_t at; /* the end of the last one */
    const eti_part *parts;
    size_t n_parts;
} eti_division;

/* Fills the gap to `end`, which may be in several parts. */
static void fill_gap(eti_division *division, uint64_t end) {
    for (size_t i = 0; i < division->n_parts; i++) {
        uint64_t part_end = division->parts[i].end < end ? division->parts[i].end : end;
        if (part_end <= division->at)
            continue;
        division->items[division->n++] =
            (eti_range){division->at, part_end - division->at, (uint8_t)division->parts[i].kind, 0};
        division->at = part_end;
    }
}

static eti_status divide(eti_ranges *out, eti_arena *arena, const eti_spots *spots,
                         const eti_part *parts, size_t n_parts, eti_error *err) {
    eti_division division = {.parts = parts, .n_parts = n_parts};
    division.items = eti__arena_alloc(arena, 2 * spots->n + n_parts, sizeof *division.items);
    if (!division.items)
        return eti_fail_memory(err);
    eti__sort(spots->items, spots->n, sizeof *spots->items, compare_spots, NULL);
    for (size_t i = 0; i < spots->n; i++) {
        eti_range spot = spots->items[i];
        uint64_t end = spot.offset + spot.size;
        fill_gap(&division, spot.offset);
        if (end <= division.at)
            continue;
        spot.size = end - division.at;
        spot.offset = division.at;
        division.items[division.n++] = spot;
        division.at = end;
    }
    fill_gap(&division, parts[n_parts - 1].end);
    *out = (eti_ranges){division.items, division.n};
    return ETI_OK;
}

eti_status eti__pte_ranges(eti_ranges *out, eti_arena *arena, const eti_pte *pte, eti_error *err) {
    const eti_part parts[] = {
        {pte->offset, ETI_RANGE_BUNDLE},
        {pte->offset + pte->program_size, ETI_RANGE_METADATA},
        {pte->offset + pte->size, ETI_RANGE_PADDING},
        {pte->file->size, ETI_RANGE_BUNDLE},
    };
    size_t most = (size_t)pte->n_inline_constants + pte->n_inline_delegates + pte->n_segments;
    eti_spots spots = {eti__arena_alloc(arena, most, sizeof *spots.items), 0};
    if (!spots.items)
        return eti_fail_memory(err);
    add_texts(&spots, pte->file, pte->inline_constants, pte->n_inline_constants,
              ETI_RANGE_INLINE_CONSTANT);
    add_texts(&spots, pte->file, pte->inline_delegates, pte->n_inline_delegates,
              ETI_RANGE_INLINE_DELEGATE);
    add_segments(&spots, pte->offset, pte->segments, pte->n_segments);
    return divide(out, arena, &spots, parts, sizeof parts / sizeof *parts, err);
}

eti_status eti__ptd_ranges(eti_ranges *out, eti_arena *arena, const eti_ptd *ptd, eti_error *err) {
    const eti_part parts[] = {
        {ptd->metadata_size, ETI_RANGE_METADATA},
        {ptd->file->size, ETI_RANGE_PADDING},
    };
    eti_spots spots = {eti__arena_alloc(arena, ptd->n_segments, sizeof *spots.items), 0};
    if (!spots.items)
        return eti_fail_memory(err);
    add_segments(&spots, 0, ptd->segments, ptd->n_segments);
    return divide(out, arena, &spots, parts, sizeof parts / sizeof *parts, err);
}
