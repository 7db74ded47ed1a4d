/*
 * test_lane_schedules.c - random schedules of a main capture, its lanes and interrupts, against a model that counts: which
 * runs are saved, and that saved + dropped + partial runs are the runs that were opened.
 *
 * The model knows nothing about memory. A call that loses an event or drops runs says so in the counters of its capture;
 * captures drop their oldest runs first. What follows for the runs of a file is the model's own business.
 *
 *     ETC_SCHEDULES=1000000 ETC_JOURNAL_SCHEDULES=100000 ETC_RACES=100 build/tests/unit/capture/test_lane_schedules
 */
#include "capture_fixture.h"

#include "capture/journal.h"
#include "journal_fixture.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { MOST_RUNS = 400, MOST_LANES = 4, MOST_CALLS = 120 };

/* ---- the model ------------------------------------------------------------------------------- */

typedef enum run_fate { RUN_OPEN, RUN_COMPLETE, RUN_PARTIAL, RUN_DROPPED } run_fate;

typedef struct model_run {
    uint32_t number;
    unsigned name;
    run_fate in_main;
    bool has_main_lost; /* events, while it is open */
    uint32_t n_events;  /* of main and all lanes */
    struct {
        bool is_held, has_lost, has_entered;
    } lanes[MOST_LANES];
} model_run;

typedef struct model {
    etc_capture *main, *lanes[MOST_LANES];
    unsigned n_lanes;
    model_run runs[MOST_RUNS];
    unsigned n_runs;
    bool is_open;                   /* the last of the runs */
    uint64_t n_opened, n_forgotten; /* runs that etc_reset() forgot count as neither */
    uint32_t random;
    bool is_interrupted; /* the clock runs a handler, which uses lane 0 */
    uint64_t ticks;
    const uint8_t *journal; /* the mapped file, if the memory of main is one */
    size_t journal_size;
} model;

static uint32_t draw(model *m, uint32_t n) {
    m->random = m->random * 1664525u + 1013904223u;
    return (uint32_t)((uint64_t)(m->random >> 4) * n >> 28);
}

static model_run *open_run(model *m) {
    return m->is_open ? &m->runs[m->n_runs - 1] : NULL;
}

typedef struct counts {
    uint64_t events, lost, dropped;
} counts;

static counts count(const etc_capture *c) {
    return (counts){c->n_events, c->n_lost_full + c->n_lost_wrong, c->n_runs_dropped};
}

/* Number of complete runs that are pinned in a ring: those before `base`, which load the model and were the first. */
static unsigned count_pinned(const etc_capture *c) {
    unsigned n = 0;
    etc_cursor cursor = {.c = c, .left = c->base};
    for (const uint32_t *record; (record = etc__next_record(&cursor)) != NULL;) {
        const etc_run_record *run = (const etc_run_record *)(const void *)record;
        n += etc__record_kind(record) == ETC_RECORD_RUN &&
             !(run->flags & (ETC_RUN_PARTIAL | ETC_RUN_DROPPED));
    }
    return n;
}

/* A lane dropped its `n` oldest runs. */
static void drop_in_lane(model *m, unsigned lane, uint64_t n) {
    unsigned n_pinned = count_pinned(m->lanes[lane]);
    for (unsigned i = 0; i < m->n_runs && n; i++) {
        model_run *run = &m->runs[i];
        if (!run->lanes[lane].is_held || run == open_run(m))
            continue;
        if (n_pinned) {
            n_pinned--;
            continue;
        }
        run->lanes[lane].is_held = false;
        run->lanes[lane].has_lost = true;
        n--;
    }
    assert_int_equal(n, 0);
}

