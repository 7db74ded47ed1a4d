/*
 * A capture in the caller's memory needs no heap, no stdio and no files: all its calls work while calls of the C library
 * end the program. The linker redirects the library's calls here (--wrap, see mk/tests.mk).
 */
#include "capture_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>

static bool is_trap_set;

/* Ends the program; an assertion of cmocka would need the heap. */
static void trap(const char *name) {
    if (!is_trap_set)
        return;
    is_trap_set = false;
    (void)fprintf(stderr, "%s() was called\n", name);
    abort();
}

/* X(type, name, parameters, arguments): functions that must not be called. */
#define TRAPPED(X)                                                                                 \
    X(void *, malloc, (size_t size), (size))                                                       \
    X(void *, calloc, (size_t n, size_t size), (n, size))                                          \
    X(void *, realloc, (void *block, size_t size), (block, size))                                  \
    X(FILE *, fopen, (const char *path, const char *mode), (path, mode))                           \
    X(size_t, fwrite, (const void *data, size_t size, size_t n, FILE *file),                       \
      (data, size, n, file))                                                                       \
    X(ssize_t, write, (int file, const void *data, size_t size), (file, data, size))               \
    X(void *, mmap, (void *at, size_t size, int protection, int flags, int file, off_t offset),    \
      (at, size, protection, flags, file, offset))

/* NOLINTBEGIN(bugprone-reserved-identifier): names that the linker makes */
#define TRAP(type, name, parameters, arguments)                                                    \
    type __real_##name parameters;                                                                 \
    type __wrap_##name parameters;                                                                 \
    type __wrap_##name parameters {                                                                \
        trap(#name);                                                                               \
        return __real_##name arguments;                                                            \
    }
TRAPPED(TRAP)
#undef TRAP

void __real_free(void *block);
void __wrap_free(void *block);
void __wrap_free(void *block) {
    trap("free");
    __real_free(block);
}
/* NOLINTEND(bugprone-reserved-identifier) */

/* ---- calls ----------------------------------------------------------------------------------- */

static void record_values(etc_capture *c) {
    static const int64_t sizes[] = {3};
    static const float data[] = {1, 2, 3};
    const etc_tensor tensors[] = {{ETC_FLOAT, 1, sizes, NULL, data, sizeof data},
                                  {ETC_FLOAT, 1, sizes, NULL, data, sizeof data}};
    assert_int_equal(etc_log_tensor(c, ETC_OPERATOR, tensors, ETC_PROGRAM_OUTPUT), ETC_OK);
    assert_int_equal(etc_log_tensors(c, (etc_key){"key", -1}, tensors, 2, 0), ETC_OK);
    assert_int_equal(etc_log_int(c, ETC_OPERATOR, 1, 0), ETC_OK);
    assert_int_equal(etc_log_double(c, ETC_OPERATOR, 1, 0), ETC_OK);
    assert_int_equal(etc_log_bool(c, (etc_key){NULL, 5}, true, 0), ETC_OK);
}

/* Records 12 events: 7 here, and 5 values. */
static void record_events(etc_capture *c) {
    etc_name name = etc_intern(c, "layer");
    etc_set_instruction(c, 0, 7);
    etc_span span = etc_start(c, name);
    etc_end(c, &span);
    span = etc_start_op(c, name);
    etc_end(c, &span);
    span = etc_start_text(c, "text that is not UTF-8: \xff");
    etc_end(c, &span);
    etc_unset_instruction(c);
    etc_log(c, name, 1, 2);
    span = etc_start_delegate(c, name, -1);
    etc_end_delegate(c, &span, "metadata", 8);
    etc_log_delegate(c, 0, 3, 1, 2, NULL, 0);
    { ETC_SCOPE(c, name); }
    record_values(c);
}

static int count_bytes(void *context, const void *data, size_t size) {
    (void)data;
    *(uint64_t *)context += size;
    return 0;
}

static void count_character(void *context, char character) {
    (void)character;
    ++*(uint64_t *)context;
}

static void save_everywhere(const etc_capture *c, uint64_t n_runs, uint64_t n_events) {
    static uint8_t file[65536];
    uint64_t size, written = 0, debug = 0, printed = 0, runs, events;
    size_t used;
    etc_save_options options = ETC_SAVE_OPTIONS_INIT;
    assert_int_equal(etc_save_size(c, NULL, &size), ETC_OK);
    assert_int_equal(etc_save(c, NULL, (etc_sink){count_bytes, &written}), ETC_OK);
    assert_int_equal(etc_save_memory(c, NULL, file, sizeof file, &used), ETC_OK);
    assert_true(size == written && size == used);
    assert_int_equal(etc_count_saved(c, NULL, &runs, &events), ETC_OK);
    assert_true(runs == n_runs && events == n_events);
    options.line_width = 76;
    assert_int_equal(etc_print(c, &options, count_character, &printed), ETC_OK);
    assert_true(printed > size * 4 / 3);
    assert_int_equal(etc_save_debug(c, NULL, (etc_sink){count_bytes, &debug}), ETC_OK);
    assert_true((debug == 0) == (etc_debug_used(c) == 0));
}

