#include "account/account.h"
#include "capture_fixture.h"
#include "model/model.h"

#include <pthread.h>
#include <sys/mman.h>

enum { N_THREADS = 8, LANE_SIZE = 32768 };

static _Alignas(64) uint8_t lane_memory[N_THREADS][LANE_SIZE];

static etc_capture *add_lane(etc_capture *main, unsigned which) {
    etc_capture *lane = etc_lane(main, lane_memory[which], LANE_SIZE);
    assert_non_null(lane);
    return lane;
}

/* Adds an event whose start is the number of the run that it belongs to. */
static void log_numbered(etc_capture *c, uint64_t number) {
    etc_log(c, 0, number, number + 1);
}

static uint64_t start_of(const saved *s, uint32_t run, uint32_t event) {
    return eti__etdump_read_stamps(&s->dump, event_at(s, run, event)).start_time;
}

/* ---- threads --------------------------------------------------------------------------------- */

typedef struct team {
    etc_capture *main;
    etc_capture *lanes[N_THREADS];
    etc_name shared; /* interned in main */
    unsigned n_runs, n_events;
    pthread_barrier_t begins, ends;
} team;

typedef struct member {
    team *team;
    unsigned which;
} member;

static void *work(void *context) {
    const member *m = context;
    etc_capture *lane = m->team->lanes[m->which];
    char name[24];
    snprintf(name, sizeof name, "of thread %u", m->which);
    etc_name own = etc_intern(lane, name);
    for (unsigned run = 0; run < m->team->n_runs; run++) {
        pthread_barrier_wait(&m->team->begins);
        for (unsigned i = 0; i < m->team->n_events; i++) {
            etc_span span = etc_start(lane, i % 2 ? own : m->team->shared);
            etc_end(lane, &span);
        }
        pthread_barrier_wait(&m->team->ends);
    }
    return NULL;
}

/* Lets all threads record in each run, while the main thread interns names. */
static void run_team(team *t) {
    pthread_t threads[N_THREADS];
    member members[N_THREADS];
    assert_int_equal(pthread_barrier_init(&t->begins, NULL, N_THREADS + 1), 0);
    assert_int_equal(pthread_barrier_init(&t->ends, NULL, N_THREADS + 1), 0);
    for (unsigned i = 0; i < N_THREADS; i++) {
        members[i] = (member){t, i};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &members[i]), 0);
    }
    for (unsigned run = 0; run < t->n_runs; run++) {
        char name[24];
        etc_run(t->main, "Execute");
        pthread_barrier_wait(&t->begins);
        snprintf(name, sizeof name, "name %u", run);
        (void)etc_intern(t->main, name);
        add_event(t->main, "whole");
        pthread_barrier_wait(&t->ends);
        etc_run_end(t->main);
    }
    for (unsigned i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&t->begins);
    pthread_barrier_destroy(&t->ends);
}

static uint64_t tick_of_thread(void *context) {
    static _Thread_local uint64_t ticks;
    (void)context;
    return ++ticks;
}

static bool keep_all(void *context, const etc_filter_event *event) {
    (void)context;
    return event->id == -1;
}

static void assert_one_block(const saved *s, size_t n_runs, size_t n_events) {
    eti_inspector *inspector;
    eti_error err = ETI_ERROR_INIT;
    const eti_source dump = {"saved.etdp", s->data, s->size};
    const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1};
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    assert_int_equal(eti_inspector_block_count(inspector), 1);
    const eti_event_block *block = eti_inspector_block(inspector, 0);
    assert_int_equal(eti_event_block_run_count(block), n_runs);
    assert_int_equal(eti_event_block_event_count(block), n_events);
    eti_inspector_close(inspector);
}

static void runs_of_eight_threads_are_one_block(void **state) {
    (void)state;
    static uint8_t block[1 << 20];
    team t = {.n_runs = 40, .n_events = 11};
    etc_config config = ETC_CONFIG_INIT;
    config.clock = tick_of_thread;
    config.auto_handles = true;
    config.filter = keep_all;
    t.main = etc_init(block, sizeof block, &config);
    t.shared = etc_intern(t.main, "shared");
    for (unsigned i = 0; i < N_THREADS; i++)
        t.lanes[i] = add_lane(t.main, i);
    run_team(&t);
    etc_stats stats = stats_of(t.main);
    assert_int_equal(stats.runs, t.n_runs);
    assert_int_equal(stats.events, t.n_runs * (1 + N_THREADS * t.n_events));
    assert_int_equal(stats.events_lost_state + stats.events_lost_full + stats.events_lost_wrong, 0);
    saved s;
    save(&s, t.main);
    assert_int_equal(s.dump.runs.count, t.n_runs);
    /* Every event is a row of its own. */
    assert_one_block(&s, t.n_runs, 1 + N_THREADS * t.n_events);
    free_saved(&s);
}

