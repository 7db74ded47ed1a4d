#include "capture_fixture.h"

static _Alignas(64) uint8_t other_memory[65536];

static etc_capture *start_other(const etc_config *config, size_t size) {
    etc_capture *c = etc_init(other_memory, size, config);
    assert_non_null(c);
    return c;
}

/* Records everything that a run can have, with `n` in it. */
static void add_full_run(etc_capture *c, int32_t n) {
    static const int64_t sizes[] = {2};
    static const float data[] = {1, 2};
    etc_tensor tensor = {ETC_FLOAT, 1, sizes, NULL, data, sizeof data};
    etc_set_bundled_input(c, n);
    etc_run(c, n % 2 ? "odd" : "even");
    uint32_t id = etc_allocator(c, "arena");
    etc_allocation(c, id, 100);
    etc_set_instruction(c, 1, (uint32_t)n);
    add_event(c, n % 2 ? "conv" : "relu");
    etc_unset_instruction(c);
    add_event(c, NULL);
    etc_log_delegate(c, etc_intern(c, "layer"), -1, 5, 7, "meta\0data", 9);
    etc_log_delegate(c, 0, n, 5, 7, NULL, 0);
    etc_log_int(c, ETC_OPERATOR, -n, 0);
    etc_log_double(c, (etc_key){"operator", -1}, 0.5, 0);
    etc_log_tensor(c, (etc_key){NULL, n}, &tensor, 0);
    etc_run_end(c);
    etc_set_bundled_input(c, -1);
}

static etc_config full_config(void) {
    etc_config config = make_config();
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    return config;
}

static void assert_same_files(const etc_capture *a, const etc_capture *b) {
    saved x, y;
    save(&x, a);
    save(&y, b);
    char *json_x = flatc_json(x.data, x.size), *json_y = flatc_json(y.data, y.size);
    assert_non_null(json_x);
    assert_non_null(json_y);
    assert_string_equal(json_x, json_y);
    free(json_x);
    free(json_y);
    free_saved(&x);
    free_saved(&y);
}

static void runs_are_copied_with_all_they_have(void **state) {
    (void)state;
    etc_config config = full_config();
    etc_capture *from = start_with(&config, sizeof memory);
    etc_capture *to = start_other(&config, sizeof other_memory);
    etc_intern(to, "so that names have other numbers");
    for (int32_t i = 1; i < 6; i++)
        add_full_run(from, i);
    assert_int_equal(etc_append(to, from, NULL), ETC_OK);
    assert_same_files(from, to);
    assert_int_equal(stats_of(to).events, stats_of(from).events);
    assert_int_equal(stats_of(to).runs, 5);
}

static void contents_of_tensors_are_not(void **state) {
    (void)state;
    static _Alignas(64) uint8_t buffer[4096];
    etc_config config = full_config();
    etc_capture *from = start_with(&config, 16384);
    assert_int_equal(etc_set_debug_buffer(from, buffer, sizeof buffer), ETC_OK);
    etc_capture *to = start_other(&config, sizeof other_memory);
    add_full_run(from, 1);
    add_full_run(from, 2);
    assert_int_equal(etc_append(to, from, NULL), ETC_OK);
    assert_int_equal(stats_of(to).debug_values_without_contents, 2);
    saved s;
    save(&s, to);
    char *json = flatc_json(s.data, s.size);
    assert_non_null(json);
    assert_non_null(strstr(json, "\"offset\":-1"));
    assert_null(strstr(json, "\"offset\":6"));
    free(json);
    free_saved(&s);
}

static void appending_twice_appends_twice(void **state) {
    (void)state;
    etc_capture *from = start();
    etc_config config = make_config();
    etc_capture *to = start_other(&config, sizeof other_memory);
    add_run(to, "first", 1);
    add_run(from, "second", 2);
    assert_int_equal(etc_append(to, from, NULL), ETC_OK);
    add_run(from, "third", 3);
    assert_int_equal(etc_append(to, from, NULL), ETC_OK);
    saved s;
    save(&s, to);
    static const struct {
        const char *name;
        uint32_t n_events;
    } expected[] = {{"first", 1}, {"second", 2}, {"second", 2}, {"third", 3}};
    assert_int_equal(s.dump.runs.count, COUNT_OF(expected));
    for (uint32_t i = 0; i < COUNT_OF(expected); i++) {
        assert_text(eti__etdump_read_run(&s.dump, i).name, expected[i].name);
        assert_int_equal(count_events(&s, i), expected[i].n_events);
    }
    free_saved(&s);
}

