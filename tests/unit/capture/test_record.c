#include "capture_fixture.h"

static void an_event_has_name_instruction_and_times(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_run(c, "Execute");
    etc_set_instruction(c, 2, 7);
    etc_span span = etc_start(c, etc_intern(c, "conv"));
    etc_set_instruction(c, 3, 8); /* too late for the span */
    etc_end(c, &span);
    etc_unset_instruction(c);
    etc_log(c, etc_intern(c, "given"), 500, 400);
    etc_run_end(c);
    assert_runs(c, "{\"name\":\"Execute\",\"events\":["
                   "{\"profile_event\":{\"name\":\"conv\",\"chain_index\":2,\"instruction_id\":7,"
                   "\"start_time\":10,\"end_time\":20}},"
                   "{\"profile_event\":{\"name\":\"given\",\"chain_index\":-1,\"instruction_id\":0,"
                   "\"start_time\":500,\"end_time\":400}}]}");
}

static void defaults_are_left_out(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_run(c, "Execute");
    etc_set_instruction(c, 0, UINT32_MAX);
    etc_log(c, 0, 0, 0);
    etc_run_end(c);
    etc_run(c, NULL);
    etc_run_end(c);
    assert_runs(c, "{\"name\":\"Execute\",\"events\":[{\"profile_event\":{}}]},{\"name\":\"\"}");
}

static void delegate_events(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_run(c, "Execute");
    etc_set_instruction(c, 0, 1);
    etc_span span = etc_start_delegate(c, 0, 5);
    etc_end_delegate(c, &span, "abc", 3);
    etc_log_delegate(c, etc_intern(c, "node"), -1, 1, 2, NULL, 0);
    etc_log_delegate(c, 0, 0, 1, 2, "12345678", 8);
    etc_run_end(c);
    assert_runs(c, "{\"name\":\"Execute\",\"events\":["
                   "{\"profile_event\":{\"instruction_id\":1,\"delegate_debug_id_int\":5,"
                   "\"delegate_debug_metadata\":[97,98,99],\"start_time\":10,\"end_time\":20}},"
                   "{\"profile_event\":{\"instruction_id\":1,\"delegate_debug_id_str\":\"node\","
                   "\"delegate_debug_metadata\":[],\"start_time\":1,\"end_time\":2}},"
                   "{\"profile_event\":{\"instruction_id\":1,\"delegate_debug_id_int\":0,"
                   "\"delegate_debug_metadata\":[49,50,51,52,53,54,55,56],\"start_time\":1,\"end_"
                   "time\":2}}]}");
}

static void bundled_input_is_that_of_the_runs_that_follow(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_run(c, "a");
    etc_set_bundled_input(c, 3);
    etc_run(c, "b");
    etc_set_bundled_input(c, -1);
    etc_run(c, "c");
    etc_run_end(c);
    assert_runs(c, "{\"name\":\"a\"},{\"name\":\"b\",\"bundled_input_index\":3},{\"name\":\"c\"}");
}

static void spans_end_in_any_order_and_run(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_run(c, "a");
    etc_span outer = etc_start_text(c, "outer");
    etc_span dropped = etc_start_text(c, "dropped");
    (void)dropped;
    add_event(c, "inner");
    etc_run(c, "b");
    etc_end(c, &outer);
    etc_end(c, &outer);
    etc_run_end(c);
    saved s;
    save(&s, c);
    assert_int_equal(count_events(&s, 0), 1);
    assert_int_equal(count_events(&s, 1), 2);
    free_saved(&s);
}

