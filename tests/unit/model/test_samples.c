#include "model/inspector.h"
#include "model_fixture.h"

#include "model/samples.h"

static eti_options defaults(void) {
    return (eti_options)ETI_OPTIONS_DEFAULT;
}

static eti_status fill(model *m, const eti_options *options) {
    eti_status status = ETI_OK;
    for (size_t i = 0; i < m->blocks.n_blocks && status == ETI_OK; i++)
        status = eti__samples_fill(&m->blocks.blocks[i], &m->arena, options, &m->err);
    return status;
}

/* Returns the sample of the only event of a dump. */
static double sample_of(profile_spec spec, eti_options options) {
    model m = {0};
    build_model(&m, DUMP(&m.b, RUN(&m.b, "r", put_event(&m.b, put_profile(&m.b, &spec), 0, 0))));
    if (fill(&m, &options) != ETI_OK)
        fail_msg("%s", m.err.message);
    assert_int_equal(eti_event_sample_count(&m.blocks.blocks[0].events[0]), 1);
    double sample = eti_event_raw(&m.blocks.blocks[0].events[0])[0];
    free_model(&m);
    return sample;
}

#define SAMPLE(options, ...) sample_of((profile_spec){__VA_ARGS__}, (options))

static void a_stamp_difference_is_divided_by_the_scale(void **state) {
    (void)state;
    eti_options options = defaults();
    assert_bits(SAMPLE(options, .start_time = 1173212209, .end_time = 1173213321), 0.001112);
    options.source_time_scale = ETI_SCALE_S;
    options.target_time_scale = ETI_SCALE_NS;
    assert_bits(SAMPLE(options, .end_time = 4), 3999999999.9999995);
    options.source_time_scale = options.target_time_scale = ETI_SCALE_CYCLES;
    assert_bits(SAMPLE(options, .start_time = 3, .end_time = 10), 7.0);
}

static void delegates_stamps_are_scaled_before_they_are_subtracted(void **state) {
    (void)state;
    eti_options options = defaults();
    assert_bits(SAMPLE(options, .delegate_id_int = SOME(0), .start_time = 1173212209,
                       .end_time = 1173213321),
                0.001111999999920954);
    assert_bits(
        SAMPLE(options, .delegate_id_str = "d", .start_time = 1173212209, .end_time = 1173213321),
        0.001111999999920954);
}

static void exact_time_treats_delegates_like_others(void **state) {
    (void)state;
    eti_options options = defaults();
    options.exact_time = true;
    assert_bits(SAMPLE(options, .delegate_id_int = SOME(0), .start_time = 1173212209,
                       .end_time = 1173213321),
                0.001112);
}

static void a_clock_of_32_bits_wraps_around(void **state) {
    (void)state;
    eti_options options = defaults();
    options.target_time_scale = ETI_SCALE_NS;
    assert_bits(SAMPLE(options, .start_time = 4294967291u, .end_time = 10), 14.0);
    options.target_time_scale = ETI_SCALE_MS;
    assert_bits(SAMPLE(options, .start_time = 4294967291u, .end_time = 10), 14.0 / 1e6);
    assert_bits(
        SAMPLE(options, .delegate_id_int = SOME(1), .start_time = 4294967291u, .end_time = 10),
        4294963000.032719);
    options.exact_time = true;
    assert_bits(
        SAMPLE(options, .delegate_id_int = SOME(1), .start_time = 4294967291u, .end_time = 10),
        14.0 / 1e6);
}

static void time_that_runs_backwards_beyond_32_bits_is_an_error(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    eti_options options = defaults();
    build_model(&m,
                DUMP(b, RUN(b, "r", TIMED(b, .name = "a", .end_time = 1)),
                     RUN(b, "r", TIMED(b, .name = "a", .start_time = 4294967296u, .end_time = 5))));
    assert_int_equal(fill(&m, &options), ETI_ERROR_DATA);
    assert_string_equal(m.err.message,
                        "test.etdp: run 1: event a: start_time 4294967296 is after end_time 5, and "
                        "only 32-bit clocks (up to 4294967295) can wrap around");
    free_model(&m);
}

static void a_delegates_stamps_must_fit_32_bits_only_when_scaled(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "r",
                                TIMED(b, .delegate_id_int = SOME(1), .start_time = 4294967296u,
                                      .end_time = 5))));
    eti_options options = defaults();
    assert_int_equal(fill(&m, &options), ETI_OK);
    options.target_time_scale = ETI_SCALE_NS;
    assert_int_equal(fill(&m, &options), ETI_ERROR_DATA);
    free_model(&m);
}

