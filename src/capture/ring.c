/*
 * ring.c - memory for records: to make room in a ring, the oldest whole runs are dropped.
 */
#include "capture/ring.h"

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

/* ---- keep_runs ------------------------------------------------------------------------------- */

/* Returns whether keep_runs counts a run among those of a name. */
static bool is_counted(const etc_capture *c, const etc_run_record *run, etc_name name) {
    uint32_t at = (uint32_t)((const uint8_t *)run - c->records);
    return run->name == name && at != c->run && !(run->flags & (ETC_RUN_DROPPED | ETC_RUN_PARTIAL));
}

#if ETC_IS_FAST
static etc_kept *kept_at(const etc_capture *c, etc_name name, uint32_t step) {
    uint32_t at = ((name * 2654435761u >> 16) + step) & (etc__n_kept(c) - 1);
    return (etc_kept *)(void *)c->records - etc__n_kept(c) + at;
}

/* Returns the place of a name in the table; NULL: it has none. */
static etc_kept *find_kept(const etc_capture *c, etc_name name) {
    for (uint32_t step = 0; step < etc__n_kept(c); step++) {
        etc_kept *kept = kept_at(c, name, step);
        if (kept->name == name)
            return kept;
        if (!kept->name)
            break;
    }
    return NULL;
}

/* Gives a name, which has none, a place in the table; if there is none left, the place of another name. */
static etc_kept *add_kept(etc_capture *c, etc_name name) {
    uint32_t step = 0;
    while (step < etc__n_kept(c) && kept_at(c, name, step)->n)
        step++;
    c->has_replaced |= step == etc__n_kept(c);
    etc_kept *kept = kept_at(c, name, step);
    *kept = (etc_kept){.name = name};
    return kept;
}

void etc__forget_kept(etc_capture *c) {
    memset((etc_kept *)(void *)c->records - etc__n_kept(c), 0, etc__n_kept(c) * sizeof(etc_kept));
    c->has_replaced = false;
}

/* Removes the oldest run of a name from its count. Looks for the next from there, not from the tail, so that each run is
 * passed once for each name. */
static void discount_oldest(const etc_capture *c, etc_kept *kept) {
    uint32_t at = kept->oldest;
    etc_run_cursor cursor = {.at = at, .is_pinned = at < c->base};
    if (cursor.is_pinned)
        cursor.left = c->base - at;
    else
        cursor.left = c->used - (at >= c->tail ? at - c->tail : at + ring_size(c) - c->tail);
    (void)etc__next_any_run(c, &cursor); /* the oldest itself */
    kept->n--;
    for (const etc_run_record *run; (run = etc__next_any_run(c, &cursor)) != NULL;) {
        if (is_counted(c, run, kept->name)) {
            kept->oldest = (uint32_t)((const uint8_t *)run - c->records);
            return;
        }
    }
    kept->n = 0;
}

/* Removes a run that is dropped from the count of its name. */
static void discount(const etc_capture *c, const etc_run_record *run) {
    etc_kept *kept = is_counted(c, run, run->name) ? find_kept(c, run->name) : NULL;
    if (!kept || !kept->n)
        return;
    if (run == run_at(c, kept->oldest))
        discount_oldest(c, kept);
    else /* the oldest is a pinned run */
        kept->n--;
}
#endif

static void drop_run(etc_capture *c, etc_run_record *run) {
#if ETC_IS_FAST
    discount(c, run);
#endif
    run->flags |= ETC_RUN_DROPPED;
    etc__order_stores();
    if (!(run->flags & ETC_RUN_PARTIAL)) /* which is counted already */
        c->n_runs_dropped++;
}

/* Returns the number of bytes by which the ring can grow. */
static uint32_t spare_size(const etc_capture *c) {
#if ETC_HOSTED
    return c->limit_most && !c->has_journal ? c->limit_most - c->limit : 0;
#else
    (void)c;
    return 0;
#endif
}

/* The runs that loaded the model are pinned once, at first: they are never dropped, if other runs follow and at least half of
 * the memory is left for these. */
uint32_t etc__ring_base(const etc_capture *c) {
    uint32_t at = c->tail, left = c->used;
    if (c->pinned)
        return c->base;
    while (left && at != c->run && etc__record_kind(record_at(c, at)) == ETC_RECORD_RUN &&
           (run_at(c, at)->flags & ETC_RUN_LOADING)) {
        left -= run_at(c, at)->size;
        at += run_at(c, at)->size;
    }
    return left == 0 || at > (c->limit + spare_size(c)) / 2 || at == c->run ? c->base : at;
}

bool etc__pin_loading(etc_capture *c) {
    uint32_t base = etc__ring_base(c);
    if (base == c->base)
        return false;
    uint32_t left = c->used - (base - c->tail);
    c->pinned |= ETC_PINNED_DECIDED;
    c->base = base;
    etc__order_stores();
    c->tail = base;
    if (c->head < base) /* the ring is full */
        c->head = base;
    etc__order_stores();
    c->used = left;
    return true;
}

