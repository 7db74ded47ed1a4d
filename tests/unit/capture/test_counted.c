#include "capture_fixture.h"
#include "journal_fixture.h"

/* Returns the metadata of an event as text. */
static eti_text metadata_of(const saved *s, uint32_t run, uint32_t event) {
    return eti__etdump_read_stamps(&s->dump, event_at(s, run, event)).metadata;
}

static void events_of_all_kinds_have_counters(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_name cycles = etc_intern(c, "cycles"), energy = etc_intern(c, "energy [uJ]");
    const etc_counter counters[] = {{cycles, 1200}, {energy, -3}};
    etc_run(c, "Execute");
    etc_set_instruction(c, 2, 7);
    etc_span span = etc_start_text(c, "conv");
    etc_end_counted(c, &span, counters, 2);
    etc_log_counted(c, 0, 500, 400, counters, 1);
    span = etc_start_delegate(c, etc_intern(c, "node"), -1);
    etc_end_counted(c, &span, counters, 1);
    span = etc_start_delegate(c, 0, 5);
    etc_end_counted(c, &span, NULL, 0);
    etc_run_end(c);
    saved s;
    save(&s, c);
    assert_text(metadata_of(&s, 0, 0), "etcapture: cycles=1200; energy [uJ]=-3");
    assert_text(metadata_of(&s, 0, 1), "etcapture: cycles=1200");
    assert_text(metadata_of(&s, 0, 2), "etcapture: cycles=1200");
    assert_text(metadata_of(&s, 0, 3), "etcapture: ");
    eti_etdump_event event;
    eti__etdump_read_event(&event, &s.dump, event_at(&s, 0, 0));
    assert_text(event.name, "conv");
    assert_int_equal(event.key.instruction_id, 7);
    assert_null(event.key.delegate_id_str.data);
    assert_int_equal(event.key.delegate_id_int, -1);
    eti__etdump_read_event(&event, &s.dump, event_at(&s, 0, 1));
    assert_null(event.name.data);
    eti_etdump_stamps stamps = eti__etdump_read_stamps(&s.dump, event_at(&s, 0, 1));
    assert_int_equal(stamps.start_time, 500);
    assert_int_equal(stamps.end_time, 400);
    eti__etdump_read_event(&event, &s.dump, event_at(&s, 0, 2));
    assert_text(event.key.delegate_id_str, "node");
    eti__etdump_read_event(&event, &s.dump, event_at(&s, 0, 3));
    assert_int_equal(event.key.delegate_id_int, 5);
    assert_int_equal(stats_of(c).events, 4);
    free_saved(&s);
}

/* In flatc's words, which show that other readers see the same event as without counters. */
static void the_rest_of_an_event_is_as_without_counters(void **state) {
    (void)state;
    etc_capture *c = start();
    const etc_counter counter = {etc_intern(c, "b"), 1};
    etc_run(c, "Execute");
    etc_set_instruction(c, 0, 1);
    etc_log_counted(c, etc_intern(c, "a"), 1, 2, &counter, 1);
    etc_log_delegate(c, 0, 3, 1, 2, "x", 1);
    etc_log(c, etc_intern(c, "a"), 3, 4);
    etc_run_end(c);
    assert_runs(c, "{\"name\":\"Execute\",\"events\":["
                   "{\"profile_event\":{\"name\":\"a\",\"instruction_id\":1,"
                   "\"delegate_debug_metadata\":[101,116,99,97,112,116,117,114,101,58,32,98,61,49],"
                   "\"start_time\":1,\"end_time\":2}},"
                   "{\"profile_event\":{\"instruction_id\":1,\"delegate_debug_id_int\":3,"
                   "\"delegate_debug_metadata\":[120],\"start_time\":1,\"end_time\":2}},"
                   "{\"profile_event\":{\"name\":\"a\",\"instruction_id\":1,\"start_time\":3,"
                   "\"end_time\":4}}]}");
}

static void marks_have_no_length(void **state) {
    (void)state;
    etc_capture *c = start();
    const etc_counter level = {etc_intern(c, "level"), INT64_MAX};
    etc_run(c, "Execute");
    etc_mark(c, etc_intern(c, "frequency changes"), &level, 1);
    etc_mark(c, etc_intern(c, "input arrives"), NULL, 0);
    etc_mark(NULL, 0, NULL, 0);
    etc_run_end(c);
    saved s;
    save(&s, c);
    assert_text(metadata_of(&s, 0, 0), "etcapture mark: level=9223372036854775807");
    assert_text(metadata_of(&s, 0, 1), "etcapture mark: ");
    for (uint32_t i = 0; i < 2; i++) {
        eti_etdump_stamps stamps = eti__etdump_read_stamps(&s.dump, event_at(&s, 0, i));
        assert_int_equal(stamps.start_time, 10 * (i + 1));
        assert_int_equal(stamps.end_time, stamps.start_time);
    }
    free_saved(&s);
}

static void names_cannot_end_a_counter(void **state) {
    (void)state;
    etc_capture *c = start();
    const etc_counter counters[] = {
        {etc_intern(c, "a;b\nc=d"), INT64_MIN}, {0, 5}, {etc_intern(c, "last"), 0}};
    etc_run(c, "Execute");
    etc_mark(c, 0, counters, 3);
    etc_run_end(c);
    saved s;
    save(&s, c);
    assert_text(metadata_of(&s, 0, 0), "etcapture mark: a_b_c=d=-9223372036854775808; last=0");
    free_saved(&s);
}

