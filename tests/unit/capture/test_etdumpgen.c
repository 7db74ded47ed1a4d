/* Tests calls on which ExecuTorch's own writer, ETDumpGen, aborts or writes corrupt files: the capture must handle all of
 * them. "It" in the comments is ETDumpGen. */
#include "capture_fixture.h"

static uint8_t large[40 << 20];

/* It dies unless its buffer has more than 131,520 bytes. */
static void memory_of_1_kib_is_enough(void **state) {
    (void)state;
    etc_config config = make_config();
    etc_capture *c = start_with(&config, 1024);
    add_run(c, "Execute", 5);
    saved s;
    save(&s, c);
    assert_int_equal(count_events(&s, 0), 5);
    free_saved(&s);
}

/* It aborts after about 16,377 events, however large the buffer. */
static void more_events_than_its_workspace_holds(void **state) {
    (void)state;
    etc_config config = make_config();
    etc_capture *c = etc_init(large, 4 << 20, &config);
    add_run(c, "Execute", 100000);
    saved s;
    save(&s, c);
    assert_int_equal(count_events(&s, 0), 100000);
    free_saved(&s);
}

/* It aborts when its buffer is full. */
static void full_memory_leaves_whole_runs(void **state) {
    (void)state;
    etc_config config = make_config();
    etc_capture *c = start_with(&config, 2048);
    for (int i = 0; i < 20; i++)
        add_run(c, "Execute", 7);
    saved s;
    save(&s, c);
    assert_in_range(s.dump.runs.count, 2, 10);
    for (uint32_t run = 0; run < s.dump.runs.count; run++)
        assert_int_equal(count_events(&s, run), 7);
    free_saved(&s);
}

/* It crashes on a block without a name. */
static void a_run_without_a_name(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_run(c, NULL);
    etc_run_end(c);
    assert_runs(c, "{\"name\":\"\"}");
}

/* It corrupts the file. */
static void a_run_with_allocators_but_without_events(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_run(c, "Execute");
    etc_allocator(c, "planned");
    etc_run(c, "Execute");
    etc_run_end(c);
    assert_runs(
        c, "{\"name\":\"Execute\",\"allocators\":[{\"name\":\"planned\"}]},{\"name\":\"Execute\"}");
}

/* It never writes the field. */
static void the_bundled_input_is_written(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_set_bundled_input(c, 0);
    etc_run(c, "Execute");
    etc_run_end(c);
    assert_runs(c, "{\"name\":\"Execute\",\"bundled_input_index\":0}");
}

/* It leaves the name of such an event in the file, once for each. */
static void events_that_never_end_take_nothing(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_name name = etc_intern(c, "never ends");
    add_run(c, "Execute", 1);
    uint64_t before, after;
    etc_save_size(c, NULL, &before);
    for (int i = 0; i < 1000; i++)
        (void)etc_start(c, name);
    etc_save_size(c, NULL, &after);
    assert_int_equal(before, after);
}

/* It writes the name of each event again. */
static void equal_names_are_written_once(void **state) {
    (void)state;
    uint64_t sizes[2];
    for (unsigned i = 0; i < 2; i++) {
        etc_capture *c = start();
        add_run(c, "Execute", 1 + i);
        assert_int_equal(etc_save_size(c, NULL, &sizes[i]), ETC_OK);
    }
    /* an event takes 44 bytes, and its place is rounded to a multiple of 8 */
    assert_in_range(sizes[1] - sizes[0], 40, 48);
}

/* It dies. */
static void an_event_that_ends_before_a_run_or_after_saving(void **state) {
    (void)state;
    etc_capture *c = start();
    add_event(c, "before");
    add_run(c, "Execute", 1);
    saved s;
    save(&s, c);
    free_saved(&s);
    add_event(c, "after");
    save(&s, c);
    assert_int_equal(count_events(&s, 0), 1);
    free_saved(&s);
    assert_int_equal(stats_of(c).events_lost_state, 2);
}