static etc_config configure(etc_when_full when_full, etc_globs *globs) {
    etc_config config = make_config();
    config.when_full = when_full;
    config.keep_runs = 2;
    config.skip_runs = 1;
    config.auto_handles = true;
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    config.filter = etc_filter_globs;
    config.filter_context = globs;
    return config;
}

/* Records runs with a lane in given memory, and saves them. */
static void use_all_calls(etc_when_full when_full) {
    static const char *const excluded[] = {"nothing"};
    static _Alignas(64) uint8_t lane_memory[16384], copy_memory[65536];
    static uint8_t buffers[2][4096];
    etc_globs globs = {.exclude = excluded, .n_exclude = 1};
    etc_config config = configure(when_full, &globs);
    bool has_values = when_full == ETC_STOP;
    etc_capture *c = start_with(&config, sizeof memory);
    if (has_values)
        assert_int_equal(etc_set_debug_buffer(c, buffers[0], sizeof buffers[0]), ETC_OK);
    etc_capture *lane = etc_lane(c, lane_memory, sizeof lane_memory);
    assert_non_null(lane);
    if (has_values)
        assert_int_equal(etc_set_debug_buffer(lane, buffers[1], sizeof buffers[1]), ETC_OK);
    etc_set_bundled_input(c, 1);
    for (int run = 0; run < 3; run++) {
        etc_run(c, "Execute");
        etc_allocation(c, etc_allocator(c, "heap"), 64);
        record_events(c);
        record_events(lane);
    }
    etc_run_end(c);
    save_everywhere(c, 2, 50);
    etc_stats stats = stats_of(c);
    assert_true(stats.runs == 2 && stats.runs_outside == 1 && stats.events == 50);

    etc_config plain = make_config();
    etc_capture *copy = etc_init(copy_memory, sizeof copy_memory, &plain);
    assert_int_equal(etc_append(copy, c, NULL), ETC_OK);
    save_everywhere(copy, 2, 50);
    etc_reset(c);
    assert_nothing_to_save(c);
    etc_close(c); /* frees nothing */
}

static void all_calls_without_heap_and_files(void **state) {
    (void)state;
    is_trap_set = true;
    use_all_calls(ETC_STOP);
    use_all_calls(ETC_RING);
    assert_string_equal(etc_status_text(ETC_OK), "success");
    is_trap_set = false;
}

static void a_ring_that_goes_round_without_heap(void **state) {
    (void)state;
    etc_config config = make_config();
    config.when_full = ETC_RING;
    is_trap_set = true;
    etc_capture *c = start_with(&config, 4096);
    add_run(c, "Default", 2);
    for (int run = 0; run < 1000; run++)
        add_run(c, "Execute", 5);
    uint64_t written = 0;
    assert_int_equal(etc_save(c, NULL, (etc_sink){count_bytes, &written}), ETC_OK);
    is_trap_set = false;
    assert_true(written > 1000);
    assert_true(stats_of(c).runs_dropped > 900);
}

static void values_into_a_sink_without_heap(void **state) {
    (void)state;
    etc_config config = make_config();
    config.debug_level = ETC_DEBUG_INTERMEDIATE_OUTPUTS;
    uint64_t written = 0;
    is_trap_set = true;
    etc_capture *c = start_with(&config, 4096);
    assert_int_equal(etc_set_debug_sink(c, (etc_sink){count_bytes, &written}), ETC_OK);
    etc_run(c, "Execute");
    record_values(c);
    etc_run_end(c);
    assert_int_equal(etc_debug_sink_error(c), 0);
    is_trap_set = false;
    assert_int_equal(written, etc_debug_used(c));
    assert_int_equal(written, 2 * 64 + 12);
}

/* A capture with its own memory calls them: this shows that the traps work. */
static void the_hosted_part_maps_memory(void **state) {
    (void)state;
    etc_capture *c = NULL;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        is_trap_set = true;
        (void)dup2(open("/dev/null", O_WRONLY), STDERR_FILENO); /* NOLINT: no longer needed */
        etc_open(&c, NULL);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_calls_without_heap_and_files),
        cmocka_unit_test(a_ring_that_goes_round_without_heap),
        cmocka_unit_test(values_into_a_sink_without_heap),
        cmocka_unit_test(the_hosted_part_maps_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
