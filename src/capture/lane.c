/*
 * lane.c - makes lanes, opens and ends their runs with those of the main capture, and walks them
 * while saving.
 */
#include "capture/journal.h"
#include "capture/ring.h"

/* Holds the position of a lane while it is saved. */
struct etc_lane_walk {
    etc_run_cursor runs;
    const etc_run_record
        *run;           /* the first with the number of the main capture's run or a later one */
    etc_cursor records; /* of it */
    bool is_in_run;
};

/* ---- following ------------------------------------------------------------------------------- */

/* Returns whether a run of the main capture loads the model and no run before it did not: only such runs are pinned. The
 * main capture may have opened later runs already, which do not change the answer. */
static bool is_loading(etc_capture *c, uint32_t number) {
    uint32_t other = etc__load(&c->lane->main->first_other);
    bool is_first = other == ETC_NUMBER_NONE || etc__is_before(number, other);
    if (!is_first)
        c->first_other = number; /* numbers start again after 2^32 runs */
    return is_first && c->first_other == ETC_NUMBER_NONE;
}

/* Ends the lane's run, and takes the number of the run of main. */
static void move(etc_capture *c, uint32_t number) {
    etc__end_run(c);
    c->open_number = number;
    c->auto_handle = 0;
    if (number >= ETC_NUMBER_FIRST)
        c->run_state = ETC_RUN_AHEAD;
    else if (number == ETC_NUMBER_LOST)
        c->run_state = ETC_RUN_FULL;
    else if (number == ETC_NUMBER_OUTSIDE)
        c->run_state = ETC_RUN_OUTSIDE;
}

static void follow(etc_capture *c) {
    if (etc__load(&c->lane->main->open_number) != c->open_number)
        move(c, etc__load_in_order(&c->lane->main->open_number));
}

/* ---- entering a run -------------------------------------------------------------------------- */

/* A lane stores the number of the run and then loads the number that main publishes; main publishes another number and then
 * looks for lanes that stored the number before it. These four are in one order for all threads: at least one of both sees
 * the other, so that main counts a lane that enters the run, or the lane sees that the run has ended. If both are true, the
 * first that takes the number from the lane's word decides. */

#if __GCC_ATOMIC_INT_LOCK_FREE == 2
static void store_in_one_order(uint32_t *word, uint32_t value) {
    __atomic_store_n(word, value, __ATOMIC_SEQ_CST);
}

static uint32_t load_in_one_order(const uint32_t *word) {
    return __atomic_load_n(word, __ATOMIC_SEQ_CST);
}

/* Takes a number from a word. Returns false if it has another one. */
static bool take(uint32_t *word, uint32_t number) {
    return __atomic_compare_exchange_n(word, &number, ETC_NUMBER_NONE, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_SEQ_CST);
}
#else /* a single core */
static void store_in_one_order(uint32_t *word, uint32_t value) {
    etc__store(word, value);
    etc__order_stores();
}

static uint32_t load_in_one_order(const uint32_t *word) {
    etc__order_stores();
    return etc__load_in_order(word);
}

static bool take(uint32_t *word, uint32_t number) {
    if (etc__load(word) != number)
        return false;
    etc__store(word, ETC_NUMBER_NONE);
    return true;
}
#endif

/* Uses its two words in turn: main may still look for a lane in the run before when the lane enters the next, but not when
 * it enters the one after that. */
static void enter(etc_capture *c) {
    while (c->run_state == ETC_RUN_AHEAD) {
        uint32_t number = c->open_number, *word = &c->lane->entered[c->lane->n_entered++ % 2];
        store_in_one_order(word, number);
        uint32_t current = load_in_one_order(&c->lane->main->open_number);
        if (current != number && take(word, number)) {
            move(c, current);
            continue;
        }
        etc__open_run(c, 0, number, is_loading(c, number));
        if (c->run == ETC_NOWHERE)
            etc__count(&c->n_runs_partial); /* all its events will be lost */
    }
}

static void publish(etc_capture *main, uint32_t number) {
    store_in_one_order(&main->open_number, number);
    if (main->run == ETC_NOWHERE)
        return;
    etc_run_record *run = (etc_run_record *)(void *)(main->records + main->run);
    for (etc_capture *c = main->next_lane; c; c = c->next_lane) {
        if (take(&c->lane->entered[0], run->number) || take(&c->lane->entered[1], run->number))
            run->flags += ETC_RUN_LANES;
    }
}

/* ---- walking --------------------------------------------------------------------------------- */

static void advance(const etc_capture *c) {
    etc_lane_walk *walk = c->lane->walk;
    walk->run = etc__next_any_run(c, &walk->runs);
    walk->records = walk->runs.records;
}

static void start(const etc_capture *main) {
    for (const etc_capture *c = main->next_lane; c; c = c->next_lane) {
        etc__start_own_runs(c, &c->lane->walk->runs, NULL);
        advance(c);
    }
}

/* Moves a lane to a run. Returns whether the lane has it, and lost no event of it. */
static bool seek_lane(const etc_capture *c, uint32_t number) {
    etc_lane_walk *walk = c->lane->walk;
    while (walk->run &&
           ((walk->run->flags & ETC_RUN_DROPPED) || etc__is_before(walk->run->number, number)))
        advance(c);
    walk->is_in_run = walk->run && walk->run->number == number;
    return walk->is_in_run && !(walk->run->flags & ETC_RUN_PARTIAL);
}

