#include "slices_fixture.h"
#include "timed_events.h"

#include "timeline/slice_clock.h"
#include "timeline/slice_source.h"

static const eti_view_options defaults = ETI_VIEW_OPTIONS_DEFAULT;

static void assert_slices(session *s, place dump, const char *expected) {
    assert_slices_as(s, dump, &defaults, expected);
}

/* ---- nesting --------------------------------------------------------------------------------- */

static void slices_nest_and_start_at_the_first_stamp(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_slices(
        &s,
        DUMP(b,
             RUN(b, "Execute", CALL(b, "native_call_add.out", 1, 1012, 1018),
                 CALL(b, "OPERATOR_CALL", 1, 1011, 1020), EVENT(b, "Method::execute", 1010, 1050)),
             RUN(b, "Execute", CALL(b, "native_call_add.out", 1, 1102, 1108),
                 CALL(b, "OPERATOR_CALL", 1, 1101, 1110), EVENT(b, "Method::execute", 1100, 1140))),
        "method|0|Execute #0|0-40\n"
        "method|1|Method::execute|0-40\n"
        "method|2|OPERATOR_CALL|1-10\n"
        "method|3|native_call_add.out|2-8\n"
        "method|0|Execute #1|90-130\n"
        "method|1|Method::execute|90-130\n"
        "method|2|OPERATOR_CALL|91-100\n"
        "method|3|native_call_add.out|92-98\n");
}

/* Of two equal slices the one recorded later is outside; a slice without length contains nothing, and slices at one stamp
 * stay siblings in the order of recording. */
static void equal_slices_and_those_without_length(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_slices(
        &s,
        DUMP(b, RUN(b, "Execute", CALL(b, "inner", 1, 10, 20), CALL(b, "outer", 2, 10, 20),
                    CALL(b, "zero a", 3, 30, 30), CALL(b, "zero b", 4, 30, 30),
                    CALL(b, "c", 5, 30, 40), CALL(b, "at the end", 6, 50, 50),
                    EVENT(b, "Method::execute", 10, 50))),
        "method|0|Execute #0|0-40\n"
        "method|1|Method::execute|0-40\n"
        "method|2|outer|0-10\n"
        "method|3|inner|0-10\n"
        "method|2|c|20-30\n"
        "method|3|zero a|20-20\n"
        "method|3|zero b|20-20\n"
        "method|2|at the end|40-40\n");
}

/* One track for each thread and queue, with the name that the first run has for it among its allocators. */
static void lanes_have_tracks_of_their_own(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    const run_spec run = {
        .name = "Execute",
        .allocators = put_tables(
            b, PLACES(PUT_TABLE(b, target_slot(put_string(b, "heap"))),
                      PUT_TABLE(b, target_slot(put_string(b, "etcapture lane 1: not \xff UTF-8"))),
                      PUT_TABLE(b, target_slot(put_string(b, "etcapture lane 12: another"))),
                      PUT_TABLE(b, target_slot(put_string(b, "etcapture lane 12: matrix unit"))))),
        .events = EVENTS(b, CALL(b, "conv", 0, 10, 50), ON_LANE(b, "half", 1u, 20, 70),
                         ON_LANE(b, "inner", 1u, 20, 30), ON_LANE(b, "matmul", 12u, 40, 55),
                         ON_LANE(b, "late", 1u, 25, 40)),
    };
    assert_slices(&s, DUMP(b, put_run(b, &run)),
                  "method|0|Execute #0|0-60\n"
                  "method|1|conv|0-40\n"
                  "not \xef\xbf\xbd UTF-8|0|half|10-60\n"
                  "not \xef\xbf\xbd UTF-8|1|inner|10-20\n"
                  "not \xef\xbf\xbd UTF-8 (overlap 2)|0|late|15-30\n"
                  "matrix unit|0|matmul|30-45\n");
}