/* ---- scales of delegates --------------------------------------------------------------------- */

static void a_delegates_own_scale_goes_by_backend_and_else_by_default(void **state) {
    (void)state;
    const eti_delegate_time_scale scales[] = {
        {NULL, ETI_SCALE_US}, {"Npu", ETI_SCALE_CYCLES}, {"Npu", ETI_SCALE_S}};
    eti_options options = defaults();
    assert_null(eti__delegate_time_scale_for(&options, eti__text_of("Npu")));
    options.delegate_time_scales = scales;
    options.n_delegate_time_scales = 3;
    assert_ptr_equal(eti__delegate_time_scale_for(&options, eti__text_of("Npu")), &scales[2]);
    assert_ptr_equal(eti__delegate_time_scale_for(&options, eti__text_of("Npus")), &scales[0]);
    assert_ptr_equal(eti__delegate_time_scale_for(&options, eti__text_of(NULL)), &scales[0]);
    options.delegate_time_scales = scales + 1;
    options.n_delegate_time_scales = 2;
    assert_null(eti__delegate_time_scale_for(&options, eti__text_of(NULL)));
}

static void only_delegates_have_a_scale_of_their_own(void **state) {
    (void)state;
    const eti_delegate_time_scale scales[] = {{NULL, ETI_SCALE_US}};
    eti_options options = defaults();
    options.delegate_time_scales = scales;
    options.n_delegate_time_scales = 1;
    assert_bits(SAMPLE(options, .name = "a", .end_time = 5000), 0.005);
    assert_bits(SAMPLE(options, .delegate_id_int = SOME(1), .end_time = 5000), 5.0);
}

static void cycles_of_a_delegate_are_shown_as_counted(void **state) {
    (void)state;
    const eti_delegate_time_scale scales[] = {{"Npu", ETI_SCALE_CYCLES}};
    eti_options options = defaults();
    options.delegate_time_scales = scales;
    options.n_delegate_time_scales = 1;
    model m = {0};
    builder *b = &m.b;
    build_model(
        &m, DUMP(b, RUN(b, "r",
                        TIMED(b, .delegate_id_int = SOME(1), .start_time = 10, .end_time = 5010),
                        TIMED(b, .delegate_id_int = SOME(2), .end_time = 5000))));
    const eti_event_record npu = {.backend_name = eti__text_of("Npu"), .num_outputs = 1};
    m.blocks.blocks[0].events[0].record = &npu;
    assert_int_equal(fill(&m, &options), ETI_OK);
    assert_bits(eti_event_raw(&m.blocks.blocks[0].events[0])[0], 5000.0);
    assert_bits(eti_event_raw(&m.blocks.blocks[0].events[1])[0], 0.005);
    free_model(&m);
}

/* 400,000 cycles per millisecond, but only for the clock given with --clock_hz. */
static void a_delegates_own_cycles_are_of_another_clock(void **state) {
    (void)state;
    const eti_delegate_time_scale scales[] = {{NULL, ETI_SCALE_CYCLES}};
    eti_options options = defaults();
    options.source_time_scale = ETI_SCALE_CYCLES;
    options.clock_hz = 400e6;
    assert_bits(SAMPLE(options, .name = "a", .end_time = 8000), 0.02);
    assert_bits(SAMPLE(options, .delegate_id_int = SOME(1), .end_time = 8000), 0.02);
    options.delegate_time_scales = scales;
    options.n_delegate_time_scales = 1;
    assert_bits(SAMPLE(options, .name = "a", .end_time = 8000), 0.02);
    assert_bits(SAMPLE(options, .delegate_id_int = SOME(1), .end_time = 8000), 8000.0);
}

/* ---- other values of a sample ---------------------------------------------------------------- */

static void every_run_gives_a_sample_in_order(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "r", TIMED(b, .name = "a", .start_time = 30, .end_time = 37)),
                         RUN(b, "r", TIMED(b, .name = "a", .start_time = 10, .end_time = 11)),
                         RUN(b, "r", TIMED(b, .name = "a", .start_time = 20, .end_time = 24))));
    eti_options options = defaults();
    options.target_time_scale = ETI_SCALE_NS;
    assert_int_equal(fill(&m, &options), ETI_OK);
    const eti_event *event = &m.blocks.blocks[0].events[0];
    assert_int_equal(eti_event_sample_count(event), 3);
    static const uint64_t starts[] = {30, 10, 20};
    static const double samples[] = {7, 1, 4};
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(eti_event_start_time(event)[i], starts[i]);
        assert_bits(eti_event_raw(event)[i], samples[i]);
    }
    eti_summary summary;
    assert_true(eti_event_summary(event, &summary));
    assert_bits(summary.min, 1.0);
    assert_bits(summary.avg, 4.0);
    assert_bits(summary.p50, 4.0);
    assert_bits(summary.max, 7.0);
    free_model(&m);
}