/* Runs change while threads record: the layout is unspecified, but nothing may break. */
static void *record_until(void *context) {
    team *t = ((member *)context)->team;
    etc_capture *lane = t->lanes[((member *)context)->which];
    pthread_barrier_wait(&t->begins);
    for (int i = 0; i < 3000; i++) {
        etc_span span = i % 3 ? etc_start(lane, t->shared) : etc_start_text(lane, "own");
        etc_end(lane, &span);
    }
    return NULL;
}

static void runs_may_change_at_any_time(void **state) {
    (void)state;
    static uint8_t block[1 << 18];
    team t = {.n_runs = 3000};
    pthread_t threads[N_THREADS];
    member members[N_THREADS];
    etc_config config = ETC_CONFIG_INIT;
    config.clock = tick_of_thread;
    config.when_full = ETC_RING;
    config.filter = keep_all; /* its answers are stored in the names that main looks for */
    t.main = etc_init(block, sizeof block, &config);
    t.shared = etc_intern(t.main, "shared");
    pthread_barrier_init(&t.begins, NULL, N_THREADS + 1);
    for (unsigned i = 0; i < N_THREADS; i++) {
        t.lanes[i] = add_lane(t.main, i);
        members[i] = (member){&t, i};
        assert_int_equal(pthread_create(&threads[i], NULL, record_until, &members[i]), 0);
    }
    etc_run(t.main, "Default");
    pthread_barrier_wait(&t.begins);
    for (unsigned run = 0; run < t.n_runs; run++) {
        char name[24];
        snprintf(name, sizeof name, "run %u", run);
        etc_run(t.main, name);
        add_event(t.main, "shared");
    }
    for (unsigned i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    pthread_barrier_destroy(&t.begins);
    etc_run_end(t.main);
    add_run(t.main, "Execute", 1);
    etc_stats stats = stats_of(t.main);
    assert_int_equal(stats.events + stats.events_lost_full,
                     (size_t)N_THREADS * 3000 + t.n_runs + 1);
    assert_int_equal(stats.events_lost_state + stats.events_lost_wrong, 0);
    saved s;
    save(&s, t.main);
    assert_int_equal(count_events(&s, s.dump.runs.count - 1), 1);
    free_saved(&s);
}

/* ---- contents of a file ---------------------------------------------------------------------- */

static void lanes_follow_main_in_order(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_capture *first = add_lane(c, 0), *second = add_lane(c, 1);
    etc_name shared = etc_intern(c, "shared"), own = etc_intern(second, "own");
    etc_run(c, "Execute");
    etc_log(second, own, 1, 2);
    etc_log(first, shared, 3, 4);
    etc_log(c, shared, 5, 6);
    etc_log(second, shared, 7, 8);
    etc_run_end(c);
    assert_runs(c,
                "{\"name\":\"Execute\",\"events\":["
                "{\"profile_event\":{\"name\":\"shared\",\"chain_index\":-1,\"instruction_id\":0,"
                "\"start_time\":5,\"end_time\":6}},"
                "{\"profile_event\":{\"name\":\"shared\",\"chain_index\":-2,\"instruction_id\":0,"
                "\"start_time\":3,\"end_time\":4}},"
                "{\"profile_event\":{\"name\":\"own\",\"chain_index\":-3,\"instruction_id\":0,"
                "\"start_time\":1,\"end_time\":2}},"
                "{\"profile_event\":{\"name\":\"shared\",\"chain_index\":-3,\"instruction_id\":0,"
                "\"start_time\":7,\"end_time\":8}}]}");
}

static void all_kinds_of_records(void **state) {
    (void)state;
    etc_config config = make_config();
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_capture *c = start_with(&config, sizeof memory);
    etc_capture *lane = add_lane(c, 0);
    etc_run(c, "Execute");
    etc_set_instruction(lane, 0, 7);
    etc_log_delegate(lane, etc_intern(lane, "conv"), -1, 1, 2, "m", 1);
    etc_log_int(lane, (etc_key){"key", -1}, 5, 0);
    etc_allocation(lane, etc_allocator(c, "heap"), 64);
    etc_run_end(c);
    assert_runs(c, "{\"name\":\"Execute\",\"allocators\":[{\"name\":\"heap\"}],\"events\":["
                   "{\"profile_event\":{\"chain_index\":1,\"instruction_id\":7,\"delegate_debug_id_"
                   "str\":\"conv\","
                   "\"delegate_debug_metadata\":[109],\"start_time\":1,\"end_time\":2}},"
                   "{\"debug_event\":{\"chain_index\":1,\"instruction_id\":7,\"debug_entry\":{"
                   "\"val\":\"Int\",\"int_value\":{"
                   "\"int_val\":5}},\"delegate_debug_id_str\":\"key\"}},"
                   "{\"allocation_event\":{\"allocator_id\":1,\"allocation_size\":64}}]}");
}

static void automatic_handles_distinguish_lanes(void **state) {
    (void)state;
    etc_config config = make_config();
    config.auto_handles = true;
    etc_capture *c = start_with(&config, sizeof memory);
    etc_capture *lanes[] = {c, add_lane(c, 0), add_lane(c, 1)};
    for (int run = 0; run < 2; run++) {
        etc_run(c, "Execute");
        for (size_t i = 0; i < COUNT_OF(lanes); i++) {
            log_numbered(lanes[i], 5);
            log_numbered(lanes[i], 5);
        }
    }
    etc_run_end(c);
    static const char expected[] =
        "{\"name\":\"Execute\",\"events\":["
        "{\"profile_event\":{\"instruction_id\":0,\"start_time\":5,\"end_time\":6}},"
        "{\"profile_event\":{\"instruction_id\":1,\"start_time\":5,\"end_time\":6}},"
        "{\"profile_event\":{\"chain_index\":1,\"instruction_id\":1000000,"
        "\"start_time\":5,\"end_time\":6}},{\"profile_event\":{\"chain_index\":1,"
        "\"instruction_id\":1000001,\"start_time\":5,\"end_time\":6}},{\"profile_event\":{"
        "\"chain_index\":2,\"instruction_id\":2000000,\"start_time\":5,\"end_time\":6}},{"
        "\"profile_event\":{\"chain_index\":2,\"instruction_id\":2000001,\"start_time\":5,"
        "\"end_time\":6}}]}";
    char twice[2 * sizeof expected];
    snprintf(twice, sizeof twice, "%s,%s", expected, expected);
    assert_runs(c, twice);
}

/* Chains of queues are kept; the others say which lane recorded. */
static void chains_say_which_lane_recorded(void **state) {
    (void)state;
    static const struct {
        int32_t chain, saved;
        uint32_t lane;
    } cases[] = {{-1, -3, 2}, {0, 2, 2}, {1, 1, 1}, {9, 9, 9}, {-3, -3, 2}, {2, 2, 2}};
    etc_capture *c = start();
    etc_capture *lane = (add_lane(c, 0), add_lane(c, 1));
    etc_run(c, "Execute");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        etc_set_instruction(lane, cases[i].chain, 5);
        log_numbered(lane, i);
    }
    etc_unset_instruction(lane);
    log_numbered(lane, 0);
    etc_set_instruction(c, -1, 0);
    log_numbered(c, 0);
    etc_run_end(c);
    saved s;
    save(&s, c);
    assert_int_equal(eti__etdump_read_lane(&s.dump, event_at(&s, 0, 0)), 0);
    for (uint32_t i = 0; i < COUNT_OF(cases); i++) {
        eti_etdump_event event;
        eti__etdump_read_event(&event, &s.dump, event_at(&s, 0, 1 + i));
        assert_int_equal((int64_t)event.key.chain_index, cases[i].saved);
        assert_int_equal(eti__etdump_read_lane(&s.dump, event_at(&s, 0, 1 + i)), cases[i].lane);
    }
    assert_int_equal(eti__etdump_read_lane(&s.dump, event_at(&s, 0, 1 + COUNT_OF(cases))), 2);
    free_saved(&s);
}