static void wrong_arguments_are_counted(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_counter counters[ETC_MOST_COUNTERS + 1];
    for (unsigned i = 0; i <= ETC_MOST_COUNTERS; i++)
        counters[i] = (etc_counter){etc_intern(c, "a"), i};
    const etc_counter unknown = {12345, 1};
    etc_run(c, "Execute");
    etc_span span = etc_start(c, 0), of_nothing = {0};
    etc_end_counted(c, &span, counters, ETC_MOST_COUNTERS);
    assert_int_equal(stats_of(c).events_lost_wrong, 0);
    etc_end_counted(c, &of_nothing, counters, 1);
    assert_int_equal(stats_of(c).events_lost_wrong, 0);
    etc_end_counted(c, NULL, counters, 1);
    etc_end_counted(c, &span, counters, ETC_MOST_COUNTERS + 1);
    etc_end_counted(c, &span, NULL, 1);
    etc_end_counted(c, &span, &unknown, 1);
    span.kind = 7;
    etc_end_counted(c, &span, counters, 1);
    etc_log_counted(c, 12345, 1, 2, counters, 1);
    assert_int_equal(stats_of(c).events_lost_wrong, 6);
    assert_int_equal(stats_of(c).events, 1);
    etc_run_end(c);
    etc_mark(c, 0, NULL, 0); /* no run is open */
    assert_int_equal(stats_of(c).events_lost_state, 1);
}

/* A lane's counters have names of main and of the lane; copies have the same text. */
static void counters_of_lanes_and_copies(void **state) {
    (void)state;
    static _Alignas(64) uint8_t of_lane[8192], other[8192];
    etc_config config = make_config();
    etc_capture *c = start_with(&config, sizeof memory),
                *lane = etc_lane(c, of_lane, sizeof of_lane);
    etc_capture *to = etc_init(other, sizeof other, &config);
    etc_intern(to, "so that names have other numbers");
    const etc_counter counters[] = {{etc_intern(c, "of main"), 1}, {etc_intern(lane, "own"), 2}};
    etc_run(c, "Execute");
    etc_mark(c, 0, counters, 1);
    etc_mark(lane, 0, counters, 2);
    etc_mark(lane, 0, counters, 1); /* its place depends on the size of the event before it */
    etc_run_end(c);
    assert_int_equal(etc_append(to, c, NULL), ETC_OK);
    const etc_capture *both[] = {c, to};
    for (size_t i = 0; i < 2; i++) {
        saved s;
        save(&s, both[i]);
        assert_text(metadata_of(&s, 0, 0), "etcapture mark: of main=1");
        assert_text(metadata_of(&s, 0, 1), "etcapture mark: of main=1; own=2");
        assert_text(metadata_of(&s, 0, 2), "etcapture mark: of main=1");
        free_saved(&s);
    }
}

/* The copy has the other counter. */
static void a_copy_without_memory_for_a_name_is_partial(void **state) {
    (void)state;
    static _Alignas(64) uint8_t other[ETC_MIN_BYTES];
    char longest[512];
    memset(longest, 'x', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    etc_config config = make_config();
    config.keep_partial_runs = true;
    etc_capture *c = start_with(&config, sizeof memory);
    config.when_full = ETC_RING;
    config.name_bytes = 128;
    etc_capture *to = etc_init(other, sizeof other, &config);
    const etc_counter counters[] = {{etc_intern(c, longest), 1}, {etc_intern(c, "b"), 2}};
    etc_run(c, "Execute");
    etc_mark(c, 0, counters, 2);
    etc_run_end(c);
    assert_int_equal(etc_append(to, c, NULL), ETC_FULL);
    assert_int_equal(stats_of(to).runs_partial, 1);
    saved s;
    save(&s, to);
    assert_text(metadata_of(&s, 0, 0), "etcapture mark: b=2");
    free_saved(&s);
}

static void journals_keep_counters(void **state) {
    (void)state;
    etc_capture *c = open_journal("counted", 8192, NULL);
    const etc_counter counter = {etc_intern(c, "cycles"), 5};
    etc_run(c, "Execute");
    etc_mark(c, etc_intern(c, "here"), &counter, 1);
    etc_run_end(c);
    etc_close(c);
    assert_int_equal(etc_open_recovered(&c, in_folder("counted")), ETC_OK);
    saved s;
    save(&s, c);
    assert_text(metadata_of(&s, 0, 0), "etcapture mark: cycles=5");
    free_saved(&s);
    etc_close(c);
    assert_int_equal(unlink(in_folder("counted")), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_of_all_kinds_have_counters),
        cmocka_unit_test(the_rest_of_an_event_is_as_without_counters),
        cmocka_unit_test(marks_have_no_length),
        cmocka_unit_test(names_cannot_end_a_counter),
        cmocka_unit_test(wrong_arguments_are_counted),
        cmocka_unit_test(counters_of_lanes_and_copies),
        cmocka_unit_test(a_copy_without_memory_for_a_name_is_partial),
        cmocka_unit_test(journals_keep_counters),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