static void a_run_without_length_is_around_nothing(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_slices(
        &s, DUMP(b, RUN(b, "Execute", CALL(b, "a", 1, 7, 7), EVENT(b, "Method::execute", 7, 7))),
        "method|0|Execute #0|0-0\n"
        "method|0|a|0-0\n"
        "method|0|Method::execute|0-0\n");
}

static void overlaps_go_to_the_next_lane_with_all_that_is_inside(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_slices(&s,
                  DUMP(b,
                       RUN(b, "Execute", CALL(b, "a", 1, 10, 20), CALL(b, "in b", 2, 22, 28),
                           CALL(b, "c", 3, 19, 21), CALL(b, "b", 4, 15, 30),
                           EVENT(b, "Method::execute", 10, 40)),
                       RUN(b, "Execute", CALL(b, "a", 1, 50, 60), CALL(b, "in b", 2, 62, 68),
                           CALL(b, "c", 3, 59, 61), CALL(b, "b", 4, 55, 70),
                           EVENT(b, "Method::execute", 50, 80))),
                  "method|0|Execute #0|0-30\n"
                  "method|1|Method::execute|0-30\n"
                  "method|2|a|0-10\n"
                  "method (overlap 2)|0|b|5-20\n"
                  "method (overlap 2)|1|c|9-11\n"
                  "method (overlap 2)|1|in b|12-18\n"
                  "method|0|Execute #1|40-70\n"
                  "method|1|Method::execute|40-70\n"
                  "method|2|a|40-50\n"
                  "method (overlap 2)|0|b|45-60\n"
                  "method (overlap 2)|1|c|49-51\n"
                  "method (overlap 2)|1|in b|52-58\n");
}

/* More slices overlap at once than there are lanes to search: none is lost, and all lanes nest. */
static void any_number_may_overlap(void **state) {
    (void)state;
    enum { N = 300 };
    session s = {0};
    eti_error err = ETI_ERROR_INIT;
    builder *b = &s.b;
    place events[N], runs[2];
    for (uint64_t run = 0; run < 2; run++) {
        for (uint64_t i = 0; i < N; i++) {
            uint64_t start = 1 + run * 10 * N + i;
            events[i] = CALL(b, "e", i, start, start + N);
        }
        runs[run] = put_run(b, &(run_spec){.name = "Execute", .events = put_tables(b, events, N)});
    }
    eti_slice_source source;
    eti_slices *slices;
    eti_sliced_run run;
    open_session(&s, put_dump(b, (optional){0}, put_tables(b, runs, 2)), NULL);
    assert_ok(eti__slice_source_make(&source, s.inspector, &defaults, 0, &err));
    assert_ok(eti__slices_open(&slices, &source, NULL, &err));
    for (size_t n = 0; n < 2; n++) {
        assert_ok(eti__slices_next(slices, &run, &err));
        assert_int_equal(run.n_slices, N + 1);
        for (size_t i = 1; i < run.n_slices; i++) {
            const eti_slice *a = &run.slices[i - 1], *c = &run.slices[i];
            assert_true(a->track != c->track || a->end <= c->start || c->end <= a->end);
        }
    }
    assert_int_equal(eti__slices_track_count(slices), N);
    eti__slices_close(slices);
    eti__slice_source_free(&source);
    close_session(&s);
}

/* ---- clocks ---------------------------------------------------------------------------------- */

#define WRAP (UINT64_C(4294967295))

static void clocks_that_wrap_around_go_on(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_slices(
        &s,
        DUMP(b,
             RUN(b, "Execute", CALL(b, "a", 1, WRAP - 90, WRAP - 80),
                 EVENT(b, "Method::execute", WRAP - 100, WRAP - 60)),
             RUN(b, "Execute", CALL(b, "a", 1, 5, 15), EVENT(b, "Method::execute", WRAP - 10, 20)),
             RUN(b, "Execute", CALL(b, "a", 1, 105, 115), EVENT(b, "Method::execute", 100, 130))),
        "method|0|Execute #0|0-40\n"
        "method|1|Method::execute|0-40\n"
        "method|2|a|10-20\n"
        "method|0|Execute #1|90-120\n"
        "method|1|Method::execute|90-120\n"
        "method|2|a|105-115\n"
        "method|0|Execute #2|200-230\n"
        "method|1|Method::execute|200-230\n"
        "method|2|a|205-215\n");
}

