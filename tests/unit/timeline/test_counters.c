/* Tests counters beside slices: one line per sample, "counter|time|value". */
#include "slices_fixture.h"
#include "timed_events.h"

#include <inttypes.h>

#define ALLOCATION(b, id, size) put_event(b, 0, put_allocation(b, id, size), 0)

/* A run with two allocators, "pool" and "temp". */
#define TRACKED(b, ...)                                                                            \
    put_run(b, &(run_spec){.name = "Execute",                                                      \
                           .allocators = put_tables(                                               \
                               b, PLACES(PUT_TABLE(b, target_slot(put_string(b, "pool"))),         \
                                         PUT_TABLE(b, target_slot(put_string(b, "temp"))))),       \
                           .events = EVENTS(b, __VA_ARGS__)})

static const eti_view_options defaults = ETI_VIEW_OPTIONS_DEFAULT;

static void add_sample_lines(eti_buffer *out, const eti_slice_source *source,
                             const eti_slices *slices, const eti_sliced_run *run) {
    for (size_t i = 0; i < run->n_samples; i++) {
        const eti_slice_sample *sample = &run->samples[i];
        eti__slice_counter_add_name(source, eti__slices_counter(slices, sample->counter), out);
        eti__buffer_printf(out, "|%" PRIu64 "|%" PRId64 "\n", sample->time, sample->value);
    }
}

static void assert_source_samples(eti_slice_source *source, const char *expected) {
    eti_error err = ETI_ERROR_INIT;
    eti_buffer text = {0};
    eti_slices *slices;
    eti_sliced_run run = {0};
    assert_ok(eti__slice_source_add_counters(source, &err));
    assert_ok(eti__slices_open(&slices, source, NULL, &err));
    do {
        assert_ok(eti__slices_next(slices, &run, &err));
        add_sample_lines(&text, source, slices, &run);
    } while (run.run);
    eti__buffer_add_char(&text, '\0');
    assert_string_equal(text.data, expected);
    eti__buffer_free(&text);
    eti__slices_close(slices);
}

static void assert_samples(session *s, place dump, const eti_view_options *options,
                           const char *expected) {
    eti_slice_source source;
    eti_error err = ETI_ERROR_INIT;
    open_session(s, dump, NULL);
    assert_ok(eti__slice_source_make(&source, s->inspector, options, 0, &err));
    assert_source_samples(&source, expected);
    eti__slice_source_free(&source);
    close_session(s);
}

/* Runs that only load would hide the times of all others. */
static void each_run_has_its_time(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_samples(&s,
                   DUMP(b, RUN(b, "Default", CALL(b, "Method::init", 0, 10, 5000)),
                        RUN(b, "Execute", CALL(b, "Method::execute", 0, 6000, 6040)),
                        RUN(b, "Execute", CALL(b, "Method::execute", 0, 6100, 6107))),
                   &defaults,
                   "run time|5990|40\n"
                   "run time|6090|7\n");
}

/* An allocation between two events gets the end of the first; one inside an event that is recorded later gets that event's
 * start. */
static void allocations_stand_behind_the_event_before(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_samples(
        &s,
        DUMP(b, TRACKED(b, ALLOCATION(b, 1, 100), CALL(b, "a", 1, 1020, 1040), ALLOCATION(b, 2, 7),
                        ALLOCATION(b, 1, 50), CALL(b, "b", 2, 1060, 1070),
                        CALL(b, "Method::execute", 0, 1010, 1090), ALLOCATION(b, 1, 1))),
        &defaults,
        "run time|0|80\n"
        "pool|10|100\n"
        "temp|50|7\n"
        "pool|50|150\n"
        "pool|80|151\n");
}

