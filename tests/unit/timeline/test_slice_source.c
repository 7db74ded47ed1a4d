#include "slices_fixture.h"

#include "rollup_fixture.h"

#include "timed_events.h"

#include "timeline/slice_source.h"

/* ==== slice source ============================================================================ */
/* When runs are shown, in which order, and the clocks of delegates. */

#define WHOLE(b, start, end) RUN(b, "Execute", EVENT(b, "Method::execute", start, end))
#define LAST_OF_CLOCK (UINT64_C(4294967295))

static const eti_view_options defaults = ETI_VIEW_OPTIONS_DEFAULT;

/* ---- when runs are shown ---------------------------------------------------------------------- */

static void assert_run(const eti_slice_run *run, uint64_t first, uint64_t last, uint64_t shown_at,
                       bool is_moved) {
    assert_true(run->has_times);
    assert_true(run->first == first && run->last == last);
    if (run->shown_at != shown_at || run->is_moved != is_moved)
        fail_msg("shown at %llu, moved %d; expected %llu, %d", (unsigned long long)run->shown_at,
                 run->is_moved, (unsigned long long)shown_at, is_moved);
}

/* Opens runs and finds when they are shown. */
static void make_source(session *s, eti_slice_source *source, const place *runs, size_t n) {
    eti_error err = ETI_ERROR_INIT;
    open_session(s, put_dump(&s->b, (optional){0}, put_tables(&s->b, runs, n)), NULL);
    assert_ok(eti__slice_source_make(source, s->inspector, &defaults, 0, &err));
    assert_int_equal(source->n_runs, n);
}

static void close_source(session *s, eti_slice_source *source) {
    eti__slice_source_free(source);
    close_session(s);
}

/* A clock of 32 bits may be ahead by half of its range; beyond, it was set back. */
static void a_clock_wraps_if_that_is_near(void **state) {
    (void)state;
    const uint64_t last = LAST_OF_CLOCK - 60, most = LAST_OF_CLOCK / 2 - 60;
    for (uint64_t more = 0; more < 2; more++) {
        session s = {0};
        builder *b = &s.b;
        eti_slice_source source;
        const place runs[] = {WHOLE(b, last - 40, last), WHOLE(b, most + more, most + more + 5)};
        make_source(&s, &source, runs, COUNT_OF(runs));
        assert_run(&source.runs[0], last - 40, last, 0, false);
        assert_run(&source.runs[1], most + more, most + more + 5,
                   more == 0 ? 40 + LAST_OF_CLOCK / 2 : 40, more == 1);
        close_source(&s, &source);
    }
}

/* A run that begins exactly where the previous one ends is not moved. A clock with more than 32 bits does not wrap. */
static void a_run_is_moved_if_it_begins_before_the_end(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_slice_source source;
    const uint64_t high = 3 * LAST_OF_CLOCK;
    const place runs[] = {WHOLE(b, 100, 150), WHOLE(b, 150, 160), WHOLE(b, 159, 170),
                          WHOLE(b, high, high + 9), WHOLE(b, 7, 8)};
    make_source(&s, &source, runs, COUNT_OF(runs));
    assert_run(&source.runs[0], 100, 150, 0, false);
    assert_run(&source.runs[1], 150, 160, 50, false);
    assert_run(&source.runs[2], 159, 170, 60, true);
    assert_run(&source.runs[3], high, high + 9, 60 + high - 159, false);
    assert_run(&source.runs[4], 7, 8, 60 + high - 159 + 9, true);
    assert_int_equal(source.dumps[0].base, 100);
    close_source(&s, &source);
}