static void options_choose_runs(void **state) {
    (void)state;
    etc_config config = full_config();
    etc_capture *from = start_with(&config, sizeof memory);
    etc_capture *to = start_other(&config, sizeof other_memory);
    for (int32_t i = 1; i < 6; i++)
        add_full_run(from, i);
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    options.last_runs = 2;
    options.run_name = "odd";
    options.no_allocations = true;
    assert_int_equal(etc_append(to, from, &options), ETC_OK);
    saved expected, found;
    save_with(&expected, from, &options);
    save(&found, to);
    char *json_expected = flatc_json(expected.data, expected.size);
    char *json_found = flatc_json(found.data, found.size);
    assert_non_null(json_expected);
    assert_non_null(json_found);
    assert_string_equal(json_found, json_expected);
    free(json_expected);
    free(json_found);
    free_saved(&expected);
    free_saved(&found);
    options.run_name = "neither";
    assert_int_equal(etc_append(to, from, &options), ETC_STATE);
}

static void the_open_run_is_left_out_and_that_of_the_other_ends(void **state) {
    (void)state;
    etc_capture *from = start();
    etc_config config = make_config();
    etc_capture *to = start_other(&config, sizeof other_memory);
    etc_run(from, "open");
    add_event(from, "event");
    etc_run(to, "ends");
    assert_int_equal(etc_append(to, from, NULL), ETC_STATE);
    etc_run(from, "open");
    add_event(to, "event"); /* its run is still open */
    assert_int_equal(etc_append(to, from, NULL), ETC_OK);
    add_event(to, "event"); /* now the run is closed */
    assert_int_equal(stats_of(to).runs, 2);
    assert_int_equal(stats_of(to).events_lost_state, 1);
}

static void chain_handle_and_bundled_input_stay_those_of_the_caller(void **state) {
    (void)state;
    etc_config config = full_config();
    etc_capture *from = start_with(&config, sizeof memory);
    etc_capture *to = start_other(&config, sizeof other_memory);
    add_full_run(from, 1);
    etc_set_instruction(to, 8, 9);
    etc_set_bundled_input(to, 5);
    assert_int_equal(etc_append(to, from, NULL), ETC_OK);
    etc_run(to, "own");
    add_event(to, "event");
    etc_run_end(to);
    saved s;
    save(&s, to);
    eti_etdump_event event;
    eti__etdump_read_event(&event, &s.dump, event_at(&s, 1, 0));
    assert_int_equal(event.key.chain_index, 8);
    assert_int_equal(event.key.instruction_id, 9);
    assert_int_equal(eti__etdump_read_run(&s.dump, 1).bundled_input_index, 5);
    assert_int_equal(eti__etdump_read_run(&s.dump, 0).bundled_input_index, 1);
    free_saved(&s);
}

static void a_run_that_does_not_fit_is_left_out_whole(void **state) {
    (void)state;
    etc_capture *from = start();
    add_run(from, "large", 100);
    add_run(from, "small", 3);
    etc_config config = make_config();
    etc_capture *to = start_other(&config, 2048);
    assert_int_equal(etc_append(to, from, NULL), ETC_FULL);
    assert_nothing_to_save(to);
    config.when_full = ETC_RING;
    to = start_other(&config, 2048);
    assert_int_equal(etc_append(to, from, NULL), ETC_FULL);
    saved s;
    save(&s, to);
    assert_int_equal(s.dump.runs.count, 1);
    assert_text(eti__etdump_read_run(&s.dump, 0).name, "small");
    free_saved(&s);
}

static void a_ring_drops_its_oldest_runs_without_a_failure(void **state) {
    (void)state;
    etc_capture *from = start();
    etc_config config = make_config();
    config.when_full = ETC_RING;
    etc_capture *to = start_other(&config, 4096);
    add_run(from, "run", 10);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(etc_append(to, from, NULL), ETC_OK);
    saved s;
    save(&s, to);
    assert_true(s.dump.runs.count >= 5);
    for (uint32_t i = 0; i < s.dump.runs.count; i++)
        assert_int_equal(count_events(&s, i), 10);
    free_saved(&s);
    assert_int_equal(stats_of(to).runs, 1000);
}

