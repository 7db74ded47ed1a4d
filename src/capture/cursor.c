/*
 * cursor.c - walks the runs of a capture, and the records of a run.
 */
#include "capture/capture.h"

static void advance(const etc_capture *c, uint32_t *at, uint32_t *left, uint32_t size) {
    *at += size;
    *left -= size;
    if (*at >= c->limit && c->when_full == ETC_RING)
        *at = c->base + (*at - c->limit);
}

/* Returns the size of a record, limited to the memory even if the header is damaged. */
static uint32_t size_at(const etc_capture *c, uint32_t at, uint32_t left) {
    uint32_t size = etc__record_size((const uint32_t *)(const void *)(c->records + at));
    return size == 0 || size > left ? left : size;
}

const uint32_t *etc__next_record(etc_cursor *cursor) {
    do {
        while (cursor->left) {
            const etc_capture *c = cursor->c;
            const uint32_t *record = (const uint32_t *)(const void *)(c->records + cursor->at);
            advance(c, &cursor->at, &cursor->left, size_at(c, cursor->at, cursor->left));
            if (etc__record_kind(record) != ETC_RECORD_FILLER)
                return record;
        }
    } while (cursor->lanes && cursor->lanes->next(cursor));
    return NULL;
}

void etc__start_own_runs(const etc_capture *c, etc_run_cursor *cursor, const char *name) {
    *cursor = (etc_run_cursor){.at = 0, .left = c->base, .is_pinned = true};
    cursor->any_name = !name;
    cursor->name = name ? etc__find_name(c, name) : 0; /* no run has the name 0 */
    cursor->with_partial = c->keep_partial_runs;
}

void etc__start_runs(const etc_capture *c, etc_run_cursor *cursor,
                     const etc_save_options *options) {
    etc__start_own_runs(c, cursor, options->run_name);
    cursor->with_partial |= options->partial_runs;
    cursor->lanes = etc__lanes(c);
    if (cursor->lanes)
        cursor->lanes->start(c);
}

static bool skip_filler(const etc_capture *c, etc_run_cursor *cursor) {
    const uint32_t *record = (const uint32_t *)(const void *)(c->records + cursor->at);
    if (etc__record_kind(record) != ETC_RECORD_FILLER)
        return false;
    advance(c, &cursor->at, &cursor->left, size_at(c, cursor->at, cursor->left));
    return true;
}

const etc_run_record *etc__next_any_run(const etc_capture *c, etc_run_cursor *cursor) {
    if (cursor->left == 0 && cursor->is_pinned) {
        cursor->at = c->tail;
        cursor->left = c->used;
        cursor->is_pinned = false;
    }
    while (cursor->left && skip_filler(c, cursor))
        continue;
    if (cursor->left == 0)
        return NULL;
    const etc_run_record *run = (const etc_run_record *)(const void *)(c->records + cursor->at);
    uint32_t size = cursor->at == c->run ? cursor->left : run->size;
    cursor->records = (etc_cursor){.c = c, .at = cursor->at, .left = size};
    etc__next_record(&cursor->records); /* the run itself */
    cursor->records.lanes = cursor->lanes;
    cursor->records.is_plain = !cursor->lanes && !(run->flags & ETC_RUN_MIXED);
    advance(c, &cursor->at, &cursor->left, size);
    return run;
}

const etc_run_record *etc__next_run(const etc_capture *c, etc_run_cursor *cursor) {
    for (;;) {
        const etc_run_record *run = etc__next_any_run(c, cursor);
        if (!run)
            return NULL;
        if ((run->flags & ETC_RUN_DROPPED) || (!cursor->any_name && run->name != cursor->name))
            continue;
        bool is_open = (uint32_t)((const uint8_t *)run - c->records) == c->run;
        uint32_t n_lanes = cursor->lanes ? cursor->lanes->seek(c, run->number) : 0;
        cursor->is_whole =
            !is_open && !(run->flags & ETC_RUN_PARTIAL) && run->flags / ETC_RUN_LANES == n_lanes;
        if (cursor->is_whole || cursor->with_partial)
            return run;
    }
}

uint32_t etc__count_runs(const etc_capture *c, const etc_save_options *options) {
    uint32_t n = 0;
    etc_run_cursor cursor;
    etc__start_runs(c, &cursor, options);
    while (etc__next_run(c, &cursor))
        n++;
    return n;
}