/* The base is the first stamp of the first run with times. A run without times is shown at the end of the previous run. */
static void runs_without_times_follow_the_one_before(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_slice_source source;
    const place runs[] = {RUN(b, "Load", EVENT(b, "x", 0, 0)), WHOLE(b, 30, 50),
                          RUN(b, "Load", EVENT(b, "x", 0, 0)), WHOLE(b, 57, 60)};
    make_source(&s, &source, runs, COUNT_OF(runs));
    assert_int_equal(source.dumps[0].base, 30);
    assert_int_equal(source.dumps[0].n_runs, 4);
    assert_false(source.runs[0].has_times || source.runs[2].has_times);
    assert_int_equal(source.runs[0].shown_at, 0);
    assert_int_equal(source.runs[2].shown_at, 20);
    assert_int_equal(source.runs[2].first, 0);
    assert_run(&source.runs[1], 30, 50, 0, false);
    assert_run(&source.runs[3], 57, 60, 27, false);
    close_source(&s, &source);
}

/* Events of a delegate do not count; neither do events that were never stamped. */
static void the_span_of_a_run_is_that_of_the_runtime(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_slice_source source;
    const place runs[] = {RUN(b, "Execute", EVENT(b, "never", 0, 0), DELEGATED(b, "conv", 1, 2, 99),
                              CALL(b, "DELEGATE_CALL", 1, 12, 40), EVENT(b, "late", 35, 50),
                              EVENT(b, "early", 10, 20))};
    make_source(&s, &source, runs, COUNT_OF(runs));
    assert_run(&source.runs[0], 10, 50, 0, false);
    close_source(&s, &source);
}

static void runs_are_sorted_by_time(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_slice_source source;
    static const size_t expected[] = {3, 1, 0, 2};
    const place runs[] = {WHOLE(b, 100, 200), WHOLE(b, 300, 350), WHOLE(b, 400, 500),
                          WHOLE(b, 600, 610)};
    make_source(&s, &source, runs, COUNT_OF(runs));
    size_t *numbers = eti__slice_runs_by_time(&source);
    assert_non_null(numbers);
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_int_equal(numbers[i], expected[i]);
    free(numbers);
    close_source(&s, &source);
}

/* ---- several ETDumps -------------------------------------------------------------------------- */

/* Runs are sorted by ETDump, then in the order of recording, regardless of their blocks. Each ETDump has its own base. The stamps
 * of the delegate are outside its call only in the second ETDump. */
static void dumps_are_shown_alone(void **state) {
    (void)state;
    builder first = {0}, second = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_inspector *inspector;
    eti_slice_source source;
    builder *b = &first;
    finish_dump(
        b,
        DUMP(b, RUN(b, "Load", EVENT(b, "Method::init", 1000, 1010)),
             RUN(b, "Execute", DELEGATED(b, "conv", 1, 1022, 1026),
                 CALL(b, "DELEGATE_CALL", 1, 1021, 1029), EVENT(b, "Method::execute", 1020, 1030))),
        true);
    b = &second;
    finish_dump(
        b,
        DUMP(b,
             RUN(b, "Execute", DELEGATED(b, "conv", 1, 22, 26),
                 CALL(b, "DELEGATE_CALL", 1, 521, 529), EVENT(b, "Method::execute", 520, 530)),
             RUN(b, "Load", EVENT(b, "Method::init", 540, 550))),
        true);
    const eti_source sources[] = {{"a.etdp", first.file.data, first.file.size},
                                  {"b.etdp", second.file.data, second.file.size}};
    const eti_inputs inputs = {.etdumps = sources, .n_etdumps = 2};
    assert_ok(eti__inspector_open(&inspector, &inputs, NULL, &err));
    assert_ok(eti__slice_source_make(&source, inspector, &defaults, 0, &err));
    static const struct {
        uint32_t dump, index, block, number;
        uint64_t shown_at;
    } expected[] = {{0, 0, 0, 0, 0}, {0, 1, 1, 0, 20}, {1, 0, 1, 1, 0}, {1, 1, 0, 1, 20}};
    assert_int_equal(source.n_runs, COUNT_OF(expected));
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        assert_int_equal(source.runs[i].dump, expected[i].dump);
        assert_int_equal(source.runs[i].index, expected[i].index);
        assert_int_equal(source.runs[i].block, expected[i].block);
        assert_int_equal(source.runs[i].number, expected[i].number);
        assert_int_equal(source.runs[i].shown_at, expected[i].shown_at);
        assert_false(source.runs[i].is_moved);
    }
    assert_int_equal(source.n_dumps, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_ptr_equal(source.dumps[i].dump, &inspector->dumps[i]);
        assert_int_equal(source.dumps[i].base, i == 0 ? 1000 : 520);
        assert_int_equal(source.dumps[i].first, 2 * i);
        assert_int_equal(source.dumps[i].n_runs, 2);
    }
    eti_buffer text = {0};
    write_slices(&text, &source, NULL);
    eti__buffer_add_char(&text, '\0');
    assert_string_equal(text.data, "method|0|Load #0|0-10\n"
                                   "method|1|Method::init|0-10\n"
                                   "method|0|Execute #0|20-30\n"
                                   "method|1|Method::execute|20-30\n"
                                   "method|2|DELEGATE_CALL|21-29\n"
                                   "method|3|conv|22-26\n"
                                   "method|0|Execute #1|0-10\n"
                                   "method|1|Method::execute|0-10\n"
                                   "method|2|DELEGATE_CALL|1-9\n"
                                   "delegate (own clock)|0|conv|1-5\n"
                                   "method|0|Load #1|20-30\n"
                                   "method|1|Method::init|20-30\n");
    eti__buffer_free(&text);
    eti__slice_source_free(&source);
    eti_inspector_close(inspector);
    builder_free(&first);
    builder_free(&second);
}

