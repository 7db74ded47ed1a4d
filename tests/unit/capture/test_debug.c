#include "capture_fixture.h"

static uint8_t contents[4096];

static etc_capture *start_debug(etc_debug_level level) {
    etc_config config = make_config();
    config.debug_level = level;
    etc_capture *c = start_with(&config, 32768);
    assert_int_equal(etc_set_debug_buffer(c, contents, sizeof contents), ETC_OK);
    memset(contents, 0xff, sizeof contents);
    etc_run(c, "Execute");
    etc_set_instruction(c, 0, 4);
    return c;
}

static const int64_t sizes_2_3[] = {2, 3};
static const float floats[6] = {1, 2, 3, 4, 5, 6};

static etc_tensor make_tensor(void) {
    return (etc_tensor){ETC_FLOAT, 2, sizes_2_3, NULL, floats, sizeof floats};
}

static void numbers(void **state) {
    (void)state;
    etc_capture *c = start_debug(ETC_DEBUG_INTERMEDIATE_OUTPUTS);
    assert_int_equal(etc_log_int(c, ETC_OPERATOR, INT64_MIN, 0), ETC_OK);
    assert_int_equal(etc_log_int(c, ETC_OPERATOR, 0, 0), ETC_OK);
    assert_int_equal(etc_log_double(c, (etc_key){"node", -1}, 0.5, 0), ETC_OK);
    assert_int_equal(etc_log_bool(c, (etc_key){NULL, 6}, true, 0), ETC_OK);
    etc_unset_instruction(c);
    assert_int_equal(etc_log_bool(c, ETC_OPERATOR, false, 0), ETC_OK);
    assert_int_equal(etc_log_int(c, ETC_OPERATOR, 1, ETC_PROGRAM_OUTPUT), ETC_INVALID);
    assert_int_equal(etc_log_double(c, (etc_key){"both", 1}, 1, 0), ETC_INVALID);
    etc_run_end(c);
    assert_runs(c, "{\"name\":\"Execute\",\"events\":["
                   "{\"debug_event\":{\"instruction_id\":4,\"debug_entry\":{\"val\":\"Int\",\"int_"
                   "value\":{\"int_val\":-9223372036854775808}}}},"
                   "{\"debug_event\":{\"instruction_id\":4,\"debug_entry\":{\"val\":\"Int\",\"int_"
                   "value\":{}}}},"
                   "{\"debug_event\":{\"instruction_id\":4,\"debug_entry\":{\"val\":\"Double\","
                   "\"double_value\":{\"double_val\":0.5}},"
                   "\"delegate_debug_id_str\":\"node\"}},"
                   "{\"debug_event\":{\"instruction_id\":4,\"debug_entry\":{\"val\":\"Bool\","
                   "\"bool_value\":{\"bool_val\":true}},"
                   "\"delegate_debug_id_int\":6}},"
                   "{\"debug_event\":{\"chain_index\":18446744073709551615,\"instruction_id\":0,"
                   "\"debug_entry\":{\"val\":\"Bool\",\"bool_value\":{}}}}]}");
    assert_int_equal(stats_of(c).events_lost_wrong, 2);
}

