#include "capture_fixture.h"

#include "capture/capture.h"

/* A sink that fails at a given byte. */
typedef struct limited {
    size_t size, most;
    int n_after; /* writes after it failed */
} limited;

static int write_limited(void *context, const void *data, size_t size) {
    limited *sink = context;
    (void)data;
    if (sink->size > sink->most)
        sink->n_after++;
    sink->size += size;
    return sink->size > sink->most ? 1 : 0;
}

static void a_sink_that_fails_ends_saving(void **state) {
    (void)state;
    etc_capture *c = start();
    add_run(c, "Execute", 20);
    uint64_t size;
    assert_int_equal(etc_save_size(c, NULL, &size), ETC_OK);
    for (size_t most = 0; most < size; most++) {
        limited sink = {.most = most};
        assert_int_equal(etc_save(c, NULL, (etc_sink){write_limited, &sink}), ETC_IO);
        assert_int_equal(sink.n_after, 0);
    }
    limited sink = {.most = (size_t)size};
    assert_int_equal(etc_save(c, NULL, (etc_sink){write_limited, &sink}), ETC_OK);
    assert_int_equal(sink.size, size);
    assert_int_equal(etc_save(c, NULL, (etc_sink){0}), ETC_INVALID);
}

static void memory_that_is_too_small_says_what_is_needed(void **state) {
    (void)state;
    static uint8_t out[4096];
    etc_capture *c = start();
    size_t used = 1;
    assert_int_equal(etc_save_memory(c, NULL, out, sizeof out, &used), ETC_STATE);
    assert_int_equal(used, 0);
    add_run(c, "Execute", 20);
    assert_int_equal(etc_save_memory(c, NULL, out, 100, &used), ETC_FULL);
    assert_int_equal(out[0], 0);
    size_t needed = used;
    assert_int_equal(etc_save_memory(c, NULL, NULL, 0, &used), ETC_FULL);
    assert_int_equal(etc_save_memory(c, NULL, out, needed - 1, &used), ETC_FULL);
    assert_int_equal(etc_save_memory(c, NULL, out, needed, NULL), ETC_OK);
}

static void saving_changes_nothing(void **state) {
    (void)state;
    etc_capture *c = start();
    add_run(c, "Execute", 20);
    saved first, second;
    save(&first, c);
    etc_run(c, "Execute");
    add_event(c, "event");
    save(&second, c);
    assert_int_equal(first.size, second.size);
    assert_memory_equal(first.data, second.data, first.size);
    free_saved(&first);
    free_saved(&second);
    etc_run_end(c);
    save(&second, c);
    assert_int_equal(second.dump.runs.count, 2);
    free_saved(&second);
}

static void events_take_44_bytes(void **state) {
    (void)state;
    etc_capture *c = start();
    add_run(c, "Execute", 100);
    uint64_t size_100, size_1100;
    assert_int_equal(etc_save_size(c, NULL, &size_100), ETC_OK);
    add_run(c, "Execute", 1000);
    assert_int_equal(etc_save_size(c, NULL, &size_1100), ETC_OK);
    assert_true(size_1100 - size_100 <= 44 * 1000 + 40); /* a run has its own table */
    assert_true(size_100 <= 44 * 100 + 512);
}

/* Records claim more than they hold, and counting believes them, so 2 GiB take no memory and no time. */
static void more_than_2_gib_is_too_large(void **state) {
    (void)state;
    enum { N = 129 };
    etc_capture *c = start();
    etc_run(c, "Execute");
    for (int i = 0; i < N; i++)
        etc_log_delegate(c, 0, i, 1, 2, NULL, 0);
    etc_run_end(c);
    uint64_t size;
    assert_int_equal(etc_save_size(c, NULL, &size), ETC_OK);
    etc_delegate_record *records = (void *)(c->records + sizeof(etc_run_record));
    for (int i = 0; i < N; i++) {
        uint32_t left = (uint32_t)(INT32_MAX - size) & ~7u;
        records[i].metadata_size = left < 1 << 24 ? left : 1 << 24;
        size += records[i].metadata_size;
    }
    uint64_t largest;
    limited sink = {.most = 0};
    assert_int_equal(etc_save_size(c, NULL, &largest), ETC_OK);
    assert_int_equal(largest, size);
    assert_true(largest <= INT32_MAX && largest > INT32_MAX - 8);
    records[N - 1].metadata_size += 8;
    assert_int_equal(etc_save_size(c, NULL, &size), ETC_TOO_LARGE);
    assert_int_equal(etc_save(c, NULL, (etc_sink){write_limited, &sink}), ETC_TOO_LARGE);
    assert_int_equal(etc_save_memory(c, NULL, memory, sizeof memory, NULL), ETC_TOO_LARGE);
    assert_int_equal(sink.size, 0);
}

