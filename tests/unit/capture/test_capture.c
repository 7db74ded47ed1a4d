#include "capture_fixture.h"

#include <sys/mman.h>

static void configurations_that_are_refused(void **state) {
    (void)state;
    etc_config config = make_config();
    assert_null(etc_init(NULL, 4096, &config));
    assert_null(etc_init(memory, ETC_MIN_BYTES - 1, &config));
    assert_null(etc_init(memory, 4096, NULL));
    config.struct_size = sizeof(size_t);
    assert_null(etc_init(memory, 4096, &config));
    config = make_config();
    config.tick_numerator = 1;
    assert_null(etc_init(memory, 4096, &config));
    config = make_config();
    config.when_full = ETC_GROW; /* given memory does not grow */
    assert_null(etc_init(memory, 4096, &config));
    config.when_full = (etc_when_full)7;
    assert_null(etc_init(memory, 4096, &config));
    config = make_config();
    config.profiling_level = (etc_profiling_level)-1;
    assert_null(etc_init(memory, 4096, &config));
    config = make_config();
    config.debug_level = (etc_debug_level)3;
    assert_null(etc_init(memory, 4096, &config));
    config = make_config();
    config.window_name =
        "a name that is longer than all the memory of the capture that is to be made, "
        "a name that is longer than all the memory of the capture that is to be made, "
        "a name that is longer than all the memory of the capture that is to be made";
    config.when_full = ETC_RING;
    assert_null(etc_init(memory, ETC_MIN_BYTES, &config));
}

static bool keep_all(void *context, const etc_filter_event *event) {
    (void)context;
    (void)event;
    return true;
}

static void a_capture_needs_the_parts_of_its_configuration(void **state) {
    (void)state;
    assert_null(etc_init_with(memory, 4096, NULL, ETC_WITH_RING));
    for (unsigned parts = 0; parts < 8; parts++) {
        for (unsigned needed = 0; needed < 8; needed++) {
            etc_config config = make_config();
            config.when_full = needed & ETC_WITH_RING ? ETC_RING : ETC_STOP;
            config.filter = needed & ETC_WITH_FILTER ? keep_all : NULL;
            config.debug_level =
                needed & ETC_WITH_VALUES ? ETC_DEBUG_PROGRAM_OUTPUTS : ETC_DEBUG_NONE;
            etc_capture *c = etc_init_with(memory, 4096, &config, parts);
            assert_int_equal(c != NULL, (needed & ~parts) == 0);
        }
    }
}

static void structs_of_other_versions(void **state) {
    (void)state;
    struct {
        etc_config config;
        double added[4];
    } longer = {.config = make_config(), .added = {1, 2, 3, 4}};
    longer.config.struct_size = sizeof longer;
    (void)start_with(&longer.config, 4096);
    longer.config.struct_size = offsetof(etc_config, when_full);
    longer.config.when_full = (etc_when_full)99; /* unknown to that caller */
    etc_capture *c = start_with(&longer.config, 4096);
    add_run(c, "Execute", 2);

    etc_stats stats = {.struct_size = offsetof(etc_stats, runs_dropped), .runs_dropped = 77};
    etc_get_stats(c, &stats);
    assert_int_equal(stats.events, 2);
    assert_int_equal(stats.runs_dropped, 77);
    assert_int_equal(stats.struct_size, offsetof(etc_stats, runs_dropped));
    stats.struct_size = 0;
    etc_get_stats(c, &stats);

    etc_save_options options = {.struct_size = sizeof(size_t), .run_name = "unknown to it"};
    uint64_t size;
    assert_int_equal(etc_save_size(c, &options, &size), ETC_OK);
}

static int refuse(void *context, const void *data, size_t size) {
    (void)context;
    (void)data;
    (void)size;
    fail_msg("something was written");
    return 1;
}

static void put_nothing(void *context, char character) {
    (void)context;
    (void)character;
    fail_msg("something was written");
}