/* It dies. */
static void events_of_delegates_before_a_run_or_after_saving(void **state) {
    (void)state;
    etc_capture *c = start();
    for (int round = 0; round < 2; round++) {
        etc_span span = etc_start_delegate(c, 0, 1);
        etc_end_delegate(c, &span, "m", 1);
        etc_log_delegate(c, etc_intern(c, "xnn"), -1, 1, 2, NULL, 0);
        if (round == 0) {
            add_run(c, "Execute", 1);
            saved s;
            save(&s, c);
            free_saved(&s);
        }
    }
    saved s;
    save(&s, c);
    assert_int_equal(count_events(&s, 0), 1);
    free_saved(&s);
    assert_int_equal(stats_of(c).events_lost_state, 4);
}

/* It dies. The event starts before its run is recorded; an event belongs to the run in which it ends. */
static void an_event_of_a_delegate_that_starts_before_its_run(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_span span = etc_start_delegate(c, 0, 1);
    etc_run(c, "Execute");
    etc_end_delegate(c, &span, NULL, 0);
    etc_run_end(c);
    saved s;
    save(&s, c);
    assert_int_equal(count_events(&s, 0), 1);
    free_saved(&s);
}

/* It dies. */
static void allocators_and_allocations_before_a_run_or_after_saving(void **state) {
    (void)state;
    etc_capture *c = start();
    for (int round = 0; round < 2; round++) {
        assert_int_equal(etc_allocator(c, "arena"), 0);
        etc_allocation(c, 1, 16);
        if (round == 0) {
            add_run(c, "Execute", 1);
            saved s;
            save(&s, c);
            free_saved(&s);
        }
    }
    assert_int_equal(stats_of(c).events_lost_state, 4);
    saved s;
    save(&s, c);
    assert_int_equal(count_events(&s, 0), 1);
    assert_int_equal(eti__etdump_read_run(&s.dump, 0).allocators.count, 0);
    free_saved(&s);
}

/* It dies, or confuses the two kinds. */
static void a_span_of_the_other_kind(void **state) {
    (void)state;
    etc_config config = make_config();
    config.keep_partial_runs = true;
    etc_capture *c = start_with(&config, 4096);
    etc_run(c, "Execute");
    etc_span profile = etc_start_text(c, "a"), delegate = etc_start_delegate(c, 0, 1);
    etc_end(c, &delegate);
    etc_end_delegate(c, &profile, NULL, 0);
    etc_run_end(c);
    assert_runs(c, "{\"name\":\"Execute\"}");
    assert_int_equal(stats_of(c).events_lost_wrong, 2);
    assert_int_equal(stats_of(c).runs_partial, 1);
}

/* It dies. */
static void a_delegate_event_with_name_and_id_or_neither(void **state) {
    (void)state;
    etc_config config = make_config();
    config.keep_partial_runs = true;
    etc_capture *c = start_with(&config, 4096);
    etc_run(c, "Execute");
    etc_span span = etc_start_delegate(c, etc_intern(c, "both"), 1);
    etc_end_delegate(c, &span, NULL, 0);
    etc_log_delegate(c, 0, -1, 1, 2, NULL, 0);
    etc_run_end(c);
    assert_runs(c, "{\"name\":\"Execute\"}");
    assert_int_equal(stats_of(c).events_lost_wrong, 2);
    assert_int_equal(stats_of(c).runs_partial, 1);
}

/* It uses the chain and handle that are set when the event ends. */
static void a_delegate_event_belongs_to_the_instruction_it_started_in(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_run(c, "Execute");
    etc_set_instruction(c, 0, 3);
    etc_span span = etc_start_delegate(c, 0, 1);
    etc_unset_instruction(c);
    etc_end_delegate(c, &span, NULL, 0);
    etc_run_end(c);
    assert_runs(c, "{\"name\":\"Execute\",\"events\":[{\"profile_event\":{\"instruction_id\":3,"
                   "\"delegate_debug_id_int\":1,"
                   "\"delegate_debug_metadata\":[],\"start_time\":10,\"end_time\":20}}]}");
}