/* Returns the name of a lane; absent if it has none. */
static eti_text find_lane_name(const saved *s, uint32_t lane) {
    eti_etdump_run run = eti__etdump_read_run(&s->dump, 0);
    eti_text name, last = {NULL, 0};
    uint32_t of;
    for (uint32_t i = 0; i < run.allocators.count; i++) {
        if (eti__etdump_read_lane_name(&s->dump, &run, i, &of, &name) && of == lane)
            last = name;
    }
    return last;
}

static void assert_lane_name(const saved *s, uint32_t lane, const char *name) {
    assert_text(find_lane_name(s, lane), name);
}

/* They are in the first run that is saved, behind its allocators, also if the ring dropped the run in which they were given. */
static void names_of_lanes_are_saved(void **state) {
    (void)state;
    static const char longer[] =
        "0123456789012345678901234567890123456789012345678901234567890123456789";
    char first[65];
    snprintf(first, sizeof first, "%.64s", longer);
    etc_config config = make_config();
    config.when_full = ETC_RING;
    config.keep_runs = 2;
    etc_capture *c = start_with(&config, sizeof memory), *lane = add_lane(c, 0);
    etc_name_lane(NULL, 0, "nobody");
    etc_name_lane(c, 0, NULL);
    etc_name_lane(c, 0, "host");
    etc_name_lane(c, UINT32_MAX, longer);
    etc_name_lane(lane, 0, "decoder");
    etc_name_lane(lane, 20, "matrix unit");
    for (unsigned run = 0; run < 5; run++) {
        etc_run(c, "Execute");
        etc_allocation(c, etc_allocator(c, "lanes"), 64);
        log_numbered(lane, run);
        etc_run_end(c);
    }
    saved s;
    save(&s, c);
    assert_int_equal(s.dump.runs.count, 2);
    assert_lane_name(&s, 0, "host");
    assert_lane_name(&s, 1, "decoder");
    assert_lane_name(&s, 20, "matrix unit");
    assert_lane_name(&s, UINT32_MAX, first);
    assert_null(find_lane_name(&s, 2).data);
    for (uint32_t run = 0; run < 2; run++) {
        eti_etdump_run of = eti__etdump_read_run(&s.dump, run);
        assert_int_equal(of.allocators.count, run == 0 ? 5 : 1);
        assert_text(eti__etdump_allocator_name(&s.dump, &of, 0), "lanes");
    }
    free_saved(&s);
}