static void later_records_are_never_earlier(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_samples(&s,
                   DUMP(b, TRACKED(b, CALL(b, "a", 1, 1020, 1040), ALLOCATION(b, 1, 1),
                                   CALL(b, "late", 2, 1080, 1082), CALL(b, "early", 3, 1050, 1060),
                                   ALLOCATION(b, 1, 2), CALL(b, "Method::execute", 0, 1010, 1090))),
                   &defaults,
                   "run time|0|80\n"
                   "pool|70|1\n"
                   "pool|70|3\n");
}

static void the_next_run_begins_at_0(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_samples(&s,
                   DUMP(b,
                        TRACKED(b, CALL(b, "Method::execute", 0, 10, 20), ALLOCATION(b, 1, 100),
                                ALLOCATION(b, 2, 3)),
                        TRACKED(b, CALL(b, "Method::execute", 0, 30, 40)),
                        TRACKED(b, CALL(b, "Method::execute", 0, 50, 60), ALLOCATION(b, 2, 4))),
                   &defaults,
                   "run time|0|10\n"
                   "pool|10|100\n"
                   "temp|10|3\n"
                   "run time|20|10\n"
                   "pool|20|0\n"
                   "temp|20|0\n"
                   "run time|40|10\n"
                   "temp|50|4\n");
}

static void aligned_runs_have_counters_of_their_own(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_view_options options = defaults;
    options.trace_time = 1;
    assert_samples(&s,
                   DUMP(b, TRACKED(b, CALL(b, "Method::execute", 0, 10, 20), ALLOCATION(b, 1, 100)),
                        TRACKED(b, CALL(b, "Method::execute", 0, 30, 40), ALLOCATION(b, 1, 4))),
                   &options,
                   "run 0, pool|10|100\n"
                   "run 1, pool|10|4\n");
}

/* No sum exceeds the largest number that viewers can read. */
static void sums_are_saturated(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_samples(&s,
                   DUMP(b, TRACKED(b, CALL(b, "a", 1, 10, 20), ALLOCATION(b, 1, UINT64_MAX),
                                   ALLOCATION(b, 1, 5))),
                   &defaults,
                   "run time|0|10\n"
                   "pool|10|9223372036854775807\n"
                   "pool|10|9223372036854775807\n");
}

/* Chrome's form repeats names in each sample. */
static void long_names_are_cut_and_stay_distinct(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    char name[400], expected[400];
    memset(name, 'x', sizeof name - 1);
    name[sizeof name - 1] = '\0';
    snprintf(expected, sizeof expected, "run time|0|10\n%.256s... #0|10|1\n", name);
    place run =
        put_run(b, &(run_spec){.name = "Execute",
                               .allocators = put_tables(
                                   b, PLACES(PUT_TABLE(b, target_slot(put_string(b, name))))),
                               .events = EVENTS(b, CALL(b, "a", 1, 10, 20), ALLOCATION(b, 1, 1))});
    assert_samples(&s, DUMP(b, run), &defaults, expected);
}

/* ---- planned memory -------------------------------------------------------------------------- */

/* Opens a profile of testdata/ with its program, and chooses the first run of the block. */
static void open_planned(eti_inspector **inspector, eti_slice_source *source, const char *name) {
    char dump_path[128], program_path[128];
    snprintf(dump_path, sizeof dump_path, "testdata/%s/run.etdp", name);
    snprintf(program_path, sizeof program_path, "testdata/%s/model.pte", name);
    const eti_source dump = {.path = dump_path}, program = {.path = program_path};
    const eti_inputs inputs = {
        .etdumps = &dump, .n_etdumps = 1, .programs = &program, .n_programs = 1};
    eti_error err = ETI_ERROR_INIT;
    eti_view_options options = defaults;
    options.block = "Execute";
    options.runs = "0";
    assert_ok(eti__inspector_open(inspector, &inputs, NULL, &err));
    assert_ok(eti__slice_source_make(source, *inspector, &options, 0, &err));
}

