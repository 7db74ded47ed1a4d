/*
 * run.c - opens and ends runs, and reserves memory for records. What only a ring does is in ring.c.
 */
#include "capture/ring.h"

/* Defines the functions that are not inlined. */
#if !ETC_IS_FAST
extern inline void *etc__reserve(etc_capture *c, uint32_t size);
extern inline void etc__mark_mixed(etc_capture *c);
extern inline void etc__commit_plain(etc_capture *c, uint32_t size);
extern inline void etc__commit(etc_capture *c, uint32_t size);
extern inline void etc__commit_event(etc_capture *c, uint32_t size);
#endif

static etc_run_record *run_at(const etc_capture *c, uint32_t at) {
    return (etc_run_record *)(void *)(c->records + at);
}

/* ---- records --------------------------------------------------------------------------------- */

static void *reserve(etc_capture *c, uint32_t size) {
    const etc_ring_calls *ring = etc__ring(c);
    if (size > ETC_RECORD_MOST ||
        (!etc__fits_at_head(c, size) && !(ring && ring->make_room(c, size))))
        return NULL;
    return c->records + c->head;
}

void etc__mark_partial(etc_capture *c) {
    if (c->run_state == ETC_RUN_AHEAD)
        c->lane->calls->enter(c);
    if (c->run != ETC_NOWHERE)
        run_at(c, c->run)->flags |= ETC_RUN_PARTIAL;
}

void *etc__make_room(etc_capture *c, uint32_t size) {
    if (c->run_state == ETC_RUN_AHEAD)
        c->lane->calls->enter(c);
    void *record = c->run_state == ETC_RUN_OPEN ? reserve(c, size) : NULL;
    if (record)
        return record;
    if (c->run_state == ETC_NO_RUN) {
        etc__count(&c->n_lost_state);
    } else if (c->run_state != ETC_RUN_OUTSIDE) {
        c->run_state = ETC_RUN_FULL;
        c->n_lost_full++;
        etc__mark_partial(c);
    }
    return NULL;
}

/* ---- runs ------------------------------------------------------------------------------------ */

void etc__open_run(etc_capture *c, etc_name name, uint32_t number, bool is_loading) {
    etc_run_record *run = c->is_full ? NULL : reserve(c, sizeof *run);
    if (!run) {
        c->run_state = ETC_RUN_FULL;
        c->is_full |= c->when_full != ETC_RING;
        c->n_runs_dropped++;
        etc__count(&c->n_runs_unrecorded);
        return;
    }
    c->run_state = ETC_RUN_OPEN;
    c->run = c->head;
    c->run_has_contents = false;
    *run = (etc_run_record){.header = etc__record_header(ETC_RECORD_RUN, sizeof *run),
                            .name = name,
                            .bundled_input = c->bundled_input,
                            .flags = is_loading ? ETC_RUN_LOADING : 0,
                            .number = number};
    etc__commit_plain(c, sizeof *run);
}

/* Ends a run that lost events. */
static void end_partial(etc_capture *c, const etc_run_record *run, bool is_full) {
    const etc_ring_calls *ring = etc__ring(c);
    etc__count(&c->n_runs_partial);
    if (!ring)
        c->is_full |= is_full;
    else if (!c->keep_partial_runs)
        ring->free_partial(c, run);
}

void etc__end_run(etc_capture *c) {
    uint8_t state = c->run_state;
    c->run_state = ETC_NO_RUN;
    c->is_guarded = c->lane != NULL;
    if (c->run == ETC_NOWHERE)
        return;
    etc_run_record *run = run_at(c, c->run);
    run->size = etc__open_run_size(c);
    etc__order_stores();
    if (run->flags & ETC_RUN_PARTIAL) {
        end_partial(c, run, state == ETC_RUN_FULL);
        c->run = ETC_NOWHERE;
        return;
    }
    c->n_runs++;
    c->run = ETC_NOWHERE;
    if (c->keep_runs && etc__ring(c))
        etc__ring(c)->keep_runs(c, run);
}