static void wrong_calls_are_counted(void **state) {
    (void)state;
    etc_config config = make_config();
    config.keep_partial_runs = true;
    etc_capture *c = start_with(&config, 4096);
    add_event(c, "before a run");
    etc_run(c, "Execute");
    etc_name name = etc_intern(c, "a name of some length");
    etc_span profile = etc_start(c, name), delegate = etc_start_delegate(c, name, -1);
    etc_end(c, NULL);
    etc_end(c, &delegate);
    etc_end_delegate(c, &profile, NULL, 0);
    etc_end_delegate(c, &delegate, NULL, 1);
    etc_end_delegate(c, &delegate, "", ((size_t)1 << 24) + 1);
    etc_start_delegate(c, name, 1);
    etc_log_delegate(c, 0, -1, 1, 2, NULL, 0);
    for (etc_name wrong = name - 1; wrong > name - 5; wrong--)
        etc_log(c, wrong, 1, 2); /* a place within the text */
    etc_log(c, name + 1, 1, 2);
    etc_log(c, UINT32_MAX, 1, 2);
    profile.name = 1;
    etc_end(c, &profile);
    etc_span zeros = {0};
    etc_end(c, &zeros); /* is none */
    etc_run_end(c);
    etc_end(c, &profile);
    assert_int_equal(stats_of(c).events_lost_wrong, 15);
    assert_int_equal(stats_of(c).events_lost_state, 1);
    assert_runs(c, "{\"name\":\"Execute\"}");
    assert_int_equal(stats_of(c).runs_partial, 1);
}

/* A run that lost an event is not complete, whatever the reason; later runs are. */
static void runs_with_wrong_calls_are_partial(void **state) {
    (void)state;
    for (int when_full = ETC_STOP; when_full <= ETC_RING; when_full++) {
        etc_config config = make_config();
        config.when_full = (etc_when_full)when_full;
        etc_capture *c = start_with(&config, 4096);
        etc_run(c, "Execute");
        etc_log(c, 12345, 1, 2);
        add_event(c, "event");
        etc_run_end(c);
        assert_nothing_to_save(c);
        etc_run(c, "Execute");
        etc_end(c, NULL);
        etc_run(c, "Execute");
        etc_start_delegate(c, 0, -1);
        add_run(c, "Execute", 1);
        assert_int_equal(stats_of(c).runs, 1);
        assert_int_equal(stats_of(c).runs_partial, 3);
        assert_int_equal(stats_of(c).events_lost_wrong, 3);
        saved s;
        save(&s, c);
        assert_int_equal(s.dump.runs.count, 1);
        free_saved(&s);
    }
}

/* An event of a delegate has no name because there is no memory for it. */
static void delegates_without_memory_for_names(void **state) {
    (void)state;
    etc_config config = make_config();
    config.when_full = ETC_RING;
    etc_capture *c = start_with(&config, 4096);
    etc_run(c, "Execute");
    for (int i = 0; i < 60; i++) {
        char name[40];
        snprintf(name, sizeof name, "operator %d of a delegate", i);
        etc_log_delegate(c, etc_intern(c, name), -1, 1, 2, NULL, 0);
    }
    etc_run_end(c);
    etc_stats stats = stats_of(c);
    assert_true(stats.names_lost > 0);
    assert_int_equal(stats.events_lost_full, stats.names_lost);
    assert_int_equal(stats.events_lost_wrong, 0);
    assert_int_equal(stats.runs, 0);
    assert_int_equal(stats.runs_partial, 1);
    assert_nothing_to_save(c);
}

static void auto_handles_distinguish_events(void **state) {
    (void)state;
    etc_config config = make_config();
    config.auto_handles = true;
    etc_capture *c = start_with(&config, 4096);
    etc_run(c, "Execute");
    add_event(c, "layer");
    etc_log_delegate(c, 0, 4, 30, 40, NULL, 0);
    etc_set_instruction(c, 1, 9);
    add_event(c, "layer");
    etc_unset_instruction(c);
    add_event(c, "layer");
    etc_run(c, "Execute");
    add_event(c, "layer");
    etc_run_end(c);
    saved s;
    save(&s, c);
    int32_t handles[4];
    for (uint32_t i = 0; i < 4; i++) {
        eti_etdump_event event;
        eti__etdump_read_event(&event, &s.dump, event_at(&s, 0, i));
        handles[i] = event.key.instruction_id;
    }
    assert_memory_equal(handles, ((int32_t[]){0, 1, 9, 2}), sizeof handles);
    free_saved(&s);
}