/* As for configurations: members set by the caller would be ignored. */
static void options_without_a_size_are_refused(void **state) {
    (void)state;
    static _Alignas(8) uint8_t other[2048];
    etc_save_options options = {.last_runs = 1};
    uint64_t size = 7, n_runs = 7, n_events = 7;
    size_t used = 7;
    uint8_t file[1024];
    const etc_config config = make_config();
    etc_capture *to = etc_init(other, sizeof other, &config);
    etc_capture *c = start();
    add_run(c, "Execute", 2);
    assert_int_equal(etc_save(c, &options, (etc_sink){refuse, NULL}), ETC_INVALID);
    assert_int_equal(etc_save_debug(c, &options, (etc_sink){refuse, NULL}), ETC_INVALID);
    assert_int_equal(etc_save_size(c, &options, &size), ETC_INVALID);
    assert_int_equal(size, 0);
    assert_int_equal(etc_save_memory(c, &options, file, sizeof file, &used), ETC_INVALID);
    assert_int_equal(used, 0);
    assert_int_equal(etc_save_file(c, &options, "/nowhere/file", NULL), ETC_INVALID);
    assert_int_equal(etc_print(c, &options, put_nothing, NULL), ETC_INVALID);
    assert_int_equal(etc_append(to, c, &options), ETC_INVALID);
    assert_int_equal(stats_of(to).runs, 0);
    assert_int_equal(etc_count_saved(c, &options, &n_runs, &n_events), ETC_INVALID);
    assert_int_equal(n_runs + n_events, 0);
    options.struct_size = sizeof options;
    assert_int_equal(etc_count_saved(c, &options, &n_runs, &n_events), ETC_OK);
    assert_int_equal(etc_count_saved(c, NULL, &n_runs, &n_events), ETC_OK);
    assert_int_equal(etc_count_saved(NULL, &(etc_save_options){0}, &n_runs, &n_events), ETC_OK);
}

/* Calls everything that writes into the capture's memory. */
static void use_everything(etc_capture *c) {
    static const int64_t sizes[] = {2, 3};
    static const float data[6] = {1};
    etc_tensor tensor = {ETC_FLOAT, 2, sizes, NULL, data, sizeof data};
    for (int i = 0; i < 30; i++) {
        char name[24];
        snprintf(name, sizeof name, "name %d", i);
        etc_run(c, i == 0 ? "Default" : "Execute");
        add_event(c, name);
        etc_allocator(c, name);
        etc_allocation(c, 1, 10);
        etc_log_delegate(c, 0, i, 1, 2, "metadata", (size_t)i % 9);
        etc_log_int(c, ETC_OPERATOR, i, 0);
        etc_log_tensors(c, (etc_key){name, -1}, (etc_tensor[]){tensor, tensor}, 2, 0);
    }
    etc_run_end(c);
}

static void save_if_there_is_something(const etc_capture *c) {
    uint64_t size;
    if (etc_save_size(c, NULL, &size) != ETC_OK)
        return;
    saved s;
    save(&s, c);
    free_saved(&s);
}