/* The second run follows a wrap of the clock, though none of its own stamps shows it. */
static void clocks_that_wrap_around_between_runs_go_on(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_slices(&s,
                  DUMP(b, RUN(b, "Execute", EVENT(b, "Method::execute", WRAP - 100, WRAP - 60)),
                       RUN(b, "Execute", EVENT(b, "Method::execute", 100, 130))),
                  "method|0|Execute #0|0-40\n"
                  "method|1|Method::execute|0-40\n"
                  "method|0|Execute #1|200-230\n"
                  "method|1|Method::execute|200-230\n");
}

static void a_run_after_the_clock_was_set_back_follows_the_one_before(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_slices(&s,
                  DUMP(b, RUN(b, "Execute", EVENT(b, "Method::execute", 1000, 1100)),
                       RUN(b, "Execute", EVENT(b, "Method::execute", 1050, 1080)),
                       RUN(b, "Execute", EVENT(b, "Method::execute", 1090, 1095))),
                  "method|0|Execute #0|0-100\n"
                  "method|1|Method::execute|0-100\n"
                  "method|0|Execute #1|100-130\n"
                  "method|1|Method::execute|100-130\n"
                  "method|0|Execute #2|140-145\n"
                  "method|1|Method::execute|140-145\n");
}

/* Where every run starts at 0, each run has a track. An event without a stamp is placed at the start of its run. */
static void aligned_runs_have_tracks_of_their_own(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_view_options aligned = defaults;
    aligned.trace_time = 1;
    aligned.runs = "0-0,2";
    assert_slices_as(
        &s,
        DUMP(b, RUN(b, "Execute", EVENT(b, "x", 0, 0), EVENT(b, "Method::execute", 1000, 1100)),
             RUN(b, "Execute", EVENT(b, "x", 0, 0), EVENT(b, "Method::execute", 1200, 1280)),
             RUN(b, "Execute", EVENT(b, "x", 0, 0), EVENT(b, "Method::execute", 1300, 1395))),
        &aligned,
        "run 0|0|Execute #0|0-100\n"
        "run 0|1|Method::execute|0-100\n"
        "run 0|2|x|0-0\n"
        "run 2|0|Execute #2|0-95\n"
        "run 2|1|Method::execute|0-95\n"
        "run 2|2|x|0-0\n");
}

static void stamps_are_converted_with_integers(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_options options = ETI_OPTIONS_DEFAULT;
    const uint64_t base = UINT64_C(1) << 60;
    options.source_time_scale = ETI_SCALE_CYCLES;
    options.clock_hz = 3e9;
    s.options = &options;
    assert_slices(&s,
                  DUMP(b, RUN(b, "Execute", CALL(b, "a", 1, base + 2, base + 10),
                              EVENT(b, "Method::execute", base, base + 10))),
                  "method|0|Execute #0|0-3\n"
                  "method|1|Method::execute|0-3\n"
                  "method|2|a|0-3\n");
    options.clock_hz = 0;
    options.target_time_scale = ETI_SCALE_CYCLES;
    s.options = &options;
    assert_slices(&s,
                  DUMP(b, RUN(b, "Execute", CALL(b, "a", 1, base + 2, base + 10),
                              EVENT(b, "Method::execute", base, base + 10))),
                  "method (cycles)|0|Execute #0|0-10\n"
                  "method (cycles)|1|Method::execute|0-10\n"
                  "method (cycles)|2|a|2-10\n");
    options = (eti_options)ETI_OPTIONS_DEFAULT;
    options.source_time_scale = ETI_SCALE_US;
    s.options = &options;
    assert_slices(&s, DUMP(b, RUN(b, "Execute", EVENT(b, "Method::execute", 1, UINT64_MAX))),
                  "method|0|Execute #0|0-9223372036854775807\n"
                  "method|1|Method::execute|0-9223372036854775807\n");
}