static void tensors_and_lists(void **state) {
    (void)state;
    static const int64_t strides[] = {1, 2};
    etc_capture *c = start_debug(ETC_DEBUG_INTERMEDIATE_OUTPUTS);
    etc_tensor tensor = make_tensor(), strided = make_tensor();
    strided.strides = strides;
    etc_tensor scalar = {ETC_BYTE, 0, NULL, NULL, "x", 1};
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, ETC_PROGRAM_OUTPUT), ETC_OK);
    assert_int_equal(etc_log_tensors(c, ETC_OPERATOR, (etc_tensor[]){strided, scalar}, 2, 0),
                     ETC_OK);
    assert_int_equal(etc_log_tensors(c, ETC_OPERATOR, NULL, 0, ETC_PROGRAM_OUTPUT), ETC_OK);
    etc_run_end(c);
    assert_runs(
        c, "{\"name\":\"Execute\",\"events\":["
           "{\"debug_event\":{\"instruction_id\":4,\"debug_entry\":{\"val\":\"Tensor\",\"tensor\":"
           "{\"scalar_type\":\"FLOAT\",\"sizes\":[2,3],\"strides\":[3,1]},\"output\":{\"bool_val\":"
           "true}}}},"
           "{\"debug_event\":{\"instruction_id\":4,\"debug_entry\":{\"val\":\"TensorList\","
           "\"tensor_list\":{\"tensors\":["
           "{\"scalar_type\":\"FLOAT\",\"sizes\":[2,3],\"strides\":[1,2],\"offset\":64},"
           "{\"sizes\":[],\"strides\":[],\"offset\":128}]}}}},"
           "{\"debug_event\":{\"instruction_id\":4,\"debug_entry\":{\"val\":\"TensorList\","
           "\"tensor_list\":{\"tensors\":[]},"
           "\"output\":{\"bool_val\":true}}}}]}");
    assert_int_equal(etc_debug_used(c), 129);
    assert_memory_equal(contents, floats, sizeof floats);
    assert_memory_equal(contents + 64, floats, sizeof floats);
    for (size_t i = sizeof floats; i < 64; i++)
        assert_int_equal(contents[i], 0);
    assert_int_equal(contents[128], 'x');
    assert_int_equal(contents[129], 0xff);
}

static void levels(void **state) {
    (void)state;
    static const etc_debug_level all[] = {ETC_DEBUG_NONE, ETC_DEBUG_PROGRAM_OUTPUTS,
                                          ETC_DEBUG_INTERMEDIATE_OUTPUTS};
    for (size_t i = 0; i < COUNT_OF(all); i++) {
        etc_capture *c = start_debug(all[i]);
        etc_tensor tensor = make_tensor();
        assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, ETC_PROGRAM_OUTPUT), ETC_OK);
        assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, 0), ETC_OK);
        assert_int_equal(etc_log_int(c, ETC_OPERATOR, 1, 0), ETC_OK);
        assert_int_equal(stats_of(c).events, i == 2 ? 3 : i);
        assert_int_equal(stats_of(c).debug_values_below_level, i == 2 ? 0 : 3 - i);
    }
}

/* Element sizes by type number; 0: an ETDump cannot hold the type. */
static void every_scalar_type(void **state) {
    (void)state;
    static const uint8_t sizes[] = {1, 1, 2, 4, 8, 2, 4, 8, 0, 0, 0, 1, 1, 1, 4,
                                    2, 0, 0, 0, 0, 0, 0, 2, 1, 1, 1, 1, 2, 4, 8};
    static const int64_t one[] = {1};
    etc_capture *c = start_debug(ETC_DEBUG_INTERMEDIATE_OUTPUTS);
    for (int32_t type = -1; type < 40; type++) {
        size_t size = type >= 0 && (size_t)type < COUNT_OF(sizes) ? sizes[type] : 0;
        etc_tensor tensor = {type, 1, one, NULL, floats, size ? size : 1};
        assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, 0),
                         size ? ETC_OK : ETC_UNSUPPORTED);
    }
    etc_run_end(c);
    saved s;
    save(&s, c);
    assert_int_equal(count_events(&s, 0), 21);
    free_saved(&s);
}