/* Provides an accessible page between two inaccessible ones; the memory is at its beginning or its end. */
static void every_size_between_guard_pages(void **state) {
    (void)state;
    const size_t page = 4096;
    uint8_t *pages = mmap(NULL, 3 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(pages != MAP_FAILED);
    assert_int_equal(mprotect(pages + page, page, PROT_READ | PROT_WRITE), 0);
    for (size_t size = 0; size <= page; size++) {
        for (int way = 0; way < 4; way++) {
            size_t before = way & 1 ? page - size : 0;
            uint8_t *begin = pages + page + before;
            memset(pages + page, 0xa5, page);
            etc_config config = make_config();
            config.when_full = way & 2 ? ETC_RING : ETC_STOP;
            config.keep_partial_runs = size & 1;
            config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
            etc_capture *c = etc_init(begin, size, &config);
            assert_int_equal(c != NULL, size >= ETC_MIN_BYTES);
            use_everything(c);
            if (c)
                save_if_there_is_something(c);
            for (size_t i = 0; i < page; i++) {
                if (i < before || i >= before + size)
                    assert_int_equal(pages[page + i], 0xa5);
            }
        }
    }
    munmap(pages, 3 * page);
}

/* A clock of a caller that has no context for it: the smallest configuration. */
static void the_smallest_configuration_is_a_clock(void **state) {
    (void)state;
    etc_config config = make_config();
    config.struct_size = offsetof(etc_config, clock_context);
    etc_capture *c = start_with(&config, 4096);
    add_run(c, "Execute", 2);
    assert_int_equal(stats_of(c).events, 2);
    config.struct_size--;
    assert_null(etc_init(memory, 4096, &config));
}

static uint64_t count_up(void *context) {
    return ++*(uint64_t *)context;
}

static void the_clock_gets_its_context(void **state) {
    (void)state;
    uint64_t time = 100;
    etc_config config = make_config();
    config.clock = count_up;
    config.clock_context = &time;
    etc_capture *c = start_with(&config, 4096);
    add_run(c, "Execute", 1);
    assert_int_equal(time, 102);
    saved s;
    save(&s, c);
    eti_etdump_stamps stamps = eti__etdump_read_stamps(&s.dump, event_at(&s, 0, 0));
    assert_int_equal(stamps.start_time, 101);
    assert_int_equal(stamps.end_time, 102);
    free_saved(&s);
}

/* Records lie at multiples of 8 bytes, wherever the memory is. */
static void memory_may_be_anywhere(void **state) {
    (void)state;
    for (size_t before = 0; before < 16; before++) {
        etc_config config = make_config();
        etc_capture *c = etc_init(memory + before, 4096, &config);
        assert_ptr_equal(c, memory + (before + 7) / 8 * 8);
        add_run(c, "Execute", 3);
        assert_int_equal(stats_of(c).events, 3);
        uint64_t fewer = before % 8 ? 8 : 0;
        etc_stats stats = stats_of(c);
        c = etc_init(memory, 4096, &config);
        assert_int_equal(stats.memory_bytes, stats_of(c).memory_bytes - fewer);
    }
}

/* A reset ends the open run; its window begins anew, and so do numbers of bytes. Counts stay. */
static void a_reset_begins_anew(void **state) {
    (void)state;
    etc_config config = make_config();
    config.skip_runs = 1;
    config.max_runs = 2;
    etc_capture *c = start_with(&config, 4096);
    for (int round = 0; round < 2; round++) {
        for (int run = 0; run < 4; run++)
            add_run(c, "Execute", 1);
        uint64_t n_runs, n_events;
        assert_int_equal(etc_count_saved(c, NULL, &n_runs, &n_events), ETC_OK);
        assert_int_equal(n_runs, 2);
        assert_int_equal(stats_of(c).runs_outside, 2 * (round + 1));
        assert_int_equal(stats_of(c).runs, 2 * (round + 1));
        etc_run(c, "other");
        add_event(c, "event");
        etc_reset(c);
        add_event(c, "event"); /* in no run */
        assert_int_equal(stats_of(c).events_lost_state, round + 1);
        assert_int_equal(stats_of(c).record_bytes, 0);
        assert_nothing_to_save(c);
    }
    /* outside of the window, and in a run that lost events */
    etc_run(c, "Execute");
    etc_reset(c);
    add_event(c, "event");
    assert_int_equal(stats_of(c).events_lost_state, 3);
    etc_run(c, "full");
    while (stats_of(c).events_lost_full == 0)
        add_event(c, "event");
    etc_reset(c);
    add_run(c, "other", 1);
    assert_int_equal(stats_of(c).events_lost_full, 1);
    uint64_t n_events;
    assert_int_equal(etc_count_saved(c, NULL, NULL, &n_events), ETC_OK);
    assert_int_equal(n_events, 1);
}

static uint32_t events_that_fit(size_t size) {
    uint8_t *block = malloc(size);
    assert_non_null(block);
    etc_config config = make_config();
    etc_capture *c = etc_init(block, size, &config);
    static const char *const names[] = {"native_call_add", "native_call_mul", "OPERATOR_CALL",
                                        "DELEGATE_CALL",   "Method::execute", "MOVE_CALL",
                                        "FREE_CALL",       "JF_CALL"};
    etc_name ids[8];
    for (size_t i = 0; i < 8; i++)
        ids[i] = etc_intern(c, names[i]);
    etc_run(c, "Execute");
    for (uint32_t i = 0; stats_of(c).events_lost_full == 0; i++)
        etc_log(c, ids[i % 8], i, i + 1);
    uint32_t n = (uint32_t)stats_of(c).events;
    free(block);
    return n;
}

static void so_many_events_fit(void **state) {
    (void)state;
    static const size_t expected[][2] = {
        {1024, 10}, {16384, 480}, {262144, 8000}, {4194304, 125000}};
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        uint32_t n = events_that_fit(expected[i][0]);
        print_message("# %zu bytes hold %u events with 8 names\n", expected[i][0], n);
        assert_true(n >= expected[i][1]);
    }
}

static void statuses_have_sentences(void **state) {
    (void)state;
    for (int status = 0; status <= ETC_UNSUPPORTED; status++)
        assert_true(strlen(etc_status_text((etc_status)status)) > 5);
    assert_string_equal(etc_status_text((etc_status)99), "unknown status");
    /* a missing journal is ETC_IO, too */
    assert_non_null(strstr(etc_status_text(ETC_IO), "cannot be written"));
    assert_non_null(strstr(etc_status_text(ETC_IO), "cannot be read"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(configurations_that_are_refused),
        cmocka_unit_test(a_capture_needs_the_parts_of_its_configuration),
        cmocka_unit_test(structs_of_other_versions),
        cmocka_unit_test(options_without_a_size_are_refused),
        cmocka_unit_test(every_size_between_guard_pages),
        cmocka_unit_test(the_smallest_configuration_is_a_clock),
        cmocka_unit_test(the_clock_gets_its_context),
        cmocka_unit_test(memory_may_be_anywhere),
        cmocka_unit_test(a_reset_begins_anew),
        cmocka_unit_test(so_many_events_fit),
        cmocka_unit_test(statuses_have_sentences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