static void lengths_of_ticks(void **state) {
    (void)state;
    assert_int_equal(eti__ticks_to_ns(eti__tick_length(ETI_SCALE_NS, 0), 7), 7);
    assert_int_equal(eti__ticks_to_ns(eti__tick_length(ETI_SCALE_MS, 0), 7), 7000000);
    assert_int_equal(eti__ticks_to_ns(eti__tick_length(ETI_SCALE_S, 0), 7), UINT64_C(7000000000));
    assert_int_equal(eti__ticks_to_ns(eti__tick_length(ETI_SCALE_CYCLES, 32768), 32767), 999969482);
    assert_int_equal(eti__ticks_to_ns(eti__tick_length(ETI_SCALE_CYCLES, 0.5), 3),
                     UINT64_C(6000000000));
    assert_int_equal(eti__ticks_to_ns(eti__tick_length(ETI_SCALE_CYCLES, 4e15), 8000000), 2);
    assert_int_equal(eti__ticks_to_ns(eti__tick_length(ETI_SCALE_CYCLES, 1e300), 1000000000), 1);
    assert_int_equal(eti__ticks_to_ns(eti__tick_length(ETI_SCALE_CYCLES, 1e-9), 1),
                     UINT64_C(1000000000000));
}

/* ---- delegates ------------------------------------------------------------------------------- */

static void measured_events_of_delegates_are_inside_their_calls(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_slices(
        &s,
        DUMP(b, RUN(b, "Execute", DELEGATED(b, "conv", 1, 12, 19), DELEGATED(b, "relu", 1, 19, 24),
                    CALL(b, "DELEGATE_CALL", 1, 11, 30), EVENT(b, "Method::execute", 10, 50))),
        "method|0|Execute #0|0-40\n"
        "method|1|Method::execute|0-40\n"
        "method|2|DELEGATE_CALL|1-20\n"
        "method|3|conv|2-9\n"
        "method|3|relu|9-14\n");
}

/* One stamp outside its call makes the clock untrusted everywhere. Distances are kept if the events end with their call;
 * otherwise the gaps are shortened, and then the events, as in the account. */
static void a_clock_of_its_own_has_a_track(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_view_options options = defaults;
    options.flows = true;
    assert_slices_as(
        &s,
        DUMP(b,
             RUN(b, "Execute", DELEGATED(b, "kept", 1, 500, 507), DELEGATED(b, "far", 1, 510, 519),
                 CALL(b, "DELEGATE_CALL", 1, 11, 30), DELEGATED(b, "mul", 2, 32, 34),
                 CALL(b, "DELEGATE_CALL", 2, 31, 40), DELEGATED(b, "near", 3, 500, 507),
                 DELEGATED(b, "nearer", 3, 517, 523), CALL(b, "DELEGATE_CALL", 3, 41, 60),
                 DELEGATED(b, "long", 4, 100, 110), DELEGATED(b, "longer", 4, 120, 150),
                 CALL(b, "DELEGATE_CALL", 4, 61, 81), EVENT(b, "Method::execute", 10, 90))),
        &options,
        "method|0|Execute #0|0-80\n"
        "method|1|Method::execute|0-80\n"
        "method|2|DELEGATE_CALL|1-20|from 1\n"
        "method|2|DELEGATE_CALL|21-30|from 2\n"
        "method|2|DELEGATE_CALL|31-50|from 3\n"
        "method|2|DELEGATE_CALL|51-71|from 4\n"
        "delegate (own clock)|0|kept|1-8|to 1\n"
        "delegate (own clock)|0|far|11-20\n"
        "delegate (own clock)|0|mul|21-23|to 2\n"
        "delegate (own clock)|0|near|31-38|to 3\n"
        "delegate (own clock)|0|nearer|44-50\n"
        "delegate (own clock)|0|long|51-56|to 4\n"
        "delegate (own clock)|0|longer|56-71\n");
}