static void start_times_are_not_scaled(void **state) {
    (void)state;
    model m = {0};
    build_model(&m, DUMP(&m.b, RUN(&m.b, "r",
                                   TIMED(&m.b, .delegate_id_int = SOME(1), .start_time = UINT64_MAX,
                                         .end_time = UINT64_MAX))));
    eti_options options = defaults();
    assert_int_equal(fill(&m, &options), ETI_OK);
    assert_true(eti_event_start_time(&m.blocks.blocks[0].events[0])[0] == UINT64_MAX);
    free_model(&m);
}

static void metadata_has_an_entry_per_sample_or_none_at_all(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(
        &m, DUMP(b, RUN(b, "r", TIMED(b, .name = "some", .metadata = ""), TIMED(b, .name = "no")),
                 RUN(b, "r", TIMED(b, .name = "some", .metadata = "m\xff"),
                     TIMED(b, .name = "no", .metadata = ""))));
    eti_options options = defaults();
    assert_int_equal(fill(&m, &options), ETI_OK);
    const eti_event *events = m.blocks.blocks[0].events;
    assert_int_equal(eti_event_delegate_debug_metadata_count(&events[0]), 2);
    assert_int_equal(eti_event_delegate_debug_metadata(&events[0], 0).size, 0);
    assert_text(eti_event_delegate_debug_metadata(&events[0], 1), "m\xff");
    assert_int_equal(eti_event_delegate_debug_metadata_count(&events[1]), 0);
    free_model(&m);
}

static void events_that_were_only_logged_have_no_samples(void **state) {
    (void)state;
    model m = {0};
    builder *b = &m.b;
    build_model(&m, DUMP(b, RUN(b, "r", LOGGED(b, .name = "d", .value = INT_VALUE(b, 1))),
                         put_run(b, &(run_spec){.name = "e", .events = put_tables(b, NULL, 0)})));
    eti_options options = defaults();
    assert_int_equal(fill(&m, &options), ETI_OK);
    assert_int_equal(eti_event_sample_count(&m.blocks.blocks[0].events[0]), 0);
    assert_null(eti_event_raw(&m.blocks.blocks[0].events[0]));
    free_model(&m);
}

/* The debug event says delegate, but the event that took the time was not delegated. */
static void delegation_is_judged_before_debug_events(void **state) {
    (void)state;
    model m = {0};
    build_model(&m, DUMP(&m.b, RUN(&m.b, "r",
                                   TIMED(&m.b, .name = "a", .start_time = 1173212209,
                                         .end_time = 1173213321))));
    eti_event *event = &m.blocks.blocks[0].events[0];
    event->is_delegated_op = true;
    eti_options options = defaults();
    assert_int_equal(fill(&m, &options), ETI_OK);
    assert_bits(eti_event_raw(event)[0], 0.001112);
    free_model(&m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stamp_difference_is_divided_by_the_scale),
        cmocka_unit_test(delegates_stamps_are_scaled_before_they_are_subtracted),
        cmocka_unit_test(exact_time_treats_delegates_like_others),
        cmocka_unit_test(a_clock_of_32_bits_wraps_around),
        cmocka_unit_test(time_that_runs_backwards_beyond_32_bits_is_an_error),
        cmocka_unit_test(a_delegates_stamps_must_fit_32_bits_only_when_scaled),
        cmocka_unit_test(a_delegates_own_scale_goes_by_backend_and_else_by_default),
        cmocka_unit_test(only_delegates_have_a_scale_of_their_own),
        cmocka_unit_test(cycles_of_a_delegate_are_shown_as_counted),
        cmocka_unit_test(a_delegates_own_cycles_are_of_another_clock),
        cmocka_unit_test(every_run_gives_a_sample_in_order),
        cmocka_unit_test(start_times_are_not_scaled),
        cmocka_unit_test(metadata_has_an_entry_per_sample_or_none_at_all),
        cmocka_unit_test(events_that_were_only_logged_have_no_samples),
        cmocka_unit_test(delegation_is_judged_before_debug_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