/* The 64th byte is the first of the two of a letter. */
static void the_cut_name_of_a_lane_ends_with_a_whole_character(void **state) {
    (void)state;
    static const char whole[] = "012345678901234567890123456789012345678901234567890123456789012";
    char longer[80];
    etc_config config = make_config();
    etc_capture *c = start_with(&config, sizeof memory);
    snprintf(longer, sizeof longer, "%s\xc3\xa9", whole);
    etc_name_lane(c, 3, longer);
    etc_run(c, "Execute");
    etc_run_end(c);
    saved s;
    save(&s, c);
    assert_lane_name(&s, 3, whole);
    free_saved(&s);
}

/* An event, a run and an allocator of a program have such texts, also that of a lane. */
static void texts_of_programs_name_no_lane(void **state) {
    (void)state;
    etc_config config = make_config();
    etc_capture *c = start_with(&config, sizeof memory), *lane = add_lane(c, 0);
    etc_name_lane(c, 3, "matrix unit");
    etc_run(c, "lane 4: a run");
    add_event(c, "lane 5: an event");
    add_event(c, "etcapture lane 6: an event");
    add_event(lane, "etcapture lane 7: an event of a lane");
    add_event(lane, "etcapture lane 3: matrix unit");
    etc_allocator(c, "lane 8: an allocator");
    etc_run_end(c);
    saved s;
    save(&s, c);
    eti_etdump_run run = eti__etdump_read_run(&s.dump, 0);
    assert_int_equal(run.allocators.count, 2);
    assert_lane_name(&s, 3, "matrix unit");
    for (uint32_t number = 4; number < 9; number++)
        assert_null(find_lane_name(&s, number).data);
    free_saved(&s);
}

static void copies_of_runs_keep_the_names_of_lanes(void **state) {
    (void)state;
    static _Alignas(64) uint8_t other[8192];
    etc_config config = make_config();
    etc_capture *c = start_with(&config, sizeof memory), *lane = add_lane(c, 0);
    etc_capture *to = etc_init(other, sizeof other, &config);
    etc_name_lane(c, 3, "matrix unit");
    etc_name_lane(lane, 0, "decoder");
    etc_run(c, "Execute");
    add_event(c, "lane 5: an event");
    add_event(lane, "half");
    etc_run_end(c);
    assert_int_equal(etc_append(to, c, NULL), ETC_OK);
    saved s;
    save(&s, to);
    assert_lane_name(&s, 1, "decoder");
    assert_lane_name(&s, 3, "matrix unit");
    assert_null(find_lane_name(&s, 5).data);
    free_saved(&s);
}

/* ---- at the same time ------------------------------------------------------------------------ */

static pthread_barrier_t meets;

static void *work_beside(void *lane) {
    pthread_barrier_wait(&meets);
    etc_span span = etc_start_text(lane, "half");
    pthread_barrier_wait(&meets);
    pthread_barrier_wait(&meets);
    etc_end(lane, &span);
    return NULL;
}

/* Records a run in which an event of main and one of a lane overlap, whatever the scheduler does. */
static void record_both(saved *s) {
    pthread_t thread;
    etc_config config = ETC_CONFIG_INIT;
    etc_capture *c = start_with(&config, sizeof memory), *lane = add_lane(c, 0);
    assert_int_equal(pthread_barrier_init(&meets, NULL, 2), 0);
    etc_run(c, "Execute");
    assert_int_equal(pthread_create(&thread, NULL, work_beside, lane), 0);
    etc_span span = etc_start_text(c, "other half");
    pthread_barrier_wait(&meets);
    pthread_barrier_wait(&meets); /* the lane's event has begun */
    etc_end(c, &span);
    pthread_barrier_wait(&meets);
    pthread_join(thread, NULL);
    etc_run_end(c);
    pthread_barrier_destroy(&meets);
    save(s, c);
}