static void wrong_tensors_are_refused(void **state) {
    (void)state;
    static const int64_t negative[] = {-1, -24}, huge[] = {INT64_MAX, INT64_MAX},
                         empty_huge[] = {0, INT64_MAX, INT64_MAX};
    int64_t ones[ETC_MAX_RANK + 1];
    for (size_t i = 0; i < COUNT_OF(ones); i++)
        ones[i] = 1;
    etc_capture *c = start_debug(ETC_DEBUG_INTERMEDIATE_OUTPUTS);
    etc_tensor good = make_tensor();
    etc_tensor wrong[] = {
        {ETC_FLOAT, 2, sizes_2_3, NULL, floats, 20},    {ETC_FLOAT, 2, sizes_2_3, NULL, NULL, 24},
        {ETC_FLOAT, 2, NULL, NULL, floats, 24},         {ETC_FLOAT, 2, negative, NULL, floats, 96},
        {ETC_FLOAT, 2, huge, NULL, floats, 4},          {ETC_FLOAT, 17, ones, NULL, floats, 4},
        {ETC_FLOAT, UINT32_MAX, ones, NULL, floats, 4}, {ETC_BYTE, 3, empty_huge, NULL, NULL, 0},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &wrong[i], 0), ETC_INVALID);
        assert_int_equal(etc_log_tensors(c, ETC_OPERATOR, (etc_tensor[]){good, wrong[i]}, 2, 0),
                         ETC_INVALID);
    }
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, NULL, 0), ETC_INVALID);
    assert_int_equal(etc_log_tensors(c, ETC_OPERATOR, NULL, 1, 0), ETC_INVALID);
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &good, 2), ETC_INVALID);
    assert_int_equal(etc_log_tensor(c, (etc_key){"both", 3}, &good, 0), ETC_INVALID);
    assert_int_equal(stats_of(c).events, 0);
    assert_int_equal(etc_debug_used(c), 0);
    etc_tensor rank_16 = {ETC_FLOAT, 16, ones, NULL, floats, 4};
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &rank_16, 0), ETC_OK);
    etc_run_end(c);
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &good, 0), ETC_STATE);
    assert_int_equal(etc_log_int(c, ETC_OPERATOR, 1, 0), ETC_STATE);
    saved s;
    save(&s, c);
    free_saved(&s);
}

static void a_full_buffer_is_said_and_the_run_stays(void **state) {
    (void)state;
    static const int64_t sizes[] = {1000};
    static const float data[1000] = {1};
    etc_capture *c = start_debug(ETC_DEBUG_INTERMEDIATE_OUTPUTS);
    etc_tensor large = {ETC_FLOAT, 1, sizes, NULL, data, sizeof data}, small = make_tensor();
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &large, 0), ETC_OK);
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &large, 0), ETC_FULL);
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &small, 0), ETC_OK);
    assert_int_equal(stats_of(c).debug_values_without_contents, 1);
    assert_int_equal(etc_set_debug_buffer(c, contents, 10), ETC_STATE);
    etc_run_end(c);
    saved s;
    save(&s, c);
    static const int64_t offsets[] = {0, -1, 4032};
    for (uint32_t i = 0; i < 3; i++) {
        eti_position value = eti__etdump_debug_value(&s.dump, event_at(&s, 0, i));
        eti_etdump_value read = eti__etdump_read_value(&s.dump, value);
        assert_int_equal(eti__etdump_read_tensor(&s.dump, read.tensor).offset, offsets[i]);
    }
    free_saved(&s);
}

/* The bytes that align contents count: behind one byte of 192, contents of 128 bytes begin at 64. */
static void contents_must_fit_with_their_alignment(void **state) {
    (void)state;
    static _Alignas(64) uint8_t buffer[256];
    static const uint8_t bytes[129] = {7};
    const int64_t sizes[] = {129, 128, 1};
    const etc_tensor larger = {ETC_BYTE, 1, &sizes[0], NULL, bytes, 129},
                     exact = {ETC_BYTE, 1, &sizes[1], NULL, bytes, 128},
                     one = {ETC_BYTE, 1, &sizes[2], NULL, bytes, 1};
    etc_config config = make_config();
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_capture *c = start_with(&config, sizeof memory);
    memset(buffer, 0xa5, sizeof buffer);
    assert_int_equal(etc_set_debug_buffer(c, buffer, 192), ETC_OK);
    etc_run(c, "Execute");
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &one, 0), ETC_OK);
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &larger, 0), ETC_FULL);
    assert_int_equal(etc_debug_used(c), 1);
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &exact, 0), ETC_OK);
    assert_int_equal(etc_debug_used(c), 192);
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &one, 0), ETC_FULL);
    for (size_t i = 192; i < sizeof buffer; i++)
        assert_int_equal(buffer[i], 0xa5);
    /* not even the bytes that align fit */
    c = start_with(&config, sizeof memory);
    assert_int_equal(etc_set_debug_buffer(c, buffer, 32), ETC_OK);
    etc_run(c, "Execute");
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &one, 0), ETC_OK);
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &one, 0), ETC_FULL);
    assert_int_equal(stats_of(c).debug_values_without_contents, 1);
}

