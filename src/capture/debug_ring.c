/*
 * debug_ring.c - the contents of tensors in the debug buffer of a ring: etc_contents_ring describes
 * their layout. Dropping runs, with their records, makes room.
 */
#include "capture/capture.h"

/* Returns the number of bytes that are used: offsets in units of the alignment have 32 bits, so the rest of a larger buffer
 * is not used. */
static size_t usable_size(const etc_capture *c) {
    uint64_t most = (uint64_t)UINT32_MAX * ETC_CONTENTS_ALIGNMENT;
    return c->debug_size < most ? c->debug_size : (size_t)most;
}

static size_t offset_of(uint32_t units) {
    return (size_t)units * ETC_CONTENTS_ALIGNMENT;
}

/* Returns the first unit after contents. */
static uint32_t end_of(size_t offset, size_t bytes) {
    return (uint32_t)(((uint64_t)offset + bytes + ETC_CONTENTS_ALIGNMENT - 1) /
                      ETC_CONTENTS_ALIGNMENT);
}

static uint32_t unit_of(const etc_tensor_record *tensor) {
    return (uint32_t)((uint64_t)tensor->offset / ETC_CONTENTS_ALIGNMENT);
}

/* Finds the end of the contents of pinned runs. These runs were recorded before anything was dropped, so their contents are
 * the first in the buffer. */
static void find_pinned(etc_capture *c) {
    if (c->pinned & ETC_PINNED_MEASURED)
        return;
    etc_tensor_cursor tensors = {.records = {.c = c, .at = 0, .left = c->base}};
    c->contents.pinned_end = 0;
    for (const etc_tensor_record *tensor; (tensor = etc__next_contents(&tensors)) != NULL;)
        c->contents.pinned_end = end_of((size_t)tensor->offset, (size_t)etc__tensor_bytes(tensor));
    if (c->pinned)
        c->pinned |= ETC_PINNED_MEASURED;
}

/* Finds the oldest contents after those of pinned runs. Walks the runs from the tail only when the run with the oldest
 * contents was dropped, and only up to the first run with contents, so no record is walked twice. For the open run, whose
 * latest record is not complete yet, run_begin is used instead. */
static void find_oldest(etc_capture *c) {
    etc_run_cursor runs = {.at = c->tail, .left = c->used};
    const etc_run_record *run = etc__next_any_run(c, &runs);
    if (c->contents_run == ETC_NUMBER_NONE || !etc__is_before(c->contents_run, run->number))
        return;
    for (; (const uint8_t *)run != c->records + c->run; run = etc__next_any_run(c, &runs)) {
        etc_tensor_cursor tensors = {.records = runs.records};
        const etc_tensor_record *tensor = etc__next_contents(&tensors);
        if (tensor) {
            c->contents.oldest = unit_of(tensor);
            c->contents_run = run->number;
            return;
        }
    }
    c->contents.oldest = c->contents.run_begin;
    c->contents_run = c->run_has_contents ? run->number : (uint32_t)ETC_NUMBER_NONE;
}

/* Finds a place for contents. If there are other contents, the oldest of them begin at `oldest`. */
static bool find_place(const etc_capture *c, bool has_others, uint32_t oldest, size_t bytes,
                       uint32_t *out) {
    const etc_contents_ring *ring = &c->contents;
    bool has_wrapped = has_others && oldest >= ring->end;
    size_t limit = has_wrapped ? offset_of(oldest) : usable_size(c);
    *out = has_others ? ring->end : ring->pinned_end;
    if (offset_of(*out) <= limit && bytes <= limit - offset_of(*out))
        return true;
    *out = ring->pinned_end;
    return has_others && !has_wrapped && *out <= oldest && bytes <= offset_of(oldest - *out);
}

static void put(etc_capture *c, const etc_tensor *tensor, uint32_t at) {
    etc_contents_ring *ring = &c->contents;
    size_t offset = offset_of(at), end = offset + tensor->bytes;
    memcpy(c->debug_buffer + offset, tensor->data, tensor->bytes);
    if (c->contents_run == ETC_NUMBER_NONE) {
        ring->oldest = at;
        c->contents_run = ((const etc_run_record *)(const void *)(c->records + c->run))->number;
    }
    if (!c->run_has_contents)
        ring->run_begin = at;
    c->run_has_contents = true;
    ring->end = end_of(offset, tensor->bytes);
    size_t before = ring->oldest >= ring->end ? c->debug_size : offset_of(ring->pinned_end);
    c->debug_used = before - offset_of(ring->oldest) + end;
}

static etc_status store_in_ring(etc_capture *c, const etc_tensor *tensor, int64_t *offset) {
    uint32_t at;
    for (;;) {
        find_pinned(c);
        find_oldest(c);
        bool has_others = c->contents_run != ETC_NUMBER_NONE;
        bool has_place = find_place(c, has_others, c->contents.oldest, tensor->bytes, &at);
        bool wraps = has_place && has_others && at < c->contents.end;
        if ((!has_place || wraps) && etc__pin_loading(c))
            continue;
        /* Until it is decided which runs are pinned, only a run that loaded the model and that
         * keep_runs dropped leaves space before others. The next such run may be pinned, and
         * contents of pinned runs come first, so the space stays free. */
        if (has_place && (!wraps || c->pinned))
            break;
        /* Drops runs only if that can make enough room beside the pinned runs. */
        if (!find_place(c, c->run_has_contents, c->contents.run_begin, tensor->bytes, &at) ||
            !etc__drop_oldest(c))
            return ETC_FULL;
    }
    put(c, tensor, at);
    *offset = (int64_t)offset_of(at);
    return ETC_OK;
}

const etc_value_calls etc__value_calls_in_ring = {
    etc__log_number, etc__log_tensors,    store_in_ring,
    etc__put_value,  etc__print_contents, etc__print_check,
};