/* It dies when the block has events already. */
static void an_allocator_after_events(void **state) {
    (void)state;
    etc_capture *c = start();
    etc_run(c, "Execute");
    add_event(c, "first");
    assert_int_equal(etc_allocator(c, "late"), 1);
    etc_run_end(c);
    saved s;
    save(&s, c);
    eti_etdump_run run = eti__etdump_read_run(&s.dump, 0);
    assert_int_equal(run.allocators.count, 1);
    assert_text(eti__etdump_allocator_name(&s.dump, &run, 0), "late");
    free_saved(&s);
}

static etc_status log_type(etc_capture *c, etc_scalar_type type, size_t size) {
    static const int64_t one[] = {1};
    etc_tensor tensor = {(int32_t)type, 1, one, NULL, "12345678", size};
    return etc_log_tensor(c, ETC_OPERATOR, &tensor, 0);
}

/* It dies without a sink and when the sink is full; other types than ten corrupt the file. */
static void tensors_without_place_and_of_other_types(void **state) {
    (void)state;
    static uint8_t buffer[2];
    etc_config config = make_config();
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_capture *c = start_with(&config, 4096);
    etc_run(c, "Execute");
    assert_int_equal(log_type(c, ETC_FLOAT, 4), ETC_OK);
    etc_reset(c);
    assert_int_equal(etc_set_debug_buffer(c, buffer, sizeof buffer), ETC_OK);
    etc_run(c, "Execute");
    assert_int_equal(log_type(c, ETC_FLOAT, 4), ETC_FULL);
    assert_int_equal(log_type(c, ETC_HALF, 2), ETC_OK);
    assert_int_equal(log_type(c, (etc_scalar_type)16, 1), ETC_UNSUPPORTED);
    etc_run_end(c);
    assert_runs(
        c, "{\"name\":\"Execute\",\"events\":["
           "{\"debug_event\":{\"chain_index\":18446744073709551615,\"instruction_id\":0,\"debug_"
           "entry\":{\"val\":\"Tensor\","
           "\"tensor\":{\"scalar_type\":\"FLOAT\",\"sizes\":[1],\"strides\":[1],\"offset\":-1}}}},"
           "{\"debug_event\":{\"chain_index\":18446744073709551615,\"instruction_id\":0,\"debug_"
           "entry\":{\"val\":\"Tensor\","
           "\"tensor\":{\"scalar_type\":\"HALF\",\"sizes\":[1],\"strides\":[1]}}}}]}");
}

/* It dies. */
static void values_before_a_run_or_after_saving(void **state) {
    (void)state;
    static const int64_t one[] = {1};
    etc_tensor tensor = {ETC_FLOAT, 1, one, NULL, "1234", 4};
    etc_key key = {"xnn", -1};
    etc_config config = make_config();
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_capture *c = start_with(&config, 4096);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, 0), ETC_STATE);
        assert_int_equal(etc_log_tensors(c, key, &tensor, 1, 0), ETC_STATE);
        assert_int_equal(etc_log_int(c, key, 1, 0), ETC_STATE);
        assert_int_equal(etc_log_double(c, key, 0.5, 0), ETC_STATE);
        assert_int_equal(etc_log_bool(c, ETC_OPERATOR, true, 0), ETC_STATE);
        if (round == 0) {
            add_run(c, "Execute", 1);
            saved s;
            save(&s, c);
            free_saved(&s);
        }
    }
    assert_int_equal(stats_of(c).events_lost_state, 10);
    saved s;
    save(&s, c);
    assert_int_equal(count_events(&s, 0), 1);
    free_saved(&s);
}

static int append(void *context, const void *data, size_t size) {
    char *text = context;
    size_t used = strlen(text);
    memcpy(text + used, data, size);
    text[used + size] = '\0';
    return 0;
}

/* It forgets its debug buffer after saving, and then dies at the next tensor. Its Python binding writes
 * all of the buffer, not only the used part. */