/* The elapsed time of the run is that from the first stamp of both to the last. */
static void threads_at_the_same_time_take_the_time_of_both_together(void **state) {
    (void)state;
    for (int recording = 0; recording < 20; recording++) {
        saved s;
        record_both(&s);
        eti_etdump_stamps of_main = eti__etdump_read_stamps(&s.dump, event_at(&s, 0, 0));
        eti_etdump_stamps of_lane = eti__etdump_read_stamps(&s.dump, event_at(&s, 0, 1));
        assert_true(of_main.start_time <= of_lane.start_time &&
                    of_lane.start_time <= of_main.end_time && of_main.end_time <= of_lane.end_time);
        eti_inspector *inspector;
        eti_account account;
        eti_error err = ETI_ERROR_INIT;
        const eti_source dump = {"saved.etdp", s.data, s.size};
        const eti_inputs inputs = {.etdumps = &dump, .n_etdumps = 1};
        assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
        assert_ok(eti__account_new(&account, eti_inspector_block(inspector, 0), &inspector->options,
                                   &err));
        assert_int_equal(account.elapsed[0], of_lane.end_time - of_main.start_time);
        assert_int_equal(account.events[0].role, ETI_ROLE_KERNEL);
        assert_int_equal(account.events[1].role, ETI_ROLE_KERNEL);
        eti__account_free(&account);
        eti_inspector_close(inspector);
        free_saved(&s);
    }
}

static void options_choose_runs_with_their_lanes(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_capture *lane = add_lane(c, 0);
    for (uint64_t number = 0; number < 6; number++) {
        etc_run(c, number % 2 ? "odd" : "even");
        log_numbered(lane, number);
    }
    etc_run_end(c);
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    options.run_name = "odd";
    options.last_runs = 2;
    saved s;
    save_with(&s, c, &options);
    assert_int_equal(s.dump.runs.count, 2);
    assert_int_equal(start_of(&s, 0, 0), 3);
    assert_int_equal(start_of(&s, 1, 0), 5);
    free_saved(&s);
}

/* ---- runs ------------------------------------------------------------------------------------ */

static void a_lane_records_where_main_has_a_run(void **state) {
    (void)state;
    etc_config config = make_config();
    config.skip_runs = 1;
    config.max_runs = 1;
    etc_capture *c = start_with(&config, sizeof memory);
    etc_capture *lane = add_lane(c, 0);
    log_numbered(lane, 0); /* no run is open */
    assert_int_equal(stats_of(lane).events_lost_state, 1);
    etc_run(c, "Execute");
    log_numbered(lane, 1); /* skipped */
    etc_run(c, "Execute");
    etc_capture *late = add_lane(c, 1);
    log_numbered(lane, 2);
    log_numbered(late, 2);
    etc_run(c, "Execute");
    log_numbered(lane, 3); /* after the window */
    etc_run_end(c);
    log_numbered(lane, 4);
    assert_int_equal(stats_of(c).events, 2);
    assert_int_equal(stats_of(c).events_lost_state, 2);
    saved s;
    save(&s, c);
    assert_int_equal(s.dump.runs.count, 1);
    assert_int_equal(count_events(&s, 0), 2);
    assert_int_equal(start_of(&s, 0, 0), 2);
    free_saved(&s);
}

static void what_only_main_does(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_capture *lane = add_lane(c, 0);
    etc_run(c, "Execute");
    log_numbered(lane, 1);
    etc_run(lane, "Execute");
    etc_run_end(lane);
    etc_set_bundled_input(lane, 5);
    etc_reset(lane);
    etc_close(lane);
    assert_int_equal(etc_allocator(lane, "heap"), 0);
    assert_int_equal(stats_of(lane).events_lost_state, 6);
    log_numbered(lane, 2);
    etc_run_end(c);
    assert_nothing_to_save(lane);
    uint64_t n_runs = 7, n_events = 7;
    assert_int_equal(etc_count_saved(lane, NULL, &n_runs, &n_events), ETC_STATE);
    assert_int_equal(n_runs + n_events, 0); /* the runs of main have its events */
    assert_int_equal(etc_count_saved(c, NULL, &n_runs, &n_events), ETC_OK);
    assert_int_equal(n_runs, 1);
    assert_int_equal(n_events, 2);
    assert_int_equal(etc_save_debug(lane, NULL, (etc_sink){NULL, NULL}), ETC_INVALID);
    assert_null(etc_lane(lane, lane_memory[1], LANE_SIZE));
    assert_null(etc_lane(NULL, lane_memory[1], LANE_SIZE));
    assert_null(etc_lane(c, lane_memory[1], ETC_MIN_BYTES - 1));
    saved s;
    save(&s, c);
    assert_int_equal(count_events(&s, 0), 2);
    free_saved(&s);
}