bool etc__drop_oldest(etc_capture *c) {
    if (c->used == 0 || c->tail == c->run)
        return false;
    etc__pin_loading(c);
    c->pinned |= ETC_PINNED_DECIDED;
    uint32_t used = c->used;
    free_dropped(c);
    if (c->used < used)
        return true;
    if (c->tail == c->run)
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

uint32_t etc__longest_run(const etc_capture *c) {
    return c->limit + spare_size(c) - etc__ring_base(c);
}

/* Returns the size of the largest record for which dropping runs can make room: records lie in one piece. If no run is open, a
 * run record is reserved, which gets room if the run may drop others. */
static uint32_t largest_gap(const etc_capture *c) {
    if (c->head <= c->run)
        return c->run - c->head + spare_size(c);
    uint32_t at_end = c->limit + spare_size(c) - c->head, at_base = c->run - etc__ring_base(c);
    return at_end > at_base ? at_end : at_base;
}

/* Returns whether the open run may drop others: up to the whole ring, half of it, or none; or whether the run to open may drop
 * any. */
static bool may_drop(const etc_capture *c) {
    if (c->run == ETC_NOWHERE)
        return c->drops != ETC_DROPS_NONE;
    return etc__open_run_size(c) <= etc__longest_run(c) >> (c->drops ^ 1);
}

/* Lets a record fit after the last one, or at the base, if there is room. */
static bool find_room(etc_capture *c, uint32_t size) {
    if (etc__fits_at_head(c, size))
        return true;
    uint32_t end = c->limit - c->head;
    if (size <= end || end + size > ring_size(c) - c->used)
        return false;
    wrap(c);
    return true;
}

#if ETC_HOSTED
enum { SMALL_RING = 65536 };

void etc__start_small(etc_capture *c) {
    if (c->when_full != ETC_RING || c->limit <= SMALL_RING)
        return;
    c->limit_most = c->limit;
    c->limit = SMALL_RING;
}

/* Moves the oldest records of a ring that has wrapped to its new end. */
static void move_oldest(etc_capture *c, uint32_t size, uint32_t distance) {
    memmove(c->records + c->tail + distance, c->records + c->tail, size);
    if (c->run != ETC_NOWHERE && c->run >= c->tail)
        c->run += distance;
#if ETC_IS_FAST
    for (uint32_t i = 1; i <= etc__n_kept(c); i++) {
        etc_kept *kept = (etc_kept *)(void *)c->records - i;
        if (kept->n && kept->oldest >= c->tail)
            kept->oldest += distance;
    }
#endif
    c->tail += distance;
}

/* Doubles the ring. Returns false if it has all of its memory. */
static bool grow(etc_capture *c) {
    uint32_t old = c->limit, more = old < spare_size(c) ? old : spare_size(c);
    bool has_wrapped = c->used && c->head <= c->tail;
    c->limit += more;
    if (has_wrapped && c->head == c->base)
        c->head = more ? old : c->base; /* the records go on where they ended */
    else if (has_wrapped)
        move_oldest(c, old - c->tail, more);
    return more;
}

bool etc__grow_for(etc_capture *c, uint64_t size) {
    return spare_size(c) && size > ring_size(c) / 2 && grow(c);
}

/* Frees runs that keep_runs dropped, and grows, until a record fits or the ring has all of its memory. */
static bool grow_for_record(etc_capture *c, uint32_t size) {
    while (spare_size(c)) {
        uint32_t used = c->used;
        if (find_room(c, size))
            return true;
        if (used && c->tail != c->run) {
            etc__pin_loading(c);
            free_dropped(c);
        }
        if (c->used == used && !grow(c))
            break;
    }
    return false;
}
#endif

/* Drops the oldest runs until a record fits, unless that cannot succeed. */
static bool make_room(etc_capture *c, uint32_t size) {
    if (size > largest_gap(c))
        return false;
#if ETC_HOSTED
    if (grow_for_record(c, size))
        return true;
#endif
    do {
        if (find_room(c, size))
            return true;
    } while (may_drop(c) && etc__drop_oldest(c));
    return etc__fits_at_head(c, size);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static bool is_loading(const etc_capture *c, etc_name name) {
    const etc_name_entry *entry = etc__name_entry(c, name);
    return entry && etc__entry_length(entry) == 7 &&
           memcmp(etc__entry_text(entry), "Default", 7) == 0;
}

/* Frees the debug contents of the run that ends. */
static void forget_contents(etc_capture *c, uint32_t number) {
    if (!c->run_has_contents)
        return;
    c->contents.end = c->contents.run_begin;
    if (c->contents_run == number)
        c->contents_run = ETC_NUMBER_NONE;
}

/* Frees the memory of a run that lost events. */
static void free_partial(etc_capture *c, const etc_run_record *run) {
    forget_contents(c, run->number);
    c->head = c->run;
    etc__order_stores();
    c->used -= run->size;
    start_over_if_empty(c);
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

/* Counts the complete runs of a name, and finds the oldest. */
static void count_kept(etc_capture *c, etc_kept *kept) {
    etc_run_record *dropped = NULL;
    etc_run_cursor cursor;
    kept->n = 0;
    etc__start_own_runs(c, &cursor, NULL);
    for (const etc_run_record *next; (next = etc__next_any_run(c, &cursor)) != NULL;) {
        uint32_t at = (uint32_t)((const uint8_t *)next - c->records);
        if (ETC_IS_FAST && (next->flags & ETC_RUN_DROPPED))
            dropped = join_dropped(c, dropped, run_at(c, at));
        else if (is_counted(c, next, kept->name) && kept->n++ == 0)
            kept->oldest = at;
    }
}

#if ETC_IS_FAST
/* Counts a run that just ended. If another name had the place of its name in the table, counts all runs. */
static etc_kept *count_run(etc_capture *c, const etc_run_record *run) {
    etc_kept *kept = find_kept(c, run->name);
    bool is_new = !kept;
    if (is_new)
        kept = add_kept(c, run->name);
    if (is_new && c->has_replaced)
        count_kept(c, kept);
    else if (kept->n++ == 0)
        kept->oldest = (uint32_t)((const uint8_t *)run - c->records);
    return kept;
}
#endif

/* Most runs that load the model, in terms of the size of the oldest, that are moved when it is dropped. */
enum { MOST_MOVED = 16 };

/* Drops the oldest run while all runs load the model, so that the others begin at the base and can be pinned. Returns false
 * if too much would have to be moved. Nothing was freed before, so the records begin at 0. The capture is empty for a moment,
 * see journal.h. */
static bool replace_loading(etc_capture *c, etc_kept *kept) {
    uint32_t size = run_at(c, kept->oldest)->size, left = c->used - size;
    if (c->pinned || c->first_other != ETC_NUMBER_NONE || kept->oldest ||
        (ETC_IS_FAST && left / MOST_MOVED > size))
        return false;
    drop_run(c, run_at(c, 0));
    c->used = 0;
    etc__order_stores();
    for (uint32_t at = 0; at < left; at += (uint32_t)sizeof(uint32_t))
        *record_at(c, at) = *record_at(c, at + size);
    c->head = left;
    etc__order_stores();
    c->used = left;
    kept->oldest = 0;
    return true;
}

/* Drops the oldest run with the name of a run that just ended if there are more such runs than the configuration keeps. Where
 * size counts more than speed, all runs are counted each time. */
static void keep_runs(etc_capture *c, const etc_run_record *run) {
#if ETC_IS_FAST
    etc_kept *kept = count_run(c, run);
#else
    etc_kept counted = {.name = run->name}, *kept = &counted;
    count_kept(c, kept);
#endif
    if (kept->n <= c->keep_runs || replace_loading(c, kept))
        return;
    drop_run(c, run_at(c, kept->oldest));
    free_dropped(c);
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Names of a ring take memory of records that no record has reached yet, up to LEAST_NAMES in all: their share of a small ring
 * would hold only a few names. */
enum { LEAST_NAMES = 2048 };

static void take_from_records(etc_capture *c, uint32_t size) {
    uint32_t more = etc__round_up(size, ETC_RECORD_UNIT);
    bool has_wrapped = c->used && c->head <= c->tail;
    if (has_wrapped || (c->kept_bits & ETC_FIXED_NAMES) || c->names_most + more > LEAST_NAMES ||
        c->limit - c->head <= more || c->limit - c->base < ETC_LEAST_RECORDS + more)
        return;
    c->limit -= more;
    c->names_most += more;
}

static bool has_room_for_name(etc_capture *c, uint32_t size) {
    if (size > c->names_most - c->names_used)
        take_from_records(c, size);
    return size <= c->names_most - c->names_used;
}

enum { SMALLEST_SHARE = 192 };

/* Returns the memory for names in a ring, at most `most` bytes: an eighth of the memory if `wanted` is 0. */
static uint32_t names_share(uint32_t size, uint32_t wanted, uint32_t most) {
    uint32_t share = size / 8;
    if (wanted)
        share = wanted < most ? wanted : most;
    return etc__round_up(share < SMALLEST_SHARE ? SMALLEST_SHARE : share, ETC_RECORD_UNIT);
}

/* Gives names their share of the memory for records. */
static void divide(etc_capture *c, uint32_t size, uint32_t name_bytes) {
    c->names_most = names_share(size, name_bytes, c->limit - ETC_LEAST_RECORDS);
    c->limit -= c->names_most;
    c->kept_bits = name_bytes ? ETC_FIXED_NAMES : 0;
}

const etc_ring_calls etc__ring_calls = {make_room,  has_room_for_name, divide,
                                        is_loading, free_partial,      keep_runs};