static void without_buffer_there_are_no_contents(void **state) {
    (void)state;
    etc_tensor tensor = make_tensor();
    for (int ring = 0; ring < 2; ring++) {
        etc_config config = make_config();
        config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
        config.when_full = ring ? ETC_RING : ETC_STOP;
        etc_capture *c = start_with(&config, 4096);
        etc_run(c, "Execute");
        assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, 0), ETC_OK);
        assert_int_equal(stats_of(c).debug_values_without_contents, 1);
    }
}

typedef struct failing_sink {
    int n_writes, fails_at;
    size_t size;
    uint8_t data[256];
} failing_sink;

static int write_failing(void *context, const void *data, size_t size) {
    failing_sink *sink = context;
    if (++sink->n_writes == sink->fails_at)
        return -7;
    assert_true(size <= sizeof sink->data - sink->size);
    memcpy(sink->data + sink->size, data, size);
    sink->size += size;
    return 0;
}

static void contents_leave_through_a_sink(void **state) {
    (void)state;
    etc_capture *c = start_debug(ETC_DEBUG_INTERMEDIATE_OUTPUTS);
    failing_sink sink = {.fails_at = 5};
    etc_tensor tensor = make_tensor();
    assert_int_equal(etc_set_debug_sink(c, (etc_sink){0}), ETC_INVALID);
    assert_int_equal(etc_set_debug_sink(c, (etc_sink){write_failing, &sink}), ETC_OK);
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, 0), ETC_OK);
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, 0), ETC_OK);
    assert_int_equal(sink.size, 64 + 24);
    assert_memory_equal(sink.data + 64, floats, sizeof floats);
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, 0), ETC_IO);
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, 0), ETC_IO);
    assert_int_equal(sink.n_writes, 5); /* nothing follows */
    assert_int_equal(etc_debug_sink_error(c), -7);
    assert_int_equal(etc_save_debug(c, NULL, (etc_sink){write_failing, &sink}), ETC_STATE);
    etc_run_end(c);
    saved s;
    save(&s, c);
    assert_int_equal(count_events(&s, 0), 4);
    free_saved(&s);
}

/* ---- contents of saved runs ------------------------------------------------------------------ */

typedef struct gathered {
    uint8_t data[65536];
    size_t size;
} gathered;

static int collect(void *context, const void *data, size_t size) {
    gathered *c = context;
    assert_true(size <= sizeof c->data - c->size);
    memcpy(c->data + c->size, data, size);
    c->size += size;
    return 0;
}

/* Adds a tensor of `number` % 100 + 1 bytes, each equal to `number`. */
static void log_filled(etc_capture *c, uint8_t number) {
    uint8_t bytes[256];
    const int64_t size = number % 100 + 1;
    memset(bytes, number, sizeof bytes);
    etc_tensor tensor = {ETC_BYTE, 1, &size, NULL, bytes, (size_t)size};
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, 0), ETC_OK);
}

/* Reads the tensors of all saved runs: `expected` are their numbers. Each starts at a multiple of 64. */
static void assert_contents(const etc_capture *c, const etc_save_options *options,
                            const uint8_t *expected, size_t n) {
    static gathered debug;
    saved s;
    size_t end = 0, found = 0;
    debug.size = 0;
    save_with(&s, c, options);
    assert_int_equal(etc_save_debug(c, options, (etc_sink){collect, &debug}), ETC_OK);
    for (uint32_t run = 0; run < s.dump.runs.count; run++) {
        for (uint32_t i = 0; i < count_events(&s, run); i++) {
            eti_position value = eti__etdump_debug_value(&s.dump, event_at(&s, run, i));
            eti_etdump_value read = eti__etdump_read_value(&s.dump, value);
            int64_t offset = eti__etdump_read_tensor(&s.dump, read.tensor).offset;
            assert_true(found < n);
            assert_int_equal(offset, (end + 63) / 64 * 64);
            size_t size = (size_t)expected[found] % 100 + 1;
            for (size_t at = end; at < (size_t)offset; at++)
                assert_int_equal(debug.data[at], 0);
            for (size_t at = 0; at < size; at++)
                assert_int_equal(debug.data[(size_t)offset + at], expected[found]);
            end = (size_t)offset + size;
            found++;
        }
    }
    assert_int_equal(found, n);
    assert_int_equal(debug.size, end);
    free_saved(&s);
}

