/*
 * layout.h - the state of writing an ETDump, and the fast path for plain events.
 */
#ifndef ETC_CAPTURE_LAYOUT_H
#define ETC_CAPTURE_LAYOUT_H

#include "capture/shapes.h"

struct saving {
    etc_writer w;
    uint32_t is_too_large; /* a word, for the same reason as in etc_capture */
    const etc_capture *c;
    const etc_capture *of; /* whose record is written: `c` or one of its lanes */
    const etc_value_calls *values;
    const etc_allocation_calls
        *allocations; /* NULL: there are no allocations, allocators and names of lanes */
    etc_save_options options;
    uint32_t n_runs, n_skipped; /* saved, and skipped before them */
    uint32_t n_lane_names; /* names of lanes and queues, which are allocators of the first run */
    bool is_first_run;
    uint64_t debug_end;         /* of the contents of tensors so far */
    uint32_t body, names, size; /* positions of the tables, of the names, and of the end */
    etc_shapes shapes;
    uint8_t buffer[ETC_BUFFER_SIZE];
};

/* Size of a plain event in the file: Event and ProfileEvent. */
#define ETC_EVENT_SIZE ((uint32_t)ETC_POINTER_SIZE + ETC_PROFILE_SIZE)

/* Returns where a name lies in the file; 0: nowhere. */
static inline uint32_t etc__name_position(const saving *s, etc_name name) {
    const etc_capture *c = etc__name_owner(s->of, &name);
    if (!etc__has_name(c, name))
        return 0;
    uint32_t before = c->lane ? c->lane->names_before : 0;
    return s->names + before + c->file_names - etc__entry_at(c, name)->file_end;
}

static inline unsigned etc__bit(bool is_set, unsigned place) {
    return (unsigned)is_set << place;
}

/* Returns which fields a profile event has, as a number beyond ETC_SHAPE_PROFILE. */
static inline unsigned etc__profile_shape(const etc_profile_record *record, uint64_t start,
                                          uint64_t end) {
    return (unsigned)(record->name != 0) | (unsigned)(record->chain != 0) << 1 |
           (unsigned)(record->handle != UINT32_MAX) << 2 | (unsigned)(start != 0) << 3 |
           (unsigned)(end != 0) << 4;
}

/* ---- layout.c -------------------------------------------------------------------------------- */

/* Returns the first word of a table that lies `distance` bytes from here: where its vtable is. */
uint32_t etc__table(saving *s, unsigned shape, uint32_t distance);
/* Returns the offset from `distance` bytes from here to a name. */
uint32_t etc__name_offset(const saving *s, etc_name name, uint32_t distance);

/* ---- allocations.c, lane_names.c, counted.c -------------------------------------------------- */

/* Returns the size of the allocators of a run in the file. */
static inline uint32_t etc__allocators_size(uint32_t n) {
    return n ? 4 + 12 * n : 0;
}

/* Puts an allocator; its name belongs to the capture s->of. */
void etc__put_allocator(saving *s, etc_name name);
/* Puts, or only counts, an allocator for each name of a lane or queue: an ETDump has no other place for names that readers
 * ignore. */
uint32_t etc__put_lane_names(saving *s, bool puts);
/* Puts, or only counts, the metadata of an event with counters. */
void etc__put_counters(saving *s, const etc_counted_record *record);

/* ---- layout_plain.c -------------------------------------------------------------------------- */

/* Returns whether all records of a run are plain events without gaps, whose times are saved unchanged. */
static inline bool etc__is_plain(const saving *s, const etc_cursor *records) {
    return ETC_IS_FAST && ETC_IS_LITTLE && records->is_plain && s->c->tick_denominator == 0 &&
           records->left <= s->c->limit - records->at;
}

static inline uint32_t etc__n_plain(const etc_cursor *records) {
    return records->left / (uint32_t)sizeof(etc_profile_record);
}

/* Writes, or counts, the vector of such events and the events. */
void etc__put_plain_events(saving *s, const etc_cursor *records);

#endif