/* ---- clocks of delegates ---------------------------------------------------------------------- */

/* A delegate that counts in a scale of its own is never on the clock of the runtime, even where its stamps would fit. Its events
 * have no more time than their call, and its cycles share that time. */
static void delegates_may_count_in_their_own_scale(void **state) {
    (void)state;
    static const struct {
        eti_time_scale source, own;
        const char *conv;
        const char *method;
    } cases[] = {
        {ETI_SCALE_NS, ETI_SCALE_NS, "method|3|conv|2-6\n", ""},
        {ETI_SCALE_NS, ETI_SCALE_US, "delegate (own clock)|0|conv|1-9\n", ""},
        {ETI_SCALE_NS, ETI_SCALE_CYCLES, "delegate (own clock)|0|conv|1-9\n", ""},
        {ETI_SCALE_CYCLES, ETI_SCALE_CYCLES, "method (cycles)|3|conv|2-6\n", " (cycles)"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        session s = {0};
        builder *b = &s.b;
        const eti_delegate_time_scale own = {NULL, cases[i].own, 0};
        eti_options options = ETI_OPTIONS_DEFAULT;
        char expected[256];
        const char *suffix = cases[i].method;
        options.source_time_scale = cases[i].source;
        if (cases[i].source == ETI_SCALE_CYCLES)
            options.target_time_scale = ETI_SCALE_CYCLES;
        options.delegate_time_scales = &own;
        options.n_delegate_time_scales = 1;
        s.options = &options;
        snprintf(expected, sizeof expected,
                 "method%s|0|Execute #0|0-10\nmethod%s|1|Method::execute|0-10\n"
                 "method%s|2|DELEGATE_CALL|1-9\n%s",
                 suffix, suffix, suffix, cases[i].conv);
        assert_slices_as(
            &s,
            DUMP(b, RUN(b, "Execute", DELEGATED(b, "conv", 1, 22, 26),
                        CALL(b, "DELEGATE_CALL", 1, 21, 29), EVENT(b, "Method::execute", 20, 30))),
            &defaults, expected);
    }
}

/* ==== slice events ============================================================================ */
/* Texts beside the slices of Events, and how many bytes they may have. */

static const eti_slice_event *event_called(const eti_slice_source *source, const char *name) {
    for (size_t i = 0; i < source->n_events; i++) {
        if (eti__text_is(source->events[i].event->name, name))
            return &source->events[i];
    }
    fail_msg("there is no event %s", name);
    return NULL;
}

/* NULL: the text is absent. */
static void assert_maybe(eti_text found, const char *expected) {
    if (expected)
        assert_text(found, expected);
    else
        assert_absent(found);
}

static void events_have_their_texts(void **state) {
    (void)state;
    static const struct {
        const char *name, *op_types, *module, *source, *backend;
        uint32_t block;
    } expected[] = {
        {"native_call_permute.out", "aten.permute.default, aten.mm.default", "a.fc", "/m/a.py:7",
         NULL, 1},
        {"native_call_tan.out", "aten.tan.default", "my.Model", "/m/b.py:3", NULL, 1},
        {"conv #1", NULL, "my.Model", ETI_GROUP_SEVERAL_LINES, "Npu", 1},
        {"DELEGATE_CALL", "aten.relu.default, aten.tan.default", "my.Model",
         ETI_GROUP_SEVERAL_LINES, "Npu", 1},
        {"Method::execute", NULL, NULL, NULL, NULL, 1},
        {"Method::init", NULL, NULL, NULL, NULL, 0},
    };
    session s = {0};
    eti_error err = ETI_ERROR_INIT;
    eti_slice_source source;
    open_two_runs(&s);
    assert_ok(eti__slice_source_make(&source, s.inspector, &defaults, 0, &err));
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        const eti_slice_event *event = event_called(&source, expected[i].name);
        assert_maybe(event->op_types, expected[i].op_types);
        assert_maybe(event->module, expected[i].module);
        assert_maybe(event->source, expected[i].source);
        assert_maybe(event->backend, expected[i].backend);
        assert_int_equal(event->block, expected[i].block);
        assert_int_equal(event->n_text, event->event->name.size + event->op_types.size +
                                            event->module.size + event->source.size +
                                            event->backend.size);
        assert_int_equal(event->backend_kind, i == 2 ? 1 : 0);
    }
    eti__slice_source_free(&source);
    close_session(&s);
}