static void contents_are_those_of_the_runs_that_are_saved(void **state) {
    (void)state;
    etc_config config = make_config();
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_capture *c = start_with(&config, 8192);
    assert_int_equal(etc_set_debug_buffer(c, contents, sizeof contents), ETC_OK);
    static const char *const names[] = {"Default", "Execute", "Other", "Execute"};
    for (uint8_t run = 0; run < 4; run++) {
        etc_run(c, names[run]);
        for (uint8_t i = 0; i < 3; i++)
            log_filled(c, (uint8_t)(10 * run + i + 60));
    }
    etc_run_end(c);
    etc_run(c, "Execute"); /* the open run is left out */
    log_filled(c, 200);
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    assert_contents(c, &options, (const uint8_t[]){60, 61, 62, 70, 71, 72, 80, 81, 82, 90, 91, 92},
                    12);
    options.last_runs = 2;
    assert_contents(c, &options, (const uint8_t[]){80, 81, 82, 90, 91, 92}, 6);
    options.run_name = "Execute";
    assert_contents(c, &options, (const uint8_t[]){70, 71, 72, 90, 91, 92}, 6);
    options.last_runs = 1;
    assert_contents(c, &options, (const uint8_t[]){90, 91, 92}, 3);
    assert_contents(c, &options, (const uint8_t[]){90, 91, 92}, 3); /* saving changes nothing */
    options.partial_runs = true;
    assert_contents(c, &options, (const uint8_t[]){200}, 1);
    options.last_runs = 2;
    assert_contents(c, &options, (const uint8_t[]){90, 91, 92, 200}, 4);
}

static void lanes_have_debug_buffers_of_their_own(void **state) {
    (void)state;
    static uint8_t lane_memory[2][4096], buffers[2][1024];
    etc_config config = make_config();
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_capture *c = start_with(&config, 8192);
    assert_int_equal(etc_set_debug_buffer(c, contents, sizeof contents), ETC_OK);
    etc_capture *lanes[2];
    for (int i = 0; i < 2; i++) {
        lanes[i] = etc_lane(c, lane_memory[i], sizeof lane_memory[i]);
        assert_int_equal(etc_set_debug_sink(lanes[i], (etc_sink){collect, NULL}), ETC_STATE);
        assert_int_equal(etc_set_debug_buffer(lanes[i], buffers[i], sizeof buffers[i]), ETC_OK);
    }
    assert_int_equal(etc_set_debug_sink(c, (etc_sink){collect, NULL}), ETC_STATE);
    for (uint8_t run = 0; run < 3; run++) {
        etc_run(c, "Execute");
        log_filled(lanes[1], (uint8_t)(50 + run));
        log_filled(lanes[0], (uint8_t)(40 + run));
        log_filled(c, (uint8_t)(30 + run));
    }
    etc_run_end(c);
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    assert_contents(c, &options, (const uint8_t[]){30, 40, 50, 31, 41, 51, 32, 42, 52}, 9);
    options.last_runs = 1;
    assert_contents(c, &options, (const uint8_t[]){32, 42, 52}, 3);
    assert_int_equal(etc_save_debug(lanes[0], NULL, (etc_sink){collect, NULL}), ETC_STATE);
}

static void nothing_is_written_without_a_run_to_save(void **state) {
    (void)state;
    static gathered debug;
    const etc_sink sink = {collect, &debug};
    etc_capture *c = start_debug(ETC_DEBUG_INTERMEDIATE_OUTPUTS);
    log_filled(c, 60);
    debug.size = 0;
    assert_int_equal(etc_save_debug(c, NULL, sink), ETC_STATE); /* the run is open */
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    options.partial_runs = true;
    options.run_name = "other";
    assert_int_equal(etc_save_debug(c, &options, sink), ETC_STATE);
    assert_int_equal(debug.size, 0);
    options.run_name = NULL;
    assert_int_equal(etc_save_debug(c, &options, sink), ETC_OK);
    assert_int_equal(debug.size, 61);
    etc_reset(c);
    add_run(c, "Execute", 1);
    debug.size = 0;
    /* the tensors of a run that has none */
    assert_int_equal(etc_save_debug(c, NULL, sink), ETC_OK);
    assert_int_equal(debug.size, 0);
}