static void wrapped_stamps_of_delegates_are_inside_their_calls(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_slices(
        &s,
        DUMP(b, RUN(b, "Execute", DELEGATED(b, "conv", 1, WRAP - 5, 3),
                    DELEGATED(b, "relu", 1, 4, 9), CALL(b, "DELEGATE_CALL", 1, WRAP - 8, 10),
                    EVENT(b, "Method::execute", WRAP - 10, 50))),
        "method|0|Execute #0|0-60\n"
        "method|1|Method::execute|0-60\n"
        "method|2|DELEGATE_CALL|2-20\n"
        "method|3|conv|5-13\n"
        "method|3|relu|14-19\n");
}

static void events_of_no_call_have_a_track(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_slices(&s,
                  DUMP(b,
                       RUN(b, "Execute", DELEGATED(b, "in the run", 7, 12, 15),
                           EVENT(b, "Method::execute", 10, 50)),
                       RUN(b, "Load", DELEGATED(b, "elsewhere", 7, 1012, 1015),
                           EVENT(b, "Method::init", 60, 70))),
                  "method|0|Execute #0|0-40\n"
                  "method|1|Method::execute|0-40\n"
                  "delegate (no call)|0|in the run|2-5\n"
                  "method|0|Load #0|50-60\n"
                  "method|1|Method::init|50-60\n"
                  "delegate (no call)|0|elsewhere|50-53\n");
}

/* Steps of a microsecond, end to end, as XNNPACK reports them. Slices keep their positions unless they last longer than the
 * call; then they share its time. */
static void invented_positions_have_a_track(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    place runs[4];
    eti_buffer expected = {0};
    static const unsigned shown[4][3] = {
        {10, 4010, 9010}, {5, 4093, 9000}, {5, 4156, 9000}, {5, 4202, 9000}};
    for (uint64_t i = 0; i < 4; i++) {
        uint64_t at = 1000 + 100000 * i;
        runs[i] = RUN(b, "Execute", DELEGATED(b, "conv", 1, at + 10, at + 4010 + 1000 * i),
                      DELEGATED(b, "relu", 1, at + 4010 + 1000 * i, at + 9010 + 2000 * i),
                      CALL(b, "DELEGATE_CALL", 1, at + 5, at + (i == 0 ? 9020 : 9000)),
                      EVENT(b, "Method::execute", at, at + 10000));
        unsigned long long from = 100000 * i;
        eti__buffer_printf(&expected,
                           "method|0|Execute #%llu|%llu-%llu\nmethod|1|Method::execute|%llu-%llu\n"
                           "method|2|DELEGATE_CALL|%llu-%llu\n"
                           "delegate (positions computed, not measured)|0|conv|%llu-%llu\n"
                           "delegate (positions computed, not measured)|0|relu|%llu-%llu\n",
                           (unsigned long long)i, from, from + 10000, from, from + 10000, from + 5,
                           from + (i == 0 ? 9020 : 9000), from + shown[i][0], from + shown[i][1],
                           from + shown[i][1], from + shown[i][2]);
    }
    eti__buffer_add_char(&expected, '\0');
    assert_slices(&s, put_dump(b, (optional){0}, put_tables(b, runs, 4)), expected.data);
    eti__buffer_free(&expected);
}

/* XNNPACK never logs start times, so a single run is enough evidence; events with gaps between them were stamped by another
 * clock. */
