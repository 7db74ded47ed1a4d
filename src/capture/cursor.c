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

/* Records are ours, but a length that cannot be must not lead out of memory. */
static uint32_t size_at(const etc_capture *c, uint32_t at, uint32_t left) {
    uint32_t size = etc__record_size((const uint32_t *)(const void *)(c->records + at));
    return size == 0 || size > left ? left : size;
}

const uint32_t *etc__next_record(const etc_capture *c, etc_cursor *cursor) {
    while (cursor->left) {
        const uint32_t *record = (const uint32_t *)(const void *)(c->records + cursor->at);
        advance(c, &cursor->at, &cursor->left, size_at(c, cursor->at, cursor->left));
        if (etc__record_kind(record) != ETC_RECORD_FILLER)
            return record;
    }
    return NULL;
}

void etc__start_runs(const etc_capture *c, etc_run_cursor *cursor, const char *name) {
    *cursor = (etc_run_cursor){.at = 0, .left = c->base, .is_pinned = true};
    cursor->any_name = !name;
    cursor->name = name ? etc__find_name(c, name) : 0; /* no run has the name 0 */
    cursor->with_partial = c->keep_partial_runs;
}

static bool skip_filler(const etc_capture *c, etc_run_cursor *cursor) {
    const uint32_t *record = (const uint32_t *)(const void *)(c->records + cursor->at);
    if (etc__record_kind(record) != ETC_RECORD_FILLER)
        return false;
    advance(c, &cursor->at, &cursor->left, size_at(c, cursor->at, cursor->left));
    return true;
}

static const etc_run_record *next_run(const etc_capture *c, etc_run_cursor *cursor) {
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
    cursor->records = (etc_cursor){cursor->at, size, !(run->flags & ETC_RUN_MIXED)};
    etc__next_record(c, &cursor->records); /* the run itself */
    advance(c, &cursor->at, &cursor->left, size);
    return run;
}

const etc_run_record *etc__next_run(const etc_capture *c, etc_run_cursor *cursor) {
    for (;;) {
        const etc_run_record *run = next_run(c, cursor);
        if (!run)
            return NULL;
        bool is_open = (uint32_t)((const uint8_t *)run - c->records) == c->run;
        bool is_whole = !is_open && !(run->flags & ETC_RUN_PARTIAL);
        if (!(run->flags & ETC_RUN_DROPPED) && (is_whole || cursor->with_partial) &&
            (cursor->any_name || run->name == cursor->name))
            return run;
    }
}