static void runs_that_lost_events_have_lost_them_there_too(void **state) {
    (void)state;
    etc_config config = make_config();
    config.keep_partial_runs = true;
    etc_capture *from = start_with(&config, 2048);
    add_run(from, "partial", 100);
    assert_int_equal(stats_of(from).runs_partial, 1);
    config.keep_partial_runs = false;
    etc_capture *to = start_other(&config, sizeof other_memory);
    assert_int_equal(etc_append(to, from, NULL), ETC_OK);
    assert_int_equal(stats_of(to).runs_partial, 1);
    assert_nothing_to_save(to);
    config.keep_partial_runs = true;
    to = start_other(&config, sizeof other_memory);
    assert_int_equal(etc_append(to, from, NULL), ETC_OK);
    assert_same_files(from, to);
}

/* The copy of a partial run took nothing from the memory of the runs that follow. */
static void runs_are_recorded_after_partial_ones(void **state) {
    (void)state;
    etc_config config = make_config();
    config.keep_partial_runs = true;
    etc_capture *from = start_with(&config, sizeof memory);
    etc_run(from, "open");
    add_event(from, "event");
    for (int grows = 0; grows < 2; grows++) {
        etc_capture *to = NULL;
        if (grows)
            assert_int_equal(etc_open(&to, &config), ETC_OK);
        else
            to = start_other(&config, 4096);
        assert_int_equal(etc_append(to, from, NULL), ETC_OK);
        assert_int_equal(etc_append(to, from, NULL), ETC_OK);
        assert_int_equal(stats_of(to).runs_partial, 2);
        add_run(to, "own", 3);
        assert_int_equal(stats_of(to).runs, 1);
        assert_int_equal(stats_of(to).runs_dropped, 0);
        saved s;
        save(&s, to);
        assert_int_equal(s.dump.runs.count, 3);
        assert_int_equal(count_events(&s, 1), 1);
        assert_int_equal(count_events(&s, 2), 3);
        free_saved(&s);
        if (!grows) /* a run that does not fit still stops the capture */
            add_run(to, "large", 200);
        add_run(to, "small", 1);
        assert_int_equal(stats_of(to).runs, grows ? 2 : 1);
        etc_close(to);
    }
}

static void partial_runs_are_copied_where_saving_writes_them(void **state) {
    (void)state;
    etc_config config = make_config();
    etc_capture *from = start_with(&config, sizeof memory);
    config.keep_partial_runs = true;
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    options.partial_runs = true;
    for (unsigned n_complete = 0; n_complete < 3; n_complete++) {
        for (uint32_t last_runs = 0; last_runs < 3; last_runs++) {
            etc_reset(from);
            for (unsigned i = 0; i < n_complete; i++)
                add_run(from, "complete", i + 1);
            etc_run(from, "open");
            add_event(from, "event");
            options.last_runs = last_runs;
            etc_capture *to = start_other(&config, sizeof other_memory);
            assert_int_equal(etc_append(to, from, &options), ETC_OK);
            assert_int_equal(stats_of(to).runs_partial, 1);
            saved expected, found;
            save_with(&expected, from, &options);
            save(&found, to);
            assert_int_equal(found.dump.runs.count, expected.dump.runs.count);
            for (uint32_t i = 0; i < found.dump.runs.count; i++) {
                assert_int_equal(count_events(&found, i), count_events(&expected, i));
                assert_int_equal(eti__etdump_read_run(&found.dump, i).name.size,
                                 eti__etdump_read_run(&expected.dump, i).name.size);
            }
            free_saved(&expected);
            free_saved(&found);
        }
    }
}