static void only_names_of_main_and_its_own_are_names(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_capture *lane = add_lane(c, 0);
    etc_name own = etc_intern(lane, "own"), shared = etc_intern(c, "shared");
    assert_int_equal(etc_intern(lane, "own"), own);
    assert_int_not_equal(own, shared);
    etc_run(c, "Execute");
    etc_log(c, own, 1, 2);
    etc_log(lane, own + 1, 1, 2);
    etc_log(lane, shared + 1, 1, 2);
    etc_log(lane, UINT32_MAX, 1, 2);
    assert_int_equal(stats_of(c).events, 0);
    assert_int_equal(stats_of(c).events_lost_wrong, 4);
    etc_log(lane, own, 1, 2);
    etc_log(lane, shared, 1, 2);
    assert_int_equal(stats_of(c).events, 2);
}

static void resetting_main_resets_lanes(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_capture *lane = add_lane(c, 0);
    etc_name name = etc_intern(lane, "own");
    for (uint64_t number = 0; number < 2; number++) {
        etc_run(c, "Execute");
        for (int i = 0; i < 5000; i++) /* more than fits in the lane */
            log_numbered(lane, number);
        etc_run_end(c);
    }
    assert_int_equal(etc_save_size(c, NULL, NULL),
                     ETC_FULL); /* main has both runs, the lane none */
    etc_reset(c);
    log_numbered(lane, 2); /* no run is open */
    etc_run(c, "Execute");
    etc_log(lane, name, 3, 4);
    etc_run_end(c);
    saved s;
    save(&s, c);
    assert_int_equal(s.dump.runs.count, 1);
    assert_int_equal(count_events(&s, 0), 1);
    assert_int_equal(start_of(&s, 0, 0), 3);
    free_saved(&s);
}

/* ---- losses ---------------------------------------------------------------------------------- */

static void fill_lane(etc_capture *lane, uint64_t number, int n) {
    for (int i = 0; i < n; i++)
        log_numbered(lane, number);
}

static void a_run_that_a_lane_lost_events_of_is_partial(void **state) {
    (void)state;
    for (int way = 0; way < 4; way++) {
        etc_config config = make_config();
        config.when_full = way & 1 ? ETC_RING : ETC_STOP;
        config.keep_partial_runs = way & 2;
        etc_capture *c = start_with(&config, sizeof memory);
        etc_capture *lane = add_lane(c, 0);
        for (uint64_t number = 1; number <= 5; number++) {
            etc_run(c, "Execute");
            log_numbered(c, number);
            if (number != 2)
                fill_lane(lane, number, number == 3 ? 5000 : 2);
        }
        etc_run_end(c);
        saved s;
        save(&s, c);
        if (way & 2) { /* all */
            assert_int_equal(s.dump.runs.count, 5);
            if (way & 1) /* the fourth run made the lane drop the third */
                assert_int_equal(count_events(&s, 2), 1);
            else
                assert_in_range(count_events(&s, 2), 800, 1100);
            assert_int_equal(count_events(&s, 3), way & 1 ? 3 : 1);
        } else if (way & 1) { /* the third run did not make the lane drop the first */
            assert_int_equal(s.dump.runs.count, 4);
            assert_int_equal(start_of(&s, 1, 0), 2);
            assert_int_equal(start_of(&s, 2, 0), 4);
            assert_int_equal(count_events(&s, 0), 3);
        } else { /* the lane is full */
            assert_int_equal(s.dump.runs.count, 2);
            assert_int_equal(count_events(&s, 0), 3);
            assert_int_equal(count_events(&s, 1), 1);
        }
        free_saved(&s);
        assert_true(stats_of(c).events_lost_full > 3000);
        /* the third run; where the lane is full, those that followed; and the first, if the third made the lane drop it */
        static const uint64_t n_partial[] = {3, 1, 3, 2}, n_dropped[] = {2, 0, 2, 1};
        assert_int_equal(stats_of(c).runs_partial, n_partial[way]);
        assert_int_equal(stats_of(c).lane_runs_dropped, n_dropped[way]);
    }
}

/* Each run that is not saved is counted, even if main has all runs. */
static void runs_that_lanes_drop_are_counted(void **state) {
    (void)state;
    etc_config config = make_config();
    config.when_full = ETC_RING;
    etc_capture *c = start_with(&config, sizeof memory);
    etc_capture *lanes[] = {etc_lane(c, lane_memory[0], 2048), etc_lane(c, lane_memory[1], 4096)};
    for (uint64_t number = 1; number <= 200; number++) {
        etc_run(c, "Execute");
        log_numbered(c, number);
        fill_lane(lanes[0], number, 2);
        fill_lane(lanes[1], number, 2);
    }
    etc_run_end(c);
    uint64_t n_saved, n_of_second;
    assert_int_equal(etc_count_saved(c, NULL, &n_saved, NULL), ETC_OK);
    assert_in_range(n_saved, 5, 100);
    assert_int_equal(stats_of(c).runs_dropped, 0);
    assert_int_equal(stats_of(lanes[0]).runs_dropped, 200 - n_saved);
    n_of_second = stats_of(lanes[1]).runs_dropped;
    assert_in_range(n_of_second, 1, 200 - n_saved);
    assert_int_equal(stats_of(c).lane_runs_dropped, 200 - n_saved + n_of_second);
    assert_int_equal(stats_of(c).events, 200 * 5);
    assert_int_equal(stats_of(lanes[0]).lane_runs_dropped, 0);
}