static void xnnpack_has_a_track_whatever_it_logged(void **state) {
    (void)state;
    static const record_spec record = {
        .handles = "{\"1\": [1]}",
        .delegates = "{\"1\": {\"name\": \"XnnpackBackend\", \"delegate_map\": {}}}",
        .edge = EDGE_PROGRAM(NODE("a", "1", "L__self__,,M"))};
    for (uint64_t gap = 0; gap < 2; gap++) {
        session s = {0};
        builder *b = &s.b;
        assert_slices_with(&s,
                           DUMP(b, RUN(b, "Execute", DELEGATED(b, "conv", 1, 1010, 3010),
                                       DELEGATED(b, "relu", 1, 3010 + gap, 5010 + gap),
                                       CALL(b, "DELEGATE_CALL", 1, 1005, 9000),
                                       EVENT(b, "Method::execute", 1000, 10000))),
                           &record, &defaults,
                           gap == 0
                               ? "method|0|Execute #0|0-9000\n"
                                 "method|1|Method::execute|0-9000\n"
                                 "method|2|DELEGATE_CALL|5-8000\n"
                                 "XNNPACK (positions computed, not measured)|0|conv|10-2010\n"
                                 "XNNPACK (positions computed, not measured)|0|relu|2010-4010\n"
                               : "method|0|Execute #0|0-9000\n"
                                 "method|1|Method::execute|0-9000\n"
                                 "method|2|DELEGATE_CALL|5-8000\n"
                                 "method|3|conv|10-2010\n"
                                 "method|3|relu|2011-4011\n");
    }
}

#define DISPATCH(b, kernel, start, end)                                                            \
    DELEGATED(b, "{\"kernel_name\": \"" kernel "\", \"dispatch_id\": 1}", 1, start, end)

/* A wrapper on the clock of the runtime is in its call. Its dispatches have the clock of the GPU: in the first run they keep their
 * distances, in the second they take longer than the wrapper. */
static void devices_have_tracks(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_view_options options = defaults;
    options.flows = true;
    assert_slices_as(
        &s,
        DUMP(b,
             RUN(b, "Execute", DISPATCH(b, "a", 7000, 7004), DISPATCH(b, "b", 7006, 7016),
                 DELEGATED(b, "ETVK_COMPUTE_GRAPH_EXECUTE", 1, 12, 30),
                 CALL(b, "DELEGATE_CALL", 1, 11, 31), EVENT(b, "Method::execute", 10, 40)),
             RUN(b, "Execute", DISPATCH(b, "a", 7000, 7010), DISPATCH(b, "b", 7020, 7032),
                 DELEGATED(b, "ETVK_COMPUTE_GRAPH_EXECUTE", 1, 52, 70),
                 CALL(b, "DELEGATE_CALL", 1, 51, 71), EVENT(b, "Method::execute", 50, 80))),
        &options,
        "method|0|Execute #0|0-30\n"
        "method|1|Method::execute|0-30\n"
        "method|2|DELEGATE_CALL|1-21|from 1\n"
        "method|3|ETVK_COMPUTE_GRAPH_EXECUTE|2-20\n"
        "GPU|0|{\"kernel_name\": \"a\", \"dispatch_id\": 1}|2-6|to 1\n"
        "GPU|0|{\"kernel_name\": \"b\", \"dispatch_id\": 1}|8-18\n"
        "method|0|Execute #1|40-70\n"
        "method|1|Method::execute|40-70\n"
        "method|2|DELEGATE_CALL|41-61|from 2\n"
        "method|3|ETVK_COMPUTE_GRAPH_EXECUTE|42-60\n"
        "GPU|0|{\"kernel_name\": \"a\", \"dispatch_id\": 1}|42-50|to 2\n"
        "GPU|0|{\"kernel_name\": \"b\", \"dispatch_id\": 1}|50-60\n");
}

/* Dispatches that overlap are on two lanes of the device. */
static void devices_may_work_on_several_events_at_once(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_slices(
        &s,
        DUMP(b, RUN(b, "Execute", DISPATCH(b, "a", 7000, 7004), DISPATCH(b, "b", 7002, 7006),
                    DELEGATED(b, "ETVK_COMPUTE_GRAPH_EXECUTE", 1, 12, 30),
                    CALL(b, "DELEGATE_CALL", 1, 11, 31), EVENT(b, "Method::execute", 10, 40))),
        "method|0|Execute #0|0-30\n"
        "method|1|Method::execute|0-30\n"
        "method|2|DELEGATE_CALL|1-21\n"
        "method|3|ETVK_COMPUTE_GRAPH_EXECUTE|2-20\n"
        "GPU|0|{\"kernel_name\": \"a\", \"dispatch_id\": 1}|2-6\n"
        "GPU (overlap 2)|0|{\"kernel_name\": \"b\", \"dispatch_id\": 1}|4-8\n");
}