/* Only the lane lost events of the run. */
static void runs_that_lanes_lost_events_of_are_partial_there(void **state) {
    (void)state;
    static _Alignas(64) uint8_t lane_memory[ETC_MIN_BYTES];
    etc_config config = make_config();
    etc_capture *from = start_with(&config, sizeof memory);
    etc_capture *lane = etc_lane(from, lane_memory, sizeof lane_memory);
    assert_non_null(lane);
    etc_run(from, "run");
    add_event(from, "event");
    for (int i = 0; i < 100; i++)
        add_event(lane, "event");
    etc_run_end(from);
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    options.partial_runs = true;
    etc_capture *to = start_other(&config, sizeof other_memory);
    assert_int_equal(etc_append(to, from, NULL), ETC_STATE);
    assert_int_equal(etc_append(to, from, &options), ETC_OK);
    assert_int_equal(stats_of(to).runs_partial, 1);
    assert_nothing_to_save(to);
}

static void many_names_are_copied(void **state) {
    (void)state;
    char name[16];
    etc_capture *from = start();
    etc_config config = make_config();
    etc_capture *to = start_other(&config, sizeof other_memory);
    etc_run(from, "run");
    for (unsigned i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "%u", i * 7 % 300);
        add_event(from, name);
    }
    etc_run_end(from);
    etc_intern(to, "299");
    assert_int_equal(etc_append(to, from, NULL), ETC_OK);
    assert_same_files(from, to);
}

/* Each lane has names of its own, which have the same numbers as those of the others. */
static void names_of_lanes_are_kept_apart(void **state) {
    (void)state;
    static _Alignas(64) uint8_t lane_memory[2][8192];
    etc_config config = make_config();
    etc_capture *from = start();
    etc_capture *to = start_other(&config, sizeof other_memory);
    etc_capture *lanes[] = {from, etc_lane(from, lane_memory[0], sizeof lane_memory[0]),
                            etc_lane(from, lane_memory[1], sizeof lane_memory[1])};
    etc_name names[COUNT_OF(lanes)];
    for (size_t i = 0; i < COUNT_OF(lanes); i++) {
        assert_non_null(lanes[i]);
        names[i] = etc_intern(lanes[i], (const char *const[]){"main", "one", "two"}[i]);
    }
    assert_int_equal(names[1], names[2]);
    for (int run = 0; run < 2; run++) {
        etc_run(from, "run");
        for (size_t i = 0; i < COUNT_OF(lanes); i++) {
            etc_log(lanes[i], names[i], i, i + 1);
            etc_log(lanes[i], names[0], i, i + 1);
            etc_log(lanes[i], names[i], i, i + 1);
        }
        etc_run_end(from);
    }
    assert_int_equal(etc_append(to, from, NULL), ETC_OK);
    assert_same_files(from, to);
    assert_int_equal(stats_of(to).events, 18);
}

static void add_long_run(etc_capture *c, uint32_t n_events) {
    etc_run(c, "Execute");
    for (uint32_t i = 0; i < n_events; i++)
        etc_log(c, 0, i, i + 1);
    etc_run_end(c);
}

/* The size of a copy is known: it drops the runs it needs to, or none. */
static void a_ring_drops_runs_only_for_a_copy_that_fits(void **state) {
    (void)state;
    etc_config config = make_config();
    etc_capture *from = start();
    config.when_full = ETC_RING;
    etc_capture *to = start_other(&config, 4096);
    for (int i = 0; i < 40; i++)
        add_long_run(to, 1);
    uint64_t n_before, n_after, n_events;
    assert_int_equal(etc_count_saved(to, NULL, &n_before, NULL), ETC_OK);
    add_long_run(from, 200);
    assert_int_equal(etc_append(to, from, NULL), ETC_FULL);
    assert_int_equal(etc_count_saved(to, NULL, &n_after, NULL), ETC_OK);
    assert_int_equal(n_after, n_before);
    etc_reset(from);
    add_long_run(from, 70); /* more than half of the ring */
    assert_int_equal(etc_append(to, from, NULL), ETC_OK);
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    options.last_runs = 1;
    assert_int_equal(etc_count_saved(to, &options, &n_after, &n_events), ETC_OK);
    assert_int_equal(n_events, 70);
    etc_reset(from);
    etc_run(from, "Execute");
    for (int i = 0; i < 60; i++) {
        char name[40];
        snprintf(name, sizeof name, "one of many names, number %d", i);
        etc_log(from, etc_intern(from, name), 1, 2);
    }
    etc_run_end(from);
    assert_int_equal(etc_append(to, from, NULL), ETC_FULL);
    assert_int_equal(etc_count_saved(to, &options, NULL, &n_events), ETC_OK);
    assert_int_equal(n_events, 70);
}