/* Interns names that are not UTF-8 until there is no memory for more. Returns the number of those lost. */
static uint64_t exhaust_names(etc_capture *lane, unsigned n) {
    uint64_t n_lost = 0;
    for (unsigned i = 0; i < n; i++) {
        char name[24];
        snprintf(name, sizeof name, "name\xff %u", i);
        n_lost += etc_intern(lane, name) == 0;
    }
    return n_lost;
}

static void statistics_of_lanes_are_summed(void **state) {
    (void)state;
    etc_capture *c = start();
    uint64_t memory_bytes = stats_of(c).memory_bytes;
    etc_capture *lanes[] = {etc_lane(c, lane_memory[0], 2048), etc_lane(c, lane_memory[1], 4096)};
    for (uint64_t i = 0; i < 2; i++)
        fill_lane(lanes[i], i, 3 + (int)i); /* no run is open */
    etc_run(c, "Execute");
    fill_lane(lanes[0], 2, 5);
    fill_lane(lanes[1], 2, 6);
    uint64_t n_lost[] = {exhaust_names(lanes[0], 200), exhaust_names(lanes[1], 300)};
    etc_run_end(c);
    etc_stats of_lanes[] = {stats_of(lanes[0]), stats_of(lanes[1])}, sum = stats_of(c);
    assert_in_range(n_lost[0], 50, 199);
    assert_in_range(n_lost[1], 50, 299);
    assert_int_equal(sum.names_lost, n_lost[0] + n_lost[1]);
    assert_int_equal(sum.names_repaired, 500 - n_lost[0] - n_lost[1]);
    assert_int_equal(sum.events_lost_state, 3 + 4);
    assert_int_equal(sum.events, 5 + 6);
    assert_int_equal(sum.memory_bytes,
                     memory_bytes + of_lanes[0].memory_bytes + of_lanes[1].memory_bytes);
    assert_int_equal(of_lanes[1].memory_bytes - of_lanes[0].memory_bytes, 2048);
    etc_reset(c);
    assert_int_equal(stats_of(c).names_lost, n_lost[0] + n_lost[1]);
    assert_int_equal(stats_of(c).record_bytes, 0);
}

/* Main has room for fewer runs than its lanes, or for more; all saved runs are complete. Runs that the lane did not record
 * in are complete even if it dropped those around them. */
static void rings_of_any_sizes(void **state) {
    (void)state;
    for (size_t size = 2048; size <= 65536; size *= 2) {
        for (size_t lane_size = 2048; lane_size <= LANE_SIZE; lane_size *= 2) {
            etc_config config = make_config();
            config.when_full = ETC_RING;
            etc_capture *c = start_with(&config, size);
            etc_capture *lane = etc_lane(c, lane_memory[0], lane_size);
            add_run(c, "Default", 2);
            for (uint64_t number = 1; number < 3000; number++) {
                etc_run(c, "Execute");
                log_numbered(c, number);
                fill_lane(lane, number, (int)(number % 5));
                if (number % 7)
                    etc_run_end(c);
                if (number % 97 || number < 300)
                    continue;
                saved s;
                save(&s, c);
                uint32_t last = s.dump.runs.count - 1;
                assert_true(last > 3);
                for (uint32_t run = 1; run <= last; run++) {
                    uint64_t expected = start_of(&s, run, 0);
                    assert_int_equal(count_events(&s, run), 1 + expected % 5);
                    for (uint32_t i = 0; i <= expected % 5; i++)
                        assert_int_equal(start_of(&s, run, i), expected);
                }
                free_saved(&s);
            }
        }
    }
}

static void loading_is_kept_in_lanes(void **state) {
    (void)state;
    etc_config config = make_config();
    config.when_full = ETC_RING;
    etc_capture *c = start_with(&config, 8192);
    etc_capture *lane = etc_lane(c, lane_memory[0], 4096);
    etc_run(c, "Default");
    fill_lane(lane, 1, 3);
    for (uint64_t number = 2; number < 1000; number++) {
        etc_run(c, "Execute");
        fill_lane(lane, number, 4);
    }
    etc_run_end(c);
    saved s;
    save(&s, c);
    assert_true(s.dump.runs.count > 3);
    assert_int_equal(count_events(&s, 0), 3);
    assert_int_equal(start_of(&s, 0, 0), 1);
    assert_int_equal(start_of(&s, s.dump.runs.count - 1, 0), 999);
    free_saved(&s);
}