/* Without a wrapper around them, the dispatches are right inside the call, beside events on the clock of the runtime, which are
 * shown as recorded. */
static void events_of_the_host_keep_their_stamps_beside_dispatches(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_slices(
        &s,
        DUMP(b, RUN(b, "Execute", DELEGATED(b, "ETVK_COPY_INPUTS", 1, 12, 14),
                    DISPATCH(b, "a", 7000, 7004), DELEGATED(b, "ETVK_COPY_OUTPUTS", 1, 31, 31),
                    CALL(b, "DELEGATE_CALL", 1, 11, 31), EVENT(b, "Method::execute", 10, 40))),
        "method|0|Execute #0|0-30\n"
        "method|1|Method::execute|0-30\n"
        "method|2|DELEGATE_CALL|1-21\n"
        "method|3|ETVK_COPY_INPUTS|2-4\n"
        "method|2|ETVK_COPY_OUTPUTS|21-21\n"
        "GPU|0|{\"kernel_name\": \"a\", \"dispatch_id\": 1}|1-5\n");
}

/* QNN logs no stamps: 2 µs of waiting around two nodes, which share the time by their cycles. Bytes have no slice. */
static void events_without_stamps_lie_side_by_side(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_slices(
        &s,
        DUMP(b,
             RUN(b, "Execute", DELEGATED(b, "Accelerator (execute) time (us)", 1, 0, 2),
                 DELEGATED(b, "conv:OpId_3 (cycles)", 1, 0, 30),
                 DELEGATED(b, "relu:OpId_5 (cycles)", 1, 0, 10),
                 DELEGATED(b, "DDR spill (bytes)", 1, 0, 4096),
                 CALL(b, "DELEGATE_CALL", 1, 1001, 5000), EVENT(b, "Method::execute", 1000, 6000))),
        "method|0|Execute #0|0-5000\n"
        "method|1|Method::execute|0-5000\n"
        "method|2|DELEGATE_CALL|1-4000\n"
        "delegate (positions computed, not measured)|0|Accelerator (execute) time (us)|1-2001\n"
        "delegate (positions computed, not measured)|1|conv:OpId_3 (cycles)|1-1501\n"
        "delegate (positions computed, not measured)|1|relu:OpId_5 (cycles)|1501-2001\n");
}

/* While loading there is no call of the delegate. */
static void loading_on_the_clock_of_the_runtime_is_inside(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    assert_slices(&s,
                  DUMP(b,
                       RUN(b, "Default", DELEGATED(b, "VGF_INIT_TOTAL", 0, 12, 20),
                           EVENT(b, "Method::init", 10, 40)),
                       RUN(b, "Execute", EVENT(b, "Method::execute", 50, 60))),
                  "method|0|Default #0|0-30\n"
                  "method|1|Method::init|0-30\n"
                  "method|2|VGF_INIT_TOTAL|2-10\n"
                  "method|0|Execute #0|40-50\n"
                  "method|1|Method::execute|40-50\n");
}

/* ---- choice ---------------------------------------------------------------------------------- */

static void lists_of_runs(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "", "x", "1,", "2-1", "-1", "1-", "1,,2", " 1", "1 ", "4294967295", "99999999999999999999"};
    eti_error err = ETI_ERROR_INIT;
    for (size_t i = 0; i < COUNT_OF(wrong); i++)
        assert_int_equal(eti__run_choice_check(wrong[i], &err), ETI_ERROR_USAGE);
    assert_ok(eti__run_choice_check(NULL, &err));
    assert_ok(eti__run_choice_check("0,5-7,4294967294", &err));
    static const bool expected[] = {true, false, false, false, false, true, true, true, false};
    for (uint32_t i = 0; i < COUNT_OF(expected); i++)
        assert_int_equal(eti__run_choice_holds("0,5-7", i), expected[i]);
    assert_true(eti__run_choice_holds(NULL, 99));
}

