/*
 * ring.c - memory for records: to make room in a ring, the oldest whole runs are dropped.
 */
#include "capture/ring.h"

/* Defines the functions that are not inlined. */
#if !ETC_IS_FAST
extern inline bool etc__fits_at_head(const etc_capture *c, uint32_t size);
extern inline void *etc__reserve(etc_capture *c, uint32_t size);
extern inline void etc__mark_mixed(etc_capture *c);
extern inline void etc__commit_plain(etc_capture *c, uint32_t size);
extern inline void etc__commit(etc_capture *c, uint32_t size);
extern inline void etc__commit_event(etc_capture *c, uint32_t size);
#endif

static uint32_t ring_size(const etc_capture *c) {
    return c->limit - c->base;
}

static uint32_t *record_at(const etc_capture *c, uint32_t at) {
    return (uint32_t *)(void *)(c->records + at);
}

static etc_run_record *run_at(const etc_capture *c, uint32_t at) {
    return (etc_run_record *)(void *)(c->records + at);
}

/* ---- dropping runs --------------------------------------------------------------------------- */

static void start_over_if_empty(etc_capture *c) {
    etc__order_stores();
    if (c->used == 0)
        c->head = c->tail = c->base;
    etc__order_stores();
}

/* Frees bytes at the tail. Runs after them are no longer the first ones, so none can be pinned any more. */
static void free_tail(etc_capture *c, uint32_t size) {
    c->pinned |= ETC_PINNED_DECIDED;
    uint32_t tail = c->tail + size;
    c->tail = tail >= c->limit ? c->base + (tail - c->limit) : tail;
    etc__order_stores();
    c->used -= size;
}

/* Frees dropped runs and fillers at the tail. */
static void free_dropped(etc_capture *c) {
    while (c->used && c->tail != c->run) {
        const uint32_t *record = record_at(c, c->tail);
        if (etc__record_kind(record) == ETC_RECORD_FILLER)
            free_tail(c, etc__record_size(record));
        else if (run_at(c, c->tail)->flags & ETC_RUN_DROPPED)
            free_tail(c, run_at(c, c->tail)->size);
        else
            break;
    }
    start_over_if_empty(c);
}

/* Returns whether keep_runs counts a run among those of a name. */
static bool is_counted(const etc_capture *c, const etc_run_record *run, etc_name name) {
    uint32_t at = (uint32_t)((const uint8_t *)run - c->records);
    return run->name == name && at != c->run && !(run->flags & (ETC_RUN_DROPPED | ETC_RUN_PARTIAL));
}

/* Removes the oldest of the runs that keep_runs counted from the count. Looks for the next from there, not from the tail, so
 * that each run is passed once. */
static void discount_oldest(etc_capture *c) {
    uint32_t at = c->oldest_kept;
    etc_run_cursor cursor = {.at = at, .is_pinned = at < c->base};
    if (cursor.is_pinned)
        cursor.left = c->base - at;
    else
        cursor.left = c->used - (at >= c->tail ? at - c->tail : at + ring_size(c) - c->tail);
    etc_name name = etc__next_any_run(c, &cursor)->name; /* its own */
    c->n_kept--;
    for (const etc_run_record *run; (run = etc__next_any_run(c, &cursor)) != NULL;) {
        if (is_counted(c, run, name)) {
            c->oldest_kept = (uint32_t)((const uint8_t *)run - c->records);
            return;
        }
    }
    c->n_kept = 0;
}

/* Notes that a lane has lost events of a run. */
static void note_loss(etc_capture *c, uint32_t number) {
    if (c->lane)
        c->lane->calls->note_loss(c, number);
}

static void drop_run(etc_capture *c, etc_run_record *run) {
    if (c->n_kept && is_counted(c, run, run_at(c, c->oldest_kept)->name)) {
        if (run == run_at(c, c->oldest_kept))
            discount_oldest(c);
        else /* oldest_kept is a pinned run */
            c->n_kept--;
    }
    run->flags |= ETC_RUN_DROPPED;
    etc__order_stores();
    c->n_runs_dropped++;
    note_loss(c, run->number);
}

/* Pins the runs that loaded the model, which happens once, at first: they are never dropped, and
 * the ring begins after them, if other runs follow and at least half of the memory is left for
 * these. */
static void pin_loading(etc_capture *c) {
    uint32_t at = c->tail;
    uint32_t left = c->used;
    c->pinned |= ETC_PINNED_DECIDED;
    while (left && at != c->run && etc__record_kind(record_at(c, at)) == ETC_RECORD_RUN &&
           (run_at(c, at)->flags & ETC_RUN_LOADING)) {
        left -= run_at(c, at)->size;
        at += run_at(c, at)->size;
    }
    if (left == 0 || at > c->limit / 2 || at == c->run)
        return;
    c->base = at;
    etc__order_stores();
    c->tail = at;
    if (c->head < at) /* the ring is full */
        c->head = at;
    etc__order_stores();
    c->used = left;
}

bool etc__drop_oldest(etc_capture *c) {
    if (!c->pinned)
        pin_loading(c);
    free_dropped(c);
    if (c->used == 0 || c->tail == c->run)
        return false;
    drop_run(c, run_at(c, c->tail));
    free_dropped(c);
    return true;
}

/* ---- reserving ------------------------------------------------------------------------------- */

/* Continues the ring at its base. */
static void wrap(etc_capture *c) {
    uint32_t size = c->limit - c->head;
    *record_at(c, c->head) = etc__record_header(ETC_RECORD_FILLER, size);
    if (c->run != ETC_NOWHERE)
        etc__mark_mixed(c);
    c->used += size;
    etc__order_stores();
    c->head = c->base;
}