/* Records of lanes count, too: main and three lanes have slightly more than a quarter each. */
static void lanes_are_too_large_together(void **state) {
    (void)state;
    enum { N_LANES = 3, N = 32, MOST = 1 << 24 };
    static _Alignas(8) uint8_t lane_memory[N_LANES][4096];
    etc_capture *c =
        start_with(&(etc_config){.struct_size = sizeof(etc_config), .clock = tick}, 8192);
    etc_capture *all[1 + N_LANES] = {c};
    for (int i = 0; i < N_LANES; i++)
        all[1 + i] = etc_lane(c, lane_memory[i], sizeof lane_memory[i]);
    etc_run(c, "Execute");
    for (int i = 0; i < (1 + N_LANES) * N; i++)
        etc_log_delegate(all[i / N], 0, i, 1, 2, NULL, 0);
    etc_run_end(c);
    uint64_t size, largest;
    limited sink = {.most = 0};
    assert_int_equal(etc_save_size(c, NULL, &size), ETC_OK);
    etc_delegate_record *record = NULL;
    for (int i = 0; i < (1 + N_LANES) * N; i++) {
        record =
            (etc_delegate_record *)(void *)(all[i / N]->records + sizeof(etc_run_record)) + i % N;
        uint32_t left = (uint32_t)(INT32_MAX - size) & ~7u;
        record->metadata_size = left < MOST ? left : MOST;
        size += record->metadata_size;
    }
    assert_int_equal(etc_save_size(c, NULL, &largest), ETC_OK);
    assert_int_equal(largest, size);
    assert_true(largest <= INT32_MAX && largest > INT32_MAX - 8);
    record->metadata_size += 8;
    assert_int_equal(etc_save_size(c, NULL, &size), ETC_TOO_LARGE);
    assert_int_equal(etc_save(c, NULL, (etc_sink){write_limited, &sink}), ETC_TOO_LARGE);
    assert_int_equal(sink.size, 0);
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* Adds events with and without each field, enough for several buffers of a sink. */
static void record_all_shapes(etc_capture *c) {
    static const char *const texts[] = {"conv", "a name that is longer", "\xc3\xa9"};
    static const uint64_t times[] = {0, 1, UINT64_C(1) << 40, UINT64_MAX};
    for (uint32_t i = 0; i < 400; i++) {
        etc_set_instruction(c, (int32_t)(i % 3) - 1, i % 5 ? i : UINT32_MAX);
        etc_log(c, i % 4 ? etc_intern(c, texts[i % 3]) : 0, times[i % 4], times[i / 4 % 4]);
    }
}

/* The file is the same whether all runs are written by the general path or those of profile events alone by theirs. */
static void plain_runs_are_written_like_others(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_run_record *run = (void *)c->records;
    etc_run(c, "Execute");
    record_all_shapes(c);
    etc_run_end(c);
    add_run(c, "Execute", 1);
    assert_int_equal(run->flags & ETC_RUN_MIXED, 0);
    saved plain, other;
    save(&plain, c);
    run->flags |= ETC_RUN_MIXED;
    save(&other, c);
    assert_int_equal(plain.size, other.size);
    assert_memory_equal(plain.data, other.data, plain.size);
    free_saved(&plain);
    free_saved(&other);
}

static void add_delegate_event(etc_capture *c) {
    etc_log_delegate(c, 0, 1, 1, 2, NULL, 0);
}

static void add_allocator(etc_capture *c) {
    etc_allocator(c, "planned");
}

static void add_allocation(etc_capture *c) {
    etc_allocation(c, 1, 1);
}

static void add_value(etc_capture *c) {
    etc_log_int(c, ETC_OPERATOR, 1, 0);
}

static void other_records_are_seen_in_a_run(void **state) {
    (void)state;
    static void (*const adds[])(etc_capture *) = {add_delegate_event, add_allocator, add_allocation,
                                                  add_value};
    for (size_t i = 0; i < COUNT_OF(adds); i++) {
        etc_config config = make_config();
        config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
        etc_capture *c = start_with(&config, 4096);
        etc_run(c, "Execute");
        add_event(c, "event");
        adds[i](c);
        add_event(c, "event");
        etc_run_end(c);
        saved s;
        save(&s, c);
        assert_int_equal(count_events(&s, 0), adds[i] == add_allocator ? 2 : 3);
        eti_etdump_event last;
        eti__etdump_read_event(&last, &s.dump, event_at(&s, 0, count_events(&s, 0) - 1));
        assert_text(last.name, "event");
        free_saved(&s);
    }
}

/* ---- the wire -------------------------------------------------------------------------------- */

typedef struct text {
    char data[60000];
    size_t size;
} text;

static void put(void *context, char character) {
    text *t = context;
    assert_true(t->size < sizeof t->data - 1);
    t->data[t->size++] = character;
    t->data[t->size] = '\0';
}

static void assert_read_back(const text *t, const etc_capture *c, const uint8_t *debug) {
    saved s;
    save(&s, c);
    struct eti_file log;
    eti_runner_log read;
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__file_open_source(&log, &(eti_source){"device.log", t->data, t->size}, &err));
    assert_ok(eti__runner_log_read(&read, &log, &err));
    assert_int_equal(read.n_dumps, 1);
    assert_int_equal(read.dumps[0].size, s.size);
    assert_memory_equal(read.dumps[0].data, s.data, s.size);
    assert_int_equal(read.n_debug_buffers, debug ? 1 : 0);
    if (debug) {
        assert_int_equal(read.debug_buffers[0].size, etc_debug_used(c));
        assert_memory_equal(read.debug_buffers[0].data, debug, (size_t)etc_debug_used(c));
    }
    eti__runner_log_free(&read);
    eti__file_release(&log);
    free_saved(&s);
}