static void levels_and_window(void **state) {
    (void)state;
    etc_config config = make_config();
    config.profiling_level = ETC_PROFILE_METHOD_ONLY;
    config.skip_runs = 1;
    config.max_runs = 2;
    etc_capture *c = start_with(&config, 8192);
    add_run(c, "Default", 1);
    for (int i = 0; i < 5; i++) {
        etc_run(c, "Execute");
        etc_set_instruction(c, 0, (uint32_t)i);
        etc_span method = etc_start_text(c, "method"), op = etc_start_op(c, etc_intern(c, "op"));
        etc_end(c, &op);
        etc_end(c, &method);
    }
    etc_run_end(c);
    saved s;
    save(&s, c);
    assert_int_equal(s.dump.runs.count, 3);
    assert_int_equal(count_events(&s, 1), 1);
    eti_etdump_event event;
    eti__etdump_read_event(&event, &s.dump, event_at(&s, 1, 0));
    assert_int_equal(event.key.instruction_id, 1);
    assert_int_equal(stats_of(c).runs_outside, 3);
    assert_int_equal(stats_of(c).events_lost_state, 0);
    free_saved(&s);
}

/* Of runs 0 to 4 called "Execute": the first ones are skipped, and at most so many are kept; 0 of both: all. */
static void windows_choose_runs(void **state) {
    (void)state;
    static const struct {
        uint32_t skip, max, first, n;
    } cases[] = {{0, 0, 0, 5}, {0, 1, 0, 1}, {0, 2, 0, 2}, {1, 0, 1, 4}, {1, 1, 1, 1}, {2, 2, 2, 2},
                 {4, 0, 4, 1}, {4, 3, 4, 1}, {0, 5, 0, 5}, {1, 9, 1, 4}, {0, 4, 0, 4}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        etc_config config = make_config();
        config.skip_runs = cases[i].skip;
        config.max_runs = cases[i].max;
        etc_capture *c = start_with(&config, 8192);
        for (uint64_t run = 0; run < 5; run++) {
            etc_run(c, "Other"); /* other runs are in no window */
            etc_run(c, "Execute");
            etc_log(c, 0, 100 + run, 200);
        }
        etc_run_end(c);
        etc_save_options options = ETC_SAVE_OPTIONS_INIT;
        options.run_name = "Execute";
        saved s;
        save_with(&s, c, &options);
        assert_int_equal(s.dump.runs.count, cases[i].n);
        for (uint32_t run = 0; run < cases[i].n; run++)
            assert_int_equal(eti__etdump_read_stamps(&s.dump, event_at(&s, run, 0)).start_time,
                             100 + cases[i].first + run);
        free_saved(&s);
        assert_int_equal(stats_of(c).runs, 5 + cases[i].n);
        assert_int_equal(stats_of(c).runs_outside, 5 - cases[i].n);
    }
}

static bool drop_odd(void *context, const etc_filter_event *event) {
    ++*(int *)context;
    return event->name ? strcmp(event->name, "drop") != 0 : event->id % 2 == 0;
}

static void filter_is_asked_once_for_a_name(void **state) {
    (void)state;
    int n_asked = 0;
    etc_config config = make_config();
    config.filter = drop_odd;
    config.filter_context = &n_asked;
    etc_capture *c = start_with(&config, 4096);
    etc_run(c, "Execute");
    for (int i = 0; i < 10; i++) {
        add_event(c, "drop");
        add_event(c, "keep");
    }
    assert_int_equal(n_asked, 2);
    for (int i = 0; i < 10; i++)
        etc_log_delegate(c, 0, i, 1, 2, NULL, 0);
    assert_int_equal(n_asked, 12);
    etc_run_end(c);
    saved s;
    save(&s, c);
    assert_int_equal(count_events(&s, 0), 15);
    free_saved(&s);
}

static void ticks_become_nanoseconds(void **state) {
    (void)state;
    etc_config config = make_config();
    config.tick_numerator = 1000;
    config.tick_denominator = 168;
    etc_capture *c = start_with(&config, 4096);
    etc_run(c, "Execute");
    etc_log(c, 0, 167, UINT64_C(1) << 60);
    etc_log(c, 0, 168, UINT64_MAX);
    etc_run_end(c);
    saved s;
    save(&s, c);
    eti_etdump_stamps first = eti__etdump_read_stamps(&s.dump, event_at(&s, 0, 0));
    eti_etdump_stamps second = eti__etdump_read_stamps(&s.dump, event_at(&s, 0, 1));
    assert_int_equal(first.start_time, 994);
    assert_int_equal(first.end_time, UINT64_C(6862628003612184380));
    assert_int_equal(second.start_time, 1000);
    assert_int_equal(second.end_time, UINT64_MAX); /* saturated */
    free_saved(&s);
}

