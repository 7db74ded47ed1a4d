/*
 * allocations.c - allocators and allocations. A program for a board that uses neither, and names no lanes, does not link this
 * source.
 */
#include "capture/layout.h"

/* ---- recording ------------------------------------------------------------------------------- */

static void use_part(etc_capture *c) {
#if ETC_HOSTED
    (void)c;
#else
    c->allocations = &etc__allocation_calls;
#endif
}

uint32_t etc_allocator(etc_capture *c, const char *name) {
    if (!etc__is_on(c) || etc__refuses(c))
        return 0;
    etc_name interned = etc__intern(c, name ? name : "");
    etc_allocator_record *record = etc__reserve(c, sizeof *record);
    if (!record)
        return 0;
    *record = (etc_allocator_record){etc__record_header(ETC_RECORD_ALLOCATOR, sizeof *record),
                                     interned ? interned : ETC_EMPTY_NAME};
    etc__commit(c, sizeof *record);
    use_part(c);
    return ++c->n_allocators;
}

void etc_allocation(etc_capture *c, uint32_t id, uint64_t bytes) {
    if (!etc__is_on(c) || !etc__keeps(c, ETC_EVENT_ALLOCATION, 0, (int32_t)id, c->handle))
        return;
    etc_allocation_record *record = etc__reserve(c, sizeof *record);
    if (!record)
        return;
    *record = (etc_allocation_record){etc__record_header(ETC_RECORD_ALLOCATION, sizeof *record), id,
                                      bytes};
    etc__commit_event(c, sizeof *record);
    use_part(c);
}

/* ---- saving ---------------------------------------------------------------------------------- */

static void put_allocation(saving *s, const etc_allocation_record *record) {
    unsigned fields = etc__bit(record->id != 0, 0) | etc__bit(record->bytes != 0, 1);
    uint32_t words[] = {
        etc__table(s, ETC_SHAPE_EVENT + 1, 0),
        4,
        etc__table(s, ETC_SHAPE_ALLOCATION + fields, 8),
        record->id,
        (uint32_t)record->bytes,
        (uint32_t)(record->bytes >> 32),
    };
    etc__put_words(&s->w, words, 6);
}

void etc__put_allocator(saving *s, etc_name name) {
    uint32_t words[] = {etc__table(s, ETC_SHAPE_ALLOCATOR, 0), etc__name_offset(s, name, 4)};
    etc__put_words(&s->w, words, 2);
}

static void put_allocators(saving *s, const etc_cursor *records, uint32_t n) {
    etc_cursor cursor = *records;
    etc__put_u32(&s->w, n);
    for (uint32_t i = 0; i < n; i++)
        etc__put_u32(&s->w, 4 * (n + i)); /* tables are twice as large as their offsets */
    for (const uint32_t *record;
         !s->options.no_allocations && (record = etc__next_record(&cursor)) != NULL;) {
        if (etc__record_kind(record) == ETC_RECORD_ALLOCATOR)
            etc__put_allocator(s, ((const etc_allocator_record *)(const void *)record)->name);
    }
    if (s->is_first_run && s->n_lane_names)
        etc__put_lane_names(s, true);
}

static uint32_t count_lane_names(saving *s) {
    return etc__put_lane_names(s, false);
}

const etc_allocation_calls etc__allocation_calls = {put_allocation, put_allocators,
                                                    count_lane_names};