static void the_debug_buffer_stays_after_saving(void **state) {
    (void)state;
    static uint8_t buffer[256];
    static const int64_t one[] = {1};
    etc_tensor tensor = {ETC_FLOAT, 1, one, NULL, "1234", 4};
    etc_config config = make_config();
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_capture *c = start_with(&config, 4096);
    assert_int_equal(etc_set_debug_buffer(c, buffer, sizeof buffer), ETC_OK);
    etc_run(c, "Execute");
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, 0), ETC_OK);
    etc_run_end(c);
    saved s;
    save(&s, c);
    free_saved(&s);
    char text[256] = "";
    assert_int_equal(etc_save_debug(c, NULL, (etc_sink){append, text}), ETC_OK);
    assert_string_equal(text, "1234");
    etc_run(c, "Execute");
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, 0), ETC_OK);
    etc_run_end(c);
    assert_int_equal(etc_debug_used(c), 68);
    assert_memory_equal(buffer + 64, "1234", 4);
    save(&s, c);
    assert_int_equal(count_events(&s, 1), 1);
    free_saved(&s);
}

/* It writes the contents at addresses, not offsets, that are divisible by 64: contents loaded elsewhere are not aligned. */
static void contents_are_aligned_in_a_buffer_that_is_not(void **state) {
    (void)state;
    static _Alignas(64) uint8_t buffer[256];
    static const int64_t one[] = {1};
    etc_tensor tensor = {ETC_FLOAT, 1, one, NULL, "1234", 4};
    etc_config config = make_config();
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_capture *c = start_with(&config, 4096);
    assert_int_equal(etc_set_debug_buffer(c, buffer + 8, sizeof buffer - 8), ETC_OK);
    etc_run(c, "Execute");
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, 0), ETC_OK);
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, &tensor, 0), ETC_OK);
    etc_run_end(c);
    assert_int_equal(etc_debug_used(c), 68);
    assert_memory_equal(buffer + 8, "1234", 4);
    assert_memory_equal(buffer + 8 + 64, "1234", 4);
}

/* It leaves the number out as if it were the default value, 0. */
static void the_sign_of_negative_zero_is_written(void **state) {
    (void)state;
    etc_config config = make_config();
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_capture *c = start_with(&config, 4096);
    etc_run(c, "Execute");
    assert_int_equal(etc_log_double(c, ETC_OPERATOR, -0.0, 0), ETC_OK);
    etc_run_end(c);
    assert_runs(c, "{\"name\":\"Execute\",\"events\":[{\"debug_event\":{\"chain_index\":"
                   "18446744073709551615,\"instruction_id\":0,\"debug_entry\":{\"val\":"
                   "\"Double\",\"double_value\":{\"double_val\":-0.0}}}}]}");
}

/* It writes the mark of an output for tensors only, and drops that of a number. */
static void numbers_are_no_program_outputs(void **state) {
    (void)state;
    etc_config config = make_config();
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    etc_capture *c = start_with(&config, 4096);
    etc_run(c, "Execute");
    assert_int_equal(etc_log_int(c, ETC_OPERATOR, 1, ETC_PROGRAM_OUTPUT), ETC_INVALID);
    assert_int_equal(etc_log_double(c, ETC_OPERATOR, 1, ETC_PROGRAM_OUTPUT), ETC_INVALID);
    assert_int_equal(etc_log_bool(c, ETC_OPERATOR, true, ETC_PROGRAM_OUTPUT), ETC_INVALID);
    etc_run_end(c);
    assert_runs(c, "{\"name\":\"Execute\"}");
    assert_int_equal(stats_of(c).events_lost_wrong, 3);
}

/* It drops everything that its filter is asked about if no pattern is set. */
static void a_filter_without_patterns_keeps_everything(void **state) {
    (void)state;
    etc_globs globs = {0};
    etc_config config = make_config();
    config.filter = etc_filter_globs;
    config.filter_context = &globs;
    etc_capture *c = start_with(&config, 4096);
    add_run(c, "Execute", 3);
    assert_int_equal(stats_of(c).events, 3);
}