#define PLAIN(name, handle) NODE(name, handle, MODEL)

/* Four operators are named; of five the first two and the last. */
static void many_operators_are_shortened(void **state) {
    (void)state;
    session s = {0};
    builder *b = &s.b;
    eti_error err = ETI_ERROR_INIT;
    eti_slice_source source;
    open_session(
        &s,
        DUMP(b, RUN(b, "Execute", MS_CALL(b, "four", 1, 1, 2), MS_CALL(b, "five", 2, 2, 3),
                    MS_CALL(b, "six", 3, 3, 4), MS_CALL(b, "one", 4, 4, 5),
                    MS_EVENT(b, "Method::execute", 1, 5))),
        &(record_spec){.handles = "{\"1\": [1, 2, 3, 4], \"2\": [1, 2, 3, 4, 5], "
                                  "\"3\": [1, 2, 3, 4, 5, 6], \"4\": 3}",
                       .edge = EDGE_PROGRAM(PLAIN("a", "1") "," PLAIN("b", "2") "," PLAIN(
                           "c", "3") "," PLAIN("d", "4") "," PLAIN("e", "5") "," PLAIN("f", "6"))});
    assert_ok(eti__slice_source_make(&source, s.inspector, &defaults, 0, &err));
    assert_text(event_called(&source, "four")->op_types,
                "aten.a.default, aten.b.default, aten.c.default, aten.d.default");
    assert_text(event_called(&source, "five")->op_types,
                "aten.a.default, aten.b.default ... aten.e.default (5 in all)");
    assert_text(event_called(&source, "six")->op_types,
                "aten.a.default, aten.b.default ... aten.f.default (6 in all)");
    assert_text(event_called(&source, "one")->op_types, "aten.c.default");
    eti__slice_source_free(&source);
    close_session(&s);
}