static uint32_t seek(const etc_capture *main, uint32_t number) {
    uint32_t n = 0;
    for (const etc_capture *c = main->next_lane; c; c = c->next_lane)
        n += seek_lane(c, number);
    return n;
}

static bool next(etc_cursor *cursor) {
    const etc_capture *c = cursor->c->next_lane;
    if (!c)
        return false;
    const etc_lane_calls *lanes = cursor->lanes;
    *cursor = (etc_cursor){.c = c, .lanes = lanes};
    if (c->lane->walk->is_in_run) {
        *cursor = c->lane->walk->records;
        cursor->lanes = lanes;
    }
    return true;
}

/* ---- all lanes ------------------------------------------------------------------------------- */

static void forget(etc_capture *main) {
    for (etc_capture *c = main->next_lane; c; c = c->next_lane) {
        etc__forget(c);
        c->lane->entered[0] = c->lane->entered[1] = ETC_NUMBER_NONE;
    }
}

/* Number of runs that main has complete, but its lanes have not. */
static uint32_t count_partial(const etc_capture *main) {
    uint32_t n = 0;
    etc_run_cursor cursor;
    etc__start_own_runs(main, &cursor, NULL);
    start(main);
    for (const etc_run_record *run; (run = etc__next_any_run(main, &cursor)) != NULL;) {
        bool is_open = (uint32_t)((const uint8_t *)run - main->records) == main->run;
        bool is_complete = !is_open && !(run->flags & (ETC_RUN_PARTIAL | ETC_RUN_DROPPED));
        n += is_complete && run->flags / ETC_RUN_LANES != seek(main, run->number);
    }
    return n;
}

static void add_stats(const etc_capture *main, etc_stats *out) {
    out->runs_partial += count_partial(main);
    for (const etc_capture *c = main->next_lane; c; c = c->next_lane) {
        etc_stats of_lane = ETC_STATS_INIT;
        etc_get_stats(c, &of_lane);
        out->lane_runs_dropped += of_lane.runs_dropped;
        out->events += of_lane.events;
        out->events_lost_full += of_lane.events_lost_full;
        out->events_lost_state += of_lane.events_lost_state;
        out->events_lost_wrong += of_lane.events_lost_wrong;
        out->names_lost += of_lane.names_lost;
        out->names_repaired += of_lane.names_repaired;
        out->debug_values_without_contents += of_lane.debug_values_without_contents;
        out->debug_values_not_finite += of_lane.debug_values_not_finite;
        out->debug_values_below_level += of_lane.debug_values_below_level;
        out->record_bytes += of_lane.record_bytes;
        out->record_bytes_most += of_lane.record_bytes_most;
        out->name_bytes += of_lane.name_bytes;
        out->debug_bytes += of_lane.debug_bytes;
        out->memory_bytes += of_lane.memory_bytes;
    }
}

static const etc_lane_calls calls = {follow, enter, publish, start, seek, next, forget, add_stats};

/* ---- making ---------------------------------------------------------------------------------- */

static void configure(etc_capture *c, const etc_capture *main) {
    c->clock = main->clock;
    c->clock_context = main->clock_context;
    c->filter = main->filter;
    c->filter_context = main->filter_context;
    c->keep_partial_runs = main->keep_partial_runs;
    c->auto_handles = main->auto_handles;
    c->auto_chain = main->auto_chain + (int32_t)c->lane->number;
    c->chain = etc__chain_of_lane(c->lane->number, c->chain);
    c->profiling_level = main->profiling_level;
    c->debug_level = main->debug_level;
    c->values = main->values;
#if !ETC_HOSTED
    c->filters = main->filters;
#endif
    c->is_guarded = true;
}

/* Precedes the capture in the memory of a lane. */
typedef struct lane_memory {
    etc_lane_part part;
    etc_lane_walk walk;
} lane_memory;

/* Puts a lane into memory, and at the end of the list of lanes. */
static etc_capture *make(etc_capture *main, uint8_t *memory, size_t size) {
    size_t skipped = (size_t)(-(uintptr_t)memory & (ETC_RECORD_UNIT - 1));
    lane_memory *own = (lane_memory *)(void *)(memory + skipped);
    skipped += sizeof *own;
    etc_capture *c = etc__place(memory + skipped, size - skipped, etc__ring(main), 0);
    etc_capture *last = main;
    while (last->next_lane)
        last = last->next_lane;
    *own = (lane_memory){.part = {.main = main, .calls = &calls, .walk = &own->walk, .number = 1}};
    if (last->lane)
        own->part.number += last->lane->number;
    c->lane = &own->part;
    configure(c, main);
    last->next_lane = c;
    return c;
}

etc_capture *etc_lane(etc_capture *main, void *memory, size_t size) {
    if (!main || main->lane)
        return NULL;
#if ETC_HOSTED
    void *mapping = NULL;
    if (!memory) {
        size = size ? size : (size_t)(main->names_end - (const uint8_t *)main);
        memory = mapping = etc__map(&size);
    }
#endif
    if (!memory || size < ETC_MIN_BYTES)
        return NULL;
    etc_capture *c = make(main, memory, size);
#if ETC_HOSTED
    c->mapping_size = mapping ? (uint32_t)size : 0;
    if (mapping)
        etc__start_small(c);
    if (main->has_journal)
        etc__note_lanes(main);
#endif
    return c;
}