static void a_scope_ends_its_event(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_run(c, "Execute");
    etc_name name = etc_intern(c, "scope");
    {
        ETC_SCOPE(c, name);
        add_event(c, "inner");
    }
    etc_run_end(c);
    saved s;
    save(&s, c);
    assert_int_equal(count_events(&s, 0), 2);
    free_saved(&s);
}

static void no_capture_does_nothing(void **state) {
    (void)state;
    etc_reset(NULL);
    assert_int_equal(etc_intern(NULL, "name"), 0);
    etc_run(NULL, "Execute");
    etc_set_instruction(NULL, 1, 1);
    etc_unset_instruction(NULL);
    etc_set_bundled_input(NULL, 1);
    etc_span span = etc_start(NULL, 1);
    etc_end(NULL, &span);
    span = etc_start_op(NULL, 1);
    span = etc_start_text(NULL, "text");
    span = etc_start_delegate(NULL, 1, -1);
    etc_end_delegate(NULL, &span, NULL, 0);
    etc_log(NULL, 1, 1, 2);
    etc_log_delegate(NULL, 1, -1, 1, 2, NULL, 0);
    assert_int_equal(etc_allocator(NULL, "planned"), 0);
    etc_allocation(NULL, 1, 1);
    assert_int_equal(etc_log_int(NULL, ETC_OPERATOR, 1, 0), ETC_OK);
    assert_int_equal(etc_log_double(NULL, ETC_OPERATOR, 1, 0), ETC_OK);
    assert_int_equal(etc_log_bool(NULL, ETC_OPERATOR, 1, 0), ETC_OK);
    assert_int_equal(etc_log_tensor(NULL, ETC_OPERATOR, NULL, 0), ETC_OK);
    assert_int_equal(etc_log_tensors(NULL, ETC_OPERATOR, NULL, 0, 0), ETC_OK);
    assert_int_equal(etc_set_debug_buffer(NULL, NULL, 0), ETC_OK);
    assert_int_equal(etc_set_debug_sink(NULL, (etc_sink){0}), ETC_OK);
    assert_int_equal(etc_debug_used(NULL), 0);
    assert_int_equal(etc_debug_sink_error(NULL), 0);
    assert_int_equal(etc_save(NULL, NULL, (etc_sink){0}), ETC_OK);
    assert_int_equal(etc_save_debug(NULL, NULL, (etc_sink){0}), ETC_OK);
    assert_int_equal(etc_print(NULL, NULL, NULL, NULL), ETC_OK);
    uint64_t size = 1;
    size_t used = 1;
    assert_int_equal(etc_save_size(NULL, NULL, &size), ETC_OK);
    assert_int_equal(etc_save_memory(NULL, NULL, NULL, 0, &used), ETC_OK);
    assert_int_equal(size + used, 0);
    assert_int_equal(stats_of(NULL).events, 0);
    etc_get_stats(NULL, NULL);
    etc_run_end(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_event_has_name_instruction_and_times),
        cmocka_unit_test(defaults_are_left_out),
        cmocka_unit_test(delegate_events),
        cmocka_unit_test(bundled_input_is_that_of_the_runs_that_follow),
        cmocka_unit_test(spans_end_in_any_order_and_run),
        cmocka_unit_test(wrong_calls_are_counted),
        cmocka_unit_test(runs_with_wrong_calls_are_partial),
        cmocka_unit_test(delegates_without_memory_for_names),
        cmocka_unit_test(auto_handles_distinguish_events),
        cmocka_unit_test(levels_and_window),
        cmocka_unit_test(windows_choose_runs),
        cmocka_unit_test(filter_is_asked_once_for_a_name),
        cmocka_unit_test(ticks_become_nanoseconds),
        cmocka_unit_test(a_scope_ends_its_event),
        cmocka_unit_test(no_capture_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