/* Adds a run of delegates' events, whose records have different sizes. */
static void add_uneven_run(etc_capture *c, uint32_t n_events, uint32_t step) {
    static const uint8_t metadata[512];
    etc_run(c, "Execute");
    for (uint32_t i = 0; i < n_events; i++)
        etc_log_delegate(c, 0, 5, i, i + 1, metadata, i * step % sizeof metadata);
    etc_run_end(c);
}

static uint64_t count_saved(const etc_capture *c) {
    uint64_t n;
    (void)etc_count_saved(c, NULL, &n, NULL);
    return n;
}

/* Appends a run to a ring with `n` runs, and to an empty ring. */
static void append_to_full_and_empty(etc_config *config, uint32_t n, uint32_t n_events,
                                     bool is_open) {
    etc_capture *from = start(), *to = start_other(config, 2560);
    static _Alignas(64) uint8_t third_memory[2560];
    etc_capture *empty = etc_init(third_memory, sizeof third_memory, config);
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    for (uint32_t i = 0; i < n; i++)
        add_long_run(to, i % 3);
    if (is_open)
        etc_run(to, "Execute");
    add_uneven_run(from, n_events, 37 + n);
    uint64_t n_before = count_saved(to), n_in_copy;
    etc_status status = etc_append(to, from, NULL);
    assert_int_equal(status, etc_append(empty, from, NULL));
    options.last_runs = 1;
    if (status == ETC_OK) {
        assert_int_equal(etc_count_saved(to, &options, NULL, &n_in_copy), ETC_OK);
        assert_int_equal(n_in_copy, n_events);
    } else {
        assert_true(count_saved(to) >= n_before);
        assert_true(stats_of(to).events_lost_full > 0);
    }
}

/* No place in the ring is a reason not to copy a run that fits, and no run gives way to one that does not. */
static void a_copy_fits_wherever_the_ring_goes_on(void **state) {
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        etc_config config = make_config();
        config.when_full = ETC_RING;
        config.keep_partial_runs = i & 1;
        for (uint32_t n = 0; n < 60; n++) {
            for (uint32_t n_events = 1; n_events < 20; n_events++)
                append_to_full_and_empty(&config, n, n_events, i & 2);
        }
    }
}

/* Appends a run after the window of a ring. */
static void append_outside(uint32_t n, uint32_t n_events) {
    etc_config config = make_config();
    config.when_full = ETC_RING;
    config.max_runs = n;
    etc_capture *from = start(), *to = start_other(&config, 2560);
    for (uint32_t i = 0; i < n; i++)
        add_long_run(to, i % 3);
    add_uneven_run(from, n_events, 37 + n);
    uint64_t n_before = count_saved(to);
    assert_int_equal(etc_append(to, from, NULL), ETC_OK);
    assert_int_equal(stats_of(to).runs_outside, 1);
    assert_int_equal(count_saved(to), n_before);
}

/* A run that the window leaves out takes no memory. */
static void a_copy_outside_the_window_drops_nothing(void **state) {
    (void)state;
    for (uint32_t n = 1; n < 60; n++) {
        for (uint32_t n_events = 1; n_events < 20; n_events++)
            append_outside(n, n_events);
    }
}

/* An allocator whose name does not fit is called "", as where it is recorded. The copy is partial, because a name is
 * missing. */
static void allocators_are_copied_without_a_name(void **state) {
    (void)state;
    static _Alignas(64) uint8_t third_memory[2048];
    char name[512] = {0};
    memset(name, 'a', sizeof name - 1);
    etc_config config = make_config();
    etc_capture *from = start();
    config.when_full = ETC_RING;
    config.name_bytes = 256;
    config.keep_partial_runs = true;
    etc_capture *to = start_other(&config, sizeof third_memory);
    etc_capture *plain = etc_init(third_memory, sizeof third_memory, &config);
    assert_non_null(plain);
    etc_run(from, "run");
    etc_allocation(from, etc_allocator(from, name), 8);
    etc_run_end(from);
    etc_run(plain, "run");
    etc_allocation(plain, etc_allocator(plain, name), 8);
    etc_run_end(plain);
    assert_int_equal(stats_of(plain).names_lost, 1);
    assert_int_equal(etc_append(to, from, NULL), ETC_FULL);
    assert_int_equal(stats_of(to).names_lost, 1);
    assert_int_equal(stats_of(to).runs_partial, 1);
    assert_same_files(plain, to);
}