static void texts_are_counted_up_to_a_limit(void **state) {
    (void)state;
    eti_slice_source source = {.n_text = 0};
    eti_error err = ETI_ERROR_INIT;
    assert_ok(eti__slice_texts_count(&source, 4, 5, &err));
    assert_ok(eti__slice_texts_count(&source, 1, 5, &err));
    assert_int_equal(source.n_text, 5);
    assert_fails(eti__slice_texts_count(&source, 1, 5, &err), ETI_ERROR_LIMIT, "more than 5 bytes");
    assert_ok(eti__slice_texts_count(&source, 0, 0, &err));
    source.n_text = 7;
    assert_ok(eti__slice_texts_count(&source, UINT64_MAX - 7, 0, &err));
    assert_true(source.n_text == UINT64_MAX);
    assert_ok(eti__slice_texts_count(&source, 2, 0, &err)); /* does not begin at 0 again */
    assert_true(source.n_text == UINT64_MAX);
}

/* Texts that are made may have an eighth of the limit. Here they take 20 and 15 bytes for operators and 7 for the file, because
 * consecutive Events share them. Slices repeat 23 + 37 + 4 + 9 bytes, 13 + 37 + 4 + 9 bytes, and a name of 15 bytes. */
static void texts_that_are_made_may_have_an_eighth(void **state) {
    (void)state;
    enum { MADE = 20 + 15 + 7, REPEATED = 73 + 63 + 15 };
    enum { KERNEL = 23 + 3, FULL = REPEATED + KERNEL + 3 + ETI_MOST_SLICE_METADATA };
    char metadata[ETI_MOST_SLICE_METADATA + 2];
    memset(metadata, 'm', sizeof metadata);
    metadata[sizeof metadata - 1] = '\0';
    session s = {0};
    builder *b = &s.b;
    eti_error err = ETI_ERROR_INIT;
    eti_slice_source source;
    eti_view_options options = defaults;
    open_session(&s,
                 DUMP(b, RUN(b, "Execute",
                             TIMED(b, .name = "native_call_permute.out", .instruction_id = SOME(0),
                                   .start_time = 2, .end_time = 3, .metadata = "abc"),
                             TIMED(b, .name = "OPERATOR_CALL", .instruction_id = SOME(0),
                                   .start_time = 1, .end_time = 4, .metadata = metadata),
                             MS_EVENT(b, "Method::execute", 0, 5))),
                 &(record_spec){.handles = HANDLES, .delegates = DELEGATES, .edge = EDGE});
    assert_ok(eti__slice_source_make(&source, s.inspector, &options, 8 * MADE, &err));
    assert_int_equal(source.n_text, REPEATED);
    eti__slice_source_free(&source);
    assert_fails(eti__slice_source_make(&source, s.inspector, &options, 8 * MADE - 1, &err),
                 ETI_ERROR_LIMIT, "more than 41 bytes");
    eti__slice_source_free(&source);
    options.args = ETI_ARGS_FULL;
    assert_ok(eti__slice_source_make(&source, s.inspector, &options, 0, &err));
    assert_int_equal(source.n_text, FULL);
    eti__slice_source_free(&source);
    assert_fails(eti__slice_source_make(&source, s.inspector, &options, FULL - 1, &err),
                 ETI_ERROR_LIMIT, "bytes");
    eti__slice_source_free(&source);
    close_session(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_clock_wraps_if_that_is_near),
        cmocka_unit_test(a_run_is_moved_if_it_begins_before_the_end),
        cmocka_unit_test(runs_without_times_follow_the_one_before),
        cmocka_unit_test(the_span_of_a_run_is_that_of_the_runtime),
        cmocka_unit_test(runs_are_sorted_by_time),
        cmocka_unit_test(dumps_are_shown_alone),
        cmocka_unit_test(delegates_may_count_in_their_own_scale),
        cmocka_unit_test(events_have_their_texts),
        cmocka_unit_test(many_operators_are_shortened),
        cmocka_unit_test(texts_are_counted_up_to_a_limit),
        cmocka_unit_test(texts_that_are_made_may_have_an_eighth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