/* Computes the checksum of ZIP, bit by bit. */
static uint32_t crc_of(const uint8_t *data, size_t size) {
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static void printed_values_are_read_back(void **state) {
    (void)state;
    static text t;
    static const uint32_t widths[] = {0, 1, 4, 76, 77};
    for (uint32_t n = 1; n < 8; n++) {
        for (size_t i = 0; i < COUNT_OF(widths); i++) {
            etc_capture *c = start();
            char name[16] = "12345678901";
            name[n] = '\0';
            add_run(c, name, n);
            add_event(c, "lost");
            etc_save_options options = ETC_SAVE_OPTIONS_INIT;
            options.line_width = widths[i];
            t.size = 0;
            assert_int_equal(etc_print(c, &options, put, &t), ETC_OK);
            assert_read_back(&t, c, NULL);
            saved s;
            save(&s, c);
            char check[80];
            snprintf(check, sizeof check, "\n# etcapture bytes=%zu crc32=%08x lost=1\n#[END]\n",
                     s.size, crc_of(s.data, s.size));
            assert_non_null(strstr(t.data, check));
            assert_memory_equal(t.data, "#[RUN THIS]\n# Writing etdump.bin [base64]\necho \"", 47);
            free_saved(&s);
        }
    }
}

static void debug_data_are_printed_first(void **state) {
    (void)state;
    static text t;
    static uint8_t buffer[256];
    static const int64_t sizes[] = {70};
    uint8_t data[70];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (uint8_t)(i * 37);
    etc_config config = make_config();
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_capture *c = start_with(&config, 8192);
    assert_int_equal(etc_set_debug_buffer(c, buffer, sizeof buffer), ETC_OK);
    etc_run(c, "Execute");
    etc_tensor tensor = {ETC_BYTE, 1, sizes, NULL, data, sizeof data};
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, 0), ETC_OK);
    etc_run_end(c);
    assert_int_equal(etc_print(c, NULL, put, &t), ETC_OK);
    assert_read_back(&t, c, buffer);
    char check[80];
    snprintf(check, sizeof check, " lost=0 debug_bytes=70 debug_crc32=%08x\n", crc_of(data, 70));
    assert_non_null(strstr(t.data, check));
    assert_true(strstr(t.data, "debug_buffer.bin") < strstr(t.data, "etdump.bin"));
}

/* One run of 100 events of 32 bytes into 1 KiB: nothing can be saved, and the log says how much memory is needed. */
static void memory_that_is_too_small_is_reported(void **state) {
    (void)state;
    static text t;
    etc_config config = make_config();
    for (int when_full = ETC_STOP; when_full <= ETC_RING; when_full++) {
        config.when_full = (etc_when_full)when_full;
        etc_capture *c = start_with(&config, 1024);
        t.size = 0;
        assert_int_equal(etc_print(c, NULL, put, &t), ETC_STATE);
        assert_int_equal(t.size, 0);
        add_run(c, "Execute", 100);
        uint64_t lost = stats_of(c).events_lost_full;
        assert_in_range(lost, 80, 99);
        assert_int_equal(etc_save_memory(c, NULL, NULL, 0, NULL), ETC_FULL);
        assert_int_equal(etc_save_debug(c, NULL, (etc_sink){NULL, NULL}), ETC_INVALID);
        assert_int_equal(etc_print(c, NULL, put, &t), ETC_FULL);
        uint64_t needed =
            (lost + 1) * 32; /* as nobody knows how large the last event would have been */
        needed = 1024 + needed + (when_full == ETC_RING ? needed / 4 : needed / 64);
        char expected[120];
        snprintf(expected, sizeof expected,
                 "#[RUN THIS]\n# etcapture full lost=%u bytes=1024 needed=%u\n#[END]\n",
                 (unsigned)lost, (unsigned)needed);
        assert_string_equal(t.data, expected);
        /* It is enough. */
        static _Alignas(64) uint8_t enough[8192];
        c = etc_init(enough, needed, &config);
        add_run(c, "Execute", 100);
        assert_int_equal(etc_save_size(c, NULL, NULL), ETC_OK);
        add_run(c, "Execute", 1000); /* leaves the complete run, or drops it and does not fit */
        assert_int_equal(etc_save_size(c, NULL, NULL), when_full == ETC_RING ? ETC_STATE : ETC_OK);
    }
}