static bool keep_outputs(void *context, const etc_filter_event *event) {
    unsigned *n_asked = context;
    ++*n_asked;
    if (event->kind != ETC_EVENT_DEBUG)
        return true;
    assert_non_null(event->name);
    return strcmp(event->name, "output") == 0;
}

/* Values that the filter drops are not losses, whether or not they could have been recorded. */
static void the_filter_is_asked_by_name_without_a_run_too(void **state) {
    (void)state;
    static const etc_key output = {"output", -1}, input = {"input", -1};
    unsigned n_asked = 0;
    etc_config config = make_config();
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    config.filter = keep_outputs;
    config.filter_context = &n_asked;
    etc_capture *c = start_with(&config, 2048);
    assert_int_equal(etc_log_int(c, input, 1, 0), ETC_OK);
    assert_int_equal(etc_log_int(c, output, 1, 0), ETC_STATE);
    assert_int_equal(stats_of(c).events_lost_state, 1);
    etc_run(c, "Execute");
    assert_int_equal(etc_log_int(c, input, 1, 0), ETC_OK);
    assert_int_equal(stats_of(c).events, 0);
    while (etc_log_int(c, output, 1, 0) == ETC_OK)
        continue;
    assert_int_equal(etc_log_int(c, output, 1, 0), ETC_FULL);
    assert_int_equal(etc_log_int(c, input, 1, 0), ETC_OK);
    assert_int_equal(n_asked, 2);
    uint64_t n_lost = stats_of(c).events_lost_full;
    char name[2100];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0'; /* has no room: the filter cannot be asked for it */
    assert_int_equal(etc_log_int(c, (etc_key){name, -1}, 1, 0), ETC_FULL);
    assert_int_equal(stats_of(c).events_lost_full, n_lost + 1);
    etc_run_end(c);
    assert_int_equal(etc_log_int(c, (etc_key){name, -1}, 1, 0), ETC_STATE);
    assert_int_equal(n_asked, 2);
}

static void numbers_that_are_not_finite_are_written_and_counted(void **state) {
    (void)state;
    etc_capture *c = start_debug(ETC_DEBUG_INTERMEDIATE_OUTPUTS);
    static const uint64_t bits[] = {0x7ff0000000000000, 0xfff8000000000001, 0x8000000000000000};
    for (size_t i = 0; i < 3; i++) {
        double value;
        memcpy(&value, &bits[i], sizeof value);
        etc_log_double(c, ETC_OPERATOR, value, 0);
    }
    assert_int_equal(stats_of(c).debug_values_not_finite, 2);
    etc_run_end(c);
    saved s;
    save(&s, c);
    for (uint32_t i = 0; i < 3; i++) {
        eti_position value = eti__etdump_debug_value(&s.dump, event_at(&s, 0, i));
        double read = eti__etdump_read_value(&s.dump, value).as_double;
        assert_memory_equal(&read, &bits[i], sizeof read);
    }
    free_saved(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(tensors_and_lists),
        cmocka_unit_test(levels),
        cmocka_unit_test(every_scalar_type),
        cmocka_unit_test(wrong_tensors_are_refused),
        cmocka_unit_test(a_full_buffer_is_said_and_the_run_stays),
        cmocka_unit_test(contents_must_fit_with_their_alignment),
        cmocka_unit_test(without_buffer_there_are_no_contents),
        cmocka_unit_test(contents_leave_through_a_sink),
        cmocka_unit_test(contents_are_those_of_the_runs_that_are_saved),
        cmocka_unit_test(lanes_have_debug_buffers_of_their_own),
        cmocka_unit_test(nothing_is_written_without_a_run_to_save),
        cmocka_unit_test(the_filter_is_asked_by_name_without_a_run_too),
        cmocka_unit_test(numbers_that_are_not_finite_are_written_and_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