/* Main dropped its `n` oldest complete runs; of a name, if keep_runs did it. */
static void drop_in_main(model *m, uint64_t n, int name) {
    unsigned n_pinned = name < 0 ? count_pinned(m->main) : 0;
    for (unsigned i = 0; i < m->n_runs && n; i++) {
        model_run *run = &m->runs[i];
        if (run->in_main != RUN_COMPLETE || (name >= 0 && run->name != (unsigned)name))
            continue;
        if (n_pinned) {
            n_pinned--;
            continue;
        }
        run->in_main = RUN_DROPPED;
        n--;
    }
    assert_int_equal(n, 0);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static void event(model *m, etc_capture *c) {
    etc_name shared = etc__find_name(m->main, "shared");
    switch (draw(m, 9)) {
    case 0:
        etc_log(c, 0xfffffff, 1, 2); /* no name */
        break;
    case 1: {
        etc_span span = etc_start(c, shared);
        if (draw(m, 4))
            etc_end(c, &span);
        break;
    }
    case 2:
        etc_log_delegate(c, 0, 7, 1, 2, "0123456789012345678901234567890123456789", draw(m, 40));
        break;
    case 3:
        etc_log_delegate(c, 0, 666, 1, 2, NULL, 0); /* the filter drops it */
        break;
    case 4:
        (void)etc_intern(c, "a name");
        break;
    case 5:
        for (unsigned i = draw(m, 30); i > 0; i--)
            etc_log(c, shared, 1, 2);
        break;
    default:
        etc_log(c, shared, 1, 2);
    }
}

static void use_lane(model *m, unsigned lane) {
    etc_capture *c = m->lanes[lane];
    counts before = count(c);
    event(m, c);
    counts after = count(c);
    model_run *run = open_run(m);
    uint64_t n_dropped = after.dropped - before.dropped, n_lost = after.lost - before.lost;
    uint64_t n_events = after.events - before.events;
    if (!run) {
        assert_int_equal(n_events + n_dropped, 0);
        return;
    }
    if (run->in_main == RUN_DROPPED) { /* main has no memory for it */
        assert_int_equal(n_events + n_dropped, 0);
        return;
    }
    bool enters = n_events + n_lost > 0 && !run->lanes[lane].has_entered;
    if (enters && n_events == 0 && c->run == ETC_NOWHERE)
        n_dropped--; /* the lane has no memory for the run */
    if (enters)
        run->lanes[lane].has_entered = true;
    drop_in_lane(m, lane, n_dropped);
    run->n_events += (uint32_t)n_events;
    run->lanes[lane].has_lost |= n_lost > 0;
    run->lanes[lane].is_held |= n_events > 0;
}

static uint64_t tick_or_interrupt(void *context) {
    model *m = context;
    if (m->n_lanes && !m->is_interrupted && draw(m, 3) == 0) {
        m->is_interrupted = true;
        use_lane(m, 0);
        m->is_interrupted = false;
    }
    return ++m->ticks;
}

static bool keep(void *context, const etc_filter_event *event) {
    (void)context;
    return event->id != 666;
}

static void use_main(model *m) {
    counts before = count(m->main);
    event(m, m->main);
    counts after = count(m->main);
    model_run *run = open_run(m);
    if (!run || run->in_main == RUN_DROPPED)
        return;
    run->has_main_lost |= after.lost > before.lost;
    run->n_events += (uint32_t)(after.events - before.events);
    drop_in_main(m, after.dropped - before.dropped, -1);
}

/* The run ends in the model; a lane has no memory of its partial runs in a ring. */
static void end_in_model(model *m) {
    model_run *run = open_run(m);
    m->is_open = false;
    if (!run || run->in_main == RUN_DROPPED)
        return;
    run->in_main = run->has_main_lost ? RUN_PARTIAL : RUN_COMPLETE;
    for (unsigned i = 0; i < m->n_lanes; i++)
        run->lanes[i].is_held &= !run->lanes[i].has_lost;
}

static void end_run(model *m) {
    model_run *run = open_run(m);
    counts before = count(m->main);
    etc_run_end(m->main);
    uint64_t n_dropped = count(m->main).dropped - before.dropped;
    end_in_model(m);
    assert_true(n_dropped <= (m->main->keep_runs && run));
    drop_in_main(m, n_dropped, run ? (int)run->name : -1);
}

static void begin_run(model *m) {
    static const char *const names[] = {"Default", "Execute", "other"};
    if (m->n_runs == MOST_RUNS)
        return;
    if (m->main->keep_runs || draw(m, 2)) /* each may drop runs for its own reason */
        end_run(m);
    unsigned name = draw(m, 12) ? 1 + draw(m, 2) : 0;
    counts before = count(m->main);
    uint64_t n_outside = m->main->n_runs_outside;
    etc_run(m->main, names[name]);
    uint64_t n_dropped = count(m->main).dropped - before.dropped;
    end_in_model(m);
    if (m->main->n_runs_outside > n_outside) {
        assert_int_equal(n_dropped, 0);
        return;
    }
    bool has_memory = m->main->run != ETC_NOWHERE;
    drop_in_main(m, n_dropped - !has_memory, -1);
    m->n_opened++;
    m->is_open = true;
    m->runs[m->n_runs++] = (model_run){.number = m->main->last_number,
                                       .name = name,
                                       .in_main = has_memory ? RUN_OPEN : RUN_DROPPED};
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* Returns whether a run is complete in its capture, or in the file of a journal, which has no events of lanes. */
static bool is_complete(const model *m, const model_run *run, bool is_recovered) {
    bool is_whole = run->in_main == RUN_COMPLETE;
    for (unsigned i = 0; i < m->n_lanes; i++)
        is_whole =
            is_whole && !run->lanes[i].has_lost && !(is_recovered && run->lanes[i].has_entered);
    return is_whole;
}

/* Compares the complete runs of a capture with those of the model. Returns their number, and adds their events. */
static uint64_t check_runs(const model *m, const etc_capture *c, uint64_t *n_events) {
    bool is_recovered = c != m->main;
    uint64_t n = 0;
    unsigned at = 0;
    etc_save_options all = ETC_SAVE_OPTIONS_INIT;
    etc_run_cursor cursor;
    all.partial_runs = true;
    etc__start_runs(c, &cursor, &all);
    for (const etc_run_record *run; (run = etc__next_run(c, &cursor)) != NULL;) {
        if (!cursor.is_whole)
            continue;
        while (at < m->n_runs && !is_complete(m, &m->runs[at], is_recovered))
            at++;
        assert_true(at < m->n_runs);
        assert_int_equal(run->number, m->runs[at].number);
        *n_events += m->runs[at++].n_events;
        n++;
    }
    while (at < m->n_runs && !is_complete(m, &m->runs[at], is_recovered))
        at++;
    assert_int_equal(at, m->n_runs);
    return n;
}

static void check_capture(const model *m, const etc_capture *c) {
    uint64_t n_events = 0, n_saved_runs = 0, n_saved_events = 0;
    uint64_t n_complete = check_runs(m, c, &n_events);
    if (!c->keep_partial_runs) {
        (void)etc_count_saved(c, NULL, &n_saved_runs, &n_saved_events);
        assert_int_equal(n_saved_runs, n_complete);
        assert_int_equal(n_saved_events, n_events);
    }
    etc_stats stats = stats_of(c);
    bool has_open = c->run != ETC_NOWHERE;
    assert_int_equal(stats.runs_opened, m->n_opened);
    assert_int_equal(n_complete + stats.runs_dropped + stats.runs_partial + has_open,
                     stats.runs_opened - m->n_forgotten);
}

/* Checks the capture, and what would be recovered if the process died now. */
static void check_model(const model *m) {
    etc_capture *recovered;
    check_capture(m, m->main);
    if (!m->journal)
        return;
    assert_int_equal(etc_open_recovered_memory(&recovered, m->journal, m->journal_size), ETC_OK);
    check_capture(m, recovered);
    etc_close(recovered);
}

/* Forgets all runs. Those that were open or complete are counted as neither dropped nor partial. */
static void reset(model *m) {
    m->n_opened -= m->main->run != ETC_NOWHERE;
    etc_reset(m->main);
    etc_stats stats = stats_of(m->main);
    m->n_runs = 0;
    m->is_open = false;
    m->n_forgotten = stats.runs_opened - stats.runs_dropped - stats.runs_partial;
}

/* ---- schedules ------------------------------------------------------------------------------- */

static _Alignas(64) uint8_t main_memory[8192], lane_memory[MOST_LANES][4096];

static void add_lane(model *m) {
    static const size_t sizes[] = {ETC_MIN_BYTES, 1400, 2048, 4096};
    if (m->n_lanes == MOST_LANES)
        return;
    etc_capture *lane = etc_lane(m->main, lane_memory[m->n_lanes], sizes[draw(m, 4)]);
    assert_non_null(lane);
    m->lanes[m->n_lanes++] = lane;
}

static void open_main(model *m, const etc_config *config, size_t size, bool is_journal) {
    if (!is_journal) {
        m->main = etc_init(main_memory, size, config);
        return;
    }
    m->main = open_journal("journal", size, config);
    m->journal = (const uint8_t *)m->main - ETC_JOURNAL_HEADER_SIZE;
    m->journal_size = size + ETC_JOURNAL_HEADER_SIZE;
}

static void play(uint32_t seed, bool is_journal) {
    static const size_t sizes[] = {1536, 2048, 3000, 8192};
    static model m;
    m = (model){.random = seed * 2654435761u + 1};
    etc_config config = ETC_CONFIG_INIT;
    config.clock = tick_or_interrupt;
    config.clock_context = &m;
    config.filter = keep;
    config.when_full = draw(&m, 3) ? ETC_RING : ETC_STOP;
    config.keep_runs = draw(&m, 4) ? 0 : 1 + draw(&m, 6);
    config.keep_partial_runs = draw(&m, 4) == 0;
    config.skip_runs = draw(&m, 4) ? 0 : draw(&m, 3);
    config.max_runs = draw(&m, 4) ? 0 : 5 + draw(&m, 30);
    open_main(&m, &config, sizes[draw(&m, 4)], is_journal);
    assert_non_null(m.main);
    assert_int_not_equal(etc_intern(m.main, "shared"), 0);
    unsigned n_calls = draw(&m, MOST_CALLS), often = 2 + draw(&m, 8);
    for (unsigned i = 0; i < n_calls; i++) {
        uint32_t which = draw(&m, 100);
        if (draw(&m, often) == 0)
            begin_run(&m);
        else if (which < 60 && m.n_lanes > 1)
            use_lane(&m, 1 + draw(&m, m.n_lanes - 1));
        else if (which < 85)
            use_main(&m);
        else if (which < 92)
            end_run(&m);
        else if (which < 97)
            add_lane(&m);
        else if (which == 97 && draw(&m, 10) == 0)
            reset(&m);
        else if (which == 98)
            check_model(&m);
    }
    check_model(&m);
    if (is_journal) {
        etc_close(m.main);
        assert_int_equal(unlink(in_folder("journal")), 0);
    }
}

static unsigned long n_wanted(const char *variable, unsigned long usual) {
    const char *wanted = getenv(variable);
    return wanted ? strtoul(wanted, NULL, 10) : usual;
}

static void every_run_is_saved_dropped_or_partial(void **state) {
    (void)state;
    unsigned long n = n_wanted("ETC_SCHEDULES", 20000);
    for (unsigned long seed = 0; seed < n; seed++)
        play((uint32_t)seed, false);
    print_message("# %lu schedules\n", n);
}

static void runs_with_events_of_lanes_are_partial_in_a_journal(void **state) {
    (void)state;
    unsigned long n = n_wanted("ETC_JOURNAL_SCHEDULES", 2000);
    for (unsigned long seed = 0; seed < n; seed++)
        play((uint32_t)seed, true);
    print_message("# %lu schedules\n", n);
}

/* ---- threads --------------------------------------------------------------------------------- */

/* Threads record in lanes while main changes runs at any time. Each thread notes in which runs its lane recorded or lost an
 * event; a run is complete if each of these lanes still has it. */

enum { N_THREADS = 3, MOST_NUMBERS = 1 << 16 };

typedef struct racer {
    etc_capture *lane;
    bool has_entered[MOST_NUMBERS], has_lost[MOST_NUMBERS], is_held[MOST_NUMBERS];
} racer;

static racer racers[N_THREADS];
static uint32_t has_ended;
static uint8_t race_memory[1 << 20];

static uint64_t no_time(void *context) {
    (void)context;
    return 0;
}

static void *race(void *context) {
    racer *r = context;
    etc_capture *c = r->lane;
    for (unsigned i = 0; !etc__load(&has_ended); i++) {
        uint64_t n_events = c->n_events, n_lost = c->n_lost_full;
        etc_log_delegate(c, 0, 7, 1, 2, "0123456789012345678901234567890123456789", i * 7 % 40);
        uint32_t number = c->open_number;
        if (number >= MOST_NUMBERS || number < ETC_NUMBER_FIRST)
            continue;
        r->has_lost[number] |= c->n_lost_full > n_lost;
        r->has_entered[number] |= c->n_events + c->n_lost_full > n_events + n_lost;
    }
    return NULL;
}

static void race_once(unsigned round) {
    pthread_t threads[N_THREADS];
    etc_config config = ETC_CONFIG_INIT;
    config.clock = no_time;
    config.when_full = round % 2 ? ETC_STOP : ETC_RING;
    etc_capture *c = etc_init(race_memory, sizeof race_memory, &config);
    has_ended = 0;
    memset(racers, 0, sizeof racers);
    for (unsigned i = 0; i < N_THREADS; i++) {
        racers[i].lane = etc_lane(c, lane_memory[i], 1024u << (i + round) % 3);
        assert_int_equal(pthread_create(&threads[i], NULL, race, &racers[i]), 0);
    }
    for (unsigned i = 0; i < 20000; i++) {
        etc_run(c, "Execute");
        if (i % 3 == 0)
            etc_run_end(c);
        if (i % 1024 == 0)
            sched_yield();
    }
    etc_run_end(c);
    etc__store(&has_ended, 1);
    for (unsigned i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < N_THREADS; i++) {
        etc_run_cursor cursor;
        etc__start_own_runs(racers[i].lane, &cursor, NULL);
        for (const etc_run_record *run; (run = etc__next_any_run(racers[i].lane, &cursor)) != NULL;)
            racers[i].is_held[run->number] |= !(run->flags & (ETC_RUN_DROPPED | ETC_RUN_PARTIAL));
    }
    uint64_t n_complete = 0, n_all = 0;
    etc_save_options all = ETC_SAVE_OPTIONS_INIT;
    etc_run_cursor cursor;
    all.partial_runs = true;
    etc__start_runs(c, &cursor, &all);
    for (const etc_run_record *run; (run = etc__next_run(c, &cursor)) != NULL; n_all++) {
        bool is_complete = true;
        for (unsigned i = 0; i < N_THREADS; i++) {
            const racer *r = &racers[i];
            assert_false(r->has_lost[run->number] && r->is_held[run->number]);
            is_complete &= r->is_held[run->number] || !r->has_entered[run->number];
        }
        assert_int_equal(cursor.is_whole, is_complete);
        n_complete += is_complete;
    }
    assert_int_equal(n_all, 20000);
    etc_stats stats = stats_of(c);
    assert_int_equal(n_complete + stats.runs_partial, 20000);
    assert_int_equal(stats.runs_opened, 20000);
}

static void runs_may_end_while_lanes_enter_them(void **state) {
    (void)state;
    unsigned long n = n_wanted("ETC_RACES", 12);
    for (unsigned long round = 0; round < n; round++)
        race_once((unsigned)round);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_is_saved_dropped_or_partial),
        cmocka_unit_test(runs_with_events_of_lanes_are_partial_in_a_journal),
        cmocka_unit_test(runs_may_end_while_lanes_enter_them),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