/* The bytes are those of `etinspect memory`, the times those of the OPERATOR_CALLs. */
static void planned_memory_steps_with_instructions(void **state) {
    (void)state;
    eti_inspector *inspector;
    eti_slice_source source;
    open_planned(&inspector, &source, "small");
    assert_source_samples(&source, "run time|0|24075\n"
                                   "planned memory 1|761|16\n"
                                   "planned memory 1|17142|24\n"
                                   "planned memory 1|24075|0\n");
    eti__slice_source_free(&source);
    eti_inspector_close(inspector);
}

/* Returns the last value of a counter up to a given time. */
static uint64_t value_at(const eti_sliced_run *run, uint64_t time) {
    uint64_t value = 0;
    for (size_t i = 0; i < run->n_samples; i++) {
        if (run->samples[i].counter == 1 && run->samples[i].time <= time)
            value = (uint64_t)run->samples[i].value;
    }
    return value;
}

/* The first instructions of the chains share one Event; the chain of each call determines the instruction. */
static void chains_are_distinguished(void **state) {
    (void)state;
    static const uint64_t expected[] = {68,  69,  80,  96,  128, 144, 128, 128,
                                        144, 128, 128, 144, 128, 96,  96,  96};
    eti_inspector *inspector;
    eti_slice_source source;
    eti_error err = ETI_ERROR_INIT;
    eti_slices *slices;
    eti_sliced_run run;
    size_t n = 0;
    open_planned(&inspector, &source, "control-flow-chains");
    assert_ok(eti__slice_source_add_counters(&source, &err));
    assert_ok(eti__slices_open(&slices, &source, NULL, &err));
    assert_ok(eti__slices_next(slices, &run, &err));
    assert_int_equal(eti__slices_counter(slices, 1)->kind, ETI_COUNTER_ARENA);
    for (size_t i = 0; i < run.n_slices; i++) {
        uint32_t event = run.slices[i].event;
        if (event == ETI_NO_EVENT ||
            !eti__text_begins_with(run.block->events[event].name, "native_call_"))
            continue;
        assert_true(n < sizeof expected / sizeof *expected);
        assert_int_equal(value_at(&run, run.slices[i].start), expected[n++]);
    }
    assert_int_equal(n, sizeof expected / sizeof *expected);
    eti__slices_close(slices);
    eti__slice_source_free(&source);
    eti_inspector_close(inspector);
}

/* Each call of a delegate has a sample of what the delegate counted, at its start; units are counters of their own. */
static void delegates_count_in_each_call(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_samples(&s,
                   DUMP(b, RUN(b, "Execute", DELEGATED(b, "conv:OpId_3 (cycles)", 1, 0, 30),
                               DELEGATED(b, "DDR spill (bytes)", 1, 0, 4096),
                               DELEGATED(b, "DDR spill (count)", 1, 0, 7),
                               CALL(b, "DELEGATE_CALL", 1, 1001, 2000),
                               DELEGATED(b, "relu:OpId_5 (cycles)", 2, 0, 10),
                               DELEGATED(b, "DDR spill (bytes)", 2, 0, 512),
                               CALL(b, "DELEGATE_CALL", 2, 3000, 4000),
                               EVENT(b, "Method::execute", 1000, 6000))),
                   &defaults,
                   "run time|0|5000\n"
                   "DDR spill|1|4096\n"
                   "DDR spill|1|7\n"
                   "DDR spill|2000|512\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_run_has_its_time),
        cmocka_unit_test(allocations_stand_behind_the_event_before),
        cmocka_unit_test(later_records_are_never_earlier),
        cmocka_unit_test(the_next_run_begins_at_0),
        cmocka_unit_test(aligned_runs_have_counters_of_their_own),
        cmocka_unit_test(sums_are_saturated),
        cmocka_unit_test(long_names_are_cut_and_stay_distinct),
        cmocka_unit_test(planned_memory_steps_with_instructions),
        cmocka_unit_test(chains_are_distinguished),
        cmocka_unit_test(delegates_count_in_each_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