/* Without its name, an event or a value of a delegate would be taken for one of the program. */
static void runs_whose_names_do_not_fit_are_partial(void **state) {
    (void)state;
    etc_config config = make_config();
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_capture *from = start_with(&config, 8192);
    config.when_full = ETC_RING;
    config.keep_partial_runs = true;
    etc_capture *to = start_other(&config, 1500);
    while (!stats_of(to).names_lost) {
        char name[40];
        snprintf(name, sizeof name, "a name that takes memory %u",
                 (unsigned)stats_of(to).name_bytes);
        etc_intern(to, name);
    }
    uint64_t n_lost = stats_of(to).names_lost;
    etc_run(from, "Execute");
    etc_name name = etc_intern(from, "an operator of a delegate, with a long name");
    etc_log_delegate(from, name, -1, 1, 2, NULL, 0);
    etc_log_delegate(from, 0, 7, 3, 4, NULL, 0);
    assert_int_equal(etc_log_int(from, (etc_key){"another operator of a delegate", -1}, 42, 0),
                     ETC_OK);
    etc_run_end(from);
    assert_int_equal(etc_append(to, from, NULL), ETC_FULL);
    assert_true(stats_of(to).names_lost > n_lost);
    assert_int_equal(stats_of(to).runs_partial, 1);
    assert_int_equal(stats_of(to).events_lost_full, 2);
    assert_runs(to, "{\"name\":\"Execute\",\"events\":[{\"profile_event\":{"
                    "\"chain_index\":-1,\"instruction_id\":0,\"delegate_debug_id_int\":7,"
                    "\"delegate_debug_metadata\":[],\"start_time\":3,\"end_time\":4}}]}");
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    etc_reset(to);
    etc_run(from, "a new name of a run that is as long as the others");
    etc_log(from, 0, 1, 2);
    etc_run_end(from);
    options.last_runs = 1;
    assert_int_equal(etc_append(to, from, &options), ETC_FULL);
    assert_int_equal(stats_of(to).runs_partial, 2);
    assert_int_equal(stats_of(to).runs, 0);
}

static void nothing_and_itself(void **state) {
    (void)state;
    etc_capture *c = start();
    add_run(c, "run", 1);
    assert_int_equal(etc_append(c, c, NULL), ETC_INVALID);
    assert_int_equal(etc_append(c, NULL, NULL), ETC_OK);
    assert_int_equal(etc_append(NULL, c, NULL), ETC_OK);
    assert_int_equal(stats_of(c).runs, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_copied_with_all_they_have),
        cmocka_unit_test(contents_of_tensors_are_not),
        cmocka_unit_test(appending_twice_appends_twice),
        cmocka_unit_test(options_choose_runs),
        cmocka_unit_test(the_open_run_is_left_out_and_that_of_the_other_ends),
        cmocka_unit_test(chain_handle_and_bundled_input_stay_those_of_the_caller),
        cmocka_unit_test(a_run_that_does_not_fit_is_left_out_whole),
        cmocka_unit_test(a_ring_drops_its_oldest_runs_without_a_failure),
        cmocka_unit_test(runs_that_lost_events_have_lost_them_there_too),
        cmocka_unit_test(runs_are_recorded_after_partial_ones),
        cmocka_unit_test(partial_runs_are_copied_where_saving_writes_them),
        cmocka_unit_test(runs_that_lanes_lost_events_of_are_partial_there),
        cmocka_unit_test(many_names_are_copied),
        cmocka_unit_test(names_of_lanes_are_kept_apart),
        cmocka_unit_test(a_ring_drops_runs_only_for_a_copy_that_fits),
        cmocka_unit_test(a_copy_fits_wherever_the_ring_goes_on),
        cmocka_unit_test(a_copy_outside_the_window_drops_nothing),
        cmocka_unit_test(allocators_are_copied_without_a_name),
        cmocka_unit_test(runs_whose_names_do_not_fit_are_partial),
        cmocka_unit_test(nothing_and_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