static void runs_that_do_not_exist_are_refused(void **state) {
    (void)state;
    session s = {0};
    eti_error err = ETI_ERROR_INIT;
    builder *b = &s.b;
    eti_slice_source source;
    eti_view_options options = defaults;
    options.runs = "1";
    open_session(&s, DUMP(b, RUN(b, "Execute", EVENT(b, "Method::execute", 10, 50))), NULL);
    assert_fails(eti__slice_source_make(&source, s.inspector, &options, 0, &err), ETI_ERROR_USAGE,
                 "there is no run 1");
    eti__slice_source_free(&source);
    close_session(&s);
}

/* The slices inside an omitted slice move up one level. */
static void events_can_be_left_out(void **state) {
    (void)state;
    session s = {0};
    eti_error err = ETI_ERROR_INIT;
    builder *b = &s.b;
    eti_slice_source source;
    eti_buffer text = {0};
    open_session(
        &s,
        DUMP(b, RUN(b, "Execute", CALL(b, "native_call_add.out", 1, 12, 18),
                    CALL(b, "OPERATOR_CALL", 1, 11, 20), EVENT(b, "Method::execute", 10, 50))),
        NULL);
    assert_ok(eti__slice_source_make(&source, s.inspector, &defaults, 0, &err));
    bool is_left_out[3] = {false};
    for (size_t i = 0; i < 3; i++)
        is_left_out[i] = eti__text_is(source.events[i].event->name, "OPERATOR_CALL");
    write_slices(&text, &source, is_left_out);
    eti__buffer_add_char(&text, '\0');
    assert_string_equal(text.data, "method|0|Execute #0|0-40\n"
                                   "method|1|Method::execute|0-40\n"
                                   "method|2|native_call_add.out|2-8\n");
    eti__buffer_free(&text);
    eti__slice_source_free(&source);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slices_nest_and_start_at_the_first_stamp),
        cmocka_unit_test(equal_slices_and_those_without_length),
        cmocka_unit_test(lanes_have_tracks_of_their_own),
        cmocka_unit_test(a_run_without_length_is_around_nothing),
        cmocka_unit_test(overlaps_go_to_the_next_lane_with_all_that_is_inside),
        cmocka_unit_test(any_number_may_overlap),
        cmocka_unit_test(clocks_that_wrap_around_go_on),
        cmocka_unit_test(clocks_that_wrap_around_between_runs_go_on),
        cmocka_unit_test(a_run_after_the_clock_was_set_back_follows_the_one_before),
        cmocka_unit_test(aligned_runs_have_tracks_of_their_own),
        cmocka_unit_test(stamps_are_converted_with_integers),
        cmocka_unit_test(lengths_of_ticks),
        cmocka_unit_test(measured_events_of_delegates_are_inside_their_calls),
        cmocka_unit_test(a_clock_of_its_own_has_a_track),
        cmocka_unit_test(wrapped_stamps_of_delegates_are_inside_their_calls),
        cmocka_unit_test(events_of_no_call_have_a_track),
        cmocka_unit_test(invented_positions_have_a_track),
        cmocka_unit_test(xnnpack_has_a_track_whatever_it_logged),
        cmocka_unit_test(devices_have_tracks),
        cmocka_unit_test(devices_may_work_on_several_events_at_once),
        cmocka_unit_test(events_of_the_host_keep_their_stamps_beside_dispatches),
        cmocka_unit_test(events_without_stamps_lie_side_by_side),
        cmocka_unit_test(loading_on_the_clock_of_the_runtime_is_inside),
        cmocka_unit_test(lists_of_runs),
        cmocka_unit_test(runs_that_do_not_exist_are_refused),
        cmocka_unit_test(events_can_be_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