/* Base64 is in lines of the width that was asked for, except the last, and in one line without one. */
static void printed_lines_have_their_width(void **state) {
    (void)state;
    static text t;
    static const uint32_t widths[] = {0, 1, 7, 64};
    etc_capture *c = start();
    add_run(c, "Execute", 3);
    uint64_t size;
    assert_int_equal(etc_save_size(c, NULL, &size), ETC_OK);
    size_t n_characters = (size_t)(size + 2) / 3 * 4;
    for (size_t i = 0; i < COUNT_OF(widths); i++) {
        size_t width = widths[i] ? widths[i] : n_characters;
        etc_save_options options = ETC_SAVE_OPTIONS_INIT;
        options.line_width = widths[i];
        t.size = 0;
        assert_int_equal(etc_print(c, &options, put, &t), ETC_OK);
        const char *at = strstr(t.data, "echo \""), *end = strstr(t.data, "\" | base64 -d >");
        assert_true(at && end);
        at += strlen("echo \"");
        for (size_t left = n_characters; left > 0;) {
            size_t n = left < width ? left : width;
            assert_int_equal(strcspn(at, "\n\""), n);
            at += n;
            left -= n;
            if (left > 0)
                assert_int_equal(*at++, '\n');
        }
        assert_ptr_equal(at, end);
    }
}

/* Events that are lost for any reason, with those of lanes. */
static void printed_losses_are_of_all_kinds(void **state) {
    (void)state;
    static text t;
    static _Alignas(64) uint8_t lane_memory[2048];
    etc_config config = make_config();
    config.when_full = ETC_RING;
    etc_capture *c = start_with(&config, 2048),
                *lane = etc_lane(c, lane_memory, sizeof lane_memory);
    assert_non_null(lane);
    for (int i = 0; i < 2; i++)
        add_event(c, "in no run");
    etc_run(c, "large");
    for (int i = 0; i < 100; i++)
        etc_log(c, 0, 1, 2);
    etc_run(c, "Execute");
    etc_log(c, 0, 1, 2);
    for (int i = 0; i < 4; i++)
        etc_log(c, 12345, 1, 2); /* no name */
    for (int i = 0; i < 8; i++)
        etc_log(lane, 12345, 1, 2);
    etc_run(c, "Execute");
    etc_log(c, 0, 1, 2);
    etc_run_end(c);
    etc_stats stats = stats_of(c);
    assert_int_equal(stats.events_lost_state, 2);
    assert_int_equal(stats.events_lost_wrong, 12);
    assert_true(stats.events_lost_full > 0);
    t.size = 0;
    assert_int_equal(etc_print(c, NULL, put, &t), ETC_OK);
    char lost[40];
    snprintf(lost, sizeof lost, " lost=%u\n", (unsigned)stats.events_lost_full + 14);
    assert_non_null(strstr(t.data, lost));
}

static void nothing_is_printed_of_nothing(void **state) {
    (void)state;
    static text t;
    etc_capture *c = start();
    assert_int_equal(etc_print(c, NULL, put, &t), ETC_STATE);
    assert_int_equal(etc_print(c, NULL, NULL, NULL), ETC_INVALID);
    assert_int_equal(t.size, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sink_that_fails_ends_saving),
        cmocka_unit_test(memory_that_is_too_small_says_what_is_needed),
        cmocka_unit_test(saving_changes_nothing),
        cmocka_unit_test(events_take_44_bytes),
        cmocka_unit_test(more_than_2_gib_is_too_large),
        cmocka_unit_test(lanes_are_too_large_together),
        cmocka_unit_test(plain_runs_are_written_like_others),
        cmocka_unit_test(other_records_are_seen_in_a_run),
        cmocka_unit_test(printed_values_are_read_back),
        cmocka_unit_test(debug_data_are_printed_first),
        cmocka_unit_test(memory_that_is_too_small_is_reported),
        cmocka_unit_test(printed_lines_have_their_width),
        cmocka_unit_test(printed_losses_are_of_all_kinds),
        cmocka_unit_test(nothing_is_printed_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