static bool make_room(etc_capture *c, uint32_t size) {
    if (c->when_full != ETC_RING || size > ring_size(c))
        return false;
    do {
        if (etc__fits_at_head(c, size))
            return true;
        uint32_t end = c->limit - c->head;
        if (size > end && end + size <= ring_size(c) - c->used) {
            wrap(c);
            return true;
        }
    } while (etc__drop_oldest(c));
    return etc__fits_at_head(c, size);
}

static void *reserve(etc_capture *c, uint32_t size) {
    if (size > ETC_RECORD_MOST || (!etc__fits_at_head(c, size) && !make_room(c, size)))
        return NULL;
    return record_at(c, c->head);
}

void *etc__make_room(etc_capture *c, uint32_t size) {
    void *record = c->run_state == ETC_RUN_OPEN ? reserve(c, size) : NULL;
    if (record)
        return record;
    if (c->run_state == ETC_NO_RUN) {
        etc__count(&c->n_lost_state);
    } else {
        c->run_state = ETC_RUN_FULL;
        c->n_lost_full++;
    }
    return NULL;
}

/* ---- runs ------------------------------------------------------------------------------------ */

bool etc__is_loading(const etc_capture *c, etc_name name) {
    const etc_name_entry *entry = etc__name_entry(c, name);
    return entry && etc__entry_length(entry) == 7 &&
           memcmp(etc__entry_text(entry), "Default", 7) == 0;
}

void etc__open_run(etc_capture *c, etc_name name, uint32_t number, bool is_loading) {
    c->auto_handle = 0;
    c->n_allocators = 0;
    etc_run_record *run = c->is_full ? NULL : reserve(c, sizeof *run);
    if (!run) {
        c->run_state = ETC_RUN_FULL;
        c->is_full |= c->when_full != ETC_RING;
        c->n_runs_dropped++;
        note_loss(c, number);
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

/* Frees the debug contents of the run that ends. */
static void forget_contents(etc_capture *c, uint32_t number) {
    if (!c->run_has_contents)
        return;
    c->contents.end = c->contents.run_begin;
    if (c->contents_run == number)
        c->contents_run = ETC_NUMBER_NONE;
}

/* Returns the size of the records of the open run, with fillers. It has at least a run record, so it takes the whole ring if
 * it ends where it begins. */
static uint32_t open_run_size(const etc_capture *c) {
    return c->head > c->run ? c->head - c->run : c->head + ring_size(c) - c->run;
}

void etc__mark_partial(etc_capture *c) {
    if (c->run != ETC_NOWHERE)
        run_at(c, c->run)->flags |= ETC_RUN_PARTIAL;
}

/* Ends a run that lost events, and frees its memory in a ring that does not keep partial runs. */
static void end_partial(etc_capture *c, etc_run_record *run, bool is_full) {
    run->flags |= ETC_RUN_PARTIAL;
    note_loss(c, run->number);
    etc__count(&c->n_runs_partial);
    if (c->when_full != ETC_RING) {
        c->is_full |= is_full;
    } else if (!c->keep_partial_runs) {
        forget_contents(c, run->number);
        c->head = c->run;
        etc__order_stores();
        c->used -= run->size;
        start_over_if_empty(c);
    }
}

/* Joins a dropped run to a dropped run before it, so that a walk passes both at once. Returns the run to which the next may
 * be joined. */
static etc_run_record *join_dropped(const etc_capture *c, etc_run_record *before,
                                    etc_run_record *run) {
    bool is_behind = before && (uint8_t *)before + before->size == (uint8_t *)run;
    if (!is_behind || before < run_at(c, c->base) || (before->flags & ETC_RUN_LOADING))
        return run;
    before->size += run->size;
    return before;
}

/* Counts the runs of a name for keep_runs. */
static void count_kept(etc_capture *c, etc_name name) {
    etc_run_record *dropped = NULL;
    etc_run_cursor cursor;
    c->n_kept = 0;
    etc__start_own_runs(c, &cursor, NULL);
    for (const etc_run_record *next; (next = etc__next_any_run(c, &cursor)) != NULL;) {
        uint32_t at = (uint32_t)((const uint8_t *)next - c->records);
        if (next->flags & ETC_RUN_DROPPED)
            dropped = join_dropped(c, dropped, run_at(c, at));
        else if (is_counted(c, next, name) && c->n_kept++ == 0)
            c->oldest_kept = at;
    }
}

/* Drops the oldest run with the name of the run that just ended if there are more such runs than
 * the configuration keeps. Counts runs again only when the name changes. */
static void keep_runs(etc_capture *c, etc_name name) {
    if (c->n_kept == 0 || name != run_at(c, c->oldest_kept)->name)
        count_kept(c, name);
    else
        c->n_kept++;
    if (c->n_kept <= c->keep_runs)
        return;
    drop_run(c, run_at(c, c->oldest_kept));
    free_dropped(c);
}

void etc__end_run(etc_capture *c) {
    uint8_t state = c->run_state;
    c->run_state = ETC_NO_RUN;
    c->is_guarded = c->lane != NULL;
    if (c->run == ETC_NOWHERE)
        return;
    etc_run_record *run = run_at(c, c->run);
    run->size = open_run_size(c);
    etc__order_stores();
    if (state == ETC_RUN_FULL || (run->flags & ETC_RUN_PARTIAL)) {
        end_partial(c, run, state == ETC_RUN_FULL);
        c->run = ETC_NOWHERE;
        return;
    }
    c->n_runs++;
    c->run = ETC_NOWHERE;
    if (c->keep_runs && c->when_full == ETC_RING)
        keep_runs(c, run->name);
}