/* It returns nothing, corrupts the heap or aborts. */
static void saving_twice_and_before_there_is_a_run(void **state) {
    (void)state;
    etc_capture *c = start();
    assert_nothing_to_save(c);
    add_run(c, "Execute", 3);
    for (int i = 0; i < 3; i++) {
        saved s;
        save(&s, c);
        assert_int_equal(count_events(&s, 0), 3);
        free_saved(&s);
    }
}

/* It never gets its memory back, and each file has all earlier ones after it. */
static void memory_is_used_again(void **state) {
    (void)state;
    etc_config config = make_config();
    etc_capture *c = start_with(&config, 2048);
    uint64_t first = 0;
    for (int i = 0; i < 100; i++) {
        etc_reset(c);
        add_run(c, "Execute", 20);
        uint64_t size;
        assert_int_equal(etc_save_size(c, NULL, &size), ETC_OK);
        first = first ? first : size;
        assert_int_equal(size, first);
    }
}

/* Uses names and metadata as large as an ETDump may hold. */
static void large_names_and_metadata(void **state) {
    (void)state;
    static char name[513];
    static uint8_t metadata[1 << 24];
    memset(name, 'n', sizeof name - 1);
    for (size_t i = 0; i < sizeof metadata; i++)
        metadata[i] = (uint8_t)(i * 131 >> 7);
    etc_config config = make_config();
    etc_capture *c = etc_init(large, sizeof large, &config);
    etc_run(c, name);
    etc_log_delegate(c, 0, 1, 1, 2, metadata, sizeof metadata);
    etc_log_delegate(c, 0, 1, 1, 2, metadata, sizeof metadata);
    etc_run_end(c);
    saved s;
    save(&s, c);
    for (uint32_t i = 0; i < 2; i++) {
        eti_text read = eti__etdump_read_stamps(&s.dump, event_at(&s, 0, i)).metadata;
        assert_int_equal(read.size, sizeof metadata);
        assert_memory_equal(read.data, metadata, sizeof metadata);
    }
    assert_int_equal(eti__etdump_read_run(&s.dump, 0).name.size, 511);
    free_saved(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_of_1_kib_is_enough),
        cmocka_unit_test(more_events_than_its_workspace_holds),
        cmocka_unit_test(full_memory_leaves_whole_runs),
        cmocka_unit_test(a_run_without_a_name),
        cmocka_unit_test(a_run_with_allocators_but_without_events),
        cmocka_unit_test(the_bundled_input_is_written),
        cmocka_unit_test(events_that_never_end_take_nothing),
        cmocka_unit_test(equal_names_are_written_once),
        cmocka_unit_test(an_event_that_ends_before_a_run_or_after_saving),
        cmocka_unit_test(events_of_delegates_before_a_run_or_after_saving),
        cmocka_unit_test(an_event_of_a_delegate_that_starts_before_its_run),
        cmocka_unit_test(allocators_and_allocations_before_a_run_or_after_saving),
        cmocka_unit_test(a_span_of_the_other_kind),
        cmocka_unit_test(a_delegate_event_with_name_and_id_or_neither),
        cmocka_unit_test(a_delegate_event_belongs_to_the_instruction_it_started_in),
        cmocka_unit_test(an_allocator_after_events),
        cmocka_unit_test(tensors_without_place_and_of_other_types),
        cmocka_unit_test(values_before_a_run_or_after_saving),
        cmocka_unit_test(the_debug_buffer_stays_after_saving),
        cmocka_unit_test(contents_are_aligned_in_a_buffer_that_is_not),
        cmocka_unit_test(the_sign_of_negative_zero_is_written),
        cmocka_unit_test(numbers_are_no_program_outputs),
        cmocka_unit_test(a_filter_without_patterns_keeps_everything),
        cmocka_unit_test(saving_twice_and_before_there_is_a_run),
        cmocka_unit_test(memory_is_used_again),
        cmocka_unit_test(large_names_and_metadata),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