static void events_are_counted_where_main_is_full(void **state) {
    (void)state;
    etc_config config = make_config();
    etc_capture *c = start_with(&config, 2048);
    etc_capture *lane = add_lane(c, 0);
    for (int run = 0; run < 100; run++) {
        etc_run(c, "Execute");
        log_numbered(c, 1);
        log_numbered(lane, 1);
    }
    etc_run_end(c);
    saved s;
    save(&s, c);
    assert_int_equal(count_events(&s, s.dump.runs.count - 1), 2);
    free_saved(&s);
    etc_stats stats = stats_of(c);
    assert_int_equal(stats.events + stats.events_lost_full, 200);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void lanes_between_guard_pages(void **state) {
    (void)state;
    const size_t page = 4096;
    uint8_t *pages = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect(pages + page, page, PROT_READ | PROT_WRITE), 0);
    for (size_t size = 0; size <= page; size++) {
        for (int way = 0; way < 4; way++) {
            size_t before = way & 1 ? page - size : 0;
            memset(pages + page, 0xa5, page);
            etc_config config = make_config();
            config.when_full = way & 2 ? ETC_RING : ETC_STOP;
            etc_capture *c = start_with(&config, 8192);
            etc_capture *lane = etc_lane(c, pages + page + before, size);
            assert_int_equal(lane != NULL, size >= ETC_MIN_BYTES);
            for (int run = 0; run < 20; run++) {
                etc_run(c, "Execute");
                add_event(c, "event");
                for (int i = 0; i < 6; i++) {
                    etc_span span = etc_start_text(lane, "event of the lane");
                    etc_end(lane, &span);
                    etc_log_delegate(lane, 0, i, 1, 2, "metadata", (size_t)i);
                }
            }
            etc_run_end(c);
            uint64_t saved_size;
            if (etc_save_size(c, NULL, &saved_size) == ETC_OK) {
                saved s;
                save(&s, c);
                free_saved(&s);
            }
            for (size_t i = 0; i < page; i++) {
                if (i < before || i >= before + size)
                    assert_int_equal(pages[page + i], 0xa5);
            }
        }
    }
    munmap(pages, 3 * page);
}

static void lanes_with_memory_of_their_own(void **state) {
    (void)state;
    etc_capture *c;
    assert_int_equal(etc_open(&c, NULL), ETC_OK);
    etc_capture *lane = etc_lane(c, NULL, 0), *small = etc_lane(c, NULL, 5000);
    assert_non_null(lane);
    assert_non_null(small);
    assert_null(etc_lane(c, NULL, 100));
    assert_true(stats_of(lane).memory_bytes > 1000000000);
    assert_in_range(stats_of(small).memory_bytes, 4000, 5000);
    etc_run(c, "Execute");
    fill_lane(lane, 1, 50000);
    log_numbered(small, 1);
    etc_run_end(c);
    saved s;
    save(&s, c);
    assert_int_equal(count_events(&s, 0), 50001);
    free_saved(&s);
    etc_close(c);

    c = start(); /* its memory stays */
    assert_non_null(etc_lane(c, NULL, 0));
    etc_close(c);
    add_run(c, "Execute", 1);
    save(&s, c);
    free_saved(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_of_eight_threads_are_one_block),
        cmocka_unit_test(runs_may_change_at_any_time),
        cmocka_unit_test(lanes_follow_main_in_order),
        cmocka_unit_test(all_kinds_of_records),
        cmocka_unit_test(automatic_handles_distinguish_lanes),
        cmocka_unit_test(chains_say_which_lane_recorded),
        cmocka_unit_test(names_of_lanes_are_saved),
        cmocka_unit_test(the_cut_name_of_a_lane_ends_with_a_whole_character),
        cmocka_unit_test(texts_of_programs_name_no_lane),
        cmocka_unit_test(copies_of_runs_keep_the_names_of_lanes),
        cmocka_unit_test(threads_at_the_same_time_take_the_time_of_both_together),
        cmocka_unit_test(options_choose_runs_with_their_lanes),
        cmocka_unit_test(a_lane_records_where_main_has_a_run),
        cmocka_unit_test(what_only_main_does),
        cmocka_unit_test(only_names_of_main_and_its_own_are_names),
        cmocka_unit_test(resetting_main_resets_lanes),
        cmocka_unit_test(a_run_that_a_lane_lost_events_of_is_partial),
        cmocka_unit_test(runs_that_lanes_drop_are_counted),
        cmocka_unit_test(statistics_of_lanes_are_summed),
        cmocka_unit_test(rings_of_any_sizes),
        cmocka_unit_test(loading_is_kept_in_lanes),
        cmocka_unit_test(events_are_counted_where_main_is_full),
        cmocka_unit_test(lanes_between_guard_pages),
        cmocka_unit_test(lanes_with_memory_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
